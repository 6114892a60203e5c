r"""Newton's method on the semi-dual of Sinkhorn's problem, for any score.

$$\max_g\ \sum_j m_j g_j - \sum_i m_i \log\sum_j m_j e^{s_{ij} + g_j},\qquad
  H_{jk} = c_j\delta_{jk} - \sum_i m_i W_{ij}W_{ik},$$

with the row-stochastic $W$ and its column sums $c$. Alternation contracts by the squared second singular value of W, which
is 1 − 1e-12 where plans split into blocks; Newton's steps feel nothing of it. H is the Laplacian of a graph, so its diagonal is
summed from the rest without cancellation. Source: derived; damping as for quasi-self-concordant functions.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
from jaxtyping import Array, Float

from ..summation.kernel import log_mass
from .alternating import half_step
from .gram import Gram
from .symmetric import Scaling

FACTOR, EASY = 3.0, 4.0
"""Scores are first made as small as `EASY`, and grow by `FACTOR` from stage to stage: ε falls."""

LOOSE, LOOSE_SHARE = 0.01, 0.1
"""A stage ends when the error is below `LOOSE`, and no sum is off by more than this share: light tokens count too."""

FAR = (1.0, 10.0, 100.0, 1000.0)
"""Lengths from which entries of a step are bent."""

LONG = 0.1
"""The share of the longest entry above which an entry belongs to blocks that move far: alone, they do not drag others along."""

DENSE = 2000
"""Up to this many tokens H is factorised; beyond, conjugate gradients use products alone."""

ENTERING, POLISHING = 10, 20
"""Alternations at the start of a stage, and after a shortened step: they mend what Newton's model does not see."""

FAINT = 500
"""Links below this many roundings of a mass are no longer felt: what flows through them is less than any error asked for."""

LENGTHS = (1.0, 0.5, 0.25, 0.1, 0.03)
"""Steps that are tried where the full one does not halve the error, beside the one that is always safe."""


class _At(NamedTuple):
    """A column potential with its row potential, the column sums it leaves, and their L1 error."""

    g: Array
    f: Array
    sums: Array
    error: Array


def newton_scaling(gram: Gram, mass: Float[Array, "n"], *, tol: float, max_iterations: int) -> Scaling:
    """The column potential of the doubly stochastic limit, of mean zero, to an L1 error `tol`; massless tokens get 0.

    Iterations are Newton steps. Derivatives are implicit, of any order.
    """
    g, k, error = _potential(tol, max_iterations, gram, mass)
    return Scaling(g, jnp.asarray(k, int), error)


@partial(jax.custom_jvp, nondiff_argnums=(0, 1))
def _potential(tol, max_iterations, gram, mass):
    return _climb(gram, mass, tol, max_iterations)


@_potential.defjvp
def _derivative(tol, max_iterations, primals, tangents):
    gram, mass = primals
    g, k, error = _potential(tol, max_iterations, gram, mass)

    def gradient(gram, mass, g):
        return _look(gram, mass, g).sums - mass

    _, change = jax.jvp(lambda gram, mass: gradient(gram, mass, g), primals, tangents)
    fixed = jax.lax.stop_gradient((gram, mass, g))
    heaviest = jnp.argmax(mass)

    def hessian(v):
        slope = jax.jvp(lambda g: gradient(gram, mass, g), (g,), (v,))[1]
        return jnp.where(mass > 0, slope.at[heaviest].add(mass[heaviest] * v[heaviest]), v)

    def solve(_, b):
        # Conjugate gradients stop at the root of this error: a derivative is asked for all its digits.
        at = _look(*fixed)
        return _solver(fixed[0], fixed[1], at._replace(error=jnp.full_like(at.error, 1e-24)))(b)

    moved = jax.lax.custom_linear_solve(hessian, -jnp.where(mass > 0, change, 0), solve, symmetric=True)
    # The mean stays zero, also where masses change.
    moved = jnp.where(mass > 0, moved - (mass @ moved + tangents[1] @ g) / jnp.sum(mass), 0)
    return (g, k, error), (moved, jnp.zeros_like(k), jnp.zeros_like(error))


class _Stage(NamedTuple):
    at: _At
    share: Array
    steps: Array
    before: Array
    """The error before the last step: what is left of sums that are known no better is no longer halved."""


def _climb(gram, mass, tol, max_iterations):
    def is_open(now: _Stage):
        is_noise = (now.at.error <= tol + 8 * _noise(mass, now.at)) & (now.at.error > 0.5 * now.before)
        return (now.share < 1) | (now.at.error > tol) & ~is_noise

    def enter(share, g, steps) -> _Stage:
        part = gram.scaled(share)
        return _Stage(
            _look(part, mass, _alternated(part, mass, g, ENTERING)), share, steps, jnp.full_like(share, jnp.inf)
        )

    def harden(now: _Stage):
        share = jnp.minimum(1.0, FACTOR * now.share)
        return enter(share, now.at.g * (share / now.share), now.steps)

    def improve(now: _Stage):
        part = gram.scaled(now.share)
        step = _solver(part, mass, now.at)(_heard(mass, mass - now.at.sums))
        alternation = _heard(mass, half_step(part.T, now.at.f, mass) - now.at.g)
        step = jnp.where(jnp.all(jnp.isfinite(step)), step, alternation)
        return _Stage(_best(part, mass, now.at, step), now.share, now.steps + 1, now.at.error)

    def advance(now: _Stage):
        shares = jnp.abs(now.at.sums - mass) / jnp.where(mass > 0, mass, 1)
        is_loose = (now.at.error < LOOSE) & (jnp.max(shares) < LOOSE_SHARE)
        return jax.lax.cond((now.share < 1) & is_loose, harden, improve, now)

    largest = jnp.maximum(gram.largest(mass > 0), jnp.finfo(mass.dtype).tiny)
    first = jnp.minimum(1.0, EASY / largest).astype(mass.dtype)
    start = enter(first, jnp.zeros_like(mass), jnp.asarray(0.0, mass.dtype))
    end = jax.lax.while_loop(lambda now: is_open(now) & (now.steps < max_iterations), advance, start)
    # Out of steps at an easier stage, the scores themselves still decide what is returned.
    at = _look(gram, mass, end.at.g / end.share)
    return _heard(mass, at.g - mass @ at.g / jnp.sum(mass)), end.steps, at.error


