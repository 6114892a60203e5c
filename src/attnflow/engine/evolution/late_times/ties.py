"""Which rows slide along ties: found from who gains on whom."""

from __future__ import annotations

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from scipy.sparse.csgraph import connected_components

from ...linalg.matrix_exponential import Blocks
from ...measures import Particles
from .anchored import Anchored, look
from .calls import repeated
from .game import Game, Rows
from .pressed import Fate
from .sliding import RESOLVED, Sliding, Ties, led, slowest_held
from .stiff import Slopes

CLOSE, CLOSER, NEAR = 100.0, 3.0, 10.0
"""In tolerances: scores this close count as tied, of hard rows, which steps cross, and of soft ones, which they follow; tokens
this near go together."""

ROUNDING = 1e-13
"""Differences of scores below this, against the largest of a row, are none."""

OVER = 1e-8
"""Margins of weights below this are none."""

FASTER = 4.0
"""By how much tokens must differ more in a coordinate than it takes to be held there: what is heard may lie closer together."""


def slide(flow: Anchored, mu: Particles, t: float, *, tol: float, rows: Rows) -> Rows:
    """The rows that slide at this time, given those that did: no tied token gains on those that are heard, and several are."""
    points = _at_points(flow, mu, t, tol, rows)
    fates = _fates(flow, mu, t, tol, list(points))
    points = {i: [] for i in points if not flow.is_hard or fates[i].is_kept}
    tied = {i: tokens for i, tokens in _tied(flow, mu, t, tol, rows).items() if i not in points}
    if not tied:
        return _all_lasting(flow, mu, t, tol, points)
    game = _game(held(flow, mu, t, tol=tol, rows=points | tied), mu, t, tied)
    found = game.settled({i: rows.get(i) or tokens[:1] for i, tokens in tied.items()})
    return _all_lasting(flow, mu, t, tol, points | found)


def held(flow: Anchored, mu: Particles, t: float, *, tol: float, rows: Rows) -> Anchored | Sliding:
    """The flow with these rows held at their ties."""
    together = _together(flow, mu, t, tol)
    if not (rows := _apart(rows, together)):
        return flow
    pressed, fast = _rows_at_points(rows, mu.n), jnp.asarray(_is_fast(flow, mu, t, tol))
    ties = Ties(*_lines(rows, together, _is_same(flow), *_rivals(flow, mu, t)), pressed=pressed, fast=fast)
    return Sliding(flow, ties, mu, jnp.asarray(tol, mu.x.dtype))


def _rows_at_points(rows: Rows, n: int):
    """The rows at points, filled up so that few numbers of them are compiled."""
    found = [i for i, tokens in rows.items() if not tokens]
    size = 1 << (len(found) - 1).bit_length() if found else 0
    return jnp.asarray(found + [n] * (size - len(found)), int)


def _is_fast(flow: Anchored, mu: Particles, t, tol: float) -> np.ndarray:
    """Coordinates in which a row at a point returns faster than steps can follow; those of one growth rate go together."""
    if flow.is_hard:
        return np.ones(mu.d, bool)
    seen, scores = np.asarray(look(flow, mu, _now(mu, t))[0]), np.asarray(flow.flow.scores(mu.x))
    growth, size = flow.flow.growth, np.linalg.norm(np.asarray(flow.flow.drift.apply(jnp.eye(mu.d))) @ scores)
    rate = np.asarray(growth.a) if isinstance(growth, Blocks) else np.zeros(mu.d)
    spread = np.array([seen[:, rate == one].var(axis=0).max() for one in rate])
    return float(flow.scale(mu.x, t)) * spread * size > FASTER * slowest_held(tol)


def _rivals(flow: Anchored, mu: Particles, t: float) -> tuple[np.ndarray, np.ndarray]:
    """What each row hears best, and which tokens it hears less by more than rounding."""
    now = _now(mu, t)
    leader = _leads(flow, mu, now, look(flow, mu, now)[4].argmax(axis=1))[0].argmax(axis=1)
    return np.asarray(leader), np.asarray(_leads(flow, mu, now, leader)[1] < -ROUNDING)


def slopes(flow: Sliding) -> Slopes:
    """Of a flow with rows held, for explicit steps until anchors or ties change."""
    dtype, same = flow.prompt.x.dtype, lambda t, s: np.asarray(s, flow.prompt.x.dtype)
    at = lambda t, s: (np.asarray(t, dtype), np.asarray(s, dtype))  # noqa: E731
    field, ahead, returning = (repeated(one, flow) for one in (_field, _ahead, _returning))
    asked = (ahead, returning) if flow.flow.is_hard and len(flow.ties.pressed) else (ahead,)
    watch = lambda t, s: min(float(one(*at(t, s))) for one in asked)  # noqa: E731
    return Slopes(same, same, lambda t, s: np.asarray(field(*at(t, s))), watch, None, np.asarray(flow.flow.sizes()))


def _returning(flow: Sliding, t, s):
    return flow.returning(s, t)


