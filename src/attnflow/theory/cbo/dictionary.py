r"""Dictionary between attention and polarised consensus-based optimisation.

On the sphere $\Pi_x(m(x) - x) = \Pi_x m(x)$: softmax attention with V = I is noiseless polarised CBO with f = 0.
In $\mathbb R^d$, $\langle x,y\rangle = \tfrac12(|x|^2 + |y|^2 - |x-y|^2)$: dot-product attention is
Gaussian polarised CBO with $\alpha f(y) = -\tfrac\beta2|y|^2$, so it seeks large norms. Source: derived.
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ...engine.attention import L2, Softmax
from ...engine.flow import Flow
from ...engine.linalg.arguments import as_annotated
from ...engine.linalg.matrices import Schedule
from ...engine.spaces import Euclidean, Sphere
from ...errors import BadInput
from .dynamics import CBO


@as_annotated
def consensus_of(flow: Flow) -> CBO:
    """The noiseless polarised CBO whose drift is the velocity of a flow on the sphere; V must be 1, the only extra."""
    if not isinstance(flow.space, Sphere):
        raise BadInput(
            "the dictionary is exact on the sphere; in R^d attention lacks the −x of CBO: use gaussian_of_dot"
        )
    if isinstance(flow.V, Schedule) or not np.allclose(flow.V, np.eye(flow.V.shape[0]) if flow.V.ndim else 1.0):
        raise BadInput("V is what attention has and CBO has not: only V = 1 is a CBO")
    return CBO(None, flow.attention, sigma=0.0, noise="none", space=Sphere())


@as_annotated
def gaussian_of_dot(rule: Softmax) -> CBO:
    r"""Dot-product attention in R^d as Gaussian polarised CBO of width $\kappa = \beta^{-1/2}$ that seeks large norms."""
    weights, beta = rule.score.weights, rule.score.beta
    if isinstance(weights, tuple | Schedule) or isinstance(beta, Schedule) or weights.ndim:
        raise BadInput("the Gaussian form needs Softmax with a constant B that is a multiple of the identity")
    b = float(beta * weights)
    if not b > 0:
        raise BadInput(f"a Gaussian kernel needs β > 0, got {b}")
    kernel = L2(Q=1.0, K=1.0, beta=b / 2)
    return CBO(_minus_half_square, kernel, alpha=b, sigma=0.0, noise="none", space=Euclidean())


def _minus_half_square(y):
    return -jnp.sum(y**2, axis=-1) / 2
