"""Equilibrium covariances: isotropic subspaces of the score matrix.

Source: Castin et al. 2025 (arXiv 2501.18322) for low-rank limits; the statements for any V derived.
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from scipy.optimize import least_squares

from ...engine.flow import AnyFlow
from ...engine.flow.gaussian_field import moment_velocity
from ...engine.linalg.arguments import as_annotated, in_range, inside, shaped
from ...engine.linalg.rows import unit_rows
from ...engine.measures import Gaussian
from ...errors import BadInput


@as_annotated
def isotropic_lines(B: ArrayLike) -> np.ndarray:
    r"""The unit vectors $l$ in the plane with $l^\top B l = 0$, as rows: two, one, or none.

    $\Sigma = c\,ll^\top$ is then an equilibrium of softmax, L2 and Sinkhorn attention, whatever V.
    """
    B = np.asarray(B, float)
    if B.shape != (2, 2):
        raise BadInput(f"isotropic lines are for the plane, got B of shape {B.shape}; use isotropic_subspace")
    a, b, c = B[0, 0], B[0, 1] + B[1, 0], B[1, 1]
    turn = b * b - 4 * a * c
    scale = np.abs([a, b, c]).max()
    if turn < -1e-14 * scale**2 or scale == 0:
        return np.empty((0, 2))
    # The quadratic a x² + b xy + c y² in the form that never subtracts equal numbers.
    q = -(b + np.copysign(np.sqrt(max(turn, 0.0)), b)) / 2
    lines = np.array([[q, a], [c, q]]) if q != 0 else np.array([[1.0, 0.0]] if a == 0 else [[0.0, 1.0]])
    lines = lines[np.linalg.norm(lines, axis=1) > 0]
    lines = unit_rows(lines)
    return lines[:1] if turn <= 1e-14 * scale**2 else lines


@as_annotated
def isotropic_subspace(B: ArrayLike, rank: int, *, seed: int = 0, tries: int = 20) -> tuple[np.ndarray, float]:
    r"""An orthonormal basis L (d × rank) with $L^\top B L \approx 0$ and the residual, by minimising it from random starts."""
    B, rng = shaped(B, "B", "d d"), np.random.default_rng(seed)
    d = len(B)
    inside(rank, "rank", least=1, most=d)

    def basis(entries):
        return np.linalg.qr(entries.reshape(d, rank))[0]

    def residual(entries):
        L = basis(entries)
        return (L.T @ B @ L).ravel()

    found = [
        least_squares(residual, rng.standard_normal(d * rank), method="trf", xtol=1e-15, ftol=1e-15, gtol=1e-15)
        for _ in range(tries)
    ]
    best = basis(min(found, key=lambda result: result.cost).x)
    return best, float(np.linalg.norm(best.T @ B @ best))


@as_annotated
def largest_isotropic_rank(B: ArrayLike, *, V_is_identity: bool = False) -> int:
    r"""The rank no equilibrium can exceed: $d - \mathrm{rank}(B)/2$; for $V = I$, $\min(n_+, n_-) + n_0$ of $B + B^\top$."""
    B = shaped(B, "B", "d d")
    if not V_is_identity:
        return int(len(B) - np.ceil(np.linalg.matrix_rank(B) / 2))
    values = np.linalg.eigvalsh(B + B.T)
    zero = np.abs(values) <= 1e-12 * max(np.abs(values).max(), np.finfo(float).tiny)
    return int(min((values[~zero] > 0).sum(), (values[~zero] < 0).sum()) + zero.sum())


@as_annotated
def equilibrium_residual(flow: AnyFlow, mu: Gaussian) -> float:
    r"""$|\Sigma'|/|\Sigma|$: zero exactly at an equilibrium covariance."""
    moved = moment_velocity(flow, mu)
    return in_range(float(jnp.linalg.norm(moved.cov) / jnp.linalg.norm(mu.cov)))
