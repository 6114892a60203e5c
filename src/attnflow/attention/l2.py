from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ..kernel import Exponential, Kernel
from ..matrices import Schedule, as_matrix, dense, is_concrete
from .base import Attention
from .score import Score, check_dimension


class L2(Attention):
    r"""Token $x$ averages the tokens whose key lies near its query.

    $$w(x, y) \propto e^{-\beta |Qx - Ky|^2} \propto e^{2\beta\langle Qx, Ky\rangle - \beta|Ky|^2}$$

    Source: Kim, Papamakarios, Mnih 2021; Castin et al. 2025 (arXiv 2501.18322). `B` alone means $Q = K = B^{1/2}$.
    """

    score: Score

    def __init__(self, B=None, beta=1.0, *, Q=None, K=None):
        if Q is None and K is None:
            Q = K = _root(1.0 if B is None else B)
            B = None
        self.score = Score(B, Q, K, beta)

    def kernel(self, x, mu):
        # Distances do not feel a common shift; centring keeps 2⟨q,k⟩ − |k|² from cancelling far from the origin.
        centre = mu.mass @ mu.x
        beta = self.score.beta.astype(mu.x.dtype)
        queries, keys = 2 * self.score.queries(x - centre), self.score.keys(mu.x - centre)
        between = 2 * self.score.queries(centre[None]) - 2 * beta * self.score.keys(centre[None])
        offset = keys @ between[0] - beta * jnp.sum(keys**2, axis=1)
        is_symmetric = self.score.is_symmetric(x, mu.x)
        return Kernel(queries, keys, mu.mass, Exponential(), column=offset, is_symmetric=is_symmetric)

    def check(self, d, n):
        check_dimension(self.score, d)

    def spread(self, d):
        Q, K = (dense(M, d) for M in self.score.weights)
        q, k, apart = (float(jnp.linalg.norm(M, ord=2)) for M in (Q, K, Q - K))
        return float(jnp.abs(self.score.beta)) * (16 * q * k + 4 * k**2 + 8 * apart * k)


def _root(B):
    B = as_matrix(B, "B")
    if isinstance(B, Schedule) or not is_concrete(B):
        raise ValueError("L2 needs the square root of B: give Q and K when B is traced or depends on time")
    values = np.atleast_2d(np.asarray(B, dtype=np.float64))
    eigenvalues, vectors = np.linalg.eigh(values)
    slack = 1e-12 * max(1.0, np.abs(values).max())
    if np.abs(values - values.T).max() > slack or eigenvalues.min() < -slack:
        raise ValueError("L2 takes B = QᵀQ, symmetric positive semidefinite; give Q and K instead")
    root = (vectors * np.sqrt(np.clip(eigenvalues, 0, None))) @ vectors.T
    return jnp.asarray(root if B.ndim else root[0, 0], B.dtype)
