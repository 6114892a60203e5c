r"""Bounds, for all later times, on the part of the tokens that grows slower than the dominant eigenspace of V.

Write $x_i = e^{\lambda t}Ru_i + y_i$ with $u_i$ the dominant coordinates of $z_i$ and $y_i$ in the invariant
complement G. Then $\dot y_i = V_G\sum_jP_{ij}y_j$, so in a norm in which $\|V_G\|\le\mu<\lambda$ the largest $|y_i|$ grows
at most like $e^{\mu t}$, whatever P is. Derived; source of the dynamics: arXiv 2305.05465 (3.1), lemma 9.3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import null_space, solve_discrete_lyapunov

from ...engine.linalg.matrix_exponential import CONDITION_LIMIT, eigenbasis
from .value_matrix import ValueMatrix

TRUSTED = 1e6
"""Eigenbases of V_G up to this condition number give the norm; beyond it a Lyapunov equation does."""


@dataclass(frozen=True)
class Rest:
    r"""Bounds in units of $e^{2\lambda T}$, T the present; all are 0 when the dominant space is everything."""

    rate: float = 0.0
    """The μ of $|y_i(t)|\\le$ size·$e^{\\mu(t-T)}$."""
    size: float = 0.0
    hearing: float = 0.0
    r"""The largest $\langle y_i, Mu\rangle$ for |u| = 1."""
    heard: float = 0.0
    r"""The largest $\langle u, My_j\rangle$ for |u| = 1."""
    within: float = 0.0
    r"""The largest $\langle y_i, My_j\rangle$."""


def rest_of(grown, matrix, V: ValueMatrix, M) -> Rest:
    r"""The bounds for tokens $e^{T(V-\lambda)}z$ and scores $\langle x, My\rangle$."""
    if V.right.shape[1] == len(V.right):
        return Rest()
    basis, rate = _adapted(matrix, V)
    size = float(np.linalg.norm(np.linalg.pinv(basis) @ (grown - grown @ V.left.T @ V.right.T).T, axis=0).max())
    spread = lambda A: float(np.linalg.norm(A, 2))  # noqa: E731
    return Rest(
        rate, size, spread(basis.T @ M @ V.right) * size, spread(V.right.T @ M @ basis) * size,
        spread(basis.T @ M @ basis) * size**2,
    )  # fmt: skip


def separated(matrix, V: ValueMatrix) -> tuple[np.ndarray, np.ndarray, ValueMatrix]:
    """A basis T of dominant vectors and of G, real eigenvectors where they can be trusted; V in it; and its dominant part."""
    k, inside = V.right.shape[1], null_space(V.left)
    small = inside.T @ matrix @ inside
    values, vectors, condition = eigenbasis(small)
    if condition < CONDITION_LIMIT:
        inside, small = inside @ vectors, np.diag(values.real) + _turns(values.imag)
    block = np.zeros_like(matrix)
    block[:k, :k], block[k:, k:] = V.lam * np.eye(k), small
    unit = np.eye(len(matrix))
    return np.hstack([V.right, inside]), block, replace(V, right=unit[:, :k], left=unit[:k])


def _turns(b):
    """What complex pairs a ± ib, next to each other, add to the diagonal matrix of a."""
    turn = np.zeros((len(b), len(b)))
    for j in np.flatnonzero(b > 0):
        turn[j, j + 1], turn[j + 1, j] = b[j], -b[j]
    return turn


def _adapted(matrix, V: ValueMatrix):
    """A basis of G in whose coordinates V shrinks or grows no vector faster than the rate."""
    inside = null_space(V.left)
    small = inside.T @ matrix @ inside
    values, vectors = np.linalg.eig(small)
    radius = float(np.abs(values).max())
    if np.linalg.cond(vectors) < TRUSTED:
        return inside @ vectors, radius * (1 + 1e-12)
    rate = (radius + V.lam) / 2
    gram = solve_discrete_lyapunov((small / rate).T, np.eye(len(small)))
    return inside @ np.linalg.inv(np.linalg.cholesky(gram).T), rate
