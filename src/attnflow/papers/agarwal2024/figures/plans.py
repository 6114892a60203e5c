"""The Sinkhorn plan beside the plan of random swaps."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import PowerNorm

from ....draw.style import PALETTE, SEQUENTIAL, new_figure, styled
from ....theory.heat.self_transport import self_transport
from ....theory.heat.swaps import swap_plan
from ...figure import Drawn, figure


@figure("plans", "The Sinkhorn plan and the plan of random swaps")
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
