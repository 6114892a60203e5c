"""Every check against runs that were tampered with; honest runs are never refuted, a NaN never holds."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import honest_runs
import pytest
from mutants import honest_parts, mutants, outcome, with_nan

from attnflow.papers.register import claims, find_claim

PAPERS = {
    found.name: import_module(f"{honest_runs.__name__}.{found.name}") for found in iter_modules(honest_runs.__path__)
}
CASES = [
    (f"{paper}.{number}", index)
    for paper, module in PAPERS.items()
    for number, runs in module.RUNS.items()
    for index in range(len(runs))
]


def by_paper(key, *rest):
    """A case that stays with the worker of its paper; further honest runs of a claim are for the long tests."""
    marks = [pytest.mark.xdist_group(f"mutants of {key.split('.')[0]}")]
    return pytest.param(key, *rest, marks=[*marks, pytest.mark.slow] if any(rest) else marks)


KEYS = list(dict.fromkeys(key for key, _ in CASES))


@cache
def honest(key, index):
    paper, number = key.split(".", 1)
    return PAPERS[paper].RUNS[number][index]()


@pytest.mark.parametrize(("key", "index"), [by_paper(*case) for case in CASES])
def test_an_honest_run_is_never_refuted(key, index):
    # None: a run that was saved late may have left the hypotheses.
    assert outcome(find_claim(key), honest(key, index)) in ("holds", "consistent", "undecided", None)


@pytest.mark.parametrize("key", [by_paper(key) for key in KEYS])
def test_parts_of_an_honest_run_are_not_refuted(key):
    run = honest(key, 0)
    found = {name: outcome(find_claim(key), part) for name, part in honest_parts(run).items() if len(run.ts) > 1}
    assert all(said in (None, "holds", "consistent", "undecided") for said in found.values()), found
    assert find_claim(key).decides != "trajectory" or found.get("last") != "holds", "one saved time shows no motion"


@pytest.mark.parametrize("key", [by_paper(key) for key in KEYS])
def test_a_nan_never_holds(key):
    assert outcome(find_claim(key), with_nan(honest(key, 0))) in (None, "undecided")


@pytest.mark.parametrize(
    "key", [by_paper(key) for key in KEYS if find_claim(key).decides in ("trajectory", "end state")]
)
def test_wrong_runs_are_noticed(key):
    """Four of five, not counting what the table of the paper says the claim cannot see."""
    claim, run = find_claim(key), honest(key, 0)
    assert outcome(claim, run) == "holds"
    paper, number = key.split(".", 1)
    blind = PAPERS[paper].BLIND.get(number, {})
    seen = {name: outcome(claim, other) for name, other in mutants(run).items() if name not in blind}
    missed = [name for name, found in seen.items() if found in ("holds", "consistent")]
    assert len(missed) <= 0.2 * len(seen), f"{key} does not notice {missed}"
    assert len(seen) >= 3, f"{key} is blind to nearly everything: it is not a {claim.decides} claim"


def test_every_claim_that_a_run_decides_has_an_honest_run():
    asked = {claim.key for claim in claims() if claim.check is not None}
    assert asked == {key for key, _ in CASES}
