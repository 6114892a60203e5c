import ctypes
import gc
import os
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import jax
import jaxtyping
import numpy as np
import pytest

# By its file: packages with trained weights bring a module called `tests` of their own.
_spec = spec_from_file_location("rooms_of_tests", Path(__file__).with_name("rooms.py"))
assert _spec is not None and _spec.loader is not None
_rooms = module_from_spec(_spec)
_spec.loader.exec_module(_rooms)
ROOMS, room_of = _rooms.ROOMS, _rooms.room_of

jax.config.update("jax_enable_x64", True)
# Tracing makes millions of small objects that live on; looking through them again and again takes a tenth of the time.
gc.set_threshold(100_000, 50, 100)

ENGINE = (
    "spaces", "linalg.matrices", "linalg.matrix_exponential", "measures.particles", "measures.gaussian",
    "summation.kernel", "summation.tiled",
    "attention", "flow.flow", "flow.normalisation", "flow.feed_forward", "flow.rescaled", "flow.gaussian_field",
    "flow.density_field",
)  # fmt: skip
"""Modules whose array annotations are checked in tests, and only there."""

jaxtyping.install_import_hook([f"attnflow.engine.{module}" for module in ENGINE], "beartype.beartype")


def pytest_addoption(parser):
    parser.addoption("--room", choices=ROOMS, help="run only the test files that guard this room of src/attnflow")


def pytest_ignore_collect(collection_path, config):
    """With `--room`, files that guard another room are not even imported."""
    room = config.getoption("--room")
    if room and collection_path.name.startswith("test_") and collection_path.suffix == ".py":
        return room_of(collection_path) != room or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """A file stays with one worker, so that each of its shapes compiles once; larger files name groups of their own."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.split("::")[0]))
    for cases in cases_of_broad_tests(items).values():
        for item in cases:
            item.add_marker(pytest.mark.slow)


def cases_of_broad_tests(items) -> dict[str, list]:
    """Cases that only `make test-all` tries: all but k of a test marked `broad(k)`, taken evenly."""
    tests: dict[str, list] = {}
    for item in items:
        if item.get_closest_marker("broad"):
            tests.setdefault(item.nodeid.split("[")[0], []).append(item)
    kept = {name: item[0].get_closest_marker("broad").args[0] for name, item in tests.items()}
    return {
        name: [c for i, c in enumerate(cases) if i * kept[name] % len(cases) >= kept[name]]
        for name, cases in tests.items()
    }


@pytest.fixture
def rng():
    return np.random.default_rng(20230505)


LARGE, HUGE = 1.0e9, 1.2e9
"""Bytes of memory above which a worker gives back what it can, after a file and after a test."""


@pytest.fixture(scope="module", autouse=True)
def forget_compiled_programs():
    """A file shares its compiled programs; kept for longer, they would fill the memory, and the maps that a process may have."""
    yield
    forget(LARGE)


@pytest.fixture(autouse=True)
def forget_large_programs():
    yield
    if resident() > HUGE:
        forget(HUGE)


def forget(most: float) -> None:
    jax.clear_caches()
    if resident() > most:
        gc.collect()
        give_back()


def resident() -> float:
    """Bytes of memory in use, where the system tells."""
    try:
        return float(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0.0


def give_back() -> None:
    """Free memory goes back to the system, where the C library can: else it stays with the process, in pieces."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
