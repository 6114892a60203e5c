"""Every block of code in the pages: Python is run and prints what stands below it, commands exist, TOML is a scenario."""

import ast
import contextlib
import io
import re
import shlex
import tomllib
import warnings

import click
import pytest
import typer
from fences import ROOT, fences, named, pages

import attnflow as af
from attnflow.experiments.scenario import from_dict
from attnflow.interfaces.cli import execute
from attnflow.interfaces.cli.commands import app
from attnflow.models import PACKAGES
from attnflow.papers.register import is_own, papers

PYTHON = [page for page in pages() if any(fence.language == "python" for fence in fences(page))]
IN_A_FILE = {"docs/extending.md"}
"""Pages whose blocks are one module, run by tests/interface/test_extending.py."""
LONG = {"README.md", "docs/index.md", "docs/start/first-run.md"}
"""Pages that ask every claim about hundreds of tokens."""
CHEAP = {"attnflow list", "attnflow claim geshkovski2023.theorem3.1"}
"""Commands that are carried out, because they take no time."""
OTHERS = ("pip", "python", "srun", "cd", "git", "ssh")
"""Commands of other people."""


def marked(page):
    python = [fence for fence in fences(page) if fence.language == "python"]
    marks = [pytest.mark.slow] if named(page) in LONG or any(fence.is_slow for fence in python) else []
    marks += [pytest.mark.weights] if any(fence.weights for fence in python) else []
    return pytest.param(page, id=named(page), marks=marks)


@pytest.mark.parametrize("page", [marked(page) for page in PYTHON if named(page) not in IN_A_FILE])
def test_python_runs_and_prints_what_is_shown(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks, names = fences(page), {"__name__": "page"}
    for block, below in zip(blocks, [*blocks[1:], None]):
        if block.language != "python":
            continue
        tree = compile(block.code, named(page), "exec", flags=ast.PyCF_ONLY_AST)
        if block.weights and PACKAGES[block.weights].find() is None:
            pytest.skip(f"{block.weights} is not installed")
        if not block.is_run:
            continue
        said = io.StringIO()
        with contextlib.redirect_stdout(said), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(tree, named(page), "exec"), names)
        if below is not None and below.language == "text":
            assert said.getvalue().rstrip("\n") == below.code.rstrip("\n")


def lines(page):
    """Lines of shell blocks without comments."""
    for fence in fences(page):
        if fence.language in ("", "sh", "bash", "console"):
            for line in fence.code.splitlines():
                if words := shlex.split(line, comments=True):
                    yield words


def understood(words: list[str]) -> None:
    """Raise unless the command line takes these words."""
    words = list(words)
    if "--load" in words:
        at = words.index("--load")
        del words[at : at + 2]
    command = typer.main.get_command(app)
    while isinstance(command, click.Group) or hasattr(command, "commands"):
        name, *words = words
        command = command.commands[name]
    command.make_context(command.name, words)


MAKE = set(re.findall(r"^([a-z][a-z-]*(?: [a-z][a-z-]*)*):", (ROOT / "Makefile").read_text(), flags=re.M))
TARGETS = {target for targets in MAKE for target in targets.split()}


@pytest.mark.parametrize("page", [pytest.param(page, id=named(page)) for page in pages()])
def test_commands_exist(page):
    for words in lines(page):
        words = [word for word in words if not re.match(r"[A-Z_]+=", word)]
        if words[0] == "attnflow":
            understood(words[1:])
        elif words[0] == "make":
            assert set(words[1:]) <= TARGETS, words
        else:
            assert words[0] in OTHERS, words


@pytest.mark.parametrize("line", sorted(CHEAP))
def test_cheap_commands_are_carried_out(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert execute(shlex.split(line)[1:]) == 0
    assert capsys.readouterr().out


def test_cheap_commands_stand_in_the_pages():
    written = {" ".join(words) for page in pages() for words in lines(page)}
    assert written >= CHEAP


@pytest.mark.parametrize("page", [pytest.param(page, id=named(page)) for page in pages()])
def test_toml_is_a_scenario(page):
    for fence in fences(page):
        if fence.language == "toml":
            from_dict(tomllib.loads(fence.code))


def test_extras_that_pages_name_exist():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for page in pages():
        for group in re.findall(r"(?:attnflow|'\.)\[([a-z, ]+)\]", page.read_text(encoding="utf-8")):
            assert {name.strip() for name in group.split(",")} <= set(extras), page


def test_every_paper_of_the_register_has_its_letters():
    told = (ROOT / "docs/start/notation.md").read_text(encoding="utf-8")
    assert not [paper.arxiv for name, paper in papers().items() if is_own(name) and paper.arxiv not in told]


def test_every_paper_of_the_register_can_be_cited():
    told = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert all(paper.arxiv in told and paper.title in told for name, paper in papers().items() if is_own(name))
    assert f"version: {af.__version__}" in told
    assert f"version = {{{af.__version__}}}" in (ROOT / "docs/how/cite.md").read_text(encoding="utf-8")
