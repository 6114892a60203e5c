"""Quantities against time."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import numpy as np
from matplotlib.ticker import NullLocator

from ..flow import Flow
from ..measures import Particles
from ..observe.cosines import cosines
from ..observe.energy import energy, log_energy
from .style import PALETTE, SLATE, styled

MOST_PAIRS = 2 * 10**9
"""Pairs of tokens times saved times an energy curve may cost; of more, it has fewer points."""


def is_geometric(ts) -> bool:
    """Whether saved times grow by factors, so that they should be seen on a logarithmic axis."""
    ts = np.asarray(ts, float)
    steps = np.diff(ts[ts > 0])
    return len(steps) > 2 and bool(steps[-1] > 20 * steps[0])


@styled
def draw_curve(ax, ts, values, *, label=None, colour=None, name="", log_time=None, steps=False):
    """One quantity over time; time is logarithmic when the times are geometric (`log_time` decides otherwise)."""
    ts, values = np.asarray(ts, float), np.asarray(values, float)
    is_log = is_geometric(ts) if log_time is None else log_time
    shown = ts > 0 if is_log else np.ones(len(ts), bool)
    ax.plot(
        ts[shown], values[shown], color=colour or PALETTE[0], label=label, drawstyle="steps-post" if steps else None
    )
    if is_log:
        ax.set_xscale("log")
    ax.set(xlabel="time $t$", ylabel=name)
    if np.ptp(ts[shown]) > 0:
        ax.set_xlim(ts[shown][0], ts[shown][-1])
    ax.grid(axis="y")
    ax.set_axisbelow(True)
    return ax


@dataclass(frozen=True)
class Energies:
    """The energy at saved times (all, unless there are very many tokens); without values, `name` says why."""

    ts: np.ndarray
    values: np.ndarray
    name: str

    @property
    def is_wide(self) -> bool:
        """Whether a logarithmic axis is needed."""
        return bool(self.values.min() > 0 and self.values.max() > 1e3 * self.values.min())


@styled
def draw_energy(ax, run, *, convention=None, log_time=None):
    """The energy of a run, or its logarithm where the energy is too large for a number; says so if there is none."""
    found = energies_of(run, convention=convention)
    if not len(found.values):
        return _said(ax, found.name)
    draw_curve(ax, found.ts, found.values, name=found.name, log_time=log_time)
    if found.is_wide:
        ax.set_yscale("log")
    return ax


def energies_of(run, *, convention=None) -> Energies:
    """The energy of a run at its saved times."""
    if not isinstance(run.flow, Flow) or not isinstance(run.states, Particles):
        return _no_energies("no energy is known for this flow")
    finite = np.flatnonzero(np.isfinite(np.asarray(run.states.x)).all(axis=(1, 2)))
    most = min(len(finite), max(12, MOST_PAIRS // run.states.n**2))
    chosen = finite[np.unique(np.linspace(0, len(finite) - 1, most).astype(int))]
    states, ts = jax.tree.map(lambda a: a[chosen], (run.states, run.ts))
    try:
        values, name = np.asarray(energy(run.flow, states, convention=convention, t=ts)), "energy"
        if not np.all(np.isfinite(values)):
            named = {} if convention is None else {"convention": convention}
            values, name = np.asarray(log_energy(run.flow, states, t=ts, **named)), "log energy"
    except ValueError as error:
        return _no_energies(str(error))
    return Energies(np.asarray(ts), values, name) if np.all(np.isfinite(values)) else _no_energies("not finite")


def _no_energies(reason) -> Energies:
    return Energies(np.empty(0), np.empty(0), reason)


@styled
def draw_counts(ax, ts, counts, *, log_time=None):
    """The number of clusters over time, on a logarithmic axis when it falls from many to few."""
    draw_curve(ax, ts, counts, name="clusters", colour=PALETTE[1], log_time=log_time, steps=True)
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
def draw_leading(ax, ts, values, *, colours, log_time=None):
    r"""Every token's coordinate $\varphi_1^*(z_i)$ along the dominant eigenvector of V: its limits are hyperplanes."""
    for column, colour in zip(np.asarray(values).T, colours):
        draw_curve(ax, ts, column, name=r"$\varphi_1^*(z_i)$", colour=tuple(colour), log_time=log_time)
    for line in ax.lines:
        line.set(alpha=0.45, linewidth=0.9)
    return ax


def _said(ax, words):
    ax.set_axis_off()
    ax.text(0.5, 0.5, words, ha="center", va="center", color=SLATE, wrap=True, transform=ax.transAxes, fontsize=9)
    return ax
