"""The laboratory: intervals are honest, experiments repeat themselves, and a false claim is caught, shrunk and reproduced."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

import attnflow as af
from attnflow.experiments.laboratory import hunting
from attnflow.experiments.laboratory.attempts import ABOUT_NOTHING, Attempt, margin_of
from attnflow.experiments.laboratory.drawing_scenarios import scenario_table
from attnflow.experiments.laboratory.experiment import find_conjecture, fitted_power, mean_of, run_conjecture, share_of
from attnflow.experiments.laboratory.hunting import hunt, inside
from attnflow.experiments.laboratory.questions import QUESTIONS
from attnflow.interfaces.cli import execute
from attnflow.papers import register
from attnflow.papers.kept import Kept
from attnflow.papers.register import find_claim

WRONG = """
import numpy as np
import attnflow as af
from attnflow.papers.claim import Claim, Hypothesis, compared
from attnflow.papers.paper import Paper

PAPER = Paper("Nobody", "Wrong", "", "", 2026, (), name="wrong2026")


class Rising(Claim):
    number = "theorem 1"
    title = "The smallest cosine never falls"
    printed = "On the sphere the smallest cosine of two tokens never falls."
    provenance = "derived"
    decides = "trajectory"

    def hypotheses(self, flow, mu):
        return [Hypothesis("on the sphere", 1.0)] if isinstance(flow.space, af.Sphere) else []

    def predict(self, flow, mu):
        return "the smallest cosine never falls", {}

    def check(self, run):
        low = np.array([(x @ x.T).min() for x in np.asarray(run.x)])
        return compared(np.max(low[0] - low) / 1e-3, "the smallest cosine never falls")
