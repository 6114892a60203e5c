"""One judge: `attnflow run`, `attnflow check` and `af.check` say the same of a run, and reports show no other verdict."""

import json
from contextlib import nullcontext
from dataclasses import replace

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from odd_scenarios import LAW, ODD, scenario

import attnflow as af
from attnflow.engine.evolution.trajectory import Status
from attnflow.experiments.scenario import build, dumps
from attnflow.interfaces.cli import execute, running
from attnflow.interfaces.report.facts import gather
from attnflow.interfaces.report.pages import as_markdown
from attnflow.interfaces.report.words import story
from attnflow.papers import register


class Here:
    """Stores a run in this process: one beside it takes longer to start than such small runs."""

    def begin(self, job) -> None:
        self.job = job

    def finish(self, report):
        return self.job.make(report)


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "_beside", lambda output: nullcontext({"store": Here()}))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ATTNFLOW_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("attnflow.interfaces.cli.progress.EVERY", float("inf"))
    return tmp_path


@pytest.fixture
def only(monkeypatch):
    """A register of few papers, which is asked quickly."""

    def keep(*names):
        known = {name: register.papers()[name] for name in names}
        monkeypatch.setattr(register, "_own_papers", lambda: known)

    return keep


@pytest.fixture
def agreed(place, capsys, monkeypatch):
    """Run a scenario by the command line, or as if it had gone as `shown` says, and demand one verdict from all doors."""

    def call(*words):
        capsys.readouterr()
        code = execute([*map(str, words), "--json"])
        return code, json.loads(capsys.readouterr().out)

    def ask(table, shown=None):
        if shown is not None:
            monkeypatch.setattr(running, "_simulate", lambda *parts, **options: (shown, 0.0))
        (place / "odd.toml").write_text(dumps(table))
        code, ran = call("run", "odd.toml", "--out", "odd")
        again, checked = call("check", "odd")
        run = af.load_run("odd")
        outcomes = {found.claim: found.outcome for found in af.check(run)}
        assert {found["claim"]: found["outcome"] for found in ran["checks"]} == outcomes
        assert {found["claim"]: found["outcome"] for found in checked["checks"]} == outcomes
        fails = "refuted" in outcomes.values() or "error" in outcomes.values()
        assert code == again == int(fails or run.status.is_broken)
        rows = [(row["claim"], row["verdict"]) for row in ran["headlines"]]
        assert len({key for key, _ in rows if key}) == len([key for key, _ in rows if key])
        for key, verdict in rows:
            assert verdict == outcomes.get(key, "measured")
        words = (place / "odd/report.md").read_text()
        assert "not a number" not in words and "ERROR" not in words
        assert not (outcomes and "No theorem" in words)
        return code, outcomes, {row["claim"]: row for row in ran["headlines"]}, words

    return ask


def evolved(table):
    flow, mu, options = build(table)
    return af.evolve(flow, mu, **options)


def with_tokens(run, x):
    return eqx.tree_at(lambda r: r.states.x, run, jnp.asarray(x))


def test_fixed_steps_of_a_law_are_not_called_wrong(agreed, only):
    only("castin2025")
    code, outcomes, rows, _ = agreed(ODD["law by euler"])
    assert code == 0 and outcomes["castin2025.scalar_v"] == "undecided" and outcomes["castin2025.gaussians"] == "holds"
    assert "steps of 0.1 (euler) are not the flow" in rows["castin2025.scalar_v"]["measured"]


def test_a_law_may_end_just_before_its_blow_up(agreed, only):
    only("castin2025")
    code, outcomes, rows, _ = agreed(ODD["law just before its blow-up"])
    assert code == 0 and outcomes["castin2025.scalar_v"] == "holds"
    # Σ is diagonal, so its modes blow up one by one: 1/(1/σ − 2t).
    grown, slow = 1 / (1 / 0.8 - 2 * 0.62499999), 1 / (1 / 0.3 - 2 * 0.62499999)
    assert f"{grown:.0e}".replace("5e+07", "5·10⁷") in rows["castin2025.scalar_v"]["measured"]
    assert f"{slow:.2f}" in rows["castin2025.scalar_v"]["measured"]


def test_turned_covariances_get_one_row(agreed, only):
    only("castin2025")
    table = scenario(LAW, {"beta": 1.0}, {"space": "euclidean", "V": -1.0}, {"until": 2.0, "save": 9})
    run, turn = evolved(table), np.array([[np.cos(0.5), -np.sin(0.5)], [np.sin(0.5), np.cos(0.5)]])
    cov = np.asarray(run.cov).copy()
    cov[1:] = turn @ cov[1:] @ turn.T
    assert_allclose(np.linalg.eigvalsh(cov), np.linalg.eigvalsh(np.asarray(run.cov)), rtol=1e-12)
    code, outcomes, rows, words = agreed(table, eqx.tree_at(lambda r: r.states.cov, run, jnp.asarray(cov)))
    assert code == 1 and outcomes["castin2025.scalar_v"] == rows["castin2025.scalar_v"]["verdict"] == "refuted"
    assert "DOES NOT AGREE" in words and "refuted" not in words.lower()


