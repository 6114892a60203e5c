"""The same sweep with workers and drivers killed -9: every store has the same bytes."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from attnflow.interfaces.cli import execute

pytestmark = pytest.mark.slow

FILE = """
[tokens]
n = 6
d = 2
[time]
until = 2.0
save = 5
[sweep]
measure = ["cosine(t)", "own.py:own"]
repeat = 2
axes.attention.beta = [0.5, 1.0, 2.0]
axes.time.tol = [1e-8, 3e-9, 1e-9, 3e-10]
"""
OWN = """
import os, signal
from pathlib import Path

def own(run):
    here = Path(os.environ["SWEEP_TEST"])
    if (here / "poison").exists() and float(run.tol) == 1e-9:
        with (here / "poison").open("a") as file:
            file.write("killed\\n")
        os.kill(os.getpid(), signal.SIGKILL)
    if (here / "kill").exists():
        (here / "kill").unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return float(run.steps)
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kills")
    (folder / "s.toml").write_text(FILE)
    (folder / "own.py").write_text(OWN)
    os.environ["SWEEP_TEST"] = str(folder)
    os.environ["ATTNFLOW_CACHE"] = str(folder / "cache")
    assert sweep(folder, "serial", "--on", "serial").returncode == 0
    return folder


def command(folder, out, *options):
    return [
        sys.executable,
        "-m",
        "attnflow.interfaces.cli",
        "sweep",
        str(folder / "s.toml"),
        "--out",
        str(folder / out),
        *options,
    ]


def sweep(folder, out, *options):
    return subprocess.run(command(folder, out, *options), capture_output=True, text=True, timeout=600)


def files(folder):
    kept = [
        file for place in ("parts", "result.zarr") for file in sorted((folder / place).rglob("*")) if file.is_file()
    ]
    return {str(file.relative_to(folder)): file.read_bytes() for file in kept}


def test_a_killed_worker_of_the_pool(place):
    (place / "kill").touch()
    done = sweep(place, "pool", "--on", "processes", "-j", "2")
    assert done.returncode == 0, done.stderr[-500:]
    assert not (place / "kill").exists() and files(place / "pool") == files(place / "serial")


def test_a_killed_worker_of_dask(place):
    pytest.importorskip("distributed")
    (place / "kill").touch()
    done = sweep(place, "dask", "--on", "dask", "-j", "2")
    assert done.returncode == 0, done.stderr[-500:]
    assert not (place / "kill").exists() and files(place / "dask") == files(place / "serial")


def test_a_killed_driver(place):
    driver = subprocess.Popen(command(place, "driver", "--on", "processes", "-j", "2"), stderr=subprocess.DEVNULL)
    end = time.monotonic() + 300
    while not list((place / "driver" / "parts").glob("[!.]*")) and time.monotonic() < end:
        time.sleep(0.05)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    assert not (place / "driver" / "result.zarr").exists()
    assert sweep(place, "driver", "--on", "serial").returncode == 0
    assert files(place / "driver") == files(place / "serial")


def test_two_shards_at_once(place):
    both = [subprocess.Popen(command(place, "shards", "--shard", f"{i}/2", "--on", "serial")) for i in (1, 2)]
    assert [one.wait(600) for one in both] == [0, 0]
    assert files(place / "shards") == files(place / "serial")


def test_a_part_that_always_kills_says_so_and_the_rest_goes_on(place, capsys):
    (place / "poison").touch()
    done = sweep(place, "poison-out", "--on", "processes", "-j", "2", "--json")
    (place / "poison").rename(place / "antidote")
    told = json.loads(done.stdout)
    assert done.returncode == 1 and told["done"] == told["parts"] - 1 and told["whole"]
    assert set(told["failed"].values()) == {"its worker died 3 times"} and len(told["failed"]) == 6
    assert sweep(place, "poison-out", "--on", "serial").returncode == 0
    assert files(place / "poison-out") == files(place / "serial")
    assert execute(["info", str(place / "poison-out"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["failed"] == 0


def test_any_executor_will_do(place):
    executorlib = pytest.importorskip("executorlib")
    import attnflow as af
    from attnflow.experiments.sweeps.file import read_sweep_file
    from attnflow.experiments.sweeps.run import plan_sweep, run_sweep

    scenario, asked = read_sweep_file(place / "s.toml")
    plan = plan_sweep(scenario, asked.axes, measure=asked.measure, repeat=asked.repeat)
    with executorlib.SingleNodeExecutor(max_workers=1) as executor:
        run_sweep(plan, place / "executorlib", on=executor)
    assert files(place / "executorlib") == files(place / "serial")
    assert af.store.load(place / "executorlib").sizes["seed"] == 2
