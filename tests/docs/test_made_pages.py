"""Every claim, paper, figure, public name, command and key has its place on the site."""

import json
import re
from pathlib import Path

import pytest
from docs.generate import commands, names
from docs.generate.claims import anchor
from docs.generate.drawing import stem
from docs.generate.drawing import stored as outcomes
from docs.generate.experiments import stored as experiments
from docs.generate.text import words
from docs.generate.verdicts import FILE, stored

import attnflow as af
from attnflow.experiments.laboratory.questions import QUESTIONS
from attnflow.experiments.scenario.schema import schema
from attnflow.papers.figure import figures
from attnflow.papers.register import papers

DOCS = Path(__file__).parents[2] / "docs"


def test_every_claim_has_one_anchor_and_its_words(made):
    for claim in af.claims():
        text = made[f"papers/{claim.paper}.md"]
        assert text.count(f"({anchor(claim.key)})=\n") == 1, claim.key
        told = text.split(f"({anchor(claim.key)})=\n")[1].split("\n## ")[0]
        assert words(claim.printed) in told and words(claim.corrected or "") in told and claim.latex in told
    everywhere = [anchor(claim.key) for claim in af.claims()]
    assert len(set(everywhere)) == len(everywhere)


def test_what_was_only_not_refuted_is_not_dressed_as_true(made):
    """A correction stands beside its proof or the word that there is none; no badge of success for hunts."""
    for path, text in made.items():
        assert not re.search("(?i)true instead|what is true|as it is true", text), path
        assert not re.search("bdg-success[a-z-]*}`(corrected: )?not refuted", text), path
    for claim in af.claims():
        told = made[f"papers/{claim.paper}.md"].split(f"({anchor(claim.key)})=\n")[1].split("\n### ")[0]
        assert ("\nCorrected\n:" in told) == (claim.corrected is not None), claim.key
        assert ("\nProof\n:" in told) == (claim.proof is not None), claim.key
        if claim.proof is not None:
            formulas = re.findall(r"\$[^$]+\$", " ".join(claim.proof.text.split()))
            assert all(formula in told for formula in formulas), claim.key
            assert claim.proof.kind != "none" or "trials are no proof" in told, claim.key


def test_every_erratum_has_a_command(made):
    wrong = [claim.key for claim in af.claims() if claim.erratum]
    assert sorted(re.findall(r"^attnflow check (\S+)$", made["papers/errata.md"], flags=re.M)) == sorted(wrong)


def test_every_number_leads_to_its_file(made):
    rows = re.findall(r"^\| .+ \| \[`\S+`\]\(#(\S+)\) \| .+ \| `(\S+\.py)` \|$", made["papers/numbers.md"], flags=re.M)
    homes = [type(claim).__module__.rsplit(".", 1)[1] for claim in af.claims()]
    assert rows == [(anchor(claim.key), f"{home}.py") for claim, home in zip(af.claims(), homes, strict=True)]


def left_dollars(text: str) -> list[str]:
    """Dollars that MyST leaves as text: formulas are displayed on lines of their own after an empty one, or inline."""
    text = re.sub(r"^(\s*)(`{3,}|:::+ *\{math\})[\s\S]*?^\1(`{3,}|:::+) *$", "", text, flags=re.M)
    text = re.sub(r"(`+)[^`]+\1|\\\$", "", text)
    text = re.sub(r"(?:\A|(?<=\n\n)|(?<=:::\n))[ \t]*\$\$[^$]+\$\$[ \t]*(?=\n|\Z)", "", text)
    text = re.sub(r"(?<!\$)\$(?!\$)(?:[^$\n]|\n(?!\s*\n))+\$(?!\$)", "", text)
    return re.findall(r".*\$.*", text)


def test_dollars_are_found_where_they_are_left():
    assert not left_dollars("words $a_1$ and \\$5\n\n$$\nx = y\n$$\n\nmore `$HOME`\n\n```bash\necho $x $$\n```\n")
    for wrong in ("$$x$$ with words", "words $$x$$", "words\n$$x$$", "one $ alone"):
        assert left_dollars(wrong), wrong


