"""Exponential attention on S² in spherical harmonics, through Fourier modes of both angles."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .accuracy import Heard, attempt, repaired
from .circle import on_radii
from .fourier import Plan, transform_error
from .gauss import has_gauss_form
from .kernel import Kernel
from .tiled import Tiled
from .zonal import Zonal


class TwoSphere(eqx.Module):
    """Fast sums for queries and keys on two spheres in R³, as on S² when B is a multiple of an orthogonal matrix.

    Two-dimensional transforms instead of three. Listeners whose error would exceed `tol` are recomputed exactly; so are
    all of them if scores are not those the expansion was made for.
    """

    zonal: Zonal
    tol: float = eqx.field(static=True, default=1e-10)
    eps: float = eqx.field(static=True, default=1e-14)
    exact: Tiled = Tiled()

    @property
    def modes(self) -> tuple[int, int]:
        return self.zonal.shape

    def sum(self, kernel: Kernel, values: Float[Array, "m c"]) -> Float[Array, "n c"]:
        if not has_gauss_form(kernel) or kernel.keys.shape[1] != 3:
            return self.exact.sum(kernel, values)
        return repaired(self.hear(kernel, values), kernel, values, self.exact)

    def hear(self, kernel: Kernel, values: Float[Array, "m c"]) -> Heard:
        """The fast sums with their estimated errors, before any is recomputed."""
        return attempt(self.plan(kernel), kernel, values, self.tol)

    def plan(self, kernel: Kernel) -> Plan:
        queries, keys = jax.lax.stop_gradient((kernel.queries, kernel.keys))
        r, strengths, log_scale, relative = on_radii(kernel)
        relative = relative + 2 * jnp.abs(r - self.zonal.r)
        error = transform_error(self.eps, r.dtype) + self.zonal.truncation
        return Plan(_angles(queries), _angles(keys), strengths, self.zonal, log_scale, error, relative, self.eps)


def _angles(x):
    """Colatitude and longitude."""
    return jnp.arctan2(jnp.hypot(x[:, 0], x[:, 1]), x[:, 2]), jnp.arctan2(x[:, 1], x[:, 0])
