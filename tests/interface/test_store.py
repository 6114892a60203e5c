"""Results on disk are whole, labelled, and give back the run they were made of."""

import json
import os
import warnings

import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr
from numpy.testing import assert_array_equal

import attnflow as af
from attnflow.engine.evolution.trajectory import Status, Trajectory
from attnflow.errors import BadInput, Notice
from attnflow.experiments.scenario import dumps, from_dict
from attnflow.experiments.scenario.building import build
from attnflow.experiments.store import dataset as store
from attnflow.experiments.store.draft import Draft, check_free, mark_of
from attnflow.papers.kept import Kept


def scenario(**parts):
    table = {"seed": 3, "tokens": {"kind": "sphere", "n": 6, "d": 3}, "attention": {"beta": 2.0}}
    return from_dict(table | {"time": {"until": 2.0, "save": 5, "method": "rk4", "step": 0.1}} | parts)


@pytest.fixture(scope="module")
def made():
    flow, mu, options = build(scenario())
    return af.evolve(flow, mu, **options)


def test_a_stored_run_comes_back_digit_for_digit(made, tmp_path):
    store.write(store.to_xarray(made, scenario=scenario()), tmp_path / "r.zarr")
    back = store.load_run(tmp_path / "r.zarr")
    assert_array_equal(back.x, made.x)
    assert_array_equal(back.states.mass, made.states.mass)
    assert_array_equal(back.ts, made.ts)
    assert back.status == made.status and int(back.steps) == int(made.steps)
    assert_array_equal(af.velocity(back.flow, back.last), af.velocity(made.flow, made.last))
    assert [path.name for path in tmp_path.iterdir()] == ["r.zarr"]


