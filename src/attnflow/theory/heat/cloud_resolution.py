"""Resolution of a heat flow by a point cloud: self-weight, perplexity, sampling noise, spacing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from .self_transport import SelfTransport


@dataclass(frozen=True)
class Thresholds:
    """When to warn; choices of this project, calibrated on Gaussian samples."""

    self_weight: float = 0.2
    perplexity: float = 10.0
    noise: float = 0.6
    smoothing: float = 0.25
    spacing: float = 0.7


DEFAULT = Thresholds()


@dataclass(frozen=True)
class Resolution:
    """How well tokens see their neighbours; medians over tokens."""

    self_weight: float
    r"""$P_{ii}$: near 1 the tokens are frozen."""
    perplexity: float
    r"""$e^{-\sum_j P_{ij}\log P_{ij}}$: how many tokens one listens to."""
    effective_dimension: float
    r"""$E|X-Y|^2/\varepsilon$: the intrinsic dimension when resolved and ε is small."""
    noise: float | None
    r"""$\sqrt{d\varepsilon/\text{perplexity}}/\mathrm{rms}|\mathrm{bary}-x|$ of sampled data; None for quadrature nodes."""
    spacing: float | None
    r"""The largest gap of neighbours that matter, over $\sqrt\varepsilon$, of quadrature nodes; None for samples."""
    fold_margin: float
    d: int


def resolution(transport: SelfTransport, *, is_sampled: bool = True) -> Resolution:
    """The diagnostics of one layer; quadrature nodes carry no sampling noise but must be dense enough."""
    moments, mass = transport.moments, transport.mass
    perplexity = float(np.exp(np.median(moments.entropy)))
    d = transport.x.shape[1]
    move = np.sqrt(mass @ np.sum((transport.bary - transport.x) ** 2, axis=1))
    noise = float(np.sqrt(d * transport.eps / perplexity) / move) if move > 0 else float("inf")
    return Resolution(
        self_weight=float(np.median(moments.self_weight)),
        perplexity=perplexity,
        effective_dimension=float(mass @ moments.cost),
        noise=noise if is_sampled else None,
        spacing=None if is_sampled else _spacing(transport),
        fold_margin=transport.fold_margin,
        d=d,
    )


def warnings_of(seen: Resolution, limits: Thresholds = DEFAULT) -> tuple[str, ...]:
    """What a user must be told, in plain words."""
    notes = []
    numbers = f"median self weight {seen.self_weight:.3g}, perplexity {seen.perplexity:.3g}"
    # Quadrature nodes are exact with few neighbours; their spacing decides.
    is_sampled = seen.spacing is None
    if is_sampled and (seen.self_weight > limits.self_weight or seen.perplexity < limits.perplexity):
        notes.append(f"heat flow not resolved: {numbers}; use more tokens, fewer dimensions or a larger eps")
    if seen.noise is not None and seen.noise > limits.noise:
        notes.append(f"score noise-dominated: noise ratio {seen.noise:.2f} exceeds {limits.noise:g}")
    share = seen.effective_dimension / seen.d
    if share < limits.smoothing and seen.self_weight < limits.self_weight / 10:
        notes.append(f"eps too large (over-smoothed): effective dimension is {share:.2f} of {seen.d}")
    if seen.spacing is not None and seen.spacing > limits.spacing:
        notes.append(f"node spacing {seen.spacing:.2f} sqrt(eps) exceeds {limits.spacing:g} sqrt(eps): use finer nodes")
    if seen.fold_margin <= 0 and seen.d <= 16:
        notes.append(f"the step folds: smallest eigenvalue of 2I − Cov(Y|x)/eps is {seen.fold_margin:.2g}")
    return tuple(notes)


def _spacing(transport: SelfTransport) -> float:
    """The mass-weighted 99.9% quantile of nearest-neighbour distances: nodes of negligible mass may be sparse."""
    near = KDTree(transport.x).query(transport.x, k=2)[0][:, 1] if len(transport.x) > 1 else np.zeros(1)
    order = np.argsort(near)
    share = np.cumsum(transport.mass[order])
    return float(near[order][np.searchsorted(share, 0.999 * share[-1])] / np.sqrt(transport.eps))
