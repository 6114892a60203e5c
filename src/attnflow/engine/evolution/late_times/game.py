r"""Weights of tied tokens such that none gains on those that are heard: an equilibrium that the rows return to.

Tied tokens gain on each other at the rates Aq + b, with q the weights of the tied tokens of all rows: rows that change what
others hear are settled together. Every choice of heard tokens gives one linear system. To go from choice to choice by who
joins or leaves may go round for ever (two rows that chase each other), so choices are tried one by one, the nearest to what
is heard now first. Stable is what the fast motion of logits, $\dot L = S(Aq + b)$, returns to.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import connected_components

SMALL = 1e-6
"""Weights below this leave a tie; gains below this, against the largest, do not join one."""

MOST_CHOICES = 4096
"""Choices of heard tokens that are tried for rows that depend on each other: all for up to twelve tied tokens."""

Rows = dict[int, list[int]]
"""Tied tokens of every row that slides, one of each group; none for a row at a point, where all are tied."""


def returns(J) -> bool:
    """Whether all of $\\dot L = JL$ decays."""
    return bool(np.linalg.eigvals(J).real.max(initial=-1.0) < 0)


class _Heard(NamedTuple):
    """Heard tokens of some rows, and the weights that keep them tied."""

    tokens: Rows
    q: np.ndarray
    """Of all lines."""
    weights: dict[tuple[int, int], float]
    J: np.ndarray
    """How logits return."""


class Game:
    """Lines of ties: `token` gains on `first` at the rate Aq + b, where q is what a row listens beyond that line."""

    def __init__(self, A, b, lines: list[tuple[int, int, int]], tied: Rows):
        self.A, self.b, self.tied = A, b, tied
        self.row = np.array([i for i, _, _ in lines])
        self.size = np.abs(b) + np.abs(A).max(axis=1)
        """The largest gain of every line."""
        self.path = {(i, tokens[0]): np.zeros(len(b)) for i, tokens in tied.items()}
        """The lines from the first token of a row to each tied one."""
        for (i, token, first), line in zip(lines, np.eye(len(b))):
            self.path[i, token] = self.path[i, first] + line

    def settled(self, heard: Rows) -> Rows:
        """The rows in which several tokens are heard; other tokens than now only where those gain."""
        heard, q = dict(heard), sum(self.path[i, tokens[0]] for i, tokens in heard.items())
        for rows in self._in_order():
            now = {i: heard[i] for i in rows}
            found = self._equilibrium(now, q) or self._single({i: tokens[:1] for i, tokens in now.items()}, q)
            heard, q = heard | found.tokens, found.q
        return {i: tokens for i, tokens in heard.items() if len(tokens) > 1}

    def _in_order(self) -> list[list[int]]:
        """Rows that depend on each other, in an order in which those that others depend on come first."""
        rows = list(self.tied)
        block = lambda i, j: self.A[np.ix_(self.row == i, self.row == j)]  # noqa: E731
        hears = np.array([[i == j or block(i, j).any() for j in rows] for i in rows])
        label = connected_components(hears, connection="strong")[1]
        reach = np.linalg.matrix_power(hears.astype(float), len(rows)) > 0
        order = sorted(set(label.tolist()), key=lambda k: int(reach[np.argmax(label == k)].sum()))
        return [[rows[r] for r in np.flatnonzero(label == k)] for k in order]

    def _equilibrium(self, heard: Rows, q) -> _Heard | None:
        for choice in self._choices(heard):
            found = self._solved(choice, q)
            if found is not None and self._is_kept(found) and returns(found.J):
                return found
        return None

    def _choices(self, heard: Rows) -> Iterator[Rows]:
        """Tokens that may be heard, the fewest changes first."""
        tied = [(i, token) for i in heard for token in self.tied[i]]
        changes = (set(some) for count in range(len(tied) + 1) for some in combinations(tied, count))
        for changed in islice(changes, MOST_CHOICES):
            choice = {
                i: _changed(tokens, self.tied[i], {k for j, k in changed if j == i}) for i, tokens in heard.items()
            }
            if all(choice.values()):
                yield choice

    def _solved(self, heard: Rows, q) -> _Heard | None:
        """Weights of these rows that keep their ties, for the q of other rows."""
        q = self._single(heard, q).q
        pairs = [
            (i, token, self._beside(i, token, tokens[:k]))
            for i, tokens in heard.items()
            for k, token in enumerate(tokens)
            if k
        ]
        if not pairs:
            return self._single(heard, q)
        D = np.array([self.path[i, token] - self.path[i, other] for i, token, other in pairs])
        M, size = D @ self.A @ D.T, np.abs(D) @ self.size
        try:
            theta = np.linalg.solve(M / size[:, None], -(D @ (self.b + self.A @ q)) / size)
        except np.linalg.LinAlgError:
            return None
        onto = _incidence(heard, pairs)
        w = onto.T @ theta
        weights = {key: w[k] + (key[1] == heard[key[0]][0]) for k, key in enumerate(_keys(heard))}
        return _Heard(heard, q + D.T @ theta, weights, M @ _answer(onto, weights))

    def _single(self, heard: Rows, q) -> _Heard:
        """The first of these tokens heard alone."""
        roots = sum(self.path[i, tokens[0]] for i, tokens in heard.items())
        q = np.where(np.isin(self.row, list(heard)), 0.0, q) + roots
        return _Heard(heard, q, {(i, tokens[0]): 1.0 for i, tokens in heard.items()}, np.zeros((0, 0)))

    def _beside(self, i: int, token: int, others: list[int]) -> int:
        """The one of the others that the token is nearest to."""
        return min(others, key=lambda other: np.abs(self.path[i, token] - self.path[i, other]) @ self.size)

    def _is_kept(self, found: _Heard) -> bool:
        """Whether all that is heard is, and all else falls behind: what neither gains nor loses may turn with other rows."""
        if found.J.size and min(found.weights.values()) < SMALL:
            return False
        pace = self.b + self.A @ found.q
        for i, tokens in found.tokens.items():
            for token in set(self.tied[i]) - set(tokens):
                D = self.path[i, token] - self.path[i, self._beside(i, token, tokens)]
                if D @ pace > -SMALL * (np.abs(D) @ self.size):
                    return False
        return True


def _changed(heard: list[int], tied: list[int], changed: set[int]) -> list[int]:
    """What is heard of the tied tokens when these join or leave."""
    return [token for token in tied if (token in heard) != (token in changed)]


def _keys(heard: Rows) -> list[tuple[int, int]]:
    return [(i, token) for i, tokens in heard.items() for token in tokens]


def _incidence(heard: Rows, pairs) -> np.ndarray:
    """What each pair gives to its token, and takes from the other."""
    keys = _keys(heard)
    onto = np.zeros((len(pairs), len(keys)))
    for k, (i, token, other) in enumerate(pairs):
        onto[k, keys.index((i, token))], onto[k, keys.index((i, other))] = 1.0, -1.0
    return onto


def _answer(onto: np.ndarray, weights: dict[tuple[int, int], float]) -> np.ndarray:
    """How the shares of pairs answer to the logits of pairs: tokens of a row have softmax weights."""
    w, row = np.array(list(weights.values())), np.array([i for i, _ in weights])
    spread = np.diag(w) - np.outer(w, w) * (row[:, None] == row[None])
    back = np.linalg.pinv(onto)
    return back.T @ spread @ back
