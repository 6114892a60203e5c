"""Lipschitz constants and largest speeds of attention rules on a ball, from norms alone.

Source: Castin et al. 2025 (arXiv 2501.18322) for the statements; constants derived and checked on random prompts.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..attention.constants import Constants, log
from ..linalg.matrices import at


def constants(flow, *, d: int, radius: float, t: float = 0.0) -> Constants:
    """The constants of a flow for tokens in the ball of that radius at time t."""
    return constants_at(flow, d=d, t=t)(radius)


def constants_at(flow, *, d: int, t: float = 0.0) -> Callable[[float], Constants]:
    """The constants of a flow at time t as a function of the radius: every norm is computed once."""
    flow = at(flow, t)
    of_rule, V, layer = flow.attention.constants(d), _norm(flow.V), flow.feed_forward
    if layer is None:
        return lambda R: of_rule(R).times(V)
    # ReLU, tanh and the identity are 1-Lipschitz; GELU is 1.13-Lipschitz.
    w = _norm(layer.w) * (1.13 if layer.activation == "gelu" else 1.0)
    W, shift = w * _norm(layer.a), w * float(np.linalg.norm(layer.b)) * np.sqrt(d)

    def found(R):
        known = of_rule(R).times(V)
        return known._replace(speed=known.speed + W + shift / R, log_lip_x=float(np.logaddexp(known.log_lip_x, log(W))))

    return found


def _norm(M) -> float:
    M = np.asarray(M)
    return float(np.linalg.norm(M, ord=2)) if M.ndim == 2 else float(abs(M))
