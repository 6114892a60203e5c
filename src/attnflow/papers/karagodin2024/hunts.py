"""Trials of the claims of arXiv 2411.04990, by SciPy."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from ...theory.sphere.at_rest import is_trap
from ...theory.sphere.causal_centres import (
    capture_margins,
    interaction,
    printed_strong_centres,
    renyi_centres,
    slowest_rate,
    strong_centres,
)
from ...theory.sphere.pair_cosines import directions
from ..hunt import Hunt, Trial, shown
from ..independent import sphere_run, unit
from ..trial import bounded, equal, worst_ratio

EPSILONS = np.geomspace(1e-6, 10.0, 400)
"""Values of ε among which the sharpest statement of lemma 5.1 is looked for."""


def heard(n: int) -> np.ndarray:
    return np.tril(np.ones((n, n), bool))


# ---- all tokens tend to the first ------------------------------------------------------------------------------------


def away_from_first(x, *, beta: float, B=None, V: float = 1.0, until: float = 400.0) -> float:
    """Distance of the farthest token to the first, over 1e-3, at a late time; NaN unless it is small or a stable state.

    A state that keeps its neighbours is reached from a set of positive measure, and so contradicts the theorem; tokens
    still on their way, or balanced on an unstable state, do not.
    """
    mask = heard(len(x))
    end = sphere_run(x, [until], beta=beta, B=B, V=V, mask=mask)[-1]
    apart = float(np.linalg.norm(end - end[:1], axis=1).max())
    if apart < 1e-3:
        return apart / 1e-3
    return max(2.0, apart / 1e-3) if is_trap(end, beta=beta, B=B, V=V, mask=mask) else float("nan")


def first_trial(rng):
    n, d, beta = int(rng.integers(2, 5)), int(rng.integers(2, 4)), float(rng.uniform(0.5, 4))
    x, B = unit(rng, n, d), rng.normal(size=(d, d))
    return Trial(
        away_from_first(x, beta=beta, B=B), 400.0, f"a stable state away from x₁: {shown(3, β=beta, B=B, x=x)}"
    )


def last_rate_trial(rng):
    """Near the first token the slowest other one closes at the predicted rate; faster ones leave e^{−0.3 · 16}."""
    n, mass = int(rng.integers(2, 4)), rng.dirichlet(np.full(3, 3.0))
    mass, x = mass[:n] / mass[:n].sum(), np.array([1.0, 0, 0]) + 0.1 * rng.normal(size=(n, 3))
    ends = sphere_run(directions(x), np.array([0.0, 16.0, 20.0]), beta=1.0, mask=heard(n), mass=mass)
    far = np.linalg.norm(ends - ends[:, :1], axis=2).max(axis=1)
    gaps = np.sort(np.cumsum(mass)[:-1] / np.cumsum(mass)[1:])
    rate, is_apart = float(np.log(far[1] / far[2]) / 4), n == 2 or bool(gaps[1] - gaps[0] > 0.3)
    return Trial(abs(rate / slowest_rate(mass) - 1) / 0.05, 20.0, f"{shown(mass=mass)}: rate {rate:.4g}", is_apart)


def repelled_trial(rng):
    x = unit(rng, 3, 2)
    return Trial(away_from_first(x, beta=1.0, V=-1.0), 400.0, shown(x=x))


# ---- centres that hold still -----------------------------------------------------------------------------------------


def least_separation(beta: float) -> float:
    r"""Where the interaction $e^{\beta(\cos x-1)}\sin x$ is largest: $\cos x = (\sqrt{4\beta^2+1}-1)/2\beta$."""
    # The same root written without cancellation for small β.
    return float(np.arccos(2 * beta / (1 + np.sqrt(4 * beta**2 + 1))))


def bounds(x, s: int, *, beta: float):
    """What lemma 5.1 says of token s: distances it does not exceed, and until when, one pair for every ε."""
    separation = float(np.linalg.norm(x[:s] - x[s], axis=1).min())
    angle = separation / (1 + 2 * EPSILONS)
    reach = EPSILONS * angle
    until = reach / ((s + 1) * interaction(angle, beta=beta))
    speaks = angle > least_separation(beta)
    return reach[speaks], until[speaks]


def leaves(x, s: int, *, beta: float) -> float:
    """Up to when lemma 5.1 keeps token s within a kernel's width."""
    reach, until = bounds(x, s, beta=beta)
    return float(until[reach * np.sqrt(beta) <= 1].max(initial=0.0))


def farthest_move(x, ts, centres, *, beta: float) -> tuple[float, int]:
    """How far centres move over what is allowed at worst, and at how many saved times the lemma says something."""
    worst, seen = 0.0, 0
    for s in centres[1:]:
        reach, until = bounds(x[0], s, beta=beta)
        moved = np.linalg.norm(x[:, s] - x[0, s], axis=1)
        for t, distance in zip(ts[1:], moved[1:]):
            allowed = reach[until > t].min(initial=np.inf)
            if np.isfinite(allowed):
                # What a run leaves of the distance of a token that does not move.
                worst, seen = worst_ratio(worst, bounded(distance, allowed + 1e-6)), seen + 1
    return worst, seen


