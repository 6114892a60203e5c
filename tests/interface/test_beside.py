"""The process that draws and stores beside a run: small, honest about its errors, and gone with the one that began it."""

import os
import pickle
import subprocess
import sys
import time

import numpy as np
import pytest
from PIL import Image

import attnflow as af
from attnflow.draw.pictures import Film, Picture
from attnflow.draw.reel import Curve, Reel, Scene
from attnflow.draw.style import new_figure, save_figure
from attnflow.draw.view import View
from attnflow.experiments.store.beside import START, Beside
from attnflow.experiments.store.dataset import Stored, load, tables_of, to_xarray


def reel(count: int = 4) -> Reel:
    """Three tokens that meet on the sphere."""
    share = np.linspace(0, 0.9, count)[:, None, None]
    x = (1 - share) * np.eye(3) + share / np.sqrt(3)
    x, ts = x / np.linalg.norm(x, axis=-1, keepdims=True), np.arange(float(count))
    colours = np.tile([0.0, 0.4, 0.7, 1.0], (3, 1))
    scene = Scene("sphere", ts, x, np.full((count, 3), 1 / 3), colours, View(), [None] * count, (), "")
    return Reel("three tokens", scene, Curve(ts, ts**2, "energy"), np.arange(count), trail=2, dpi=50)


def figure(words: str = "$x^2$"):
    made = new_figure(2, 1)
    made.subplots().set_title(words)
    return made


def test_what_is_drawn_beside_is_what_is_drawn_here(tmp_path):
    told = []
    with Beside() as painter:
        painter.begin(Film(reel(), tmp_path / "film.gif"))
        painter.begin(Picture(figure(), (tmp_path / "beside.png", tmp_path / "beside.pdf")))
        frames = painter.finish(lambda *progress: told.append(progress))
    assert told == [(done, 4) for done in (1, 2, 3, 4)] and len(frames) == 4
    assert all(frame.startswith("data:image/webp;base64,") for frame in frames)
    with Image.open(tmp_path / "film.gif") as film:
        assert film.n_frames == 4
    here = [save_figure(figure(), tmp_path / name, dpi=200) for name in ("here.png", "here.pdf")]
    sizes = [Image.open(path).size for path in (here[0], tmp_path / "beside.png")]
    assert sizes[0] == sizes[1] and (tmp_path / "beside.pdf").read_bytes().startswith(b"%PDF")


def test_what_is_stored_beside_is_what_is_stored_here(tmp_path):
    run = af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=2.0)), af.uniform_sphere(5, 3, seed=0), until=1.0, save=3)
    with Beside("attnflow.experiments.store.dataset") as beside:
        beside.begin(Stored(tables_of(run), tmp_path / "run.zarr"))
        beside.finish(lambda *progress: None)
        beside.begin(Stored(tables_of(run), tmp_path / "run.zarr"))
        with pytest.raises(af.BadInput, match="exists already"):
            beside.finish(lambda *progress: None)
    assert load(tmp_path / "run.zarr").drop_attrs().identical(to_xarray(run).drop_attrs())


def test_errors_there_are_raised_here(tmp_path):
    with Beside() as painter:
        painter.begin(Picture(figure("$\\nosuchword$"), (tmp_path / "f.png",)))
        with pytest.raises(ValueError, match="nosuchword"):
            painter.finish(lambda *progress: None)
    with Beside() as painter:
        painter.begin(Picture(figure(), (tmp_path / "no" / "f.png",)))
        with pytest.raises(ValueError, match="does not exist"):
            painter.finish(lambda *progress: None)
    with Beside() as painter:
        painter._child.kill()
        with pytest.raises(RuntimeError, match="ended with code -9"):
            painter.begin(Picture(figure(), (tmp_path / "f.png",)))
            painter.finish(lambda *progress: None)
    assert not list(tmp_path.iterdir())


def test_leaving_ends_it_in_the_middle_of_its_work(tmp_path):
    with Beside() as painter:
        painter.begin(Film(reel(400), tmp_path / "film.gif"))
    assert painter._child.returncode == -9
    with pytest.raises(ProcessLookupError):
        os.kill(painter._child.pid, 0)


def test_it_ends_when_the_first_process_dies_in_the_middle_of_a_word(tmp_path):
    whole = pickle.dumps(Picture(figure(), (tmp_path / "f.png",)), protocol=5)
    with Beside() as painter:
        assert painter._child.stdin is not None
        painter._child.stdin.write(whole[: len(whole) // 2])
        painter._child.stdin.close()
        assert painter._child.wait(60) == 1
        painter._child.stdin = None


def test_it_needs_no_engine_and_ends_with_the_first_process():
    child = "import attnflow.draw.pictures, attnflow.experiments.store.dataset, sys; sys.exit('jax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", child], check=False, env=os.environ).returncode == 0
    alone = subprocess.Popen(
        [sys.executable, "-c", START.format(path=sys.path, ready=(), nice=10)], stdin=subprocess.PIPE
    )
    alone.stdin.close()
    for _ in range(600):
        if alone.poll() is not None:
            break
        time.sleep(0.1)
    assert alone.returncode == 1
