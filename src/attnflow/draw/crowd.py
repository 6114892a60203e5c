"""Runs of so many tokens that only their density can be seen."""

from __future__ import annotations

from dataclasses import dataclass

import equinox as eqx
import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.patches import Circle, Polygon

from ..engine.flow import Flow
from ..engine.measures import Particles
from ..engine.observe.histogram import Histogram, density
from ..engine.spaces import Sphere
from ..errors import BadInput
from ..theory.limits.gathering import Gathering, gathering
from .marks import bare
from .style import PALETTE, SEQUENTIAL, SLATE, styled
from .view import View, view_of

CROWD = 20_000
"""Beyond this many tokens pictures show densities."""

SAMPLE = 4096
"""Tokens whose way tells which times to show, and that are counted."""


@dataclass(frozen=True)
class Crowd:
    """A run ready to be drawn as a density at any of its saved times."""

    kind: str
    ts: np.ndarray
    x: np.ndarray
    """A sample of the tokens, the same at all times."""
    densities: list[Histogram]
    view: View
    note: str

    def draw(self, ax, index: int, *, trail: int = 0) -> None:
        seen = self.densities[index]
        match self.kind:
            case "circle":
                draw_ring(ax, seen)
            case "sphere":
                draw_globe(ax, seen, view=self.view)
            case _:
                draw_field(ax, seen)


def crowd_of(run) -> Crowd:
    """Densities, groups and a sample of a run of many tokens."""
    xs, mass = np.asarray(run.states.x), np.asarray(run.mass)
    is_sphere = isinstance(run.flow, Flow) and isinstance(run.flow.space, Sphere)
    d = xs.shape[-1]
    if d > 3:
        raise BadInput(f"pictures of {xs.shape[1]} tokens are densities, in dimension at most 3, got {d}")
    kind = {2: "circle", 3: "sphere"}.get(d, "plane") if is_sphere else "plane"
    states = [Particles(x[:, :2] if kind == "plane" else x, mass) for x in xs]
    # Some twenty tokens per cell when they are spread out.
    cells = xs.shape[1] / 20
    bins = int(np.clip(cells, 60, 720) if kind == "circle" else np.clip(np.sqrt(2 * cells), 40, 180))
    densities = [density(state, bins=bins) for state in states]
    view = view_of(xs[-1][:: max(1, len(xs[-1]) // SAMPLE)], None) if kind == "sphere" else View()
    sample = xs[:, np.linspace(0, xs.shape[1] - 1, SAMPLE).astype(int)]
    note = f"densities of {xs.shape[1]:,} tokens, on a logarithmic scale"
    return Crowd(kind, np.asarray(run.ts), sample, densities, view, note)


def sample_gathering(run) -> Gathering:
    """The groups of a run, of very many tokens those of an even sample."""
    states = run.states
    if states.n <= CROWD:
        return gathering(run)
    chosen = np.linspace(0, states.n - 1, SAMPLE).astype(int)
    x, mass = np.asarray(states.x)[:, chosen], np.asarray(states.mass)[:, chosen]
    some = Particles(x, mass / mass.sum(axis=1, keepdims=True))
    return gathering(eqx.tree_at(lambda r: r.states, run, some))


@styled
def draw_ring(ax, seen: Histogram, *, inner: float = 0.62):
    """The density on the circle as a crown: bars grow inwards and outwards with the logarithm of the density."""
    edges, height = seen.edges[0], np.log10(1 + 1e3 * seen.density / seen.density.max()) / np.log10(1001)
    angle, height = np.repeat(edges, 2)[1:-1], np.repeat(height, 2)
    outline = [_polar(1 + 0.12 * height, angle), _polar(1 - (1 - inner) * height, angle)[::-1]]
    ax.add_patch(Polygon(np.concatenate(outline), facecolor=PALETTE[0], edgecolor="none", zorder=2))
    ax.add_patch(Circle((0, 0), 1, fill=False, edgecolor=SLATE, linewidth=0.8, zorder=1))
    bare(ax, 1.16)


def _polar(radius, angle):
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


@styled
def draw_globe(ax, seen: Histogram, *, view: View | None = None, pixels: int = 320):
    """The density on the visible half of the sphere, seen from afar."""
    from scipy.ndimage import maximum_filter  # half a second to import

    view = View() if view is None else view
    u, v = np.meshgrid(np.linspace(-1, 1, pixels), np.linspace(-1, 1, pixels))
    inside = u**2 + v**2 <= 1
    seen_points = np.stack([u, v, np.sqrt(np.maximum(0, 1 - u**2 - v**2))], axis=-1)
    points = seen_points @ view.of(np.eye(3)).T
    cells = [_cell(np.arctan2(points[..., 1], points[..., 0]), seen.edges[0]), _cell(points[..., 2], seen.edges[1])]
    # A cluster within one cell would be too small a dot to see.
    image = maximum_filter(_shown(seen.density)[tuple(cells)], size=5)
    ax.imshow(
        np.where(inside, image, np.nan),
        extent=(-1, 1, -1, 1), origin="lower", norm=_scale(seen.density), cmap=SEQUENTIAL, interpolation="bilinear",
    )  # fmt: skip
    ax.add_patch(Circle((0, 0), 1, fill=False, edgecolor=SLATE, linewidth=0.8))
    bare(ax, 1.06)


@styled
def draw_field(ax, seen: Histogram):
    """The density in the plane."""
    (left, right), (low, high) = ((edge[0], edge[-1]) for edge in seen.edges[:2])
    image = _shown(seen.density).T
    ax.imshow(image, extent=(left, right, low, high), origin="lower", norm=_scale(seen.density), cmap=SEQUENTIAL)
    ax.set(xlabel="$x_1$", ylabel="$x_2$")


def _cell(values, edges):
    return np.clip(((values - edges[0]) / (edges[1] - edges[0])).astype(int), 0, len(edges) - 2)


def _shown(values):
    """Empty cells take the lowest colour."""
    return np.maximum(values, values.max() * 1e-4)


def _scale(values):
    return LogNorm(values.max() * 1e-4, values.max())
