"""Evolution of a measure under a flow: one entry for tokens, Gaussians and densities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jax.typing import ArrayLike
from jaxtyping import Array

from ...errors import BadInput
from ..flow import AnyFlow, check_flow
from ..linalg.arguments import as_annotated
from ..measures import Gaussian, Measure, Particles
from ..measures.density import Density
from ..summation import Summation
from .batch import run_batch
from .condensing import evolve_condensing, may_condense
from .density import evolve_density
from .gaussian import evolve_gaussian
from .late_times.journey import evolve_late, needs_anchors
from .late_times.ordinary import evolve_to_ties, may_slide
from .merging import evolve_merging
from .noisy import evolve_noisy, is_noisy
from .options import Options
from .solve import evolve_particles
from .trajectory import Trajectory


@as_annotated
def evolve(
    flow: AnyFlow,
    mu: Measure,
    *,
    until: float | Array = 10.0,
    save: int | Sequence[float] | ArrayLike = 101,
    tol: float | None = None,
    method: str = "adaptive",
    step: float | None = None,
    merge: float | None = None,
    summation: str | Summation = "auto",
    max_steps: int = 1_000_000,
    steady: float | None = None,
    start: float | Array = 0.0,
    jumps: Sequence[float] | ArrayLike | None = None,
    seed: int = 0,
    progress: bool = False,
    derivatives: str = "reverse",
) -> Trajectory:
    """Let the flow move the measure from `start` to `until`.

    - `save`: a number of equal times, or a list of times.
    - `tol`: the local error of every token (default 1e-8, or 1e-12 for a Gaussian, as far as the precision holds it).
    - `method`: "adaptive", "tsit5", "dopri5", "dopri8", "stiff"; or "euler", "midpoint", "heun", "rk4" with a `step`.
    - `merge`: the distance below which tokens become one; `steady`: stop when no token moves faster.
    - `summation`: "auto", "exact", "fast", or a strategy such as `Tiled()`.
    - `jumps`: times where weights jump; `seed`: of the noise; `progress`: show a meter.
    - `derivatives`: "reverse" for `grad`, "forward" for `jvp` and `jacfwd`; only asked when something is traced.

    >>> import attnflow as af
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0)
    >>> run = af.evolve(flow, mu, until=20.0)
    >>> print(run.status, run.x.shape)
    DONE at t = 20 (101, 8, 3)
    """
    options = Options(
        until=until, save=save, tol=tol, method=method, step=step, merge=merge, summation=summation,
        max_steps=max_steps, steady=steady, start=start, jumps=jumps, seed=seed, progress=progress,
        derivatives=derivatives,
    )  # fmt: skip
    return run(flow, mu, options)


def run(flow: AnyFlow, mu: Measure, options: Options) -> Trajectory:
    """`evolve` with checked options."""
    check_flow(flow)
    try:
        return replace(_of_measure(flow, mu, options), stride=options.stride, tol=options.known_tol)
    except TypeError as error:
        if "forward-mode" not in str(error) or options.derivatives == "forward":
            raise
        raise BadInput(
            'jvp, jacfwd and hessian need evolve(…, derivatives="forward"); the default serves grad'
        ) from None


def _of_measure(flow, mu, options: Options) -> Trajectory:
    match mu:
        case Particles():
            return _of_particles(flow, mu, options)
        case Gaussian():
            return evolve_gaussian(flow, mu, options)
        case Density():
            return evolve_density(flow, mu, options)
    raise BadInput(f"evolve moves Particles, a Gaussian or a Density, got {type(mu).__name__}")


def _of_particles(flow, mu, options: Options) -> Trajectory:
    if mu.x.ndim == 3:
        return run_batch(flow, mu, options)
    if is_noisy(flow):
        return evolve_noisy(flow, mu, options)
    options.check_step()
    if options.merge is not None:
        return evolve_merging(flow, mu, options)
    if needs_anchors(flow, mu, options):
        return evolve_late(flow, mu, options)
    if may_condense(flow, mu, options):
        return evolve_condensing(flow, mu, options)
    return (evolve_to_ties if may_slide(flow, mu, options) else evolve_particles)(flow, mu, options)
