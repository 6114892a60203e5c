"""How corrections and derived claims are known: every one has an entry, every entry a claim, every place a paper."""

import json
import re

import pytest

import attnflow as af
from attnflow.interfaces.cli import execute
from attnflow.papers.proofs import Proof, proofs_of
from attnflow.papers.register import claims, find_claim, papers

OWN = [claim for claim in claims() if claim.corrected is not None or claim.provenance == "derived"]


def test_every_correction_and_derived_claim_has_an_entry_and_no_entry_is_left_over():
    entries = {f"{paper}.{name}" for paper in papers() for name in proofs_of(paper)}
    assert entries == {claim.key for claim in OWN}
    assert all(claim.proof is None for claim in claims() if claim not in OWN)


@pytest.mark.parametrize("claim", OWN, ids=lambda claim: claim.key)
def test_a_proof_is_short_and_a_place_leads_to_a_paper(claim):
    proof, lines = claim.proof, claim.proof.text.splitlines()
    assert proof.kind in ("cited", "derived", "none"), "none is enclosed yet"
    assert (proof.kind == "cited") == bool(proof.place)
    assert len(lines) <= 10 and (proof.kind != "derived" or len(lines) >= 2)
    assert proof.text.count("$") % 2 == 0 and all(line.strip() for line in lines)
    known = {paper.arxiv for paper in papers().values()}
    assert set(re.findall(r"\d{4}\.\d{5}", proof.place + proof.text)) <= known
    assert proof.kind != "cited" or re.search(r"\d{4}\.\d{5}", proof.place)


def test_formulas_of_proofs_are_balanced_and_plain():
    for paper in papers():
        for name, proof in proofs_of(paper).items():
            for formula in re.findall(r"\$([^$]+)\$", " ".join(proof.text.split())):
                assert formula.isascii() and formula.count("{") == formula.count("}"), (paper, name, formula)


def test_proofs_are_read_when_asked_for():
    proofs_of.cache_clear()
    assert claims() and proofs_of.cache_info().currsize == 0


def test_a_claim_of_a_user_has_no_proof():
    class Own(af.Claim):
        number = "own"
        title = printed = "tokens gather"
        provenance = "derived"

    own = Own(af.Paper(name="smith2027", authors="Smith", title="", arxiv="", edition="", year=2027, chapters=()))
    assert own.proof == Proof("none")


def test_a_claim_shows_its_proof(capsys):
    for key, says in (
        ("castin2025.linear_moments", "Proof: derived here:"),
        ("geshkovski2024.theorem9.2", "Proof: cited:\n  Cohn and Kumar 2007"),
        ("agarwal2024.free_energy", "Proof: none; trials are no proof."),
    ):
        assert execute(["claim", key]) == 0
        told = capsys.readouterr().out
        assert says in told and find_claim(key).proof.text.splitlines()[0] in told
        assert execute(["claim", key, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["proof"]["kind"] == find_claim(key).proof.kind
    assert execute(["claim", "geshkovski2024.theorem6.1"]) == 0
    assert "Proof" not in capsys.readouterr().out
