"""Trajectory: what a run leaves behind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from jaxtyping import Array, Float, Int

from ...errors import BadInput
from ..later import later
from ..linalg.matrices import is_concrete
from ..linalg.rows import taken
from ..linalg.shown import Shown
from ..measures import Gaussian, Measure, Particles


class _Named:
    """The status of that name, made when it is asked for: nothing touches a device at import."""

    def __init__(self, name: str):
        self.name = name

    def __get__(self, instance, kind) -> Status:
        return kind.of(self.name)


class Status(eqx.Module):
    """How a run ended, with the time it reached. Two statuses are equal when their names are.

    >>> import attnflow as af
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0)
    >>> run = af.evolve(flow, mu, until=20.0)
    >>> run.status == af.Status.DONE, run.status.name, float(run.status.time)
    (True, 'DONE', 20.0)
    """

    code: Int[Array, "*b"]
    time: Float[Array, "*b"]

    NAMES: ClassVar[tuple[str, ...]] = (
        "DONE", "STEADY", "BLOW_UP", "STEP_TOO_SMALL", "OUT_OF_STEPS", "NOT_FINITE", "UNRESOLVED",
    )  # fmt: skip
    DONE = _Named("DONE")
    STEADY = _Named("STEADY")
    BLOW_UP = _Named("BLOW_UP")
    STEP_TOO_SMALL = _Named("STEP_TOO_SMALL")
    OUT_OF_STEPS = _Named("OUT_OF_STEPS")
    NOT_FINITE = _Named("NOT_FINITE")
    UNRESOLVED = _Named("UNRESOLVED")
    """A density has structure below its grid."""

    @classmethod
    def of(cls, name: str, time: ArrayLike = np.nan) -> Status:
        """The status of that name, at the time reached."""
        return cls(jnp.asarray(cls.NAMES.index(name)), jnp.asarray(time))

    @property
    def name(self) -> str:
        """The name; for a batch, the names joined."""
        return ", ".join(self.NAMES[c] for c in np.atleast_1d(np.asarray(self.code)))

    @property
    def is_broken(self) -> bool:
        """Whether numbers, steps or nodes did not suffice; a blow-up is an outcome, and rest an end."""
        return bool(np.any(np.asarray(self.code) >= self.NAMES.index("STEP_TOO_SMALL")))

    def __eq__(self, other):
        return isinstance(other, Status) and bool(np.all(np.asarray(self.code) == np.asarray(other.code)))

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        times = ", ".join(f"{t:.6g}" for t in np.atleast_1d(np.asarray(self.time)))
        return f"{self.name} at t = {times}"

    def __repr__(self):
        return f"<Status {self}>" if is_concrete(self.code) else "<Status (traced)>"


CODE = {name: code for code, name in enumerate(Status.NAMES)} | {
    "TOUCH": len(Status.NAMES), "TIE": len(Status.NAMES) + 1, "UNWANTED": len(Status.NAMES) + 2,
}  # fmt: skip
"""Endings by number; TOUCH and TIE are seen only inside runs that go on after them, UNWANTED nowhere: such a run raises."""


class Merge(eqx.Module):
    """Tokens that became one: when, which, and how far they were moved to become equal."""

    time: float
    tokens: tuple[int, ...]
    displacement: float


@dataclass(frozen=True)
class Stride:
    """The fixed steps of a run: "layers", or the name of the method, and the length of a step."""

    method: str
    step: float


class Trajectory(Shown, eqx.Module):
    """A measure at every saved time, and how the run went; made by `evolve` only.

    >>> import attnflow as af
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0)
    >>> run = af.evolve(flow, mu, until=20.0)
    >>> run.ts.shape, run.x.shape, run.last
    ((101,), (101, 8, 3), Particles(tokens = 8, d = 3, masses = equal))
    >>> list(run.to_xarray().data_vars)
    ['x', 'mass', 'beta', 'V', 'clusters', 'energy']
    """

    ts: Float[Array, "*b k"]
    states: Measure
    """The measure with a leading time axis (after the batch axis, if any)."""
    flow: Any
    status: Status
    steps: Int[Array, "*b"]
    """Accepted and rejected steps together."""
    rejected: Int[Array, "*b"]
    labels: Int[Array, "k n"] | None = None
    """With merging: which token each token has become, at every saved time."""
    merges: tuple[Merge, ...] = eqx.field(static=True, default=())
    notes: tuple[str, ...] = eqx.field(static=True, default=())
    """Warnings in plain words."""
    stride: Stride | None = eqx.field(static=True, default=None)
    """Of runs in fixed steps; None where steps follow the tolerance, so that the run is the flow itself."""
    tol: float | None = eqx.field(static=True, default=None)
    """The local error the run was asked for; None for the default of its precision."""
    close: Any = None
    """Of rescaled runs under a matrix V: tokens as anchors and offsets (`evolution.late_times.anchored.Close`)."""
    frame: str | None = eqx.field(static=True, default=None)
    """Of states of a Transformer: "raw" streams, their "unit" directions, or directions on the "sphere" of its norms."""
    names: tuple[str, ...] = eqx.field(static=True, default=())
    """What tokens are called, where they have names."""
    layers: tuple[Any, ...] = eqx.field(static=True, default=())
    """Of bridge runs: the diagnostics of every layer (`heat.bridge.Layer`)."""

    def facts(self):
        if not is_concrete(self.ts, self.status.code):
            return {"states": repr(self.states), "status": "traced"}
        ts = np.asarray(self.ts)
        kept = {"states": type(self.states).__name__, "d": str(self.states.d)}
        if isinstance(self.states, Particles):
            kept = {"tokens": str(self.states.n), "d": str(self.states.d)}
        if ts.ndim > 1:
            names, counts = np.unique(self.status.name.split(", "), return_counts=True)
            ends = ", ".join(f"{count} {name}" for name, count in zip(names, counts))
            return kept | {"runs": str(len(ts)), "saved": f"{ts.shape[-1]} times", "status": ends}
        kept |= {name: value for name, value in self._flow_facts().items() if name in ("attention", "V", "noise")}
        span = f"{len(ts)} times from {ts[0]:.4g} to {ts[-1]:.4g}"
        return kept | {"saved": span, "status": str(self.status), "steps": str(int(self.steps))}

    def equation(self) -> str:
        """The equation of motion in LaTeX; empty where none is known."""
        return self.flow.equation() if isinstance(self.flow, Shown) else ""

    def _flow_facts(self) -> dict[str, str]:
        return self.flow.facts() if hasattr(self.flow, "facts") else {}

    @property
    def x(self) -> Float[Array, "*b k n d"]:
        return _field_of(self.states, Particles, "x")

    @property
    def mass(self) -> Float[Array, "*b n"]:
        return _field_of(self.states, Particles, "mass")[..., 0, :]

    @property
    def mean(self) -> Float[Array, "*b k d"]:
        return _field_of(self.states, Gaussian, "mean")

    @property
    def cov(self) -> Float[Array, "*b k d d"]:
        return _field_of(self.states, Gaussian, "cov")

    @property
    def last(self) -> Measure:
        """The measure at the last time reached."""
        return self.at(-1)

    def at(self, index: int) -> Measure:
        """The measure at the saved time of that index."""
        axis = self.ts.ndim - 1
        if is_concrete(self.states, index):
            return jax.tree.map(lambda a: taken(a, index, axis=axis), self.states)
        return jax.tree.map(lambda a: jnp.take(a, index, axis=axis), self.states)

    def member(self, index: int) -> Trajectory:
        """One run of a batch, cut to the times it reached."""
        if self.ts.ndim < 2:
            raise BadInput("this is one run, not a batch, and has no members")
        pick = lambda tree: jax.tree.map(lambda a: a[index] if eqx.is_array(a) else a, tree)  # noqa: E731
        # Gaussian runs of a batch share one flow; those of tokens carry a leading axis on every number of it.
        flow = self.flow if isinstance(self.states, Gaussian) else pick(self.flow)
        return trimmed(replace(pick(replace(self, flow=None)), flow=flow))

    def series(self, name: str) -> np.ndarray:
        """One diagnostic of all layers of a bridge run, by name."""
        return np.array([layer.value(name) for layer in self.layers])

    def to_xarray(self):
        """The run, or a batch of runs, as a labelled data set with β, V, energy and numbers of clusters."""
        return later("Trajectory.to_xarray")(self)


def trimmed(run: Trajectory) -> Trajectory:
    """Only the times that were reached, where that can be known."""
    if not is_concrete(run.ts) or run.ts.ndim != 1:
        return run
    reached = np.flatnonzero(np.isfinite(np.asarray(run.ts)))
    if len(reached) == len(run.ts):
        return run
    cut = lambda a: taken(a, reached)  # noqa: E731
    return eqx.tree_at(lambda r: (r.ts, r.states), run, (cut(run.ts), jax.tree.map(cut, run.states)))


@jax.jit
def finite_part(ts, x: Float[Array, "*b k n d"]):
    """Times, infinite from the first state that is not finite on, and how the run ended.

    Growth beyond the range of numbers is a blow-up.
    """
    is_good = jnp.cumprod(jnp.isfinite(x).all(axis=(-2, -1)), axis=-1).astype(bool)
    size = jnp.max(jnp.where(is_good[..., None, None], jnp.abs(x), 0), axis=(-3, -2, -1))
    stopped = jnp.where(size > jnp.finfo(x.dtype).max ** 0.25, CODE["BLOW_UP"], CODE["NOT_FINITE"])
    ts = jnp.where(is_good, ts, jnp.inf)
    last = jnp.max(jnp.where(is_good, ts, -jnp.inf), axis=-1)
    return ts, Status(jnp.where(is_good[..., -1], CODE["DONE"], stopped), last)


def _field_of(states, kind, name):
    if not isinstance(states, kind):
        raise AttributeError(f"a run of {type(states).__name__} has no {name}")
    return getattr(states, name)
