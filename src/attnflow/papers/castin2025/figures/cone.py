"""Covariances of the plane as points of a cone, and their shapes as points of a disc."""

from __future__ import annotations

import numpy as np

from ....draw.style import INK, MIST, PALETTE, SLATE

MOST_PATHS = 70
"""Of more paths only every second, third … is drawn; every start and end still is."""
JUMP = 0.25
"""Longer steps between saved times are left out."""


def cone_points(cov) -> np.ndarray:
    """(S₁₁ − S₂₂, 2 S₁₂, S₁₁ + S₂₂): the semidefinite cone is |(u, w)| ≤ height, its boundary is rank one."""
    S = np.asarray(cov)
    return np.stack([S[..., 0, 0] - S[..., 1, 1], 2 * S[..., 0, 1], S[..., 0, 0] + S[..., 1, 1]], axis=-1)


def disc_points(cov) -> np.ndarray:
    """The same divided by the trace: the circle is rank one, the centre isotropic."""
    points = cone_points(cov)
    return points[..., :2] / points[..., 2:]


def draw_cone(ax, paths, *, top: float, ends=None, colour=PALETTE[0]):
    """Paths (n, k, 3) inside the cone up to a height, their starts and their ends."""
    angle, height = np.meshgrid(np.linspace(0, 2 * np.pi, 61), [0.0, top])
    ax.plot_surface(height * np.cos(angle), height * np.sin(angle), height, color=MIST, alpha=0.22, linewidth=0)
    ax.plot(top * np.cos(angle[0]), top * np.sin(angle[0]), top, color=SLATE, linewidth=0.6)
    for path in paths:
        ax.plot(*path.T, color=colour, linewidth=0.55, alpha=0.55)
    ax.scatter(*paths[:, 0].T, s=3, color=SLATE, depthshade=False, linewidth=0)
    if ends is not None:
        ax.scatter(*ends.T, s=9, color=PALETTE[1], depthshade=False, linewidth=0, zorder=5)
    ax.set(xlim=(-top, top), ylim=(-top, top), zlim=(0, top), xticks=[], yticks=[], zticks=[0, top])
    ax.set_xlabel("$S_{11}-S_{22}$", labelpad=-12, fontsize=8)
    ax.set_ylabel("$2S_{12}$", labelpad=-12, fontsize=8)
    ax.text2D(1.03, 0.52, r"$\mathrm{tr}\,S$", transform=ax.transAxes, fontsize=8)
    ax.tick_params(pad=-2, labelsize=7)
    ax.view_init(elev=18, azim=-58)
    ax.set_box_aspect((1, 1, 0.8), zoom=1.15)
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.pane.set_visible(False)
        axis.line.set_color(MIST)
    ax.grid(False)


def draw_disc(ax, paths, *, values=None, name: str = "", marks=()):
    """Paths (n, k, 2) of shapes in the unit disc; `values` colour the starts."""
    from matplotlib.collections import LineCollection

    turn = np.linspace(0, 2 * np.pi, 361)
    ax.fill(np.cos(turn), np.sin(turn), color=MIST, alpha=0.25, linewidth=0)
    thin = -(-len(paths) // MOST_PATHS)
    lines = [piece for path in paths[::thin] for piece in _pieces(path)]
    ax.add_collection(LineCollection(lines, colors=SLATE, linewidths=0.6, alpha=0.55))
    look = {"color": PALETTE[0]} if values is None else {"c": values, "cmap": "cividis_r"}
    drawn = ax.scatter(
        *paths[:, 0].T, s=max(4.0, 5200 / len(paths)) if values is not None else 4, linewidth=0, zorder=0.8, **look
    )
    ax.plot(np.cos(turn), np.sin(turn), color=INK, linewidth=0.9)
    ends = paths[:, -1]
    ax.scatter(*ends.T, s=5, color=PALETTE[1], linewidth=0, zorder=4)
    for angle in marks:
        ax.plot(
            1.06 * np.cos(angle),
            1.06 * np.sin(angle),
            marker=(3, 0, np.degrees(angle) + 90),
            color=PALETTE[2],
            markersize=7,
        )
    ax.set(xlim=(-1.14, 1.14), ylim=(-1.14, 1.14), aspect="equal", xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    if values is not None:
        bar = ax.figure.colorbar(drawn, ax=ax, fraction=0.04, pad=0.02)
        bar.set_label(name, fontsize=8)
        bar.outline.set_visible(False)
    return drawn


def _pieces(path):
    """A path cut where it jumps: between two saved times shapes may cross the disc, on a way that is not known."""
    edges = np.flatnonzero(np.linalg.norm(np.diff(path, axis=0), axis=1) > JUMP) + 1
    return [piece for piece in np.split(path, edges) if len(piece) > 1]


def line_angle(l) -> float:
    """Where the rank-one covariance l lᵀ sits on the circle: at twice the angle of l."""
    return 2 * float(np.arctan2(l[1], l[0]))
