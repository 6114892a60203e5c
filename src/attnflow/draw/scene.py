"""A run as something to look at: where its tokens are drawn, in which colours, within which limits."""

from __future__ import annotations

import numpy as np

from ..engine.flow import Flow
from ..engine.flow.rescaled import Rescaled
from ..engine.measures import Particles
from ..engine.observe.components import extent
from ..engine.spaces import Sphere
from ..errors import BadInput
from ..theory.limits.gathering import Gathering
from .crowd import CROWD, Crowd, crowd_of, sample_gathering
from .plane import box_around
from .reel import Scene
from .style import colours_of
from .view import View, view_across, view_of

GROWTH = 4.0
"""Runs that grow by more than this get their own limits at every time."""


def scene_of(run, *, groups: Gathering | None = None) -> Scene | Crowd:
    """Choose how to draw a run of tokens: on the circle or sphere, in the plane or space, or on its main axes."""
    if not isinstance(run.states, Particles) or run.states.x.ndim != 3:
        raise BadInput("pictures of tokens need one run of Particles; take a member of a batch")
    if run.states.n > CROWD:
        return crowd_of(run)
    x, mass, ts = (np.asarray(a, float) for a in (run.states.x, run.states.mass, run.ts))
    finite = np.isfinite(x).all(axis=(1, 2))
    if not finite.any():
        raise BadInput("no saved state of this run is finite: there is nothing to draw")
    x, mass, ts = x[finite], mass[finite], ts[finite]
    if isinstance(run.flow, Flow) and isinstance(run.flow.space, Sphere):
        x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    found = sample_gathering(run) if groups is None else groups
    labels = found.groups[telling_group(found.counts)].labels
    kind, shadow, names, note = _kind(x, "z" if isinstance(run.flow, Rescaled) else "x")
    note = note if finite.all() else f"{note}; {np.sum(~finite)} saved times are not finite and left out".lstrip("; ")
    view = _view(kind, shadow[-1], mass[-1])
    return Scene(kind, ts, shadow, mass, colours_of(labels), view, _limits(shadow), names, note)


def telling_times(scene: Scene | Crowd, count: int = 4) -> list[int]:
    """Saved times that tell the story: first, last, and equal shares of the way the tokens go between them."""
    steps = np.sqrt(np.mean(np.sum(np.diff(scene.x, axis=0) ** 2, axis=-1), axis=-1))
    if scene.kind in ("line", "plane", "space", "shadow"):
        # Of the size so far: tokens that met go no way that an eye could see.
        steps = steps / np.maximum.accumulate([extent(x) for x in scene.x[1:]])
    way = np.concatenate([[0.0], np.cumsum(steps)])
    marks = np.searchsorted(way, np.linspace(0, 0.97, count)[1:-1] * way[-1])
    chosen = sorted({0, *(int(mark) for mark in marks), len(way) - 1})
    spare = [k for k in np.linspace(0, len(way) - 1, count).astype(int) if k not in chosen]
    return sorted(chosen + spare[: max(0, count - len(chosen))])


def telling_group(counts) -> int:
    """The last counted time with several groups: in the end there may be only one, which colours nothing."""
    several = np.flatnonzero(counts > 1)
    return int(several[-1]) if len(several) and counts[-1] <= 1 else len(counts) - 1


def _kind(x, letter: str):
    d = x.shape[-1]
    is_unit = bool(np.all(np.abs(np.linalg.norm(x, axis=-1) - 1) < 1e-4))
    names = tuple(f"${letter}_{k + 1}$" for k in range(d)) if d > 1 else (f"${letter}$",)
    if d <= 3:
        return {1: "line", 2: "circle" if is_unit else "plane", 3: "sphere" if is_unit else "space"}[d], x, names, ""
    shadow, share = _shadow(x)
    note = f"{d} dimensions seen along their two main axes, which hold {share:.0%} of the variance"
    return "shadow", shadow, ("first main axis", "second main axis"), note


def _shadow(x):
    """Coordinates along the two directions in which all saved tokens together extend most."""
    pooled = x.reshape(-1, x.shape[-1])
    centre = pooled.mean(axis=0)
    values, axes = np.linalg.eigh(np.cov((pooled - centre).T))
    return (x - centre) @ axes[:, :-3:-1], float(values[-2:].sum() / max(values.sum(), np.finfo(float).tiny))


def _view(kind, x, mass) -> View:
    if kind == "sphere":
        return view_of(x, mass)
    return view_across(x, mass) if kind == "space" and len(x) > 1 else View()


def _limits(x):
    """One box for all times, or one for each when the run grows a lot."""
    sizes = np.array([extent(state) for state in x])
    if sizes.max() <= GROWTH * sizes[0]:
        return [box_around([x.reshape(-1, x.shape[-1])])] * len(x)
    return [box_around([state]) for state in x]
