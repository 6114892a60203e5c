"""A mathematical perspective on Transformers (arXiv 2312.10794): clustering on the sphere."""

from __future__ import annotations

import numpy as np

from . import geshkovski2024_bounds, geshkovski2024_chance, geshkovski2024_energy  # noqa: F401
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import (
    SLACK,
    beta_of,
    equal_masses,
    model_of,
    on_sphere,
    positive_multiple,
    rise,
    rule_speed,
    score_matrix,
    values,
)  # fmt: skip
from .equiangular import cosine, time_to
from .geshkovski2024_rest import is_trap
from .hemisphere import best_direction, wendel
from .pairs import directions, energy, extremes, lowest_cosine, some_times
from .search import Trial, falsifier, random_trials, sphere_run, unit
from .sharp_configurations import descend

PAPER = "arXiv 2312.10794"
ONE = 1e-3
"""Tokens whose smallest cosine is within this of 1 are one cluster."""


# ---- one cluster (theorems 4.1, 4.3, 5.1, 6.1) -----------------------------------------------------------------------


def cluster_hypotheses(flow, mu):
    if not on_sphere(flow, mu) or mu.n < 2:
        return []
    beta = beta_of(flow, mu.d)
    conditions = [positive_multiple("V", values(flow, mu.d)), Hypothesis("d ≥ 2", mu.d - 1.5)]
    if mu.d >= 3:
        return [*conditions, Hypothesis("B is a multiple of the identity, β ≥ 0", -1.0 if np.isnan(beta) else beta)]
    return [
        *conditions,
        Hypothesis("B is a multiple of the identity, β > −0.16", -1.0 if np.isnan(beta) else beta + 0.16),
    ]


def cluster_predict(flow, mu):
    numbers = {"hemisphere_probability": wendel(mu.n, mu.d)}
    return Prediction(
        "geshkovski2024.one_cluster", "almost every start ends in one cluster; the way there may be very long", numbers
    )


def cluster_check(run):
    x = directions(run.x[-1])
    lowest = lowest_cosine(x)
    numbers = {"lowest_cosine": lowest}
    if lowest > 1 - ONE:
        return Check("geshkovski2024.one_cluster", True, "one cluster", numbers)
    beta = beta_of(run.flow, x.shape[1])
    if x.size <= 120 and _is_at_rest(run) and is_trap(x, beta=beta, model=model_of(run.flow)):
        words = "tokens rest in a stable state of several clusters, so a set of starts of positive measure does"
        return Check("geshkovski2024.one_cluster", False, words, numbers)
    words = "not one cluster yet, and not at rest in a stable state: the theorem has no time limit"
    return Check("geshkovski2024.one_cluster", None, words, numbers)


def _is_at_rest(run) -> bool:
    """Whether the run itself, and not only the field at its end, has come to rest."""
    return len(run.ts) > 1 and float(np.abs(directions(run.x[-1]) - directions(run.x[-2])).max()) < 1e-6


def cluster_ratio(x, *, beta, model, T, V=1.0) -> float:
    """Above 1 if tokens end in a stable state of several clusters; NaN if they are still on their way."""
    end = sphere_run(x, [T], beta=beta, model=model, V=V)[-1]
    if not np.isfinite(end).all():
        return np.nan
    lowest = float((end @ end.T).min())
    if lowest > 1 - ONE:
        return (1 - lowest) / ONE
    return 2.0 if is_trap(end, beta=beta, model=model, V=V) else np.nan


def _cluster_trial(rng):
    n, d, beta = int(rng.integers(3, 6)), int(rng.integers(2, 4)), float(rng.uniform(0, 2))
    model, T = str(rng.choice(["SA", "USA"])), 2000.0
    if rng.random() < 0.4:
        # Close to a state of rest: a regular polygon, or two antipodal clusters.
        angle = np.pi * 2 * np.arange(n) / n if rng.random() < 0.5 else np.pi * np.arange(n)
        x = np.zeros((n, d))
        x[:, 0], x[:, 1] = np.cos(angle), np.sin(angle)
        x = directions(x + 1e-3 * rng.normal(size=x.shape))
    else:
        x = unit(rng, n, d)
    return Trial(
        cluster_ratio(x, beta=beta, model=model, T=T), T, f"{model}, β = {beta:.3f}, x = {np.round(x, 4).tolist()}"
    )


