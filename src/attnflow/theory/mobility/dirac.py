"""Transport cost of a single atom, and when splitting it is cheaper."""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike
from scipy.integrate import quad
from scipy.optimize import root_scalar
from scipy.special import ive

from ...engine.linalg.arguments import as_annotated, inside
from ...errors import BadInput
from ..sphere.steady.gradient_structure import square_matrix


@as_annotated
def dirac_length(B: ArrayLike, a: float, b: float) -> float:
    r"""The length of moving one atom along the circle from angle a to b, an upper bound of the distance.

    $$\int_a^b e^{\langle u,Bu\rangle/2}\,d\theta$$
    """
    B = square_matrix(B, 2)

    def speed(theta):
        u = np.array([np.cos(theta), np.sin(theta)])
        return np.exp(u @ B @ u / 2)

    length = float(quad(speed, a, b, epsabs=1e-13, epsrel=1e-13)[0])
    if not np.isfinite(length):
        raise BadInput(
            f"the length leaves the range of numbers: B has entries up to {np.abs(B).max():.2g}; scale it down"
        )
    return length


@as_annotated
def splitting_onset(lam: float) -> float:
    r"""The angle h⋆ between two atoms beyond which, for $B = \lambda I$, some mass goes the long way round.

    $$\min_y \int_0^1 e^{\lambda\cos(ht-y)}(h^2+y'^2)\,dt = 2e^\lambda h^2,\quad y(0)=0,\ y(1)=h-2\pi$$

    In the phase $\psi = ht - y$ the Lagrangian does not know the time: $e^{\lambda\cos\psi}(\psi'^2 - 2h^2)$ is constant,
    and everything is a quadrature. Source: derived for the distance of Burger et al. 2025 (arXiv 2501.03096), Theorem 2.2.
    """
    inside(lam, "lam", least=1e-6, most=1e6)  # splitting pays only for lam > 0
    excess = lambda h: _first_to_leave(lam, h) - 2 * h**2  # noqa: E731
    low = 1.0
    while excess(low) < 0:
        low /= 2
    return root_scalar(excess, bracket=(low, np.pi), xtol=1e-13).root


def _first_to_leave(lam, h):
    """The cost, per unit of mass and of e^λ, of sending the first drop the long way."""
    m = 256 + int(64 * np.sqrt(lam))
    # Smooth and periodic in ψ: the trapezoidal rule is exact to rounding.
    deep = lam * (np.cos(2 * np.pi * np.arange(m) / m) - 1)

    def speed(log_constant):
        return np.sqrt(2 * h**2 + np.exp(log_constant - deep))

    late = lambda c: 2 * np.pi * np.mean(1 / speed(c)) - 1  # noqa: E731
    v = speed(root_scalar(late, bracket=(-2 * lam - 10, 10), xtol=1e-14).root)
    return 2 * np.pi * np.mean(np.exp(deep) * (2 * h**2 / v + v)) - 4 * np.pi * h * ive(0, lam)
