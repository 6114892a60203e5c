"""Driver of a sweep: submits the parts that are missing, watches, and submits again what a dead worker left."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from pathlib import Path

import jax

from ...errors import BadInput
from .cells import is_done, run_part
from .engines import Serial, pool
from .plan import Part, Plan

ATTEMPTS = 3
"""So often a part may take its worker with it; then it has failed and the rest goes on."""


@dataclass(frozen=True)
class Outcome:
    """What a driver leaves: parts that failed with the reason, and how many were not begun when the budget was used."""

    failed: dict[str, str]
    left: int


def drive(
    folder: Path,
    plan: Plan,
    parts: Sequence[Part],
    *,
    make: Callable[[], Executor],
    workers: int,
    budget: float | None = None,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Outcome:
    """Compute every part that is not there yet."""
    missing = [part for part in parts if not is_done(folder, part)]
    done, failed = len(parts) - len(missing), {}
    end = time.monotonic() + (float("inf") if budget is None else budget)
    report(done, len(parts))
    setup = settings()
    executor, queue, running = make(), list(missing), {}
    while queue or running:
        while queue and len(running) < 2 * workers and time.monotonic() < end:
            part = queue.pop(0)
            try:
                running[executor.submit(run_part, folder, plan, part, setup)] = part
            except BrokenExecutor:  # its last worker died between two parts
                queue.insert(0, part)
                executor = make()
            if isinstance(executor, Serial):
                break
        if not running:
            break
        ready, _ = wait(running, return_when=FIRST_COMPLETED)
        suspects = [running.pop(future) for future in ready if isinstance(future.exception(), BrokenExecutor)]
        for future in ready:
            if future in running:
                done += _settled(running.pop(future), future, failed)
        if suspects:
            # A broken pool gives up all that it ran; which of them killed the worker is seen when each runs alone.
            suspects += running.values()
            running.clear()
            for part in suspects:
                done += _alone(folder, plan, part, setup, failed)
            executor = make()
        report(done, len(parts))
    return Outcome(failed, len(queue))


def _settled(part: Part, future: Future, failed: dict[str, str]) -> int:
    error = future.exception()
    if error is None:
        return 1
    if isinstance(error, BadInput | OSError):  # of the user, or of the disk: the next parts would meet it too
        raise error
    failed[part.name] = _reason(error)
    return 0


def _alone(folder: Path, plan: Plan, part: Part, setup: dict, failed: dict[str, str]) -> int:
    """A part in a worker of its own, tried again when the worker dies."""
    for _ in range(ATTEMPTS):
        with pool(1) as executor:
            future = executor.submit(run_part, folder, plan, part, setup)
            if not isinstance(future.exception(), BrokenExecutor):
                return _settled(part, future, failed)
    failed[part.name] = f"its worker died {ATTEMPTS} times"
    return 0


def _reason(error: BaseException) -> str:
    words = " ".join(str(error).split())[:160]
    if type(error).__name__ == "KilledWorker":
        return f"its workers died: {words}"
    return f"{type(error).__name__}: {words}"


def settings() -> dict:
    """The settings of JAX here that workers must share, so that they compute the same digits."""
    names = (
        "jax_enable_x64",
        "jax_compilation_cache_dir",
        "jax_persistent_cache_min_compile_time_secs",
        "jax_persistent_cache_min_entry_size_bytes",
    )
    return {name: getattr(jax.config, name) for name in names}
