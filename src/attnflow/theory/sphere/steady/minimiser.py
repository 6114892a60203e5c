"""Minimiser of the interaction energy over probability measures: closed form where there is one, else certified."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jax.typing import ArrayLike

from ....engine.linalg.arguments import as_annotated
from ....engine.measures import Particles
from ....engine.special.funk_hecke import funk_hecke
from ....errors import BadInput
from .axial_minimiser import axial_minimiser, is_axial
from .circle_minimiser import circle_minimiser
from .convex_minimiser import candidates, convex_minimiser
from .energy_search import search
from .gradient_structure import is_symmetric, square_matrix, symmetric_part

MOST = 700.0
"""The exponential of more is no number."""


@dataclass(frozen=True)
class Minimiser:
    """A measure of least energy among all probability measures on the sphere."""

    kind: str
    energy: float
    x: np.ndarray
    mass: np.ndarray
    lower: float
    """No measure has less energy than this."""
    certainty: str
    family: str
    exact: Any = None
    """The density as a series, where there is one (`density(…)` evaluates it)."""
    notes: tuple[str, ...] = field(default_factory=tuple)

    @property
    def gap(self) -> float:
        return self.energy - self.lower

    @property
    def measure(self) -> Particles:
        return Particles(self.x, self.mass)


@as_annotated
def minimiser(B: ArrayLike, d: int | None = None, *, points: int | None = None) -> Minimiser:
    r"""The measure of least energy for any B.

    $$E(\mu) = \iint e^{\langle x,By\rangle}\,d\mu\,d\mu$$

    With $B_s = (B+B^\top)/2$: a Dirac when $\lambda_{\min}(B_s) < 0$, measures on its kernel when 0; for positive definite
    symmetric B a convex problem, exact for d = 2 and for axisymmetric d = 3, else on `points` candidate places with a
    duality gap. Source: Burger et al. 2025 (arXiv 2501.03096), minimisers; complete forms derived.

    >>> import attnflow as af
    >>> found = af.minimiser(-1.0, 3)
    >>> found.kind, found.energy, found.certainty  # e^{−1}
    ('one cluster', 0.36787944117144233, 'exact')
    """
    B = square_matrix(B, d)
    values, vectors = np.linalg.eigh(symmetric_part(B))
    slack = 1e-12 * max(np.abs(B).max(), 1e-300)
    if values[0] < -slack or (values[0] <= slack and not is_symmetric(B)):
        energy, words = float(np.exp(min(values[0], 0.0))), "exactly δ_z, z in the bottom eigenspace of (B+Bᵀ)/2"
        return Minimiser("one cluster", energy, vectors[:, :1].T, np.ones(1), energy, "exact", words)
    if values[0] <= slack:
        return Minimiser("kernel", 1.0, vectors[:, :1].T, np.ones(1), 1.0, "exact", "exactly the measures on ker B")
    if values[-1] > MOST:
        raise BadInput(f"B has the eigenvalue {values[-1]:.3g}, and e^{MOST:g} is the largest number; scale B down")
    if not is_symmetric(B):
        return _by_search(B, 1.0)
    if values[-1] - values[0] <= slack:
        return _uniform(float(values[0]), len(B))
    return _positive_definite(B, points)


def _uniform(lam: float, d: int) -> Minimiser:
    energy = float(funk_hecke(0, lam, d=d))
    x = candidates(d, 64 if d == 2 else 512)
    certified = convex_minimiser(lam * np.eye(d)) if d == 3 else None
    x, mass = (x, np.full(len(x), 1 / len(x))) if certified is None else (certified.x, certified.mass)
    return Minimiser("uniform", energy, x, mass, energy, "exact", "the uniform measure; the tokens given stand for it")


def _positive_definite(B: np.ndarray, points: int | None) -> Minimiser:
    numerical = convex_minimiser(B, points=points)
    exact = circle_minimiser(B) if len(B) == 2 else axial_minimiser(B) if is_axial(B) else None
    words = "one minimiser, with all symmetries of B; the tokens given have its energy"
    if exact is None:
        certainty = f"numerical, duality gap {numerical.gap:.1e}"
        x, mass, energy = numerical.x, numerical.mass, numerical.energy
        return Minimiser("density", energy, x, mass, numerical.lower, certainty, words)
    notes = ()
    if exact.ripple < 0:
        notes = (f"the truncated density dips to {exact.ripple:.2g}: truncation error, raise the order",)
    return Minimiser("density", exact.energy, numerical.x, numerical.mass, exact.energy, "exact", words, exact, notes)


def _by_search(B: np.ndarray, lower: float) -> Minimiser:
    tries = [search(B, -1, n=n, starts=6, seed=n) for n in (3, 4, 6, 12)]
    energy, x, mass = min(tries, key=lambda found: found[0])
    x, mass = x[mass > 1e-8], mass[mass > 1e-8]
    words = "found by search: the energy of a non-symmetric B is not convex; Jensen bounds it below by 1"
    return Minimiser("tokens", energy, x, mass, lower, "best of a search", words)
