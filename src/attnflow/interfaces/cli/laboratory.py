"""`conjecture`, `hunt` and `reduce`: open questions as experiments, searches for counterexamples, cheaper models."""

from __future__ import annotations

from math import inf
from pathlib import Path

from ...engine.files.whole import check_folder, text_in, told_where
from ...errors import BadInput
from .answer import Answer, Table
from .finding import check_claim, check_question
from .progress import progress


def conjecture_answer(
    name: str | None, *, effort: int, seed: int, on: str, workers: int | None, out: Path, replace: bool, quiet: bool
) -> Answer:
    """All open questions, or the experiment on one of them."""
    from ...experiments.sweeps.engines import check_engine
    from .engine import start_engine

    if name is not None:
        check_question(name)
        check_engine(on)
        check_new(out / f"{name}.png", replace)
    start_engine()
    from ...experiments.laboratory.experiment import find_conjecture
    from ...experiments.laboratory.questions import QUESTIONS

    if name is None:
        rows = [(one.name, one.question, one.source) for one in QUESTIONS]
        data = {"questions": [dict(zip(("name", "question", "source"), row)) for row in rows]}
        return Answer(data, [Table("Open questions (attnflow conjecture NAME)", ("Name", "Question", "Source"), rows)])
    asked = find_conjecture(name, QUESTIONS)
    return _experiment(asked, effort=effort, seed=seed, on=on, workers=workers, out=out, quiet=quiet)


def check_new(file: Path, replace: bool) -> None:
    check_folder(file.parent)
    if file.exists() and not replace:
        raise BadInput(f"{file} exists already; give --replace to overwrite it, or another --out")


def _experiment(asked, *, effort, seed, on, workers, out: Path, quiet: bool) -> Answer:
    from ...draw.style import save_figure
    from ...experiments.laboratory.experiment import run_conjecture
    from ...experiments.laboratory.picture import conjecture_figure
    from ...papers.kept import Kept
    from ..report.blocks import Block
    from ..report.pages import as_markdown

    kept = Kept(out / f".{asked.name}.parts")
    with progress("trying", total=len(asked.cases), quiet=quiet) as advance:
        report = lambda done, total: advance(f"case {done} of {total}", done=done, total=total)  # noqa: E731
        result = run_conjecture(asked, seed=seed, effort=effort, on=on, workers=workers, kept=kept, report=report)
    with told_where(out):
        out.mkdir(parents=True, exist_ok=True)
    picture, page = out / f"{asked.name}.png", out / f"{asked.name}.md"
    save_figure(conjecture_figure(result), picture, dpi=200)
    columns, rows = result.columns, result.rows
    blocks = [
        Block("heading", asked.question), Block("text", f"Source: {asked.source}."),
        Block("picture", picture.name, asked.question),
        Block("heading", "What is known"), Block("text", asked.known),
        Block("heading", "Experiment"), Block("text", asked.experiment),
        *([Block("text", f"Changed after first results: {asked.changed}")] if asked.changed else []),
        Block("table", [columns, *rows]), Block("text", "Brackets are 95 % intervals; shares have exact binomial ones."),
        Block("heading", "Verdict"), Block("text", result.words), Block("text", f"Seed {seed}, {result.trials} trials."),
    ]  # fmt: skip
    text_in(out, page.name, as_markdown(blocks))
    kept.forget()
    data = {
        "name": asked.name, "question": asked.question, "source": asked.source, "known": asked.known,
        "experiment": asked.experiment, "changed": asked.changed, "seed": seed, "trials": result.trials, "verdict": result.words,
        "rows": [dict(zip(columns, row)) for row in rows], "files": [str(picture), str(page)],
    }  # fmt: skip
    lines: list[str | Table] = [
        asked.question, f"source      {asked.source}", f"known       {asked.known}", f"experiment  {asked.experiment}",
        *([f"changed     {asked.changed} (after first results were seen)"] if asked.changed else []),
        Table("", columns, rows), f"Verdict: {result.words}", f"wrote {picture} and {page}",
    ]  # fmt: skip
    return Answer(data, lines)


