r"""Tokens that nearly agree: how fast their variance falls under each normalisation scheme.

$$\mathrm{Var}' = -\frac{2}{s}\,\mathrm{Var}\,(1+O(\delta)),\qquad \mathrm{Var}=\tfrac1n\sum_i|\theta_i-\bar\theta|^2$$
with the speed s of the scheme: 1 (Post-LN), r (Pre-LN), r|a| (Peri-LN), |a|/α (nGPT), √(1+t).
Source: Karagodin, Ge, Polyanskiy, Rigollet, arXiv 2510.22026 (transcribed, corrected); the constant 2 is derived.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from ..attention import Softmax
from ..normalisation import NGPT, MixLN, PeriLN, PostLN, PreLN, SqrtLN
from ..spaces import Sphere
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import is_plain, multiple, score_matrix, values
from .search import Trial, falsifier, random_trials, softmax

KEY = "geshkovski2025.variance"
SCHEMES = (PostLN, PreLN, PeriLN, NGPT, SqrtLN, MixLN)
FLOOR = 1e-22
"""Variances below this are rounding."""


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
        return np.full(len(ts), 1 / float(scheme.alpha))  # pyright: ignore[reportArgumentType]
    if isinstance(scheme, SqrtLN):
        return np.sqrt(1 + ts)
    if isinstance(scheme, MixLN):
        return np.where(ts < float(scheme.tau), 1.0, r)  # pyright: ignore[reportArgumentType]
    return np.ones(len(ts))


def hypotheses(flow, mu):
    if not is_plain(flow, mu, Sphere, (Softmax,)) or not isinstance(flow.normalisation, SCHEMES) or mu.n < 2:
        return []
    if multiple(values(flow, mu.d)) != 1.0:
        return []
    x = np.asarray(mu.x, float)
    lengths = np.linalg.norm(x, axis=1)
    beta, mass = float(np.linalg.norm(score_matrix(flow, mu.d), 2)), np.asarray(mu.mass, float)
    delta = widest(x / lengths[:, None])
    return [
        Hypothesis("tokens nearly agree: 1 − cos < 1/(100 n² max(1, β²))", cone_limit(mu.n, beta) - delta),
        Hypothesis("tokens are not all equal", delta - 1e-12),
        Hypothesis("masses are equal", 1e-9 - float(np.ptp(mass) * mu.n)),
        Hypothesis("d ≥ 2", mu.d - 2.0),
    ]


def predict(flow, mu):
    name = type(flow.normalisation).__name__
    how = {"PreLN": "t⁻²", "PeriLN": "t⁻²", "MixLN": "t⁻² after τ", "SqrtLN": "e^{−4√t}", "NGPT": "e^{−2αt}"}
    words = f"the variance of directions falls like {how.get(name, 'e^{−2t}')} ({name}): Var' = −2 Var/s"
    return Prediction(KEY, words, {"scheme": name, "variance": float(variance(_directions(np.asarray(mu.x, float))))})


def _directions(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def check(run):
    x, ts, scheme = np.asarray(run.x, float), np.asarray(run.ts, float), run.flow.normalisation
    var, r = variance(_directions(x)), np.linalg.norm(x, axis=-1)
    seen = var > FLOOR
    ts, var, r = ts[seen], var[seen], r[seen]
    if len(ts) < 2:
        return Check(KEY, None, "the variance vanished before the second saved time")
    decay, low, high = -np.log(var[-1] / var[0]), *decay_bounds(scheme, ts, r)
    numbers = {"decay": float(decay), "least": low, "most": high}
    holds = 0.98 * low <= decay <= 1.02 * high
    if isinstance(scheme, PreLN):
        delta, grown, t = widest(_directions(x[0])), r - r[0], (ts - ts[0])[:, None]
        slack = 1e-6 * (1 + t)
        inside = bool((grown <= t + slack).all() and (grown >= (1 - delta) * t - slack).all())
        numbers["radius_in_bounds"] = inside
        holds = holds and inside
    return Check(KEY, bool(holds), "the variance falls as 2/s says (and radii grow like t, Pre-LN)", numbers)


def decay_bounds(scheme, ts, r) -> tuple[float, float]:
    r"""Between which numbers $-\log\mathrm{Var}$ must grow: $2\int dt/s$ with the slowest and the fastest token.

    Radii (k, n) may differ between tokens; s is monotone between saved times, so its ends bound it there.
    """
    fast, slow = (speeds(scheme, ts, radius) for radius in (r.min(axis=1), r.max(axis=1)))
    h = np.diff(ts)
    least = 2 * np.sum(h / np.maximum(slow[:-1], slow[1:]))
    most = 2 * np.sum(h / np.minimum(fast[:-1], fast[1:]))
    return float(least), float(most)


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


def _near_start(rng, n, d, delta):
    """Directions with 1 − cos at most delta around a random one."""
    centre = _directions(rng.normal(size=(1, d)))
    return _directions(centre + 0.45 * np.sqrt(delta) * _directions(rng.normal(size=(n, d))))


def _corrected(rng):
    n, d, beta = int(rng.integers(2, 6)), int(rng.integers(2, 5)), float(rng.uniform(0.1, 5))
    scheme = str(rng.choice(["post", "pre", "peri", "ngpt", "sqrt"]))
    B = rng.normal(size=(d, d))
    x = _near_start(rng, n, d, cone_limit(n, beta))
    ts = np.linspace(0.0, 3.0, 31)
    lengths = rng.uniform(0.5, 2, (n, 1)) if scheme in ("pre", "peri") else 1.0
    y = scheme_run(lengths * x, ts, beta=beta, scheme=scheme, B=B / np.linalg.norm(B, 2))
    var, kind = variance(_directions(y)), {"post": PostLN, "pre": PreLN, "peri": PeriLN, "ngpt": NGPT, "sqrt": SqrtLN}
    least, most = decay_bounds(kind[scheme](), ts, np.linalg.norm(y, axis=-1))
    decay = -np.log(var[-1] / var[0])
    off = max(1 - decay / least, decay / most - 1)
    return Trial(float(off) / 0.02, 3.0, f"{scheme}, n = {n}, d = {d}, β = {beta:.3f}")


def _printed(rng):
    """Small β: the printed cone 1/(100 n²β²) is the whole sphere, and holds an antipodal pair, which never moves."""
    beta = float(rng.uniform(0.005, 0.02))
    x = np.array([[1.0, 0.0], [-1.0, 0.0]])
    y = scheme_run(x, np.array([0.0, 2.0]), beta=beta, scheme="post")
    var = variance(_directions(y))
    cone = 1 / (400 * beta**2)
    words = f"n = 2, β = {beta:.4f}: x, −x lie in the printed cone (δ < {cone:.1f}); the variance stays {var[1]:.3f}"
    return Trial(float(var[1] / var[0]) / np.exp(-0.5), 2.0, words)


register(
    Claim(
        KEY, "arXiv 2510.22026, variance law (transcribed)",
        "V = I, |B| ≤ 1, <θ_j, θ_k> ≥ 1 − δ with δ < 1/(100 n²β²): Var' = −Θ(Var/scale), scale 1, t, t, 1/α, √t by scheme.",
        hypotheses, predict, check,
        falsifier(KEY, printed=random_trials(_printed, 2), corrected=random_trials(_corrected, 10)),
        corrected="δ < 1/(100 n² max(1, β²)): small also when β is; then Var' = −(2 + O(δ)) Var/s, and Pre-LN radii grow by "
        "between (1 − δ)t and t",
    )
)  # fmt: skip
