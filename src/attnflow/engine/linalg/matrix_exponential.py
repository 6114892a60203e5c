"""Matrix exponential: real blocks in an eigenbasis, or the full matrix where there is no eigenbasis."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jaxtyping import Array, Float
from scipy.sparse.csgraph import connected_components

CONDITION_LIMIT = 1e8
"""Beyond this condition number an eigenbasis is not trusted: half of the digits are gone."""


def capped_exp(s: Any) -> Array:
    """$e^s$, short of overflow: what is larger is beyond the range of exponentials anyway."""
    s = jnp.asarray(s)
    return jnp.exp(jnp.minimum(s, 0.98 * jnp.log(jnp.finfo(s.dtype).max)))


class Operator(eqx.Module):
    """A real linear map with a stable exponential."""

    @abstractmethod
    def apply(self, c: Float[Array, "n d"]) -> Float[Array, "n d"]:
        """Each row multiplied by the operator."""

    @abstractmethod
    def exp(self, t, c: Float[Array, "n d"], *, shift: Any = None, transpose: bool = False) -> Float[Array, "n d"]:
        """Each row multiplied by $e^{t(A - shift)}$, or by its transpose; the shift is `top` unless given."""

    @property
    @abstractmethod
    def top(self) -> Array:
        """The largest real part of the spectrum."""

    def joined(self, sizes: Float[Array, "d"]) -> Float[Array, "d"]:
        """Sizes of coordinates, those that the exponential mixes together: the largest of them."""
        return jnp.broadcast_to(jnp.max(sizes), sizes.shape)


class Blocks(Operator):
    """Real eigenvalues a and complex pairs a ± ib, the latter as neighbouring 2 × 2 rotations."""

    a: Float[Array, "d"]
    b: Float[Array, "d"]
    """Signed: +b on the first row of a pair, −b on the second, 0 on real rows."""
    partner: tuple[int, ...] = eqx.field(static=True)

    @property
    def top(self):
        return jnp.max(self.a)

    def joined(self, sizes):
        return jnp.maximum(sizes, sizes[np.asarray(self.partner)])

    def _swap(self, c):
        return c[:, np.asarray(self.partner)]

    def apply(self, c):
        return c * self.a + self._swap(c) * self.b

    def exp(self, t, c, *, shift=None, transpose=False):
        b = -self.b if transpose else self.b
        grown = capped_exp((self.a - (self.top if shift is None else shift)) * t)
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

    def exp(self, t, c, *, shift=None, transpose=False):
        shift = self.top if shift is None else shift
        shifted = self.matrix - shift * jnp.eye(self.matrix.shape[0], dtype=self.matrix.dtype)
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


def block_basis(M: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A real basis of invariant subspaces, one for each group of eigenvalues too close to have trusted eigenvectors.

    Returned with the block-diagonal matrix of M in it.
    """
    for apart in (1e-6, 1e-4, 1e-2, 1e-1):
        parts = _invariant_subspaces(M, _groups(np.linalg.eigvals(M), apart * np.abs(M).max()))
        basis = np.hstack(parts)
        if basis.shape == M.shape and np.linalg.cond(basis) < CONDITION_LIMIT**0.5:
            label = np.concatenate([np.full(part.shape[1], k) for k, part in enumerate(parts)])
            return basis, np.where(label[:, None] == label[None], np.linalg.solve(basis, M @ basis), 0.0)
    return np.eye(len(M)), M


def _groups(eigenvalues, apart):
    """Eigenvalues, folded into the upper half plane, linked by distances below `apart`."""
    points = eigenvalues.real + 1j * np.abs(eigenvalues.imag)
    near = np.abs(points[:, None] - points[None]) <= apart
    count, label = connected_components(near, directed=False)
    return [points[label == k] for k in range(count)]


def _invariant_subspaces(M, groups):
    """An orthonormal real basis of the invariant subspace of each group of eigenvalues and their conjugates."""

    def nearest(value):
        return int(np.argmin([np.abs(group - (value.real + 1j * abs(value.imag))).min() for group in groups]))

    parts = []
    for k in range(len(groups)):
        is_mine = lambda value, k=k: nearest(value) == k  # noqa: E731
        ordered: Any = scipy.linalg.schur(M.astype(complex), output="complex", sort=is_mine)
        count = ordered[2]
        columns = ordered[1][:, :count]
        parts.append(np.linalg.svd(np.hstack([columns.real, columns.imag]))[0][:, :count])
    return parts


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
