"""Trials of sections 2 to 5: rows of P on the line, polytopes, hyperplanes, subspaces."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull, QhullError

from ....theory.limits.hardmax_certificate import leaders_error, rows
from ....theory.limits.polytope import contains, enumerate_limits, hull_vertices, residual
from ...hunt import STEPS, Hunt, Trial, both, sampled, shown
from ...independent import diagonal_run, mirrored, rescaled_run, spectral_run
from ...trial import worst_ratio

NEAR = 0.05
"""A token this near to a predicted place, against the size of the prompt, counts as there."""


def and_symmetric(trial, count: int, *, law: str, steps: int = STEPS) -> Hunt:
    """Trials of general prompts, and of symmetric ones, which keep a token at 0: the exceptions of a statement."""
    exceptions = sampled(partial(trial, is_symmetric=True), 2, law="symmetric prompts with a token at 0", steps=0)
    return both(sampled(trial, count, law=law, steps=steps), exceptions)


# ---- the line ---------------------------------------------------------------------------------------------------------


LAST = 9.0
"""The last time of runs on the line."""
EXCEPTIONS = 1
"""So many tokens of a line may stay between the others."""


def line_trial(rng, *, is_symmetric: bool = False) -> Trial:
    """Theorem 2.1: rows of P at a late time that are not unit vectors; more than one of them is a violation."""
    n = int(rng.integers(3, 8))
    x = np.sort(rng.uniform(-1, 1, (n, 1)) + rng.choice([0.0, 0.0, 2.0]), axis=0)
    if rng.choice([True, False], p=[0.4, 0.6]):
        # Near the unstable start whose middle token is pulled both ways alike.
        x[n // 2] = -np.delete(x, n // 2).mean()
        x = np.sort(x, axis=0)
    x = mirrored(1.2 + x[: n // 2]) if is_symmetric else x
    others, z = _late_rows(x, B=1.0)
    return Trial(others / (EXCEPTIONS + 0.5) if is_resolved(x, z, LAST) else np.nan, LAST, shown(x=x[:, 0]))


def _late_rows(x, *, B: float):
    """The fewest rows of P at late times that are not unit vectors, and the last tokens z."""
    ts = np.array([3.0, 6.0, LAST])
    z = rescaled_run(x, ts, B=B * np.eye(1))
    return min(soft_rows(y, B, 1.0, T) for T, y in zip(ts, z)), z[-1]


def soft_rows(z, b, v, t) -> int:
    """How many rows of P are not yet those of the lowest or highest token."""
    found = rows(z, np.array([[b]]), log_scale=2 * v * t)
    extreme = [int(z[:, 0].argmin()), int(z[:, 0].argmax())]
    return int((~(np.isin(found.leader, extreme) & (found.gap > np.log(100)))).sum())


def is_resolved(x, z, t) -> bool:
    """Whether the largest score of a late time tells even the two nearest tokens of the start apart."""
    near = np.diff(np.sort(x[:, 0])).min(initial=np.inf)
    return bool(near > 1e-3 and np.abs(z).max() * np.exp(t) * min(1.0, near) > 1e2)


def opposite_rows_trial(rng) -> Trial:
    """QK < 0: every token listens to the other side."""
    x = np.sort(rng.uniform(-1, 1, (5, 1)), axis=0)
    return Trial(_late_rows(x, B=-1.0)[0] / 1.5, LAST, shown(x=x[:, 0]))


# ---- polytopes --------------------------------------------------------------------------------------------------------


def polytope_prompt(rng):
    """Tokens in general position, about a distant centre, nearly symmetric, or nearly coincident; any metric B."""
    n, d = int(rng.integers(3, 8)), int(rng.integers(1, 4))
    x = rng.uniform(-3, 3, (n, d)) + rng.choice([0.0, 2.0, 5.0])
    kind = rng.integers(4)
    if kind == 1:
        x = np.vstack([x[: n // 2 + 1], -x[: n // 2 + 1]]) + 1e-3 * rng.normal(size=(2 * (n // 2 + 1), d))
    if kind == 2:
        x[1] = x[0] + 1e-2 * rng.normal(size=d)
    root = rng.normal(size=(d, d)) * rng.choice([0.3, 1.0]) + np.eye(d)
    return x, root.T @ root


LATE = np.array([4.0, 6.0, 8.0])


def polytope_trial(rng) -> Trial:
    """Theorem 3.1: the distance to S, seen by its equation at the vertices of the hull of all tokens."""
    x, B = polytope_prompt(rng)
    return Trial(polytope_ratio(rescaled_run(x, LATE, B=B), LATE, B), LATE[-1], shown(x=x, B=B))


def any_scores_trial(rng) -> Trial:
    x, B = rng.uniform(-3, 3, (6, 2)), rng.normal(size=(2, 2))
    return Trial(polytope_ratio(rescaled_run(x, LATE, B=B), LATE, B), LATE[-1], shown(B=B, x=x))


def polytope_ratio(z, ts, B) -> float:
    """The defect in the equation of S against what is left of the way to the vertices, e^{−(t−T)}, after leaders settled."""
    settled = _settled_since(z, ts, B)
    if settled is None:
        return np.nan
    off = residual(z[-1], z[-1][hull_vertices(z[-1])], B).max()
    scale = max(np.einsum("id,de,ie->i", z[settled], B, z[settled]).max(), 1e-12)
    return float(off / (4 * scale * np.exp(ts[settled] - ts[-1]) + 1e-8 * scale))


def _settled_since(z, ts, B) -> int | None:
    """The first time but the last at which every leader is proved."""
    if not np.isfinite(z).all():
        return None
    for k in range(len(ts) - 1):
        if np.isfinite(leaders_error(rows(z[k], B, log_scale=2 * ts[k]), z[k], B, log_scale=2 * ts[k])):
            return k
    return None


def set_trial(rng) -> Trial:
    """Theorem 8.1: S of the limit polytope contains its vertices, lies on its boundary or at 0, and 0 only if 0 is in K."""
    x, B = polytope_prompt(rng)
    z = rescaled_run(x, LATE, B=B)
    if _settled_since(z, LATE, B) is None:
        return Trial(np.nan, LATE[-1])
    leaders = np.unique(rows(z[-1], B, log_scale=2 * LATE[-1]).leader)
    return Trial(worst_ratio(*set_ratios(z[-1][leaders], B)), LATE[-1], shown(x=x, B=B))


def set_ratios(vertices, B, *, slack: float = 1e-6) -> tuple[float, float]:
    """How far vertices are from lying in their S, and how far S is from lying on the boundary or at 0 as it should."""
    # Multiples of B have the same S.
    B, size = B / np.linalg.norm(B, 2), 1 + np.abs(vertices).max()
    missing = float(residual(vertices, vertices, B).max() / (slack * size**2))
    S = enumerate_limits(vertices, B)
    inside = np.max([boundary_distance(np.vstack([vertices, point]), of=-1) for point in S], initial=0.0)
    is_zero_right = (np.linalg.norm(S, axis=1).min(initial=np.inf) < 1e-9 * size) == contains(
        vertices, np.zeros(len(B))
    )
    return missing, inside / (slack * size) if is_zero_right else np.inf


def rank_trial(rng) -> Trial:
    """Rank of the limit of P against the number of vertices of the limit polytope."""
    x, B = polytope_prompt(rng)
    z = rescaled_run(x, LATE, B=B)
    if _settled_since(z, LATE, B) is None:
        return Trial(np.nan, LATE[-1])
    leader = rows(z[-1], B, log_scale=2 * LATE[-1]).leader
    points = z[-1][np.unique(leader)]
    return Trial(rank_ratio(len(points), len(hull_vertices(points))), LATE[-1], shown(x=x, B=B))


def rank_ratio(rank: int, corners: int) -> float:
    """Above 1 if the rank is greater than the number of corners."""
    return rank / (corners + 0.5)


# ---- hyperplanes ------------------------------------------------------------------------------------------------------


def planes_trial(rng, *, is_symmetric: bool = False) -> Trial:
    """Theorem 4.2 in eigen-coordinates: extremes move inwards, and late coordinates are near a, 0 or b."""
    n, d = int(rng.integers(3, 7)), int(rng.integers(2, 4))
    rates = np.append(1.0, rng.uniform(-0.6, 0.6, d - 1))
    T = rng.normal(size=(d, d)) + 2 * np.eye(d)
    M, c = T.T @ T, rng.uniform(-1, 1, (n, d)) * rng.choice([0.5, 2.0]) + rng.choice([0.0, 1.0])
    c = mirrored(c[:3]) if is_symmetric else c
    first = diagonal_run(c, np.linspace(0, 20, 21), rates=rates, M=M)[..., 0]
    return Trial(planes_ratio(first), 20.0, shown(rates=rates, M=M, c=c), bool(M[0, 0] > 0.05))


def opposed_planes_trial(rng) -> Trial:
    c, M = rng.uniform(-2, 2, (5, 2)), rng.normal(size=(2, 2))
    M[0, 0] = -abs(M[0, 0])
    first = diagonal_run(c, np.linspace(0, 10, 11), rates=[1.0, 0.3], M=M)[..., 0]
    return Trial(planes_ratio(first), 10.0, shown(M=M, c=c))


def planes_ratio(c) -> float:
    """Coordinates c at every time unit: above 1 if an extreme moved outwards, or a late coordinate rests off a, 0 and b."""
    if not np.isfinite(c).all():
        return np.nan
    size, low, high = np.abs(c[0]).max(), c.min(axis=1), c.max(axis=1)
    outward = max(float(np.max(np.diff(high), initial=0)), float(np.max(-np.diff(low), initial=0))) / size
    off = off_planes(c[-1], low[-1], high[-1])
    if outward > 1e-6:
        return outward / 1e-6
    # NaN passes through: Python's max would drop it.
    return float(np.maximum(outward / 1e-6, rest_ratio(off / size, np.abs(c[-1] - c[-2]) / size)))


def rest_ratio(off, moved) -> float:
    """How far tokens at rest are from where they should be; NaN while one that is still off is on its way."""
    # What approaches its plane moves by a multiple of its distance in one unit of time; what leaves plane 0 is faster.
    is_resting = moved < 0.1 * off
    resting = float(np.max(off[is_resting], initial=0.0)) / NEAR
    if resting <= 1 and (off[~is_resting] > NEAR).any():
        return np.nan
    return worst_ratio(resting, off[~is_resting] / NEAR)


def off_planes(c, low, high) -> np.ndarray:
    """The distance of every coordinate to the nearest plane."""
    return np.abs(c[:, None] - np.array([low, 0.0, high])).min(axis=1)


# ---- polytope × subspace ----------------------------------------------------------------------------------------------


def paranormal_trial(rng) -> Trial:
    """Theorem 5.2: the hull of the dominant coordinates shrinks, and late tokens are on its boundary or at 0."""
    n, k = int(rng.integers(4, 8)), 2
    rates = np.append(np.ones(k), float(rng.uniform(-0.6, 0.6)))
    T = rng.normal(size=(k + 1, k + 1)) + 2 * np.eye(k + 1)
    M, c = T.T @ T, rng.uniform(-2, 2, (n, k + 1)) + rng.choice([0.0, 1.0])
    u = diagonal_run(c, np.linspace(0, 16, 17), rates=rates, M=M)[..., :k]
    is_positive = bool(np.linalg.eigvalsh(M).min() > 0.02)
    return Trial(paranormal_ratio(u), 16.0, shown(rates=rates, M=M, c=c), is_positive)


def any_scores_paranormal_trial(rng) -> Trial:
    c, M = rng.uniform(-2, 2, (6, 3)), rng.normal(size=(3, 3))
    u = diagonal_run(c, np.linspace(0, 16, 17), rates=[1.0, 1.0, -0.5], M=M)[..., :2]
    return Trial(paranormal_ratio(u), 16.0, shown(M=M, c=c))


def paranormal_ratio(u) -> float:
    """Dominant coordinates at every time unit: above 1 if their hull grows, or a token rests inside it and not at 0."""
    if not np.isfinite(u).all():
        return np.nan
    directions = np.random.default_rng(0).normal(size=(64, u.shape[-1]))
    support, size = (u @ directions.T).max(axis=1), np.linalg.norm(u[0], axis=1).max()
    outward = float(np.max(np.diff(support, axis=0), initial=0.0)) / size
    moved = np.linalg.norm(u[-1] - u[-2], axis=1) / size
    return worst_ratio(outward / 1e-6, rest_ratio(off_boundary(u[-1]) / size, moved))


def off_boundary(u) -> np.ndarray:
    """The distance of every token to the boundary of the hull or to 0; flat hulls are their own boundary."""
    size = np.linalg.norm(u, axis=1)
    if u.shape[1] == 1:
        return np.minimum(np.minimum(u[:, 0] - u.min(), u.max() - u[:, 0]), size)
    try:
        planes = ConvexHull(u).equations
    except QhullError:
        return np.zeros(len(u))
    inside = -(u @ planes[:, :-1].T + planes[:, -1]).max(axis=1)
    return np.minimum(np.abs(inside), size)


def boundary_distance(u, of: int | slice = slice(None)) -> float:
    """The largest of these distances, or that of one token."""
    return float(np.max(off_boundary(u)[of]))


# ---- the codimension conjecture ---------------------------------------------------------------------------------------

SUBSPACES = 3
SQUARE = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])


def subspaces(c, *, tol: float) -> int:
    """How many parallel subspaces the coordinates of growing directions are in."""
    return int(connected_components(np.linalg.norm(c[:, None] - c[None], axis=-1) < tol)[0])


def square_trial() -> Trial:
    """Tokens (±1, ±1) under V = diag(1, 0.9): symmetry keeps four limits apart."""
    ts = np.array([6.0, 9.0])
    c = diagonal_run(SQUARE, ts, rates=[1.0, 0.9], M=np.eye(2))
    count = min(subspaces(y, tol=0.1) for y in c)
    words = f"V = diag(1, 0.9), B = I, tokens (±1, ±1): {count} limits, codimension 2"
    return Trial(count / (SUBSPACES + 0.5), 9.0, words)


def codimension_trial(rng, *, is_symmetric: bool = False) -> Trial:
    """Two growing directions, to a time at which both coordinates rest; symmetric starts leave a third place at 0."""
    rates = np.array([1.5, float(rng.uniform(0.3, 0.7)), float(rng.uniform(-0.5, -0.1))])
    return _count_trial(rng, np.diag(rates), growing=2, ts=np.array([30.0, 40.0]), is_symmetric=is_symmetric)


def turning_trial(rng) -> Trial:
    """A leading real eigenvalue and a complex pair of positive real part: three growing directions."""
    a, b = float(rng.uniform(0.3, 0.6)), float(rng.uniform(0.2, 1.0))
    V = np.array([[1.5, 0.0, 0.0], [0.0, a, -b], [0.0, b, a]])
    return _count_trial(rng, V, growing=3, ts=np.array([30.0, 40.0]))


def leading_turn_trial(rng) -> Trial:
    """The leading eigenvalues are a complex pair: no good triple."""
    b = float(rng.uniform(0.5, 2.0))
    return _count_trial(rng, np.array([[1.0, -b, 0.0], [b, 1.0, 0.0], [0, 0, -0.3]]), growing=2, ts=np.array([8.0, 10]))


def identity_trial(rng) -> Trial:
    """V = I: no good triple, and theorem 3.1 gives polytopes with any number of vertices."""
    return _count_trial(rng, np.eye(3), growing=3, ts=np.array([10.0, 12.0]), n=8, size=3.0)


def _count_trial(rng, V, *, growing: int, ts, n=None, size: float = 1.0, is_symmetric: bool = False) -> Trial:
    n = int(rng.integers(4, 8)) if n is None else n
    T = 0.3 * rng.normal(size=(3, 3)) + np.eye(3)
    B, x = T.T @ T, size * rng.uniform(-1, 1, (n, 3))
    x = mirrored(x[:3]) if is_symmetric else x
    y = spectral_run(x, ts, V=V, B=B)[..., :growing]
    at_rest = np.isfinite(y).all() and np.abs(y[1] - y[0]).max() < 1e-3 * size
    count = subspaces(y[1], tol=0.02 * size) if at_rest else 0
    return Trial(count / (SUBSPACES + 0.5) if at_rest else np.nan, ts[-1], shown(V=V, B=B, x=x))
