r"""Heat and Fokker–Planck flows by Schrödinger-bridge steps: one self-transport per layer.

A step must last exactly ε: then $2x - \mathrm{bary}(x)$ agrees with the heat flow to second order, whereas the
continuous flow $(x - \mathrm{bary})/\varepsilon$ keeps a bias of order ε.
Source: Agarwal, Harchaoui, Mulcahy, Pal 2024 (arXiv 2406.10823), who state first order; second order is derived.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ..entropic.energy import fisher_information, free_energy
from ..entropic.pairs import Backend
from ..entropic.resolution import DEFAULT, Resolution, Thresholds, resolution, warnings_of
from ..entropic.self_transport import TOL, Certificates, as_cloud
from ..measures import Particles
from ..spaces import Euclidean, Space
from .bridge_steps import Heat, Step
from .trajectory import Status, Trajectory


class BridgeFlow(eqx.Module):
    """What moved the tokens of a bridge run: the rule of its layers and their temperature."""

    space: Space
    eps: float = eqx.field(static=True)
    step: Any = eqx.field(static=True)


@dataclass(frozen=True)
class Layer:
    """The record of one layer, taken before it moves the tokens."""

    time: float
    certificates: Certificates
    resolution: Resolution
    free_energy: float
    fisher_information: float


@dataclass(frozen=True)
class BridgeRun:
    """A bridge run: the trajectory and the diagnostics of every layer."""

    trajectory: Trajectory
    layers: tuple[Layer, ...] = field(default_factory=tuple)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.trajectory.notes

    def __getattr__(self, name):
        return getattr(self.trajectory, name)

    def series(self, name: str) -> np.ndarray:
        """One diagnostic of all layers: "free_energy", "error", "self_weight", "perplexity" and so on."""
        return np.array([_read(layer, name) for layer in self.layers])


def bridge(
    mu,
    eps: float,
    *,
    until: float | None = None,
    steps: int | None = None,
    save: int = 1,
    step: Step | None = None,
    space: Space | None = None,
    is_sampled: bool = True,
    tol: float = TOL,
    backend: Backend = "auto",
    thresholds: Thresholds = DEFAULT,
) -> BridgeRun:
    r"""Move tokens by bridge steps of length ε, `save` of them between saved states.

    `step` is one of `Heat()` (default), `Reverse()`, `Euler(score)`, `Strang(drift)`, `Surrogate(…)` or
    `fokker_planck(…)`.
    `is_sampled=False` says that masses are quadrature weights, so that there is no sampling noise to warn of.
    """
    x, mass = as_cloud(mu)
    step, space, count = step or Heat(), space or Euclidean(), _count(eps, until, steps)
    saved, layers, notes = [(0.0, x)], [], {}
    for k in range(count):
        moved = step.move(x, mass, k * eps, eps, space=space, tol=tol, backend=backend)
        seen = resolution(moved.transport, is_sampled=is_sampled)
        layers.append(_layer(k * eps, moved.transport, seen))
        for note in (*moved.notes, *warnings_of(seen, thresholds)):
            notes.setdefault(note.split(":")[0], f"from t = {k * eps:.4g}: {note}")
        x = moved.x
        if not np.all(np.isfinite(x)):
            break
        if (k + 1) % save == 0 or k + 1 == count:
            saved.append(((k + 1) * eps, x))
    return BridgeRun(_trajectory(saved, x, mass, space, eps, step, tuple(notes.values()), len(layers)), tuple(layers))


def _trajectory(saved, x, mass, space, eps, step, notes, count):
    is_finite = bool(np.all(np.isfinite(x)))
    ts, places = jnp.asarray([t for t, _ in saved]), jnp.asarray(np.array([x for _, x in saved]))
    name = "DONE" if is_finite else "NOT_FINITE"
    status = Status(jnp.asarray(Status.NAMES.index(name)), ts[-1])
    states = Particles(places, jnp.asarray(mass))
    return Trajectory(
        ts, states, BridgeFlow(space, float(eps), step), status, jnp.asarray(count), jnp.asarray(0), notes=notes
    )


def _layer(t, transport, seen):
    return Layer(t, transport.certificates, seen, free_energy(transport), fisher_information(transport))


def _count(eps, until, steps) -> int:
    if not (np.isfinite(eps) and eps > 0):
        raise ValueError(f"eps must be a positive number, got {eps!r}")
    if (until is None) == (steps is None):
        raise ValueError("say how long: until=… or steps=…, one of them")
    if steps is None:
        steps = round(until / eps)
        if abs(steps * eps - until) > 1e-9 * abs(until):
            raise ValueError(f"until={until:g} is not a whole number of steps of eps={eps:g}; the step must equal eps")
    if not isinstance(steps, int | np.integer) or steps < 1:
        raise ValueError(f"the number of steps must be a positive integer, got {steps!r}")
    return int(steps)


def _read(layer: Layer, name: str) -> float:
    for part in (layer, layer.certificates, layer.resolution):
        if hasattr(part, name):
            return getattr(part, name)
    raise ValueError(f"layers record no {name!r}")
