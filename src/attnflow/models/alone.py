"""Attention alone: the heads of a layer as the papers write them, from the real tokens, against where theory sends them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.evolution import Trajectory, layers
from ..engine.linalg.arguments import as_annotated
from ..engine.summation.tiled import Tiled
from ..theory.sphere.several_heads import DominantPlane, dominant_plane, head_matrices, in_layers
from ..theory.sphere.signed_states import WORK, SignedStates, signed_states
from .as_flow import as_flow, first_made
from .depth import mean_cosines
from .model import Model

FOLLOWED = 40
"""Layers of attention alone."""
THOROUGH = 2.5e9
"""Work of the search for signed states where one layer is applied for ever and a state at rest is one of the model."""


@dataclass(frozen=True)
class Alone:
    """Tokens under attention alone: together, in the dominating eigenspace of ΣV_h, or as an opposite pair at rest."""

    cosine: np.ndarray
    """Mean cosine of pairs by layer."""
    plane: DominantPlane
    """Where one cluster ends: the space that a layer stretches most."""
    aligned: np.ndarray
    """Mean squared cosine of tokens with it by layer."""
    signed: SignedStates | None
    """Opposite pairs at rest; None where heads have masks or positions, so that pairs do not stay opposite."""
    paired: np.ndarray
    """Mean squared cosine of tokens with the axis of each signed state, by state and layer."""
    minority: float
    """Share of tokens that end on the smaller side of the axis on which they lie."""

    @property
    def chance(self) -> float:
        """The squared cosine of a random direction with the dominating space."""
        k, d = self.plane.basis.shape
        return k / d

    def data(self) -> dict[str, Any]:
        """As plain numbers, for machines."""
        states = [] if self.signed is None else self.signed.states
        return {
            "cosine": self.cosine, "alignment": self.aligned, "chance": self.chance, "dimension": len(self.plane.basis),
            "eigenvalue": [1 + self.plane.value.real, self.plane.value.imag], "minority": self.minority,
            "signed_states": None if self.signed is None else {
                "found": [{"signs": list(s.signs), "eigenvalue": s.value, "alignment": a} for s, a in zip(states, self.paired)],
                "tried": self.signed.tried, "of": self.signed.of,
            },
        }  # fmt: skip


@as_annotated
def alone(model: Model, run: Trajectory) -> Alone:
    """Follow the heads of the first layer of a recorded run without anything else."""
    layer = first_made(model)
    flow: Any = as_flow(model, layer=layer, keep="attention")
    walked = layers(flow, run.at(layer), FOLLOWED, summation=Tiled())  # pyright: ignore[reportArgumentType]
    x, heads = np.asarray(walked.x, float), head_matrices(flow, model.d)
    plane = dominant_plane(_total(flow), in_layers)
    signed = None
    if heads is not None:
        signed = signed_states(heads, size=in_layers, work=THOROUGH if model.is_shared else WORK)
    axes = np.stack([state.v for state in signed.states]) if signed and signed.states else np.zeros((0, model.d))
    return Alone(
        mean_cosines(walked), plane, plane.alignment(x), signed, np.mean((x @ axes.T) ** 2, axis=1).T, _minority(x[-1])
    )


def _total(flow) -> np.ndarray:
    """ΣV_h, with the factor of the flow."""
    W, V = (
        np.concatenate([np.asarray(getattr(F, M)) for _, F in flow.attention.heads], axis=a)
        for M, a in (("W", 1), ("V", 0))
    )
    return float(flow.V) * W @ V


def _minority(x: np.ndarray) -> float:
    axis = np.linalg.svd(x, full_matrices=False)[2][0]
    share = float(np.mean(x @ axis > 0))
    return min(share, 1 - share)
