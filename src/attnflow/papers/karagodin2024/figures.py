"""Figure 2 of Karagodin et al. 2024 (arXiv 2411.04990): centres that hold still under causal attention."""

from __future__ import annotations

import numpy as np
from matplotlib.lines import Line2D

from ...draw.style import INK, PALETTE, SLATE, new_figure, styled
from ...engine.attention import Causal, Softmax
from ...engine.evolution import evolve
from ...engine.flow import Flow
from ...engine.measures import Particles
from ...engine.spaces import Sphere
from ...theory.sphere.causal_centres import renyi_centres
from ..figure import Drawn, figure


@figure("causal", "Causal masking: strong Rényi centres hold still")
@styled
def causal(*, full: bool, seed: int) -> Drawn:
    n, beta = (200, 64.0) if full else (100, 64.0)
    angles = np.random.default_rng(seed).uniform(-np.pi, np.pi, n)
    x = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    ts = np.concatenate([[0.0], np.geomspace(0.1, 300.0, 120)])
    run = evolve(Flow(Sphere(), Causal(Softmax(beta=beta))), Particles(x), until=300.0, save=ts, tol=1e-7)
    path = np.asarray(run.x)
    strong = renyi_centres(x, 4 / np.sqrt(beta), is_strong=True)
    turned = np.unwrap(np.arctan2(path[..., 1], path[..., 0]), axis=0)
    fig = new_figure(7.2, 3.6)
    ax = fig.subplots()
    ax.plot(ts[1:], turned[1:], color=PALETTE[0], alpha=0.25, linewidth=0.6)
    ax.plot(ts[1:], turned[1:, strong], color=PALETTE[1], linewidth=1.6)
    ax.plot(ts[1:], turned[1:, 0], color=INK, linewidth=1.6)
    ax.axvline(20.0, color=SLATE, linewidth=0.7, linestyle=(0, (4, 3)))
    ax.set(xscale="log", xlabel="$t$", ylabel="angle", ylim=(-np.pi - 0.6, np.pi + 0.6), xlim=(0.1, 300))
    ax.set_yticks(np.pi * np.arange(-2, 3) / 2, ["−π", "−π/2", "0", "π/2", "π"])
    looks = (INK, "first token"), (PALETTE[1], "strong Rényi centres"), (PALETTE[0], "other tokens")
    handles = [Line2D([], [], color=colour, label=name) for colour, name in looks]
    judged = Line2D([], [], color=SLATE, linewidth=0.7, linestyle=(0, (4, 3)), label="judged up to here")
    ax.legend(handles=[*handles, judged], ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0), fontsize=8.5)
    middle = int(np.searchsorted(ts, 20.0))
    moved = float(np.abs(turned[middle, strong] - turned[0, strong]).max())
    fixed = float(np.abs(path[:, 0] - path[0, 0]).max())
    expected = "the first token (black) never moves; strong Rényi centres (orange) move less than δ = 4/√β up to t = 20"
    delta = 4 / np.sqrt(beta)
    observed = (
        f"{len(strong)} strong centres turned by {moved:.3f} at most (δ = {delta:.3f}); first token moved {fixed:.1e}"
    )
    return Drawn(
        fig,
        {"ts": ts, "x": path, "strong": strong},
        expected,
        bool(moved < 4 / np.sqrt(beta) and fixed < 1e-9),
        observed,
        ("at this temperature the last stage, all tokens at the first, comes far later than any run reaches",),
    )
