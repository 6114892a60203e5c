"""Consistency of a saved run with the certificates of its own earlier times: how far tokens strayed from what was proved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .hardmax_certificate import diameter, follow, groups_error, leaders_error, rows
from .hyperplanes import settle
from .subdominant import rest_of
from .value_matrix import ValueMatrix

LOOKS = 12
"""So many saved times, the last one included, are looked at; of a crowd only FEW."""
FEW = 3
CROWD = 2000
SLACK = 1e-6
"""What the tolerance of a run may add, against the size of the tokens."""


@dataclass(frozen=True)
class Followed:
    """How far tokens strayed from what was proved of them, against the size of the prompt."""

    is_settled: bool
    """A certificate holds at the last time."""
    strayed: float
    leaders: int
    since: float
    """The time of the first certificate, infinite if there is none."""


def looks(count: int, n: int = 0) -> np.ndarray:
    """Indices of saved times to look at, for n tokens."""
    return np.unique(np.linspace(0, count - 1, min(count, FEW if n > CROWD else LOOKS)).astype(int))


def leaders_followed(z, ts, V: ValueMatrix, matrix, M, *, mass=None) -> Followed:
    r"""Tokens near vertices: once the leaders are proved, $u_i = v + (u_i(T)-v)e^{-\lambda(t-T)}$.

    Where only groups are proved, tokens must stay in the hull of their group.
    """
    u, inner = z @ V.left.T, V.right.T @ M @ V.right
    strayed, since, leader, is_settled = 0.0, np.inf, None, False
    size = np.linalg.norm(u[0], axis=1).max()
    for k in looks(len(ts), z.shape[1]):
        found, bound, by_leaders = _proof(z[k], u[k], ts[k], V, matrix, M, inner, mass)
        is_settled = np.isfinite(bound)
        if is_settled and leader is None:
            since, leader = float(ts[k]), found.leader
            later = [i for i in looks(len(ts), z.shape[1]) if i > k]
            for i in later:
                ahead = follow(u[k], leader, ts[i] - ts[k], rate=V.lam) if by_leaders else u[k][leader]
                off = np.abs(u[i] - ahead).max() - bound
                strayed = max(strayed, float(off) / size if size else 0.0)
    return Followed(is_settled, strayed, 0 if leader is None else len(set(leader.tolist())), since)


def _proof(z, u, t, V, matrix, M, inner, mass):
    """Leaders at one time and the error that is proved for them."""
    scale = 2 * V.lam * float(t)
    rest = rest_of(_grown(z, matrix, V, float(t)), matrix, V, M)
    found = rows(u, inner, log_scale=scale, mass=mass)
    bound = leaders_error(found, u, inner, log_scale=scale, rest=rest, rate=V.lam)
    if np.isfinite(bound):
        return found, bound, True
    if not found.is_settled.all():
        return found, np.inf, False
    bound = groups_error(found.leader, u, inner, log_scale=scale, rest=rest, mass=mass)[1]
    return found, (bound if bound <= 1e-2 * diameter(u) else np.inf), False


def _grown(z, matrix, V, t):
    from scipy.linalg import expm

    return z if V.right.shape[1] == len(matrix) else z @ expm(t * (matrix - V.lam * np.eye(len(matrix)))).T


def planes_followed(z, ts, V: ValueMatrix, matrix, M, *, mass) -> Followed:
    r"""Tokens near planes: what is proved of them once their side is settled.

    $$|c_i-b|\le|c_i(T)-b|e^{-\lambda\tau}+\tfrac b2\lambda\tau e^{-(\lambda-\mu)\tau}$$ up to the error of the plane.
    """
    c = z @ V.left[0]
    strayed, since, is_settled, size = 0.0, np.inf, False, np.abs(c[0]).max()
    for k in looks(len(ts)):
        rest = rest_of(_grown(z[k], matrix, V, float(ts[k])), matrix, V, M)
        planes = settle(_grown(z[k], matrix, V, float(ts[k])), V, M, rest=rest, t=float(ts[k]), mass=mass)
        is_settled = bool(planes.is_decided.all() and np.isfinite(planes.error))
        if is_settled and not np.isfinite(since):
            since = float(ts[k])
            for i in (i for i in looks(len(ts)) if i > k):
                wait = V.lam * (ts[i] - ts[k])
                slow = np.abs(planes.target) / 2 * wait * np.exp(-(1 - rest.rate / V.lam) * wait)
                allowed = np.abs(planes.c - planes.target) * np.exp(-wait) + slow + planes.error
                off = np.abs(c[i] - planes.target) - allowed
                strayed = max(strayed, float(off.max()) / size if size else 0.0)
    return Followed(is_settled, strayed, 0, since)
