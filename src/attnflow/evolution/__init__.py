"""Time."""

from __future__ import annotations

from dataclasses import replace

from ..densities import Density
from ..measures import Gaussian, Measure, Particles
from .anchored import evolve_anchored, needs_anchors
from .batch import evolve_batch
from .layers import layers
from .merging import evolve_merging
from .noisy import evolve_noisy, is_noisy
from .options import Options, checked
from .solve import evolve_particles
from .trajectory import Status, Trajectory


def evolve(flow, mu: Measure, **options) -> Trajectory:
    """Let the flow move the measure.

    Options: `until` (10), `save` (101 equal times, or a list of times), `tol` (1e-8; the local error of every token),
    `method` ("adaptive", or "euler", "midpoint", "heun", "rk4" with a `step`), `merge` (distance below which tokens
    become one), `steady` (stop when no token moves faster), `summation` ("auto", "exact", "fast"), `max_steps`,
    `start`, `jumps` (times where weights jump), `seed` (of the noise), `progress`, `derivatives` ("reverse" for `grad`,
    "forward" for `jvp` and `jacfwd`; only asked when something is traced).
    """
    chosen = checked(options)
    return replace(_run(flow, mu, chosen), stride=chosen.stride)


def _run(flow, mu, options: Options) -> Trajectory:
    match mu:
        case Particles():
            return _particle_run(flow, mu, options)
        case Gaussian():
            from .gaussian import evolve_gaussian

            return evolve_gaussian(flow, mu, options)
        case Density():
            from .density import evolve_density

            return evolve_density(flow, mu, options)
    raise ValueError(f"evolve moves Particles, a Gaussian or a Density, got {type(mu).__name__}")


def _particle_run(flow, mu, options: Options) -> Trajectory:
    if mu.x.ndim == 3:
        return evolve_batch(flow, mu, **vars(options))
    if is_noisy(flow):
        return evolve_noisy(flow, mu, options)
    options.check_step()
    if options.merge is not None:
        return evolve_merging(flow, mu, options)
    return (evolve_anchored if needs_anchors(flow, mu, options) else evolve_particles)(flow, mu, options)
