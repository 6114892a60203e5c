r"""Sliding along ties: rows whose weights are what keeps a tie, once the layer around it is too thin for steps.

Where a row prefers two tokens alike and following either makes the other better, the token stays at the tie. The logits
$L_k = \log(q_k/q_0)$ of the tied tokens obey $\dot L = S(Aq + b)$, with S growing like $e^{2\sigma t}$. While rounding is
finer than the layer, implicit steps follow it (`stiff.py`); after that $\dot L/S$ is below all tolerance, and q solves
$Aq + b = 0$. With S = ∞ (hardmax) this is Filippov's sliding mode. Derived from arXiv 2305.05465 (3.1).
"""

from __future__ import annotations

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from ...measures import Particles
from ...summation.kernel import log_mass
from .anchored import Anchored
from .pressed import AWAY, Fate, Point, fate, outward, settled

RETURN = 1.0
"""The rate at which what integration errors took from a tie comes back."""

SILENT = 40.0
"""Tokens outside a tie are so many logits below it; nearer ones end the slide."""

RESOLVED = 1e11
"""Rows whose logits are larger than this are lost in the rounding of tokens."""


SLOWEST = 1e10
"""The rate of return at which rows are held at every tolerance: implicit steps soon lose them in rounding."""


def slowest_held(tol):
    """The slowest rate of return at which a row is held."""
    return jnp.minimum(1 / tol, SLOWEST)


class Ties(NamedTuple):
    """Pairs of tied tokens: row k prefers `token[k]` and `first[k]` alike, each with the tokens too close to tell apart."""

    row: Int[Array, "k"]
    """The listener; n where the line is padding."""
    token: Int[Array, "k"]
    first: Int[Array, "k"]
    beside: Bool[Array, "k n"]
    """Which tokens go with `token`."""
    ahead: Bool[Array, "k n"]
    """Which tokens go with `first`."""
    outside: Bool[Array, "k n"]
    """Which tokens are in no group of the row."""
    leader: Int[Array, "n"]
    """What each listener hears best."""
    rivals: Bool[Array, "n n"]
    """Which tokens may take its place, for rows that are not held."""
    pressed: Int[Array, "p"]
    """Listeners at a point where all their scores vanish; n where the entry is padding. A hard one is at 0 and hears itself."""
    fast: Bool[Array, "d"]
    """Coordinates in which they are pressed."""


class Balance(NamedTuple):
    """Weights of tied tokens, and the matrix A of their equation."""

    q: Float[Array, "k"]
    """What rows give to `token` and take from `first`."""
    A: Float[Array, "k k"]
    b: Float[Array, "k"]
    """What tied tokens gain on the first one where all listen to that."""
    size: Float[Array, "k"]
    """What the entries of A could be at most, by the lengths of what they are products of."""
    omega: Float[Array, "p d"]
    """Logits of rows pressed to a point, in the coordinates of tokens."""
    P: Float[Array, "n n"]
    """All weights."""


