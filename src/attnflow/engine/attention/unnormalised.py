from __future__ import annotations

from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from ...errors import BadInput, quoted
from ..linalg.matrices import as_number
from ..linalg.shown import shown
from ..summation.kernel import Kernel, PlainExponential
from .constants import Constants, log
from .exponential import ExponentialRule
from .gaussian_field import GaussianField
from .score import Score


class Unnormalised(ExponentialRule):
    r"""Exponential attention without a normaliser (USA).

    $$w(x, y) = c\, e^{\beta\langle x, By\rangle}$$

    `scale` is the constant c: a number, or the name of a paper's choice — `"mean"` (c = 1, Geshkovski et al.,
    arXiv 2312.10794), `"shifted"` ($c = e^{-\beta\|B\|}$, arXiv 2410.06833, where $B = I$), `"sum"` (c = n).
    Clocks differ by exactly this constant.

    >>> import attnflow as af
    >>> import numpy as np
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> af.attention_matrix(af.Flow(af.Sphere(), af.Unnormalised(beta=np.log(3))), mu).round(9).tolist()
    [[1.5, 0.5], [0.5, 1.5]]
    """

    score: Score
    scale: Array | str = eqx.field(converter=lambda c: c if isinstance(c, str) else as_number(c, "scale"))

    SCALES: ClassVar[tuple[str, ...]] = ("mean", "shifted", "sum")
    has_fast_sum: ClassVar[bool] = True

    def __init__(self, B=None, beta=1.0, *, Q=None, K=None, scale="mean"):
        if isinstance(scale, str) and scale not in self.SCALES:
            raise BadInput(f"scale must be a number or one of {', '.join(self.SCALES)}, got {quoted(scale)}")
        self.score, self.scale = Score(B, Q, K, beta), scale

    def kernel(self, x, mu):
        queries, keys = self.score.queries(x), self.score.keys(mu.x)
        mass, column = mu.mass, None
        if self.scale == "shifted":
            column = jnp.full_like(mass, -self.score.largest(mu.d))
        elif self.scale == "sum":
            mass = mass * mu.n
        elif self.scale != "mean":
            mass = mass * jnp.asarray(self.scale, mass.dtype)
        return Kernel(
            queries, keys, mass, PlainExponential(), column=column,
            average=self.scale != "sum", is_symmetric=self.score.is_symmetric(x, mu.x),
        )  # fmt: skip

    def conventions(self):
        return [*super().conventions(), f"scale {shown(self.scale)}"]

    def has_positive_weights(self):
        return isinstance(self.scale, str) or bool(self.scale > 0)

    def why_not_mergeable(self):
        is_count = isinstance(self.scale, str) and self.scale == "sum"
        return "rules that count tokens (sum, -log n) cannot merge them; use the mean form" if is_count else None

    def link_means(self, centre, spread):
        value = self._constant(centre) * jnp.exp(centre + spread**2 / 2)
        return value, value

    def _constant(self, like):
        if not isinstance(self.scale, str):
            return self.scale.astype(like.dtype)
        if self.scale == "mean":
            return 1.0
        raise BadInput(f'a Gaussian has no number of tokens: scale="{self.scale}" needs Particles; use scale="mean"')

    def is_integrable(self, mean, L):
        r"""Moments change at a finite rate iff $\|\Sigma^{1/2}B\Sigma^{1/2}\| < 1$."""
        return jnp.linalg.norm(L.T @ self.score.matrix(len(mean)).astype(mean.dtype) @ L, ord=2) < 1

    def projected_field(self, mean, L):
        """The pair (z, w) of x = α + Lz and y = α + Lw is Gaussian under the weight exp(xᵀBy); NaN where not integrable."""
        B, r = self.score.matrix(len(mean)).astype(mean.dtype), L.shape[1]
        S, eye = L.T @ B @ L, jnp.eye(r, dtype=L.dtype)
        precision = jnp.block([[eye, -S], [-S.T, eye]])
        linear = jnp.concatenate([L.T @ (B @ mean), L.T @ (B.T @ mean)])
        chol = jnp.linalg.cholesky(precision)
        cov = jax.scipy.linalg.cho_solve((chol, True), jnp.eye(2 * r, dtype=L.dtype))
        centre = cov @ linear
        log_mass = mean @ B @ mean + linear @ centre / 2 - jnp.sum(jnp.log(jnp.diagonal(chol)))
        mass = self._constant(mean) * jnp.exp(log_mass)
        z, w = centre[:r], centre[r:]
        along = jnp.outer(mean, z) + L @ (cov[r:, :r] + jnp.outer(w, z))
        return GaussianField(mass * (mean + L @ w), mass * along)

    def constants(self, d):
        if not (isinstance(self.scale, str) and self.scale == "mean"):
            return super().constants(d)
        size = self.score.norm(d)

        def on_ball(R):
            b = size * R * R
            return Constants(float(np.exp(min(b, 700.0))), log(b) + b, np.log1p(b) + b)

        return on_ball
