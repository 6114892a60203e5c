"""Trials of sections 4 and 9: eigen-coordinates."""

from __future__ import annotations

import numpy as np
from scipy.special import erfcx, gammaln

from ...hunt import Trial, shown
from ...hypotheses import largest_rise
from ...independent import diagonal_run, euclidean_run, spectral_run
from ...trial import bounded, equal, worst_ratio


def one_negative(rng):
    """The first coordinate has the rate 1, the last a negative one: one shrinks, the other need not."""
    c, rates = rng.normal(size=(5, 2)), np.array([1.0, -float(rng.uniform(0.3, 0.9))])
    return diagonal_run(c, np.linspace(0, 3, 13), rates=rates, M=np.eye(2)), shown(rates=rates, c=c)


def negative_extrema_trial(rng):
    z, words = one_negative(rng)
    return Trial(largest_rise(z.max(axis=1)[:, 1]) / 1e-7, 3.0, words)


def extrema_trial(rng) -> Trial:
    """Lemma 9.1 in eigen-coordinates, for any score matrix."""
    y, words = _growing_run(rng)
    out = max(largest_rise(y.max(axis=1)), largest_rise(-y.min(axis=1))) if np.isfinite(y).all() else np.nan
    return Trial(out / 1e-7, 4.0, words)


def bounded_trial(rng) -> Trial:
    """Corollary 9.2: eigen-coordinates at late times against the box that they span at the start, V not diagonal."""
    d, n = int(rng.integers(2, 4)), int(rng.integers(2, 7))
    rates = rng.uniform(0, 1.5, d) * rng.choice([0.0, 1.0], size=d, p=[0.2, 0.8])
    T, B, x = rng.normal(size=(d, d)) + 2 * np.eye(d), rng.normal(size=(d, d)), rng.normal(size=(n, d)) + 1
    c = spectral_run(x, np.linspace(0, 4, 17), V=T @ np.diag(rates) @ np.linalg.inv(T), B=B) @ np.linalg.inv(T).T
    middle, half = (c[0].max(axis=0) + c[0].min(axis=0)) / 2, np.ptp(c[0], axis=0) / 2
    # Steps are good to 1e-10, eigenvectors may cost two digits, and the box may be thin.
    out = float((np.abs(c[1:] - middle) / (half + 1e-7 * np.abs(c[0]).max())).max())
    return Trial(out, 4.0, shown(T=T, rates=rates, B=B, x=x), bool(np.linalg.cond(T) < 30))


def defective_trial(rng) -> Trial:
    e, B, x = rng.normal(size=2), rng.normal(size=(2, 2)), rng.normal(size=(4, 2))
    return _defective(np.outer(e, [e[1], -e[0]]) / (e @ e), B, x, until=40.0)


def defective_pair() -> Trial:
    """The second rescaled token grows by t/(2 + 2e^{−1/4}) at least: the exact counterexample."""
    return _defective(np.array([[0.0, 1.0], [0.0, 0.0]]), np.eye(2), np.array([[0.0, 1.0], [0.0, 0.5]]), until=100.0)


def _defective(V, B, x, *, until: float) -> Trial:
    """V² = 0, so z = x − tVx: tokens that stay bounded would grow less in the second half of the time, here they do not."""
    ts = np.array([until / 2, until])
    y = euclidean_run(x, ts, B=B, V=V)
    z = y - ts[:, None, None] * (y @ V.T)
    early, late = np.abs(z[0] - x).max(), np.abs(z[1] - z[0]).max()
    return Trial(float(late / early) / 0.5, until, f"{shown(V=V, B=B, x=x)}: |z| grows by {early:.3g}, then {late:.3g}")


def _growing_run(rng):
    n, d = int(rng.integers(2, 7)), int(rng.integers(2, 4))
    rates = rng.uniform(0, 1.5, d) * rng.choice([0.0, 1.0], size=d, p=[0.2, 0.8])
    M, c = rng.normal(size=(d, d)), rng.normal(size=(n, d)) * 2 + rng.choice([0.0, 2.0])
    return diagonal_run(c, np.linspace(0, 4, 17), rates=rates, M=M), shown(rates=rates, M=M, c=c)


def growth_trial(rng):
    n, d = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    rates, M, c = rng.uniform(-1.2, 1.2, d), rng.normal(size=(d, d)), rng.normal(size=(n, d)) * 2
    ts = np.linspace(0, 3, 13)
    y = np.abs(diagonal_run(c, ts, rates=rates, M=M)).max(axis=1) * np.exp(np.outer(ts, rates - np.abs(rates)))
    return Trial(worst_ratio(*(largest_rise(column) / 1e-7 for column in y.T)), 3.0, shown(rates=rates, M=M, c=c))


