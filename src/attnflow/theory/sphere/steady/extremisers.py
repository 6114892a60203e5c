"""Table of the extremisers of the energy by the definiteness of B."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....errors import BadInput
from .gradient_structure import is_symmetric, square_matrix, symmetric_part
from .predicted_states import definiteness, maximum, zero

SPREAD = "one smooth measure with all symmetries of B"


@dataclass(frozen=True)
class Row:
    """What is known of the extremisers of one class of symmetric matrices."""

    definiteness: str
    condition: str
    maximum: str
    maximisers: str
    minimum: str
    minimisers: str
    example: np.ndarray


def extremiser_table() -> tuple[Row, ...]:
    r"""All classes of symmetric B, each with an example matrix.

    $$\max E = \max\{e^{\lambda_{\max}}, \cosh\lambda_{\min}\};\quad
      \min E = e^{\lambda_{\min}}\ (\lambda_{\min}<0),\ 1\ (\lambda_{\min}=0),\ \text{else a convex problem}$$

    Source: derived, complete; presumably Table 1 of Burger et al. 2025 (arXiv 2501.03096), which was not seen.
    """
    tie = float(np.log(np.cosh(1.0)))
    examples = [
        [2.0, 1.0, 0.5], [1.0, 1.0, 1.0], [1.0, 0.5, 0.0], [1.0, 0.2, -0.5], [0.2, 0.1, -1.0], [tie, 0.1, -1.0],
        [0.0, -0.5, -1.0], [-0.5, -1.0, -2.0], [0.0, 0.0, 0.0],
    ]  # fmt: skip
    return tuple(classify(np.diag(values)) for values in examples)


def classify(B, d: int | None = None) -> Row:
    """The row of the table that a symmetric B belongs to, with B as its example."""
    B = square_matrix(B, d)
    if not is_symmetric(B):
        raise BadInput("the classification is for symmetric B; for others ask steady_states(B)")
    values, kind, slack = np.linalg.eigvalsh(symmetric_part(B)), definiteness(B), zero(B)
    if kind == "zero":
        return Row(kind, "B = 0", "1", "every measure", "1", "every measure", B)
    one, two = any_of(B, "one cluster"), any_of(B, "antipodal pair")
    words = ["δ_z, z in the top eigenspace"] * one + ["(δ_z + δ_{−z})/2, z in the bottom eigenspace"] * two
    top = "e^{λ_max} = cosh λ_min" if one and two else "e^{λ_max}" if one else "cosh λ_min"
    condition = {"indefinite": f"e^{{λ_max}} {'=' if one and two else '>' if one else '<'} cosh λ_min"}.get(kind, "")
    least = ("e^{λ_min}", "δ_z, z in the bottom eigenspace") if values[0] < -slack else ("1", "the measures on ker B")
    if values[0] > slack:
        is_round = values[-1] - values[0] <= slack
        least = ("Λ₀(λ)", "the uniform measure") if is_round else ("Λ₀(λ_min) < E < min{Λ₀(λ_max), cosh λ_min}", SPREAD)
        condition = "B = λI" if is_round else ""
    return Row(kind, condition, top, " and ".join(words), *least, B)


def any_of(B: np.ndarray, kind: str) -> bool:
    return any(state.kind == kind for state in maximum(B).states)
