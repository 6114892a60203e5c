r"""Softmax covariances whose eigenvalues lie any number of decades apart.

A covariance that grows without blow-up is pressed against directions where scores vanish. There $N_k^\top BN_l$ is a difference
of equal numbers, multiplied by the size of the covariance: from 1e11 on rounding decides. So the columns of the factor,
$L_k = e^{a_k}N_k$ with $|N_k| = 1$, carry their rates along. With sizes held fixed during a step,

$$N_k' = \sum_l w_{kl}VN_l,\qquad w_{kl} = e^{2a_l}N_k^\top BN_l,\qquad w_{kl}' = e^{2a_l}(N_k'^\top BN_l + N_k^\top BN_l'):$$

polynomials in which nothing cancels, so traces of 1e100 are followed as well as those of 1. After each step sizes are read off
the columns, and the factor is turned, $L \to LR$, so that they are orthogonal. Source: derived.
"""

from __future__ import annotations

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..attention import Heads, Softmax
from ..attention.heads import product_of
from ..evolution.integrators.batched import abreast
from ..evolution.integrators.linearly_implicit import extrapolate, substeps
from ..linalg.matrices import dense, is_scheduled

TOP = 100 * np.log(10)
"""The growth of log tr at which a run ends."""

LEVELS, TOL = 8, 1e-10
"""The order, and errors of unit columns and of rates."""

COARSE = 1e-3
"""Errors of columns that nobody hears."""

MOST = 3_000, 25_000
"""The most steps of runs abreast, and of those that need more."""

GONE = -1e30
"""The logarithm of the size of a column that is let go."""

UNHEARD, COLLAPSES, BURIED = -100.0, 1e2, -600.0
"""Columns are let go that move others by less than e^-100 in all the time passed while they shrink at this many times the pace of
the others, so by another e^-100 before anything else happens; or by less than e^-600 while they shrink."""

SHORT = 0.03
"""Steps of an order of eight that move nothing by more than this share of itself are exact but for rounding."""

NOISE = 300 * np.finfo(float).eps
"""What rounding makes of unit columns in a unit of time, extrapolation included."""

WILD = 30.0
"""The error of steps that are too long for other reasons."""

CLEAR = 1e-3
"""Scores of unit columns above this, against B, are not differences of equal numbers: rates are then read off them."""


class Scores(NamedTuple):
    """The matrices B and V of all heads."""

    B: Float[Array, "h d d"]
    V: Float[Array, "h d d"]

    @property
    def size(self):
        return jnp.sum(jnp.linalg.norm(self.B, axis=(1, 2)) * jnp.linalg.norm(self.V, axis=(1, 2)))


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


def is_regular(scores: Scores) -> bool:
    """Whether B is regular: else vanishing scores are fewer than the rates that stand for them, and rounding decides the rest."""
    return bool(np.all(np.linalg.cond(np.asarray(scores.B)) < 1e7))


class Columns(NamedTuple):
    """Unit columns, the logarithms of their sizes, and their rates; a column that is let go is zero."""

    N: Float[Array, "d r"]
    a: Float[Array, "r"]
    w: Float[Array, "h r r"]

    @property
    def log_trace(self):
        return jax.nn.logsumexp(2 * self.a)

    @property
    def is_alive(self):
        return self.a > GONE / 2


class Record(NamedTuple):
    """The lengths of steps and log traces after them (NaN where none was), how many there were, how many of them rounding made,
    whether the run came to its end, and log tr at first."""

    h: Float[Array, "k"]
    log_trace: Float[Array, "k"]
    steps: Array
    blurred: Array
    is_over: Array
    start: Float[Array, ""]


def first_columns(scores: Scores, L) -> Columns:
    """The orthogonal columns of a factor."""
    U, size, _ = jnp.linalg.svd(L, full_matrices=False)
    is_there = size > 0
    N, a = jnp.where(is_there, U, 0), jnp.where(is_there, jnp.log(jnp.where(is_there, size, 1)), GONE)
    return Columns(N, a, _between(scores, N, N) * jnp.exp(2 * a))


def _between(scores, X, Y):
    return X.T @ scores.B @ Y


