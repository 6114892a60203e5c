"""Arguments of public functions: what is not as its annotation says is refused in one line, before anything is done."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

import numpy as np
from jax.typing import ArrayLike
from jaxtyping import AbstractArray, Array

from ...errors import BadInput, quoted
from .matrices import is_concrete, is_count, is_number

P = ParamSpec("P")
R = TypeVar("R")
LARGEST = 2**31 - 1
"""Counts above it are none that a memory could hold."""
MOST = {"seed": 2**63 - 1, "max_steps": 2**53}
"""Whole numbers that count nothing in memory."""
COUNTS = (
    "n", "d", "runs", "tries", "size", "dpi", "frames", "fps", "repeats", "pieces", "nodes", "times", "rings", "azimuths",
    "order", "rank", "intervals", "per_decade",
)  # fmt: skip
"""Whole numbers of at least 1, by the name they have everywhere."""
EXPONENTS = ("p",)
"""Of distances and norms: they may be infinite."""
LISTS = ("ts", "mass", "means", "deltas", "box", "l", "samples", "weights", "counts", "betas", "labels")
"""Arrays that are lists, so that a single number is none."""
CHECKED: list[Callable] = []
"""Every function whose arguments are checked: a test reads all their annotations."""


def as_annotated(function: Callable[P, R]) -> Callable[P, R]:
    """Refuse arguments that are not what their annotations say: numbers are finite, whole numbers are within reach.

    Annotations that are not known here (shapes of arrays, functions of time) are left to the function itself. Single
    numbers of NumPy, JAX or `fractions` go on as numbers of Python.
    """
    signature = inspect.signature(function)
    is_first_self = next(iter(signature.parameters), "") == "self"
    CHECKED.append(function)

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError:
            return function(*args, **kwargs)  # which says it in its own name
        for name, value in list(given.arguments.items())[is_first_self:]:
            kinds = kinds_of(function, name)
            if kinds is not None:
                _check(value, name, kinds)
                given.arguments[name] = _plain_number(value, kinds)
        try:
            return function(*given.args, **given.kwargs)
        except MemoryError:
            raise BadInput(f"{function.__name__}: there is not enough memory for arrays of this size") from None

    return called


@cache
def kinds_of(function: Callable, name: str) -> tuple[Any, ...] | None:
    """The kinds that an annotation allows, or None where it is not for us to say."""
    parameter = inspect.signature(function).parameters[name]
    if parameter.annotation is parameter.empty or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return None
    kinds = _members(eval(parameter.annotation, inspect.unwrap(function).__globals__))
    return kinds if all(_is_known(kind) for kind in kinds) else None


def _members(hint) -> tuple[Any, ...]:
    if hint is ArrayLike:
        return (ArrayLike,)
    if get_origin(hint) not in (Union, types.UnionType):
        return (hint,)
    parts, arrays = get_args(hint), get_args(ArrayLike)
    if set(arrays) <= set(parts):  # a union forgets which unions it was made of
        parts = (ArrayLike, *(part for part in parts if part not in arrays))
    return tuple(member for part in parts for member in _members(part))


def _is_known(kind) -> bool:
    origin = get_origin(kind) or kind
    is_promise = getattr(origin, "_is_protocol", False) and not getattr(origin, "_is_runtime_protocol", False)
    is_vague = origin in (object, Any) or is_promise
    return kind in (ArrayLike, None) or origin is Literal or (isinstance(origin, type) and not is_vague)


def _check(value, name: str, kinds: tuple[Any, ...]) -> None:
    if any(_is_of(value, name, kind) for kind in kinds):
        return
    words = list(dict.fromkeys(_word(kind, name) for kind in kinds))
    raise BadInput(f"{name} must be {' or '.join(words)}, got {quoted(value)}")


def _is_of(value, name: str, kind) -> bool:
    if kind is None or kind is type(None):
        return value is None
    if kind is float:
        is_infinite = isinstance(value, float) and value == np.inf
        return (is_number(value) and not isinstance(value, bool | np.bool_)) or (is_infinite and name in EXPONENTS)
    if kind is int:
        least = 0 if name == "seed" else 1 if name in COUNTS else -LARGEST
        return is_count(value, least=least, most=MOST.get(name, LARGEST))
    if kind is bool:
        return isinstance(value, bool | np.bool_)
    if kind is Path:
        return isinstance(value, Path)
    if _is_array(kind):
        return _holds_numbers(value, name)
    origin = get_origin(kind) or kind
    if origin is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if origin is Callable or issubclass(origin, Callable):
        return callable(value)
    if _is_list_of_numbers(kind):
        is_list = isinstance(value, Sequence) and not isinstance(value, str | bytes)
        return is_list and ((not len(value) and name not in LISTS) or _holds_numbers(value, name))
    if (
        issubclass(origin, Iterable)
        and not issubclass(origin, str | Mapping)
        and origin.__module__ == "collections.abc"
    ):
        is_single = isinstance(value, str | bytes | Mapping) or getattr(value, "ndim", 1) == 0
        return isinstance(value, origin) and not is_single
    return isinstance(value, origin)


def _is_array(kind) -> bool:
    return kind is ArrayLike or kind is Array or (isinstance(kind, type) and issubclass(kind, AbstractArray))


def _is_list_of_numbers(kind) -> bool:
    return get_origin(kind) is Sequence and get_args(kind)[0] in (int, float)


def _holds_numbers(value, name: str) -> bool:
    if not is_concrete(value):
        return True
    if value is None or isinstance(value, str | bytes | Mapping | np.ma.MaskedArray) or callable(value):
        return False
    array = _in_double(value)
    return array is not None and array.size > 0 and (array.ndim > 0 or name not in LISTS)


def _in_double(value) -> np.ndarray | None:
    """Finite real numbers in double precision, whatever the engine computes in; None for anything else."""
    try:
        raw = np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)
        array = None if raw.dtype.kind not in "biuf" else raw.astype(float)
    except (TypeError, ValueError, OverflowError):
        return None
    return array if array is not None and np.isfinite(array).all() else None


def _plain_number(value, kinds: tuple[Any, ...]):
    """A single number as NumPy, SciPy and `jit` take one: of Python, where no array is meant too, and within int64."""
    if isinstance(value, int) and abs(value) > LARGEST and int not in kinds:
        return float(value)
    if any(_is_array(kind) for kind in kinds) or not is_concrete(value) or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.integer):
        return int(value)
    return float(value) if float in kinds and is_number(value) else value


def _word(kind, name: str) -> str:
    if kind is None or kind is type(None):
        return "None"
    plain = {float: "a finite number", int: "an integer", bool: "True or False", str: "a text", Path: "a path"}
    if kind is int and (name == "seed" or name in COUNTS):
        return f"an integer of at least {int(name != 'seed')}"
    if kind in plain:
        return plain[kind]
    if _is_array(kind) or _is_list_of_numbers(kind):
        return "an array of finite numbers"
    origin = get_origin(kind) or kind
    if origin is Literal:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    if issubclass(origin, Callable):
        return "a function"
    if origin.__module__ in ("collections.abc", "builtins"):
        return f"a {origin.__name__.lower()}"
    return origin.__name__.removeprefix("Any")


# ---- for what an annotation does not say ------------------------------------------------------------------------------


def one_of(value, name: str, choices: Iterable[str]) -> str:
    """A name among those that are known."""
    choices = tuple(choices)
    if not isinstance(value, str) or value not in choices:
        raise BadInput(f"{name} must be one of {', '.join(choices)}, got {quoted(value)}")
    return value


def shaped(value, name: str, letters: str, **sizes: int) -> np.ndarray:
    """An array of finite numbers whose shape is spelt in letters, as in `shaped(B, "B", "d d")`; a traced one as it is."""
    array: Any = _in_double(value) if is_concrete(value) else value
    spelt, known = letters.split(), dict(sizes)
    shape = () if array is None else tuple(array.shape)
    is_other = len(shape) != len(spelt) or 0 in shape
    if array is None or is_other or any(known.setdefault(*pair) != pair[1] for pair in zip(spelt, shape)):
        wanted = ", ".join(str(sizes.get(letter, letter)) for letter in spelt) + "," * (len(spelt) == 1)
        got = quoted(value) if array is None else f"shape {shape}"
        raise BadInput(f"{name} must be an array of finite numbers of shape ({wanted}), got {got}")
    return array


def in_range(found: Any) -> Any:
    """What was found, unless extreme arguments left the range of numbers on the way: NaN; what overflows is infinite."""
    if is_concrete(found) and np.any(np.isnan(found)):
        raise BadInput("the result leaves the range of numbers: arguments are too large or too small; scale them")
    return found


def values_of(function: Callable, places: np.ndarray) -> np.ndarray:
    """What a function of the user gives at places, as numbers in double precision."""
    found = function(places)
    try:
        return np.asarray(found, float)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"the function must return numbers, got {quoted(found)}") from None


def inside(value, name: str, *, above=None, least=None, below=None, most=None) -> Any:
    """One finite number within its bounds; a traced one is taken as it is."""
    if not is_concrete(value):
        return value
    is_inside = (
        is_number(value)
        and not isinstance(value, bool | np.bool_)
        and (above is None or value > above)
        and (least is None or value >= least)
        and (below is None or value < below)
        and (most is None or value <= most)
    )
    if not is_inside:
        raise BadInput(f"{name} must be a {_bounds(above, least, below, most)}, got {quoted(value)}")
    return value


def _bounds(above, least, below, most) -> str:
    if above == 0 and below is most is None:
        return "positive number"
    limits = [("above", above), ("of at least", least), ("below", below), ("of at most", most)]
    words = " and ".join(f"{word} {limit:g}" for word, limit in limits if limit is not None)
    return f"number {words}" if words else "finite number"
