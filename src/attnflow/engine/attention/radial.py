"""Radial attention: weights that fall with distance (Laplace, inverse quadratic, compact), and the constant kernel."""

from __future__ import annotations

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp

from ...errors import BadInput
from ..linalg.matrices import Schedule, Scheduled, as_number, is_concrete
from ..linalg.shown import shown
from ..summation.kernel import Exponential, Kernel, Profile
from .base import Attention


class LaplaceProfile(Profile):
    is_smooth: ClassVar[bool] = False

    def log(self, squared):
        # A token has distance 0 to itself, where the root has no derivative.
        is_apart = squared > 0
        return jnp.where(is_apart, -jnp.sqrt(jnp.where(is_apart, squared, 1)), 0)


class InverseQuadraticProfile(Profile):
    is_smooth: ClassVar[bool] = True

    def log(self, squared):
        return -jnp.log1p(squared)


class CompactProfile(Profile):
    is_smooth: ClassVar[bool] = True

    def log(self, squared):
        return jnp.where(squared <= 1, 0.0, -jnp.inf)


class Radial(Attention):
    """Rule whose weights fall with the distance of two tokens over a width κ, and sum to 1."""

    kappa: eqx.AbstractVar[Scheduled]
    profile: eqx.AbstractClassVar[Profile]

    def kernel(self, x, mu):
        # Distances do not feel a common shift; centring keeps expanded squares from cancelling far from the origin.
        centre, width = mu.mass @ mu.x, jnp.asarray(self.kappa, x.dtype)
        queries, keys = (x - centre) / width, (mu.x - centre) / width
        return Kernel(queries, keys, mu.mass, Exponential(), profile=self.profile)

    def check(self, d, n):
        pass

    def conventions(self):
        return [f"{type(self).__name__}, width kappa = {shown(self.kappa)}", "rows sum to 1"]


class Laplace(Radial):
    r"""Laplace kernel, $w(x, y) \propto e^{-|x-y|/\kappa}$."""

    kappa: Scheduled = eqx.field(converter=lambda kappa: _width(kappa), default=1.0)
    profile: ClassVar[Profile] = LaplaceProfile()


class InverseQuadratic(Radial):
    r"""Inverse quadratic kernel, $w(x, y) \propto 1/(1 + |x-y|^2/\kappa^2)$."""

    kappa: Scheduled = eqx.field(converter=lambda kappa: _width(kappa), default=1.0)
    profile: ClassVar[Profile] = InverseQuadraticProfile()


class Compact(Radial):
    r"""Bounded confidence, $w(x, y) \propto 1_{|x-y|\le\kappa}$. Source: Hegselmann and Krause 2002."""

    kappa: Scheduled = eqx.field(converter=lambda kappa: _width(kappa), default=1.0)
    profile: ClassVar[Profile] = CompactProfile()


class Everyone(Attention):
    """Constant kernel: every token hears the mean of all, as in plain consensus-based optimisation."""

    def kernel(self, x, mu):
        return Kernel(jnp.zeros_like(x[:, :1]), jnp.zeros_like(mu.x[:, :1]), mu.mass, Exponential())

    def check(self, d, n):
        pass


def _width(kappa):
    kappa = as_number(kappa, "kappa")
    if not isinstance(kappa, Schedule) and is_concrete(kappa) and not float(kappa) > 0:
        raise BadInput(f"the width kappa must be positive, got {float(kappa):g}")
    return kappa
