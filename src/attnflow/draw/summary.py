"""One figure that tells a run: tokens at four times, and curves that say how they gather."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ..flow import Flow
from ..linalg.matrices import Schedule
from ..measures import Gaussian
from .curves import draw_cosines, draw_counts, draw_energy, draw_leading, energies_of
from .ellipses import draw_ellipse, draw_spectrum, ellipse_box
from .scene import GROWTH, Scene, scene_of, telling_times
from .style import SLATE, new_figure, styled


@styled
def summary_figure(run, *, log_time: bool | None = None) -> Figure:
    """Tokens at four telling times, then energy and number of clusters over time; for a Gaussian, its ellipses.

    Cosines of pairs stand in for an energy that is not known, and for a count that says nothing: no clusters form.
    Rescaled tokens that gather on hyperplanes show the coordinate that tells these apart.
    Colours follow the clusters of the last saved time that has several; marker areas are masses.
    """
    if isinstance(run.states, Gaussian):
        return _gaussian_summary(run, log_time)
    scene = scene_of(run)
    has_energy = len(energies_of(run).values) > 0
    is_round = scene.kind in ("circle", "sphere")
    figure, tops, bottoms = _frame(2 if has_energy or is_round else 1)
    chosen = telling_times(scene)
    for ax, before, index in zip(tops, [0, *chosen], chosen):
        scene.draw(ax, index, trail=index - before)
        ax.set_title(in_words(scene.ts[index]))
    _empty(tops[len(chosen) :])
    if has_energy:
        draw_energy(bottoms[0], run, log_time=log_time)
    elif len(bottoms) > 1:
        draw_cosines(bottoms[0], run, log_time=log_time)
    if isinstance(scene, Scene) and scene.leading is not None:
        draw_leading(bottoms[-1], scene.ts, scene.leading, colours=scene.colours, log_time=log_time)
    elif has_energy and is_round and isinstance(scene, Scene) and 2 * scene.counts.min() > scene.counts.max() > 2:
        draw_cosines(bottoms[-1], run, log_time=log_time)
    else:
        draw_counts(bottoms[-1], scene.ts[scene.counted], scene.counts, log_time=log_time)
    figure.suptitle(describe(run), fontsize=11.5)
    if scene.note:
        figure.supxlabel(scene.note, fontsize=8.5, color=SLATE)
    return figure


def describe(run) -> str:
    """The rule, temperature, number and dimension of tokens in one line."""
    flow = getattr(run.flow, "flow", run.flow)
    parts = []
    if isinstance(flow, Flow):
        rule = flow.attention
        beta = getattr(getattr(rule, "score", None), "beta", None)
        parts = [type(rule).__name__.lower() + " attention"]
        if beta is not None and not isinstance(beta, Schedule):
            parts.append(rf"$\beta = {float(beta):.4g}$")
    if flow is not run.flow:
        parts.append(type(run.flow).__name__.lower())
    if not isinstance(run.states, Gaussian):
        parts.append(f"$n = {run.states.n}$")
    parts.append(f"$d = {run.states.d}$")
    return ", ".join(parts)


def _frame(count: int):
    """A row of four pictures above a row of curves."""
    figure = new_figure(10.0, 5.1)
    parts: Any = figure.subfigures(2, 1, height_ratios=[1.35, 1], hspace=0.03)
    upper, lower = parts
    return figure, upper.subplots(1, 4), np.atleast_1d(lower.subplots(1, count))


def _gaussian_summary(run, log_time):
    figure, tops, (bottom,) = _frame(1)
    ts, means, covs = (np.asarray(a, float) for a in (run.ts, run.mean, run.cov))
    chosen = np.unique(np.linspace(0, len(ts) - 1, 4).astype(int))
    sizes = np.trace(covs, axis1=1, axis2=2)
    is_shared = sizes.max() <= GROWTH**2 * max(sizes.min(), np.finfo(float).tiny)
    shared = ellipse_box(means, covs) if is_shared else None
    for ax, index in zip(tops, chosen):
        draw_ellipse(ax, means[index], covs[index], limits=shared)
        ax.set_title(in_words(ts[index]))
    _empty(tops[len(chosen) :])
    draw_spectrum(bottom, ts, covs, log_time=log_time)
    figure.suptitle(describe(run), fontsize=11.5)
    if means.shape[1] > 2:
        figure.supxlabel(f"the first two of {means.shape[1]} coordinates", fontsize=8.5, color=SLATE)
    return figure


def _empty(axes):
    for ax in axes:
        ax.set_axis_off()


def in_words(t) -> str:
    """A time as a title."""
    if t != 0 and not 1e-3 <= abs(t) < 1e5:
        return f"$t = {_power(t)}$"
    return f"$t = {float(t):.0f}$" if abs(t) >= 1000 else f"$t = {float(t):.3g}$"


def _power(t) -> str:
    mantissa, exponent = f"{float(t):.1e}".split("e")
    factor = "" if mantissa == "1.0" else rf"{mantissa} \times "
    return rf"{factor}10^{{{int(exponent)}}}"
