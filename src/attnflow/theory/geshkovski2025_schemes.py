"""Normalisation schemes (arXiv 2510.22026): who synchronises, how fast, and equal cosines as one equation."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.integrate import solve_ivp

from ..attention import Softmax
from ..normalisation import NGPT, MixLN, PeriLN, PostLN, PreLN, SqrtLN
from ..spaces import Sphere
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import beta_of, equal_masses, is_plain, multiple, values
from .equiangular import output, rate
from .geshkovski2024_rest import is_trap
from .pairs import directions, extremes, lowest_cosine, some_times
from .search import Trial, both, falsifier, fixed, hunted, random_trials, sphere_run, unit
from .variance_law import scheme_run, variance

PAPER = "arXiv 2510.22026"
TOGETHER = 1e-3
"""Directions whose smallest cosine is within this of 1 have synchronised."""
OTHERS = (PreLN, PeriLN, MixLN, NGPT, SqrtLN)
"""Schemes besides Post-LN, whose equal cosines have a closed clock (`geshkovski2024.equiangular`)."""
STILL = 0.02
"""Radii that grow slower than this count as resting."""


# ---- who synchronises ------------------------------------------------------------------------------------------------


def _one_dimension():
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


def _together_trial(rng):
    n, d, beta = int(rng.integers(3, 6)), int(rng.integers(2, 4)), float(rng.uniform(0, 2))
    scheme = str(rng.choice(["post", "ngpt", "sqrt"]))
    # The depth-scaled clock runs like 2√t.
    T = 1e5 if scheme == "sqrt" else 500.0
    end = directions(scheme_run(unit(rng, n, d), [T], beta=beta, scheme=scheme)[-1])
    return Trial(synchronised(end, beta=beta), T, f"{scheme}, β = {beta:.3f}, n = {n}, d = {d}")


hunted(
    "geshkovski2025.schemes", f"{PAPER}, clustering theorem (transcribed)",
    "Post-LN, nGPT and CoD synchronise almost surely from a uniform start, in every dimension.",
    fixed(_one_dimension), random_trials(_together_trial, 6), corrected="for d ≥ 2", kind="theorem",
)  # fmt: skip


def alternative(x, growth, *, beta: float) -> float:
    """Below 1 if directions agree or some radius has stopped growing; above 1 if neither can happen any more."""
    together = synchronised(x, beta=beta)
    return min(together, 0.5) if growth < STILL else together


def _either_trial(rng):
    n, d, beta = int(rng.integers(3, 6)), int(rng.integers(2, 4)), float(rng.uniform(0, 2))
    scheme, T = str(rng.choice(["pre", "peri", "mix"])), 2000.0
    y = scheme_run(rng.normal(size=(n, d)), [T / 2, T], beta=beta, scheme=scheme, tau=1.0)
    growth = float((np.diff(np.linalg.norm(y, axis=-1), axis=0)[0] / (T / 2)).min())
    return Trial(alternative(directions(y[-1]), growth, beta=beta), T, f"{scheme}, β = {beta:.3f}, n = {n}, d = {d}")


def either_hypotheses(flow, mu):
    if not is_plain(flow, mu, Sphere, (Softmax,)) or not isinstance(flow.normalisation, PreLN | PeriLN | MixLN):
        return []
    beta = beta_of(flow, mu.d)
    return [
        Hypothesis("V = I", -1.0 if multiple(values(flow, mu.d)) != 1.0 else 1.0),
        Hypothesis("B is a multiple of the identity, β ≥ 0", -1.0 if np.isnan(beta) else beta),
        Hypothesis("d ≥ 2", mu.d - 2.0),
        Hypothesis("there are two tokens at least", mu.n - 2.0),
    ]


def either_predict(flow, mu):
    words = "for almost every start directions synchronise, or some radius stops growing (min liminf r' = 0)"
    return Prediction("geshkovski2025.alternative", words)


def either_check(run):
    x, ts = np.asarray(run.x, float), np.asarray(run.ts, float)
    theta, beta = directions(x), beta_of(run.flow, x.shape[-1])
    middle = len(ts) // 2
    radii = np.linalg.norm(x[[middle, -1]], axis=-1)
    growth = float((np.diff(radii, axis=0)[0] / max(ts[-1] - ts[middle], 1e-300)).min()) if len(ts) > 2 else np.nan
    numbers = {"lowest_cosine": lowest_cosine(theta[-1]), "slowest_radius": growth}
    moved = float(np.abs(theta[-1] - theta[middle]).max())
    if numbers["lowest_cosine"] > 1 - TOGETHER:
        return Check("geshkovski2025.alternative", True, "directions have synchronised", numbers)
    is_held = x.shape[1] <= 40 and moved < 1e-9 and growth > STILL and is_trap(theta[-1], beta=beta)
    words = "directions rest apart in a stable state while all radii grow" if is_held else "directions still differ"
    return Check("geshkovski2025.alternative", False if is_held else None, words, numbers)


register(
    Claim(
        "geshkovski2025.alternative", f"{PAPER}, clustering theorem (transcribed)",
        "Pre-, Peri- and Mix-LN from a Gaussian start, d ≥ 2: directions synchronise or min_j liminf r_j' = 0.",
        either_hypotheses, either_predict, either_check,
        falsifier("geshkovski2025.alternative", printed=random_trials(_either_trial, 6)),
    )
)  # fmt: skip


# ---- nGPT ------------------------------------------------------------------------------------------------------------


def _ngpt_trial(power):
    """The rate of the variance times α^power must stay near 2 over three decades of α."""

    def trial(rng):
        n, d, alpha = int(rng.integers(2, 6)), int(rng.integers(2, 5)), float(10 ** rng.uniform(-1.5, 1.5))
        x = directions(unit(rng, 1, d) + 1e-3 * unit(rng, n, d))
        var = variance(directions(scheme_run(x, [0.0, 1 / alpha], beta=1.0, scheme="ngpt", alpha=alpha)))
        constant = float(-np.log(var[1] / var[0]) * alpha) * alpha**power
        words = f"α = {alpha:.4g}: −Var'/Var times the printed scale is {constant:.3g}, which no constants bound"
        return Trial(abs(np.log(constant / 2)) / np.log(1.5), 1 / alpha, words)

    return trial


hunted(
    "geshkovski2025.ngpt", f"{PAPER}, table of rates (transcribed)", "nGPT: Var' = −Θ(Var/α_t).",
    random_trials(_ngpt_trial(1), 8), random_trials(_ngpt_trial(-1), 8),
    corrected="Var' = −Θ(α_t Var): the scale is 1/α_t",
)  # fmt: skip


# ---- equal cosines ---------------------------------------------------------------------------------------------------


def speed_and_growth(scheme, t, rho, r, *, n: int, beta: float) -> tuple[float, float]:
    """s and r' of equiangular tokens of radius r under a scheme; ρ' is the Post-LN rate over s."""
    along, size = output(rho, n=n, beta=beta)
    name = type(scheme).__name__
    if name == "PreLN" or (name == "MixLN" and t >= float(scheme.tau)):
        return r, along
    table = {
        "PeriLN": lambda: (r * size, along / size),
        "NGPT": lambda: (size / float(scheme.alpha), 0.0),
        "SqrtLN": lambda: (np.sqrt(1 + t), 0.0),
    }
    return table.get(name, lambda: (1.0, 0.0))()


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
    jump = float(scheme.tau) if isinstance(scheme, MixLN) else 0.0
    ends = np.unique([0.0, min(jump, ts[-1]), ts[-1]])
    y, found = np.array([-np.log1p(-rho0), r0]), np.empty((2, len(ts)))
    for a, b in pairwise(ends):
        mine = (ts >= a) & (ts <= b)
        seen = np.unique(np.append(ts[mine], b))
        run = solve_ivp(field, (a, b), y, t_eval=seen, method="DOP853", rtol=1e-11, atol=1e-13)
        found[:, mine], y = run.y[:, : mine.sum()], run.y[:, -1]
    return found


def cosine_hypotheses(flow, mu):
    if (
        not is_plain(flow, mu, Sphere, (Softmax,))
        or not isinstance(flow.normalisation, OTHERS)
        or not 2 <= mu.n <= 4096
    ):
        return []
    x = np.asarray(mu.x, float)
    theta, r = directions(x), np.linalg.norm(x, axis=1)
    # A glance at one row spares most prompts the look at all pairs.
    if np.ptp(theta[1:] @ theta[0]) > 1e-6:
        return []
    low, high = extremes(theta)
    beta = beta_of(flow, mu.d)
    return [
        Hypothesis("all pairs have the same cosine", 1e-9 - (high - low)),
        Hypothesis("the cosine is above −1/(n−1)", low + 1 / (mu.n - 1) - 1e-9),
        Hypothesis("all radii are equal", 1e-9 - float(np.ptp(r) / r[0])),
        Hypothesis("B is a multiple of the identity, β ≥ 0", -1.0 if np.isnan(beta) else beta),
        Hypothesis("V = I", -1.0 if multiple(values(flow, mu.d)) != 1.0 else 1.0),
        equal_masses(mu),
    ]


def _start(flow, mu):
    x = np.asarray(mu.x, float)
    theta = directions(x[:2])
    return {"n": mu.n, "beta": beta_of(flow, mu.d), "rho0": float(theta[0] @ theta[1])}, float(np.linalg.norm(x[0]))


def cosine_predict(flow, mu):
    start, r0 = _start(flow, mu)
    r0 = r0 if isinstance(flow.normalisation, PreLN | PeriLN | MixLN) else 1.0
    s, _ = speed_and_growth(flow.normalisation, 0.0, start["rho0"], r0, n=mu.n, beta=start["beta"])
    velocity = float(rate(start["rho0"], n=mu.n, beta=start["beta"]) / s)
    words = f"all cosines stay equal ({type(flow.normalisation).__name__}) and first change at {velocity:.6g} per unit of time"
    return Prediction("geshkovski2025.scheme_cosine", words, {"velocity": velocity})


def cosine_check(run):
    start, r0 = _start(run.flow, run.at(0))
    x, ts = directions(run.x), np.asarray(run.ts, float)
    some = some_times(len(ts), x.shape[1])
    if ts[0] != 0:
        return Check("geshkovski2025.scheme_cosine", None, "the run does not begin at t = 0")
    expected = -np.expm1(-scheme_cosine(run.flow.normalisation, ts[some], r0=r0, **start)[0])
    off = max(abs(end - rho) for k, rho in zip(some, expected) for end in extremes(x[k]))
    words = "all cosines follow the equation of the scheme"
    return Check("geshkovski2025.scheme_cosine", bool(off < 1e-5), words, {"deviation": float(off)})


def _cosine_trial(rng):
    n, beta = int(rng.integers(2, 6)), float(rng.uniform(0, 4))
    r0, alpha = (float(v) for v in rng.uniform([0.5, 0.3], 2))
    name, scheme = list(zip(("post", "pre", "peri", "ngpt", "sqrt", "mix"), _schemes(alpha)))[rng.integers(6)]
    r0 = r0 if name in ("pre", "peri", "mix") else 1.0
    ts = np.array([0.0, 0.3, 2.0, 6.0])
    theta = directions(scheme_run(r0 * np.eye(n), ts, beta=beta, scheme=name, alpha=alpha, tau=1.0))
    cosines = np.einsum("kd,kd->k", theta[:, 0], theta[:, 1])
    off = float(np.abs(cosines + np.expm1(-scheme_cosine(scheme, ts, n=n, beta=beta, r0=r0)[0])).max())
    # Runs across the jump of Mix-LN keep fewer digits.
    return Trial(
        off / (1e-6 if name == "mix" else 1e-8), 6.0, f"{name}, n = {n}, β = {beta:.3f}, r₀ = {r0:.3f}: {off:.2g}"
    )


def _schemes(alpha):
    return PostLN(), PreLN(), PeriLN(), NGPT(alpha), SqrtLN(), MixLN(1.0)


def _tail_trial(rng):
    """Two late times: −ln(1 − ρ) must grow by 2t, 2 ln t, 2αt or 4√t between them, within a hundredth."""
    n, beta, alpha = int(rng.integers(2, 20)), float(rng.uniform(0, 3)), float(rng.uniform(0.3, 2))
    worst = 0.0
    for scheme in _schemes(alpha):
        ts = np.array([1e5, 1e6]) if isinstance(scheme, PreLN | PeriLN | MixLN) else np.array([200.0, 400.0])
        grown = float(np.diff(scheme_cosine(scheme, np.append(0.0, ts), n=n, beta=beta)[0][1:])[0])
        due = {"PostLN": 2 * np.ptp(ts), "NGPT": 2 * alpha * np.ptp(ts), "SqrtLN": 4 * np.ptp(np.sqrt(1 + ts))}
        worst = max(worst, abs(grown / due.get(type(scheme).__name__, 2 * np.log(ts[1] / ts[0])) - 1) / 0.01)
    return Trial(worst, 1e6, f"n = {n}, β = {beta:.3f}, α = {alpha:.3f}")


register(
    Claim(
        "geshkovski2025.scheme_cosine", f"{PAPER}, table of rates (transcribed; Peri-LN derived)",
        "Equal cosines stay equal under every scheme, ρ' = (Post-LN rate)/s; 1 − ρ falls like e^{−2t} (Post), t^{−2} (Pre, Peri, "
        "Mix), e^{−2αt} (nGPT), e^{−4√t} (depth-scaled).",
        cosine_hypotheses, cosine_predict, cosine_check,
        falsifier(
            "geshkovski2025.scheme_cosine", printed=both(random_trials(_cosine_trial, 10), random_trials(_tail_trial, 2)),
        ),
        kind="lemma",
    )
)  # fmt: skip