def speed(scores: Scores, N, a, w):
    """The derivatives of columns of fixed sizes, and of their rates."""
    D = jnp.einsum("hil,hkl->ik", scores.V @ N, w)
    return D, jnp.exp(2 * a) * (_between(scores, D, N) + _between(scores, N, D))


def _pace(now: Columns, t):
    """|w|, where columns count by their sizes, and the slowest pace that matters after the time t."""
    share = jnp.exp(now.a - jnp.max(now.a))
    return jnp.sqrt(jnp.sum((share[:, None] * now.w) ** 2)) + 1 / t


def _log_push(scores, now, t):
    """The logarithm of how far each column moves others in the time t, at most 0."""
    return jnp.minimum(2 * now.a + jnp.log(scores.size * t), 0)


def _step(scores: Scores, now: Columns, h, t) -> tuple[Columns, Array, Array]:
    """The columns after a time h, not yet orthogonal, the error over what is allowed, and whether rounding made the step."""
    n, shape, alive = now.N.size, now.N.shape, now.is_alive
    # Rates of one listener are told in units of the largest: sizes of unlike equations would blur the signs of pivots.
    rows = (jnp.max(jnp.abs(now.w), axis=(0, 2)) + 1e-3 / t)[:, None]

    def apart(y):
        return y[:n].reshape(shape), y[n:].reshape(now.w.shape) * rows

    def field(_, y):
        N_dot, w_dot = speed(scores, apart(y)[0], now.a, apart(y)[1])
        return jnp.concatenate([jnp.where(alive, N_dot, 0).ravel(), jnp.where(alive[:, None], w_dot / rows, 0).ravel()])

    y = jnp.concatenate([now.N.ravel(), (now.w / rows).ravel()])
    jacobian = jax.jacfwd(lambda y: field(0.0, y))(y)
    moved, error = extrapolate(substeps(field, jacobian, 0.0, h, y, LEVELS))
    heard = jnp.maximum(jnp.exp(_log_push(scores, now, t)), TOL / COARSE)
    counts = jnp.concatenate(
        [jnp.broadcast_to(part, of.shape).ravel() for part, of in ((heard, now.N), (heard[:, None], now.w))]
    )
    wrong, far = jnp.max(jnp.abs(error) * counts), jnp.max(jnp.abs(moved) * counts)
    # Where a column leaves a plane rounding is felt however short steps are, and no shorter step would be better.
    noise = jnp.where(far < SHORT, jnp.minimum(far, NOISE * h * jnp.max(jnp.abs(jacobian))), 0)
    ratio = wrong / jnp.maximum(noise, TOL)
    N, w = apart(y + moved)
    size = jnp.where(alive, jnp.linalg.norm(N, axis=0), 1.0)
    # Long implicit steps would rest where the flow leaves: along an unstable direction h λ may not be large.
    leaves = jnp.linalg.slogdet(jnp.eye(len(y)) - h / 3 * jacobian)[0] <= 0
    is_wild = leaves | (jnp.max(size) > 100) | (jnp.min(size) < 1e-3)
    ratio = jnp.where(is_wild | ~jnp.isfinite(ratio), WILD, ratio)
    return Columns(N, now.a, w), ratio, (wrong > 10 * TOL) & (wrong > 0.3 * far)


def _renewed(scores: Scores, now: Columns, t) -> Columns:
    """Unit orthogonal columns again; rates read off the columns where nothing cancels; columns that are over let go."""
    N, a, w = _unit(_orthogonal(_unit(now)))
    N = _tied(scores, Columns(N, a, w))
    plain, most = _between(scores, N, N), jnp.max(jnp.abs(scores.B), axis=(1, 2), keepdims=True)
    now = Columns(N, a, jnp.where(jnp.abs(plain) > CLEAR * most, plain * jnp.exp(2 * a), w))
    pace, growth = _pace(now, t), jnp.sum(N * speed(scores, *now)[0], axis=0)
    push = _log_push(scores, now, t)
    is_over = (push < UNHEARD) & (growth < -COLLAPSES * pace) | (push < BURIED) & (growth < 0)
    stays = now.is_alive & ~is_over
    return Columns(
        jnp.where(stays, N, 0), jnp.where(stays, a, GONE), jnp.where(stays[:, None] & stays[None, :], now.w, 0)
    )


