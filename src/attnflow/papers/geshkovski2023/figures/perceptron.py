"""Figure 18 of arXiv 2305.05465: tokens with a perceptron, in the equation as printed and in the network behind it."""

from __future__ import annotations

import numpy as np

from ....draw.plane import box_around, draw_plane
from ....draw.style import PALETTE, SLATE, new_figure, styled
from ....theory.limits.value_matrix import classify
from ...figure import Drawn, figure
from ...independent import softmax
from ..matrices import FIGURE_6


def perceptron_run(x, ts, *, V, W, activation, step: float = 0.01):
    r"""$z_i' = W\sigma\big(V\sum_j P_{ij}(z_j - z_i)\big)$ with the logits of $e^{tV}z$ (12.1), by Euler steps.

    Fixed steps: with ReLU the hardmax limit slides along ties, where no error control can make progress.
    """
    V, top, power = np.asarray(V, float), *_growth(V)

    def advance(z, t):
        P = _listened(z @ power(t).T, top * t)
        return step * activation((P @ z - z) @ V.T) @ W.T

    return _euler(np.array(x, float), ts, advance, step)


def network_run(x, ts, *, V, W, activation, step: float = 0.01):
    r"""$e^{-\lambda_1t}x_i$ for the network $x_i' = W\sigma\big(V\sum_jP_{ij}x_j\big)$.

    Its $\varphi_1^*$ is that of the rescaled token $e^{-tV}x_i$.
    """
    V, top = np.asarray(V, float), _growth(V)[0]

    def advance(y, t):
        scale = np.exp(top * t)
        said = activation(scale * (_listened(y, top * t) @ y @ V.T)) @ W.T
        return step * (said / scale - top * y)

    return _euler(np.array(x, float), ts, advance, step)


def _euler(z, ts, advance, step):
    out, t = [], 0.0
    for target in ts:
        while t < target - 1e-9:
            z, t = z + advance(z, t), t + step
        out.append(z)
    return np.array(out)


def _growth(V):
    top = classify(V, len(V)).lam
    eigenvalues, vectors = np.linalg.eig(V)
    inverse = np.linalg.inv(vectors)
    return top, lambda t: (vectors * np.exp((eigenvalues - top) * t) @ inverse).real


def _listened(y, rate):
    """P of the tokens e^{rate} y, from differences of tokens, the huge factor last."""
    best = (y @ y.T).argmax(axis=1)
    gaps = np.einsum("id,ijd->ij", y, y[None] - y[best][:, None])
    return softmax(np.clip(gaps * np.exp(min(2 * rate, 690.0)), -745.0, 0.0))


def _rows(W):
    relu = lambda a: np.maximum(a, 0)  # noqa: E731
    return {
        "ReLU, $W = I$": (relu, np.eye(2), (0, 20, 40, 100)),
        "tanh, $W = I$": (np.tanh, np.eye(2), (0, 1, 5, 10)),
        "ReLU, random $W$": (relu, W, (0, 0.1, 5, 10)),
    }


def _growth_rate(y, ts, top):
    """How fast the tokens of the network grow at the end."""
    size = np.linalg.norm(y, axis=(1, 2))
    return float(np.log(size[-1] / size[len(ts) // 2]) / (ts[-1] - ts[len(ts) // 2]) + top)


@figure("18", "Rescaled tokens with a perceptron")
@styled
def perceptron(*, full: bool, seed: int) -> Drawn:
    rng, spectrum = np.random.default_rng(seed), classify(FIGURE_6, 2)
    x, W = rng.uniform(-5, 5, (20, 2)), rng.uniform(-1, 1, (2, 2))
    step = 0.005 if full else 0.01
    fig, data, left = new_figure(11.6, 7.2), {"W": W}, []
    for k, (row, (name, (activation, weights, times))) in enumerate(zip(fig.subplots(3, 5), _rows(W).items())):
        run = {"V": FIGURE_6, "W": weights, "activation": activation, "step": step}
        z, ts = perceptron_run(x, times, **run), np.linspace(0, times[-1], 101)
        y = network_run(x, ts, **run)
        c = y @ spectrum.left[0]
        _snapshots(row[:4], z, times, name)
        _network(row[4], ts, c, is_first=k == 0)
        data |= {f"z_{k}": z, f"network_{k}": c, f"network_ts_{k}": ts}
        left.append((np.abs(c[-1]).max() / np.abs(c[0]).max(), _growth_rate(y, ts, spectrum.lam)))
    fig.supxlabel(
        "columns 1–4: tokens of (12.1), blue dots, in boxes of their own; column 5: every token of the network, "
        r"$\varphi_1^*$ along the leading eigenvector", fontsize=9, color=SLATE,
    )  # fmt: skip
    return _judged(fig, data, left, spectrum)


def _snapshots(row, z, times, name):
    for ax, tokens, t in zip(row, z, times):
        draw_plane(ax, tokens, limits=box_around([tokens]), names=("$z_1$", "$z_2$"))
        ax.set_title(f"{name}, $t = {t:g}$" if t == 0 else f"$t = {t:g}$")


def _network(ax, ts, c, *, is_first):
    ax.plot(ts, c, color=PALETTE[1], alpha=0.5, linewidth=0.9)
    ax.set(xlabel="$t$", box_aspect=1)
    if is_first:
        ax.set_title(r"network: $\varphi_1^*(e^{-tV}x_i)$")


def _judged(fig, data, left, spectrum):
    grew = bool((np.diff(data["z_0"], axis=0) >= -1e-6).all())
    kept = [float(np.abs(data[f"z_{k}"][-1]).max() / np.abs(data[f"z_{k}"][0]).max()) for k in (1, 2)]
    lines = len(np.unique(np.round(data["network_0"][-1], 2)))
    (_, _), (tanh_left, _), (relu_left, rate) = left
    is_slow = rate < 0.8 * spectrum.lam
    expected = (
        "printed: row 1 coordinates only grow, then at most 3 lines; rows 2, 3 collapse to 0. Corrected: (12.1) itself cannot "
        "collapse; the network x' = Wσ(VPx) does, in φ₁* of e^{−tV}x (row 3: where x grows slower than e^{λ₁t})"
    )
    observed = (
        f"(12.1): row 1 only grows: {grew}; largest |z| of rows 2, 3 relative to the start {kept[0]:.2f}, {kept[1]:.2f}. "
        f"Network: {lines} lines in row 1; |φ₁*| relative to the start {tanh_left:.1e} in row 2, {relu_left:.1e} in row 3 "
        f"(x grows like e^({rate:.2f} t), λ₁ = {spectrum.lam:.2f})"
    )
    held = grew and min(kept) > 0.5 and lines <= 3 and tanh_left < 1e-3 and (relu_left < 0.1 or not is_slow)
    notes = (
        "erratum: under (12.1) as printed the extreme tokens listen to themselves and stand still, so nothing collapses to 0 "
        "(two integrators agree); all three printed outcomes are those of the network, rescaled",
        "Euler steps; no public code exists for this figure, seed and W are ours; row 1 of (12.1) slides along ties and its "
        "places depend on the step by about 1 %",
    )  # fmt: skip
    return Drawn(fig, data, expected, bool(held), observed, notes)
