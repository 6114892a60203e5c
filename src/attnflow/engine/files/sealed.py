"""What a run, a sweep, a hunt or a figure keeps until it is done: sealed files, read as they were written or not at all.

A sealed file carries a digest of its bytes and of what it is: a damaged one, or one in the place of another, is computed again.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from .whole import whole

SEAL = hashlib.sha256().digest_size


def write_arrays(file: Path, arrays: dict[str, Any], *, of: str) -> None:
    """Arrays as an archive that NumPy reads, with a seal behind it; `of` says what they are."""
    body = io.BytesIO()
    np.savez(body, **arrays)
    _write(file, body.getvalue(), of)


def read_arrays(file: Path, *, of: str) -> dict[str, np.ndarray] | None:
    """Arrays that were written as what they are asked for; None where there are none, or others, or damaged ones."""
    body = _read(file, of)
    if body is None:
        return None
    with np.load(io.BytesIO(body), allow_pickle=False) as kept:
        return dict(kept)


def write_data(file: Path, data: dict[str, Any], *, of: str) -> None:
    """Plain data as JSON, with a seal among it."""
    body = json.dumps(data, default=str)
    if file.is_symlink():
        file.unlink()
    with whole(file) as draft:
        draft.write_text(json.dumps(json.loads(body) | {"seal": _seal(body.encode(), of).hex()}), encoding="utf-8")


def read_data(file: Path, *, of: str) -> dict[str, Any] | None:
    """Plain data that was written as what it is asked for, else None."""
    try:
        found = json.loads(_bytes(file) or b"")
    except (ValueError, RecursionError):
        return None
    seal = found.pop("seal", None) if isinstance(found, dict) else None
    return found if seal == _seal(json.dumps(found).encode(), of).hex() else None


def _write(file: Path, body: bytes, of: str) -> None:
    if file.is_symlink():  # no file of ours is a link; what it points to is left alone
        file.unlink()
    with whole(file) as draft, draft.open("wb") as out:
        out.write(body)
        out.write(_seal(body, of))
        out.flush()
        os.fsync(out.fileno())


def _read(file: Path, of: str) -> bytes | None:
    data = _bytes(file) or b""
    body, seal = data[:-SEAL], data[-SEAL:]
    return body if seal == _seal(body, of) else None


def _bytes(file: Path) -> bytes | None:
    # A pipe or a device would be read for ever.
    if file.is_symlink() or not file.is_file():
        return None
    try:
        return file.read_bytes()
    except OSError:
        return None


def _seal(body: bytes, of: str) -> bytes:
    """The digest also tells what is sealed: a file that changed its name with another is none."""
    return hashlib.sha256(f"{len(of)} {of}".encode() + body).digest()
