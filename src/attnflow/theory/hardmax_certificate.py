r"""When softmax has turned into hardmax for good: the argmax of no row changes any more.

Followers move on the segment to their leader, so every gap $\langle z_i(s), v_j - z_k(s)\rangle_B$ stays a convex
combination of four gaps that are non-negative now; gaps in logits grow at least like $g_0e^s$, and the drift still to
come is at most $n\,\mathrm{diam}\,E_1(g_0)$. Derived for V = I and any B; source of the dynamics: arXiv 2305.05465 (3.1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist
from scipy.special import exp1

ENOUGH = 30.0
"""The smallest gap in logits that is accepted."""

TIE = 1e-11
"""A gap this small relative to the largest scores is a tie, not a decision."""


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
    n = len(z)
    log_m = np.full(n, -np.log(n)) if mass is None else np.log(np.where(np.asarray(mass) > 0, mass, 1e-300))
    heard = np.ones(n, bool) if mass is None else np.asarray(mass) > 0
    pull = z @ B
    leader = np.argmax(np.where(heard, pull @ z.T, -np.inf), axis=1)
    raw = np.einsum("id,ijd->ij", pull, z[leader][:, None, :] - z[None, :, :])
    scale = np.exp(min(log_scale, 690.0))
    against = np.minimum(log_m[leader][:, None] - log_m[None, :], 0)
    gaps = raw * scale + against
    size = np.abs(pull).max() * np.abs(z).max() + np.finfo(float).tiny
    own = np.arange(n)
    gaps[own, leader] = np.inf
    raw[own, leader] = np.inf
    gaps[:, ~heard] = np.inf
    raw[:, ~heard] = np.inf
    tied = raw.min(axis=1) <= TIE * size
    return Rows(leader, gaps.min(axis=1), tied & (n > 1), leader[leader] == leader)


def drift_bound(gap: float, z) -> float:
    r"""How far any token can still stray: $n\,\mathrm{diam}\,E_1(g_0)\le n\,\mathrm{diam}\,e^{-g_0}/g_0$."""
    z = np.asarray(z, float)
    if not np.isfinite(gap):
        return 0.0
    return float(len(z) * diameter(z) * exp1(gap)) if gap > 0 else float("inf")


def diameter(z) -> float:
    return float(pdist(z).max()) if len(z) > 1 else 0.0


def is_closed(found: Rows, z, B, *, log_scale: float) -> bool:
    """Whether the certificate holds: every gap is large, leaders lead themselves, the drift cannot close half a gap."""
    if not found.is_settled.all() or found.smallest < ENOUGH:
        return False
    z = np.asarray(z, float)
    if len(z) == 1:
        return True
    reach = np.linalg.norm(B, 2) * (np.linalg.norm(z, axis=1).max() + diameter(z))
    closing = np.log(2 * drift_bound(found.smallest, z) * reach + np.finfo(float).tiny) + log_scale
    return bool(closing < np.log(found.smallest / 2))


def follow(z, leader, elapsed, *, rate: float = 1.0):
    r"""Where tokens are after the certificate: $z_i = v + (z_i(T)-v)e^{-c(t-T)}$ with $v$ the leader of i."""
    z = np.asarray(z, float)
    return z[leader] + (z - z[leader]) * np.exp(-rate * np.asarray(elapsed))


def gap_between_groups(z, B, leader, *, log_scale: float) -> float:
    """The smallest gap in logits between a row's own leader and the tokens that follow another one."""
    z, leader = np.asarray(z, float), np.asarray(leader)
    raw = np.einsum("id,ijd->ij", z @ B, z[leader][:, None, :] - z[None, :, :])
    other = leader[:, None] != leader[None, :]
    return float(raw[other].min() * np.exp(min(log_scale, 690.0))) if other.any() else float("inf")
