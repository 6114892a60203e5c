"""How fast and how steeply each attention rule can move tokens that stay in a ball: norms in, constants out.

Source: Castin et al. 2025 (arXiv 2501.18322) for the statements; constants derived and checked on random prompts.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import numpy as np

from ..attention import L2, Heads, Linked, Sigmoid, Sinkhorn, Softmax, Unnormalised
from ..attention.linked import identity
from ..attention.masks import Causal, Masked
from ..matrices import at, dense


class Constants(NamedTuple):
    """On the ball of radius R: sup |Γ|/R, and logarithms of the Lipschitz constants in x and in μ (W₁).

    `log_lip_mu` is infinite where no explicit constant is known; `is_masked` asks for the Hardy factor.
    """

    speed: float
    log_lip_x: float
    log_lip_mu: float
    is_masked: bool = False


def constants(flow, *, d: int, radius: float, t: float = 0.0) -> Constants:
    """The constants of a flow for tokens in the ball of that radius at time t."""
    flow = at(flow, t)
    found = _of_rule(flow.attention, d, radius)
    V = _norm(dense(flow.V, d))
    found = found._replace(
        speed=V * found.speed, log_lip_x=_log(V) + found.log_lip_x, log_lip_mu=_log(V) + found.log_lip_mu
    )
    if flow.feed_forward is None:
        return found
    layer = flow.feed_forward
    # ReLU, tanh and the identity are 1-Lipschitz; GELU is 1.13-Lipschitz.
    slope = 1.13 if layer.activation == "gelu" else 1.0
    W = slope * _norm(np.asarray(layer.w)) * _norm(np.asarray(layer.a))
    push = W + _norm(np.asarray(layer.w)) * slope * float(np.linalg.norm(layer.b)) * np.sqrt(d) / radius
    return found._replace(speed=found.speed + push, log_lip_x=np.logaddexp(found.log_lip_x, _log(W)))


def _of_rule(rule, d, R) -> Constants:
    match rule:
        case Heads():
            return _summed([(_norm(dense(V, d)), _of_rule(head, d, R)) for head, V in rule.heads])
        case Causal() | Masked():
            return _of_rule(rule.rule, d, R)._replace(is_masked=True)
        case Softmax():
            b = _score(rule, d) * R * R
            return Constants(1.0, _log(b), np.log1p(2 * b) + 2 * b)
        case L2():
            b, k = _score(rule, d) * R * R, float(rule.score.beta) * _norm(dense(rule.score.weights[1], d)) ** 2 * R * R
            return Constants(1.0, _log(2 * b), np.log1p(4 * (b + k)) + 4 * b + k)
        case Sinkhorn():
            return Constants(1.0, _log(_score(rule, d) * R * R), np.inf)
        case Unnormalised() if rule.scale == "mean":
            b = _score(rule, d) * R * R
            return Constants(float(np.exp(min(b, 700.0))), _log(b) + b, np.log1p(b) + b)
        case Sigmoid() if not rule.total and not isinstance(rule.bias, str):
            b = _score(rule, d) * R * R
            return Constants(1.0, _log(b / 4), np.log1p(b / 4))
        case Linked():
            return _link(rule, _score(rule, d) * R * R)
    raise ValueError(f"no constants are known for {type(rule).__name__} in this form")


def _link(rule, b) -> Constants:
    if rule.link is identity or rule.link is jax.nn.relu:
        return Constants(b, _log(b), _log(2 * b))
    s = np.linspace(-b, b, 2001)
    size = float(np.abs(rule.link(s)).max())
    slope = float(np.abs(jax.vmap(jax.grad(rule.link))(s)).max())
    return Constants(size, _log(b * slope), _log(size + b * slope))


def _summed(parts) -> Constants:
    return Constants(
        sum(V * c.speed for V, c in parts),
        float(np.logaddexp.reduce([_log(V) + c.log_lip_x for V, c in parts])),
        float(np.logaddexp.reduce([_log(V) + c.log_lip_mu for V, c in parts])),
        any(c.is_masked for _, c in parts),
    )


def _score(rule, d) -> float:
    return abs(float(rule.score.beta)) * _norm(np.asarray(rule.score.B(d)))


def _norm(M) -> float:
    M = np.asarray(M)
    return float(np.linalg.norm(M, ord=2)) if M.ndim == 2 else float(abs(M))


def _log(value) -> float:
    return float(np.log(value)) if value > 0 else -np.inf
