"""Pictures and files made in a process of its own, which gets ready and works while other work goes on.

The second process imports no engine, so that it is soon there and small.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from importlib import import_module
from queue import SimpleQueue
from typing import Any, Protocol

from ...engine.files.progress import Report

START = "import sys; sys.path[:] = {path!r}; from attnflow.experiments.store.beside import work; work(*{ready!r}, nice={nice})"


class Job(Protocol):
    """What can be sent to another process, and done there."""

    def make(self, report: Report) -> list[str]: ...


class Beside:
    """`with Beside(*modules) as beside:` a process that does the jobs it is given; leaving the block ends it, whatever it does.

    `modules` are imported there while it waits. It takes what the first process leaves of the cores, which is what the user
    waits for; of several, those with less of `nice` go first.
    """

    def __init__(self, *modules: str, nice: int = 10):
        self._modules, self._nice = modules, nice

    def __enter__(self) -> Beside:
        words = [
            sys.executable,
            "-W",
            "ignore",
            "-c",
            START.format(path=sys.path, ready=self._modules, nice=self._nice),
        ]
        # In a group of its own, where no Ctrl-C reaches it: what that means is decided here.
        self._child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0)
        self._begun = 0
        return self

    def __exit__(self, *error) -> None:
        self._child.kill()
        self._child.communicate()

    def begin(self, job: Job) -> None:
        """Hand a job over."""
        assert self._child.stdin is not None
        try:
            pickle.dump(job, self._child.stdin, protocol=5)
            self._child.stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None
        self._begun += 1

    def finish(self, report: Report) -> list[str]:
        """Wait until all is done; what the jobs return, one after another. What went wrong there is raised here."""
        found: list[str] = []
        while self._begun:
            said = self._heard()
            if isinstance(said, Exception):
                raise said
            if isinstance(said, tuple):
                report(*said)
            else:
                self._begun, found = self._begun - 1, found + said
        return found

    def _heard(self) -> Any:
        assert self._child.stdout is not None
        try:
            return pickle.load(self._child.stdout)
        except (EOFError, pickle.UnpicklingError):  # nothing more, or half of it
            raise self._ended() from None

    def _ended(self) -> Exception:
        return RuntimeError(f"the process that works beside this one ended with code {self._child.wait()}")


# ---- there -----------------------------------------------------------------------------------------------------------


def work(*modules: str, nice: int) -> None:
    """The life of the second process, which ends with the first."""
    say, jobs = sys.stdout.buffer, SimpleQueue()
    sys.stdout = sys.stderr
    os.nice(nice)
    for name in modules:
        import_module(name)
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()

    def send(what) -> None:
        pickle.dump(what, say, protocol=5)
        say.flush()

    while True:
        job = jobs.get()
        try:
            send(job.make(lambda done, total: send((done, total))))
        except Exception as error:
            send(error)


def _listen(jobs: SimpleQueue) -> None:
    """Take what is sent while a job is done; when nothing more can come, or half of it, the first process is gone."""
    try:
        while True:
            jobs.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(1)
