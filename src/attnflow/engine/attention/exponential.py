"""Exponential attention, with or without a normaliser: its normalisers and its energy."""

from __future__ import annotations

import jax.numpy as jnp
from jax.scipy.special import logsumexp

from ..summation.kernel import Exponential, Kernel, log_mass
from ..summation.log_sum import log_normaliser
from .base import Scored
from .pair_energy import known_convention, over_beta

CONVENTIONS = ("geshkovski", "burger", "normalised", "castin")


class ExponentialRule(Scored):
    r"""Rule whose weights are $e^{\beta\langle x, By\rangle}$ up to a factor of each row."""

    def length_scale(self, d):
        return self.score.length_scale(d)

    def has_positive_weights(self):
        return True

    def zonal_strength(self):
        return self.score.strength()

    def log_partition(self, mu, *, summation):
        r"""$$\log Z_i = \log\sum_j m_j e^{\beta\langle x_i, Bx_j\rangle}$$"""
        kernel = Kernel(self.score.queries(mu.x), self.score.keys(mu.x), mu.mass, Exponential())
        return log_normaliser(kernel, summation)

    def _log_total(self, mu, summation):
        r"""$$\log\iint e^{\beta\langle x, By\rangle}\,d\mu\,d\mu$$"""
        return logsumexp(self.log_partition(mu, summation=summation) + log_mass(mu.mass))

    def log_energy(self, mu, *, convention, summation):
        convention, total = known_convention(convention, CONVENTIONS, rule=self), self._log_total(mu, summation)
        match convention:
            case "burger":
                return total
            case "castin":
                return total - jnp.log(2.0)
            case "normalised":
                return total - self.score.largest(mu.d)
        return total - jnp.log(2 * jnp.asarray(self.score.beta))

    def energy(self, mu, *, convention, summation):
        r"""$$\frac{1}{2\beta}\iint e^{\beta\langle x, By\rangle}\,d\mu\,d\mu$$ up to the constant of the convention."""
        convention, log_total = known_convention(convention, CONVENTIONS, rule=self), self._log_total(mu, summation)
        match convention:
            case "burger":
                return jnp.exp(log_total)
            case "castin":
                return jnp.exp(log_total) / 2
            case "normalised":
                return jnp.exp(log_total - self.score.largest(mu.d))
        return over_beta(self.score, mu, total=jnp.exp(log_total), slope=1.0)
