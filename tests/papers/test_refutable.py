"""Verdicts of hunts: what refutes a statement, what decides nothing, and how a table tells it."""

from types import SimpleNamespace

import numpy as np

from attnflow.interfaces.cli.verdicts import verdict_blocks
from attnflow.papers.hunt import Hunt, Trial, Verdict, hunted
from attnflow.papers.register import claims


def verdict(*trials):
    claim = SimpleNamespace(key="a.b", hunts={"printed": Hunt(lambda seed, effort: list(trials))})
    return hunted(claim)[0]


def test_infinite_violations_refute_and_nan_does_not_decide():
    assert verdict(Trial(np.inf, example="all")).outcome == "refuted"
    unclear = verdict(Trial(np.nan), Trial(np.nan, is_inside=False))
    assert unclear.outcome == "undecidable" and (unclear.undecided, unclear.outside) == (1, 1)
    some = verdict(Trial(np.nan), Trial(0.5))
    assert some.outcome == "not refuted" and some.undecided == 1


def test_the_verdict_table_tells_counterexamples_and_open_cases():
    known = {claim.key: claim for claim in claims("geshkovski2024")}
    false = Verdict("geshkovski2024.theorem9.2", "printed", "refuted", 1, 0.0, 1.4, 0, "600-cell")
    fallen = Verdict("geshkovski2024.lemma6.4", "printed", "refuted", 4, 7.0, 9.0, 0, "x = (3, 4)")
    unclear = Verdict("geshkovski2024.theorem6.1", "printed", "undecidable", 3, 7.0, np.nan, 0, undecided=3)
    blocks = verdict_blocks(known, [false, fallen, unclear], [], [fallen])
    words = "\n".join(block for block in blocks if isinstance(block, str))
    assert "• geshkovski2024.theorem9.2: 600-cell" in words
    assert "REFUTED: geshkovski2024.lemma6.4 (printed): x = (3, 4)" in words
    assert "theorem6.1 (printed): 3 of 3 starts" in words and "no verdict" in words
