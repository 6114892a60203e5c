"""What moving a single atom costs, and when splitting it is cheaper."""

from __future__ import annotations

import numpy as np
from scipy.integrate import quad
from scipy.optimize import minimize, root_scalar

from ..steady.score_matrix import score_matrix
from .action import smooth_basis


def dirac_length(B, a: float, b: float) -> float:
    r"""The length of moving one atom along the circle from angle a to b, an upper bound of the distance.

    $$\int_a^b e^{\langle u,Bu\rangle/2}\,d\theta$$
    """
    B = score_matrix(B, 2)

    def speed(theta):
        u = np.array([np.cos(theta), np.sin(theta)])
        return np.exp(u @ B @ u / 2)

    return float(quad(speed, a, b, epsabs=1e-13, epsrel=1e-13)[0])


def splitting_onset(lam: float, T: int = 200) -> float:
    r"""The angle h⋆ between two atoms beyond which, for $B = \lambda I$, some mass goes the long way round.

    $$\min_y \int_0^1 e^{\lambda\cos(ht-y)}(h^2+y'^2)\,dt = 2e^\lambda h^2,\quad y(0)=0,\ y(1)=h-2\pi$$

    Source: derived for the distance of Burger et al. 2025 (arXiv 2501.03096), Theorem 2.2.
    """
    if not lam > 0:
        raise ValueError(f"splitting pays only for lam > 0, got {lam}")
    excess = lambda h: _first_to_leave(lam, h, T) - 2 * np.exp(lam) * h**2  # noqa: E731
    return root_scalar(excess, bracket=(0.5, np.pi), xtol=1e-8).root


def _first_to_leave(lam, h, T):
    """The cost, per unit of mass, of sending the first drop the long way."""
    t = np.linspace(0, 1, T + 1)
    line, basis = (h - 2 * np.pi) * t, smooth_basis(T)

    def objective(z):
        y = line.copy()
        y[1:-1] += basis @ z
        middle, step = (y[1:] + y[:-1]) / 2, np.diff(y) * T
        phase = h * (t[1:] + t[:-1]) / 2 - middle
        e, kinetic = np.exp(lam * np.cos(phase)), h**2 + step**2
        along, slope = lam * np.sin(phase) * e * kinetic / T, 2 * e * step
        g = np.zeros(T + 1)
        g[1:] += along / 2 + slope
        g[:-1] += along / 2 - slope
        return np.mean(e * kinetic), basis.T @ g[1:-1]

    options = {"maxiter": 3000, "maxfun": 5000, "ftol": 1e-15, "gtol": 1e-11}
    return minimize(objective, np.zeros(T - 1), jac=True, method="L-BFGS-B", options=options).fun
