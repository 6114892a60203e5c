"""Random first prompts."""

from __future__ import annotations

from typing import Any

import numpy as np
from jax.typing import ArrayLike
from scipy.special import ndtri

from ....errors import BadInput, quoted
from ...linalg.arguments import as_annotated, inside, shaped
from ...linalg.matrices import is_number
from ...linalg.rows import unit_rows
from ..gaussian import Gaussian
from ..particles import Particles
from .sampling import count, generator, standard_normal, unit_cube


@as_annotated
def uniform_sphere(n: int, d: int, *, seed: int = 0, sampling: str = "iid") -> Particles:
    r"""Tokens uniform on the sphere $S^{d-1}$.

    >>> import attnflow as af
    >>> af.uniform_sphere(100, 3, seed=0)
    Particles(tokens = 100, d = 3, masses = equal)
    """
    return Particles(unit_rows(standard_normal(n, d, seed=seed, sampling=sampling)))


@as_annotated
def uniform_ball(
    n: int, d: int, *, radius: float = 1.0, centre: ArrayLike = 0.0, seed: int = 0, sampling: str = "iid"
) -> Particles:
    r"""Tokens uniform in a ball: a uniform direction at the distance $r\,U^{1/d}$."""
    if not (np.isfinite(radius) and radius > 0):
        raise BadInput(f"radius must be a positive number, got {quoted(radius)}")
    u = unit_cube(n, count(d, "d") + 1, seed=seed, sampling=sampling)
    return Particles(_by_coordinate(centre, "centre", d) + radius * u[:, -1:] ** (1 / d) * unit_rows(ndtri(u[:, :-1])))


@as_annotated
def uniform_cube(
    n: int, d: int, *, low: ArrayLike = -1.0, high: ArrayLike = 1.0, seed: int = 0, sampling: str = "iid"
) -> Particles:
    """Tokens uniform in a box; `low` and `high` are numbers or one number per coordinate."""
    low, high = _by_coordinate(low, "low", d), _by_coordinate(high, "high", d)
    if not np.all(low < high):
        raise BadInput(f"low must be below high, got low={low.tolist()} and high={high.tolist()}")
    return Particles(low + (high - low) * unit_cube(n, d, seed=seed, sampling=sampling))