def undetermined(flow: Anchored, mu: Particles, t: float, *, tol: float, rows: Rows) -> list[int]:
    """Hard rows at points that they need not leave, and may leave in several ways; a row that only comes near is not one."""
    near = set(np.flatnonzero(_is_zero(flow, mu, t, tol / CLOSE))) | {i for i, tokens in rows.items() if not tokens}
    return [i for i, fate in _fates(flow, mu, t, tol, sorted(map(int, near))).items() if not fate.is_told]


def _fates(flow: Anchored, mu: Particles, t: float, tol: float, points: list[int]) -> dict[int, Fate]:
    """What becomes of hard rows at 0."""
    trial = held(flow, mu, t, tol=tol, rows={i: [] for i in points}) if points and flow.is_hard else flow
    if not isinstance(trial, Sliding):
        return {}
    found = [np.asarray(part) for part in _all_fates(trial, mu.x, _now(mu, t))]
    return {i: Fate(*each) for i, *each in zip(points, *found)}


@eqx.filter_jit
def _all_fates(flow: Sliding, s, t):
    return flow.fates(s, t)


def is_near_others(flow: Anchored, mu: Particles, t: float) -> bool:
    """Whether anchors have come near each other, or a token has left its anchor."""
    return bool(_stops(flow, mu.x, _now(mu, t)))


@eqx.filter_jit
def _stops(flow: Anchored, s, t):
    return flow.stops(s, t)


def lasting(flow: Sliding, mu: Particles, t: float, rows: Rows) -> Rows:
    """The rows whose ties go on."""
    lines, points = (np.asarray(part) for part in measured(flow, mu, _now(mu, t))[2])
    ended = np.asarray(flow.ties.row)[lines < OVER], np.asarray(flow.ties.pressed)[points < OVER]
    over = set(np.concatenate(ended).tolist())
    return {i: tokens for i, tokens in rows.items() if i not in over}


def _now(mu, t):
    return jnp.asarray(t, mu.x.dtype)


def _together(flow: Anchored, mu: Particles, t, tol: float) -> np.ndarray:
    """Which tokens are too close to be tied with each other; those of one anchor are told apart by their offsets, once steps
    cannot follow what they are heard with."""
    seen, is_same = np.asarray(look(flow, mu, _now(mu, t))[0]), _is_same(flow)
    near = lambda x, size: np.linalg.norm(x[:, None] - x[None], axis=-1) <= NEAR * tol * size  # noqa: E731
    together = is_same | near(seen, np.linalg.norm(seen, axis=1).max())
    width = _width(flow, np.asarray(flow.parts(mu.x)[1]))
    loudest = float(jnp.sqrt(flow.scale(mu.x, t))) * _pull(flow, mu, seen).max() * width
    is_apart = is_same & (flow.is_hard | (loudest > RESOLVED))
    return _linked(np.where(is_apart, near(np.asarray(flow.parts(mu.x)[1]), width[:, None]), together))


def _is_same(flow: Anchored) -> np.ndarray:
    """Which tokens have one anchor."""
    anchor = np.asarray(flow.anchor)
    return anchor[:, None] == anchor[None]


def _width(flow: Anchored, offset: np.ndarray) -> np.ndarray:
    """The longest offset beside each token."""
    return np.where(_is_same(flow), np.linalg.norm(offset, axis=1), 0).max(axis=1)


def _linked(close: np.ndarray) -> np.ndarray:
    label = connected_components(close, directed=False)[1]
    return label[:, None] == label[None]


def _apart(rows: Rows, together: np.ndarray) -> Rows:
    """The rows whose tied tokens have not come together meanwhile."""
    return {i: tokens for i, tokens in rows.items() if not np.triu(together[np.ix_(tokens, tokens)], 1).any()}


def _lines(rows: Rows, together: np.ndarray, is_same: np.ndarray, leader: np.ndarray, is_less: np.ndarray):
    """The lines of the ties, filled up so that few numbers of them are compiled; tokens of one anchor share lines."""
    n = len(together)
    lines = [
        (i, token, next((other for other in tokens[:k] if is_same[token, other]), tokens[0]))
        for i, tokens in rows.items()
        for k, token in enumerate(tokens)
        if k
    ]
    size = 4
    while size < len(lines):
        size *= 4
    row, token, first = np.array(lines + [(n, 0, 0)] * (size - len(lines))).T
    outside = np.array([~together[rows.get(int(i), [0])].any(axis=0) for i in row])
    rivals = ~together[leader] & is_less & ~np.isin(np.arange(n), list(rows))[:, None]
    return map(jnp.asarray, (row, token, first, together[token], together[first], outside, leader, rivals))


@eqx.filter_jit
def _leads(flow: Anchored, mu: Particles, t, leader):
    return led(flow, mu, t, leader)


def _field(flow: Sliding, t, s):
    return flow.field(flow.prompt.moved_to(s), t, None)


def _ahead(flow: Sliding, t, s):
    return measured(flow, flow.prompt.moved_to(s), t)[3]


