"""Trials of the claims of arXiv 2312.14820."""

from __future__ import annotations

import numpy as np

from ...theory.gaussian.lipschitz import adversarial_pair, general_bound, mean_field_bound, per_input_bound
from ..hunt import Trial, shown
from ..independent import softmax
from ..trial import bounded, equal, stated
from .jacobian import local_constant, matrix, weights


def random_layer(rng, *, size=2.0):
    """Normal B and V in the plane, and five normal tokens of that size."""
    return rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), size * rng.normal(size=(5, 2))


def differences(x, B, V, h=1e-5) -> np.ndarray:
    """The Jacobian of the attention map by central differences."""
    layer = lambda y: softmax(y @ B @ y.T) @ y @ V.T  # noqa: E731
    steps = h * np.eye(x.size).reshape(x.size, *x.shape)
    return np.stack([(layer(x + w) - layer(x - w)).ravel() / (2 * h) for w in steps], axis=1)


def jacobian_trial(rng) -> Trial:
    B, V, x = random_layer(rng, size=1.0)
    found, known = differences(x, B, V), matrix(x, B=B, V=V, P=weights(x, B))
    # Differences are good to h² times third derivatives, which grow like the cube of |B||x|.
    steep = 1 + (np.linalg.norm(B, 2) * np.abs(x).max()) ** 3
    return Trial(equal(found, known, 1e-8 * steep * np.linalg.norm(V, 2)), 0.0, shown(B=B, V=V, x=x))


def general_trial(rng) -> Trial:
    """Random tokens, or some near adversarial ones, with or without a mask."""
    (B, V, x), is_causal = random_layer(rng), bool(rng.integers(2))
    if rng.integers(2):
        B, pair = B + B.T, adversarial_pair(B + B.T, radius=1.0)
        x = np.outer([pair.one, *4 * [pair.others]], pair.u) + 0.1 * x
    bound = general_bound(B, V, radius=float(np.linalg.norm(x, axis=1).max()), n=len(x))
    return Trial(bounded(local_constant(x, B, V, is_causal=is_causal), bound), 0.0, shown(B=B, V=V, x=x))


def mean_field_trial(rng) -> Trial:
    B, V, x = random_layer(rng, size=0.5)
    bound = mean_field_bound(B, V, radius=float(np.linalg.norm(x, axis=1).max()))
    return Trial(bounded(local_constant(x, B, V), bound), 0.0, shown(B=B, V=V, x=x))


def per_input_trial(rng, *, as_printed=False) -> Trial:
    B, V, x = random_layer(rng)
    ratio = bounded(local_constant(x, B, V), per_input_bound(B, V, x, as_printed=as_printed))
    return Trial(ratio, 0.0, shown(B=B, V=V, x=x))


def printed_trial(rng) -> Trial:
    return per_input_trial(rng, as_printed=True)


def nilpotent_layer() -> Trial:
    B, x = np.array([[0.0, 0.0], [4.0, 0.0]]), np.array([[1.0, 0], [-1, 0], [1, 0], [-1, 0]])
    ratio = local_constant(x, B, np.eye(2)) / per_input_bound(B, np.eye(2), x, as_printed=True)
    return Trial(ratio, 0.0, "B = [[0, 0], [4, 0]], tokens ±e₁ twice")


def steepness(B) -> float:
    r"""$\gamma = \max(-\lambda_{\min}, \lambda_{\max}/8)$ of the real eigenvalues of $B^\top$."""
    values = np.linalg.eigvalsh(B)
    return float(max(-values[0], values[-1] / 8))


def adversarial_trial(rng) -> Trial:
    """Symmetric B, V = I, and four times as many tokens, all below e^{2R²γ}/20: the constant must nearly double."""
    S, R = rng.normal(size=(2, 2)), float(rng.uniform(1.0, 3.0))
    B = (S + S.T) / 2
    most = np.exp(min(2 * R * R * steepness(B), 7.0)) / 20
    if most < 16:
        return Trial(0.0, is_inside=False)
    few, many = (adversarial_size(B, R, n) for n in (int(most / 4), 4 * int(most / 4)))
    words = f"{shown(B=B)}, R = {R:.4g}: {few:.4g} at n = {int(most / 4)}, then {many:.4g}"
    return Trial(stated(lambda by: 1.6 * by * few / many), 0.0, words)


def adversarial_size(B, R: float, n: int) -> float:
    pair = adversarial_pair(B, radius=R)
    x = np.concatenate([[pair.one * pair.u], np.repeat([pair.others * pair.u], n - 1, axis=0)])
    return local_constant(x, B, np.eye(len(B)))


def radius_trial(rng) -> Trial:
    """Random directions of the prompt, at R = 1000."""
    B, V, x = random_layer(rng, size=1e3)
    bound = np.sqrt(len(x)) * np.linalg.norm(V, 2) * (1 + 1e-6)
    return Trial(bounded(local_constant(x, B, V), bound), 0.0, shown(B=B, V=V, x=x / 1e3))
