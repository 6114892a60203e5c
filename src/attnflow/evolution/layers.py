"""Discrete Transformer layers, in the conventions of the papers."""

from __future__ import annotations

from dataclasses import replace

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..flow import Flow, Particles_at, check_fits
from ..matrices import is_concrete, is_positive
from ..measures import Gaussian, Measure, Particles
from ..rescaled import Rescaled, discrete
from ..summation import choose
from .noisy import is_noisy
from .trajectory import Stride, Trajectory, finite_part, trimmed

UPDATES = ("residual", "projected", "replace")


def layers(flow: Flow | Rescaled, mu: Measure, count: int, eta: float, *, update="residual", summation="auto"):
    r"""Pass the prompt through `count` layers of step η and keep every layer.

    `update` is what a layer does: `"residual"` $x \leftarrow N(x + \eta a)$, the map of all published codes, whose clock
    is slow by up to $1/(1+\eta)$ on the sphere; `"projected"` $x \leftarrow N(x + \eta\,\Pi_x a)$; `"replace"`
    $x \leftarrow N(a)$, without the residual. N normalises on the sphere and does nothing in R^d.
    On a rescaled flow: $z^{k+1} = z^k + \eta\sum_j P_{ij}R^{-1}V(z_j - z_i)$ with $R = I + \eta V$, which is not Euler's
    method for z. Source: Geshkovski et al., arXiv 2305.05465 Remark 3.4 and 2312.10794 section 2.
    """
    _check(count, eta, update)
    match mu:
        case Particles():
            check_fits(flow, mu)
            if is_noisy(flow):
                raise ValueError("layers have no noise: use evolve, or a flow without noise")
            return _of_particles(flow, mu, count, eta, update, choose(summation, flow, mu))
        case Gaussian():
            from .gaussian import gaussian_layers

            if not isinstance(flow, Flow):
                raise ValueError("layers of a Gaussian take a plain flow, not a rescaled one")
            return replace(gaussian_layers(flow, mu, count, eta), stride=_stride("layers", eta))
    raise ValueError(f"layers take Particles or a Gaussian, got {type(mu).__name__}")


def _check(count, eta, update):
    if not isinstance(count, int | np.integer) or count < 1:
        raise ValueError(f"count must be a positive number of layers, got {count!r}")
    if not is_positive(eta):
        raise ValueError(f"eta must be a positive step, got {eta!r}")
    if update not in UPDATES:
        raise ValueError(f"update must be one of {', '.join(UPDATES)}, got {update!r}")


def _of_particles(flow, mu, count, eta, update, summation):
    stepped = discrete(flow, eta) if isinstance(flow, Rescaled) else flow
    if isinstance(flow, Rescaled) and update != "residual":
        raise ValueError('rescaled layers have one form only: update="residual"')
    eta = jnp.asarray(eta, mu.x.dtype)
    start = Particles_at(mu, stepped.enter(flow.state_space.retract(mu.x)))
    x = stepped.leave(_scan(stepped, start, eta, count, update, summation))
    ts = eta * jnp.arange(count + 1)
    name = "layers" if update == "residual" else f"{update} layers"
    return _trajectory(flow, mu, ts, x, _stride(name, eta))


def _stride(name, eta):
    return Stride(name, float(eta)) if is_concrete(eta) else None


@eqx.filter_jit
def _scan(flow, mu, eta, count, update, summation):
    def layer(x, k):
        x = _update(flow, Particles_at(mu, x), eta * k, eta, update, summation)
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


def _trajectory(flow, mu, ts, x, stride):
    """Layers up to the first that is not finite."""
    ts, status = finite_part(ts, x)
    states = eqx.tree_at(lambda m: (m.x, m.mass), mu, (x, jnp.broadcast_to(mu.mass, x.shape[:-1])))
    count = jnp.sum(jnp.isfinite(ts)) - 1
    return trimmed(Trajectory(ts, states, flow, status, count, jnp.zeros_like(count), stride=stride))
