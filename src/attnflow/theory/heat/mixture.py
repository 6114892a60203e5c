"""Gaussian mixtures and their heat flow: density, score and, on the line, the exact motion of every point."""

from __future__ import annotations

import equinox as eqx
import numpy as np
from jax.typing import ArrayLike
from scipy.integrate import quad
from scipy.special import log_ndtr, logsumexp

from ...engine.linalg.arguments import as_annotated, shaped
from ...errors import BadInput


class GaussianMixture(eqx.Module):
    r"""$$\rho = \sum_i p_i\,N(c_i, S_i)$$"""

    weights: np.ndarray
    means: np.ndarray
    covs: np.ndarray

    @as_annotated
    def __init__(self, weights: ArrayLike, means: ArrayLike, covs: ArrayLike):
        means = shaped(np.atleast_2d(np.asarray(means, float).T).T, "means", "k d")
        k, d = means.shape
        covs, weights = np.asarray(covs, float), shaped(weights, "weights", "k", k=k)
        covs = covs[..., None, None] * np.eye(d) if covs.ndim < 2 else covs
        if covs.shape not in ((1, d, d), (d, d), (k, d, d)):
            raise BadInput(f"covs must be numbers or matrices, one or {k}, of dimension {d}, got shape {covs.shape}")
        if np.any(weights < 0) or not 0 < weights.sum() < np.inf:
            raise BadInput("weights must not be negative, and their sum must be positive and finite")
        self.weights = weights / weights.sum()
        self.means, self.covs = means, np.broadcast_to(covs, (k, d, d))

    @property
    def d(self) -> int:
        return self.means.shape[1]

    def heat(self, t: float) -> GaussianMixture:
        r"""The solution of $\partial_t\rho = \tfrac12\Delta\rho$ at time t."""
        return GaussianMixture(self.weights, self.means, self.covs + t * np.eye(self.d))

    def mean(self) -> np.ndarray:
        return self.weights @ self.means

    def cov(self) -> np.ndarray:
        centred = self.means - self.mean()
        return np.einsum("k,kij->ij", self.weights, self.covs) + (self.weights * centred.T) @ centred

    def log_density(self, x) -> np.ndarray:
        return np.asarray(logsumexp(self._log_parts(_points(x, self.d)), axis=0))

    def density(self, x) -> np.ndarray:
        return np.exp(self.log_density(x))

    def score(self, x) -> np.ndarray:
        r"""$\nabla\log\rho$, the posterior mean of $-S_i^{-1}(x-c_i)$."""
        x = _points(x, self.d)
        parts = self._log_parts(x)
        posterior = np.exp(parts - logsumexp(parts, axis=0))
        pulls = [-np.linalg.solve(S, (x - c).T).T for c, S in zip(self.means, self.covs)]
        return np.einsum("kn,knd->nd", posterior, np.array(pulls))

    def sample(self, n: int, *, seed: int = 0, stratified: bool = False) -> np.ndarray:
        """n points; stratified takes the expected number from each part."""
        rng = np.random.default_rng(seed)
        if stratified:
            edges = np.round(np.cumsum(self.weights) * n)
            labels = np.searchsorted(edges, np.arange(n), side="right")
        else:
            labels = rng.choice(len(self.weights), n, p=self.weights)
        roots = np.linalg.cholesky(self.covs)
        return self.means[labels] + np.einsum("nij,nj->ni", roots[labels], rng.standard_normal((n, self.d)))

    def log_cdf(self, x) -> np.ndarray:
        return self._log_tail(x, 1)

    def log_survival(self, x) -> np.ndarray:
        return self._log_tail(x, -1)

    def characteristic(self, x, t: float) -> np.ndarray:
        r"""Where the heat flow has carried points of the line: $\Phi_t = F_t^{-1}\circ F_0$.

        Newton on the log-cdf below the median and on the log-survival above it, so that tails do not cancel.
        """
        later, x = self.heat(t), np.asarray(x, float)
        sign = np.where(self.log_cdf(x) < np.log(0.5), 1, -1)
        goal = np.where(sign > 0, self.log_cdf(x), self.log_survival(x))
        y = self.mean()[0] + np.sqrt(1 + t / self.cov()[0, 0]) * (x - self.mean()[0])
        for _ in range(200):
            log_tail = np.where(sign > 0, later.log_cdf(y), later.log_survival(y))
            move = sign * (goal - log_tail) * np.exp(log_tail - later.log_density(y[:, None]))
            y = y + np.clip(move, -0.5, 0.5)
            if np.max(np.abs(move)) < 1e-14 * (1 + np.max(np.abs(y))):
                break
        return y

    def negative_entropy(self) -> float:
        r"""$H = \int\rho\log\rho$ on the line."""
        return self._integral(lambda x: self.log_density(x)[0])

    def fisher_information(self) -> float:
        r"""$I = \int\rho|\nabla\log\rho|^2$ on the line."""
        return self._integral(lambda x: self.score(x)[0, 0] ** 2)

    def quantiles(self, q) -> np.ndarray:
        """Points of the line below which lies mass q."""
        q = np.asarray(q, float)
        low, high = np.full(q.shape, self.means.min() - 40.0), np.full(q.shape, self.means.max() + 40.0)
        spread = np.sqrt(self.covs.max())
        low, high = low - 40 * spread, high + 40 * spread
        for _ in range(100):
            middle = (low + high) / 2
            is_below = np.exp(self.log_cdf(middle)) < q
            low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
        return (low + high) / 2

    def _integral(self, f):
        if self.d != 1:
            raise BadInput(f"integrals are computed on the line only, got dimension {self.d}")
        spread = 12 * np.sqrt(self.covs.max())
        ends = self.means.min() - spread, self.means.max() + spread
        total, _ = quad(lambda x: np.exp(self.log_density([[x]])[0]) * f([[x]]), *ends, epsabs=1e-13, limit=500)
        return total

    def _log_parts(self, x):
        logs = []
        for p, c, S in zip(self.weights, self.means, self.covs):
            L = np.linalg.cholesky(S)
            z = np.linalg.solve(L, (x - c).T)
            logs.append(np.log(p) - 0.5 * np.sum(z**2, axis=0) - np.log(np.diag(L)).sum())
        return np.array(logs) - 0.5 * self.d * np.log(2 * np.pi)

    def _log_tail(self, x, sign):
        if self.d != 1:
            raise BadInput(f"distribution functions exist on the line only, got dimension {self.d}")
        z = (np.asarray(x, float) - self.means) / np.sqrt(self.covs[:, :, 0])
        return np.asarray(logsumexp(np.log(self.weights)[:, None] + log_ndtr(sign * z), axis=0))


def _points(x, d):
    x = np.asarray(x, float)
    return x[:, None] if x.ndim == 1 and d == 1 else np.atleast_2d(x)


PAPER_MIXTURE = GaussianMixture(np.array([0.5, 0.5]), np.array([[-2.0], [2.0]]), 1.0)
"""The mixture of the posters, ½N(−2, 1) + ½N(2, 1)."""
