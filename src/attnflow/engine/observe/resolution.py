"""Resolution: effective number of tokens heard, against what a continuum limit needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jax.typing import ArrayLike

from ...errors import BadInput
from ..flow import AnyFlow
from ..linalg.arguments import as_annotated
from ..linalg.matrices import is_scheduled
from ..measures import Particles
from ..spaces import Sphere
from ..special.funk_hecke import funk_hecke
from .matrix import listening

FEWEST = 10.0
"""Below this many effectively heard tokens statements about a continuum do not apply."""


@dataclass(frozen=True)
class Resolution:
    """How well a cloud of tokens resolves the width of its attention."""

    n_eff: float
    r"""The mean of $1/\sum_j P_{ij}^2$ over tokens."""
    self_weight: float
    """The median share of a token's own weight."""
    perplexity: float
    """The median perplexity of a row."""
    crowding: float | None
    r"""On the sphere, $\beta\|B\|/n^{2/(d-1)}$: kernel width against token spacing, to be well below 1."""
    warnings: tuple[str, ...]


@as_annotated
def resolution(flow: AnyFlow, mu: Particles, *, t: ArrayLike = 0.0, fewest: float = FEWEST) -> Resolution:
    r"""Whether each token hears enough others for a mean-field statement.

    Continuum statements on $S^{d-1}$ need $\beta \ll n^{2/(d-1)}$; beyond that each token hears one token.
    """
    heard = listening(flow, mu, t=t)
    n_eff, self_weight = float(np.mean(heard.n_eff)), float(np.median(heard.self_weight))
    crowding = _crowding(flow, mu)
    notes = []
    if n_eff < fewest:
        tail = "" if crowding is None else f", beta/n^(2/(d-1)) = {crowding:.2g}"
        notes.append(f"too few tokens for a continuum: each hears {n_eff:.1f} others effectively{tail}")
    perplexity = float(np.median(heard.perplexity))
    return Resolution(n_eff, self_weight, perplexity, crowding, tuple(notes))


def uniform_n_eff(n: int, d: int, *, beta: float) -> float:
    r"""The expected n_eff of uniform tokens on $S^{d-1}$ with $B = I$: $n\,\lambda_0(\beta)^2/\lambda_0(2\beta)$.

    $$\lambda_0(\beta) = \Gamma(d/2)(2/\beta)^{d/2-1} I_{d/2-1}(\beta)$$ On the circle about $n/\sqrt{\pi\beta}$.
    """
    if d < 2 or not beta > 0:
        raise BadInput(f"uniform tokens need d of at least 2 and beta > 0, got d = {d}, beta = {beta}")
    # The exponentials cancel: e^{2β} above and below.
    one, two = (funk_hecke(0, strength, d=d, is_scaled=True) for strength in (beta, 2 * beta))
    return float(n * one**2 / two)


def _crowding(flow, mu):
    score = getattr(flow.attention, "score", None)
    if score is None or mu.d < 2 or not isinstance(flow.space, Sphere) or is_scheduled(score):
        return None
    return score.norm(mu.d) / mu.n ** (2 / (mu.d - 1))
