"""Closed forms of Gaussian flows: softmax, L2 and Sinkhorn attention, Riccati equations, energies.

Source: derived from the closed equations of Castin, Ablin, Carrillo, Peyré 2025 (arXiv 2501.18322). β = 1 throughout.
"""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike
from scipy.linalg import expm, solve_continuous_lyapunov, sqrtm
from scipy.optimize import root_scalar
from scipy.special import exp1, lambertw

from ...engine.linalg.arguments import as_annotated, in_range, inside
from ...errors import BadInput
from .scalar_value import modes


def _square(**matrices) -> list[np.ndarray]:
    """Matrices in double precision, all of one dimension d; covariances may be many."""
    found = {name: np.asarray(matrix, float) for name, matrix in matrices.items()}
    sizes = {size for matrix in found.values() for size in (matrix.shape[-2:] if matrix.ndim > 1 else (0,))}
    if len(sizes) > 1 or sizes == {0}:
        shapes = ", ".join(f"{name} of shape {matrix.shape}" for name, matrix in found.items())
        raise BadInput(f"square matrices of one dimension are needed, got {shapes}")
    return list(found.values())


def root(cov) -> np.ndarray:
    """A factor L with L Lᵀ = Σ, also for singular Σ."""
    values, vectors = np.linalg.eigh(np.asarray(cov, float))
    return vectors * np.sqrt(np.clip(values, 0, None))[..., None, :]


@as_annotated
def softmax_identity(B: ArrayLike, cov: ArrayLike, *, t: ArrayLike, v: float = 1.0) -> np.ndarray:
    r"""Softmax with V = vI: $\Sigma(t) = L_0\,(I - t v L_0^\top(B + B^\top)L_0)^{-1}L_0^\top$."""
    B, cov = _square(B=B, cov=cov)
    values, moved = modes(B, root(cov), v=v)
    t = np.asarray(inside(t, "t"))
    if np.any(t * values == 1):
        raise BadInput(f"the covariance blows up at t = {t}; softmax_identity_blow_up gives that time")
    return in_range((moved / (1 - t * values)) @ moved.T)


@as_annotated
def softmax_identity_blow_up(B: ArrayLike, cov: ArrayLike, *, v: float = 1.0):
    r"""$t^* = 1/\lambda_{\max}(L_0^\top(B + B^\top)L_0)$ for V = I, infinite if that is not positive; also for many Σ₀."""
    B, cov = _square(B=B, cov=cov)
    fastest = in_range(modes(B, root(cov), v=v)[0][..., -1])
    return np.where(fastest > 0, 1 / np.where(fastest > 0, fastest, 1.0), np.inf)[()]


@as_annotated
def softmax_identity_limit(B: ArrayLike, cov: ArrayLike, *, v: float = 1.0) -> np.ndarray:
    r"""$\Sigma_\infty = L_0\Pi L_0^\top$, Π the projector on $\ker L_0^\top(B+B^\top)L_0$, when $v(B+B^\top)\le0$."""
    B, cov = _square(B=B, cov=cov)
    values, moved = modes(B, root(cov), v=v)
    if values[-1] > 0:
        raise BadInput("there is no limit: v(B + Bᵀ) has a positive direction and Σ blows up")
    return in_range(moved[:, values == 0] @ moved[:, values == 0].T)


