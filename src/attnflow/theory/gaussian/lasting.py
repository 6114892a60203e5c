r"""Whether a softmax covariance that has grown like a blow-up goes on, by its shape alone.

The field is cubic, so $L = e^aN$ with $|N| = 1$ separates in the clock $ds = e^{2a}dt$:

$$N' = F(N) - gN,\qquad a' = g = \langle N, F(N)\rangle.$$

Traces of any size are then in reach: near an unstable profile a covariance may grow by twenty decades and come to rest.
Source: derived.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

FURTHER = 100 * np.log(10)
"""The further growth of log tr after which a blow-up is believed."""

PATIENCE = 20
"""How many times longer than at the first pace the growth may take."""

SEEN = 1e-9
"""Columns of a shape below this are lost in the errors of its run: that it comes to rest is then not believed."""

SMALL = 1e-3
"""How far a shape may be from one that grows without changing, after the further growth."""

MOST = 64
"""Entries of a factor up to which the eigenvalues of a derivative cost less than a run."""


def is_settled(B, V, N) -> np.ndarray:
    r"""Which shapes N, unit factors, grow without changing for all the further growth, to first order.

    The distance $|F(N) - gN|/g$ from such a shape grows like the largest real part λ of the field's derivative there, and
    log tr like 2g: it is multiplied by about $e^{\lambda\,\mathrm{further}/2g}$. A turn of the factor changes nothing.
    """
    size = N.shape[-2] * N.shape[-1]
    if size > MOST:
        return np.zeros(N.shape[:-2], bool)
    scores = np.einsum("...ij,hki,...kl->h...jl", N, B, N)  # NᵀBᵀN of every head
    heard, moved = np.einsum("hki,...kl->h...il", B, N), np.einsum("hij,...jk->h...ik", V, N)
    F = np.einsum("h...ij,h...jk->...ik", moved, scores)
    g = np.einsum("...ij,...ij->...", N, F)
    J = (
        np.einsum("hpi,h...jq->...pqij", V, scores)
        + np.einsum("h...pj,h...iq->...pqij", moved, heard)
        + np.einsum("h...pk,h...ik,jq->...pqij", moved, np.einsum("hil,...lk->h...ik", B, N), np.eye(N.shape[-1]))
    )
    turn = F + np.einsum("...pq,...pqij->...ij", N, J) - 2 * g[..., None, None] * N
    J = J - np.einsum("...pq,...ij->...pqij", N, turn)
    J = J.reshape(*J.shape[:-4], size, size) - g[..., None, None] * np.eye(size)
    rate = np.maximum(np.linalg.eigvals(J).real.max(axis=-1), 0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        off = np.linalg.norm(F - g[..., None, None] * N, axis=(-2, -1)) / g
        return (g > 0) & (off * np.exp(rate * FURTHER / (2 * g)) < SMALL)


def what_follows(B, V, N) -> str:
    """ "blow-up" if the shape N goes on growing, "bounded" if it comes to rest, else "unresolved"; B and V of all heads."""
    shape = N.shape

    def field(s, y):
        N = y[:-1].reshape(shape)
        F = sum(v @ N @ (N.T @ b.T @ N) for b, v in zip(B, V))
        g = np.sum(N * F) / np.sum(N * N)
        return np.append((F - g * N).ravel(), g)

    def grown(s, y):
        return 2 * y[-1] - FURTHER

    grown.terminal = True  # pyright: ignore[reportFunctionMemberAccess]
    start = np.append(N.ravel() / np.linalg.norm(N), 0.0)
    pace = 2 * field(0.0, start)[-1]
    if not pace > 0:
        return "unresolved"
    run = solve_ivp(field, (0, PATIENCE * FURTHER / pace), start, method="DOP853", rtol=1e-9, atol=1e-12, events=grown)
    if run.status == 1:
        return "blow-up"
    log_trace = 2 * run.y[-1]
    still = np.abs(log_trace[run.t > run.t[-1] / 2] - log_trace[-1]).max()
    is_seen = np.linalg.svd(N, compute_uv=False)[-1] > SEEN * np.linalg.norm(N)
    return "bounded" if is_seen and run.success and still < 1e-3 else "unresolved"
