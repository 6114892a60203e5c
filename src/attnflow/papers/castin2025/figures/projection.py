"""Gaussian projection of a rule that does not close, beside the tokens it stands for."""

from __future__ import annotations

import numpy as np

from ....draw.style import PALETTE, SLATE, new_figure, styled
from ....engine.attention import Unnormalised
from ....engine.evolution import evolve
from ....engine.evolution.gaussian import evolve_projection
from ....engine.flow import Flow
from ....engine.measures import Gaussian
from ....engine.spaces import Euclidean
from ....theory.gaussian.mean_field import sample
from ...figure import Drawn, figure


@figure("projection", "Unnormalised attention: the Gaussian projection beside tokens, and their excess kurtosis")
def projection(*, full: bool, seed: int) -> Drawn:
    flow = Flow(Euclidean(), Unnormalised([[0.3, 0.1], [-0.1, 0.2]]), V=-np.eye(2))
    mu, save = Gaussian([0.0, 0.0], [[0.9, -0.2], [-0.2, 0.5]]), 21
    near = evolve_projection(flow, mu, until=1.0, save=save)
    cloud = evolve(flow, sample(mu, 8192 if full else 1024, seed=seed), until=1.0, save=save, tol=1e-7)
    x = np.asarray(cloud.x)
    traces = np.trace(np.asarray(near.cov), axis1=1, axis2=2), np.var(x, axis=1).sum(axis=-1)
    kurtosis = excess_kurtosis(x)
    gap = float(np.abs(traces[0] / traces[1] - 1).max())
    bend = float(np.abs(kurtosis[-1] - kurtosis[0]).max())
    data = {"ts": np.asarray(near.ts), "projected": traces[0], "tokens": traces[1], "kurtosis": kurtosis}
    observed = f"largest relative gap of the traces {gap:.2g}; kurtosis moves by {bend:.2g}"
    expected = "the projection is close to the tokens, whose kurtosis leaves that of a Gaussian by 0.01 to 0.2"
    held = gap < 0.05 and 0.01 < bend < 0.2
    return Drawn(_projection_page(data), data, expected, held, observed, ("the projection is APPROXIMATE",))


def excess_kurtosis(x) -> np.ndarray:
    """Of each coordinate at each time, E z⁴ − 3 for the standardised coordinate z; tokens are (…, n, d)."""
    z = (x - x.mean(axis=-2, keepdims=True)) / x.std(axis=-2, keepdims=True)
    return (z**4).mean(axis=-2) - 3


@styled
def _projection_page(data):
    page = new_figure(7.6, 2.9)
    left, right = page.subplots(1, 2)
    left.plot(data["ts"], data["tokens"], "o", color=SLATE, markersize=3.5, label="tokens")
    left.plot(data["ts"], data["projected"], color=PALETTE[0], label="Gaussian projection (approximate)")
    left.set(xlabel="$t$", ylabel=r"$\mathrm{tr}\,\Sigma$", title="covariance")
    left.legend()
    for k in range(data["kurtosis"].shape[1]):
        right.plot(data["ts"], data["kurtosis"][:, k], color=PALETTE[k], label=f"$x_{k + 1}$")
    right.axhline(0, color=SLATE, linewidth=0.6, linestyle=":")
    right.set(xlabel="$t$", ylabel="excess kurtosis", title="tokens: 0 is Gaussian")
    right.legend()
    return page
