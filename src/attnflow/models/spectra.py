"""Spectra of the matrices of heads, from products of the size of a head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..engine.evolution import Trajectory
from ..engine.linalg.arguments import as_annotated
from ..errors import BadInput, quoted
from .as_flow import folded
from .model import Model


@dataclass(frozen=True)
class Spectra:
    """One row per layer and head; arrays have shape (layers, heads), eigenvalues one more axis."""

    symmetry: np.ndarray
    r"""$(\|S\|^2 - \|A\|^2)/\|B\|^2$ of the symmetric and skew parts of $B = Q^\top K$: 1 symmetric, −1 skew."""
    copying: np.ndarray
    r"""$\sum\lambda/\sum|\lambda|$ of $WV$: 1 copies, −1 turns round (Elhage et al. 2021)."""
    values: np.ndarray
    """Eigenvalues of W V, complex."""
    drift: np.ndarray
    r"""Eigenvalues of $V_hB_h^\top$, whose dominating ones steer tokens at low temperature (arXiv 2605.10931)."""
    dominant: np.ndarray
    """What the eigenvalue of $V_hB_h^\\top$ with the largest real part is: positive, complex, zero (where all others of a
    singular matrix lie below its kernel) or negative."""
    alignment: np.ndarray | None = None
    """Mean squared cosine of tokens with the dominating eigenspace, over its chance value k/d; with a run."""

    def rows(self) -> list[dict]:
        """A table with one entry per head."""
        layers, heads = self.symmetry.shape
        return [
            {
                "layer": l, "head": h, "symmetry": float(self.symmetry[l, h]), "copying": float(self.copying[l, h]),
                "dominant": str(self.dominant[l, h]),
                "alignment": None if self.alignment is None else float(self.alignment[l, h]),
            }
            for l in range(layers) for h in range(heads)
        ]  # fmt: skip


@as_annotated
def spectra(model: Model, run: Trajectory | None = None) -> Spectra:
    """Spectra of all heads, with the gains of the norm that attention reads through folded in.

    >>> import attnflow as af
    >>> model = af.models.random_albert()
    >>> af.spectra(model).symmetry.shape
    (1, 2)
    """
    layers = [0] if model.is_shared else list(range(model.depth))
    found = [_of_layer(model, layer) for layer in layers]
    symmetry, copying, values, drift, dominant, spaces = (
        [[one[i] for one in row] for row in found] for i in range(6)
    )  # fmt: skip
    alignment = None if run is None else _alignment(model, run, spaces)
    return Spectra(
        np.array(symmetry), np.array(copying), np.array(values), np.array(drift), np.array(dominant), alignment
    )


def _of_layer(model: Model, layer: int):
    heads = model.heads(layer)
    norm = model.reading(layer) or model.block(layer).sublayers[-1].closing
    assert norm is not None
    Q, K, V = (folded(M, norm) for M in (heads.Q, heads.K, heads.V))
    groups = np.arange(heads.count) * len(K) // heads.count
    return [_of_head(*matrices) for matrices in zip(Q, K[groups], V[groups], np.asarray(heads.W))]


def _of_head(Q, K, V, W):
    KQ = K @ Q.T
    symmetry = np.trace(KQ @ KQ) / np.sum((Q @ Q.T) * (K @ K.T))
    values = np.linalg.eigvals(V @ W)
    drift, vectors = np.linalg.eig((V @ K.T) @ (Q @ W))
    kind, space = _dominating(drift, Q, W @ vectors)
    copying = (values.sum() / np.abs(values).sum()).real
    return symmetry, copying, values.astype(complex), drift.astype(complex), kind, space


class Space(NamedTuple):
    """An eigenspace by an orthonormal basis, or by one of what is orthogonal to it."""

    basis: np.ndarray
    is_complement: bool = False

    def alignment(self, u) -> float:
        """Mean squared cosine of the rows of u with the space, over its chance value."""
        d, k = self.basis.shape
        inside = float(np.mean(np.sum((u @ self.basis) ** 2, axis=1)))
        return (1 - inside) * d / (d - k) if self.is_complement else inside * d / k


def _dominating(drift, Q, vectors) -> tuple[str, Space]:
    """The class of the eigenvalue with the largest real part on all of R^d, and its space."""
    top = int(np.argmax(np.real(drift)))
    if drift[top].real <= 0 and len(drift) < Q.shape[1]:
        return "zero", Space(np.linalg.qr(Q.T)[0], is_complement=True)
    vector = vectors[:, top]
    if np.abs(drift[top].imag) <= 1e-9 * np.abs(drift[top]):
        return "positive" if drift[top].real > 0 else "negative", Space(np.linalg.qr(np.real(vector)[:, None])[0])
    return "complex", Space(np.linalg.qr(np.stack([np.real(vector), np.imag(vector)], axis=1))[0])


def _alignment(model: Model, run: Trajectory, spaces) -> np.ndarray:
    """After the layer a space belongs to; for shared weights at the end."""
    x = np.asarray(run.x, float)
    if x.shape[-1] != model.d or len(x) != model.depth + 1:
        raise BadInput(f"{quoted(run)} is no run of this model: record one with af.record(model, prompt)")
    u = x / np.linalg.norm(x, axis=-1, keepdims=True)
    states = u[[-1]] if model.is_shared else u[1:]
    return np.array([[space.alignment(state) for space in row] for state, row in zip(states, spaces)])
