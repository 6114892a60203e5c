"""Every public name has an example in its docstring, and every example is true."""

import doctest
import inspect

import matplotlib
import pytest

import attnflow as af
from attnflow.experiments.scenario import data, tokens
from attnflow.papers import register

matplotlib.use("Agg")
LONG = {
    "animate", "Block", "CBO", "check", "consensus", "evolve_batch", "falsify", "film", "limit", "lyapunov", "reduce", "regimes",
    "save_figure", "summary_figure", "sweep",
}  # fmt: skip
"""Names whose examples draw or run for seconds."""
SHOWN_ONLY = {"compile_cache", "explore", "load_run"}
"""Names whose examples would write to the user's cache, open a widget, or read a run that is not there."""
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def examples_of(name: str) -> doctest.DocTest:
    told = inspect.getdoc(getattr(af, name)) or ""
    return doctest.DocTestParser().get_doctest(told, {}, f"af.{name}", None, None)


def marked(name):
    return pytest.param(name, marks=[pytest.mark.slow] if name in LONG else [])


@pytest.fixture
def nothing_registered():
    """What examples register is forgotten."""
    tables = (data.RULE_KEYS, data.OWN_RULES, data.SPACES, tokens.KINDS, register._LOADED)
    before = [dict(table) for table in tables]
    yield
    for table, old in zip(tables, before):
        table.clear()
        table.update(old)
    register.forget_claims()


BY_FOLDER = (
    "Biased", "Density", "FeedForward", "LayerNorm", "MixLN", "MultiHead", "NGPT", "PeriLN", "PostLN", "PreLN",
    "RMSNorm", "Rotary", "SqrtLN", "Windowed", "fate_of", "film", "lyapunov", "mixture", "polygon", "reinitialised",
    "save_figure", "steady_states", "wasserstein",
)  # fmt: skip
"""Names that folders offer and that have examples too."""


@pytest.mark.parametrize("name", [marked(name) for name in (*af.__all__, *BY_FOLDER)])
def test_examples_are_true(name, nothing_registered):
    assert examples_of(name).examples
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=OPTIONS)
    runner.run(examples_of(name), out=said.append)
    assert not runner.failures, "".join(said)


def test_examples_are_run_but_for_those_that_cannot_be():
    skipped = {name for name in af.__all__ if doctest.SKIP in examples_of(name).examples[-1].options}
    assert skipped == SHOWN_ONLY


def test_examples_are_short():
    assert not [name for name in af.__all__ if len(examples_of(name).examples) > 7]
