"""Lipschitz constants and largest speeds of attention rules on a ball, from norms alone.

Source: Castin et al. 2025 (arXiv 2501.18322) for the statements; constants derived and checked on random prompts.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...engine.attention.constants import Constants, log
from ...engine.linalg.matrices import at
from ...errors import BadInput

LIPSCHITZ = {"relu": 1.0, "tanh": 1.0, "identity": 1.0, "sigmoid": 0.25, "gelu": 1.13, "gelu_tanh": 1.13, "silu": 1.1}
"""Upper bounds of the slopes of activations."""


def constants(flow, *, d: int, radius: float, t: float = 0.0) -> Constants:
    """The constants of a flow for tokens in the ball of that radius at time t."""
    return constants_at(flow, d=d, t=t)(radius)


def constants_at(flow, *, d: int, t: float = 0.0) -> Callable[[float], Constants]:
    """The constants of a flow at time t as a function of the radius: every norm is computed once."""
    flow = at(flow, t)
    of_rule, V, layer = flow.attention.constants(d), _norm(flow.V), flow.feed_forward
    if layer is None:
        return lambda R: of_rule(R).times(V)
    if not layer.is_plain or layer.activation not in LIPSCHITZ:
        raise BadInput("no constants are known for a feed-forward layer with a gate, offsets or this activation")
    w = _norm(layer.w) * LIPSCHITZ[layer.activation]
    W, shift = w * _norm(layer.a), w * float(np.linalg.norm(layer.b)) * np.sqrt(d)

    def found(R):
        known = of_rule(R).times(V)
        return known._replace(speed=known.speed + W + shift / R, log_lip_x=float(np.logaddexp(known.log_lip_x, log(W))))

    return found


def _norm(M) -> float:
    M = np.asarray(M)
    return float(np.linalg.norm(M, ord=2)) if M.ndim == 2 else float(abs(M))
