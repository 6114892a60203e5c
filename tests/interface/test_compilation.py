"""What is compiled is compiled once: another seed, another number of saved times and another process compile nothing."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager

import jax
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attnflow as af
from attnflow.engine.evolution.chunks import evolve_in_chunks
from attnflow.engine.programs.compiled import trim
from attnflow.engine.programs.traced import Unknown, _settings, _told
from attnflow.errors import BadInput
from attnflow.interfaces.cli import index

FLOW = af.Flow(af.Sphere(), af.Softmax(beta=9.0))


@contextmanager
def compilations():
    """The names of all programs compiled inside."""
    names = []

    def note(event, seconds, **rest):
        if event == "/jax/core/compile/backend_compile_duration":
            names.append(rest.get("fun_name"))

    jax.monitoring.register_event_duration_secs_listener(note)
    try:
        yield names
    finally:
        jax.monitoring.unregister_event_duration_listener(note)


def test_merging_runs_compile_once_for_all_seeds_and_numbers_of_saved_times():
    def run(seed, save):
        return af.evolve(FLOW, af.uniform_sphere(40, 3, seed=seed), until=60.0, save=save, merge=1e-4)

    first = run(0, 21)
    assert len(first.merges) > 5
    with compilations() as names:
        assert len(run(1, 21).merges) > 5 and run(2, 26).x.shape == (26, 40, 3)
    assert names == []


@pytest.mark.slow
def test_another_number_of_saved_times_compiles_no_integrator():
    def run(seed, save):
        mus = [af.uniform_sphere(9, 3, seed=seed), af.uniform_sphere(9, 3, seed=seed + 1)]
        pieces = evolve_in_chunks(FLOW, mus[0], until=1.0, save=save, chunk=save // 4)
        return af.evolve(FLOW, mus[0], until=1.0, save=save), pieces, af.evolve_batch(FLOW, mus, until=1.0, save=save)

    run(0, 21)
    with compilations() as names:
        one, pieces, batch = run(5, 29)
    assert "jit(compiled)" not in names and len(names) <= 6  # reshapings of results, a few milliseconds each
    assert_allclose(pieces.x, one.x, atol=1e-7)  # the tolerance of steps is 1e-8
    assert_allclose(batch.x[0], one.x, atol=1e-7)


def test_repeated_save_times_change_no_digit():
    mu, ts = af.uniform_sphere(9, 3, seed=3), np.linspace(0, 2, 32)
    full = af.evolve(FLOW, mu, until=2.0, save=ts)
    some = af.evolve(FLOW, mu, until=2.0, save=ts[:-1].tolist())
    assert_array_equal(full.x[:-1], some.x)


def test_the_index_is_true():
    stored = index.FILE.read_text(encoding="utf-8")
    assert stored == index.written(index.made()), "run: python -m attnflow.interfaces.cli.index"
    assert json.loads(stored) == index.made()


KEPT = """
import collections, sys
import attnflow as af
af.compile_cache(sys.argv[1], most_bytes=int(sys.argv[2]))
import jax
seen = collections.Counter()
jax.monitoring.register_event_listener(lambda event, **rest: seen.update([event.rsplit("/", 1)[-1]]))
run = af.evolve(af.Flow(af.Sphere(), af.Softmax()), af.uniform_sphere(5, 3, seed=int(sys.argv[3])), until=1.0, save=3)
assert str(run.status.name) == "DONE"
print(seen["compile_requests_use_cache"] - seen["cache_hits"])
"""


def compiled_anew(folder, seed, most=2**30):
    words = [sys.executable, "-W", "ignore", "-c", KEPT, str(folder), str(most), str(seed)]
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"})
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def test_programs_are_kept_for_the_next_process_bounded_and_mended(tmp_path):
    (tmp_path / "mine.txt").write_text("not a program")
    assert compiled_anew(tmp_path, 0) > 0
    programs = sorted(tmp_path.glob("*-cache"), key=lambda file: file.stat().st_size)
    programs[-1].write_bytes(programs[-1].read_bytes()[:100])
    assert compiled_anew(tmp_path, 1, most=10**4) == 1
    assert sum(file.stat().st_size for file in tmp_path.glob("*-cache")) <= 10**4
    assert (tmp_path / "mine.txt").exists()


def test_programs_not_used_for_longest_go_first(tmp_path):
    for age, name in enumerate(("new", "middle", "old")):
        file = tmp_path / f"{name}-cache"
        file.write_bytes(b"x" * 100)
        os.utime(file, (1e9 - age, 1e9 - age))
    trim(tmp_path, 250)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["middle-cache", "new-cache"]
    trim(tmp_path / "gone", 0)


@pytest.mark.parametrize("most", [-1, 1.5, True])
def test_a_bound_is_a_number_of_bytes(most, tmp_path):
    with pytest.raises(BadInput, match="most_bytes"):
        af.compile_cache(tmp_path, most_bytes=most)


# ---- traced programs ---------------------------------------------------------------------------------------------------

TRACED = """
import collections, sys
import attnflow as af
af.compile_cache(sys.argv[1])
import jax, numpy as np
jax.config.update("jax_enable_x64", True)
seen = collections.Counter()
def note(event, seconds, **rest):
    seen.update([rest.get("fun_name")] if event == "/jax/core/compile/jaxpr_trace_duration" else [])
