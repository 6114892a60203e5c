r"""Wasserstein distance with nonlocal mobility: the metric in which softmax attention is a gradient flow."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from jax.typing import ArrayLike

from ...engine.linalg.arguments import as_annotated
from ...engine.linalg.rows import unit_rows
from ...engine.measures import Particles
from ...errors import BadInput
from ..sphere.steady.gradient_structure import square_matrix
from . import circle_geodesics as circle
from . import sphere_geodesics as sphere
from .action import on_circle, on_sphere, shortest
from .quantiles import quantile

UPPER_BOUND = "an upper bound: the action is not convex, the search is from several starts; atoms may split on the way"


NEAR = 0.05
"""Shifts within this of one another may be confused by the discretisation in time."""


@dataclass(frozen=True)
class Geodesic:
    """A shortest path between two measures, as weighted pieces moving in time."""

    distance: float
    """Extrapolated from T/2 and T intervals."""
    error: float
    """The change made by that extrapolation."""
    ts: np.ndarray
    x: np.ndarray
    """Pieces on the sphere at every time (T+1, P, d)."""
    mass: np.ndarray
    action: np.ndarray
    """∫|v|²/mob dμ in every interval; constant along a geodesic."""
    shift: float | None = None
    """On the circle: by how much levels of the two quantile functions are shifted against each other."""
    angles: np.ndarray | None = None
    """On the circle: the lifted angles of the pieces."""
    notes: tuple[str, ...] = field(default_factory=tuple)

    @property
    def speed(self) -> np.ndarray:
        return np.sqrt(self.action)

    @property
    def length(self) -> float:
        r"""$\int_0^1 (\int|v|^2/\mathrm{mob}\,d\mu)^{1/2}dt$, equal to the distance when the speed is constant."""
        return float(self.speed.mean())


@as_annotated
def transport_distance(
    mu0, mu1, *, B: ArrayLike, intervals: int = 32, pieces: int = 24, shift: float | None = None
) -> Geodesic:
    r"""The transport distance with the mobility of softmax attention, $\mathrm{mob}_\mu = 1/K_\mu$, and a shortest path.

    $$W_{m,2}(\mu_0,\mu_1)^2 = \inf\int_0^1\!\!\int |v_t|^2\,K_{\mu_t}\,d\mu_t\,dt,\quad
      K_\mu(x) = \int e^{\langle x,By\rangle}\,d\mu(y)$$

    Measures are Particles on the circle or a sphere, or on the circle densities $\theta\mapsto\rho(\theta)$. B includes β.
    `pieces` is into how many parts mass is cut, `intervals` the number of time steps. `shift` fixes the circulation.
    Source: Burger et al. 2025 (arXiv 2501.03096), Theorem 2.2; algorithm ours.

    >>> import attnflow as af
    >>> near, far = af.Particles([[1.0, 0.0]]), af.Particles([[0.0, 1.0]])
    >>> round(af.transport_distance(near, far, B=0.0).distance, 4)  # without attention, the angle
    1.5708
    """
    if intervals < 4 or intervals % 2:
        raise BadInput(f"intervals must be an even number of at least 4, got {intervals}")
    if pieces < 1:
        raise BadInput(f"pieces must be positive, got {pieces}")
    dimensions = {mu.d for mu in (mu0, mu1) if isinstance(mu, Particles)} or {2}
    if len(dimensions) > 1:
        raise BadInput(f"both measures must live on the same sphere, got dimensions {sorted(dimensions)}")
    (d,) = dimensions
    B = square_matrix(B, d)
    return _on_circle(mu0, mu1, B, intervals, pieces, shift) if d == 2 else _on_sphere(mu0, mu1, B, intervals, pieces)


def _on_circle(mu0, mu1, B, T, pieces, shift):
    q0, q1 = quantile(mu0), quantile(mu1)
    if shift is not None:
        return _with_shift(q0, q1, B, T, pieces, float(shift))
    best = circle.best_shift(q0, q1, B, pieces, T=T // 2)
    # Coarse time steps underestimate fast pieces, so shifts that cut no atom are compared again at full resolution.
    near = sorted(circle.aligned(q0, q1, best), key=lambda level: abs(level - best))[:2]
    shifts = [best, *(level for level in near if abs(level - best) < NEAR)]
    return min((_with_shift(q0, q1, B, T, pieces, level) for level in dict.fromkeys(shifts)), key=lambda g: g.distance)


def _with_shift(q0, q1, B, T, pieces, shift):
    e = circle.ends(q0, q1, shift, pieces)
    _, half = circle.geodesic(e, B, T // 2, spreads=(1e-3, 0.5))
    full = shortest(circle.refined(half), e.mass, B, on_circle)
    u = np.stack([np.cos(full), np.sin(full)], -1)
    coarse, fine = (on_circle(path, e.mass, B)[0] for path in (half, full))
    return _geodesic(coarse, fine, u, e.mass, shift, full)


def _on_sphere(mu0, mu1, B, T, pieces):
    _, half, mass = sphere.geodesic(mu0, mu1, B, T // 2, pieces=pieces)
    start = circle.refined(half)
    full = shortest(unit_rows(start), mass, B, on_sphere, tol=1e-11)
    coarse, fine = (on_sphere(path, mass, B)[0] for path in (half, full))
    return _geodesic(coarse, fine, full, mass, None, None)


def _geodesic(coarse, fine, x, mass, shift, angles):
    """Midpoint actions have error O(T⁻²), so two of them give a better third."""
    extrapolated = (4 * fine.mean() - coarse.mean()) / 3
    distance = float(np.sqrt(max(extrapolated, 0.0)))
    error = abs(distance - float(np.sqrt(fine.mean())))
    ts = np.linspace(0, 1, len(fine) + 1)
    return Geodesic(distance, error, ts, x, mass, fine, shift, angles, (UPPER_BOUND,))
