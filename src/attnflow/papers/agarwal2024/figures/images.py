"""Images through Sinkhorn attention: digits, resolved after reduction, and Fashion-MNIST, which is not."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from ....draw.style import INK, PALETTE, SLATE, new_figure, styled
from ....engine.evolution.trajectory import Trajectory
from ....theory.heat.bridge import bridge
from ...figure import Drawn, figure
from .data import Images, digits, fashion_mnist


@figure("digits", "Handwritten digits through the heat flow, resolved and not")
@styled
def digits_flow(*, full: bool, seed: int) -> Drawn:
    """Three principal components at ε = 0.2 are resolved; all 64 pixels at ε = 0.1 are frozen."""
    raw = digits()
    resolved, frozen = raw.reduced(3), raw.reduced(64)
    runs = {
        "3 components, ε = 0.2": (resolved, bridge(resolved.x, 0.2, steps=4)),
        "64 pixels, ε = 0.1": (frozen, bridge(frozen.x, 0.1, steps=4)),
    }
    return _drawn(
        runs, "the reduced flow is resolved; the unreduced one warns", lambda notes: not notes[0] and bool(notes[1])
    )


@figure("fashion", "Fashion-MNIST through Sinkhorn attention: frozen, not diffused")
@styled
def fashion_flow(*, full: bool, seed: int) -> Drawn:
    """The poster's experiment (n = 1000, d = 784, ε = 100) next to a resolved version."""
    count, steps = (1000, 400) if full else (500, 8)
    images = fashion_mnist(part="all" if full else "test").some(count, seed=seed)
    plain = Images(2 * images.x - 1, images.labels, images.shape)
    reduced = plain.reduced(2)
    eps = 30.0
    runs = {
        "784 pixels, ε = 100": (plain, bridge(plain.x, 100.0, steps=steps, save=max(1, steps // 4))),
        f"2 components, ε = {eps:g}": (reduced, bridge(reduced.x, eps, steps=4)),
    }
    pixels = runs["784 pixels, ε = 100"][1]
    is_frozen = pixels.series("self_weight")[-1] > 0.9
    drawn = _drawn(
        runs,
        "all pixels: frozen (each token hears itself alone), with a warning",
        lambda notes: is_frozen and any("not resolved" in note for note in notes[0]),
    )
    erratum = "The panels of the poster look equal because the tokens froze; its times are step indices, not k·ε."
    return Drawn(drawn.figure, drawn.data, drawn.expected, drawn.held, drawn.observed, (*drawn.notes, erratum))


def _drawn(runs: dict[str, tuple[Images, Trajectory]], expected: str, is_expected) -> Drawn:
    fig = new_figure(8.2, 3.6)
    columns: Any = fig.subfigures(1, 2, width_ratios=(1.55, 1))
    grids = columns[0].subfigures(2, 1)
    for part, (name, (images, run)) in zip(grids, runs.items()):
        _pictures(part, name, images, run)
    _resolution(columns[1], runs)
    notes = [run.notes for _, run in runs.values()]
    data = {
        f"{name} {key}": run.series(key) for name, (_, run) in runs.items() for key in ("self_weight", "perplexity")
    }
    seen = {name: run.series("self_weight") for name, (_, run) in runs.items()}
    last = [f"{name}: self weight {own[0]:.3g} at first, {own[-1]:.3g} in the last step" for name, own in seen.items()]
    return Drawn(
        fig, data, expected, bool(is_expected(notes)), "; ".join(last), tuple(n for group in notes for n in group)
    )


def _pictures(part, name, images: Images, run: Trajectory):
    """The same image at the saved steps."""
    axes = part.subplots(1, len(run.ts))
    steps = np.round(np.asarray(run.ts) / run.flow.eps).astype(int)
    pictures = [images.pictures(np.asarray(x)[:1])[0] for x in run.x]
    low, high = pictures[0].min(), pictures[0].max()
    for axis, picture, k in zip(axes, pictures, steps):
        axis.imshow(picture, cmap="gray_r", vmin=low, vmax=high)
        axis.set(xticks=[], yticks=[])
        axis.set_title(f"step {k}", fontsize=8, color=SLATE)
        axis.spines[:].set_visible(False)
    part.suptitle(name, fontsize=9.5, color=INK)


def _resolution(part, runs):
    weight, perplexity = part.subplots(2, 1, sharex=True)
    for (name, (_, run)), colour in zip(runs.items(), PALETTE):
        steps = np.arange(len(run.layers))
        weight.plot(steps, run.series("self_weight"), "o-", ms=3.5, color=colour, label=name)
        perplexity.semilogy(steps, run.series("perplexity"), "o-", ms=3.5, color=colour)
    weight.axhline(0.2, color=SLATE, lw=0.8, ls=":")
    perplexity.axhline(10, color=SLATE, lw=0.8, ls=":")
    weight.set(ylabel="weight of a token on itself", ylim=(-0.05, 1.05))
    perplexity.set(ylabel="tokens heard (perplexity)", xlabel="step")
    for axis, level, words, va in (
        (weight, 0.2, "resolved below", "top"),
        (perplexity, 10, "resolved above", "bottom"),
    ):
        axis.text(
            0.98, level, words, transform=axis.get_yaxis_transform(), ha="right", va=va, fontsize=7.5, color=SLATE
        )
    perplexity.xaxis.set_major_locator(MaxNLocator(integer=True))
    weight.legend(fontsize=7.5, loc="center right")
