"""Plans and their spectra: Sinkhorn against random swaps, and clusters as eigenvalues near 1."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import PowerNorm

from ..draw.style import INK, PALETTE, SEQUENTIAL, SLATE, new_figure, styled
from ..entropic.self_transport import self_transport
from ..entropic.swaps import swap_plan
from ..evolution.bridge import bridge
from ..evolution.bridge_steps import Reverse
from ..observe.clusters import clusters
from .register import Drawn, figure


@figure("agarwal2024", "plans", "The Sinkhorn plan and the plan of random swaps")
@styled
def plans(*, full: bool, seed: int) -> Drawn:
    """At finite n the two plans differ: a swap plan is a mean of permutations."""
    n, swaps, eps = (200, 1_000_000, 0.01) if full else (60, 200_000, 0.01)
    x = np.sort(np.random.default_rng(seed).normal(size=(n, 1)), axis=0)
    transport = self_transport(x, eps)
    sinkhorn, walk = transport.matrix(), swap_plan(x, eps, swaps=swaps, burn_in=swaps // 20, seed=seed)
    fig = new_figure(8.2, 2.9)
    axes = fig.subplots(1, 3, width_ratios=(1, 1, 1.15))
    for axis, P, title in zip(axes, (sinkhorn, walk.matrix), ("Sinkhorn", f"{swaps:,} swaps")):
        image = axis.imshow(P, cmap=SEQUENTIAL, norm=PowerNorm(0.5, 0, max(sinkhorn.max(), walk.matrix.max())))
        axis.set(title=title, xticks=[], yticks=[])
    axes[0].set_ylabel("token, in order")
    fig.colorbar(image, ax=axes[:2], shrink=0.75, label="weight")
    cost = float(transport.mass @ transport.moments.cost * eps / 2)
    axes[2].plot(np.linspace(0, swaps, len(walk.cost)), walk.cost, color=PALETTE[0], lw=0.9, label="swaps")
    axes[2].axhline(cost, color=PALETTE[1], lw=1.4, label="Sinkhorn")
    axes[2].legend(loc="lower right")
    axes[2].set(xlabel="swaps", title="mean cost ½|x − y|²", ylim=(0, None))
    gap = float(np.abs(sinkhorn - walk.matrix).max())
    data = {"x": x, "sinkhorn": sinkhorn, "swaps": walk.matrix, "cost": walk.cost}
    return Drawn(fig, data, "the plans differ at finite n", gap > 0.02, f"largest difference of entries {gap:.2f}")


@figure("agarwal2024", "clustering", "V = +I: Sinkhorn attention aggregates; eigenvalues near 1 count the clusters")
@styled
def clustering(*, full: bool, seed: int) -> Drawn:
    """Forty tokens, fifty steps x ← bary(x), and the spectrum of the attention matrix."""
    eps, steps, moments = 0.1, 50, (0, 5, 50)
    x = np.random.default_rng(seed).uniform(-2, 2, size=(40, 2))
    run = bridge(x, eps, steps=steps, step=Reverse())
    places = np.asarray(run.x)
    fig = new_figure(7.6, 3.3)
    left, right = fig.subplots(1, 2)
    left.plot(places[:, :, 0], places[:, :, 1], color=SLATE, lw=0.6, alpha=0.6)
    left.plot(*places[0].T, "o", color=PALETTE[0], ms=3.5, alpha=0.5)
    left.plot(*places[-1].T, "o", color=PALETTE[1], ms=5)
    left.set(aspect="equal", title="blue: first, red: after 50 layers")
    spectra = {}
    for k, colour in zip(moments, (PALETTE[0], PALETTE[4], PALETTE[1])):
        spectra[k] = np.sort(np.linalg.eigvals(self_transport(places[k], eps).matrix()).real)[::-1]
        right.plot(range(1, 41), spectra[k], "o-", ms=3, lw=1, color=colour, label=f"layer {k}")
    right.set(xlabel="index", ylabel="eigenvalue of P", title="Spectrum of the attention matrix")
    right.legend()
    near, count = int(np.sum(spectra[steps] > 0.99)), clusters(run.last, tol=0.1 * np.sqrt(eps)).count
    right.axvline(near + 0.5, color=INK, lw=0.8, ls=":")
    data = {"x": places} | {f"spectrum {k}": v for k, v in spectra.items()}
    observed = f"{near} eigenvalues above 0.99, {int(count)} clusters"
    return Drawn(fig, data, "as many eigenvalues near 1 as separated clusters", near == int(count), observed, run.notes)
