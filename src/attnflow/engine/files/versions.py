"""What computed a result: Python, attnflow and the packages whose change may change digits."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("attnflow", "jax", "diffrax", "numpy", "scipy")


def versions() -> dict[str, str]:
    """What computed a result."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
