"""How long a user waits: commands in fresh processes, the parts of a run, and what every new seed of a run costs.

Beside the time on the clock stands processor time, which a busy machine changes less.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

from .table import markdown

COMMANDS = (["--help"], ["list"], ["predict", "default"])

SEEDS = """
import json, resource, time
start = time.perf_counter()
import jax
jax.config.update("jax_enable_x64", True)
import attnflow as af
count = [0]
def note(event, seconds, **rest):
    count[0] += event == "/jax/core/compile/backend_compile_duration"
jax.monitoring.register_event_duration_secs_listener(note)
flow = af.Flow(af.Sphere(), af.Softmax(beta=9.0))
rows = []
for seed, save in ((0, [0, 1, 10, 100, 1e4]), (1, [0, 1, 10, 100, 1e4]), (2, [0, 1, 10, 100, 1e3, 1e4])):
    begun, spent, before = time.perf_counter(), time.process_time(), count[0]
    af.evolve(flow, af.uniform_sphere(256, 3, seed=seed), until=1e4, save=save, merge=1e-6).x.block_until_ready()
    rows.append([time.perf_counter() - begun, time.process_time() - spent, count[0] - before])
print(json.dumps(rows))
"""

PARTS = """
import json, sys, time
rows, clock = [], time.perf_counter()
def part(name):
    global clock
    rows.append([name, time.perf_counter() - clock])
    clock = time.perf_counter()
from pathlib import Path
from attnflow.interfaces.cli.engine import start_engine
start_engine()
part("import JAX")
from attnflow.interfaces.cli.finding import find_scenario
from attnflow.engine.evolution.chunks import evolve_in_chunks
from attnflow.experiments.scenario import build, dumps
part("import the engine")
from attnflow.interfaces.report import facts as report
from attnflow.interfaces.report.pages import as_html
from attnflow.interfaces.report.words import story
part("import the papers")
_, scenario = find_scenario("default", [])
flow, mu, options = build(scenario)
run = evolve_in_chunks(flow, mu, **options)
part("simulate")
seen = report.observe(run)
part("observe")
gathered = report.gather(scenario, run, seconds=0.0, observed=seen)
part("ask theory")
from attnflow.experiments.store import dataset
dataset.write(dataset.to_xarray(run, scenario=scenario), Path(sys.argv[1]) / "result.zarr")
part("store")
from attnflow.draw.pictures import Film, Picture
from attnflow.draw.movie import reel_of
from attnflow.draw.summary import summary_figure
looks = {"groups": seen.groups, "energies": seen.energies}
names = [f"figure.{form}" for form in scenario.output.figure]
Picture(summary_figure(run, **looks), tuple(Path(sys.argv[1], name) for name in names)).make(print)
part("figure")
frames = Film(reel_of(run, frames=90, **looks), Path(sys.argv[1], "animation.gif")).make(lambda done, total: None)
part("animation")
blocks = story(gathered, dict.fromkeys([*names, "animation.gif"], ""))
page = as_html(blocks, folder=Path(sys.argv[1]), films={"animation.gif": frames})
Path(sys.argv[1], "report.html").write_text(page)
part("report")
print(json.dumps(rows))
"""


def timed(words: list[str], *, env=None, repeats: int = 3) -> tuple[float, float, float]:
    """Best seconds on the clock and of processors, and the most memory in GB, of a command."""
    clocks, spents = [], []
    for _ in range(repeats):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(words, capture_output=True, check=True, env=env)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        clocks.append(time.perf_counter() - start)
        spents.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(clocks), min(spents), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20


def _env(folder: str) -> dict[str, str]:
    """An own cache of programs, and bytecode on disk, as every installed package has it."""
    own = {"ATTNFLOW_CACHE": f"{folder}/cache", "PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"} | own


def commands(folder: str) -> str:
    env = _env(folder)
    here = [sys.executable, "-m", "attnflow.interfaces.cli"]
    rows = [[f"attnflow {' '.join(words)}", *_cells(timed([*here, *words], env=env))] for words in COMMANDS]
    run = [*here, "run", "default", "--out", f"{folder}/out", "--replace", "-q"]
    rows.append(["attnflow run default, first ever", *_cells(timed(run, env=env, repeats=1))])
    rows.append(["attnflow run default, again", *_cells(timed(run, env=env, repeats=2))])
    return markdown("How soon the command line answers", ["command", "clock", "processors", "memory so far"], rows)


def _cells(found) -> list[str]:
    clock, spent, memory = found
    return [f"{clock:.2f} s", f"{spent:.2f} s", f"{memory:.2f} GB"]


def parts(folder: str) -> str:
    words = [sys.executable, "-c", PARTS, folder]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=_env(folder))
    rows = [[name, f"{seconds:.2f} s"] for name, seconds in json.loads(done.stdout)]
    title = "Parts of `attnflow run default` whose programs are on disk, one after another in one process"
    return markdown(f"{title}; the command draws beside store and theory", ["part", "clock"], rows)


def seeds() -> str:
    done = subprocess.run([sys.executable, "-c", SEEDS], capture_output=True, text=True, check=True)
    names = ("first call", "a new seed", "a new seed and another number of saved times")
    found = zip(names, json.loads(done.stdout))
    rows = [[name, f"{clock:.2f} s", f"{spent:.2f} s", str(count)] for name, (clock, spent, count) in found]
    return markdown("README's first example (n = 256, merging)", ["", "clock", "processors", "programs compiled"], rows)


def report() -> str:
    with tempfile.TemporaryDirectory() as folder:
        return "\n".join([commands(folder), parts(folder), seeds()])
