"""Velocity of a factor of the covariance, which does not depend on the mean except under linear attention."""

from __future__ import annotations

from functools import wraps

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ...engine.attention import Linear
from ...engine.flow.gaussian_field import check_closed, drift
from ...engine.linalg.covariance_factor import factor
from ...engine.linalg.matrices import at
from ...engine.measures import Gaussian
from ...errors import BadInput, quoted

LONG, SLOWEST = 1e8, 1e-10
"""Units of time that are long, and relative speeds below which a factor counts as resting."""


def in_double_precision(run):
    """A function of a flow and a measure that computes in 64-bit numbers whatever the user's setting: fates are told apart by
    decades that single precision does not have."""

    @wraps(run)
    def widened(flow, mu, **options):
        with jax.enable_x64(True):
            wide = lambda leaf: jnp.asarray(leaf, float) if eqx.is_inexact_array(leaf) else leaf  # noqa: E731
            return run(*jax.tree.map(wide, (flow, mu)), **options)

    return widened


def factor_field(flow, L: Float[Array, "d r"], t) -> Float[Array, "d r"]:
    """L' of a closed flow; the second moment, for linear attention, when the mean is a column of L."""
    return drift(at(flow, t), jnp.zeros_like(L[:, 0]), L).spread


def start_factor(flow, mu: Gaussian) -> Float[Array, "*b d r"]:
    """The factor a fate is computed from; linear attention feels the second moment, so the mean joins the factor."""
    check_closed(flow, mu)
    L = _factors(mu.cov)
    return jnp.concatenate([L, mu.mean[..., None]], axis=-1) if _is_linear(flow.attention) else L


def long_after(flow, L: Float[Array, "*b d r"]) -> float:
    """A time long after everything has happened, 1e8, in units in which the slowest of many factors moves."""
    flat = L.reshape(-1, *L.shape[-2:])
    speeds = np.asarray(jax.vmap(lambda L: jnp.linalg.norm(factor_field(flow, L, 0.0)) / jnp.linalg.norm(L))(flat))
    moving = speeds[np.isfinite(speeds) & (speeds > SLOWEST)]
    return LONG / min(1.0, float(moving.min(initial=1.0)))


@jax.jit
def _factors(cov):
    return jnp.vectorize(factor, signature="(d,d)->(d,d)")(cov)


def check_run(*, until, tol) -> None:
    """Raise a clear ValueError for times and tolerances that cannot make sense."""
    if not until > 0:
        raise BadInput(f"until must be a positive time, got {quoted(until)}")
    if not 0 < tol < 1:
        raise BadInput(f"tol must lie between 0 and 1, got {quoted(tol)}")


def _is_linear(rule) -> bool:
    linear = [isinstance(head, Linear) for head in rule.parts()]
    if any(linear) and not all(linear):
        raise BadInput("the fate of linear heads mixed with others depends on the mean: follow it with evolve")
    return all(linear)
