"""What is done whenever a run pauses, without touching it: progress is shown, and a request to stop is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import equinox as eqx

from .base import Change, Handler


class Progress(Handler):
    """Calls a function with the share of the time that is done."""

    report: Callable[[float], Any] = eqx.field(static=True)

    def handle(self, problem, segment, record):
        self.report(record.share)


class Cancelling(Handler):
    """Ends the run as soon as somebody asks for it; what is raised while asking is raised by the run."""

    asked: Callable[[], Any] = eqx.field(static=True)
    """Gives a true value where the run is to stop."""

    def handle(self, problem, segment, record):
        return Change(problem, "CANCELLED") if self.asked() else None


def show(share: float) -> None:
    """The meter of `progress=True`."""
    print(f"{100 * share:.2f}%")
