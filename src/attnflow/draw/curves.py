"""Quantities against time."""

from __future__ import annotations

import itertools

import numpy as np
from matplotlib.ticker import NullLocator

from ..engine.measures import Particles
from ..engine.observe.cosines import cosines
from .curve import draw_curve
from .energies import Energies, energies_of, normalised_energies
from .style import PALETTE, SLATE, styled


@styled
def draw_energy(ax, run, *, convention=None, log_time=None, groups=None):
    """The energy of a run between 0 and 1 with the levels theory singles out; in a `convention`, its plain value."""
    found = normalised_energies(run, groups) if convention is None else energies_of(run, convention=convention)
    return draw_energies(ax, found, log_time=log_time)


@styled
def draw_energies(ax, found: Energies, *, log_time=None):
    """An energy curve with its levels; says so if there is none."""
    if not len(found.values):
        return _said(ax, found.name)
    draw_curve(ax, found.ts, found.values, name=found.name, log_time=log_time)
    for level in found.levels:
        ax.axhline(level.value, color=SLATE, linewidth=0.8, linestyle="--" if level.is_bound else ":", zorder=1)
    for place, level in zip(_apart([level.value for level in found.levels]), found.levels):
        ax.annotate(
            level.words, (1.01, place), xycoords=("axes fraction", "data"), va="center", fontsize=7.5, color=SLATE
        )
    if found.is_normalised:
        ax.set_ylim(-0.03, 1.05)
    elif found.is_wide:
        ax.set_yscale("log")
    return ax


def _apart(values, room: float = 0.085) -> list[float]:
    """Places of labels at these values, moved so that they do not overlap."""
    order = np.argsort(values)
    places = np.asarray(values, float)
    for before, after in itertools.pairwise(order):
        places[after] = max(places[after], places[before] + room)
    return list(places)


@styled
def draw_counts(ax, ts, counts, *, log_time=None, name="clusters"):
    """The number of clusters over time, on a logarithmic axis when it falls from many to few; 0 is spread out."""
    draw_curve(ax, ts, counts, name=name, colour=PALETTE[1], log_time=log_time, steps=True)
    most = int(np.max(counts))
    if most > 20:
        ax.set_yscale("log")
        ax.set_ylim(0.85, 1.3 * most)
        ticks = [k for k in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000) if k <= most]
        ax.set_yticks(ticks if len(ticks) < 8 else [k for k in ticks if str(k)[0] == "1"], minor=False)
        ax.yaxis.set_major_formatter("{x:.0f}")
        ax.yaxis.set_minor_locator(NullLocator())
    else:
        ax.set_ylim(0, most + 0.5)
        ax.yaxis.get_major_locator().set_params(integer=True)
    return ax


@styled
def draw_cosines(ax, run, *, band=(0.05, 0.95), log_time=None):
    """The median cosine of pairs of tokens over time, with a band between two quantiles."""
    xs, masses, ts = (np.asarray(a, float) for a in (run.states.x, run.states.mass, run.ts))
    if xs.shape[1] < 2:
        return _said(ax, "one token has no pairs")
    finite = np.isfinite(xs).all(axis=(1, 2))
    found = [cosines(Particles(x, m)) for x, m in zip(xs[finite], masses[finite])]
    low, middle, high = np.array([each.quantile((band[0], 0.5, band[1])) for each in found]).T
    draw_curve(ax, ts[finite], middle, name=r"$\langle x_i, x_j\rangle$", colour=PALETTE[2], log_time=log_time)
    ax.fill_between(ts[finite], low, high, color=PALETTE[2], alpha=0.18, linewidth=0)
    ax.set_ylim(-1.05, 1.05)
    return ax


@styled
def draw_leading(ax, ts, values, *, colours, groups=None, log_time=None):
    r"""Every token's coordinate $\varphi_1^*(z_i)$ along the dominant eigenvector of V: its limits are hyperplanes."""
    for column, colour in zip(np.asarray(values).T, colours):
        draw_curve(ax, ts, column, name=r"$\varphi_1^*(z_i)$", colour=tuple(colour), log_time=log_time)
    for line in ax.lines:
        line.set(alpha=0.45, linewidth=0.9)
    for centre in () if groups is None else groups.last.centres[:, 0]:
        ax.axhline(centre, color=SLATE, linewidth=0.8, linestyle=":")
        ax.annotate("plane", (1.01, centre), xycoords=("axes fraction", "data"), va="center", fontsize=7.5, color=SLATE)
    return ax


@styled
def draw_radii(ax, run, *, colours, log_time=None):
    """The length of every token that carries one."""
    for column, colour in zip(np.linalg.norm(np.asarray(run.x, float), axis=-1).T, colours):
        draw_curve(ax, run.ts, column, name=r"radius $|x_i|$", colour=tuple(colour), log_time=log_time)
    for line in ax.lines:
        line.set(alpha=0.5, linewidth=0.9)
    return ax


@styled
def draw_band(ax, ts, values, *, name="", colour=None, label=None, log_time=None):
    """The median of many values over time between the least and the greatest: `values` has shape (k, n)."""
    colour, values = colour or PALETTE[2], np.asarray(values, float)
    draw_curve(ax, ts, np.median(values, axis=1), name=name, colour=colour, label=label, log_time=log_time)
    ax.fill_between(np.asarray(ts, float), values.min(axis=1), values.max(axis=1), color=colour, alpha=0.2, linewidth=0)
    return ax


def _said(ax, words):
    ax.set_axis_off()
    ax.text(0.5, 0.5, words, ha="center", va="center", color=SLATE, wrap=True, transform=ax.transAxes, fontsize=9)
    return ax
