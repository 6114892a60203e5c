"""The minimiser over all measures for positive definite B, with a certificate.

The energy is a convex quadratic form, so on a grid of candidate places it is a non-negative least-squares problem:
with kernel $\\Phi^\\top\\Phi$, minimising $|\\Phi w|^2 + (\\sum w - 1)^2$ over $w \\ge 0$ gives a multiple of the best
probability vector exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import get_lapack_funcs
from scipy.optimize import minimize, nnls

from ....engine.linalg.rows import unit_rows
from ..interaction_energy import interaction_energy
from .energy_search import kernel_matrix


@dataclass(frozen=True)
class Certified:
    """A measure and how far its energy can be from the minimum."""

    x: np.ndarray
    mass: np.ndarray
    energy: float
    lower: float
    r"""$(\min K_\mu)^2/E(\mu)$, below the energy of every measure (Cauchy–Schwarz for a positive definite kernel)."""

    @property
    def gap(self) -> float:
        return self.energy - self.lower


def features(B: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Φ with ΦᵀΦ = kernel to rounding, by pivoted Cholesky; its rank is small because the kernel is smooth."""
    kernel = kernel_matrix(B, x)
    (pstrf,) = get_lapack_funcs(("pstrf",), (kernel,))
    R, pivots, rank, _ = pstrf(kernel, tol=1e-16)
    out = np.zeros((rank, len(x)))
    out[:, pivots - 1] = np.triu(R)[:rank]
    return out


def best_masses(B: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The probability vector of least energy on given places."""
    A = np.vstack([features(B, x), np.ones(len(x))])
    target = np.zeros(len(A))
    target[-1] = 1.0
    w, _ = nnls(A, target, maxiter=50 * len(x))
    return w / w.sum()


def potential(B, x, mass, at):
    r"""$$K_\mu = \int \tfrac12(e^{\langle\cdot,By\rangle}+e^{\langle y,B\cdot\rangle})\,d\mu(y)$$"""
    return (kernel_matrix(B, at, x) + kernel_matrix(B, x, at).T) @ mass / 2


def lowest_point(B, x, mass, candidates, count: int = 12):
    """The least value of the potential on the sphere, polished from the lowest candidates."""
    values = potential(B, x, mass, candidates)
    best = candidates[np.argsort(values)[:count]]

    def objective(u):
        point = unit_rows(u)
        ahead, behind = np.exp(point @ B @ x.T) * mass / 2, np.exp(point @ B.T @ x.T) * mass / 2
        g = ahead @ x @ B.T + behind @ x @ B
        return ahead.sum() + behind.sum(), (g - (g @ point) * point) / np.linalg.norm(u)

    found = [minimize(objective, start, jac=True, method="BFGS", options={"gtol": 1e-12}) for start in best]
    points = np.array([unit_rows(f.x) for f in found])
    return float(min(values.min(), *(f.fun for f in found))), points


def convex_minimiser(B: np.ndarray, *, points: int | None = None, tol: float = 1e-9, rounds: int = 12) -> Certified:
    """Minimise over masses on a grid, add the places where the potential dips below E, repeat until the gap is closed."""
    d = len(B)
    grid = candidates(d, points or {2: 360, 3: 1200}.get(d, 512))
    x = grid
    for _ in range(rounds):
        mass = best_masses(B, x)
        x, mass = x[mass > 0], mass[mass > 0]
        energy = interaction_energy(x, mass, B=B)
        least, dips = lowest_point(B, x, mass, grid)
        result = Certified(x, mass, energy, max(least, 0.0) ** 2 / energy)
        if result.gap < tol:
            break
        x = np.vstack([x, grid, dips])
    return result


def candidates(d: int, count: int) -> np.ndarray:
    """Places spread over the sphere: equal angles, a Fibonacci spiral, or Sobol directions."""
    if d == 2:
        theta = 2 * np.pi * np.arange(count) / count
        return np.stack([np.cos(theta), np.sin(theta)], axis=1)
    if d == 3:
        i = np.arange(count) + 0.5
        u, phi = 1 - 2 * i / count, np.pi * (1 + 5**0.5) * i
        r = np.sqrt(1 - u**2)
        return np.stack([r * np.cos(phi), r * np.sin(phi), u], axis=1)
    from scipy.stats import norm, qmc

    # Shifted by irrationals: the plain sequence contains the centre, which has no direction.
    sample = qmc.Sobol(d, scramble=False).random(2 ** int(np.ceil(np.log2(count)))) + np.sqrt(np.arange(2, d + 2))
    return unit_rows(norm.ppf(np.clip(sample % 1, 1e-9, 1 - 1e-9)))
