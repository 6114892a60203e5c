"""Classification of the value matrix V by its spectrum: which theorem on rescaled tokens applies.

Source: Geshkovski et al., arXiv 2305.05465, definitions 4.1 and 5.1, section 12.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from jax.typing import ArrayLike

from ...engine.linalg.arguments import as_annotated
from ...engine.linalg.matrices import multiple_of_identity
from ...engine.linalg.matrix_exponential import CONDITION_LIMIT
from ...errors import BadInput

Case = Literal[
    "identity",
    "minus identity",
    "hyperplane",
    "paranormal",
    "complex",
    "jordan",
    "ill-conditioned",
    "negative",
    "mixed",
    "zero",
]

CLOSE = 1e-9
"""Eigenvalues within this relative distance count as equal."""

NEARLY_DEFECTIVE = 1e6
"""Beyond this condition number a dominant eigenvalue cannot be told from that of a Jordan block."""

WORDS: dict[str, str] = {
    "identity": "V is a positive multiple of the identity: rescaled tokens end at vertices of a polytope (theorem 3.1)",
    "minus identity": "V is a negative multiple of the identity: tokens x tend to 0, rescaled tokens diverge (theorem 8.5)",
    "hyperplane": "V has a simple dominant positive eigenvalue: at most three parallel hyperplanes (theorem 4.2)",
    "paranormal": "the dominant positive eigenvalue of V is multiple: polytope × subspace (theorem 5.2)",
    "complex": "the dominant eigenvalues of V are complex: no theorem applies, and no clustering of z is expected",
    "jordan": "the dominant eigenvalue of V has a Jordan block: no theorem applies",
    "ill-conditioned": "the dominant eigenvalues of V are too close, or their eigenvectors too ill-conditioned, "
    "to be told from a Jordan block: no theorem applies",
    "negative": "all eigenvalues of V have negative real part: rescaled tokens diverge; no theorem applies",
    "mixed": "the eigenvalue of largest modulus is not the largest positive one: no theorem applies",
    "zero": "V = 0: no token moves",
}


MOST = 1e150
"""Squares of larger entries overflow."""


@dataclass(frozen=True)
class ValueMatrix:
    """The dominant part of V and the case it puts the flow in."""

    case: Case
    eigenvalues: np.ndarray
    """By decreasing modulus."""
    lam: float
    """The dominant eigenvalue; for complex spectra its real part."""
    second: float
    """The largest modulus among the others (0 if there are none)."""
    right: np.ndarray
    """Columns: a basis of the dominant eigenspace F."""
    left: np.ndarray
    """Rows: the dual basis, so that `left @ z` are the F-coordinates of z."""
    condition: float
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        return WORDS[self.case]


@as_annotated
def classify(V: ArrayLike, d: int) -> ValueMatrix:
    """Which of the cases of the theory V belongs to, for tokens of dimension d."""
    V = np.asarray(V, float)
    if np.abs(V).max() > MOST:
        raise BadInput(f"V must have entries up to {MOST:g}, got {np.abs(V).max():.2g}; scale it down")
    V = V * np.eye(d) if V.ndim == 0 else V
    if V.ndim != 2 or V.shape[0] != V.shape[1]:
        raise BadInput(f"V must be a number or a square matrix, got shape {V.shape}")
    if V.shape[0] != d:
        raise BadInput(f"V has shape {V.shape}, but tokens have dimension {d}")
    c = multiple_of_identity(V)
    if c is not None:
        case = "zero" if c == 0 else "identity" if c > 0 else "minus identity"
        return ValueMatrix(case, np.full(d, c), c, 0.0, np.eye(d), np.eye(d), 1.0)
    return _general(np.ascontiguousarray(V).tobytes(), d)


@lru_cache(maxsize=8)
def _general(entries: bytes, d: int) -> ValueMatrix:
    """Many claims ask for the same V, whose eigenvectors take seconds in many dimensions."""
    V = np.frombuffer(entries).reshape(d, d)
    eigenvalues, vectors = (np.asarray(part, complex) for part in np.linalg.eig(V))
    order = np.lexsort((-np.real(eigenvalues), -np.round(np.abs(eigenvalues), 12)))
    eigenvalues, vectors = eigenvalues[order], vectors[:, order]
    symmetric = np.allclose(V, V.T, rtol=0, atol=1e-14 * np.abs(V).max())
    condition = 1.0 if symmetric else float(np.linalg.cond(vectors))
    size, top = np.abs(eigenvalues[0]), eigenvalues[0]
    equal = np.abs(eigenvalues - top) <= CLOSE * size
    others = eigenvalues[~equal]
    second = float(np.abs(others).max()) if len(others) else 0.0
    case = _case(V, eigenvalues, top, int(equal.sum()), second)
    right, left = np.zeros((len(V), 0)), np.zeros((0, len(V)))
    if case in ("hyperplane", "paranormal"):
        right, left, case = _dominant(V, top.real, int(equal.sum()), case)
    return ValueMatrix(
        case, eigenvalues, float(top.real), second, right, left, condition, _notes(eigenvalues, condition)
    )


def coordinate_error(V, found: ValueMatrix, x) -> float:
    r"""What rounding of V may change dominant coordinates $c = Lx$ by, to first order.

    $$|\delta c|\le4d\,\epsilon\|V\|\|S\|(\|L\||x|+|c|),\qquad S=(\lambda-V+RL)^{-1}(1-RL)$$ with right and left bases R, L.
    """
    d, R, L = len(found.right), found.right, found.left
    if R.shape[1] in (0, d):
        return 0.0
    S = np.linalg.solve(found.lam * np.eye(d) - V + R @ L, np.eye(d) - R @ L)
    size = lambda A: float(np.linalg.norm(A, 2))  # noqa: E731
    reach, c = (float(np.linalg.norm(y, axis=1).max()) for y in (x, x @ L.T))
    return 4 * d * float(np.finfo(float).eps) * size(V) * size(S) * (size(L) * reach + c)


def _case(V, eigenvalues, top, multiplicity, second) -> Case:
    size = abs(top)
    if eigenvalues.real.max() < 0:
        return "negative"
    if abs(top.imag) > CLOSE * size:
        return "complex"
    if top.real < 0 or second >= size * (1 - CLOSE):
        return "mixed"
    if multiplicity == 1:
        return "hyperplane"
    strict, lax = (np.linalg.matrix_rank(V - top.real * np.eye(len(V)), tol=tol * size) for tol in (1e-11, 10 * CLOSE))
    if strict == len(V) - multiplicity:
        return "paranormal"
    return "ill-conditioned" if lax == len(V) - multiplicity else "jordan"


def _dominant(V, lam, k, case: Case) -> tuple[np.ndarray, np.ndarray, Case]:
    """Bases of the dominant eigenspaces of V and of its transpose, dual to each other, if they can be trusted."""
    right = _null(V - lam * np.eye(len(V)), k)
    left = _null(V.T - lam * np.eye(len(V)), k)
    right = right * np.where(right.sum(axis=0) < 0, -1, 1)
    if np.linalg.svd(left.T @ right, compute_uv=False).min() * NEARLY_DEFECTIVE < 1:
        return np.zeros((len(V), 0)), np.zeros((0, len(V))), "ill-conditioned"
    return right, np.linalg.solve(left.T @ right, left.T), case


def _null(M, k):
    return np.linalg.svd(M)[2][-k:].T


def _notes(eigenvalues, condition):
    notes = []
    if condition > CONDITION_LIMIT:
        notes.append(f"the eigenbasis of V is ill-conditioned ({condition:.1e}); eigen-coordinates are not trusted")
    if np.abs(eigenvalues).min() <= 1e-12 * np.abs(eigenvalues).max():
        notes.append("V has eigenvalue 0: the coordinate of z along it never moves")
    if (eigenvalues.real < 0).any():
        notes.append("z may diverge along eigenvectors with negative real part")
    return tuple(notes)
