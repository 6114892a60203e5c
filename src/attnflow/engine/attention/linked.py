"""Pointwise attention: each score passes through a link function, and nothing is normalised."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from ...errors import BadInput, quoted
from ..linalg.arguments import as_annotated
from ..linalg.matrices import Scheduled, as_number
from ..linalg.shown import shown
from ..special.shifted_exponential import sigmoid
from ..summation.kernel import Kernel, Link
from ..summation.tiled import over_tiles
from .base import Scored
from .constants import Constants, log
from .gaussian_field import GaussianField, link_quadrature
from .pair_energy import known_convention, over_beta, tile
from .score import Score

CONVENTIONS = ("geshkovski", "burger", "castin")


class Elementwise(Link):
    """Weights f(s + bias); what is not heard weighs nothing."""

    function: Callable = eqx.field(static=True)
    bias: Array | float = 0.0
    is_normalised: ClassVar[bool] = False
    is_pointwise: ClassVar[bool] = True

    def weigh(self, scores, axis=-1):
        heard = scores > -jnp.inf
        return jnp.where(heard, self.function(jnp.where(heard, scores, 0) + self.bias), 0)


class Pointwise(Scored):
    """Rule whose weights are a link function of the score."""

    @abstractmethod
    def potential(self, n: int) -> tuple[Callable, Array | float]:
        """The integral of the link function for n tokens, and the link function at 0."""

    def energy(self, mu, *, convention, summation):
        r"""$$\frac{1}{2\beta}\iint\Phi(\beta\langle x, By\rangle)\,d\mu\,d\mu$$ with Φ the integral of the link function."""
        convention, (potential, slope) = known_convention(convention, CONVENTIONS, rule=self), self.potential(mu.n)
        queries, keys = self.score.queries(mu.x), self.score.keys(mu.x)
        total = mu.mass @ over_tiles(lambda q: potential(q @ keys.T) @ mu.mass, queries, tile(mu.n))
        match convention:
            case "burger":
                return total
            case "castin":
                return total / 2
        return over_beta(self.score, mu, total=total, slope=slope)

    def _kernel(self, x, mu, function: Callable) -> Kernel:
        is_symmetric = self.score.is_symmetric(x, mu.x)
        link = Elementwise(function)
        return Kernel(self.score.queries(x), self.score.keys(mu.x), mu.mass, link, is_symmetric=is_symmetric)


class Sigmoid(Pointwise):
    r"""Every pair is weighed on its own, between 0 and 1.

    $$w(x, y) = \sigma(\beta\langle x, By\rangle + b)$$

    `total=True` sums over tokens instead of averaging; `bias="-log n"` is the choice that makes such a sum tend to
    unnormalised exponential attention as n grows. Source: Ramapuram et al. 2024; Castin et al. 2025.

    >>> import attnflow as af
    >>> import numpy as np
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> af.attention_matrix(af.Flow(af.Sphere(), af.Sigmoid(beta=np.log(3))), mu).round(9).tolist()
    [[0.375, 0.25], [0.25, 0.375]]
    """

    score: Score
    bias: Scheduled | str
    total: bool = eqx.field(static=True)

    @as_annotated
    def __init__(self, B=None, beta=1.0, *, Q=None, K=None, bias=0.0, total: bool = False):
        if isinstance(bias, str) and bias != "-log n":
            raise BadInput(f'bias must be a number or "-log n", got {quoted(bias)}')
        self.score = Score(B, Q, K, beta)
        self.bias = bias if isinstance(bias, str) else as_number(bias, "bias")
        self.total = bool(total)

    def _bias(self, n: int):
        return -jnp.log(n) if isinstance(self.bias, str) else self.bias

    @property
    def _counts_tokens(self) -> bool:
        return self.total or isinstance(self.bias, str)

    def kernel(self, x, mu):
        mass = mu.mass * mu.n if self.total else mu.mass
        link = Elementwise(sigmoid, jnp.asarray(self._bias(mu.n), mu.mass.dtype))
        return Kernel(
            self.score.queries(x), self.score.keys(mu.x), mass, link,
            average=not self.total, is_symmetric=self.score.is_symmetric(x, mu.x),
        )  # fmt: skip

    def conventions(self):
        return [*super().conventions(), f"{'sum' if self.total else 'mean'} over tokens", f"bias {shown(self.bias)}"]

    def why_not_mergeable(self):
        many = self._counts_tokens
        return "rules that count tokens (sum, -log n) cannot merge them; use the mean form" if many else None

    def length_scale(self, d):
        return self.score.length_scale(d)

    def potential(self, n):
        bias = self._bias(n)
        return lambda s: jax.nn.softplus(s + bias), jax.nn.sigmoid(bias)

    def link_means(self, centre, spread):
        if self._counts_tokens:
            return super().link_means(centre, spread)
        return link_quadrature(lambda s: jax.nn.sigmoid(s + self.bias), centre, spread)

    def constants(self, d):
        if self._counts_tokens:
            return super().constants(d)
        quarter = self.score.norm(d) / 4
        return lambda R: Constants(1.0, log(quarter * R * R), np.log1p(quarter * R * R))


class Linear(Pointwise):
    r"""Linear attention, $w(x, y) = \beta\langle x, By\rangle$.

    >>> import attnflow as af
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> af.attention_matrix(af.Flow(af.Sphere(), af.Linear(B=2.0)), mu).round(9).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    score: Score

    def __init__(self, B=None, beta=1.0, *, Q=None, K=None):
        self.score = Score(B, Q, K, beta)

    def kernel(self, x, mu):
        return self._kernel(x, mu, _identity)

    def potential(self, n):
        return lambda s: s**2 / 2, 0.0

    def link_means(self, centre, spread):
        return centre, jnp.ones_like(centre)

    def why_not_closed(self):
        return None

    def gaussian_field(self, mean, L, X=None):
        r"""$$(\Sigma + \alpha\alpha^\top) B^\top x$$"""
        tokens = jnp.column_stack([L, mean])
        at_mean = self.score.between(mean[:, None], tokens)[0]
        return GaussianField(tokens @ at_mean, tokens @ self.score.between(L if X is None else X, tokens).T)

    def constants(self, d):
        size = self.score.norm(d)
        return lambda R: Constants(size * R * R, log(size * R * R), log(2 * size * R * R))


