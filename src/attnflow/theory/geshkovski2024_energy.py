"""The energy on the sphere: its rate along the flow, and its extremes (arXiv 2312.10794, (3.5)–(3.8), proposition 3.4)."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, ive

from ..attention import Softmax, Unnormalised
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import beta_of, inner, multiple, on_sphere, values
from .geshkovski2024_rest import sphere_velocity
from .pairs import directions, energy, some_times
from .search import Trial, both, falsifier, fixed, random_trials, sphere_run, unit

PAPER = "arXiv 2312.10794"
MOST = 2000
"""Tokens up to which all pairs are formed."""


# ---- how fast the energy grows ---------------------------------------------------------------------------------------


def power(x, mass, *, beta: float, V: float = 1.0, model: str = "SA") -> tuple[float, float]:
    r"""The rate of $\iint e^{\beta(\langle x,y\rangle-1)}$ that the identities promise, and the largest speed of a token.

    $$2\beta V\sum_i m_iZ_i|\Pi_{x_i}a_i|^2 \text{ (SA)},\qquad
      2\beta V e^{\beta}\sum_i m_i|\Pi_{x_i}Z_ia_i|^2 \text{ (USA, mean form)}$$

    with $Z_i = \sum_jm_je^{\beta(\langle x_i,x_j\rangle-1)}$ and $a_i$ the softmax mean.
    """
    weights = np.exp(beta * (x @ x.T - 1)) * mass
    Z, pull = weights.sum(axis=1), weights @ x
    size = np.linalg.norm(pull - (pull * x).sum(axis=1, keepdims=True) * x, axis=1)
    speed = size / Z if model == "SA" else size * np.exp(beta)
    return float(2 * beta * V * mass @ (size * speed)), float(abs(V) * speed.max())


def rate_hypotheses(flow, mu):
    if not on_sphere(flow, mu) or mu.n > MOST:
        return []
    rule = inner(flow).attention
    if isinstance(rule, Unnormalised) and rule.scale != "mean":
        return []
    beta, c = beta_of(flow, mu.d), multiple(values(flow, mu.d))
    return [
        Hypothesis("B is a multiple of the identity, β > 0", -1.0 if np.isnan(beta) else beta - 1e-12),
        Hypothesis("V is a multiple of the identity", -1.0 if c is None else 1.0),
    ]


def _rate(flow, x, mass):
    d = x.shape[1]
    model = "SA" if isinstance(inner(flow).attention, Softmax) else "USA"
    return power(x, mass, beta=beta_of(flow, d), V=float(values(flow, d)[0, 0]), model=model)


def rate_predict(flow, mu):
    rate, _ = _rate(flow, directions(mu.x), np.asarray(mu.mass, float))
    words = f"the energy ∬ e^{{β(<x,y>−1)}} starts to change at the rate {rate:.6g}, the weighted mean of squared velocities"
    return Prediction("geshkovski2024.identity", words, {"rate": rate})


def rate_miss(x, E, motions, ts) -> float:
    """The largest miss of E(b) − E(a) = ∫ rate over two intervals, in units of what three samples can tell.

    Only where they resolve the motion: no token went farther than its speeds say, and rates differ by little. NaN if
    that is nowhere so.
    """
    rates, speeds = np.array(motions).T
    miss = [np.nan]
    for k in range(len(ts) - 2):
        t, r = ts[k : k + 3] - ts[k + 1], rates[k : k + 3]
        moved = np.linalg.norm(np.diff(x[k : k + 3], axis=0), axis=-1).max(axis=1)
        if (moved > 2 * speeds[k : k + 3].max() * np.diff(t) + 1e-9).any() or np.abs(r).max() > 2 * np.abs(r).min():
            continue
        primitive = np.polyint(np.polyfit(t, r, 2))
        area, coarse = np.polyval(primitive, t[2]) - np.polyval(primitive, t[0]), np.trapezoid(r, t)
        allowed = abs(area - coarse) + 0.05 * abs(area) + 1e-7 * np.abs(E).max()
        miss.append(abs(E[k + 2] - E[k] - area) / allowed)
    return float(np.nanmax(miss)) if len(miss) > 1 else np.nan


def rate_check(run):
    m, x = np.asarray(run.mass, float), directions(run.x)[:101]
    beta, ts = beta_of(run.flow, x.shape[-1]), np.asarray(run.ts, float)[:101]
    E = np.array([energy(y, m, beta=beta) for y in x])
    miss = rate_miss(x, E, [_rate(run.flow, y, m) for y in x], ts)
    holds = None if np.isnan(miss) else bool(miss <= 1)
    words = "the energy changes by the integral of the weighted squared velocities"
    return Check("geshkovski2024.identity", holds, words, {"miss": miss})


def _rate_trial(rng):
    n, d, beta = int(rng.integers(2, 7)), int(rng.integers(2, 5)), float(10 ** rng.uniform(-3, 0.8))
    V, model, h = float(rng.choice([-1.0, 1.0])), str(rng.choice(["SA", "USA"])), 1e-4
    x, mass = unit(rng, n, d), np.full(n, 1 / n)
    # The integrator of the search divides USA by e^β.
    speed = 1.0 if model == "SA" else np.exp(beta)
    ahead, back = (
        sphere_run(x, [h], beta=beta, V=sign * V, model=model)[-1] for sign in (1, -1)
    )  # fmt: skip
    slope = (energy(ahead, mass, beta=beta) - energy(back, mass, beta=beta)) / (2 * h) * speed
    rate, _ = power(x, mass, beta=beta, V=V, model=model)
    # A central difference: third derivatives times h², and rounding over h.
    allowed = 1e-6 * max(abs(rate), beta * np.exp(0 if model == "SA" else beta)) + 1e-10 / h * speed
    return Trial(abs(slope - rate) / allowed, h, f"{model}, β = {beta:.3g}, V = {V:g}: {slope} instead of {rate}")


def _undefined():
    with np.errstate(divide="ignore"):
        value = float(np.exp(0.0) / (2 * np.float64(0.0)))
    return Trial(value, 0.0, f"β = 0: (1/2β)∬ e^{{β<x,y>}} is {value}, whatever the tokens are")


register(
    Claim(
        "geshkovski2024.identity", f"{PAPER}, (3.5)–(3.8)",
        "For every β ≥ 0, d/dt (1/2β)∬e^{β<x,y>} is the mean of |v|² (USA) or of Z|v|² (SA).",
        rate_hypotheses, rate_predict, rate_check,
        falsifier(
            "geshkovski2024.identity", printed=both(random_trials(_rate_trial, 8), fixed(_undefined)),
            corrected=random_trials(_rate_trial, 12),
        ),
        corrected="for β > 0; at β = 0 the energy is ½|∫x dμ|²", kind="lemma",
    )
)  # fmt: skip


# ---- extremes --------------------------------------------------------------------------------------------------------


def moments(beta: float, d: int) -> tuple[float, float, float]:
    r"""$e^{-|\beta|}$ times the means of $e^{\beta s}$, $se^{\beta s}$, $s^2e^{\beta s}$ over the cosine s with a uniform token.

    $$\Gamma(\nu+1)(2/\beta)^\nu I_\nu(\beta),\quad \nu = d/2-1,$$ and its derivatives in β.
    """
    b, nu = abs(beta), d / 2 - 1
    scale = np.exp(gammaln(nu + 1) + nu * np.log(2 / b))
    zero, one = float(scale * ive(nu, b)), float(scale * ive(nu + 1, b))
    return zero, float(np.sign(beta)) * one, zero - (d - 1) / b * one


def bounds(x, mass, *, beta: float) -> tuple[float, float]:
    r"""Between which values $\iint e^{\beta(\langle x,y\rangle-1)}$ lies if the uniform law and Diracs alone are extreme.

    Below: the parts of degree 0, 1 and 2 of the kernel, with $m = \int x\,d\mu$, $M = \int xx^\top d\mu$,
    $$A_0 + d\,A_1|m|^2 + c_2\big(\|M\|^2-\tfrac1d\big),\qquad c_2 = \frac{(A_2-A_0/d)\,d^2(d+2)}{2(d-1)},$$
    each part vanishing for the uniform law; above: the chord of the exponential, $1-\frac{1-e^{-2\beta}}2(1-|m|^2)$.
    """
    d = x.shape[1]
    mean, second = mass @ x, (x * mass[:, None]).T @ x
    zero, one, two = (value * np.exp(abs(beta) - beta) for value in moments(beta, d))
    quadrupole = (two - zero / d) * d**2 * (d + 2) / (2 * (d - 1)) * ((second**2).sum() - 1 / d)
    low = zero + d * one * (mean @ mean) + quadrupole
    return float(low), float(1 - (1 - np.exp(-2 * beta)) / 2 * (1 - mean @ mean))


def extremes_ratio(x, mass, *, beta: float) -> float:
    """Above 1 if the energy lies below what is left of the uniform law, or above what is left of a Dirac mass."""
    low, high = bounds(x, mass, beta=beta)
    E = energy(x, mass, beta=beta)
    return max(low / E, E / high) - 1e-9


def extremes_hypotheses(flow, mu):
    conditions = rate_hypotheses(flow, mu)
    return conditions[:1] if mu.d >= 2 else []


def extremes_predict(flow, mu):
    beta = beta_of(flow, mu.d)
    least = moments(beta, mu.d)[0]
    words = f"at all times ∬ e^{{β(<x,y>−1)}} lies between {least:.6g} (uniform law alone) and 1 (one cluster alone)"
    return Prediction("geshkovski2024.extremes", words, {"least": least, "largest": 1.0})


def extremes_check(run):
    x, m = directions(run.x), np.asarray(run.mass, float)
    beta = beta_of(run.flow, x.shape[-1])
    worst = max(extremes_ratio(x[k], m, beta=beta) for k in some_times(len(x), x.shape[1]))
    words = "the energy stays between those of the uniform law and of one cluster, by as much as the first moments say"
    return Check("geshkovski2024.extremes", bool(worst <= 1), words, {"worst": worst})


def _extremes_trial(rng):
    """Random prompts, prompts that descend the energy for long, and near-Dirac ones."""
    n, d, beta = int(rng.integers(2, 13)), int(rng.integers(2, 6)), float(10 ** rng.uniform(-2, 1))
    x, mass = unit(rng, n, d), rng.dirichlet(np.ones(n))
    kind = int(rng.integers(3))
    if kind == 1:
        x, mass = sphere_run(x, [200.0], beta=beta, V=-1.0)[-1], np.full(n, 1 / n)
    elif kind == 2:
        x = directions(x[:1] + 1e-2 * x)
    worst = extremes_ratio(x, mass, beta=beta)
    return Trial(
        worst, 200.0 * (kind == 1), f"β = {beta:.3g}, m = {np.round(mass, 3).tolist()}, x = {np.round(x, 3).tolist()}"
    )


def _descent_trial(rng):
    """The largest speed of a repelled prompt that is neither uniform nor at rest says whether lower laws exist."""
    n, d, beta = 24, 2, float(rng.uniform(0.5, 4))
    angles = 2 * np.pi * np.arange(n) / n
    polygon = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    moved = directions(polygon + 0.05 * rng.normal(size=(n, d)))
    still = float(np.abs(sphere_velocity(polygon, beta=beta)).max())
    mass = np.full(n, 1 / n)
    higher = energy(moved, mass, beta=beta) - energy(polygon, mass, beta=beta)
    # A regular polygon of 24 is the uniform law up to I_24(β)/I_0(β) < 1e-10.
    gap = abs(energy(polygon, mass, beta=beta) / moments(beta, d)[0] - 1) / 1e-9
    return Trial(
        max(gap, still / 1e-9, 0.0 if higher > 0 else 2.0), 0.0, f"β = {beta:.3g}: a disturbed polygon has less energy"
    )


register(
    Claim(
        "geshkovski2024.extremes", f"{PAPER}, proposition 3.4",
        "The uniform law is the unique minimiser of the energy, and Dirac masses are its only maximisers (β > 0).",
        extremes_hypotheses, extremes_predict, extremes_check,
        falsifier(
            "geshkovski2024.extremes",
            printed=both(random_trials(_extremes_trial, 12), random_trials(_descent_trial, 4)),
        ),
    )
)  # fmt: skip
