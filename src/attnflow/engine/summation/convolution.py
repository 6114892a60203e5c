"""Sums over the nodes of a grid as convolutions: each degree of harmonics is multiplied by one number."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..special.funk_hecke import funk_hecke
from ..special.harmonics import Grid
from .kernel import Kernel


class Convolution(eqx.Module):
    r"""The kernel $e^{\beta\langle x, y\rangle}$ between the nodes of one grid.

    Its eigenvalues on degree l are $\Gamma(d/2)(2/\beta)^{d/2-1}I_{l+d/2-1}(\beta)$, here scaled by $e^{-|\beta|}$.
    Source: Funk–Hecke formula.
    """

    grid: Grid
    eigenvalues: Float[Array, "*c"]
    beta: Float[Array, ""]

    def sum(self, kernel: Kernel, values: Float[Array, "m c"]) -> Float[Array, "n c"]:
        share = kernel.mass / self.grid.weights
        columns = jnp.concatenate([values, jnp.ones_like(values[:, :1])], axis=1) * share[:, None]
        summed = jax.vmap(self.apply, in_axes=1, out_axes=1)(columns)
        if kernel.link.is_normalised:
            return summed[:, :-1] / summed[:, -1:]
        offset = jnp.abs(self.beta) + (0 if kernel.column is None else kernel.column[0])
        return summed[:, :-1] * jnp.exp(offset)

    def apply(self, f: Float[Array, "m"]) -> Float[Array, "m"]:
        r"""$$\int e^{\beta\langle x,y\rangle - |\beta|} f(y)\,d\sigma(y)$$ at the nodes."""
        return self.grid.synthesise(self.eigenvalues * self.grid.analyse(f))


def convolution(strength: float, grid: Grid) -> Convolution:
    r"""The convolution with $e^{\beta\langle x, y\rangle}$, β the strength, on the nodes of a grid."""
    # NumPy, because inside a compiled function even a product of constants is traced.
    l, d = np.asarray(grid.degree), grid.nodes.shape[1]
    eigenvalues, dtype = funk_hecke(l, strength, d=d, is_scaled=True), grid.weights.dtype
    return Convolution(grid, jnp.asarray(eigenvalues, dtype), jnp.asarray(strength, dtype))
