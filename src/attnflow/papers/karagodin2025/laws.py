r"""Cosines and variances under normalisation schemes $\theta' = \frac1s\Pi_\theta a$, as closed laws.

The speed s is 1 (Post-LN), r (Pre-LN), r|a| (Peri-LN), |a|/α (nGPT), √(1+t) (depth-scaled). Source: Karagodin, Ge,
Polyanskiy, Rigollet, arXiv 2510.22026 (transcribed); the growth of r under Peri-LN and the constant 2 are derived.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.integrate import solve_ivp

from ...engine.flow.normalisation import NGPT, MixLN, PeriLN, PreLN, SqrtLN
from ...theory.sphere.equiangular import output

FLOOR = 1e-22
"""Variances below this are rounding."""


def _number(value) -> float:
    return float(np.asarray(value))


# ---- equal cosines ---------------------------------------------------------------------------------------------------


def speed_and_growth(scheme, t, rho, r, *, n: int, beta: float) -> tuple[float, float]:
    """s and r' of equiangular tokens of radius r under a scheme; ρ' is the Post-LN rate over s."""
    along, size = output(rho, n=n, beta=beta)
    if isinstance(scheme, PreLN) or (isinstance(scheme, MixLN) and t >= _number(scheme.tau)):
        return r, along
    if isinstance(scheme, PeriLN):
        return r * size, along / size
    if isinstance(scheme, NGPT):
        return size / _number(scheme.alpha), 0.0
    return (np.sqrt(1 + t) if isinstance(scheme, SqrtLN) else 1.0), 0.0


def scheme_cosine(scheme, ts, *, n: int, beta: float, rho0: float = 0.0, r0: float = 1.0) -> np.ndarray:
    r"""$-\ln(1-\rho)$ and the radius of equiangular tokens at increasing times, for any scheme (two rows).

    $$\rho'=\frac1s\,\frac{2(1-\rho)((n-1)\rho+1)}{e^{\beta(1-\rho)}+n-1}$$
    """

    def field(t, y):
        rho = -np.expm1(-y[0])
        s, growth = speed_and_growth(scheme, t, rho, y[1], n=n, beta=beta)
        relative = 2 * ((n - 1) * rho + 1) / (np.exp(beta * np.exp(-y[0])) + n - 1)
        return [relative / s, growth]

    ts = np.asarray(ts, float)
    jump = np.clip(_number(scheme.tau), ts[0], ts[-1]) if isinstance(scheme, MixLN) else ts[0]
    y, found = np.array([-np.log1p(-rho0), r0]), np.empty((2, len(ts)))
    found[:] = y[:, None]
    # From one time to the next: between the ends of long steps this method is only good to 1e-8.
    for a, b in pairwise(np.unique([*ts, jump])):
        y = solve_ivp(field, (a, b), y, method="DOP853", rtol=1e-11, atol=1e-13).y[:, -1]
        found[:, ts == b] = y[:, None]
    return found


# ---- tokens that nearly agree ----------------------------------------------------------------------------------------


def cone_limit(n: int, beta: float) -> float:
    r"""The δ below which the law is proved: $1/(100n^2\max(1,\beta^2))$."""
    return 1 / (100 * n**2 * max(1.0, beta**2))


def widest(theta) -> float:
    r"""$\delta = 1-\min_{jk}\langle\theta_j,\theta_k\rangle$, or for many tokens an upper bound by their angles to the mean."""
    mean = theta.mean(axis=0)
    if len(theta) <= 512:
        return float(1 - (theta @ theta.T).min())
    angle = np.arccos(np.clip(theta @ mean / np.linalg.norm(mean), -1, 1)).max()
    return float(1 - np.cos(min(np.pi, 2 * angle)))


def variance(theta):
    """The mean squared distance from the mean direction, without cancellation; leading axes are times."""
    theta = np.asarray(theta, float)
    return np.mean(np.sum((theta - theta.mean(axis=-2, keepdims=True)) ** 2, axis=-1), axis=-1)


def speeds(scheme, ts, r):
    """s at the times ts, for tokens that nearly agree, so that |a| is 1 up to δ; r is a radius."""
    if isinstance(scheme, PreLN | PeriLN):
        return r
    if isinstance(scheme, NGPT):
        return np.full(len(ts), 1 / _number(scheme.alpha))
    if isinstance(scheme, SqrtLN):
        return np.sqrt(1 + ts)
    return np.where(ts < _number(scheme.tau), 1.0, r) if isinstance(scheme, MixLN) else np.ones(len(ts))


def decay_bounds(scheme, ts, r) -> tuple[np.ndarray, np.ndarray]:
    r"""Between which numbers $-\log\mathrm{Var}$ must have grown at each time: $2\int dt/s$, slowest and fastest token.

    Radii (k, n) may differ between tokens; s is monotone between saved times, so its ends bound it there.
    """
    fast, slow = (speeds(scheme, ts, radius) for radius in (r.min(axis=1), r.max(axis=1)))
    h = np.diff(ts)
    least = 2 * np.cumsum(h / np.maximum(slow[:-1], slow[1:]))
    most = 2 * np.cumsum(h / np.minimum(fast[:-1], fast[1:]))
    return np.append(0.0, least), np.append(0.0, most)


def decay_ratio(scheme, ts, y) -> float:
    """By how much the fall of the variance leaves its bounds at worst, over what O(δ) and rounding allow (2 %)."""
    theta = y / np.linalg.norm(y, axis=-1, keepdims=True)
    least, most = decay_bounds(scheme, ts, np.linalg.norm(y, axis=-1))
    decay = -np.log(variance(theta) / variance(theta[0]))
    return float(np.max(np.maximum(least - decay, decay - most)[1:] / (0.02 * most[1:] + 1e-3)))
