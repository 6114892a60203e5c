"""Cost model of exact and fast sums, judged before compilation from the tokens as they stand."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from ...errors import Notice
from .circle import Circle, have_one_length, modes_on_circle
from .fourier import transform_error
from .gauss import Gauss, balance, modes_for
from .kernel import Kernel
from .tiled import Tiled
from .two_sphere import TwoSphere
from .zonal import LARGEST_DEGREE, degree_on_sphere, zonal

MOST_MODES = 2**22
"""With more modes than this a transform no longer fits the cache, and the exact sum is used."""

MODES_UNSEEN = {1: 2049, 2: 257, 3: 65}
"""Modes per axis when tokens are traced and cannot be looked at."""

PAIR = 8e-10
NODE = 2e-7
NODE_CELL = 9e-10
MODE = 3.5e-7
START = 2e-3
"""Seconds per pair of an exact sum; per token, per cell of its spreading stencil and per mode of a transform there and
back; and per call. Measured on one core in double precision; only their ratios matter."""


class Sums(NamedTuple):
    """What is known of the sums of a flow before compilation."""

    kernels: list[Kernel]
    """One for each head, at the tokens as they stand."""
    everywhere: list[Kernel]
    """The same at tokens all over a sphere, where tokens stay on one; empty where they may go anywhere."""
    is_constant: bool
    """Whether no weight depends on time."""
    is_costly: bool
    """Whether making a kernel costs more than its sum, so that a faster sum gains nothing."""


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


def unseen(k: int, dtype, tol: float | None, exact: Tiled) -> Gauss:
    """A fast sum for traced tokens with keys of dimension k, which cannot be looked at."""
    return Gauss((MODES_UNSEEN[k],) * k, allowed(tol, dtype), _finest(dtype), exact)


def allowed(tol: float | None, dtype) -> float:
    """The tolerance of a fast sum: what is asked for, as far as the precision can hold it."""
    return default_tolerance(dtype) if tol is None else max(tol, finest_tolerance(dtype))


def _finest(dtype) -> float:
    return 1e-14 if dtype == jnp.float64 else 1e-7


def select(sums: Sums, *, d: int, tol: float | None, exact: Tiled, is_wanted: bool):
    """A fast sum where it is expected to be faster, or where it is wanted by name; else the exact one."""
    n, dtype = sums.kernels[0].queries.shape[0], sums.kernels[0].keys.dtype
    tol, looks = allowed(tol, dtype), [outlook(kernel) for kernel in sums.kernels]
    share = np.exp(np.concatenate([look.log_share for look in looks]))
    # Stragglers between clusters will hear less than anyone does now.
    wanted = np.clip(0.1 * tol * share.min(), _finest(dtype), 1e-4)
    # Whole powers of ten, so that few are compiled.
    eps = float(f"1e{int(np.floor(np.log10(wanted) + 1e-9))}")
    fast = _on_sphere(sums, tol, eps, exact) or _gauss(sums, looks, tol, eps, exact)
    modes = np.prod(np.asarray(fast.modes, float))
    if modes > MOST_MODES:
        if is_wanted:
            words = f"the tokens spread over {modes:.0e} Fourier modes; the exact sum is used"
            warnings.warn(words, Notice, stacklevel=4)
        return exact
    failing = float(np.mean(2 * transform_error(eps, dtype) > tol * share))
    is_faster = fast_cost(n, d, fast, failing) < PAIR * n**2 and not sums.is_costly
    return fast if is_wanted or is_faster else exact


def fast_cost(n: int, d: int, fast: Circle | Gauss | TwoSphere, failing: float = 0.0) -> float:
    """Expected seconds of one fast sum of n tokens when a share of them must be summed exactly."""
    axes = np.atleast_1d(fast.modes)
    cells = (np.ceil(np.log10(1 / fast.eps)) + 2) ** len(axes)
    transforms = np.ceil((d + 1) / 2)
    return START + transforms * (n * (NODE + NODE_CELL * cells) + MODE * np.prod(axes)) + failing * PAIR * n**2


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


def _on_sphere(sums: Sums, tol, eps, exact) -> Circle | TwoSphere | None:
    """The cheaper forms on the circle and on S², where scores depend on angles alone."""
    kernel = sums.kernels[0]
    k = kernel.keys.shape[1]
    if not (sums.everywhere and len(sums.kernels) == 1 and k in (2, 3)):
        return None
    queries, keys = np.asarray(kernel.queries), np.asarray(kernel.keys)
    if not have_one_length(queries, keys):
        return None
    r = float(np.linalg.norm(queries, axis=1).max() * np.linalg.norm(keys, axis=1).max())
    if k == 2:
        return Circle(modes_on_circle(r, eps), tol, eps, exact)
    degree = degree_on_sphere(r, eps)
    if degree > LARGEST_DEGREE or not sums.is_constant:
        return None
    return TwoSphere(zonal(r, degree, kernel.keys.dtype), tol, eps, exact)


def _gauss(sums: Sums, looks, tol, eps, exact) -> Gauss:
    """Modes for where tokens may go: the whole sphere, or half as far again as now."""
    looks = [*looks, *(outlook(kernel, 1, 1) for kernel in sums.everywhere)]
    reach = (1.0 if sums.everywhere else 1.5) * np.max([look.reach for look in looks], axis=0)
    return Gauss(tuple(modes_for(float(D), eps) for D in reach), tol, eps, exact)
