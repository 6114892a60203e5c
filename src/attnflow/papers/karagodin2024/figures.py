"""Figure 2 of Karagodin et al. 2024 (arXiv 2411.04990): centres that hold still under causal attention."""

from __future__ import annotations

import numpy as np

from ...attention import Causal, Softmax
from ...draw.style import INK, PALETTE, new_figure, styled
from ...evolution import evolve
from ...flow import Flow
from ...measures import Particles
from ...spaces import Sphere
from ...sphere.causal_centres import renyi_centres
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
    ax.set(xscale="log", xlabel="$t$", ylabel="angle", ylim=(-np.pi - 0.6, np.pi + 0.6))
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
