"""Gaussian prompts: mean and standard ellipse, and the spectrum of the covariance over time."""

from __future__ import annotations

import numpy as np
from matplotlib.patches import Ellipse

from .curve import draw_curve
from .style import INK, MIST, PALETTE, styled


@styled
def draw_ellipse(ax, mean, cov, *, colour=PALETTE[0], limits=None):
    """The ellipses of one and two standard deviations in the first two coordinates; on the line, the density."""
    mean, cov = np.asarray(mean, float), np.asarray(cov, float)
    if len(mean) == 1:
        return _density(ax, mean[0], np.sqrt(cov[0, 0]), colour, limits)
    values, axes = np.linalg.eigh(cov[:2, :2])
    angle = float(np.degrees(np.arctan2(axes[1, 1], axes[0, 1])))
    centre = (float(mean[0]), float(mean[1]))
    for sigmas, alpha in ((2, 0.18), (1, 0.35)):
        width, height = 2 * sigmas * np.sqrt(np.maximum(values[::-1], 0))
        ax.add_patch(Ellipse(centre, width, height, angle=angle, facecolor=colour, alpha=alpha, edgecolor="none"))
        ax.add_patch(Ellipse(centre, width, height, angle=angle, fill=False, edgecolor=colour, linewidth=0.9))
    ax.plot(*centre, marker="o", markersize=4, color=colour, markeredgecolor="white", markeredgewidth=0.5)
    low, high = ellipse_box(mean[None], cov[None]) if limits is None else limits
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    ax.locator_params(nbins=4)
    return ax


@styled
def draw_spectrum(ax, ts, covs, *, log_time=None, known=None):
    """The eigenvalues of the covariance over time, and dashed those `known` in closed form (k, d)."""
    values = np.linalg.eigvalsh(np.asarray(covs, float))[:, ::-1]
    for k, column in enumerate(values.T):
        draw_curve(
            ax,
            ts,
            column,
            colour=PALETTE[k % len(PALETTE)],
            name=r"eigenvalues of $\Sigma$",
            log_time=log_time,
            label=rf"$\lambda_{{{k + 1}}}$" if k < 6 else None,
        )
    for k, column in enumerate(() if known is None else np.asarray(known).T):
        shown = np.asarray(ts, float) > 0 if ax.get_xscale() == "log" else slice(None)
        label = "closed form" if k == 0 else None
        ax.plot(np.asarray(ts)[shown], column[shown], color=INK, linewidth=1.0, linestyle=(0, (4, 3)), label=label)
    ax.legend(loc="best", ncols=min(4, values.shape[1] + 1))
    if values.min() > 0 and values.max() > 30 * values.min():
        ax.set_yscale("log")
    return ax


def ellipse_box(means, covs, *, sigmas: float = 2.3):
    """A square that holds the ellipses of all given Gaussians in the first two coordinates."""
    means = np.asarray(means, float)[:, :2]
    reach = sigmas * np.sqrt(np.maximum(np.diagonal(np.asarray(covs, float), axis1=1, axis2=2)[:, :2], 0))
    low, high = (means - reach).min(axis=0), (means + reach).max(axis=0)
    half = max((high - low).max() / 2, 1e-9)
    return (low + high) / 2 - half, (low + high) / 2 + half


def _density(ax, mean, deviation, colour, limits):
    low, high = (mean - 4 * deviation, mean + 4 * deviation) if limits is None else (limits[0][0], limits[1][0])
    s = np.linspace(low, high, 400)
    bell = np.exp(-(((s - mean) / max(deviation, 1e-12)) ** 2) / 2)
    ax.fill_between(s, bell, color=colour, alpha=0.3, linewidth=0)
    ax.plot(s, bell, color=colour)
    ax.axhline(0, color=MIST, linewidth=0.8)
    ax.set(xlim=(low, high), ylim=(0, 1.1), yticks=[], xlabel="$x$")
    ax.spines[["left", "top", "right"]].set_visible(False)
    return ax
