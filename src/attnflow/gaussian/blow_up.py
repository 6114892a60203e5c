"""Blow-up of the covariance in finite time: verdict, time and profile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..evolution.integrators.batched import abreast
from ..evolution.integrators.level_crossing import EXPLICIT, Method, climb_levels
from ..evolution.integrators.linearly_implicit import stiff_step
from ..measures import Gaussian
from .factor_field import check_run, factor_field, start_factor
from .scalar_value import climb_known, modes_of

WATCHED = 10.0 ** np.arange(6, 14.25, 0.5)
"""Traces at which the growth is judged; the last one ends the run."""

LEVELS = np.concatenate([[2, 4, 10, 30, 100, 1e3, 1e4, 1e5], WATCHED])
"""Traces, in units of the first or of one, at which the covariance is looked at."""

COMPARED = 9
"""Growth and profile are judged between this level, counted from the last, and the last: four decades of the trace."""


@dataclass(frozen=True)
class BlowUp:
    """What became of the trace of Σ. Arrays carry the batch axes of the prompt; NaN where nothing blew up."""

    verdict: np.ndarray
    """"blow-up", "exponential growth", "slow growth", "bounded" (up to the time reached) or "unresolved" (out of steps)."""
    time: np.ndarray
    """The blow-up time t*, to about 1e-12 of itself."""
    direction: np.ndarray
    """The unit vector on which Σ/tr Σ concentrates most."""
    rank: np.ndarray
    """The rank of the profile lim Σ/tr Σ."""
    profile: np.ndarray
    """Eigenvalues of Σ/tr Σ, last seen."""
    constant: np.ndarray
    """(t* − t) tr Σ, last seen."""
    exponent: np.ndarray
    """p in tr' ~ tr^p: 2 for softmax blow-up, 1 for exponential growth."""
    rho: np.ndarray
    """tr'/tr² at growing traces: constant or oscillating for a softmax blow-up."""
    reached: np.ndarray
    """The time the run reached."""
    shapes: np.ndarray
    """Σ/tr Σ each time the trace passes one of `LEVELS`."""


def blow_up(flow, mu: Gaussian, *, until=1e3, tol=1e-12, max_steps=2000, closed_form=True) -> BlowUp:
    r"""Follow the covariance in the clock $ds = (1 + |L|^2)\,dt$ until its trace is 1e14, and extrapolate.

    Near the end $t^* = t + \mathrm{tr}/((p-1)\,\mathrm{tr}')$ with $\mathrm{tr}' \sim \mathrm{tr}^p$. The verdict comes from p,
    never from a size reached. Softmax with V = vI needs no run: its closed form is used unless `closed_form` is False.
    Source: derived from Castin et al. 2025 (arXiv 2501.18322).
    """
    check_run(until=until, tol=tol)
    L = start_factor(flow, mu)
    if closed_form and (modes := modes_of(flow, L)) is not None:
        return judge(climb_known(modes, LEVELS, until), until)
    seen = _climb_patiently(flow, L.reshape(-1, *L.shape[-2:]), until, tol, max_steps)
    return judge({name: value.reshape(L.shape[:-2] + value.shape[1:]) for name, value in seen.items()}, until)


IMPLICIT = Method(partial(stiff_step, levels=8), 8)
"""For covariances that grow while they are pressed against a plane."""

PATIENCE = 100
"""How many times more explicit steps a run that still rises is given: they are cheap, and exact to round-off."""


def _climb_patiently(flow, starts, until, tol, max_steps):
    """What is seen on the way up; runs that rise but are out of steps go on with more, and then with an implicit method."""
    # As arrays, other times, tolerances and numbers of steps compile nothing anew.
    end, tol = (jnp.asarray(number, starts.dtype) for number in (until, tol))
    seen = _climb_all(flow, starts, end, tol, jnp.asarray(max_steps), EXPLICIT)
    seen = {name: np.array(value) for name, value in seen.items()}
    for steps, method in ((PATIENCE * max_steps, EXPLICIT), (max_steps, IMPLICIT)):
        stuck = np.flatnonzero(_is_stuck(seen, until))
        if len(stuck):
            again = _climb_all(flow, starts[stuck], end, tol, jnp.asarray(steps), method)
            for name, value in again.items():
                seen[name][stuck] = value
    return seen


@eqx.filter_jit
def _climb_all(flow, L, until, tol, max_steps, method):
    return abreast(lambda start: climb(flow, start, until=until, tol=tol, max_steps=max_steps, method=method), L)


