"""Many heads of a trained layer, projections included, against PyTorch's scaled_dot_product_attention."""

from __future__ import annotations

import numpy as np

from .grid import Library, best_of
from .table import markdown
from .worker import heads, pytorch_heads, tokens

CELLS = [
    {"n": n, "d": d, "precision": p} for n, d in ((256, 384), (1024, 384), (1024, 768)) for p in ("float32", "float64")
]


def report() -> str:
    libraries = {name: Library(name) for name in ("heads", "PyTorch heads")}
    rows = [_row(cell, best_of(libraries, cell, rounds=5)) for cell in CELLS]
    for library in libraries.values():
        library.close()
    header = ["n", "d", "precision", "heads of 32", "attnflow", "PyTorch", "× PyTorch", "difference"]
    return markdown("One layer of attention with many heads, projections included", header, rows)


def _row(cell, best):
    mine, other = best["heads"], best["PyTorch heads"]
    x = tokens(**cell)
    off = float(np.abs(np.asarray(heads(x)()) - pytorch_heads(x)().numpy()).max())
    times = [f"{1e3 * mine:.1f} ms", f"{1e3 * other:.1f} ms", f"{other / mine:.2f}", f"{off:.0e}"]
    return [*map(str, cell.values()), str(cell["d"] // 32), *times]
