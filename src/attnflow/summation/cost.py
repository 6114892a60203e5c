"""Which way of summing is cheaper, judged before compilation from the tokens as they stand."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from ..attention import L2, Attention, Heads, Sinkhorn, Softmax, Unnormalised
from ..kernel import Exponential, Kernel
from ..matrices import at, is_concrete, is_scheduled
from ..measures import Particles
from ..notices import Notice
from ..spaces import Sphere
from .circle import Circle, have_one_length, modes_on_circle
from .fourier import INSTALL, is_available, transform_error
from .gauss import LARGEST_DIMENSION, Gauss, balance, modes_for
from .tiled import Tiled
from .two_sphere import TwoSphere
from .zonal import LARGEST_DEGREE, degree_on_sphere, zonal

MOST_MODES = 2**22
"""More modes than this do not fit a laptop's cache or patience: the cloud counts as unbounded."""

MODES_UNSEEN = {1: 2049, 2: 257, 3: 65}
"""Modes per axis when tokens are traced and cannot be looked at."""

PAIR = 8e-10
NODE = 2e-7
NODE_CELL = 9e-10
MODE = 3.5e-7
START = 2e-3
"""Seconds per pair of an exact sum; per token, per cell of its spreading stencil and per mode of a transform there and
back; and per call. Measured on one core in double precision; only their ratios matter."""


class Outlook(NamedTuple):
    """What a look at the tokens says of a fast sum."""

    reach: np.ndarray
    """Per axis, the largest distance of a listener from a key after balancing."""
    log_share: np.ndarray
    """For some listeners, the logarithm of the normaliser over the total weight."""


def default_tolerance(dtype) -> float:
    return max(1e-10, 1e3 * float(jnp.finfo(dtype).eps))


def finest_tolerance(dtype) -> float:
    """Below this the exact sum itself is no better."""
    return max(1e-12, 1e2 * float(jnp.finfo(dtype).eps))


def select(flow, mu: Particles, tol: float | None, exact: Tiled, *, is_wanted: bool):
    """A fast sum where it applies and is expected to be faster, or where it is wanted by name; else the exact one."""
    reason = why_not(flow, mu)
    if reason is not None:
        if is_wanted:
            warnings.warn(f"{reason}; the exact sum is used", Notice, stacklevel=4)
        return exact
    tol = default_tolerance(mu.x.dtype) if tol is None else max(tol, finest_tolerance(mu.x.dtype))
    if not is_concrete(flow, mu):
        return _unseen(flow, mu, tol, exact) if is_wanted else exact
    return _seen(flow, mu, tol, exact, is_wanted)


def why_not(flow, mu: Particles) -> str | None:
    """A sentence on why no fast sum exists, or None."""
    from ..flow import Flow

    if not isinstance(flow, Flow):
        return f"a {type(flow).__name__} flow forms its own sums"
    for rule in _rules(flow.attention):
        if not isinstance(rule, Softmax | Unnormalised | L2 | Sinkhorn):
            known = "Softmax, Unnormalised, L2 and Sinkhorn have one"
            return f"{type(rule).__name__} attention has no fast sum: {known}"
        k = _key_dimension(rule, mu.d)
        if k > LARGEST_DIMENSION:
            return f"fast sums need keys of dimension at most {LARGEST_DIMENSION}, got {k}"
    return None if is_available() else INSTALL


def _rules(rule: Attention) -> list:
    return [head for head, _ in rule.heads] if isinstance(rule, Heads) else [rule]


def _key_dimension(rule, d: int) -> int:
    weights = rule.score.weights
    shape = jnp.shape(weights[1]) if isinstance(weights, tuple) and is_concrete(weights) else ()
    return shape[0] if shape else d


def _unseen(flow, mu, tol, exact):
    k = _key_dimension(_rules(flow.attention)[0], mu.d)
    return Gauss((MODES_UNSEEN[k],) * k, tol, _finest(mu.x.dtype), exact)


def _finest(dtype) -> float:
    return 1e-14 if dtype == jnp.float64 else 1e-7


