"""Numbers, matrices and objects in a few words, for terminals and notebooks."""

from __future__ import annotations

from html import escape

import numpy as np

from .mathml import as_mathml
from .matrices import Schedule, is_concrete


def shown(value) -> str:
    """A number, a matrix, or what stands for one."""
    if isinstance(value, str):
        return value
    if isinstance(value, Schedule) or callable(value):
        return "a function of t"
    if not is_concrete(value):
        return "traced"
    array = np.asarray(value)
    if array.ndim == 0:
        return f"{float(array):.4g}"
    if array.ndim == 2 and array.size <= 9:
        return "[" + "; ".join(" ".join(f"{entry:.3g}" for entry in row) for row in array) + "]"
    return " × ".join(map(str, array.shape)) + (" matrix" if array.ndim == 2 else " array")


class Shown:
    """An object that tells what it is: on one line in a terminal, as a small table in a notebook."""

    def facts(self) -> dict[str, str]:
        """Names and values worth knowing."""
        raise NotImplementedError

    def equation(self) -> str:
        """The equation it stands for, in LaTeX; empty where there is none."""
        return ""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name} = {value}' for name, value in self.facts().items())})"

    def _repr_html_(self) -> str:
        cell = '<tr><td style="text-align:left;opacity:.7">{}</td><td style="text-align:left">{}</td></tr>'
        rows = "".join(cell.format(escape(name), escape(value)) for name, value in self.facts().items())
        formula = self.equation()
        head = as_mathml(formula, is_display=True) if formula else ""
        return f"{head}<table><caption><b>{type(self).__name__}</b></caption>{rows}</table>"
