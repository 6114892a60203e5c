"""Runs on disk: labelled data sets, and result folders that appear only when complete."""

from ...engine.files.versions import versions
from .dataset import find_result, load, load_run, scenario_of, to_xarray, trajectory_of, write
