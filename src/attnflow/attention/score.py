"""How well token x hears token y, before any normalisation."""

from __future__ import annotations

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..matrices import Schedule, Scheduled, as_matrix, as_number, dense, times


class Score(eqx.Module):
    r"""The bilinear score of a query and a key.

    $$s(x, y) = \beta\langle x, By\rangle = \beta\langle Qx, Ky\rangle$$

    `Q` and `K` may be rectangular (k × d); only `B = Qᵀ K` matters, and it is never formed in a sum.
    """

    weights: Scheduled | tuple[Scheduled, Scheduled]
    beta: Scheduled

    def __init__(self, B=None, Q=None, K=None, beta=1.0):
        if (Q is None) != (K is None):
            raise ValueError("Q and K go together: give both, or B alone")
        if B is not None and Q is not None:
            raise ValueError("give either B or the pair Q, K, not both")
        self.weights = as_matrix(1.0 if B is None else B, "B") if Q is None else _pair(Q, K)
        self.beta = as_number(beta, "beta")

    def queries(self, x: Float[Array, "n d"]) -> Float[Array, "n k"]:
        left = self.weights[0] if isinstance(self.weights, tuple) else _transpose(self.weights)
        return self.beta.astype(x.dtype) * times(left, x)

    def keys(self, y: Float[Array, "m d"]) -> Float[Array, "m k"]:
        return times(self.weights[1], y) if isinstance(self.weights, tuple) else y

    def is_symmetric(self, x, y) -> bool:
        """Whether s(x_i, y_j) = s(x_j, y_i) can be seen: the same tokens, and only multiples of the identity."""
        weights = self.weights if isinstance(self.weights, tuple) else (self.weights,)
        return x is y and all(jnp.ndim(M) == 0 for M in weights)

    def B(self, d: int) -> Float[Array, "d d"]:
        """The score matrix without β."""
        if isinstance(self.weights, tuple):
            return dense(self.weights[0], d).T @ dense(self.weights[1], d)
        return dense(self.weights, d)

    def norm(self, d: int) -> float:
        """The largest score of unit tokens, β‖B‖; concrete weights only."""
        weights = self.weights if isinstance(self.weights, tuple) else (self.weights,)
        if all(jnp.ndim(M) == 0 for M in weights):
            size = abs(float(np.prod([float(M) for M in weights])))
        else:
            size = float(np.linalg.norm(np.asarray(self.B(d)), ord=2))
        return abs(float(self.beta)) * size


def _transpose(M):
    return M.T


def _pair(Q, K):
    Q, K = as_matrix(Q, "Q", square=False), as_matrix(K, "K", square=False)
    if isinstance(Q, Schedule) or isinstance(K, Schedule):
        return Q, K
    if Q.ndim == K.ndim == 2 and Q.shape != K.shape:
        raise ValueError(f"Q and K must have the same shape (k, d), got {Q.shape} and {K.shape}")
    return Q, K


def check_dimension(score: Score, d: int) -> None:
    """Raise before compilation when the weights do not fit tokens of dimension d."""
    names = ("Q", "K") if isinstance(score.weights, tuple) else ("B",)
    weights = score.weights if isinstance(score.weights, tuple) else (score.weights,)
    for name, M in zip(names, weights):
        if not isinstance(M, Schedule) and jnp.ndim(M) == 2 and M.shape[1] != d:
            raise ValueError(f"{name} has shape {M.shape}, but tokens have dimension {d}")
