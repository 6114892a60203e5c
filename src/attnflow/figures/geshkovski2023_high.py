"""Figures 7b, 15 and 18 of arXiv 2305.05465: many dimensions, and tokens with a perceptron."""

from __future__ import annotations

import numpy as np

from ..draw.plane import box_around, draw_plane
from ..draw.style import PALETTE, new_figure, styled
from ..theory.search import softmax
from ..theory.value_matrix import classify
from .geshkovski2023_runs import F6, TRUE_TIME, attention_of, cube, plain, tokens_at
from .register import Drawn, figure

PAPER = "geshkovski2023"


def sparse_values(d: int, rng) -> np.ndarray:
    """A symmetric sparse matrix (density 0.1) whose eigenvalues are pushed into ±[1, 2], keeping their signs."""
    M = rng.normal(size=(d, d)) * (rng.random((d, d)) < 0.1)
    eigenvalues, vectors = np.linalg.eigh((M + M.T) / 2)
    size = np.abs(eigenvalues)
    moved = np.sign(eigenvalues) * (1 + (size - size.min()) / np.ptp(size))
    return vectors * moved @ vectors.T


def _high_dimensional(n, d, until, seed):
    V = sparse_values(d, np.random.default_rng(seed))
    eigenvalues, vectors = np.linalg.eigh(V)
    times = np.linspace(0, until, 31)
    z = tokens_at(plain(V), cube(n, d, seed, size=0.5), times, tol=1e-7)
    leader = attention_of(plain(V), z[-1], until).argmax(axis=1)
    return eigenvalues, times, z @ vectors, leader


@figure(PAPER, "7b", "Many dimensions: every coordinate of a positive eigenvalue clusters")
@styled
def many_dimensions(*, full: bool, seed: int) -> Drawn:
    n, d = (256, 128) if full else (48, 32)
    eigenvalues, times, c, leader = _high_dimensional(n, d, 15.0, seed)
    positive = eigenvalues > 0
    groups = [leader == k for k in np.unique(leader) if (leader == k).sum() > 1]
    variance = np.mean([c[:, group].var(axis=1) for group in groups], axis=0)
    size = np.abs(c).max(axis=1)
    fig = new_figure(8.6, 3.0)
    left, right = fig.subplots(1, 2)
    left.plot(times, variance[:, positive], color=PALETTE[0], alpha=0.35, linewidth=0.8)
    left.set(yscale="log", xlabel="$t$", ylabel="variance inside a group", title="positive eigenvalues")
    right.plot(times, size[:, ~positive], color=PALETTE[1], alpha=0.35, linewidth=0.8)
    right.plot(times, size[:, positive], color=PALETTE[0], alpha=0.35, linewidth=0.8)
    right.set(
        yscale="log", xlabel="$t$", ylabel=r"$\max_i\,|\varphi_k^*(z_i)|$", title="negative ones (orange) diverge"
    )
    shrunk = float(np.max(variance[-1, positive] / variance[0, positive]))
    held = bool(
        np.median(variance[-1, positive] / variance[0, positive]) < 1e-3
        and size[-1, positive].max() < 1
        and size[-1, ~positive].max() > 1e6
    )
    reached = size[-1, ~positive].max()
    observed = (
        f"{positive.sum()} positive eigenvalues, {len(np.unique(leader))} leaders; largest ratio of variances {shrunk:.1e}; "
        f"|z| ≤ {size[-1, positive].max():.3f}; negative ones reach {reached:.1e}"
    )
    expected = "positive coordinates: variance → 0, |z| < 1; negative ones reach 1e13–1e14 (|λ| up to 2, t = 15)"
    notes = (
        TRUE_TIME,
        "small variances end in the rounding of the diverging coordinates (1e12 times the unit of rounding)",
        "the authors' notebook has n = 128 against n = 256 in the caption, and a wrong exponential in eigen-coordinates",
    )
    return Drawn(fig, {"times": times, "eigenvalues": eigenvalues, "coordinates": c}, expected, held, observed, notes)


