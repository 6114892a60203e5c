"""Stability of the attention flow in Wasserstein distance: bounds from norms alone, without a run.

Source: Castin et al. 2025 (arXiv 2501.18322), well-posedness and stability; constants derived; the masked constant
corrected (prefix averages are a Hardy operator).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...engine.flow import Flow
from ...engine.linalg.arguments import as_annotated
from ...engine.linalg.matrices import is_scheduled
from ...errors import BadInput
from .rule_constants import Constants, constants_at

VACUOUS = np.log(1e6)
"""Amplifications beyond a million say nothing."""


@dataclass(frozen=True)
class StabilityBound:
    r"""$W_p(\mu_t, \nu_t) \le e^{\int_0^t L}\,W_p(\mu_0, \nu_0)$ for prompts in a ball whose radius is at most R(t)."""

    ts: np.ndarray
    radius: np.ndarray
    log_L: np.ndarray
    log_amplification: np.ndarray
    is_certified: bool
    """False where no explicit constant is known: Sinkhorn, and masks with p = 1."""

    @property
    def is_vacuous(self) -> bool:
        return bool(self.log_amplification[-1] > VACUOUS)

    def __str__(self):
        if not self.is_certified:
            return f"radius at most {self.radius[-1]:.3g}; no certified stability constant"
        words = (
            "vacuous" if self.is_vacuous else f"at most {np.exp(self.log_amplification[-1]):.3g} times farther apart"
        )
        return f"radius at most {self.radius[-1]:.3g}; prompts {words} at t = {self.ts[-1]:g}"


@as_annotated
def stability_bound(
    flow: Flow, radius: float, *, d: int, horizon: float, p: float = 1.0, pieces: int = 400
) -> StabilityBound:
    r"""The support radius $R(t)$, $\log L(t)$ and the log of the amplification over [0, horizon].

    $R' = R\sup|\Gamma|/R$, and $L = \mathrm{Lip}_x + c_p\,\mathrm{Lip}_\mu$ with $c_p = 1$, or $p/(p-1)$ under a mask.
    """
    if not (radius > 0 and horizon > 0 and p >= 1):
        raise BadInput(f"radius and horizon must be positive and p at least 1, got {radius}, {horizon}, {p}")
    ts = np.linspace(0, horizon, pieces + 1)
    first = constants_at(flow, d=d)
    at_times = [constants_at(flow, d=d, t=t) for t in ts] if is_scheduled(flow) else [first] * len(ts)
    radii, logs = [float(radius)], [log_constant(first(radius), p)]
    for ends, piece in zip(pairwise(at_times), np.diff(ts)):
        R = _grown(radii[-1], ends, piece)
        radii.append(R)
        logs.append(log_constant(ends[1](R), p) if np.isfinite(R) else np.inf)
    log_L = np.array(logs)
    # The larger end of each piece keeps the sum an upper bound for weights and radii that grow.
    with np.errstate(over="ignore"):
        total = np.concatenate([[0], np.cumsum(np.diff(ts) * np.exp(np.maximum(log_L[:-1], log_L[1:])))])
    certified = first(radius)
    is_certified = bool(np.isfinite(certified.log_lip_mu)) and not (certified.is_masked and p == 1)
    return StabilityBound(ts, np.array(radii), log_L, total, is_certified)


def log_constant(found: Constants, p: float) -> float:
    """log(Lip_x + c_p Lip_μ)."""
    if not found.is_masked:
        hardy = 0.0
    elif p == 1:
        return np.inf
    else:
        hardy = 0.0 if np.isinf(p) else np.log(p / (p - 1))
    return float(np.logaddexp(found.log_lip_x, hardy + found.log_lip_mu))


def _grown(R, ends, piece):
    """The radius after a short piece of time, infinite once nothing bounds it; the speed is taken where it is largest."""
    if not np.isfinite(R):
        return np.inf
    guess = R
    for _ in range(50):
        speed = max(constants_of(guess).speed for constants_of in ends)
        grown = R * np.exp(min(piece * speed, 700.0))
        if grown <= guess * (1 + 1e-12):
            return grown
        guess = grown * (1 + 1e-13)
        if guess > 1e100:
            return np.inf
    return np.inf


def prefix_mean_norm(n: int, *, p: float = 2.0) -> float:
    """The norm of averaging over prefixes of n tokens: why masks need a larger constant (p = 1: the harmonic number)."""
    matrix = np.tril(np.ones((n, n))) / np.arange(1, n + 1)[:, None]
    if p not in (1.0, 2.0, np.inf):
        raise BadInput(f"the norm is computed for p = 1, 2 or infinity, got {p}")
    return float(np.linalg.norm(matrix, ord=p))
