"""A certified limit: the data that `limit` returns."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .polytope import vertices_and_faces


@dataclass(frozen=True)
class Certificate:
    """Why a limit is believed: what was seen at `time`, and how far tokens can still stray."""

    holds: bool
    time: float
    gap: float
    """The smallest gap in logits between the best and the second best token of a row."""
    error: float
    """Bound on the distance of the limits to the true ones: what is proved for tokens that are at `time` where the run
    says, plus `integration`."""
    words: str
    integration: float = 0.0
    """By how much the limits of a run with a hundred times the tolerance differ, plus the tolerance."""


@dataclass(frozen=True)
class Limit:
    """The limit of every rescaled token, as far as theory and the run can tell."""

    case: str
    z: np.ndarray | None
    """Limits; on hyperplanes the coordinates inside the planes are those at the certificate's time. None: no limit."""
    leaders: np.ndarray | None
    """The token that each token ends on, or listens to."""
    certificate: Certificate
    words: str
    P: np.ndarray | None = None
    """The limit of the attention matrix."""
    coordinates: np.ndarray | None = None
    """Dominant coordinates φ*(z_i) in the limit, one column per dimension of the dominant space."""
    planes: np.ndarray | None = None
    """The distinct limits of φ₁* (hyperplane case)."""
    x: np.ndarray | None = None
    """The limit of x itself, where that exists."""
    undecided: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    """Tokens at unstable fixed points: any disturbance sends them elsewhere."""
    notes: tuple[str, ...] = ()

    @property
    def vertices(self) -> np.ndarray | None:
        """The distinct leaders."""
        return None if self.leaders is None else np.unique(self.leaders[self.leaders >= 0])

    @property
    def polytope(self):
        """Vertices (indices of tokens) and faces (rows of such indices) of the hull of the limits."""
        if self.z is None or self.vertices is None:
            return None
        points = (self.z if self.coordinates is None else self.coordinates)[self.vertices]
        corners, faces = vertices_and_faces(points)
        return self.vertices[corners], self.vertices[faces]
