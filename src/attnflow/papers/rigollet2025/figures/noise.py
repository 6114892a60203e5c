"""Noise on the circle (section 7 of the survey) and modes of densities (section 5.3)."""

from __future__ import annotations

import numpy as np

from ....draw.style import PALETTE, SLATE, new_figure, styled
from ....theory.sphere.mean_shift import modes_on_line
from ....theory.sphere.noisy_circle import branch_kappa, onset, ordered_law, simulated_orders
from ...figure import Drawn, figure


@figure("noise", "Noise against attention on the circle: where order sets in")
@styled
def noise(*, full: bool, seed: int) -> Drawn:
    n, fig, data, off = (4000 if full else 600), new_figure(9.6, 3.2), {}, []
    words, left_out = [], 0
    for ax, beta in zip(fig.subplots(1, 3, sharey=True), (0.0, 2.0, 4.0)):
        found = onset(beta)
        ratios = np.array(
            [0.75, 0.88, 0.97, 1.15, 1.35, 1.8, 2.6] if found.is_continuous else [0.8, 0.88, 0.98, 1.1, 1.5]
        )
        kappas = ratios * found.linear
        theory = np.array([ordered_law(kappa, beta=beta).order for kappa in kappas])
        orders = simulated_orders(kappas, beta=beta, n=n, seed=seed)
        _branch(ax, beta, found, kappas[-1])
        room = _allowed(kappas, theory, found.linear, n)
        # Close to the threshold fluctuations are of the size of the order itself.
        is_clear = (kappas < 0.9 * found.ordered) | (kappas > found.ordered * 1.1) | (orders > 0.5)
        looks = {"color": PALETTE[1], "markersize": 4.5, "capsize": 2, "elinewidth": 0.8}
        ax.errorbar(
            kappas[is_clear], orders[is_clear], room[is_clear], fmt="o", label=f"{n} tokens, bars: allowed", **looks
        )
        ax.plot(
            kappas[~is_clear], orders[~is_clear], "o", mfc="none", color=PALETTE[1], markersize=4.5, label="not judged"
        )
        left_out += int(np.sum(~is_clear))
        ax.set(xlabel=r"$\kappa$", title=rf"$\beta = {beta:g}$", ylim=(-0.03, 1))
        data |= {f"kappa_{beta:g}": kappas, f"order_{beta:g}": orders, f"theory_{beta:g}": theory}
        off.append((np.abs(orders - theory) / room)[is_clear].max())
        words.append(f"β = {beta:g}: κ_c = {found.linear:.4f}, order from {found.ordered:.4f} (jump {found.jump:.2f})")
    fig.axes[0].set_ylabel("order $r$")
    fig.axes[0].legend(loc="lower right", fontsize=7.5)
    expected = (
        "simulated order on the branch away from thresholds, up to the fluctuations of the tokens; the branch is "
        "continuous at κ_c = β/I₁(β) while I₂/I₁ < ½ and begins earlier with a jump at β = 4"
    )
    held = max(off) < 1 and [onset(b).is_continuous for b in (0.0, 2.0, 4.0)] == [True, True, False]
    observed = f"largest deviation {max(off):.2f} of what is allowed, {left_out} dots near thresholds not judged; "
    observed += "; ".join(words)
    return Drawn(fig, data, expected, bool(held), observed, ("dashed: the unstable part of the branch",))


def _allowed(kappas, theory, critical, n):
    """0.1 on the ordered branch; below it 2.5 times the size of fluctuations, (n(1 − κ/κ_c))^{−1/2}."""
    free = 2.5 / np.sqrt(n * np.maximum(1 - kappas / critical, 1e-2))
    return np.where(theory > 0.01, 0.1, free)


def _branch(ax, beta, found, last):
    orders = np.concatenate([np.linspace(0.02, 0.9, 45), np.linspace(0.905, 0.985, 30)])
    kappas = np.array([branch_kappa(r, beta=beta) for r in orders])
    is_stable = orders >= found.jump
    seen = kappas <= last * 1.02
    ax.plot(kappas[is_stable & seen], orders[is_stable & seen], color=PALETTE[0], label="stationary laws")
    ax.plot(kappas[~is_stable], orders[~is_stable], color=PALETTE[0], linewidth=1.0, linestyle=(0, (3, 3)))
    low = 0.75 * found.linear
    ax.plot([low, found.linear], [0, 0], color=PALETTE[0])
    ax.plot([found.linear, last], [0, 0], color=PALETTE[0], linewidth=1.0, linestyle=(0, (3, 3)))
    ax.axvline(found.linear, color=SLATE, linewidth=0.6, linestyle=(0, (2, 3)), zorder=0)


LEAST, MOST, DRIFT = 0.15, 0.6, 0.35
"""The theorem names no constants: these are ours, wide enough for finite n."""


@figure("modes", "How many modes a density estimate has")
@styled
def modes(*, full: bool, seed: int) -> Drawn:
    sizes, repeats = ((300, 1000, 3000, 10000), 40) if full else ((300, 1000, 3000), 12)
    rng, fig, data, ratios = np.random.default_rng(seed), new_figure(5.8, 3.5), {}, []
    errors = []
    ax = fig.subplots()
    for n, colour in zip(sizes, PALETTE):
        betas = np.geomspace(n**0.6, n**1.4, 7)
        counts = np.array([[modes_on_line(rng.normal(size=n), beta=b) for b in betas] for _ in range(repeats)])
        scaled = counts.mean(axis=0) / np.sqrt(betas * np.log(betas))
        error = 2 * counts.std(axis=0, ddof=1) / np.sqrt(repeats * betas * np.log(betas))
        looks = {"color": colour, "markersize": 3.5, "capsize": 2, "elinewidth": 0.8}
        ax.errorbar(np.log(betas) / np.log(n), scaled, error, fmt="o-", label=f"$n = {n}$", **looks)
        data |= {f"beta_{n}": betas, f"modes_{n}": counts}
        ratios.append(scaled)
        errors.append(error)
    ax.set(xlabel=r"$\log\beta\,/\log n$", ylabel=r"modes$\,/\sqrt{\beta\log\beta}$", ylim=(0, 0.7))
    ax.axhspan(LEAST, MOST, color=SLATE, alpha=0.1, linewidth=0, zorder=0, label="expected")
    ax.legend(title=f"mean of {repeats} samples, ±2 standard errors", title_fontsize=7.5, ncols=2)
    ratios = np.array(ratios)
    drift = float(np.abs(ratios[-1] / ratios[0] - 1).max())
    expected = (
        "modes/√(β log β) stays between constants for n^c ≤ β ≤ n^{2−c}, whatever n (standard normal samples): here "
    )
    expected += f"between {LEAST} and {MOST}, and changing by less than {DRIFT:.0%} from the smallest n to the largest"
    between = f"ratio between {ratios.min():.2f} and {ratios.max():.2f} (± {np.max(errors):.2f})"
    observed = f"{between}; from n = {sizes[0]} to {sizes[-1]} it changes by {drift:.0%} at most"
    held = ratios.min() > LEAST and ratios.max() < MOST and drift < DRIFT
    return Drawn(fig, data, expected, bool(held), observed, ("theorem of arXiv 2412.09080, quoted in 2512.01868, 5.3",))
