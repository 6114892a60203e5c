"""Time."""

from __future__ import annotations

from ..measures import Gaussian, Measure, Particles
from .options import Options
from .solve import Plan, evolve_particles
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
            return evolve_particles(flow, mu, chosen)
        case Gaussian():
            from .gaussian import evolve_gaussian

            return evolve_gaussian(flow, mu, chosen)
    raise ValueError(f"evolve moves Particles or a Gaussian, got {type(mu).__name__}")


def checked(options: dict) -> Options:
    unknown = set(options) - set(Options.__dataclass_fields__)
    if unknown:
        known = ", ".join(Options.__dataclass_fields__)
        raise ValueError(f"unknown option {', '.join(sorted(unknown))}; evolve knows {known}")
    return Options(**options)
