r"""Entropic optimal transport of a measure to itself, with certificates of the solution.

$$\min_{\pi \in \Gamma(\mu, \mu)} \int \tfrac12|x-y|^2\,d\pi + \varepsilon\,\mathrm{KL}(\pi\,|\,\mu\otimes\mu)$$
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from jax.typing import ArrayLike
from scipy.spatial.distance import cdist

from ...engine.linalg.arguments import as_annotated, shaped
from ...engine.measures import Particles
from ...errors import BadInput, Notice, quoted
from .conditional_moments import Moments, conditional_moments
from .gaussian_kernel import Backend, Pairs, gaussian, gaussian_pairs

TOL = 1e-9
MOST = 1e150
"""Squares of larger numbers overflow."""
MAX_ITERATIONS = 200


@dataclass(frozen=True)
class Certificates:
    """What proves a solution: the linearised error of log v is at most `error` in norm, whatever ε."""

    iterations: int
    error: float
    """L1 error of the marginal of the scaled plan."""
    column_error: float
    """L1 error of the columns once rows are normalised exactly."""
    gap: float
    """Primal minus dual value."""
    mean_drift: float
    r"""$|\sum_i m_i (\mathrm{bary}_i - x_i)|$, zero for an exact solution."""
    moment_residual: float
    r"""$E|T|^2 - E|X|^2 - E_\pi|X-Y|^2 - E|X-\mathrm{bary}|^2$, zero for an exact solution."""


@dataclass(frozen=True)
class SelfTransport:
    r"""The plan $\pi_{ij} = m_i m_j v_i v_j e^{-|x_i-x_j|^2/(2\varepsilon)}$ of a point cloud to itself.

    Points are those of positive mass; `x` are the tokens, `root` maps them to where distances are taken.
    """

    x: np.ndarray
    mass: np.ndarray
    eps: float
    v: np.ndarray
    a: np.ndarray
    r"""The row sums $v_i\sum_j K_{ij}m_jv_j$, all 1 at the solution."""
    iterations: int
    pairs: Pairs
    root: np.ndarray | float = 1.0

    @cached_property
    def moments(self) -> Moments:
        """What each token expects of its partner; one more product with the kernel."""
        centre = self.mass @ self.x
        seen = _times(self.root, self.x - centre) / np.sqrt(self.eps)
        return conditional_moments(self.pairs, self.mass * self.v, self.x - centre, centre, seen)

    @cached_property
    def certificates(self) -> Certificates:
        return _certify(self)

    @property
    def bary(self) -> np.ndarray:
        r"""The barycentric projection $E_\pi[Y\,|\,X = x_i]$."""
        return self.moments.mean

    @property
    def f(self) -> np.ndarray:
        r"""The potential $\varepsilon\log v$; its gradient is $x - \mathrm{bary}$."""
        return self.eps * np.log(self.v)

    @property
    def value(self) -> float:
        r"""$$\mathrm{OT}_\varepsilon(\mu, \mu) = 2\int f\,d\mu$$"""
        return 2 * float(self.mass @ self.f)

    @cached_property
    def fold_margin(self) -> float:
        r"""The least eigenvalue of $2I - \mathrm{Cov}(Y|x)/\varepsilon$; the step 2x − bary is injective where it is positive.

        Beyond 16 dimensions the trace bounds the eigenvalue: the result is then a lower bound.
        """
        return self.moments.fold_margin(self.eps)

    def at(self, points) -> np.ndarray:
        """The barycentric projection at any points, by the same formula as at the tokens."""
        points = np.atleast_2d(np.asarray(points, float))
        squares = cdist(_times(self.root, points), _times(self.root, self.x), "sqeuclidean")
        log = np.log(self.mass * self.v) - squares / (2 * self.eps)
        weights = np.exp(log - log.max(axis=1, keepdims=True))
        return (weights @ self.x) / weights.sum(axis=1, keepdims=True)

    def matrix(self) -> np.ndarray:
        """The attention matrix P, rows normalised exactly: O(n²) memory."""
        y = _times(self.root, self.x)
        P = gaussian(y, y, self.eps) * (self.mass * self.v)
        return P / P.sum(axis=1, keepdims=True)


@as_annotated
def self_transport(
    mu,
    eps: float,
    *,
    mass: ArrayLike | None = None,
    B: Any = 1.0,
    tol: float = TOL,
    omega: float = 2 / 3,
    backend: Backend = "auto",
    start: ArrayLike | None = None,
) -> SelfTransport:
    r"""Solve the entropic transport of `mu` (Particles, or an array of points with their `mass`) to itself.

    Iterates $v \leftarrow v\,a^{-\omega}$ with $a = v\,K(mv)$ until $\sum m|a-1| <$ `tol`: about ten products for any ε.
    Distances are |B^{1/2}(x − y)|. Tokens of mass 0 are left out; ask for them with `.at`.
    Source: Knight, Ruiz, Uçar 2014; Feydy et al. 2019 (arXiv 1810.08278), eq. (25), where ω = 1/2.

    >>> import attnflow as af
    >>> import numpy as np
    >>> plan = af.self_transport(np.linspace(-1, 1, 50)[:, None], 0.1)
    >>> plan.certificates.error < 1e-9, bool(np.ptp(plan.matrix().sum(axis=0)) < 1e-8)
    (True, True)
    """
    x, mass = as_cloud(mu, mass)
    x, mass = x[mass > 0], mass[mass > 0]
    _check(eps, tol, omega)
    root = _root(B, x.shape[1])
    pairs = gaussian_pairs(_times(root, x - mass @ x), eps, backend)
    v = pairs.times(mass) ** -0.5 if start is None else _checked_start(start, len(x))
    v, a, iterations = _scale(pairs, mass, v, tol, omega)
    return SelfTransport(x, mass, float(eps), v, a, iterations, pairs, root)


def _checked_start(start, n: int) -> np.ndarray:
    v = shaped(start, "start", "n", n=n)
    if not np.all(v > 0):
        raise BadInput("start must be positive scalings v, one for each token with mass")
    return v


def _scale(pairs: Pairs, mass, v, tol, omega):
    for k in range(1, MAX_ITERATIONS + 1):
        a = v * pairs.times(mass * v)
        if mass @ np.abs(a - 1) < tol:
            return v, a, k
        v = v * a**-omega
    words = f"self-transport stopped after {k} iterations at marginal error {mass @ np.abs(a - 1):.1e}"
    warnings.warn(words, Notice, stacklevel=4)
    return v, v * pairs.times(mass * v), k


def _certify(s: SelfTransport) -> Certificates:
    columns = s.v * s.pairs.times(s.mass * s.v / s.a)
    spread = np.sum((s.x - s.moments.centre) ** 2, axis=1)
    return Certificates(
        iterations=s.iterations,
        error=float(s.mass @ np.abs(s.a - 1)),
        column_error=float(s.mass @ np.abs(columns - 1)),
        gap=float(2 * s.eps * (s.mass * (s.a - 1)) @ np.log(s.v)),
        mean_drift=float(np.linalg.norm(s.mass @ (s.bary - s.x))),
        moment_residual=float(s.mass @ (spread - s.moments.square)),
    )


def as_cloud(mu, mass=None) -> tuple[np.ndarray, np.ndarray]:
    """Points and masses in double precision, whatever the precision of the engine."""
    x, mass = (mu.x, mu.mass) if isinstance(mu, Particles) else (mu, mass)
    x = _in_double(x, "mu")
    if x.ndim != 2 or 0 in x.shape or not np.all(np.isfinite(x)):
        raise BadInput(f"self-transport takes one finite cloud of shape (n, d), got shape {x.shape}")
    if np.ptp(x, axis=0).max() > MOST:
        raise BadInput(
            f"tokens are up to {np.ptp(x, axis=0).max():.2g} apart, whose square is no number; scale them down"
        )
    mass = np.full(len(x), 1 / len(x)) if mass is None else shaped(mass, "mass", "n", n=len(x))
    if np.any(mass < 0) or not 0 < mass.sum() < np.inf:
        raise BadInput("mass must not be negative, and its sum must be positive and finite")
    return x, mass / mass.sum()


def _check(eps, tol, omega):
    if not 1 / MOST < eps < MOST:
        raise BadInput(f"eps must be a positive number between {1 / MOST:g} and {MOST:g}, got {quoted(eps)}")
    if not 0 < tol < 1:
        raise BadInput(f"tol must lie between 0 and 1, got {quoted(tol)}")
    if not 0 < omega < 1:
        raise BadInput(f"omega must lie between 0 and 1 (2/3 is optimal), got {quoted(omega)}")


def _root(B, d: int):
    B = _in_double(B, "B")
    if B.ndim == 0:
        B = B.reshape(1, 1)
    B = shaped(B, "B", "d d", d=1 if B.size == 1 else d)
    values, vectors = np.linalg.eigh((B + B.T) / 2)
    slack = 1e-12 * max(np.abs(B).max(), np.finfo(float).tiny)
    if np.abs(B - B.T).max() > slack or values.min() < -slack:
        raise BadInput(
            "self-transport needs a symmetric positive semidefinite B; Sinkhorn(B, eps) alternates for any B"
        )
    root = (vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T
    return float(root[0, 0]) if B.size == 1 else root


def _times(root, x):
    return root * x if np.ndim(root) == 0 else x @ root


def _in_double(values, name: str) -> np.ndarray:
    try:
        return np.asarray(values, float)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"{name} must be an array of real numbers, got {quoted(values)}") from None
