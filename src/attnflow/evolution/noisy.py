r"""Tokens with noise, $dX = v\,dt + \sigma\,\Pi_X \circ dW$: Brownian motion of the space added to the flow."""

from __future__ import annotations

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import lineax
import numpy as np

from ..flow import Particles_at, check_fits
from ..matrices import at
from .options import constant
from .stepping import Retracted
from .trajectory import Trajectory, finite_part, trimmed

DEFAULT_STEP = 0.01
PURPOSE = 0x6E6F6973  # folds the seed for "nois(e)", so that other draws from the same seed stay independent


def is_noisy(flow) -> bool:
    return getattr(flow, "noise", None) is not None


def evolve_noisy(flow, mu, options) -> Trajectory:
    """One sample path of the noisy flow with steps of a fixed size (Stratonovich Euler–Heun).

    The Brownian path depends on the seed alone, so a smaller step refines the same path.
    """
    check_fits(flow, mu)
    check_noisy(options)
    x = sample_path(flow, mu, key_of(options.seed), *clock(options, mu), options.strategy(flow, mu))
    return noisy_run(flow, mu, x, options)


def check_noisy(options) -> None:
    """Refuse what has no meaning for sample paths, rather than ignore it."""
    if options.merge is not None:
        raise ValueError("tokens with noise never stay equal and cannot merge")
    if options.method != "adaptive":
        raise ValueError(f"noise has a method of its own: leave out method={options.method!r}, give a step")
    for name in ("tol", "steady"):
        if getattr(options, name) is not None:
            raise ValueError(f"{name} is for runs without noise; a sample path takes a step")


def key_of(seed: int):
    return jax.random.fold_in(jax.random.key(seed), PURPOSE)


def clock(options, mu):
    """The save times with the end of the run, the steps, and the finest time the Brownian path resolves."""
    ts = options.to_the_end(options.times(mu))
    steps = options.fixed_steps(ts, DEFAULT_STEP if options.step is None else options.step)
    return ts, steps, constant(np.diff(np.asarray(steps)).min() / 2)


def noisy_run(flow, mu, x, options) -> Trajectory:
    kept, (ends, steps, _) = options.times(mu).shape[0], clock(options, mu)
    ts, status = finite_part(ends, x)
    ts, x = ts[..., :kept], x[..., :kept, :, :]
    masses = jnp.broadcast_to(mu.mass[..., None, :], x.shape[:-1])
    states = eqx.tree_at(lambda m: (m.x, m.mass), mu, (x, masses))
    counts = jnp.full(status.code.shape, len(steps) - 1), jnp.zeros_like(status.code)
    return trimmed(Trajectory(ts, states, flow, status, *counts))


@eqx.filter_jit
def sample_path(flow, mu, key, ts, steps, finest, summation):
    space = flow.state_space

    def drift(t, x, args):
        return flow.field(Particles_at(mu, x), t, summation)

    def spread(t, x, args):
        here, sigma = space.retract(x), at(flow, t).noise.astype(x.dtype)
        return lineax.FunctionLinearOperator(lambda dw: sigma * space.tangent(here, dw), jax.eval_shape(lambda: x))

    shape = jax.ShapeDtypeStruct(mu.x.shape, mu.x.dtype)
    path = diffrax.VirtualBrownianTree(steps[0], steps[-1], tol=finest, shape=shape, key=key)
    solution = diffrax.diffeqsolve(
        diffrax.MultiTerm(diffrax.ODETerm(drift), diffrax.ControlTerm(spread, path)),
        Retracted(diffrax.EulerHeun(), space),
        t0=steps[0],
        t1=steps[-1],
        dt0=None,
        y0=space.retract(mu.x),
        saveat=diffrax.SaveAt(ts=ts, fn=lambda t, x, args: space.retract(x)),
        stepsize_controller=diffrax.StepTo(steps),
        max_steps=steps.shape[0],
        throw=False,
    )
    return solution.ys
