"""How far attention is from hearing every token equally: the column sums of its matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..flow import attention_matrix


@dataclass(frozen=True)
class ColumnSums:
    r"""Sorted column sums $\sum_i m_i P_{ij}/m_j$ and their distance from 1."""

    sums: np.ndarray
    largest_gap: float
    mean_gap: float
    r"""$\sum_j m_j|\text{sum}_j - 1|$; no normalisation of rows or columns increases it."""


def column_sums(flow, mu) -> ColumnSums:
    """The profile of what tokens are heard: all 1 for converged Sinkhorn attention.

    Source: Sander et al. 2022 (arXiv 2110.11773), fig. 2.
    """
    P, mass = np.asarray(attention_matrix(flow, mu)), np.asarray(mu.mass)
    if P.ndim != 2:
        raise ValueError(f"column sums are of one head; there are {len(P)}")
    sums = (mass @ P)[mass > 0] / mass[mass > 0]
    gaps = np.abs(sums - 1)
    return ColumnSums(np.sort(sums), float(gaps.max()), float(mass[mass > 0] @ gaps))
