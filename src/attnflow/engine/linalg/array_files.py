"""Arrays in files of users: `.npy` and `.csv`, looked at before they are read."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import BadInput, as_path

if TYPE_CHECKING:
    import numpy as np

MAGIC = b"\x93NUMPY"
MOST_BYTES = 2**34
"""Larger files are refused: they would not fit a laptop."""


def regular(path: str | Path, *, most: int = MOST_BYTES) -> Path:
    """The path of a file that can be read whole; pipes, devices, loops of links and huge files are refused."""
    path = as_path(path)
    try:
        found = os.stat(path)
    except (OSError, ValueError) as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else getattr(error, "strerror", None) or error
        named = str(path)
        raise BadInput(f"{named if len(named) < 160 else named[:80] + '…'}: {reason}") from None
    if not stat.S_ISREG(found.st_mode):
        raise BadInput(f"{path}: {'is a folder' if stat.S_ISDIR(found.st_mode) else 'is not an ordinary file'}")
    if found.st_size > most:
        raise BadInput(f"{path}: {found.st_size / 2**20:.0f} MB is more than the {most / 2**20:.0f} MB that are read")
    return path


def read_npy(path: str | Path) -> np.ndarray:
    """An array of real numbers; the header is believed only where the file is as long as it says."""
    import numpy as np  # late: scenarios are looked for and listed without it

    path = regular(path)
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise BadInput(f"{path}: not a .npy array, whatever its name says")
    try:
        array = np.array(np.load(path, mmap_mode="r", allow_pickle=False))
    except (ValueError, OSError, EOFError, OverflowError, MemoryError, SyntaxError, TypeError) as error:
        raise BadInput(f"{path}: not a readable .npy array ({' '.join(str(error).split())[:80]})") from None
    if array.dtype.kind not in "fiub":
        raise BadInput(f"{path}: must hold real numbers, got {array.dtype}")
    return array


def read_csv(path: str | Path) -> tuple[np.ndarray, list[str] | None]:
    """A table of numbers and its header line, if there is one."""
    import numpy as np

    path = regular(path, most=2**30)
    try:
        lines = [line for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not a readable text file ({error})") from None
    if not lines:
        raise BadInput(f"{path}: the file is empty")
    header = None if _is_numbers(lines[0]) else [name.strip().strip('"') for name in lines[0].split(",")]
    if header is not None and len(lines) == 1:
        raise BadInput(f"{path}: there are no numbers below the header")
    try:
        return np.loadtxt(lines[0 if header is None else 1 :], delimiter=",", ndmin=2), header
    except ValueError as error:
        raise BadInput(f"{path}: every line must hold the same number of numbers ({str(error)[:60]})") from None


def _is_numbers(line) -> bool:
    try:
        [float(entry) for entry in line.split(",")]
    except ValueError:
        return False
    return True
