"""Blow-up of the covariance in finite time: verdict, time and profile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...engine.evolution.integrators.batched import abreast
from ...engine.evolution.integrators.level_crossing import EXPLICIT, Method, climb_levels
from ...engine.evolution.integrators.linearly_implicit import stiff_step
from ...engine.flow import AnyFlow
from ...engine.linalg.arguments import as_annotated
from ...engine.measures import Gaussian
from .factor_field import check_run, factor_field, in_double_precision, long_after, start_factor
from .graded_columns import scores_of_heads
from .graded_growth import STEADY
from .growth import growths
from .lasting import is_settled, what_follows
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
    """"blow-up", "exponential growth", "slow growth", "bounded" (up to the time reached), "decay" (to zero) or "unresolved"."""
    time: np.ndarray
    """The blow-up time t*, to about 1e-12 of itself; 1e-6 where only columns of very unequal sizes could be followed."""
    rate: np.ndarray
    """tr'/tr of exponential growth, where it has settled; else NaN."""
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


@as_annotated
@in_double_precision
def blow_up(
    flow: AnyFlow,
    mu: Gaussian,
    *,
    until: float | None = None,
    tol: float = 1e-12,
    max_steps: int = 2000,
    closed_form: bool = True,
) -> BlowUp:
    r"""Follow the covariance in the clock $ds = (1 + |L|^2)\,dt$ until its trace is 1e14, and extrapolate.

    Near the end $t^* = t + \mathrm{tr}/((p-1)\,\mathrm{tr}')$ with $\mathrm{tr}' \sim \mathrm{tr}^p$. The verdict comes from the
    growth over the decades passed, never from a size reached; what explicit steps cannot follow, `growth` follows by
    implicit ones.
    By default the run goes on for 1e8 units of time, of the flow itself where that is slow.
    Softmax with V = vI needs no run: its closed form is used unless `closed_form` is False.
    Source: derived from Castin et al. 2025 (arXiv 2501.18322).

    >>> import attnflow as af
    >>> flow = af.Flow(af.Euclidean(), af.Softmax())
    >>> end = af.blow_up(flow, af.Gaussian([0.0], [[1.0]]))
    >>> end.verdict.item(), end.time.item()
    ('blow-up', 0.5)
    """
    L = start_factor(flow, mu)
    until = long_after(flow, L) if until is None else until
    check_run(until=until, tol=tol)
    if closed_form and (modes := modes_of(flow, L)) is not None:
        return judge(climb_known(modes, LEVELS, until))
    seen = _believed(flow, _climb_patiently(flow, L.reshape(-1, *L.shape[-2:]), until, tol, max_steps))
    return judge({name: value.reshape(L.shape[:-2] + value.shape[1:]) for name, value in seen.items()})


IMPLICIT = Method(partial(stiff_step, levels=8), 8)
"""Locates the blow-up of covariances that are pressed against a plane while they grow."""

PATIENCE = 2
"""How many times more implicit steps than explicit ones a run is given."""


TURNS = 20
"""How many times more explicit steps a run is given at last."""


def _climb_patiently(flow, starts, until, tol, max_steps):
    """What is seen on the way up, and what became of runs that explicit steps did not bring to the top."""
    # As arrays, other times, tolerances and numbers of steps compile nothing anew.
    end, tol = (jnp.asarray(number, starts.dtype) for number in (until, tol))
    seen = _climb_all(flow, starts, end, tol, jnp.asarray(max_steps), EXPLICIT)
    seen = {name: np.array(value) for name, value in seen.items()} | {
        "fate": np.full(len(starts), "", "<U20"), "rate": np.full(len(starts), np.nan), "slope": np.full(len(starts), np.nan)
    }  # fmt: skip
    open_ = np.flatnonzero(~seen["on"][:, -1])
    if len(open_) == 0:
        return seen
    for k, found in zip(open_, growths(flow, starts[open_], until=until, max_steps=PATIENCE * max_steps)):
        seen["fate"][k], seen["slope"][k], seen["rate"][k] = found.fate, found.slope, found.rate
        seen["t"][k, -1] = max(seen["t"][k, -1], found.reached)
    steep = open_[np.isin(seen["fate"][open_], ("blow-up", "unresolved"))]
    if len(steep):
        _write(seen, steep, _climb_all(flow, starts[steep], end, tol, jnp.asarray(max_steps), IMPLICIT))
    # Covariances that turn while they grow slowly are not stiff: they need steps, and steps are cheap.
    turning = open_[(seen["fate"][open_] == "unresolved") & ~seen["on"][open_, -1]]
    if len(turning):
        _write(seen, turning, _climb_all(flow, starts[turning], end, tol, jnp.asarray(TURNS * max_steps), EXPLICIT))
    return seen


