"""A run that is killed goes on to the same digits as one that is not."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attnflow as af
from attnflow.engine.evolution import checked
from attnflow.engine.evolution.chunks import chunk_size, cuts, evolve_in_chunks
from attnflow.engine.evolution.trajectory import Status
from attnflow.experiments.scenario import from_dict
from attnflow.experiments.scenario.building import build
from attnflow.experiments.store import dataset as store

TOKENS = {"kind": "sphere", "n": 6, "d": 3}


class Shelf(dict):
    """Chunks in memory; as a machine it dies after so many of them."""

    lives = 99

    def get(self, index, mu):
        return super().get(index)

    def put(self, index, run):
        if len(self) == self.lives:
            raise InterruptedError
        self[index] = run


def case(**parts):
    return build(from_dict({"seed": 5, "tokens": TOKENS, "attention": {"beta": 3.0}} | parts))


@pytest.mark.parametrize(
    "parts",
    [
        {"time": {"until": 4.0, "save": 13, "method": "tsit5"}},
        {"time": {"until": 4.5, "save": [0.5, 1.0, 3.0, 4.0], "method": "tsit5"}, "flow": {"V": -1.0}},
        {"time": {"until": 1.2, "save": 13, "step": 0.05}, "flow": {"noise": 0.3}},
        {"time": {"until": 30.0, "save": 13, "merge": 1e-4}},
    ],
    ids=["adaptive", "listed times", "noise", "merging"],
)
@pytest.mark.broad(1)
def test_chunks_resume_to_the_same_digits(parts):
    flow, mu, options = case(**parts)
    whole = evolve_in_chunks(flow, mu, chunk=2, **options)
    shelf = Shelf()
    shelf.lives = 1
    with pytest.raises(InterruptedError):
        evolve_in_chunks(flow, mu, chunk=2, shelf=shelf, **options)
    shelf.lives, seen = 99, []
    resumed = evolve_in_chunks(flow, mu, chunk=2, shelf=shelf, report=lambda *done: seen.append(done), **options)
    assert_array_equal(resumed.x, whole.x)
    assert_array_equal(resumed.ts, whole.ts)
    assert_array_equal(whole.ts, checked(options).times(mu))
    assert_allclose([resumed.status.time, whole.status.time], options["until"])
    assert int(resumed.steps) == int(whole.steps) and len(shelf) == len(seen) == seen[0][1]


@pytest.mark.slow
def test_chunks_are_the_same_run_within_the_tolerance():
    flow, mu, options = case(time={"until": 4.0, "save": 13, "method": "tsit5", "tol": 1e-10})
    # Restarted steps differ, so the results differ by the integration error, some ten times the local tolerance.
    assert_allclose(evolve_in_chunks(flow, mu, chunk=2, **options).x, af.evolve(flow, mu, **options).x, atol=1e-8)


def test_a_run_that_ends_early_ends_once():
    flow, mu, options = case(
        time={"until": 4000.0, "save": 13, "method": "tsit5", "steady": 1e-3},
    )
    run = evolve_in_chunks(flow, mu, chunk=2, **options)
    assert run.status == Status.STEADY and float(run.ts[-1]) == float(run.status.time) < 4000
    assert np.all(np.diff(run.ts) > 0)


def test_pieces_share_their_ends_and_their_shape():
    mu = af.Particles(np.eye(3))
    assert chunk_size(101, mu) == 10 and chunk_size(121, mu) == 12 and chunk_size(2, mu) == 1 and chunk_size(1, mu) == 1
    pieces = cuts(np.linspace(0, 1, 101), 0.0, 10)
    assert len(pieces) == 10 and {len(piece) for piece in pieces} == {11}
    assert all(a[-1] == b[0] for a, b in itertools.pairwise(pieces))
    assert_array_equal(cuts(np.array([2.0]), 0.0, 5)[0], [0.0, 2.0])


SLOW = """
[tokens]
kind = "sphere"
n = 48
d = 3
[attention]
beta = 9.0
[time]
until = 40.0
save = 41
method = "rk4"
step = 0.004
[output]
figure = []
animation = false
chunk = 1
"""


def command(folder, *words):
    environment = os.environ | {"ATTNFLOW_CACHE": str(folder / "cache")}
    # Nice, so that on a busy machine whoever watches the run sees its parts before it has ended.
    words = ["nice", sys.executable, "-m", "attnflow.interfaces.cli", "run", str(folder / "slow.toml"), *words]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def finished(process):
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return json.loads(out)


def test_kill_9_and_run_again(tmp_path):
    (tmp_path / "slow.toml").write_text(SLOW)
    work, out = tmp_path / ".killed.attnflow-partial", tmp_path / "killed"
    process = command(tmp_path, "--out", str(out), "--json")
    while not (work / "part3.npz").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = len(list(work.glob("part*.npz")))
    assert not out.exists() and 4 <= kept < 40

    answer = finished(command(tmp_path, "--out", str(out), "--json"))
    assert kept <= answer["resumed"] < 40 and answer["status"] == "DONE"
    assert not work.exists()
    assert finished(command(tmp_path, "--out", str(tmp_path / "whole"), "--json"))["resumed"] == 0
    one, other = store.load(out), store.load(tmp_path / "whole")
    assert one.sizes["time"] == 41
    assert one.drop_attrs().identical(other.drop_attrs())


def test_merging_in_chunks_tells_each_merge_once():
    flow, mu, options = case(time={"until": 30.0, "save": 13, "merge": 1e-4, "tol": 1e-11})
    whole, parts = af.evolve(flow, mu, **options), evolve_in_chunks(flow, mu, chunk=3, **options)
    assert [merge.tokens for merge in parts.merges] == [merge.tokens for merge in whole.merges]
    assert len(whole.merges) > 0 and len(parts.notes) == 1
    assert_array_equal(parts.labels[-1], whole.labels[-1])
    # Steps restart at chunk ends, so merges happen at slightly other times, within the merging distance.
    assert_allclose(parts.x, whole.x, atol=1e-4)


def test_the_limit_of_steps_counts_all_chunks():
    flow, mu, options = case(time={"until": 30.0, "save": 13, "method": "tsit5", "max_steps": 12})
    run = evolve_in_chunks(flow, mu, chunk=1, **options)
    assert run.status == Status.OUT_OF_STEPS
    assert 12 <= int(run.steps) < 30 and 0 < float(run.ts[-1]) == float(run.status.time) < 30
