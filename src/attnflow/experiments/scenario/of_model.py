"""Tokens and flow of a scenario from a trained model: states of a recorded prompt before a layer, and that layer."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from ...engine.measures import Particles
from ...errors import BadInput
from ...models import Model, as_flow, random_albert, read_model, record
from ...models.as_flow import first_made
from ...models.files.weights import files_of_weights
from ...models.packages import PREFIX, find_package

RANDOM = "random"
"""The name of a small model with random weights, to try scenarios without weights."""


def states(given: dict[str, Any]) -> Particles:
    """The states before a layer; directions where the flow moves directions."""
    model = _read(given["model"])
    frame = "sphere" if model.is_post_ln else "unit" if _is_idealised(given) else "raw"
    return cast(Particles, record(model, _prompt(given), frame=frame).at(_layer(model, given)))


def flow(given: dict[str, Any]):
    """The layer that the states stand before; the last one for the states after it."""
    model = _read(given["model"])
    return as_flow(model, layer=min(_layer(model, given), model.depth - 1), keep=given.get("keep", "all"))


def _read(name: str) -> Model:
    return random_albert() if name == RANDOM else read_model(name)


def files_of_model(name: str) -> list[Path]:
    """The files that a model of that name is read from; none of one with random weights."""
    if name == RANDOM:
        return []
    return files_of_weights(find_package(name)[0] if name.startswith(PREFIX) else Path(name))


def _is_idealised(given: dict[str, Any]) -> bool:
    """Whether the flow moves directions alone, as in the papers."""
    return given.get("keep") == "attention"


def _layer(model: Model, given: dict[str, Any]) -> int:
    layer = given.get("layer", first_made(model))
    # Where no norm made the first states, the exact layer needs more of them than their directions.
    first = 0 if _is_idealised(given) else first_made(model)
    if not first <= layer <= model.depth:
        raise BadInput(f"tokens.layer must lie between {first} and {model.depth}, got {layer}")
    return layer


def _prompt(given: dict[str, Any]) -> str | list[int]:
    if ("text" in given) == ("ids" in given):
        raise BadInput('tokens of kind "model" need a prompt: either text = "…" or ids = [numbers of tokens]')
    if "text" in given:
        return given["text"]
    wrong = next((i for i in given["ids"] if not float(i).is_integer()), None)
    if wrong is not None:
        raise BadInput(f"tokens.ids are whole numbers, got {wrong:g}")
    return [int(i) for i in given["ids"]]
