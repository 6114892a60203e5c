"""Open questions on attention at low temperature, several heads, repulsion on the circle, heavy tails and jumps."""

from __future__ import annotations

import numpy as np

from ...engine.measures import Particles
from ...engine.measures.distances import wasserstein
from ...engine.observe.clusters import count_clusters
from ...papers.geshkovski2025.staircase_hunts import merged_run
from ...papers.independent import attention_run, softmax, sphere_run, unit
from ...papers.register import find_claim
from ...theory.low_temperature import LowTemperatureLimit
from ...theory.sphere.staircase import isolated_jumps, jumps, plateau_length
from .experiment import Conjecture, Quantity, Result, fitted_power


def concentration_trial(seed: int, *, beta: float, d: int):
    """Distance W₂ between 200 tokens and the closed linear flow of β = ∞ at one time, for random V and B."""
    rng = np.random.default_rng(seed)
    V, B = rng.normal(size=(2, d, d))
    B = B / np.linalg.norm(B, 2)
    limit = LowTemperatureLimit(V, B)
    if limit.kind != "simple" or np.linalg.cond(B) > 5:
        return (np.nan,)
    # Before tokens gather they are dense enough, at these β, to stand for a continuum.
    x, until = unit(rng, 200, d), 0.5 / float(np.linalg.norm(V, 2))
    y = attention_run(x, V=V, B=B, beta=beta, until=until, steps=15)
    return (wasserstein(Particles(y), Particles(limit.flow(x, until))),)


def terminal_trial(seed: int, **case):
    """Worst violation of the terminal rule over the register's own trials of one seed."""
    return _hunted("alcalde2026.terminal_phase", seed)


def bridge_trial(seed: int, **case):
    return _hunted(FALL, seed)


FALL = "agarwal2024.free_energy"


def _hunted(key: str, seed: int):
    claim = find_claim(key)
    trials = claim.hunts["corrected" if "corrected" in claim.hunts else "printed"].trials(seed, 1)
    ratios = np.array([trial.ratio for trial in trials if trial.is_inside and not np.isnan(trial.ratio)])
    if not len(ratios):
        return np.nan, np.nan
    return float(ratios.max() > 1), float(np.clip(ratios.max(), -10, 10))


def heads_trial(seed: int, *, heads: int):
    """Heads with scores ±⟨x, y⟩ at β = 30 on S²: whether tokens end on one line, and its cosine with the predicted one."""
    rng = np.random.default_rng(seed)
    V, signs, x = rng.normal(size=(heads, 3, 3)), rng.choice([-1.0, 1.0], heads), unit(rng, 40, 3)
    V = (V + V.transpose(0, 2, 1)) / 2
    h = 0.05 / max(1.0, np.linalg.norm(V, 2, axis=(1, 2)).sum() / 2)
    for _ in range(1500):
        first = _heads_field(x, V, signs)
        x = x + h * (first + _heads_field(x + h * first, V, signs)) / 2
        x = x / np.linalg.norm(x, axis=1, keepdims=True)
    if np.abs(_heads_field(x, V, signs)).max() > 1e-2:
        return np.nan, np.nan
    values, vectors = np.linalg.eigh(np.einsum("h,hij->ij", signs, V))
    lines = np.einsum("ni,nj->nij", x, x).reshape(len(x), 9)
    return float(count_clusters(lines, 0.05) == 1), float(np.mean(np.abs(x @ vectors[:, np.argmax(values)])))


def _heads_field(x, V, signs, beta=30.0):
    a = sum(softmax(sign * beta * x @ x.T) @ x @ matrix.T for sign, matrix in zip(signs, V))
    return a - np.sum(a * x, axis=1, keepdims=True) * x


def repulsion_trial(seed: int, *, beta: float):
    """Whether tokens on the circle end in one cluster for a weakly negative β."""
    x = unit(np.random.default_rng(seed), 12, 2)
    y = sphere_run(x, np.array([0.0, 30.0, 60.0]), beta=beta)
    if not np.isfinite(y).all():
        return (np.nan,)
    return (float(count_clusters(y[-1], 0.05) == 1),)


