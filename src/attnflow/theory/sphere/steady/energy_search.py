"""Kernel matrix and gradients of the interaction energy, and a search for its extremes from random starts."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from ....engine.linalg.rows import unit_rows


def kernel_matrix(B: np.ndarray, x: np.ndarray, y: np.ndarray | None = None) -> np.ndarray:
    r"""$$e^{\langle x_i, B y_j\rangle}$$"""
    return np.exp(x @ B @ (x if y is None else y).T)


def energy_and_gradients(B: np.ndarray, x: np.ndarray, mass: np.ndarray):
    """E with its tangential gradient in the tokens and its gradient in the masses."""
    k = kernel_matrix(B, x)
    in_mass = (k + k.T) @ mass
    g = mass[:, None] * ((k * mass) @ (x @ B.T) + (k.T * mass) @ (x @ B))
    return float(mass @ k @ mass), g - np.sum(g * x, axis=1, keepdims=True) * x, in_mass


def search(B: np.ndarray, sign: int, *, n: int, starts: int = 8, seed: int = 0, with_masses: bool = True):
    r"""The best energy found with n tokens from random starts: maximum for sign +1, minimum for −1.

    L-BFGS in $x_i = u_i/|u_i|$ and $\sqrt{m_i} = q_i/|q|$; returns (energy, tokens, masses).
    """
    d, rng, best = len(B), np.random.default_rng(seed), None

    def split(parameters):
        u, q = parameters[: n * d].reshape(n, d), parameters[n * d :]
        return u, q if with_masses else np.ones(n)

    def objective(parameters):
        u, q = split(parameters)
        x, m = unit_rows(u), q**2 / (q @ q)
        value, gx, gm = energy_and_gradients(B, x, m)
        gu = gx / np.linalg.norm(u, axis=1, keepdims=True)
        gq = 2 * q / (q @ q) * (gm - gm @ m) if with_masses else np.zeros(n)
        return -sign * value, -sign * np.concatenate([gu.ravel(), gq])

    options = {"maxiter": 1000, "maxfun": 1500, "ftol": 1e-14, "gtol": 1e-8}
    for _ in range(starts):
        start = np.concatenate([unit_rows(rng.normal(size=(n, d))).ravel(), 0.5 + rng.random(n)])
        found = minimize(objective, start, jac=True, method="L-BFGS-B", options=options)
        if best is None or found.fun < best.fun:
            best = found
    assert best is not None
    u, q = split(best.x)
    return -sign * float(best.fun), unit_rows(u), q**2 / (q @ q)