@eqx.filter_jit
def measured(flow: Sliding, mu: Particles, t):
    """The balance of the ties, the room that it is good in, the margins, and whether all goes on."""
    found = flow.balance(mu.x, t)
    margins = flow.margins(found, mu.x, t)
    ahead = jnp.minimum(jnp.min(jnp.concatenate(margins)), jnp.minimum(flow.switching(mu.x, t), flow.grip(found)))
    return found, flow.room(found, mu.x, t), margins, jnp.where(flow.flow.stops(mu.x, t), -1.0, ahead)


def _game(flow, mu, t, tied: Rows) -> Game:
    """What tied tokens gain on each other."""
    now, row = measured(flow, mu, _now(mu, t))[0], np.asarray(flow.ties.row)
    is_line = row < mu.n
    lines = [np.asarray(part)[is_line].tolist() for part in (row, flow.ties.token, flow.ties.first)]
    return Game(np.asarray(now.A)[np.ix_(is_line, is_line)], np.asarray(now.b)[is_line], list(zip(*lines)), tied)


def _at_points(flow, mu, t, tol, rows) -> Rows:
    """Rows that were at a point, or whose scores are all lost in the error of tokens."""
    if flow.is_hard:
        return {int(i): [] for i in np.flatnonzero(_is_zero(flow, mu, t, tol))}
    pull = _pull(flow, mu, np.asarray(look(flow, mu, _now(mu, t))[0]))
    return {i: [] for i in range(mu.n) if rows.get(i) == [] or pull[i] <= CLOSE * tol * pull.max()}


def _is_zero(flow, mu, t, tol) -> np.ndarray:
    """Which tokens are 0 up to their error; coordinates may differ by all that their growth does."""
    size = np.abs(np.asarray(look(flow, mu, _now(mu, t))[0]))
    return (size <= CLOSE * tol * size.max(axis=0)).all(axis=1)


def _all_lasting(flow, mu, t, tol, rows: Rows) -> Rows:
    """The rows whose ties go on when no others are held; hard ones were found by just that."""
    if flow.is_hard:
        return rows
    trial = held(flow, mu, t, tol=tol, rows=rows)
    kept = lasting(trial, mu, t, rows) if isinstance(trial, Sliding) else {}
    return kept if len(kept) in (0, len(rows)) else _all_lasting(flow, mu, t, tol, kept)


def _tied(flow, mu, t, tol, rows) -> Rows:
    """Tokens whose scores are as good as the best, for rows with several; the best first."""
    together, everybody = _together(flow, mu, t, tol), jnp.arange(mu.n)
    seen, *_, P = (np.asarray(part) for part in look(flow, mu, _now(mu, t)))
    gaps, terms = _gaps(flow, mu, _now(mu, t), everybody, jnp.asarray(P.argmax(axis=1)))
    gaps = np.where(np.asarray(mu.mass) > 0, gaps, -np.inf)
    size = np.maximum(_largest(gaps), terms) if flow.is_hard else _largest_scores(flow, mu, t, seen)
    is_tied = (gaps >= -_close(flow, tol) * size) & _is_best_beside(flow, mu, t, tol)
    near = np.where(is_tied, 2 + gaps / np.maximum(size, 1e-300), 0.0)
    for i, tokens in rows.items():
        near[i, tokens] = 3.0 + np.arange(len(tokens), 0, -1)
    found = {i: _loudest(near[i], together) for i in range(mu.n)}
    return {i: tokens for i, tokens in found.items() if len(tokens) > 1}


def _loudest(weights, together) -> list[int]:
    """One token of each group that a row hears, the loudest first."""
    found: list[int] = []
    for j in np.argsort(-weights, kind="stable"):
        if weights[j] > 0 and not together[j, found].any():
            found.append(int(j))
    return found


def _is_best_beside(flow, mu, t, tol) -> np.ndarray:
    """Which tokens score as good as the best of their anchor, judged by their offsets."""
    offset, is_same = np.asarray(flow.parts(mu.x)[1]), _is_same(flow)
    pull = np.asarray(look(flow, mu, _now(mu, t))[0]) @ np.asarray(flow.flow.scores(mu.x))
    score = np.where(np.asarray(mu.mass) > 0, pull @ offset.T, -np.inf)
    best = np.stack([score[:, row].max(axis=1) for row in is_same], axis=1)
    return score >= best - _close(flow, tol) * np.linalg.norm(pull, axis=1)[:, None] * _width(flow, offset)


def _close(flow: Anchored, tol: float) -> float:
    return (CLOSE if flow.is_hard else CLOSER) * tol


def _largest(gaps) -> np.ndarray:
    return np.abs(np.where(np.isfinite(gaps), gaps, 0)).max(axis=1, keepdims=True)


def _largest_scores(flow, mu, t, seen) -> np.ndarray:
    """What the scores of each row could be at most: a row may be at right angles to all that differs in what it sees."""
    return float(flow.scale(mu.x, t)) * _pull(flow, mu, seen)[:, None] * np.linalg.norm(seen, axis=1).max()


def _pull(flow, mu, seen) -> np.ndarray:
    """The length of every row's pull."""
    return np.linalg.norm(seen @ np.asarray(flow.flow.scores(mu.x)), axis=1)


@eqx.filter_jit
def _gaps(flow, mu, t, own, best):
    return flow.gaps(mu.x, t, own, best)
