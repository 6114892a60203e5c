"""Lyapunov exponent along depth: how fast small differences between prompts grow, layer by layer."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..engine.evolution import Trajectory
from ..engine.flow import Block
from ..engine.flow.block import Passing
from ..engine.linalg.arguments import as_annotated
from ..engine.summation.tiled import Tiled
from ..errors import BadInput


@as_annotated
def lyapunov(block: Block, run: Trajectory, *, seed: int = 0, count: int | None = None) -> np.ndarray:
    """The growth rate of a small change of all tokens in each layer (or the first `count`) of a run of `layers(block, …)`.

    Tangent vectors pass through the exact derivative of every layer (jvp) and are shortened again; the first few rates still
    depend on the vector begun with.

    >>> import attnflow as af
    >>> model = af.models.random_albert()
    >>> block = af.as_flow(model, layer=0)
    >>> run = af.layers(block, af.record(model, [3, 1, 4, 1, 5]).at(1), 6)
    >>> af.lyapunov(block, run).shape
    (6,)
    """
    if not isinstance(block, Block) or run.frame != block.frame:
        raise BadInput(f'the run must be one of layers(block, …), in frame "{getattr(block, "frame", None)}"')
    mu = run.at(0)
    v = np.random.default_rng(seed).normal(size=mu.x.shape)  # pyright: ignore[reportAttributeAccessIssue]
    at, tangent = _begun(block, mu, v / np.linalg.norm(v))
    rates = []
    for k in range(len(run.ts) - 1 if count is None else count):
        at, tangent, size = _pushed(block, at, tangent, mu, jnp.asarray(k))
        rates.append(np.log(float(size)))
    return np.array(rates)


@eqx.filter_jit
def _begun(block: Block, mu, way):
    at, tangent = jax.jvp(lambda x: block.resume(block.enter(x)), (mu.x,), (jnp.asarray(way, mu.x.dtype),))
    return at, _shortened(tangent)[0]


@eqx.filter_jit
def _pushed(block: Block, at: Passing, tangent: Passing, mu, k):
    at, tangent = jax.jvp(lambda a: block.pass_through(a, mu, k=k, eta=1.0, summation=Tiled()), (at,), (tangent,))
    return at, *_shortened(tangent)


def _shortened(tangent: Passing):
    """A tangent vector of length 1, and how long it was."""
    size = jnp.linalg.norm(tangent.u)
    return jax.tree.map(lambda a: a / size, tangent), size
