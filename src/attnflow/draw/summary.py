"""One figure that tells a run: tokens at four times, and curves that say how they gather."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ..engine.attention import Heads, Sinkhorn
from ..engine.attention.masks import Positional
from ..engine.evolution.trajectory import Trajectory
from ..engine.flow import Flow
from ..engine.linalg.arguments import as_annotated
from ..engine.linalg.covariance_factor import factor
from ..engine.linalg.matrices import Schedule
from ..engine.linalg.shown import shown
from ..engine.measures import Gaussian
from ..engine.spaces import Euclidean, Sphere
from ..theory.gaussian.scalar_value import modes_of
from ..theory.limits.gathering import Gathering
from .crowd import Crowd, sample_gathering
from .curves import draw_cosines, draw_counts, draw_energies, draw_leading, draw_radii
from .diagrams.columns import draw_column_sums
from .diagrams.merge_tree import draw_merge_tree
from .ellipses import draw_ellipse, draw_spectrum, ellipse_box
from .energies import Energies, normalised_energies
from .reel import Scene
from .scene import GROWTH, scene_of, telling_group, telling_times
from .style import SLATE, new_figure, styled

MOST_COLUMNS = 1000
"""Tokens of a Sinkhorn run whose column sums are drawn."""


@as_annotated
@styled
def summary_figure(
    run: Trajectory, *, log_time: bool | None = None, groups: Gathering | None = None, energies: Energies | None = None
) -> Figure:
    """Tokens at four telling times, then what theory speaks of over time; for a Gaussian, its ellipses.

    Below: the normalised energy with its bounds and plateaus, and the merge tree of the clusters; radii of tokens that
    carry one, column sums of Sinkhorn attention, the leading coordinate of tokens that gather on planes, or cosines of
    pairs where nothing else tells. Colours follow the clusters of the last saved time that has several.

    >>> import attnflow as af
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0)
    >>> run = af.evolve(flow, mu, until=20.0)
    >>> type(af.summary_figure(run)).__name__
    'Figure'
    """
    if isinstance(run.states, Gaussian):
        return _gaussian_summary(run, log_time)
    groups = sample_gathering(run) if groups is None else groups
    scene = scene_of(run, groups=groups)
    panels = panels_of(run, scene, groups, energies, log_time=log_time)
    figure, tops, bottoms = _frame(len(panels))
    chosen = telling_times(scene)
    for ax, before, index in zip(tops, [0, *chosen], chosen):
        scene.draw(ax, index, trail=index - before)
        ax.set_title(in_words(scene.ts[index]))
    _empty(tops[len(chosen) :])
    for ax, draw in zip(bottoms, panels):
        draw(ax)
    figure.suptitle(describe(run), fontsize=11.5)
    figure.supxlabel(_key(scene, groups), fontsize=8.5, color=SLATE)
    return figure


def panels_of(
    run, scene: Scene | Crowd, groups: Gathering, energies: Energies | None = None, *, log_time=None
) -> list[Callable[[Any], Any]]:
    """What draws the curves of a run, at most three, those that tell most first."""
    found = normalised_energies(run, groups) if energies is None else energies
    looks: dict[str, Any] = {"log_time": log_time}
    is_round, panels = scene.kind in ("circle", "sphere"), []
    if len(found.values):
        panels.append(lambda ax: draw_energies(ax, found, **looks))
    elif is_round:
        panels.append(lambda ax: draw_cosines(ax, run, **looks))
    if isinstance(scene, Crowd):
        return [*panels, lambda ax: draw_counts(ax, groups.ts, groups.counts, **looks)]
    if carries_radius(run):
        panels.append(lambda ax: draw_radii(ax, run, colours=scene.colours, **looks))
    if isinstance(getattr(run.flow, "attention", None), Sinkhorn) and run.states.n <= MOST_COLUMNS:
        panels.append(lambda ax: draw_column_sums(ax, run, **looks))
    if groups.leading is not None:
        panels.append(
            lambda ax: draw_leading(ax, scene.ts, groups.leading, colours=scene.colours, groups=groups, **looks)
        )
    elif groups.counts.any():
        mass = np.asarray(run.mass, float)
        panels.append(lambda ax: draw_merge_tree(ax, groups, mass, colours=scene.colours, **looks))
    elif is_round and len(found.values):
        panels.append(lambda ax: draw_cosines(ax, run, **looks))
    return panels or [lambda ax: draw_counts(ax, groups.ts, groups.counts, name=groups.kind, **looks)]


def carries_radius(run) -> bool:
    """Whether tokens have a length besides their direction on the sphere."""
    flow = run.flow
    return isinstance(flow, Flow) and isinstance(flow.space, Sphere) and isinstance(flow.state_space, Euclidean)


def _key(scene, groups: Gathering) -> str:
    """What colours and halos mean, and what else must be said of the picture."""
    if isinstance(scene, Crowd):
        return scene.note
    counted = groups.groups[telling_group(groups.counts)]
    words = []
    if 1 < counted.count <= len(scene.colours) // 2:
        one = {"clusters": "cluster", "planes": "plane", "points": "point"}[groups.kind]
        when = groups.ts[telling_group(groups.counts)]
        words.append(f"colour: {one} at {in_words(when)}" + ("; grey: stragglers" if counted.loose > 1e-9 else ""))
    if np.any(groups.counts > 0):
        words.append("halo: share of the tokens")
    return "; ".join([*words, scene.note] if scene.note else words)


def describe(run) -> str:
    """What distinguishes the run, in one line: rule, temperature, whatever is not the default, number and dimension."""
    flow = getattr(run.flow, "flow", run.flow)
    parts = _of_flow(flow) if isinstance(flow, Flow) else []
    if flow is not run.flow:
        parts.append(type(run.flow).__name__.lower())
    if not isinstance(run.states, Gaussian):
        parts.append(f"$n = {run.states.n}$")
    return ", ".join([*parts, f"$d = {run.states.d}$"])


def _of_flow(flow: Flow) -> list[str]:
    rule, masks = flow.attention, []
    while isinstance(rule, Positional):
        rule, masks = rule.rule, [*masks, type(rule).__name__.lower()]
    kind = f"{len(rule.heads)}-head" if isinstance(rule, Heads) else type(rule).__name__.lower()
    parts, score = [" ".join([*masks, kind, "attention"])], getattr(rule, "score", None)
    if score is not None and not isinstance(score.beta, Schedule):
        beta = float(score.beta)
        parts.append(rf"$\varepsilon = {1 / beta:.4g}$" if isinstance(rule, Sinkhorn) else rf"$\beta = {beta:.4g}$")
    weights = getattr(score, "weights", ())
    facts = {"B": "1" if isinstance(weights, tuple) else shown(weights)} | flow.facts()
    usual = {"B": "1", "V": "1", "normalisation": "PostLN", "feed-forward": None, "noise": None}
    return parts + [f"{name} = {facts[name]}" for name in usual if facts.get(name, usual[name]) != usual[name]]


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
    # A law that shrinks is seen to shrink; one that grows without bound would leave its first ellipse a dot.
    is_shared = sizes.max() <= GROWTH**2 * max(sizes[0], np.finfo(float).tiny)
    shared = ellipse_box(means, covs) if is_shared else None
    for ax, index in zip(tops, chosen):
        draw_ellipse(ax, means[index], covs[index], limits=shared)
        ax.set_title(in_words(ts[index]))
    _empty(tops[len(chosen) :])
    draw_spectrum(bottom, ts, covs, log_time=log_time, known=closed_spectrum(run))
    figure.suptitle(describe(run), fontsize=11.5)
    if means.shape[1] > 2:
        figure.supxlabel(f"the first two of {means.shape[1]} coordinates", fontsize=8.5, color=SLATE)
    return figure


def closed_spectrum(run) -> np.ndarray | None:
    r"""Eigenvalues of $\Sigma(t) = \sum_i m_im_i^\top/(1-t\lambda_i)$ at the saved times, where V = vI and softmax give it."""
    known = modes_of(run.flow, np.asarray(factor(run.cov[0]))) if isinstance(run.flow, Flow) else None
    if known is None:
        return None
    left = 1 - (np.asarray(run.ts, float) - float(run.ts[0]))[:, None] * known.rates
    m = known.vectors
    return np.linalg.eigvalsh(np.einsum("ai,ki,bi->kab", m, 1 / left, m))[:, ::-1]


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
