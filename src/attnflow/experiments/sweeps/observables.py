"""Observables of a sweep by name: what is measured of every cell, at its end or over time."""

from __future__ import annotations

import hashlib
import inspect
import re
import runpy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...engine.evolution.trajectory import Trajectory
from ...engine.flow import attention_matrix
from ...engine.measures import Gaussian, Particles
from ...engine.observe.clusters import count_clusters
from ...engine.observe.energy import energy
from ...engine.observe.matrix import matrix_rank
from ...errors import BadInput
from ...papers.register import ask, checks, find_claim
from ...papers.variables import elapsed, unrescaled
from ...theory.limits.limit import limit
from ..scenario.reading import meant, shown

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
COMPARED = {"<=": np.less_equal, ">=": np.greater_equal, "<": np.less, ">": np.greater}


@dataclass(frozen=True)
class Observable:
    """A quantity of a run: one number, or one for every saved time."""

    name: str
    words: str
    read: Callable[[Trajectory], Any]
    over_time: bool = False
    needs_path: bool = False
    """Whether it reads more than the last state."""
    is_cheap: bool = False
    """Whether it can be asked of a first prompt, to see before a sweep that it can be measured at all."""
    source: str = ""
    """What its values depend on beside the run: the code of a user's function."""


# ---- quantities with a value at every time ----------------------------------------------------------------------------


def _clusters(run, picked, tol=1e-3):
    return [count_clusters(x, tol) for x in np.asarray(run.x)[picked]]


def _energy(run, picked):
    states, ts = jax.tree.map(lambda a: jnp.asarray(a)[picked], (run.states, run.ts))
    return energy(run.flow, states, t=ts)


def _cosine(run, picked):
    """The mean cosine of pairs of different tokens, each pair weighing $m_i m_j$."""
    x, mass = np.asarray(run.x)[picked], np.asarray(run.mass)
    u = x / np.linalg.norm(x, axis=-1, keepdims=True)
    centre, own = np.einsum("i,kid->kd", mass, u), mass @ mass
    return (np.sum(centre**2, axis=1) - own) / (1 - own) if own < 1 else np.full(len(x), np.nan)


def _rank(run, picked, tol=None):
    flow = unrescaled(run.flow)
    return [matrix_rank(attention_matrix(flow, run.at(int(k))), tol=tol).rank for k in picked]


def _spread(run, picked):
    """The square root of the trace of the covariance."""
    if isinstance(run.states, Gaussian):
        return np.sqrt(np.trace(np.asarray(run.cov)[picked], axis1=1, axis2=2))
    x, mass = np.asarray(run.x)[picked], np.asarray(run.mass)
    centre = np.einsum("i,kid->kd", mass, x)
    return np.sqrt(np.einsum("i,kid->k", mass, (x - centre[:, None]) ** 2))


def _largest(run, picked):
    return np.linalg.norm(np.asarray(run.x)[picked], axis=-1).max(axis=-1)


IN_TIME: dict[str, tuple[Callable, str]] = {
    "clusters": (_clusters, "number of clusters (single linkage at distance tol = 1e-3)"),
    "energy": (_energy, "energy of the flow (its own convention)"),
    "cosine": (_cosine, "mean cosine of pairs of tokens"),
    "rank": (_rank, "numerical rank of the attention matrix"),
    "spread": (_spread, "root of the trace of the covariance"),
    "largest": (_largest, "largest length of a token"),
}
"""Quantities at a saved time, by name."""


# ---- quantities of a whole run ----------------------------------------------------------------------------------------


def _limit(run):
    """How many places rescaled tokens end at, by a certified limit; NaN without a certificate."""
    found = limit(unrescaled(run.flow), run.at(0))
    places = found.planes if found.planes is not None else found.vertices
    return float(len(places)) if found.certificate.holds and places is not None else np.nan