"""


def test_shares_are_covered_as_often_as_they_say():
    """The exact coverage of the Clopper–Pearson interval, summed over all outcomes, is at least 95 %."""
    for n, p in ((5, 0.5), (20, 0.03), (20, 0.97), (50, 0.3)):
        inside = [share_of(np.r_[np.ones(k), np.zeros(n - k)]) for k in range(n + 1)]
        assert sum(binom.pmf(k, n, p) for k, e in enumerate(inside) if e.low <= p <= e.high) >= 0.95


def test_an_interval_of_a_mean_is_the_textbook_one(rng):
    seen = rng.normal(size=40)
    found = mean_of(seen)
    np.testing.assert_allclose(found.high - found.low, 2 * 1.96 * seen.std(ddof=1) / np.sqrt(40), rtol=1e-12)


def test_a_power_is_fitted_exactly():
    asked = replace(QUESTIONS[1], trial=lambda seed, n, d, law: (1.0, n**0.75, 0.0), trials=2)
    found = fitted_power(run_conjecture(asked), 1, "n")
    np.testing.assert_allclose(
        [found.value, found.high - found.low], [0.75, 0.0], atol=1e-7
    )  # sums of squares of round-off


@pytest.mark.parametrize("name", [one.name for one in QUESTIONS])
def test_every_question_has_an_experiment_that_says_something(name):
    asked = find_conjecture(name, QUESTIONS)
    assert all(len(words) > 10 for words in (asked.question, asked.source, asked.known, asked.experiment))
    if name in ("terminal", "bridge", "cost", "convexity"):
        return  # their trials are those of the register, the reduction and the geodesics, tested there
    cases = asked.cases if name == "tails" else asked.cases[:1]
    small = replace(asked, trials=2, cases=cases)
    first, again = (run_conjecture(small, seed=3) for _ in range(2))
    np.testing.assert_array_equal(first.values, again.values)
    assert first.values.shape == (len(cases), 2, len(asked.quantities)) and len(first.words) > 40


def test_finished_cases_are_not_repeated(tmp_path):
    calls = []

    def trial(seed, **case):
        calls.append(seed)
        return (1.0, 1.0)

    asked = replace(find_conjecture("ties", QUESTIONS), trial=trial, trials=3)
    for _ in range(2):
        run_conjecture(asked, kept=Kept(tmp_path))
    assert len(calls) == 3 * len(asked.cases)


def test_the_command_leaves_page_and_picture(tmp_path, capsys):
    assert execute(["conjecture", "ties", "--out", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["trials"] == 600 and "share of" in told["verdict"] and len(told["rows"]) == 6
    assert (tmp_path / "ties.png").is_file() and "What is known" in (tmp_path / "ties.md").read_text()
    assert execute(["conjecture", "tyes"]) == 2 and "did you mean ties" in capsys.readouterr().err


@pytest.fixture
def nothing_loaded():
    """Papers that a test loads are forgotten."""
    before = dict(register._LOADED)
    yield
    register._LOADED.clear()
    register._LOADED.update(before)
    register.forget_claims()


@pytest.mark.slow
def test_a_false_claim_is_refuted_by_a_small_scenario_that_run_and_check_reproduce(tmp_path, capsys, nothing_loaded):
    file = tmp_path / "wrong.py"
    file.write_text(WRONG)
    assert execute(["hunt", str(file), "--budget", "5m", "--out", str(tmp_path / "hunts"), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["refuted"] and told["worst"] > 1
    scenario = tmp_path / "hunts" / "wrong2026.theorem1" / "counterexample.toml"
    assert len(af.scenario.load(scenario).tokens.parameters["x"]) <= 3
    out = tmp_path / "run"
    assert (
        execute(["run", str(scenario), "--set", "output.animation=false", "--out", str(out), "--load", str(file), "-q"])
        == 1
    )
    assert execute(["check", str(out), "--load", str(file), "--json"]) == 1
    outcomes = {c["claim"]: c["outcome"] for c in json.loads(capsys.readouterr().out)["checks"]}
    assert outcomes["wrong2026.theorem1"] == "refuted"


@pytest.mark.parametrize("key", ["geshkovski2024.lemma6.4", "castin2025.scalar_v", "geshkovski2023.theorem4.2"])
def test_scenarios_are_found_inside_the_hypotheses(key):
    """By chance or by moving them there: every run of a hunt is about its claim."""
    claim = find_claim(key)
    found = list(inside(claim, np.random.default_rng(0), 3))
    assert len(found) == 3 and all(margin_of(claim, scenario_table(draws)) == 0 for draws in found)


def test_optimising_finds_worse_runs_than_sampling(monkeypatch):
    """The false statement that softmax flows on the sphere never lower the mean cosine, judged at their start.

    Where a ratio saturates, as that of velocities over |V|, random draws do as well as CMA-ES; here it does not.
    """

    def ratio(table):
        x, V = np.array(table["tokens"]["x"]), np.array(table["flow"]["V"])
        rule, mass = table["attention"], np.array(table["tokens"].get("mass", np.full(len(x), 1 / len(x))))
        scores = rule["beta"] * x @ np.array(rule["B"]) @ x.T
        weights = mass * np.exp(scores - scores.max(axis=1, keepdims=True))
        v = weights / weights.sum(axis=1, keepdims=True) @ x @ V.T
        v -= np.sum(v * x, axis=1, keepdims=True) * x
        return float(-20 * np.sum(v.mean(axis=0) * x.mean(axis=0)) / np.linalg.norm(V, 2))

    def margin(claim, table):
        is_meant = table["attention"].get("rule") == "softmax" and set(table["flow"]) == {"space", "V"}
        is_meant = is_meant and table["flow"]["space"] == "sphere" and "causal" not in table["attention"]
        return 0.0 if is_meant else ABOUT_NOTHING

    def attempted(claim, table):
        return Attempt(table, "holds", ratio(table)) if margin(claim, table) == 0 else Attempt(table, "outside")

    monkeypatch.setattr(hunting, "margin_of", margin)
    monkeypatch.setattr(hunting, "attempted", attempted)
    claim, worst = find_claim("geshkovski2024.lemma6.4"), []
    for seed in range(8):
        found = [list(hunting.attempts(claim, np.random.default_rng(seed)))]
        draws = inside(claim, np.random.default_rng(seed), hunting.RANDOM + hunting.WORSE)
        found.append([attempted(claim, scenario_table(one)) for one in draws])
        worst.append([max(a.badness for a in tried) for tried in found])
    optimised, sampled = np.median(worst, axis=0)
    assert optimised >= sampled > 1 and np.mean(np.greater_equal(*np.transpose(worst))) >= 0.5


@pytest.mark.slow
def test_a_true_claim_stands_and_a_hunt_goes_on_where_it_stopped(tmp_path):
    key = "geshkovski2024.lemma6.4"
    first = hunt(key, tmp_path, budget=-1.0, most=1)
    assert len(first.parts) == 0
    found = hunt(key, tmp_path, budget=600.0, most=1)
    again = hunt(key, tmp_path, budget=1e-3, most=1)
    assert found.parts == again.parts and found.example is None
    assert found.counts.get("outside", 0) < found.inside and found.counts.get("error", 0) == 0


def test_hunts_refuse_what_cannot_be_hunted(capsys):
    assert execute(["hunt", "geshkovski2024.lemma6.4", "--budget", "soon"]) == 2
    assert "90s, 10m or 2h" in capsys.readouterr().err
    assert execute(["hunt", "nobody2020.theorem1", "--budget", "1s"]) == 2
