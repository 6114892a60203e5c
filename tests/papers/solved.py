"""Honest runs by SciPy: of the engine only the velocity is compiled, which takes a tenth of the time of a run."""

from __future__ import annotations

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from scipy.integrate import solve_ivp

import attnflow as af
from attnflow.engine.evolution.gaussian import Closed
from attnflow.engine.evolution.trajectory import Status, Trajectory
from attnflow.engine.flow import velocity
from attnflow.engine.linalg.covariance_factor import factor
from attnflow.engine.measures import Gaussian
from attnflow.papers.independent import Exhausted, counted

SOLVABLE = {"until", "save", "start", "tol", "max_steps"}
"""Options that SciPy can serve."""
MOST = 20_000


class Maker:
    """`af.evolve`, by SciPy unless the engine itself is asked for, or is the only one that can."""

    by_engine = False

    def __call__(self, flow, mu, **options):
        # Many tokens, and the jumps of hardmax where its winner changes, cost LSODA more than compiling.
        is_light = isinstance(mu, Gaussian) or (mu.x.size <= 60 and not isinstance(flow.attention, af.Hardmax))
        is_plain = options.keys() <= SOLVABLE and is_light and getattr(flow, "noise", None) is None
        return solved(flow, mu, **options) if is_plain and not self.by_engine else af.evolve(flow, mu, **options)


evolve = Maker()


def solved(flow, mu, *, until, save=101, start=0.0, tol=1e-8, max_steps=None):
    """A run as `af.evolve` would make it; None where too many velocities are needed or numbers end, as near a blow-up."""
    ts = np.linspace(start, until, save) if np.ndim(save) == 0 else np.asarray(save, float)
    first, field, states = (_moments if isinstance(mu, Gaussian) else _tokens)(flow, mu)
    # In single precision velocities are rounded, which SciPy would take for stiffness at smaller tolerances.
    rtol = max(1e-10, 30 * float(jnp.finfo(jnp.zeros(1).dtype).eps))
    try:
        out = solve_ivp(
            counted(field, MOST), (start, until), first, t_eval=ts, method="LSODA", rtol=rtol, atol=rtol / 100
        )
    except Exhausted:
        return None
    if not np.isfinite(out.y).all():
        return None
    ts, count = jnp.asarray(out.t), jnp.asarray(len(out.t))
    return Trajectory(ts, states(out.y.T), flow, Status.of("DONE", out.t[-1]), count, jnp.asarray(0), tol=tol)


def _tokens(flow, mu):
    shape, space = np.shape(mu.x), flow.state_space
    field = lambda t, y: np.asarray(_velocity(flow, mu, y.reshape(shape), np.asarray(t))).ravel()  # noqa: E731

    def states(y):
        x = space.retract(jnp.asarray(y.reshape(-1, *shape)))
        return eqx.tree_at(lambda m: m.mass, mu.moved_to(x), jnp.broadcast_to(mu.mass, x.shape[:-1]))

    return np.asarray(space.retract(mu.x)).ravel(), field, states


def _moments(flow, mu):
    """Mean and the columns of a factor of Σ, so that a singular Σ stays one."""
    closed, L = Closed(flow), np.asarray(factor(mu.cov))
    rows = af.Particles(np.concatenate([np.asarray(mu.mean)[None], L.T]))
    shape = rows.x.shape
    field = lambda t, y: np.asarray(_rate(closed, rows, y.reshape(shape), np.asarray(t))).ravel()  # noqa: E731

    def states(y):
        y = jnp.asarray(y.reshape(-1, *shape))
        return Gaussian(y[:, 0], jnp.einsum("kri,krj->kij", y[:, 1:], y[:, 1:]))

    return np.asarray(rows.x).ravel(), field, states


@eqx.filter_jit
def _velocity(flow, mu, x, t):
    return velocity(flow, mu.moved_to(x), t=t)


@eqx.filter_jit
def _rate(closed, rows, x, t):
    return closed.field(rows.moved_to(x), t)
