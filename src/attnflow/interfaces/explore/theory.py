"""Theory beside a run, in the words of `attnflow predict` and `attnflow check`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...engine.evolution.trajectory import Trajectory
from ...experiments.scenario.plain import plain
from ...papers.hypotheses import LARGEST, in_space
from ...papers.register import Asked, ask, check, find_claim, papers, predictions
from ...papers.variables import unrescaled, value_matrix
from ...theory.limits.limit import limit
from .patience import within

SECONDS = 60.0
"""For the checks of one paper."""


def predicted(flow, mu) -> dict[str, Any]:
    """What applies and what it predicts, what does not and why, and where rescaled tokens go."""
    asked = ask(flow, mu)
    found = [vars(p) | {"about": about(p.claim)} for p in predictions(asked, flow, mu)]
    return plain({"predictions": found, "hypotheses_not_met": _missed(asked), "limit": _limit(flow, mu)})


def about(key: str) -> dict[str, Any]:
    """The statement behind a prediction, as printed and as corrected."""
    claim = find_claim(key)
    return {
        "source": claim.source, "kind": claim.kind, "printed": claim.printed, "corrected": claim.corrected,
        "erratum": claim.erratum, "provenance": claim.provenance, "decides": claim.decides,
    }  # fmt: skip


def _missed(asked: list[Asked]) -> list[dict[str, Any]]:
    missed = [one for one in asked if one.missing]
    missed.sort(key=lambda one: (len(one.missing), len(one.missing) / len(one.hypotheses)))
    return [
        {"claim": one.claim.key, "title": one.claim.title, "hypotheses": [vars(h) for h in one.missing]}
        for one in missed
    ]


def _limit(flow, mu) -> dict[str, Any] | None:
    if not in_space(flow, mu) or mu.n > LARGEST or not value_matrix(flow, mu.d).any():
        return None
    found = limit(unrescaled(flow), mu)
    return {"words": found.words, "certificate": found.certificate.words, "notes": list(found.notes)}


def checked(run: Trajectory, *, ask: Callable[[], Any]) -> Iterator[list[dict[str, Any]] | str]:
    """Checks of a finished run, the claims of one paper after the other; the name of a paper that took too long.

    `ask` raises when nobody waits for them any more.
    """
    for paper in papers():
        found = within(SECONDS, lambda paper=paper: check(run, paper=paper), ask=ask)
        if found is None:
            yield paper
        elif found:
            yield [plain(vars(c) | {"holds": c.holds}) for c in found]