register(
    Claim(
        "geshkovski2024.one_cluster", f"{PAPER}, theorems 4.1, 4.3, 5.1, 6.1; 2512.01868, remark 2",
        "V = I, B = I: for d ≥ 3 and every β ≥ 0 (d = 2: β > −0.16) almost every start ends in one cluster, SA and USA.",
        cluster_hypotheses, cluster_predict, cluster_check,
        falsifier("geshkovski2024.one_cluster", printed=random_trials(_cluster_trial, 10)),
    )
)  # fmt: skip


# ---- cone collapse (theorem 6.3, lemma 6.4) --------------------------------------------------------------------------


def cone_hypotheses(flow, mu):
    if not on_sphere(flow, mu) or mu.n < 2 or mu.n > 20000:
        return []
    x = np.asarray(mu.x, float)
    _, depth = best_direction(x / np.linalg.norm(x, axis=1, keepdims=True))
    return [
        positive_multiple("V", values(flow, mu.d)),
        Hypothesis("all tokens lie in an open hemisphere", depth - 1e-12),
    ]


def cone_predict(flow, mu):
    words = "one cluster, exponentially fast, at a point of the cone; min <x_i, w> never falls"
    return Prediction("geshkovski2024.cone", words, {"depth": cone_hypotheses(flow, mu)[-1].margin})


def cone_check(run):
    x, d = directions(run.x), run.x.shape[-1]
    w, _ = best_direction(x[0])
    depth = (x @ w).min(axis=1)
    fall = rise(-depth)
    heaviest = float(np.linalg.norm(score_matrix(run.flow, d), 2))
    weight = float(np.asarray(run.mass).min()) * np.exp(-heaviest * (2 if model_of(run.flow) == "SA" else 1))
    speed = float(values(run.flow, d)[0, 0]) * rule_speed(run.flow, run.at(0))
    late = collapse_excess([lowest_cosine(y) for y in x], np.asarray(run.ts, float) * speed, weight)
    numbers = {"largest_fall": fall, "lowest": float(depth[-1]), "over_bound": late}
    words = "min <x_i, w> never falls, and tokens near each other no slower than is proved"
    return Check("geshkovski2024.cone", bool(fall < SLACK and late < SLACK), words, numbers)


def collapse_excess(lowest, ts, weight) -> float:
    r"""By how much $1-\alpha\le\frac12e^{-(t-t_0)w/2}$ is missed, w the least weight of a pair (SA: $e^{-2\beta}/n$).

    Once the smallest cosine is above 1/2 so is that with the limit; $\alpha\ge1-\epsilon$ gives cosines
    $\ge2(1-\epsilon)^2-1$.
    """
    lowest = np.asarray(lowest, float)
    inside = np.flatnonzero(lowest >= 0.5)
    if not len(inside):
        return 0.0
    first = inside[0]
    eps = 0.5 * np.exp(-(ts[first:] - ts[first]) * weight / 2)
    return float(np.max(2 * (1 - eps) ** 2 - 1 - lowest[first:]))


def _cone_trial(rng):
    n, d, beta = int(rng.integers(2, 7)), int(rng.integers(2, 4)), float(rng.uniform(0, 4))
    x = unit(rng, n, d)
    x = x * np.sign(x[:, :1])
    x[0, 0] = 1e-3
    x, B = directions(x), rng.normal(size=(d, d))
    B, ts = B / np.linalg.norm(B, 2), np.linspace(0, 60, 31)
    y = sphere_run(x, ts, beta=beta, B=B)
    late = collapse_excess([(z @ z.T).min() for z in y], ts, np.exp(-2 * beta) / n)
    return Trial(max(rise(-y[..., 0].min(axis=1)), late) / 1e-7, 60.0, f"β = {beta:.3f}, x = {np.round(x, 3).tolist()}")


register(
    Claim(
        "geshkovski2024.cone", f"{PAPER}, theorem 6.3 and lemma 6.4",
        "V = I, any Q, K: tokens in an open hemisphere collapse to one point exponentially; min <x_i, w> is nondecreasing.",
        cone_hypotheses, cone_predict, cone_check,
        falsifier("geshkovski2024.cone", printed=random_trials(_cone_trial, 8)),
    )
)  # fmt: skip


