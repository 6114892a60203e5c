r"""Consensus-based optimisation: drift to a weighted consensus, noise in proportion to the distance from it.

$$dx_i = -\lambda\,(x_i - m(x_i))\,dt + \sigma\,|x_i - m(x_i)|\,dW_i,\qquad
  m(x) = \frac{\sum_j k(x, x_j)\,e^{-\alpha f(x_j)}\,x_j}{\sum_j k(x, x_j)\,e^{-\alpha f(x_j)}}$$

Source: Pinnau, Totzeck, Tse, Martin 2017; polarised: Bungert, Roith, Wacker 2022 (arXiv 2211.05238).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import equinox as eqx
import jax.numpy as jnp
from jax.typing import ArrayLike
from jaxtyping import Array, Float

from ...engine.attention import L2, Attention
from ...engine.attention.radial import Compact, Everyone, InverseQuadratic, Laplace
from ...engine.flow.strategy import check_summation
from ...engine.linalg.arguments import as_annotated, in_range, inside, one_of
from ...engine.linalg.matrices import Scheduled, as_number, at
from ...engine.measures import Particles
from ...engine.spaces import Euclidean, Space, Sphere
from ...engine.summation import Summation
from ...engine.summation.tiled import Tiled
from ...errors import BadInput, quoted

NOISES = ("isotropic", "anisotropic", "none")

KERNELS: dict[str, Callable[..., Attention]] = {
    "gaussian": lambda kappa: L2(Q=1.0, K=1.0, beta=1 / (2 * kappa**2)),
    "laplace": Laplace,
    "inverse quadratic": InverseQuadratic,
    "compact": Compact,
    "constant": lambda kappa: Everyone(),
}


class CBO(eqx.Module):
    """Consensus-based optimisation of an objective that maps (n, d) to (n,).

    `kernel` says who listens to whom: a name with its width `kappa`, or any attention rule (`Softmax` is the dot-product
    kernel). "constant" is plain CBO, anything else is polarised. `alpha`, `lam`, `sigma` may be functions of time.

    >>> import attnflow as af
    >>> from attnflow.theory.cbo import minimise
    >>> found = minimise(af.CBO(lambda x: (x**2).sum(axis=-1)), d=2, steps=200, seed=0)
    >>> float(found.value[0]) < 1e-6
    True
    """

    objective: Callable | None = eqx.field(static=True)
    kernel: Attention
    alpha: Scheduled
    lam: Scheduled
    sigma: Scheduled
    noise: str = eqx.field(static=True)
    space: Space

    @as_annotated
    def __init__(
        self,
        objective=None,
        kernel: str | Attention = "constant",
        *,
        kappa: float | Callable = 1.0,
        alpha: float | Callable = 30.0,
        lam: float | Callable = 1.0,
        sigma: float | Callable = 0.7,
        noise="isotropic",
        space: Space | None = None,
    ):
        one_of(noise, "noise", NOISES)
        if objective is not None and not callable(objective):
            raise BadInput(f"objective must be a function of an (n, d) array, got {quoted(objective)}")
        self.objective, self.noise = objective, noise
        self.kernel = kernel_named(kernel, kappa)
        self.alpha, self.lam, self.sigma = as_number(alpha, "alpha"), as_number(lam, "lam"), as_number(sigma, "sigma")
        self.space = Euclidean() if space is None else space


def kernel_named(kernel, kappa) -> Attention:
    if isinstance(kernel, Attention):
        return kernel
    if not isinstance(kernel, str) or kernel not in KERNELS:
        raise BadInput(f"kernel must be an attention rule or one of {', '.join(KERNELS)}, got {quoted(kernel)}")
    if not callable(kappa):
        inside(kappa, "kappa", above=0)
    return KERNELS[kernel](kappa)


@as_annotated
def consensus(
    cbo: CBO, x: Float[Array, "n d"], *, t: ArrayLike = 0.0, summation: Summation | None = None
) -> Float[Array, "n d"]:
    """The point each particle agrees on, computed by the summation of attention with −αf as an offset of the scores."""
    x, summation = _particles(x), Tiled() if summation is None else summation
    check_summation(summation)
    return in_range(_consensus(at(cbo, t), x, None if cbo.objective is None else cbo.objective(x), summation))


def _particles(x) -> Array:
    x = Particles(x).x
    if x.ndim != 2:
        raise BadInput(f"particles must have shape (n, d), got {x.shape}")
    return x


def _consensus(cbo: CBO, x, energy, summation):
    kernel = cbo.kernel.kernel(x, Particles(x))
    if energy is not None:
        offset = -jnp.asarray(cbo.alpha, x.dtype) * energy
        kernel = replace(kernel, column=offset if kernel.column is None else kernel.column + offset)
    return summation.sum(kernel, x)


@as_annotated
def drift(cbo: CBO, x: Float[Array, "n d"], *, t: ArrayLike = 0.0) -> Float[Array, "n d"]:
    """The velocity without noise; on the sphere its tangential part."""
    now, x = at(cbo, t), _particles(x)
    return cbo.space.tangent(x, jnp.asarray(now.lam, x.dtype) * (consensus(cbo, x, t=t) - x))


def step(cbo: CBO, x: Float[Array, "n d"], *, dt, z=None, t=0.0, energy=None) -> Float[Array, "n d"]:
    """One Euler–Maruyama step with standard normal draws z; on the sphere projected and put back.

    Putting back supplies the Itô correction $-\\tfrac{d-1}{2}\\sigma^2|x-m|^2 x\\,dt$ to first order.
    """
    now = at(cbo, t)
    if energy is None and cbo.objective is not None:
        energy = cbo.objective(x)
    away = x - _consensus(now, x, energy, Tiled())
    moved = -jnp.asarray(now.lam, x.dtype) * dt * away
    if cbo.noise != "none" and z is not None:
        size = away if cbo.noise == "anisotropic" else jnp.linalg.norm(away, axis=-1, keepdims=True)
        moved = moved + jnp.asarray(now.sigma, x.dtype) * jnp.sqrt(dt) * size * z
    return cbo.space.retract(x + cbo.space.tangent(x, moved))


def is_on_sphere(cbo: CBO) -> bool:
    return isinstance(cbo.space, Sphere)
