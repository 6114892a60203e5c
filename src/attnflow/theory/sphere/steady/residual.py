"""Residual of stationarity: how fast a measure moves, against the size of its drift."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jax.typing import ArrayLike

from ....engine.linalg.arguments import as_annotated
from ....engine.linalg.rows import unit_rows
from ....engine.measures import Particles
from .energy_search import kernel_matrix
from .gradient_structure import square_matrix


@dataclass(frozen=True)
class Stationarity:
    residuals: np.ndarray
    """One per token."""

    @property
    def worst(self) -> float:
        return float(self.residuals.max())


@as_annotated
def stationarity(B: ArrayLike, mu: Particles) -> Stationarity:
    r"""The residual of the stationarity condition at every token that carries mass.

    $$R_i = \Big|\Pi_{x_i}\sum_j m_j e^{\langle x_i,Bx_j\rangle} Bx_j\Big|$$

    Softmax and constant normalisation share it: the mobility does not enter.
    Source: Burger et al. 2025 (arXiv 2501.03096).
    """
    B = square_matrix(B, mu.d)
    x, mass = unit_rows(np.asarray(mu.x, dtype=float)), np.asarray(mu.mass, dtype=float)
    g = (kernel_matrix(B, x) * mass) @ (x @ B.T)
    tangential = g - np.sum(g * x, axis=1, keepdims=True) * x
    return Stationarity(np.where(mass > 0, np.linalg.norm(tangential, axis=1), 0.0))
