"""Exponential attention as a Gauss transform, in O(n) for keys of dimension at most 3."""

from __future__ import annotations

from math import ceil, log, pi, sqrt
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .accuracy import Heard, attempt, better, repaired
from .fourier import Multiplier, Plan, transform_error
from .kernel import Kernel
from .tiled import Tiled

LARGEST_DIMENSION = 3


class Gauss(eqx.Module):
    r"""Fast sums of kernels that are exponentials of a bilinear score.

    $$e^{\langle q, k\rangle} = e^{|u|^2/2}\,e^{|v|^2/2}\,e^{-|u - v|^2/2}, \qquad u = T^{-\top}q,\ v = Tk$$

    The last factor is a convolution, done by a type-1 and a type-2 non-uniform Fourier transform with `modes` modes per
    axis. Listeners whose error would exceed `tol` are recomputed exactly, so `modes` and `eps` change only the cost.
    """

    modes: tuple[int, ...] = eqx.field(static=True)
    tol: float = eqx.field(static=True, default=1e-10)
    eps: float = eqx.field(static=True, default=1e-14)
    exact: Tiled = Tiled()

    def sum(self, kernel: Kernel, values: Float[Array, "m c"]) -> Float[Array, "n c"]:
        if not has_gauss_form(kernel) or kernel.keys.shape[1] != len(self.modes):
            return self.exact.sum(kernel, values)
        return repaired(self.hear(kernel, values), kernel, values, self.exact)

    def hear(self, kernel: Kernel, values: Float[Array, "m c"]) -> Heard:
        """The fast sums with their estimated errors, before any is recomputed."""
        plain = attempt(self.plan(kernel, is_centred=False), kernel, values, self.tol)
        # Far from its keys (B = −I and one cluster, say) a listener sits in the noise; moving all listeners onto all
        # keys helps there, and would harm elsewhere.
        centred = lambda: better(plain, attempt(self.plan(kernel, is_centred=True), kernel, values, self.tol))  # noqa: E731
        return jax.lax.cond(jnp.any(plain.is_wrong), centred, lambda: plain)

    def plan(self, kernel: Kernel, *, is_centred: bool) -> Plan:
        queries, keys, column = jax.lax.stop_gradient((kernel.queries, kernel.keys, kernel.column))
        middle = jnp.mean(queries, axis=0), jnp.mean(keys, axis=0)
        middle = middle if is_centred else jax.tree.map(jnp.zeros_like, middle)
        q, k = queries - middle[0], keys - middle[1]
        to_query, to_key = balance(q, k)
        u, v = q @ to_query.T, k @ to_key.T
        # ⟨q, k⟩ = ⟨q − a, k − b⟩ + ⟨a, k⟩ + ⟨q, b⟩ − ⟨a, b⟩: the middle terms are offsets of columns and rows.
        level = jnp.sum(v**2, axis=1) / 2 + keys @ middle[0] + (0 if column is None else column)
        top = jnp.max(jnp.where(kernel.mass > 0, level, -jnp.inf))
        log_scale = jnp.sum(u**2, axis=1) / 2 + q @ middle[1] + top
        room = jnp.log(jnp.finfo(u.dtype).max) / 4
        strengths = jnp.exp(jnp.minimum(level - top, room))
        size = jnp.max(jnp.abs(level)) + jnp.max(jnp.abs(log_scale))
        return self._on_grid(u, v, strengths, log_scale, 4 * jnp.finfo(u.dtype).eps * size)

    def _on_grid(self, u, v, strengths, log_scale, relative) -> Plan:
        lowest, highest = jnp.minimum(u.min(0), v.min(0)), jnp.maximum(u.max(0), v.max(0))
        reach = jnp.maximum(u.max(0) - v.min(0), v.max(0) - u.min(0))
        axes = [periodic_gauss(M, D) for M, D in zip(self.modes, reach)]
        period = jnp.stack([axis[0] for axis in axes])
        spectrum = axes[0][1]
        for _, coefficients, _ in axes[1:]:
            spectrum = spectrum[..., None] * coefficients
        centre, turn = (lowest + highest) / 2, 2 * jnp.pi / period
        error = transform_error(self.eps, u.dtype) + jnp.sum(jnp.stack([axis[2] for axis in axes]))
        targets, sources = tuple(((u - centre) * turn).T), tuple(((v - centre) * turn).T)
        return Plan(targets, sources, strengths, Multiplier(spectrum), log_scale, error, relative, self.eps)


def has_gauss_form(kernel: Kernel) -> bool:
    """Whether weights are exponentials of a low-dimensional bilinear score and nothing else."""
    is_exponential = kernel.link.is_exponential and kernel.is_bilinear
    return is_exponential and not kernel.relations and 1 <= kernel.keys.shape[1] <= LARGEST_DIMENSION


def periodic_gauss(modes: int, reach):
    r"""Fourier coefficients of $e^{-r^2/2}$, periodic, for |r| ≤ reach: period, coefficients and error.

    The period L balances aliasing $e^{-(L - D)^2/2}$ against truncation at the frequency $\pi M/L$.
    """
    period = (reach + jnp.sqrt(reach**2 + 4 * jnp.pi * modes)) / 2
    frequency = 2 * jnp.pi * (jnp.arange(modes) - modes // 2) / period
    coefficients = jnp.sqrt(2 * jnp.pi) / period * jnp.exp(-(frequency**2) / 2)
    gap = period - reach
    error = 4 * jnp.exp(-(gap**2) / 2) + 2 * jax.scipy.special.erfc(gap / jnp.sqrt(2.0))
    return period, coefficients.astype(period.dtype), error


def modes_for(reach: float, eps: float) -> int:
    """The odd number of modes with which `periodic_gauss` errs by less than eps, rounded up so that few are compiled."""
    gap = sqrt(2 * log(8 / eps))
    return 4 * ceil((reach + gap) * gap / (4 * pi)) + 1


def balance(q, k, xp: Any = jnp) -> tuple[Any, Any]:
    r"""Maps $T^{-\top}$ and $T$ after which queries and keys have the same second moments, along the principal axes.

    $X = T^\top T$ solves $X C_k X = C_q$. For $q = Bx$, $k = x$ with isotropic x this is the singular value
    decomposition $B = U S W^\top$ with $T = S^{1/2}W^\top$. A little of the identity keeps thin clouds invertible.
    """
    C_q, C_k = _moment(q, xp), _moment(k, xp)
    root_k, root_k_inverse = _roots(C_k, xp)
    middle, _ = _roots(root_k @ C_q @ root_k, xp)
    X = root_k_inverse @ middle @ root_k_inverse
    T, T_inverse = _roots((X + X.T) / 2, xp)
    _, axes = xp.linalg.eigh(T @ C_k @ T)
    return axes.T @ T_inverse, axes.T @ T


def _moment(x, xp):
    C = x.T @ x / x.shape[0]
    floor = 1e-3 * xp.trace(C) / C.shape[0] + xp.sqrt(xp.finfo(C.dtype).tiny)
    return C + floor * xp.eye(C.shape[0], dtype=C.dtype)


def _roots(C, xp):
    values, vectors = xp.linalg.eigh(C)
    root = xp.sqrt(values)
    return (vectors * root) @ vectors.T, (vectors / root) @ vectors.T