jax.monitoring.register_event_duration_secs_listener(note)
mu = af.uniform_sphere(6, 3, seed=1)
run = af.evolve(af.Flow(af.Sphere(), getattr(af, sys.argv[2])(beta=float(sys.argv[3]))), mu, until=2.0, save=5)
print(seen["_solve"] + seen["of_arrays"], np.asarray(run.x).tobytes().hex())
"""


def traced_anew(folder, rule="Softmax", beta=3.0) -> tuple[int, str]:
    """How often the integrator was traced by a new process, and the tokens it gives."""
    done = subprocess.run([sys.executable, "-c", TRACED, str(folder), rule, str(beta)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    times, tokens = done.stdout.split()
    return int(times), tokens


def test_another_process_traces_nothing_and_gives_the_same_digits(tmp_path):
    times, tokens = traced_anew(tmp_path)
    assert times == 1 and traced_anew(tmp_path) == (0, tokens)
    # Numbers are arguments, rules are not.
    assert traced_anew(tmp_path, beta=5.0)[0] == 0 and traced_anew(tmp_path, beta=5.0)[1] != tokens
    assert traced_anew(tmp_path, rule="Unnormalised")[0] == 1
    for file in tmp_path.glob("traced-*"):
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert traced_anew(tmp_path) == (1, tokens)


def every_flow():
    """One flow of every kind that shapes a program, all with arrays of equal shapes."""
    rules = [
        af.Softmax(), af.Softmax(B=np.eye(3)), af.Unnormalised(), af.L2(), af.Sigmoid(), af.Sigmoid(total=True), af.Linear(),
        af.Relu(), af.Sinkhorn(), af.Sinkhorn(iterations=1), af.Sinkhorn(iterations=2), af.Hardmax(),
        af.Causal(af.Softmax()), af.Causal(af.Unnormalised()), af.Heads([(af.Softmax(), 1.0)]),
    ]  # fmt: skip
    flows = [af.Flow(space, rule) for space in (af.Sphere(), af.Euclidean()) for rule in rules]
    return [*flows, af.Flow(af.Sphere(), af.Softmax(), V=np.eye(3)), af.rescale(af.Flow(af.Euclidean(), af.Softmax()))]


def test_programs_of_different_flows_have_different_keys():
    flows = every_flow()
    assert len({_told(flow) for flow in flows}) == len(flows)
    assert _told(af.Flow(af.Sphere(), af.Softmax(beta=2.0))) == _told(af.Flow(af.Sphere(), af.Softmax(beta=3.0)))


def test_what_no_text_tells_is_traced_each_time():
    class Mine(af.Softmax):
        pass

    class Own(int):
        pass

    for value in (lambda t: t, Mine(), object(), {1, 2}, Own(3), af.Flow(af.Sphere(), af.Softmax(), V=lambda t: 1 + t)):
        with pytest.raises(Unknown):
            _told(value)


def test_settings_of_jax_are_part_of_the_key():
    before = _settings()
    with jax.enable_x64(False):
        assert _settings() != before
    with jax.default_matmul_precision("float32"):
        assert _settings() != before
    assert _settings() == before
