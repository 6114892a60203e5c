"""Action of a path of weighted tokens (Benamou–Brenier with nonlocal mobility), and its gradient.

$$\\int_0^1\\!\\!\\int \\frac{|v_t|^2}{\\mathrm{mob}_{\\mu_t}}\\,d\\mu_t\\,dt,\\qquad \\frac{1}{\\mathrm{mob}_\\mu(x)} = K_\\mu(x)
= \\int e^{\\langle x,By\\rangle}\\,d\\mu(y)$$

Source: Burger et al. 2025 (arXiv 2501.03096), section 2; the discretisation by midpoints is ours, error O(T^-2).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize

from ...engine.linalg.rows import unit_rows


def weights(u: np.ndarray, mass: np.ndarray, B: np.ndarray):
    """K at unit tokens u (T, P, d), and the map q ↦ gradient in u of Σ_i q_i K_i."""
    Bu, uB = u @ B.T, u @ B
    e = np.exp(u @ np.swapaxes(Bu, -1, -2))
    K = e @ mass

    def pull(q):
        listening = q[..., None] * (e @ (mass[:, None] * Bu))
        heard = mass[:, None] * (np.swapaxes(e, -1, -2) @ (q[..., None] * uB))
        return listening + heard

    return K, pull


def on_circle(X: np.ndarray, mass: np.ndarray, B: np.ndarray):
    """The action per interval of lifted angles X (T+1, P), and the gradient of its mean in X."""
    T, step, middle = len(X) - 1, np.diff(X, axis=0), (X[1:] + X[:-1]) / 2
    c, s = np.cos(middle), np.sin(middle)
    K, pull = weights(np.stack([c, s], -1), mass, B)
    power = T**2 * mass * step**2
    g = pull(power)
    along = (g[..., 1] * c - g[..., 0] * s) / T
    slope = 2 * T * mass * K * step
    gradient = np.zeros_like(X)
    gradient[1:] += along / 2 + slope
    gradient[:-1] += along / 2 - slope
    return np.sum(power * K, axis=1), gradient


def on_sphere(x: np.ndarray, mass: np.ndarray, B: np.ndarray):
    """The action per interval of unit tokens x (T+1, P, d), and the tangential gradient of its mean in x."""
    T, chord, total = len(x) - 1, np.diff(x, axis=0), x[1:] + x[:-1]
    half = np.linalg.norm(chord, axis=-1) / 2
    angle = 2 * np.arcsin(np.minimum(half, 1.0))
    size = np.linalg.norm(total, axis=-1, keepdims=True)
    u = total / size
    K, pull = weights(u, mass, B)
    power = T**2 * mass * angle**2
    g = pull(power) / T
    along = (g - np.sum(g * u, -1, keepdims=True) * u) / size
    # d(angle²)/d(chord²) = (angle/2) / (sin(angle/2) cos(angle/2)), 1 in the limit of small angles.
    ratio = np.where(half > 1e-8, angle / np.maximum(2 * half * np.sqrt(1 - np.minimum(half, 1.0) ** 2), 1e-300), 1.0)
    slope = 2 * T * (mass * K * ratio)[..., None] * chord
    gradient = np.zeros_like(x)
    gradient[1:] += along + slope
    gradient[:-1] += along - slope
    return np.sum(power * K, axis=1), gradient - np.sum(gradient * x, -1, keepdims=True) * x


def smooth_basis(T: int) -> np.ndarray:
    """Interior nodes from sine modes scaled by the inverse root of the discrete Laplacian: a preconditioner."""
    k = np.arange(1, T)
    return np.sin(np.pi * np.outer(k, k) / T) * np.sqrt(2 / T) / (2 * np.sin(np.pi * k / (2 * T))) / np.sqrt(T)


def shortest(path: np.ndarray, mass: np.ndarray, B: np.ndarray, action: Callable, *, tol: float = 1e-12) -> np.ndarray:
    """The path with the same ends that makes the action locally least, from this start."""
    T = len(path) - 1
    if T < 2:
        return path
    basis = smooth_basis(T)
    shape = (T - 1, *path.shape[1:])
    scale = (1 / np.sqrt(np.maximum(mass, 1e-12))).reshape(1, -1, *(1,) * (path.ndim - 2))

    def moved(y):
        inside = path[1:-1] + scale * np.tensordot(basis, y.reshape(shape), 1)
        out = path.copy()
        out[1:-1] = inside if path.ndim == 2 else unit_rows(inside)
        return out, inside

    def objective(y):
        X, inside = moved(y)
        value, gradient = action(X, mass, B)
        g = gradient[1:-1]
        if path.ndim > 2:
            g = g / np.linalg.norm(inside, axis=-1, keepdims=True)
        return value.mean(), np.tensordot(basis.T, scale * g, 1).ravel()

    options = {"maxiter": 2000, "maxfun": 3000, "ftol": tol / 10, "gtol": tol, "maxcor": 20}
    found = minimize(objective, np.zeros(np.prod(shape)), jac=True, method="L-BFGS-B", options=options)
    return moved(found.x)[0]