@as_annotated
def gaussian_tokens(
    n: int,
    d: int,
    *,
    mean: ArrayLike | None = None,
    cov: ArrayLike | None = None,
    seed: int = 0,
    sampling: str = "iid",
    antithetic: bool = False,
    matched: bool = False,
) -> Particles:
    r"""Tokens from $N(\text{mean}, \text{cov})$.

    `antithetic` takes every draw with its mirror image (n even), so that odd central moments are exact; `matched` then
    makes mean and covariance of the sample exact (needs n > d). `sampling="sobol"` with both is the sample to compare
    with a Gaussian closure.

    >>> import attnflow as af
    >>> import numpy as np
    >>> mu = af.gaussian_tokens(100, 2, cov=[[2.0, 0.5], [0.5, 1.0]], seed=0, antithetic=True, matched=True)
    >>> np.cov(mu.x.T, bias=True).round(6).tolist()
    [[2.0, 0.5], [0.5, 1.0]]
    """
    mean = np.zeros(count(d, "d")) if mean is None else shaped(mean, "mean", "d", d=d)
    law = Gaussian(mean, np.eye(d) if cov is None else shaped(cov, "cov", "d d", d=d))
    if antithetic and count(n, "n") % 2:
        raise BadInput(f"antithetic tokens come in pairs: n must be even, got {n}")
    g = standard_normal(n // 2 if antithetic else n, d, seed=seed, sampling=sampling)
    g = np.concatenate([g, -g]) if antithetic else g
    return Particles(np.asarray(law.mean) + (whitened(g) if matched else g) @ _root(np.asarray(law.cov)))


@as_annotated
def mixture(
    n: int,
    *,
    weights: ArrayLike,
    means: ArrayLike,
    covs: Any,
    seed: int = 0,
    stratified: bool = False,
) -> Particles:
    r"""Tokens from $\sum_q w_q N(c_q, S_q)$; `stratified` fixes the number from each part to $n w_q$, rounded.

    Each of `covs` is a matrix or a number times the identity.

    >>> import attnflow as af
    >>> mu = af.mixture(100, weights=[0.7, 0.3], means=[[-9.0], [9.0]], covs=[1.0, 1.0], seed=0, stratified=True)
    >>> int((mu.x < 0).sum())
    70
    """
    weights, means = np.asarray(weights, float), np.asarray(means, float)
    means = means[:, None] if means.ndim == 1 else means
    parts: list[Any] = list(covs) if np.iterable(covs) else []
    if weights.ndim != 1 or means.ndim != 2 or len(weights) != len(means) or len(parts) != len(means):
        raise BadInput(
            f"a mixture needs as many weights as means and covs, got {weights.size}, {len(means)} and {len(parts)}"
        )
    if np.any(weights < 0) or not np.isclose(weights.sum(), 1.0):
        raise BadInput(f"weights must be non-negative and sum to 1, got {weights.tolist()}")
    d = means.shape[1]
    roots = [_root(np.asarray(Gaussian(c, _covariance(S, d)).cov)) for c, S in zip(means, parts)]
    labels = _labels(count(n, "n"), weights, seed, stratified)
    g = standard_normal(n, d, seed=seed)
    return Particles(means[labels] + np.einsum("ni,nij->nj", g, np.stack(roots)[labels]))


@as_annotated
def caps(
    n: int, d: int, *, centres: ArrayLike, eps: float | None = None, angle: float | None = None, seed: int = 0
) -> Particles:
    r"""Tokens uniform in the caps $\{x \in S^{d-1} : \langle x, w_q\rangle \ge 1 - \varepsilon\}$.

    `centres` are the $w_q$, or how many to draw; caps take turns, so their counts differ by at most one.
    Source: Geshkovski et al. 2024 (arXiv 2410.06833).
    """
    height = _height(eps, angle)
    if count(d, "d") < 2:
        raise BadInput(f"caps need d of at least 2, got {d}")
    w = _centres(centres, d, seed)
    rng = generator(seed, "caps")
    labels = np.arange(count(n, "n")) * len(w) // n
    cos = 1 - 2 * _half_heights(rng, n, d, height / 2)
    normal = rng.standard_normal((n, d))
    side = unit_rows(normal - np.sum(normal * w[labels], axis=1, keepdims=True) * w[labels])
    return Particles(unit_rows(cos[:, None] * w[labels] + np.sqrt((1 - cos) * (1 + cos))[:, None] * side))


def _covariance(S, d: int) -> np.ndarray:
    return np.eye(d) * inside(S, "each of covs", above=0) if is_number(S) else shaped(S, "each of covs", "d d", d=d)


def _by_coordinate(value, name: str, d: int) -> np.ndarray:
    """A number for all coordinates, or one for each."""
    return np.asarray(value, float) if np.ndim(value) == 0 else shaped(value, name, "d", d=d)


def whitened(g: np.ndarray) -> np.ndarray:
    """The sample made to have exactly mean 0 and covariance I, by the smallest linear change."""
    n, d = g.shape
    if n <= d:
        raise BadInput(f"matching the covariance needs more tokens than dimensions, got n = {n}, d = {d}")
    g = g - g.mean(axis=0)
    values, vectors = np.linalg.eigh(g.T @ g / n)
    return g @ (vectors / np.sqrt(values)) @ vectors.T


def _root(cov):
    values, vectors = np.linalg.eigh(cov)
    return (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T


def _labels(n, weights, seed, stratified):
    if not stratified:
        return generator(seed, "parts").choice(len(weights), size=n, p=weights / weights.sum())
    edges = np.rint(n * np.cumsum(weights)).astype(int)
    return np.repeat(np.arange(len(weights)), np.diff(edges, prepend=0))


def _height(eps, angle):
    if (eps is None) == (angle is None):
        raise BadInput("give the size of the caps either as eps (⟨x,w⟩ ≥ 1 − eps) or as an angle")
    height = eps if eps is not None else 2 * np.sin(angle / 2) ** 2
    if not 0 < height <= 1:
        raise BadInput(f"a cap is at most a half sphere: eps in (0, 1], got {height:.6g}")
    return float(height)


def _centres(centres, d, seed):
    if isinstance(centres, int | np.integer):
        return unit_rows(generator(seed, "centres").standard_normal((count(centres, "centres"), d)))
    w = np.atleast_2d(np.asarray(centres, float))
    if w.shape[1] != d or not np.all(np.linalg.norm(w, axis=1) > 0):
        raise BadInput(f"centres must be non-zero vectors of dimension {d}, got shape {w.shape}")
    return unit_rows(w)


def _half_heights(rng, n, d, top):
    r"""Draws of $s = (1 - \cos\theta)/2 \in [0, \text{top}]$ with density $\propto (s(1-s))^{(d-3)/2}$."""
    if d == 2:
        return np.sin(rng.random(n) * np.arcsin(np.sqrt(top))) ** 2
    # With s = top·e^{−w} the log-density is concave in w, so its tangent at 0 is an exact envelope in any dimension.
    a, accepted = (d - 1) / 2, np.empty(0)
    slope = a - (a - 1) * top / (1 - top)
    while len(accepted) < n:
        w, u = rng.exponential(1 / slope, n), rng.random(n)
        log_ratio = (slope - a) * w + (a - 1) * (np.log1p(-top * np.exp(-w)) - np.log1p(-top))
        accepted = np.concatenate([accepted, top * np.exp(-w[np.log(u) < log_ratio])])
    return accepted[:n]
