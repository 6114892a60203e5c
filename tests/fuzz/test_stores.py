"""Damaged stores: whatever is done to a stored run, it is read right or refused in one line."""

import os
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

import attnflow as af
from attnflow.errors import BadInput
from attnflow.experiments.scenario import build, from_dict
from attnflow.experiments.store.dataset import load, load_run, to_xarray, write
from attnflow.interfaces.cli import execute

FUZZ = int(os.environ.get("ATTNFLOW_FUZZ", "0"))
TRIALS = max(60, FUZZ // 10)
TINY = {"tokens": {"kind": "sphere", "n": 5, "d": 3}, "attention": {"beta": 2.0}, "time": {"until": 1.0, "save": 4}}


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    scenario = from_dict(TINY)
    flow, mu, options = build(scenario)
    run = af.evolve(flow, mu, **options)
    place = tmp_path_factory.mktemp("stores") / "result.zarr"
    return write(to_xarray(run, scenario=scenario), place), np.asarray(run.x)


def flipped(file: Path, rng):
    data = bytearray(file.read_bytes() or b"\0")
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    file.write_bytes(bytes(data))


def cut(file: Path, rng):
    data = file.read_bytes()
    file.write_bytes(data[: rng.randrange(len(data) + 1)])


def lost(file: Path, rng):
    file.unlink()


def lost_folder(file: Path, rng):
    shutil.rmtree(file.parent)


def longer(file: Path, rng):
    file.write_bytes(file.read_bytes() + rng.randbytes(rng.randrange(1, 40)))


def noise(file: Path, rng):
    file.write_bytes(rng.randbytes(rng.randrange(60)))


def swapped(file: Path, rng):
    other = rng.choice([f for f in sorted(file.parents[1].rglob("*")) if f.is_file()])
    mine, theirs = file.read_bytes(), other.read_bytes()
    file.write_bytes(theirs), other.write_bytes(mine)


def edited(file: Path, rng):
    words = file.read_bytes()
    old, new = rng.choice(
        [(b"2", b"1"), (b"1", b"9" * 40), (b"true", b"null"), (b'"', b"\x1b"), (b"[", b"[" * 3000), (b"x", b"../x")]
    )
    file.write_bytes(words.replace(old, new, rng.choice([1, -1])))


def pipe(file: Path, rng):
    file.unlink()
    os.mkfifo(file)


def loop(file: Path, rng):
    file.unlink()
    file.symlink_to(file)


def folder(file: Path, rng):
    file.unlink()
    file.mkdir()


DAMAGES = [flipped, cut, lost, lost_folder, longer, noise, swapped, edited, pipe, loop, folder]


def is_clean(said: str, place: Path) -> bool:
    return len(said.splitlines()) == 1 and said.strip().isprintable() and len(said) <= 220 + 2 * len(str(place))


@pytest.mark.parametrize("part", range(4))
@pytest.mark.broad(2)
def test_damaged_stores_are_read_right_or_refused(stored, tmp_path, part, capsys):
    whole, x = stored
    for trial in range(part, TRIALS, 4):
        rng = random.Random(trial)
        place = tmp_path / f"{trial}.zarr"
        shutil.copytree(whole, place)
        damage = rng.choice(DAMAGES)
        file = rng.choice([f for f in sorted(place.rglob("*")) if f.is_file()])
        damage(file, rng)
        code, said = execute(["info", str(place), "--verify"]), capsys.readouterr()
        assert code == 0 or (code == 2 and is_clean(said.err, place)), (trial, damage, said.err)
        try:
            run = load_run(place)
        except BadInput as error:
            assert code == 2 and is_clean(str(error), place), (trial, damage, str(error))
        else:
            assert code == 0 and np.array_equal(np.asarray(run.x), x), (trial, damage.__name__, str(file))
        shutil.rmtree(place, ignore_errors=True)


SCENARIO = """
[tokens]
n = 4
d = 2
[time]
until = 1.0
save = 4
method = "rk4"
step = 0.1
[output]
figure = []
animation = false
chunk = 1
"""


def stopped(monkeypatch, words) -> None:
    """A command that dies when its result is to be put in place."""
    with monkeypatch.context() as patch:
        patch.setattr(
            "attnflow.experiments.store.draft.Draft.finish", lambda self: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        assert execute(words) == 130


@pytest.mark.slow
def test_damaged_checkpoints_are_computed_again_or_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(SCENARIO)
    assert execute(["run", "s.toml", "--out", "whole", "-q"]) == 0
    x = np.asarray(load_run("whole").x)
    for trial in range(FUZZ // 50 or 3):
        rng, out = random.Random(trial), f"out{trial}"
        words = ["run", "s.toml", "--out", out, "-q"]
        stopped(monkeypatch, words)
        work = tmp_path / f".{out}.attnflow-partial"
        file = rng.choice([f for f in sorted(work.rglob("*")) if f.is_file()])
        damage = rng.choice([one for one in DAMAGES if one is not lost_folder])
        damage(file, rng)
        capsys.readouterr()
        code, said = execute(words), capsys.readouterr().err
        if code == 0:
            assert np.array_equal(np.asarray(load_run(out).x), x), (trial, damage, file)
        else:
            last = said.splitlines()[-1]
            assert code == 2 and is_clean(last, work) and "Traceback" not in said, (trial, damage, file, said)
            assert execute(["run", "s.toml", "--out", f"{out}b", "-q"]) == 0


@pytest.mark.slow
def test_damaged_parts_of_a_sweep_are_computed_again(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(SCENARIO)
    words = [
        "sweep",
        "s.toml",
        "--over",
        "attention.beta=1,2",
        "--measure",
        "cosine",
        "--on",
        "serial",
        "-q",
        "--out",
        "swept",
    ]
    assert execute(words) == 0
    expected = Path("swept/table.csv").read_bytes()
    for trial in range(FUZZ // 100 or 2):
        rng = random.Random(trial)
        file = rng.choice(sorted(Path("swept/parts").glob("*.npz")))
        rng.choice([flipped, cut, lost, noise])(file, rng)
        capsys.readouterr()
        assert execute(["info", "swept", "--verify"]) in (0, 2) and len(capsys.readouterr().err.splitlines()) <= 1
        assert execute(words) == 0, capsys.readouterr().err
        assert Path("swept/table.csv").read_bytes() == expected


ODD = (None, -1, 1.5, float("nan"), "", "{", "[]", "[1]", "[" * 5000, [], {"a": [1]}, "9" * 5000, '{"/dev/zero": "00"}')


def test_attributes_that_no_run_stores_are_refused(stored, tmp_path, capsys):
    """Also where whoever edited them made the digest anew."""
    dataset = load(stored[0])
    for trial, name in enumerate(
        ["files", "scenario", "status", "steps", "notes", "merges", "tol", "stride", "versions"]
    ):
        value = random.Random(trial).choice(ODD)
        place = write(dataset.assign_attrs({name: value}), tmp_path / f"{trial}.zarr")
        for words in (["info", str(place)], ["info", str(place), "--verify"]):
            code, said = execute(words), capsys.readouterr().err
            assert code == 0 or (code == 2 and is_clean(said, place)), (name, value, said)


def test_a_missing_chunk_is_named(stored, tmp_path):
    place = shutil.copytree(stored[0], tmp_path / "run.zarr")
    chunk = next(file for file in sorted(place.rglob("*")) if file.is_file() and "/x/c/" in str(file))
    chunk.unlink()
    with pytest.raises(BadInput, match=f"{chunk}: this chunk"):
        load(place)


@pytest.mark.parametrize(("size", "code"), [(np.nan, 2), (np.inf, 2), (1e200, 0), (1e300, 0)])
def test_states_without_distances_are_compared_as_far_as_can_be(stored, tmp_path, capsys, size, code):
    dataset = load(stored[0])
    place = write(dataset.assign(x=dataset.x * size), tmp_path / "far.zarr")
    assert execute(["compare", str(place), str(stored[0])]) == code
    said = capsys.readouterr()
    assert "apart" not in said.out and (code == 0 or is_clean(said.err, place))
