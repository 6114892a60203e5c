"""Minimisers approximated by many tokens: descent of the energy by the flow, beside the lower bound of all measures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jax.typing import ArrayLike

from ....engine.linalg.arguments import as_annotated, shaped
from ....engine.linalg.rows import unit_rows
from ....engine.measures import Particles
from ....errors import BadInput
from .gradient_structure import Structure, check_normalisation, is_symmetric, square_matrix
from .layer_scheme import advised_step
from .minimiser import Minimiser, minimiser
from .moment_layers import PowerLayers
from .residual import Stationarity, stationarity

EPS = 1e-13
"""Terms of the kernel that are left out."""

CHUNK = 50
"""Layers between two looks at the energy."""

LARGEST = 8.0
"""Beyond this ‖B‖ the moments of the exponential lose the small values of the kernel to rounding."""


@dataclass(frozen=True)
class Descent:
    """Tokens after a descent, and how far their energy is from the least."""

    x: np.ndarray
    energy: np.ndarray
    """E before every layer, and at the end."""
    eta: float
    """The step at the end; it is halved when E rises and grows again when it keeps falling."""
    least: Minimiser
    residual: Stationarity

    @property
    def excess(self) -> float:
        """E − E_min, or what is left above the certified lower bound."""
        return float(self.energy[-1] - self.least.lower)

    @property
    def measure(self) -> Particles:
        return Particles(self.x)


@as_annotated
def descend(
    B: ArrayLike,
    d: int | None = None,
    *,
    n: int = 2000,
    layers: int = 500,
    normalisation: str = "USA",
    seed: int = 0,
    x: ArrayLike | None = None,
) -> Descent:
    r"""Minimise $E(\mu) = \iint e^{\langle x,By\rangle}d\mu d\mu$ over n equal tokens by layers $x \leftarrow N(x - \eta g)$.

    Sums go through moments, so a layer costs O(n). Symmetric B with ‖B‖ ≤ 8. For semidefinite B convergence is algebraic.
    Source: the descent of Burger et al. 2025 (arXiv 2501.03096), Figure 3, at any n.
    """
    B = square_matrix(B, d)
    size = float(np.linalg.norm(B, 2))
    if not is_symmetric(B) or not 0 < size <= LARGEST:
        raise BadInput(
            f"descent by moments needs symmetric B with 0 < ‖B‖ ≤ {LARGEST:g}, got ‖B‖ = {size:.3g}; use gradient_layers"
        )
    if n < 1 or layers < 1:
        raise BadInput(f"n and layers must be positive, got {n} and {layers}")
    start = np.random.default_rng(seed).normal(size=(n, len(B))) if x is None else shaped(x, "x", "n d", d=len(B))
    end, energy, eta = _descended(B, unit_rows(start), layers, check_normalisation(normalisation))
    return Descent(end, energy, eta, minimiser(B), stationarity(B, Particles(end)))


def _descended(B, x, layers, normalisation):
    step = PowerLayers(B, sign=-1, normalisation=normalisation, eps=EPS)
    eta, done, energies = advised_step(Structure(B, -1, 1.0, normalisation)), 0, []
    while done < layers:
        y, E = step(x, eta=eta, count=CHUNK + 1)
        if np.any(np.diff(E) > 5e-14 * E[:-1]) or not np.all(np.isfinite(y)):
            eta /= 2
            if eta < 1e-8:
                break
            continue
        # The last layer of a chunk only serves to see the energy it starts from.
        energies.append(E)
        x, done, eta = unit_rows(y), done + CHUNK + 1, 1.2 * eta
    return x, np.concatenate([*energies, step(x, eta=eta, count=1)[1]]), eta
