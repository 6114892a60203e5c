"""Figures 3 and 4 of Bruno et al. 2025: forward heat on the circle, and the energy over three time scales."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....draw.style import INK, MIST, PALETTE, SLATE, new_figure, styled
from ....engine.attention import Softmax
from ....engine.evolution import evolve
from ....engine.evolution.trajectory import Status
from ....engine.flow import Flow
from ....engine.measures import Particles
from ....engine.measures.density import density_from
from ....engine.observe.clusters import cluster_counts, clusters
from ....engine.observe.energy import energy
from ....engine.spaces import Sphere
from ....theory.sphere.two_clusters import merging_time
from ...figure import Drawn, figure

MODES = np.arange(1, 60)


def wrapped_mixture(theta, modes):
    """The density of a mixture from its Fourier coefficients, against the uniform probability."""
    return 1 + 2 * np.real(np.exp(1j * np.outer(theta, MODES)) @ modes)


@figure("3", "Forward heat on the circle")
@styled
def forward_heat(*, full: bool, seed: int) -> Drawn:
    n, beta, ts = 50_000 if full else 10_000, 50.0, [0.0, 1.0, 2.5, 5.0]
    centres, sds, shares = np.array([0.8, 2.6, 4.8]), np.array([0.35, 0.4, 0.45]), np.array([0.35, 0.4, 0.25])
    rng = np.random.default_rng(seed)
    which = rng.choice(3, n, p=shares)
    theta = centres[which] + sds[which] * rng.normal(size=n)
    flow = Flow(Sphere(), Softmax(beta=beta), V=-1.0)
    run = evolve(flow, Particles(np.stack([np.cos(theta), np.sin(theta)], axis=1)), until=ts[-1], save=ts, tol=1e-6)
    start = (shares * np.exp(-1j * np.outer(MODES, centres) - np.outer(MODES**2, sds**2) / 2)).sum(axis=1)
    heat = [start * np.exp(-(MODES**2) * t / beta) for t in ts]
    density: Any = density_from(lambda x: wrapped_mixture(np.arctan2(x[:, 1], x[:, 0]), start), size=2048)
    exact: Any = evolve(flow, density, until=ts[-1], save=ts, tol=1e-7)
    angles = np.arctan2(np.asarray(run.x)[..., 1], np.asarray(run.x)[..., 0]) % (2 * np.pi)
    fig = new_figure(9.6, 2.7)
    misses, tokens = [], []
    for ax, t, seen, modes, values in zip(
        fig.subplots(1, 4, sharey=True), ts, angles, heat, np.asarray(exact.states.values)
    ):
        misses.append(float(np.mean(np.abs(values - wrapped_mixture(_grid(len(values)), modes))) / 2))
        tokens.append(_histogram(ax, t, seen, modes, values))
    fig.axes[0].legend(loc="upper right")
    fig.axes[0].set_ylabel("density (uniform = 1)")
    # Sampling leaves about sqrt(bins / n) / 2; the mean-field density itself differs from heat by O(1/β).
    room = 1.5 * np.sqrt(80 / n)
    held = bool(exact.status == Status.DONE and max(misses) < 0.04 and max(tokens) < room)
    observed = (
        f"total variation between the mean-field density and heat {', '.join(f'{m:.3f}' for m in misses)}; "
        f"between histogram and mean field at most {max(tokens):.3f} (n = {n})"
    )
    data = {"angles": angles.astype(np.float32), "ts": np.asarray(ts), "density": np.asarray(exact.states.values)}
    return Drawn(fig, data, "the histogram follows the heat equation ∂ρ = Δρ/β", held, observed, tuple(exact.notes))


def _grid(m):
    return 2 * np.pi * np.arange(m) / m


def _histogram(ax, t, seen, modes, values, bins=80):
    edges = np.linspace(0, 2 * np.pi, bins + 1)
    height = np.histogram(seen, edges)[0] / len(seen) * bins
    ax.stairs(height, edges, fill=True, color=MIST, label="tokens")
    theta = _grid(len(values))
    ax.plot(theta, values, color=PALETTE[0], label="mean field")
    ax.plot(theta, wrapped_mixture(theta, modes), color=PALETTE[1], ls="--", label="heat")
    ax.set(title=f"t = {t:g}", xlabel=r"$\theta$", xlim=(0, 2 * np.pi), ylim=(0, None))
    ax.set_xticks([0, np.pi, 2 * np.pi], ["0", "π", "2π"])
    middle = np.interp((edges[:-1] + edges[1:]) / 2, theta, values, period=2 * np.pi)
    return float(np.mean(np.abs(height - middle)) / 2)


@figure("4", "Energy over three time scales")
@styled
def staircase(*, full: bool, seed: int) -> Drawn:
    n, beta, sd, centres = 600 if full else 300, 10.0, 0.2, np.array([0.0, 1.3, 2.85, 4.45])
    S: Any = np.diag([1.0, 1.0, 0.5])
    rng = np.random.default_rng(seed)
    azimuth, elevation = centres[rng.integers(0, 4, n)] + sd * rng.normal(size=n), rng.uniform(-np.pi / 2, np.pi / 2, n)
    level = np.cos(elevation)
    x = np.stack([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)], axis=1)
    flow = Flow(Sphere(), Softmax(B=S, beta=beta), V=S)
    until = 5000.0
    save = np.concatenate([[0.0], np.geomspace(0.02, until, 120)])
    run: Any = evolve(flow, Particles(x), until=until, save=save, tol=1e-6, method="tsit5")
    ts, values = np.asarray(run.ts), np.asarray(energy(flow, run.states))
    first = _first_pairing(run, ts, beta)
    marks = {r"$\beta\sigma^2/2$": beta * sd**2 / 2, "alignment, $1/\\mathrm{gap}$": 1 / 0.75, "first pairing": first}
    fig = new_figure(6.8, 3.4)
    ax = fig.subplots()
    ax.plot(ts[1:], values[1:] / values[-1], color=PALETTE[0])
    for place, (name, t) in enumerate(marks.items()):
        ax.axvline(t, color=PALETTE[1 + place], ls="--", lw=1, label=f"{name} = {t:.3g}")
    _plateaus(ax, ts, values, run)
    ax.set(xscale="log", xlabel="$t$", ylabel="energy over its last value", ylim=(0, 1.08))
    ax.legend(loc="lower right")
    rises = _rises(ts, values)
    near = np.min(np.abs(np.log(np.array(rises) / first))) if rises else np.inf
    held = bool(near < np.log(2) and np.all(np.diff(values) > -1e-6 * values[-1]))
    observed = (
        f"steepest rises in log t at {', '.join(f'{t:.3g}' for t in rises)}; first pairing predicted at {first:.3g}"
    )
    expected = "a staircase: alignment and sharpening at t = O(1), then one step per merging pair at exponential times"
    notes = ("backward-heat time βσ²/2 = 0.2 lies before alignment here: at β = 10 the three scales are not separated",)
    return Drawn(fig, {"ts": ts, "energy": values}, expected, held, observed, notes)


def _first_pairing(run, ts, beta):
    """When the closest two of the clusters that have formed will meet, from where they stand."""
    counts = cluster_counts(run, tol=0.05)
    k = int(np.flatnonzero((counts <= 4) & (ts > 1))[0])
    found = clusters(run.at(k), tol=0.05)
    unit = found.centres / np.linalg.norm(found.centres, axis=1, keepdims=True)
    cosines = unit @ unit.T - 3 * np.eye(found.count)
    i, j = np.unravel_index(np.argmax(cosines), cosines.shape)
    return float(ts[k]) + merging_time(float(np.arccos(cosines[i, j])), beta=beta, mass=(found.mass[i], found.mass[j]))


def _rises(ts, values):
    """Times of the separate steep rises of the energy in log t."""
    slope = np.diff(values[1:]) / np.diff(np.log(ts[1:])) / values[-1]
    peaks = [
        k for k in range(1, len(slope) - 1) if slope[k] >= slope[k - 1] and slope[k] > slope[k + 1] and slope[k] > 0.02
    ]
    return [float(np.sqrt(ts[k + 1] * ts[k + 2])) for k in peaks]


def _plateaus(ax, ts, values, run):
    counts = cluster_counts(run, tol=0.05)
    for count in range(1, 5):
        at = np.flatnonzero((counts == count) & (ts > 1))
        if len(at) > 1:
            middle = int(at[len(at) // 2])
            words = f"{count} cluster{'s' if count > 1 else ''}"
            ax.annotate(words, (ts[middle], values[middle] / values[-1]), xytext=(0, -13), textcoords="offset points",
                        ha="center", color=SLATE if count > 1 else INK, fontsize=8.5)  # fmt: skip
