r"""Schrödinger-bridge schemes for the heat and Fokker–Planck equations: one self-transport per layer.

A step must last exactly ε: then $2x - \mathrm{bary}(x)$ agrees with the heat flow to second order, whereas the
continuous flow $(x - \mathrm{bary})/\varepsilon$ keeps a bias of order ε.
Source: Agarwal, Harchaoui, Mulcahy, Pal 2024 (arXiv 2406.10823), who state first order; second order is derived.
"""

from __future__ import annotations

from dataclasses import dataclass

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ...engine.evolution.trajectory import Status, Trajectory
from ...engine.linalg.arguments import as_annotated, inside
from ...engine.measures import Particles
from ...engine.spaces import Euclidean, Space
from ...errors import BadInput, quoted
from .cloud_resolution import DEFAULT, Resolution, Thresholds, resolution, warnings_of
from .entropy import fisher_information, free_energy
from .gaussian_kernel import Backend
from .self_transport import TOL, Certificates, as_cloud
from .steps import Heat, Step


class BridgeFlow(eqx.Module):
    r"""A diffusion in discrete time: in `space`, one Schrödinger-bridge `step` of length ε per layer."""

    space: Space
    eps: float = eqx.field(static=True)
    step: Step = eqx.field(static=True)


@dataclass(frozen=True)
class Layer:
    """Diagnostics of one layer, taken before it moves the tokens."""

    time: float
    certificates: Certificates
    resolution: Resolution
    free_energy: float
    fisher_information: float

    def value(self, name: str) -> float:
        """A diagnostic by name: "free_energy", "error", "self_weight", "perplexity" and so on."""
        for part in (self, self.certificates, self.resolution):
            if hasattr(part, name):
                return getattr(part, name)
        raise BadInput(f"layers record no {quoted(name)}")


@as_annotated
def bridge(
    mu: Particles | ArrayLike,
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
) -> Trajectory:
    r"""Move tokens by bridge steps of length ε, `save` of them between saved states.

    `step` is one of `Heat()` (default), `Reverse()`, `Euler(score)`, `Strang(drift)`, `Surrogate(…)` or
    `fokker_planck(…)`.
    The run keeps the diagnostics of its layers: `run.series("free_energy")`.
    `is_sampled=False` says that masses are quadrature weights, so that there is no sampling noise to warn of.

    >>> import attnflow as af
    >>> mu = af.gaussian_tokens(400, 1, seed=0, sampling="sobol", antithetic=True, matched=True)
    >>> run = af.bridge(mu, 0.1, until=0.5)
    >>> round(float(run.last.x.var()), 2)  # the heat equation says 1.5
    1.5
    """
    x, mass = as_cloud(mu)
    step, space, count = step or Heat(), space or Euclidean(), _count(eps, until, steps)
    inside(save, "save", least=1)
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
    ts, states = jnp.asarray([t for t, _ in saved]), Particles(np.array([x for _, x in saved]), mass)
    ending = Status.NAMES.index("DONE" if np.all(np.isfinite(x)) else "NOT_FINITE")
    return Trajectory(
        ts, states, BridgeFlow(space, float(eps), step), Status(jnp.asarray(ending), ts[-1]),
        steps=jnp.asarray(len(layers)), rejected=jnp.asarray(0), notes=tuple(notes.values()), layers=tuple(layers),
    )  # fmt: skip


def _layer(t, transport, seen):
    return Layer(t, transport.certificates, seen, free_energy(transport), fisher_information(transport))


def _count(eps, until, steps) -> int:
    if not (np.isfinite(eps) and eps > 0):
        raise BadInput(f"eps must be a positive number, got {quoted(eps)}")
    if (until is None) == (steps is None):
        raise BadInput("say how long: until=… or steps=…, one of them")
    if steps is None:
        steps = round(until / eps)
        if abs(steps * eps - until) > 1e-9 * abs(until):
            raise BadInput(f"until={until:g} is not a whole number of steps of eps={eps:g}; the step must equal eps")
    if not isinstance(steps, int | np.integer) or steps < 1:
        raise BadInput(f"the number of steps must be a positive integer, got {quoted(steps)}")
    return int(steps)
