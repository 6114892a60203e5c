r"""Several heads on the sphere: one cluster follows $S=\sum_h V_h$, two opposite ones follow signed sums of the $V_h$.

Where all tokens are at u every head says $V_hu$, whatever its weights: $\dot u=\Pi_uSu$, solved by $e^{tS}u/|e^{tS}u|$.
Barycentres of two tokens differ by at most $\tfrac14\|\beta_hB_h\|D^2|x_i-x_k|$ (gradient of a log-partition function; the
covariance of a law of diameter D), so that $\frac{d}{dt}\log|x_i-x_k| = -\langle u,Su\rangle + O(D)$.
A token at u of a pair ±u of equal shares hears $\tanh(b_h)u$ from head h, $b_h=\beta_h\langle u,B_hu\rangle$.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm

from ...engine.attention import Heads, Softmax
from ...engine.attention.heads import Factored, product_of


@dataclass(frozen=True)
class HeadMatrices:
    """Score matrices $\\beta_hB_h$ and value matrices $V_h$, with the V of the flow inside; shapes (H, d, d)."""

    scores: np.ndarray
    values: np.ndarray

    @property
    def total(self) -> np.ndarray:
        return self.values.sum(axis=0)

    @property
    def reach(self) -> float:
        r"""$N=\sum_h\|V_h\|$."""
        return float(np.linalg.norm(self.values, 2, axis=(1, 2)).sum())

    @property
    def stiffness(self) -> float:
        r"""$\kappa=\sum_h\|V_h\|\|\beta_hB_h\|$."""
        sizes = [np.linalg.norm(M, 2, axis=(1, 2)) for M in (self.values, self.scores)]
        return float(sizes[0] @ sizes[1])

    def slack(self, diameter):
        """By how much the rate of a difference may be off −⟨u, Su⟩ for any token u, where all lie this close."""
        return 2 * self.reach * diameter + self.stiffness * np.square(diameter) / 4

    def paired(self, u: np.ndarray) -> np.ndarray:
        r"""$\sum_h\tanh(b_h)V_hu$ for every row u."""
        b = np.einsum("ni,hij,nj->nh", u, self.scores, u)
        return np.einsum("nh,hij,nj->ni", np.tanh(b), self.values, u)


def head_matrices(flow, d: int) -> HeadMatrices | None:
    """Those of constant softmax heads without offsets or masks; None for all else."""
    rule = flow.attention
    if not isinstance(rule, Heads) or rule.offset is not None or rule.is_affine():
        return None
    if any(type(part) is not Softmax or (isinstance(V, Factored) and V.c is not None) for part, V in rule.heads):
        return None
    outer = _dense(flow.V, d)
    scores = [float(part.score.beta) * np.asarray(part.score.B(d), float) for part, _ in rule.heads]  # pyright: ignore[reportAttributeAccessIssue]
    return HeadMatrices(np.stack(scores), np.stack([outer @ _dense(product_of(V), d) for _, V in rule.heads]))


def _dense(M, d: int) -> np.ndarray:
    M = np.asarray(M, float)
    return M * np.eye(d) if M.ndim == 0 else M


@dataclass(frozen=True)
class DominantPlane:
    """Eigenspace of the largest eigenvalues of S: a line, or the plane of a complex pair."""

    value: complex
    basis: np.ndarray
    """Orthonormal rows."""
    gap: float
    """By how much the next eigenvalue is smaller."""

    @property
    def speed(self) -> float:
        """The mean angular speed of a cluster in the plane; 0 on a line."""
        return abs(float(self.value.imag))

    def angle(self, x: np.ndarray) -> np.ndarray:
        """Between rows and the space."""
        out = x - x @ self.basis.T @ self.basis
        return np.arcsin(np.clip(np.linalg.norm(out, axis=1) / np.linalg.norm(x, axis=1), 0, 1))

    def alignment(self, x: np.ndarray) -> np.ndarray:
        """Mean squared cosine of unit rows with the space, over the last two axes."""
        return np.mean(np.sum((x @ self.basis.T) ** 2, axis=-1), axis=-1)


Size = Callable[[np.ndarray], np.ndarray]
"""By what an eigenvalue is large: its real part in a flow, |1 + λ| in layers."""


def in_layers(values: np.ndarray) -> np.ndarray:
    """The factor by which a layer $x \\leftarrow N(x + Sx)$ multiplies an eigenvector."""
    return np.abs(1 + values)


def dominant_plane(S: np.ndarray, size: Size = np.real) -> DominantPlane:
    return dominating(*np.linalg.eig(S), size)


def dominating(values: np.ndarray, vectors: np.ndarray, size: Size) -> DominantPlane:
    """The space of the largest of known eigenvalues."""
    sizes = size(values)
    order = np.argsort(-sizes, kind="stable")
    top, vector = complex(values[order[0]]), vectors[:, order[0]]
    is_real = abs(top.imag) < 1e-12 * max(1.0, abs(top))
    spanning = np.real(vector)[:, None] if is_real else np.stack([np.real(vector), np.imag(vector)], axis=1)
    rest = sizes[order[1 if is_real else 2 :]]
    gap = float(sizes[order[0]] - rest.max(initial=-np.inf))
    return DominantPlane(complex(top.real if is_real else top), np.linalg.qr(spanning)[0].T, gap)


def stretched(S: np.ndarray, u: np.ndarray, until: float, *, count: int = 1) -> np.ndarray:
    r"""$|e^{tS}u|$ at `count` even times up to `until`: a small cluster at u has the diameter $D_0/|e^{tS}u|$."""
    step, sizes = expm(until / count * S), []
    for _ in range(count):
        u = step @ u
        sizes.append(np.linalg.norm(u))
    return np.array(sizes)
