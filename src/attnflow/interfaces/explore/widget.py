"""The explorer in a notebook: the same page and the same session over the notebook's own channel (anywidget)."""

from __future__ import annotations

from typing import Any

from ...engine.evolution import evolve
from ...engine.evolution.trajectory import Trajectory
from ...errors import BadInput
from ...experiments.scenario import Scenario, load
from ...experiments.scenario.ready_made import ready_made
from .export import STATIC, script
from .lanes import Lanes
from .session import Session

NAME = "Your run"
"""How the page calls what a notebook shows."""
INSTALL = "the explorer in a notebook needs anywidget: pip install 'attnflow[notebook]'"


def explore(shown: Any = None, mu: Any = None, *, height: int = 640, **options):
    """A widget that plays a run, a scenario, or the evolution of a flow on a first prompt.

    `explore()`, `explore(run)`, `explore(scenario)` or `explore(flow, mu, until=…)`; options are those of `evolve`.
    """
    made = widget_class()
    return made({NAME: what_to_show(shown, mu, **options)}, height=height)


def what_to_show(shown: Any, mu: Any, **options) -> Trajectory | Scenario:
    match shown:
        case Trajectory() | Scenario() if mu is None and not options:
            if isinstance(shown, Trajectory) and shown.ts.ndim > 1:
                raise BadInput("explore shows one run: take a member of the batch, run.member(0)")
            return shown
        case None if mu is None:
            return load(ready_made()["default"])
    if mu is None:
        raise BadInput(f"explore takes a run, a scenario, or a flow and a prompt; got {type(shown).__name__}")
    return evolve(shown, mu, **options)


def widget_class():
    """The class of widgets; one clear line where the extra or the built page is missing, before anything is computed."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise BadInput(INSTALL) from None
    script()

    class Explorer(anywidget.AnyWidget):
        _esm = STATIC / "explorer.js"
        height = traitlets.Int(640).tag(sync=True)

        def __init__(self, opened: dict[str, Any], **given):
            super().__init__(**given)
            self.lanes = Lanes(Session(opened), self._say)
            self.on_msg(self._hear)

        def _say(self, words: dict[str, Any], data: bytes | None) -> None:
            self.send(words, [] if data is None else [data])

        def _hear(self, _, message: Any, buffers: list[Any]) -> None:
            self.lanes.put(message, bytes(buffers[0]) if buffers else b"")

        def close(self) -> None:
            self.lanes.close()
            super().close()

    return Explorer
