"""Streamlines of covariances under a Gaussian flow, over the basin of blow-up coloured by its time."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.patches import Circle

from ...engine.flow.gaussian_field import moment_velocity
from ...engine.measures import Gaussian
from ...errors import BadInput
from ...theory.gaussian.blow_up import blow_up
from ..style import GREY, INK, SLATE, styled


@styled
def draw_gaussian_basin(ax, flow, *, trace: float = 1.0, count: int = 21, until: float = 100.0):
    """Shapes Σ/tr Σ of 2 × 2 covariances of one trace: the circle is rank one, the centre round.

    Colour: the time to blow-up, grey where there is none; arrows: how the shape changes, with growth left out.
    """
    points, covs = grid(count, trace)
    if np.ndim(flow.V) == 2 and flow.V.shape[0] != 2:
        raise BadInput(f"a basin is drawn of covariances in the plane; V has shape {flow.V.shape}")
    found = blow_up(flow, Gaussian(np.zeros((len(covs), 2)), covs), until=until, tol=1e-7)
    times = np.where(found.verdict == "blow-up", found.time, np.nan)
    ax.scatter(*points[np.isnan(times)].T, s=18, color=GREY, alpha=0.4, linewidths=0)
    drawn = None
    if np.isfinite(times).any():
        shown = np.isfinite(times)
        norm = LogNorm(np.nanmin(times), max(np.nanmax(times), 1.01 * np.nanmin(times)))
        drawn = ax.scatter(*points[shown].T, s=18, c=times[shown], cmap="cividis_r", norm=norm, linewidths=0)
        ax.figure.colorbar(drawn, ax=ax, shrink=0.8, pad=0.02, label="time to blow-up $t^*$")
    moves = shape_velocity(flow, covs)
    size = np.linalg.norm(moves, axis=1, keepdims=True)
    ax.quiver(*points.T, *(moves / np.maximum(size, 1e-12)).T, color=INK, scale=34, width=0.0035, zorder=3)
    ax.add_patch(Circle((0, 0), 1, fill=False, edgecolor=SLATE, linewidth=0.9))
    ax.set(xlim=(-1.06, 1.06), ylim=(-1.06, 1.06), aspect="equal")
    ax.set(xlabel=r"$(\Sigma_{11}-\Sigma_{22})/\mathrm{tr}\,\Sigma$", ylabel=r"$2\Sigma_{12}/\mathrm{tr}\,\Sigma$")
    return drawn


def grid(count: int, trace: float):
    """Points of the open disc and the covariances they stand for."""
    a, b = (part.ravel() for part in np.meshgrid(np.linspace(-0.97, 0.97, count), np.linspace(-0.97, 0.97, count)))
    a, b = a[a**2 + b**2 < 0.94], b[a**2 + b**2 < 0.94]
    covs = trace / 2 * np.stack([np.stack([1 + a, b], -1), np.stack([b, 1 - a], -1)], axis=-2)
    return np.stack([a, b], axis=1), covs


def shape_velocity(flow, covs) -> np.ndarray:
    """The velocity of (Σ₁₁ − Σ₂₂, 2Σ₁₂)/tr Σ."""
    covs = np.asarray(covs, float)
    rates = np.asarray(jax.vmap(lambda cov: moment_velocity(flow, Gaussian(jnp.zeros(2), cov)).cov)(jnp.asarray(covs)))
    trace, growth = (np.trace(a, axis1=1, axis2=2)[:, None] for a in (covs, rates))
    return (_shape(rates) - _shape(covs) / trace * growth) / trace


def _shape(matrices) -> np.ndarray:
    return np.stack([matrices[:, 0, 0] - matrices[:, 1, 1], 2 * matrices[:, 0, 1]], axis=1)
