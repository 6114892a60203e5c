"""Parts of a scenario that do not fit together, told before the engine is imported.

The engine refuses the same and more; what is seen here costs no seconds of start-up.
"""

from __future__ import annotations

from itertools import pairwise
from sys import float_info

from ...engine.linalg.array_files import read_csv, read_npy
from ...errors import BadInput
from .cost import stated_sizes
from .data import Scenario
from .matrix import Diagonal, Stored
from .tokens import check_needed

FINEST = 10 * float_info.epsilon
"""Tolerances below this are lost in rounding."""
FIXED = ("euler", "midpoint", "heun", "rk4")


def check_fitting(scenario: Scenario) -> Scenario:
    """The scenario itself, if nothing in it contradicts another part."""
    check_needed(scenario.tokens.kind, scenario.tokens.parameters)
    _check_times(scenario)
    _check_flow(scenario)
    sizes = stated_sizes(scenario)
    rules = [("attention", scenario.attention)]
    rules += [(f"attention.heads[{h}]", head) for h, head in enumerate(scenario.attention.heads)]
    for place, rule in rules:
        _check_rule(place, rule)
    if sizes is not None and scenario.tokens.kind != "model":
        n, d = sizes
        for place, value in _square(scenario, rules):
            _check_shape(place, value, (d, d), d)
        for place, value in _narrow(rules):
            _check_shape(place, value, (None, d), d)
        _check_masses(scenario, n)
        _check_mask(scenario.attention.table, n)
        _check_positions(scenario.attention.positions, n)
        _check_first(scenario.tokens, n)
    return scenario


def _check_times(scenario: Scenario) -> None:
    time = scenario.time
    if time.tol is not None and time.tol < FINEST:
        raise BadInput(f"time.tol = {time.tol:g}: below what 64-bit numbers can hold ({FINEST:.1g})")
    if time.method in FIXED and time.step is None:
        raise BadInput(f'time.method = "{time.method}" needs a positive time.step')
    if time.step is not None and time.method not in FIXED and scenario.flow.noise is None:
        raise BadInput("time.step is for fixed-step methods and noise; adaptive methods take time.tol")
    if isinstance(time.save, tuple) and any(b <= a for a, b in pairwise(time.save)):
        raise BadInput("time.save: save times must increase strictly")
    if isinstance(time.save, tuple) and not (time.save[0] >= 0 and time.save[-1] <= time.until):
        raise BadInput(f"time.save: save times must lie between 0 and time.until = {time.until:g}")


def _check_flow(scenario: Scenario) -> None:
    flow = scenario.flow
    if isinstance(flow.noise, float) and flow.noise < 0:
        raise BadInput(f"flow.noise = {flow.noise:g}: must not be negative")
    if flow.rescaled and flow.space == "sphere":
        raise BadInput('flow.rescaled: rescaled tokens z = e^{-tV}x need flow.space = "euclidean"')
    if scenario.tokens.kind == "law" and flow.space == "sphere":
        raise BadInput('tokens.kind = "law": a Gaussian lives in flow.space = "euclidean"; use tokens on the sphere')


def _check_rule(place, rule) -> None:
    if isinstance(rule.eps, float) and rule.eps <= 0:
        raise BadInput(f"{place}.eps = {rule.eps:g}: must be a positive number")
    if rule.ties is not None and not 0 <= rule.ties < 1:
        raise BadInput(f"{place}.ties = {rule.ties:g}: must be a relative tolerance in [0, 1)")


def _square(scenario, rules):
    yield "flow.V", scenario.flow.V
    for place, rule in rules:
        yield f"{place}.B", rule.B
        yield f"{place}.V", rule.V


def _narrow(rules):
    return [(f"{place}.{name}", getattr(rule, name)) for place, rule in rules for name in ("Q", "K")]


def _check_shape(place, value, wanted, d: int) -> None:
    shape = _shape(place, value)
    if shape is not None and (shape[-1] != wanted[1] or wanted[0] not in (None, shape[0])):
        raise BadInput(f"{place} has shape {shape}, but tokens have dimension {d}")


def _shape(place, value) -> tuple[int, int] | None:
    """Rows and columns of a matrix that is written out or stored; None for numbers and what is drawn to fit."""
    match value:
        case tuple():
            return len(value), len(value[0])
        case Diagonal():
            return len(value.diagonal), len(value.diagonal)
        case Stored():
            return _stored_shape(place, value.file)
    return None


def _stored_shape(place, file: str) -> tuple[int, int] | None:
    try:
        array = read_npy(file) if file.endswith(".npy") else read_csv(file)[0]
    except BadInput as error:
        raise BadInput(f"{place}: {error}") from None
    if not (abs(array) < float("inf")).all():
        raise BadInput(f"{place}: {file} must be finite, but contains NaN or infinity")
    return (array.shape[0], array.shape[1]) if array.ndim == 2 else None


def _check_mask(table, n: int) -> None:
    if table is not None and any(len(row) != n for row in (table, *table)):
        raise BadInput(f"attention.table: {n} tokens need {n} rows of {n} entries")


def _check_positions(positions, n: int) -> None:
    if isinstance(positions, tuple) and len(positions) != n:
        raise BadInput(f"attention.positions: {n} tokens need {n} positions, got {len(positions)}")
    if isinstance(positions, tuple) and not 0 <= min(positions) <= max(positions) <= 1:
        raise BadInput("attention.positions: positions must lie in [0, 1]; divide token indices by their number")


def _check_first(tokens, n: int) -> None:
    given, least = tokens.parameters, -1.0 if n < 3 else -1 / (n - 1)
    if tokens.kind == "caps" and (given.get("eps") is None) == (given.get("angle") is None):
        raise BadInput("[tokens] give the size of the caps either as eps (⟨x,w⟩ ≥ 1 − eps) or as an angle")
    if tokens.kind == "equiangular" and isinstance(given["cos"], int | float) and not least <= given["cos"] <= 1:
        raise BadInput(f"tokens.cos: {n} tokens can have equal cosines between {least:.6g} and 1, got {given['cos']:g}")


def _check_masses(scenario: Scenario, n: int) -> None:
    mass = scenario.tokens.parameters.get("mass")
    if not isinstance(mass, tuple):
        return
    if len(mass) != n:
        raise BadInput(f"tokens.mass: {n} tokens need {n} masses, got {len(mass)}")
    if min(mass) < 0 or not sum(mass) > 0:
        raise BadInput("tokens.mass: masses must not be negative, and not all zero")
