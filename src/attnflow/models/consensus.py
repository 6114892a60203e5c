"""Consensus of a block: the point where all tokens are equal, and whether it attracts."""

from __future__ import annotations

from dataclasses import dataclass

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ..engine.attention import Attention, MultiHead
from ..engine.flow import Block
from ..engine.flow.block import Passing
from ..engine.linalg.arguments import as_annotated
from ..engine.linalg.matrices import as_array
from ..engine.measures import Particles
from ..engine.summation.tiled import Tiled
from ..errors import BadInput

MOST, STARTS = 1000, 8
"""Layers after which a single token that has not come to rest is said not to, and random starts."""


@dataclass(frozen=True)
class Consensus:
    """A fixed point of one token, and the eigenvalues of the layer around it.

    At consensus all values are equal, so weights do not matter: differences between tokens evolve by the layer of one
    token that hears the others at rest (`transverse`), their common motion by the whole layer (`parallel`), whatever the
    number of heads and tokens.
    """

    point: np.ndarray
    transverse: np.ndarray
    parallel: np.ndarray
    residual: float
    """How far one layer still moves the point."""
    maps: tuple[np.ndarray, np.ndarray]
    """The derivatives with those eigenvalues, transverse and parallel."""

    @property
    def verdict(self) -> str:
        """ "stable", "unstable", or why neither can be said."""
        # Newton's steps end at round-off: a hundred times that of the precision, where it is more than a strict bound.
        rounding = 100 * float(np.finfo(self.point.dtype).eps)
        if not self.residual < max(1e-8, rounding):
            return "no fixed point found"
        largest, margin = max(float(np.abs(e).max()) for e in (self.transverse, self.parallel)), max(1e-6, rounding)
        if largest < 1 - margin:
            return "stable"
        return "unstable" if largest > 1 + margin else "marginal"


@as_annotated
def consensus(block: Block, *, start: ArrayLike | None = None, most: int = MOST, seed: int = 0) -> Consensus:
    """The consensus that one token reaches from `start`, or the first that one of some random starts reaches.

    Tokens are passed through the layer up to `most` times, then Newton's method takes over.

    >>> import attnflow as af
    >>> model = af.models.random_albert()
    >>> af.consensus(af.as_flow(model, layer=0)).verdict
    'stable'
    """
    if not isinstance(block, Block) or block.depth is not None:
        raise BadInput("consensus is of one layer applied again and again: as_flow(model, layer=…)")
    if (reason := why_no_consensus(block)) is not None:
        raise BadInput(f"consensus is of layers in which all tokens hear all alike, as in encoders; here {reason}")
    x = np.random.default_rng(seed).normal(size=(STARTS, _dimension(block))) if start is None else start
    x = jnp.atleast_2d(as_array(x, "start")).astype(jnp.result_type(float))
    if x.ndim != 2:
        raise BadInput(f"start is a token, or a list of them, got shape {x.shape}")
    block.check_shapes(x.shape[1])
    ends, moves = _iterated(block, _first(block, x), most)
    u = _newton(block, ends[jnp.argmin(moves)])
    residual, whole, frozen = _around(block, u)
    maps = np.asarray(frozen), np.asarray(whole)
    if not all(np.all(np.isfinite(M)) for M in maps):
        raise BadInput("tokens left the range of numbers: start from smaller ones")
    return Consensus(np.asarray(u), np.linalg.eigvals(maps[0]), np.linalg.eigvals(maps[1]), float(residual), maps)


def why_no_consensus(block: Block) -> str | None:
    """Why tokens of a layer have no consensus to speak of: positions make weights uneven, and then differences mix."""
    return next(filter(None, (rule.why_not_mergeable() for rule in _parts(block, Attention))), None)


def _dimension(block: Block) -> int:
    norms = [s.closing for s in block.sublayers] + [b.before for s in block.sublayers for b in s.branches]
    sizes = [norm.gain.shape[-1] for norm in norms if norm is not None]
    sizes += [heads.Q.shape[-1] for heads in _parts(block, MultiHead)]
    if not sizes:
        raise BadInput("the layer does not say its dimension: give consensus(block, start=…), one token")
    return sizes[0]


def _parts(block: Block, kind) -> list:
    return [b.part for s in block.sublayers for b in s.branches if isinstance(b.part, kind)]


def _first(block: Block, x):
    closing = block.sublayers[-1].closing
    return x if closing is None or not block.is_on_sphere else closing.direction(x)


def _alone(block: Block, u):
    """One token, whose attention hears itself alone, after one layer."""
    return _after(block, u, None)


def _frozen(block: Block, u, at):
    """The same where attention hears tokens that stay at `at`."""
    return _after(block, u, at)


def _after(block: Block, u, at):
    moved, held = _begin(block, u), None if at is None else _begin(block, at)
    alone = Particles(u[None])
    for sublayer in block.sublayers:
        said = _said(sublayer, moved.y, moved.y if held is None else held.y, alone)
        moved = _closed(block, sublayer, moved, said)
        if held is not None:
            held = _closed(block, sublayer, held, _said(sublayer, held.y, held.y, alone))
    return moved.u[0]


def _begin(block: Block, u) -> Passing:
    if not block.is_on_sphere:
        return Passing(u[None], u[None], jnp.ones((), u.dtype))
    closing = block.sublayers[-1].closing
    assert closing is not None
    return Passing(u[None], closing.read(u[None]), closing.radius(u))


def _said(sublayer, y, heard, alone):
    """What branches say to a token y that listens to `heard`."""
    return sum(b.says(y, alone, Tiled(), heard=heard) for b in sublayer.branches)


def _closed(block: Block, sublayer, before: Passing, said) -> Passing:
    if not block.is_on_sphere:
        y = before.y + said if sublayer.closing is None else sublayer.closing(before.y + said)
        return Passing(y, y, before.radius)
    u = sublayer.closing.direction(before.y + said)
    return Passing(u, sublayer.closing.read(u), sublayer.closing.radius(u))


@eqx.filter_jit
def _iterated(block: Block, starts, most: int):
    """Where starts have gone after `most` layers, or once one of them rests, and how far the last layer moved each."""
    layer = jax.vmap(lambda u: _alone(block, u))

    def step(state):
        k, u, _ = state
        new = layer(u)
        return k + 1, new, jnp.max(jnp.abs(new - u), axis=1)

    def goes_on(state):
        return (state[0] < most) & (jnp.min(state[2]) > 1e-11)

    return jax.lax.while_loop(goes_on, step, (0, starts, jnp.full(len(starts), jnp.inf, starts.dtype)))[1:]


@eqx.filter_jit
def _newton_step(block: Block, u):
    """A step towards u = layer(u), and how far the layer moves u before it."""
    move = _alone(block, u) - u
    J = jax.jacfwd(lambda v: _alone(block, v) - v)(u)
    return u - jnp.linalg.solve(J, move), jnp.max(jnp.abs(move))


def _newton(block: Block, u):
    """A few steps, kept while they help."""
    best, size = u, np.inf
    for _ in range(8):
        new, moved = _newton_step(block, u)
        if not float(moved) < size:
            break
        best, size, u = u, float(moved), new
    return best


@eqx.filter_jit
def _around(block: Block, u):
    """How far a layer moves u, and its derivatives there, whole and with attention frozen."""
    whole = jax.jacfwd(lambda v: _alone(block, v))(u)
    return jnp.max(jnp.abs(_alone(block, u) - u)), whole, jax.jacfwd(lambda v: _frozen(block, v, u))(u)
