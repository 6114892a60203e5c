"""Linear stability of steady states: closed spectra of clusters, and the Jacobian at any state."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import numpy as np
from jax.typing import ArrayLike
from scipy.linalg import null_space
from scipy.optimize import root_scalar

from ....engine.flow import AnyFlow, check_fits, choose
from ....engine.linalg.arguments import as_annotated, inside
from ....engine.measures import Particles
from ....errors import BadInput
from .gradient_structure import check_normalisation, is_symmetric, square_matrix


@dataclass(frozen=True)
class Stability:
    """The rates at which small displacements of tokens grow (negative: return)."""

    rates: np.ndarray
    """Complex eigenvalues of the linearised flow, largest real part first."""
    tol: float

    @property
    def growth(self) -> float:
        return float(np.real(self.rates).max())

    @property
    def is_stable(self) -> bool:
        """Whether every displacement decays; neutral directions, such as rotations of B = I, count as not decaying."""
        return self.growth < -self.tol

    @property
    def unstable(self) -> int:
        return int(np.sum(np.real(self.rates) > self.tol))


@as_annotated
def stability(flow: AnyFlow, mu: Particles, *, tol: float = 1e-9) -> Stability:
    """Linearise the flow at any state of tokens on the sphere: n(d−1) rates of the tangential Jacobian."""
    check_fits(flow, mu)
    if mu.x.ndim != 2:
        raise BadInput(f"stability takes one prompt of shape (n, d), got {mu.x.shape}")
    if mu.d < 2:
        raise BadInput("tokens on the two points of S⁰ cannot be displaced: stability needs d of at least 2")
    x, summation = flow.space.retract(mu.x), choose("exact", flow, mu)
    J = np.asarray(jax.jacfwd(lambda y: flow.field(mu.moved_to(y), 0.0, summation))(x))
    if not np.all(np.isfinite(J)):
        raise BadInput(
            "the derivative of the flow leaves the range of numbers: beta, V or B is too large; scale it down"
        )
    frames = np.stack([null_space(row[None, :]) for row in np.asarray(x, dtype=float)])
    reduced = np.einsum("iab,iajc,jcd->ibjd", frames, J, frames).reshape(mu.n * (mu.d - 1), -1)
    rates = np.linalg.eigvals(reduced)
    return Stability(rates[np.argsort(-np.real(rates))], tol)


@dataclass(frozen=True)
class ClusterRates:
    """Closed-form rates of a state of one cluster or of two antipodal ones."""

    within: np.ndarray
    """Spreading inside a cluster: one rate per cluster; (size − 1)(d − 1) of each."""
    mean: np.ndarray
    """Motion of the clusters: one row of rates for each other eigenvalue of B."""

    @property
    def is_stable(self) -> bool:
        return bool(np.all(self.within < 0) and np.all(self.mean < 0))

    def spectrum(self, sizes) -> np.ndarray:
        """All rates with multiplicity for clusters of these numbers of tokens, sorted."""
        d1 = len(self.mean)
        inside = [np.full((size - 1) * d1, rate) for size, rate in zip(sizes, self.within)]
        return np.sort(np.concatenate([*inside, self.mean.ravel()]))


@as_annotated
def cluster_rates(
    B: ArrayLike, axis: int = -1, *, p: float = 1.0, normalisation: str = "USA", sign: int = 1
) -> ClusterRates:
    r"""Rates at $p\,\delta_z + (1-p)\,\delta_{-z}$, z the eigenvector of B number `axis` (ascending), $V = \text{sign}\cdot B$.

    One cluster: within $-\lambda e^\lambda$, mean $(\nu-\lambda)e^\lambda$ for each other eigenvalue ν.
    Source: derived; stationarity of such states is lem:statcomb of Burger et al. 2025 (arXiv 2501.03096).
    """
    B = square_matrix(B)
    if not is_symmetric(B):
        raise BadInput("closed rates are for symmetric B; use stability(flow, mu) for others")
    if not 0 < p <= 1:
        raise BadInput(f"p is the mass at +z and lies in (0, 1], got {p}")
    inside(axis, "axis", least=-len(B), most=len(B) - 1)
    if sign not in (1, -1):
        raise BadInput(f"sign must be 1 (ascent) or -1 (descent), got {sign}")
    values = np.linalg.eigvalsh(B)
    lam, others = values[axis], np.delete(values, axis)
    is_softmax = check_normalisation(normalisation) == "SA"
    if p == 1:
        scale = 1.0 if is_softmax else np.exp(lam)
        return ClusterRates(sign * np.array([-lam * scale]), sign * (others[:, None] - lam) * scale)
    within, mean = pair_rates(lam, others, p, is_softmax=is_softmax)
    return ClusterRates(sign * within, sign * mean)


def pair_rates(lam: float, nu, p: float, *, is_softmax: bool = False):
    r"""Ascent rates of $p\,\delta_z + q\,\delta_{-z}$: within each cluster, and of the two means for every ν."""
    q, up, down = 1 - p, np.exp(lam), np.exp(-lam)
    K = np.array([p * up + q * down, q * up + p * down]) if is_softmax else np.ones(2)
    within = np.array([-lam * (p * up - q * down), -lam * (q * up - p * down)]) / K
    mean = []
    for other in np.atleast_1d(nu):
        rows = [
            [p * up * (other - lam) + q * down * lam, -q * down * other],
            [-p * down * other, q * up * (other - lam) + p * down * lam],
        ]
        mean.append(np.sort(np.linalg.eigvals(np.array(rows) / K[:, None]).real))
    return within, np.array(mean)


def pair_is_stable(lam: float, nu, p: float = 0.5) -> bool:
    r"""The criterion for a pair under ascent, without eigenvalues.

    $$\nu<\lambda\ (\lambda>0)\ \text{or}\ \nu>\lambda\ (\lambda<0),\quad |\ln(p/q)|<2|\lambda|,\quad
      \tfrac pq+\tfrac qp < \frac{e^{2\lambda}(\lambda-\nu)+e^{-2\lambda}(\lambda+\nu)}{\lambda}$$
    """
    q, nu = 1 - p, np.atleast_1d(np.asarray(nu, dtype=float))
    if lam == 0 or not 0 < p < 1:
        return False
    ordered = np.all(nu < lam) if lam > 0 else np.all(nu > lam)
    bound = (np.exp(2 * lam) * (lam - nu) + np.exp(-2 * lam) * (lam + nu)) / lam
    return bool(ordered and abs(np.log(p / q)) < 2 * abs(lam) and np.all(p / q + q / p < bound))


def smallest_stable_minority(lam: float, nu) -> float | None:
    """The least share of the smaller cluster of a stable pair, or None when even equal halves are unstable."""
    nu = np.atleast_1d(np.asarray(nu, dtype=float))
    if not pair_is_stable(lam, nu):
        return None
    bound = np.min((np.exp(2 * lam) * (lam - nu) + np.exp(-2 * lam) * (lam + nu)) / lam)
    ratio = min((bound + np.sqrt(bound**2 - 4)) / 2, np.exp(2 * abs(lam)))
    return float(1 / (1 + ratio))


def equal_pair_threshold(nu: float) -> float:
    r"""λ₂⋆: the equal pair on the axis of $\lambda > 0$ is stable beyond the root of $\lambda\tanh\lambda = \nu > 0$."""
    if nu <= 0:
        raise BadInput(f"for ν ≤ 0 every λ > 0 makes the equal pair stable, got ν = {nu:g}")
    return root_scalar(lambda lam: lam * np.tanh(lam) - nu, bracket=(0, nu + 1 + 1 / nu), xtol=1e-15).root
