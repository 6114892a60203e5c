"""Whether the covariance explodes in finite time, when, and with what profile."""

from __future__ import annotations

from dataclasses import dataclass

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..evolution.stepping import largest
from ..measures import Gaussian
from .factor_field import factor_field, moments_of, start_factor

WATCHED = 10.0 ** np.arange(6, 14.25, 0.5)
"""Traces at which the growth is judged; the last one ends the run."""

LEVELS = np.concatenate([[2, 4, 10, 30, 100, 1e3, 1e4, 1e5], WATCHED])
"""Traces, in units of the first or of one, at which the covariance is looked at."""


@dataclass(frozen=True)
class BlowUp:
    """What became of the trace of Σ. Arrays carry the batch axes of the prompt; NaN where nothing blew up."""

    verdict: np.ndarray
    """"blow-up", "exponential growth", "slow growth" or "bounded" (up to the time reached)."""
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


def blow_up(flow, mu: Gaussian, *, until=1e3, tol=1e-12, max_steps=2000) -> BlowUp:
    r"""Follow the covariance in the clock $ds = (1 + |L|^2)\,dt$ until its trace is 1e14, and extrapolate.

    Near the end $t^* = t + \mathrm{tr}/((p-1)\,\mathrm{tr}')$ with $\mathrm{tr}' \sim \mathrm{tr}^p$. The verdict comes from p,
    never from a size reached. Source: derived from Castin et al. 2025 (arXiv 2501.18322).
    """
    L = start_factor(flow, mu)
    seen = _climb_all(flow, L.reshape(-1, *L.shape[-2:]), until, tol, max_steps)
    return judge({name: np.asarray(value).reshape(L.shape[:-2] + value.shape[1:]) for name, value in seen.items()})


@eqx.filter_jit
def _climb_all(flow, L, until, tol, max_steps):
    return jax.vmap(lambda start: climb(flow, start, until, tol, max_steps))(L)


def climb(flow, L, until, tol, max_steps):
    """What is seen each time the trace has grown past the next level, or at the end of the run."""
    levels = jnp.asarray(LEVELS, L.dtype) * jnp.maximum(1.0, jnp.sum(L**2))

    def stage(carry, level):
        L, t, on = carry
        (L_end, t_end), steps = _until_level(flow, L, t, jnp.where(on, level, 0.0), until, tol, max_steps)
        L, t = jnp.where(on, L_end, L), jnp.where(on, t_end, t)
        on = on & (jnp.sum(L**2) >= level)
        return (L, t, on), moments_of(L, factor_field(flow, L, t)) | {"t": t, "on": on, "steps": steps}

    start = (L, jnp.zeros((), L.dtype), jnp.asarray(True))
    return jax.lax.scan(stage, start, levels)[1]


def _until_level(flow, L, t, level, until, tol, max_steps):
    def field(s, state, args):
        L, t = state
        speed = 1 / (1 + jnp.sum(L**2))
        return factor_field(flow, L, t) * speed, speed

    def is_over(s, state, args, **kwargs):
        return ~(jnp.sum(state[0] ** 2) < level) | (state[1] >= until)

    sol = diffrax.diffeqsolve(
        diffrax.ODETerm(field), diffrax.Dopri8(scan_kind="lax"), 0.0, 1e30, None, (L, t),
        stepsize_controller=diffrax.PIDController(rtol=tol, atol=1e-3 * tol, norm=largest, pcoeff=0.3, icoeff=0.4),
        event=diffrax.Event(is_over), max_steps=max_steps, throw=False,
    )  # fmt: skip
    return jax.tree.map(lambda a: a[-1], sol.ys), sol.stats["num_steps"]


def judge(seen) -> BlowUp:
    """Tell finite-time blow-up from slower growth by how fast the trace grows with itself."""
    trace, growth, t = seen["trace"], seen["growth"], seen["t"]
    is_over = seen["on"][..., -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        log_trace, log_growth = np.log(trace), np.log(growth)
        power = (log_growth[..., -1] - log_growth[..., -9]) / (log_trace[..., -1] - log_trace[..., -9])
        last = (log_growth[..., -1] - log_growth[..., -3]) / (log_trace[..., -1] - log_trace[..., -3])
    verdict = np.select(
        [~is_over, power > 1.1, power > 0.9], ["bounded", "blow-up", "exponential growth"], "slow growth"
    )
    explodes = verdict == "blow-up"
    # A quadratic law may oscillate log-periodically, so its exponent is not measured but known.
    excess = np.where(np.abs(power - 2) < 0.15, 1.0, last - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        left = trace[..., -1] / (excess * growth[..., -1])
    profile = seen["eigenvalues"] / trace[..., None]
    return BlowUp(
        verdict=verdict,
        time=np.where(explodes, t[..., -1] + left, np.nan),
        direction=np.where(explodes[..., None], seen["direction"][..., -1, :], np.nan),
        rank=np.where(explodes, _profile_rank(profile, log_trace), 0),
        profile=profile[..., -1, :],
        constant=np.where(explodes, left * trace[..., -1], np.nan),
        exponent=np.where(is_over, power, np.nan),
        rho=(growth / trace**2)[..., -len(WATCHED) :],
        reached=t[..., -1],
        shapes=seen["shape"],
    )


def _profile_rank(profile, log_trace):
    """The eigenvalues whose share of the trace does not fade as a power of it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        fading = (
            np.log(profile[..., -1, :] / profile[..., -9, :]) / (log_trace[..., -1] - log_trace[..., -9])[..., None]
        )
    return np.sum((profile[..., -1, :] > 1e-12) & (fading > -0.02), axis=-1)
