"""Spectra of the matrices of heads, from products of the size of a head."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..evolution import Trajectory
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
    alignment: np.ndarray | None = None
    """Mean squared cosine of tokens with the dominating eigenspace, over its chance value k/d; with a run."""

    @property
    def dominant(self) -> np.ndarray:
        """The class of the largest eigenvalue of the drift: positive, negative or complex."""
        top = np.take_along_axis(self.drift, np.argmax(np.real(self.drift), axis=-1)[..., None], axis=-1)[..., 0]
        is_real = np.abs(np.imag(top)) <= 1e-9 * np.abs(top)
        return np.where(~is_real, "complex", np.where(np.real(top) > 0, "positive", "negative"))

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


def spectra(model: Model, run: Trajectory | None = None) -> Spectra:
    """Spectra of all heads, with the gains of the norm that attention reads through folded in.

    >>> import attnflow as af
    >>> model = af.models.random_albert()
    >>> af.spectra(model).symmetry.shape
    (1, 2)
    """
    layers = [0] if model.is_shared else list(range(model.depth))
    found = [_of_layer(model, layer) for layer in layers]
    symmetry, copying, values, drift, spaces = (
        [[one[i] for one in row] for row in found] for i in range(5)
    )  # fmt: skip
    alignment = None if run is None else _alignment(model, run, layers, spaces)
    return Spectra(np.array(symmetry), np.array(copying), np.array(values), np.array(drift), alignment)


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
    top = np.argmax(np.real(drift))
    space = np.stack([np.real(W @ vectors[:, top]), np.imag(W @ vectors[:, top])], axis=1)
    is_real = np.abs(drift[top].imag) <= 1e-9 * np.abs(drift[top])
    basis = np.linalg.qr(space[:, :1] if is_real else space)[0]
    return symmetry, (values.sum() / np.abs(values).sum()).real, values.astype(complex), drift.astype(complex), basis


def _alignment(model: Model, run: Trajectory, layers, spaces) -> np.ndarray:
    """After the layer a space belongs to; for shared weights at the end."""
    x = np.asarray(run.x, float)
    u = x / np.linalg.norm(x, axis=-1, keepdims=True)
    states = u[[-1]] if model.is_shared else u[1:]
    return np.array([
        [float(np.mean(np.sum((state @ basis) ** 2, axis=1)) * model.d / basis.shape[1]) for basis in row]
        for state, row in zip(states, spaces)
    ])  # fmt: skip
