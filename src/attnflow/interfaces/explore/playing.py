"""From a scenario to a run and its knots, piece by piece, with the digits of `attnflow run`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ...engine.evolution.chunks import chunk_size, evolve_in_chunks
from ...engine.evolution.late_times.journey import needs_anchors
from ...engine.evolution.noisy import is_noisy
from ...engine.evolution.options import checked
from ...engine.evolution.stepping import is_fixed
from ...engine.evolution.trajectory import Trajectory
from ...engine.evolution.waiting import Waiting
from ...engine.measures import Gaussian, Particles
from ...experiments.scenario import Scenario, build
from ...models.observed import Unseen
from .bounds import has_long_steps, most_divisions, most_steps
from .curves import Curve, Lens, axes_of, lens_of, velocities
from .frames import Knot
from .padding import may_pad, padded

CONTOURS = (0.5, 1.0, 1.5, 2.0)
"""Standard deviations at which the ellipses of a Gaussian are drawn."""


@dataclass(frozen=True)
class Stage:
    """A flow, a prompt, how they are looked at, and the options of the run."""

    flow: Any
    mu: Any
    lens: Lens
    options: dict[str, Any] | None = None
    chunk: int | None = None
    title: str = ""
    is_padded: bool = False
    projection: str = "pca"
    """The axes on which tokens of more than three dimensions are shown."""
    names: tuple[str, ...] = ()
    """What tokens are called, where they come from a text."""

    @property
    def shown(self) -> int:
        """Tokens on the stage."""
        return self.mu.n if isinstance(self.mu, Particles) else len(contour_points(self.mu.d))

    @property
    def is_weighted(self) -> bool:
        return isinstance(self.mu, Particles) and bool(np.ptp(np.asarray(self.mu.mass)) > 1e-12)


def is_known(flow: Any) -> bool:
    """Whether a flow is known at all: of observed states nothing is but where they live."""
    return flow is not None and not isinstance(flow, Unseen)


def stage_of(scenario: Scenario) -> Stage:
    flow, mu, options = build(scenario)
    if isinstance(mu, Particles):
        options["max_steps"] = min(options["max_steps"], most_steps(mu.n, mu.d))
    is_padded = isinstance(mu, Particles) and may_pad(scenario)
    return Stage(flow, mu, lens_of(flow, mu.d), options, scenario.output.chunk, scenario.title, is_padded)


def shape_of(stage: Stage) -> tuple:
    """What a compiled program depends on: two runs with equal shapes compile once."""
    import jax

    mu = padded(stage.mu) if stage.is_padded else stage.mu
    leaves, tree = jax.tree.flatten((stage.flow, mu))
    shapes = tuple((np.shape(leaf), getattr(leaf, "dtype", None)) for leaf in leaves if eqx.is_array(leaf))
    chosen = checked(stage.options or {})
    return str(tree), shapes, chosen.method, len(np.atleast_1d(chosen.times(stage.mu))), chosen.merge is None


def drawn_as(lens: Lens) -> str:
    if lens.d > 3:
        return "projection"
    return {1: "line", 2: "circle" if lens.is_sphere else "plane"}.get(lens.d, "sphere" if lens.is_sphere else "space")


def compute(
    stage: Stage, show: Callable[[Knot], None], report: Callable[[int, int], None], ask: Callable[[], Any] | None = None
) -> Trajectory:
    """Run a stage and show its knots; where axes of projection must be known first, after the run, else as it goes.

    `ask` raises when nobody waits for the run any more; where steps are long, it is asked between them.
    """
    assert stage.options is not None
    waiting = {} if ask is None or not has_long_steps(stage.mu) else {"waiting": Waiting(ask)}
    options: dict[str, Any] = {**stage.options, **waiting}
    stage = replace(stage, options=options)
    if stage.lens.d <= 3:
        # The start is there before anything is compiled; it comes again with its velocities.
        show(_first(stage))
    if _is_smooth(stage) and stage.lens.d <= 3:
        return _run_smoothly(stage, show, report)
    run = evolve_in_chunks(stage.flow, stage.mu, chunk=stage.chunk, report=report, **options)
    lens = stage.lens
    if isinstance(run.states, Particles):
        lens = replace(lens, axes=axes_of(stage.projection, np.asarray(run.x), np.asarray(run.mass)))
    for knot in knots_of(run, lens):
        show(knot)
    return run


def _first(stage: Stage) -> Knot:
    """Tokens, or the contours of a law, at the start."""
    start = float(checked(stage.options or {}).start)
    if isinstance(stage.mu, Gaussian):
        return _contour(start, np.asarray(stage.mu.mean), np.asarray(stage.mu.cov), stage.lens)
    return stage.lens.knot(start, np.asarray(stage.mu.x), None)


def _is_smooth(stage: Stage) -> bool:
    """Whether the run is a flow in time, without noise or fixed steps, that may be cut into pieces."""
    chosen = checked(stage.options or {})
    if not isinstance(stage.mu, Particles) or is_noisy(stage.flow) or is_fixed(chosen.method):
        return False
    return not needs_anchors(stage.flow, stage.mu, chosen)


def _run_smoothly(stage: Stage, show, report) -> Trajectory:
    """The run with a midpoint in every interval; pieces end where those of `attnflow run` end, so do their steps."""
    mu = padded(stage.mu) if stage.is_padded else stage.mu
    chosen = checked(stage.options or {})
    saved = np.asarray(chosen.times(mu))
    times = saved if saved[0] == float(chosen.start) else np.concatenate([[float(chosen.start)], saved])
    if len(times) < 2:
        times = np.array([float(chosen.start), float(chosen.until)])
    both = np.sort(np.concatenate([times, (times[1:] + times[:-1]) / 2]))
    curve = Curve(stage.flow, mu, stage.lens, chosen, stage.mu.n, most_divisions(stage.mu.n))
    chunk = stage.chunk or chunk_size(len(times), stage.mu)
    pieces = _Pieces(curve, show, lambda done: report(done, -(-(len(times) - 1) // chunk)))
    run = evolve_in_chunks(stage.flow, mu, shelf=pieces, chunk=2 * chunk, **(stage.options or {}) | {"save": both})
    if curve.last is not None:
        show(curve.last)
    return _as_saved(run, saved, stage.mu)


class _Pieces:
    """The shelf of a run that nobody stores: every piece is shown as soon as it is there."""

    def __init__(self, curve: Curve, show, report):
        self.curve, self.show, self.report = curve, show, report

    def get(self, index: int, mu) -> None:
        return None

    def put(self, index: int, run: Trajectory) -> None:
        for knot in self.curve.knots(np.asarray(run.ts), np.asarray(run.x)):
            self.show(knot)
        self.report(index + 1)


def _as_saved(run: Trajectory, saved: np.ndarray, mu: Particles) -> Trajectory:
    """The run as `attnflow run` saves it: without midpoints and without padding."""
    ts = np.asarray(run.ts)
    kept = np.flatnonzero(np.isin(ts, saved) | ((np.arange(len(ts)) == len(ts) - 1) & (run.status.name != "DONE")))
    # In NumPy: every new shape of a slice would compile.
    x, mass = np.asarray(run.x)[kept, : mu.n], np.broadcast_to(np.asarray(mu.mass), (len(kept), mu.n))
    states = eqx.tree_at(lambda s: (s.x, s.mass), run.states, (jnp.asarray(x), jnp.asarray(mass)))
    labels = None if run.labels is None else np.asarray(run.labels)[kept]
    return replace(run, ts=jnp.asarray(ts[kept]), states=states, labels=labels)


def knots_of(run: Trajectory, lens: Lens) -> Iterator[Knot]:
    """Knots at the saved times of a run that exists; curved where it is a flow in time, else straight."""
    ts = np.asarray(run.ts)
    if isinstance(run.states, Gaussian):
        yield from _contours(run, lens)
        return
    x, v = np.asarray(run.x), None
    if is_known(run.flow) and run.stride is None and not is_noisy(run.flow):
        v = np.asarray(velocities(run.flow, run.at(0).moved_to(run.x), run.ts))  # pyright: ignore
        v = v if np.isfinite(v).all() and _is_calm(ts, x, v) else None
    for k, t in enumerate(ts):
        yield lens.knot(t, x[k], None if v is None else v[k])


def _is_calm(ts, x, v) -> bool:
    """Whether cubics would not overshoot: no token could travel much farther than it did."""
    reach = np.diff(ts)[:, None] * np.maximum(np.linalg.norm(v[1:], axis=-1), np.linalg.norm(v[:-1], axis=-1))
    went = np.linalg.norm(np.diff(x, axis=0), axis=-1)
    size = max(1.0, float(np.abs(x).max()))
    return bool(np.all(reach <= 10 * went + 0.1 * size))


def contour_points(d: int) -> np.ndarray:
    """Points whose images under a Gaussian's mean and root covariance trace its contours."""
    rng = np.random.default_rng(0)
    if d == 2:
        angles = np.linspace(0, 2 * np.pi, 96, endpoint=False)
        round_ = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    else:
        round_ = rng.standard_normal((128, d))
        round_ /= np.linalg.norm(round_, axis=1, keepdims=True)
    return np.concatenate([np.zeros((1, d)), *[radius * round_ for radius in CONTOURS]])


def _contours(run: Trajectory, lens: Lens) -> Iterator[Knot]:
    for t, mean, cov in zip(np.asarray(run.ts), np.asarray(run.mean), np.asarray(run.cov)):
        yield _contour(float(t), mean, cov, lens)


def _contour(t: float, mean: np.ndarray, cov: np.ndarray, lens: Lens) -> Knot:
    values, vectors = np.linalg.eigh(cov)
    root = (vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T
    return replace_axes(lens, len(mean)).knot(t, mean + contour_points(len(mean)) @ root, None)


def replace_axes(lens: Lens, d: int) -> Lens:
    """Gaussians of more than three dimensions are shown by their first three coordinates."""
    return replace(lens, axes=np.eye(3, d)) if d > 3 and lens.axes is None else lens
