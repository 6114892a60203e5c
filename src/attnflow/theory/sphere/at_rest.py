"""Equilibria on the sphere: velocity, growth rate of disturbances, and whether a state attracts a set of positive measure."""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

PATIENCE = 40.0
"""Growth times after which an unstable state is left, wherever it was entered: e^{−40} is less than rounding."""
DISTINCT = 1e-6
"""Cosines that differ by less may be equal by symmetry."""
STILL = 1e-6
"""Tokens of a run that move by less rest, as far as its own errors can tell."""
AT_REST = 1e-9
"""Velocities below this count as none."""
RESOLVED = 1e-6
"""Pulls between clusters, e^{−2β}, must exceed this, or a metastable state cannot be told from a stable one."""


def sphere_velocity(x, *, beta, V=1.0, model="SA", mask=None, B=None, mass=None) -> np.ndarray:
    """The velocity of unit tokens; `USA` carries the factor e^{−β}."""
    B, mass = np.eye(x.shape[1]) if B is None else B, np.full(len(x), 1 / len(x)) if mass is None else mass
    scores = beta * (x @ B @ x.T) + np.log(np.maximum(mass, 1e-300))
    scores = scores if mask is None else np.where(mask, scores, -np.inf)
    a = V * ((softmax(scores, axis=1) if model == "SA" else np.exp(scores - abs(beta))) @ x)
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


def is_generic(x) -> bool:
    """Whether no rotation or reflection maps the tokens to themselves: cosines tell all pairs apart, in every dimension."""
    cosines = np.sort((x @ x.T)[np.triu_indices(len(x), 1)])
    return len(x) > 2 and np.diff(cosines).min() > DISTINCT and np.linalg.matrix_rank(x, tol=1e-3) == x.shape[1]


def rests_apart(x, ts, **model) -> bool:
    """Whether the tokens of a run (k, n, d), and not only its last velocities, rest in a trap."""
    moved = np.flatnonzero(np.abs(x - x[-1]).max(axis=(1, 2)) > STILL)
    rests = float(ts[-1] - ts[moved[-1] + 1 if len(moved) else 0])
    return rests > 0 and is_trap(x[-1], lasted=rests if is_generic(x[0]) else 0.0, **model)


def is_trap(x, *, beta, lasted=0.0, **model) -> bool:
    """Whether tokens rest, apart from each other, in a state that keeps its neighbours: a set of positive measure.

    So does one that has lasted for longer than rounding takes to leave it, after a start that had no symmetry.
    """
    if np.exp(-2 * abs(beta)) < RESOLVED or x.size > 120:
        return False
    if np.linalg.norm(sphere_velocity(x, beta=beta, **model), axis=1).max() > AT_REST:
        return False
    rate = growth_rate(x, beta=beta, **model)
    return rate < 1e-7 or rate * lasted > PATIENCE
