"""The authors' layers with constant normalisation at linear cost: sums over tokens through moments, never in pairs.

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

RUNS = 64
"""Runs per batch on the circle: wide enough for vector instructions, small enough for the cache (measured)."""


def orders(radius: float, dtype) -> int:
    r"""How many Fourier modes the kernel has above rounding: $I_P(r)/I_0(r) < \epsilon$."""
    p = np.arange(200)
    return int(np.argmax(ive(p, radius) < 0.1 * np.finfo(dtype).eps * ive(0, radius)))


def moment_table(B: np.ndarray, V: np.ndarray, order: int) -> np.ndarray:
    r"""The push of a measure from its Fourier moments, for features $f = (1, \cos p\theta, \sin p\theta)$; shape (2, f, f).

    $$\int e^{\langle x,By\rangle}\,Vy\,d\mu(y) = f(x)^\top A\int f\,d\mu$$

    Source: derived; the sums cost n·P instead of n².
    """
    count = 4 * order
    theta = 2 * np.pi * np.arange(count) / count
    x, p = np.stack([np.cos(theta), np.sin(theta)], 1), np.arange(1, order + 1)
    f = np.concatenate([np.ones((count, 1)), np.cos(np.outer(theta, p)), np.sin(np.outer(theta, p))], axis=1)
    dual = 2 * f.T / count
    dual[0] /= 2
    k = np.exp(x @ B @ x.T)
    return np.stack([dual @ (k * column) @ dual.T for column in (x @ V.T).T])


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
    """Layers of tokens (n, r), runs last: every operation is then a plain loop over runs."""

    def layer(_, state):
        c, s = state
        # The barrier keeps the small product from being repeated for every token.
        a = jax.lax.optimization_barrier(jnp.sum(table * _moments(c, s, order), axis=2))
        x, y = c + eta * _series(a[0], c, s, order), s + eta * _series(a[1], c, s, order)
        scale = jax.lax.rsqrt(x * x + y * y)
        return x * scale, y * scale

    return jax.lax.fori_loop(0, count, layer, (c, s))


def circle_layers(Bs: np.ndarray, x: np.ndarray, *, eta: float, count: int, sign: int = 1, dtype: type = np.float64):
    """Tokens x (r, n, 2) of many runs after `count` layers of constant normalisation with V = sign·B, one B (r, 2, 2) per run.

    Source: the scheme of the authors' code for Burger et al. 2025 (arXiv 2501.03096).
    """
    runs = len(x)
    order = orders(float(np.linalg.norm(Bs, 2, axis=(1, 2)).max()), dtype)
    unique, index = np.unique(Bs, axis=0, return_inverse=True)
    tables = np.stack([moment_table(B, sign * B, order) for B in unique]).astype(dtype)
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
        kept += (heavy := [a for a in frontier if _weight(eigenvalues, a) * _largest(a) > eps])
        frontier = {(*a[:i], a[i] + 1, *a[i + 1 :]) for a in heavy for i in range(len(a))}
    return np.array(kept), np.array([_weight(eigenvalues, a) for a in kept])


def _weight(eigenvalues, a):
    return math.prod(abs(l) ** k / math.factorial(k) for l, k in zip(eigenvalues, a))


def _largest(a):
    total = sum(a)
    return math.prod((k / total) ** k for k in a if k)


@partial(jax.jit, static_argnames=("top", "count"))
def _power_layers(x, eigenvalues, exponents, weights, eta, top: int, count: int):
    def layer(_, x):
        repeated = jnp.broadcast_to(x[:, None], (len(x), top, x.shape[1]))
        powers = jnp.concatenate([jnp.ones_like(x)[:, None], jnp.cumprod(repeated, 1)], 1)
        f = math.prod((powers[i][exponents[:, i]] for i in range(len(x))), start=1)
        coefficients = (f @ x.T) * weights[:, None] * eigenvalues / x.shape[1]
        y = x + eta * (coefficients.T @ f)
        return y * jax.lax.rsqrt(jnp.sum(y * y, 0, keepdims=True))

    return jax.lax.fori_loop(0, count, layer, x)


def power_layers(
    B: np.ndarray, x: np.ndarray, *, eta: float, count: int, sign: int = 1, dtype=np.float32
) -> np.ndarray:
    """Tokens x (n, d) after `count` layers with V = sign·B, B symmetric and positive semidefinite, in its eigenbasis."""
    values, vectors = np.linalg.eigh(B)
    exponents, weights = monomials(values, 0.1 * float(np.finfo(dtype).eps))
    start, eigenvalues, weights, step = (jnp.asarray(v, dtype) for v in ((x @ vectors).T, values, weights, sign * eta))
    top = max(1, int(exponents.max()))
    out = _power_layers(start, eigenvalues, jnp.asarray(exponents), weights, step, top, count)
    return np.asarray(out, dtype=float).T @ vectors.T
