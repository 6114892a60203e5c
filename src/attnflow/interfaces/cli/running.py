"""`run`: from a scenario to a folder with data, pictures and a report."""

from __future__ import annotations

import dataclasses
import threading
import time
import warnings
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path

from .answer import Answer, Table
from .progress import progress

FRAMES = 90
"""Of the animation, at 20 a second."""

NICE = {"animation": 5, "figure": 10, "store": 15}
"""What takes longest goes first."""

MOST_SENT = 2**28
"""Bytes of a data set that another process may be sent."""


def cost_of(name: str, settings: list[str]) -> Answer:
    """What a run would cost, without running it."""
    from ...experiments.scenario.cost import estimate, stated_sizes
    from .finding import find_scenario

    _, scenario = find_scenario(name, settings)
    cost = estimate(scenario, read=stated_sizes(scenario) or _read_sizes(scenario))
    return Answer(vars(cost), [scenario.title or "This scenario", *cost.words])


def _read_sizes(scenario) -> tuple[int, int]:
    from .engine import start_engine

    start_engine()
    from ...experiments.scenario.building import build_tokens

    mu = build_tokens(scenario)
    return getattr(mu, "n", 1), mu.d


def run_scenario(
    name: str, settings: list[str], *, out: Path | None, replace: bool, fresh: bool, quiet: bool
) -> Answer:
    """Simulate, observe, draw, write; the folder appears when all of it is done."""
    from ...experiments.scenario.cost import check_affordable
    from ...experiments.store.draft import Draft, check_free, mark_of
    from .engine import start_engine
    from .finding import find_scenario

    stem, scenario = find_scenario(name, settings)
    out = Path("out") / stem if out is None else out
    check_free(out, replace)
    check_affordable(scenario)
    # Before the engine, whose imports keep one core alone busy.
    with _beside(scenario.output) as beside:
        start_engine()
        from ...experiments.scenario import build

        flow, mu, options = build(scenario)
        with Draft(out, mark=mark_of(scenario, mu), replace=replace, fresh=fresh) as draft:
            _import_beside(
                "attnflow.interfaces.report.words", "attnflow.interfaces.report.pages", "attnflow.draw.summary"
            )
            resumed = draft.chunks
            run, seconds = _simulate(flow, mu, options, draft, chunk=scenario.output.chunk, quiet=quiet)
            cost = {"seconds": seconds, "resumed": resumed}
            facts, files = write_folder(scenario, run, draft.path, beside, quiet=quiet, **cost)
            draft.finish()
    return _answer(facts, files, out)