def test_no_formula_is_left_as_text(made):
    pages = made | {
        file.name: file.read_text("utf-8")
        for file in DOCS.rglob("*.md")
        if not {"node_modules", "tutorials", "papers", "figures", "reference"} & set(file.parts)
    }
    assert {name: found for name, text in pages.items() if (found := left_dollars(text))} == {}


@pytest.mark.parametrize("paper", papers())
def test_every_paper_has_a_page_with_all_its_statements(made, paper):
    text = made[f"papers/{paper}.md"]
    assert papers()[paper].bibtex in text
    assert all(words(line.statement) in text for line in papers()[paper].statements)
    assert f":link: {paper}\n" in made["papers/index.md"]


def test_every_figure_has_a_page_with_its_command(made):
    for figure in figures():
        assert f"attnflow figure {figure.paper} {figure.name}" in made[f"figures/{stem(figure)}.md"]
        assert f":link: {stem(figure)}\n" in made["figures/index.md"]


def test_every_figure_says_what_was_expected_and_whether_it_held(made):
    """From the stored record, since nothing is drawn here; `make docs-outcomes` renews it."""
    for figure in figures():
        told, text = outcomes()[stem(figure)], made[f"figures/{stem(figure)}.md"]
        assert words(told["expected"]) in text and words(told["observed"]) in text and " s of one core" in text
        assert told["held"] and "`held`" in text, figure


def test_every_public_name_has_an_entry(made):
    text = "\n".join(page for path, page in made.items() if path.startswith("reference/"))
    entries = set(
        re.findall(r"\{py:(?:class|function|data)\} (\w+).*\n:module: attnflow(?:\.papers\.register)?\n", text)
    )
    modules = {"initial"}  # a folder, whose names have entries of their own
    assert set(af._WHERE) - modules <= entries
    assert sum(len(group) for group in names.front().values()) == len(af.__all__)


def test_folders_show_what_they_offer(made):
    for folder in names.folders():
        text = made[f"reference/{folder}.md"]
        for full in names.folder_names(folder):
            home, name = full.rsplit(".", 1)
            assert re.search(rf"\{{py:\w+\}} {name}\b.*\n:module: {home}\n", text), full


def test_every_command_and_key_is_told(made):
    assert all(f"## {command}\n" in made["reference/commands.md"] for command in commands.names())
    keys = set(re.findall(r'"(\w+)": \{"(?:type|enum|anyOf|\$ref)', json.dumps(schema()["properties"])))
    words_of_a_schema = {"items", "additionalProperties"}
    told = made["reference/scenario-keys.md"].split("## JSON Schema")[0]
    assert not [key for key in keys - words_of_a_schema if f"`{key}`" not in told and f"`[{key}]`" not in told]


def test_exit_codes_are_told(made):
    assert re.findall(r"^\| `(\d+)` \|", made["reference/commands.md"], flags=re.M) == ["0", "1", "2", "70"]


def test_the_record_of_hunts_is_whole():
    record = json.loads(FILE.read_text("utf-8"))
    made = {"version", "commit", "date", "platform", "precision", "versions", "seed", "effort"}
    assert made | {"verdicts", "outside"} == set(record)
    assert not [v["claim"] for v in record["verdicts"] if v["worst"] is None]
    stands = [v for v in record["verdicts"] if v["statement"] == "corrected"]
    assert stands and all(v["outcome"] == "not refuted" for v in stands)


def test_open_questions_say_what_was_seen_and_what_was_changed(made):
    """Seen: the stored record, of the same cases as the experiments have."""
    text = made["papers/questions.md"]
    for asked in QUESTIONS:
        told = text.split(f"(question-{asked.name})=\n")[1].split("\n(question-")[0]
        assert f"attnflow conjecture {asked.name}" in told and words(asked.experiment) in told
        assert words(asked.changed) in told and bool(asked.changed) == ("\nChanged\n" in told)
        assert len(experiments()[asked.name]["rows"]) == len(asked.cases)


@pytest.mark.slow
def test_the_record_of_hunts_is_of_these_claims():
    """`make docs-verdicts` refreshes it."""
    known = stored()
    assert known.made["version"] == af.__version__
    missing = [(c.key, s) for c in af.claims() for s in c.hunts if not known.on(c.key, s)]
    assert not missing
