"""A matrix as what its exponential needs: real blocks in an eigenbasis, or the full matrix where there is none."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

CONDITION_LIMIT = 1e8
"""Beyond this condition number an eigenbasis is not trusted: half of the digits are gone."""


class Operator(eqx.Module):
    """A real linear map with a stable exponential."""

    @abstractmethod
    def apply(self, c: Float[Array, "n d"]) -> Float[Array, "n d"]:
        """Each row multiplied by the operator."""

    @abstractmethod
    def exp(self, t, c: Float[Array, "n d"], *, transpose: bool = False) -> Float[Array, "n d"]:
        """Each row multiplied by $e^{t(A - top)}$, or by its transpose."""

    @property
    @abstractmethod
    def top(self) -> Array:
        """The largest real part of the spectrum."""


class Blocks(Operator):
    """Real eigenvalues a and complex pairs a ± ib, the latter as neighbouring 2 × 2 rotations."""

    a: Float[Array, "d"]
    b: Float[Array, "d"]
    """Signed: +b on the first row of a pair, −b on the second, 0 on real rows."""
    partner: tuple[int, ...] = eqx.field(static=True)

    @property
    def top(self):
        return jnp.max(self.a)

    def _swap(self, c):
        return c[:, np.asarray(self.partner)]

    def apply(self, c):
        return c * self.a + self._swap(c) * self.b

    def exp(self, t, c, *, transpose=False):
        b = -self.b if transpose else self.b
        grown = jnp.exp((self.a - self.top) * t)
        return grown * (jnp.cos(b * t) * c + jnp.sin(b * t) * self._swap(c))


class Full(Operator):
    """Any matrix; the exponential by scaling and squaring."""

    matrix: Float[Array, "d d"]
    abscissa: Array

    @property
    def top(self):
        return self.abscissa

    def apply(self, c):
        return c @ self.matrix.T

    def exp(self, t, c, *, transpose=False):
        shifted = self.matrix - self.top * jnp.eye(self.matrix.shape[0], dtype=self.matrix.dtype)
        E = jax.scipy.linalg.expm(t * shifted, max_squarings=64)
        return c @ (E if transpose else E.T)


def eigenbasis(M: Any) -> tuple[Any, np.ndarray, float]:
    """Eigenvalues, a real basis of eigenvectors (real and imaginary parts of pairs), and its condition number."""
    if np.allclose(M, M.T, rtol=0, atol=1e-14 * max(1.0, np.abs(M).max())):
        eigenvalues, vectors = np.linalg.eigh((M + M.T) / 2)
        return eigenvalues.astype(complex), vectors, 1.0
    eigenvalues, vectors = (np.asarray(part, complex) for part in np.linalg.eig(M))
    upper = np.imag(eigenvalues) >= 0
    columns, values = [], []
    for value, vector in zip(eigenvalues[upper], vectors[:, upper].T):
        if value.imag == 0:
            columns.append(vector.real)
            values.append(value)
        else:
            columns.extend((vector.real, vector.imag))
            values.extend((value, value.conjugate()))
    basis = np.stack(columns, axis=1)
    return np.asarray(values), basis, float(np.linalg.cond(basis))


def blocks(eigenvalues: Any, dtype) -> Blocks:
    """The operator with these eigenvalues, conjugate pairs next to each other."""
    partner, k = [], 0
    while k < len(eigenvalues):
        pair = eigenvalues[k].imag != 0
        partner.extend((k + 1, k) if pair else (k,))
        k += 2 if pair else 1
    return Blocks(jnp.asarray(eigenvalues.real, dtype), jnp.asarray(eigenvalues.imag, dtype), tuple(partner))


def full(M: np.ndarray, dtype) -> Full:
    return Full(jnp.asarray(M, dtype), jnp.asarray(np.linalg.eigvals(M).real.max(), dtype))
