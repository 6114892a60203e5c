"""Layers of V = ±B at linear cost: sums over tokens through moments, never in pairs.

On the circle Fourier moments, many runs side by side; on spheres the Taylor monomials of the exponential.
"""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from scipy.special import ive

from .gradient_structure import check_normalisation

RUNS = 64
"""Runs per batch on the circle: wide enough for vector instructions, small enough for the cache (measured)."""


def orders(radius: float, dtype) -> int:
    r"""How many Fourier modes the kernel has above rounding: $I_P(r)/I_0(r) < \epsilon$."""
    p = np.arange(200)
    return int(np.argmax(ive(p, radius) < 0.1 * np.finfo(dtype).eps * ive(0, radius)))


def moment_table(B: np.ndarray, V: np.ndarray, order: int) -> np.ndarray:
    r"""The push and the normaliser of a measure from its moments of $f = (1, \cos p\theta, \sin p\theta)$; shape (3, f, f).

    $$\int e^{\langle x,By\rangle}\,(Vy, 1)\,d\mu(y) = f(x)^\top A\int f\,d\mu$$

    Source: derived; the sums cost n·P instead of n².
    """
    count = 4 * order
    theta = 2 * np.pi * np.arange(count) / count
    x, p = np.stack([np.cos(theta), np.sin(theta)], 1), np.arange(1, order + 1)
    f = np.concatenate([np.ones((count, 1)), np.cos(np.outer(theta, p)), np.sin(np.outer(theta, p))], axis=1)
    dual = 2 * f.T / count
    dual[0] /= 2
    k = np.exp(x @ B @ x.T)
    return np.stack([dual @ (k * column) @ dual.T for column in (*(x @ V.T).T, np.ones(count))])


def _moments(c, s, order: int):
    """The means of cos pθ and sin pθ over tokens, by Chebyshev's recurrence."""
    cosines, sines, twice = [jnp.ones_like(c), c], [jnp.zeros_like(s), s], 2 * c
    for _ in range(2, order + 1):
        cosines.append(twice * cosines[-1] - cosines[-2])
        sines.append(twice * sines[-1] - sines[-2])
    return jnp.stack([f.mean(0) for f in (*cosines, *sines[1:])])


def _series(a, c, s, order: int):
    """Σ a_p cos pθ + Σ b_p sin pθ by Clenshaw's recurrence; a holds both, one row per feature."""
    u = du = v = dv = jnp.zeros_like(c)
    for p in range(order, 0, -1):
        u, du = a[p] + 2 * c * u - du, u
        v, dv = a[order + p] + 2 * c * v - dv, v
    return a[0] + c * u - du + s * v


@partial(jax.jit, static_argnames=("order", "count"))
def _circle_layers(table, c, s, eta, order: int, count: int):
    """Layers of tokens (n, r), runs last: every operation is then a plain loop over runs. Three tables mean softmax."""

    def layer(_, state):
        c, s = state
        # The barrier keeps the small product from being repeated for every token.
        a = jax.lax.optimization_barrier(jnp.sum(table * _moments(c, s, order), axis=2))
        step = eta / _series(a[2], c, s, order) if len(table) == 3 else eta
        x, y = c + step * _series(a[0], c, s, order), s + step * _series(a[1], c, s, order)
        scale = jax.lax.rsqrt(x * x + y * y)
        return x * scale, y * scale

    return jax.lax.fori_loop(0, count, layer, (c, s))


def circle_layers(
    Bs: np.ndarray, x: np.ndarray, *, eta: float, count: int, sign=1, normalisation="USA", dtype: type = np.float64
):
    """Tokens x (r, n, 2) of many runs after `count` layers with V = sign·B, one B (r, 2, 2) per run.

    Source: the scheme of the authors' code for Burger et al. 2025 (arXiv 2501.03096), there for "USA" only.
    """
    runs, rows = len(x), 3 if check_normalisation(normalisation) == "SA" else 2
    order = orders(float(np.linalg.norm(Bs, 2, axis=(1, 2)).max()), dtype)
    unique, index = np.unique(Bs, axis=0, return_inverse=True)
    tables = np.stack([moment_table(B, sign * B, order)[:rows] for B in unique]).astype(dtype)
    pad = -runs % RUNS
    index, padded = (
        np.append(index.ravel(), np.zeros(pad, int)),
        np.concatenate([x, x[:1].repeat(pad, 0)]).astype(dtype),
    )

    def batch(start):
        part = slice(start, start + RUNS)
        c, s = (jnp.asarray(padded[part, :, i].T) for i in (0, 1))
        table = jnp.asarray(np.moveaxis(tables[index[part]], 0, -1))
        out = _circle_layers(table, c, s, jnp.asarray(eta, dtype), order, count)
        return np.stack([np.asarray(out[0]).T, np.asarray(out[1]).T], -1)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return np.concatenate(list(pool.map(batch, range(0, runs + pad, RUNS))))[:runs]