def _noise(mass, at: _At):
    """The rounding of sums, as a share of them: a score of size s is known to eps times s."""
    return jnp.finfo(mass.dtype).eps * (jnp.max(jnp.abs(at.g)) + jnp.max(jnp.abs(_heard(mass, at.f))))


def _heard(mass, values):
    return jnp.where(mass > 0, values, 0)


def _alternated(gram, mass, g, count):
    def once(_, g):
        return _heard(mass, half_step(gram.T, half_step(gram, g, mass), mass))

    return jax.lax.fori_loop(0, count, once, g)


def _look(gram, mass, g) -> _At:
    f = half_step(gram, g, mass)
    sums = mass * jnp.exp(g - _heard(mass, half_step(gram.T, f, mass)))
    return _At(g, f, sums, jnp.sum(jnp.abs(sums - mass)))


def _best(gram, mass, at: _At, step) -> _At:
    """The full step if it halves the error, else the highest of several, followed by alternations."""
    reach = jnp.max(jnp.where(mass > 0, step, -jnp.inf)) - jnp.min(jnp.where(mass > 0, step, jnp.inf))
    full = _look(gram, mass, at.g + step)

    def search():
        safe = jnp.log1p(reach) / jnp.maximum(reach, jnp.finfo(step.dtype).tiny)
        lengths = jnp.append(jnp.asarray(LENGTHS, step.dtype), safe)
        tried = jax.lax.map(
            lambda step: _look(gram, mass, at.g + step), jnp.concatenate([lengths[:, None] * step, _bent(step)])
        )
        height = mass @ tried.g.T + mass @ tried.f.T
        best = jnp.argmax(jnp.where(jnp.isfinite(height), height, -jnp.inf))
        return _look(gram, mass, _alternated(gram, mass, tried.g[best], POLISHING))

    return jax.lax.cond(full.error <= 0.5 * at.error, lambda: full, search)


def _bent(step):
    """Steps whose long entries are shortened to logarithms: a link that is weak by a factor asks for as many times too much."""
    inner, far = step - jnp.median(step), jnp.asarray(FAR, step.dtype)[:, None]
    bent = far * jnp.sign(inner) * jnp.log1p(jnp.abs(inner) / far)
    is_long = jnp.abs(inner) > LONG * jnp.max(jnp.abs(inner))
    bent = jnp.concatenate([bent, jnp.where(is_long, bent, 0)])
    return jnp.concatenate([bent, bent / 2])


def _solver(gram, mass, at: _At):
    """The solution of HΔ = b for b of sum zero, with the potential of the heaviest token held."""
    heaviest = jnp.argmax(mass)
    held = jnp.zeros_like(mass).at[heaviest].set(mass[heaviest]) + (mass == 0)
    # Blocks that no link joins any more would be moved apart by the rounding of their sums alone.
    held = held + (FAINT * jnp.finfo(mass.dtype).eps + _noise(mass, at)) * mass
    if len(mass) <= DENSE:
        return _factorised(gram, mass, at, held)
    return _by_products(gram, mass, at, held)


def _factorised(gram, mass, at, held):
    W = jnp.exp(gram.dense() + at.f[:, None] + at.g + log_mass(mass))
    pairs = (W * mass[:, None]).T @ W
    pairs = pairs.at[jnp.diag_indices_from(pairs)].set(0)
    diagonal = jnp.sum(pairs, axis=1) + held
    scale, ridge = 1 / jnp.sqrt(diagonal), 50 * jnp.finfo(mass.dtype).eps
    factor = jsl.cho_factor((1 + ridge) * jnp.eye(len(mass), dtype=mass.dtype) - scale[:, None] * pairs * scale)
    return lambda b: scale * jsl.cho_solve(factor, scale * b)


def _by_products(gram, mass, at, held):
    weights = jnp.where(mass > 0, mass, 1)
    plan = Gram(gram.queries, gram.keys, gram.row + at.f, gram.column + at.g + log_mass(mass))

    def product(v):
        heard = plan.exponential_sum(v)
        back = plan.T.exponential_sum(mass * heard)
        return jnp.where(mass > 0, at.sums * v - back, 0) + held * v

    def solve(b):
        scale = 1 / jnp.sqrt(weights)
        goal: Any = jnp.minimum(0.1, jnp.sqrt(at.error))
        y, _ = jax.scipy.sparse.linalg.cg(lambda y: scale * product(scale * y), scale * b, tol=goal, maxiter=300)
        return scale * y

    return solve
