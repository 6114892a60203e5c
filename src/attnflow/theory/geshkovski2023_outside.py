"""Theorems of arXiv 2305.05465 without one of their hypotheses: does the conclusion still hold?"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist

from .claim import drop
from .conditions import rise
from .geshkovski2023_monotone import decay_error, repelled_ratio
from .geshkovski2023_search import paranormal_ratio, planes_ratio, polytope_ratio, soft_rows
from .geshkovski2023_small import escape_shortfall
from .geshkovski2023_unstable import strays
from .search import Trial, diagonal_run, euclidean_run, random_trials, rescaled_run, shown


def _distances(rng):
    x, B = rng.normal(size=(5, 2)), rng.normal(size=(2, 2))
    apart = np.array([pdist(y) for y in euclidean_run(x, np.linspace(0, 2, 9), B=B)])
    return Trial(float(np.max(1 - apart[1:] / apart[:-1], initial=0)) / 1e-7, 2.0, shown(B=B, x=x))


def _coordinate(which):
    """The first coordinate has the rate 1, the last a negative one: one shrinks, the other need not."""

    def trial(rng):
        c, rates = rng.normal(size=(5, 2)), np.array([1.0, -float(rng.uniform(0.3, 0.9))])
        z = diagonal_run(c, np.linspace(0, 3, 13), rates=rates, M=np.eye(2))
        out = rise(z.max(axis=1)[:, 1]) if which == "extrema" else rise((z @ rng.normal(size=(2, 30))).max(axis=1))
        return Trial(out / 1e-7, 3.0, shown(rates=rates, c=c))

    return trial


def _jordan(rng):
    x, ts = rng.normal(size=(4, 2)), np.linspace(0, 6, 25)
    y = np.abs(euclidean_run(x, ts, V=np.array([[1.0, 1.0], [0.0, 1.0]]))).max(axis=1) * np.exp(-ts)[:, None]
    return Trial(max(rise(column) for column in y.T) / 1e-7, 6.0, shown(x=x))


def _repelled(B):
    def trial(rng):
        x = rng.normal(size=(4, 2))
        y = euclidean_run(x, np.array([0, 1, 3.0]), V=-np.eye(2), B=np.diag(B))
        return Trial(repelled_ratio(y, 3.0), 3.0, shown(B=B, x=x))

    return trial


def _decay(rng):
    x = rng.normal(size=(6, 2))
    end = euclidean_run(x, np.array([0, 400.0]), V=-np.eye(2), B=np.diag([1.0, 4.0]))[-1]
    return Trial(decay_error(end, 400.0, x) / 0.1, 400.0, shown(x=x))


def _low(rng):
    """The highest token is below the level of lemma 7.3, and heavy neighbours pull it down."""
    x = np.append(rng.uniform(-3, -2, 4), 0.1)[:, None]
    ts = np.linspace(0, 3, 13)
    return Trial(escape_shortfall(euclidean_run(x, ts)[..., 0].max(axis=1), ts, 5) / 1e-7, 3.0, shown(x=x[:, 0]))


def _line(which):
    """QK < 0: every token listens to the other side."""

    def trial(rng):
        x = np.sort(rng.uniform(-1, 1, (5, 1)), axis=0)
        z = rescaled_run(x, [9.0], B=-np.eye(1))[-1]
        count = soft_rows(z, -1.0, 1.0, 9.0) if which == "rows" else strays(z[:, 0])
        return Trial(count / 1.5, 9.0, shown(x=x[:, 0]))

    return trial


def _polytope(rng):
    x, B, ts = rng.uniform(-3, 3, (6, 2)), rng.normal(size=(2, 2)), np.array([4.0, 6.0, 8.0])
    return Trial(polytope_ratio(rescaled_run(x, ts, B=B), ts, B), 8.0, shown(B=B, x=x))


def _planes(rng):
    c, M = rng.uniform(-2, 2, (5, 2)), rng.normal(size=(2, 2))
    M[0, 0] = -abs(M[0, 0])
    first = diagonal_run(c, np.linspace(0, 10, 11), rates=[1.0, 0.3], M=M)[..., 0]
    return Trial(planes_ratio(first), 10.0, shown(M=M, c=c))


def _paranormal(rng):
    c, M = rng.uniform(-2, 2, (6, 3)), rng.normal(size=(3, 3))
    u = diagonal_run(c, np.linspace(0, 16, 9), rates=[1.0, 1.0, -0.5], M=M)[..., :2]
    return Trial(paranormal_ratio(u), 16.0, shown(M=M, c=c))


for _key, _words, _trial, _count in (
    ("theorem1", "QK > 0", _line("rows"), 6),
    ("lemma7.5", "QK > 0", _line("ends"), 6),
    ("lemma7.3", "x_n above the level A", _low, 4),
    ("theorem2", "B positive definite (any B)", _polytope, 8),
    ("theorem3", "<Qφ₁, Kφ₁> > 0", _planes, 4),
    ("theorem4", "B positive definite (any B)", _paranormal, 6),
    ("theorem8.5", "B = I (here B = diag(1, −1))", _repelled([1.0, -1.0]), 4),
    ("decay", "B = I (here B = diag(1, 4))", _decay, 3),
    ("distances", "B = I (any B)", _distances, 6),
    ("hull", "V = I (one rate is negative)", _coordinate("hull"), 4),
    ("extrema", "λ ≥ 0 (the negative rate)", _coordinate("extrema"), 4),
    ("growth", "V diagonalisable (a Jordan block)", _jordan, 3),
):
    drop(f"geshkovski2023.{_key}", _words, random_trials(_trial, _count))
