"""Time."""

from __future__ import annotations

from ..densities import Density
from ..measures import Gaussian, Measure, Particles
from .anchored import evolve_anchored, needs_anchors
from .batch import evolve_batch
from .layers import layers
from .merging import evolve_merging
from .noisy import evolve_noisy
from .options import Options
from .solve import evolve_particles
from .stepping import is_fixed
from .trajectory import Status, Trajectory


def evolve(flow, mu: Measure, **options) -> Trajectory:
    """Let the flow move the measure.

    Options: `until` (10), `save` (101 equal times, or a list of times), `tol` (1e-8; the local error of every token),
    `method` ("adaptive", or "euler", "midpoint", "heun", "rk4" with a `step`), `merge` (distance below which tokens
    become one), `steady` (stop when no token moves faster), `summation` ("auto", "exact", "fast"), `max_steps`,
    `start`, `jumps` (times where weights jump), `seed` (of the noise), `progress`.
    """
    chosen = checked(options)
    match mu:
        case Particles():
            return _particle_run(flow, mu, chosen)
        case Gaussian():
            from .gaussian import evolve_gaussian

            return evolve_gaussian(flow, mu, chosen)
        case Density():
            from .density import evolve_density

            return evolve_density(flow, mu, chosen)
    raise ValueError(f"evolve moves Particles, a Gaussian or a Density, got {type(mu).__name__}")


def _particle_run(flow, mu, options: Options) -> Trajectory:
    if mu.x.ndim == 3:
        return evolve_batch(flow, mu, **vars(options))
    if getattr(flow, "noise", None) is not None:
        if options.merge is not None:
            raise ValueError("tokens with noise never stay equal and cannot merge")
        return evolve_noisy(flow, mu, options)
    if options.step is not None and not is_fixed(options.method):
        raise ValueError("step is for fixed-step methods and noise; adaptive methods take tol")
    if options.merge is not None:
        return evolve_merging(flow, mu, options)
    return (evolve_anchored if needs_anchors(flow, mu, options) else evolve_particles)(flow, mu, options)


def checked(options: dict) -> Options:
    unknown = set(options) - set(Options.__dataclass_fields__)
    if unknown:
        known = ", ".join(Options.__dataclass_fields__)
        raise ValueError(f"unknown option {', '.join(sorted(unknown))}; evolve knows {known}")
    return Options(**options)
