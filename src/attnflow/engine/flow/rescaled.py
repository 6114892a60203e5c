"""Rescaled tokens: the same flow in the variables $z = e^{-tV}x$, where growing tokens have limits.

$$\\dot z_i = \\sum_j P_{ij} V (z_j - z_i),\\qquad
  P_{ij} \\propto m_j \\exp\\big(\\beta\\langle e^{tV}z_i, B e^{tV}z_j\\rangle\\big)$$

Source: Geshkovski et al. 2023 (arXiv 2305.05465), eq. (3.1) and Remark 3.4. Scores are formed from differences of
tokens, taken before they are multiplied by the huge factor $e^{2t\\lambda}$, so nothing overflows at any time.
"""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jaxtyping import Array, Float

from ...errors import BadInput
from ..attention import Scored
from ..linalg.arguments import as_annotated
from ..linalg.matrices import Scheduled, dense, is_concrete, is_scheduled
from ..linalg.matrix_exponential import (
    CONDITION_LIMIT,
    Full,
    Operator,
    block_basis,
    blocks,
    capped_exp,
    eigenbasis,
    full,
)
from ..linalg.shown import Shown
from ..measures import Particles
from ..spaces import Euclidean
from ..summation.kernel import log_mass
from ..summation.tiled import over_tiles
from .flow import Flow
from .formula import RESCALED


