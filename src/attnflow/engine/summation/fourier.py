"""Convolutions of weighted points with a smooth kernel, by non-uniform Fourier transforms (FINUFFT)."""

from __future__ import annotations

from importlib.util import find_spec

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Complex, Float

from .zonal import Zonal

SEVERAL_THREADS = 2**15

INSTALL = "fast sums need the optional package jax-finufft: pip install 'attnflow[fast]'"


def is_available() -> bool:
    return find_spec("jax_finufft") is not None


class Multiplier(eqx.Module):
    """A convolution kernel by its Fourier coefficients."""

    coefficients: Float[Array, "..."]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.coefficients.shape

    def __call__(self, modes: Complex[Array, "c ..."]) -> Complex[Array, "c ..."]:
        return modes * self.coefficients


class Plan(eqx.Module):
    r"""All that a sum over pairs needs besides the values: $e^{s_{ij} - a_i} \approx g(\xi_i - \eta_j)\,\sigma_j$.

    `error` bounds the error of one sum relative to the sum of all strengths; `relative` that of each weight.
    """

    targets: tuple[Float[Array, "n"], ...]
    sources: tuple[Float[Array, "m"], ...]
    strengths: Float[Array, "m"]
    spectrum: Multiplier | Zonal
    log_scale: Float[Array, "n"]
    error: Float[Array, ""]
    relative: Float[Array, ""]
    eps: float = eqx.field(static=True)


def transform_error(eps: float, dtype) -> float:
    """The error of a transform there and back, relative to the total weight.

    FINUFFT errs by eps in its highest modes, where a smooth kernel has nothing left: measured errors stay below eps/200
    plus 4 units of round-off (clusters, uniform tokens, one heavy token; d = 2, 3). The bound leaves a factor of four
    at round-off and forty above.
    """
    return 0.2 * eps + 16 * float(jnp.finfo(dtype).eps)


def _options(plan: Plan):
    from jax_finufft.options import Opts

    # Starting threads costs more than a small transform. FINUFFT's coarser grid (1.25) stops short of 1e-9.
    n = max(plan.strengths.shape[0], plan.log_scale.shape[0])
    return Opts(nthreads=1 if n < SEVERAL_THREADS else 0, upsampfac=2.0)


def convolve(plan: Plan, values: Float[Array, "m c"]) -> Float[Array, "n c"]:
    r"""$$\sum_j g(\xi_i - \eta_j)\,\sigma_j\,y_j$$, two real columns per complex transform, since g is real and even."""
    from jax_finufft import nufft1, nufft2

    columns = (plan.strengths[:, None] * values).T
    spare = columns.shape[0] % 2
    pairs = jnp.pad(columns, ((0, spare), (0, 0))).reshape(-1, 2, columns.shape[1])
    packed = jax.lax.complex(pairs[:, 0], pairs[:, 1])
    modes = nufft1(plan.spectrum.shape, packed, *plan.sources, iflag=-1, eps=plan.eps, opts=_options(plan))
    summed = nufft2(plan.spectrum(modes), *plan.targets, iflag=1, eps=plan.eps, opts=_options(plan))
    rows = jnp.stack([summed.real, summed.imag], axis=1).reshape(-1, summed.shape[-1])
    return rows[: columns.shape[0]].T


@jax.custom_jvp
def exponential_sum(plan: Plan, queries, keys, offsets, values):
    r"""$$e^{-a_i}\sum_j e^{\langle q_i, k_j\rangle + c_j}\,y_j$$, with derivatives that are sums of the same kind.

    The plan carries $q, k, c$ as constants; derivatives go through the other arguments.
    """
    return convolve(plan, values)


@exponential_sum.defjvp
def _derivative(primals, tangents):
    plan, queries, keys, offsets, values = primals
    _, dq, dk, dc, dy = tangents

    def total(y):
        return exponential_sum(plan, queries, keys, offsets, y)

    def against(vectors, y):
        """Sums of y_j ⊗ v_j, one block of columns per component of v."""
        return jnp.stack([total(y * v[:, None]) for v in vectors.T], axis=-1)

    by_query = jnp.einsum("nck,nk->nc", against(keys, values), dq)
    by_key = jnp.einsum("nck,nk->nc", against(dk, values), queries)
    return total(values), by_query + by_key + total(dy + dc[:, None] * values)
