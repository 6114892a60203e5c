r"""Certificates that softmax rows have become hardmax rows for all later times, by leaders or by groups.

**Leaders.** Followers move on the segment to their leader, so every gap $\langle z_i(s), v_j - z_k(s)\rangle_B$ stays a
convex combination of four gaps that are non-negative now; gaps in logits grow at least like $g_0e^s$, and the drift still
to come is at most $n\,\mathrm{diam}\,E_1(g_0)$. Relative to its leader a follower strays by at most
$2n\,\mathrm{diam}\,e^{-g_0}/g_0$ times $e^{-s}$, so what drift takes from a gap is bounded once for all times.

**Groups.** If every row prefers all members of its own group to all others, the hulls of the groups can only shrink, and
a vertex is known up to the diameter of its group.

Derived for V = I and any B, and on the dominant space of a paranormal V, where `rest` bounds what the other coordinates
add to the logits. Source of the dynamics: arXiv 2305.05465 (3.1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist
from scipy.special import exp1

from .subdominant import Rest

ENOUGH = 30.0
"""The smallest gap in logits that is accepted."""

TIE = 1e-11
"""A gap this small relative to the largest scores is a tie, not a decision."""

BLOCK = 2**21
"""Entries of the differences of tokens that are formed at a time."""


@dataclass(frozen=True)
class Rows:
    """Who each row listens to at one time, and by how much."""

    leader: np.ndarray
    gap: np.ndarray
    """Best minus second best logit of each row (masses counted against the leader only)."""
    is_tied: np.ndarray
    is_settled: np.ndarray
    """The leader listens to itself."""

    @property
    def smallest(self) -> float:
        return float(self.gap.min())


def rows(z, B, *, log_scale: float, mass=None) -> Rows:
    r"""Leaders and gaps of the logits $e^{\text{log\_scale}}\langle z_i, Bz_j\rangle + \log m_j$.

    Tokens are subtracted before they are multiplied by the huge factor, so no digits are lost.
    """
    z, B = np.asarray(z, float), np.asarray(B, float)
    n, d = z.shape
    heard = np.ones(n, bool) if mass is None else np.asarray(mass) > 0
    log_m = np.zeros(n) if mass is None else np.log(np.where(heard, mass, 1.0))
    scale, pull = np.exp(min(log_scale, 690.0)), z @ B
    size = max(1, BLOCK // (n * d))
    parts = [_rows(pull[k : k + size], z, log_m, heard, scale) for k in range(0, n, size)]
    leader, gap, nearest = (np.concatenate(part) for part in zip(*parts))
    tied = nearest <= TIE * (np.abs(pull).max() * np.abs(z).max() + np.finfo(float).tiny)
    return Rows(leader, gap, tied & (heard.sum() > 1), leader[leader] == leader)


def _rows(pull, z, log_m, heard, scale):
    """Leaders, gaps in logits and raw gaps of some rows."""
    leader = np.argmax(np.where(heard, pull @ z.T, -np.inf), axis=1)
    raw = np.einsum("id,ijd->ij", pull, z[leader][:, None, :] - z[None, :, :])
    gaps = raw * scale + np.minimum(log_m[leader][:, None] - log_m[None, :], 0)
    aside = ~heard[None, :] | (np.arange(len(z))[None, :] == leader[:, None])
    return leader, np.where(aside, np.inf, gaps).min(axis=1), np.where(aside, np.inf, raw).min(axis=1)


def tied_with(z, B) -> np.ndarray:
    """Which tokens each row prefers alike, above all others."""
    scores = np.asarray(z, float) @ B @ np.asarray(z, float).T
    return scores.max(axis=1, keepdims=True) - scores <= TIE * (np.abs(scores).max() + np.finfo(float).tiny)


def diameter(z) -> float:
    """The largest distance of two tokens; for crowds the diameter of their box, which is not smaller."""
    z = np.asarray(z, float)
    if len(z) > 4096:
        return float(np.linalg.norm(np.ptp(z, axis=0)))
    return float(pdist(z).max()) if len(z) > 1 else 0.0


def drift_bound(gap: float, z) -> float:
    r"""How far any token can stray while gaps grow like $g_0e^s$: $n\,\mathrm{diam}\,E_1(g_0)$."""
    if not np.isfinite(gap):
        return 0.0
    return float(len(z) * diameter(z) * exp1(gap)) if gap > 0 else float("inf")


def leaders_error(found: Rows, u, M, *, log_scale: float, rest: Rest | None = None, rate: float = 1.0) -> float:
    """The proof by leaders: a bound on how far they can still move, infinite where the proof does not go through."""
    rest = Rest() if rest is None else rest
    if not found.is_settled.all() or not _is_orderly(u, rest, rate, M):
        return float("inf")
    wide, reach = diameter(u), float(np.linalg.norm(u, axis=1).max())
    other = rest.hearing * wide + 2 * rest.within
    gap = found.smallest - _grown(other, log_scale)
    if gap < ENOUGH:
        return float("inf")
    if not np.isfinite(gap):
        return 0.0
    loss, M = gap / 2, float(np.linalg.norm(M, 2))
    for step in range(4):
        left = gap - loss
        drift, lag = len(u) * wide * exp1(left), 2 * len(u) * wide * np.exp(-left) / left
        taken = M * (reach * (2 * drift + lag) + (drift + lag) * (wide + 2 * drift + lag))
        taken = _grown(taken, log_scale)
        if step == 0 and taken > loss:
            return float("inf")
        loss = min(loss, taken)
    return float(len(u) * wide * exp1(gap - loss))


def _is_orderly(u, rest: Rest, rate, M) -> bool:
    """Whether the other coordinates never overtake the gaps between a leader and its followers."""
    crossing = rest.heard > 1e-13 * np.linalg.norm(M, 2) * (np.linalg.norm(u, axis=1).max() + rest.size)
    return rest.size == 0 or (not crossing and 2 * rest.rate <= rate * (1 + 1e-9))


def _grown(value, log_scale) -> float:
    return float(value * np.exp(min(log_scale, 690.0)))


def groups_error(leader, u, M, *, log_scale: float, rest: Rest | None = None, mass=None) -> tuple[float, float]:
    """The proof by groups (tokens with one leader): the smallest gap between groups, and the error of the vertices."""
    rest = Rest() if rest is None else rest
    u, leader = np.asarray(u, float), np.asarray(leader)
    wide, reach = diameter(u), float(np.linalg.norm(u, axis=1).max())
    inner = max(diameter(u[leader == k]) for k in np.unique(leader))
    heard = np.ones(len(u), bool) if mass is None else np.asarray(mass) > 0
    unequal = 0.0 if mass is None else float(np.ptp(np.log(np.asarray(mass)[heard])))
    apart = _between(leader, u, M, heard)
    if apart == np.inf:
        return np.inf, inner
    other = rest.hearing * wide + 2 * rest.heard * reach + 2 * rest.within
    gap = _grown(apart - other, log_scale) - unequal
    if not gap >= 2 * ENOUGH:
        return gap, np.inf
    leak = len(u) * wide * exp1(gap / 2) / 2
    taken = 4 * np.linalg.norm(M, 2) * (reach + leak) * leak
    return gap, (inner + leak if _grown(taken, log_scale) <= gap / 2 else np.inf)


def _between(leader, u, M, heard) -> float:
    """The smallest lead of the worst member of a row's group over the best token outside it."""
    least, size = np.inf, max(1, BLOCK // len(u))
    for k in range(0, len(u), size):
        scores = u[k : k + size] @ M @ u.T
        same = leader[k : k + size, None] == leader[None, :]
        worst = np.where(same & heard, scores, np.inf).min(axis=1)
        best = np.where(~same & heard, scores, -np.inf).max(axis=1)
        least = min(least, float((worst - best - 1e-14 * np.abs(scores).max()).min()))
    return least


def follow(z, leader, elapsed, *, rate: float = 1.0):
    r"""Where tokens are after the certificate: $z_i = v + (z_i(T)-v)e^{-c(t-T)}$ with $v$ the leader of i."""
    z = np.asarray(z, float)
    return z[leader] + (z - z[leader]) * np.exp(-rate * np.asarray(elapsed))