WHOLE: dict[str, tuple[Callable, str, bool]] = {
    "limit": (_limit, "number of limit points of rescaled tokens, certified (NaN: no certificate)", True),
    "steps": (lambda run: float(run.steps), "steps of the integrator", False),
}

SPECIAL = {
    "time_to": "first saved time with e.g. time_to(clusters<=1); infinite: never reached",
    "check": "1 holds or consistent, 0 does not agree, NaN undecided or not applicable: check(geshkovski2024.theorem6.3)",
    "theory": "a number that a claim predicts: theory(CLAIM:NUMBER)",
}


def known() -> dict[str, str]:
    """Every name that can be measured, with what it is."""
    return {n: w for n, (_, w) in IN_TIME.items()} | {n: w for n, (_, w, _) in WHOLE.items()} | SPECIAL


LONGEST = 100


def find_observables(measure: Sequence[str | Callable]) -> list[Observable]:
    """Observables by name (`energy`, `energy(t)`, `time_to(clusters<=1)`, `check(CLAIM)`) or as functions of a run."""
    if isinstance(measure, str) or callable(measure):
        measure = [measure]
    found = [_of_function(one) if callable(one) else _named(one) for one in measure]
    names = [one.name for one in found]
    if not names:
        raise BadInput(f"measure is empty; there are {', '.join(known())}, or a function of a run")
    for name in names:
        if len(name) > LONGEST:
            raise BadInput(f"measure {shown(name)}: a name of at most {LONGEST} characters, since a file is called so")
        if names.count(name) > 1:
            raise BadInput(f"measure names {name} twice")
    return found


def _named(words: str) -> Observable:
    if isinstance(words, str) and ".py:" in words:
        return _of_function(_function_of(words))
    match = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*", words) if isinstance(words, str) else None
    if match is None:
        raise BadInput(f"measure {shown(words)}: write a name such as clusters, energy(t) or time_to(clusters<=1)")
    name, inside = match[1], (match[2] or "").strip()
    if name in IN_TIME:
        return _in_time(name, inside)
    if name in WHOLE and not inside:
        read, about, needs_path = WHOLE[name]
        return Observable(name, about, read, needs_path=needs_path)
    special = {"time_to": _time_to, "check": _check, "theory": _theory}
    if name in special:
        return special[name](inside)
    raise BadInput(f"measure {words}: unknown{meant(name, known())}; there are {', '.join(known())}")


def _in_time(name: str, inside: str) -> Observable:
    """At the end, or over time for `name(t)`; options such as tol=0.05 may follow."""
    read, about = IN_TIME[name]
    parts = [part.strip() for part in inside.split(",") if part.strip()]
    over_time = "t" in parts
    options = dict(_option(name, part, read) for part in parts if part != "t")
    label = f"{name}({', '.join(parts)})" if parts else name
    if over_time:
        return Observable(
            label,
            about,
            lambda run: _at_times(run, read, options, slice(None)),
            over_time=True,
            needs_path=True,
            is_cheap=True,
        )
    return Observable(
        label, f"{about}, at the end", lambda run: _at_times(run, read, options, slice(-1, None))[0], is_cheap=True
    )


def _option(name: str, part: str, read) -> tuple[str, float]:
    key, equals, value = (word.strip() for word in part.partition("="))
    takes = [key for key in inspect.signature(read).parameters if key not in ("run", "picked")]
    if not equals or key not in takes:
        raise BadInput(
            f"measure {name}({part}): takes t (over time){', and ' + ', '.join(takes) + '=' if takes else ''}"
        )
    try:
        number = float(value)
    except ValueError:
        number = np.nan
    if not number > 0:
        raise BadInput(f"measure {name}({part}): {key} must be a positive number")
    return key, number


def _at_times(run, read, options, which: slice) -> np.ndarray:
    return np.asarray(read(run, np.arange(len(run.ts))[which], **options), float)


