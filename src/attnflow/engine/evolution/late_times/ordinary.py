"""Runs that are ordinary until they meet a tie, and go on from there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax.numpy as jnp
import numpy as np

from ....errors import BadInput
from ...attention import Hardmax
from ...flow import Flow
from ...flow.rescaled import Rescaled, rescale
from ...measures import Particles
from ...spaces import Euclidean
from ..options import Options
from ..solve import evolve_particles
from ..trajectory import Status, Trajectory
from .anchored import all_tokens
from .journey import BURST, evolve_late, is_plain, moved


def may_slide(flow, mu, options) -> bool:
    """Whether a run that gets stuck may do so at a tie, and can go on from there."""
    is_hard = isinstance(flow, Flow) and isinstance(flow.attention, Hardmax) and isinstance(flow.space, Euclidean)
    return (isinstance(flow, Rescaled) or (is_hard and _rescaled(flow) is not None)) and is_plain(flow, mu, options)


def _rescaled(flow) -> Rescaled | None:
    try:
        return flow if isinstance(flow, Rescaled) else rescale(flow)
    except BadInput:
        return None


def evolve_to_ties(flow, mu: Particles, options: Options) -> Trajectory:
    """An ordinary run; if it gets stuck, it goes on from there with rows held at ties."""
    first = evolve_particles(flow, mu, replace(options, max_steps=min(options.max_steps, BURST)))
    left = options.max_steps - int(first.steps)
    if first.status.name not in ("OUT_OF_STEPS", "STEP_TOO_SMALL") or left <= 0:
        return first
    t = float(first.status.time)
    ts = np.asarray(options.times(mu))
    done, ahead = int((ts <= t).sum()), ts[ts > t]
    rest = _onward(flow, first.last, replace(options, start=t, save=ahead if len(ahead) else 1, max_steps=left))
    kept = len(rest.ts) if len(ahead) or rest.status != Status.DONE else 0
    x = jnp.concatenate([first.x[:done], rest.x[:kept]])
    counts = first.steps + rest.steps, first.rejected + rest.rejected
    return Trajectory(
        jnp.concatenate([first.ts[:done], rest.ts[:kept]]), moved(mu, x), flow, rest.status, *counts, notes=rest.notes
    )


def _onward(flow, here: Any, options: Options) -> Trajectory:
    if isinstance(flow, Rescaled):
        return evolve_late(flow, here, options)
    # A hard rule knows no size and no clock: tokens x are rescaled ones that start now, times the exponential of V.
    start, rescaled = float(options.start), rescale(flow)
    times = options.times(here) - start
    run = evolve_late(rescaled, here, replace(options, start=0.0, until=options.until - start, save=times))
    x = rescaled.leave(all_tokens(rescaled, jnp.asarray(run.close.anchor), jnp.asarray(run.close.state), run.ts))
    status = Status(run.status.code, run.status.time + start)
    return replace(run, ts=run.ts + start, states=moved(here, x), status=status, close=None)