def _seen(flow, mu, tol, exact, is_wanted):
    x = flow.space.retract(mu.x)
    kernels = [_kernel(rule, mu, x) for rule in _rules(at(flow.attention, jnp.zeros((), x.dtype)))]
    looks = [outlook(kernel) for kernel in kernels]
    share = np.exp(np.concatenate([look.log_share for look in looks]))
    # Stragglers between clusters will hear less than anyone does now.
    wanted = np.clip(0.1 * tol * share.min(), _finest(x.dtype), 1e-4)
    # Whole powers of ten, so that few are compiled.
    eps = float(f"1e{int(np.floor(np.log10(wanted) + 1e-9))}")
    fast = _radial(flow, kernels, tol, eps, exact) or _gauss(flow, mu, looks, tol, eps, exact)
    modes = np.prod(np.asarray(fast.modes, float))
    if modes > MOST_MODES:
        if is_wanted:
            warnings.warn(
                f"the tokens spread over {modes:.0e} Fourier modes; the exact sum is used", Notice, stacklevel=5
            )
        return exact
    failing = np.mean(2 * transform_error(eps, x.dtype) > tol * share)
    has_potentials = any(isinstance(rule, Sinkhorn) for rule in _rules(flow.attention))
    is_faster = fast_cost(mu.n, mu.d, fast, failing) < PAIR * mu.n**2 and not has_potentials
    return fast if is_wanted or is_faster else exact


def fast_cost(n: int, d: int, fast: Circle | Gauss | TwoSphere, failing: float = 0.0) -> float:
    """Expected seconds of one fast sum of n tokens when a share of them must be summed exactly."""
    axes = np.atleast_1d(fast.modes)
    cells = (np.ceil(np.log10(1 / fast.eps)) + 2) ** len(axes)
    transforms = np.ceil((d + 1) / 2)
    return START + transforms * (n * (NODE + NODE_CELL * cells) + MODE * np.prod(axes)) + failing * PAIR * n**2


def _kernel(rule, mu, x) -> Kernel:
    """The kernel of a rule; that of Sinkhorn without its potentials, which cost more than the sum."""
    if isinstance(rule, Sinkhorn):
        return Kernel(rule.score.queries(x), rule.score.keys(x), mu.mass, Exponential())
    from ..flow import Particles_at

    return rule.kernel(x, Particles_at(mu, x))


def outlook(kernel: Kernel, listeners: int = 128, keys: int = 8192) -> Outlook:
    """Balance queries and keys, and sum exactly for a few listeners over an even sample of keys and themselves."""
    queries, speakers = np.asarray(kernel.queries, np.float64), np.asarray(kernel.keys, np.float64)
    to_query, to_key = balance(queries, speakers, np)
    u, v = queries @ to_query.T, speakers @ to_key.T
    reach = np.maximum(u.max(0) - v.min(0), v.max(0) - u.min(0))
    some = np.linspace(0, len(u) - 1, min(listeners, len(u))).astype(int)
    heard = np.linspace(0, len(v) - 1, min(keys, len(v))).astype(int)
    mass = np.asarray(kernel.mass, np.float64)
    with np.errstate(divide="ignore"):
        level = np.log(mass[heard]) + (0 if kernel.column is None else np.asarray(kernel.column)[heard])
    level = level + np.sum(v[heard] ** 2, axis=1) / 2
    distance = np.sum((u[some, None, :] - v[heard]) ** 2, axis=2) / 2
    return Outlook(reach, np.logaddexp.reduce(level - distance, axis=1) - np.logaddexp.reduce(level))


def _radial(flow, kernels, tol, eps, exact) -> Circle | TwoSphere | None:
    """The cheaper forms on the circle and on S², where scores depend on angles alone."""
    k = kernels[0].keys.shape[1]
    if not (isinstance(flow.space, Sphere) and len(kernels) == 1 and k in (2, 3)):
        return None
    queries, keys = np.asarray(kernels[0].queries), np.asarray(kernels[0].keys)
    if not have_one_length(queries, keys):
        return None
    r = float(np.linalg.norm(queries, axis=1).max() * np.linalg.norm(keys, axis=1).max())
    if k == 2:
        return Circle(modes_on_circle(r, eps), tol, eps, exact)
    degree = degree_on_sphere(r, eps)
    if degree > LARGEST_DEGREE or is_scheduled(flow):
        return None
    return TwoSphere(zonal(r, degree, kernels[0].keys.dtype), tol, eps, exact)


def _gauss(flow, mu, looks, tol, eps, exact) -> Gauss:
    """Modes for where tokens may go: the whole sphere, or half as far again as now."""
    if isinstance(flow.space, Sphere):
        everywhere = _spread_out(mu)
        rules = _rules(at(flow.attention, jnp.zeros((), mu.x.dtype)))
        looks = [*looks, *(outlook(_kernel(rule, everywhere, everywhere.x), 1, 1) for rule in rules)]
    room = 1.0 if isinstance(flow.space, Sphere) else 1.5
    reach = room * np.max([look.reach for look in looks], axis=0)
    return Gauss(tuple(modes_for(float(D), eps) for D in reach), tol, eps, exact)


def _spread_out(mu) -> Particles:
    x = np.random.default_rng(0).normal(size=(4096, mu.d))
    return Particles(jnp.asarray(x / np.linalg.norm(x, axis=1, keepdims=True), mu.x.dtype))
