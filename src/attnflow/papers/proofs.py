"""How corrections and derived statements are known: a proof, the place of one, or openly none.

The texts are data in `proofs.toml` beside the chapters of each paper, read when one is asked for.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

KINDS = {
    "cited": "cited:", "derived": "derived here:", "enclosed": "by enclosures:", "none": "none; trials are no proof.",
}  # fmt: skip


@dataclass(frozen=True)
class Proof:
    """A proof in a few lines of words and `$…$` formulas, or where one stands.

    >>> import attnflow as af
    >>> claim = next(claim for claim in af.claims("castin2025") if claim.key == "castin2025.linear_moments")
    >>> claim.proof.kind, len(claim.proof.text.splitlines())
    ('derived', 3)
    """

    kind: Literal["cited", "derived", "enclosed", "none"]
    """*cited*: `place` names it; *derived*: `text` is one; *enclosed*: by ball arithmetic; *none*: trials alone."""
    place: str = ""
    text: str = ""
    """Of *none*: what is known instead."""

    @property
    def lines(self) -> list[str]:
        return [*filter(None, [KINDS[self.kind], self.place]), *self.text.splitlines()]


@cache
def proofs_of(paper: str) -> dict[str, Proof]:
    """The proofs of one paper's claims, by the part of their keys after the paper; none for a paper of a user."""
    file = Path(__file__).with_name(paper) / "proofs.toml"
    entries = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    return {name: Proof(**told) for name, told in entries.items()}
