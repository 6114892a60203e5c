r"""Signed states: opposite pairs ±v that rest under several heads at low temperature.

A token at v of such a pair hears $s_hv$ from head h, $s_h=\mathrm{sgn}\langle v,B_hv\rangle$, so that the pair moves by
$T(s)=\sum_hs_hV_h$ while no sign changes: it rests and attracts pairs where v is the dominating eigenvector of T(s).
Signs therefore lead to signs: those that heads hear at the dominating eigenvector of T(s). A signed state is where this stops.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from .several_heads import HeadMatrices, Size, dominating

WORK, MOST = 5e8, 4096
"""Eigenproblems times d³ that a search may take by default, and eigenproblems however small they are."""
Signs = tuple[int, ...]


@dataclass(frozen=True)
class SignedState:
    """Signs of the heads, the dominating eigenvector v of the sum they make, and its eigenvalue."""

    signs: Signs
    v: np.ndarray
    value: float


@dataclass(frozen=True)
class SignedStates:
    """What a search found, and how much it saw."""

    states: list[SignedState]
    tried: int
    of: int
    """How many sign vectors there are."""

    @property
    def words(self) -> str:
        seen = "all tried" if self.tried == self.of else f"{self.tried} tried, not all"
        return f"{len(self.states)} of {self.of} sign vectors give a pair at rest ({seen})"


def signed_states(heads: HeadMatrices, *, size: Size = np.real, work: float = WORK, seed: int = 0) -> SignedStates:
    """Signed states among all sign vectors, or, where these are too many, among those that random ones lead to."""
    count, d = heads.values.shape[:2]
    most = min(max(int(work / d**3), 1), MOST)
    next_signs: dict[Signs, Signs | None] = {}
    found: list[SignedState] = []

    def follow(signs: Signs) -> None:
        # Signs and their opposites share eigenvectors.
        values, vectors = np.linalg.eig(np.einsum("h,hij->ij", np.array(signs, float), heads.values))
        for side in (1, -1):
            top, own = dominating(side * values, vectors, size), tuple(side * s for s in signs)
            v = top.basis[0]
            heard = tuple(np.sign(np.einsum("i,hij,j->h", v, heads.scores, v)).astype(int).tolist())
            next_signs[own] = heard if top.speed == 0 and top.gap > 1e-9 else None
            if next_signs[own] == own:
                found.append(SignedState(own, v, float(top.value.real)))

    if 2 ** (count - 1) <= most:
        for rest in product((1, -1), repeat=count - 1):
            follow((1, *rest))
        return SignedStates(found, 2**count, 2**count)
    rng, signs = np.random.default_rng(seed), (1,) * count
    while len(next_signs) < 2 * most:
        if signs is None or 0 in signs or signs in next_signs:
            signs = tuple(rng.choice((1, -1), count).tolist())
        if signs not in next_signs:
            follow(signs)
        signs = next_signs[signs]
    return SignedStates(found, len(next_signs), 2**count)
