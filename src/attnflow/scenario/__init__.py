"""A run as plain data, read from TOML, checked, and built into the objects of the engine."""

from .data import Scenario, from_dict, to_dict
from .toml import dumps, load, loads, with_values

__all__ = ["Scenario", "dumps", "from_dict", "load", "loads", "to_dict", "with_values"]


def __getattr__(name: str):
    # The builder needs the engine; reading and checking a file must not wait for it.
    if name == "build":
        from .building import build

        return build
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
