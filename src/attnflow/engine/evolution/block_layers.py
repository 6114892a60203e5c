"""Layers of a block: the Transformer itself, or shares of its layers."""

from __future__ import annotations

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp

from ...errors import BadInput
from ..flow import Block, check_fits, choose
from ..flow.strategy import check_summation
from ..linalg.matrices import is_concrete
from ..measures import Particles
from .gaussian import check_layers
from .trajectory import Stride, Trajectory, finite_part, trimmed


def block_layers(block: Block, mu: Any, count: int, *, eta: Any = 1.0, summation: Any = "auto") -> Trajectory:
    """Pass the prompt through `count` layers of the block, or steps of the share eta of a layer, and keep every one."""
    check_layers(count, eta)
    check_summation(summation)
    if not isinstance(mu, Particles):
        raise BadInput(f"layers of a block take Particles, got {type(mu).__name__}")
    check_fits(block, mu)
    # A whole layer is told by its type: it leaves out what a share of one adds.
    step = 1.0 if is_concrete(eta) and float(eta) == 1.0 else jnp.asarray(eta, mu.x.dtype)
    ts, states, status, done = _passed(block, mu, step, count, choose(summation, block, mu))
    stride = Stride("layers", float(eta)) if is_concrete(eta) else None
    run = Trajectory(ts, states, block, status, done, jnp.zeros_like(done), stride=stride, frame=block.frame)
    return trimmed(run)


@eqx.filter_jit
def _passed(block: Block, mu, eta, count, summation):
    """Times, states, status and number of layers that stayed finite: one program for all of it."""
    x = _scan(block, mu, eta, count, summation)
    ts, status = finite_part(jnp.asarray(eta, mu.x.dtype) * jnp.arange(count + 1), x)
    states = eqx.tree_at(lambda m: (m.x, m.mass), mu, (x, jnp.broadcast_to(mu.mass, x.shape[:-1])))
    return ts, states, status, jnp.sum(jnp.isfinite(ts)) - 1


def _scan(block: Block, mu, eta, count, summation):
    def layer(state, k):
        # Layer ⌊kη⌋: shares of a layer use its weights until it is done.
        index = k if isinstance(eta, float) else jnp.floor(k * eta + 1e-9).astype(int)
        state = block.pass_through(state, mu, k=index, eta=eta, summation=summation)
        return state, state.u

    start = block.begin(mu.x)
    _, xs = jax.lax.scan(layer, start, jnp.arange(count))
    return jnp.concatenate([start.u[None], xs])
