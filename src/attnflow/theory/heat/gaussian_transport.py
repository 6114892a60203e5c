r"""Self-transport, heat steps and Ornstein–Uhlenbeck steps of Gaussians in closed form.

Throughout $u = \varepsilon/(2\lambda)$ and $r(u) = \sqrt{1+u^2} - u$.
Source: Janati et al. 2020 (arXiv 2006.02572) for Gaussian entropic transport; the recursions are derived from it.
"""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike

from ...engine.linalg.arguments import as_annotated, in_range, inside, shaped
from ...errors import BadInput, quoted


def correlation(u):
    r"""$$r(u) = \sqrt{1+u^2} - u = e^{-\operatorname{asinh} u}$$ the correlation of the two ends of the plan."""
    return 1 / (np.sqrt(1 + np.square(u)) + u)


def _covariance(cov) -> np.ndarray:
    """A covariance of full rank; a number is one on the line."""
    S = shaped(np.atleast_2d(np.asarray(cov, float)), "cov", "d d")
    if not np.linalg.eigvalsh(S)[0] > 0:
        raise BadInput("cov must be positive definite: these closed forms are of Gaussians with a density")
    return S


def of_eigenvalues(cov, function) -> np.ndarray:
    """The matrix with the eigenvectors of cov and f of its eigenvalues."""
    values, vectors = np.linalg.eigh(_covariance(cov))
    return (vectors * function(values)) @ vectors.T


@as_annotated
def bary_matrix(cov: ArrayLike, eps: float) -> np.ndarray:
    r"""The matrix of $\mathrm{bary}(x) - c$ for $N(c, S)$.

    $$CS^{-1} = \big((S^2 + \tfrac{\varepsilon^2}4 I)^{1/2} - \tfrac\varepsilon2 I\big)S^{-1}$$
    """
    inside(eps, "eps", above=0)
    return of_eigenvalues(cov, lambda lam: correlation(eps / (2 * lam)))


@as_annotated
def heat_step(cov: ArrayLike, eps: float) -> np.ndarray:
    r"""The covariance after one bridge step, $GSG$ with $G = 2I - CS^{-1}$.

    $$= S + \varepsilon I - \tfrac{\varepsilon^3}{8}S^{-2} + O(\varepsilon^4)$$
    """
    inside(eps, "eps", above=0)
    return of_eigenvalues(cov, lambda lam: lam * (2 - correlation(eps / (2 * lam))) ** 2)


@as_annotated
def value(cov: ArrayLike, eps: float) -> float:
    r"""$$\mathrm{OT}_\varepsilon(\rho,\rho) = \sum_k \lambda_k(1-r_k) - \tfrac\varepsilon2\log(2u_kr_k)$$"""
    lam = np.linalg.eigvalsh(_covariance(cov))
    u = inside(eps, "eps", above=0) / (2 * lam)
    r = correlation(u)
    return in_range(float(np.sum(lam * (1 - r) - eps / 2 * np.log(2 * u * r))))


@as_annotated
def mutual_information(cov: ArrayLike, eps: float) -> float:
    r"""$-\tfrac12\sum\log(1-r_k^2)$, the relative entropy of the plan to independence."""
    u = inside(eps, "eps", above=0) / (2 * np.linalg.eigvalsh(_covariance(cov)))
    return float(-0.5 * np.sum(np.log(2 * u * correlation(u))))


def potential(x, lam: float, eps: float):
    r"""$$f(x) = \tfrac12(1-r)x^2 - \tfrac\varepsilon4\log(1-r^2)$$ for $N(0, \lambda)$ on the line."""
    u = eps / (2 * lam)
    r = correlation(u)
    return 0.5 * (1 - r) * np.square(x) - eps / 4 * np.log(2 * u * r)


@as_annotated
def doubly_stochastic_matrix(cov: ArrayLike, B: ArrayLike, eps: float) -> np.ndarray:
    r"""The matrix of $E[Y|x] - c$ for any score $\langle x, By\rangle/\varepsilon$ and $N(c, S)$.

    With $R = S^{1/2}$ and $RBR/\varepsilon = U\,\mathrm{diag}(s)\,W^\top$ it is
    $R W\,\mathrm{diag}(\rho)\,U^\top R^{-1}$, $\rho_i = 2s_i/(1+\sqrt{1+4s_i^2})$.
    """
    R = of_eigenvalues(cov, np.sqrt)
    U, s, Wt = np.linalg.svd(R @ (np.asarray(B) * np.eye(len(R)) if np.ndim(B) == 0 else np.asarray(B)) @ R / eps)
    rho = 2 * s / (1 + np.sqrt(1 + 4 * s**2))
    return R @ Wt.T @ np.diag(rho) @ U.T @ np.linalg.inv(R)


