"""Terminal phase: two antipodal clusters that follow the spectrum of V alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from ...engine.linalg.arguments import as_annotated, shaped
from ...errors import BadInput

CLEAR = 0.15
"""Below this |⟨v, Bv⟩|/‖B‖ tokens on their way to v already listen to both clusters (seen in random planar runs)."""

THIN = 0.01
"""A change of sign of ⟨c, Bc⟩ that stays within this share of ‖B‖ is not felt at finite temperature."""


@dataclass(frozen=True)
class Terminal:
    """Where a pair of clusters at ±v is expected to end. A rule for two clusters, not a theorem: runs may keep more."""

    sign: int
    """Whether a cluster listens to itself (+1) or to its opposite (−1)."""
    q: np.ndarray
    clause: Literal["power", "cone", "gather", "outside"]
    words: str
    margin: float
    """|⟨c, Bc⟩|/‖B‖ at v, and at q where the pair ends there: how clearly clusters know whom they listen to.

    Below `CLEAR` the sign may turn out otherwise.
    """

    @property
    def is_clear(self) -> bool:
        return self.margin >= CLEAR


@as_annotated
def terminal_phase(V: ArrayLike, B: ArrayLike, v: ArrayLike) -> Terminal:
    r"""Follow clusters at ±v: each attends to $\mathrm{sgn}\cdot c$ with $\mathrm{sgn} = \mathrm{sign}\langle c, Bc\rangle$.

    $$\dot c = \mathrm{sgn}\cdot\Pi_c V c$$

    A pair that listens to its opposites (sgn = −1) at the eigenvector of λ < 0 leans to one side at the rate λ + ν for
    every other eigenvalue ν of V: it gathers in one cluster iff ν > |λ|. On the cone ⟨c, Bc⟩ = 0 pairs that listened to
    themselves stop; one that listened to its opposites may lean there, too, if V has a positive eigenvalue.
    Source: derived; Alcalde et al. 2026 (arXiv 2605.10931) only say that the spectrum of V dominates.
    """
    V = shaped(V, "V", "d d")
    B, v = shaped(B, "B", "d d", d=len(V)), shaped(v, "v", "d", d=len(V))
    if not np.any(v) or not np.any(B):
        raise BadInput("v and B must not vanish: clusters at ±v listen by the sign of ⟨v, Bv⟩")
    sign = 1 if v @ B @ v > 0 else -1
    clause, q, words = _clause(V, B, v, sign)
    # A pair that ends at q must know there, too, whom it listens to.
    margin = min(float(abs(c @ B @ c) / np.linalg.norm(B, 2)) for c in ((v, q) if clause == "power" else (v,)))
    if margin < CLEAR:
        words += f"; but ⟨c, Bc⟩ is only {margin:.2g} of ‖B‖ at the start or the end, so tokens may listen otherwise"
    return Terminal(sign, q, clause, words, margin)


def _clause(V, B, v, sign):
    q, top = _top(sign * V)
    largest, strength = _top(V)
    crossing, of = _cone_crossing(sign * V, B, v, sign), f"{'' if sign > 0 else '−'}V"
    if top <= 0:
        return "outside", q, f"{of} has no positive eigenvalue: clusters do not hold together, and no rule is known"
    if crossing is not None and sign < 0 < strength:
        words = "the pair comes to the cone ⟨c, Bc⟩ = 0 listening to its opposites: it may lean to one side, and no rule is known"
        return "outside", crossing, words
    if crossing is not None:
        return "cone", crossing, "the pair stops on the cone ⟨c, Bc⟩ = 0, where it stops listening to itself"
    if sign < 0 and strength > top:
        words = "the pair leans to one side, and all tokens gather in one cluster at the top eigenvector of V"
        return "gather", largest, words
    return "power", q, f"tokens end at ±q, q the top eigenvector of {of}"


def _top(M):
    values, vectors = np.linalg.eig(M)
    lead = np.argmax(np.real(values))
    vector = np.real(vectors[:, lead])
    return vector / np.linalg.norm(vector), float(np.real(values[lead]))


def _cone_crossing(M, B, v, sign, steps=4000):
    """The first direction on the power flow of M from v where ⟨c, Bc⟩ changes sign for good, or None."""
    size = np.linalg.norm(M, 2)
    if size == 0:
        return None
    step = scipy.linalg.expm(M * 0.01 / size)
    path = [v]
    for _ in range(steps):
        ahead = step @ path[-1]
        path.append(ahead / np.linalg.norm(ahead))
    path = np.array(path)
    heights = sign * np.sum((path @ B) * path, axis=1)
    if heights.min() > -THIN * np.linalg.norm(B, 2):
        return None
    k = int(np.argmax(heights < 0))
    middle = (heights[k - 1] * path[k] - heights[k] * path[k - 1]) / (heights[k - 1] - heights[k])
    return middle / np.linalg.norm(middle)