def jordan_trial(rng):
    x, ts = rng.normal(size=(4, 2)), np.linspace(0, 6, 25)
    y = np.abs(euclidean_run(x, ts, V=np.array([[1.0, 1.0], [0.0, 1.0]]))).max(axis=1) * np.exp(-ts)[:, None]
    return Trial(worst_ratio(*(largest_rise(column) / 1e-7 for column in y.T)), 6.0, shown(x=x))


def logit_trial(rng):
    r"""All logits against the leading one and $Ce^{(\lambda_1+|\lambda_2|)t}$, for any V with a leading eigenvalue."""
    n, d = int(rng.integers(2, 6)), 3
    T = rng.normal(size=(d, d)) + 2 * np.eye(d)
    a, b = float(rng.uniform(-0.6, 0.6)), float(rng.choice([0.0, 1.0])) * float(rng.uniform(0.1, 0.6))
    V = T @ np.array([[1.0, 0, 0], [0, a, -b], [0, b, a]]) @ np.linalg.inv(T)
    B, x, ts = rng.normal(size=(d, d)), rng.normal(size=(n, d)), np.linspace(0, 6, 13)
    ratio = logit_ratio(spectral_run(x, ts, V=V, B=B), ts, V=V, B=B)
    return Trial(ratio, 6.0, shown(V=V, B=B, x=x), bool(np.linalg.cond(T) < 30))


def logit_ratio(z, ts, *, V, B) -> float:
    r"""The largest error of the leading logit over its bound, in units of $e^{-2\lambda_1t}$, so that nothing overflows.

    Eigen-coordinates of x grow at most like $e^{|\lambda_k|t}$, which gives the constant C.
    """
    values, vectors = np.linalg.eig(V)
    order = np.argsort(-np.abs(values))
    values, vectors = values[order], vectors[:, order]
    lam, M, c = float(values[0].real), vectors.T @ B @ vectors, z @ np.linalg.inv(vectors).T
    grown = c * np.exp(np.outer(ts, values - lam))[:, None, :]
    # All but the leading part, which is left out rather than subtracted: rounding of it would drown the rest.
    others = M - np.diag(np.eye(len(M))[0] * M[0, 0])
    error = np.abs(grown @ others @ np.swapaxes(grown, 1, 2)).max(axis=(1, 2))
    first = np.abs(c[0]).max(axis=0)
    C = (np.abs(others) * np.outer(first, first)).sum()
    bound = C * np.exp((np.abs(values[1]) - lam) * ts)
    return bounded(error, np.maximum(bound, 1e-300))


SHARE = 0.14


def share_trial():
    """About 14 %: right to half a percent."""
    share = leading_share(128)
    return Trial(equal(share, SHARE, 0.005), 0.0, f"the share is {share:.4f}")


def leading_share(d: int, *, radii: int = 400, angles: int = 200) -> float:
    r"""The share of Gaussian matrices of even size d whose eigenvalue of largest modulus is real and positive.

    All eigenvalues are within r with the probability $\det(A+C)(r)/\det(A+C)(\infty)$, where the even and odd powers have the
    skew products A on the real interval and C on the half disc (Forrester, Nagao 2007); half of $A'$ in its growth counts.
    """
    k, phi, h = np.arange(d), np.pi * (np.arange(angles) + 0.5) / angles, (np.sqrt(d) + 5) / radii
    r, waves = h * (np.arange(radii) + 0.5), np.exp(1j * np.outer(phi, k))
    power = np.exp(k * np.log(r)[:, None] - r[:, None] ** 2 / 2 - gammaln(k + 1) / 2)
    below = (np.cumsum(power, axis=0) - power / 2)[:, ::2] * h
    real = 4 * np.einsum("ri,rj->rij", below, power[:, 1::2])
    rings = erfcx(np.sqrt(2) * np.outer(r, np.sin(phi))) * r[:, None] * np.pi / angles
    turned = [np.imag(waves[:, ::2].T * ring @ np.conj(waves[:, 1::2])) for ring in rings]
    both = real - 4 * np.einsum("ri,rij,rj->rij", power[:, ::2], turned, power[:, 1::2])
    within = (np.cumsum(both, axis=0) - both / 2) * h
    seen = np.abs(r - np.sqrt(d)) < 4.5
    chance = np.exp(np.linalg.slogdet(within[seen])[1] - np.linalg.slogdet(within[-1])[1])
    return float(chance @ np.trace(np.linalg.solve(within[seen], real[seen]), axis1=1, axis2=2)) * h / 2
