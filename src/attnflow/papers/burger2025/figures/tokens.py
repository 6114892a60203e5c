"""Figures of Burger et al. 2025 (arXiv 2501.03096): single tokens, antipodal pairs, the energy diagram."""

from __future__ import annotations

import numpy as np

from ....draw.sphere import draw_sphere
from ....draw.style import INK, PALETTE, SLATE, new_figure, styled
from ....draw.view import View
from ....theory.sphere.interaction_energy import interaction_energy
from ....theory.sphere.steady.predicted_states import maximum
from ...figure import Drawn, figure
from .layers import ascent, last_layer, random_starts

VIEW = View(-60, 22)
DIAG = r"\mathrm{diag}"
CAPTION_UNSEEN = "the printed caption was not seen; parameters are those of the authors' code"


@figure("1", "One token climbs to the top eigenvector")
@styled
def single_tokens(*, full: bool, seed: int) -> Drawn:
    starts = random_starts((30, 1, 3), seed)
    panels = {"a": np.eye(3), "b": np.diag([1.0, 3.0, 4.0])}
    # 1 + η⟨x,g⟩ stays positive although η‖B‖e^{‖B‖} > 1: ascent on a positive kernel only shortens the step.
    ends = {name: np.asarray(last_layer(ascent(B), starts, 0.1, 500))[:, 0] for name, B in panels.items()}
    moved = np.abs(ends["a"] - starts[:, 0]).max()
    off = (1 - np.abs(ends["b"][:, 2])).max()
    energies = np.exp(np.einsum("ni,ij,nj->n", ends["b"], panels["b"], ends["b"]))
    fig = new_figure(7.2, 3.7)
    for (name, B), ax in zip(panels.items(), fig.subplots(1, 2)):
        _coloured_sphere(ax, B, starts[:, 0] if name == "a" else ends[name], fig)
        ax.set_title(f"({name})  $B = {'I' if name == 'a' else DIAG + '(1, 3, 4)'}$")
    held = bool(moved < 1e-12 and off < 1e-9)
    observed = f"(a) largest move {moved:.1e}; (b) largest distance 1 − |x₃| {off:.1e}, mean E {energies.mean():.5f}"
    expected = "(a) tokens do not move, E = e; (b) all end at ±e₃ with E = e⁴ = 54.59815"
    return Drawn(
        fig, {"starts": starts, "a": ends["a"], "b": ends["b"], "energy_b": energies}, expected, held, observed
    )


def _coloured_sphere(ax, B, x, fig, view=VIEW):
    """The sphere seen from outside, coloured by ⟨x, Bx⟩, with tokens on it."""
    draw_sphere(ax, x, view=view, colours=PALETTE[1])
    u, v = np.meshgrid(np.linspace(-1, 1, 401), np.linspace(-1, 1, 401))
    inside = u**2 + v**2 <= 1
    seen = np.stack([u, v, np.sqrt(np.maximum(0, 1 - u**2 - v**2))], -1)
    points = seen @ view.of(np.eye(3)).T
    values = np.where(inside, np.einsum("...i,ij,...j->...", points, B, points), np.nan)
    lowest, highest = np.linalg.eigvalsh(B)[[0, -1]]
    pad = 0.5 if highest == lowest else 0.0
    image = ax.imshow(
        values, extent=(-1, 1, -1, 1), origin="lower", zorder=0.5, cmap="cividis", alpha=0.55,
        vmin=lowest - pad, vmax=highest + pad,
    )  # fmt: skip
    bar = fig.colorbar(image, ax=ax, shrink=0.7, pad=0.02, aspect=24)
    bar.set_label(r"$\langle x, Bx\rangle$")
    bar.outline.set_visible(False)


