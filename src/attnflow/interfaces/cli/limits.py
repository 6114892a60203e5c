"""Where rescaled tokens end, why, and how sure that is: what `limit` finds, for people and machines."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import OutOfRange
from .answer import Table

MOST = 12
"""Leaders that are shown one by one."""


def limit_answer(flow, mu) -> tuple[dict[str, Any] | None, list[str | Table]]:
    """The limit of a softmax flow in R^d; nothing for flows that `limit` does not know, or for crowds."""
    from ...papers.hypotheses import LARGEST, in_space
    from ...papers.variables import unrescaled, value_matrix
    from ...theory.limits.limit import limit

    if not in_space(flow, mu) or mu.n > LARGEST or not value_matrix(flow, mu.d).any():
        return None, []
    try:
        found = limit(unrescaled(flow), mu)
    except OutOfRange as error:
        return None, ["", f"Where rescaled tokens go was not looked for: {error}"]
    known = found.certificate
    data = {
        "case": found.case, "words": found.words, "certificate": vars(known), "leaders": found.leaders, "z": found.z,
        "coordinates": found.coordinates, "planes": found.planes, "undecided": found.undecided, "notes": found.notes,
    }  # fmt: skip
    return data, ["", "Where rescaled tokens z = e^{−tV}x go", *_in_words(found, known), *_places(found)]


def _in_words(found, known) -> list[str]:
    lines = [f"• {found.words}"]
    if known.words != found.words:
        lines.append(f"• {known.words}")
    if known.holds and known.time > 0:
        lines.append(f"• limits are known up to {known.error:.1e}")
    return lines + [f"• {note}" for note in found.notes]


def _places(found) -> list[str | Table]:
    """One row for every limit that several tokens may share."""
    if found.planes is not None:
        ends = found.coordinates[:, 0]
        rows = [(f"{c:.8g}", int((ends == c).sum())) for c in found.planes]
        return [Table("", ("Plane φ₁* =", "Tokens on it"), rows)]
    if found.vertices is None:
        return []
    at = found.z if found.coordinates is None else found.coordinates
    what = "Limit" if found.coordinates is None else "Limit (dominant coordinates)"
    rows = [(int(v), int((found.leaders == v).sum()), _point(at[v])) for v in found.vertices[:MOST]]
    more = len(found.vertices) - len(rows)
    return [Table("", ("Leader", "Tokens that end there", what), rows), *([f"… and {more} more"] if more else [])]


def _point(x) -> str:
    return "(" + ", ".join(f"{v:.8g}" for v in np.atleast_1d(x)) + ")"
