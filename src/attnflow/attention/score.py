"""Bilinear score of a query and a key, before any normalisation."""

from __future__ import annotations

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..errors import BadInput
from ..linalg.matrices import Schedule, Scheduled, as_matrix, as_number, dense, is_concrete, is_scheduled, times
from ..linalg.small import product


class Score(eqx.Module):
    r"""The bilinear score of a query and a key.

    $$s(x, y) = \beta\langle x, By\rangle = \beta\langle Qx, Ky\rangle$$

    `Q` and `K` may be rectangular (k × d); only `B = Qᵀ K` matters, and it is never formed in a sum.
    """

    weights: Scheduled | tuple[Scheduled, Scheduled]
    beta: Scheduled

    def __init__(self, B=None, Q=None, K=None, beta=1.0):
        if (Q is None) != (K is None):
            raise BadInput("Q and K go together: give both, or B alone")
        if B is not None and Q is not None:
            raise BadInput("give either B or the pair Q, K, not both")
        self.weights = as_matrix(1.0 if B is None else B, "B") if Q is None else _pair(Q, K)
        self.beta = as_number(beta, "beta")

    def queries(self, x: Float[Array, "n d"]) -> Float[Array, "n k"]:
        left = self.weights[0] if isinstance(self.weights, tuple) else _transpose(self.weights)
        return self.beta.astype(x.dtype) * times(left, x)

    def keys(self, y: Float[Array, "m d"]) -> Float[Array, "m k"]:
        return times(self.weights[1], y) if isinstance(self.weights, tuple) else y

    def is_symmetric(self, x, y) -> bool:
        """Whether s(x_i, y_j) = s(x_j, y_i) can be seen: the same tokens, and only multiples of the identity."""
        return x is y and all(jnp.ndim(M) == 0 for M in self._matrices)

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
            size = float(np.linalg.norm(np.asarray(self.B(d)), ord=2))
        return abs(float(self.beta)) * size

    def strength(self) -> float | None:
        r"""The number b if scores are $b\langle x, y\rangle$ and b is known before compilation, else None."""
        is_known = not is_scheduled(self) and is_concrete(self.weights, self.beta)
        if isinstance(self.weights, tuple) or not is_known or self.weights.ndim:
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

    @property
    def _matrices(self) -> tuple[Scheduled, ...]:
        return self.weights if isinstance(self.weights, tuple) else (self.weights,)


def _transpose(M):
    return M.T


def _apply(M, X):
    M = M.astype(X.dtype)
    return M * X if M.ndim == 0 else product(M, X)


def _pair(Q, K):
    Q, K = as_matrix(Q, "Q", square=False), as_matrix(K, "K", square=False)
    if isinstance(Q, Schedule) or isinstance(K, Schedule):
        return Q, K
    if Q.ndim == K.ndim == 2 and Q.shape != K.shape:
        raise BadInput(f"Q and K must have the same shape (k, d), got {Q.shape} and {K.shape}")
    return Q, K
