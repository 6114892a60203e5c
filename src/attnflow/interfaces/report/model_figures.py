"""Pictures of a study of a trained model: depth, heads, parts, stability."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from ...draw.style import INK, PALETTE, SLATE, new_figure, styled
from ...models.study import Study

THEORIES = (("gaussian", "Gaussian closure"), ("hardmax", "hardmax"), ("laplace", "low temperature"))


@styled
def cosines_by_depth(study: Study) -> Figure:
    """Figure 1: mean cosine by depth, trained against shuffled and untrained."""
    fig = new_figure(6.4, 3.6)
    ax = fig.subplots()
    layers = np.arange(study.model.depth + 1)
    for k, control in enumerate(study.shuffled):
        ax.plot(layers, control.cosine, color=PALETTE[1], linewidth=1, label="entries shuffled" if k == 0 else None)
    ax.plot(layers, study.untrained.cosine, color=SLATE, linewidth=1, linestyle="--", label="not trained")
    ax.plot(layers, study.depth.cosine, color=PALETTE[0], marker="o", markersize=4, label="trained")
    ax.set(xlabel="layers passed", ylabel="mean cosine of pairs", ylim=(min(0, study.depth.cosine.min()) - 0.05, 1.03))
    ax.legend(loc="best")
    return fig


@styled
def staircase(study: Study) -> Figure:
    """Figure 2: clusters and energy of the model applied again and again."""
    found = study.iterated
    assert found is not None
    fig = new_figure(6.4, 5.2)
    top, bottom = fig.subplots(2, 1, sharex=True)
    top.step(found.at, found.depth.clusters, where="post", color=PALETTE[0], label="trained")
    top.step(found.at, found.control.clusters, where="post", color=PALETTE[1], linewidth=1, label="entries shuffled")
    for depth, width, words in ((found.depth, 1.6, "trained"), (found.control, 0.9, "shuffled")):
        bottom.plot(found.at, depth.cosine, color=PALETTE[2], linewidth=width, label=f"mean cosine, {words}")
        # All tokens at one place have the energy e^β/(2β).
        one = np.exp(depth.beta) / (2 * depth.beta)
        bottom.plot(found.at, depth.energy / one, color=PALETTE[3], linewidth=width, label=f"energy, {words}")
    for ax in (top, bottom):
        ax.axvline(study.model.depth, color=SLATE, linestyle=":", linewidth=1)
    top.set(ylabel="clusters (angle 0.1)", ylim=(0, None))
    top.legend(loc="best")
    top.annotate("trained depth", (study.model.depth, 0), xycoords=("data", "axes fraction"), xytext=(4, 4),
                 textcoords="offset points", fontsize=8, color=SLATE)  # fmt: skip
    bottom.set(xlabel=f"layers passed ({found.what})", ylabel="1 is one cluster", ylim=(None, 1.03))
    bottom.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return fig


@styled
def parts(study: Study) -> Figure:
    """Figure 3: the model without one of its parts, and as an ODE."""
    fig = new_figure(6.4, 3.6)
    ax = fig.subplots()
    for (name, values), colour in zip(study.ablated.items(), PALETTE):
        ax.plot(np.arange(len(values)), values, color=colour, label=name)
    ax.axvline(study.model.depth, color=SLATE, linestyle=":", linewidth=1)
    ax.set(xlabel="layers passed", ylabel="mean cosine of pairs", ylim=(None, 1.03))
    ax.legend(loc="best")
    return fig


@styled
def regime_map(study: Study) -> Figure:
    """Figure 4: how well three theories describe each head, against the share of tokens it hears."""
    fig = new_figure(6.4, 3.8)
    ax = fig.subplots()
    for (name, words), colour in zip(THEORIES, PALETTE):
        ax.scatter(
            study.regimes.share, getattr(study.regimes, name), s=14, color=colour, label=words, alpha=0.8, linewidth=0
        )
    ax.set(xlabel="share of tokens heard, $n_{eff}/n$", ylabel="median cosine with what is heard", ylim=(None, 1.03))
    _log_axis(ax)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    return fig


@styled
def drift_spectra(study: Study) -> Figure:
    """Figure 5: eigenvalues of V_h B_hᵀ, each head over its largest, and alignment of tokens with the dominating space."""
    fig = new_figure(7.2, 3.6)
    left, right = fig.subplots(1, 2)
    drift = study.spectra.drift
    scaled = (drift / np.abs(drift).max(axis=-1, keepdims=True)).reshape(-1)
    left.scatter(scaled.real, scaled.imag, s=5, color=PALETTE[0], alpha=0.4, linewidth=0)
    left.add_patch(_circle())
    left.set(xlabel="real part", ylabel="imaginary part", aspect="equal", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1),
             title="eigenvalues of $V_h B_h^T$")  # fmt: skip
    for data, colour, label in (
        (study.spectra, PALETTE[0], "trained"),
        (study.control_spectra, PALETTE[1], "shuffled"),
    ):
        assert data.alignment is not None
        values = np.sort(data.alignment.reshape(-1))
        right.plot(
            values, (np.arange(len(values)) + 1) / len(values), color=colour, label=label, drawstyle="steps-post"
        )
    right.axvline(1, color=SLATE, linestyle=":", linewidth=1)
    right.set(xlabel="alignment over chance", ylabel="share of heads", title="tokens and dominating space")
    _log_axis(right)
    right.legend(loc="lower right")
    return fig


def _log_axis(ax) -> None:
    """A logarithmic axis with a few plain numbers."""
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=8))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())


def _circle():
    return Circle((0, 0), 1, fill=False, edgecolor=SLATE, linewidth=0.7)


@styled
def symmetry_and_copying(study: Study) -> Figure:
    """Figure 6: symmetry of scores against copying of values, one dot per head, coloured by depth."""
    fig = new_figure(5.6, 3.8)
    ax = fig.subplots()
    control = study.control_spectra
    ax.scatter(
        control.copying, control.symmetry, s=14, facecolor="none", edgecolor=SLATE, linewidth=0.7, label="shuffled"
    )
    layers = np.broadcast_to(np.arange(len(study.spectra.symmetry))[:, None], study.spectra.symmetry.shape)
    dots = ax.scatter(study.spectra.copying, study.spectra.symmetry, s=22, c=layers, label="trained")
    ax.axhline(0, color=SLATE, linewidth=0.6)
    ax.axvline(0, color=SLATE, linewidth=0.6)
    ax.set(xlabel="copying of values ($-1$ turns round, $1$ copies)", ylabel="symmetry of scores", xlim=(-1.05, 1.05))
    if len(study.spectra.symmetry) > 1:
        fig.colorbar(dots, ax=ax, label="layer")
    ax.legend(loc="best")
    return fig


@styled
def exponents(study: Study) -> Figure:
    """Figure 7: growth of small differences, layer by layer."""
    fig = new_figure(6.4, 3.2)
    ax = fig.subplots()
    layers = np.arange(1, len(study.rates) + 1)
    ax.bar(layers, study.rates, color=np.where(study.rates > 0, PALETTE[1], PALETTE[0]), width=0.8)
    ax.plot(layers[: len(study.control_rates)], study.control_rates, ".", color=SLATE, label="entries shuffled")
    ax.axhline(0, color=INK, linewidth=0.6)
    ax.axvline(study.model.depth + 0.5, color=SLATE, linestyle=":", linewidth=1)
    ax.annotate("trained depth", (study.model.depth + 0.5, 0), xycoords=("data", "axes fraction"), xytext=(4, 4),
                textcoords="offset points", fontsize=8, color=SLATE)  # fmt: skip
    ax.set(xlabel="layer", ylabel="growth rate per layer")
    ax.legend(loc="best")
    return fig


@styled
def attention_alone(study: Study) -> Figure:
    """Figure 8: attention alone, as the papers write it, from the real tokens."""
    fig = new_figure(6.4, 4.0)
    ax = fig.subplots()
    found, control = study.alone, study.control_alone
    what = "dominating axis" if len(found.plane.basis) == 1 else "dominating plane"
    ax.plot(found.cosine, color=PALETTE[0], label="mean cosine of pairs")
    ax.plot(found.aligned, color=PALETTE[1], label=f"squared cosine with the {what} of $\\Sigma V_h$")
    for k, values in enumerate(found.paired):
        ax.plot(values, color=PALETTE[2], linewidth=1.2, label="squared cosine with a signed state" if k == 0 else None)
    ax.plot(control.cosine, color=PALETTE[0], linewidth=0.9, linestyle="--", label="mean cosine, entries shuffled")
    ax.plot(control.aligned, color=PALETTE[1], linewidth=0.9, linestyle="--")
    for values in control.paired:
        ax.plot(values, color=PALETTE[2], linewidth=0.9, linestyle="--")
    ax.axhline(found.chance, color=SLATE, linestyle=":", linewidth=1, label=f"chance for the {what.split()[1]}")
    ax.set(xlabel="layers of attention alone", ylim=(-0.03, 1.05))
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return fig


FIGURES = {
    "1-cosine": (cosines_by_depth, "Mean cosine of pairs of tokens by depth: trained, shuffled and untrained weights."),
    "2-staircase": (
        staircase,
        "The model applied again and again: clusters, mean cosine and energy, also shuffled.",
    ),
    "3-parts": (parts, "The model where what one part adds is set to 0 and norms stay (zero ablation)"),
    "4-regimes": (regime_map, "What heads hear: three theories of a head, one dot per head, layer and theory."),
    "5-drift": (drift_spectra, "Spectra of V_h B_hᵀ, and how far tokens align with its dominating eigenspace."),
    "6-symmetry": (symmetry_and_copying, "Scores and values: symmetry of QᵀK against copying of W V."),
    "7-exponents": (exponents, "Growth of small differences between prompts, layer by layer; dots: shuffled weights."),
    "8-attention": (
        attention_alone,
        "Attention alone from the real tokens, which is what the theory describes: one cluster ends in the dominating "
        "eigenspace of ΣV_h, two opposite ones in a signed state. Broken lines: shuffled.",
    ),
}
"""By the name of their file: how each is drawn and what it shows."""
