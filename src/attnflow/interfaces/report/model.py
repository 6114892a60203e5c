"""Report on a trained model: one page, its figures, and its numbers."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib as mpl
import numpy as np

from ...draw.style import save_figure, style
from ...engine.files.whole import text_in, told_where
from ...models.consensus import Consensus
from ...models.regimes import TRUSTED
from ...models.study import Study, as_data
from .blocks import Block
from .model_figures import FIGURES, THEORIES
from .pages import as_html

FRAMES = {
    "raw": '"raw", the hidden states themselves',
    "sphere": '"sphere", directions before gain and bias of the norms',
}


def write_model_report(study: Study, folder: Path, *, plain) -> dict[str, str]:
    """Page, figures and numbers in a folder; `plain` turns numbers into what JSON can hold."""
    with told_where(folder):
        folder.mkdir(parents=True, exist_ok=True)
    # Numbers at axes need no typesetting, which would take a third of the time.
    with style(), mpl.rc_context({"axes.formatter.use_mathtext": False}):
        for name, (draw, _) in FIGURES.items():
            save_figure(draw(study), folder / f"{name}.png", dpi=130)
    text_in(folder, "report.json", json.dumps(plain(as_data(study)), indent=1))
    text_in(folder, "index.html", as_html(model_story(study), folder=folder))
    files = {"index.html": "the report as one page", "report.json": "every number of it"}
    return files | {f"{name}.png": words for name, words in captions(study).items()}


def captions(study: Study) -> dict[str, str]:
    """What each figure shows of this study: layers with weights of their own are no ODE."""
    words = {name: told for name, (_, told) in FIGURES.items()}
    words["3-parts"] += ", and with its layers made infinitely thin (ODE)." if "as an ODE" in study.ablated else "."
    framed = ("1-cosine", "2-staircase", "3-parts")
    return words | {name: f"{words[name]} Frame: {FRAMES[study.frame]}." for name in framed}


def model_story(study: Study) -> list[Block]:
    """The report from top to bottom."""
    model = study.model
    blocks = [
        Block("heading", f"{model.name}: a trained Transformer as a flow"),
        Block("text", f"One prompt of n = {study.tokens} tokens; every number here is of this prompt alone."),
        Block("items", [f"{name}: {value}" for name, value in model.facts().items()]),
        Block("heading", "What was found"),
        Block("items", findings(study)),
    ]
    for name, words in captions(study).items():
        blocks.append(Block("picture", f"{name}.png", words))
    blocks += [Block("heading", "Tokens that came together"), _groups(study)] if study.iterated else []
    heads = Block(
        "folded", [_heads(study)], f"Every head: {study.regimes.names.size} rows, the shuffled ones in report.json"
    )
    blocks += [Block("heading", "Heads"), heads, Block("heading", "Checks of the weights"), _checks(study)]
    return [*blocks, Block("heading", "Notes"), Block("items", _notes(study))]


def findings(study: Study) -> list[str]:
    """Statements with their numbers and their control."""
    n, depth = study.tokens, study.depth
    last, falls = zip(*[(control.cosine[-1], control.violations) for control in study.shuffled])
    found = [
        f"Mean cosine of pairs goes from {depth.cosine[0]:.3f} to {depth.cosine[-1]:.3f} over {study.model.depth} layers "
        f"(n = {n}; frame {FRAMES[study.frame]}{_elsewhere(study)}); with shuffled weights to {np.mean(last):.3f} "
        f"({len(last)} controls, {min(last):.3f} to {max(last):.3f}), "
        f"untrained to {study.untrained.cosine[-1]:.3f}.",
        f"The energy at β = {depth.beta:g} falls in {depth.violations} of {study.model.depth} layers (shuffled: {_span(falls)}); "
        "a gradient flow of attention never lets it.",
        _regime_line(study),
        _beta_line(study),
        _class_line(study),
        _rate_line(study),
        *_many_layers_line(study),
        _parts_line(study),
        *_alone_lines(study),
    ]
    if study.consensus is not None:
        found.append(f"One cluster: {_consensus(study.consensus)}; shuffled: {_consensus(study.control_consensus)}.")
    if study.rogues:
        list_ = ", ".join(f"{r.coordinate} in layer {r.layer} ({r.share:.0%} of the energy)" for r in study.rogues[:6])
        found.append(
            f"Coordinates hidden by a gain near zero hold much of the sphere state: {list_}; with shuffled weights there are "
            f"{len(study.control_rogues) or 'none'}, in the model {len(study.rogues)}."
        )
    return found


def _elsewhere(study: Study) -> str:
    if study.elsewhere is None:
        return ""
    frame, cosine = study.elsewhere
    dropped = ", without coordinates of gain near 0" if frame == "sphere" and study.rogues else ""
    return f"; in the frame {FRAMES[frame]}{dropped}, from {cosine[0]:.3f} to {cosine[-1]:.3f}"


def _span(counts) -> str:
    low, high = min(counts), max(counts)
    return f"{low}" if low == high else f"{low} to {high}"


def _consensus(found: Consensus | None) -> str:
    if found is None or found.verdict not in ("stable", "unstable"):
        return found.verdict if found is not None else "not asked"
    return (
        f"a {found.verdict} state of the layer, where differences of tokens are multiplied by up to "
        f"{np.abs(found.transverse).max():.4f} per layer, common motion by {np.abs(found.parallel).max():.4f}"
    )


def _regime_line(study: Study) -> str:
    def counted(data):
        names, counts = np.unique(data.names, return_counts=True)
        return ", ".join(f"{count} {name}" for name, count in zip(names, counts))

    def medians(data):
        return ", ".join(f"{words} {np.median(getattr(data, name)):.2f}" for name, words in THEORIES)

    own, other = study.regimes, study.control_regimes
    return (
        f"Nearest theory of what {own.names.size} heads hear: {counted(own)} (shuffled: {counted(other)}). "
        f"Median cosines: {medians(own)} (shuffled: {medians(other)})."
    )


def _beta_line(study: Study) -> str:
    own, other = study.regimes, study.control_regimes
    trusted, control = (int(np.sum(r.r2 >= TRUSTED)) for r in (own, other))
    return (
        f"An inverse temperature of B = I explains the scores of {trusted} of {own.r2.size} heads (R² ≥ {TRUSTED}; shuffled: "
        f"{control}); median R² {np.median(own.r2):.2f} (shuffled {np.median(other.r2):.2f})"
        + (f", median β of those {np.nanmedian(own.trusted_beta):.2f}." if trusted else ".")
    )


def _class_line(study: Study) -> str:
    def counted(found):
        names, counts = np.unique(found.dominant, return_counts=True)
        return ", ".join(f"{name} in {count}" for name, count in zip(names, counts))

    both = [np.median(s.alignment) for s in (study.spectra, study.control_spectra) if s.alignment is not None]
    return (
        f"The dominating eigenvalue of V_h B_hᵀ is {counted(study.spectra)} of {study.spectra.dominant.size} heads (shuffled: "
        f"{counted(study.control_spectra)}); tokens align with its space {both[0]:.2f} times as much as by chance (median; "
        f"shuffled {both[1]:.2f})."
    )


def _rate_line(study: Study) -> str:
    inside, beyond = study.rates[: study.model.depth], study.rates[study.model.depth :]
    later = f", {np.mean(beyond):+.3f} in the {len(beyond)} beyond it" if len(beyond) else ""
    return (
        f"Small differences grow at {np.mean(inside):+.3f} per layer inside the trained depth{later} (mean rate; shuffled: "
        f"{np.mean(study.control_rates):+.3f} inside)."
    )


def _many_layers_line(study: Study) -> list[str]:
    if study.iterated is None:
        return []
    found, control = study.iterated.depth, study.iterated.control
    return [
        f"Applied again and again ({study.iterated.what}, {study.iterated.at[-1]} layers), {study.tokens} tokens are in "
        f"{found.clusters[-1]:.0f} clusters at a mean cosine of {found.cosine[-1]:.3f} (shuffled: {control.clusters[-1]:.0f} at "
        f"{control.cosine[-1]:.3f})."
    ]


def _parts_line(study: Study) -> str:
    count = len(study.ablated["whole"]) - 1
    ends = ", ".join(f"{name} {values[-1]:.3f}" for name, values in study.ablated.items())
    return (
        f"Mean cosine after {count} layers where what a part adds is set to 0 and norms stay (zero ablation), the whole as "
        f"control: {ends}."
    )


def _alone_lines(study: Study) -> list[str]:
    """Where attention alone sends the tokens, and which opposite pairs would rest."""
    own, other = study.alone, study.control_alone
    count, what = len(own.cosine) - 1, "axis" if len(own.plane.basis) == 1 else "plane"
    lines = [
        f"Attention alone, {count} layers of it from the same tokens: mean cosine {own.cosine[-1]:.3f} (shuffled "
        f"{other.cosine[-1]:.3f}), {own.minority:.0%} of tokens on the smaller side ({other.minority:.0%}); squared cosine with "
        f"the dominating {what} of ΣV_h {own.aligned[-1]:.3f} (chance {own.chance:.3f}; shuffled, with its own, "
        f"{other.aligned[-1]:.3f})."
    ]
    if own.signed is not None and other.signed is not None:
        reached = (
            f"; tokens come to a squared cosine of at most {own.paired.max():.2f} with it" if len(own.paired) else ""
        )
        lines.append(
            f"Signed states, opposite clusters that rest under attention alone at low temperature: {own.signed.words}{reached}; "
            f"shuffled: {other.signed.words}."
        )
    return lines


def _groups(study: Study) -> Block:
    assert study.iterated is not None
    rows = [["layer", "largest clusters of two tokens or more"]]
    for k, groups in study.iterated.groups:
        words = " | ".join(" ".join(group[:14]) + (" …" if len(group) > 14 else "") for group in groups)
        rows.append([str(k), words or "none: all tokens apart"])
    return Block("table", rows)


def _heads(study: Study, most: int = 1000) -> Block:
    columns = ("layer", "head", "regime", "n_eff", "share", "gaussian", "hardmax", "laplace", "beta", "r2", "sink")
    rows: list[list[str]] = [list(columns)]
    for row in study.regimes.rows()[:most]:
        rows.append([f"{row[c]:.3g}" if isinstance(row[c], float) else str(row[c]) for c in columns])
    return Block("table", rows)


def _checks(study: Study) -> Block:
    rows = [["law", "largest violation", "allowed", ""]]
    rows += [[law.words, f"{law.error:.1e}", f"{law.tol:.0e}", "holds" if law.holds else "FAILS"] for law in study.laws]
    return Block("table", rows)


def _notes(study: Study) -> list[str]:
    return [
        *study.notes,
        f"frame of all cosines along depth: {FRAMES[study.frame]}",
        "pairs i ≠ j; clusters are chains of steps of at most 0.1 on the unit sphere",
        "n_eff is the median of 1/Σ_j P_ij²; β is the slope of scores on cosines with the means of rows removed",
        "shuffled: entries of every matrix of the layers permuted, norms, offsets and embedding kept",
        "signed state: a pair ±v, v the dominating eigenvector of Σ s_h V_h with s_h = sgn⟨v, B_h v⟩ for every head h",
    ]
