"""Trials of the claims of arXiv 2510.22026, by SciPy."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from ...engine.flow.normalisation import NGPT, MixLN, PeriLN, PostLN, PreLN, SqrtLN
from ...theory.sphere.at_rest import is_trap
from ...theory.sphere.pair_cosines import directions
from ..hunt import Trial, shown
from ..independent import softmax, sphere_run, unit
from ..trial import close, equal, stated, worst_ratio
from .laws import cone_limit, decay_ratio, scheme_cosine, variance

TOGETHER = 1e-3
"""Directions whose smallest cosine is within this of 1 have synchronised."""
STILL = 0.02
"""Radii that grow slower than this count as resting."""


def scheme_run(x, ts, *, beta: float, scheme: str, B=None, alpha: float = 1.0, tau: float = 0.0):
    """Softmax attention under a scheme by SciPy, V = I, as directions and radii: independent of the engine."""
    n, d = x.shape
    B = np.eye(d) if B is None else B

    def field(t, y):
        y = y.reshape(n, d)
        r = np.linalg.norm(y, axis=1, keepdims=True)
        theta = y / r
        a = softmax(beta * (theta @ B @ theta.T)) @ theta
        if scheme in ("peri", "ngpt"):
            a = a / np.linalg.norm(a, axis=1, keepdims=True)
        if scheme in ("pre", "peri") or (scheme == "mix" and t >= tau):
            return a.ravel()
        if scheme == "mix":
            a = r * a
        s = np.sqrt(1 + t) if scheme == "sqrt" else 1 / alpha if scheme == "ngpt" else 1.0
        return ((a - (a * theta).sum(axis=1, keepdims=True) * theta) / s).ravel()

    out = solve_ivp(field, (0.0, float(ts[-1])), np.ravel(x), t_eval=ts, method="DOP853", rtol=1e-11, atol=1e-13)
    return out.y.T.reshape(-1, n, d)


# ---- who synchronises ------------------------------------------------------------------------------------------------


def one_dimension():
    """On S⁰ = {−1, 1} there is no tangent direction, so tokens of different sign never meet."""
    x = np.array([[1.0], [-1.0]])
    end = sphere_run(x, [100.0], beta=1.0)[-1]
    return Trial(float(abs(end[0, 0] - end[1, 0])) / 1e-3, 100.0, "d = 1, x = (1, −1): nothing moves")


def synchronised(x, *, beta: float) -> float:
    """Above 1 if directions rest apart in a state that keeps its neighbours; NaN if they are on their way."""
    lowest = float((x @ x.T).min())
    if lowest > 1 - TOGETHER:
        return (1 - lowest) / TOGETHER
    return 2.0 if is_trap(x, beta=beta) else np.nan


def together_trial(rng):
    n, d, beta = int(rng.integers(3, 6)), int(rng.integers(2, 4)), float(rng.uniform(0, 2))
    scheme = str(rng.choice(["post", "ngpt", "sqrt"]))
    # The depth-scaled clock runs like 2√t.
    T = 1e5 if scheme == "sqrt" else 500.0
    end = directions(scheme_run(unit(rng, n, d), [T], beta=beta, scheme=scheme)[-1])
    return Trial(synchronised(end, beta=beta), T, f"{scheme}, β = {beta:.3f}, n = {n}, d = {d}")


def alternative(x, growth, *, beta: float) -> float:
    """Below 1 if directions agree or some radius has stopped growing; above 1 if neither can happen any more."""
    return abs(growth) / STILL if growth < STILL else synchronised(x, beta=beta)


def either_trial(rng):
    n, d, beta = int(rng.integers(3, 6)), int(rng.integers(2, 4)), float(rng.uniform(0, 2))
    scheme, T = str(rng.choice(["pre", "peri", "mix"])), 2000.0
    y = scheme_run(rng.normal(size=(n, d)), [T / 2, T], beta=beta, scheme=scheme, tau=1.0)
    growth = float((np.diff(np.linalg.norm(y, axis=-1), axis=0)[0] / (T / 2)).min())
    return Trial(alternative(directions(y[-1]), growth, beta=beta), T, f"{scheme}, β = {beta:.3f}, n = {n}, d = {d}")


def repelled_trial(rng):
    """Three tokens near a triangle that repels."""
    angles = 2 * np.pi * np.arange(3) / 3
    x = directions(np.stack([np.cos(angles), np.sin(angles)], axis=1) + 0.1 * rng.normal(size=(3, 2)))
    y = scheme_run(x, [2000.0, 4000.0], beta=-3.0, scheme="pre")
    grown = float((np.diff(np.linalg.norm(y, axis=-1), axis=0)[0] / 2000).min())
    return Trial(alternative(directions(y[-1]), grown, beta=-3.0), 4000.0, f"β = −3, {shown(x=x)}")


# ---- equal cosines ---------------------------------------------------------------------------------------------------

NAMES = ("post", "pre", "peri", "ngpt", "sqrt", "mix")


def schemes(alpha):
    return PostLN(), PreLN(), PeriLN(), NGPT(alpha), SqrtLN(), MixLN(1.0)


def cosine_trial(rng):
    n, beta = int(rng.integers(2, 6)), float(rng.uniform(0, 4))
    r0, alpha = (float(v) for v in rng.uniform([0.5, 0.3], 2))
    name, scheme = list(zip(NAMES, schemes(alpha)))[int(rng.integers(6))]
    r0 = r0 if name in ("pre", "peri", "mix") else 1.0
    ts = np.array([0.0, 0.3, 2.0, 6.0])
    theta = directions(scheme_run(r0 * np.eye(n), ts, beta=beta, scheme=name, alpha=alpha, tau=1.0))
    cosines = np.einsum("kd,kd->k", theta[:, 0], theta[:, 1])
    told = -np.expm1(-scheme_cosine(scheme, ts, n=n, beta=beta, r0=r0)[0])
    # Runs across the jump of Mix-LN keep fewer digits.
    words = f"{name}, n = {n}, β = {beta:.3f}, r₀ = {r0:.3f}: {np.abs(cosines - told).max():.2g}"
    return Trial(equal(cosines, told, 1e-6 if name == "mix" else 1e-8), 6.0, words)


def tail_trial(rng):
    """Two late times: −ln(1 − ρ) must grow by 2t, 2 ln t, 2αt or 4√t between them, within a hundredth."""
    n, beta, alpha = int(rng.integers(2, 20)), float(rng.uniform(0, 3)), float(rng.uniform(0.3, 2))
    worst = 0.0
    for scheme in schemes(alpha):
        ts = np.array([1e5, 1e6]) if isinstance(scheme, PreLN | PeriLN | MixLN) else np.array([200.0, 400.0])
        grown = float(np.diff(scheme_cosine(scheme, np.append(0.0, ts), n=n, beta=beta)[0][1:])[0])
        due = {"PostLN": 2 * np.ptp(ts), "NGPT": 2 * alpha * np.ptp(ts), "SqrtLN": 4 * np.ptp(np.sqrt(1 + ts))}
        worst = worst_ratio(worst, close(grown, due.get(type(scheme).__name__, 2 * np.log(ts[1] / ts[0])), 0.01))
    return Trial(worst, 1e6, f"n = {n}, β = {beta:.3f}, α = {alpha:.3f}")


def unequal_radii_trial(rng):
    ts, radii = np.array([0.0, 2.0]), np.diag(rng.uniform([0.4, 0.9, 1.8], [0.6, 1.1, 2.2]))
    theta = directions(scheme_run(radii, ts, beta=2.0, scheme="pre"))
    rho = -np.expm1(-scheme_cosine(PreLN(), ts, n=3, beta=2.0)[0][-1])
    off = float(np.abs((theta[-1] @ theta[-1].T)[np.triu_indices(3, 1)] - rho).max())
    return Trial(off / 1e-5, 2.0, f"r = {np.round(np.diag(radii), 3).tolist()}")


# ---- variance --------------------------------------------------------------------------------------------------------


def near_start(rng, n, d, delta):
    """Directions with 1 − cos at most delta around a random one."""
    return directions(unit(rng, 1, d) + 0.45 * np.sqrt(delta) * unit(rng, n, d))


def variance_trial(rng):
    n, d, beta = int(rng.integers(2, 6)), int(rng.integers(2, 5)), float(rng.uniform(0.1, 5))
    which = int(rng.integers(5))
    name, scheme = NAMES[which], schemes(1.0)[which]
    B, ts = rng.normal(size=(d, d)), np.linspace(0.0, 3.0, 31)
    x = near_start(rng, n, d, cone_limit(n, beta))
    if variance(x) < 1e-3 * cone_limit(n, beta):
        return Trial(np.nan, is_inside=False)  # all but equal: nothing is left to fall
    lengths = rng.uniform(0.5, 2, (n, 1)) if name in ("pre", "peri") else 1.0
    y = scheme_run(lengths * x, ts, beta=beta, scheme=name, B=B / np.linalg.norm(B, 2))
    ratio = decay_ratio(scheme, ts, y)
    return Trial(ratio, 3.0, f"{name}, n = {n}, d = {d}, β = {beta:.3f}")


def wide_cone_trial(rng):
    """Small β: the printed cone 1/(100 n²β²) is the whole sphere, and holds an antipodal pair, which never moves."""
    beta = float(rng.uniform(0.005, 0.02))
    x = np.array([[1.0, 0.0], [-1.0, 0.0]])
    var = variance(directions(scheme_run(x, np.array([0.0, 2.0]), beta=beta, scheme="post")))
    cone = 1 / (400 * beta**2)
    words = f"n = 2, β = {beta:.4f}: x, −x lie in the printed cone (δ < {cone:.1f}); the variance stays {var[1]:.3f}"
    return Trial(float(var[1] / var[0]) / np.exp(-0.5), 2.0, words)


def ngpt_trial(power):
    """The rate of the variance times α^power must stay near 2 over three decades of α."""

    def trial(rng):
        n, d, alpha = int(rng.integers(2, 6)), int(rng.integers(2, 5)), float(10 ** rng.uniform(-1.5, 1.5))
        x = directions(unit(rng, 1, d) + 1e-3 * unit(rng, n, d))
        var = variance(directions(scheme_run(x, [0.0, 1 / alpha], beta=1.0, scheme="ngpt", alpha=alpha)))
        constant = float(-np.log(var[1] / var[0]) * alpha) * alpha**power
        words = f"nGPT, α = {alpha:.4g}: −Var'/Var times the printed scale is {constant:.3g}, which no constants bound"
        ratio = stated(lambda by: abs(np.log(constant / (2 * by))) / np.log(1.5))
        return Trial(ratio, 1 / alpha, words)

    return trial


def spread_trial(rng):
    x, ts = directions(rng.normal(size=(5, 3)) + 2 * np.eye(3)[0]), np.linspace(0, 3, 31)
    return Trial(decay_ratio(PreLN(), ts, scheme_run(x, ts, beta=5.0, scheme="pre")), 3.0, shown(x=x))
