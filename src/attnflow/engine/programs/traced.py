"""Traced programs kept beside the compiled ones, so that the next process need not trace them again.

JAX finds a compiled program by what tracing gives, and tracing an integrator takes longer than running it. A traced program is
found by all that tracing reads: the source, the versions and settings, and the arguments, arrays by their shapes alone.
With an argument that no text identifies, such as a function or a class of the user, no stored program is used.
"""

from __future__ import annotations

import enum
import hashlib
import os
import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from pathlib import Path
from types import FunctionType
from typing import Any

import diffrax
import equinox as eqx
import jax
import jaxlib
import numpy as np
from jax import export
from jax.core import Tracer

from ..files.package import PACKAGE
from .compiled import SUFFIX, kept_in

HOMES = ("attnflow", "jax", "diffrax", "equinox")
"""Packages whose classes are known by name: source and versions are part of the key."""


class Unknown(Exception):
    """A value that a program may depend on in ways that no text tells."""


def stored_jit(function: Callable[..., tuple]) -> Callable[..., tuple]:
    """`eqx.filter_jit` of a function that returns a tuple of arrays; where `compile_cache` was called, what it traces is kept."""
    plain, ready = eqx.filter_jit(function), {}

    @wraps(function)
    def call(*args):
        folder = kept_in()
        if folder is None or _is_traced(args) or jax.device_count() > 1:
            return plain(*args)
        try:
            key = _key(function, args)
        except Unknown:
            return plain(*args)
        if key not in ready:
            ready[key] = _program(folder / f"traced-{key}{SUFFIX}", function, args)
        return plain(*args) if ready[key] is None else tuple(ready[key](_arrays(args)))

    return call


def _program(file: Path, function, args) -> Callable | None:
    """The program of a file, traced anew where there is none or a damaged one; None for programs that cannot be kept."""
    data = _read(file)
    if data is None:
        data = _traced(function, args)
        _write(file, data)
    return jax.jit(export.deserialize(bytearray(data)).call) if data else None


def _traced(function, args) -> bytes:
    """The program; nothing for one that calls back into Python or into libraries that JAX cannot name on disk."""
    leaves, tree = jax.tree.flatten(args)
    at = [index for index, leaf in enumerate(leaves) if eqx.is_array(leaf)]

    def of_arrays(arrays):
        filled = list(leaves)
        for index, array in zip(at, arrays):
            filled[index] = array
        return tuple(jax.tree.leaves(function(*jax.tree.unflatten(tree, filled))))

    try:
        return bytes(export.export(jax.jit(of_arrays))(_arrays(args)).serialize())
    except Exception:  # whatever it is, the plain call meets it too, and tells it in its own words
        return b""


def _is_traced(args) -> bool:
    return any(isinstance(leaf, Tracer) for leaf in jax.tree.leaves(args))


def _arrays(args) -> list:
    return [leaf for leaf in jax.tree.leaves(args) if eqx.is_array(leaf)]


# ---- files ------------------------------------------------------------------------------------------------------------


def _read(file: Path) -> bytes | None:
    try:
        data = file.read_bytes() if file.is_file() else b""  # a pipe of that name would never end
    except OSError:
        return None
    return data[32:] if hashlib.sha256(data[32:]).digest() == data[:32] else None


def _write(file: Path, data: bytes) -> None:
    beside = file.with_name(f"{os.getpid()}-{file.name}")
    try:
        beside.write_bytes(hashlib.sha256(data).digest() + data)
        os.replace(beside, file)
    except OSError:
        return  # what is not kept is traced again


# ---- keys -------------------------------------------------------------------------------------------------------------


def _key(function, args) -> str:
    words = (_ground(), _settings(), function.__qualname__, _told(args))
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


@cache
def _ground() -> str:
    """All source of attnflow, and the libraries that trace."""
    source = hashlib.sha256()
    for file in sorted(PACKAGE.rglob("*.py")):
        source.update(file.read_bytes())
    versions = (jax.__version__, jaxlib.__version__, diffrax.__version__, eqx.__version__, np.__version__, sys.version)
    return "\n".join((source.hexdigest(), *versions))


def _settings() -> str:
    """All that JAX can be told, equinox about errors in compiled programs, and the kind of machine."""
    told = [f"{name}={getattr(jax.config, name, None)}" for name in sorted(jax.config.values)]
    return "\n".join([*told, os.environ.get("EQX_ON_ERROR", ""), jax.default_backend()])


def _told(value: Any) -> str:
    """A text that two values share only if tracing reads the same from both."""
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return repr(value)
    if eqx.is_array(value):
        return f"array({value.shape}, {value.dtype}, {getattr(value, 'weak_type', False)})"
    kind = type(value)
    if isinstance(value, type) or (kind is FunctionType and value.__closure__ is None):
        return _name(value)
    if kind in (tuple, list):
        return f"{kind.__name__}({', '.join(map(_told, value))})"
    if kind is dict:
        return f"dict({', '.join(f'{_told(key)}: {_told(item)}' for key, item in value.items())})"
    if isinstance(value, enum.Enum):
        return f"{_name(kind)}.{value.name}"
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return f"{_name(kind)}({', '.join(map(_told, value))})"
    if is_dataclass(value):
        return f"{_name(kind)}({', '.join(_told(getattr(value, field.name)) for field in fields(value))})"
    raise Unknown


def _name(kind: type | FunctionType) -> str:
    if kind.__module__.split(".")[0] not in HOMES or "<" in kind.__qualname__:
        raise Unknown
    return f"{kind.__module__}.{kind.__qualname__}"