class Sliding(eqx.Module):
    """An anchored flow with some rows held at ties."""

    flow: Anchored
    ties: Ties
    prompt: Particles
    """For its masses."""
    tol: Float[Array, ""]

    def field(self, mu: Particles, t, summation) -> Float[Array, "n d"]:
        return self._moved(t, mu.x, self.balance(mu.x, t).P)

    def weights(self, mu: Particles, t) -> Float[Array, "n n"]:
        """The attention matrix P."""
        return self.balance(mu.x, t).P

    def room(self, found: Balance, s, t) -> tuple[Float[Array, "k"], Float[Array, "p"]]:
        """The smaller of the weights of a line, less what it is off by; and positive where rows at points return fast enough."""
        share = lambda group: jnp.sum(jnp.where(group, found.P[self._own], 0), axis=1)  # noqa: E731
        lines = jnp.minimum(share(self.ties.beside), share(self.ties.ahead))
        if self.flow.is_hard:
            # Whether hard rows stay at their points is asked elsewhere.
            return lines, jnp.ones(len(self.ties.pressed), s.dtype)
        slowest = slowest_held(self.tol)
        rate = self.flow.scale(s, t) * jnp.abs(jnp.diagonal(found.A))
        points = jnp.nan_to_num(1 - slowest / jnp.maximum(self.returns(found, s, t), 0), nan=-1.0)
        # Logits move by 1/q: weights are off by 1/(q·rate), which only matters where it is more than q itself.
        lines = jnp.where(rate < slowest, -1.0, lines - rate**-0.5)
        return lines, jnp.where(self.ties.pressed < self.prompt.n, points, 1.0)

    def returns(self, found: Balance, s, t) -> Float[Array, "p"]:
        """The slowest rate of return of rows at points."""
        return self.flow.scale(s, t) * jax.vmap(Point.slowest)(self._points(t, s), found.omega)

    def returning(self, s, t) -> Float[Array, ""]:
        """Positive while hard rows come back to their points."""
        away, _ = jax.vmap(outward)(self._points(t, s))
        return AWAY - jnp.max(jnp.where((self.ties.pressed < self.prompt.n)[:, None], away, -1.0))

    def fates(self, s, t) -> Fate:
        """What becomes of hard rows at points."""
        return jax.vmap(fate)(self._points(t, s))

    def _moved(self, t, s, P):
        return self.flow.moved(self.flow.heard(P, s, jnp.arange(len(s))), t)

    @property
    def _own(self):
        """The listeners; some row for what is padding."""
        return jnp.minimum(self.ties.row, self.prompt.n - 1)

    def _within(self, t, s, best, group):
        """Weights among the tokens of a group, and the logarithm of its weight against the one of `best`."""
        gaps, size = self.flow.gaps(s, t, self._own, best)
        log_m = jnp.where(group, log_mass(self.prompt.mass), -jnp.inf)
        return self.flow.shares(gaps, size, log_m), jax.nn.logsumexp(gaps + log_m, axis=1)

    def _points(self, t, s) -> Point:
        """All rows pressed to a point."""
        flow, fast, own = self.flow, self.ties.fast, jnp.minimum(self.ties.pressed, self.prompt.n - 1)
        u, scores = flow.seen(s, t), flow.flow.scores(s)
        pull, T = u[own] @ scores, flow.flow.drift.apply(jnp.eye(len(fast), dtype=s.dtype)) @ scores
        base = log_mass(self.prompt.mass) + flow.scale(s, t) * jnp.where(fast, 0, pull) @ u.T
        # As S grows like e^{2σt} and tokens are seen to shrink, ω = S·pull moves by S(motion + σ·pull).
        wanted = -(flow.rate + RETURN) * pull
        over = lambda base, wanted: Point(u, base, T, wanted, fast)  # noqa: E731
        return jax.vmap(over)(base, jnp.broadcast_to(wanted, pull.shape))

    def balance(self, s, t) -> Balance:
        """The weights that keep the ties, or bring rows back to them."""
        t, flow, ties, own = jnp.asarray(t, s.dtype), self.flow, self.ties, self._own
        points = self._points(t, s)
        omega = jnp.zeros_like(points.wanted) if flow.is_hard else jax.vmap(settled)(points)
        first, ahead = self._within(t, s, ties.first, ties.ahead)
        token, beside = self._within(t, s, ties.token, ties.beside)
        P, C = flow.weights(self.prompt.moved_to(s), t).at[ties.row].set(first, mode="drop"), token - first
        kept = jnp.eye(len(s), dtype=s.dtype)[ties.pressed] if flow.is_hard else jax.vmap(Point.weights)(points, omega)
        P = P.at[ties.pressed].set(kept, mode="drop")
        u, V = flow.seen(s, t), flow.flow.drift.apply
        apart, heard = flow.apart(C, s, t, ties.first), flow.apart(C @ P, s, t, jnp.argmax(P, axis=1)[ties.first])
        pull, turned = u[own] @ flow.flow.scores(s), V(apart) @ flow.flow.scores(s)
        same = ties.row[:, None] == ties.row[None]
        A = same * (apart @ turned.T) + (pull @ V(apart).T) * C[:, own]
        length = lambda rows: jnp.linalg.norm(rows, axis=1)  # noqa: E731
        size = length(apart) * length(turned) + length(pull) * length(V(apart))
        b = jnp.sum((V(P @ u)[own] @ flow.flow.scores(s)) * apart + pull * V(heard), axis=1)
        off = flow.lead(s, t, own, ties.token, ties.first)
        if not flow.is_hard:
            off = off + (beside - ahead) / flow.scale(s, t)
        q = self._solved(A, -RETURN * off - b)
        P = P.at[ties.row].add(q[:, None] * C, mode="drop")
        return Balance(q, A, b, size, omega, P)

    def _solved(self, A, wanted):
        """Aq = wanted, and q = 0 for padding."""
        is_tie = self.ties.row < self.prompt.n
        A = jnp.where(is_tie[:, None] & is_tie[None], A, jnp.eye(len(A), dtype=A.dtype))
        size = jnp.maximum(jnp.max(jnp.abs(A), axis=1), jnp.finfo(A.dtype).tiny)
        return jnp.linalg.solve(A / size[:, None], jnp.where(is_tie, wanted / size, 0))

    def grip(self, found: Balance) -> Float[Array, ""]:
        """Positive while hard rows that leave their ties a little are led back: zero where nothing tells the weights."""
        if not self.flow.is_hard:
            return jnp.ones((), found.A.dtype)
        is_tie, tiny = self.ties.row < self.prompt.n, jnp.finfo(found.A.dtype).tiny
        A = found.A / jnp.maximum(found.size, tiny)[:, None]
        return jnp.linalg.det(jnp.where(is_tie[:, None] & is_tie[None], -A, jnp.eye(len(A), dtype=A.dtype)))

    def margins(self, found: Balance, s, t) -> tuple[Float[Array, "k"], Float[Array, "p"]]:
        """Positive for every line of the ties until a tied token leaves, or another token joins; and for rows at points."""
        stays, points = self.room(found, s, t)
        return jnp.where(self.ties.row < self.prompt.n, jnp.minimum(stays, self._unmatched(s, t)), 1.0), points

    def _unmatched(self, s, t) -> Float[Array, "k"]:
        """Positive until a token is heard as well as a tied one; tokens of one anchor are compared with each other alone."""
        ties, anchor = self.ties, self.flow.anchor
        is_beside = lambda token: anchor[None] == anchor[token][:, None]  # noqa: E731

        def behind(best, others):
            gaps, size = sized(self.flow, s, t, self._own, best)
            # Where logits are lost in rounding, and for hard rows, a token has joined once its score is above the tie.
            is_lost = (size >= RESOLVED) | self.flow.is_hard
            level = jnp.where(is_lost, self.tol, -SILENT / size)
            return jnp.min(jnp.where(others & (self.prompt.mass > 0), level - gaps / size, 1.0), axis=1)

        far = behind(ties.first, ties.outside & (is_beside(ties.first) | ~is_beside(ties.token)))
        return jnp.minimum(far, behind(ties.token, ties.outside & is_beside(ties.token)))

    def switching(self, s, t) -> Float[Array, ""]:
        """Positive until a row that is not held has another leader: steps might not notice so short a turn."""
        behind = led(self.flow, self.prompt.moved_to(s), t, self.ties.leader)[1]
        return jnp.min(jnp.where(self.ties.rivals, -behind, 1.0))


def led(flow: Anchored, mu: Particles, t, leader) -> tuple[Float[Array, "n n"], Float[Array, "n n"]]:
    """By how much every row hears tokens better than its leader, in logits and against the largest of the row."""
    (gaps, size), log_m = sized(flow, mu.x, t, jnp.arange(mu.n), leader), log_mass(mu.mass)
    # A hard row hears nobody of mass 0, and for the rest masses do not matter.
    more = jnp.where(log_m > -jnp.inf, 0, log_m) if flow.is_hard else log_m - log_m[leader][:, None]
    return gaps + more, (gaps + more) / size


def sized(flow: Anchored, s, t, own, best) -> tuple[Float[Array, "k n"], Float[Array, "k n"]]:
    """Logits less those of the best tokens, and the largest of their row, or of those of the same anchor."""
    gaps, least = flow.logits(s, t, own, best), jnp.finfo(s.dtype).tiny
    largest = lambda part: jnp.max(jnp.abs(part), axis=1, keepdims=True) + least  # noqa: E731
    is_beside = flow.anchor[None] == flow.anchor[best][:, None]
    return gaps, jnp.where(is_beside, largest(jnp.where(is_beside, gaps, 0)), largest(gaps))
