"""Regimes of attention heads: how many tokens each hears, and which theory describes what it hears."""

from __future__ import annotations

from dataclasses import dataclass

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..errors import BadInput
from ..evolution import Trajectory
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
        found.append(_summed_up(*map(np.asarray, _measured(heads, mu))))
    table = np.stack(found)
    return Regimes(**{name: table[..., i] for i, name in enumerate(NAMES)}, tokens=run.states.n)  # pyright: ignore[reportAttributeAccessIssue]


def _summed_up(of_listeners, of_heads, counts):
    """One row per head; medians by NumPy, since sorting is slow to compile."""
    if not counts.any():
        raise BadInput("no token hears another: regimes of heads need at least two tokens")
    return np.concatenate([np.median(of_listeners[:, :, counts], axis=2), of_heads], axis=1)


@eqx.filter_jit
def _measured(heads, mu):
    """Per head and listener what medians are taken of, per head the rest, and which listeners count."""
    y, heard = mu.x, is_heard(heads, mu)
    cosine = _unit(y) @ _unit(y).T
    even = heard / jnp.sum(heard, axis=1, keepdims=True)
    # A listener that hears itself alone has no shift; padding does not listen.
    counts = (jnp.sum(heard, axis=1) > 1) & (mu.mass > 0)
    queries, keys, _ = heads.projected(y, mu, has_sink=False)
    pulls = heads.pulls(y)

    def one(head):
        q, k, pull = head
        s = q @ k.T
        P = jax.nn.softmax(jnp.where(heard, s, -jnp.inf), axis=1)
        centre, bary = even @ y, P @ y
        apart = jnp.where(heard, s - jnp.sum(even * s, axis=1, keepdims=True), 0)
        shift, best = bary - centre, y[jnp.argmax(jnp.where(heard, s, -jnp.inf), axis=1)]
        n_eff = 1 / jnp.sum(P**2, axis=1)
        beta, r2 = _slope(apart, cosine, even, heard, counts)
        cosines = _cos(shift, (even * apart) @ y), _cos(shift, best - centre), _cos(bary, pull)
        sink = jnp.sum(jnp.where(counts, P[:, 0], 0)) / jnp.sum(counts)
        return jnp.stack([n_eff, n_eff / jnp.sum(heard, axis=1), *cosines]), jnp.stack([beta, r2, sink])

    return *jax.lax.map(one, (queries, keys, pulls)), counts


def _slope(scores, cosine, even, heard, counts):
    """Slope and R² of scores on cosines, both without the means of their rows."""
    c = jnp.where(heard, cosine - jnp.sum(even * cosine, axis=1, keepdims=True), 0) * counts[:, None]
    s = scores * counts[:, None]
    both, own = jnp.sum(c * s), jnp.sum(c**2)
    return both / own, both**2 / (own * jnp.sum(s**2))


def _unit(x):
    return x / jnp.linalg.norm(x, axis=-1, keepdims=True)


def _cos(a, b):
    return jnp.sum(a * b, axis=1) / (jnp.linalg.norm(a, axis=1) * jnp.linalg.norm(b, axis=1) + 1e-300)
