r"""Causal attention: Rényi centres, the tokens they capture, and the rate at which tokens approach the first.

Source: Karagodin, Polyanskiy, Rigollet, arXiv 2411.04990 (from transcriptions; corrected where noted).
"""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike
from scipy.special import betainc

from ...engine.linalg.arguments import as_annotated, inside, shaped
from ...errors import BadInput


def approach_rate(k: int) -> float:
    r"""Token k nears the first one like $e^{-(k-1)t/k}$ by itself, and like $e^{-t/2}$ behind token 2."""
    if k < 2:
        raise BadInput(f"the first token does not move; ask for k >= 2, got {k}")
    return (k - 1) / k


def slowest_rate(mass) -> float:
    r"""The rate at which all tokens near the first one, V = I: $\min_k\sum_{j<k}m_j/\sum_{j\le k}m_j$, ½ for equal masses."""
    reach = np.cumsum(np.asarray(mass, float))
    return float(np.min(reach[:-1] / reach[1:], initial=np.inf))


def interaction(x, *, beta: float):
    r"""$h(x) = e^{\beta(\cos x-1)}\sin x$."""
    return np.exp(beta * (np.cos(x) - 1)) * np.sin(x)


def interaction_slope(x, *, beta: float):
    r"""$g = h' = e^{\beta(\cos x-1)}(\cos x-\beta\sin^2x)$."""
    return np.exp(beta * (np.cos(x) - 1)) * (np.cos(x) - beta * np.sin(x) ** 2)


def capture_margins(*, n: int, weights, beta: float, eps: float, c: float) -> tuple[float, float, float]:
    r"""Margins of the frozen-token theorem (d = 2): all positive means every free token is captured.

    $c > 2+2\varepsilon$, $Nh((c-1-2\varepsilon)/\sqrt\beta) < h(\varepsilon/\sqrt\beta)$ and
    $-Ng((c-2\varepsilon)/\sqrt\beta) < g(\varepsilon/\sqrt\beta)$ (the minus sign is missing in print).
    """
    N, root = n + float(np.sum(weights)), np.sqrt(beta)
    near, far = interaction(eps / root, beta=beta), interaction((c - 1 - 2 * eps) / root, beta=beta)
    slope, far_slope = interaction_slope(eps / root, beta=beta), interaction_slope((c - 2 * eps) / root, beta=beta)
    return c - 2 - 2 * eps, float(near - N * far), float(slope + N * far_slope)


def cap_share(delta: float, d: int) -> float:
    """The share of the sphere within angle delta of a point."""
    delta = min(delta, np.pi)
    if delta > np.pi / 2:
        return 1 - cap_share(np.pi - delta, d)
    return float(0.5 * betainc((d - 1) / 2, 0.5, np.sin(delta) ** 2))


@as_annotated
def strong_centres(delta: float, d: int, *, n: int | None = None) -> float:
    r"""The expected number of tokens farther than delta from all earlier ones: $(1-(1-p)^n)/p$."""
    inside(delta, "delta", above=0)
    inside(d, "d", least=2)
    p = cap_share(delta, d)
    if p == 0:
        raise BadInput(f"the cap of angle {delta:g} in {d} dimensions is no number; take a larger angle")
    return 1 / p if n is None else float(-np.expm1(n * np.log1p(-p)) / p)


def printed_strong_centres(delta: float) -> float:
    r"""$(3\sin^2(\delta/2))^{-1}$, as quoted for d = 3: a factor 3 too small."""
    return float(1 / (3 * np.sin(delta / 2) ** 2))


@as_annotated
def renyi_centres(x: ArrayLike, delta: float, *, is_strong: bool = False) -> np.ndarray:
    """Indices of tokens farther than delta (angle) from all earlier centres, or from all earlier tokens."""
    x, closest = shaped(x, "x", "n d"), np.cos(min(delta, np.pi))
    kept: list[int] = []
    for k in range(len(x)):
        earlier = x[:k] if is_strong else x[kept]
        if len(earlier) == 0 or (earlier @ x[k]).max() < closest:
            kept.append(k)
    return np.array(kept)