# ---- equiangular (theorem 6.8) ---------------------------------------------------------------------------------------


def equiangular_hypotheses(flow, mu):
    if not on_sphere(flow, mu) or mu.n < 2 or mu.n > 4096:
        return []
    x = directions(mu.x)
    # A glance at one row spares most prompts the look at all pairs.
    if np.ptp(x[1:] @ x[0]) > 1e-6:
        return []
    low, high = extremes(x)
    spread = high - low
    if spread > 1e-6:
        return []
    beta = beta_of(flow, mu.d)
    return [
        Hypothesis("all pairs have the same cosine", 1e-9 - spread),
        Hypothesis("the cosine is above −1/(n−1)", (low + high) / 2 + 1 / (mu.n - 1) - 1e-9),
        Hypothesis("B is a multiple of the identity, β ≥ 0", -1.0 if np.isnan(beta) else beta),
        positive_multiple("V", values(flow, mu.d)),
        equal_masses(mu),
    ]


def _clock(flow, mu):
    x = np.asarray(mu.x, float)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    speed = float(values(flow, mu.d)[0, 0]) * rule_speed(flow, mu)
    return speed, {"n": mu.n, "beta": beta_of(flow, mu.d), "rho0": float(x[0] @ x[1]), "model": model_of(flow)}


def equiangular_predict(flow, mu):
    speed, arguments = _clock(flow, mu)
    target = max(0.999, (1 + arguments["rho0"]) / 2)
    t = time_to(target, **arguments) / speed
    return Prediction(
        "geshkovski2024.equiangular", f"all cosines stay equal and reach {target:.4g} at t = {t:.6g}", {"time": t}
    )


def equiangular_check(run):
    speed, arguments = _clock(run.flow, run.at(0))
    x, ts = directions(run.x), np.asarray(run.ts, float)
    some = some_times(len(ts), x.shape[1])
    expected = cosine((ts[some] - ts[0]) * speed, **arguments)
    off = max(abs(end - rho) for k, rho in zip(some, expected) for end in extremes(x[k]))
    return Check(
        "geshkovski2024.equiangular", bool(off < 1e-5), "cosines follow the closed clock", {"deviation": float(off)}
    )


def _equiangular_trial(rng):
    n, beta = int(rng.integers(2, 6)), float(rng.uniform(0, 5))
    model = str(rng.choice(["SA", "USA"]))
    ts = np.array([0.5, 2.0, 5.0])
    y = sphere_run(np.eye(n), ts, beta=beta, model=model)
    clock = ts if model == "SA" else ts * np.exp(-beta)
    off = np.abs(np.einsum("kd,kd->k", y[:, 0], y[:, 1]) - cosine(clock, n=n, beta=beta, model=model)).max()  # pyright: ignore[reportArgumentType]
    return Trial(float(off) / 1e-7, 5.0, f"n = {n}, β = {beta}")


register(
    Claim(
        "geshkovski2024.equiangular", f"{PAPER}, theorem 6.8, (6.9)–(6.10)",
        "Equal cosines stay equal and solve ρ' = 2(1−ρ)((n−1)ρ+1)/(e^{β(1−ρ)}+n−1) (SA; similar for USA).",
        equiangular_hypotheses, equiangular_predict, equiangular_check,
        falsifier("geshkovski2024.equiangular", printed=random_trials(_equiangular_trial, 8)),
    )
)  # fmt: skip


# ---- energy ----------------------------------------------------------------------------------------------------------


def energy_hypotheses(flow, mu):
    if not on_sphere(flow, mu) or mu.n > 4096:
        return []
    beta = beta_of(flow, mu.d)
    V = values(flow, mu.d)
    single = np.abs(V - V[0, 0] * np.eye(mu.d)).max() < 1e-12
    return [
        Hypothesis("B is a multiple of the identity, β > 0", -1.0 if np.isnan(beta) else beta - 1e-12),
        Hypothesis("V is a multiple of the identity", 1.0 if single else -1.0),
    ]


def energy_predict(flow, mu):
    way = "grows" if values(flow, mu.d)[0, 0] > 0 else "falls"
    return Prediction("geshkovski2024.energy", f"the interaction energy {way} at every time")


