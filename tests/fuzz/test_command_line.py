"""Hostile words on the command line: one line of at most 200 characters, exit code 2, nothing written, in two seconds."""

import json
import os
import random
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

import attnflow
from attnflow.interfaces.cli import execute

TRIALS = int(os.environ.get("ATTNFLOW_FUZZ", "0")) // 10 or 60
SHELLS = int(os.environ.get("ATTNFLOW_FUZZ", "0")) // 50
"""Trials by a process of their own."""
SOURCE = Path(attnflow.__file__).parents[1]
NAMES = (
    "a b",
    "-x",
    "é" * 80,
    "x" * 300,
    "\x1b[31mred",
    "new\nline",
    "tab\tname",
    "[a]*?",
    "~",
    "$(x)",
    "\udcff",
    "..",
    ".",
    "/",
    "",
)


def header(kind: str, shape: tuple) -> bytes:
    """The beginning of a .npy file."""
    words = repr({"descr": kind, "fortran_order": False, "shape": shape}).encode().ljust(117)
    return np.lib.format.magic(1, 0) + b"\x76\x00" + words + b"\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with everything that is not a scenario, a matrix, a model or a run."""
    folder = tmp_path_factory.mktemp("hostile")
    scenario = b"[tokens]\nn = 4\nd = 2\n[time]\nuntil = 1.0\nsave = 3\n"
    np.save(folder / "one.npy", np.eye(2))
    texts = {
        "good.toml": scenario, "empty.toml": b"", "bytes.toml": bytes(range(256)), "text.npy": b"not numpy", "empty.npy": b"",
        "short.npy": (folder / "one.npy").read_bytes()[:-9], "huge.npy": header("<f8", (3_000_000, 1_000_000)),
        "objects.npy": header("|O", (1,)),
        "wide.csv": b"1,2,3\n4,5\n", "words.csv": b"a,b\n", "deep.toml": b"a = " + b"[" * 5000,
        "bom.toml": b"\xff\xfe" + scenario,
        "integer.toml": b"seed = 1" + b"0" * 5000, "control.toml": b'"\\u001b[31m" = 1',
        "title.toml": b'title = "\\u001b[2J"\nx = 1',
        "script.py": b"raise SystemExit(3)", "config.json": b'{"model_type": ["x"]}', "model.safetensors": b"\x08" + b"\xff" * 40,
    }  # fmt: skip
    for name, data in texts.items():
        (folder / name).write_bytes(data)
    with zipfile.ZipFile(folder / "zip.npy", "w") as archive:
        archive.writestr("x", "y")
    (folder / "zip.toml").write_bytes((folder / "zip.npy").read_bytes())
    os.mkfifo(folder / "pipe.toml")
    os.mkfifo(folder / "pipe.npy")
    for loop in ("loop.toml", "loop.npy", "loop"):
        (folder / loop).symlink_to(folder / loop)
    for name, target in (
        ("zero.npy", "/dev/zero"),
        ("tty.toml", "/dev/tty"),
        ("null.toml", "/dev/null"),
        ("gone.toml", "nowhere"),
    ):
        (folder / name).symlink_to(target)
    (folder / "folder.toml").mkdir()
    (folder / "result.zarr").mkdir()
    (folder / "result.zarr" / "zarr.json").write_text("{")
    return folder


def everything(folder: Path) -> dict:
    return {str(f): f.lstat().st_mtime_ns for f in folder.rglob("*") if "out" not in f.name}


def words(rng: random.Random, files: list[str]) -> list[str]:
    """A command that cannot make sense: a file that is none, or a setting or an option of nonsense."""
    bad = rng.choice([f for f in files if f != "good.toml"] + list(NAMES))
    matrix = rng.choice([f for f in files if f.endswith((".npy", ".csv")) and f not in ("one.npy",)])
    key = rng.choice(["attention.B", "flow.V", "attention.Q", "tokens.x", "tokens.file"])
    number = rng.choice(["-1", "nan", "1e999", "9" * 400, "[1]", "''", "{}", "1,2"])
    count = rng.choice(["tokens.n", "tokens.d", "time.save", "seed", "time.max_steps", "time.until"])
    huge = rng.choice(
        ["tokens.n=1000000000", "tokens.d=1000000000", "time.save=10000000000", "time.step=1e-300", "time.until=1e-400"]
    )
    return rng.choice(
        [
            ["run", bad], ["predict", bad], ["check", bad], ["info", bad], ["sweep", bad], ["open", bad], ["compare", bad, bad],
            ["explore", bad, "--no-browser"], ["explore", bad, "--export", "out.html"], ["reduce", bad], ["claim", bad],
            ["figure", bad, "1"], ["figure", "geshkovski2023", bad], ["hunt", bad], ["conjecture", bad], ["new", bad],
            ["new", bad, bad], ["list", bad], ["list", "figures", bad], ["model", "report", bad], ["model", "check", bad],
            ["info", bad, "--verify"], ["run", "good.toml", "--load", bad], ["--load"], [bad], ["run"],
            ["run", "good.toml", "--nonsense", bad],
            ["run", "good.toml", "--set", f"{key}={{file='{matrix}'}}"], ["run", "good.toml", "--set", bad],
            ["run", "good.toml", "--set", f"{key}.{bad}=1"], ["run", "good.toml", "--set", f"{count}={number}"],
            ["run", "good.toml", "--set", huge], ["run", "good.toml", "--dry-run", "--set",
            huge.replace("1e-400", "nan").replace("1e-300", "-1") + "x"],
            ["run", "good.toml", "--out", rng.choice(["good.toml", "loop", "pipe.npy", "loop/x", "good.toml/x", "x" * 300,
            "/proc/x", "result.zarr", "\x00"])],
            ["sweep", "good.toml", "--over", f"{count}={number}".replace("[1]", "[]").replace("1,2", "1,x")],
            ["sweep", "good.toml", "--over", bad],
            ["sweep", "good.toml", "--over", "seed=0:9", "--measure", bad],
            ["sweep", "good.toml", "--over", "seed=0:9", "--measure", f"{bad}:f"],
            ["sweep", "good.toml", "--over", "seed=0:2", "--shard", bad],
            ["sweep", "good.toml", "--over", "seed=0:2", "--budget", bad],
            ["sweep", "good.toml", "--over", "seed=0:2", "--on", bad],
            ["figure", "geshkovski2023", "3", "--format", bad], ["figure", "geshkovski2023", "3", "--out", "good.toml"],
        ]
    )  # fmt: skip


