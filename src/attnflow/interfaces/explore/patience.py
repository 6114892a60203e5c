"""Work that may take too long: done in a thread that is stopped when nobody waits for it any more, or for too long."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
PAUSE = 0.2
"""Seconds between two looks at whether the work is still wanted."""


class Halted(BaseException):
    """Raised inside work that is no longer wanted; no handler for ordinary errors catches it."""


def within(seconds: float, work: Callable[[], T], *, ask: Callable[[], Any]) -> T | None:
    """The result of the work, or None where it took longer; `ask` raises when the work is no longer wanted.

    Only Python code can be stopped: a compiled program runs to its end.
    """
    box: dict[str, Any] = {}

    def do() -> None:
        try:
            box["result"] = work()
        except Halted:
            pass
        except BaseException as error:
            box["error"] = error

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    end = time.monotonic() + seconds
    try:
        thread.join(PAUSE)
        while thread.is_alive() and time.monotonic() < end:
            ask()
            thread.join(PAUSE)
    finally:
        _halt(thread)
    if "error" in box:
        raise box["error"]
    return box.get("result")


def _halt(thread: threading.Thread) -> None:
    if thread.is_alive() and thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Halted))
