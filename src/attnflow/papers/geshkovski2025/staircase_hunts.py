"""Trials of the claims of arXiv 2410.06833 on the staircase of the energy."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from ...theory.sphere.staircase import START, energy, height, isolated_jumps, jumps, plateau_length, start_margin
from ..hunt import Trial, shown
from ..trial import close, equal, worst_ratio


def touching(beta: float) -> float:
    r"""$1/\sqrt{\beta\log\beta}$: pairs closer than this count as merged."""
    return float(1 / np.sqrt(beta * np.log(beta)))


def angles_from_first(x) -> tuple[np.ndarray, np.ndarray, float]:
    """Angles from one end of the arc of the tokens, their order, and the margin of the theorem from the better end."""
    mean = x.mean(axis=0)
    relative = np.angle((x[:, 0] + 1j * x[:, 1]) * (mean[0] - 1j * mean[1]))
    return max(
        ((np.sort(way) - way.min(), np.argsort(way), _order_margin(np.sort(way))) for way in (relative, -relative)),
        key=lambda found: found[2],
    )


def _order_margin(theta) -> float:
    """The cosine margin of the theorem without its logarithm, for any β."""
    return start_margin(theta, beta=np.e, c=0.0)


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


def plateau_trial(rng):
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
        long = close(end - start, plateau_length((k + 2) / n), slack)
        off = worst_ratio(off, equal(middle, height(heights), 1e-6), long)
    words = f"{shown(theta=theta)}, β = {beta:.3g}"
    return Trial(off, pieces[-1][1], words, start_margin(theta, beta=beta) > 0)


def figure_turns():
    """The start of the published figure: clusters 4 and 5 merge before they join the first."""
    groups = [jump.members for jump in jumps(START, beta=2000.0)]
    in_turn = all(0 in group for group in groups)
    return Trial(0.0 if in_turn else 2.0, 0.0, f"the published start: {groups} merge in turn")


def clock_b_trial(rng):
    n, beta = int(rng.integers(2, 6)), float(rng.uniform(1000, 4000))
    gaps = rng.permutation(np.arange(1, n)) * 0.1 + rng.uniform(0.05, 0.1, n - 1)
    theta = np.concatenate([[0.0], np.cumsum(gaps)])
    found, expected = jumps(theta, beta=beta), isolated_jumps(theta, beta=beta)
    pairs = np.array([[(a.half, a.time), (b.half, b.time)] for a, b in zip(found, expected)])
    # Gaps that differ by 0.05 and more leave others e^{−2.5} and less: parts in ten thousand of the length of the run.
    allowed = 1e-4 * expected[-1].time
    off = equal(pairs[:, 0], pairs[:, 1], allowed)
    return Trial(off, expected[-1].time, f"β = {beta:.0f}, {shown(theta=theta)}: off by {off * allowed:.2g}")


def timescale_trial(factor):
    """log_β of the gap at the time factor/c, by the equation of log u, against −1/2 as β grows."""

    def trial(rng):
        c, u0, beta = float(rng.uniform(0.2, 1)), float(rng.uniform(0.3, 2)), 1e30
        tau = factor / c
        field = lambda t, w: -c * np.log(beta) * np.sinc(np.exp(w) / np.pi)  # noqa: E731
        gap = solve_ivp(field, (0, tau), [np.log(u0)], rtol=1e-9, atol=1e-12).y[0, -1]
        exponent = float(gap / np.log(beta))
        words = f"c = {c:.3f}, u₀ = {u0:.3f}: at τ = {factor:g}/c the gap is β^{exponent:.3f}"
        return Trial(equal(exponent, -0.5, 0.05), tau, words)

    return trial


def scale_trial(*, is_normalised: bool):
    """The energy of a run on clock A at its last merging, on either scale."""

    def trial(rng):
        beta, theta = float(10 ** rng.uniform(2, 4)), _ladder(rng)
        _, end, angles, m = merged_run(theta, beta=beta)[-1]
        # The last two clusters touch: at distance 1/√(β log β) their energy is 1 up to 1/log β.
        last = float(energy(angles(end), beta=beta, mass=m)) / (1 if is_normalised else 2 * beta)
        words = f"n = {len(theta)}, β = {beta:.0f}: when the last clusters touch, the energy is {last:.2g}, not 1"
        return Trial(equal(last, 1.0, 0.06), end, words)

    return trial


def figure_start():
    margin = start_margin(START, beta=2000.0)
    return Trial(1 - margin / abs(margin), 0.0, f"θ₃ − θ₁ = θ₄ − θ₃: the hypothesis fails by {-margin:.4f}")


def figure_plateaus():
    third = isolated_jumps(START, beta=2000.0)[2].height
    return Trial(equal(third, 0.52, 1e-9), 0.0, f"third plateau {third}")
