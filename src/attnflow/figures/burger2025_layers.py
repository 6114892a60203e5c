"""Many runs of the authors' layers x ← normalise(x ± η g) at once: dense sums on spheres, Fourier moments on the circle."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..flow import Particles_at
from ..measures import Particles
from ..summation.tiled import Tiled

RUNS = 16
"""Runs per batch on the circle: what stays in cache with all its Fourier features."""


@eqx.filter_jit
def last_layer(flow, x, eta, count: int, *, projected: bool = False):
    """Tokens of a batch of prompts x (b, n, d) after `count` layers, keeping nothing in between."""
    mu = Particles(x[0])

    def layer(tokens):
        state = Particles_at(mu, tokens)
        push = flow.field(state, 0.0, Tiled()) if projected else flow.push(state, 0.0, Tiled())
        return flow.space.retract(tokens + eta * push)

    return jax.lax.fori_loop(0, count, lambda _, tokens: jax.vmap(layer)(tokens), x)


def orders(radius: float, dtype) -> int:
    r"""How many Fourier modes the kernel has above rounding: $I_P(r)/I_0(r) < \epsilon$."""
    from scipy.special import ive

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


def _features(c, s, order: int):
    """cos pθ and sin pθ by Chebyshev's recurrence."""
    cosines, sines, twice = [jnp.ones_like(c), c], [jnp.zeros_like(s), s], 2 * c
    for p in range(2, order + 1):
        cosines.append(twice * cosines[-1] - cosines[-2])
        sines.append(twice * sines[-1] - sines[-2])
        if p % 2 == 0:
            # Without a barrier the compiler recomputes the whole recurrence for every mode.
            held = jax.lax.optimization_barrier((cosines[-2], cosines[-1], sines[-2], sines[-1]))
            cosines[-2:], sines[-2:] = held[:2], held[2:]
    return jnp.stack([*cosines, *sines[1:]])


@partial(jax.jit, static_argnames=("order", "count"))
def _circle_layers(table, c, s, eta, order: int, count: int):
    def layer(_, state):
        c, s = state
        f = _features(c, s, order)
        coefficients = jnp.einsum("rkab,br->kra", table, f.mean(-1))
        g = jnp.einsum("frn,krf->krn", f, coefficients)
        a, b = c + eta * g[0], s + eta * g[1]
        scale = jax.lax.rsqrt(a * a + b * b)
        return a * scale, b * scale

    return jax.lax.fori_loop(0, count, layer, (c, s))


def circle_layers(Bs: np.ndarray, x: np.ndarray, *, eta: float, count: int, sign: int = 1, dtype=np.float64):
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
        c, s = (jnp.asarray(padded[part, :, i]) for i in (0, 1))
        out = _circle_layers(jnp.asarray(tables[index[part]]), c, s, jnp.asarray(eta, dtype), order, count)
        return np.stack([np.asarray(out[0]), np.asarray(out[1])], -1)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return np.concatenate(list(pool.map(batch, range(0, runs + pad, RUNS))))[:runs]


def cluster_outcomes(x: np.ndarray) -> np.ndarray:
    """1 or 2 clusters (antipodal) for each run (r, n, d) by cosines to its first token, 0 when undecided."""
    cosine = np.einsum("rnd,rd->rn", x, x[:, 0])
    one, two = np.all(cosine > 0.99, axis=1), np.all(np.abs(cosine) > 0.99, axis=1)
    return np.where(one, 1, np.where(two, 2, 0))


def random_starts(shape, seed: int) -> np.ndarray:
    """Normalised Gaussians."""
    x = np.random.default_rng(seed).normal(size=shape)
    return x / np.linalg.norm(x, axis=-1, keepdims=True)
