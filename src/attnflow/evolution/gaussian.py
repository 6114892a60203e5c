"""The flow of Gaussian prompts: closed equations for the mean and a factor of the covariance."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..attention import Heads
from ..closure.affine import drift
from ..closure.factor import factor
from ..closure.hear import Heard, is_closed, why_not_closed
from ..closure.projection import is_integrable, projected
from ..flow import Flow, check_fits
from ..matrices import at, is_concrete, times
from ..measures import Gaussian, Particles
from ..spaces import Euclidean
from .solve import CODE, Ending, integrate
from .stepping import is_fixed
from .trajectory import Status, Trajectory, trimmed

DEFAULT_TOL = 1e-12
"""The equations are small, so a Gaussian run is asked for more digits than one of tokens."""

APPROXIMATE = "APPROXIMATE: moments of a Gaussian projection; the true law does not stay Gaussian under this rule"


class MomentVelocity(NamedTuple):
    """The time derivatives of mean and covariance."""

    mean: Float[Array, "*b d"]
    cov: Float[Array, "*b d d"]


class Closed(eqx.Module):
    """A flow as it acts on the rows (α, columns of L), so that tokens and Gaussians share one integrator."""

    flow: Flow
    is_exact: bool = eqx.field(static=True, default=True)
    state_space: ClassVar[Euclidean] = Euclidean()

    def enter(self, x):
        return x

    def leave(self, x):
        return x

    def field(self, rows: Particles, t, summation=None) -> Float[Array, "r d"]:
        flow, mean, L = at(self.flow, t), rows.x[0], rows.x[1:].T
        said = drift(flow, mean, L) if self.is_exact else _projected_drift(flow, mean, L)
        return jnp.concatenate([said.centre[None], said.spread.T])


def _projected_drift(flow, mean, L) -> Heard:
    return projected(flow.attention, mean, L).through(flow.V)


def moment_velocity(flow: Flow, mu: Gaussian, t=0.0) -> MomentVelocity:
    r"""How a Gaussian prompt moves: $\alpha' = b + G\alpha$ and $\Sigma' = G\Sigma + \Sigma G^\top$."""
    check_closed(flow, mu)
    flow = at(flow, jnp.asarray(t, mu.mean.dtype))

    def one(mean, cov):
        L = factor(cov)
        said = drift(flow, mean, L)
        half = said.spread @ L.T
        return MomentVelocity(said.centre, half + half.T)

    return (
        jnp.vectorize(one, signature="(d),(d,d)->(d),(d,d)")(mu.mean, mu.cov)
        if mu.mean.ndim > 1
        else one(mu.mean, mu.cov)
    )


def evolve_gaussian(flow: Flow, mu: Gaussian, options) -> Trajectory:
    """One Gaussian, or a batch of them along leading axes, by the exact equations in factor form.

    $$\\alpha' = b + G\\alpha,\\quad L' = GL,\\quad \\Sigma = LL^\\top$$
    """
    check_closed(flow, mu)
    return _run(Closed(flow), mu, options)


def evolve_projection(flow: Flow, mu: Gaussian, **options) -> Trajectory:
    """An APPROXIMATE Gaussian run for rules that do not close, with the options of `evolve`; its notes say so."""
    from . import checked

    _check_space(flow, mu)
    if flow.feed_forward is not None:
        raise ValueError("the Gaussian projection takes no feed-forward layer")
    if is_concrete(mu) and not bool(is_integrable(at(flow.attention, 0.0), mu.mean, factor(mu.cov))):
        raise ValueError(
            "the moments change at an infinite rate: |Σ^½ B Σ^½| must be below 1 for the exponential kernel"
        )
    run = _run(Closed(flow, is_exact=False), mu, checked(options))
    return replace(run, notes=(APPROXIMATE,))


def gaussian_layers(flow: Flow, mu: Gaussian, count: int, eta: float) -> Trajectory:
    r"""Discrete layers $x \leftarrow x + \eta\,\Gamma(x)$, which keep Gaussians exactly: $L \leftarrow (I + \eta G)L$."""
    from .options import Options

    if count < 1:
        raise ValueError(f"count must be a positive number of layers, got {count}")
    until = count * eta
    return evolve_gaussian(flow, mu, Options(until=until, save=count + 1, method="euler", step=eta))


def check_closed(flow, mu: Gaussian) -> None:
    """Raise a clear ValueError when the flow does not keep Gaussians Gaussian."""
    _check_space(flow, mu)
    if not is_closed(flow.attention):
        raise ValueError(why_not_closed(flow.attention))
    flow.attention.check(mu.d, 1)
    _check_shapes(flow, mu.d)


def _check_space(flow, mu) -> None:
    if not isinstance(flow, Flow):
        raise ValueError(f"a Gaussian moves under a Flow, got {type(flow).__name__}")
    if not isinstance(flow.space, Euclidean):
        raise ValueError("a Gaussian lives in Euclidean space; use Particles on the sphere")
    if flow.noise is not None:
        raise ValueError("noise is for Particles: the Gaussian equations here are those of the flow without noise")
    if not isinstance(mu, Gaussian):
        raise ValueError(f"these equations move a Gaussian, got {type(mu).__name__}")
    check_fits(flow, mu)


def _check_shapes(flow, d) -> None:
    """Weights that depend on time, and affine layers, are tried on one token before anything is compiled."""
    try:
        now = jax.eval_shape(lambda: _one_step(at(flow, 0.0), jnp.zeros(d)))
    except TypeError as error:
        raise ValueError(f"weights or feed-forward layer do not fit dimension {d}: {error}".split("\n")[0]) from None
    if now.shape != (d,):
        raise ValueError(f"the flow turns tokens of dimension {d} into shape {now.shape}; check V and the feed-forward")


def _one_step(flow, x):
    score = [times(M, x[None])[0] for M in jax.tree.leaves(_score_weights(flow.attention))]
    moved = times(flow.V, x[None])[0]
    extra = 0 if flow.feed_forward is None else flow.feed_forward(x[None])[0]
    return moved + extra + 0 * sum(jnp.sum(s) for s in score)


def _score_weights(rule):
    return [_score_weights(head) for head, _ in rule.heads] if isinstance(rule, Heads) else rule.score.weights


def _run(closed: Closed, mu: Gaussian, options) -> Trajectory:
    if options.merge is not None:
        raise ValueError("merge is for tokens; a Gaussian has none")
    saved, plan, dtype = options.times(mu), options.plan(), mu.mean.dtype
    ts = options.to_the_end(saved)
    tol = options.tolerance(dtype) if options.tol is not None else max(DEFAULT_TOL, 100 * float(jnp.finfo(dtype).eps))
    start, steady = jnp.asarray(options.start, dtype), jnp.asarray(options.steady or 0.0, dtype)
    steps, jumps = None, options.jump_times(closed.flow, dtype)
    if is_fixed(plan.method):
        steps = options.fixed_steps(ts, options.step, jumps)
        plan = plan._replace(max_steps=len(steps))

    def one(mean, cov):
        rows = Particles(jnp.concatenate([mean[None], factor(cov).T]))
        return integrate(closed, rows, ts, start, jnp.asarray(tol, dtype), steady, steps, jumps, None, plan)

    batch = mu.mean.ndim - 1
    for _ in range(batch):
        one = jax.vmap(one)
    saved_ts, rows, ending = one(mu.mean, mu.cov)
    kept = saved.shape[0]
    return _trajectory(closed.flow, mu, saved_ts[..., :kept], rows[..., :kept, :, :], ending)


def _trajectory(flow, mu, ts, rows, ending: Ending) -> Trajectory:
    if is_concrete(ts, ending) and ts.ndim == 1 and int(ending.code) != CODE["DONE"]:
        from .solve import _with_ending

        ts, rows = _with_ending(ts, rows, ending)
    mean, L = rows[..., 0, :], jnp.swapaxes(rows[..., 1:, :], -1, -2)
    states = gaussian_at(mu, mean, L @ jnp.swapaxes(L, -1, -2))
    return trimmed(Trajectory(ts, states, flow, Status(ending.code, ending.t), ending.steps, ending.rejected))


def gaussian_at(mu: Gaussian, mean, cov) -> Gaussian:
    """A Gaussian known to be one, without checking it again."""
    return eqx.tree_at(lambda g: (g.mean, g.cov), mu, (mean, cov))
