"""The conventions a flow uses, in one printable line: papers differ in exactly these."""

from __future__ import annotations

from ..linalg.arguments import as_annotated
from .flow import AnyFlow


@as_annotated
def conventions_of(flow: AnyFlow) -> str:
    """Scale, prefactor, mean or sum, bias, mask and half-steps of a flow's attention."""
    parts = flow.attention.conventions()
    return "; ".join(["score x^T B y with B = Q^T K (the transpose of Castin et al.'s A)", *parts])
