"""The error that a hunt says it would notice is the error that it notices when the number of the claim is really wrong."""

from types import SimpleNamespace

import numpy as np
import pytest

from attnflow.papers.castin2024 import hunts as smoothness
from attnflow.papers.castin2025 import token_hunts
from attnflow.papers.geshkovski2023.hunts import line
from attnflow.papers.geshkovski2024 import cluster_hunts
from attnflow.papers.geshkovski2025 import hunts as caps
from attnflow.papers.hunt import both, fixed, hunted
from attnflow.papers.register import find_claim
from attnflow.papers.rigollet2025 import hunts as survey
from attnflow.papers.trial import Trial, bounded, close, equal, stated, worst_ratio


def verdict(*ratios, hunt=None):
    hunt = hunt or fixed(*[lambda r=r: Trial(r) for r in ratios])
    return hunted(SimpleNamespace(key="a.b", hunts={"printed": hunt}))[0]


@pytest.mark.parametrize("ratio, size", [
    (bounded(0.8, 1.0), 0.2),
    (bounded([0.1, 0.9], 1.0), 0.1),
    (equal(1.0, 1.0, 0.01), 0.01),
    (equal(1.004, 1.0, 0.01), 0.014),
    (equal([2.0, -2.0], [2.0, -2.0], 0.01), 0.005),
    (close(1.0, 1.0, 0.2), 0.25),
    (stated(lambda by: (by * 3.0) / 4.0), 1 / 3),
    (worst_ratio(0.5, bounded(0.8, 1.0), bounded(0.7, 1.0)), 0.2),
    (equal(1.0, 1.0, 3.0), np.inf),
    (bounded(0.0, 1.0), np.inf),
])  # fmt: skip
def test_the_number_is_scaled_until_a_trial_refutes(ratio, size):
    assert verdict(0.0, ratio).sensitivity == pytest.approx(size, rel=2e-3)


def test_only_a_standing_statement_with_a_number_has_a_sensitivity():
    assert (verdict(0.5).sensitivity, verdict(0.5).notices) == (None, "no number")
    fallen = verdict(0.5, bounded(1.2, 1.0))
    assert fallen.outcome == "refuted" and (fallen.sensitivity, fallen.notices) == (None, "")
    assert verdict(equal(np.nan, 1.0, 0.1), 0.5).sensitivity is None
    assert verdict(equal(1.0, 1.0, 3.0)).notices == "more than 100 %"
    assert verdict(bounded(0.75, 1.0)).notices == "25 %"


def test_the_sharpest_trial_counts_but_the_bluntest_kind_of_trials():
    sharp, blunt = equal(1.0, 1.0, 0.001), equal(1.0, 1.0, 0.3)
    assert verdict(sharp, blunt).sensitivity == pytest.approx(0.001, rel=2e-3)
    kinds = both(fixed(lambda: Trial(sharp)), fixed(lambda: Trial(blunt)), fixed(lambda: Trial(0.1)))
    assert verdict(hunt=kinds).sensitivity == pytest.approx(0.3, rel=2e-3)


PLANTED = {
    "castin2024.mean_field_bound": (smoothness, "mean_field_bound", (-1,)),
    "castin2025.effective_sample_size": (token_hunts, "effective_share", (-1, 1)),
    "geshkovski2023.remark7.9": (line, "pair_limit", (-1, 1)),
    "geshkovski2024.equationd.8": (cluster_hunts, "late_bound", (-1,)),
    "geshkovski2025.collapse": (caps, "collapse_bound", (-1,)),
    "rigollet2025.theorem7": (survey, "limit_cosine", (-1, 1)),
}
"""Claims, the function that is their number, and to which sides an error of it makes the statement stronger."""


def scaled(function, factor):
    return lambda *args, **options: factor * function(*args, **options)


@pytest.mark.parametrize("key", PLANTED)
def test_a_planted_error_is_noticed_from_the_sensitivity_on(key, monkeypatch):
    """Planted in the number itself, so that trials are drawn, searched and judged anew: a little more, then less.

    A wrong value, unlike a wrong bound, sends the search to where it shows most: a quarter less may then be enough.
    """
    home, name, signs = PLANTED[key]
    true, s = getattr(home, name), hunted(find_claim(key), seed=1)[-1].sensitivity
    assert s is not None and 0 < s < 1

    def outcomes(share):
        for sign in signs:
            monkeypatch.setattr(home, name, scaled(true, 1 + sign * share * s))
            yield hunted(find_claim(key), seed=1)[-1].outcome

    assert set(outcomes(1.05)) == {"refuted"}
    assert "not refuted" in outcomes(0.95 if len(signs) == 1 else 0.75)
