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
from .stepping import Retracted, grid
from .trajectory import Status, Trajectory

DEFAULT_STEP = 0.01
PURPOSE = 0x6E6F6973  # folds the seed for "nois(e)", so that other draws from the same seed stay independent


def evolve_noisy(flow, mu, options) -> Trajectory:
    """One sample path of the noisy flow with steps of a fixed size (Stratonovich Euler–Heun).

    The Brownian path depends on the seed alone, so a smaller step refines the same path.
    """
    check_fits(flow, mu)
    step = DEFAULT_STEP if options.step is None else options.step
    ts = options.times(mu)
    steps = jnp.asarray(grid(np.asarray(ts), float(options.start), step), mu.x.dtype)
    key = jax.random.fold_in(jax.random.key(options.seed), PURPOSE)
    finest = jnp.asarray(np.diff(np.asarray(steps)).min() / 2)
    x = _integrate(flow, mu, ts, steps, key, finest, options.strategy(flow, mu))
    return _trajectory(flow, mu, ts, x, len(steps) - 1)


@eqx.filter_jit
def _integrate(flow, mu, ts, steps, key, finest, summation):
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


def _trajectory(flow, mu, ts, x, count):
    good = np.asarray(np.isfinite(np.asarray(x)).all(axis=(1, 2)))
    kept = len(good) if good.all() else max(1, int(np.argmin(good)))
    code = 0 if good.all() else Status.NAMES.index("NOT_FINITE")
    ts, x = ts[:kept], x[:kept]
    states = eqx.tree_at(lambda m: (m.x, m.mass), mu, (x, jnp.broadcast_to(mu.mass, x.shape[:-1])))
    status = Status(jnp.asarray(code), ts[-1])
    return Trajectory(ts, states, flow, status, jnp.asarray(count), jnp.asarray(0))
