from __future__ import annotations

from typing import ClassVar

import jax.numpy as jnp
import numpy as np

from ...errors import BadInput
from ..linalg.matrices import Schedule, as_matrix, dense, is_concrete
from ..linalg.shown import shown
from ..linalg.small import product, solve_positive
from ..summation.kernel import Exponential, Kernel
from .base import Scored
from .constants import Constants, log
from .gaussian_field import GaussianField
from .score import Score


class L2(Scored):
    r"""Token $x$ averages the tokens whose key lies near its query.

    $$w(x, y) \propto e^{-\beta |Qx - Ky|^2} \propto e^{2\beta\langle Qx, Ky\rangle - \beta|Ky|^2}$$

    Source: Kim, Papamakarios, Mnih 2021; Castin et al. 2025 (arXiv 2501.18322). `B` alone means $Q = K = B^{1/2}$.

    >>> import attnflow as af
    >>> import numpy as np
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> af.attention_matrix(af.Flow(af.Sphere(), af.L2(B=1.0, beta=np.log(3) / 2)), mu).round(9).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """

    score: Score
    has_fast_sum: ClassVar[bool] = True

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

    def spread(self, d):
        Q, K = (dense(M, d) for M in self.score.weights)
        q, k, apart = (float(jnp.linalg.norm(M, ord=2)) for M in (Q, K, Q - K))
        return float(jnp.abs(self.score.beta)) * (16 * q * k + 4 * k**2 + 8 * apart * k)

    def conventions(self):
        return [f"L2, weights exp(-beta|Qx - Ky|^2) with beta = {shown(self.score.beta)}", "rows sum to 1"]

    def length_scale(self, d):
        return self.score.length_scale(d)

    def why_not_closed(self):
        return None

    def gaussian_field(self, mean, L, X=None):
        r"""$$(I + 2\Sigma K^\top K)^{-1}(\alpha + 2\Sigma B^\top x)$$"""
        root = jnp.sqrt(self.score.beta)
        Q, K = ((root * dense(M, len(mean))).astype(L.dtype) for M in self.score.weights)
        KL, at_mean = product(K, L), product(Q - K, mean[:, None])
        inner = jnp.eye(L.shape[1], dtype=L.dtype) + 2 * product(KL.T, KL)
        listeners = jnp.column_stack([at_mean, product(Q, L if X is None else X)])
        along = 2 * product(L, solve_positive(inner, product(KL.T, listeners)))
        return GaussianField(mean + along[:, 0], along[:, 1:])

    def constants(self, d):
        score, K = self.score.norm(d), np.asarray(dense(self.score.weights[1], d))
        key = float(self.score.beta) * float(np.linalg.norm(K, ord=2)) ** 2

        def on_ball(R):
            b, k = score * R * R, key * R * R
            return Constants(1.0, log(2 * b), np.log1p(4 * (b + k)) + 4 * b + k)

        return on_ball


def _root(B):
    B = as_matrix(B, "B")
    if isinstance(B, Schedule) or not is_concrete(B):
        raise BadInput("L2 needs the square root of B: give Q and K when B is traced or depends on time")
    values = np.atleast_2d(np.asarray(B, dtype=np.float64))
    eigenvalues, vectors = np.linalg.eigh(values)
    slack = 1e-12 * max(1.0, np.abs(values).max())
    if np.abs(values - values.T).max() > slack or eigenvalues.min() < -slack:
        raise BadInput("L2 takes B = QᵀQ, symmetric positive semidefinite; give Q and K instead")
    root = (vectors * np.sqrt(np.clip(eigenvalues, 0, None))) @ vectors.T
    return jnp.asarray(root if B.ndim else root[0, 0], B.dtype)
