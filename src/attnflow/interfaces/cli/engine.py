"""Turning the engine on: double precision, and compiled programs kept from one command to the next."""

from __future__ import annotations

import gc
import os

from ...engine.programs import compile_cache
from ...errors import BadInput

WIDE = "--xla_cpu_prefer_vector_width=512"
"""Wider vectors where the processor has them: a tenth faster sums of tokens of few dimensions."""


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
    flags = os.environ.get("XLA_FLAGS", "")
    if "xla_cpu_prefer_vector_width" not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} {WIDE}".strip()


def one_thread_for_blas() -> None:
    """For work that keeps the other cores busy itself: threads of OpenBLAS spin while they wait. NumPy reads it on import."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def start_engine() -> None:
    """64-bit numbers and JAX's persistent compilation cache, so that a second run of a shape compiles nothing."""
    set_environment()
    # Tracing makes many small objects that live on; looking through them again and again takes a tenth of the time.
    gc.set_threshold(100_000, 50, 100)
    import jax

    jax.config.update("jax_enable_x64", True)
    try:
        compile_cache()
    except BadInput:
        return  # without a folder for them, programs are compiled each time
