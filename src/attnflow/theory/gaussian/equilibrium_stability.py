"""Linear stability of equilibrium covariances."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ...engine.attention import L2, Sinkhorn, Softmax
from ...engine.evolution.gaussian import gaussian_at
from ...engine.flow import AnyFlow, Flow
from ...engine.flow.gaussian_field import check_closed, field_of
from ...engine.linalg.arguments import as_annotated, shaped
from ...engine.linalg.matrices import dense, is_scheduled
from ...engine.linalg.rows import unit_rows
from ...engine.measures import Gaussian
from ...errors import BadInput


@as_annotated
def line_stability(flow: AnyFlow, l: ArrayLike, *, size: float) -> np.ndarray:
    r"""The eigenvalues of the linearised covariance equation at $\Sigma = c\,ll^\top$ with $|l| = 1$, $l^\top B l = 0$.

    $$c\,l^\top(B + B^\top)Vl\ \text{(once)},\quad 2c\,l^\top B^\top V l\ \text{(once)},
      \quad c\,l^\top B^\top V l\ (d-2\ \text{times}),$$

    and zero otherwise; L2 multiplies them by $2/(1 + 2c|Kl|^2)$. In the plane the line attracts iff the first two are
    negative. Source: derived.
    """
    l = shaped(l, "l", "d")
    if not np.any(l):
        raise BadInput("l is the zero vector, which spans no line")
    rule, l, d = flow.attention, np.asarray(unit_rows(l)), len(l)
    if is_scheduled(flow):
        raise BadInput("the stability of lines is known for matrices that do not depend on time")
    if not isinstance(rule, Softmax | L2 | Sinkhorn) or getattr(rule, "iterations", None) is not None:
        raise BadInput(f"the stability of lines is known for Softmax, L2 and Sinkhorn, got {type(rule).__name__}")
    check_closed(flow, Gaussian(np.zeros(d), np.eye(d)))
    B, V = np.asarray(rule.score.matrix(d)), np.asarray(dense(flow.V, d))
    if abs(l @ B @ l) > 1e-8 * np.linalg.norm(B):
        raise BadInput(f"the line is not isotropic: lᵀBl = {l @ B @ l:.3g}")
    first, second = size * l @ (B + B.T) @ V @ l, 2 * size * l @ B.T @ V @ l
    return _factor(rule, l, size) * np.array([first, second] + [second / 2] * (d - 2))


def _factor(rule, l, size):
    if not isinstance(rule, L2):
        return 1.0
    Kl = np.sqrt(float(rule.score.beta)) * np.asarray(dense(rule.score.weights[1], len(l))) @ l
    return 2 / (1 + 2 * size * Kl @ Kl)


@as_annotated
def linear_stability(flow: Flow, mu: Gaussian) -> np.ndarray:
    """The eigenvalues, largest real part first, of the covariance equation linearised at any covariance of full rank."""
    check_closed(flow, mu)
    rows, columns = np.triu_indices(mu.d)

    def velocity(packed):
        cov = jnp.zeros((mu.d, mu.d), packed.dtype).at[rows, columns].set(packed).at[columns, rows].set(packed)
        half = field_of(flow, gaussian_at(mu, jnp.zeros_like(mu.mean), cov)).matrix @ cov
        return (half + half.T)[rows, columns]

    values = np.linalg.eigvals(np.asarray(jax.jacfwd(velocity)(mu.cov[rows, columns])))
    return values[np.argsort(-values.real)]
