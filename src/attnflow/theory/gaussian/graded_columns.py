r"""Softmax covariances whose eigenvalues lie any number of decades apart.

A covariance that grows without blow-up is pressed against directions where scores vanish. There $N_k^\top BN_l$ is a difference
of equal numbers, multiplied by the size of the covariance: from 1e11 on rounding decides. So the columns of the factor,
$L_k = e^{a_k}N_k$ with $|N_k| = 1$, carry their rates

$$w_{kl} = e^{2a_l}N_k^\top BN_l,\qquad A N_k = \sum_l w_{kl}VN_l = D_k,\qquad
  w_{kl}' = e^{2a_l}(D_k^\top BN_l + N_k^\top BD_l) + (g_l - g_k)w_{kl},$$

with $g_k = a_k' = N_k^\top D_k$, along: nothing cancels, and traces of 1e100 are followed as well as those of 1. The factor
may be turned, $L \to LR$, so columns are kept orthogonal, the larger pushing the smaller aside. Source: derived.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ...engine.attention import Heads, Softmax
from ...engine.attention.heads import product_of
from ...engine.evolution.integrators.batched import abreast
from ...engine.evolution.integrators.level_crossing import Method, climb_levels
from ...engine.evolution.integrators.linearly_implicit import stiff_step
from ...engine.linalg.matrices import dense, is_scheduled

CLOCK = 0.1 * 1.05 ** np.arange(280)
"""Values of the clock $ds = (|w| + 1/(1+t))\\,dt$ at which the trace is recorded."""

TOP = 100 * np.log(10)
"""The growth of log tr at which a run ends."""

TOL = 1e-7

DEAD = -1e3
"""The logarithm of the size of a column that is gone."""

CLEAR = 1e-3
"""Scores of unit columns above this, against B, are not differences of equal numbers: rates are then read off them."""

IMPLICIT = Method(partial(stiff_step, levels=6), 6)


class Scores(NamedTuple):
    """The matrices B and V of all heads."""

    B: Float[Array, "h d d"]
    V: Float[Array, "h d d"]


def scores_of_heads(flow, d: int) -> Scores | None:
    """The matrices of softmax attention of constant weights, or None for other flows."""
    rules = flow.attention.parts()
    if is_scheduled(flow) or flow.feed_forward is not None or not all(isinstance(rule, Softmax) for rule in rules):
        return None
    if any(rule.is_affine() for rule in rules):
        return None
    outer, is_many = dense(flow.V, d), isinstance(flow.attention, Heads)
    V = [outer @ dense(product_of(V), d) for _, V in flow.attention.heads] if is_many else [outer]
    return Scores(jnp.stack([rule.score.matrix(d) for rule in rules]), jnp.stack(V))


class Columns(NamedTuple):
    """Unit columns, the logarithms of their sizes, their rates, and the time."""

    N: Float[Array, "d r"]
    a: Float[Array, "r"]
    w: Float[Array, "h r r"]
    t: Float[Array, ""]

    @property
    def flat(self):
        return jnp.concatenate([self.N.ravel(), self.a, self.w.ravel(), self.t[None]])

    def like(self, y) -> Columns:
        n, r = self.N.size, self.a.size
        return Columns(
            y[:n].reshape(self.N.shape), y[n : n + r], y[n + r : n + r + self.w.size].reshape(self.w.shape), y[-1]
        )


def first_columns(scores: Scores, L) -> Columns:
    """The columns of a factor whose columns are orthogonal."""
    size = jnp.linalg.norm(L, axis=0)
    N, a = L / jnp.where(size > 0, size, 1), jnp.where(size > 0, jnp.log(size), DEAD)
    return Columns(N, a, _between(scores, N, N) * jnp.exp(2 * a), jnp.zeros((), L.dtype))


def _between(scores, X, Y):
    return jnp.einsum("ik,hij,jl->hkl", X, scores.B, Y)


def _moved(scores, w, N):
    """D = AN."""
    return jnp.einsum("hkl,hij,jl->ik", w, scores.V, N)


def speed(scores: Scores, now: Columns) -> Columns:
    """The derivatives in time."""
    N, a, w, _ = now
    D = _moved(scores, w, N)
    g = jnp.sum(N * D, axis=0)
    c = _pushes(now, D, g)
    steep = jnp.exp(2 * a) * (_between(scores, D, N) + _between(scores, N, D))
    w_dot = steep + (g[None, :] - g[:, None]) * w + c.T @ w - w @ c.T
    return Columns(D - g * N + N @ c, g, jnp.where(_is_alive(a)[:, None], w_dot, 0), jnp.ones_like(now.t))


def _pushes(now, D, g):
    """How fast column l enters column k: a rotation that makes columns orthogonal, softened where sizes are equal."""
    N, a, _, _ = now
    ahead, meet = a[:, None] - a[None, :], N.T @ D
    apart = meet + meet.T + 2 * (jnp.abs(g)[:, None] + jnp.abs(g)[None, :]) * (N.T @ N)
    order = jnp.tanh(ahead)
    alive = _is_alive(a)
    others = alive[:, None] & alive[None, :] & ~jnp.eye(len(a), dtype=bool)
    return jnp.where(others, -apart * jax.nn.sigmoid(2 * ahead) * order / (order**2 + 1e-2), 0)


def _is_alive(a):
    return a > DEAD / 2


def _pace(now: Columns):
    """|w| + 1/(1+t), where columns count by their sizes."""
    share = jnp.exp(now.a - jax.lax.stop_gradient(jnp.max(now.a)))
    return jnp.sqrt(jnp.sum((share[:, None] * now.w) ** 2) + jnp.finfo(now.a.dtype).tiny) + 1 / (1 + now.t)


def _renewed(scores: Scores, now: Columns) -> Columns:
    """Unit columns again; rates read off the columns where nothing cancels; columns that are gone are let go."""
    now = _orthogonal(now)
    size = jnp.linalg.norm(now.N, axis=0)
    N, a = now.N / size, jnp.where(_is_alive(now.a), now.a + jnp.log(size), DEAD)
    w = now.w * (size[None, :] / size[:, None])
    plain, most = _between(scores, N, N), jnp.max(jnp.abs(scores.B), axis=(1, 2), keepdims=True)
    w = jnp.where(jnp.abs(plain) > CLEAR * most, plain * jnp.exp(2 * a), w)
    return Columns(N, a, jnp.where(_is_alive(a)[:, None] & _is_alive(a)[None, :], w, 0), now.t)


def _orthogonal(now: Columns) -> Columns:
    """The factor turned in the planes of all pairs of columns, once each, so that they become orthogonal (Jacobi)."""
    pairs = jnp.asarray(np.transpose(np.triu_indices(now.a.size, 1)))
    return jax.lax.scan(lambda now, pair: (_turned(now, *pair), None), now, pairs)[0] if len(pairs) else now


def _turned(now: Columns, k, l) -> Columns:
    """Columns k and l made orthogonal by a rotation; its sine is a multiple of the ratio of the smaller to the larger."""
    N, a, w, t = now
    k, l = jnp.where(a[k] >= a[l], k, l), jnp.where(a[k] >= a[l], l, k)
    ratio, meet = jnp.exp(a[l] - a[k]), N[:, k] @ N[:, l]
    spread = jnp.maximum(1 - ratio**2, 1e-9)
    angle = ratio * 2 * meet / spread
    cosine = 1 / jnp.hypot(1.0, angle / (1 + jnp.hypot(1.0, angle)))
    part = cosine * 2 * meet / spread / (1 + jnp.hypot(1.0, angle))
    small = part * ratio**2
    larger, smaller = cosine * N[:, k] + small * N[:, l], cosine * N[:, l] - part * N[:, k]
    N = N.at[:, k].set(larger).at[:, l].set(smaller)
    heard_k, heard_l = cosine * w[:, k] + small * w[:, l], cosine * w[:, l] - part * w[:, k]
    w = w.at[:, k].set(heard_k).at[:, l].set(heard_l)
    said_k, said_l = cosine * w[:, :, k] + part * w[:, :, l], cosine * w[:, :, l] - small * w[:, :, k]
    w = w.at[:, :, k].set(said_k).at[:, :, l].set(said_l)
    return Columns(N, a, w, t)


def log_trace(a):
    return jax.nn.logsumexp(2 * a, axis=-1)


@eqx.filter_jit
def follow_all(scores: Scores, starts, until, max_steps):
    """Times and log traces of many covariances at the values of the clock, and since when a column is gone."""
    return abreast(lambda L: _follow(scores, L, until, max_steps), starts)


def _follow(scores, L, until, max_steps):
    first = first_columns(scores, L)

    def field(y):
        now = first.like(y[:-1])
        return jnp.append(speed(scores, now).flat / _pace(now), 1.0)

    def scale(y):
        now = first.like(y[:-1])
        rows = jnp.max(jnp.abs(now.w), axis=(0, 2))[None, :, None] + 1e-3 / (1 + now.t)
        ones = Columns(jnp.ones_like(now.N), jnp.ones_like(now.a), jnp.broadcast_to(rows, now.w.shape), 1 + now.t)
        return jnp.append(ones.flat, 1 + y[-1])

    def is_over(y):
        now = first.like(y[:-1])
        return (now.t >= until) | (log_trace(now.a) > TOP + jnp.maximum(log_trace(first.a), 0))

    def renew(y):
        return jnp.append(_renewed(scores, first.like(y[:-1])).flat, y[-1])

    seen = climb_levels(
        field, jnp.append(first.flat, 0.0), levels=jnp.asarray(CLOCK, L.dtype), height=lambda y: y[-1], scale=scale,
        is_over=is_over, tol=jnp.asarray(TOL, L.dtype), max_steps=max_steps, method=IMPLICIT, least=0.0, renew=renew,
    )  # fmt: skip
    t, a = jax.vmap(lambda y: (first.like(y[:-1]).t, first.like(y[:-1]).a))(seen.states)
    is_whole = jnp.all(_is_alive(a) == _is_alive(first.a), axis=1)
    return {
        "t": t, "log_trace": log_trace(a), "start": log_trace(first.a), "steps": seen.steps,
        "lost": jnp.min(jnp.where(is_whole, jnp.inf, t)),
    }  # fmt: skip
