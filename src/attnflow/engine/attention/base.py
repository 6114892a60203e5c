"""Attention rule: listeners and a measure give a kernel, and each rule states what else is known of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from ...errors import BadInput
from ..linalg.shown import shown
from ..measures import Particles
from ..summation import Summation
from ..summation.kernel import Kernel
from ..summation.tiled import weights
from .constants import Constants
from .gaussian_field import GaussianField, nodes
from .score import Score


class Attention(eqx.Module):
    """Rule of attention: the weights with which a token hears the others.

    A new rule needs `kernel` and `check`; the other methods are facts that a rule may know of itself.
    """

    has_fast_sum: ClassVar[bool] = False
    """Whether its kernel is the exponential of an inner product, so that Fourier sums apply."""
    has_costly_kernel: ClassVar[bool] = False
    """Whether making the kernel costs more than summing it."""
    rescaled_weights: ClassVar[str | None] = None
    """How scores that grow without bound become weights that sum to 1: "soft", "hard", or None where they do not."""

    @abstractmethod
    def kernel(self, x: Float[Array, "n d"], mu: Particles) -> Kernel:
        """The weights with which listeners x hear the tokens of mu."""

    @abstractmethod
    def check(self, d: int, n: int) -> None:
        """Raise a clear error if the rule cannot act on n tokens of dimension d."""

    def check_mass(self, mass: Float[Array, "n"]) -> None:
        """Raise a clear error if tokens of mass 0 leave a token nothing to hear."""

    # Sums.

    def parts(self) -> tuple[Attention, ...]:
        """The rules that act side by side: the rule itself, or its heads."""
        return (self,)

    def barycentre(self, x: Float[Array, "n d"], mu: Particles, *, summation: Summation) -> Float[Array, "n d"]:
        """The weighted sum of the tokens of mu that listeners x hear."""
        return summation.sum(self.kernel(x, mu), mu.x)

    def matrix(self, mu: Particles) -> Float[Array, "*h n n"]:
        """The attention matrix; one for each head of several."""
        return weights(self.kernel(mu.x, mu))

    def spread(self, d: int) -> float:
        """For unit tokens, a bound on how far a row's best score lies below its Cauchy–Schwarz bound; inf if unknown."""
        return float("inf")

    def key_dimension(self, d: int) -> int:
        """The dimension of keys for tokens of dimension d."""
        return d

    def scores_alone(self, mu: Particles) -> Kernel:
        """The kernel between the tokens of mu, without what would cost more than its sum."""
        return self.kernel(mu.x, mu)

    def zonal_strength(self) -> float | None:
        r"""The known constant b if weights are $e^{b\langle x, y\rangle}$ up to a normaliser, else None."""
        return None

    # Facts that theorems ask for.

    def bilinear_score(self) -> Score | None:
        r"""The score $\beta\langle x, By\rangle$ on which weights depend; None where they depend on something else."""
        return None

    def length_scale(self, d: int) -> float | None:
        """How far apart tokens are whose scores differ by about 1; None where the size of scores sets no length."""
        return None

    def has_positive_weights(self) -> bool:
        """Whether it is known that every token with mass has a weight above 0."""
        return False

    # For people.

    def is_affine(self) -> bool:
        """Whether queries or keys have offsets: theorems on ⟨x, By⟩ are silent then."""
        return False

    def conventions(self) -> list[str]:
        """Scale, prefactor, mean or sum, bias and mask, in a few words each: papers differ in exactly these."""
        return [type(self).__name__]

    def why_not_maskable(self) -> str | None:
        """Why no mask or position bias can be put on the rule; None if one can."""
        return None

    def why_not_rescaled(self) -> str | None:
        """Why tokens $e^{-tV}x$ do not have this rule, if they do not."""
        words = f"need weights that add up to 1, Softmax or Hardmax; got {type(self).__name__}"
        return words if self.rescaled_weights is None else None

    def why_not_mergeable(self) -> str | None:
        """Why equal tokens may not go on as one heavier token; None if they may."""
        return None

    # Gaussian prompts.

    def why_not_closed(self) -> str | None:
        """Why a Gaussian does not stay Gaussian under the rule; None if it does."""
        name = type(self).__name__
        return (
            f"{name} attention does not keep a Gaussian Gaussian; evolve Particles, "
            "or use evolve_projection for an approximation by moments"
        )

    def gaussian_field(self, mean: Float[Array, "d"], L: Float[Array, "d r"], X=None) -> GaussianField:
        """The affine field heard in N(mean, L Lᵀ), before V, at mean and along the columns X (default: L itself)."""
        raise BadInput(self.why_not_closed())

    def gaussian_barycentre(self, mean: Float[Array, "d"], cov: Float[Array, "d d"], x: Float[Array, "n d"]) -> Array:
        """What listeners x hear in N(mean, cov), for rules under which it does not stay Gaussian."""
        raise BadInput(f"no velocity in a Gaussian is known for {type(self).__name__} attention in this form")

    def projected_field(self, mean: Float[Array, "d"], L: Float[Array, "d r"]) -> GaussianField:
        r"""The moment derivatives $E\,\Gamma(x)$ and $E\,\Gamma(x) z^\top$ for $x = \alpha + Lz$, before V."""
        if self.why_not_closed() is None:
            return self.gaussian_field(mean, L)
        z, share = (part.astype(L.dtype) for part in nodes(L.shape[1]))
        weighted = share[:, None] * self.gaussian_barycentre(mean, L @ L.T, mean + z @ L.T)
        return GaussianField(weighted.sum(0), weighted.T @ z)

    def is_integrable(self, mean: Float[Array, "d"], L: Float[Array, "d r"]) -> Array:
        """Whether the moments of N(mean, L Lᵀ) change at a finite rate."""
        return jnp.asarray(True)

    # Energies and constants.

    def energy(self, mu: Particles, *, convention: str | None, summation: Summation) -> Array:
        """The energy of the tokens in a paper's convention; None is the first the rule knows."""
        name = type(self).__name__
        raise BadInput(f"no energy is known for {name} attention: its flow is not known to be a gradient flow")

    def log_energy(self, mu: Particles, *, convention: str | None, summation: Summation) -> Array:
        """The logarithm of an exponential energy."""
        raise BadInput(f"{type(self).__name__} attention has no exponential energy; ask for `energy`")

    def log_partition(self, mu: Particles, *, summation: Summation) -> Float[Array, "n"]:
        """The logarithm of each token's normaliser."""
        raise BadInput(
            f"{type(self).__name__} attention has no exponential normaliser; Softmax and Unnormalised have one"
        )

    def constants(self, d: int) -> Callable[[float], Constants]:
        """Bounds on speed and slopes for tokens in a ball, as a function of its radius: norms are computed once."""
        raise BadInput(f"no constants are known for {type(self).__name__} in this form")


