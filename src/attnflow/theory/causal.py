r"""Causal masking: centres that park, tokens they capture, and the pull of the first token.

Source: Karagodin, Polyanskiy, Rigollet, arXiv 2411.04990 (from transcriptions; corrected where noted).
"""

from __future__ import annotations

import numpy as np


def approach_rate(k: int) -> float:
    r"""Token k nears the first one like $e^{-(k-1)t/k}$ by itself, and like $e^{-t/2}$ behind token 2."""
    if k < 2:
        raise ValueError(f"the first token does not move; ask for k >= 2, got {k}")
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


def left_uncaptured(free, frozen, weights, *, beta: float, eps: float, until: float) -> float:
    r"""How far the farthest free token ends from all frozen ones, in units of $\varepsilon/\sqrt\beta$ (d = 2).

    $$\dot\theta_i=-\sum_j h(\theta_i-\theta_j)-\sum_ka_kh(\theta_i-\phi_k)$$
    Above 1 the frozen-token theorem fails on this start, unless the token still moves.
    """
    from scipy.integrate import solve_ivp

    frozen, weights = np.asarray(frozen, float), np.asarray(weights, float)

    def field(t, theta):
        inside = interaction(theta[:, None] - theta[None], beta=beta).sum(axis=1)
        return -inside - interaction(theta[:, None] - frozen[None], beta=beta) @ weights

    end = solve_ivp(field, (0.0, until), np.asarray(free, float), rtol=1e-9, atol=1e-12, method="LSODA").y[:, -1]
    apart = np.abs(np.angle(np.exp(1j * (end[:, None] - frozen[None])))).min(axis=1)
    return float(apart.max() * np.sqrt(beta) / eps)


def away_from_first(x, *, beta: float, B=None, V: float = 1.0, until: float = 400.0) -> float:
    """Distance of the farthest token to the first, over 1e-3, at a late time; NaN unless it is small or a stable state.

    A state that keeps its neighbours is reached from a set of positive measure, and so contradicts the theorem; tokens
    still on their way, or balanced on an unstable state, do not.
    """
    from .geshkovski2024_rest import is_trap
    from .search import sphere_run

    mask = np.tril(np.ones((len(x), len(x)), bool))
    end = sphere_run(x, [until], beta=beta, B=B, V=V, mask=mask)[-1]
    apart = float(np.linalg.norm(end - end[:1], axis=1).max())
    if apart < 1e-3:
        return apart / 1e-3
    return max(2.0, apart / 1e-3) if is_trap(end, beta=beta, B=B, V=V, mask=mask) else float("nan")


def cap_share(delta: float, d: int) -> float:
    """The share of the sphere within angle delta of a point."""
    from scipy.special import betainc

    delta = min(delta, np.pi)
    if delta > np.pi / 2:
        return 1 - cap_share(np.pi - delta, d)
    return float(0.5 * betainc((d - 1) / 2, 0.5, np.sin(delta) ** 2))


def strong_centres(delta: float, d: int, *, n: int | None = None) -> float:
    r"""The expected number of tokens farther than delta from all earlier ones: $(1-(1-p)^n)/p$."""
    p = cap_share(delta, d)
    return 1 / p if n is None else float(-np.expm1(n * np.log1p(-p)) / p)


def printed_strong_centres(delta: float) -> float:
    r"""$(3\sin^2(\delta/2))^{-1}$, as quoted for d = 3: a factor 3 too small."""
    return float(1 / (3 * np.sin(delta / 2) ** 2))


def renyi_centres(x, delta: float, *, is_strong: bool = False) -> np.ndarray:
    """Indices of tokens farther than delta (angle) from all earlier centres, or from all earlier tokens."""
    x, closest = np.asarray(x, float), np.cos(min(delta, np.pi))
    kept: list[int] = []
    for k in range(len(x)):
        earlier = x[:k] if is_strong else x[kept]
        if len(earlier) == 0 or (earlier @ x[k]).max() < closest:
            kept.append(k)
    return np.array(kept)
