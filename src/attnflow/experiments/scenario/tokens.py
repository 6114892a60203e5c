"""The kinds of first prompts a scenario can name: one line each, mapping to a function of `initial`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

from ...errors import BadInput, quoted
from .matrix import anything
from .reading import (
    Reader,
    as_table,
    check_new,
    choice,
    either,
    flag,
    integer,
    many,
    number,
    numbers,
    parameters_of,
    positive,
    rows,
    text,
    whole,
)

vector = either(number, numbers, need="a number or a list of numbers")
square = either(number, rows, need="a number or a list of rows")
points = either(rows, numbers, need="a list of rows")
sampling = choice("iid", "sobol")


def law_parameters(value, place):
    return {key: number(entry, f"{place}.{key}") for key, entry in as_table(value, place).items()}


@dataclass(frozen=True)
class Kind:
    """The function that makes the prompt (by its name in `measures.initial`), and how its parameters are read."""

    function: str | Callable
    own: dict[str, Reader]
    needed: tuple[str, ...] = ("n", "d")

    @property
    def readers(self) -> dict[str, Reader]:
        return self.own | {"mass": numbers}


def _kind(function: str, needed: str = "n d", **own: Reader) -> Kind:
    named = tuple(needed.split())
    return Kind(function, {name: whole for name in named if name in ("n", "d")} | own, named)


KINDS: dict[str, Kind] = {
    "sphere": _kind("uniform_sphere", sampling=sampling),
    "ball": _kind("uniform_ball", radius=positive, centre=vector, sampling=sampling),
    "cube": _kind("uniform_cube", low=vector, high=vector, sampling=sampling),
    "gaussian": _kind("gaussian_tokens", mean=numbers, cov=rows, sampling=sampling, antithetic=flag, matched=flag),
    "mixture": _kind("mixture", "n weights means covs", weights=numbers, means=points, covs=many(square),
                     stratified=flag),
    "caps": _kind("caps", "n d centres", centres=either(whole, rows, need="a count or a list of rows"),
                  eps=positive, angle=positive),
    "polygon": _kind("polygon", "n", phase=number),
    "simplex": _kind("simplex", "d"),
    "cross_polytope": _kind("cross_polytope", "d"),
    "icosahedron": _kind("icosahedron", ""),
    "cell_600": _kind("cell_600", ""),
    "equiangular": _kind("equiangular", "n d cos", cos=number),
    "quantiles": _kind("quantile_nodes", "n", law=text, circle=flag, parameters=law_parameters),
    "quadrature": _kind("quadrature_nodes", "n low high", law=text, parameters=law_parameters, low=number, high=number),
    "circle_nodes": _kind("circle_nodes", "n"),
    "sphere_nodes": _kind("sphere_nodes", "rings azimuths", rings=whole, azimuths=whole),
    "array": _kind("from_array", "x", x=rows, normalise=flag),
    "file": _kind("from_file", "file", file=text, normalise=flag),
    "law": _kind("law", "d", mean=numbers, cov=square),
    "model": _kind("model", "model", model=text, text=text, ids=numbers, layer=integer,
                   keep=choice("all", "attention", "no feed-forward", "no attention")),
}  # fmt: skip
"""`law` is the Gaussian N(mean, cov) itself, moved by its closed equation, not a sample of it; `model` takes tokens and flow
from a trained model."""


def register_prompt(name: str, function: Callable) -> None:
    """Let scenarios say `kind = "name"`; `function` returns a measure and may take a `seed`.

    >>> import attnflow as af
    >>> af.register_prompt("corners", lambda n: af.polygon(n))  # scenarios may now say: kind = "corners"
    """
    check_new(name, KINDS)
    takes, needed = parameters_of(function)
    KINDS[name] = Kind(function, dict.fromkeys(takes, anything), needed)


def check_needed(kind: str, parameters: dict[str, Any]) -> None:
    """Refuse a prompt without what its kind cannot do without."""
    missing = [name for name in KINDS[kind].needed if name not in parameters]
    if missing:
        raise BadInput(f"tokens.{missing[0]} is missing: kind {kind} needs {', '.join(KINDS[kind].needed)}")


def make(kind: str, parameters: dict[str, Any], seed: int):
    """The measure a kind and its parameters stand for."""
    from ...engine.measures import Particles, initial

    check_needed(kind, parameters)
    given = dict(parameters)
    mass = given.pop("mass", None)
    function = KINDS[kind].function
    if kind in ADAPTERS:
        mu = ADAPTERS[kind](given)
    else:
        mu = _call(getattr(initial, function) if isinstance(function, str) else function, given, seed)
    if mass is None:
        return mu
    if not isinstance(mu, Particles):
        raise BadInput("tokens.mass: a Gaussian law has no masses")
    return Particles(mu.x, mass)


def _call(function: Callable, given: dict, seed: int):
    known = signature(function).parameters
    return function(**given, **({"seed": seed} if "seed" in known else {}))


def _law(given):
    import numpy as np

    from ...engine.measures import Gaussian

    cov, d = given.get("cov", 1.0), given["d"]
    return Gaussian(given.get("mean", np.zeros(d)), np.eye(d) * cov if isinstance(cov, float) else cov)


def _quantiles(given):
    from ...engine.measures.initial import quantile_nodes

    return quantile_nodes(**{k: v for k, v in given.items() if k != "parameters"}, **given.get("parameters", {}))


def _quadrature(given):
    from scipy import stats

    from ...engine.measures.initial import quadrature_nodes

    name = str(given.pop("law", "norm"))
    found: Any = getattr(stats, {"normal": "norm"}.get(name, name), None)
    if not isinstance(found, stats.rv_continuous):
        raise BadInput(f"law must be the name of a continuous law in scipy.stats, got {quoted(name)}")
    frozen: Any = found(**given.pop("parameters", {}))
    return quadrature_nodes(frozen.pdf, given.pop("n"), **given)


def _file(given):
    from ...engine.measures.initial import from_file

    return from_file(given.pop("file"), **given)


def _model(given):
    from .of_model import states

    return states(given)


ADAPTERS = {"model": _model, "law": _law, "quantiles": _quantiles, "quadrature": _quadrature, "file": _file}
"""Kinds whose parameters are not literally those of the function."""
