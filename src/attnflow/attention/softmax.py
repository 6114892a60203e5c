from __future__ import annotations

from ..kernel import Exponential, Kernel
from .base import Attention
from .score import Score, check_dimension


class Softmax(Attention):
    r"""Token $x$ averages the tokens $y$ with weights that grow with $\langle x, By\rangle$.

    $$w(x, y) = \frac{e^{\beta\langle x, By\rangle}}{\int e^{\beta\langle x, Bz\rangle}\,d\mu(z)}$$

    Source: Geshkovski et al. 2023 (arXiv 2305.05465), eq. (1.1)–(1.3), where $B = Q^\top K$.
    """

    score: Score

    def __init__(self, B=None, beta=1.0, *, Q=None, K=None):
        self.score = Score(B, Q, K, beta)

    def kernel(self, x, mu):
        is_symmetric = self.score.is_symmetric(x, mu.x)
        return Kernel(self.score.queries(x), self.score.keys(mu.x), mu.mass, Exponential(), is_symmetric=is_symmetric)

    def check(self, d, n):
        check_dimension(self.score, d)

    def spread(self, d):
        return 2 * self.score.norm(d)