def climb(flow, L, *, until, tol, max_steps, method):
    """What is seen each time the trace has grown past the next level, or at the end of the run."""
    start, shape = jnp.sum(L**2), L.shape

    def field(state):
        L, t = state[:-1].reshape(shape), state[-1]
        speed = 1 / (1 + jnp.sum(L**2))
        return jnp.append((factor_field(flow, L, t) * speed).ravel(), speed)

    levels = jnp.asarray(LEVELS, L.dtype) * jnp.maximum(1.0, start)
    seen = climb_levels(
        field, jnp.append(L.ravel(), 0.0), levels=levels, height=lambda state: jnp.sum(state[:-1] ** 2),
        scale=lambda state: jnp.append(jnp.full(state.size - 1, jnp.max(jnp.abs(state[:-1]))), state[-1]),
        is_over=lambda state: state[-1] >= until, tol=tol, max_steps=max_steps,
        method=method,
    )  # fmt: skip
    L, t = seen.states[:, :-1].reshape(-1, *shape), seen.states[:, -1]
    velocity = jax.vmap(lambda L, t: factor_field(flow, L, t))(L, t)
    trace = jnp.sum(L**2, axis=(1, 2))
    return {
        "trace": trace, "growth": 2 * jnp.sum(L * velocity, axis=(1, 2)), "t": t, "on": seen.is_reached,
        "scaled": L / jnp.sqrt(trace)[:, None, None],
    }  # fmt: skip


def judge(seen, until) -> BlowUp:
    """Tell finite-time blow-up from slower growth by how fast the trace grows with itself."""
    trace, growth, t = seen["trace"], seen["growth"], seen["t"]
    is_over = seen["on"][..., -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        log_trace, log_growth = np.log(trace), np.log(growth)
        power = (log_growth[..., -1] - log_growth[..., -COMPARED]) / (log_trace[..., -1] - log_trace[..., -COMPARED])
        last = (log_growth[..., -1] - log_growth[..., -3]) / (log_trace[..., -1] - log_trace[..., -3])
    cases = [_is_stuck(seen, until), ~is_over, power > 1.1, power > 0.9]
    verdict = np.select(cases, ["unresolved", "bounded", "blow-up", "exponential growth"], "slow growth")
    explodes = verdict == "blow-up"
    # A quadratic law may oscillate log-periodically, so its exponent is not measured but known.
    excess = np.where(np.abs(power - 2) < 0.15, 1.0, last - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        left = trace[..., -1] / (excess * growth[..., -1])
    time, scaled = seen.get("time", t[..., -1] + left), seen["scaled"]
    direction, profile = _profile(scaled)
    return BlowUp(
        verdict=verdict,
        time=np.where(explodes, time, np.nan),
        direction=np.where(explodes[..., None], direction, np.nan),
        rank=np.where(explodes, _profile_rank(profile, log_trace), 0),
        profile=profile[..., -1, :],
        constant=np.where(explodes, left * trace[..., -1], np.nan),
        exponent=np.where(is_over, power, np.nan),
        rho=(growth / trace**2)[..., -len(WATCHED) :],
        reached=t[..., -1],
        shapes=scaled @ np.swapaxes(scaled, -1, -2),
    )


def _is_stuck(seen, until):
    """Out of steps, while at its pace the trace would double before the end, or in as long again as it has taken."""
    t, trace, growth = (seen[name][..., -1] for name in ("t", "trace", "growth"))
    ahead = np.maximum(t, min(until, 1e3))
    return ~seen["on"][..., -1] & (t < until) & (growth * ahead > trace)


def _profile(scaled):
    """The direction in which Σ/tr Σ is widest at the end, and its eigenvalues then and four decades before."""
    compared = scaled[..., [-COMPARED, -1], :, :]
    # LAPACK does not return from NaN: a covariance that is zero has no shape.
    vectors, roots, _ = np.linalg.svd(np.where(np.isfinite(compared), compared, 0), full_matrices=False)
    return vectors[..., -1, :, 0], roots**2


def _profile_rank(profile, log_trace):
    """The eigenvalues whose share of the trace does not fade as a power of it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        grown = log_trace[..., -1] - log_trace[..., -COMPARED]
        fading = np.log(profile[..., -1, :] / profile[..., 0, :]) / grown[..., None]
    return np.sum((profile[..., -1, :] > 1e-12) & (fading > -0.02), axis=-1)
