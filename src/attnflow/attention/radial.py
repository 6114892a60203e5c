"""Attention that falls with distance: Laplace, inverse quadratic, compact, and everyone alike."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..kernel import Exponential, Kernel
from ..matrices import Schedule, Scheduled, as_number, is_concrete
from .base import Attention


class Relative(Exponential):
    """Exponentials of scores that no longer are inner products, so that no fast sum takes them for such."""


class Profile(eqx.Module):
    """The logarithm of a kernel as a function of squared distance over squared width."""

    is_smooth: eqx.AbstractClassVar[bool]
    """Whether a squared distance with round-off is good enough: a square root near zero is not."""

    @abstractmethod
    def log(self, squared: Float[Array, "t m"]) -> Float[Array, "t m"]: ...


class LaplaceProfile(Profile):
    is_smooth: ClassVar[bool] = False

    def log(self, squared):
        return -jnp.sqrt(squared)


class InverseQuadraticProfile(Profile):
    is_smooth: ClassVar[bool] = True

    def log(self, squared):
        return -jnp.log1p(squared)


class CompactProfile(Profile):
    is_smooth: ClassVar[bool] = True

    def log(self, squared):
        return jnp.where(squared <= 1, 0.0, -jnp.inf)


class RadialKernel(Kernel):
    profile: Profile = eqx.field(kw_only=True)

    def scores(self, listeners):
        queries, _, places = listeners
        if self.profile.is_smooth:
            inner = queries @ self.keys.T
            lengths = jnp.sum(queries**2, axis=1)[:, None] + jnp.sum(self.keys**2, axis=1)
            squared = jnp.maximum(lengths - 2 * inner, 0)
        else:
            squared = jnp.sum((queries[:, None] - self.keys[None]) ** 2, axis=-1)
        s = self.profile.log(squared)
        if self.column is not None:
            s = s + self.column
        for relation, place in zip(self.relations, places):
            s = s + relation.bias(place, relation.columns).astype(s.dtype)
        return s


class Radial(Attention):
    r"""Token x averages the tokens y with weights that fall with their distance over a width κ.

    $$w(x, y) \propto e^{-|x-y|/\kappa}\ (\text{Laplace}),\quad \frac{1}{1+|x-y|^2/\kappa^2},\quad
      1_{|x-y|\le\kappa}\ (\text{compact: Hegselmann–Krause})$$
    """

    profile: Profile
    kappa: Scheduled

    def kernel(self, x, mu):
        # Distances do not feel a common shift; centring keeps expanded squares from cancelling far from the origin.
        centre, width = mu.mass @ mu.x, jnp.asarray(self.kappa, x.dtype)
        return RadialKernel((x - centre) / width, (mu.x - centre) / width, mu.mass, Relative(), profile=self.profile)

    def check(self, d, n):
        pass


class Everyone(Attention):
    """Every token hears the mean of all: the kernel that is constant, as in plain consensus-based optimisation."""

    def kernel(self, x, mu):
        return Kernel(jnp.zeros_like(x[:, :1]), jnp.zeros_like(mu.x[:, :1]), mu.mass, Exponential())

    def check(self, d, n):
        pass


def Laplace(kappa=1.0) -> Radial:
    return Radial(LaplaceProfile(), _width(kappa))


def InverseQuadratic(kappa=1.0) -> Radial:
    return Radial(InverseQuadraticProfile(), _width(kappa))


def Compact(kappa=1.0) -> Radial:
    return Radial(CompactProfile(), _width(kappa))


def _width(kappa):
    kappa = as_number(kappa, "kappa")
    if not isinstance(kappa, Schedule) and is_concrete(kappa) and not float(kappa) > 0:
        raise ValueError(f"the width kappa must be positive, got {float(kappa):g}")
    return kappa
