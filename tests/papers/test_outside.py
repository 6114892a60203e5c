"""Hypotheses matter: where one is dropped, conclusions fail, unless the theorem is wider than its proof."""

import pytest

from attnflow.papers.hunt import outside
from attnflow.papers.register import claims

WIDER = {
    "geshkovski2023.theorem4.2", "geshkovski2023.conjecture4.3", "geshkovski2023.theorem5.2",
    "geshkovski2025.tight", "karagodin2025.alternative",
}  # fmt: skip
"""Conclusions that hold on all trials tried so far although a hypothesis is missing."""


@pytest.mark.slow
def test_conclusions_fail_where_their_hypotheses_do():
    found = outside(seed=0)
    keys = {claim.key for claim in claims()}
    assert all(one.claim in keys and one.trials > 0 and one.undecided < one.trials for one in found)
    assert {one.claim for one in found if one.fails == 0} == WIDER
    assert all(bool(one.example) == (one.fails > 0) for one in found)


def test_only_the_paper_that_was_asked_for():
    assert {one.claim.split(".")[0] for one in outside("geshkovski2025", seed=1)} == {"geshkovski2025"}
