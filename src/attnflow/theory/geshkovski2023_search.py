"""The search for counterexamples to the theorems of arXiv 2305.05465: random and adversarial prompts, long horizons."""

from __future__ import annotations

import numpy as np

from .hardmax_certificate import leaders_error, rows
from .limit_set import hull_vertices, residual
from .search import Trial, diagonal_run, rescaled_run, shown


def line_trial(rng) -> Trial:
    """Theorem 1: rows that are not unit vectors at a late time, more than one of them a violation."""
    n = int(rng.integers(3, 8))
    x = np.sort(rng.uniform(-1, 1, (n, 1)) + rng.choice([0.0, 0.0, 2.0]), axis=0)
    if rng.random() < 0.4:
        x[n // 2] = -np.delete(x, n // 2).mean()  # near the unstable start whose middle token is pulled both ways alike
        x = np.sort(x, axis=0)
    horizons = np.array([3.0, 6.0, 9.0])
    others = [soft_rows(z, 1.0, 1.0, T) for T, z in zip(horizons, rescaled_run(x, horizons))]
    # Tokens a distance g apart need t of about log(1/g) to be told apart: the last horizon resolves 1e-3.
    resolved = np.diff(x[:, 0]).min() > 1e-3
    return Trial(min(others) / 1.5 if resolved else np.nan, horizons[-1], shown(x=x[:, 0]))


def soft_rows(z, b, v, t) -> int:
    """How many rows of P are not yet those of the lowest or highest token."""
    found = rows(z, np.array([[b]]), log_scale=2 * v * t)
    extreme = [int(z[:, 0].argmin()), int(z[:, 0].argmax())]
    return int((~(np.isin(found.leader, extreme) & (found.gap > np.log(100)))).sum())


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


def polytope_trial(rng) -> Trial:
    """Theorem 2: the distance to S, seen by its equation at the vertices of the hull of all tokens."""
    x, B = polytope_prompt(rng)
    ts = np.array([4.0, 6.0, 8.0])
    z = rescaled_run(x, ts, B=B)
    return Trial(polytope_ratio(z, ts, B), ts[-1], shown(x=x, B=B))


def polytope_ratio(z, ts, B) -> float:
    """The defect in the equation of S against what is left of the way to the vertices, e^{−(t−T)}, after leaders settled."""
    if not np.isfinite(z).all():
        return np.nan
    for k in range(len(ts) - 1):
        found = rows(z[k], B, log_scale=2 * ts[k])
        if np.isfinite(leaders_error(found, z[k], B, log_scale=2 * ts[k])):
            off = residual(z[-1], z[-1][hull_vertices(z[-1])], B).max()
            scale = max(np.einsum("id,de,ie->i", z[k], B, z[k]).max(), 1e-12)
            return float(off / (4 * scale * np.exp(ts[k] - ts[-1]) + 1e-8 * scale))
    return np.nan


def planes_trial(rng) -> Trial:
    """Theorem 3 in eigen-coordinates: extremes move inwards, and late coordinates are near a, 0 or b."""
    n, d = int(rng.integers(3, 7)), int(rng.integers(2, 4))
    rates = np.append(1.0, rng.uniform(-0.6, 0.6, d - 1))
    T = rng.normal(size=(d, d)) + 2 * np.eye(d)
    M, c = T.T @ T, rng.uniform(-1, 1, (n, d)) * rng.choice([0.5, 2.0]) + rng.choice([0.0, 1.0])
    ts = np.linspace(0, 20, 21)
    first = diagonal_run(c, ts, rates=rates, M=M)[..., 0]
    return Trial(planes_ratio(first), 20.0, shown(rates=rates, M=M, c=c), bool(M[0, 0] > 0))


def planes_ratio(c) -> float:
    """Coordinates c of every time: above 1 if an extreme moved outwards or a late coordinate stays off a, 0 and b."""
    if not np.isfinite(c).all():
        return np.nan
    size, low, high = np.abs(c[0]).max(), c.min(axis=1), c.max(axis=1)
    outward = max(float(np.max(np.diff(high), initial=0)), float(np.max(-np.diff(low), initial=0))) / size
    apart = [off_planes(c[k], low[-1], high[-1]) / size for k in (len(c) // 2, -1)]
    # A token near the unstable plane may take long to leave it: only one that makes no headway contradicts.
    stuck = apart[1] / 0.05 if apart[1] >= 0.5 * apart[0] else min(1.0, apart[1] / 0.05)
    return max(outward / 1e-6, stuck)


def off_planes(c, low, high) -> float:
    return float(np.abs(c[:, None] - np.array([low, 0.0, high])).min(axis=1).max())


def paranormal_trial(rng) -> Trial:
    """Theorem 4: the hull of the dominant coordinates shrinks, and late tokens are on its boundary or at 0."""
    n, k = int(rng.integers(4, 8)), int(rng.integers(2, 3))
    rates = np.append(np.ones(k), float(rng.uniform(-0.6, 0.6)))
    T = rng.normal(size=(k + 1, k + 1)) + 2 * np.eye(k + 1)
    M, c = T.T @ T, rng.uniform(-2, 2, (n, k + 1)) + rng.choice([0.0, 1.0])
    ts = np.linspace(0, 16, 9)
    u = diagonal_run(c, ts, rates=rates, M=M)[..., :k]
    return Trial(paranormal_ratio(u), 16.0, shown(rates=rates, M=M, c=c))


def paranormal_ratio(u) -> float:
    if not np.isfinite(u).all():
        return np.nan
    directions = np.random.default_rng(0).normal(size=(64, u.shape[-1]))
    support, size = (u @ directions.T).max(axis=1), np.linalg.norm(u[0], axis=1).max()
    outward = float(np.max(np.diff(support, axis=0), initial=0.0)) / size
    off = [boundary_distance(u[k]) / size for k in (len(u) // 2, -1)]
    stuck = off[1] / 0.05 if off[1] >= 0.5 * off[0] else min(1.0, off[1] / 0.05)
    return max(outward / 1e-6, stuck)


def boundary_distance(u) -> float:
    """How far the farthest token is from the boundary of the hull and from 0; flat hulls are their own boundary."""
    from scipy.spatial import ConvexHull, QhullError

    size = np.linalg.norm(u, axis=1)
    if u.shape[1] == 1:
        inside = np.minimum(u[:, 0] - u.min(), u.max() - u[:, 0])
        return float(np.minimum(inside, size).max())
    try:
        planes = ConvexHull(u).equations
    except QhullError:
        return 0.0
    inside = -(u @ planes[:, :-1].T + planes[:, -1]).max(axis=1)
    return float(np.minimum(np.abs(inside), size).max())


# ---- the codimension conjecture --------------------------------------------------------------------------------------

SQUARE = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])


def subspaces(c, *, tol: float) -> int:
    """How many parallel subspaces the coordinates of growing directions are in."""
    from scipy.sparse.csgraph import connected_components

    return int(connected_components(np.linalg.norm(c[:, None] - c[None], axis=-1) < tol)[0])


def square_trial() -> Trial:
    """Tokens (±1, ±1) under V = diag(1, 0.9): symmetry keeps four limits apart."""
    ts = np.array([6.0, 9.0])
    c = diagonal_run(SQUARE, ts, rates=[1.0, 0.9], M=np.eye(2))
    count = min(subspaces(y, tol=0.1) for y in c)
    return Trial(count / 3, 9.0, f"V = diag(1, 0.9), B = I, tokens (±1, ±1): {count} limits, codimension 2")


def codimension_trial(rng) -> Trial:
    """A random start with two growing directions, to a time at which both coordinates rest."""
    n, d = int(rng.integers(4, 8)), 3
    rates = np.array([1.5, float(rng.uniform(0.3, 0.7)), float(rng.uniform(-0.5, -0.1))])
    T = 0.3 * rng.normal(size=(d, d)) + np.eye(d)
    M, c, ts = T.T @ T, rng.uniform(-1, 1, (n, d)), np.array([30.0, 40.0])
    y = diagonal_run(c, ts, rates=rates, M=M)[..., :2]
    size = np.abs(c).max()
    at_rest = np.isfinite(y).all() and np.abs(y[1] - y[0]).max() < 1e-3 * size
    count = subspaces(y[1], tol=0.02 * size) if at_rest else 0
    return Trial(count / 3 if at_rest else np.nan, 40.0, shown(rates=rates, M=M, c=c))


def extrema_trial(rng) -> Trial:
    """Lemma 9.1 in eigen-coordinates, for any score matrix."""
    from .conditions import rise

    n, d = int(rng.integers(2, 7)), int(rng.integers(2, 4))
    rates = rng.uniform(0, 1.5, d) * rng.choice([0.0, 1.0], size=d, p=[0.2, 0.8])
    M, c = rng.normal(size=(d, d)), rng.normal(size=(n, d)) * 2 + rng.choice([0.0, 2.0])
    y = diagonal_run(c, np.linspace(0, 4, 17), rates=rates, M=M)
    out = max(rise(y.max(axis=1)), rise(-y.min(axis=1))) if np.isfinite(y).all() else np.nan
    return Trial(out / 1e-7, 4.0, shown(rates=rates, M=M, c=c))
