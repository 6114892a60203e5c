"""Conditional moments of an entropic plan: mean, variance and entropy of a token's partner by one product with the kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .gaussian_kernel import Pairs

EXACT_DIMENSION = 16
"""Up to this dimension all second moments are kept (d(d+1)/2 more columns in the product)."""


@dataclass(frozen=True)
class Moments:
    r"""Moments of the partner Y of each token $x_i$ under the row-normalised plan P."""

    centre: np.ndarray
    """The mean of the cloud, about which second moments are taken."""
    mean: np.ndarray
    square: np.ndarray
    r"""$E[|Y - \text{centre}|^2\,|\,x_i]$"""
    second: np.ndarray | None
    r"""$E[(Y-\text{centre})(Y-\text{centre})^\top|\,x_i]$, None in high dimension."""
    cost: np.ndarray
    r"""$E[|x_i - Y|^2\,|\,x_i]/\varepsilon$, distances as the kernel takes them."""
    self_weight: np.ndarray
    r"""$P_{ii}$"""
    entropy: np.ndarray
    r"""$-\sum_j P_{ij}\log P_{ij}$"""

    def fold_margin(self, eps: float) -> float:
        shift = self.mean - self.centre
        if self.second is None:
            return float(2 - np.max(self.square - np.sum(shift**2, axis=1)) / eps)
        covariance = self.second - shift[:, :, None] * shift[:, None, :]
        return float(2 - np.linalg.eigvalsh(covariance)[:, -1].max() / eps)


def conditional_moments(pairs: Pairs, u: np.ndarray, x: np.ndarray, centre: np.ndarray, y: np.ndarray) -> Moments:
    """Moments for column weights u = m v; x are centred tokens, y the points the kernel sees, over √ε."""
    n, d = x.shape
    own = np.sum(y**2, axis=1)
    columns = [np.ones((n, 1)), x, np.sum(x**2, axis=1)[:, None], y, own[:, None], np.log(u)[:, None]]
    pair = np.triu_indices(d) if d <= EXACT_DIMENSION else None
    if pair is not None:
        columns.append(x[:, pair[0]] * x[:, pair[1]])
    summed = pairs.times(u[:, None] * np.concatenate(columns, axis=1))
    total, rest = summed[:, 0], summed[:, 1:] / summed[:, :1]
    mean, square, y_mean, y_square, log_u = np.split(rest, [d, d + 1, 2 * d + 1, 2 * d + 2], axis=1)
    cost = np.maximum(own - 2 * np.sum(y * y_mean, axis=1) + y_square[:, 0], 0)
    entropy = np.log(total) - log_u[:, 0] + cost / 2
    return Moments(centre, mean + centre, square[:, 0], _symmetric(log_u[:, 1:], pair, d), cost, u / total, entropy)


def _symmetric(values, pair, d):
    if pair is None:
        return None
    second = np.empty((len(values), d, d))
    second[:, pair[0], pair[1]] = second[:, pair[1], pair[0]] = values
    return second
