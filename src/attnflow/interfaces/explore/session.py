"""A session of the explorer without its transport: a message comes in, messages and buffers go out.

`handle(message, send)` calls `send(words, buffer)` for everything it has to say; where a newer request has come, `send`
raises `Stopped` and the work ends there. Nothing here knows of a network, a notebook or a thread.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...engine.evolution.trajectory import Trajectory
from ...engine.measures import Particles
from ...errors import BadInput, quoted
from ...experiments.scenario import Scenario, dumps, from_dict, to_dict
from ...experiments.scenario.plain import plain
from ...experiments.store import load_run
from ...papers.register import MOST_TOKENS
from . import bounds, presets
from .curves import axes_of, lens_of
from .export import as_html, as_python
from .frames import pack_knot, pack_matrix
from .patience import within
from .playing import Stage, compute, drawn_as, is_known, knots_of, shape_of, stage_of
from .seeing import by_cluster, last_clusters, matrix, series
from .theory import SECONDS, checked, predicted
from .uploads import read_upload

VERSION = 1
"""Of the messages."""

Send = Callable[[dict[str, Any], bytes | None], None]


class Stopped(Exception):
    """A newer request has come, or nobody listens any more."""


@dataclass
class Played:
    """The run the page shows, and all that was said of it."""

    id: int
    run: Trajectory
    scenario: Scenario | None
    stage: Stage
    said: list[tuple[dict[str, Any], bytes | None]] = field(default_factory=list)
    order: np.ndarray | None = None
    """Tokens by cluster, the heaviest at the end first."""


class Session:
    """One page and what it has asked for; `opened` are runs and scenarios that the user named when the explorer started."""

    def __init__(self, opened: dict[str, Any] | None = None):
        self.opened = {} if opened is None else opened
        self.played: Played | None = None
        self.compiled: set[tuple] = set()

    def handle(self, message: Any, send: Send, data: bytes = b"") -> None:
        """Answer one message; whatever cannot be done is one clear line."""
        asked = message if isinstance(message, dict) else {}
        given = asked.get("id")
        id_ = given if isinstance(given, int) else 0
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._do(asked, id_, send, data)
        except Stopped:
            raise
        except BadInput as error:
            send({"say": "error", "id": id_, "words": one_line(error)}, None)
        except MemoryError:
            send({"say": "error", "id": id_, "words": "not enough memory; use fewer tokens or saved times"}, None)
        except Exception as error:  # the page shows a bug of ours as a line, and goes on
            words = f"a bug in attnflow, please report it: {type(error).__name__}: {one_line(error)}"
            send({"say": "error", "id": id_, "words": words}, None)

    def _do(self, asked: dict, id_: int, send: Send, data: bytes) -> None:
        axes = str(asked.get("projection") or "pca")
        match asked.get("do"):
            case "hello":
                send({"say": "hello", "version": VERSION, "presets": presets.catalogue(self.opened)}, None)
            case "run":
                self._run(self._scenario(asked), id_, send, is_preview=bool(asked.get("preview")), axes=axes)
            case "open":
                self._open(str(asked.get("name")), id_, send, axes=axes)
            case "upload":
                self._upload(asked, id_, send, data)
            case "project":
                self._project(str(asked.get("kind")), id_, send)
            case "matrix":
                self._matrix(asked.get("t"), id_, send)
            case "toml" | "python" as what:
                words = (dumps if what == "toml" else as_python)(self._scenario(asked))
                send({"say": "text", "id": id_, "kind": what, "text": words}, None)
            case "html":
                send({"say": "text", "id": id_, "kind": "html", "text": as_html(self.said)}, None)
            case unknown:
                raise BadInput(f"unknown request {quoted(str(unknown)[:40])}")

    def _scenario(self, asked: dict) -> Scenario:
        table = asked.get("scenario")
        if not isinstance(table, dict):
            raise BadInput("the message holds no scenario")
        scenario = from_dict(table)
        bounds.check_bounds(scenario)
        return scenario

    @property
    def said(self) -> list[tuple[dict[str, Any], bytes | None]]:
        """All that was said of the run shown."""
        return self._known().said

    def _known(self) -> Played:
        if self.played is None:
            raise BadInput("there is no finished run yet")
        return self.played

    # ---- runs ---------------------------------------------------------------------------------------------------------

    def _run(self, scenario: Scenario, id_: int, send: Send, *, is_preview: bool = False, axes: str = "pca") -> None:
        """Compute a scenario and say everything about it, knots first."""
        if is_preview:
            scenario = bounds.preview_of(scenario)
        stage = replace(stage_of(scenario), projection=axes)
        if (shape := shape_of(stage)) not in self.compiled:
            send({"say": "compiling", "id": id_}, None)
        told = _Told(id_, send, keeps=not is_preview)
        told({"say": "start", **start_of(stage, scenario), "preview": is_preview})
        run = compute(stage, told.knot, told.progress, told.ask)
        self.compiled.add(shape)
        played = Played(id_, run, scenario, stage, told.said)
        self._finish(played, told, is_preview=is_preview)

    def _finish(self, played: Played, told: _Told, *, is_preview: bool = False) -> None:
        """Everything after the last knot: how it ended, clusters, plots, theory."""
        run = played.run
        found = last_clusters(run)
        if found is not None:
            played.order = by_cluster(run)
        if not is_preview:
            self.played = played
        told({"say": "ended", "status": run.status.name, "t": float(run.ts[-1]), "words": str(run.status),
              "notes": list(run.notes), "steps": int(run.steps), "clusters": found})  # fmt: skip
        if is_preview:
            told({"say": "done"})
            return
        for part in series(run):
            told({"say": "observed", **plain(part)})
        self._theory(played, told)
        told({"say": "done"})

    def _theory(self, played: Played, told: _Told) -> None:
        run = played.run
        if not is_known(run.flow):
            told({"say": "theory", "words": "These states were recorded: no flow is known, so no theorem is asked."})
            return
        if getattr(run.states, "n", 0) > MOST_TOKENS:
            told({"say": "theory", "words": f"Theorems are not asked about more than {MOST_TOKENS:,} tokens."})
            return
        found = within(SECONDS, lambda: predicted(run.flow, run.at(0)), ask=told.ask)
        told({"say": "theory", **(found or {"words": "Theory took too long to answer; try fewer tokens."})})
        for checks in () if found is None else checked(run, ask=told.ask):
            if isinstance(checks, str):
                told({"say": "unchecked", "paper": checks, "seconds": SECONDS})
            else:
                told({"say": "checks", "checks": checks})

    def _open(self, name: str, id_: int, send: Send, *, axes: str = "pca") -> None:
        """A preset by its name: a scenario, which is then run, or a run of the user's, which is played."""
        found = presets.find(name, self.opened)
        if isinstance(found, Scenario):
            bounds.check_sizes(found)
            self._run(found, id_, send, axes=axes)
        else:
            run, scenario = (found, None) if isinstance(found, Trajectory) else (load_run(found), presets.stored(found))
            title = "" if scenario is None else scenario.title
            self.play(run, scenario, id_, send, title=title or name.removeprefix("run/"), axes=axes)

    def play(
        self, run: Trajectory, scenario: Scenario | None, id_: int, send: Send, *, title: str = "", axes: str = "pca"
    ) -> None:
        """Show a run that exists already."""
        stage = Stage(run.flow, run.at(0), lens_of(run.flow, run.states.d), title=title, names=run.names)
        self._show(Played(id_, run, scenario, stage), send, kind=axes)

    def _show(self, played: Played, send: Send, *, kind: str) -> None:
        run, stage = played.run, played.stage
        if isinstance(run.states, Particles):
            stage = replace(
                stage, lens=lens_of(run.flow, run.states.d, axes_of(kind, np.asarray(run.x), np.asarray(run.mass)))
            )
        told = _Told(played.id, send)
        told({"say": "start", **start_of(stage, played.scenario), "preview": False})
        for knot in knots_of(run, stage.lens):
            told.knot(knot)
        self._finish(replace(played, stage=stage, said=told.said), told)

    def _project(self, kind: str, id_: int, send: Send) -> None:
        self._show(replace(self._known(), id=id_), send, kind=kind)

    def _upload(self, asked: dict, id_: int, send: Send, data: bytes) -> None:
        """Tokens become the prompt of the scenario shown; states of several layers are played."""
        found = read_upload(str(asked.get("name", "")), data)
        if isinstance(found, Trajectory):
            self.play(found, None, id_, send, title=str(asked.get("name", ""))[:80])
            return
        table = asked.get("scenario")
        tokens = {"tokens": {"kind": "array", "x": found.tolist()}}
        scenario = from_dict((table if isinstance(table, dict) else {}) | tokens)
        bounds.check_bounds(scenario)
        self._run(scenario, id_, send)

    def _matrix(self, t: Any, id_: int, send: Send) -> None:
        played = self._known()
        states = played.run.states
        if not is_known(played.run.flow) or not isinstance(states, Particles):
            raise BadInput("no attention matrix is known of this run")
        if not isinstance(t, int | float) or not np.isfinite(t):
            raise BadInput("the attention matrix needs a time")
        ts = np.asarray(played.run.ts)
        k = int(np.argmin(np.abs(ts - t)))
        n = states.n
        order = np.arange(n) if played.order is None else played.order
        weights, heads, count = matrix(played.run, k, order)
        words = {"say": "matrix", "id": played.id, "t": float(ts[k]), "n": n, "sampled": count if count < n else None}
        send(words, pack_matrix(weights, t=float(ts[k]), run=played.id, heads=heads))