def meta_trial(rng):
    n, beta = int(rng.integers(3, 9)), float(10 ** rng.uniform(1.3, 2.3))
    angles = rng.uniform(-np.pi, np.pi, n)
    x = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    centres = renyi_centres(x, least_separation(beta) * 1.01, is_strong=True)
    if len(centres) < 2:
        return Trial(np.nan, is_inside=False)
    longest = min(max(leaves(x, s, beta=beta) for s in centres[1:]), 200.0)
    ts = np.concatenate([[0.0], longest * np.geomspace(0.01, 1, 8)]) if longest > 0 else np.array([0.0])
    if len(ts) == 1:
        return Trial(np.nan, is_inside=False)
    y = sphere_run(x, ts, beta=beta, mask=heard(n))
    return Trial(farthest_move(y, ts, centres, beta=beta)[0], longest, shown(3, β=beta, angles=angles))


# ---- frozen tokens ---------------------------------------------------------------------------------------------------


def left_uncaptured(free, frozen, weights, *, beta: float, eps: float, until: float) -> float:
    r"""How far the farthest free token ends from all frozen ones, in units of $\varepsilon/\sqrt\beta$ (d = 2).

    $$\dot\theta_i=-\sum_j h(\theta_i-\theta_j)-\sum_ka_kh(\theta_i-\phi_k)$$
    Above 1 the frozen-token theorem fails on this start, unless the token still moves.
    """
    frozen, weights = np.asarray(frozen, float), np.asarray(weights, float)

    def field(t, theta):
        inside = interaction(theta[:, None] - theta[None], beta=beta).sum(axis=1)
        return -inside - interaction(theta[:, None] - frozen[None], beta=beta) @ weights

    end = solve_ivp(field, (0.0, until), np.asarray(free, float), rtol=1e-9, atol=1e-12, method="LSODA").y[:, -1]
    apart = np.abs(np.angle(np.exp(1j * (end[:, None] - frozen[None])))).min(axis=1)
    return float(apart.max() * np.sqrt(beta) / eps)


def frozen_trial(rng):
    """Frozen tokens as near as the conditions allow, one of them or two, and free tokens anywhere."""
    beta, eps, c = float(rng.uniform(6, 14)), float(rng.uniform(0.05, 0.2)), float(rng.uniform(2.2, 9))
    n, weights = int(rng.integers(1, 3)), rng.uniform(1, 1.5, int(rng.integers(1, 3)))
    gap = c / np.sqrt(beta)
    # More than c/√β apart on both ways round the circle.
    fits = gap < np.pi if len(weights) > 1 else True
    if min(capture_margins(n=n, weights=weights, beta=beta, eps=eps, c=c)) <= 0 or not fits:
        return Trial(np.nan, is_inside=False)
    free, frozen = rng.uniform(-np.pi, np.pi, n), gap * np.arange(len(weights))
    # The weakest pull is e^{−2β} > 1e-12, so that by then only a token at rest is left.
    left = [left_uncaptured(free, frozen, weights, beta=beta, eps=eps, until=t) for t in (1e15, 1e16)]
    is_moving = left[1] > 1 and abs(left[1] - left[0]) > 1e-6 * left[0]
    words = shown(2, β=beta, ε=eps, frozen=frozen, free=free)
    return Trial(np.nan if is_moving or _is_balanced(free, frozen) else left[1], 1e16, words)


def _is_balanced(free, frozen) -> bool:
    """Whether a free token starts opposite to the only frozen one: a set of measure zero that the search must not find."""
    return len(frozen) == 1 and bool(np.abs(np.abs(np.angle(np.exp(1j * (free - frozen)))) - np.pi).min() < 1e-6)


def none_frozen():
    """Without a frozen token the conditions can hold, and nothing captures."""
    inside = min(capture_margins(n=2, weights=[], beta=11, eps=0.09, c=5.68)) > 0
    words = "two free tokens, none frozen, β = 11, ε = 0.09, c = 5.68: nobody can be captured"
    return Trial(np.inf, 0.0, words, inside)


# ---- how many centres ------------------------------------------------------------------------------------------------

FORMULAS = {"printed": printed_strong_centres, "corrected": lambda delta: strong_centres(delta, 3, n=500)}


def renyi_hunt(which: str) -> Hunt:
    """The mean number of strong centres of uniform tokens against a formula, in units of four standard errors."""

    def trials(seed, effort):
        rng, delta = np.random.default_rng(seed), 0.5
        counts = [len(renyi_centres(unit(rng, 500, 3), delta, is_strong=True)) for _ in range(150 * effort)]
        error, due = np.std(counts) / np.sqrt(len(counts)), FORMULAS[which](delta)
        words = f"d = 3, δ = {delta}: {np.mean(counts):.2f} ± {error:.2f} centres, formula {due:.2f}"
        return [Trial(equal(np.mean(counts), due, 4 * error), 0.0, words)]

    return Hunt(trials, "150 prompts of 500 uniform tokens on the sphere, δ = 0.5")
