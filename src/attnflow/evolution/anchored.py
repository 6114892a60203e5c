r"""Rescaled runs to late times: tokens that come close to each other are kept as an anchor and offsets from it.

A follower of a leader v moves with $\dot x_i = Vx_v$, as the leader does: the offset $x_i - x_v$ rests, while
$z_i - z_v = e^{-tV}(x_i - x_v)$ drowns in the rounding of z along growing directions and explodes along decaying ones.
Who leads depends on these differences times $e^{\lambda t}$, so they must stay exact. Derived from arXiv 2305.05465 (3.1).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from scipy.sparse.csgraph import connected_components

from ..flow import check_fits
from ..flow.rescaled import Rescaled
from ..linalg.matrices import is_concrete
from ..measures import Particles
from ..summation.kernel import log_mass
from ..summation.tiled import over_tiles
from .clock import Clock, clock_of
from .options import Options
from .solve import integrate
from .stepping import is_fixed
from .trajectory import CODE, Status, Trajectory

NEAR, LINKED, FAR = 1e-3, 3e-3, 1e-1
"""Distances of tokens x, relative to their size: anchors this near unite all that is linked; offsets this far part."""

CROSSING = 1e-13
"""A jump of the field too sharp for the clock is crossed by one step of this length, relative to the time."""

LONGEST = 0.42
"""Offsets between tokens that both keep moving apart grow like $e^{\\lambda t}$: beyond this power of the largest number
they become anchors."""

MOST_TOKENS = 4096
"""Distances of all pairs are looked at after every step; larger prompts are followed without anchors."""

MOST_STEPS = 20_000
"""Steps between two regroupings; more means that a token slides along a tie, and steps shrink like $e^{-\\lambda t}$."""

SLIDING = (
    "a token slides along a tie between two others, where the equation grows stiff like e^{λt}; the run was stopped"
)

MOST_CROSSINGS = 200
"""Jumps in a row, none of them farther than a millionth of the run, before it is given up."""


class Anchored(eqx.Module):
    """A rescaled flow whose state is c for anchors and the offset $e^{tV}(c_i - c_{a(i)})$ for the tokens near them."""

    flow: Rescaled
    anchor: Int[Array, "n"]
    reach: Float[Array, "n"]
    """Relative offset beyond which a token leaves its anchor."""

    @property
    def state_space(self):
        return self.flow.state_space

    def enter(self, s):
        return s

    def leave(self, s):
        return s

    @property
    def is_anchor(self) -> Bool[Array, "n"]:
        return self.anchor == jnp.arange(len(self.anchor))

    def parts(self, s) -> tuple[Float[Array, "n d"], Float[Array, "n d"]]:
        """Every token's anchor, and its offset."""
        return s[self.anchor], jnp.where(self.is_anchor[:, None], 0, s)

    def coordinates(self, s, t) -> Float[Array, "n d"]:
        """The coordinates c of all tokens."""
        base, offset = self.parts(s)
        return base + self.flow.growth.exp(-t, offset, shift=0.0)

    @property
    def _rate(self):
        return jnp.maximum(self.flow.growth.top, 0)

    def seen(self, s, t) -> Float[Array, "n d"]:
        r"""Tokens $e^{-\sigma t}x$, with σ the largest growth rate, or 0."""
        base, offset = self.parts(s)
        return self.flow.growth.exp(t, base, shift=self._rate) + jnp.exp(-self._rate * t) * offset

    def weights(self, mu: Particles, t) -> Float[Array, "n n"]:
        """The attention matrix P."""
        return self._over_rows(mu, t, lambda weights, own: weights)

    def field(self, mu: Particles, t, summation) -> Float[Array, "n d"]:
        growth, d = self.flow.growth, mu.d
        base, offset = self.parts(mu.x)

        def heard(weights, own):
            """Anchors relative to the own one, and offsets: equal anchors leave no rounding."""
            others = jnp.where(self.anchor[None] == self.anchor[own][:, None], 0, weights)
            far = others @ base - others.sum(axis=1, keepdims=True) * base[own]
            return jnp.concatenate([far, weights @ offset], axis=1)

        both = self._over_rows(mu, t, heard)
        far, near = both[:, :d], both[:, d:]
        slow = far + growth.exp(-t, near, shift=0.0)
        fast = growth.exp(t, far, shift=0.0) + near
        return self.flow.drift.apply(jnp.where(self.is_anchor[:, None], slow, fast - fast[self.anchor]))

    def _over_rows(self, mu, t, read):
        """`read` on the weights of tiles of rows, and on which rows they are."""
        s, sigma = mu.x, self._rate
        base, offset = self.parts(s)
        log_m = log_mass(mu.mass)
        pull = self.seen(s, t) @ self.flow.scores(s)
        turned = self.flow.growth.exp(t, pull, shift=sigma, transpose=True)
        # Far beyond the range of exponentials, and products with the longest offsets still are numbers.
        most = 0.49 * np.log(float(jnp.finfo(s.dtype).max))
        between, within = jnp.exp(jnp.minimum(2 * sigma * t, most)), jnp.exp(jnp.minimum(sigma * t, most))
        shrink = jnp.exp(-sigma * t)

        def rows(listeners):
            pull, turned, own = listeners
            far, near = turned @ base.T, pull @ offset.T

            def gaps(best):
                """Scores less the best one; tokens of one anchor differ by their offsets alone."""
                less = lambda scores: scores - jnp.take_along_axis(scores, best[:, None], axis=1)  # noqa: E731
                is_same = self.anchor[None] == self.anchor[best][:, None]
                return jnp.where(is_same, within * less(near), between * less(far + shrink * near)) + log_m

            first = jnp.argmax(jnp.where(log_m > -jnp.inf, far, -jnp.inf), axis=1)
            return read(jax.nn.softmax(gaps(jnp.argmax(gaps(first), axis=1)), axis=1), own)

        return over_tiles(rows, (pull, turned, jnp.arange(mu.n)), max(16, min(mu.n, 2**20 // mu.n + 1)))

    def stops(self, s, t) -> Bool[Array, ""]:
        """Whether anchors have come near each other, or a token has left its anchor."""
        base = self.flow.growth.exp(t, s[self.anchor], shift=self._rate)
        size = jnp.linalg.norm(base, axis=1)
        pairs = self.is_anchor[:, None] & self.is_anchor[None] & ~jnp.eye(len(size), dtype=bool)
        offset = jnp.exp(-self._rate * t) * jnp.linalg.norm(self.parts(s)[1], axis=1)
        longest = _longest(self._rate * t, s.dtype)
        farthest = jnp.minimum(self.reach * size, 5 * longest)
        return jnp.any(pairs & _is_near(base, size, NEAR, longest)) | jnp.any(offset > farthest)


def _longest(log_scale, dtype):
    """The longest offset, seen from afar."""
    return jnp.exp(LONGEST * np.log(float(jnp.finfo(dtype).max)) - log_scale)


def _is_near(x, size, share, longest):
    """Pairs nearer than a share of their size, and than the longest offset."""
    square = jnp.sum(x * x, axis=1)
    apart = jnp.sqrt(jnp.maximum(square[:, None] + square[None] - 2 * x @ x.T, 0))
    larger = jnp.maximum(size[:, None], size[None])
    # The square of a distance is known up to rounding of the sizes.
    return (apart < share * larger) & (jnp.maximum(apart, 1e-7 * larger) < longest)


class Close(NamedTuple):
    """Tokens at the saved times as anchors and offsets: exact where z cannot tell tokens apart."""

    anchor: np.ndarray
    state: np.ndarray

    def attention(self, run: Trajectory, index: int) -> np.ndarray:
        """P at the saved time of that index."""
        flow = Anchored(run.flow, jnp.asarray(self.anchor[index]), jnp.full(self.anchor.shape[1], FAR))
        mu: Any = run.at(index)
        return np.asarray(_weights(flow, mu.moved_to(jnp.asarray(self.state[index])), run.ts[index]))

    def coordinates(self, run: Trajectory, index: int) -> np.ndarray:
        """The coordinates of z in the basis of the flow."""
        flow = Anchored(run.flow, jnp.asarray(self.anchor[index]), jnp.full(self.anchor.shape[1], FAR))
        return np.asarray(flow.coordinates(jnp.asarray(self.state[index]), run.ts[index]))


@eqx.filter_jit
def _weights(flow, mu, t):
    return flow.weights(mu, t)


@eqx.filter_jit
def _look(flow, mu, t):
    """What regrouping needs: tokens as they are seen, coordinates, self-attention, and the field."""
    P = flow.weights(mu, t)
    return flow.seen(mu.x, t), flow.coordinates(mu.x, t), jnp.diagonal(P), flow.field(mu, t, None)


@eqx.filter_jit
def _offsets(flow, s, anchor, t):
    """Offsets of all tokens from other anchors."""
    base, offset = flow.parts(s)
    return flow.flow.growth.exp(t, base - base[anchor], shift=0.0) + offset - offset[anchor]


def needs_anchors(flow, mu, options) -> bool:
    """Whether late times need offsets: V is a matrix, weights are soft, and the run is an adaptive one of known numbers."""
    return (
        isinstance(flow, Rescaled)
        and flow.basis is not None
        and mu.n <= MOST_TOKENS
        and flow.attention.rescaled_weights == "soft"
        and not is_fixed(options.method)
        and options.steady is None
        and is_concrete(flow, mu, options.until, options.start)
    )


def evolve_anchored(flow: Rescaled, mu: Particles, options: Options) -> Trajectory:
    """A rescaled run with tokens kept exact relative to the tokens they are close to."""
    check_fits(flow, mu)
    clock, dtype = clock_of(options, flow, mu=mu), mu.x.dtype
    clock = clock.planned(is_merging=True, max_steps=min(options.max_steps, MOST_STEPS))
    ts = np.asarray(clock.ts)[: clock.kept]
    anchored = Anchored(flow, jnp.arange(mu.n), jnp.full(mu.n, FAR, dtype))
    here = mu.moved_to(flow.enter(mu.x))
    rows, t, steps, rejected, crossings = {}, float(options.start), 0, 0, []
    while True:
        saved, ending = _segment(anchored, here, clock=clock, t=t)
        rows |= {k: (np.asarray(anchored.anchor), s) for k, s in saved.items()}
        t, steps, rejected = float(ending.t), steps + int(ending.steps), rejected + int(ending.rejected)
        here, code = here.moved_to(ending.x), int(ending.code)
        if code == CODE["TOUCH"] and t >= float(np.asarray(options.until, dtype)):
            # Anchors met in the very last step: the run is over, and its end may not have been saved.
            rows |= {int(k): (np.asarray(anchored.anchor), np.asarray(here.x)) for k in np.flatnonzero(ts >= t)}
            code = CODE["DONE"]
        if code == CODE["STEP_TOO_SMALL"] and not _is_stuck(crossings, t, options):
            t, here = _crossed(anchored, here, t, float(options.until))
            crossings.append(t)
        elif code == CODE["TOUCH"]:
            anchored, here = _regrouped(anchored, here, t)
        else:
            break
        if steps > options.max_steps:
            code = CODE["OUT_OF_STEPS"]
            break
    end = (np.asarray(anchored.anchor), np.asarray(here.x))
    how = Status(jnp.asarray(code), jnp.asarray(t)), jnp.asarray(steps), jnp.asarray(rejected)
    return _trajectory(flow, mu, ts=ts, rows=rows, end=end, how=how)


def _is_stuck(crossings, t, options) -> bool:
    recent = crossings[-MOST_CROSSINGS:]
    return len(recent) == MOST_CROSSINGS and t - recent[0] < 1e-6 * (options.until - options.start)


def _crossed(flow, here, t, until):
    share = max(CROSSING, 4 * float(jnp.finfo(here.x.dtype).eps))
    step = min(share * max(abs(until), abs(t)), until - t)
    v = _look(flow, here, jnp.asarray(t, here.x.dtype))[-1]
    return t + step, here.moved_to(here.x + step * v)


def _segment(flow: Anchored, here: Particles, *, clock: Clock, t):
    """Integrate until anchors meet or part, or the run ends."""
    ts, states, ending = integrate(flow, here, clock=clock.onward(t), summation=None)
    reached = np.isfinite(np.asarray(ts)) & (np.asarray(clock.ts) >= t)
    states = np.asarray(states)
    return {int(k): states[k] for k in np.flatnonzero(reached[: clock.kept])}, ending


def _regrouped(flow: Anchored, here: Particles, t):
    """Groups of linked tokens, each anchored at the token that listens most to itself."""
    now = jnp.asarray(t, here.x.dtype)
    seen, c, self_weight, _ = (np.asarray(part) for part in _look(flow, here, now))
    size = np.linalg.norm(seen, axis=1)
    rate = max(float(flow.flow.growth.top), 0.0)
    linked = np.asarray(_is_near(jnp.asarray(seen), jnp.asarray(size), LINKED, 3 * _longest(rate * t, here.x.dtype)))
    label = connected_components(linked, directed=False)[1]
    order = np.argsort(-self_weight, kind="stable")
    _, first = np.unique(label[order], return_index=True)
    anchor = order[first][label]
    offset = np.asarray(_offsets(flow, here.x, jnp.asarray(anchor), now))
    is_anchor = anchor == np.arange(len(anchor))
    apart = np.exp(-rate * t) * np.linalg.norm(offset, axis=1) / np.maximum(size[anchor], 1e-300)
    reach = jnp.asarray(np.maximum(FAR, 2 * apart), here.x.dtype)
    state = jnp.asarray(np.where(is_anchor[:, None], c, offset), here.x.dtype)
    return Anchored(flow.flow, jnp.asarray(anchor), reach), here.moved_to(state)


def _trajectory(flow, mu, *, ts, rows, end, how) -> Trajectory:
    order, (status, steps, _) = sorted(rows), how
    times, states = list(ts[order]), [rows[k] for k in order]
    if int(status.code) != CODE["DONE"] and (not order or times[-1] < float(status.time)):
        times.append(float(status.time))
        states.append(end)
    close = Close(*(np.stack(part) for part in zip(*states)))
    times = jnp.asarray(np.array(times), mu.x.dtype)
    x = flow.leave(_all_coordinates(flow, jnp.asarray(close.anchor), jnp.asarray(close.state), times))
    x_and_mass = (x, jnp.broadcast_to(mu.mass, x.shape[:-1]))
    states = eqx.tree_at(lambda m: (m.x, m.mass), mu, x_and_mass)
    notes = (SLIDING,) if int(status.code) == CODE["OUT_OF_STEPS"] and int(steps) >= MOST_STEPS else ()
    return Trajectory(times, states, flow, *how, notes=notes, close=close)


@eqx.filter_jit
def _all_coordinates(flow, anchor, state, ts):
    one = lambda a, s, t: Anchored(flow, a, jnp.zeros(len(a))).coordinates(s, t)  # noqa: E731
    return jax.vmap(one)(anchor, state, ts)
