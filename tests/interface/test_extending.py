"""What users add works everywhere: the examples of docs/extending.md, run as they stand."""

import json
import re
from pathlib import Path

import pytest

from attnflow.experiments.scenario import data, tokens
from attnflow.interfaces.cli import execute
from attnflow.papers import register

DOCS = Path(__file__).parents[2] / "docs"
SCENARIO = """
[tokens]
kind = "spiral"
n = 12
turns = 2.0
[attention]
rule = "softplus"
beta = 2.0
[time]
until = 1.0
save = 3
[output]
figure = []
animation = false
"""


def blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), flags=re.S)


@pytest.fixture
def mine(tmp_path, monkeypatch, capsys):
    """The blocks of the page as one file, and a command line that loads it."""
    for table, name in ((data.RULE_KEYS, "softplus"), (data.SPACES, "torus"), (tokens.KINDS, "spiral")):
        monkeypatch.delitem(table, name, raising=False)
    monkeypatch.setattr(data, "OWN_RULES", {})
    monkeypatch.setattr(register, "_LOADED", {})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ATTNFLOW_CACHE", str(tmp_path / "cache"))
    Path("mine.py").write_text("\n".join(blocks("extending.md")), encoding="utf-8")
    Path("mine.toml").write_text(SCENARIO, encoding="utf-8")

    def call(*words):
        for table, name in ((data.RULE_KEYS, "softplus"), (data.SPACES, "torus"), (tokens.KINDS, "spiral")):
            table.pop(name, None)
        register._LOADED.clear()
        capsys.readouterr()
        code = execute(["--load", "mine.py", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    yield call
    monkeypatch.undo()
    for table, name in ((data.RULE_KEYS, "softplus"), (data.SPACES, "torus"), (tokens.KINDS, "spiral")):
        table.pop(name, None)
    register.forget_claims()


@pytest.mark.slow
def test_rules_prompts_claims_and_figures_of_users_work_everywhere(mine):
    code, out, err = mine("run", "mine.toml", "--json")
    assert code == 0, err
    answer = json.loads(out)
    assert "smith2027.lemma1" in json.dumps(answer) or answer["status"] == "DONE"
    assert 'rule = "softplus"' in Path("out/mine/scenario.toml").read_text(encoding="utf-8")
    code, out, _ = mine("claim", "smith2027.lemma1")
    assert code == 0 and "never come further apart" in out
    code, out, _ = mine("check", "smith2027", "--json")
    assert code == 0 and json.loads(out)["verdicts"][0]["claim"] == "smith2027.lemma1"
    code, out, err = mine("figure", "smith2027", "1", "--json")
    assert code == 0, err
    assert "softplus" in mine("list", "rules")[1] and "spiral" in mine("list", "tokens")[1]
    code, out, _ = mine("check", "out/mine")
    assert code == 0


@pytest.mark.slow
def test_without_the_file_a_stored_run_says_what_is_missing(mine, capsys):
    assert mine("run", "mine.toml", "-q")[0] == 0
    for table, name in ((data.RULE_KEYS, "softplus"), (data.SPACES, "torus"), (tokens.KINDS, "spiral")):
        table.pop(name, None)
    assert execute(["check", "out/mine"]) == 2
    assert "spiral" in capsys.readouterr().err
