r"""Descent onto the kernel of a semidefinite B: components $h_k = \langle x, z_k\rangle$ outside it die out like $t^{-1/2}$.

Near the kernel the mean of h vanishes at exponential speed and the covariance C obeys
$$C' = -(\Lambda C\Lambda C + C\Lambda C\Lambda),\qquad 2\Lambda C\Lambda \sim I/t$$
Source: derived.
"""

from __future__ import annotations

import numpy as np


def kernel_constants(values):
    r"""$c_k = 1/(2\lambda_k^2)$ of $\langle h_k^2\rangle\sim c_k/t$, for eigenvalues $\lambda_k > 0$."""
    return 1 / (2 * np.asarray(values) ** 2)


def outside_kernel(B):
    """The positive eigenvalues of B and their eigenvectors, as columns."""
    values, vectors = np.linalg.eigh(B)
    some = values > 1e-12 * values[-1]
    return values[some], vectors[:, some]


def spread_outside(B, x, mass) -> float:
    r"""The least eigenvalue of $2\Lambda C\Lambda$: its inverse is the time after which the start is forgotten.

    It vanishes for one token, and for all that lie in fewer dimensions than B has positive eigenvalues.
    """
    values, vectors = outside_kernel(B)
    h = (x - mass @ x) @ (vectors * values)
    return float(2 * np.linalg.eigvalsh((h.T * mass) @ h)[0])
