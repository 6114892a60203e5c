"""Exponential attention on the circle as a Fourier series in the angle."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy.special import ive

from .accuracy import Heard, attempt, repaired
from .fourier import Multiplier, Plan, transform_error
from .gauss import has_gauss_form
from .kernel import Kernel
from .tiled import Tiled


class Circle(eqx.Module):
    r"""Fast sums for queries and keys on two circles, as on $S^1$ when B is a multiple of a rotation or reflection.

    $$e^{r\cos\theta} = \sum_p I_p(r)\,e^{ip\theta}, \qquad r = |q||k|$$

    `modes` counts p from −P to P. Listeners whose error would exceed `tol` are recomputed exactly.
    Source: Jacobi–Anger expansion, Abramowitz and Stegun 9.6.34.
    """

    modes: int = eqx.field(static=True)
    tol: float = eqx.field(static=True, default=1e-10)
    eps: float = eqx.field(static=True, default=1e-14)
    exact: Tiled = Tiled()

    def sum(self, kernel: Kernel, values: Float[Array, "m c"]) -> Float[Array, "n c"]:
        if not has_gauss_form(kernel) or kernel.keys.shape[1] != 2:
            return self.exact.sum(kernel, values)
        return repaired(self.hear(kernel, values), kernel, values, self.exact)

    def hear(self, kernel: Kernel, values: Float[Array, "m c"]) -> Heard:
        """The fast sums with their estimated errors, before any is recomputed."""
        return attempt(self.plan(kernel), kernel, values, self.tol)

    def plan(self, kernel: Kernel) -> Plan:
        queries, keys = jax.lax.stop_gradient((kernel.queries, kernel.keys))
        r, strengths, log_scale, relative = on_radii(kernel)
        coefficients, truncation = scaled_bessel(r, self.modes)
        error = transform_error(self.eps, r.dtype) + truncation
        targets, sources = (_angle(queries),), (_angle(keys),)
        return Plan(targets, sources, strengths, Multiplier(coefficients), log_scale, error, relative, self.eps)


def on_radii(kernel: Kernel):
    """For queries of one length and keys of one length: the largest score, strengths, log scale, relative error."""
    queries, keys, column = jax.lax.stop_gradient((kernel.queries, kernel.keys, kernel.column))
    column = jnp.zeros_like(kernel.mass) if column is None else column
    listen, speak = jnp.linalg.norm(queries, axis=1), jnp.linalg.norm(keys, axis=1)
    r = jnp.max(listen) * jnp.max(speak)
    top = jnp.max(jnp.where(kernel.mass > 0, column, -jnp.inf))
    strengths = jnp.exp(jnp.minimum(column - top, jnp.log(jnp.finfo(r.dtype).max) / 4))
    # Radii that are not all equal are an error of this form, and are counted as one.
    uneven = r - jnp.min(listen) * jnp.min(speak)
    relative = 2 * uneven + 4 * jnp.finfo(r.dtype).eps * (r + jnp.max(jnp.abs(column)))
    return r, strengths, jnp.full(listen.shape, r + top), relative


def _angle(x):
    return jnp.arctan2(x[:, 1], x[:, 0])


def scaled_bessel(r, modes: int) -> tuple[Float[Array, "modes"], Float[Array, ""]]:
    r"""$e^{-r}I_p(r)$ for |p| ≤ P by the trapezoidal rule, and the sum of all that is left out.

    The rule is exact up to aliasing, works for traced r, and its error is absolute, as a sum over pairs needs.
    """
    nodes = 4 * modes
    theta = 2 * jnp.pi * jnp.arange(nodes, dtype=r.dtype) / nodes
    series = jnp.fft.fft(jnp.exp(-2 * r * jnp.sin(theta / 2) ** 2)).real / nodes
    half = modes // 2
    kept = jnp.concatenate([series[nodes - half :], series[: half + 1]])
    left_out = jnp.sum(jnp.abs(series[half + 1 : nodes - half]))
    return kept, left_out


def modes_on_circle(r: float, eps: float) -> int:
    """The odd number of modes beyond which scaled Bessel functions add up to less than eps, rounded up a little."""
    bound = int(np.ceil(np.sqrt(2 * r * np.log(1 / eps)) + 2 * np.log(1 / eps) + 10))
    orders = np.arange(bound + 1)
    tail = np.cumsum(ive(orders, r)[::-1])[::-1]
    return 16 * int(np.ceil(orders[np.argmax(tail < eps / 2)] / 8)) + 1


def have_one_length(queries: np.ndarray, keys: np.ndarray) -> bool:
    """Whether all queries have one length and all keys have one length, to round-off (concrete arrays)."""
    lengths = [np.linalg.norm(np.asarray(x), axis=1) for x in (queries, keys)]
    return all(np.ptp(size) <= 16 * np.finfo(size.dtype).eps * np.max(size) for size in lengths)
