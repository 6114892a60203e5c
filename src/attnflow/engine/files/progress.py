"""How long work, such as a film or a data set being written, says how far it has come."""

from collections.abc import Callable
from typing import Any

Report = Callable[[int, int], Any]
"""Takes the parts done and their number."""
