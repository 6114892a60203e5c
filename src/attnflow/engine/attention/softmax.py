from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...errors import BadInput
from ..linalg.small import product
from ..summation.kernel import Exponential, Kernel
from .constants import Constants, log
from .exponential import ExponentialRule
from .gaussian_field import GaussianField
from .score import Score


class Softmax(ExponentialRule):
    r"""Token $x$ averages the tokens $y$ with weights that grow with $\langle x, By\rangle$.

    $$w(x, y) = \frac{e^{\beta\langle x, By\rangle}}{\int e^{\beta\langle x, Bz\rangle}\,d\mu(z)}$$

    Offsets `q` of queries and `k` of keys are the biases of a trained layer, $s = \beta\langle Qx + q, Ky + k\rangle$;
    what `k` adds is the same for all tokens that x hears, and drops out.
    Source: Geshkovski et al. 2023 (arXiv 2305.05465), eq. (1.1)–(1.3), where $B = Q^\top K$.

    >>> import attnflow as af
    >>> import numpy as np
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> af.attention_matrix(af.Flow(af.Sphere(), af.Softmax(beta=np.log(3))), mu).round(9).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """

    score: Score
    has_fast_sum: ClassVar[bool] = True
    rescaled_weights: ClassVar[str | None] = "soft"

    def __init__(self, B=None, beta=1.0, *, Q=None, K=None, q=None, k=None):
        self.score = Score(B, Q, K, beta, q=q, k=k)

    def kernel(self, x, mu):
        is_symmetric = self.score.is_symmetric(x, mu.x)
        return Kernel(self.score.queries(x), self.score.keys(mu.x), mu.mass, Exponential(), is_symmetric=is_symmetric)

    def spread(self, d):
        return 2 * self.score.reach(d)

    def conventions(self):
        return [*super().conventions(), *(["affine score"] if self.score.is_affine else [])]

    def why_not_closed(self):
        return "no theory of Gaussian prompts here takes offsets of queries or keys" if self.score.is_affine else None

    def gaussian_field(self, mean, L, X=None):
        r"""Tilting $N(\alpha,\Sigma)$ by $e^{\langle b, y\rangle}$ moves its mean to $\alpha + \Sigma b$."""
        if self.score.is_affine:
            raise BadInput(self.why_not_closed())
        at_mean = self.score.between(mean[:, None], L)
        along = self.score.between(L if X is None else X, L)
        return GaussianField(mean + product(L, at_mean.T)[:, 0], product(L, along.T))

    def constants(self, d):
        if self.score.is_affine:
            return super().constants(d)
        size = self.score.norm(d)
        return lambda R: Constants(1.0, log(size * R * R), np.log1p(2 * size * R * R) + 2 * size * R * R)
