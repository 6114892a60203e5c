r"""Landscape that tokens on S² climb: $\log K*\mu$ with $K(x, y) = e^{\beta(\langle x, y\rangle-1)}$."""

from __future__ import annotations

import numpy as np
from matplotlib.patches import Circle
from scipy.special import logsumexp

from ...errors import BadInput, quoted
from ..marks import bare
from ..style import INK, SEQUENTIAL, SLATE, styled
from ..view import View, view_of


@styled
def draw_landscape(ax, x, *, beta: float, mass=None, view: View | None = None, pixels: int = 160, arrows: int = 14):
    r"""$\frac1\beta\log\sum_j m_je^{\beta(\langle x, x_j\rangle-1)}$ on the visible half of S², tokens, and the field of V = I.

    Softmax attention with B = V = I is the gradient of this on the sphere, so arrows point uphill.
    """
    x = np.asarray(x, float)
    if x.ndim != 2 or x.shape[1] != 3 or not beta > 0:
        raise BadInput(
            f"a landscape is of tokens (n, 3) on S² with beta > 0, got shape {x.shape} and beta = {quoted(beta)}"
        )
    mass = np.full(len(x), 1 / len(x)) if mass is None else np.asarray(mass, float)
    view = view_of(x, mass) if view is None else view
    u, v = np.meshgrid(np.linspace(-1, 1, pixels), np.linspace(-1, 1, pixels))
    inside = u**2 + v**2 <= 1
    height = np.full(u.shape, np.nan)
    height[inside] = heights(_points(u[inside], v[inside], view), x, mass, beta)
    image = ax.imshow(height, extent=(-1, 1, -1, 1), origin="lower", cmap=SEQUENTIAL, interpolation="bilinear")
    ax.contour(u, v, height, levels=10, colors="white", linewidths=0.4, alpha=0.6)
    _arrows(ax, x, mass, beta, view, arrows)
    seen = view.of(x)
    near = seen[:, 2] >= 0
    ax.scatter(*seen[near, :2].T, s=6, color=INK, linewidths=0, zorder=4)
    ax.add_patch(Circle((0, 0), 1, fill=False, edgecolor=SLATE, linewidth=0.8))
    bare(ax, 1.06)
    return image


def heights(points, x, mass, beta: float) -> np.ndarray:
    r"""$\frac1\beta\log K*\mu$ at points of the sphere."""
    return logsumexp(beta * (points @ x.T - 1), b=mass, axis=1) / beta


def field_at(points, x, mass, beta: float) -> np.ndarray:
    """The velocity of softmax attention with B = V = I at points of the sphere: the gradient of the landscape."""
    scores = beta * points @ x.T
    weights = mass * np.exp(scores - scores.max(axis=1, keepdims=True))
    mean = weights @ x / weights.sum(axis=1, keepdims=True)
    return mean - np.sum(mean * points, axis=1, keepdims=True) * points


def _points(u, v, view):
    return np.stack([u, v, np.sqrt(np.maximum(0, 1 - u**2 - v**2))], axis=-1) @ view.of(np.eye(3)).T


def _arrows(ax, x, mass, beta, view, count):
    u, v = (a.ravel() for a in np.meshgrid(np.linspace(-0.92, 0.92, count), np.linspace(-0.92, 0.92, count)))
    kept = u**2 + v**2 < 0.85
    flow = view.of(field_at(_points(u[kept], v[kept], view), x, mass, beta))
    ax.quiver(u[kept], v[kept], flow[:, 0], flow[:, 1], color="white", width=0.004, scale=9, zorder=3)
