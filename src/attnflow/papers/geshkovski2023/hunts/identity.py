"""Trials of section 8: hulls, repelled tokens."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import logsumexp

from ...hunt import Trial, shown
from ...hypotheses import largest_rise
from ...independent import euclidean_run, rescaled_run, softmax
from ...trial import bounded, equal, stated
from .eigenspaces import one_negative

# ---- hulls (proposition 8.2) ------------------------------------------------------------------------------------------


def directions(d):
    rng = np.random.default_rng(0)
    return np.vstack([np.eye(d), -np.eye(d), rng.normal(size=(64, d))])


def hull_trial(rng):
    n, d = int(rng.integers(2, 8)), int(rng.integers(1, 4))
    x, B = rng.normal(size=(n, d)) * 2 + rng.choice([0.0, 2.0]), rng.normal(size=(d, d))
    z = rescaled_run(x, np.linspace(0, 3, 13), B=B)
    return Trial(largest_rise((z @ directions(d).T).max(axis=1)) / 1e-7, 3.0, shown(3, B=B, x=x))


def growing_hull_trial(rng):
    z, words = one_negative(rng)
    return Trial(largest_rise((z @ directions(2).T).max(axis=1)) / 1e-7, 3.0, words)


# ---- V = −I (theorem 8.5, lemmas 8.7 and 8.9) -------------------------------------------------------------------------


def log_energy(x, mass=None):
    r"""$\log\sum_{ij}m_im_je^{\langle x_i,x_j\rangle}$ (masses 1 unless given), some rows at a time."""
    log_m = np.zeros(len(x)) if mass is None else np.log(np.maximum(mass, 1e-300))
    size = max(1, 2**22 // len(x))
    parts = [logsumexp(x[k : k + size] @ x.T + log_m + log_m[k : k + size, None]) for k in range(0, len(x), size)]
    return float(np.asarray(logsumexp(parts)))


def size_ratio(y) -> float:
    """Lemma 8.7: the largest |x_i(t)| over max(|x_i(0)|, √(2n)), at times after the first."""
    size = np.linalg.norm(y, axis=-1)
    return float((size[1:] / np.maximum(size[0], np.sqrt(2 * y.shape[1]))).max(initial=0.0))


def left_ratio(y, T) -> float:
    """Theorem 8.5: |x|² at the last time T against nd/T, twice the decay law."""
    return float((np.linalg.norm(y[-1], axis=-1) ** 2).max()) * T / y.shape[1] / y.shape[2]


def uniform_ratio(y) -> float:
    """Theorem 8.5: how far P is from 1/n at the last time, against the spread of scores it may have then."""
    scores, n = y[-1] @ y[-1].T, y.shape[1]
    spread = np.ptp(scores, axis=1).max()
    return float(np.abs(n * softmax(scores) - 1).max() / max(np.expm1(spread) * (1 + 1e-9), 1e-12))


def _repelled(rng):
    n, d = int(rng.integers(2, 6)), int(rng.integers(1, 3))
    x = rng.normal(size=(n, d)) * rng.choice([0.3, 1.0, 2.0])
    y = euclidean_run(x, np.array([0, 1, 10, 100.0]), V=-np.eye(d))
    return y, shown(3, x=x)


def repelled_trial(rng):
    y, words = _repelled(rng)
    return Trial(bounded(left_ratio(y, 100.0), 1.0), 100.0, words)


def repelled_size_trial(rng):
    y, words = _repelled(rng)
    return Trial(bounded(size_ratio(y), 1.0), 100.0, words)


def other_scores_repelled(B, ratio):
    """V = −I with scores that are not those of the identity."""

    def trial(rng):
        x = rng.normal(size=(4, 2))
        y = euclidean_run(x, np.array([0, 1, 3.0]), V=-np.eye(2), B=np.diag(B))
        return Trial(ratio(y), 3.0, shown(B=B, x=x))

    return trial


def work_trial(rng):
    r"""Lemma 8.9: $L(0)-L(T)$ against $2\int\sum_iZ_i|\dot x_i|^2$."""
    n, d = int(rng.integers(2, 6)), int(rng.integers(1, 3))
    x = rng.normal(size=(n, d)) * rng.choice([0.3, 1.0])
    return Trial(work_ratio(x, until=1.0), 1.0, shown(3, x=x))


def work_ratio(x, *, until: float, strength: float = 1.0) -> float:
    """The gap of the two for V = −strength·I, the work integrated beside the tokens, against 1e-7 of the energy."""
    (n, d), top = x.shape, (x @ x.T).max()
    scores_of = lambda x: np.exp(x @ x.T - top)  # noqa: E731
    first = scores_of(x).sum()

    def field(t, y):
        scores = scores_of(y[:-1].reshape(n, d))
        Z = scores.sum(axis=1)
        speed = scores @ y[:-1].reshape(n, d) / Z[:, None]
        return np.append(-strength * speed, 2 * (Z * (speed**2).sum(axis=1)).sum() / first)

    y = solve_ivp(field, (0, until), np.append(x, 0.0), method="LSODA", rtol=1e-11, atol=1e-12).y[:, -1]
    return equal(1 - scores_of(y[:-1].reshape(n, d)).sum() / first, y[-1], 1e-7)


def decay_error(x, t, start, mass=None) -> float:
    return float(np.abs(decay_spectrum(x, t, start, mass) - 1).max(initial=0.0))


def decay_spectrum(x, t, start, mass=None) -> np.ndarray:
    """The eigenvalues of 2tM, which tend to 1, on the range of the start about its mean, which dies at once."""
    mass = np.full(len(x), 1 / len(x)) if mass is None else mass
    centred = start - mass @ start
    rank = np.linalg.matrix_rank(centred, tol=1e-6 * max(np.abs(start).max(), 1e-300))
    return np.sort(np.linalg.eigvalsh(2 * t * (x.T * mass) @ x))[::-1][:rank]


def decay_trial(rng):
    """Clouds in general position, on a line, far off the origin, or large."""
    n, d = int(rng.integers(2, 7)), int(rng.integers(1, 4))
    x = rng.normal(size=(n, d)) * rng.choice([0.5, 1.0, 2.0]) + rng.choice([0.0, 1.0])
    x = x if rng.choice([True, False], p=[0.7, 0.3]) else np.outer(x[:, 0], rng.normal(size=d))
    ts = np.array([0.0, 3.0, 200.0, 400.0])
    y = euclidean_run(x, ts, V=-np.eye(d))
    # What spread is left when tokens have become small decides how soon the law begins to hold.
    centred = y[1] - y[1].mean(axis=0)
    rank = np.linalg.matrix_rank(x - x.mean(axis=0), tol=1e-6)
    spectrum = np.linalg.eigvalsh(centred.T @ centred / n)[-rank:] if rank else np.ones(1)
    # What is left of the way to 1 goes like 1/t.
    early, late = (decay_spectrum(tokens, t, x) for tokens, t in zip(y[2:], ts[2:]))
    off = stated(lambda by: float(np.abs(2 * late - early - by).max(initial=0.0)) / 0.02)
    return Trial(off, ts[-1], shown(3, x=x), bool(spectrum.min() > 0.05))


def stretched_decay_trial(rng):
    x = rng.normal(size=(6, 2))
    end = euclidean_run(x, np.array([0, 400.0]), V=-np.eye(2), B=np.diag([1.0, 4.0]))[-1]
    return Trial(decay_error(end, 400.0, x) / 0.1, 400.0, shown(x=x))