def test_xarray_opens_a_stored_run_without_a_word(made, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store.write(made.to_xarray(), tmp_path / "r.zarr")
        with xr.open_zarr(tmp_path / "r.zarr") as data:
            assert data["x"].shape == (5, 6, 3)


def test_the_data_set_says_what_it_is(made):
    data = store.to_xarray(made, scenario=scenario())
    assert data["x"].dims == ("time", "token", "coordinate") and data["mass"].dims == ("token",)
    assert data.attrs["schema"] == store.SCHEMA and data.attrs["seed"] == 3 and data.attrs["status"] == "DONE"
    assert data.attrs["scenario"] == dumps(scenario())
    assert set(json.loads(data.attrs["versions"])) >= {"attnflow", "jax", "diffrax", "numpy", "python"}
    assert made.to_xarray()["x"].shape == (5, 6, 3)


def test_gaussian_runs_and_merged_runs_are_stored(tmp_path, made):
    mean, cov = jnp.zeros((4, 2)), jnp.broadcast_to(jnp.eye(2), (4, 2, 2))
    status = Status(jnp.asarray(2), jnp.asarray(1.5))
    counts = jnp.asarray(7), jnp.asarray(1)
    run = Trajectory(jnp.arange(4.0), af.Gaussian(mean, cov), None, status, *counts, notes=("a note",))
    back = store.load_run(store.write(store.to_xarray(run), tmp_path / "g.zarr"))
    assert_array_equal(back.cov, cov)
    assert back.status.name == "BLOW_UP" and float(back.status.time) == 1.5 and back.notes == ("a note",)
    flow, mu, options = build(scenario(time={"until": 30.0, "save": 4, "merge": 1e-3, "method": "tsit5"}))
    merged = af.evolve(flow, mu, **options)
    back = store.load_run(store.write(store.to_xarray(merged), tmp_path / "m.zarr"))
    assert_array_equal(back.labels, merged.labels)
    assert back.merges == merged.merges and len(back.merges) > 0


def test_existing_results_are_kept_unless_asked(made, tmp_path):
    data = store.to_xarray(made)
    store.write(data, tmp_path / "r.zarr")
    with pytest.raises(ValueError, match="exists already"):
        store.write(data, tmp_path / "r.zarr")
    store.write(data.isel(time=[0, 1]), tmp_path / "r.zarr", replace=True)
    assert store.load(tmp_path / "r.zarr").sizes["time"] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["r.zarr"]


def test_what_is_not_a_result_is_refused_in_one_line(made, tmp_path):
    with pytest.raises(ValueError, match="no such file"):
        store.load(tmp_path / "none")
    with pytest.raises(ValueError, match="no result of attnflow"):
        store.load(tmp_path)
    place = store.write(store.to_xarray(made).assign_attrs(schema=99), tmp_path / "r.zarr")
    with pytest.raises(ValueError, match="schema 99"):
        store.load(place)
    (place / "zarr.json").write_text("{")
    with pytest.raises(ValueError, match="cannot be read") as caught:
        store.load(place)
    assert "\n" not in str(caught.value)


def test_a_batch_is_stored_one_by_one(made):
    batch = Trajectory(made.ts[None], made.states, None, made.status, made.steps, made.rejected)
    with pytest.raises(ValueError, match="one by one"):
        store.to_xarray(batch)


def test_a_folder_appears_only_when_finished(tmp_path):
    out = tmp_path / "a" / "b"
    with Draft(out, mark="m") as draft:
        (draft.path / "report.md").write_text("done")
        assert not out.exists()
        with pytest.raises(ValueError, match="another run is writing"):
            Draft(out, mark="m").__enter__()
        draft.finish()
    assert [path.name for path in out.iterdir()] == ["report.md"]
    assert [path.name for path in out.parent.iterdir()] == ["b"]


def test_a_failed_run_leaves_nothing(tmp_path):
    with pytest.raises(RuntimeError), Draft(tmp_path / "b", mark="m"):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_only_folders_of_runs_are_replaced(tmp_path):
    (tmp_path / "thesis.tex").write_text("years")
    with pytest.raises(ValueError, match=r"thesis\.tex"):
        check_free(tmp_path, replace=True)
    with pytest.raises(ValueError, match="not a folder"):
        check_free(tmp_path / "thesis.tex", replace=True)
    (tmp_path / "thesis.tex").rename(tmp_path / "report.md")
    with pytest.raises(ValueError, match="--replace"):
        check_free(tmp_path, replace=False)
    with pytest.raises(ValueError, match="no result of attnflow"):
        check_free(tmp_path, replace=True)
    with Draft(tmp_path / "empty", mark="m") as draft:
        (draft.path / "report.md").write_text("new")
        (tmp_path / "empty").mkdir()
        draft.finish()
    assert (tmp_path / "empty" / "report.md").read_text() == "new"


@pytest.mark.parametrize("made_of", [os.mkfifo, os.mkdir, lambda path: os.symlink(path, path)])
@pytest.mark.parametrize("name", ["lock", "part0.npz"])
def test_what_is_no_file_in_a_working_folder_is_replaced(made, tmp_path, name, made_of):
    with Draft(tmp_path / "r", mark="m") as draft:
        draft.put(0, made)
    (draft.work / name).unlink()
    made_of(draft.work / name)
    with warnings.catch_warnings(record=True), Draft(tmp_path / "r", mark="m") as draft:
        assert (draft.get(0, made.last) is None) == (name == "part0.npz")
        draft.put(0, made)
        assert_array_equal(draft.get(0, made.last).x, made.x)


def test_checkpoints_of_another_run_are_refused_and_forgotten_on_demand(made, tmp_path):
    with Draft(tmp_path / "r", mark="one") as draft:
        draft.put(0, made)
    with pytest.raises(ValueError, match="--fresh"), Draft(tmp_path / "r", mark="two"):
        pass
    with Draft(tmp_path / "r", mark="one") as draft:
        assert draft.chunks == 1
        back = draft.get(0, made.last)
        assert_array_equal(back.x, made.x)
        assert draft.get(1, made.last) is None
    with Draft(tmp_path / "r", mark="two", fresh=True) as draft:
        assert draft.chunks == 0


def test_damaged_masses_are_not_mended(made):
    """Shares are stored as they were, not normalised again."""
    data = store.to_xarray(made)
    data["mass"] = data["mass"] * (1 + 1e-15)
    assert_array_equal(store.trajectory_of(data).states.mass[0], np.asarray(data["mass"]))


def test_what_appears_during_a_run_is_left_alone(tmp_path):
    with pytest.raises(BadInput, match="appeared during the run"), Draft(tmp_path / "r", mark="m") as draft:
        (draft.path / "result.zarr").mkdir()
        (tmp_path / "r").mkdir()
        (tmp_path / "r" / "thesis.tex").write_text("years")
        draft.finish()
    assert (tmp_path / "r" / "thesis.tex").read_text() == "years"
    assert (draft.path / "result.zarr").is_dir()


def test_working_folders_of_others_are_left_alone(tmp_path):
    work = Draft(tmp_path / "r", mark="m").work
    (tmp_path / "mine").mkdir()
    work.symlink_to(tmp_path / "mine")
    with pytest.raises(BadInput, match="not made by attnflow"):
        Draft(tmp_path / "r", mark="m").__enter__()
    assert not any((tmp_path / "mine").iterdir())
    work.unlink()
    work.mkdir()
    for mark in ("", "theirs"):
        (work / "mark").write_text(mark)
        with pytest.raises(BadInput, match="not made by attnflow"):
            Draft(tmp_path / "r", mark="m", fresh=True).__enter__()


def test_a_changed_number_attribute_or_chunk_is_noticed(made, tmp_path):
    path = store.write(store.to_xarray(made), tmp_path / "r.zarr")
    assert store.load(path)
    files = [file for file in path.rglob("*") if file.is_file()]
    for file in files:
        kept = file.read_bytes()
        file.write_bytes(kept[:-3] + bytes([kept[-3] ^ 4]) + kept[-2:])
        with pytest.raises(BadInput):
            store.load(path)
        file.write_bytes(kept)
        if file.name != "zarr.json":
            file.unlink()
            with pytest.raises(BadInput, match="missing"):
                store.load(path)
            file.write_bytes(kept)


def test_a_damaged_checkpoint_is_computed_again(made, tmp_path):
    with Draft(tmp_path / "r", mark="m") as draft:
        draft.put(0, made)
        (draft.work / "part0.npz").write_bytes(b"PK rubbish")
        with pytest.warns(Notice, match="computed again"):
            assert draft.get(0, made.at(0)) is None


def test_another_matrix_is_refused_by_name(tmp_path):
    np.save(tmp_path / "V.npy", np.eye(2))
    table = scenario(
        tokens={"kind": "gaussian", "n": 6, "d": 2}, flow={"space": "euclidean", "V": {"file": str(tmp_path / "V.npy")}}
    )
    flow, mu, options = build(table)
    path = store.write(store.to_xarray(af.evolve(flow, mu, **options), scenario=table), tmp_path / "r.zarr")
    first = mark_of(table, mu)
    np.save(tmp_path / "V.npy", 2 * np.eye(2))
    with pytest.raises(BadInput, match=r"V\.npy has changed"):
        store.load_run(path)
    with Draft(tmp_path / "r", mark=first) as draft:
        draft.put(0, af.evolve(flow, mu, **options))
    with pytest.raises(BadInput, match=r"another /.*V\.npy is kept"), Draft(tmp_path / "r", mark=mark_of(table, mu)):
        pass


def test_folders_of_others_beside_a_result_are_left_alone(tmp_path):
    """The name that a result gets while it is replaced may belong to somebody else."""
    (tmp_path / "r").mkdir()
    other = tmp_path / ".r.attnflow-replaced"
    other.mkdir()
    (other / "notes").write_text("mine")
    Draft(tmp_path / "r", mark="m")
    assert (other / "notes").read_text() == "mine"


def test_damaged_parts_of_a_figure_are_made_again(tmp_path):
    kept = Kept(tmp_path)
    assert_array_equal(kept.part("a", lambda: np.arange(100.0)), np.arange(100.0))
    (file,) = tmp_path.glob("a-*.npz")
    whole = bytearray(file.read_bytes())
    for damaged in (whole[:50], whole[:400] + b"x" + whole[401:], b""):
        file.write_bytes(bytes(damaged))
        assert_array_equal(kept.part("a", lambda: np.ones(2)), np.ones(2))


def test_a_data_set_of_the_user_is_not_replaced(tmp_path):
    import xarray as xr

    xr.Dataset({"a": ("t", [1.0])}, attrs={"schema": "mine"}).to_zarr(
        tmp_path / "r" / "result.zarr", consolidated=False
    )
    with pytest.raises(BadInput, match="no result of attnflow"):
        Draft(tmp_path / "r", mark="m", replace=True)
    assert (tmp_path / "r" / "result.zarr" / "a").is_dir()


@pytest.mark.parametrize("name", ["result.zarr/notes.txt", "figure.png/notes.txt", "notes.txt"])
def test_files_of_the_user_inside_a_result_are_not_lost(made, tmp_path, name):
    for out in (tmp_path / "r", tmp_path / ".s.attnflow-replaced"):
        store.write(store.to_xarray(made), out / "result.zarr")
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_text("years")
    with pytest.raises(BadInput, match="which no run wrote"):
        check_free(tmp_path / "r", replace=True)
    Draft(tmp_path / "s", mark="m")
    assert (tmp_path / ".s.attnflow-replaced" / name).exists()


def test_the_folder_one_stands_in_is_not_exchanged(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="started in"):
        check_free(tmp_path, replace=False)