def hunt_answer(target: str, *, budget: str, seed: int, on: str, workers: int | None, out: Path, quiet: bool) -> Answer:
    """Hunt for a counterexample to a claim of the register or of a file, and leave a page and a scenario."""
    from ...experiments.extensions import check_file
    from ...experiments.sweeps.engines import check_engine
    from ...experiments.sweeps.file import seconds_of
    from .engine import start_engine

    seconds = seconds_of(budget, "--budget")
    check_engine(on)
    check_folder(out)
    (check_file if target.endswith(".py") else check_claim)(target)
    start_engine()
    from ...experiments.laboratory.hunting import hunt, loaded

    key, files = _claim_of(target)
    claim = loaded(key, files)
    folder = out / key
    with progress("hunting", quiet=quiet) as advance:
        found = hunt(
            key, folder / "parts", budget=seconds, files=files, seed=seed, on=on, workers=workers,
            report=lambda done: advance(f"{done} parts", done=done),
        )  # fmt: skip
    return _hunt_page(claim, found, folder, seed)


def _claim_of(target: str) -> tuple[str, tuple[str, ...]]:
    """The key of a claim, and the file it is in if it is the user's own."""
    from ...papers.register import claims, find_claim, papers

    if not target.endswith(".py"):
        return find_claim(target).key, ()
    from ...experiments.extensions import load_file

    before = set(papers())
    load_file(target)
    own = [claim.key for name in papers() if name not in before for claim in claims(name)]
    if len(own) != 1:
        raise BadInput(f"{target}: a file to hunt holds a PAPER with one claim, this one has {len(own)}")
    return own[0], (str(Path(target).resolve()),)


def _hunt_page(claim, found, folder: Path, seed: int) -> Answer:
    from ...experiments.laboratory.hunting import scenario_of
    from ...experiments.scenario import dumps
    from ..report.blocks import Block
    from ..report.pages import as_markdown

    files = {}
    if found.example is not None:
        text_in(folder, "counterexample.toml", dumps(scenario_of(claim, found.example)))
        files["counterexample.toml"] = "`attnflow run` and `attnflow check` reproduce it"
    worst = max((part["worst"] for part in found.parts if part["worst"] is not None), default=None)
    verdict = _verdict(claim, found, worst)
    told = lambda part: ", ".join(f"{name} {count}" for name, count in part["counts"].items())  # noqa: E731
    rows = [(part["seed"], told(part), "–" if part["worst"] is None else f"{part['worst']:.3g}")
            for part in found.parts]  # fmt: skip
    columns = ("Seed", "Outcomes of its runs", "Worst ratio")
    blocks = [
        Block("heading", f"Hunt for {claim.key}"), Block("text", claim.statement), Block("text", verdict),
        *([Block("picture", "hunt.png", "Worst violation ratio, part by part")] if _picture(found, folder) else []),
        Block("heading", "Parts"), Block("table", [columns, *rows]),
        *([Block("heading", "Counterexample"), Block("code", dumps(scenario_of(claim, found.example)))] if found.example else []),
    ]  # fmt: skip
    text_in(folder, "hunt.md", as_markdown(blocks))
    files["hunt.md"] = "trials, worst ratio, seeds"
    data = {
        "claim": claim.key, "seed": seed, "parts": len(found.parts), "counts": found.counts, "inside": found.inside,
        "worst": worst, "refuted": found.example is not None, "verdict": verdict, "files": [str(folder / name) for name in files],
    }  # fmt: skip
    lines = [
        f"{claim.key}  {claim.title}",
        verdict,
        "",
        f"Left in {folder}:",
        *[f"  {folder / n}  {w}" for n, w in files.items()],
    ]
    return Answer(data, lines, code=int(verdict.startswith("REFUTED")))


