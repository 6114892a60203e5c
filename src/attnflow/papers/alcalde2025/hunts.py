"""Trials of the claims of arXiv 2508.09628: layers of hardmax and softmax attention in NumPy or exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...engine.measures.hulls import hull
from ..hunt import Trial, shown
from ..independent import softmax, token_run
from ..trial import bounded, equal

# ---- B ≤ 0 -----------------------------------------------------------------------------------------------------------


def frank_wolfe_violation(x, *, steps: int, is_exact: bool = False, holds_zero: bool = False) -> tuple[float, int]:
    r"""By how much the bound is exceeded at worst, and when, for tokens on the line.

    $$x_i\leftarrow x_i+\tfrac2{t+2}\big(\arg\max_y\langle-x_i,y\rangle-x_i\big),\qquad
      \tfrac12|x_i|^2\Big/\big(\tfrac2{t+1}\mathrm{diam}^2\big)$$

    Here B = −I, so tokens look for the point farthest against them; in exact fractions if asked. With `holds_zero` only
    the steps count before 0 leaves the hull.
    """
    x = [Fraction(v) for v in x] if is_exact else [float(v) for v in x]
    diam2 = (max(x) - min(x)) ** 2
    worst, when = 0.0, 0
    for t in range(steps):
        ratio = float(max(v * v for v in x) / 2 / (diam2 * 2 / (t + 1)))
        worst, when = max((worst, when), (ratio, t))
        low, high = min(x), max(x)
        if holds_zero and (low > 0 or high < 0):
            break
        g = Fraction(2, t + 2) if is_exact else 2 / (t + 2)
        x = [v + g * ((low if v > 0 else high if v < 0 else v) - v) for v in x]
    return worst, when


def known_counterexample():
    worst, when = frank_wolfe_violation([3.0, -1.0], steps=2000)
    return Trial(worst, 2000, f"d = 1, tokens 3 and −1: ratio {worst:.3g} at step {when}; the hull shrinks away from 0")


def line_trial(*, holds_zero: bool):
    def trial(rng):
        x = rng.normal(size=int(rng.integers(2, 5)))
        x = x - x.mean() * float(rng.uniform(0, 0.5))
        if x.min() >= 0 or x.max() <= 0:
            return Trial(np.nan, is_inside=False)
        worst, when = frank_wolfe_violation(x, steps=2000, holds_zero=holds_zero)
        return Trial(bounded(worst, 1.0), 2000, f"tokens {np.round(x, 4).tolist()}: ratio {worst:.3g} at step {when}")

    return trial


# ---- B > 0: vertices and their cells ---------------------------------------------------------------------------------


def leaders(x, B) -> tuple[np.ndarray, float]:
    """Whom each token hears best, and the smallest lead of the best over the second, relative to the largest score."""
    scores = x @ B @ x.T
    first = np.argmax(scores, axis=1)
    rest = scores.copy()
    # A copy of the best one is no rival.
    rest[np.linalg.norm(x[None] - x[first][:, None], axis=2) < 1e-12] = -np.inf
    lead = scores.max(axis=1) - rest.max(axis=1)
    return first, float(np.min(lead) / max(np.abs(scores).max(), 1e-300))


def own_cells(x, B) -> float:
    """By how much every vertex hears itself best and every token one vertex only; negative where that fails."""
    first, lead = leaders(x, B)
    corners = hull(x).indices
    gone = np.linalg.norm(x[first[corners]] - x[corners], axis=1)
    return -1.0 if gone.max() > 1e-12 else lead - 1e-9


def hardmax_layers(x, B, steps):
    """Tokens after each layer x ← x + g(argmax − x), by plain NumPy."""
    out = [x]
    for g in steps:
        x = x + g * (x[leaders(x, B)[0]] - x)
        out.append(x)
    return np.array(out)


def _polytope(rng):
    d = int(rng.integers(1, 4))
    C = rng.normal(size=(d, d))
    corners = rng.normal(size=(int(rng.integers(2, 6)), d))
    shares = np.stack([rng.dirichlet(np.ones(len(corners))) for _ in range(4)])
    return np.concatenate([corners, shares @ corners]), C @ C.T + 0.1 * np.eye(d)


def vertex_trial(rng):
    x, B = _polytope(rng)
    if own_cells(x, B) < 1e-6:
        return Trial(np.nan, is_inside=False)
    steps = rng.uniform(0.01, 0.9, 30)
    left = np.concatenate([[1.0], np.cumprod(1 - steps)])[:, None, None]
    due = left * x + (1 - left) * x[leaders(x, B)[0]]
    return Trial(equal(hardmax_layers(x, B, steps), due, 1e-12 * np.abs(x).max()), 30.0, shown(3, x=x, B=B))


def straight_trial(rng):
    """Continuous time: hard tokens under V = I, seen as z = e^{−t}x, by SciPy."""
    x, B = _polytope(rng)
    ts, goal = np.array([0.5, 1.5]), x[leaders(x, B)[0]]
    y = token_run(x, ts, lambda y: np.eye(len(y))[np.argmax(y @ B @ y.T, axis=1)], V=np.eye(x.shape[1]))
    left = np.exp(-ts)[:, None, None]
    off = float(np.abs(left * y - goal - left * (x - goal)).max() / np.abs(x).max())
    return Trial(off / 1e-7, 1.5, shown(3, x=x, B=B), own_cells(x, B) > 1e-6)


def foreign_cell_trial(rng):
    """A corner that hears another corner better than itself leaves its place."""
    x = np.array([[2.0, 0.0], [3.0, 0.0], [2.5, 1.0], [2.4, float(rng.uniform(0.1, 0.4))]])
    steps = np.full(20, 0.3)
    left = np.concatenate([[1.0], np.cumprod(1 - steps)])[:, None, None]
    corner = x[np.argmin(np.linalg.norm(x[:, None] - x[hull(x).indices][None], axis=2), axis=1)]
    due = left * x + (1 - left) * corner
    return Trial(float(np.abs(hardmax_layers(x, np.eye(2), steps) - due).max()) / 1e-12, 20.0, shown(x=x))


SQUARE = np.array([[2.0, 2.0], [-2.0, 2.0], [-2.0, -2.0], [2.0, -2.0], [0.5, 0.3], [-0.2, 0.7]])


def summable_steps():
    return _left(SQUARE, 0.5 ** np.arange(1, 200))


def bounded_steps_trial(rng):
    """Steps anywhere in [0.02, 1) on tokens in a square: what is left is below the product of 1 − g_t."""
    low = float(rng.uniform(0.02, 0.2))
    inner = rng.uniform(-1.5, 1.5, (2, 2))
    return _left(np.concatenate([SQUARE[:4], inner]), low + (0.999 - low) * rng.random(int(20 / low)) ** 2)


def _left(x, steps):
    """The distance of tokens to the corners they listen to first, after these layers, must have fallen below 1e-6."""
    first, gap = leaders(x, np.eye(2))
    end = hardmax_layers(x, np.eye(2), steps)[-1]
    apart = float(np.linalg.norm(end - x[first], axis=1).max())
    words = f"{shown(3, inner=x[4:])}: tokens of a square stop {apart:.4g} away from their corners"
    return Trial(apart / 1e-6, len(steps), words, gap > 1e-6)


# ---- softmax layers --------------------------------------------------------------------------------------------------


def collapse_trial(rng):
    """Tokens of the unit ball after 4,000 layers: weights are at least e^{−2β}/n, so their diameter must have vanished."""
    n, d = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    beta, gamma = (float(v) for v in rng.uniform([0.1, 0.05], [1.0, 0.9]))
    x = rng.normal(size=(n, d))
    x = start = x / np.linalg.norm(x, axis=1).max()
    for _ in range(4000):
        x = x + gamma * (softmax(beta * x @ x.T) @ x - x)
        if _diameter(x) < 1e-9:
            break
    return Trial(_diameter(x) / 1e-6, 4000.0, shown(3, β=beta, γ=gamma, x=start))


def _diameter(x) -> float:
    return float(np.linalg.norm(x[:, None] - x[None], axis=2).max())
