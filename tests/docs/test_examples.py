"""Every tutorial runs from top to bottom in a process of its own, without a warning, and draws something."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
LIMIT = 60.0
"""Seconds of processor time: half a minute on two cores, most of it compilation."""
QUICK = ("plot_06_sinkhorn_and_heat", "plot_11_own_theorem")

CODE = """
import runpy, sys, warnings
warnings.simplefilter("error", UserWarning)
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
plt.show = lambda *args, **kwargs: None
runpy.run_path(sys.argv[1], run_name="__main__")
assert plt.get_fignums(), "nothing was drawn"
"""


def marked(script):
    return pytest.param(script, id=script.stem, marks=[] if script.stem in QUICK else [pytest.mark.slow])


def processor_time() -> float:
    """Of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("script", [marked(script) for script in SCRIPTS])
def test_runs(script, tmp_path):
    before = processor_time()
    paths = os.pathsep.join(path for path in (str(ROOT / "src"), os.environ.get("PYTHONPATH", "")) if path)
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(script)], cwd=tmp_path, env=os.environ | {"PYTHONPATH": paths},
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert not list(tmp_path.iterdir()), "a tutorial leaves files behind"
    assert processor_time() - before < LIMIT


def test_every_topic_has_a_tutorial():
    assert [script.stem[:8] for script in SCRIPTS] == [f"plot_{k:02d}_" for k in range(1, 14)]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_reads_like_a_page(script):
    """A title underlined in full, cells of text and code, and at least one picture."""
    text = script.read_text(encoding="utf-8")
    title = re.match(r'r"""\n(.+)\n(=+)\n\n', text)
    assert title and len(title[1]) <= len(title[2])
    assert text.count("\n# %%\n") >= 3 and "plt.subplots(" in text and text.endswith("plt.show()\n")
