"""The last phase: two opposite clusters forget A and follow the spectrum of V alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy.linalg

WEAK = 0.35
"""Largest top eigenvalue of −V seen to lose against a positive eigenvalue of V (40 random planar cases)."""


@dataclass(frozen=True)
class Terminal:
    """Where a pair of clusters at ±v is expected to end. An observed rule, not a theorem: 31 of 40 random cases."""

    sign: int
    """Whether a cluster listens to itself (+1) or to its opposite (−1)."""
    q: np.ndarray
    clause: Literal["power", "cone", "gather"]
    words: str


def terminal_phase(V: np.ndarray, B: np.ndarray, v: np.ndarray) -> Terminal:
    r"""Follow clusters at ±v: each attends to $\mathrm{sgn}\cdot c$ with $\mathrm{sgn} = \mathrm{sign}\langle c, Bc\rangle$.

    $$\dot c = \mathrm{sgn}\cdot\Pi_c V c$$

    Source: derived; Alcalde et al. 2026 (arXiv 2605.10931) only say that the spectrum of V dominates.
    """
    sign = 1 if v @ B @ v > 0 else -1
    q, top = _top(sign * V)
    largest, strength = _top(V)
    crossing = _cone_crossing(sign * V, B, v, sign)
    if sign < 0 and top < WEAK and strength > max(top, 0):
        words = "all tokens gather in one cluster at the top eigenvector of V"
        return Terminal(sign, largest, "gather", words)
    if crossing is not None:
        words = "the pair stops on the cone ⟨c, Bc⟩ = 0, where it stops listening to itself"
        return Terminal(sign, crossing, "cone", words)
    words = f"tokens end at ±q, q the top eigenvector of {'' if sign > 0 else '−'}V"
    return Terminal(sign, q, "power", words)


def _top(M):
    values, vectors = np.linalg.eig(M)
    lead = np.argmax(np.real(values))
    vector = np.real(vectors[:, lead])
    return vector / np.linalg.norm(vector), float(np.real(values[lead]))


def _cone_crossing(M, B, v, sign, steps=4000):
    """The first direction on the power flow of M from v where ⟨c, Bc⟩ changes sign, or None."""
    size = np.linalg.norm(M, 2)
    if size == 0:
        return None
    step = scipy.linalg.expm(M * 0.01 / size)
    c = v
    for _ in range(steps):
        ahead = step @ c
        ahead = ahead / np.linalg.norm(ahead)
        here, there = c @ B @ c, ahead @ B @ ahead
        if sign * there < 0:
            middle = (here * ahead - there * c) / (here - there)
            return middle / np.linalg.norm(middle)
        c = ahead
    return None
