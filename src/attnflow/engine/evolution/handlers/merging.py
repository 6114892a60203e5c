"""Merging: tokens that have become equal go on as one heavier token, so that long metastable runs stay cheap.

Inside a cluster tokens contract at rate one and would tie every step to that rate; without them steps grow as large as
the slow motion of the clusters allows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from ....errors import BadInput
from ...flow.rescaled import Rescaled
from ...linalg.matrices import is_concrete
from ...measures import Particles
from ..options import Options
from ..stepping import is_fixed
from ..trajectory import Merge
from .base import Change, Handler, Problem, wrapped

SMALLEST = 256
"""Below this many tokens a smaller array is not worth another compilation."""

FEW = 512
"""Up to so many rows all pairs are compared after every step; beyond, neighbours along one direction."""

LOOK = 64
"""Steps between two exact looks where only neighbours are compared."""


class Copies(eqx.Module):
    """A flow in which rows copy the velocity of the row they have become."""

    flow: Any
    leader: Int[Array, "n"]

    @property
    def state_space(self):
        return self.flow.state_space

    def enter(self, x):
        return self.flow.enter(x)

    def leave(self, x):
        return self.flow.leave(x)

    def field(self, mu, t, summation):
        return self.flow.field(mu, t, summation)[self.leader]


class Merging(Handler):
    """Unites rows that come within `tol` of each other."""

    tol: Float[Array, ""]
    leader: Int[Array, "n"]
    """For each row the one it copies: itself, or row 0 for rows that only fill up."""
    axis: Float[Array, "d"]
    """The direction along which many rows are compared."""

    def begin(self, problem, record):
        x = np.asarray(_on(problem.flow.state_space, problem.rows.x))
        return united(self, problem, Tally(x, np.asarray(problem.rows.mass), record.owner), record)

    def wrap(self, flow):
        return Copies(flow, self.leader)

    def event(self, now):
        rows = now.rows
        is_leader = self.leader == jnp.arange(rows.n)
        if rows.n <= FEW:
            apart = jnp.sum((rows.x[:, None] - rows.x[None]) ** 2, axis=-1)
            pairs = is_leader[:, None] & is_leader[None] & ~jnp.eye(rows.n, dtype=bool)
            return jnp.any(pairs & (apart < self.tol**2))
        place = jnp.where(is_leader, rows.x @ self.axis, jnp.inf)
        order = jnp.argsort(place)
        apart = jnp.sum((rows.x[order[1:]] - rows.x[order[:-1]]) ** 2, axis=1)
        near = (apart < self.tol**2) & is_leader[order[1:]]
        # A few at once: each look at all pairs, and each change of the rows, costs more than a step.
        return jnp.sum(near) >= max(1, rows.n // LOOK)

    def due(self, problem):
        return LOOK if len(self.leader) > FEW else super().due(problem)

    def handle(self, problem, segment, record):
        is_due = len(self.leader) > FEW and segment.steps >= LOOK
        is_end = record.t >= float(record.clock.ts[-1])
        if not (segment.is_fired or is_due or (is_end and len(self.leader) > FEW)):
            return None
        count = record.owner.max() + 1
        tally = Tally(np.asarray(problem.rows.x)[:count], np.asarray(problem.rows.mass)[:count], record.owner)
        found = united(self, problem, tally, record)
        return None if found is problem else Change(found)

    def notes(self, record):
        return merging_note(record.merges, record.representatives)


class Tally(NamedTuple):
    """The rows still moving, and what each original token has become."""

    x: np.ndarray
    mass: np.ndarray
    owner: np.ndarray
    """For each original token, its row in x."""


def merging(options: Options, flow, mu: Particles) -> Merging:
    """The handler of a run whose tokens merge."""
    _check(flow, mu, options)
    dtype = mu.x.dtype
    # Any direction serves; a fixed one compiles once.
    axis = np.random.default_rng(0).normal(size=mu.d).astype(dtype)
    return Merging(jnp.asarray(options.merge, dtype), jnp.arange(mu.n), jnp.asarray(axis))


def united(handler: Merging, problem: Problem, tally: Tally, record) -> Problem:
    """The problem with rows within the tolerance united, if there are any."""
    space = wrapped(problem).state_space
    new, merges = _unite(tally, space, float(handler.tol), record.t)
    if not merges:
        return problem
    record.owner, record.merges = new.owner, record.merges + merges
    rows, dtype = _padded(new), problem.rows.x.dtype
    fields = jnp.asarray(rows.x, dtype), jnp.asarray(rows.mass, dtype)
    moved = eqx.tree_at(lambda m: (m.x, m.mass), problem.rows, fields)
    again = Merging(handler.tol, jnp.asarray(rows.owner), handler.axis)
    return problem._replace(rows=moved, owner=jnp.asarray(new.owner)).with_handler(handler, again)


def _padded(tally: Tally) -> Tally:
    """Rows up to a power of four times the smallest size: few shapes, few compilations. Padding copies row 0."""
    count, size = len(tally.x), SMALLEST
    while size < count:
        size *= 4
    size = min(size, len(tally.owner)) if len(tally.owner) >= count else count
    extra = size - count
    x = np.concatenate([tally.x, np.repeat(tally.x[:1], extra, axis=0)])
    mass = np.concatenate([tally.mass, np.zeros(extra)])
    return Tally(x, mass, np.concatenate([np.arange(count), np.zeros(extra, int)]))


def _unite(tally: Tally, space, tol, t) -> tuple[Tally, tuple[Merge, ...]]:
    """Connected groups of tokens within tol become their centre of mass; repeated until none are left."""
    merges: tuple[Merge, ...] = ()
    while True:
        pairs = KDTree(tally.x).query_pairs(tol, output_type="ndarray")
        if len(pairs) == 0:
            return tally, merges
        tally, new = _contract(tally, pairs, space, t)
        merges += new


def _contract(tally, pairs, space, t):
    n = len(tally.x)
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    count, group = connected_components(graph, directed=False)
    mass = np.bincount(group, tally.mass, count)
    share = np.where(mass[group] > 0, tally.mass, 1.0)
    weight = np.bincount(group, share, count)
    centre = np.stack([np.bincount(group, share * column, count) / weight for column in tally.x.T], axis=1)
    centre = _retracted(centre, space, rows=len(tally.owner))
    shift = np.linalg.norm(centre[group] - tally.x, axis=1)
    owner = group[tally.owner]
    united = np.flatnonzero(np.bincount(group) > 1)
    new = tuple(
        Merge(t, tuple(int(i) for i in np.flatnonzero(owner == g)), float(shift[group == g].max())) for g in united
    )
    return Tally(centre, mass, owner), new


def _retracted(x: np.ndarray, space, *, rows: int) -> np.ndarray:
    """Points of the space, filled up to the rows of the first prompt: whatever their number, one compilation."""
    filled = np.concatenate([x, np.repeat(x[:1], rows - len(x), axis=0)])
    return np.asarray(_on(space, filled))[: len(x)]


@eqx.filter_jit
def _on(space, x):
    return space.retract(x)


def merging_note(merges: tuple[Merge, ...], labels: np.ndarray) -> tuple[str, ...]:
    """What merging did, with a bound on how far it moved any token."""
    moved = np.zeros(len(labels))
    for merge in merges:
        moved[list(merge.tokens)] += merge.displacement
    left = len(np.unique(labels))
    return (f"{len(merges)} merges left {left} of {len(labels)} tokens; none was moved by more than {moved.max():.2e}",)


def _check(flow, mu, options):
    if is_fixed(options.method):
        raise BadInput("merging needs an adaptive method")
    if not is_concrete(mu.x, mu.mass, options.until, options.start):
        raise BadInput("merging changes the number of tokens and cannot be traced by jit, vmap or grad")
    if isinstance(flow, Rescaled):
        raise BadInput("rescaled tokens cannot merge: a small distance in z may be a large one in x")
    if (reason := flow.attention.why_not_mergeable()) is not None:
        raise BadInput(reason)
