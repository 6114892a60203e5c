"""An installed wheel, away from the source tree: its scenarios are found, and all of its source marks stored programs."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HASH = "from attnflow.engine.programs.traced import _ground; print(_ground().split()[0])"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """What an installer makes of our wheel: its files, unpacked."""
    place = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(place)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = place.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(place / "site")
    return place / "site"


def asked(site, folder, *words) -> str:
    """What Python prints that finds attnflow in the wheel, started in another folder."""
    own = os.environ | {"PYTHONPATH": str(site)}
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=own, capture_output=True, text=True, check=True
    ).stdout


def test_ready_made_scenarios_are_found(site, tmp_path):
    ready = "from attnflow.experiments.scenario.ready_made import ready_made, ready_sweeps; "
    found = asked(site, tmp_path, "-c", ready + "print(*ready_made(), *ready_sweeps())").split()
    assert set(found) == {file.stem for file in (ROOT / "scenarios").rglob("*.toml")}
    assert asked(site, tmp_path, "-c", ready + "print(ready_made()['default'])").startswith(str(site))


@pytest.mark.parametrize("room", ["engine/spaces.py", "theory/sphere/caps.py", "models/consensus.py"])
def test_a_change_in_any_room_forgets_stored_programs(site, tmp_path, room):
    before = asked(site, tmp_path, "-c", HASH)
    with (site / "attnflow" / room).open("a") as file:
        file.write("# changed\n")
    assert asked(site, tmp_path, "-c", HASH) != before