def _time_to(inside: str) -> Observable:
    match = re.fullmatch(rf"(.+?)\s*(<=|>=|<|>)\s*({NUMBER})", inside)
    if match is None:
        raise BadInput(f"measure time_to({inside}): write time_to(clusters<=1) or time_to(cosine>=0.999)")
    quantity, sign, level = _named(match[1]), match[2], float(match[3])
    name = quantity.name.split("(")[0]
    if name not in IN_TIME:
        raise BadInput(f"measure time_to({inside}): {quantity.name} has no course in time; use {', '.join(IN_TIME)}")
    path = _in_time(name, ", ".join(filter(None, ["t", quantity.name.partition("(")[2].rstrip(")")])))

    def read(run):
        reached = np.flatnonzero(COMPARED[sign](path.read(run), level))
        return float(run.ts[reached[0]]) if len(reached) else np.inf

    words = f"first saved time with {match[1]} {sign} {level:g} (infinite: not reached)"
    return Observable(f"time_to({match[1]}{sign}{match[3]})", words, read, needs_path=True)


def _check(inside: str) -> Observable:
    claim = find_claim(inside)
    if claim.check is None:
        raise BadInput(f"measure check({inside}): no single run decides this claim; hunt for it")

    def read(run):
        seen = elapsed(run)
        asked = [one for one in ask(seen.flow, seen.at(0), paper=claim.paper) if one.claim.key == claim.key]
        found = checks(asked, seen)
        return np.nan if not found or found[0].holds is None else float(found[0].holds)

    return Observable(f"check({claim.key})", f"{claim.title}: 1 holds, 0 does not agree", read, needs_path=True)


def _theory(inside: str) -> Observable:
    key, colon, number = inside.rpartition(":")
    if not colon:
        raise BadInput(f"measure theory({inside}): write theory(CLAIM:NUMBER), as `attnflow predict --json` names them")
    claim = find_claim(key)

    def read(run):
        start = elapsed(run)
        hypotheses = claim.hypotheses(start.flow, start.at(0))
        if not hypotheses or not all(one.holds for one in hypotheses):
            return np.nan
        numbers = claim.predict(start.flow, start.at(0))[1]
        if number not in numbers:
            raise BadInput(f"theory({inside}): {claim.key} predicts no {number}, only {', '.join(numbers) or 'words'}")
        return float(numbers[number])

    return Observable(
        f"theory({claim.key}:{number})", f"{number} predicted by {claim.key}", read, needs_path=True, is_cheap=True
    )


def _function_of(words: str) -> Callable:
    """The function that `FILE.py:NAME` means."""
    path, _, name = words.rpartition(":")
    if not Path(path).is_file():
        raise BadInput(f"measure {words}: no such Python file")
    try:
        inside = runpy.run_path(path)
    except (Exception, SystemExit) as error:  # whatever a user's file raises
        raise BadInput(f"measure {words}: {type(error).__name__}: {' '.join(str(error).split())[:90]}") from None
    if not callable(inside.get(name)):
        raise BadInput(f"measure {words}: the file defines no function {name}")
    return inside[name]


def _of_function(function: Callable) -> Observable:
    """A user's own function of a run; its code is part of what names a cell."""
    name = getattr(function, "__name__", type(function).__name__)
    try:
        code = inspect.getsource(function)
    except (OSError, TypeError):
        code = repr(getattr(getattr(function, "__code__", None), "co_code", name))
    source = hashlib.sha256(code.encode()).hexdigest()
    about = (inspect.getdoc(function) or "a user's function of the run").splitlines()[0]
    return Observable(name, about, lambda run: float(function(run)), needs_path=True, source=source)


def value_of(observable: Observable, run: Trajectory) -> np.ndarray:
    """What is measured of a run; a state that is not finite has no value."""
    states = run.states
    numbers = states.x if isinstance(states, Particles) else states.mean if isinstance(states, Gaussian) else None
    if not len(run.ts) or (numbers is not None and not observable.over_time and not np.isfinite(numbers[-1]).all()):
        return np.asarray(np.nan)
    return np.asarray(observable.read(run), float)
