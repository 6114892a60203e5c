"""Figures of Sinkformers (Sander et al. 2022): kernels with their column sums, and clusters as eigenvalues near 1."""

from __future__ import annotations

import numpy as np

from ...draw.style import INK, PALETTE, SLATE, new_figure, styled
from ...engine.attention import Sinkhorn, Softmax, Unnormalised
from ...engine.flow import Flow, attention_matrix
from ...engine.measures import Particles
from ...engine.observe.clusters import clusters
from ...engine.observe.matrix import column_sums
from ...engine.spaces import Euclidean
from ...theory.heat.bridge import bridge
from ...theory.heat.self_transport import self_transport
from ...theory.heat.steps import Reverse
from ..figure import Drawn, figure


@figure("kernels", "Unnormalised, softmax and Sinkhorn attention, and their column sums")
@styled
def kernels(*, full: bool, seed: int) -> Drawn:
    """Figures 1 and 2."""
    rng = np.random.default_rng(seed)
    centres = np.repeat([[2.4, 0.6], [0.8, -0.4]], 5, axis=0)
    mu = Particles(centres + 0.3 * rng.normal(size=(10, 2)))
    rules = {"$K^0$": Unnormalised(), "$K^1$, softmax": Softmax(), "$K^∞$, Sinkhorn": Sinkhorn()}
    fig = new_figure(8.2, 3.2)
    axes = fig.subplots(1, 4, width_ratios=(1, 1, 1, 1.5))
    data = {}
    for axis, (name, rule) in zip(axes, rules.items()):
        P = np.asarray(attention_matrix(Flow(Euclidean(), rule), mu))
        shown = P / P.max()
        for i, j in zip(*np.nonzero(shown > 1e-12)):
            axis.plot([0, 1], [i, j], color=PALETTE[0], lw=3.2 * shown[i, j], alpha=0.75)
        axis.plot(np.zeros(10), range(10), "o", color=INK, ms=4)
        axis.plot(np.ones(10), range(10), "o", color=PALETTE[1], ms=4)
        axis.set(title=name, yticks=[], ylim=(9.6, -0.6))
        axis.set_xticks([0, 1], ["listens", "heard"])
        axis.spines[:].set_visible(False)
        axis.tick_params(length=0)
        data[name] = P
    profile, gaps = axes[-1], {}
    for count, colour in zip((1, 3, 5, 21, None), (PALETTE[k] for k in (1, 4, 2, 5, 0))):
        sums = column_sums(Flow(Euclidean(), Sinkhorn(iterations=count)), mu)
        gaps[count] = sums.mean_gap
        profile.semilogy(
            range(1, 11), sums.sums, "o-", ms=3, lw=1.2, color=colour, label="converged" if count is None else count
        )
    profile.set(title="Column sums after half-steps", xlabel="token, sorted")
    profile.legend(fontsize=7.5, title_fontsize=8)
    values = list(gaps.values())
    held = bool(np.all(np.diff(values) <= 1e-12) and gaps[None] < 1e-9)
    return Drawn(fig, data, "the gap of the columns never grows and vanishes at the end", held,
                 ", ".join(f"{k or 'converged'}: {v:.2g}" for k, v in gaps.items()))  # fmt: skip


@figure("clustering", "V = +I: Sinkhorn attention aggregates; eigenvalues near 1 count the clusters")
@styled
def clustering(*, full: bool, seed: int) -> Drawn:
    """The authors' particles: forty tokens, fifty steps x ← bary(x), and the spectrum of the attention matrix."""
    eps, steps, moments = 0.1, 50, (0, 5, 50)
    x = np.random.default_rng(seed).uniform(-2, 2, size=(40, 2))
    run = bridge(x, eps, steps=steps, step=Reverse())
    places = np.asarray(run.x)
    fig = new_figure(7.6, 3.3)
    left, right = fig.subplots(1, 2)
    left.plot(places[:, :, 0], places[:, :, 1], color=SLATE, lw=0.6, alpha=0.6)
    left.plot(*places[0].T, "o", color=PALETTE[0], ms=3.5, alpha=0.5)
    left.plot(*places[-1].T, "o", color=PALETTE[1], ms=5)
    left.set(aspect="equal", title="blue: first, red: after 50 layers")
    spectra = {}
    for k, colour in zip(moments, (PALETTE[0], PALETTE[4], PALETTE[1])):
        spectra[k] = np.sort(np.linalg.eigvals(self_transport(places[k], eps).matrix()).real)[::-1]
        right.plot(range(1, 41), spectra[k], "o-", ms=3, lw=1, color=colour, label=f"layer {k}")
    right.set(xlabel="index", ylabel="eigenvalue of P", title="Spectrum of the attention matrix")
    right.legend()
    near, count = int(np.sum(spectra[steps] > 0.99)), clusters(Particles(places[-1]), tol=0.1 * np.sqrt(eps)).count
    right.axvline(near + 0.5, color=INK, lw=0.8, ls=":")
    data = {"x": places} | {f"spectrum {k}": v for k, v in spectra.items()}
    observed = f"{near} eigenvalues above 0.99, {int(count)} clusters"
    return Drawn(fig, data, "as many eigenvalues near 1 as separated clusters", near == int(count), observed, run.notes)
