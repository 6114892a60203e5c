"""Values as plain data: numbers, text, lists and tables, as JSON knows them."""

from __future__ import annotations

import math
from dataclasses import is_dataclass
from typing import Any


def plain(value: Any) -> Any:
    """Numbers, text, lists and tables only; NaN and infinity are null, with a word beside them in tables."""
    if isinstance(value, dict):
        entries = {str(key): plain(entry) for key, entry in value.items()}
        return entries | {f"{key}_is": word for key, entry in value.items() if (word := _word(entry))}
    if isinstance(value, list | tuple | set):
        return [plain(entry) for entry in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if is_dataclass(value) and not isinstance(value, type):
        return plain(vars(value))
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _word(value: Any) -> Any:
    """What a number is that JSON cannot say; for a list, of every entry that has such a word."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, list | tuple):
        words = [_word(entry) for entry in value]
        return words if any(words) else None
    if not isinstance(value, float) or math.isfinite(value):
        return None
    return "not a number" if math.isnan(value) else "infinite" if value > 0 else "minus infinite"
