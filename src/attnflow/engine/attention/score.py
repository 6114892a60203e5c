"""Bilinear score of a query and a key, before any normalisation."""

from __future__ import annotations

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ...errors import BadInput
from ..linalg.matrices import (
    Schedule,
    Scheduled,
    as_array,
    as_matrix,
    as_number,
    dense,
    is_concrete,
    is_scheduled,
    times,
)
from ..linalg.small import product


class Score(eqx.Module):
    r"""The bilinear score of a query and a key.

    $$s(x, y) = \beta\langle x, By\rangle = \beta\langle Qx, Ky\rangle$$

    `Q` and `K` may be rectangular (k × d); only `B = Qᵀ K` matters, and it is never formed in a sum. Offsets `q` and `k`
    (biases of a trained layer) make it affine, $\beta\langle Qx + q, Ky + k\rangle$.
    """

    weights: Scheduled | tuple[Scheduled, Scheduled]
    beta: Scheduled
    offsets: tuple[Array | None, Array | None]

    def __init__(self, B=None, Q=None, K=None, beta=1.0, *, q=None, k=None):
        if (Q is None) != (K is None):
            raise BadInput("Q and K go together: give both, or B alone")
        if B is not None and Q is not None:
            raise BadInput("give either B or the pair Q, K, not both")
        self.weights = as_matrix(1.0 if B is None else B, "B") if Q is None else _pair(Q, K)
        self.beta = as_number(beta, "beta")
        self.offsets = _offset(q, "q"), _offset(k, "k")

    @property
    def is_affine(self) -> bool:
        """Whether queries or keys have an offset, so that the score is not ⟨x, By⟩ alone."""
        return any(offset is not None for offset in self.offsets)

    def queries(self, x: Float[Array, "n d"]) -> Float[Array, "n k"]:
        left = self.weights[0] if isinstance(self.weights, tuple) else _transpose(self.weights)
        return self.beta.astype(x.dtype) * _moved(times(left, x), self.offsets[0])

    def keys(self, y: Float[Array, "m d"]) -> Float[Array, "m k"]:
        return _moved(times(self.weights[1], y) if isinstance(self.weights, tuple) else y, self.offsets[1])

    def is_symmetric(self, x, y) -> bool:
        """Whether s(x_i, y_j) = s(x_j, y_i) can be seen: the same tokens, and only multiples of the identity."""
        return x is y and not self.is_affine and all(jnp.ndim(M) == 0 for M in self._matrices)

    def between(self, X: Float[Array, "d a"], Y: Float[Array, "d b"]) -> Float[Array, "a b"]:
        """The scores of listeners X with tokens Y (columns), through queries and keys: small scores keep their digits."""
        Q, K = self.weights if isinstance(self.weights, tuple) else (self.weights.T, None)
        queries = self.beta.astype(X.dtype) * _apply(Q, X)
        return product(queries.T, Y if K is None else _apply(K, Y))

    def B(self, d: int) -> Float[Array, "d d"]:
        """The score matrix without β."""
        if isinstance(self.weights, tuple):
            return dense(self.weights[0], d).T @ dense(self.weights[1], d)
        return dense(self.weights, d)

    def matrix(self, d: int) -> Float[Array, "d d"]:
        """The score matrix with β, βB."""
        return self.beta * self.B(d)

    def largest(self, d: int) -> Float[Array, ""]:
        """The largest score of unit tokens, β‖B‖, also for traced weights."""
        return jnp.abs(self.beta) * jnp.linalg.norm(self.B(d), ord=2)

    def norm(self, d: int) -> float:
        """The largest score of unit tokens, β‖B‖; concrete weights only."""
        if all(jnp.ndim(M) == 0 for M in self._matrices):
            size = abs(float(np.prod([float(M) for M in self._matrices])))
        else:
            size = _norm_of_product(self.weights, d) if isinstance(self.weights, tuple) else _norm(self.B(d))
        return abs(float(self.beta)) * size

    def length_scale(self, d: int) -> float | None:
        r"""$(\beta\|B\|)^{-1/2}$; None where it is infinite, or changes with time."""
        size = 0.0 if is_scheduled(self) else self.norm(d)
        return float(size**-0.5) if size > 0 else None

    def reach(self, d: int) -> float:
        """The largest score of unit tokens with offsets, at most β(‖Q‖ + |q|)(‖K‖ + |k|); concrete weights only."""
        if not self.is_affine:
            return self.norm(d)
        Q, K = self.weights if isinstance(self.weights, tuple) else (self.weights, jnp.ones(()))
        sizes = [_norm(dense(M, d)) for M in (Q, K)]
        more = [0.0 if offset is None else float(np.linalg.norm(np.asarray(offset))) for offset in self.offsets]
        return abs(float(self.beta)) * float(np.prod([size + extra for size, extra in zip(sizes, more)]))

    def strength(self) -> float | None:
        r"""The number b if scores are $b\langle x, y\rangle$ and b is known before compilation, else None."""
        is_known = not is_scheduled(self) and is_concrete(self.weights, self.beta)
        if self.is_affine or isinstance(self.weights, tuple) or not is_known or self.weights.ndim:
            return None
        return float(np.asarray(self.beta)) * float(np.asarray(self.weights))

    def key_dimension(self, d: int) -> int:
        """The dimension of keys for tokens of dimension d."""
        shape = jnp.shape(self.weights[1]) if isinstance(self.weights, tuple) and is_concrete(self.weights) else ()
        return shape[0] if shape else d

    def check(self, d: int) -> None:
        """Raise before compilation when the weights do not fit tokens of dimension d."""
        names = ("Q", "K") if isinstance(self.weights, tuple) else ("B",)
        for name, M in zip(names, self._matrices):
            if not isinstance(M, Schedule) and jnp.ndim(M) == 2 and M.shape[1] != d:
                raise BadInput(f"{name} has shape {M.shape}, but tokens have dimension {d}")
        for name, offset in zip("qk", self.offsets):
            if offset is not None and len(offset) != (rank := self.key_dimension(d)):
                raise BadInput(f"{name} has {len(offset)} entries, but queries and keys have dimension {rank}")

    @property
    def _matrices(self) -> tuple[Scheduled, ...]:
        return self.weights if isinstance(self.weights, tuple) else (self.weights,)


