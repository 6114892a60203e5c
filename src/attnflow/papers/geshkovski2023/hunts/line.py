"""Trials of section 7: tokens on the line, and the one among them that may stay bounded, caught by bisection.

Such a start is unstable: a hair to either side and the token escapes up or down. Bisecting on where it escapes finds the
start to round-off, and the run follows the bounded token for as long as double precision can.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.spatial.distance import pdist

from ....theory.limits.one_dimension import escape_level, pair_limit
from ...hunt import Trial, shown
from ...independent import euclidean_run, mirrored, rescaled_run, softmax
from ...trial import close, equal, stated, worst_ratio
from .limits import EXCEPTIONS, LAST, is_resolved

# ---- lemmas 7.1 and 7.2 -----------------------------------------------------------------------------------------------


def convex_trial(rng):
    r"""$\sum_jP_jx_j$ against a complex-step derivative of f, and f on random chords."""
    n, d = int(rng.integers(1, 7)), int(rng.integers(1, 4))
    x = rng.normal(size=(n, d)) * rng.choice([0.3, 2.0])
    f = lambda y: np.log(np.exp(x @ y - (x @ y).real.max()).sum()) + (x @ y).real.max()  # noqa: E731
    slope = np.array([f(x[0] + 1e-30j * e).imag / 1e-30 for e in np.eye(d)])
    off = float(np.abs(slope - softmax(x[:1] @ x.T)[0] @ x).max() / np.abs(x).max())
    ends = rng.normal(size=(20, 2, d)) * 3
    sag = np.array([float(f((a + b) / 2).real - (f(a).real + f(b).real) / 2) for a, b in ends])
    return Trial(worst_ratio(off / 1e-12, sag / 1e-12), 0.0, f"{shown(3, x=x)}: slope off by {off:.2g}")


def distances_trial(rng):
    n, d = int(rng.integers(2, 7)), int(rng.integers(1, 4))
    x = rng.normal(size=(n, d)) * rng.choice([0.05, 1.0]) + rng.choice([0.0, 1.0])
    return _distances(x, np.eye(d))


def any_scores_distances_trial(rng):
    return _distances(rng.normal(size=(5, 2)), rng.normal(size=(2, 2)))


def _distances(x, B):
    apart = np.array([pdist(y) for y in euclidean_run(x, np.linspace(0, 2, 9), B=B)])
    fall = float(np.max((apart[:-1] - apart[1:]) / np.maximum(apart[:-1], 1e-3 * np.abs(x).max()), initial=0))
    return Trial(fall / 1e-7, 2.0, shown(3, B=B, x=x))


# ---- lemma 7.3 --------------------------------------------------------------------------------------------------------


def escape_shortfall(log_top, t, n) -> np.ndarray:
    r"""By how much, between neighbouring times, the largest token misses $(\log x)'\ge\max(0, 1-\frac n{ex^2})$."""
    promised = np.maximum(0.0, 1 - n * np.exp(np.minimum(-1 - 2 * log_top[:-1], 700.0))) * np.diff(t)
    return promised - np.diff(log_top)


def escape_trial(rng):
    n = int(rng.integers(2, 8))
    x = rng.uniform(-3, 0.5, (n, 1))
    x[-1] = escape_level(n) * 1.001
    return _escape(x)


def low_trial(rng):
    """The highest token is below the level of lemma 7.3, and heavy neighbours pull it down."""
    return _escape(np.append(rng.uniform(-3, -2, 4), 0.1)[:, None])


def _escape(x):
    ts = np.linspace(0, 3, 13)
    top = np.maximum(euclidean_run(x, ts)[..., 0].max(axis=1), 1e-300)
    grown = np.diff(np.log(top))
    promised = escape_shortfall(np.log(top), ts, len(x)) + grown
    ratio = float(np.max(promised / np.maximum(grown, 1e-300)))
    return Trial(stated(lambda by: by * ratio - 1e-8) if (grown > 0).all() else np.inf, 3.0, shown(3, x=x[:, 0]))