@as_annotated
def softmax_symmetric(B: ArrayLike, mean: ArrayLike, cov: ArrayLike, *, t: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    r"""V = I, B = Bᵀ: $\Phi = (I - 2t\Sigma_0B)^{-1/2}$, $\alpha = e^t\Phi\alpha_0$, $\Sigma = \Phi\Sigma_0\Phi^\top$."""
    B, cov = _square(B=B, cov=cov)
    Phi = np.real(np.linalg.inv(np.asarray(sqrtm(np.eye(len(B)) - 2 * t * cov @ B))))
    return np.exp(t) * Phi @ np.asarray(mean), Phi @ cov @ Phi.T


def softmax_line(v, b, *, mean, cov, t):
    r"""One dimension: $\Sigma = s/(1-2vbst)$, $\alpha = a e^{vt}(1-2vbst)^{-1/2}$, blow-up at $1/(2vbs)$ if $vb>0$."""
    left = 1 - 2 * v * b * cov * t
    return mean * np.exp(v * t) / np.sqrt(left), cov / left


@as_annotated
def riccati(B: ArrayLike, W: ArrayLike, cov: ArrayLike, *, t: ArrayLike) -> np.ndarray:
    r"""Softmax with V = I and feed-forward Wx: $\Sigma = e^{tW}L_0(I - L_0^\top G_tL_0)^{-1}L_0^\top e^{tW^\top}$.

    $G_t = \int_0^t e^{sW^\top}(B + B^\top)e^{sW}ds$. Source: model of arXiv 2606.07600; formula derived.
    """
    B, W, cov = _square(B=B, W=W, cov=cov)
    L, t = root(cov), inside(t, "t", least=0, most=1e100)
    moved = expm(t * W) @ L
    return in_range(moved @ np.linalg.solve(np.eye(len(W)) - L.T @ _gramian(B, W, t) @ L, moved.T))


@as_annotated
def riccati_blow_up(B: ArrayLike, W: ArrayLike, cov: ArrayLike, *, until: float) -> float:
    """The first time up to `until` at which the largest eigenvalue of L₀ᵀ G_t L₀ is one, or infinity."""
    B, W, cov = _square(B=B, W=W, cov=cov)
    L = root(cov)

    def distance(t):
        return np.linalg.eigvalsh(L.T @ _gramian(B, W, t) @ L)[-1] - 1

    ts = np.linspace(0, until, 401)
    signs = np.array([distance(t) for t in ts])
    if not (signs > 0).any():
        return np.inf
    first = int(np.argmax(signs > 0))
    return _root(distance, ts[first - 1], ts[first], xtol=1e-14)


def _gramian(B, W, t):
    r"""Van Loan's exponential over a short time, no quadrature; then $G_{2t} = G_t + e^{tW^\top}G_te^{tW}$, which cannot overflow
    before the result does."""
    B, W, d = np.asarray(B, float), np.asarray(W, float), len(np.asarray(W))
    doublings = max(0, int(np.ceil(np.log2(max(t * np.linalg.norm(W, 2), 1e-300)))))
    short = t / 2.0**doublings
    block = expm(short * np.block([[-W.T, B + B.T], [np.zeros((d, d)), W]]))
    moved = block[d:, d:]
    G = moved.T @ block[:d, d:]
    for _ in range(doublings):
        G = G + moved.T @ G @ moved
        moved = moved @ moved
    return G


@as_annotated
def feed_forward_equilibrium(B: ArrayLike, W: ArrayLike) -> np.ndarray:
    r"""The covariance at rest, $\Sigma_\infty = P^{-1}$ with $PW + W^\top P = -(B + B^\top)$."""
    B, W = _square(B=B, W=W)
    return np.linalg.inv(solve_continuous_lyapunov(W.T, -(B + B.T)))


@as_annotated
def l2_identity(K: ArrayLike, cov: ArrayLike, *, t: ArrayLike, sign: int) -> np.ndarray:
    r"""L2 attention with V = I, Q = ±K invertible: eigenvalues s of $G^{1/2}\Sigma G^{1/2}$, $G = K^\top K$, in Lambert W.

    $$u = \frac1{2s},\quad u(t) = W_0\big(\exp(u_0 + \ln u_0 \mp 2t)\big)$$
    """
    G = np.asarray(K, float).T @ np.asarray(K, float)
    half = np.real(np.asarray(sqrtm(G)))
    values, vectors = _positive_spectrum(half @ np.asarray(cov, float) @ half)
    u = 1 / (2 * np.where(values > 0, values, 1.0))
    s = np.where(values > 0, 1 / (2 * lambert_of_exp(u + np.log(u) - 2 * sign * t)), 0.0)
    back = np.linalg.solve(half, vectors)
    return (back * s) @ back.T


def _positive_spectrum(M):
    """Eigenvalues of a positive semidefinite matrix, round-off set to zero, and eigenvectors."""
    values, vectors = np.linalg.eigh(M)
    return np.where(values > len(M) * np.finfo(float).eps * np.abs(values).max(), values, 0.0), vectors


def l2_line(v, q, k, *, mean, cov, t):
    r"""One dimension: $s = 1/(2k^2W_0(e^E))$, $\alpha = \alpha_0\sqrt{s/s_0}\,e^{(1/s_0 - 1/s)/(4qk)}$."""
    E = 1 / (2 * k * k * cov) - np.log(2 * k * k * cov) - 2 * v * q * t / k
    s = 1 / (2 * k * k * lambert_of_exp(E))
    return mean * np.sqrt(s / cov) * np.exp((1 / cov - 1 / s) / (4 * q * k)), s


def lambert_of_exp(E):
    r"""$W_0(e^E)$, also where $e^E$ overflows: the root of $w + \ln w = E$."""
    E = np.asarray(E, float)
    w = np.where(E > 600, E - np.log(np.maximum(E, 1)), np.real(lambertw(np.exp(np.minimum(E, 600)))))
    w = np.where(E < -600, np.exp(np.clip(E, -745, 0)), w)
    for _ in range(4):
        with np.errstate(all="ignore"):
            w = np.where(E > 1, w - (w + np.log(w) - E) / (1 + 1 / w), w)
    return w


def l2_growth_exponent(V, Q, K) -> float:
    r"""The rate of $|\Sigma|$ for large Σ, $2\max\mathrm{Re}\,\mathrm{eig}(VK^{-1}Q)$ for square K."""
    V, Q, K = (np.asarray(M, float) for M in (V, Q, K))
    return float(2 * np.linalg.eigvals(V @ np.linalg.solve(K, Q)).real.max())


@as_annotated
def sinkhorn_identity(G: ArrayLike, cov: ArrayLike, *, t: ArrayLike, eps: float, sign: int = 1) -> np.ndarray:
    r"""Sinkhorn with velocity $(1/\varepsilon)E[y|x]$, V = I, $B = \pm G$, $G = G^\top > 0$.

    Eigenvalues $\tau = (\varepsilon/2)\sinh w$ of $G^{1/2}\Sigma G^{1/2}$ obey
    $$w - \coth(w/2) = w_0 - \coth(w_0/2) \pm 2t/\varepsilon$$
    """
    half = np.real(np.asarray(sqrtm(np.asarray(G, float))))
    values, vectors = _positive_spectrum(half @ np.asarray(cov, float) @ half)
    tau = np.array([_sinkhorn_eigenvalue(value, t, eps, sign) if value > 0 else 0.0 for value in values])
    back = np.linalg.solve(half, vectors)
    return (back * tau) @ back.T


def _sinkhorn_eigenvalue(tau, t, eps, sign):
    w0 = np.arcsinh(2 * tau / eps)

    def law(w):
        return w - 1 / np.tanh(w / 2)

    target = law(w0) + sign * 2 * t / eps
    low, high = min(w0, 1e-3), max(w0, 1.0)
    while law(low) > target:
        low /= 2
    while law(high) < target:
        high *= 2
    return eps / 2 * np.sinh(_root(lambda w: law(w) - target, low, high, xtol=1e-300))


def _root(law, low, high, *, xtol) -> float:
    return root_scalar(law, bracket=(low, high), method="brentq", xtol=xtol, rtol=8.9e-16).root


def sinkhorn_mean(V, mean, *, t) -> np.ndarray:
    """The mean under Sinkhorn attention, e^{tV} α₀, for every law and every number of tokens."""
    return expm(t * np.asarray(V, float)) @ np.asarray(mean, float)


@as_annotated
def unnormalised_blow_up(a: float, r0: float) -> float:
    r"""One token with V = I, B = aI, $x' = xe^{a|x|^2}$, explodes at $E_1(ar_0^2)/2$."""
    inside(a, "a", least=0)
    inside(r0, "r0", least=0)
    return float(exp1(a * r0 * r0) / 2)


@as_annotated
def bures_energy(B: ArrayLike, cov: ArrayLike):
    r"""$\frac14\mathrm{tr}(B\Sigma B\Sigma)$, which softmax with $V = \pm B = \pm B^\top$ climbs or descends; also for many Σ."""
    moved = np.matmul(*_square(B=B, cov=cov))
    return np.trace(moved @ moved, axis1=-2, axis2=-1) / 4


@as_annotated
def fisher_energy(B: ArrayLike, cov: ArrayLike, *, v: float = 1.0):
    r"""$v\,\mathrm{tr}(B\Sigma)$, which softmax with V = vI climbs; also for many Σ."""
    return v * np.trace(np.matmul(*_square(B=B, cov=cov)), axis1=-2, axis2=-1)


def growth_bound(V, Q=None, K=None) -> float:
    r"""A rate c with $\mathrm{tr}\,\Sigma(t)\le e^{ct}\,\mathrm{tr}\,\Sigma_0$: $2|V|$ for Sinkhorn, $2|V||K^+||Q|$ for L2.

    For L2 K has full column rank: $|2L(I + 2L^\top K^\top KL)^{-1}L^\top K^\top|\le|K^+|$, since $2x^2/(1+2x^2) < 1$.
    """
    heard = 1.0 if Q is None or K is None else np.linalg.norm(np.linalg.pinv(K), 2) * np.linalg.norm(Q, 2)
    return float(2 * np.linalg.norm(V, 2) * heard)


def attracting_profiles(B, V):
    """Extreme real eigenvalues λ of V with unit eigenvector l and q = lᵀBl such that λ and q have the same sign."""
    values, vectors = np.linalg.eig(V)
    rates, found = np.real(values), []
    for k, sign in ((rates.argmax(), 1), (rates.argmin(), -1)):
        if abs(np.imag(values)[k]) < 1e-12 and sign * rates[k] > 0:
            l = np.real(vectors[:, k]) / np.linalg.norm(np.real(vectors[:, k]))
            if sign * (l @ B @ l) > 0:
                found.append((float(rates[k]), l, float(l @ B @ l)))
    return found
