r"""Dynamics behind phase diagrams: the gaps 1 − ⟨x_i, x_j⟩ of all pairs, or the tokens themselves."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float
from scipy.linalg import expm

from ....engine.linalg.rows import unit_rows
from ..equiangular import Model

LOOKS = 30
"""Times ahead at which united tokens are looked at."""


class Gaps(eqx.Module):
    r"""All gaps $D_{ij} = 1-\langle x_i, x_j\rangle$: for B = V = I they close among themselves.

    $$\dot D = M + M^\top,\qquad M_{ij} = (PD)_{ij} - r_iD_{ij} - (PD)_{ii}(1-D_{ij}),$$
    with $r$ the row sums of the weights P (1 for softmax). One product per evaluation, and the diagonal stays exactly 0.
    Source: derived from Geshkovski et al., arXiv 2312.10794 (2.3).
    """

    beta: Float[Array, ""]
    delta: float = eqx.field(static=True)
    model: Model = eqx.field(static=True)

    def field(self, D):
        E = jnp.exp(-self.beta * D)
        if self.model == "SA":
            PD, r = (E @ D) / E.sum(axis=-1, keepdims=True), 1.0
        else:
            weight = jnp.exp(self.beta) / D.shape[-1]
            PD, r = weight * (E @ D), weight * E.sum(axis=-1, keepdims=True)
        q = jnp.diagonal(PD, axis1=-2, axis2=-1)[..., None]
        M = PD - q + (q - r) * D
        return M + M.mT

    def retract(self, D):
        return D

    def error(self, e, D):
        """Relative to the gap, or to the threshold where the gap is smaller."""
        return jnp.max(jnp.abs(e) / (jnp.abs(D) + self.delta), axis=(1, 2))

    def gaps(self, D):
        return D

    def slopes(self, D, f):
        return f

    def is_over(self, D, gaps, among):
        return among & (jnp.max(gaps, axis=(1, 2)) < self.delta / 2)


class Tokens(eqx.Module):
    r"""The tokens themselves, $\dot x_i = \Pi_{x_i}\sum_jP_{ij}Vx_j$ with $P$ from $\beta\langle x_i, Bx_j\rangle$.

    B and V are matrices, diagonals, or numbers; a number V stands for that multiple of B.
    """

    B: Float[Array, "..."]
    V: Float[Array, "..."]
    beta: Float[Array, ""]
    later: Float[Array, "..."] | None
    """$e^{sV}$ for the length s of a run over `LOOKS`; None where united tokens stay so in any case."""
    delta: float = eqx.field(static=True)
    model: Model = eqx.field(static=True, default="SA")

    def field(self, x):
        heard = _times(self.B, x)
        value = self.V * heard if self.V.ndim == 0 else _times(self.V, x)
        scores = self.beta * (x @ heard.mT)
        if self.model == "SA":
            E = jnp.exp(scores - scores.max(axis=-1, keepdims=True))
            a = (E @ value) / E.sum(axis=-1, keepdims=True)
        else:
            a = jnp.exp(scores) @ value / x.shape[-2]
        return a - jnp.sum(a * x, axis=-1, keepdims=True) * x

    def retract(self, x):
        return unit_rows(x)

    def error(self, e, x):
        """Relative to the distance of tokens at the threshold: a gap feels an error times the distance left."""
        return jnp.sqrt(jnp.max(jnp.sum(e * e, axis=-1), axis=-1) / self.delta)

    def gaps(self, x):
        return 1 - x @ x.mT

    def slopes(self, x, f):
        half = x @ f.mT
        return -half - half.mT

    def is_over(self, x, gaps, among):
        r"""Tokens this near move as one, $u = e^{sV}x/|e^{sV}x|$, and their distances change like $1/|e^{sV}x|$.

        So gaps below δ/4 stay below δ/2, up to terms of their square, when no $|e^{sV}x|^2$ falls below one half.
        """
        is_near = among & (jnp.max(gaps, axis=(1, 2)) < self.delta / 4)
        if self.later is None:
            return is_near
        return jax.lax.cond(jnp.any(is_near), lambda: is_near & self._stays(x[:, 0]), lambda: is_near)

    def _stays(self, x) -> Bool[Array, "w"]:
        def onward(state, _):
            x, grown = state
            x = _times(self.later, x)
            size = jnp.linalg.norm(x, axis=-1, keepdims=True)
            grown = grown + jnp.log(size[:, 0])
            return (x / size, grown), grown

        _, grown = jax.lax.scan(onward, (x, jnp.zeros_like(x[:, 0])), length=LOOKS)
        return jnp.all(grown > -np.log(2) / 2, axis=0)


def _times(M, x):
    if M.ndim < 2:
        return M * x
    # One large product for all runs: batched small ones are slower.
    return (x.reshape(-1, x.shape[-1]) @ M.T).reshape(x.shape)


def tokens_under(B, V, *, until: float, delta: float, dtype=jnp.float32) -> tuple[Tokens, Float[np.ndarray, "d d"]]:
    """The system of two matrices at β = 1 in the basis with the fewest products, and that basis (columns).

    A symmetric V is diagonal in its eigenbasis, and so is B if it commutes; a V that is a multiple of B needs no product.
    """
    B, V = np.asarray(B, float), np.asarray(V, float)
    basis, ahead = np.eye(len(V)), until / LOOKS
    if np.array_equal(V, V.T):
        growth, basis = np.linalg.eigh(V)
        turned = basis.T @ B @ basis
        is_diagonal = np.abs(turned - np.diag(np.diag(turned))).max() < 1e-12 * np.abs(turned).max()
        parts = np.diag(turned) if is_diagonal else turned, growth, np.exp(ahead * growth)
    else:
        factor = np.vdot(B, V) / np.vdot(B, B)
        is_multiple = np.abs(V - factor * B).max() < 1e-12 * np.abs(V).max()
        parts = B, np.asarray(factor) if is_multiple else V, expm(ahead * V)
    B, V, later = (jnp.asarray(part, dtype) for part in parts)
    return Tokens(B, V, jnp.asarray(1, dtype), later, delta), basis
