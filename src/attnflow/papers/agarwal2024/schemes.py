"""Bridge steps by NumPy alone, none of the engine's code: for hunts, and to follow a run again."""

from __future__ import annotations

import numpy as np

from ...engine.spaces import Sphere
from ...theory.heat.mixture import GaussianMixture
from ..independent import symmetric_scaling

LARGEST_WORK = 4e6
"""Pairs of tokens times steps that a check does again."""


def plan(x, mass, eps: float):
    """Row weights of the entropic transport of the tokens to themselves."""
    apart = np.sum((x[:, None] - x[None]) ** 2, axis=-1) if x.shape[1] < 4 else _apart(x)
    kernel = np.exp(-apart / (2 * eps))
    v = symmetric_scaling(kernel, mass)
    weights = kernel * (mass * v)
    return weights / weights.sum(axis=1, keepdims=True)


def _apart(x):
    squares = np.sum(x * x, axis=1)
    return np.maximum(squares[:, None] + squares[None] - 2 * x @ x.T, 0.0)


def heat_steps(x, mass, eps: float, *, count: int, is_sphere: bool = False):
    """x ← 2x − bary(x), on the sphere its tangential part and back to it."""
    for _ in range(count):
        bary = plan(x, mass, eps) @ x
        if is_sphere:
            x = x - bary + np.sum(x * bary, axis=1, keepdims=True) * x
            x = x / np.linalg.norm(x, axis=1, keepdims=True)
        else:
            x = 2 * x - bary
    return x


def reverse_steps(x, mass, eps: float, *, count: int, is_sphere: bool = False):
    """x ← bary(x)."""
    for _ in range(count):
        x = plan(x, mass, eps) @ x
    return x


def off_scheme(run, steps) -> float:
    """How far saved states are from the steps of the ones before, over the size of the tokens; NaN if too many to redo."""
    mass, ts = np.asarray(run.mass, float), np.asarray(run.ts, float)
    x, mass = np.asarray(run.x, float)[:, mass > 0], mass[mass > 0]
    counts = np.diff(ts) / run.flow.eps
    if np.abs(counts - np.round(counts)).max(initial=0) > 1e-3 or (np.round(counts) < 1).any():
        return float("inf")
    counts = np.round(counts).astype(int)
    chosen = np.unique(np.linspace(0, len(counts) - 1, min(len(counts), 8)).astype(int))
    if x.shape[1] ** 2 * counts[chosen].sum() > LARGEST_WORK:
        return float("nan")
    is_sphere = isinstance(run.flow.space, Sphere)
    ends = [steps(x[k], mass, run.flow.eps, count=int(counts[k]), is_sphere=is_sphere) for k in chosen]
    off = np.max([np.abs(end - x[k + 1]).max() for k, end in zip(chosen, ends)])
    return float(off / max(np.abs(x).max(), 1e-300))


def local_widths(x, mass, eps: float) -> np.ndarray:
    r"""Variances $\lambda$ of the Gaussians that have the token's own Cov(Y|x), one per token and direction.

    For a Gaussian $\mathrm{Cov}(Y|x) = \varepsilon r$ with $r = \sqrt{1+u^2}-u$, $u = \varepsilon/(2\lambda)$, so
    $\lambda = \varepsilon r/(1-r^2)$. Directions in which the law is hollow (r ≥ 1) count as wide.
    """
    P = plan(x, mass, eps)
    bary = P @ x
    if x.shape[1] <= 4:
        cov = np.einsum("ij,ja,jb->iab", P, x, x) - np.einsum("ia,ib->iab", bary, bary)
        r = np.linalg.eigvalsh(cov) / eps
    else:
        mean_square = P @ np.sum(x * x, axis=1) - np.sum(bary * bary, axis=1)
        r = np.repeat((mean_square / (eps * x.shape[1]))[:, None], x.shape[1], axis=1)
    r = np.clip(r, 1e-9, 1 - 1e-9)
    return eps * r / (1 - r * r)


# ---- quadrature nodes on the line -------------------------------------------------------------------------------------


def random_mixture(rng, *, reach=2.0, widths=(0.7, 1.5)) -> GaussianMixture:
    return GaussianMixture(rng.uniform(0.3, 1, 2), rng.uniform(-reach, reach, (2, 1)), rng.uniform(*widths, 2))


def nodes(law: GaussianMixture, eps: float, *, spacing=0.3):
    """Uniform nodes with spacing 0.3 √ε over seven standard deviations, and their masses."""
    reach = 7 * np.sqrt(law.covs.max())
    x = np.arange(law.means.min() - reach, law.means.max() + reach, spacing * np.sqrt(eps))
    mass = law.density(x)
    return x[:, None], mass / mass.sum()


def order(errors) -> float:
    """The observed order of errors at ε and ε/2."""
    return float(np.log2(abs(errors[-2] / errors[-1])))
