"""One exact softmax velocity against slower peers and against the formula; every other rule against softmax."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import attnflow as af

from .grid import Library, best_of
from .table import markdown, seconds
from .worker import BETA, tokens

NAMES = ("attnflow", "PyTorch", "KeOps", "NumPy")


def ours(x, rule=None):
    flow, mu = af.Flow(af.Sphere(), rule or af.Softmax(beta=BETA)), af.Particles(x)
    return lambda: jax.block_until_ready(af.velocity(flow, mu, summation="exact"))


def against_peers() -> str:
    libraries = {name: Library(name) for name in NAMES}
    cells = [{"n": 4096, "d": d, "precision": p} for d in (3, 64) for p in ("float32", "float64")]
    rows = [_row(cell, best_of(libraries, cell, rounds=3)) for cell in cells]
    for library in libraries.values():
        library.close()
    header = ["n", "d", "precision", "attnflow", "pairs/s", *(f"× {name}" for name in NAMES[1:]), "max error"]
    return markdown("One exact softmax velocity on the sphere, all peers", header, rows)


def _row(cell, best):
    mine, n = best["attnflow"], cell["n"]
    ratios = [f"{best[name] / mine:.1f}" if np.isfinite(best[name]) else "–" for name in NAMES[1:]]
    return [
        *map(str, cell.values()), f"{1e3 * mine:.1f} ms", f"{n * n / mine:.2g}", *ratios, f"{_error(tokens(**cell)):.0e}",
    ]  # fmt: skip


def _error(x) -> float:
    """The largest error against the same formula by NumPy in double precision, on the first tokens."""
    y = x.astype(np.float64)
    p = np.exp(BETA * (y[:64] @ y.T - 1))
    a = p @ y / p.sum(1, keepdims=True)
    return float(np.abs(np.asarray(ours(x)())[:64] - (a - np.sum(a * y[:64], 1, keepdims=True) * y[:64])).max())


def rules() -> str:
    x = tokens(4096, 3, "float64")
    base = seconds(ours(x))
    eye = np.eye(3)
    others = {
        "L2": af.L2(), "Unnormalised": af.Unnormalised(), "Sigmoid": af.Sigmoid(), "Linear": af.Linear(),
        "Relu": af.Relu(), "Hardmax": af.Hardmax(), "Causal(Softmax)": af.Causal(af.Softmax()),
        "Heads of two (per head)": af.Heads([(af.Softmax(), eye), (af.Softmax(beta=2.0), eye)]),
        "Sinkhorn, 11 half-steps (per half-step)": af.Sinkhorn(iterations=11),
    }  # fmt: skip
    share = {"Heads of two (per head)": 2, "Sinkhorn, 11 half-steps (per half-step)": 11}
    rows = [["Softmax", f"{1e3 * base:.1f} ms", "1.00"]]
    for name, rule in others.items():
        took = seconds(ours(x, rule)) / share.get(name, 1)
        rows.append([name, f"{1e3 * took:.1f} ms", f"{took / base:.2f}"])
    return markdown("Other rules, n = 4096, d = 3, float64", ["rule", "one velocity", "× softmax"], rows)


def report() -> str:
    jax.config.update("jax_enable_x64", True)
    assert jnp.zeros(1).dtype == jnp.float64
    return against_peers() + "\n" + rules()