def energy_check(run):
    d = run.x.shape[-1]
    beta, way = beta_of(run.flow, d), np.sign(values(run.flow, d)[0, 0])
    m, x = np.asarray(run.mass, float), directions(run.x)
    E = np.array([energy(x[k], m, beta=beta) for k in some_times(len(x), x.shape[1])])
    wrong = rise(-way * E)
    return Check("geshkovski2024.energy", wrong < SLACK, "the energy is monotone", {"largest_wrong_way": wrong})


def _energy_trial(rng):
    n, d, beta = int(rng.integers(2, 7)), int(rng.integers(2, 4)), float(rng.uniform(0.1, 8))
    V, model = float(rng.choice([-1.0, 1.0])), str(rng.choice(["SA", "USA"]))
    y = sphere_run(unit(rng, n, d), np.linspace(0, 10, 21), beta=beta, V=V, model=model)
    E = np.exp(beta * (np.einsum("kid,kjd->kij", y, y) - 1)).mean(axis=(1, 2))
    return Trial(rise(-V * E) / 1e-7, 10.0, f"β = {beta:.3f}, V = {V}")


register(
    Claim(
        "geshkovski2024.energy", f"{PAPER}, (3.5)–(3.8)",
        "V = ±I, B = I, β > 0: the energy (1/2βn²)Σ e^{β<x_i,x_j>} grows (V = I) or falls (V = −I), for SA and USA.",
        energy_hypotheses, energy_predict, energy_check,
        falsifier("geshkovski2024.energy", printed=random_trials(_energy_trial, 8)), kind="lemma",
    )
)  # fmt: skip


# ---- repulsion -------------------------------------------------------------------------------------------------------


def repulsion_hypotheses(flow, mu):
    if not on_sphere(flow, mu) or mu.n > 4096:
        return []
    beta = beta_of(flow, mu.d)
    return [
        Hypothesis("B is a multiple of the identity, β > 0", -1.0 if np.isnan(beta) else beta - 1e-12),
        positive_multiple("−V", -values(flow, mu.d)),
        Hypothesis("n ≤ d + 1", mu.d + 1.5 - mu.n),
        equal_masses(mu),
    ]


def repulsion_predict(flow, mu):
    words = "the minimiser is the regular simplex: all cosines −1/(n−1) (Cohn and Kumar)"
    return Prediction("geshkovski2024.simplex", words, {"cosine": -1 / (mu.n - 1) if mu.n > 1 else 1.0})


def least_energy(n: int, beta: float) -> float:
    """The energy of n tokens at cosines −1/(n−1)."""
    return 1 / n + (1 - 1 / n) * float(np.exp(-beta * n / (n - 1))) if n > 1 else 1.0


def repulsion_check(run):
    x, beta = directions(run.x), beta_of(run.flow, run.x.shape[-1])
    n = x.shape[1]
    E = [energy(x[k], np.full(n, 1 / n), beta=beta) for k in some_times(len(x), n)]
    least = least_energy(n, beta)
    numbers = {"energy": float(E[-1]), "least": least}
    holds = bool(min(E) >= least - 1e-9) and rise(E) < SLACK
    return Check("geshkovski2024.simplex", holds, "the energy falls, never below that of the simplex", numbers)


def _repulsion_trial(rng):
    """Descents from random starts: none may pass the simplex, and some must reach it."""
    n, beta = int(rng.integers(2, 7)), float(rng.uniform(0.1, 8))
    d = n - 1 + int(rng.integers(0, 3))
    best = descend(unit(rng, n, max(d, 2)), beta)
    least = least_energy(n, beta)
    return Trial(1 + (least - best) / least - 1e-8, 0.0, f"n = {n}, β = {beta:.3f}: energy {best} below {least}")


register(
    Claim(
        "geshkovski2024.simplex", f"{PAPER}, section 9; Cohn and Kumar 2007",
        "V = −I: sharp configurations, for n ≤ d + 1 the simplex, minimise the energy for every β.",
        repulsion_hypotheses, repulsion_predict, repulsion_check,
        falsifier("geshkovski2024.simplex", printed=random_trials(_repulsion_trial, 16)),
    )
)  # fmt: skip