@as_annotated
def truncated_matrix(cov: ArrayLike, B: ArrayLike, eps: float, *, iterations: int, start: str = "dot") -> np.ndarray:
    r"""The matrix of $E[Y|x]$ after an odd number of half-steps on $N(0, S)$.

    With $M = B/\varepsilon$ and $G_0 = 0$ (dot product) or $M$ (squared distance) repeat $F = M(S^{-1}+G)^{-1}M^\top$,
    $G \leftarrow M^\top(S^{-1}+F)^{-1}M$; the result is $(S^{-1}+G)^{-1}M^\top$.
    """
    if iterations % 2 == 0:
        raise BadInput(f"rows are normalised after an odd number of half-steps, got {iterations}")
    S = np.atleast_2d(np.asarray(cov, float))
    M = np.asarray(B) * np.eye(len(S)) / eps if np.ndim(B) == 0 else np.asarray(B) / eps
    inverse, G = np.linalg.inv(S), np.zeros_like(S) if start == "dot" else M
    for _ in range((iterations - 1) // 2):
        F = M @ np.linalg.solve(inverse + G, M.T)
        G = M.T @ np.linalg.solve(inverse + F, M)
    return np.linalg.solve(inverse + G, M.T)


def diffusion_factor(lam: float, eps: float, *, iterations: int) -> float:
    r"""$(1 - \text{slope})\lambda/\varepsilon$ after a squared-distance start: 1 for softmax, towards 1/2 for Sinkhorn."""
    slope = truncated_matrix(np.array([[lam]]), 1.0, eps, iterations=iterations, start="distance")[0, 0]
    return float((1 - slope) * lam / eps)


def _variance(lam, eps):
    inside(eps, "eps", above=0)
    if not np.all(np.asarray(lam) > 0):
        raise BadInput(f"variances must be positive, got {quoted(lam)}")
    return np.asarray(lam)[()]


@as_annotated
def heat_variance(lam: ArrayLike, eps: float, steps: int):
    r"""$$\lambda' = \lambda(2 + u - \sqrt{1+u^2})^2$$ repeated; the exact heat flow adds ε each time."""
    lam = _variance(lam, eps)
    for _ in range(steps):
        lam = lam * (2 - correlation(eps / (2 * lam))) ** 2
    return lam


def heat_variance_error(lam: float, eps: float, t: float) -> float:
    """The error of the bridge variance at time t from the modified equation, up to fourth order in ε."""
    second = 1 / lam - 1 / (lam + t)
    third = 1 / lam**2 - 1 / (lam + t) ** 2
    return -(eps**2) / 8 * second - 3 * eps**3 / 64 * third


@as_annotated
def euler_variance(lam: ArrayLike, eps: float, steps: int):
    r"""$$\lambda' = \lambda + \varepsilon + \varepsilon^2/(4\lambda)$$ of explicit Euler with the true score."""
    lam = _variance(lam, eps)
    for _ in range(steps):
        lam = lam + eps + eps**2 / (4 * lam)
    return lam


@as_annotated
def reverse_variance(lam: ArrayLike, eps: float, steps: int):
    r"""$\lambda' = r^2\lambda = \lambda - \varepsilon r$ of the backward step x ← bary(x); first order only."""
    lam = _variance(lam, eps)
    for _ in range(steps):
        lam = lam * correlation(eps / (2 * lam)) ** 2
    return lam


def euler_bridge_distance(s: float, eps: float) -> float:
    r"""$W_2$ of one Euler and one bridge step from $N(0, s^2)$: $s(\sqrt{1+u^2}-1) \approx \varepsilon^2/(8s^3)$."""
    u = eps / (2 * s**2)
    return float(s * u**2 / (np.sqrt(1 + u**2) + 1))


def langevin_divergence(u: float) -> float:
    r"""The symmetrised relative entropy of the plan and the Langevin law of $(X_0, X_\varepsilon)$: $u^4/72 + …$"""
    r1, r2 = np.exp(-u), correlation(u)
    # Each term is (1 − r₁r₂)/(1 − r²) − 1 = r(r − r′)/(1 − r²), which does not cancel.
    return float(r1 * np.expm1(u - np.arcsinh(u)) * (r2 / -np.expm1(-2 * np.arcsinh(u)) - r1 / -np.expm1(-2 * u)))


def ou_variance(lam, t):
    r"""$\lambda(t) = 1 + (\lambda_0-1)e^{-t}$ for $dX = -\tfrac12X\,dt + dB$."""
    return 1 + (lam - 1) * np.exp(-t)


def ou_surrogate_variance(lam: float, eps: float, steps: int) -> float:
    r"""Bridge steps of the surrogate $\sigma \propto \nu/\rho$ ($\lambda > 1$, θ = 1) or $\rho/\nu$ ($\lambda < 1$, θ = −1)."""
    for _ in range(steps):
        r = correlation(eps * abs(lam - 1) / (2 * lam))
        lam = lam * (r if lam > 1 else 2 - r) ** 2
    return lam


def ou_strang_variance(lam: float, eps: float, steps: int) -> float:
    """Half a step of drift, a bridge heat step, half a step of drift: second order."""
    for _ in range(steps):
        lam = np.exp(-eps / 2) * heat_variance(np.exp(-eps / 2) * lam, eps, 1)
    return lam
