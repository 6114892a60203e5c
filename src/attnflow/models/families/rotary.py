"""Rotary positions as configurations tell them, in all the places where they do."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ...engine.attention import Rotation
from ...errors import BadInput, quoted
from .known import WAY_OUT

KINDS = ("default", "linear", "llama3")
ENTRIES = ("rope_type", "type", "rope_theta", "partial_rotary_factor", "factor", "low_freq_factor", "high_freq_factor",
           "original_max_position_embeddings")  # fmt: skip


def turn_of(k: int, config: dict[str, Any], *, usual: float = 1.0) -> Rotation | None:
    """The rotation of the first coordinates of a head of dimension k, with frequencies as the configuration stretches them.

    Where all of a head turns as usual, the family's own code reads no other share, and one that is told is refused.
    """
    told = _told(config)
    if (share := _number(told, "partial_rotary_factor", usual)) > 1 or share != 1 == usual:
        raise BadInput(f"rotary positions with partial_rotary_factor = {share:g} are not read here; {WAY_OUT}")
    if (width := int(k * share)) == 0:
        return None
    base = _number(told, "rope_theta", 10000.0)
    frequencies = base ** (-np.arange(0, width, 2) / width)
    kind = told.get("rope_type", told.get("type", "default"))
    if kind not in KINDS:
        raise BadInput(f"rotary positions of type {quoted(str(kind)[:40])} are not known; known are {', '.join(KINDS)}")
    if kind == "linear":
        frequencies = frequencies / _number(told, "factor")
    elif kind == "llama3":
        frequencies = _stretched(frequencies, told)
    return Rotation(jnp.asarray(frequencies), bool(config.get("rope_is_interleaved", False)))


def _told(config: dict[str, Any]) -> dict[str, Any]:
    """One table from `rope_parameters` (transformers from 5 on) or `rope_scaling` and single entries (before)."""
    single = {
        "rope_theta": config.get("rope_theta") or config.get("rotary_emb_base"),
        "partial_rotary_factor": config.get("partial_rotary_factor", config.get("rotary_pct")),
    }
    tables = [config.get("rope_scaling") or {}, config.get("rope_parameters") or {}]
    if not all(isinstance(table, dict) for table in tables) or any(isinstance(v, dict) for v in tables[1].values()):
        raise BadInput("rotary positions that differ from layer to layer are not read yet (rope_parameters)")
    known = {name: value for name, value in single.items() if value is not None} | tables[0] | tables[1]
    if odd := [name for name, value in known.items() if value and name not in ENTRIES]:
        raise BadInput(f"rotary positions with {quoted(str(odd[0])[:40])} are not read; {WAY_OUT}")
    return known


def _number(told, name: str, default: float | None = None) -> float:
    value = told.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < np.inf:
        raise BadInput(f"{name} of rotary positions must be a positive number, got {quoted(str(value)[:40])}")
    return float(value)


def _stretched(frequencies, told):
    """Llama 3: slow rotations are slowed by a factor, fast ones kept, with a ramp between."""
    low, high, factor = (_number(told, name) for name in ("low_freq_factor", "high_freq_factor", "factor"))
    turns = _number(told, "original_max_position_embeddings") * frequencies / (2 * np.pi)
    share = np.clip((turns - low) / (high - low), 0, 1)
    return (1 - share) * frequencies / factor + share * frequencies
