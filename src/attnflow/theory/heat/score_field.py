"""Score ∇log ρ of data, estimated from its entropic self-transport."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...engine.linalg.arguments import as_annotated
from .cloud_resolution import Resolution, resolution, warnings_of
from .self_transport import SelfTransport, self_transport


@dataclass(frozen=True)
class ScoreField:
    r"""$\nabla\log\rho \approx 2(\mathrm{bary} - x)/\varepsilon$, with bias of order ε and what limits it."""

    transport: SelfTransport
    resolution: Resolution
    notes: tuple[str, ...]

    @property
    def at_tokens(self) -> np.ndarray:
        return 2 * (self.transport.bary - self.transport.x) / self.transport.eps

    def __call__(self, points) -> np.ndarray:
        """The score at any points."""
        points = np.atleast_2d(np.asarray(points, float))
        return 2 * (self.transport.at(points) - points) / self.transport.eps


@as_annotated
def score_field(mu, eps: float, *, is_sampled: bool = True, tol: float = 1e-12) -> ScoreField:
    r"""Estimate $\nabla\log\rho$ of the law that `mu` samples (or, with is_sampled=False, integrates as quadrature nodes).

    Source: Mordant 2024 (arXiv 2412.12007).
    """
    transport = self_transport(mu, eps, tol=tol)
    seen = resolution(transport, is_sampled=is_sampled)
    return ScoreField(transport, seen, warnings_of(seen))
