"""Commands killed -9 at random moments and started again: the same digits as without a kill."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import attnflow

SOURCE = Path(attnflow.__file__).parents[1]
RUN = """
[tokens]
n = 24
d = 3
[attention]
beta = 9.0
[time]
until = 10.0
save = 21
%s
[output]
figure = ["png"]
animation = false
chunk = 1
"""
SWEEP = (
    RUN
    + """
[sweep]
measure = ["clusters", "energy"]
axes.attention.beta = [1.0, 2.0]
repeat = 2
"""
)
EXACT, NOISY = 'method = "rk4"\nstep = 0.002', "step = 0.002\n[flow]\nnoise = 0.3"
COMMANDS = {
    "run": (RUN % EXACT, ["run", "s.toml", "--out"]),
    "noisy run": (RUN % NOISY, ["run", "s.toml", "--out"]),
    "sweep": (SWEEP % EXACT, ["sweep", "s.toml", "--on", "serial", "--out"]),
    "sweep by workers": (SWEEP % EXACT, ["sweep", "s.toml", "--on", "processes", "-j", "2", "--out"]),
    "figure": ("", ["figure", "geshkovski2024", "4", "--out"]),
}
KILLS = int(os.environ.get("ATTNFLOW_FUZZ", "0")) // 50 // len(COMMANDS)
"""Of each command."""


def start(place, words, out):
    own = {"ATTNFLOW_CACHE": str(place / "cache"), "SOURCE_DATE_EPOCH": "0", "PYTHONPATH": str(SOURCE)}
    words = [sys.executable, "-m", "attnflow.interfaces.cli", *words, out]
    return subprocess.Popen(words, cwd=place, env=os.environ | own, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finish(place, words, out):
    process = start(place, words, out)
    said = process.communicate(timeout=900)[1].decode()
    assert process.returncode == 0, said[-500:]


def chunks(place: Path) -> dict[str, bytes]:
    """The numbers of a result: all files but those that tell when and how it was made."""
    whole = place.rglob("*") if place.is_dir() else place.parent.glob(place.name + "*")
    files = [file for file in sorted(whole) if file.is_file() and file.suffix not in (".json", ".md", ".html", ".toml")]
    return {str(file.relative_to(place.parent))[len(place.name) :]: file.read_bytes() for file in files}


@pytest.mark.slow
@pytest.mark.skipif(not KILLS, reason="kills are tried by `make fuzz`")
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in COMMANDS])
def test_killed_and_started_again(name, tmp_path):
    text, words = COMMANDS[name]
    (tmp_path / "s.toml").write_text(text)
    finish(tmp_path, words, "warm")
    began = time.monotonic()
    finish(tmp_path, words, "whole")
    length, expected = time.monotonic() - began, chunks(tmp_path / "whole")
    assert expected
    for trial in range(KILLS):
        rng, out = random.Random(trial), f"killed{trial}"
        process = start(tmp_path, words, out)
        try:
            process.wait(rng.random() * length)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        is_open = chunks(tmp_path / out) != expected
        if is_open:
            finish(tmp_path, [*words[:-1], *(["--replace"] if name == "figure" else []), words[-1]], out)
        assert chunks(tmp_path / out) == expected, (name, trial)
        assert not (is_open and list(tmp_path.glob(f".{out}*"))), (name, trial)
