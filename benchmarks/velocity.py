"""One exact softmax velocity against PyTorch, KeOps and NumPy; every other rule against softmax."""

from __future__ import annotations

from contextlib import suppress

import jax
import jax.numpy as jnp
import numpy as np

import attnflow as af

from .table import in_turns, markdown, seconds

BETA = 1.0
SLOW_PEERS = 4096
"""KeOps and NumPy are compared up to this many tokens: beyond it they need minutes."""


def tokens(n, d, dtype):
    x = np.random.default_rng(0).normal(size=(n, d))
    return (x / np.linalg.norm(x, axis=1, keepdims=True)).astype(dtype)


def ours(x, rule=None):
    flow, mu = af.Flow(af.Sphere(), rule or af.Softmax(beta=BETA)), af.Particles(x)
    return lambda: jax.block_until_ready(af.velocity(flow, mu, summation="exact"))


def numpy_peer(x):
    def call():
        s = BETA * x @ x.T
        p = np.exp(s - s.max(1, keepdims=True))
        a = p @ x / p.sum(1, keepdims=True)
        return a - np.sum(a * x, 1, keepdims=True) * x

    return call


def torch_peer(x):
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    y = torch.from_numpy(x)[None, None]

    def call():
        with torch.no_grad():
            a = scaled_dot_product_attention(y, y, y, scale=BETA)
            return a - (a * y).sum(-1, keepdim=True) * y

    return call


def keops_peer(x):
    import torch
    from pykeops.torch import LazyTensor

    y = torch.from_numpy(x)

    def call():
        s = (LazyTensor(y[:, None, :].contiguous()) * LazyTensor(y[None, :, :].contiguous())).sum(-1) * BETA
        a = s.sumsoftmaxweight(LazyTensor(y[None, :, :].contiguous()), dim=1)
        return a - (a * y).sum(-1, keepdim=True) * y

    return call


def against_peers() -> str:
    rows = []
    for n in (4096, 16384):
        for d in (3, 64):
            for dtype in (np.float32, np.float64):
                rows.append(_row(n, d, dtype))
    header = ["n", "d", "precision", "attnflow", "pairs/s", "× PyTorch", "× KeOps", "× NumPy", "max error"]
    return markdown("One exact softmax velocity on the sphere", header, rows)


def _row(n, d, dtype):
    x = tokens(n, d, dtype)
    calls = {"mine": ours(x)}
    for name, peer in {"torch": torch_peer, "keops": keops_peer, "numpy": numpy_peer}.items():
        if name != "torch" and n > SLOW_PEERS:
            continue
        with suppress(ImportError):
            calls[name] = peer(x)
    times = in_turns(calls)
    mine = times["mine"]
    peers = {name: taken / mine for name, taken in times.items()}
    # The same formula by NumPy in double precision, on the first tokens.
    y = x.astype(np.float64)
    p = np.exp(BETA * (y[:64] @ y.T - 1))
    a = p @ y / p.sum(1, keepdims=True)
    error = np.abs(np.asarray(ours(x)())[:64] - (a - np.sum(a * y[:64], 1, keepdims=True) * y[:64])).max()
    ratios = [f"{peers[name]:.1f}" if name in peers else "–" for name in ("torch", "keops", "numpy")]
    return [
        str(n),
        str(d),
        np.dtype(dtype).name,
        f"{1e3 * mine:.1f} ms",
        f"{n * n / mine:.2g}",
        *ratios,
        f"{error:.0e}",
    ]


def rules() -> str:
    x = tokens(4096, 3, np.float64)
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
