"""Trials beyond one run of the flow: layers, scaling, nearby prompts."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist, pdist

from ....engine.attention import Softmax
from ....engine.flow import Flow
from ....engine.spaces import Euclidean
from ....theory.gaussian.stability_bounds import stability_bound
from ...hunt import Trial, shown
from ...independent import euclidean_run, softmax
from ...trial import bounded, equal, stated, worst_ratio
from .limits import paranormal_ratio, planes_ratio, polytope_prompt, polytope_ratio, soft_rows

# ---- layers -----------------------------------------------------------------------------------------------------------


def layer_run(c, count: int, *, eta: float, rates, M) -> np.ndarray:
    r"""Rescaled layers $z^{k+1}=z^k+\eta PR^{-1}V(z_j-z_i)$, $R=I+\eta V$, in eigen-coordinates of V; all of them.

    Scores $\langle R^kz_i,MR^kz_j\rangle$ are formed from differences, as in `independent.diagonal_run`.
    """
    rates, out = np.asarray(rates, float), [np.asarray(c, float)]
    for k in range(count):
        z, grown = out[-1], (1 + eta * rates) ** k
        pull = ((z * grown) @ M) * grown
        apart = z[None] - z[np.argmax(pull @ z.T, axis=1)][:, None]
        P = softmax(np.einsum("id,ijd->ij", pull, apart))
        out.append(z + eta * rates / (1 + eta * rates) * (P @ z - z))
    return np.stack(out)


def _step(rng) -> float:
    return float(rng.choice([0.05, 0.1, 0.3, 1.0, 2.0]))


def hull_layers_trial(rng):
    """V = I: every layer is a mean of tokens, so support functions fall exactly, and no two tokens x come nearer (B = I)."""
    n, d, eta = int(rng.integers(2, 8)), int(rng.integers(1, 4)), _step(rng)
    x = rng.normal(size=(n, d)) * 2
    B = np.eye(d) if rng.choice([True, False]) else rng.normal(size=(d, d))
    z = layer_run(x, 20, eta=eta, rates=np.ones(d), M=B)
    support = (z @ np.vstack([np.eye(d), -np.eye(d), rng.normal(size=(40, d))]).T).max(axis=1)
    out = float(np.max(np.diff(support, axis=0), initial=0)) / np.abs(x).max()
    # Distances in x grow while those in z may shrink to rounding: eight layers keep nine digits of them.
    apart = np.array([pdist(y) * (1 + eta) ** k for k, y in enumerate(z[:9])])
    fall = float(np.max(1 - apart[1:] / apart[:-1], initial=0)) if np.array_equal(B, np.eye(d)) else 0.0
    return Trial(worst_ratio(out / 1e-12, fall / 1e-9), 20 * eta, f"η = {eta}, {shown(3, x=x)}")


def polytope_layers_trial(rng):
    x, B = polytope_prompt(rng)
    eta = _step(rng)
    pace = np.log1p(eta)
    counts = np.ceil(np.array([4.0, 6.0, 8.0]) / pace).astype(int)
    z = layer_run(x, counts[-1], eta=eta, rates=np.ones(x.shape[1]), M=B)[counts]
    return Trial(polytope_ratio(z, counts * pace, B), 8.0, f"η = {eta}, {shown(3, x=x)}")


def line_layers_trial(rng):
    n, eta = int(rng.integers(3, 8)), _step(rng)
    x = np.sort(rng.uniform(-1, 1, (n, 1)) + rng.choice([0.0, 2.0]), axis=0)
    pace = np.log1p(eta)
    counts = np.ceil(np.array([3.0, 6.0, 9.0]) / pace).astype(int)
    z = layer_run(x, counts[-1], eta=eta, rates=[1.0], M=np.eye(1))
    others = min(soft_rows(z[k], 1.0, 1.0, k * pace) for k in counts)
    # Layers may throw a token over the unstable place and back: only well separated tokens are judged.
    resolved = np.diff(x[:, 0]).min() > 1e-3 and np.abs(z[-1]).max() * np.exp(9.0) * np.diff(x[:, 0]).min() > 1e2
    return Trial(others / 1.5 if resolved else np.nan, 9.0, f"η = {eta}, {shown(x=x[:, 0])}")


def spectral_layers_trial(multiplicity):
    """Theorem 4.2 (one dominant eigenvalue) or 5.2 (two equal ones), by the ratios of their own hunts."""

    def trial(rng):
        n, eta, k = int(rng.integers(3, 7)), float(rng.choice([0.05, 0.1, 0.3])), multiplicity
        rates = np.append(np.ones(k), rng.uniform(-0.6, 0.6))
        T = rng.normal(size=(k + 1, k + 1)) + 2 * np.eye(k + 1)
        c = rng.uniform(-1, 1, (n, k + 1)) * 2 + rng.choice([0.0, 1.0])
        z = layer_run(c, int(20 / eta), eta=eta, rates=rates, M=T.T @ T)[:: int(1 / eta)]
        ratio = planes_ratio(z[..., 0]) if k == 1 else paranormal_ratio(z[..., :k])
        is_inside = bool(np.linalg.eigvalsh(T.T @ T).min() > 0.02)
        return Trial(ratio, 20.0, f"η = {eta}, {shown(rates=rates, c=c)}", is_inside)

    return trial


def repelled_layers(x, count: int, eta: float) -> np.ndarray:
    r"""Layers $x\leftarrow x-\eta Px$ of V = −I, B = I."""
    out = [np.asarray(x, float)]
    for _ in range(count):
        out.append(out[-1] - eta * softmax(out[-1] @ out[-1].T) @ out[-1])
    return np.stack(out)


def repelled_layers_trial(rng):
    n, d, eta = int(rng.integers(1, 6)), int(rng.integers(1, 3)), float(rng.uniform(0.05, 0.95))
    x = rng.normal(size=(n, d)) * rng.choice([0.3, 1.0, 3.0])
    last = repelled_layers(x, int(100 / eta), eta)[-1]
    # Twice the decay law |x|² ~ nd/2t; the bound of lemma 8.7 on the way is not claimed of layers.
    ratio = float((last**2).sum(axis=1).max()) * 100 / (n * d)
    return Trial(bounded(ratio, 1.0), 100.0, f"V = −I, η = {eta:.3f}, {shown(3, x=x)}")


def overshoot():
    """I + ηV = −2I is invertible, and one token is thrown farther by every layer."""
    y = repelled_layers(np.array([[1.0]]), 20, 3.0)
    words = f"V = −I, η = 3, one token x = 1: after 20 layers x = {y[-1, 0, 0]:g}"
    return Trial(float(np.abs(y[-1]).max()), 60.0, words)


# ---- scaling and nearby prompts ---------------------------------------------------------------------------------------


def scaling_trial(rng):
    n, v, c = int(rng.integers(2, 7)), float(10 ** rng.uniform(-1, 1)), float(10 ** rng.uniform(-1, 1))
    x, ts = rng.normal(size=(n, 1)), np.linspace(0, 2, 5)
    own = np.sqrt(c) * euclidean_run(x, ts / v, B=np.array([[c]]), V=np.array([[v]]))
    unit = euclidean_run(np.sqrt(c) * x, ts)
    off = float(np.abs(own - unit).max() / np.abs(unit).max())
    # Two runs with local errors of 1e-10, which a token near the unstable start multiplies.
    spread = np.abs(euclidean_run(np.sqrt(c) * x * (1 + 1e-9), ts) - unit).max() / np.abs(unit).max()
    words = f"v = {v:.4g}, c = {c:.4g}, {shown(3, x=x[:, 0])}: {off:.2g} apart"
    return Trial(equal(own, unit, (1e-8 + 10 * float(spread)) * np.abs(unit).max()), 2.0, words)


def apart(x, y) -> float:
    """W₂ of two prompts of equally many tokens."""
    cost = cdist(x, y, "sqeuclidean")
    return float(np.sqrt(cost[linear_sum_assignment(cost)].mean()))


def nearby_trial(rng):
    """Two prompts in a ball, near or far, and the constant of the ball for softmax attention."""
    n, d, R = int(rng.integers(2, 7)), int(rng.integers(1, 3)), float(rng.uniform(0.3, 1.0))
    V, B, ts = rng.normal(size=(d, d)) / 2, rng.normal(size=(d, d)) / 2, np.array([0.0, 0.25, 0.5])
    x = R * rng.uniform(-1, 1, (n, d)) / np.sqrt(d)
    y = R * rng.uniform(-1, 1, (n, d)) / np.sqrt(d) if rng.choice([True, False]) else 0.99 * x
    flow = Flow(Euclidean(), Softmax(Q=np.eye(d), K=B), V=V)
    bound = stability_bound(flow, R, d=d, horizon=0.5, p=2.0, pieces=50)
    runs = [euclidean_run(tokens, ts, B=B, V=V) for tokens in (x, y)]
    grown = [np.log(apart(a, b) / apart(x, y)) for a, b in zip(*runs)]
    # The start, where both sides are equal, says nothing.
    promised = np.interp(ts[1:], bound.ts, bound.log_amplification)
    return Trial(stated(lambda by: float(np.exp((grown[1:] - by * promised).max()))), 0.5, shown(3, V=V, B=B))