def _verdict(claim, found, worst) -> str:
    from ...experiments.laboratory.drawing_scenarios import UNTIL

    if found.example is not None:
        words = next(part["words"] for part in found.parts if part["example"] is not None)
        return f"REFUTED by a scenario that stands at half the tolerance and, for softmax, by an independent integrator: {words}"
    doubts = [part["words"] for part in found.parts if part["words"]]
    if claim.check is None and doubts:
        return (
            f"REFUTED in {found.counts['refuted']} of {found.inside} trials of the register (no scenario): {doubts[0]}"
        )
    if not found.inside:
        return "Nothing was tested: no scenario that was drawn, or moved, met the hypotheses."
    told = f"No counterexample in {found.inside} runs inside the hypotheses, up to t = {UNTIL:g}"
    told += "" if worst is None else f"; the worst violation ratio was {worst:.3g} (above 1: violated)"
    return told + (f". {len(doubts)} doubtful: {doubts[0]}" if doubts else ".")


def _picture(found, folder: Path) -> bool:
    worst = [part["worst"] for part in found.parts]
    if sum(one is not None for one in worst) < 2:
        return False
    import numpy as np

    from ...draw.style import PALETTE, SLATE, new_figure, save_figure, style

    values = np.array([np.nan if one is None else one for one in worst], float)
    with style():
        figure = new_figure(5.6, 3.2)
        ax = figure.subplots()
        parts = np.arange(1, len(values) + 1)
        ax.plot(parts, values, ".", color=SLATE, label="worst of a part")
        ax.plot(parts, np.fmax.accumulate(values), color=PALETTE[0], label="worst so far", drawstyle="steps-post")
        ax.axhline(1.0, color=PALETTE[1], linestyle="--", linewidth=1, label="violated above")
        ax.set(xlabel="part of the hunt", ylabel="violation ratio")
        ax.locator_params(axis="x", integer=True)
        if np.nanmax(values) > 20 and np.nanmin(values) > 0:
            ax.set_yscale("log")
        ax.legend()
        save_figure(figure, folder / "hunt.png", dpi=200)
    return True


def reduce_scenario(name: str, settings: list[str], *, error: float, out: Path, replace: bool) -> Answer:
    """The table of models, the choice, and a picture of error against speed-up."""
    from ...experiments.scenario.cost import check_affordable
    from .engine import start_engine
    from .finding import find_scenario

    if not error < inf:
        raise BadInput(f"--error {error}: must be a finite number")
    stem, scenario = find_scenario(name, settings)
    check_affordable(scenario)
    file = out / f"{stem}.png"
    check_new(file, replace)
    start_engine()
    from ...draw.style import save_figure
    from ...engine.measures import Particles
    from ...experiments.laboratory.error_cost import error_cost_figure
    from ...experiments.scenario import build
    from ...theory.reduction.reduce import reduce

    flow, mu, _ = build(scenario)
    if not isinstance(mu, Particles):
        raise BadInput(f"{stem}: reduce is about tokens, and this scenario moves a law")
    found = reduce(flow, mu, until=scenario.time.until, error=error)
    with told_where(out):
        out.mkdir(parents=True, exist_ok=True)
    title = scenario.title or stem
    save_figure(error_cost_figure(found.table, error=error, chosen=found.model.name, title=title), file, dpi=200)
    rows = [(r.name, f"{r.error:.2g}", f"{r.speedup:.3g}", r.of, r.words) for r in found.table]
    how = (
        "measured against the run" if all(r.is_measured for r in found.table) else "bounded, not measured: many tokens"
    )
    is_known = found.error < float("inf")
    told = f"error at most {found.error:.2g} ({how})" if is_known else "no error is known of so many tokens"
    data = {
        "model": found.model.name, "words": found.model.words, "of": found.model.of, "error": found.error,
        "speedup": found.speedup, "until": scenario.time.until, "table": [vars(row) for row in found.table],
        "files": [str(file)],
    }  # fmt: skip
    blocks: list[str | Table] = [
        title,
        f"{found.model.name} stands for this run up to t = {scenario.time.until:g}: {found.model.words}",
        f"{told}, {found.speedup:.3g} times fewer pairs",
        Table("", ("Model", "Error", "Speed-up", "Of", "What it is"), rows),
        f"wrote {file}",
    ]
    return Answer(data, blocks)
