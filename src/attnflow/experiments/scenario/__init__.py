"""A run as plain data, read from TOML, checked, and built into the objects of the engine."""

from .data import Scenario, from_dict, register_rule, register_space, to_dict
from .tokens import register_prompt
from .toml import dumps, files_of, load, loads, with_values

__all__ = [
    "Scenario", "dumps", "files_of", "from_dict", "load", "loads", "register_prompt", "register_rule", "register_space",
    "to_dict", "with_values",
]  # fmt: skip


def __getattr__(name: str):
    # The builder needs the engine; reading and checking a file must not wait for it.
    if name == "build":
        from .building import build

        return build
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
