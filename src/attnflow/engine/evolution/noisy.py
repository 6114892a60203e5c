r"""Tokens with noise, $dX = v\,dt + \sigma\,\Pi_X \circ dW$: Brownian motion of the space added to the flow."""

from __future__ import annotations

from dataclasses import replace

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import lineax

from ...errors import BadInput, quoted
from ..flow import check_fits
from ..linalg.matrices import at
from .clock import Clock, clock_of, fixed_steps
from .options import Options
from .stepping import Retracted
from .trajectory import Trajectory, finite_part, trimmed

DEFAULT_STEP = 0.01
PURPOSE = 0x6E6F6973  # folds the seed for "nois(e)", so that other draws from the same seed stay independent


def is_noisy(flow) -> bool:
    return getattr(flow, "noise", None) is not None


def evolve_noisy(flow, mu, options: Options) -> Trajectory:
    """One sample path of the noisy flow with steps of a fixed size (Stratonovich Euler–Heun).

    The Brownian path depends on the seed alone, so a smaller step refines the same path.
    """
    check_fits(flow, mu)
    check_noisy(options)
    clock = noisy_clock(options, flow, mu=mu)
    x = sample_path(flow, mu, key=key_of(options.seed), clock=clock, summation=options.strategy(flow, mu))
    return noisy_run(flow, mu, x=x, clock=clock)


def check_noisy(options: Options) -> None:
    """Refuse what has no meaning for sample paths, rather than ignore it."""
    if options.merge is not None:
        raise BadInput("tokens with noise never stay equal and cannot merge")
    if options.method != "adaptive":
        raise BadInput(f"noise has a method of its own: leave out method={quoted(options.method)}, give a step")
    for name in ("tol", "steady"):
        if getattr(options, name) is not None:
            raise BadInput(f"{name} is for runs without noise; a sample path takes a step")


def key_of(seed: int):
    """The key of a seed; both halves of it count, also where integers have 32 bits."""
    key = jax.random.key(seed & 0xFFFFFFFF)
    return jax.random.fold_in(key if seed < 2**32 else jax.random.fold_in(key, (seed >> 32) & 0xFFFFFFFF), PURPOSE)


def noisy_clock(options: Options, flow, *, mu) -> Clock:
    """The clock of a sample path, whose steps are fixed."""
    clock = clock_of(options, flow, mu=mu)
    step = DEFAULT_STEP if options.step is None else options.step
    return replace(clock, steps=fixed_steps(clock.ts, step, start=options.start))


def noisy_run(flow, mu, *, x, clock: Clock) -> Trajectory:
    """The trajectory of sample paths x."""
    assert clock.steps is not None
    ts, status = finite_part(clock.ts, x)
    ts, x = ts[..., : clock.kept], x[..., : clock.kept, :, :]
    masses = jnp.broadcast_to(mu.mass[..., None, :], x.shape[:-1])
    states = eqx.tree_at(lambda m: (m.x, m.mass), mu, (x, masses))
    counts = jnp.full(status.code.shape, len(clock.steps) - 1), jnp.zeros_like(status.code)
    return trimmed(Trajectory(ts, states, flow, status, *counts))


@eqx.filter_jit
def sample_path(flow, mu, *, key, clock: Clock, summation):
    """Tokens at the times of the clock along one Brownian path."""
    space, steps = flow.state_space, clock.steps
    assert steps is not None
    # The finest time that the path resolves.
    finest = jnp.min(jnp.diff(steps)) / 2

    def drift(t, x, args):
        return flow.field(mu.moved_to(x), t, summation)

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
        saveat=diffrax.SaveAt(ts=clock.ts, fn=lambda t, x, args: space.retract(x)),
        stepsize_controller=diffrax.StepTo(steps),
        max_steps=steps.shape[0],
        throw=False,
    )
    return solution.ys
