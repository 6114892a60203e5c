"""Sums over the nodes of a grid as convolutions: harmonics of degree l are multiplied by one number each."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..attention import Softmax, Unnormalised
from ..harmonics import Grid
from ..kernel import Exponential, Kernel
from ..low_temperature.phases import funk_hecke
from ..matrices import is_concrete, is_scheduled


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
        if type(kernel.link) is Exponential:
            return summed[:, :-1] / summed[:, -1:]
        offset = jnp.abs(self.beta) + (0 if kernel.column is None else kernel.column[0])
        return summed[:, :-1] * jnp.exp(offset)

    def apply(self, f: Float[Array, "m"]) -> Float[Array, "m"]:
        r"""$$\int e^{\beta\langle x,y\rangle - |\beta|} f(y)\,d\sigma(y)$$ at the nodes."""
        return self.grid.synthesise(self.eigenvalues * self.grid.analyse(f))


def is_convolution(flow) -> bool:
    """Whether the sums of a flow depend on angles alone: softmax or unnormalised, B a constant multiple of I."""
    rule = flow.attention
    if type(rule) not in (Softmax, Unnormalised):
        return False
    weights, beta = rule.score.weights, rule.score.beta
    if is_scheduled(rule) or isinstance(weights, tuple) or not is_concrete(weights, beta):
        return False
    return weights.ndim == 0


def convolution_of(flow, grid: Grid) -> Convolution:
    # NumPy, because inside a compiled function even a product of constants is traced.
    beta = float(np.asarray(flow.attention.score.beta)) * float(np.asarray(flow.attention.score.weights))
    l, d = np.asarray(grid.degree), grid.nodes.shape[1]
    # Degree l has the parity of x ↦ −x, which is what a negative β is.
    size = (l == 0) * 1.0 if beta == 0 else funk_hecke(l, abs(beta), d) * np.where(beta < 0, (-1.0) ** l, 1.0)
    dtype = grid.weights.dtype
    return Convolution(grid, jnp.asarray(size, dtype), jnp.asarray(beta, dtype))
