"""Dominant eigenspace of z' = Az: the eigenvalues with the largest real part and the space they span."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from ...engine.linalg.arguments import as_annotated, inside, shaped
from ...errors import BadInput

Kind = Literal["simple", "multiple", "complex", "jordan", "scalar"]

MOST = 1e150
"""Squares of larger entries overflow."""
NEAR_TIE = 1e-2
"""Gaps below this share of the matrix are reported: the slow direction is then visible for a long time."""

WORDS: dict[str, str] = {
    "simple": "tokens align with one direction and its opposite",
    "multiple": "tokens spread over the sphere of the dominant eigenspace and stay there",
    "complex": "tokens gather on a plane and rotate in it for ever: no limit exists, only a moving measure",
    "jordan": "tokens turn slowly, like 1/s, to the true eigenvectors of a Jordan block",
    "scalar": "nothing moves at this order; the heat phase is the first motion",
}


@dataclass(frozen=True)
class DominantSpace:
    """The dominant invariant subspace E of A with its spectral projector, which is oblique unless A is normal."""

    kind: Kind
    eigenvalues: np.ndarray
    """All eigenvalues, largest real part first."""
    conditions: np.ndarray
    """By how much each eigenvalue moves per unit change of A."""
    basis: np.ndarray
    """Orthonormal columns spanning E."""
    projector: np.ndarray
    direction: np.ndarray
    """The matrix R with T(x) = Rx/|Rx|: the projector, or its nilpotent image for a Jordan block."""
    gap: float
    """Largest real part minus the next distinct one; infinite when E is everything."""
    block: int
    """Size of the largest Jordan block."""
    notes: tuple[str, ...]

    @property
    def k(self) -> int:
        return self.basis.shape[1]

    @property
    def top(self) -> float:
        return float(self.eigenvalues[0].real)


@as_annotated
def dominant_space(A: ArrayLike, *, tol: float = 1e-5) -> DominantSpace:
    """Classify the spectrum of A; eigenvalues whose real parts differ by less than tol·|A| count as tied.

    Round-off splits a Jordan block of size p by about $\\epsilon^{1/p}$, so tol cannot be much smaller.
    """
    A = shaped(A, "A", "d d")
    inside(tol, "tol", least=0)
    if not np.all(np.abs(A) < MOST):
        raise BadInput(f"A = VBᵀ must have entries below {MOST:g}; scale V or B down")
    return _classified(np.ascontiguousarray(A, float).tobytes(), len(A), tol)


@lru_cache(maxsize=8)
def _classified(entries: bytes, d: int, tol: float) -> DominantSpace:
    """Many claims ask for the same A, whose invariant subspaces take seconds in many dimensions."""
    A = np.frombuffer(entries).reshape(d, d)
    scale = np.linalg.norm(A, 2)
    eigenvalues, conditions = _sorted_eigenvalues(A)
    top = eigenvalues[0].real
    is_dominant = eigenvalues.real >= top - tol * scale
    basis, inner, projector = _split(A, top - tol * scale)
    kind, block = _kind(A, inner, tol * scale)
    rest = eigenvalues.real[~is_dominant]
    gap = float(top - rest[0]) if rest.size else np.inf
    direction = projector
    if kind == "jordan":
        eigenvalue = np.trace(inner) / len(inner)
        direction = np.linalg.matrix_power(A - eigenvalue * np.eye(len(A)), block - 1) @ projector
    notes = _notes(gap, scale, projector, eigenvalues[is_dominant], kind, tol)
    return DominantSpace(kind, eigenvalues, conditions, basis, projector, direction, gap, block, notes)


def _sorted_eigenvalues(A):
    found: Any = scipy.linalg.eig(A, left=True, right=True)
    values, left, right = found
    overlap = np.abs(np.sum(left.conj() * right, axis=0))
    order = np.lexsort((-values.imag, -values.real))
    with np.errstate(divide="ignore"):
        return values[order], 1 / overlap[order]


def _split(A, threshold):
    """E, A restricted to it, and the projector on E along the other invariant subspace."""
    found: Any = scipy.linalg.schur(A, output="real", sort=lambda re, im: re >= threshold)
    T, Z, k = found
    E, inner = Z[:, :k], T[:k, :k]
    if k == len(A):
        return E, inner, np.eye(len(A))
    X = scipy.linalg.solve_sylvester(inner, -T[k:, k:], -T[:k, k:])
    return E, inner, E @ (Z[:, :k] - Z[:, k:] @ X.T).T


def _kind(A, inner, slack) -> tuple[Kind, int]:
    k, eigenvalues = len(inner), np.linalg.eigvals(inner)
    if k > 1 and np.abs(eigenvalues.imag).max() > slack:
        return "complex", 1
    nilpotent = inner - np.trace(inner) / k * np.eye(k)
    size = np.linalg.norm(nilpotent, 2)
    if k == 1:
        return ("scalar" if len(A) == 1 else "simple"), 1
    if size <= slack:
        return ("scalar" if k == len(A) else "multiple"), 1
    power, block = nilpotent, 1
    while block < k and np.linalg.norm(power, 2) > slack * size ** (block - 1):
        power, block = power @ nilpotent, block + 1
    return "jordan", block


def _notes(gap, scale, projector, dominant, kind, tol):
    notes = []
    if gap < NEAR_TIE * scale:
        notes.append(f"near tie: the gap {gap:.3g} is small against |A| = {scale:.3g}")
    spread = np.ptp(dominant.real)
    if spread > 1e-14 * scale and kind in ("multiple", "scalar"):
        notes.append(f"real parts that differ by {spread:.1g} were taken as equal (tol = {tol:g})")
    size = np.linalg.norm(projector, 2)
    if size > 10:
        notes.append(f"A is far from normal: the projector on E has norm {size:.3g}")
    return tuple(notes)