def _believed(flow, seen):
    """Softmax runs that came to the top, less those whose shape shows that they come to rest beyond it."""
    scores = scores_of_heads(flow, seen["scaled"].shape[-2])
    if scores is None:
        return seen
    B, V = (np.asarray(part, float) for part in scores)
    rows, shapes = np.flatnonzero(seen["on"][:, -1] & (judge(seen).verdict == "blow-up")), seen["scaled"][:, -1]
    for k in rows[~is_settled(B, V, shapes[rows])]:
        fate = what_follows(B, V, shapes[k])
        seen["on"][k, -1], seen["fate"][k] = fate == "blow-up", fate
    return seen


def _write(seen, rows, again):
    """Take over the runs that came to the top."""
    for name, value in again.items():
        seen[name][rows] = np.where(_column(again["on"][:, -1], value), value, seen[name][rows])


def _column(flags, like):
    return np.asarray(flags).reshape(-1, *[1] * (like.ndim - 1))


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


def judge(seen) -> BlowUp:
    """Tell finite-time blow-up from slower growth by how fast the trace grows with itself."""
    trace, growth, t = seen["trace"], seen["growth"], seen["t"]
    is_over = seen["on"][..., -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        log_trace, log_growth = np.log(trace), np.log(growth)
        power = (log_growth[..., -1] - log_growth[..., -COMPARED]) / (log_trace[..., -1] - log_trace[..., -COMPARED])
        last = (log_growth[..., -1] - log_growth[..., -3]) / (log_trace[..., -1] - log_trace[..., -3])
        power = np.where(is_over, power, 2 - 1 / seen["slope"])
    verdict = np.select(
        [~is_over, power > 1.1, power > 0.9], [seen["fate"], "blow-up", "exponential growth"], "slow growth"
    )
    explodes, grows = verdict == "blow-up", verdict == "exponential growth"
    # A quadratic law may oscillate log-periodically, so its exponent is not measured but known.
    excess = np.where(np.abs(power - 2) < 0.15, 1.0, last - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Where only the implicit run came to the top, it ended within 1e-14 of the blow-up.
        left = np.where(is_over, trace[..., -1] / (excess * growth[..., -1]), 0.0)
        rate = np.where(is_over, _settled(growth[..., -1] / trace[..., -1], log_trace, t), seen["rate"])
    time, scaled = seen.get("time", t[..., -1] + left), seen["scaled"]
    direction, profile = _profile(scaled)
    return BlowUp(
        verdict=verdict,
        time=np.where(explodes, time, np.nan),
        rate=np.where(grows, rate, np.nan),
        direction=np.where(explodes[..., None], direction, np.nan),
        rank=np.where(explodes, _profile_rank(profile, log_trace), 0),
        profile=profile[..., -1, :],
        constant=np.where(explodes & is_over, left * trace[..., -1], np.nan),
        exponent=np.where(explodes | grows | is_over, power, np.nan),
        rho=(growth / trace**2)[..., -len(WATCHED) :],
        reached=t[..., -1],
        shapes=scaled @ np.swapaxes(scaled, -1, -2),
    )


def _settled(rate, log_trace, t):
    """A rate that is also the mean one of the last two decades of the trace and of the two before; else NaN."""
    marks = [-COMPARED, -COMPARED // 2, -1]
    means = np.diff(log_trace[..., marks]) / np.diff(t[..., marks])
    return np.where(np.all(np.abs(means / rate[..., None] - 1) < STEADY, axis=-1), rate, np.nan)


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
