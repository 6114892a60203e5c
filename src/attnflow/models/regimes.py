"""Regimes of attention heads: how many tokens each hears, and which theory describes what it hears."""

from __future__ import annotations

from dataclasses import dataclass

import equinox as eqx
import numpy as np

from ..engine.evolution import Trajectory
from ..engine.linalg.arguments import as_annotated
from ..errors import BadInput
from .heads_seen import is_heard, layers_of, seen_by
from .model import Model

NAMES = ("n_eff", "share", "gaussian", "hardmax", "laplace", "beta", "r2", "sink")
TRUSTED = 0.3
"""Below this R² a β says nothing of a head."""
WIDE = 0.95
"""A head that hears this share of its tokens evenly is uniform."""


@dataclass(frozen=True)
class Regimes:
    """One row per layer and head; all arrays have shape (layers, heads)."""

    n_eff: np.ndarray
    r"""How many tokens are heard, $1/\sum_j P_{ij}^2$, median over listeners."""
    share: np.ndarray
    """n_eff over the number of tokens that a listener may hear."""
    gaussian: np.ndarray
    """Median cosine of the true shift of the barycentre with that of the Gaussian closure (arXiv 2501.18322)."""
    hardmax: np.ndarray
    """The same with the token heard best (β → ∞)."""
    laplace: np.ndarray
    r"""Median cosine of the barycentre with $B^\top x$, its direction at low temperature (arXiv 2605.10931); of a score that
    depends on positions, as two tokens at the same place have it."""
    beta: np.ndarray
    """Slope of scores on cosines of tokens, rows demeaned: the inverse temperature of B = I."""
    r2: np.ndarray
    """How much of the scores that slope explains."""
    sink: np.ndarray
    """Mean weight on the first token."""
    tokens: int

    @property
    def names(self) -> np.ndarray:
        """Which theory is nearest: uniform, gaussian, hardmax or laplace."""
        best = np.argmax(np.stack([self.gaussian, self.hardmax, self.laplace]), axis=0)
        found = np.array(["gaussian", "hardmax", "laplace"])[best]
        return np.where(self.share > WIDE, "uniform", found)

    @property
    def trusted_beta(self) -> np.ndarray:
        """β where it explains the scores, else NaN."""
        return np.where(self.r2 >= TRUSTED, self.beta, np.nan)

    def rows(self) -> list[dict]:
        """A table with one entry per head."""
        layers, heads = self.n_eff.shape
        return [
            {"layer": l, "head": h, "regime": str(self.names[l, h])}
            | {name: float(getattr(self, name)[l, h]) for name in NAMES}
            for l in range(layers)
            for h in range(heads)
        ]


@as_annotated
def regimes(model: Model, run: Trajectory, *, layers=None) -> Regimes:
    """What the heads of a model do on a recorded prompt, one head at a time: no n × n array outlives its head.

    >>> import attnflow as af
    >>> model = af.models.random_albert()
    >>> af.regimes(model, af.record(model, [3, 1, 4, 1, 5]), layers=[0]).n_eff.shape
    (1, 2)
    """
    found = []
    for layer in layers_of(model, layers):
        heads, mu = seen_by(model, run, layer)
        found.append(_measured(heads, mu))
    table = np.stack(found)
    return Regimes(**{name: table[..., i] for i, name in enumerate(NAMES)}, tokens=run.states.n)  # pyright: ignore[reportAttributeAccessIssue]


@eqx.filter_jit
def _projected(heads, mu):
    queries, keys, _ = heads.projected(mu.x, mu, has_sink=False)
    return queries, keys, heads.pulls(mu.x)


def _measured(heads, mu) -> np.ndarray:
    """One row per head, in the order of NAMES; by NumPy, which need not be compiled and sums as fast."""
    y, heard = np.asarray(mu.x, float), is_heard(heads, mu)
    # A listener that hears itself alone has no shift; padding does not listen.
    counts = (heard.sum(axis=1) > 1) & (np.asarray(mu.mass) > 0)
    if not counts.any():
        raise BadInput("no token hears another: regimes of heads need at least two tokens")
    heard = heard[counts]
    even = heard / heard.sum(axis=1, keepdims=True)
    cosine = _without_means(_unit(y)[counts] @ _unit(y).T, even, heard)
    parts = zip(*(np.asarray(part, float) for part in _projected(heads, mu)))
    return np.array([_of_head(q[counts] @ k.T, pull[counts], y, even, heard, cosine) for q, k, pull in parts])


def _of_head(s, pull, y, even, heard, cosine) -> list[float]:
    """Scores s of listeners (rows) and speakers, with what each listener would hear of even weights."""
    masked = np.where(heard, s, -np.inf)
    P = np.exp(masked - masked.max(axis=1, keepdims=True))
    P /= P.sum(axis=1, keepdims=True)
    centre, bary, apart = even @ y, P @ y, _without_means(s, even, heard)
    shift, best = bary - centre, y[np.argmax(masked, axis=1)]
    n_eff = 1 / np.sum(P**2, axis=1)
    cosines = _cos(shift, (even * apart) @ y), _cos(shift, best - centre), _cos(bary, pull)
    medians = [float(np.median(v)) for v in (n_eff, n_eff / heard.sum(axis=1), *cosines)]
    return [*medians, *_slope(apart, cosine), float(P[:, 0].mean())]


def _without_means(s, even, heard):
    """Entries of what is heard without the means of their rows, 0 elsewhere."""
    return np.where(heard, s - np.sum(even * s, axis=1, keepdims=True), 0)


def _slope(s, c) -> tuple[float, float]:
    """Slope and R² of scores on cosines, both without the means of their rows."""
    both, own, of_scores = np.sum(c * s), np.sum(c**2), np.sum(s**2)
    with np.errstate(invalid="ignore", divide="ignore"):  # tokens at one place, or scores all equal, have no slope
        return float(both / own), float(both**2 / (own * of_scores))


def _unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def _cos(a, b):
    return np.sum(a * b, axis=1) / (np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1) + 1e-300)