def _transpose(M):
    return M.T


def _norm(M) -> float:
    return float(np.linalg.norm(np.asarray(M), ord=2))


def _norm_of_product(weights, d: int) -> float:
    """‖QᵀK‖ from triangular factors of the size of a head."""
    Q, K = (np.asarray(np.linalg.qr(np.asarray(dense(M, d)).T, mode="r")) for M in weights)
    return _norm(Q @ K.T)


def _moved(vectors, offset):
    return vectors if offset is None else vectors + offset.astype(vectors.dtype)


def _offset(value, name: str) -> Array | None:
    if value is None:
        return None
    offset = as_array(value, name)
    if offset.ndim != 1:
        raise BadInput(f"{name} must be one vector, got shape {offset.shape}")
    return offset


def _apply(M, X):
    M = M.astype(X.dtype)
    return M * X if M.ndim == 0 else product(M, X)


def _pair(Q, K):
    Q, K = as_matrix(Q, "Q", square=False), as_matrix(K, "K", square=False)
    if isinstance(Q, Schedule) or isinstance(K, Schedule):
        return Q, K
    if Q.ndim == K.ndim == 2 and Q.shape != K.shape:
        raise BadInput(f"Q and K must have the same shape (k, d), got {Q.shape} and {K.shape}")
    if Q.ndim != K.ndim and len({*Q.shape, *K.shape}) > 1:
        raise BadInput(f"beside a number, Q or K must be square, got shapes {Q.shape} and {K.shape}")
    return Q, K
