"""Refusals that need no engine: a wrong name or parts that do not fit are told before JAX is imported."""

import os
import subprocess
import sys
from pathlib import Path

import attnflow

SOURCE = Path(attnflow.__file__).parents[1]
TOKENS = "[tokens]\nn = 4\nd = 2\n"
SCENARIOS = {
    "has shape (3, 3)": TOKENS + "[flow]\nV = {diagonal = [1, 2, 3]}\n",
    "has shape (1, 3)": TOKENS + "[attention]\nQ = [[1, 0, 0]]\nK = [[1, 0]]\n",
    "needs a positive time.step": TOKENS + '[time]\nmethod = "rk4"\n',
    "adaptive methods take time.tol": TOKENS + "[time]\nstep = 0.1\n",
    "must increase strictly": TOKENS + "[time]\nsave = [0.5, 0.2]\n",
    "must lie between": TOKENS + "[time]\nsave = [0.5, 20.0]\n",
    "4 tokens need 4 masses": TOKENS + "mass = [1, 2]\n",
    "must not be negative, and": TOKENS + "mass = [1, 2, -1, 0]\n",
    "must be finite": TOKENS + '[attention]\nB = {file = "bad.csv"}\n',
    "positive number": TOKENS + '[attention]\nrule = "sinkhorn"\neps = 0\n',
    "relative tolerance": TOKENS + '[attention]\nrule = "hardmax"\nties = 2\n',
    "must not be negative": TOKENS + "[flow]\nnoise = -1\n",
    "rescaled tokens": TOKENS + "[flow]\nrescaled = true\n",
    "tokens.centres is missing": TOKENS + 'kind = "caps"\n',
    "4 tokens need 4 rows": TOKENS + "[attention]\ntable = [[true]]\n",
    "4 tokens need 4 positions": TOKENS + "[attention]\npositions = [0.5]\n",
    "positions must lie in": TOKENS + "[attention]\npositions = [1, 2, 3, 4]\n",
    "size of the caps": TOKENS + 'kind = "caps"\ncentres = 5\n',
    "can have equal cosines": TOKENS + 'kind = "equiangular"\ncos = -0.9\n',
    "64-bit numbers can hold": TOKENS + "[time]\ntol = 1e-30\n",
    "\\x00": TOKENS + '[attention]\nB = {file = "\\u0000"}\n',
    "a Gaussian lives in": '[tokens]\nkind = "law"\nd = 2\nmean = [0, 0]\ncov = [[1, 0], [0, 1]]\n',
}
PAPER, LEMMA = "geshkovski2023", "geshkovski2024.lemma6.4"
COMMANDS = {
    "unknown paper": ["check", "nobody2020"], "unknown claim": ["claim", "nobody2020.theorem1"],
    "no such question": ["conjecture", "nothing"], "has no figure": ["figure", "geshkovski2023", "99"],
    "no result of attnflow": ["compare", "bad.csv", "bad.csv"], "bad.csv: no result": ["check", "bad.csv"],
    "takes a name or --all": ["figure", "geshkovski2023"], "is not a folder": ["figure", PAPER, "3", "--out", "bad.csv"],
    "must be one of serial": ["conjecture", "vertices", "--on", "nobody"], "on = ": ["hunt", LEMMA, "--on", "nobody"],
    "less than or equal to 10000": ["conjecture", "vertices", "--effort", "9" * 9], "no such Python file": ["hunt", "nowhere.py"],
    "must be a finite number": ["reduce", "default", "--error", "inf"], "nor a ready-made": ["explore", "nowhere"],
    "at least one axis": ["sweep", "default"], "axis tokens.n = 0": ["sweep", "default", "--over", "tokens.n=0,1"],
    "of memory": ["sweep", "default", "--over", "tokens.n=4,10000000000"],
}  # fmt: skip
SCRIPT = """
import json, sys
from attnflow.interfaces.cli import execute
for words in json.loads(sys.argv[1]):
    print(execute(words), file=sys.stderr)
assert "jax" not in sys.modules
"""


def test_what_needs_no_engine_is_refused_without_it(tmp_path):
    import json

    (tmp_path / "bad.csv").write_text("nan,1\n1,1\n")
    commands = list(COMMANDS.items())
    for k, (words, text) in enumerate(SCENARIOS.items()):
        (tmp_path / f"s{k}.toml").write_text(text)
        commands.append((words, ["run", f"s{k}.toml"]))
    asked = [sys.executable, "-c", SCRIPT, json.dumps([command for _, command in commands])]
    done = subprocess.run(
        asked, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True
    )
    lines = done.stderr.splitlines()
    assert done.returncode == 0 and len(lines) == 2 * len(commands), done.stderr
    for (words, command), said, code in zip(commands, lines[::2], lines[1::2]):
        assert words in said and code == "2" and len(said) <= 210, (command, said, code)
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".csv"] + [".toml"] * len(SCENARIOS)
