"""Files that a run, a sweep or a hunt keeps until it is done: read as they were written, or not at all."""

import os
import random

import numpy as np
import pytest

from attnflow.engine.files.sealed import read_arrays, read_data, write_arrays, write_data


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_any_flipped_bit_is_seen(tmp_path):
    file = tmp_path / "part0.npz"
    write_arrays(file, {"x": np.arange(3.0), "words": np.array(["a"])}, of="run 0")
    whole = file.read_bytes()
    assert np.array_equal(read_arrays(file, of="run 0")["x"], np.arange(3.0))
    assert np.array_equal(np.load(file)["x"], np.arange(3.0))  # users may look into it
    for bit in random.Random(0).sample(range(8 * len(whole)), 300):
        file.write_bytes(flipped(whole, bit))
        assert read_arrays(file, of="run 0") is None


def test_a_file_that_changed_places_with_another_is_none(tmp_path):
    for k in range(2):
        write_arrays(tmp_path / f"part{k}.npz", {"x": np.array(k)}, of=f"run {k}")
        write_data(tmp_path / f"{k}.json", {"seed": k}, of=f"{k}")
    for names in (("part0.npz", "part1.npz"), ("0.json", "1.json")):
        first, second = (tmp_path / name for name in names)
        first.rename(tmp_path / "aside"), second.rename(first), (tmp_path / "aside").rename(second)
    assert read_arrays(tmp_path / "part0.npz", of="run 0") is None
    assert read_data(tmp_path / "0.json", of="0") is None and read_data(tmp_path / "0.json", of="1") == {"seed": 1}


@pytest.mark.parametrize(
    "words", ["", "[", "[1]", "null", '{"seed": 1}', "[" * 100_000, '{"seed": 1, "seal": "x"}', "\x00"]
)
def test_other_data_is_none(tmp_path, words):
    (tmp_path / "a.json").write_text(words)
    assert read_data(tmp_path / "a.json", of="a") is None


def test_pipes_folders_and_links_are_none(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in ("pipe", "zero", "nowhere", "."):
        assert read_arrays(tmp_path / name, of="a") is None and read_data(tmp_path / name, of="a") is None


def test_a_link_in_the_place_of_a_part_is_replaced_not_followed(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    for name, target in (("a", "a"), ("b", "mine.txt")):
        (tmp_path / name).symlink_to(tmp_path / target)
        write_arrays(tmp_path / name, {"x": np.arange(2)}, of="part")
        assert read_arrays(tmp_path / name, of="part") is not None
    assert (tmp_path / "mine.txt").read_text() == "mine"
