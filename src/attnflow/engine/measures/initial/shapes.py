"""Regular first prompts: the sharp configurations, and tokens at equal angles."""

from __future__ import annotations

import itertools

import numpy as np

from ....errors import BadInput, quoted
from ...linalg.arguments import as_annotated
from ..particles import Particles
from .sampling import count, generator


@as_annotated
def polygon(n: int, *, phase: float = 0.0) -> Particles:
    """The regular n-gon on the circle, its first corner at the angle `phase`.

    >>> import attnflow as af
    >>> af.polygon(4).x.round(6).tolist()
    [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [-0.0, -1.0]]
    """
    angles = phase + 2 * np.pi * np.arange(count(n, "n")) / n
    return Particles(np.stack([np.cos(angles), np.sin(angles)], axis=1))


@as_annotated
def simplex(d: int) -> Particles:
    r"""The d + 1 corners of the regular simplex on $S^{d-1}$, with all cosines $-1/d$."""
    d = count(d, "d")
    # Corners e_i of R^{d+1}, reflected so that the all-ones direction becomes a coordinate, which is then dropped.
    mirror = np.ones(d + 1) / np.sqrt(d + 1)
    mirror[-1] += 1
    reflection = np.eye(d + 1) - np.outer(mirror, mirror) / mirror[-1]
    return Particles(np.sqrt((d + 1) / d) * reflection[:, :-1])


@as_annotated
def cross_polytope(d: int) -> Particles:
    """The 2d corners ± e_i."""
    return Particles(np.concatenate([np.eye(count(d, "d")), -np.eye(d)]))


def icosahedron() -> Particles:
    """The 12 corners of the icosahedron on the sphere of R^3."""
    golden = (1 + np.sqrt(5)) / 2
    corners = [(0.0, a, b * golden) for a, b in itertools.product((1, -1), repeat=2)]
    x = np.array([np.roll(corner, k) for k in range(3) for corner in corners])
    return Particles(x / np.sqrt(1 + golden**2))


def cell_600() -> Particles:
    """The 120 corners of the 600-cell on the sphere of R^4."""
    golden = (1 + np.sqrt(5)) / 2
    corners = [s * np.eye(4)[i] for i in range(4) for s in (1, -1)]
    corners += [np.array(signs) / 2 for signs in itertools.product((1, -1), repeat=4)]
    for order in itertools.permutations(range(4)):
        if _is_even(order):
            for a, b, c in itertools.product((1, -1), repeat=3):
                corners.append(np.array([a * golden, b, c / golden, 0.0])[list(order)] / 2)
    return Particles(np.array(corners))


@as_annotated
def equiangular(n: int, d: int, *, cos: float, seed: int | None = None) -> Particles:
    r"""Unit vectors with $\langle x_i, x_j\rangle = \cos$ for all $i \ne j$; a `seed` turns them at random.

    They exist for $-1/(n-1) \le \cos \le 1$ and need $d \ge n$ (one less at the lower end, the simplex).
    """
    n, d = count(n, "n"), count(d, "d")
    least = -1.0 if n < 3 else -1 / (n - 1)
    if not least <= cos <= 1:
        raise BadInput(f"{n} tokens can have equal cosines between {least:.6g} and 1, got {quoted(cos)}")
    x = _equal_cosines(n, cos)
    if x.shape[1] > d:
        raise BadInput(f"{n} tokens with equal cosines {cos:g} need d of at least {x.shape[1]}, got {d}")
    x = np.pad(x, ((0, 0), (0, d - x.shape[1])))
    return Particles(x if seed is None else x @ rotation(d, seed=seed))


def rotation(d: int, *, seed: int) -> np.ndarray:
    """A rotation drawn uniformly."""
    q, r = np.linalg.qr(generator(seed, "rotation").standard_normal((d, d)))
    return q * np.sign(np.diag(r))


def _equal_cosines(n, cos):
    if n > 1 and cos == -1 / (n - 1):
        return np.asarray(simplex(n - 1).x)
    if cos == 1:
        return np.ones((n, 1))
    # The symmetric root of the Gram matrix (1 − cos) I + cos 11ᵀ.
    low, high = np.sqrt(1 - cos), np.sqrt(1 + (n - 1) * cos)
    return low * np.eye(n) + (high - low) / n


def _is_even(order) -> bool:
    return sum(a > b for a, b in itertools.combinations(order, 2)) % 2 == 0
