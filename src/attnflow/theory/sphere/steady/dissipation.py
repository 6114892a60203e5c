"""Energy dissipation of a gradient flow: the power at a state, and the balance along a run."""

from __future__ import annotations

from dataclasses import dataclass

import equinox as eqx
import numpy as np
from scipy.interpolate import CubicSpline

from ....engine.evolution.trajectory import Trajectory
from ....engine.flow import AnyFlow, choose, velocity
from ....engine.linalg.arguments import as_annotated
from ....engine.linalg.rows import unit_rows
from ....engine.measures import Particles
from ....errors import BadInput
from ..interaction_energy import interaction_energy
from .energy_search import kernel_matrix
from .gradient_structure import Structure, structure


@as_annotated
def dissipated_power(flow: AnyFlow, mu: Particles) -> float:
    r"""What $E/2$ gains (ascent) or loses (descent) per unit of time.

    $$\frac{d}{dt}\frac{E}{2} = \pm\int \frac{|v|^2}{\mathrm{mob}_\mu}\,d\mu,\quad
      \mathrm{mob} = 1/K_\mu\ \text{(SA)},\ 1\ \text{(USA)}$$

    For $V = cB$ and inverse temperature β the integral is multiplied by β/|c|.
    Source: Burger et al. 2025 (arXiv 2501.03096), energy dissipation.
    """
    found, (x, mass) = _structure(flow, mu.d), _tokens(mu)
    return _power(found, x, mass, np.asarray(velocity(flow, mu), dtype=float))


@dataclass(frozen=True)
class Balance:
    """Both sides of the integrated identity along a run."""

    ts: np.ndarray
    energy: np.ndarray
    """E at the saved times, without a factor 1/2."""
    gained: np.ndarray
    """± the integral of the dissipated power up to each time: what E/2 should have gained."""
    sign: int
    quadrature: float
    """By how much the integral changes with every other saved time: the imbalance that coarse saving alone can make."""

    @property
    def residual(self) -> float:
        """The largest mismatch relative to E/2."""
        half = self.energy / 2
        return float(np.max(np.abs(half - half[0] - self.gained) / half))

    @property
    def wrong_way(self) -> float:
        """The largest relative move of E against its direction between saved times."""
        return float(max(0.0, np.max(-self.sign * np.diff(self.energy) / self.energy[:-1])))


@as_annotated
def dissipation_balance(run: Trajectory) -> Balance:
    """E along a run beside the integral of its dissipation, by a spline through the saved times."""
    if run.ts.ndim != 1 or not isinstance(run.states, Particles):
        raise BadInput("the balance is of one run of tokens: take a member of the batch, run.member(0)")
    found, ts = _structure(run.flow, run.x.shape[-1]), np.asarray(run.ts, dtype=float)
    x, mass = unit_rows(np.asarray(run.x, dtype=float)), np.asarray(run.mass, dtype=float)
    v = np.asarray(_velocities(run.flow, run.states), dtype=float)
    energy = np.array([interaction_energy(tokens, mass, B=found.B) for tokens in x])
    power = np.array([_power(found, tokens, mass, speed) for tokens, speed in zip(x, v)])
    gained, coarse = _integral(ts, power), _integral(ts[::2], power[::2])
    quadrature = float(np.max(np.abs(gained[::2] - coarse) / (energy[::2] / 2)))
    return Balance(ts, energy, found.sign * gained, found.sign, quadrature)


def _integral(ts, power):
    if len(ts) < 2:
        return np.zeros(len(ts))
    antiderivative = CubicSpline(ts, power).antiderivative()
    return antiderivative(ts) - antiderivative(ts[0])


def _velocities(flow, states):
    first = Particles(states.x[0], states.mass[0])
    return _fields(flow, first, states.x, choose("exact", flow, first))


@eqx.filter_jit
def _fields(flow, first, xs, summation):
    return eqx.filter_vmap(lambda x: flow.field(first.moved_to(x), 0.0, summation))(xs)


def _power(found: Structure, x, mass, v) -> float:
    weight = kernel_matrix(found.B, x) @ mass if found.normalisation == "SA" else np.ones(len(x))
    return float(np.sum(mass * weight * np.sum(v**2, axis=1))) / found.speed


def _tokens(mu: Particles):
    return unit_rows(np.asarray(mu.x, dtype=float)), np.asarray(mu.mass, dtype=float)


def _structure(flow, d: int) -> Structure:
    found = structure(flow, d)
    if found is None:
        raise BadInput("not a gradient flow of E: needs the sphere, Softmax or Unnormalised(), and V = c·B")
    return found
