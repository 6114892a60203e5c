"""Every check against runs that were tampered with; honest runs are never refuted, a NaN never holds."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import honest_runs
import jax
import pytest
from mutants import doctored, honest_parts, mutants, outcome, what_a_claim_says_itself, with_nan
from solved import evolve

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
REFUTED = {f"{paper}.{number}": how for paper, module in PAPERS.items() for number, how in module.REFUTED.items()}
"""What is done to the honest run of a claim so that it must be refuted."""
KEYS = list(dict.fromkeys(key for key, _ in CASES))
COSTLY = {
    "alcalde2026.abstract", "alcalde2026.dominant_plane", "alcalde2026.gathered_heads", "alcalde2026.layer_consensus",
    "alcalde2026.terminal_phase", "bruno2025.proposition3.9", "bruno2025.theorem3.2", "castin2025.affine_layer",
    "castin2025.sinkhorn_energy", "geshkovski2023.conjecture4.3", "geshkovski2025.crowd", "karagodin2025.alternative",
    "karagodin2025.equal_cosines", "karagodin2025.variance_law", "rigollet2025.first_clusters", "rigollet2025.hardmax",
    "rigollet2025.noise",
}  # fmt: skip
"""Claims whose runs take four seconds and more: `make test-all` has them."""
BY_COURSE = {"geshkovski2023.conjecture4.3", "karagodin2025.clustering_theorem", "karagodin2025.alternative"}
"""Claims that no end contradicts by itself: exceptional starts are allowed, and no time is given for all others."""
TELLING = ("trajectory", "end state")
"""What a run must decide for a claim to hold, not only to be consistent."""


def by_paper(key, *rest, is_slow=False):
    """A case that stays with the worker of its paper."""
    marks = [pytest.mark.xdist_group(f"mutants of {key.split('.')[0]}")]
    return pytest.param(key, *rest, marks=[*marks, pytest.mark.slow] if is_slow or key in COSTLY else marks)


def maker(key, index=0):
    paper, number = key.split(".", 1)
    return PAPERS[paper].RUNS[number][index]


@cache
def honest(made, is_double=True):
    """The run of a maker, shared by all claims that it is an honest run of."""
    with jax.enable_x64(is_double):
        return made()


@cache
def told(made, is_double=True):
    with jax.enable_x64(is_double):
        return _told(made, is_double)


def _told(made, is_double):
    """What the claims of a maker say of its run, of parts of it, and of everything that was made of it."""
    run, known = honest(made, is_double), [find_claim(key) for key in KEYS if maker(key) is made]
    telling = [claim for claim in known if claim.decides in TELLING]
    shown = {name: (other, telling) for name, other in (mutants(run) if telling else {}).items()}
    parts = {f"part: {name}": part for name, part in honest_parts(run).items() if len(run.ts) > 1}
    shown |= {name: (other, known) for name, other in ({"": run, "with a NaN": with_nan(run)} | parts).items()}
    # Claims inside, runs outside: what several claims ask of a run is remembered for the last one.
    found = [(claim.key, name, outcome(claim, other)) for name, (other, asked) in shown.items() for claim in asked]
    return {key: {name: said for one, name, said in found if one == key} for key in (claim.key for claim in known)}


@pytest.mark.parametrize(("key", "index"), [by_paper(*case, is_slow=True) for case in CASES])
def test_an_honest_run_of_the_engine_is_never_refuted(key, index, monkeypatch):
    monkeypatch.setattr(evolve, "by_engine", True)
    # None: a run that was saved late may have left the hypotheses.
    assert outcome(find_claim(key), maker(key, index)()) in ("holds", "consistent", "undecided", None)


@pytest.mark.parametrize("key", [by_paper(key) for key in KEYS])
def test_an_honest_run_and_its_parts_are_not_refuted_and_a_nan_does_not_hold(key):
    claim, found = find_claim(key), told(maker(key))[key]
    assert found[""] == ("holds" if claim.decides in TELLING else "consistent")
    assert found["with a NaN"] in (None, "undecided")
    parts = {name: said for name, said in found.items() if name.startswith("part: ")}
    assert all(said in (None, "holds", "consistent", "undecided") for said in parts.values()), parts
    assert claim.decides != "trajectory" or parts.get("part: last") != "holds", "one saved time shows no motion"


@pytest.mark.parametrize("key", [by_paper(key) for key in KEYS if find_claim(key).decides in TELLING])
def test_wrong_runs_are_noticed(key):
    """Four of five, not counting what the table of the paper says the claim cannot see."""
    paper, number = key.split(".", 1)
    blind = PAPERS[paper].BLIND.get(number, {})
    known = {"", "with a NaN", *blind}
    seen = {
        name: said for name, said in told(maker(key))[key].items() if name not in known and not name.startswith("part:")
    }
    missed = [name for name, said in seen.items() if said in ("holds", "consistent")]
    assert len(missed) <= 0.2 * len(seen), f"{key} does not notice {missed}"
    assert len(seen) >= 3, f"{key} is blind to nearly everything"


@pytest.mark.parametrize("key", [by_paper(key, is_slow=True) for key in KEYS if find_claim(key).decides in TELLING])
def test_single_precision_refutes_no_honest_run_and_notices_what_double_precision_does(key):
    """All but one of the wrong runs of a claim: single precision cannot tell the smallest changes from rounding."""
    double, single = (told(maker(key), is_double)[key] for is_double in (True, False))
    honest_ones = {said for name, said in single.items() if name == "" or name.startswith("part: ")}
    assert honest_ones <= {None, "holds", "consistent", "undecided"}
    passes = ("holds", "consistent", None)
    missed = [name for name, said in double.items() if said not in passes and single.get(name) in passes]
    assert len(missed) <= 1, f"{key} does not notice {missed} in single precision"


@pytest.mark.parametrize("key", [by_paper(key) for key in KEYS])
def test_the_run_that_a_claim_names_refutes_it(key):
    """By what the claim says, not because the run is none of the flow."""
    said = outcome if key in BY_COURSE else what_a_claim_says_itself
    assert said(find_claim(key), doctored(honest(maker(key)), REFUTED[key])) == "refuted"


def test_every_check_has_an_honest_run_and_names_one_that_refutes_it():
    asked = {claim.key for claim in claims() if claim.check is not None}
    assert asked == {key for key, _ in CASES}
    assert asked == set(REFUTED), "a check that no run refutes is none: make it a prediction"
    assert asked == {claim.key for claim in claims() if claim.decides is not None}
