"""How the tokens of a run gather: clusters, parallel planes or points, counted at its saved times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...engine.evolution.trajectory import Trajectory
from ...engine.flow.rescaled import Rescaled
from ...engine.linalg.arguments import as_annotated
from ...engine.linalg.matrices import Schedule
from ...engine.measures import Particles
from ...engine.observe.clusters import SAME
from ...engine.observe.components import extent
from ...engine.observe.robust_linkage import WIDEST, Groups, groups_of
from ...engine.spaces import Sphere
from ...errors import BadInput
from .value_matrix import classify

Kind = Literal["clusters", "planes", "points"]

MOST_TIMES = 400
"""Saved times at which tokens are counted."""
MOST_TOKENS = 400_000
"""Tokens times saved times; of more, they are counted at fewer times."""
NARROWEST = 0.03
"""Groups in the variables of a rescaled flow are narrower than this share of the size."""


@dataclass(frozen=True)
class Gathering:
    """Groups of tokens at saved times (all, unless there are very many); planes are groups of one coordinate."""

    kind: Kind
    at: np.ndarray
    """The saved times, as indices."""
    ts: np.ndarray
    groups: tuple[Groups, ...]
    leading: np.ndarray | None = None
    r"""$\varphi_1^*(z_i)$ at all saved times, where theory sends rescaled tokens to hyperplanes of this coordinate."""

    @property
    def counts(self) -> np.ndarray:
        """The number of groups; 0 while tokens are spread out."""
        return np.array([each.count for each in self.groups])

    @property
    def last(self) -> Groups:
        return self.groups[-1]

    @property
    def labels(self) -> np.ndarray:
        return np.stack([each.labels for each in self.groups])


@as_annotated
def gathering(run: Trajectory, *, least: float | None = None) -> Gathering:
    r"""Groups of tokens at saved times: of all distances between r and s, most in the logarithm give this number.

    At twelve distances from r to s, in equal ratios, tokens are joined by single linkage through those that have others
    near (Chaudhuri and Dasgupta 2010; of more than 1000 a sample). A group holds at least 1 % of the mass (`least`) and
    two tokens, nine tenths of it within s of its centre; centres of two groups are apart by 1.6 times the sum of their
    widths, and groups wider than r have eight tokens on average. The number that holds at most distances, weighted by
    the mass in groups, counts; 0, if groups hold less than half of it: tokens are spread out. Of at most 24 tokens every
    one is a group while it is alone, so spread-out ones are as many groups as tokens.

    - r is 1 % of the size: of the radius of the sphere, else of the extent of the tokens.
    - s is $(\beta\|B\|)^{-1/2}$, how far a token hears, between 4r and 35r; with noise σ up to $5\sigma/\sqrt2$ or 70r.

    So two clusters become one at distance $r^{5/11}s^{6/11}$: on the sphere 0.068 for β = 9.
    Rescaled flows: planes, if V has one leading direction, else points; every token counts, r is 0.5 % and s is 3 %.

    >>> import attnflow as af
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0)
    >>> run = af.evolve(flow, mu, until=20.0)
    >>> af.gathering(run).counts[[0, -1]].tolist()
    [8, 2]
    """
    if not isinstance(run.states, Particles) or run.states.x.ndim != 3:
        raise BadInput("groups are of one run of Particles; take a member of a batch")
    x, mass, ts = (np.asarray(a, float) for a in (run.states.x, run.states.mass, run.ts))
    finite = np.flatnonzero(np.isfinite(x).all(axis=(1, 2)))
    if not len(finite):
        raise BadInput("no saved state of this run is finite: there is nothing to count")
    if isinstance(getattr(run.flow, "space", None), Sphere):
        x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    most = max(2, min(MOST_TIMES, MOST_TOKENS // x.shape[1]))
    at = finite[np.unique(np.linspace(0, len(finite) - 1, min(len(finite), most)).astype(int))]
    kind, leading = _kind(run.flow, x)
    seen = x if leading is None else leading[..., None]
    first = extent(seen[finite[0]])
    rule = getattr(run.flow, "attention", None)
    reach = None if rule is None else rule.length_scale(x.shape[-1])
    groups = tuple(_groups(run.flow, seen[k], mass[k], first, least, reach) for k in at)
    return Gathering(kind, at, ts[at], groups, leading)


def _kind(flow, x) -> tuple[Kind, np.ndarray | None]:
    if not isinstance(flow, Rescaled):
        return "clusters", None
    # A rescaled run without a basis has a value matrix that no theorem speaks of.
    found = None if flow.basis is None else classify(flow.V, x.shape[-1])
    return ("planes", x @ found.left[0]) if found is not None and found.case == "hyperplane" else ("points", None)


def _groups(flow, x, mass, first: float, least, reach: float | None) -> Groups:
    size = 1.0 if isinstance(getattr(flow, "space", None), Sphere) else max(first, extent(x))
    if isinstance(flow, Rescaled):
        return groups_of(x, mass, resolution=SAME / 2 * size, scale=NARROWEST * size, least=least or 0.0)
    return groups_of(x, mass, resolution=SAME * size, scale=_scale(flow, reach, size), least=least)


def _scale(flow, reach: float | None, size: float) -> float:
    """The widest a group may be: what attention or noise can hold together."""
    widest = min(WIDEST * size, max(4 * SAME * size, np.inf if reach is None else reach))
    noise = getattr(flow, "noise", None)
    if noise is None or isinstance(noise, Schedule):
        return widest
    # Attention pulls a token to its cluster at a rate near 1, so noise spreads it by σ/√2 in every direction.
    return min(2 * WIDEST * size, max(widest, 5 * float(noise) / np.sqrt(2)))
