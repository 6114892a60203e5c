"""Compiled programs kept on disk, so that the next process need not compile them again."""

from __future__ import annotations

import atexit
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

from ...errors import BadInput, Notice, as_path, quoted

MOST_BYTES = 2**30
"""A gigabyte holds some ten thousand programs."""

SUFFIX = "-cache"
"""Of names that JAX gives its programs, and of ours."""

_FOLDERS: list[Path] = []
"""The folder of this process, last, once there is one."""


def cache_folder() -> Path:
    """Where attnflow keeps what can be made again: $ATTNFLOW_CACHE, or the user's cache folder."""
    if chosen := os.environ.get("ATTNFLOW_CACHE"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "attnflow"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "attnflow"


def compile_cache(path: str | Path | None = None, *, most_bytes: int = MOST_BYTES) -> Path:
    """Keep compiled programs in a folder (default: the user's cache folder) and return it.

    Call it first, before anything else of attnflow: `af.compile_cache()`. When the process ends, programs not used for
    longest are removed until the rest fit into `most_bytes`; a damaged program is compiled again.

    >>> import attnflow as af
    >>> af.compile_cache()  # doctest: +SKIP
    """
    if not isinstance(most_bytes, int) or isinstance(most_bytes, bool) or most_bytes < 0:
        raise BadInput(f"most_bytes must be a whole number of bytes, got {quoted(most_bytes)}")
    folder = (cache_folder() / "compiled" if path is None else as_path(path)).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: no folder for compiled programs: {error.strerror}") from None
    # Checks inside compiled programs call back into Python, and JAX keeps no program that does. Save times and steps are
    # checked before compilation anyway; NaN instead of an exception stays visible.
    if "equinox" in sys.modules and "EQX_ON_ERROR" not in os.environ:
        warnings.warn("compile_cache came late: call it before anything else of attnflow", Notice, stacklevel=2)
    os.environ.setdefault("EQX_ON_ERROR", "nan")
    import jax

    _FOLDERS.append(folder)
    jax.config.update("jax_compilation_cache_dir", str(folder))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    atexit.unregister(trim)
    atexit.register(trim, folder, most_bytes)
    return folder


def kept_in() -> Path | None:
    """The folder of the last `compile_cache`."""
    return _FOLDERS[-1] if _FOLDERS else None


def trim(folder: Path, most_bytes: int) -> None:
    """Remove the programs not used for longest until the rest fit; no other file is touched."""
    room = most_bytes
    for _, size, file in sorted(_programs(folder), reverse=True):
        room -= size
        if room < 0:
            _remove(file)


def _programs(folder: Path) -> Iterator[tuple[float, int, str]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(SUFFIX) and entry.is_file(follow_symlinks=False):
                    known = entry.stat(follow_symlinks=False)
                    yield max(known.st_atime, known.st_mtime), known.st_size, entry.path
    except OSError:
        return  # another process trims the same folder, or it has gone


def _remove(file: str) -> None:
    try:
        os.unlink(file)
    except OSError:
        return  # another process was faster