class Scored(Attention):
    """Rule whose weights depend on the score s(x, y) = β⟨x, By⟩."""

    score: eqx.AbstractVar[Score]

    def bilinear_score(self):
        return self.score

    def check(self, d, n):
        self.score.check(d)

    def is_affine(self):
        return self.score.is_affine

    def key_dimension(self, d):
        return self.score.key_dimension(d)

    def conventions(self):
        return [f"{type(self).__name__}, beta = {shown(self.score.beta)}"]

    def link_means(
        self, centre: Float[Array, "n"], spread: Float[Array, "n"]
    ) -> tuple[Float[Array, "n"], Float[Array, "n"]]:
        r"""$E\varphi(s)$ and $E\varphi'(s)$ for $s \sim N(\text{centre}, \text{spread}^2)$ and the link φ of the rule."""
        raise BadInput(f"no velocity in a Gaussian is known for {type(self).__name__} attention in this form")

    def gaussian_barycentre(self, mean, cov, x):
        r"""Stein's formula, $\alpha\,E\varphi(s) + \Sigma B^\top x\,E\varphi'(s)$ with $s = \langle x, By\rangle$."""
        ahead = x @ self.score.matrix(len(mean)).astype(mean.dtype)
        centre, spread = ahead @ mean, jnp.sqrt(jnp.maximum(jnp.einsum("ni,ij,nj->n", ahead, cov, ahead), 0))
        value, slope = self.link_means(centre, spread)
        return value[:, None] * mean + slope[:, None] * (ahead @ cov)