class _Told:
    """Sends what belongs to one run, numbers its knots, and remembers all of it for an exported page."""

    def __init__(self, id_: int, send: Send, *, keeps: bool = True):
        self.id, self.send, self.keeps, self.count = id_, send, keeps, 0
        self.said: list[tuple[dict[str, Any], bytes | None]] = []

    def __call__(self, words: dict[str, Any], data: bytes | None = None) -> None:
        words = words | {"id": self.id}
        if self.keeps:
            self.said.append((words, data))
        self.send(words, data)

    def knot(self, knot) -> None:
        self({"say": "knot"}, pack_knot(knot, run=self.id & 0xFFFFFFFF, sequence=self.count))
        self.count += 1

    def ask(self) -> None:
        """Whether somebody still listens: raises `Stopped` where nobody does."""
        self.send({"say": "working", "id": self.id}, None)

    def progress(self, done: int, total: int) -> None:
        self.send({"say": "progress", "id": self.id, "done": done, "total": total}, None)


def recorded_page(run: Trajectory, scenario: Scenario | None) -> str:
    """One HTML file that plays a finished run."""
    session = Session()
    session.play(run, scenario, 1, lambda words, data: None, title="" if scenario is None else scenario.title)
    return as_html(session.said)


def start_of(stage: Stage, scenario: Scenario | None) -> dict[str, Any]:
    """What the page needs to set its stage."""
    mu = stage.mu
    words = list(stage.flow.attention.conventions()) if is_known(stage.flow) else []
    return {
        "n": stage.shown, "d": mu.d, "space": "sphere" if stage.lens.is_sphere else "euclidean",
        "drawn": drawn_as(stage.lens), "title": stage.title, "words": words,
        "until": None if scenario is None else scenario.time.until, "is_law": not hasattr(mu, "x"),
        "scenario": None if scenario is None else plain(to_dict(scenario)), "names": list(stage.names),
        "has_matrix": is_known(stage.flow) and isinstance(mu, Particles),
        "mass": [round(float(m), 9) for m in np.asarray(mu.mass)] if stage.is_weighted else None,
    }  # fmt: skip


def one_line(error: Exception, longest: int = 240) -> str:
    words = " ".join(str(error).split())
    return words if len(words) <= longest else f"{words[: longest - 1]}…"
