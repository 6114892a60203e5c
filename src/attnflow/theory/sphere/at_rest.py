"""Equilibria on the sphere: velocity, growth rate of disturbances, and whether a state attracts a set of positive measure."""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

AT_REST = 1e-9
"""Velocities below this count as none."""
RESOLVED = 1e-6
"""Pulls between clusters, e^{−2β}, must exceed this, or a metastable state cannot be told from a stable one."""


def sphere_velocity(x, *, beta, V=1.0, model="SA", mask=None, B=None) -> np.ndarray:
    """The velocity of unit tokens; `USA` carries the factor e^{−β}."""
    B = np.eye(x.shape[1]) if B is None else B
    scores = beta * (x @ B @ x.T)
    scores = scores if mask is None else np.where(mask, scores, -np.inf)
    a = V * ((softmax(scores, axis=1) if model == "SA" else np.exp(scores - abs(beta)) / len(x)) @ x)
    return a - (a * x).sum(axis=1, keepdims=True) * x


def growth_rate(x, **model) -> float:
    """The largest growth rate of a small tangent disturbance of tokens at rest."""
    n, d = x.shape
    frames = np.concatenate([np.linalg.svd(y[None])[2][1:][None] for y in x])
    jacobian, h = np.zeros((n * (d - 1), n * (d - 1))), 1e-6
    for i in range(n):
        for k in range(d - 1):
            ends = []
            for sign in (1, -1):
                y = x.copy()
                y[i] = y[i] + sign * h * frames[i, k]
                y[i] /= np.linalg.norm(y[i])
                ends.append(sphere_velocity(y, **model))
            column = np.einsum("nkd,nd->nk", frames, (ends[0] - ends[1]) / (2 * h))
            jacobian[:, i * (d - 1) + k] = column.ravel()
    return float(np.linalg.eigvals(jacobian).real.max())


def is_trap(x, *, beta, **model) -> bool:
    """Whether tokens rest, apart from each other, in a state that keeps its neighbours: a set of positive measure."""
    if np.exp(-2 * abs(beta)) < RESOLVED or x.size > 120:
        return False
    if np.linalg.norm(sphere_velocity(x, beta=beta, **model), axis=1).max() > AT_REST:
        return False
    return growth_rate(x, beta=beta, **model) < 1e-7
