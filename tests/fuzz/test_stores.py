"""Damaged stores: whatever is done to a stored run, it is read right or refused in one line."""

import os
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

import attnflow as af
from attnflow.errors import BadInput
from attnflow.store.dataset import load_run, to_xarray, write

TRIALS = max(60, int(os.environ.get("ATTNFLOW_FUZZ", "0")) // 10)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    flow = af.Flow(af.Sphere(), af.Softmax(beta=2.0))
    run = af.evolve(flow, af.Particles(np.random.default_rng(0).normal(size=(5, 3))), until=1.0, save=4)
    return write(to_xarray(run), tmp_path_factory.mktemp("stores") / "result.zarr"), np.asarray(run.x)


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


@pytest.mark.parametrize("part", range(4))
@pytest.mark.broad(2)
def test_damaged_stores_are_read_right_or_refused(stored, tmp_path, part):
    whole, x = stored
    for trial in range(part, TRIALS, 4):
        rng = random.Random(trial)
        place = tmp_path / f"{trial}.zarr"
        shutil.copytree(whole, place)
        damage = rng.choice(DAMAGES)
        file = rng.choice([f for f in sorted(place.rglob("*")) if f.is_file()])
        damage(file, rng)
        try:
            run = load_run(place)
        except BadInput as error:
            said = str(error)
            assert len(said) <= 200 + len(str(place)) * 2 and "\n" not in said and said.isprintable(), (
                trial,
                damage,
                said,
            )
        else:
            assert np.array_equal(np.asarray(run.x), x), (trial, damage.__name__, str(file))
        shutil.rmtree(place, ignore_errors=True)