class Rescaled(Shown, eqx.Module):
    """A flow seen in z-variables; its state is kept in the coordinates of `basis`, where V is simple."""

    flow: Flow
    basis: Float[Array, "d d"] | None
    """Columns are (real parts of) eigenvectors of V, or bases of its invariant subspaces; None when V is a number."""
    growth: Operator
    """What $e^{tV}$ grows by."""
    drift: Operator
    """What the differences z_j − z_i are multiplied by: V, or R⁻¹V for layers."""
    notes: tuple[str, ...] = eqx.field(static=True, default=())

    def facts(self):
        return {"variables": "z = e^{-tV} x"} | self.flow.facts()

    def equation(self) -> str:
        inner = self.flow.equation()
        return f"{inner},\\qquad {RESCALED}" if inner else ""

    @property
    def space(self) -> Euclidean:
        return Euclidean()

    @property
    def state_space(self) -> Euclidean:
        return Euclidean()

    @property
    def attention(self) -> Scored:
        return self.flow.attention  # pyright: ignore[reportReturnType] (checked by `rescale`)

    @property
    def V(self) -> Scheduled:
        return self.flow.V

    def enter(self, z: Float[Array, "*k n d"]) -> Float[Array, "*k n d"]:
        """Tokens z in the coordinates the run is done in."""
        return z if self.basis is None else jnp.linalg.solve(self.basis, z[..., None])[..., 0]

    def leave(self, c: Float[Array, "*k n d"]) -> Float[Array, "*k n d"]:
        """The tokens z that these coordinates stand for."""
        return c if self.basis is None else c @ self.basis.T

    def field(self, mu: Particles, t, summation) -> Float[Array, "n d"]:
        """The velocity of the coordinates c at time t."""
        c, log_m, scale = mu.x, log_mass(mu.mass), self._scale(mu.x, t)

        def rows(listeners):
            pull, own = listeners
            weights, apart, best = _weights(pull, c, log_m, scale, self.is_hard)
            return jnp.einsum("ij,ijd->id", weights, apart) + (c[best] - own)

        size = max(16, min(mu.n, 2**20 // (mu.n * mu.d) + 1))
        return self.drift.apply(over_tiles(rows, (self._pulls(c, t), c), size))

    def weights(self, mu: Particles, t) -> Float[Array, "n n"]:
        """The attention matrix P at time t for tokens z."""
        c = self.enter(mu.x)
        return _weights(self._pulls(c, t), c, log_mass(mu.mass), self._scale(c, t), self.is_hard)[0]

    @property
    def is_hard(self) -> bool:
        return self.attention.rescaled_weights == "hard"

    def _scale(self, c, t):
        """$e^{2t\\lambda}$, cut below overflow: by then every gap but 0 is beyond the range of exponentials."""
        return capped_exp(jnp.asarray(2 * self.growth.top * t, c.dtype))

    def _pulls(self, c, t):
        """Vectors w_i with score differences $\\langle w_i, c_j - c_k\\rangle e^{2t\\lambda}$."""
        return self.growth.exp(t, self.growth.exp(t, c) @ self.scores(c), transpose=True)

    def scores(self, c) -> Float[Array, "d d"]:
        """βB between coordinates."""
        d, score = c.shape[-1], self.attention.score
        T = jnp.eye(d, dtype=c.dtype) if self.basis is None else self.basis
        return T.T @ score.matrix(d).astype(c.dtype) @ T


def _weights(pull, c, log_m, scale, is_hard):
    """Rows of P, the differences of all tokens to each row's best one, and which that is."""
    best = jnp.argmax(jnp.where(log_m > -jnp.inf, pull @ c.T, -jnp.inf), axis=1)
    apart = c[None, :, :] - c[best][:, None, :]
    terms = pull[:, None, :] * apart
    gaps = jnp.sum(terms, axis=-1)
    if is_hard:
        return argmax_share(gaps, jnp.sum(jnp.abs(terms), axis=-1), log_m), apart, best
    # A gap of exactly 0 is a token equal to the leader: it must survive an enormous scale.
    logits = jnp.where(gaps == 0, 0, gaps * scale) + log_m
    return jax.nn.softmax(logits, axis=1), apart, best


def argmax_share(gaps, size, log_m):
    """Weights of the tokens that score best, up to rounding of sums of terms of this size."""
    heard = (log_m > -jnp.inf) & (gaps >= -1e-12 * size)
    mass = jnp.where(heard, jnp.exp(log_m), 0)
    return mass / mass.sum(axis=1, keepdims=True)


@as_annotated
def rescale(flow: Flow) -> Rescaled:
    """The flow in z-variables; `evolve` works on it, and `layers` takes its discrete form.

    >>> import attnflow as af
    >>> af.rescale(af.Flow(af.Euclidean(), af.Softmax(), V=[[1.0, 0.0], [0.0, 0.5]]))
    Rescaled(variables = z = e^{-tV} x, space = Euclidean, attention = Softmax, beta = 1, V = [1 0; 0 0.5])
    """
    if not isinstance(flow, Flow) or not isinstance(flow.space, Euclidean):
        raise BadInput("rescaled tokens z = e^{-tV}x belong to flows in Euclidean() space")
    if words := flow.attention.why_not_rescaled():
        raise BadInput(f"rescaled tokens {words}")
    if flow.attention.is_affine():
        raise BadInput("rescaled tokens need scores ⟨x, By⟩ without offsets of queries or keys")
    if flow.feed_forward is not None or flow.noise is not None:
        raise BadInput("rescaled tokens have no feed-forward term or noise")
    if is_scheduled(flow.V) or not is_concrete(flow.V):
        raise BadInput("rescale needs a constant V that is known before compilation")
    if is_scheduled(flow.attention):
        raise BadInput("rescaled tokens need scores that do not change in time: a constant beta and B, or Q and K")
    V = np.asarray(flow.V, dtype=np.float64)
    if V.ndim == 0:
        scalar = _Scalar(flow.V)
        return Rescaled(flow, None, scalar, scalar)
    return _in_eigenbasis(flow, V)


def _in_eigenbasis(flow, V):
    dtype = flow.V.dtype
    eigenvalues, basis, condition = eigenbasis(V)
    if condition > CONDITION_LIMIT:
        basis, matrix = block_basis(V)
        operator = full(matrix, dtype)
        note = f"V has no trustworthy eigenbasis (condition number {condition:.1e}); its exponential is used instead"
        return Rescaled(flow, jnp.asarray(basis, dtype), operator, operator, (note,))
    operator = blocks(eigenvalues, dtype)
    return Rescaled(flow, jnp.asarray(basis, dtype), operator, operator)


class _Scalar(Operator):
    """A multiple of the identity."""

    value: Array

    @property
    def top(self):
        return self.value

    def apply(self, c):
        return self.value.astype(c.dtype) * c

    def exp(self, t, c, *, shift=None, transpose=False):
        return c if shift is None else capped_exp((self.value - shift).astype(c.dtype) * t) * c


def discrete(flow: Rescaled, eta: float) -> Rescaled:
    r"""The form for layers of step η: growth $R^k$ with $R = I + \eta V$, drift $R^{-1}V$ (Remark 3.4)."""
    V = np.atleast_2d(np.asarray(dense(flow.V, 1) if flow.V.ndim == 0 else flow.V, dtype=np.float64))
    R = np.eye(len(V)) + eta * V
    if np.linalg.cond(R) > 1 / np.finfo(np.float64).eps:
        raise BadInput(f"I + ηV is singular for η = {eta}; rescaled layers need another step")
    dtype = flow.V.dtype
    if flow.V.ndim == 0:
        growth, drift = np.log(abs(R[0, 0])) / eta, V[0, 0] / R[0, 0]
        operators = _Scalar(jnp.asarray(growth, dtype)), _Scalar(jnp.asarray(drift, dtype))
    elif isinstance(flow.growth, Full):
        V = np.asarray(flow.growth.matrix, dtype=np.float64)
        R = np.eye(len(V)) + eta * V
        operators = full(np.real(scipy.linalg.logm(R)) / eta, dtype), full(np.linalg.solve(R, V), dtype)
    else:
        values, _, _ = eigenbasis(V)
        operators = blocks(np.log(1 + eta * values) / eta, dtype), blocks(values / (1 + eta * values), dtype)
    return eqx.tree_at(lambda r: (r.growth, r.drift), flow, operators)
