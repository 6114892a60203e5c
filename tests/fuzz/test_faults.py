"""Faults of the machine and of ourselves: a full disk, a bug, and what importing may not do."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from test_stores import SCENARIO  # pyright: ignore[reportMissingImports]

import attnflow
from attnflow.experiments.store import load
from attnflow.interfaces.cli import execute

SOURCE = Path(attnflow.__file__).parents[1]
COMMANDS = (
    ["run", "s.toml", "--set", "output.figure=['png']"],
    ["sweep", "s.toml", "--over", "seed=0:2", "--on", "serial"],
)


def limited(most: int, words: list[str]) -> int:
    """A command that may write no file above a size, as on a disk that is full."""
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        return execute(words)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 1_000, 3_000, 20_000])
@pytest.mark.parametrize("command", COMMANDS, ids=["run", "sweep"])
def test_a_full_disk_is_one_line_and_nothing_is_lost(command, most, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(SCENARIO)
    words = [*command, "-q", "--out", "out"]
    code, said = limited(most, words), capsys.readouterr().err
    assert code == 2 and len(said.splitlines()) == 1 and f"writing {'' if command[0] == 'sweep' else tmp_path}" in said
    assert "kept" in said and len(said) <= 211
    assert execute(words) == 0, capsys.readouterr().err
    load("out")
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("RESOURCE_EXHAUSTED: Out of memory")])
def test_too_little_memory_names_the_folder(error, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "attnflow.interfaces.cli.running._simulate", lambda *words, **more: (_ for _ in ()).throw(error)
    )
    Path("s.toml").write_text(SCENARIO)
    assert execute(["run", "s.toml", "-q", "--out", "out"]) == 2
    said = capsys.readouterr().err
    assert "not enough memory" in said and str(tmp_path / "out") in said and "nothing was kept" in said
    assert sorted(file.name for file in tmp_path.iterdir()) == ["s.toml"]


def test_a_report_of_a_bug_holds_the_scenario(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("attnflow.interfaces.cli.running.cost_of", lambda *words: 1 / 0)
    (tmp_path / "mine.toml").write_text(SCENARIO)
    assert execute(["run", str(tmp_path / "mine.toml"), "--dry-run"]) == 70
    report = Path(capsys.readouterr().err.split()[-1])
    text = report.read_text(encoding="utf-8")
    report.unlink()
    assert "ZeroDivisionError" in text and 'method = "rk4"' in text and "numpy" in text


def test_a_bug_on_a_full_disk_is_one_line(capsys, monkeypatch):
    monkeypatch.setattr("attnflow.interfaces.cli.listing.describe", lambda *words, **more: 1 / 0)
    assert limited(0, ["info"]) == 70 and len(capsys.readouterr().err.splitlines()) == 1


AFTER_IMPORT = """
import multiprocessing
import attnflow as af
import attnflow.interfaces.explore, attnflow.experiments.laboratory.questions, attnflow.models, attnflow.papers.register
import attnflow.interfaces.report, attnflow.experiments.sweeps
for name in dir(af): getattr(af, name)
attnflow.papers.register.claims()
def work(place):
    run = af.evolve(af.Flow(af.Sphere(), af.Softmax()), af.uniform_sphere(3, 2, seed=0), until=1.0, save=2)
    place.put(run.x.tolist())
fork = multiprocessing.get_context("fork")
place = fork.Queue()
worker = fork.Process(target=work, args=(place,))
worker.start()
theirs = place.get(timeout=300)
import jax
jax.distributed.initialize("127.0.0.1:%d", num_processes=1, process_id=0)
work(place)
assert place.get(timeout=300) == theirs
"""


@pytest.mark.slow
def test_after_the_import_workers_may_be_forked_and_machines_joined():
    words = [sys.executable, "-c", AFTER_IMPORT % (20000 + os.getpid() % 20000)]
    subprocess.run(words, env=os.environ | {"PYTHONPATH": str(SOURCE)}, check=True, timeout=600)
