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