@contextmanager
def _beside(output):
    """A process for the data set and for each kind of picture, which gets ready while tokens move and works beside this one."""
    from ...experiments.store.beside import Beside

    needs = {
        "animation": ["attnflow.draw.pictures", "PIL.GifImagePlugin", "PIL.WebPImagePlugin"],
        "figure": ["attnflow.draw.pictures", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_pdf"],
    }
    wanted = {kind: modules for kind, modules in needs.items() if getattr(output, kind)}
    wanted |= {"store": ["attnflow.experiments.store.dataset", "xarray", "zarr"]}
    with ExitStack() as all_of_them:
        yield {kind: all_of_them.enter_context(Beside(*modules, nice=NICE[kind])) for kind, modules in wanted.items()}


def _import_beside(*modules: str) -> None:
    """Import what is needed later in a thread, while compiled code runs."""
    threading.Thread(target=lambda: [import_module(name) for name in modules], daemon=True).start()


def _simulate(flow, mu, options, draft, *, chunk, quiet):
    from ...engine.evolution.chunks import evolve_in_chunks

    started = time.perf_counter()
    shelf = Watched(draft)
    with progress("simulating", quiet=quiet) as advance, _notices() as seen:

        def report(done: int, total: int) -> None:
            rate = shelf.time / max(time.perf_counter() - started, 1e-9)
            advance(f"t = {shelf.time:.4g} of {options['until']:.4g}, {rate:.3g} per s", done=done, total=total)

        run = evolve_in_chunks(flow, mu, shelf=shelf, chunk=chunk, report=report, **options)
        run.ts.block_until_ready()
    return dataclasses.replace(run, notes=(*run.notes, *seen)), time.perf_counter() - started


class Watched:
    """A shelf of checkpoints that knows the time reached."""

    def __init__(self, shelf):
        self.shelf, self.time = shelf, 0.0

    def get(self, index, mu):
        return self._seen(self.shelf.get(index, mu))

    def put(self, index, run) -> None:
        self.shelf.put(index, self._seen(run))

    def _seen(self, run):
        self.time = self.time if run is None else float(run.ts[-1])
        return run


@contextmanager
def _notices():
    """What attnflow warns of, also from compiled code, each thing once."""
    import jax

    from ...errors import Notice

    notices: list[str] = []
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", Notice)
        yield notices
        jax.effects_barrier()
    notices += dict.fromkeys(str(item.message) for item in seen)


def write_folder(scenario, run, folder: Path, beside, *, seconds: float, resumed: int, quiet: bool):
    """Data, scenario, pictures and report of a run in a folder; pictures are drawn while theory is asked."""
    from ...experiments.scenario import dumps
    from ..report.facts import gather, observe, told, with_errors
    from ..report.pages import as_html, as_markdown
    from ..report.words import story

    errors: list[str] = []
    _begin_storing(beside["store"], scenario, run, folder / "result.zarr")
    with progress("asking theory", quiet=quiet):
        seen = observe(run)
        begun = told(errors, "drawing", lambda: _begin(beside, scenario, run, seen, folder), {})
        facts = gather(scenario, run, seconds=seconds, resumed=resumed, observed=seen)
    (folder / "scenario.toml").write_text(dumps(scenario), encoding="utf-8")
    with progress("drawing", quiet=quiet) as advance:
        report = lambda done, total: advance(f"frame {done} of {total}", done=done, total=total)  # noqa: E731
        beside["store"].finish(report)
        film = told(errors, "drawing", lambda: _finish(beside, report), None) if begun else None
    files = {} if film is None else begun
    files |= told(errors, "the page", lambda: _page(scenario, run, folder), {}) if scenario.output.page else {}
    facts = with_errors(facts, errors)
    files |= {
        "result.zarr": "all saved states, with scenario, seed and versions (xarray, zarr)",
        "scenario.toml": "the scenario with every value written out",
        "report.md": "this report",
        "report.html": "this report as one page",
    }
    blocks = story(facts, files)
    page = as_html(blocks, folder=folder, films={"animation.gif": film or []})
    (folder / "report.md").write_text(as_markdown(blocks), encoding="utf-8")
    (folder / "report.html").write_text(page, encoding="utf-8")
    return facts, files


def _page(scenario, run, folder: Path) -> dict[str, str]:
    """The explorer's recording of the run."""
    from ..explore.session import recorded_page

    (folder / "explorer.html").write_text(recorded_page(run, scenario), encoding="utf-8")
    return {"explorer.html": "the run in motion, in any browser, without Python or network"}


def _begin_storing(beside, scenario, run, path: Path):
    """Hand the data set over, or write it here where sending it would take as much memory again."""
    from ...experiments.store.dataset import Stored, tables_of

    tables = tables_of(run, scenario=scenario)
    job = Stored(tables, path)
    if sum(values.nbytes for _, values in tables["data_vars"].values()) <= MOST_SENT:
        beside.begin(job)
    else:
        job.make(lambda done, total: None)


def _begin(beside, scenario, run, seen, folder: Path) -> dict[str, str]:
    """Hand the pictures over; their files, and what these will hold."""
    from ...draw.movie import reel_of
    from ...draw.pictures import Film, Picture
    from ...draw.summary import summary_figure

    output, files = scenario.output, {}
    looks = {"groups": seen.groups, "energies": seen.energies, "log_time": _has_log_time(scenario.time)}
    if output.animation:
        # First, since it takes longest.
        beside["animation"].begin(Film(reel_of(run, frames=FRAMES, **looks), folder / "animation.gif"))
        files["animation.gif"] = "the tokens in motion"
    if output.figure:
        is_law = seen.groups is None
        caption = "the law at four times, its spread" if is_law else "tokens at four times, and how they gather"
        names = [f"figure.{form}" for form in output.figure]
        beside["figure"].begin(Picture(summary_figure(run, **looks), tuple(folder / name for name in names)))
        files = dict.fromkeys(names, caption) | files
    return files


def _finish(beside, report) -> list[str]:
    """Wait for all pictures; the frames of the film."""
    return [frame for one in beside.values() for frame in one.finish(report)]


def _has_log_time(time) -> bool | None:
    """Times saved as a high power of their number, or as a list, may ask for a logarithmic axis."""
    return time.spacing >= 4 if isinstance(time.save, int) else None


def _answer(facts, files: dict[str, str], out: Path) -> Answer:
    from ..report.facts import as_data
    from ..report.words import what_happened

    data = as_data(facts) | {"out": str(out), "files": {name: str(out / name) for name in files}}
    lines: list[str | Table] = [facts.scenario.title or "A run", *what_happened(facts)]
    lines += _theory(facts)
    lines += [f"note        {note}" for note in facts.notes]
    lines += ["", f"Left in {out}:", *[f"  {out / name}  {what}" for name, what in files.items()]]
    return Answer(data, lines, code=int(facts.failed or facts.run.status.is_broken or not facts.is_complete))


def _theory(facts) -> list[str | Table]:
    """The headline table; the rest is left to the report."""
    from ..report.verdicts import verdict
    from ..report.words import nothing_applies

    if not facts.headlines:
        return [nothing_applies(facts)]
    rows = [(h.predicted, h.measured, verdict(h.verdict)) for h in facts.headlines]
    more = f"{len(facts.predictions)} predictions and {len(facts.checks)} checks are in the report."
    return ["", Table("", ("Predicted", "Measured", "Verdict"), rows), more]