# ---- the rate of P ----------------------------------------------------------------------------------------------------


def rate_trial(rng):
    """P_ij against e^{−c x_i} for tokens x_i > 0 and all j but the highest."""
    n = int(rng.integers(2, 8))
    x = np.sort(rng.uniform(-1.5, 1.5, n) + rng.choice([0.0, 1.0]))
    ts = np.linspace(0, 2, 9)
    y = euclidean_run(x[:, None], ts)[..., 0]
    excess = np.max([rate_excess(tokens, float(np.diff(x).min())) for tokens in y])
    return Trial(stated(lambda by: float(np.exp(excess)) / by), 2.0, shown(x=x), bool(np.diff(x).min() > 1e-6))


def rate_excess(x, gap: float, *, b: float = 1.0, mass=None) -> float:
    r"""The largest $\log P_{ij} - \log(m_j/m_n) + bcx_i$ over $x_i>0$, $j\ne n$; at most 0 if the rate holds."""
    top = int(np.argmax(x))
    log_m = np.zeros(len(x)) if mass is None else np.log(mass)
    rows = b * np.outer(x, x) + log_m
    largest = rows.max(axis=1, keepdims=True)
    log_P = rows - largest - np.log(np.exp(rows - largest).sum(axis=1, keepdims=True))
    excess = log_P - (log_m - log_m[top]) + b * gap * x[:, None]
    mine, others = x > 0, np.arange(len(x)) != top
    return float(np.max(excess[np.ix_(mine, others)], initial=-np.inf))


# ---- lemmas 7.5 to 7.8 ------------------------------------------------------------------------------------------------


def strays(z) -> int:
    """Tokens that are neither at the lowest nor at the highest limit."""
    size = np.abs(z).max()
    return int((np.minimum(z - z.min(), z.max() - z) > 1e-2 * size).sum())


def bounded(z, growth: float) -> int:
    """Tokens x = z·growth that are still within 1 of the origin."""
    return int((np.abs(z) * growth < 1).sum())