class Relu(Pointwise):
    r"""ReLU attention, $w(x, y) = \max(\beta\langle x, By\rangle, 0)$.

    >>> import attnflow as af
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> af.attention_matrix(af.Flow(af.Sphere(), af.Relu(B=[[-1.0, 0.0], [0.0, 2.0]])), mu).round(9).tolist()
    [[0.0, 0.0], [0.0, 1.0]]
    """

    score: Score

    def __init__(self, B=None, beta=1.0, *, Q=None, K=None):
        self.score = Score(B, Q, K, beta)

    def kernel(self, x, mu):
        return self._kernel(x, mu, jax.nn.relu)

    def potential(self, n):
        return lambda s: jnp.maximum(s, 0) ** 2 / 2, 0.0

    def link_means(self, centre, spread):
        ratio = centre / jnp.where(spread > 0, spread, 1)
        cdf = jnp.where(spread > 0, jax.scipy.stats.norm.cdf(ratio), centre > 0)
        return centre * cdf + spread * jax.scipy.stats.norm.pdf(ratio), cdf

    def constants(self, d):
        size = self.score.norm(d)
        return lambda R: Constants(size * R * R, log(size * R * R), log(2 * size * R * R))


class Linked(Pointwise):
    r"""Attention through any link function of the score.

    $$w(x, y) = \varphi(\beta\langle x, By\rangle)$$
    """

    score: Score
    link: Callable = eqx.field(static=True)

    @as_annotated
    def __init__(self, link: Callable, B=None, beta=1.0, *, Q=None, K=None):
        self.score, self.link = Score(B, Q, K, beta), link

    def kernel(self, x, mu):
        return self._kernel(x, mu, self.link)

    def conventions(self):
        return [f"Linked({getattr(self.link, '__name__', 'function')}), beta = {shown(self.score.beta)}"]

    def potential(self, n):
        raise BadInput("no energy is known for a link function given by hand: its integral would be needed")

    def link_means(self, centre, spread):
        return link_quadrature(self.link, centre, spread)

    def constants(self, d):
        score = self.score.norm(d)

        def on_ball(R):
            b = score * R * R
            s = np.linspace(-b, b, 2001)
            size = float(np.abs(self.link(s)).max())
            slope = float(np.abs(jax.vmap(jax.grad(self.link))(s)).max())
            return Constants(size, log(b * slope), log(size + b * slope))

        return on_ball


def _identity(score):
    return score