def monomials(eigenvalues: np.ndarray, eps: float) -> tuple[np.ndarray, np.ndarray]:
    r"""Exponents α with $\lambda^\alpha/\alpha!$ for every term of $e^{\langle x,\Lambda y\rangle}$ above eps on the sphere.

    $$e^{\langle x,\Lambda y\rangle} = \sum_\alpha \frac{\lambda^\alpha}{\alpha!}\,x^\alpha y^\alpha,\quad
      \max_{|x|=1}|x^\alpha|^2 = \prod_i (\alpha_i/|\alpha|)^{\alpha_i}$$
    """
    kept, frontier = [], {(0,) * len(eigenvalues)}
    while frontier:
        kept += (heavy := [a for a in frontier if abs(_weight(eigenvalues, a)) * _largest(a) > eps])
        frontier = {(*a[:i], a[i] + 1, *a[i + 1 :]) for a in heavy for i in range(len(a))}
    kept.sort()
    return np.array(kept), np.array([_weight(eigenvalues, a) for a in kept])


def _weight(eigenvalues, a):
    return math.prod(l**k / math.factorial(k) for l, k in zip(eigenvalues, a))


def _largest(a):
    total = sum(a)
    return math.prod((k / total) ** k for k in a if k)


@partial(jax.jit, static_argnames=("top", "count", "is_softmax"))
def _power_layers(x, eigenvalues, exponents, weights, eta, top: int, count: int, is_softmax: bool):
    """Tokens (d, n) and the energy before every layer, $E = \\sum_α w_α (\\int x^α dμ)^2$."""

    def layer(x, _):
        repeated = jnp.broadcast_to(x[:, None], (len(x), top, x.shape[1]))
        powers = jnp.concatenate([jnp.ones_like(x)[:, None], jnp.cumprod(repeated, 1)], 1)
        f = math.prod((powers[i][exponents[:, i]] for i in range(len(x))), start=1)
        sums = f @ jnp.concatenate([x, jnp.ones_like(x[:1])]).T / x.shape[1]
        # One product for push and normaliser: a separate vector product would compute f again.
        heard = (sums * weights[:, None] * jnp.append(eigenvalues, 1)).T @ f
        y = x + eta * (heard[:-1] / heard[-1] if is_softmax else heard[:-1])
        return y * jax.lax.rsqrt(jnp.sum(y * y, 0, keepdims=True)), weights @ sums[:, -1] ** 2

    return jax.lax.scan(layer, x, length=count)


def power_layers(
    B: np.ndarray, x: np.ndarray, *, eta: float, count: int, sign=1, normalisation="USA", dtype=np.float32
):
    """Tokens x (n, d) after `count` layers with V = sign·B, B symmetric, by moments in its eigenbasis."""
    return PowerLayers(B, sign=sign, normalisation=normalisation, dtype=dtype)(x, eta=eta, count=count)[0]


class PowerLayers:
    """Layers of one symmetric B, its monomials found once; a call returns tokens and the energy before each layer."""

    def __init__(
        self, B: np.ndarray, *, sign=1, normalisation="USA", dtype: type = np.float64, eps: float | None = None
    ):
        self.values, self.vectors = np.linalg.eigh(B)
        self.exponents, self.weights = monomials(self.values, 0.1 * float(np.finfo(dtype).eps) if eps is None else eps)
        self.is_softmax = check_normalisation(normalisation) == "SA"
        self.sign, self.dtype = sign, dtype

    def __call__(self, x: np.ndarray, *, eta: float, count: int) -> tuple[np.ndarray, np.ndarray]:
        arrays = ((x @ self.vectors).T, self.values, self.weights, self.sign * eta)
        start, eigenvalues, weights, step = (jnp.asarray(v, self.dtype) for v in arrays)
        top = max(1, int(self.exponents.max()))
        out, energy = _power_layers(
            start, eigenvalues, jnp.asarray(self.exponents), weights, step, top, count, self.is_softmax
        )
        return np.asarray(out, dtype=float).T @ self.vectors.T, np.asarray(energy, dtype=float)