def _late_line(rng, is_symmetric):
    n = int(rng.integers(3, 9))
    x = np.sort(rng.uniform(-1.5, 1.5, n) + rng.choice([0.0, 0.5, 2.0]))
    x = mirrored(2 + x[: n // 2, None])[:, 0] if is_symmetric else x
    z = rescaled_run(x[:, None], [LAST])[-1]
    return x, z[:, 0], is_resolved(x[:, None], z, LAST)


def ends_trial(rng, *, is_symmetric: bool = False):
    """Lemma 7.5: tokens at neither limit; one may be the bounded one."""
    x, z, is_late = _late_line(rng, is_symmetric)
    return Trial(strays(z) / (EXCEPTIONS + 0.5) if is_late else np.nan, LAST, shown(x=x))


def opposite_ends_trial(rng):
    """QK < 0: every token listens to the other side."""
    x = np.sort(rng.uniform(-1, 1, (5, 1)), axis=0)
    z = rescaled_run(x, [LAST], B=-np.eye(1))[-1, :, 0]
    return Trial(strays(z) / (EXCEPTIONS + 0.5), LAST, shown(x=x[:, 0]))


def bounded_trial(rng, *, is_symmetric: bool = False):
    """Lemma 7.6: tokens that have not grown."""
    x, z, is_late = _late_line(rng, is_symmetric)
    return Trial(bounded(z, np.exp(LAST)) / (EXCEPTIONS + 0.5) if is_late else np.nan, LAST, shown(x=x))


def balanced_start(x, token: int, *, until: float):
    """The start of one token, between its bounds, from which it escapes neither up nor down before `until`."""
    x = np.array(x, float)

    def escapes_up(start):
        x[token] = start
        return rescaled_run(x[:, None], [until])[-1, token, 0] > 0

    low, high = -np.abs(x).max() * 0.9, np.abs(x).max() * 0.9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if escapes_up(middle) else (middle, high)
    x[token] = (low + high) / 2
    return x


def attention_row(z, token, t) -> np.ndarray:
    return softmax(np.exp(2 * t) * z[token] * z[None, :])[0]


def bounded_interior_trial(rng) -> Trial:
    r"""Lemma 7.8: $e^tx\to\theta_0$ and the row of P, from two late times."""
    low = int(rng.integers(1, 3))
    high = 3 - low  # far from symmetric starts, where θ₀ = 0
    outer = np.sort(np.concatenate([-rng.uniform(0.9, 1.3, low), rng.uniform(0.9, 1.3, high)]))
    token, ends = low, rescaled_run(outer[:, None], [2.0])[-1][[0, -1], 0]
    # A disturbance grows like exp(−γ₁γₙe^{2t}/2): the run is followed while that is below 1e10.
    T = 0.5 * float(np.log(2 * np.log(1e10) / -(ends[0] * ends[1]))) if ends[0] < 0 < ends[1] else 0.0
    if not 1.5 < T < 3.0:
        return Trial(np.nan, is_inside=False)
    x = balanced_start(np.insert(outer, token, 0.0), token, until=T + 0.2)
    ts = np.array([T - 0.5, T])
    z = rescaled_run(x[:, None], ts)[..., 0]
    told = balancing_angle(np.delete(z[-1], token))
    weights = np.exp(np.where(np.arange(len(x)) == token, 0.0, z[-1]) * told)
    theta = _limit(*np.exp(2 * ts) * z[:, token])
    row = _limit(*(attention_row(y, token, t) for y, t in zip(z, ts)))
    apart = np.abs(row - weights / weights.sum()).max()
    return Trial(
        worst_ratio(close(theta, told, 0.02), apart / 0.01), T, f"x = {x.tolist()}: θ → {theta:.4g}, not {told:.4g}"
    )


def _limit(early, late):
    """Where two values half a unit of time apart lead, what is left of the way being like e^{−2t}."""
    return (late - early / np.e) / (1 - 1 / np.e)


def balancing_angle(gamma) -> float:
    r"""The root of $\sum_i\gamma_ie^{\gamma_i\theta}=0$."""
    gamma = np.asarray(gamma, float)
    reach = 1.0
    while (gamma * np.exp(-gamma * reach)).sum() > 0 or (gamma * np.exp(gamma * reach)).sum() < 0:
        reach *= 2
    return float(brentq(lambda theta: (gamma * np.exp(gamma * theta)).sum(), -reach, reach))  # pyright: ignore[reportArgumentType]


def extreme_row(rng):
    """The row of the lowest token when it is the bounded one."""
    x = np.append(0.0, np.sort(rng.uniform(0.6, 1.5, int(rng.integers(1, 4)))))
    T = 4.0
    x = balanced_start(x, 0, until=4.6)
    z = rescaled_run(x[:, None], [T])[-1][:, 0]
    return x, T, attention_row(z, 0, T)


def extreme_trial(which):
    def trial(rng):
        x, T, row = extreme_row(rng)
        worst = float(row.max() if which == "printed" else row[1:].max())
        return Trial(worst / 0.05, T, f"x = {x.tolist()}: at t = {T} the row is {np.round(row, 4).tolist()}")

    return trial


# ---- remark 7.9 -------------------------------------------------------------------------------------------------------


def _gap(e):
    """The distance left at a late time."""
    T = 7.0
    z = rescaled_run(np.array([[1.0, e], [1.0, -e]]), [T])[-1]
    return abs(z[0, 1] - z[1, 1]), T


def printed_pair(rng):
    """The printed limit is one point, so the gap left at a late time, over its tolerance, is the violation."""
    e = float(rng.uniform(0.3, 1.0))
    gap, T = _gap(e)
    return Trial(gap / 1e-3, T, f"x = (1, ±{e:.4f}): z stays {gap:.6f} apart")


def corrected_pair(rng):
    e = float(rng.uniform(0.3, 1.0))
    gap, T = _gap(e)
    return Trial(equal(gap, 2 * pair_limit(e), 1e-6), T, f"e = {e}")
