"""Basins of attraction: which cluster a token would join, had it started elsewhere."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.patches import Circle

from ...engine.evolution import evolve
from ...engine.flow import Flow, check_fits
from ...engine.measures import Particles
from ...engine.observe.clusters import clusters
from ...engine.spaces import Sphere
from ...errors import BadInput, quoted
from ..marks import bare
from ..style import INK, MIST, PALETTE, SLATE, styled
from ..view import View, view_of


@styled
def draw_basins(
    ax, flow: Flow, mu: Particles, *, until: float, pixels: int = 48, tol: float = 1e-6, width: float = 1.3, view=None
):
    """Every pixel in the colour of the cluster that a token from there has joined at time `until`; dots are the tokens.

    Pixels are tokens of mass 0, which listen and are not heard. On S² the visible half is shown, in R² the square of
    `width` times the largest coordinate. Pixels that have joined no cluster of tokens stay grey.
    """
    check_fits(flow, mu)
    on_sphere, d = isinstance(flow.space, Sphere), mu.d
    if d != (3 if on_sphere else 2):
        raise BadInput(f"basins are drawn on S² (d = 3) and in the plane (d = 2), got d = {d} in {quoted(flow.space)}")
    if not 4 <= pixels <= 400:
        raise BadInput(f"pixels must lie between 4 and 400 a side, got {quoted(pixels)}")
    x = np.asarray(mu.x, float)
    view = view_of(x, np.asarray(mu.mass, float)) if on_sphere and view is None else view
    half = 1.0 if on_sphere else width * (np.abs(x).max() or 1.0)
    probes, inside = _probes(pixels, half, view)
    joined = joins(flow, mu, probes, until=until, tol=tol)
    picture = np.full((pixels, pixels, 3), 1.0)
    picture[inside] = [to_rgb(MIST) if k < 0 else to_rgb(PALETTE[k % len(PALETTE)]) for k in joined]
    image = ax.imshow(picture, extent=(-half, half, -half, half), origin="lower", alpha=0.75)
    seen = x if view is None else view.of(x)[view.of(x)[:, 2] >= 0]
    ax.scatter(*seen[:, :2].T, s=9, color=INK, linewidths=0, zorder=3)
    if on_sphere:
        ax.add_patch(Circle((0, 0), 1, fill=False, edgecolor=SLATE, linewidth=0.8))
        bare(ax, 1.06)
    return image


def joins(flow: Flow, mu: Particles, probes, *, until: float, tol: float = 1e-6) -> np.ndarray:
    """For every probe the cluster of tokens, heaviest first, that it lies in at time `until`; −1: none."""
    x, mass = np.asarray(mu.x), np.asarray(mu.mass)
    both = Particles(np.concatenate([x, np.asarray(probes, x.dtype)]), np.append(mass, np.zeros(len(probes))))
    run = evolve(flow, both, until=until, save=2, tol=tol)
    if run.status.name != "DONE":
        raise BadInput(f"basins need a run that reaches until = {until:g}, but this one: {run.status}")
    last = np.asarray(run.x[-1], float)
    found = clusters(Particles(last[: mu.n], mass), tol=_NEAR * np.abs(last[: mu.n]).max())
    centres = np.asarray(found.centres, float)[np.argsort(-np.asarray(found.mass), kind="stable")]
    apart = np.linalg.norm(last[mu.n :, None] - centres, axis=-1)
    return np.where(apart.min(axis=1) < _NEAR * np.abs(centres).max(), apart.argmin(axis=1), -1)


_NEAR = 0.05
"""Of one cluster: a twentieth of the largest coordinate, as an eye would say of a picture."""


def _probes(pixels: int, half: float, view: View | None):
    """Points under the middles of pixels, and which pixels have one."""
    side = half * (2 * np.arange(pixels) + 1 - pixels) / pixels
    u, v = np.meshgrid(side, side)
    if view is None:
        return np.stack([u.ravel(), v.ravel()], axis=-1), np.full(u.shape, True)
    inside = u**2 + v**2 < 1
    u, v = u[inside], v[inside]
    return np.stack([u, v, np.sqrt(1 - u**2 - v**2)], axis=-1) @ view.of(np.eye(3)).T, inside
