"""Evolution of Gaussian prompts: closed equations for the mean and a factor of the covariance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.typing import ArrayLike
from jaxtyping import Array, Float

from ...errors import BadInput, quoted
from ..flow import Flow
from ..flow.gaussian_field import check_closed, check_gaussian, drift
from ..linalg.arguments import as_annotated
from ..linalg.covariance_factor import factor
from ..linalg.matrices import at, is_concrete, is_count, is_positive
from ..measures import Gaussian, Particles
from ..spaces import Euclidean
from .clock import clock_of
from .options import MOST, Options
from .solve import Ending, integrate, with_ending
from .trajectory import CODE, Status, Trajectory, trimmed

DEFAULT_TOL = 1e-12
"""The equations are small, so a Gaussian run is asked for more digits than one of tokens."""

APPROXIMATE = "APPROXIMATE: moments of a Gaussian projection; the true law does not stay Gaussian under this rule"


class Closed(eqx.Module):
    """A flow as it acts on the rows (α, columns of L), so that tokens and Gaussians share one integrator."""

    flow: Flow
    is_exact: bool = eqx.field(static=True, default=True)

    @property
    def state_space(self) -> Euclidean:
        return Euclidean()

    def enter(self, x):
        return x

    def leave(self, x):
        return x

    def field(self, rows: Particles, t, summation=None) -> Float[Array, "r d"]:
        flow, mean, L = at(self.flow, t), rows.x[0], rows.x[1:].T
        said = drift(flow, mean, L) if self.is_exact else flow.attention.projected_field(mean, L).through(flow.V)
        return jnp.concatenate([said.centre[None], said.spread.T])


def evolve_gaussian(flow: Flow, mu: Gaussian, options: Options) -> Trajectory:
    """One Gaussian, or a batch of them along leading axes, by the exact equations in factor form.

    $$\\alpha' = b + G\\alpha,\\quad L' = GL,\\quad \\Sigma = LL^\\top$$
    """
    check_closed(flow, mu)
    return _run(Closed(flow), mu, options)


@as_annotated
def evolve_projection(
    flow: Flow,
    mu: Gaussian,
    *,
    until: float | Array = 10.0,
    save: int | Sequence[float] | ArrayLike = 101,
    tol: float | None = None,
    method: str = "adaptive",
    step: float | None = None,
    max_steps: int = 1_000_000,
    steady: float | None = None,
    start: float | Array = 0.0,
    jumps: Sequence[float] | ArrayLike | None = None,
    progress: bool = False,
    derivatives: str = "reverse",
) -> Trajectory:
    """An APPROXIMATE Gaussian run for rules that do not close, with the options of `evolve`; its notes say so."""
    options = Options(
        until=until, save=save, tol=tol, method=method, step=step, max_steps=max_steps, steady=steady, start=start,
        jumps=jumps, progress=progress, derivatives=derivatives,
    )  # fmt: skip
    check_gaussian(flow, mu)
    if flow.feed_forward is not None:
        raise BadInput("the Gaussian projection takes no feed-forward layer")
    if is_concrete(mu) and not bool(at(flow.attention, 0.0).is_integrable(mu.mean, factor(mu.cov))):
        raise BadInput("the moments change at an infinite rate: |Σ^½ B Σ^½| must be below 1 for the exponential kernel")
    run = _run(Closed(flow, is_exact=False), mu, options)
    return replace(run, notes=(APPROXIMATE,))


@as_annotated
def gaussian_layers(flow: Flow, mu: Gaussian, count: int, eta: float | Array) -> Trajectory:
    r"""Discrete layers $x \leftarrow x + \eta\,\Gamma(x)$, which keep Gaussians exactly: $L \leftarrow (I + \eta G)L$."""
    check_layers(count, eta)
    until = count * eta
    return evolve_gaussian(flow, mu, Options(until=until, save=count + 1, method="euler", step=eta))


def _run(closed: Closed, mu: Gaussian, options) -> Trajectory:
    if options.merge is not None:
        raise BadInput("merge is for tokens; a Gaussian has none")
    dtype = mu.mean.dtype
    tol = options.tolerance(dtype) if options.tol is not None else max(DEFAULT_TOL, 100 * float(jnp.finfo(dtype).eps))
    clock = clock_of(options, closed.flow, mu=mu, tol=tol)

    def one(mean, cov):
        rows = Particles(jnp.concatenate([mean[None], factor(cov).T]))
        return integrate(closed, rows, clock=clock, summation=None)

    batch = mu.mean.ndim - 1
    for _ in range(batch):
        one = jax.vmap(one)
    ts, rows, ending = one(mu.mean, mu.cov)
    return _trajectory(closed.flow, mu, ts[..., : clock.kept], rows[..., : clock.kept, :, :], ending)


def _trajectory(flow, mu, ts, rows, ending: Ending) -> Trajectory:
    if is_concrete(ts, ending) and ts.ndim == 1 and int(ending.code) != CODE["DONE"]:
        ts, rows = with_ending(ts, rows, ending)
    mean, L = rows[..., 0, :], jnp.swapaxes(rows[..., 1:, :], -1, -2)
    states = gaussian_at(mu, mean, L @ jnp.swapaxes(L, -1, -2))
    return trimmed(Trajectory(ts, states, flow, Status(ending.code, ending.t), ending.steps, ending.rejected))


LEAST = 1e-300
"""Smaller steps make no time between layers."""


def check_layers(count, eta) -> None:
    """Raise a clear error for a number of layers, or a step, that cannot make sense."""
    if not is_count(count, least=1, most=MOST):
        raise BadInput(f"count must be a positive number of layers, got {quoted(count)}")
    if not is_positive(eta) or (is_concrete(eta) and eta < LEAST):
        raise BadInput(f"eta must be a positive step, got {quoted(eta)}")


def gaussian_at(mu: Gaussian, mean, cov) -> Gaussian:
    """A Gaussian known to be one, without checking it again."""
    return eqx.tree_at(lambda g: (g.mean, g.cov), mu, (mean, cov))