def check_line(code: int, said: str, command: list[str]) -> None:
    lines = said.splitlines()
    assert code == 2 and len(lines) == 1 and lines[0].startswith("attnflow: "), (code, said, command)
    assert lines[0].isprintable() and len(lines[0]) <= 200 + len("attnflow: "), (said, command)


@pytest.mark.parametrize("part", range(4))
def test_nonsense_is_refused(part, place, capsys, monkeypatch):
    monkeypatch.chdir(place)
    files = sorted(f.name for f in place.iterdir())
    for seed in range(part, TRIALS, 4):
        command = words(random.Random(seed), files)
        before, began = everything(place), time.process_time()
        code = execute(command)
        seconds, said = time.process_time() - began, capsys.readouterr()
        check_line(code, said.err, command)
        assert everything(place) == before, (seed, command)
        assert seconds < 10, (seconds, command)  # the first one of a file also imports JAX and all papers


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SHELLS))
def test_nonsense_is_refused_in_a_process_of_its_own(seed, place):
    command = words(random.Random(10**6 + seed), sorted(f.name for f in place.iterdir()))
    before = everything(place)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "attnflow.interfaces.cli", *command, "--json"],
            cwd=place, env=os.environ | {"PYTHONPATH": str(SOURCE)},
            capture_output=True, text=True, errors="replace", timeout=60, check=False,
        )  # fmt: skip
    except (ValueError, UnicodeError):  # no system starts a process with such words
        return
    check_line(done.returncode, done.stderr, command)
    assert set(json.loads(done.stdout)) == {"error"}
    assert everything(place) == before


@pytest.mark.parametrize(
    "command",
    [
        ["sweep", "good.toml", "--over", "attention.beta=1:2:" + "9" * 400],
        ["sweep", "good.toml", "--over", f"attention.beta=log:1:{'9' * 400}:3"],
        ["sweep", "good.toml", "--over", "seed=" + "9" * 5000],
        ["sweep", "good.toml", "--over", "seed=0:2", "--shard", "²/³"],
        ["sweep", "good.toml", "--over", "seed=0:2", "--shard", "1/" + "9" * 5000],
        ["sweep", "good.toml", "--over", "seed=0:2", "--budget", "9" * 400],
        ["sweep", "good.toml", "--over", "seed=0:2", "--measure", f"time_to(clusters<={'9' * 400})"],
        ["hunt", "geshkovski2024.lemma6.4", "--budget", "9" * 400],
        ["hunt", "geshkovski2024.lemma6.4", "--on", "nowhere", "--budget", "1s"],
        ["reduce", "good.toml", "--set", "tokens.d=1000000000"],
        ["predict", "good.toml", "--set", "tokens.d=1000000000"],
        ["explore", "good.toml", "--export", "loop"],
        ["explore", "good.toml", "--export", "pipe.npy", "--replace"],
        ["new", "noisy", "pipe.toml", "--replace"],
        ["new", "noisy", "null.toml", "--replace"],
    ],
)
def test_what_once_was_not_refused(command, place, capsys, monkeypatch):
    monkeypatch.chdir(place)
    before = everything(place)
    check_line(execute(command), capsys.readouterr().err, command)
    assert everything(place) == before and not Path("/dev/null").is_file()


def started(place, words, **environment):
    own = {"PYTHONPATH": str(SOURCE)} | environment
    return subprocess.run(
        [sys.executable, "-m", "attnflow.interfaces.cli", *words],
        cwd=place, env=os.environ | own, capture_output=True, timeout=60,
    )  # fmt: skip


def test_letters_that_a_terminal_cannot_show(place):
    plain, data = (started(place, ["list", *more], PYTHONIOENCODING="ascii") for more in ((), ("--json",)))
    assert plain.returncode == data.returncode == 0, plain.stderr + data.stderr
    assert json.loads(data.stdout)["papers"]


def test_titles_and_names_do_not_steer_the_terminal(place, capsys, monkeypatch):
    monkeypatch.chdir(place)
    assert execute(["run", "good.toml", "--dry-run", "--set", "title=\x1b[2J\x9b\u202e"]) == 0
    assert all(line.isprintable() for line in capsys.readouterr().out.splitlines())
    assert execute(["run", "good.toml", "--set", "title=\udcff", "--out", "out"]) == 2
    assert "UTF-8" in capsys.readouterr().err


def test_a_file_of_the_user_does_not_become_numpy(tmp_path, capsys):
    (tmp_path / "json.py").write_text("x = 1")
    assert execute(["list", "rules", "--load", str(tmp_path / "json.py")]) == 0
    assert sys.modules["json"] is json
