"""Methods of results whose work is done further down the order of imports, such as observing a run or storing it.

This table is the only way against that order; `tests/laws/test_architecture.py` reads it.
"""

from importlib import import_module

LATER = {"Trajectory.to_xarray": "attnflow.engine.observe.dataset:described"}
"""Method: module and function that does its work, imported when the method is first called."""


def later(method: str):
    """The function behind a method of a result."""
    module, _, name = LATER[method].partition(":")
    return getattr(import_module(module), name)
