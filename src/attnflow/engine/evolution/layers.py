"""Discrete Transformer layers, in the conventions of the papers."""

from __future__ import annotations

from dataclasses import replace

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array

from ...errors import BadInput
from ..flow import Block, Flow, check_fits, choose
from ..flow.rescaled import Rescaled, discrete
from ..flow.strategy import check_summation
from ..linalg.arguments import as_annotated, one_of
from ..linalg.matrices import is_concrete
from ..measures import Gaussian, Particles
from ..summation import Summation
from .block_layers import block_layers
from .gaussian import check_layers, gaussian_layers
from .noisy import is_noisy
from .trajectory import Stride, Trajectory, finite_part, trimmed

UPDATES = ("residual", "projected", "replace")


@as_annotated
def layers(
    flow: Flow | Rescaled | Block,
    mu: Particles | Gaussian,
    count: int,
    eta: float | Array = 1.0,
    *,
    update: str = "residual",
    summation: str | Summation = "auto",
) -> Trajectory:
    r"""Pass the prompt through `count` layers of step η and keep every layer.

    `update` is what a layer does: `"residual"` $x \leftarrow N(x + \eta a)$, the map of all published codes, whose clock
    is slow by up to $1/(1+\eta)$ on the sphere; `"projected"` $x \leftarrow N(x + \eta\,\Pi_x a)$; `"replace"`
    $x \leftarrow N(a)$, without the residual. N normalises on the sphere and does nothing in R^d.
    On a rescaled flow: $z^{k+1} = z^k + \eta\sum_j P_{ij}R^{-1}V(z_j - z_i)$ with $R = I + \eta V$, which is not Euler's
    method for z.

    A `Block` is the layer of a Transformer itself, and η the share of it that a step takes (Lie splitting; default 1, the
    real layer). Source: Geshkovski et al., arXiv 2305.05465 Remark 3.4 and 2312.10794 section 2.

    >>> import attnflow as af
    >>> flow = af.Flow(af.Sphere(), af.Softmax())
    >>> run = af.layers(flow, af.uniform_sphere(8, 3, seed=0), 12, 0.5)
    >>> run.x.shape, float(run.ts[-1])
    ((13, 8, 3), 6.0)
    """
    if isinstance(flow, Block):
        return block_layers(flow, mu, count, eta=eta, summation=summation)
    check_layers(count, eta)
    check_summation(summation)
    one_of(update, "update", UPDATES)
    match mu:
        case Particles():
            check_fits(flow, mu)
            if is_noisy(flow):
                raise BadInput("layers have no noise: use evolve, or a flow without noise")
            strategy = choose(summation, flow, mu)
            return _of_particles(flow, mu, count=count, eta=eta, update=update, summation=strategy)
        case Gaussian():
            if not isinstance(flow, Flow):
                raise BadInput("layers of a Gaussian take a plain flow, not a rescaled one")
            return replace(gaussian_layers(flow, mu, count, eta), stride=_stride("layers", eta))
    raise BadInput(f"layers take Particles or a Gaussian, got {type(mu).__name__}")


def _of_particles(flow, mu, *, count, eta, update, summation) -> Trajectory:
    if isinstance(flow, Rescaled) and update != "residual":
        raise BadInput('rescaled layers have one form only: update="residual"')
    stepped = discrete(flow, eta) if isinstance(flow, Rescaled) else flow
    eta = jnp.asarray(eta, mu.x.dtype)
    ts, states, status, done = _passed(flow, stepped, mu, eta, count, update, summation)
    name = "layers" if update == "residual" else f"{update} layers"
    return trimmed(Trajectory(ts, states, flow, status, done, jnp.zeros_like(done), stride=_stride(name, eta)))


def _stride(name, eta):
    return Stride(name, float(eta)) if is_concrete(eta) else None


@eqx.filter_jit
def _passed(flow, stepped, mu, eta, count, update, summation):
    """Times, states, status and number of layers that stayed finite: one program for all of it."""
    start = mu.moved_to(stepped.enter(flow.state_space.retract(mu.x)))
    x = stepped.leave(_scan(stepped, start, eta, count, update, summation))
    ts, status = finite_part(eta * jnp.arange(count + 1), x)
    states = eqx.tree_at(lambda m: (m.x, m.mass), mu, (x, jnp.broadcast_to(mu.mass, x.shape[:-1])))
    return ts, states, status, jnp.sum(jnp.isfinite(ts)) - 1


def _scan(flow, mu, eta, count, update, summation):
    def layer(x, k):
        x = _update(flow, mu.moved_to(x), eta * k, eta, update, summation)
        return x, x

    _, xs = jax.lax.scan(layer, mu.x, jnp.arange(count))
    return jnp.concatenate([mu.x[None], xs])


def _update(flow, mu, t, eta, update, summation):
    if update == "projected" or isinstance(flow, Rescaled):
        moved = mu.x + eta * flow.field(mu, t, summation)
    else:
        push = flow.push(mu, t, summation)
        moved = push if update == "replace" else mu.x + eta * push
    return flow.state_space.retract(moved)
