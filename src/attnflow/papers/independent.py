"""Independent integrators for hunts: NumPy and SciPy only, none of the engine's code, to 1e-10."""

from __future__ import annotations

import itertools

import numpy as np
from scipy.integrate import DOP853
from scipy.special import ndtri

MOST = 20_000
"""Evaluations of a field, after which a run is given up."""
LOOSE = 0.1
"""Where more than this is allowed, relative to the size of states, a stretch that agrees says nothing."""


def method_for(size: int) -> str:
    """LSODA passes in few steps over long times of rest, but differentiates for each number: DOP853 for many of them."""
    return "LSODA" if size <= 60 else "DOP853"


class Exhausted(Exception):
    """A field was asked more often than there is time for."""


def counted(field, most: int):
    """The field, which may be asked so many times."""
    count = itertools.count()

    def asked(*args):
        if next(count) >= most:
            raise Exhausted
        return field(*args)

    return asked


def softmax(scores):
    weights = scores - scores.max(axis=1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


def doubly_stochastic(scores, mass):
    """The kernel e^{scores} made doubly stochastic by plain alternation: row weights, and the two log-potentials.

    All is NaN where three hundred sweeps were not enough.
    """
    top = scores.max()
    kernel, g, old = np.exp(scores - top), np.ones(len(mass)), np.zeros(len(mass))
    for _ in range(300):
        f = 1 / (kernel @ (mass * g))
        g, old = 1 / (kernel.T @ (mass * f)), g
        if np.abs(g / old - 1).max() < 1e-13:
            break
    else:
        g = np.full(len(mass), np.nan)
    f = 1 / (kernel @ (mass * g))
    return f[:, None] * kernel * (g * mass), np.log(f) - top / 2, np.log(g) - top / 2


def symmetric_scaling(kernel, mass):
    """v with v·K(mv) = 1 for a symmetric positive semidefinite kernel, by damped square roots: fast for every ε."""
    v = (kernel @ mass) ** -0.5
    for _ in range(40):
        v = v * (v * (kernel @ (mass * v))) ** (-2 / 3)
    return v


def token_run(x, ts, weights, *, V):
    r"""$x_i' = \sum_j w_{ij}Vx_j$ in R^d by SciPy, to 1e-10, for weights given as a function of the tokens."""
    return _solve(lambda t, y: (weights(y.reshape(x.shape)) @ y.reshape(x.shape) @ V.T).ravel(), x, ts)


def matrix_run(start, ts, rate):
    """A matrix whose rate of change is a function of itself, by SciPy, to 1e-10."""
    return _solve(lambda t, y: rate(y.reshape(start.shape)).ravel(), start, ts)


def euclidean_run(x, ts, *, B=None, V=None):
    """Softmax attention in R^d by SciPy, to 1e-10: independent of the engine."""
    d = x.shape[1]
    B, V = np.eye(d) if B is None else B, np.eye(d) if V is None else V
    return token_run(x, ts, lambda y: softmax(y @ B @ y.T), V=V)


def rescaled_run(x, ts, *, B=None, V=1.0):
    r"""Rescaled tokens for $V = cI$ by SciPy."""
    n, d = x.shape
    B = np.eye(d) if B is None else B

    def field(t, y):
        y = y.reshape(n, d)
        return V * (softmax(np.exp(2 * V * t) * (y @ B @ y.T)) @ y - y).ravel()

    return _solve(_mirrored(field, x), x, ts)


def _mirrored(field, x):
    """The field, kept odd for a prompt that is its own mirror image: what stays so, but for rounding that would grow."""
    if not np.array_equal(x, -x[::-1]):
        return field

    flip = np.arange(x.size).reshape(x.shape)[::-1].ravel()
    return lambda t, y: ((v := field(t, y)) - v[flip]) / 2


def diagonal_run(c, ts, *, rates, M):
    r"""Rescaled tokens of $V = \mathrm{diag}(\lambda)$ for scores $\langle x, My\rangle$, differences first; M may be any matrix.

    Every diagonalisable V with a real spectrum is of this kind in its eigen-coordinates.
    """
    n, d = c.shape
    rates = np.asarray(rates, float)

    def field(t, y):
        y = y.reshape(n, d)
        grown = np.exp(rates * t)
        pull = ((y * grown) @ M) * grown
        apart = y[None] - y[np.argmax(pull @ y.T, axis=1)][:, None]
        return (rates * (softmax(np.einsum("id,ijd->ij", pull, apart)) @ y - y)).ravel()

    return _solve(_mirrored(field, c), c, ts)


def spectral_run(x, ts, *, V, B):
    r"""Rescaled tokens of any diagonalisable V, complex eigenvalues included, by SciPy; differences first."""
    n, d = x.shape
    values, vectors = np.linalg.eig(V)
    top, inverse = float(np.real(values).max()), np.linalg.inv(vectors)

    def field(t, y):
        y = y.reshape(n, d)
        grown = y @ np.real((vectors * np.exp(t * (values - top))) @ inverse).T
        pull = grown @ B
        apart = grown[None] - grown[np.argmax(pull @ grown.T, axis=1)][:, None]
        P = softmax(np.einsum("id,ijd->ij", pull, apart) * np.exp(min(2 * top * t, 690.0)))
        return ((P @ y - y) @ V.T).ravel()

    return _solve(_mirrored(field, x), x, ts)


def sphere_run(x, ts, *, beta: float, V: float | np.ndarray = 1.0, model: str = "SA", B=None, mask=None, mass=None):
    """Attention on the sphere by SciPy; `USA` carries the factor e^{−β}, so that clocks stay comparable."""
    n, d = x.shape
    B, value = np.eye(d) if B is None else B, np.asarray(V * np.eye(d) if np.ndim(V) == 0 else V)
    m = np.full(n, 1 / n) if mass is None else mass

    def field(t, y):
        y = y.reshape(n, d)
        y = y / np.linalg.norm(y, axis=1, keepdims=True)
        scores = beta * (y @ B @ y.T)
        scores = scores if mask is None else np.where(mask, scores, -np.inf)
        a = (softmax(scores + np.log(m)) if model == "SA" else np.exp(scores - beta) * m) @ y @ value.T
        return (a - (a * y).sum(axis=1, keepdims=True) * y).ravel()

    out = _solve(field, x, ts)
    return out / np.linalg.norm(out, axis=-1, keepdims=True)


def _solve(field, x, ts):
    """Tokens at the times ts; NaN from where the solver gave up, as it does where tokens slide along a tie."""
    ts, saved = np.asarray(ts, float), np.full((len(ts), x.size), np.nan)
    saved[ts <= 0] = np.ravel(x)
    # SciPy would shrink a first step of NaN for ever.
    if not np.isfinite(field(0.0, np.ravel(x))).all():
        return saved.reshape(len(ts), *x.shape)
    # What is small from the start is followed as closely as what is of order one.
    atol = 1e-12 * float(np.clip(np.abs(x).max(initial=0.0), 1e-100, 1.0))
    solver = DOP853(field, 0.0, np.ravel(x), float(ts[-1]), rtol=1e-10, atol=atol)
    while solver.status == "running" and solver.nfev < MOST:
        solver.step()
        due = (ts > solver.t_old) & (ts <= solver.t)
        if due.any():
            saved[due] = solver.dense_output()(ts[due]).T
    return saved.reshape(len(ts), *x.shape)


def even_kicks(noise, angles, block=25):
    """Normal kicks whose values are evened out among neighbours, so that chance hardly moves low modes."""
    levels = ndtri((np.arange(block) + 0.5) / block)
    kicks = noise.permuted(np.tile(levels / levels.std(), (len(angles) // block, 1)), axis=1).ravel()
    return kicks[np.argsort(np.argsort(np.angle(np.exp(1j * angles))))]


def circle(angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def mirrored(x):
    """These tokens, one at 0 and their mirror images: the flow keeps such a prompt symmetric."""
    return np.concatenate([-x[::-1], np.zeros((1, x.shape[1])), x])


def unit(rng, n, d):
    """Directions drawn uniformly."""
    x = rng.normal(size=(n, d))
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def attention_run(x, *, V, B, beta, until, steps=60):
    """Attention on the sphere by the classical fourth-order method, independent of the engine."""

    def field(y):
        y = y / np.linalg.norm(y, axis=1, keepdims=True)
        a = softmax(beta * y @ B @ y.T) @ y @ V.T
        return a - np.sum(a * y, axis=1, keepdims=True) * y

    h = until / steps
    for _ in range(steps):
        k1 = field(x)
        k2 = field(x + h / 2 * k1)
        k3 = field(x + h / 2 * k2)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + field(x + h * k3))
        x = x / np.linalg.norm(x, axis=1, keepdims=True)
    return x


def departure(states, ts, field, *, error, most=12) -> float:
    """How far saved states lie from where a field leads between them, over the error they may have (an array over times).

    SciPy follows the field from one saved state to the next, for about `most` of them; paths from perturbed starts
    beside it tell how errors grow on the way. NaN where a path cannot be followed and nothing else contradicts, and for
    one state alone.
    """
    if len(ts) < 2:
        return np.nan
    kept = np.unique(np.linspace(0, len(ts) - 1, most + 1).astype(int))
    return worst_of([_off(states[[a, b]], ts[b] - ts[a], field, error[b]) for a, b in itertools.pairwise(kept)])


def worst_of(ratios) -> float:
    """The largest ratio; NaN if one is, unless another is above 1 or only the last are (the end of a blow-up)."""
    ratios, worst = np.asarray(ratios, float), float(np.fmax.reduce(np.ravel(ratios), initial=0.0))
    known = np.isfinite(ratios)
    is_early = known[: known.sum()].all() and known.any()
    return worst if worst > 1 or is_early else np.nan


def _off(pair, span, field, error) -> float:
    grown, end = error_growth(pair[0], np.linspace(0, span, 9), field)
    return weighed(float(np.abs(end[-1] - pair[1]).max()), error * grown[-1], np.abs(pair).max())


def weighed(off: float, allowed: float, size: float) -> float:
    """A distance over what is allowed; NaN where nearly anything is allowed, unless it is off by more than even that."""
    return np.nan if allowed > LOOSE * size and not off > allowed else off / allowed


def error_growth(x, ts, field):
    """By how much errors made on the way may have grown at every time, at least 1, and the path itself."""
    size = 1e-6 * max(np.abs(x).max(), 1e-6)
    nudge = size * np.random.default_rng(0).normal(size=x.shape)
    # Both ways: a state on a watershed may fall to either side.
    path, *beside = (matrix_run(start, ts, _patient(field)) for start in (x, x + nudge, x - nudge))
    apart = np.abs(np.stack(beside) - path).max(axis=(0, *range(2, x.ndim + 2))) / np.abs(nudge).max()
    return np.maximum(1.0, apart / np.minimum.accumulate(np.minimum(apart, 1.0))), path


def _patient(field, most=4_000):
    """The field, NaN once it was asked too often: SciPy then gives up."""
    count = itertools.count()
    return lambda x: field(x) if next(count) < most else np.full_like(x, np.nan)


def diameter(x) -> float:
    """The largest distance between two tokens."""
    return float(np.sqrt(np.max(np.sum((x[:, None] - x[None]) ** 2, axis=-1))))


def heads_field(scores, values, mass):
    """The velocity of tokens on the sphere under softmax heads with these βB and V."""
    log_mass = np.log(np.maximum(mass, 1e-300))

    def field(t, x):
        theta = x / np.linalg.norm(x, axis=1, keepdims=True)
        said = sum(softmax(theta @ B @ theta.T + log_mass) @ theta @ V.T for B, V in zip(scores, values))
        return _tangent(theta, said)

    return field


def pair_field(scores, values):
    """The velocity of each token as if half of all mass were with it and half opposite, under softmax heads."""

    def field(t, x):
        theta = x / np.linalg.norm(x, axis=1, keepdims=True)
        heard = [np.tanh(np.sum(theta @ B * theta, axis=1))[:, None] for B in scores]
        return _tangent(theta, sum(h * (theta @ V.T) for h, V in zip(heard, values)))

    return field


def _tangent(theta, a):
    return a - np.sum(a * theta, axis=1, keepdims=True) * theta


def carried(x, until: float, field):
    """Tokens on the sphere after a time, for a field of tokens, by SciPy."""
    y = _solve(lambda t, y: field(t, y.reshape(x.shape)).ravel(), x, np.array([0.0, until]))[-1]
    return y / np.linalg.norm(y, axis=1, keepdims=True)