def tails_trial(seed: int, *, n: int, law: str):
    """How far the motion of the covariance is from that of a Gaussian with the same moments (softmax, V = −I, β = 1/2)."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2)) if law == "Gaussian" else rng.standard_t(4, size=(n, 2)) / np.sqrt(2)
    mean, cov = x.mean(axis=0), np.cov(x.T, bias=True)
    v = -softmax(0.5 * x @ x.T) @ x
    rate = (v - v.mean(axis=0)).T @ (x - mean) / n
    closed = -0.5 * cov @ cov
    return (float(np.linalg.norm(rate + rate.T - 2 * closed) / np.linalg.norm(2 * closed)),)


def clock_trial(seed: int, *, beta: float):
    r"""By how much four tokens miss the limits of their mergings on clock A and on the length of the way; the open clock's end.

    Limits: each plateau lasts 1/(2c) on clock A; on the length of the way $\Delta\sqrt{m_1m_2/(m_1+m_2)}$ for the closest
    pair at gap Δ. The clock τ' = log β/|∇E| is that length over log β.
    """
    gaps = np.random.default_rng(seed).permutation(3) * 0.2 + 0.2 + np.random.default_rng(seed).uniform(0, 0.1, 3)
    theta = np.concatenate([[0.0], np.cumsum(gaps)])
    found, limit = jumps(theta, beta=beta), isolated_jumps(theta, beta=beta)
    if [one.members for one in found] != [one.members for one in limit]:
        return np.nan, np.nan, np.nan
    ends = np.array([end for _, end, _, _ in merged_run(theta, beta=beta)])
    due = np.cumsum([plateau_length(len(one.members) / len(theta)) for one in limit])
    length = np.log(beta) * np.array([[one.half, goal.time] for one, goal in zip(found, limit)])
    return float(np.abs(ends / due - 1).max()), float(np.abs(np.diff(length)).max() / length[-1, 1]), found[-1].time


def _concentration(r: Result) -> str:
    p = fitted_power(r, 0, "beta")
    return (
        f"The distance to the closed linear flow fell like β to the power {p.words} (d = 2, random V and B with a simple "
        "dominant eigenvalue, 200 tokens, before they gather); −1/2 is √(1/β), −1 is 1/β. The constant varies with V and B."
    )


def _rule(words: str):
    def verdict(r: Result) -> str:
        e = r.estimate(0)
        told = "No counterexample" if e.value == 0 else f"Violated in a share of {e.words}"
        worst = np.nanmax(r.values[..., 1])
        return f"{told} in {e.count} searches of the register's law ({words}); worst ratio {worst:.3g} (above 1: violated)."

    return verdict


def _heads(r: Result) -> str:
    return (
        f"At β = 30 tokens came to rest on one line (a cluster or an antipodal pair) in a share of {r.estimate(0).words}; their "
        f"mean |cosine| with the top eigenvector of Σ s_h V_h was {r.estimate(1).words} (random symmetric V_h, B_h = s_h I)."
    )


def _repulsion(r: Result) -> str:
    shares = [f"{r.estimate(0, k).value:.2f} at β = {case['beta']:g}" for k, case in enumerate(r.conjecture.cases)]
    return (f"Share in one cluster by t = 60: {', '.join(shares)} (n = 12, {r.trials} starts in all). A share below 1 may mean a "
            "trap, or a run too short to merge.")  # fmt: skip


def _tails(r: Result) -> str:
    even = [k for k, case in enumerate(r.conjecture.cases) if case["law"] == "Gaussian"]
    heavy = [k for k, case in enumerate(r.conjecture.cases) if case["law"] != "Gaussian"]
    last = [f"{r.estimate(0, ks[-1]).value:.2g}" for ks in (even, heavy)]
    return (f"At the largest n the covariance moved differently from a Gaussian's by {last[0]} (Gaussian tokens) and {last[1]} "
            "(Student t₄, same variance). If the second does not fall with n, heavy tails leave the closure.")  # fmt: skip


def _clock(r: Result) -> str:
    p, q, last = (fitted_power(r, k, "beta") for k in range(3))
    return (f"Mergings missed their limits by β to the power {p.words} on clock A, which is as slow as 1/log β, and by β to the "
            f"power {q.words} on the length of the way. On the clock of the open problem the last merging came at a time that "
            f"fell like β to the power {last.words}, as 1/log β does: all steps move to 0 there unless gaps grow with "
            "log β.")  # fmt: skip


COLD = (
    Conjecture(
        "concentration", "With which constants and which rate in β do tokens concentrate?",
        "Alcalde et al. 2026 (arXiv 2605.10931)", "W₂ ≤ C√(log β/β) + Ce^{−ct}, with constants that are not explicit.",
        "Random V, B in the plane: W₂ between the tokens and the closed linear flow at an early time, over β.",
        "β", tuple({"beta": b, "d": 2} for b in (3.0, 10.0, 30.0, 100.0)), concentration_trial,
        (Quantity("W₂", is_log=True),), _concentration, 16,
        "200 tokens before they gather, |B| = 1 and well conditioned, β from 3 to 100; first it was 60 tokens at the time of "
        "alignment, any B, β from 10 to 300, where the small number of tokens ended the fall.",
    ),
    Conjecture(
        "terminal", "Does the sign rule for the last phase hold?", "Alcalde et al. 2026; the register's own conjecture",
        "A rule fitted to examples; proofs only near the target.",
        "The register's search, one per seed: random cases, then the worst of them made worse.",
        "", ({},), terminal_trial, (Quantity("violated", is_share=True), Quantity("worst ratio")),
        _rule("planar V, B"), 2,
    ),
    Conjecture(
        "heads", "Where do several heads send tokens at low temperature?", "A question of this package on several heads",
        "For one head the dominant eigenspace of VBᵀ.",
        "Random symmetric V_h and signs s_h of the scores, β = 30 on S²; the end state as lines.",
        "heads", tuple({"heads": h} for h in (1, 2, 4)), heads_trial,
        (Quantity("one line", is_share=True), Quantity("|cos| with top of Σ s V")), _heads, 10,
        "Every head has a sign s_h of its own; first all heads had B = I, which is a single head with the sum of the V_h.",
    ),
    Conjecture(
        "repulsion", "Is there one cluster on the circle for −0.16 < β < 0?", "Geshkovski et al. 2024 (arXiv 2312.10794)",
        "Proved for small β ≥ 0 on the circle; below 0 the threshold is not known.",
        "Random starts of twelve tokens on the circle at weakly negative β, to t = 60 by an independent integrator.",
        "β", tuple({"beta": b} for b in (-0.05, -0.16, -0.5, -2.0)), repulsion_trial, (Quantity("one cluster", is_share=True),),
        _repulsion, 20,
    ),
    Conjecture(
        "tails", "What does attention do to data without compact support?", "Castin et al. 2025 (arXiv 2501.18322), future work",
        "Compactly supported data have a mean-field limit; Gaussians have closed equations.",
        "Speed of the covariance at the start, tokens against the Gaussian closure, for Gaussian and Student t₄ tokens.",
        "n and law", tuple({"n": n, "law": law} for law in ("Gaussian", "Student") for n in (100, 300, 1000)), tails_trial,
        (Quantity("relative difference", is_log=True),), _tails, 20,
    ),
    Conjecture(
        "clock", "On which clock does the staircase of the energy converge?",
        "Geshkovski et al. 2025 (arXiv 2410.06833), the open problem τ' = log β/|∇E|",
        "Proved on the clock of the closest pair (clock A) for starts in order; the open clock is the length of the way over "
        "log β.",
        "Four tokens on an arc with gaps from 0.2 to 0.7: mergings on three clocks against their limits, for growing β.",
        "β", tuple({"beta": b} for b in (1e2, 1e3, 1e4, 1e5)), clock_trial,
        (Quantity("off on clock A", is_log=True), Quantity("off on the length", is_log=True),
         Quantity("last merging, open clock", is_log=True)),
        _clock, 8,
        "Mergings on three clocks against derived limits; first the time on the clock of the length was taken for the time of "
        "the flow, which compared unlike things.",
    ),
    Conjecture(
        "bridge", "Does the free energy fall at every bridge step?", "Agarwal et al. 2024; the register's own conjecture",
        "It falls in the continuous flow.", "The register's search over tokens, masses and ε, one per seed.",
        "", ({},), bridge_trial, (Quantity("violated", is_share=True), Quantity("worst ratio")),
        _rule("random tokens, masses and ε"), 2,
    ),
)  # fmt: skip
