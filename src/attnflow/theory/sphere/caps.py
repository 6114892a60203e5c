r"""Metastability of tokens in small separated caps: they collapse inside by $T_1$ and do not leave before $T_2$.

Source: Geshkovski, Koubbi, Polyanskiy, Rigollet, arXiv 2410.06833, in its corrected form; closed α derived.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jax.typing import ArrayLike

from ...engine.linalg.arguments import as_annotated, shaped
from ...engine.observe.components import components


@dataclass(frozen=True)
class Caps:
    """The constants of the caps theorem for n tokens in caps of size eps."""

    n: int
    beta: float
    eps: float
    alpha: float
    """The largest cosine between two caps of size 2 eps."""

    @property
    def gamma(self) -> float:
        r"""$\gamma = 1-\alpha-8\varepsilon-\log(2n^2/\varepsilon)/\beta$, positive when the caps are separated."""
        return 1 - self.alpha - 8 * self.eps - np.log(2 * self.n**2 / self.eps) / self.beta

    @property
    def is_separated(self) -> bool:
        return self.beta > 1 and 0 < self.eps < 1 / 16 and self.gamma > 0

    @property
    def lam1(self) -> float:
        r"""$\lambda_1 = e^{(1-\alpha)\beta}\,c\,(1-e^{-\gamma\beta})$ with $c = (\beta-1)\varepsilon/(\beta^2n^2e)$."""
        return float(np.exp((1 - self.alpha) * self.beta) * self._c * -np.expm1(-self.gamma * self.beta))

    @property
    def lam1_printed(self) -> float:
        """The printed first bound, with 1/c for c: too large by c⁻²."""
        return float(np.exp((1 - self.alpha) * self.beta) / self._c * -np.expm1(-self.gamma * self.beta))

    @property
    def lam2(self) -> float:
        if self.eps >= 1 / 8:
            return -np.inf
        return float(1 - self.alpha - np.log(2 * self.n**2 / (1 - 8 * self.eps)) / self.beta - 8 * self.eps)

    @property
    def _c(self) -> float:
        return (self.beta - 1) * self.eps / (self.beta**2 * self.n**2 * np.e)

    @property
    def lam(self) -> float:
        """The largest admissible λ."""
        return min(self.lam1, self.lam2)

    @property
    def lam_printed(self) -> float:
        return min(self.lam1_printed, self.lam2)

    def T1(self, lam: float | None = None) -> float:
        r"""$T_1\le 2ne^{8\varepsilon\beta}+en\lambda\beta^2/(\beta-1)$."""
        lam = self.lam if lam is None else lam
        n, beta = self.n, self.beta
        return float(2 * n * np.exp(8 * self.eps * beta) + np.e * n * lam * beta**2 / (beta - 1))

    @property
    def T2(self) -> float:
        r"""$T_2\ge\frac{\varepsilon}{n}e^{(1-\alpha)\beta}$."""
        return float(self.eps / self.n * np.exp((1 - self.alpha) * self.beta))

    def spread(self, lam: float | None = None) -> float:
        r"""The bound $2e^{-\lambda\beta}$ on squared distances inside a cap between $T_1$ and $T_2$."""
        return float(2 * np.exp(-(self.lam if lam is None else lam) * self.beta))


def cap_cosine(centres, eps: float) -> float:
    r"""$\alpha = \max_{i<j}\cos(\max(0, \angle(w_i,w_j)-2\arccos(1-2\varepsilon)))$; 0 for one cap."""
    centres = np.atleast_2d(np.asarray(centres, float))
    if len(centres) == 1:
        return 0.0
    i, j = np.triu_indices(len(centres), 1)
    angles = 2 * np.arctan2(
        np.linalg.norm(centres[i] - centres[j], axis=1), np.linalg.norm(centres[i] + centres[j], axis=1)
    )
    # arccos(1 − 2ε), without the rounding of 1 − 2ε.
    radius = 2 * np.arcsin(np.sqrt(min(eps, 1.0)))
    return float(np.cos(np.maximum(0, angles - 2 * radius)).max())


@as_annotated
def caps_of(x: ArrayLike, centres: ArrayLike, *, beta: float) -> Caps:
    """The constants for tokens x and cap centres, with the smallest cap size that holds all tokens."""
    x = shaped(x, "x", "n d")
    centres = shaped(np.atleast_2d(np.asarray(centres, float)), "centres", "k d", d=x.shape[1])
    eps = float((1 - (x @ centres.T).max(axis=1)).max())
    eps = max(eps * (1 + 1e-12), 1e-12)
    return Caps(len(x), float(beta), eps, cap_cosine(centres, eps))


def printed_cosine_bound(eps: float) -> float:
    r"""$\alpha\le\varepsilon^2+2\varepsilon$ for orthogonal centres, as printed: false."""
    return eps**2 + 2 * eps


def cosine_bound(eps: float) -> float:
    r"""$\alpha\le4\varepsilon+4\sqrt\varepsilon$ for orthogonal centres."""
    return 4 * eps + 4 * np.sqrt(eps)


def find_caps(x, *, reach: float = 0.8) -> tuple[np.ndarray, np.ndarray]:
    """Groups of tokens that steps of cosine at least `reach` connect, and the unit means of the groups; O(n) memory."""
    labels = components(x, np.sqrt(2 * (1 - reach)))
    centres = np.stack([np.bincount(labels, column) for column in x.T], axis=1)
    return labels, centres / np.linalg.norm(centres, axis=1, keepdims=True)


def widest(y, labels, *, tile: int = 512) -> float:
    """The largest squared distance between tokens of one group, in tiles."""
    groups = [y[labels == k] for k in range(labels.max() + 1)]
    tiles = ((part, g) for g in groups for part in np.array_split(g, -(-len(g) // tile)))
    return max(float((2 - 2 * part @ g.T).max()) for part, g in tiles)
