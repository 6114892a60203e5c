"""Threads of a session: runs in one lane, where the newest request stops older work, and quick questions in another."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from .session import Send, Session, Stopped

RUNS = ("run", "open", "upload", "project")
"""Requests that show another run."""
NAME = "explorer lane"
"""Of the threads."""


class Lanes:
    """Answers messages of one page in the background; `send` may block, which holds the work back."""

    def __init__(self, session: Session, send: Send):
        self.session = session
        self.lanes = {"runs": _Lane(self._answer, send), "questions": _Lane(self._answer, send)}

    def put(self, message: Any, data: bytes = b"") -> None:
        do = message.get("do") if isinstance(message, dict) else None
        if do in RUNS or do == "stop":
            self.lanes["runs"].replace_by(None if do == "stop" else (message, data))
        else:
            self.lanes["questions"].add((message, data), only_newest=do == "matrix")

    def _answer(self, job, send: Send) -> None:
        message, data = job
        self.session.handle(message, send, data)

    def close(self) -> None:
        for lane in self.lanes.values():
            lane.close()


class _Lane:
    def __init__(self, answer: Callable[[Any, Send], None], send: Send):
        self.answer, self.send = answer, send
        self.jobs: deque[tuple[int, Any]] = deque(maxlen=64)
        self.turn, self.is_closed, self.changed = 0, False, threading.Condition()
        threading.Thread(target=self._work, daemon=True, name=NAME).start()

    def add(self, job, *, only_newest: bool = False) -> None:
        with self.changed:
            if only_newest:
                kept = [one for one in self.jobs if one[1][0].get("do") != job[0].get("do")]
                self.jobs = deque(kept, maxlen=64)
            self.jobs.append((self.turn, job))
            self.changed.notify()

    def replace_by(self, job) -> None:
        """Forget what waits and stop what works; then this."""
        with self.changed:
            self.turn += 1
            self.jobs.clear()
            if job is not None:
                self.jobs.append((self.turn, job))
            self.changed.notify()

    def close(self) -> None:
        with self.changed:
            self.is_closed = True
            self.turn += 1
            self.changed.notify()

    def _work(self) -> None:
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.jobs or self.is_closed)
                if self.is_closed:
                    return
                turn, job = self.jobs.popleft()
            try:
                self.answer(job, lambda words, data, turn=turn: self._say(words, data, turn))
            except Stopped:
                continue

    def _say(self, words, data, turn: int) -> None:
        if self.turn != turn:
            raise Stopped
        self.send(words, data)
