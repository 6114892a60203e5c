"""Turning the engine on: double precision, and compiled programs kept from one command to the next."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Where compiled programs are kept: $ATTNFLOW_CACHE, or the user's cache folder."""
    if chosen := os.environ.get("ATTNFLOW_CACHE"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "attnflow"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "attnflow"


def set_environment() -> None:
    """What JAX reads from the environment while it is imported; every command begins with it."""
    # Checks inside compiled programs call back into Python, and JAX keeps no program that does. Save times and steps are
    # checked before compilation anyway; NaN instead of an exception stays visible.
    os.environ.setdefault("EQX_ON_ERROR", "nan")
    # Some processors have tuning flags that XLA compiles with but does not find again, and it fills pages with that for
    # every program taken from the cache. Errors still arrive as exceptions. A Python above this one (a notebook) may have
    # left JAX's own choice in the environment, so what is there does not count.
    if not os.environ.get("ATTNFLOW_DEBUG"):
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"


def start_engine() -> None:
    """64-bit numbers and JAX's persistent compilation cache, so that a second run of a shape compiles nothing."""
    set_environment()
    import jax

    jax.config.update("jax_enable_x64", True)
    folder = cache_folder() / "compiled"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    jax.config.update("jax_compilation_cache_dir", str(folder))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
