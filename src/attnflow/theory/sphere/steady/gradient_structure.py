"""Gradient structure of a flow: V = cB on the sphere, read as ascent or descent of the interaction energy of βB."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....engine.attention import Softmax, Unnormalised
from ....engine.flow import Flow
from ....engine.flow.normalisation import PostLN
from ....engine.linalg.arguments import as_annotated
from ....engine.linalg.matrices import dense, is_concrete, is_scheduled
from ....engine.spaces import Sphere
from ....errors import BadInput, quoted

NORMALISATIONS = ("SA", "USA")


def square_matrix(B, d: int | None = None) -> np.ndarray:
    """B as a finite square float64 matrix; a number means that multiple of the identity and needs d."""
    try:
        matrix = np.asarray(B, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"B must be a number or a square matrix of numbers, got {type(B).__name__}") from None
    if matrix.ndim == 0:
        if d is None:
            raise BadInput("B is a number: say the dimension too, for example d=3, or give a matrix")
        matrix = float(matrix) * np.eye(d)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise BadInput(f"B must be square, got shape {matrix.shape}")
    if not np.all(np.isfinite(matrix)):
        raise BadInput("B must be finite, but contains NaN or infinity")
    if d is not None and len(matrix) != d:
        raise BadInput(f"B has shape {matrix.shape}, but the dimension is {d}")
    return matrix


def check_normalisation(normalisation: str) -> str:
    if normalisation not in NORMALISATIONS:
        raise BadInput(f'normalisation must be "SA" (softmax) or "USA" (constant), got {quoted(normalisation)}')
    return normalisation


def symmetric_part(B: np.ndarray) -> np.ndarray:
    return B / 2 + B.T / 2


def is_symmetric(B: np.ndarray) -> bool:
    return bool(np.abs(B - B.T).max() <= 1e-12 * max(1.0, np.abs(B).max()))


@dataclass(frozen=True)
class Structure:
    r"""A flow on the sphere with $V = cB$: how it reads as ascent or descent of the energy of βB.

    `speed` $= |c|/\beta$ multiplies every rate computed for the matrix βB with $V = \pm\beta B$.
    """

    B: np.ndarray
    """βB."""
    sign: int
    """+1 ascent, −1 descent."""
    speed: float
    normalisation: str


@as_annotated
def structure(flow, d: int) -> Structure | None:
    """The gradient structure of a flow, or None when V is not a multiple of B or the flow has other parts."""
    if not _is_plain(flow):
        return None
    try:
        B, V = np.asarray(flow.attention.score.B(d), float), np.asarray(dense(flow.V, d), float)
    except (TypeError, ValueError):
        return None
    beta = float(flow.attention.score.beta)
    if B.shape != V.shape or B.shape != (d, d) or not np.any(B) or beta <= 0:
        return None
    c = float(np.vdot(B, V) / np.vdot(B, B))
    if c == 0 or np.abs(V - c * B).max() > 1e-6 * np.abs(V).max():
        return None
    normalisation = "SA" if isinstance(flow.attention, Softmax) else "USA"
    return Structure(beta * B, 1 if c > 0 else -1, abs(c) / beta, normalisation)


def _is_plain(flow) -> bool:
    if not isinstance(flow, Flow) or not isinstance(flow.space, Sphere) or not is_concrete(flow) or is_scheduled(flow):
        return False
    rule = flow.attention
    if rule.is_affine():
        return False
    is_known = type(rule) is Softmax or (
        type(rule) is Unnormalised and isinstance(rule.scale, str) and rule.scale == "mean"
    )
    return is_known and type(flow.normalisation) is PostLN and flow.feed_forward is None and flow.noise is None
