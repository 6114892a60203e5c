"""Laws against inverse temperature: how many clusters form first, and how long two of them wait."""

from __future__ import annotations

import numpy as np

from ...errors import BadInput
from ...theory.sphere.two_clusters import merging_law, merging_time
from ..style import INK, PALETTE, SLATE, styled


@styled
def draw_cluster_law(ax, betas, counts, *, errors=None):
    r"""Numbers of first clusters on the circle against β, with the law $\sqrt{2\beta}$ of the fastest growing mode.

    `errors` are half-widths of error bars. Source of the law: arXiv 2512.01868, first clusters of a nearly uniform circle.
    """
    betas, counts = np.asarray(betas, float), np.asarray(counts, float)
    if betas.shape != counts.shape or not (betas > 0).all():
        raise BadInput("a law against β needs as many counts as positive inverse temperatures")
    ax.errorbar(betas, counts, yerr=errors, fmt="o", color=PALETTE[0], markersize=4, capsize=2, label="measured")
    fine = np.geomspace(betas.min(), betas.max(), 100)
    ax.plot(fine, np.sqrt(2 * fine), color=INK, linestyle="--", label=r"$\sqrt{2\beta}$")
    ax.set(xscale="log", yscale="log", xlabel=r"$\beta$", ylabel="clusters that form first")
    ax.legend()
    return ax


@styled
def draw_waiting_law(ax, betas, times=None, *, angle: float, mass=(0.5, 0.5), meets: float = 0.1):
    """The time two clusters at an angle wait until they are `meets` rad apart, exact and in the limit of large β.

    `times` are measured ones to compare with. Source: arXiv 2512.01868, theorem 6, in its corrected form.
    """
    betas = np.asarray(betas, float)
    fine = np.linspace(betas.min(), betas.max(), 60)
    exact = [merging_time(angle, meets, beta=b, mass=mass) for b in fine]
    ax.plot(fine, exact, color=PALETTE[0], label="exact")
    ax.plot(
        fine,
        [merging_law(angle, beta=b, mass=mass) for b in fine],
        color=SLATE,
        linestyle="--",
        label=r"$\beta\to\infty$",
    )
    if times is not None:
        ax.plot(betas, np.asarray(times, float), "o", color=PALETTE[1], markersize=4.5, label="measured")
    ax.set(yscale="log", xlabel=r"$\beta$", ylabel="waiting time")
    ax.legend()
    return ax