def _tied(scores: Scores, now: Columns):
    """Columns moved as little as possible so that their scores are those that their rates tell, where these know better."""
    N, a, w = now
    small = jnp.exp(-2 * jnp.maximum(a, -100))
    unsure = jnp.where(now.is_alive[:, None], jnp.max(jnp.abs(w), axis=(0, 2))[:, None], jnp.inf) * small
    known = (w * small - _between(scores, N, N)).ravel()
    slopes = jax.jacfwd(lambda N: _between(scores, N, N).ravel())(N).reshape(known.size, -1)
    doubt = jnp.broadcast_to(jnp.clip(unsure, 1e-5, 1e5), w.shape).ravel()
    far = jnp.where(doubt < 1, known, 0)
    moved = slopes.T @ jnp.linalg.solve(slopes @ slopes.T + jnp.diag(doubt**2), far)
    return N + moved.reshape(N.shape)


def _unit(now: Columns) -> Columns:
    size = jnp.where(now.is_alive, jnp.linalg.norm(now.N, axis=0), 1.0)
    return Columns(now.N / size, now.a + jnp.log(size), now.w * (size[None, :] / size[:, None]))


def _orthogonal(now: Columns) -> Columns:
    """The factor turned in the planes of all pairs of columns, once each, so that they become orthogonal (Jacobi)."""
    pairs = jnp.asarray(np.transpose(np.triu_indices(now.a.size, 1)))
    return jax.lax.scan(lambda now, pair: (_turned(now, *pair), None), now, pairs)[0] if len(pairs) else now


def _turned(now: Columns, k, l) -> Columns:
    """Columns k and l made orthogonal by a rotation; its sine is a multiple of the ratio of the smaller to the larger."""
    N, a, w = now
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
    return Columns(N, a, w)


class _Now(NamedTuple):
    columns: Columns
    t: Array
    h: Array
    h_seen: Array
    y_seen: Array
    kept: Array
    blurred: Array
    tried: Array


@eqx.filter_jit
def follow_all(scores: Scores, starts, until) -> Record:
    """The growth of many covariances, by few steps."""
    return abreast(lambda L: _follow(scores, L, until, MOST[0]), starts)


@eqx.filter_jit
def follow(scores: Scores, L, until) -> Record:
    """The growth of one covariance, by many steps."""
    return _follow(scores, L, until, MOST[1])


def _follow(scores, L, until, most) -> Record:
    """Until the trace is 1e100 times the first or the time is over."""
    first = first_columns(scores, L)
    start = first.log_trace
    unit = jnp.exp(-start) / scores.size

    def goes_on(now: _Now):
        climbed = now.columns.log_trace - start
        return (now.tried < most) & (now.t < until) & (climbed < TOP) & (now.h > 0)

    def advance(now: _Now) -> _Now:
        t = now.t + unit
        moved, ratio, is_blurred = _step(scores, now.columns, now.h, t)
        is_good = ratio <= 1
        moved = _renewed(scores, moved, t)
        columns = jax.tree.map(lambda new, old: jnp.where(is_good, new, old), moved, now.columns)
        h_seen = now.h_seen.at[now.kept].set(jnp.where(is_good, now.h, jnp.nan))
        y_seen = now.y_seen.at[now.kept].set(jnp.where(is_good, columns.log_trace, jnp.nan))
        change = jnp.clip(0.9 * jnp.maximum(ratio, 1e-30) ** (-1 / LEVELS), 0.1, 5.0)
        passed = jnp.where(is_good, now.h, 0)
        blurred = now.blurred + (is_good & is_blurred)
        return _Now(columns, now.t + passed, now.h * change, h_seen, y_seen, now.kept + is_good, blurred, now.tried + 1)

    empty, zero = jnp.full(most, jnp.nan), jnp.asarray(0)
    end = jax.lax.while_loop(goes_on, advance, _Now(first, jnp.zeros(()), 1e-3 * unit, empty, empty, zero, zero, zero))
    return Record(end.h_seen, end.y_seen, end.kept, end.blurred, end.tried < most, start)
