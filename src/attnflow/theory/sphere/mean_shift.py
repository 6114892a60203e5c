r"""Mean shift: gradient ascent on a kernel density estimate, its modes and their number.

$$\dot x = \nabla\log(K*\mu_0)(x) = \beta\Big(\sum_j w_j(x)\,y_j - x\Big),\qquad w_j\propto m_j e^{-\beta|x-y_j|^2/2}$$
With $\mu_t$ for $\mu_0$ (blurring mean shift) this is β times softmax attention on the sphere.
Source: Rigollet, arXiv 2512.01868, sections 2 and 5.3; mode counts: Geshkovski, Rigollet, Sun, arXiv 2412.09080.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from jaxtyping import Array, Float

from ...engine.attention import L2
from ...engine.flow import Flow, choose
from ...engine.linalg.arguments import as_annotated, in_range, inside, shaped
from ...engine.measures import Particles
from ...engine.observe.components import components
from ...engine.spaces import Euclidean
from ...errors import BadInput, quoted

FINE = 0.04
"""Spacing of the grid on which modes are counted, in units of the kernel's width; halving it changes no count tested."""

REACH = 9.0
"""Samples further away than this many widths weigh less than e^{-40} of the nearest."""


@as_annotated
def score(x: ArrayLike, mu: Particles, *, beta: float) -> Float[Array, "n d"]:
    r"""$\nabla\log(K*\mu)$ at the points x, for the Gaussian kernel of width $\beta^{-1/2}$."""
    _check(beta)
    return in_range(_score(jnp.asarray(shaped(x, "x", "n d", d=mu.d)), mu, beta, _rule(mu, beta)))


@as_annotated
def mean_shift(
    mu: Particles,
    x: ArrayLike | None = None,
    *,
    beta: float,
    until: float,
    save: ArrayLike | Sequence[float] | None = None,
    tol: float = 1e-8,
) -> Array:
    r"""Points x (default: the tokens themselves) climbing the fixed density $K*\mu$: their places at the saved times.

    Times are those of $\dot x=\nabla\log(K*\mu)$; near a sharp mode points arrive like $e^{-\beta t}$.
    """
    _check(beta)
    inside(until, "until", above=0)
    inside(tol, "tol", above=0)
    x = mu.x if x is None else jnp.asarray(shaped(x, "x", "n d", d=mu.d), mu.x.dtype)
    ts = shaped([until] if save is None else save, "save", "k")
    if np.any(np.diff(ts, prepend=0) < 0) or ts[-1] > until:
        raise BadInput(f"save times must increase and lie between 0 and until = {until}, got {quoted(save)}")
    ts = jnp.asarray(ts, mu.x.dtype)
    found: Any = _climbed(x, mu, beta, ts, jnp.asarray(until, mu.x.dtype), tol, _rule(mu, beta))
    if not bool(jnp.isfinite(found).all()):
        raise BadInput(f"mean shift did not reach t = {until} in 100,000 steps; ask for a shorter time or a larger tol")
    return found


def _check(beta):
    if not (np.isfinite(beta) and beta > 0):
        raise BadInput(
            f"beta must be positive and finite, got {quoted(beta)}: it is one over the squared width of the kernel"
        )


def _rule(mu, beta):
    rule = L2(Q=jnp.eye(mu.d), K=jnp.eye(mu.d), beta=beta / 2)
    return rule, choose("exact", Flow(Euclidean(), rule), mu)


def _score(x, mu, beta, rule):
    return beta * (rule[0].barycentre(x, mu, summation=rule[1]) - x)


@eqx.filter_jit
def _climbed(x, mu, beta, ts, until, tol, rule):
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(lambda t, y, args: _score(y, mu, beta, rule)),
        diffrax.Tsit5(),
        t0=0.0,
        t1=until,
        dt0=None,
        y0=x,
        saveat=diffrax.SaveAt(ts=ts),
        stepsize_controller=diffrax.PIDController(rtol=tol, atol=tol),
        max_steps=100_000,
        throw=False,
    )
    return solution.ys


@as_annotated
def kde_modes(mu: Particles, *, beta: float, tol: float = 1e-9) -> Float[np.ndarray, "k d"]:
    """The modes of the density that tokens reach by mean shift, in the discrete form x ← Σ w_j y_j, which only climbs."""
    _check(beta)
    x = np.asarray(_ends(mu, _rule(mu, beta), tol / np.sqrt(beta)), float)
    if not np.all(np.isfinite(x)):
        raise BadInput(f"squared distances times beta = {beta:g} leave the range of numbers; scale the tokens down")
    labels = components(x, 1e-3 / np.sqrt(beta))
    return np.stack([x[labels == k].mean(axis=0) for k in range(labels.max() + 1)])


@eqx.filter_jit
def _ends(mu, rule, tol):
    def goes_on(state):
        _, moved, count = state
        return (moved > tol) & (count < 20_000)

    def shift(state):
        x, _, count = state
        new = rule[0].barycentre(x, mu, summation=rule[1])
        return new, jnp.abs(new - x).max(), count + 1

    return jax.lax.while_loop(goes_on, shift, (mu.x, jnp.asarray(jnp.inf, mu.x.dtype), 0))[0]


@as_annotated
def modes_on_line(samples: ArrayLike, *, beta: float) -> int:
    r"""The number of modes of $\sum_i e^{-\beta(x-X_i)^2/2}$ on the line: sign changes of its slope from + to −.

    For n standard normal samples and $n^c\le\beta\le n^{2-c}$ the expected number is of order $\sqrt{\beta\log\beta}$.
    """
    _check(beta)
    y = np.sort(np.asarray(samples, float).ravel()) * np.sqrt(beta)
    # A mode lies within one width of some sample, so gaps without samples need no grid.
    cells = np.unique(np.concatenate([np.floor(y / FINE) + k for k in range(-int(1 / FINE), int(1 / FINE) + 1)]))
    grid = (cells + 0.5) * FINE
    slope = np.concatenate([_slope(part, y) for part in np.array_split(grid, max(1, len(grid) // 2048))])
    is_neighbour = np.diff(cells) == 1
    return int(((slope[:-1] > 0) & (slope[1:] <= 0) & is_neighbour).sum())


def _slope(grid, y):
    """The slope of the density at the points of a piece of the grid, up to a positive factor."""
    low, high = np.searchsorted(y, (grid[0] - REACH, grid[-1] + REACH))
    away = y[low:high][None, :] - grid[:, None]
    nearest = np.abs(away).min(axis=1, keepdims=True)
    return (away * np.exp((nearest**2 - away**2) / 2)).sum(axis=1)
