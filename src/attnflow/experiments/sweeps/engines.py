"""Engines of a sweep: anything that is a `concurrent.futures.Executor`; what is done lies in the store, not in them."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager

from ...errors import BadInput
from ..scenario.reading import meant, shown

NAMES = ("serial", "processes", "dask", "dask:ADDRESS", "slurm")
CONNECT = 10
"""Seconds to wait for a scheduler."""


class Serial(Executor):
    """Runs what is submitted at once, here."""

    def submit(self, fn, /, *args, **kwargs) -> Future:
        future: Future = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def check_engine(on: str | Executor) -> None:
    """Refuse an engine that there is not, before any work."""
    if isinstance(on, Executor) or (isinstance(on, str) and on in ("serial", "processes", "dask", "slurm")):
        return
    if not isinstance(on, str) or not on.startswith("dask:"):
        hint = meant(on, NAMES) if isinstance(on, str) else ""
        raise BadInput(f"on = {shown(on)}: must be one of {', '.join(NAMES)}, or an Executor{hint}")


@contextmanager
def engine(on: str | Executor, workers: int) -> Iterator[Callable[[], Executor]]:
    """A function that makes the executor, or makes it anew after a worker died; all of them are closed at the end."""
    check_engine(on)
    if isinstance(on, Executor):
        yield lambda: on
        return
    if on.startswith("dask"):
        with _dask(on.partition(":")[2], workers) as executor:
            yield lambda: executor
        return
    made: list[Executor] = []

    def make() -> Executor:
        made.append(Serial() if on == "serial" else pool(workers))
        return made[-1]

    try:
        yield make
    finally:
        for executor in made:
            executor.shutdown(wait=False, cancel_futures=True)


def pool(workers: int) -> ProcessPoolExecutor:
    # A forked child of a process that runs JAX hangs.
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=spawn, initializer=leave_with_parent, initargs=(os.getpid(),))


def leave_with_parent(parent: int) -> None:
    """End this worker when the driver was killed; it would wait for work for ever."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _dask(address: str, workers: int):
    """A dask cluster as an executor: that at an address, or one of processes on this machine."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise BadInput(
            "--on dask needs dask: pip install 'attnflow[dask]'; --on processes and --shard do not"
        ) from None
    if not address:
        with (
            LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0") as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            yield client.get_executor(retries=3)
        return
    try:
        # One that failed to connect would stay the default of everything else in this process that uses dask.
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        why = " ".join(str(error).split())[:60]
        raise BadInput(f"dask:{address}: no scheduler answers there ({why}); write dask:tcp://HOST:PORT") from None
    with client:
        yield client.get_executor(retries=3)
