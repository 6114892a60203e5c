"""What a claim shows of itself: every statement of a paper has a line, every claim its words, verdicts their command."""

import json
from typing import get_args

import numpy as np
import pytest

from attnflow.experiments.scenario.plain import plain
from attnflow.interfaces.cli import execute, statements
from attnflow.papers.claim import KINDS, Claim, Provenance
from attnflow.papers.hunt import hunted
from attnflow.papers.register import claims, find_claim, papers
from attnflow.papers.specimens import hypothesis_words


@pytest.mark.parametrize("name", papers())
def test_every_claim_tells_a_statement_of_its_paper(name):
    told = {number for line in papers()[name].statements for number in line.claims}
    assert told == {claim.key.split(".", 1)[1] for claim in claims(name)}
    assert all(line.claims or line.why for line in papers()[name].statements)


@pytest.mark.parametrize("claim", claims(), ids=lambda claim: claim.key)
def test_a_claim_says_in_words_and_symbols_what_it_states_of_what_and_where_that_is_from(claim):
    assert claim.title and claim.printed and claim.latex and claim.number and claim.provenance in get_args(Provenance)
    assert claim.latex.isascii() and claim.latex.count("{") == claim.latex.count("}")
    assert all(hypothesis_words(claim)) and hypothesis_words(claim)
    assert claim.record.name == claim.paper and claim.record.arxiv and claim.record.edition and claim.source
    assert type(claim).hypotheses is not Claim.hypotheses or claim.assumes


def test_only_texts_that_were_seen_are_false_as_printed():
    for claim in claims():
        assert (claim.corrected is None) == (claim.erratum is None), claim.key
        assert claim.provenance != "derived" or claim.erratum is None, claim.key
        assert claim.kind in (*KINDS, "derived") and claim.title and claim.printed


def test_cross_references_lead_somewhere():
    known = {claim.key for claim in claims()}
    assert {key for claim in claims() for key in claim.see} <= known


def answer(capsys, *words):
    code = execute([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_paper_shows_its_statements(capsys):
    code, told = answer(capsys, "claim", "2411.04990")
    assert code == 0 and told["paper"] == "karagodin2024"
    assert {"statement", "claims", "why"} == set(told["statements"][0])


def test_a_claim_shows_itself(capsys):
    code, told = answer(capsys, "claim", "geshkovski2024.theorem6.9")
    assert code == 0 and "6·10⁵⁷" in told["speaks_from"] and told["edition"] == "v4" and told["number"] == "theorem 6.9"
    assert answer(capsys, "claim", "geshkovski2024.theorem6.99")[0] == 2


def test_a_claim_shows_what_its_last_hunt_noticed(capsys, monkeypatch, tmp_path):
    (tmp_path / "docs").mkdir()
    row = {"claim": "rigollet2025.theorem7", "statement": "printed", "outcome": "not refuted", "trials": 9}
    kept = {"verdicts": [row | {"notices": "0.1 %"}, row | {"claim": "rigollet2025.hardmax"}]}
    (tmp_path / "docs" / "verdicts.json").write_text(json.dumps(kept))
    monkeypatch.setattr(statements, "PACKAGE", tmp_path / "src" / "attnflow")
    assert answer(capsys, "claim", "rigollet2025.theorem7")[1]["recorded"] == kept["verdicts"][:1]
    assert execute(["claim", "rigollet2025.theorem7"]) == 0
    assert (
        "printed, not refuted in 9 trials; error of its number that would be noticed: 0.1 %" in capsys.readouterr().out
    )


def test_a_verdict_comes_back_by_its_command(capsys):
    first = hunted(find_claim("karagodin2024.lemmac.1"), seed=3)[0]
    code, told = answer(capsys, *first.command.split()[1:])
    again = told["verdicts"][0]
    assert code == 0 and again["command"] == first.command
    np.testing.assert_allclose([again["worst"], again["margin"]], [first.worst, first.margin], rtol=1e-12)


def test_what_json_cannot_say_is_null_with_a_word():
    told = plain({"time": np.float64(np.inf), "all": np.array([1.0, -np.inf]), "pair": [np.nan, 2.0], "fine": [1.0]})
    assert json.loads(json.dumps(told, allow_nan=False)) == {
        "time": None, "time_is": "infinite", "all": [1.0, None], "all_is": [None, "minus infinite"],
        "pair": [None, 2.0], "pair_is": ["not a number", None], "fine": [1.0],
    }  # fmt: skip
