"""A mathematical perspective on Transformers (arXiv 2312.10794): clustering on the sphere."""

from __future__ import annotations

import numpy as np

from ..attention import Softmax
from . import geshkovski2024_bounds  # noqa: F401
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import (
    SLACK,
    beta_of,
    cosines,
    equal_masses,
    inner,
    on_sphere,
    positive_multiple,
    rise,
    values,
)  # fmt: skip
from .equiangular import cosine, time_to
from .hemisphere import best_direction, wendel
from .search import Trial, falsifier, random_trials, sphere_run, unit

PAPER = "arXiv 2312.10794"
ONE = 1e-3
"""Tokens whose smallest cosine is within this of 1 are one cluster."""


def _model(flow) -> str:
    return "SA" if isinstance(inner(flow).attention, Softmax) else "USA"


def _scale(flow) -> float:
    """How much faster the clock of this unnormalised rule is than that of the paper's mean form."""
    rule = inner(flow).attention
    if isinstance(rule, Softmax) or rule.scale == "mean":  # pyright: ignore[reportAttributeAccessIssue]
        return 1.0
    return float("nan") if isinstance(rule.scale, str) else float(rule.scale)  # pyright: ignore[reportAttributeAccessIssue]


# ---- one cluster (theorems 4.1, 4.3, 5.1, 6.1) -----------------------------------------------------------------------


def cluster_hypotheses(flow, mu):
    if not on_sphere(flow, mu) or mu.n < 2:
        return []
    beta = beta_of(flow, mu.d)
    conditions = [positive_multiple("V", values(flow, mu.d))]
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
    lowest = float(cosines(run)[-1].min())
    holds = True if lowest > 1 - ONE else None
    words = "one cluster" if holds else "not one cluster yet: the theorem has no time limit"
    return Check("geshkovski2024.one_cluster", holds, words, {"lowest_cosine": lowest})


def _cluster_trial(rng):
    n, d, beta = int(rng.integers(3, 6)), int(rng.integers(2, 4)), float(rng.uniform(0, 2))
    x = unit(rng, n, d)
    end = sphere_run(x, [400.0], beta=beta)[-1]
    lowest = float((end @ end.T).min())
    return Trial(np.nan if lowest < 1 - ONE and lowest > -0.999 else (1 - lowest) / ONE * 0.9, 400.0, f"β = {beta:.3f}")


register(
    Claim(
        "geshkovski2024.one_cluster", f"{PAPER}, theorems 4.1, 4.3, 5.1, 6.1; 2512.01868, remark 2",
        "V = I, B = I: for d ≥ 3 and every β ≥ 0 (d = 2: β > −0.16) almost every start ends in one cluster, SA and USA.",
        cluster_hypotheses, cluster_predict, cluster_check,
        falsifier("geshkovski2024.one_cluster", printed=random_trials(_cluster_trial, 6)),
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
    x = np.asarray(run.x, float)
    x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    w, _ = best_direction(x[0])
    depth = (x @ w).min(axis=1)
    fall = rise(-depth)
    return Check(
        "geshkovski2024.cone",
        fall < SLACK,
        "min <x_i, w> never falls",
        {"largest_fall": fall, "lowest": float(depth[-1])},
    )


def _cone_trial(rng):
    n, d, beta = int(rng.integers(2, 7)), int(rng.integers(2, 4)), float(rng.uniform(0, 6))
    x = unit(rng, n, d)
    x = x * np.sign(x[:, :1])
    x[0, 0] = 1e-3
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    y = sphere_run(x, np.linspace(0, 20, 21), beta=beta, B=rng.normal(size=(d, d)))
    return Trial(rise(-y[..., 0].min(axis=1)) / 1e-7, 20.0, f"β = {beta:.3f}, x = {np.round(x, 3).tolist()}")


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
    if not on_sphere(flow, mu) or mu.n < 2 or mu.n > 4096 or np.isnan(_scale(flow)):
        return []
    x = np.asarray(mu.x, float)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    off = (x @ x.T)[~np.eye(mu.n, dtype=bool)]
    spread = float(np.ptp(off))
    if spread > 1e-6:
        return []
    beta = beta_of(flow, mu.d)
    return [
        Hypothesis("all pairs have the same cosine", 1e-9 - spread),
        Hypothesis("the cosine is above −1/(n−1)", float(off.mean()) + 1 / (mu.n - 1) - 1e-9),
        Hypothesis("B is a multiple of the identity, β ≥ 0", -1.0 if np.isnan(beta) else beta),
        positive_multiple("V", values(flow, mu.d)),
        equal_masses(mu),
    ]


def _clock(flow, mu):
    x = np.asarray(mu.x, float)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    speed = float(values(flow, mu.d)[0, 0]) * _scale(flow)
    return speed, {"n": mu.n, "beta": beta_of(flow, mu.d), "rho0": float(x[0] @ x[1]), "model": _model(flow)}


def equiangular_predict(flow, mu):
    speed, arguments = _clock(flow, mu)
    target = max(0.999, (1 + arguments["rho0"]) / 2)
    t = time_to(target, **arguments) / speed
    return Prediction(
        "geshkovski2024.equiangular", f"all cosines stay equal and reach {target:.4g} at t = {t:.6g}", {"time": t}
    )


def equiangular_check(run):
    speed, arguments = _clock(run.flow, run.at(0))
    measured = cosines(run)[:, ~np.eye(run.x.shape[1], dtype=bool)]
    ts = np.asarray(run.ts, float)
    expected = cosine((ts - ts[0]) * speed, **arguments)
    off = float(np.abs(measured - expected[:, None]).max())
    return Check("geshkovski2024.equiangular", off < 1e-5, "cosines follow the closed clock", {"deviation": off})


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
    m = np.asarray(run.mass, float)
    m = m[0] if m.ndim > 1 else m
    E = np.einsum("kij,i,j->k", np.exp(beta * (cosines(run) - 1)), m, m)
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


def repulsion_check(run):
    n = run.x.shape[1]
    m, beta = 1 / n, beta_of(run.flow, run.x.shape[-1])
    E = np.exp(beta * (cosines(run)[-1] - 1)).sum() * m**2
    least = m + (1 - m) * np.exp(-beta * n / (n - 1)) if n > 1 else 1.0
    return Check(
        "geshkovski2024.simplex",
        bool(E >= least - 1e-9),
        "no energy is below that of the simplex",
        {"energy": float(E), "least": float(least)},
    )


register(
    Claim(
        "geshkovski2024.simplex", f"{PAPER}, section 9; Cohn and Kumar 2007",
        "V = −I: sharp configurations, for n ≤ d + 1 the simplex, minimise the energy for every β.",
        repulsion_hypotheses, repulsion_predict, repulsion_check,
    )
)  # fmt: skip