@figure("6", "Negative definite scores: antipodal pairs")
@styled
def antipodal_pairs(*, full: bool, seed: int) -> Drawn:
    panels = {
        "a": (-np.eye(3), 6, np.cosh(1.0), "$B = -I$"),
        "b": (np.diag([-1.0, -3.0, -4.0]), 100 if full else 30, np.cosh(4.0), rf"$B = {DIAG}(-1,-3,-4)$"),
        "c": (np.diag([-1.0, 0.0, 0.0]), 10, np.cosh(1.0), rf"$B = {DIAG}(-1,0,0)$ (unused mode)"),
    }
    fig, data, lines, held = new_figure(8.6, 3.3), {}, [], True
    for k, (ax, (name, (B, runs, bound, title))) in enumerate(zip(fig.subplots(1, 3), panels.items())):
        x = np.asarray(last_layer(ascent(B), random_starts((runs, 100, 3), seed + k), 0.1, 500))
        axis, share, spread = _pairs(x)
        energies = np.array([interaction_energy(tokens, np.full(100, 0.01), B=B) for tokens in x])
        p = np.maximum(share, 1 - share)
        lam = np.einsum("ni,ij,nj->n", axis, B, axis)
        closed = (p**2 + (1 - p) ** 2) * np.exp(lam) + 2 * p * (1 - p) * np.exp(-lam)
        _segments(ax, axis)
        ax.set_title(f"({name})  {title}")
        data |= {f"{name}_axis": axis, f"{name}_share": share, f"{name}_energy": energies, f"{name}_spread": spread}
        close = (
            np.all(spread < 1e-2)
            and np.allclose(energies, closed, rtol=1e-3)
            and np.all(energies <= bound * (1 + 1e-12))
        )
        held = held and bool(close)
        lines.append(f"({name}) mean E {energies.mean():.4f} ≤ {bound:.6g}, shares {p.min():.2f}–{p.max():.2f}")
    expected = "every run ends in an antipodal pair, E = (p²+q²)e^λ + 2pq e^{−λ}: about 1.542, 27.2 and 1.54"
    return Drawn(fig, data, expected, held, "; ".join(lines), (CAPTION_UNSEEN,))


def _pairs(x):
    """Axis, share on its positive end and worst deviation from the axis, for every run."""
    axis = np.array([np.linalg.eigh(tokens.T @ tokens)[1][:, -1] for tokens in x])
    cosine = np.einsum("rnd,rd->rn", x, axis)
    return axis, np.mean(cosine > 0, axis=1), 1 - np.abs(cosine).min(axis=1)


def _segments(ax, axis, view=VIEW):
    ends = np.concatenate([axis, -axis])
    colours = np.array([PALETTE[k % len(PALETTE)] for k in range(len(axis))] * 2)
    draw_sphere(ax, ends, view=view, colours=list(colours))
    for k, z in enumerate(view.of(axis)):
        ax.plot([z[0], -z[0]], [z[1], -z[1]], color=PALETTE[k % len(PALETTE)], linewidth=1.1, alpha=0.8, zorder=1.6)


@figure("7", "Which clusters have most energy for B = diag(−1, λ₂)")
@styled
def energy_diagram(*, full: bool, seed: int) -> Drawn:
    l2 = np.linspace(-1, 1, 100)
    curves = {"e^l2": np.exp(l2), "cosh 1": np.full(100, np.cosh(1.0)), "cosh l2": np.cosh(l2)}
    best = np.array([maximum(np.diag([-1.0, v])).energy for v in l2])
    crossing, tip = np.log(np.cosh(1.0)), np.tanh(1.0)
    fig = new_figure(5.6, 3.7)
    ax = fig.subplots()
    ax.axvspan(0, tip, color=PALETTE[4], alpha=0.13, linewidth=0, label="both locally stable")
    names = (
        r"one cluster at $e_2$: $e^{\lambda_2}$",
        r"pair at $\pm e_1$: $\cosh 1$",
        r"pair at $\pm e_2$: $\cosh\lambda_2$",
    )
    for (_, values), name, colour in zip(curves.items(), names, PALETTE):
        ax.plot(l2, values, color=colour, label=name)
    ax.plot(l2, best, color=INK, linewidth=4, alpha=0.16, zorder=1, label="maximum over all measures")
    ax.plot([crossing], [np.cosh(1.0)], "o", color=INK, markersize=4, zorder=5)
    ax.annotate(rf"$\lambda_2 = \ln\cosh 1 = {crossing:.5f}$", (crossing, np.cosh(1.0)), (-0.62, 1.95), color=INK,
                arrowprops={"arrowstyle": "-", "color": SLATE, "linewidth": 0.7})  # fmt: skip
    ax.set(xlabel=r"$\lambda_2$", ylabel="energy $E$", xlim=(-1, 1), ylim=(0.3, 2.8))
    ax.legend(loc="upper left", fontsize=8)
    switch = l2[np.argmax(curves["e^l2"] > curves["cosh 1"])]
    held = bool(np.allclose(best, np.maximum(curves["e^l2"], np.cosh(1.0))) and 0 <= switch - crossing < l2[1] - l2[0])
    observed = (
        f"the maximum changes between {switch - (l2[1] - l2[0]):.4f} and {switch:.4f}; bistable for 0 < λ₂ < {tip:.6f}"
    )
    data = {"l2": l2, **curves, "maximum": best}
    return Drawn(fig, data, "crossing at λ₂ = 0.433781", held, observed, (CAPTION_UNSEEN, "the bistable band is ours"))
