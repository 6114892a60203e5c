"""Layer normalisation schemes, as what each does to the velocity of a token x = rθ.

Source: Karagodin, Ge, Polyanskiy, Rigollet 2025 (arXiv 2510.22026); Rigollet 2025 (arXiv 2512.01868), eq. (7):
$\\theta' = \\frac1s \\Pi_\\theta a$ with a speed s that the scheme chooses.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..linalg.matrices import Scheduled, as_number
from ..linalg.rows import unit_rows
from ..spaces import Euclidean, Space, Sphere


class Normalisation(eqx.Module):
    """Turns the attention output a at direction θ into the velocity of the state."""

    space: eqx.AbstractClassVar[Space]
    """Where the state lives: the sphere, or R^d when the radius is part of the state."""

    @abstractmethod
    def push(self, x: Float[Array, "n d"], theta: Float[Array, "n d"], a: Float[Array, "n d"], t) -> Array:
        """What is added to x, before any projection, when attention at the directions theta says a."""

    def velocity(self, x, theta, a, t) -> Float[Array, "n d"]:
        return self.space.tangent(theta, self.push(x, theta, a, t))


class PostLN(Normalisation):
    r"""$\theta' = \Pi_\theta a$: the token is normalised after each layer.

    >>> import attnflow as af
    >>> af.Flow(af.Sphere(), af.Softmax(), normalisation=af.PostLN())
    Flow(space = Sphere, attention = Softmax, beta = 1, V = 1, normalisation = PostLN)
    """

    space: ClassVar[Space] = Sphere()

    def push(self, x, theta, a, t):
        return a


class PreLN(Normalisation):
    r"""$x' = a$, so $s = r$ and $r' = \langle\theta, a\rangle$: only what attention reads is normalised.

    >>> import attnflow as af
    >>> af.Flow(af.Sphere(), af.Softmax(), normalisation=af.PreLN())
    Flow(space = Sphere, attention = Softmax, beta = 1, V = 1, normalisation = PreLN)
    """

    space: ClassVar[Space] = Euclidean()

    def push(self, x, theta, a, t):
        return a


class PeriLN(Normalisation):
    r"""$x' = a/|a|$, so $s = r|a|$: what attention reads and what it says are normalised.

    >>> import attnflow as af
    >>> af.Flow(af.Sphere(), af.Softmax(), normalisation=af.PeriLN())
    Flow(space = Sphere, attention = Softmax, beta = 1, V = 1, normalisation = PeriLN)
    """

    space: ClassVar[Space] = Euclidean()

    def push(self, x, theta, a, t):
        return unit_rows(a)


class MixLN(Normalisation):
    """Post-LN before time tau, Pre-LN after it.

    >>> import attnflow as af
    >>> af.Flow(af.Sphere(), af.Softmax(), normalisation=af.MixLN(tau=5.0))
    Flow(space = Sphere, attention = Softmax, beta = 1, V = 1, normalisation = MixLN)
    """

    space: ClassVar[Space] = Euclidean()
    tau: Scheduled = eqx.field(converter=lambda tau: as_number(tau, "tau"))

    def push(self, x, theta, a, t):
        r = jnp.linalg.norm(x, axis=-1, keepdims=True)
        return jnp.where(t < self.tau, r * Sphere().tangent(theta, a), a)


class NGPT(Normalisation):
    r"""$\theta' = \alpha_t\,\Pi_\theta a/|a|$.

    >>> import attnflow as af
    >>> af.Flow(af.Sphere(), af.Softmax(), normalisation=af.NGPT(alpha=2.0))
    Flow(space = Sphere, attention = Softmax, beta = 1, V = 1, normalisation = NGPT)
    """

    space: ClassVar[Space] = Sphere()
    alpha: Scheduled = eqx.field(converter=lambda alpha: as_number(alpha, "alpha"), default=1.0)

    def push(self, x, theta, a, t):
        return self.alpha * unit_rows(a)


class SqrtLN(Normalisation):
    r"""$s = \sqrt{1+t}$: depth-scaled normalisation.

    >>> import attnflow as af
    >>> af.Flow(af.Sphere(), af.Softmax(), normalisation=af.SqrtLN())
    Flow(space = Sphere, attention = Softmax, beta = 1, V = 1, normalisation = SqrtLN)
    """

    space: ClassVar[Space] = Sphere()

    def push(self, x, theta, a, t):
        return a / jnp.sqrt(1 + t)
