"""The staircase of the energy (arXiv 2410.06833, section 6): its plateaus, its clocks, and what was printed of them."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from ..attention import Unnormalised
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import beta_of, equal_masses, on_sphere, positive_multiple, values
from .pairs import directions
from .search import Trial, falsifier, fixed, hunted, random_trials
from .staircase import START, clock_a_gap, energy, height, isolated_jumps, jumps, plateau_length, start_margin

PAPER = "arXiv 2410.06833 (from a transcription)"
MOST = 200
"""Tokens up to which a run is looked at as a staircase."""


# ---- the theorem -----------------------------------------------------------------------------------------------------


def touching(beta: float) -> float:
    r"""$1/\sqrt{\beta\log\beta}$: pairs closer than this count as merged."""
    return float(1 / np.sqrt(beta * np.log(beta)))


def merged_run(theta, *, beta: float):
    r"""USA on the circle on clock A, merging pairs that touch: pieces (start, end, angles(τ), masses).

    $$\frac{d\theta_i}{d\tau}=-\log\beta\sum_jm_je^{\beta(\cos(\theta_i-\theta_j)-\cos u)}\sin(\theta_i-\theta_j)$$ with u the
    smallest gap; masses are numbers of tokens over n.
    """
    n = len(theta)
    p, m, now, pieces = np.sort(np.asarray(theta, float)), np.full(n, 1 / n), 0.0, []

    def field(_, p, m):
        gaps = p[:, None] - p[None, :]
        # Differences of squared sines keep their digits where those of cosines do not.
        apart = np.sin(gaps / 2) ** 2
        np.fill_diagonal(apart, np.inf)
        scores = 2 * beta * (apart.min() - apart)
        return -np.log(beta) * (np.exp(scores) * np.sin(gaps)) @ m

    while len(p) > 1:
        meets = lambda _, p, m: np.diff(p).min() - touching(beta)  # noqa: E731
        meets.terminal = True
        run = solve_ivp(
            field, (now, now + 1e3), p, args=(m,), method="LSODA", rtol=1e-9, atol=1e-12, events=meets, dense_output=True
        )  # fmt: skip
        pieces.append((now, float(run.t[-1]), run.sol, m))
        now, p = float(run.t[-1]), run.y[:, -1]
        k = int(np.argmin(np.diff(p)))
        joint = m[k] + m[k + 1]
        p = np.concatenate([p[:k], [(m[k] * p[k] + m[k + 1] * p[k + 1]) / joint], p[k + 2 :]])
        m = np.concatenate([m[:k], [joint], m[k + 2 :]])
    return pieces


def _ladder(rng):
    """Angles that satisfy the theorem: every token nearer to the first than to any later one, by a margin."""
    theta = [0.0, float(rng.uniform(0.08, 0.2))]
    while len(theta) < 6 and 2.3 * theta[-1] < np.pi:
        theta.append(theta[-1] * float(rng.uniform(2.1, 2.6)))
    return np.array([t for t in theta if t <= np.pi])


def _plateau_trial(rng):
    """Heights in the middle of every plateau, and lengths against 1/(2c) up to what is left at this β."""
    theta, beta = _ladder(rng), float(10 ** rng.uniform(8, 12))
    pieces, n = merged_run(theta, beta=beta), len(theta)
    off = 0.0
    for k, (start, end, angles, m) in enumerate(pieces):
        heights = np.append(k + 1, np.ones(n - 1 - k))
        middle = energy(angles((start + end) / 2), beta=beta, mass=m)
        gap = np.diff(angles(start)).min()
        # tan(u/2) falls from the gap to 1/√(β log β): the length is 1/(2c) up to logarithms of both over log β.
        slack = (abs(2 * np.log(np.tan(gap / 2))) + np.log(np.log(beta)) + 2) / np.log(beta)
        long = abs((end - start) / plateau_length((k + 2) / n) - 1) / slack
        off = max(off, abs(middle - height(heights)) / 1e-6, long)
    words = f"θ = {np.round(theta, 4).tolist()}, β = {beta:.3g}"
    return Trial(float(off), pieces[-1][1], words, start_margin(theta, beta=beta) > 0)


def angles_from_first(x) -> tuple[np.ndarray, np.ndarray, float]:
    """Angles from one end of the arc of the tokens, their order, and the margin of the theorem from the better end."""
    mean = x.mean(axis=0)
    relative = np.angle((x[:, 0] + 1j * x[:, 1]) / (mean[0] + 1j * mean[1]))
    return max(
        ((np.sort(way) - way.min(), np.argsort(way), _order_margin(np.sort(way))) for way in (relative, -relative)),
        key=lambda found: found[2],
    )


def _order_margin(theta) -> float:
    """The cosine margin of the theorem without its logarithm, for any β."""
    return start_margin(theta, beta=np.e, c=0.0)


def staircase_hypotheses(flow, mu):
    if not on_sphere(flow, mu, (Unnormalised,)) or mu.d != 2 or not 2 <= mu.n <= MOST:
        return []
    beta = beta_of(flow, mu.d)
    if np.isnan(beta) or beta <= np.e:
        return []
    theta, _, margin = angles_from_first(directions(mu.x))
    return [
        positive_multiple("V", values(flow, mu.d)),
        equal_masses(mu),
        Hypothesis("angles lie in [0, π]", np.pi - float(theta[-1])),
        Hypothesis("tokens are farther apart than 1/√(β log β)", float(np.diff(theta).min()) - touching(beta)),
        Hypothesis("every token is nearer to the first than to a later one", margin - np.log(beta) / beta),
    ]


def staircase_predict(flow, mu):
    n = mu.n
    heights = [height(np.append(k + 1, np.ones(n - 1 - k))) for k in range(n)]
    lengths = [plateau_length((k + 2) / n) for k in range(n - 1)]
    words = "tokens join the first cluster one by one; the energy climbs " + ", ".join(f"{h:.4g}" for h in heights)
    return Prediction("geshkovski2025.staircase", words, {"plateaus": heights, "lengths on clock A": lengths})


def staircase_check(run):
    x, beta = directions(run.x), beta_of(run.flow, 2)
    _, order, _ = angles_from_first(x[0])
    E = np.array([energy(np.arctan2(y[:, 1], y[:, 0]), beta=beta) for y in x])
    fall = float(np.max(-np.diff(E), initial=0.0))
    gaps = np.linalg.norm(np.diff(x[:, order], axis=1), axis=-1) < touching(beta)
    # Merged neighbours must come first: no gap is closed behind an open one.
    in_turn = bool((np.diff(gaps.astype(int), axis=1) <= 0).all())
    numbers = {"merged": int(gaps[-1].sum()), "energy": float(E[-1]), "largest_fall": fall}
    holds = False if fall > 1e-7 or not in_turn else True if gaps[-1].any() else None
    words = "tokens join the first cluster one after the other and the energy never falls"
    return Check("geshkovski2025.staircase", holds, words, numbers)


register(
    Claim(
        "geshkovski2025.staircase", f"{PAPER}, staircase theorem; heights and lengths derived",
        "Angles with cos(θ_i−θ₁) > cos(θ_k−θ_i) + c log β/β (2 ≤ i < k, c > 1), USA with merging, on clock A: as β → ∞ the "
        "energy is a step function with at most n plateaus, Σ(m_q/n)², each of length 1/(2c), the last at 1.",
        staircase_hypotheses, staircase_predict, staircase_check,
        falsifier("geshkovski2025.staircase", printed=random_trials(_plateau_trial, 4)),
    )
)  # fmt: skip


# ---- clock B ---------------------------------------------------------------------------------------------------------


def _clock_b_trial(rng):
    n, beta = int(rng.integers(2, 6)), float(rng.uniform(1000, 4000))
    gaps = rng.permutation(np.arange(1, n)) * 0.1 + rng.uniform(0.05, 0.1, n - 1)
    theta = np.concatenate([[0.0], np.cumsum(gaps)])
    found, expected = jumps(theta, beta=beta), isolated_jumps(theta, beta=beta)
    off = max(max(abs(a.half - b.half), abs(a.time - b.time)) for a, b in zip(found, expected))
    # Gaps that differ by 0.05 and more leave others e^{−2.5} and less: parts in ten thousand of the length of the run.
    allowed = 1e-4 * expected[-1].time
    return Trial(
        off / allowed, expected[-1].time, f"β = {beta:.0f}, θ = {np.round(theta, 4).tolist()}: off by {off:.2g}"
    )


hunted(
    "geshkovski2025.clock_b", f"{PAPER}, staircase figure; derived",
    "On the clock dθ/ds = log(β)g/|g| a pair at gap Δ merges in Δ√(m₁m₂/(m₁+m₂))/log β; half height is at gap √(2 ln 2/β).",
    random_trials(_clock_b_trial, 3), kind="derived",
)  # fmt: skip


# ---- what was printed ------------------------------------------------------------------------------------------------


def _centre_trial(factor):
    """The time at which the gap reaches β^{−1/2}, against factor/c, as β grows."""

    def trial(rng):
        c, u0, beta = float(rng.uniform(0.2, 1)), float(rng.uniform(0.3, 2)), 1e30
        tau = factor / c
        gap = float(clock_a_gap(tau, u0, beta=beta, share=c))
        off = abs(np.log(gap) / np.log(beta) + 0.5)
        return Trial(
            off / 0.05,
            tau,
            f"c = {c:.3f}, u₀ = {u0:.3f}: at τ = {factor}/c the gap is β^{np.log(gap) / np.log(beta):.3f}",
        )

    return trial


hunted(
    "geshkovski2025.timescale",
    f"{PAPER}, time-scale lemma",
    "u' = −c log(β) sin u reaches the scale β^{−1/2} at 2/c.",
    random_trials(_centre_trial(2.0), 5),
    random_trials(_centre_trial(0.5), 5),
    corrected="at 1/(2c)",
)


def _scale_trial(normalised):
    def trial(rng):
        beta, n = float(10 ** rng.uniform(2, 4)), 5
        # All tokens in one point: the staircase should end at 1.
        last = 1.0 if normalised else 1 / (2 * beta)
        return Trial(abs(last - 1) / 0.5, 0.0, f"n = {n}, β = {beta:.0f}: one cluster has energy {last:.2g}, not 1")

    return trial


hunted(
    "geshkovski2025.energy_scale",
    f"{PAPER}, section 6",
    "With E = (1/(2βe^βn²))Σ e^{β<x_i,x_j>} the energy tends to a staircase that ends at 1.",
    random_trials(_scale_trial(False), 3),
    random_trials(_scale_trial(True), 3),
    corrected="with E = (1/n²)Σ e^{β(<x_i,x_j>−1)}; the printed scale tends to 0",
)


def _figure_start():
    margin = start_margin(START, beta=2000.0)
    return Trial(2.0 if margin < 0 else 0.5, 0.0, f"θ₃ − θ₁ = θ₄ − θ₃: the hypothesis fails by {-margin:.4f}")


def _figure_plateaus():
    third = isolated_jumps(START, beta=2000.0)[2].height
    return Trial(abs(third - 0.52) / 1e-9, 0.0, f"third plateau {third}")


hunted(
    "geshkovski2025.figure_start",
    f"{PAPER}, staircase figure",
    "The start of the figure satisfies the staircase theorem; its plateaus are .28, .44, .68, 1.",
    fixed(_figure_start),
    fixed(_figure_plateaus),
    corrected="it violates the hypothesis; clusters 4 and 5 merge before joining the first: plateaus .28, .44, .52, 1",
)
