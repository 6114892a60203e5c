"""The register of papers and claims: what theory says of a flow and a prompt, and whether a run agrees."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from warnings import warn

import jax
import numpy as np

from ..engine.evolution.trajectory import Trajectory
from ..engine.flow import Flow, check_fits
from ..engine.flow.rescaled import Rescaled
from ..engine.measures import Density, Gaussian, Particles
from ..errors import BadInput, Notice, quoted
from .claim import Check, Claim, Finding, Hypothesis, Prediction, undecided
from .following import changed_masses, of_solutions
from .paper import Paper
from .variables import elapsed, is_layered

_LOADED: dict[str, tuple[Paper, tuple[ModuleType, ...]]] = {}
"""Papers given from outside the package, by name."""


# ---- papers and their claims ------------------------------------------------------------------------------------------


@cache
def _own_papers() -> dict[str, Paper]:
    """The papers of this folder, found by walking it, in the order of their years."""
    package = import_module("attnflow.papers")
    names = [found.name for found in iter_modules(package.__path__) if found.ispkg]
    records = [replace(import_module(f"{__package__}.{name}").PAPER, name=name) for name in names]
    return {paper.name: paper for paper in sorted(records, key=lambda paper: (paper.year, paper.arxiv))}


def papers() -> dict[str, Paper]:
    """Every paper by name."""
    return _own_papers() | {name: paper for name, (paper, _) in _LOADED.items()}


def find_paper(name: str) -> str:
    """The name of a paper, which may be given by its arXiv number."""
    if not isinstance(name, str):
        raise BadInput(f"a paper has a name such as geshkovski2024, got {quoted(name)}")
    number = name.lower().removeprefix("arxiv").lstrip(": ").split("v")[0]
    found = [key for key, paper in papers().items() if name == key or number == paper.arxiv]
    if not found:
        near = get_close_matches(name, papers(), n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise BadInput(f"unknown paper {quoted(name)}{hint}; `attnflow list papers` shows them")
    return found[0]


def register_paper(paper: Paper, *chapters: ModuleType) -> None:
    """Add a paper of your own, with the modules that hold its claims and figures.

    >>> import attnflow as af
    >>> import types
    >>> told = {"authors": "Smith", "title": "On cosines", "arxiv": "", "edition": "v1", "year": 2027, "chapters": ()}
    >>> paper = af.Paper(name="smith2027", **told)
    >>> af.register_paper(paper, types.ModuleType("claims"))  # the module that holds its claims and figures
    >>> af.claims("smith2027")
    []
    """
    if not isinstance(paper, Paper):
        raise BadInput(f"a Paper is needed, got {type(paper).__name__}")
    if not paper.name.isidentifier():
        raise BadInput(f"a paper needs a name such as 'smith2027', got {quoted(paper.name)}")
    if paper.name in _own_papers():
        raise BadInput(f"there is a paper called {paper.name} already; choose another name")
    _LOADED[paper.name] = (paper, chapters)
    forget_claims()


def forget_claims() -> None:
    """Find the claims anew when they are asked for next."""
    _claims_of.cache_clear()


def is_own(name: str) -> bool:
    """Whether a paper is one of this folder."""
    return name in _own_papers()


def chapters(name: str) -> tuple[ModuleType, ...]:
    """The modules that hold the claims of a paper, in its order."""
    if name in _LOADED:
        return _LOADED[name][1]
    return tuple(import_module(f"{__package__}.{name}.{chapter}") for chapter in papers()[name].chapters)


@cache
def _claims_of(name: str) -> tuple[Claim, ...]:
    paper = papers()[name]
    found = tuple(kind(paper) for chapter in chapters(name) for kind in _kinds(chapter))
    keys = [claim.key for claim in found]
    if len(set(keys)) < len(keys):
        raise BadInput(f"{name} states {max(keys, key=keys.count)} twice")
    return found


def _kinds(chapter: ModuleType) -> Iterator[type[Claim]]:
    """The claims a module defines itself, from top to bottom."""
    for value in vars(chapter).values():
        if inspect.isclass(value) and issubclass(value, Claim) and value.__module__ == chapter.__name__:
            yield value


def claims(paper: str | None = None) -> list[Claim]:
    """All claims, or those of one paper (by name or arXiv number), in the order of the papers.

    >>> import attnflow as af
    >>> claim = af.claims("geshkovski2023")[0]
    >>> claim.key, claim.kind
    ('geshkovski2023.theorem2.1', 'theorem')
    """
    names = papers() if paper is None else (find_paper(paper),)
    return [claim for name in names for claim in _claims_of(name)]


def find_claim(key: str) -> Claim:
    """The claim of that key."""
    paper = key.split(".")[0]
    for claim in _claims_of(paper) if paper in papers() else ():
        if claim.key == key:
            return claim
    near = get_close_matches(key, [claim.key for claim in claims()], n=5, cutoff=0.4)
    raise BadInput(f"unknown claim {quoted(key)}" + (f"; did you mean {', '.join(near)}?" if near else ""))


# ---- asking them ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """A claim and its hypotheses for one flow and prompt, evaluated once."""

    claim: Claim
    hypotheses: tuple[Hypothesis, ...]
    error: str = ""
    """A bug of ours in evaluating them."""

    @property
    def applies(self) -> bool:
        return bool(self.hypotheses) and all(hypothesis.holds for hypothesis in self.hypotheses)

    @property
    def missing(self) -> tuple[Hypothesis, ...]:
        """The hypotheses that fail."""
        return tuple(hypothesis for hypothesis in self.hypotheses if not hypothesis.holds)


def ask(flow, mu, *, paper: str | None = None) -> list[Asked]:
    """Every claim, or those of one paper, with its hypotheses for this flow and this prompt."""
    if not isinstance(mu, Particles | Gaussian | Density) or not hasattr(flow, "space"):
        raise BadInput(f"theory is asked about a flow and a prompt, got {type(flow).__name__} and {type(mu).__name__}")
    if isinstance(mu, Particles) and mu.x.ndim == 2 and isinstance(flow, Flow | Rescaled):
        check_fits(flow, mu)
    return [ask_claim(claim, flow, mu) for claim in claims(paper)]


def nearest(asked: list[Asked]) -> list[Asked]:
    """Claims about such flows whose hypotheses fail here, those that miss the fewest first."""
    missed = [one for one in asked if one.missing]
    return sorted(missed, key=lambda one: (len(one.missing), len(one.missing) / len(one.hypotheses)))


def ask_claim(claim: Claim, flow, mu) -> Asked:
    """One claim with its hypotheses; what raises is a bug of ours, and told."""
    try:
        return Asked(claim, tuple(claim.hypotheses(flow, mu)))
    except Exception as error:
        if _is_beyond(error, flow, mu):
            return Asked(claim, (Hypothesis("its numbers stay within the range of floating point", -np.inf),))
        return Asked(claim, (), _bug(error))


FAR = 1e75
"""The fourth power of larger numbers leaves the range of floating point."""
BEYOND = "its hypotheses hold, but its numbers leave the range of floating point here"


def _is_beyond(error: Exception, flow, mu) -> bool:
    """Whether numbers of the flow or the prompt are too large to be computed with, which is no bug."""
    if isinstance(error, OverflowError) or not isinstance(error, ArithmeticError | ValueError):
        return isinstance(error, OverflowError)
    numbers = [
        np.asarray(leaf) for leaf in jax.tree.leaves((flow, mu)) if isinstance(leaf, float | np.ndarray | jax.Array)
    ]
    return any(a.dtype.kind == "f" and np.abs(a).max(initial=0.0) > FAR for a in numbers)


def _bug(error: Exception) -> str:
    return f"ERROR, please report it: {type(error).__name__}: {' '.join(str(error).split())[:200]}"


def predict(flow, mu, *, paper: str | None = None) -> list[Prediction]:
    """What theory says of this flow and this prompt: one prediction for every claim whose hypotheses hold.

    >>> import attnflow as af
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax()), af.uniform_sphere(8, 3, seed=0)
    >>> [found.claim for found in af.predict(flow, mu, paper="geshkovski2024")]
    ['geshkovski2024.energy_identity', 'geshkovski2024.proposition3.4', 'geshkovski2024.theorem6.1',
     'geshkovski2024.theorem6.7']
    """
    return predictions(ask(flow, mu, paper=paper), flow, mu)


def predictions(asked: list[Asked], flow, mu) -> list[Prediction]:
    return [_prediction(one, flow, mu) for one in asked if one.applies or one.error]


def _prediction(one: Asked, flow, mu) -> Prediction:
    key, title = one.claim.key, one.claim.title
    try:
        if one.error:
            return Prediction(key, one.error, title=title, is_error=True)
        words, numbers = one.claim.predict(flow, mu)
        words = BEYOND if re.search(r"\bnan\b", words) else words
        return Prediction(key, words, numbers, title, one.hypotheses)
    except Exception as error:
        if _is_beyond(error, flow, mu):
            return Prediction(key, BEYOND, title=title, hypotheses=one.hypotheses)
        return Prediction(key, _bug(error), title=title, hypotheses=one.hypotheses, is_error=True)


def check(run: Trajectory, *, paper: str | None = None) -> list[Check]:
    """Every claim whose hypotheses hold at the start of the run, with numbers.

    >>> import attnflow as af
    >>> run = af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0), until=20.0)
    >>> {found.claim: found.outcome for found in af.check(run, paper="geshkovski2024")}
    {'geshkovski2024.energy_identity': 'holds', 'geshkovski2024.theorem6.1': 'undecided'}
    """
    found = study(run, paper=paper)
    if found.note:
        warn(found.note, Notice, stacklevel=2)
    return found.checks


MOST_TOKENS = 20_000
"""Runs of more tokens are not studied: hypotheses may form all pairs."""


@dataclass(frozen=True)
class Study:
    """All that the register says of a run; hypotheses are evaluated once."""

    asked: list[Asked]
    predictions: list[Prediction]
    checks: list[Check]
    note: str = ""
    """Why nothing was asked."""

    @property
    def fails(self) -> bool:
        """Whether the run does not agree with a claim, or a claim could not be asked: exit code 1."""
        return any(found.fails for found in self.checks)


def study(run: Trajectory, *, paper: str | None = None) -> Study:
    """Ask every claim about the start of a run, predict, and check, on a clock that starts at 0."""
    _check_is_run(run)
    if isinstance(run.states, Particles) and run.states.n > MOST_TOKENS:
        return Study(
            [], [], [], f"theorems are not asked about more than {MOST_TOKENS:,} tokens: many look at all pairs"
        )
    seen = elapsed(run)
    asked = ask(seen.flow, seen.at(0), paper=paper)
    return Study(asked, predictions(asked, seen.flow, seen.at(0)), checks(asked, seen))


def _check_is_run(run) -> None:
    if not isinstance(run, Trajectory):
        raise BadInput(f"check takes a run, made by evolve, got {type(run).__name__}")
    if run.ts.ndim > 1:
        raise BadInput("the runs of a batch are checked one by one: give run.member(i)")
    if run.flow is None:
        raise BadInput("this run does not know its flow, so no theorem can be asked about it")


def checks(asked: list[Asked], run: Trajectory) -> list[Check]:
    """The checks of claims whose hypotheses hold; the clock of the run starts at 0."""
    broken = _unfit(run)
    return [_check(one, run, broken) for one in asked if (one.applies or one.error) and one.claim.check is not None]


def _unfit(run: Trajectory) -> Finding | None:
    """Why nothing can be read off a run: a number that is not finite, or masses that change."""
    states = [np.asarray(leaf) for leaf in _numbers(run.states)]
    good = np.all([np.isfinite(a).reshape(len(a), -1).all(axis=1) for a in states], axis=0)
    if not good.all():
        t = float(run.ts[int(np.argmin(good))])
        return undecided(f"the run is not finite from t = {t:g} on", t=t)
    if (t := changed_masses(run)) is not None:
        return undecided(
            f"this is not a run of the flow: its masses are no longer those of the start at t = {t:g}", t=t
        )
    return None


def _numbers(states):
    match states:
        case Particles():
            return states.x, states.mass
        case Gaussian():
            return states.mean, states.cov
    return (states.values,)


def _check(one: Asked, run: Trajectory, broken: Finding | None) -> Check:
    key, title = one.claim.key, one.claim.title
    if one.error:
        return Check(key, "error", one.error, title=title)
    if broken is not None:
        return Check(key, broken.outcome, broken.words, broken.numbers, title)
    assert one.claim.check is not None
    try:
        found = of_solutions(one.claim, _of_the_flow(one.claim, one.claim.check(run), run), run)
    except Exception as error:
        if _is_beyond(error, run.flow, run.at(0)):
            return Check(key, "undecided", BEYOND, title=title)
        return Check(key, "error", _bug(error), title=title)
    return Check(key, _outcome(one.claim, found), found.words, found.numbers, title)


def _outcome(claim: Claim, found: Finding):
    if any(isinstance(value, float | np.floating) and np.isnan(value) for value in found.numbers.values()):
        return "undecided"
    if found.outcome != "holds":
        return found.outcome
    return "consistent" if claim.decides in ("static", "monotone") else "holds"


def _of_the_flow(claim: Claim, found: Finding, run: Trajectory) -> Finding:
    """A run in fixed steps is not the flow: it refutes only what is also claimed of layers."""
    if found.outcome != "refuted" or run.stride is None or (claim.in_layers and is_layered(run)):
        return found
    why = f"steps of {run.stride.step:g} ({run.stride.method}) are not the flow of this claim; run it with a tolerance"
    return Finding("undecided", f"{found.words}: does not hold, but {why}", found.numbers)
