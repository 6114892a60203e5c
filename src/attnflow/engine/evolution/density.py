r"""Mean-field equation for densities on the circle and on S².

$$\partial_t\rho = -\mathrm{div}(\rho\,v[\rho]) + \tfrac{\sigma^2}{2}\Delta\rho$$

A continuity equation: without `noise` there is no diffusion. Flux form in harmonics, dealiased by the 2/3 rule.
"""

from __future__ import annotations

from dataclasses import replace

import diffrax
import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from ...errors import BadInput
from ..flow.density_field import check_density, choose_for_density, density_rate
from ..measures.density import Density
from .clock import Clock, clock_of
from .options import Options
from .stepping import ADAPTIVE, FIXED, controller
from .trajectory import CODE, Status, Trajectory, trimmed

SATURATED = 1e-6
"""The highest eighth of the modes may carry this share of the largest; beyond, the grid no longer holds the density."""


def tail(grid, values) -> Array:
    """The share of the largest varying mode that sits in the highest eighth of the modes."""
    size = jnp.where(grid.degree > 0, jnp.abs(grid.analyse(values)), 0)
    high = jnp.where(grid.degree > 7 / 8 * jnp.max(grid.degree), size, 0)
    # Round-off of the mean is not structure.
    floor = 1e-8 / SATURATED if values.dtype == jnp.float32 else 1e-13 / SATURATED
    return jnp.max(high) / jnp.maximum(jnp.max(size), floor)


@eqx.filter_jit
def _integrate(flow, grid, *, values, clock: Clock, summation):
    def field(t, y, args):
        flow, grid, summation = args
        return density_rate(flow, grid, values=y, t=t, summation=summation)

    def is_saturated(t, y, args, **kwargs):
        return tail(grid, y) > SATURATED

    def is_negative(t, y, args, **kwargs):
        return jnp.min(y) < -1e-3 * jnp.max(y)

    def rests(t, y, args, **kwargs):
        return jnp.max(jnp.abs(field(t, y, args))) < clock.steady

    plan, start, ts = clock.plan, clock.start, clock.ts
    events = [is_saturated, is_negative, rests] if plan.is_watching else [is_saturated, is_negative]
    dtmin = 2 * jnp.finfo(values.dtype).eps * jnp.maximum(jnp.abs(start), jnp.abs(ts[-1]))
    sol = diffrax.diffeqsolve(
        diffrax.ODETerm(field),
        (ADAPTIVE | FIXED)[plan.method](),
        t0=start,
        t1=ts[-1],
        dt0=None,
        y0=grid.synthesise(grid.analyse(values)),
        args=(flow, grid, summation),
        saveat=diffrax.SaveAt(subs=[diffrax.SubSaveAt(ts=ts), diffrax.SubSaveAt(t1=True)]),
        stepsize_controller=controller(clock, dtmin),
        event=diffrax.Event(events),
        max_steps=plan.max_steps,
        throw=False,
        progress_meter=diffrax.TextProgressMeter() if plan.has_progress else diffrax.NoProgressMeter(),
    )
    counts = sol.stats["num_steps"], sol.stats["num_rejected_steps"]
    return sol.ts, sol.ys, sol.result, sol.event_mask, counts


def evolve_density(flow, rho: Density, options: Options) -> Trajectory:
    """Move a density; the run stops, and says so, when its modes no longer hold the solution."""
    check_density(flow, rho)
    if options.merge is not None:
        raise BadInput("merging is for tokens; a density has nothing to merge")
    clock, summation = clock_of(options, flow, mu=rho), choose_for_density(options.summation, flow, rho)
    _check_resolved(rho)
    values = rho.values.reshape(-1)
    out = _integrate(flow, rho.grid, values=values, clock=replace(clock, kept=0), summation=summation)
    return _trajectory(flow, rho, clock.kept, *out)


def _check_resolved(rho: Density) -> None:
    share = float(tail(rho.grid, rho.values.reshape(-1)))
    if share > SATURATED:
        raise BadInput(
            f"the density is not resolved by its grid {rho.shape}: the highest modes carry {share:.1g}; give more nodes"
        )


def _trajectory(flow, rho, kept, times, states, result, events, counts) -> Trajectory:
    (ts, (t_end,)), (ys, (y_end,)) = times, states
    ts, ys = ts[:kept], ys[:kept]
    code = _code(result, np.asarray(events), y_end)
    reached = np.flatnonzero(np.isfinite(np.asarray(ts)))
    ts, ys = ts[reached], ys[reached]
    if code != CODE["DONE"] and (len(reached) == 0 or float(ts[-1]) < float(t_end)):
        ts, ys = jnp.append(ts, t_end), jnp.concatenate([ys, y_end[None]])
    measures = eqx.tree_at(lambda r: r.values, rho, ys.reshape(-1, *rho.shape))
    status = Status(jnp.asarray(code), t_end)
    run = Trajectory(ts, measures, flow, status, *counts, notes=_notes(measures, code, float(t_end)))
    return trimmed(run)


def _code(result, events, y):
    if not np.all(np.isfinite(np.asarray(y))):
        return CODE["NOT_FINITE"]
    if events[:2].any():
        return CODE["UNRESOLVED"]
    if events[2:].any():
        return CODE["STEADY"]
    if result == diffrax.RESULTS.max_steps_reached:
        return CODE["OUT_OF_STEPS"]
    return CODE["DONE"] if result == diffrax.RESULTS.successful else CODE["STEP_TOO_SMALL"]


def _notes(rho: Density, code, t):
    notes = []
    drift = float(jnp.max(jnp.abs(rho.mass - 1)))
    if drift > 1e-10 and rho.values.dtype == jnp.float64:
        notes.append(f"mass moved by {drift:.1g}")
    lowest = float(rho.values.min())
    if lowest < 0:
        notes.append(f"the density dipped to {lowest:.2g}: it is at the limit of its grid")
    if code == CODE["UNRESOLVED"]:
        notes.append(
            f"stopped at t = {t:.6g}: the density has structure below the grid {rho.shape}; "
            "give more nodes, or go on with quantile_tokens, which follow concentration"
        )
    return tuple(notes)