@figure(PAPER, "15", "Many dimensions: where the positive coordinates go")
@styled
def many_means(*, full: bool, seed: int) -> Drawn:
    n, d = (256, 128) if full else (48, 32)
    eigenvalues, times, c, _ = _high_dimensional(n, d, 15.0, seed)
    top = np.argsort(-eigenvalues)[:4]
    fig = new_figure(9.6, 2.7)
    for ax, k in zip(fig.subplots(1, 4), top):
        ax.plot(times, c[:, :, k], color=PALETTE[0], alpha=0.3, linewidth=0.7)
        ax.set(xlabel="$t$", title=rf"$\lambda = {eigenvalues[k]:.3f}$")
    fig.axes[0].set_ylabel(r"$\varphi_k^*(z_i)$")
    first = c[-1][:, top[0]]
    values = np.unique(np.round(first, 2))
    held = bool(len(values) <= 3 and np.abs(c[-1][:, top]).max() < 1)
    expected = "the coordinate of the largest eigenvalue ends at two values (three with 0)"
    data = {"times": times, "eigenvalues": eigenvalues, "coordinates": c[:, :, top]}
    return Drawn(fig, data, expected, held, f"values to two digits: {values.tolist()}", (TRUE_TIME,))


def perceptron_run(x, ts, *, V, W, activation, step: float = 0.01):
    r"""$z_i' = W\sigma\big(V\sum_j P_{ij}(z_j - z_i)\big)$ with the logits of $e^{tV}z$ (12.1), by Euler steps.

    Fixed steps: with ReLU the hardmax limit slides along ties, where no error control can make progress.
    """
    z, out, t, growth = np.array(x, float), [], 0.0, _growth(V)
    for target in ts:
        while t < target - 1e-9:
            z = z + step * activation((_listened(growth, z, t) @ z - z) @ V.T) @ W.T
            t += step
        out.append(z)
    return np.array(out)


def _growth(V):
    top = classify(V, len(V)).lam
    eigenvalues, vectors = np.linalg.eig(V)
    inverse = np.linalg.inv(vectors)
    return top, lambda t: (vectors * np.exp((eigenvalues - top) * t) @ inverse).real


def _listened(growth, z, t):
    """P from differences of tokens, the huge factor last."""
    top, power = growth
    grown = z @ power(t).T
    best = (grown @ grown.T).argmax(axis=1)
    gaps = np.einsum("id,ijd->ij", grown, grown[None] - grown[best][:, None])
    return softmax(np.clip(gaps * np.exp(min(2 * top * t, 690.0)), -745.0, 0.0))


@figure(PAPER, "18", "Rescaled tokens with a perceptron")
@styled
def perceptron(*, full: bool, seed: int) -> Drawn:
    rng = np.random.default_rng(seed)
    x, W = rng.uniform(-5, 5, (20, 2)), rng.uniform(-1, 1, (2, 2))
    relu = lambda a: np.maximum(a, 0)  # noqa: E731
    rows = {
        "ReLU, $W = I$": (relu, np.eye(2), (0, 20, 40, 100)),
        r"$\tanh$, $W = I$": (np.tanh, np.eye(2), (0, 1, 5, 10)),
        "ReLU, random $W$": (relu, W, (0, 0.1, 5, 10)),
    }
    fig, data, sizes = new_figure(9.8, 7.6), {"W": W}, []
    for row, (name, (activation, weights, times)) in zip(fig.subplots(3, 4), rows.items()):
        z = perceptron_run(x, times, V=F6, W=weights, activation=activation)
        limits = box_around([z[0], z[-1]])
        for ax, tokens, t in zip(row, z, times):
            draw_plane(ax, tokens, limits=limits, names=("", ""))
            ax.set_title(f"{name}, $t = {t:g}$" if t == 0 else f"$t = {t:g}$")
        data[f"z_{len(sizes)}"] = z
        sizes.append(np.array([np.ptp(tokens @ classify(F6, 2).left[0]) for tokens in z]))
    grew = bool((np.diff(data["z_0"], axis=0) >= -1e-6).all())
    collapsed = [bool(np.abs(data[f"z_{k}"][-1]).max() < 0.05 * np.abs(x).max()) for k in (1, 2)]
    observed = (
        f"row 1 only grows: {grew}; spread of φ₁* in row 2 from {sizes[1][0]:.3g} to {sizes[1][-1]:.3g}, in row 3 to "
        f"{sizes[2][-1]:.3g}: two lines, no collapse"
    )
    expected = "row 1: coordinates only grow, then parallel lines; rows 2 and 3: collapse to 0 (as the paper reports)"
    notes = (
        "Euler steps of 0.01; no public code exists for this figure, seed and W are ours",
        "the extreme tokens listen to themselves and stand still under (12.1), so a collapse to 0 cannot come from it alone",
    )
    return Drawn(fig, data, expected, grew and all(collapsed), observed, notes)
