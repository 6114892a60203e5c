r"""Equations of the mean α and the covariance Σ of Gaussian data, in NumPy, independent of the engine.

Every rule here hears an affine field $c + Gx$ in a Gaussian, so $\alpha' = c + G\alpha$ and $\Sigma' = G\Sigma + \Sigma G^\top$.
The state is one array of d + 1 rows: α above Σ. Source: code of Castin et al. 2025 (arXiv 2501.18322), re-derived.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...engine.attention import L2, Heads, Linear, Sinkhorn
from ...engine.attention.heads import product_of
from ...engine.linalg.matrices import dense
from ..variables import value_matrix


def stacked(mean, cov) -> np.ndarray:
    """α above Σ; also for many of them."""
    return np.concatenate([np.asarray(mean, float)[..., None, :], np.asarray(cov, float)], axis=-2)


def moment_drift(flow, d: int) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """α' = c + Gα and GΣ under a flow that keeps Gaussians Gaussian."""
    hear, V = _heard(flow.attention, d), value_matrix(flow, d)
    W, c = _affine_layer(flow.feed_forward, d)

    def drift(state):
        mean, S = state[0], (state[1:] + state[1:].T) / 2
        centre, half = hear(mean, S)
        return V @ centre + W @ mean + c, V @ half + W @ S

    return drift


def moment_field(flow, d: int) -> Callable[[np.ndarray], np.ndarray]:
    """The rate of change of α above Σ."""
    drift = moment_drift(flow, d)

    def field(state):
        centre, half = drift(state)
        return stacked(centre, half + half.T)

    return field


def covariance_field(flow, d: int) -> Callable[[np.ndarray], np.ndarray]:
    """Σ' for rules under which it does not depend on the mean: all but linear ones."""
    drift = moment_drift(flow, d)

    def field(S):
        half = drift(stacked(np.zeros(d), S))[1]
        return half + half.T

    return field


def moment_layer(flow, d: int, *, eta: float) -> Callable[[np.ndarray], np.ndarray]:
    r"""A layer $x + \eta(c + Gx)$, which keeps Gaussians exactly: $\Sigma\leftarrow(I+\eta G)\Sigma(I+\eta G)^\top$."""
    drift = moment_drift(flow, d)

    def layer(state):
        centre, half = drift(state)
        S = state[1:] + eta * (half + half.T) + eta**2 * half @ np.linalg.pinv(state[1:], hermitian=True) @ half.T
        return stacked(state[0] + eta * centre, S)

    return layer


def _affine_layer(layer, d):
    if layer is None:
        return np.zeros((d, d)), np.zeros(d)
    w, a = (np.asarray(dense(M, d), float) for M in (layer.w, layer.a))
    return w @ a, w @ np.broadcast_to(np.asarray(layer.b, float), len(a))


def _heard(rule, d):
    """(α, Σ) ↦ what is heard at the mean, c + Gα, and GΣ, before the value matrix."""
    match rule:
        case Heads():
            heads = [(_heard(head, d), np.asarray(dense(product_of(V), d), float)) for head, V in rule.heads]
            return lambda mean, S: tuple(sum(V @ part for V, part in zip((V for _, V in heads), parts))
                                         for parts in zip(*(hear(mean, S) for hear, _ in heads)))  # fmt: skip
        case L2():
            root = np.sqrt(float(rule.score.beta))
            Q, K = (root * np.asarray(dense(M, d), float) for M in rule.score.weights)
            return lambda mean, S: l2_heard(mean, S, Q, K)
    B = float(rule.score.beta) * np.asarray(rule.score.B(d), float)
    match rule:
        case Linear():
            return lambda mean, S: ((S + np.outer(mean, mean)) @ B.T @ mean, (S + np.outer(mean, mean)) @ B.T @ S)
        case Sinkhorn() if rule.iterations is None:
            return lambda mean, S: (mean, plan_covariance(S, B).T)
        case Sinkhorn(iterations=int(count)):
            start = B if rule.start == "distance" else np.zeros((d, d))
            return lambda mean, S: truncated_heard(mean, S, B, sweeps=count // 2, start=start)
    return lambda mean, S: (mean + S @ B.T @ mean, S @ B.T @ S)


def l2_heard(mean, S, Q, K):
    r"""$(I + 2\Sigma K^\top K)^{-1}(\alpha + 2\Sigma B^\top x)$ with $B = Q^\top K$."""
    damped = np.linalg.solve(np.eye(len(S)) + 2 * S @ K.T @ K, np.column_stack([mean, 2 * S @ K.T @ Q]))
    return damped[:, 0] + damped[:, 1:] @ mean, damped[:, 1:] @ S


def plan_covariance(S, B):
    r"""The covariance of the two ends of the entropic plan of a Gaussian with itself.

    $$\Sigma^{1/2}U\,\mathrm{diag}\Big(\frac{2b}{1+\sqrt{1+4b^2}}\Big)W\Sigma^{1/2},\quad
      \Sigma^{1/2}B\Sigma^{1/2} = U\,\mathrm{diag}(b)\,W$$
    """
    values, vectors = np.linalg.eigh(S)
    half = (vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T
    U, b, W = np.linalg.svd(half @ B @ half)
    return half @ (U * (2 * b / (1 + np.sqrt(1 + 4 * b * b)))) @ W @ half


def truncated_heard(mean, S, M, *, sweeps: int, start):
    """Sinkhorn stopped after 2·sweeps + 1 half-steps: both potentials stay quadratic."""
    I, G, h = np.eye(len(S)), start, np.zeros(len(S))
    for _ in range(sweeps):
        inner = np.linalg.inv(I + S @ G)
        F, p = M @ inner @ S @ M.T, -M @ inner @ (mean + S @ h)
        inner = np.linalg.inv(I + S @ F)
        G, h = M.T @ inner @ S @ M, -M.T @ inner @ (mean + S @ p)
    inner = np.linalg.inv(I + S @ G)
    return inner @ (mean + S @ h + S @ M.T @ mean), inner @ S @ M.T @ S


def covariance_rate(S, B, V):
    r"""Softmax: $\Sigma' = V\Sigma B^\top\Sigma + \Sigma B\Sigma V^\top$."""
    half = V @ S @ B.T @ S
    return half + half.T


def l2_rate(S, Q, K, V):
    r"""L2: $\Sigma' = 2V(I + 2\Sigma K^\top K)^{-1}\Sigma B^\top\Sigma$ plus its transpose, $B = Q^\top K$."""
    half = V @ l2_heard(np.zeros(len(S)), S, Q, K)[1]
    return half + half.T


def sinkhorn_rate(S, B, V):
    r"""Sinkhorn: $\Sigma' = VC^\top + CV^\top$, C the covariance of the two ends of the plan."""
    C = plan_covariance(S, B)
    return V @ C.T + C @ V.T