@pytest.mark.parametrize("d", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_a_pair_that_jumps_when_it_is_due_does_not_hold(agreed, only, d):
    """The pair rests, and is one token from the first saved time on at which the formula wants it."""
    only("rigollet2025")
    x = np.zeros((3, d))
    x[:2, 0], x[2, 1] = 1.0, 1.0
    tokens = {"kind": "array", "x": x.tolist()}
    table = scenario(tokens, {"beta": 4.0}, {}, {"until": 30.0, "save": 31, "tol": 1e-4})
    run = evolved(table)
    cosines = np.asarray(run.x[:, 0] * run.x[:, 2]).sum(axis=-1)
    jumped = np.where((cosines > np.cos(0.1))[:, None, None], np.asarray(run.x[0, :1]), np.asarray(run.x[0]))
    _, outcomes, rows, _ = agreed(table, with_tokens(run, jumped))
    assert outcomes["rigollet2025.theorem6"] not in ("holds", "consistent")
    assert all(row["verdict"] != "measured" for row in rows.values())


def test_a_run_of_another_temperature_is_not_said_to_hold(agreed, only):
    only("rigollet2025")
    tokens = {"kind": "array", "x": [[1.0, 0.0], [1.0, 0.0], [np.cos(0.9), np.sin(0.9)]]}
    table = scenario(tokens, {"beta": 10.0}, {}, {"until": 30.0, "save": [0.0, 0.5, 30.0]})
    colder = evolved(table)
    shown = evolved(replace(table, attention=replace(table.attention, beta=8.0)))
    code, outcomes, rows, _ = agreed(table, with_tokens(colder, shown.x))
    assert code == 1 and rows["rigollet2025.theorem6"]["verdict"] == outcomes["rigollet2025.theorem6"] == "refuted"


def test_a_pair_with_a_width_is_measured_and_not_judged(agreed, only):
    only("rigollet2025")
    _, outcomes, rows, words = agreed(ODD["a pair of narrow caps"])
    row = rows["rigollet2025.theorem6"]
    assert "rigollet2025.theorem6" not in outcomes and row["verdict"] == "measured"
    before, after = (float(part.split()[-1]) for part in row["measured"].split(" and "))
    assert before <= float(row["predicted"].split()[-1]) <= after
    assert "measured" not in words.split("## What was run")[0]


def test_what_no_run_can_violate_is_no_row(agreed, only):
    """Rows and columns of a Sinkhorn plan sum to 1 whatever the tokens are."""
    only("burger2025")
    table = scenario(
        {"kind": "sphere", "n": 6, "d": 2}, {"rule": "sinkhorn", "eps": 1.0}, {}, {"until": 4.0, "save": 6}
    )
    run = evolved(table)
    anywhere = run.flow.space.retract(jnp.asarray(np.random.default_rng(5).normal(size=run.x.shape)))
    code, _, rows, _ = agreed(table, with_tokens(run, anywhere))
    assert code == 0 and not rows


@pytest.mark.parametrize(
    "save, says", [(1, "cannot be measured from one saved time"), (6, "per unit of time on average")]
)
def test_growth_of_radii_is_measured_where_it_can_be(agreed, only, save, says):
    only("karagodin2025")
    table = scenario(
        {"kind": "sphere", "n": 6, "d": 3}, {"beta": 2.0}, {"normalisation": "pre_ln"}, {"until": 3.0, "save": save}
    )
    _, _, rows, _ = agreed(table)
    assert rows[""]["verdict"] == "measured" and says in rows[""]["measured"]


@pytest.mark.parametrize("first", [1, 3])
@pytest.mark.parametrize(
    "rule, flow", [({"rule": "sinkhorn", "eps": 1.0}, {}), ({"beta": 2.0}, {"normalisation": "pre_ln"})]
)
def test_states_that_are_no_numbers_decide_nothing(only, rule, flow, first):
    """No stored run has such states, but one in memory can be given them."""
    only("geshkovski2024", "karagodin2025")
    table = scenario({"kind": "sphere", "n": 6, "d": 3}, rule, flow, {"until": 3.0, "save": 6})
    run = evolved(table)
    damaged = with_tokens(run, np.where(np.arange(6)[:, None, None] < first, np.asarray(run.x), np.nan))
    facts = gather(table, damaged, seconds=0.0)
    assert not facts.failed and facts.is_complete
    assert [found.outcome for found in facts.checks] == [found.outcome for found in af.check(damaged)]
    assert {row.verdict for row in facts.headlines} <= {"undecided", "measured"}
    words = as_markdown(story(facts, {}))
    assert "not a number" not in words and "nan" not in words.lower().replace("attnflow", "").split()
    if flow:
        measured = next(row.measured for row in facts.headlines if not row.claim)
        assert ("cannot be measured from one saved time" in measured) == (first == 1)


def test_a_run_that_broke_down_fails_by_every_door(agreed, only):
    only("rigollet2025")
    code, outcomes, _, _ = agreed(ODD["out of steps"])
    assert code == 1 and "refuted" not in outcomes.values()


def test_a_blow_up_is_no_failure():
    broken = [Status.of(name).is_broken for name in Status.NAMES]
    assert broken == [False, False, False, True, True, True, True]


def test_no_door_asks_theory_about_a_crowd(monkeypatch):
    monkeypatch.setattr(register, "MOST_TOKENS", 5)
    table = scenario({"kind": "sphere", "n": 6, "d": 3}, {"beta": 2.0}, {}, {"until": 1.0, "save": 3})
    run = evolved(table)
    with pytest.warns(af.errors.Notice, match="not asked about more than 5 tokens"):
        assert af.check(run) == []
    facts = gather(table, run, seconds=0.0)
    assert not facts.failed and not facts.headlines and any("more than 5 tokens" in note for note in facts.notes)


@pytest.mark.slow
@pytest.mark.parametrize("name", ODD)
def test_odd_scenarios_have_one_verdict(agreed, name):
    agreed(ODD[name])
