"""Attention matrices as heat maps."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import LogNorm, Normalize

from ...errors import BadInput
from ..style import PAPER, SEQUENTIAL, SLATE, styled

FAINTEST = 1e-6
"""Weights below this share of the largest have the same colour on a logarithmic scale."""


@styled
def draw_attention(ax, matrix, *, labels=None, log: bool = False, bar: bool = True):
    """The weights with which token i (row) listens to token j (column).

    `labels` groups tokens by cluster and rules lines between them; `log` shows small weights too.
    """
    P = np.asarray(matrix, float)
    if P.ndim != 2:
        raise BadInput(f"a heat map is of one matrix, got shape {P.shape}; take one head at a time")
    order = np.arange(len(P)) if labels is None else np.argsort(labels, kind="stable")
    top = P.max() or 1.0
    norm = LogNorm(FAINTEST * top, top, clip=True) if log else Normalize(min(0.0, P.min()), top)
    image = ax.imshow(P[np.ix_(order, order)], cmap=SEQUENTIAL, norm=norm, interpolation="nearest")
    if labels is not None:
        for edge in np.flatnonzero(np.diff(np.asarray(labels)[order])) + 0.5:
            ax.axhline(edge, color=PAPER, linewidth=0.5)
            ax.axvline(edge, color=PAPER, linewidth=0.5)
    ax.set(xlabel="heard token $j$", ylabel="listening token $i$")
    ax.locator_params(integer=True, nbins=5)
    for spine in ax.spines.values():
        spine.set_visible(False)
    if bar:
        scale = ax.figure.colorbar(image, ax=ax, shrink=0.85, pad=0.02, aspect=28)
        scale.outline.set_edgecolor(SLATE)
        scale.outline.set_linewidth(0.5)
        scale.set_label("weight $P_{ij}$")
    return image
