"""Lyapunov exponent along depth: how fast small differences between prompts grow, layer by layer."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..errors import BadInput
from ..evolution import Trajectory
from ..flow import Block
from ..flow.block import Passing
from ..summation.tiled import Tiled


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
    v = jax.random.normal(jax.random.key(seed), mu.x.shape, mu.x.dtype)  # pyright: ignore[reportAttributeAccessIssue]
    at = block.begin(mu.x)  # pyright: ignore[reportAttributeAccessIssue]
    tangent = jax.jvp(block.begin, (mu.x,), (v / jnp.linalg.norm(v),))[1]  # pyright: ignore[reportAttributeAccessIssue]
    rates, size = [], jnp.linalg.norm(tangent.u)
    for k in range(len(run.ts) - 1 if count is None else count):
        tangent = jax.tree.map(lambda a: a / size, tangent)  # noqa: B023 — used at once
        at, tangent = _pushed(block, at, tangent, mu, jnp.asarray(k))
        size = jnp.linalg.norm(tangent.u)
        rates.append(float(jnp.log(size)))
    return np.array(rates)


@eqx.filter_jit
def _pushed(block: Block, at: Passing, tangent: Passing, mu, k):
    return jax.jvp(lambda a: block.pass_through(a, mu, k=k, eta=1.0, summation=Tiled()), (at,), (tangent,))
