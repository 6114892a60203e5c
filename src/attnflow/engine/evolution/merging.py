"""Merging: tokens that have become equal go on as one heavier token, so that long metastable runs stay cheap.

Inside a cluster tokens contract at rate one and would tie every step to that rate; without them steps grow as large as
the slow motion of the clusters allows. Tokens that are one copy the velocity of their representative.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from ...errors import BadInput
from ..flow import check_fits
from ..flow.rescaled import Rescaled
from ..linalg.matrices import is_concrete
from ..measures import Particles
from ..summation.tiled import over_tiles
from .clock import Clock, clock_of
from .options import Options, constant
from .solve import integrate
from .stepping import is_fixed
from .trajectory import CODE, Merge, Status, Trajectory

SMALLEST = 256
"""Below this many tokens a smaller array is not worth another compilation."""


class Merged(eqx.Module):
    """A flow in which merged tokens copy the velocity of the token they have become."""

    flow: Any
    leader: Int[Array, "n"]
    tol: Float[Array, ""]

    @property
    def state_space(self):
        return self.flow.state_space

    def enter(self, x):
        return x

    def leave(self, x):
        return x

    def field(self, mu, t, summation):
        return self.flow.field(mu, t, summation)[self.leader]

    def stops(self, x: Float[Array, "n d"], t) -> Bool[Array, ""]:
        """Whether two tokens that are still different have come within the tolerance."""
        n, d = x.shape
        own = jnp.arange(n)
        is_leader = self.leader == own

        def near(rows):
            tokens, index = rows
            apart = jnp.sum((tokens[:, None, :] - x[None, :, :]) ** 2, axis=-1)
            pairs = is_leader[None, :] & is_leader[index][:, None] & (own[None, :] < index[:, None])
            return jnp.any(pairs & (apart < self.tol**2), axis=1)

        return jnp.any(over_tiles(near, (x, own), max(16, 2**20 // (n * d) + 1)))


class Tally(NamedTuple):
    """The tokens still moving, and what each original token has become."""

    x: np.ndarray
    mass: np.ndarray
    owner: np.ndarray
    """For each original token, its row in x."""


def evolve_merging(flow, mu: Particles, options: Options) -> Trajectory:
    """A run that unites tokens closer than `options.merge`."""
    check_fits(flow, mu)
    _check(flow, mu, options)
    clock = clock_of(options, flow, mu=mu).planned(is_merging=True)
    tally = Tally(np.asarray(_on(flow.state_space, mu.x)), np.asarray(mu.mass), np.arange(mu.n))
    tally, merges = _unite(tally, flow, options.merge, float(options.start))
    rows, t, total, rejected, code = {}, float(options.start), 0, 0, None
    while code is None:
        reached, ending, tally = _segment(flow, mu, tally=tally, clock=clock, t=t, options=options)
        rows |= {k: (x[tally.owner], _labels(tally)) for k, x in reached.items() if k < clock.kept}
        t, total, rejected = float(ending.t), total + int(ending.steps), rejected + int(ending.rejected)
        if int(ending.code) == CODE["DONE"] or not ending.is_touch:
            code = int(ending.code)
            break
        tally, new = _unite(tally, flow, options.merge, t)
        merges += new
        if total > options.max_steps:
            code = CODE["OUT_OF_STEPS"]
    status, counts = Status(jnp.asarray(code), jnp.asarray(t)), (jnp.asarray(total), jnp.asarray(rejected))
    return _trajectory(flow, mu, ts=np.asarray(clock.ts), rows=rows, tally=tally, merges=merges, how=(status, *counts))


class Segment(NamedTuple):
    t: float
    code: int
    steps: int
    rejected: int
    is_touch: bool


def _segment(flow, mu, *, tally: Tally, clock: Clock, t, options):
    """Integrate until two tokens touch or the run ends."""
    arrays, dtype = _padded(tally), mu.x.dtype
    merged = Merged(flow, jnp.asarray(arrays.owner), jnp.asarray(options.merge, dtype))
    here = mu.moved_to(jnp.asarray(arrays.x, dtype))
    here = eqx.tree_at(lambda m: m.mass, here, jnp.asarray(arrays.mass, dtype))
    ts, xs, ending = integrate(merged, here, clock=clock.onward(t), summation=options.strategy(flow, here))
    reached = np.isfinite(np.asarray(ts)) & (np.asarray(clock.ts) >= t)
    count = len(tally.x)
    xs = np.asarray(xs)
    saved = {int(k): xs[k, :count] for k in np.flatnonzero(reached)}
    code = int(ending.code)
    touched = code == CODE["TOUCH"]
    end = Segment(float(ending.t), code, int(ending.steps), int(ending.rejected), touched)
    return saved, end, tally._replace(x=np.asarray(ending.x)[:count])


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


def _unite(tally: Tally, flow, tol, t) -> tuple[Tally, tuple[Merge, ...]]:
    """Connected groups of tokens within tol become their centre of mass; repeated until none are left."""
    merges: tuple[Merge, ...] = ()
    while True:
        pairs = KDTree(tally.x).query_pairs(tol, output_type="ndarray")
        if len(pairs) == 0:
            return tally, merges
        tally, new = _contract(tally, pairs, flow, t)
        merges += new


def _contract(tally, pairs, flow, t):
    n = len(tally.x)
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    count, group = connected_components(graph, directed=False)
    mass = np.bincount(group, tally.mass, count)
    share = np.where(mass[group] > 0, tally.mass, 1.0)
    weight = np.bincount(group, share, count)
    centre = np.stack([np.bincount(group, share * column, count) / weight for column in tally.x.T], axis=1)
    centre = _retracted(centre, flow.state_space, rows=len(tally.owner))
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


def _labels(tally: Tally) -> np.ndarray:
    """Each original token's representative: the first token that shares its row."""
    _, first = np.unique(tally.owner, return_index=True)
    return first[np.searchsorted(np.unique(tally.owner), tally.owner)]


def _trajectory(flow, mu, *, ts, rows, tally, merges, how):
    order, status = sorted(rows), how[0]
    times, xs, labels = ts[order], [rows[k][0] for k in order], [rows[k][1] for k in order]
    if int(status.code) != CODE["DONE"] and (not order or times[-1] < float(status.time)):
        times = np.append(times, float(status.time))
        xs.append(tally.x[tally.owner])
        labels.append(_labels(tally))
    x = np.stack(xs).astype(mu.x.dtype)
    mass = np.broadcast_to(np.asarray(mu.mass), x.shape[:-1])
    states = eqx.tree_at(lambda m: (m.x, m.mass), mu, (constant(x), constant(mass)))
    ts, notes = constant(times.astype(mu.x.dtype)), merging_note(merges, _labels(tally))
    return Trajectory(ts, states, flow, *how, labels=constant(np.stack(labels)), merges=merges, notes=notes)


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
