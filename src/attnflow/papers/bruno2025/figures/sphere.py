"""Figures of Bruno, Pasqualotto, Agazzi 2025 (arXiv 2509.25040) on the sphere: alignment, rotation, collapse."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ive

from ....draw.sphere import draw_sphere
from ....draw.style import INK, PALETTE, new_figure, styled
from ....draw.view import View
from ....engine.attention import Softmax
from ....engine.evolution import evolve
from ....engine.flow import Flow
from ....engine.measures import Particles
from ....engine.spaces import Sphere
from ....theory.low_temperature import LowTemperatureLimit, cluster_variance, heat_variance
from ...figure import Drawn, figure

ROTATION = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, -1]])


def uniform_tokens(n: int, seed: int) -> np.ndarray:
    x = np.random.default_rng(seed).normal(size=(n, 3))
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def sphere_run(V: Any, x: np.ndarray, *, beta: float, save):
    """Single precision and four digits: what a picture of ten thousand tokens can show."""
    flow = Flow(Sphere(), Softmax(beta=beta), V=V)
    mu = Particles(x.astype(np.float32))
    return evolve(flow, mu, until=save[-1], save=save, tol=1e-4, method="tsit5", summation="exact")


def snapshots(fig, x, ts, colours, *, view=None):
    axes = fig.subplots(1, len(ts))
    shown = slice(None, 4000)
    for ax, state, t in zip(axes, x, ts):
        draw_sphere(ax, state[shown], colours=colours[shown], view=view or View(-60, 22), reach=1e-5)
        ax.set_title(f"t = {t:g}")
    return axes


def by_azimuth(x):
    """A colour that stays with a token and tells where it started."""
    import matplotlib as mpl

    return mpl.colormaps["twilight_shifted"]((np.arctan2(x[:, 1], x[:, 0]) / (2 * np.pi)) % 1)


@figure("1a", "Simple top eigenvalue: two antipodal points")
@styled
def simple(*, full: bool, seed: int) -> Drawn:
    V, n, ts = np.diag([1.0, 0, -1]), 10_000 if full else 3000, [0.0, 1.0, 2.0, 4.0]
    x0 = uniform_tokens(n, seed)
    run = sphere_run(V, x0, beta=30.0, save=[0.0, 1.0, 2.0, 3.0, 4.0])
    x = np.asarray(run.x, float)
    means = np.mean(x[1:, :, 0] ** 2, axis=1)
    shares = float(np.mean(x[-1, :, 0] > 0))
    fig = new_figure(9.2, 2.7)
    side = np.where(x0[:, :1] > 0, 0, 1)[:, 0]
    colours = np.array([_rgba(PALETTE[0]), _rgba(PALETTE[1])])[side]
    snapshots(fig, x[[0, 1, 2, 4]], ts, colours)
    fig.suptitle(r"$B = I$, $V = \mathrm{diag}(1, 0, -1)$, $\beta = 30$: colours by the predicted side", fontsize=10)
    held = bool(np.all(np.abs(means - [0.70, 0.89, 0.965, 0.987]) < 0.02) and abs(shares - 0.5) < 4 / np.sqrt(n))
    linear = LowTemperatureLimit(V).flow(x0, np.arange(1.0, 5.0))
    limit = np.mean(linear[:, :, 0] ** 2, axis=1)
    observed = f"mean x₁² = {_list(means)} at t = 1, 2, 3, 4 (β = ∞: {_list(limit)}); share at +v {shares:.3f}"
    expected = "two antipodal points of mass one half: mean x₁² = 0.70, 0.89, 0.965, 0.987 within 0.02"
    return Drawn(fig, {"x": x.astype(np.float32), "ts": np.asarray(run.ts), "mean": means}, expected, held, observed)


@figure("1b", "Complex pair: a great circle that rotates")
@styled
def rotating(*, full: bool, seed: int) -> Drawn:
    n, ts = 10_000 if full else 3000, [0.0, 2.0, 4.0, 8.0]
    x0 = uniform_tokens(n, seed)
    run = sphere_run(ROTATION, x0, beta=30.0, save=[0.0, 2.0, 4.0, 7.9, 8.0])
    x, times = np.asarray(run.x, float), np.asarray(run.ts)
    turn = np.angle(np.exp(1j * (_azimuth(x[4]) - _azimuth(x[3])))) / (times[4] - times[3])
    speed, height = float(np.median(turn)), np.sqrt(np.mean(x[[2, 4], :, 2] ** 2, axis=1))
    predicted = float(ive(1, 30.0) / ive(0, 30.0))
    fig = new_figure(9.2, 2.7)
    snapshots(fig, x[[0, 1, 2, 4]], ts, by_azimuth(x0))
    fig.suptitle(r"$B = I$, $V$ a rotation about the third axis that contracts it, $\beta = 30$", fontsize=10)
    # At t = 8 the circle still has width 0.06, which slows the turn by its square; single precision over 0.1 adds 1e-4.
    held = abs(speed - predicted) < 0.004 and abs(height[1] - 0.059) < 0.006
    observed = f"angular speed {speed:.4f} at t = 8; rms height {height[0]:.3f}, {height[1]:.4f} at t = 4, 8"
    expected = f"a great circle turning with speed I₁(30)/I₀(30) = {predicted:.5f}; rms height 0.109, 0.0588"
    notes = ("no limit exists: the target is a moving measure",)
    return Drawn(fig, {"x": x.astype(np.float32), "ts": times, "height": height}, expected, bool(held), observed, notes)


@figure("2", "Collapse to a plane, then clusters sharpen")
@styled
def collapse(*, full: bool, seed: int) -> Drawn:
    n, beta, sd, centres = 10_000 if full else 3000, 10.0, 0.2, np.array([0.3, 2.4, 4.4])
    rng = np.random.default_rng(seed)
    which = rng.integers(0, 3, n)
    azimuth, elevation = centres[which] + sd * rng.normal(size=n), rng.uniform(-np.pi / 2, np.pi / 2, n)
    level = np.cos(elevation)
    x0 = np.stack([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)], axis=1)
    save = np.linspace(0, 6, 25)
    run = sphere_run(np.diag([1.0, 1, -1]), x0, beta=beta, save=save)
    x = np.asarray(run.x, float)
    angles = np.angle(np.exp(1j * (_azimuth(x) - centres[which])))
    variance = np.array([np.mean([_spread(a[which == k]) ** 2 for k in range(3)]) for a in angles])
    moved = np.array([np.mean(angles[-1][which == k]) for k in range(3)])
    fig = new_figure(9.4, 3.0)
    parts: Any = fig.subfigures(1, 2, width_ratios=[3, 1.5])
    left, right = parts
    colours = np.array([_rgba(PALETTE[k]) for k in range(3)])[which]
    snapshots(left, x[[0, 4, 12]], save[[0, 4, 12]], colours, view=View(-60, 35))
    _widths(right.subplots(), save, variance, beta, sd)
    off = float(np.abs(variance[8] / cluster_variance(sd**2, save[8], beta=beta) - 1))
    sharper = float(variance[-1] / variance[0])
    held = bool(np.abs(moved).max() < 0.05 and np.mean(x[-1, :, 2] ** 2) < 0.01 and sharper < 0.1 and off < 0.4)
    expected = (
        "tokens fall on the xy-plane (mean x₃² < 0.01 at t = 6), clusters keep their positions (0.05) and sharpen (variance "
        "falls tenfold; within 40 % of Lambert W at t = 2, the law of tokens in the plane)"
    )
    observed = (
        f"clusters move by at most {np.abs(moved).max():.3f}; mean x₃² = {np.mean(x[-1, :, 2] ** 2):.2g} at t = 6; "
        f"variance × {sharper:.2g}, and {off:.0%} off Lambert W at t = 2"
    )
    notes = (
        "βσ² = 0.4: the kernel is wider than the clusters, so agreement of positions says nothing about backward heat",
        "widths by quartiles of the azimuth; the law is that of tokens in the plane",
    )
    data = {"x": x[::4].astype(np.float32), "ts": save, "variance": variance}
    return Drawn(fig, data, expected, held, observed, notes)


def _widths(ax, ts, variance, beta, sd):
    ax.plot(ts, variance, color=PALETTE[0], label="tokens")
    ax.plot(ts, cluster_variance(sd**2, ts, beta=beta), color=PALETTE[1], ls="--", label="Lambert $W$")
    collapse = beta * sd**2 / 2
    fine = collapse * (1 - np.geomspace(1, 1e-6, 60))
    ax.plot(fine, heat_variance(sd**2, fine, beta=beta), color=INK, ls=":", label="backward heat")
    ax.set(yscale="log", ylim=(1e-6, 0.1), xlabel="$t$", title="variance of a cluster")
    ax.legend()


def _spread(angles):
    """The deviation by quartiles: the azimuth of the few tokens near the poles means nothing."""
    low, high = np.quantile(angles, [0.25, 0.75])
    return (high - low) / 1.349


def _azimuth(x):
    return np.arctan2(x[..., 1], x[..., 0])


def _rgba(colour):
    from matplotlib.colors import to_rgba

    return to_rgba(colour)


def _list(values):
    return ", ".join(f"{value:.3f}" for value in values)
