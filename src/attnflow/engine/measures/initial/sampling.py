"""Random numbers from one integer seed, folded by purpose, so that adding a draw shifts no other."""

from __future__ import annotations

import zlib

import numpy as np
from scipy.special import ndtri

from ....errors import BadInput, quoted
from ...linalg.arguments import LARGEST, one_of

SAMPLINGS = ("iid", "sobol")


def generator(seed: int, purpose: str) -> np.random.Generator:
    """The random numbers of one purpose ("tokens", "matrices", …) under a seed."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise BadInput(f"seed must be a non-negative integer, got {quoted(seed)}")
    return np.random.default_rng([int(seed), zlib.crc32(purpose.encode())])


def count(value, name: str, least: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise BadInput(f"{name} must be an integer of at least {least}, got {quoted(value)}")
    return int(value)


def unit_cube(n: int, d: int, *, seed: int, sampling: str = "iid") -> np.ndarray:
    """n points of (0, 1)^d, independent or scrambled Sobol; every other law is a map of these."""
    n, d = count(n, "n"), count(d, "d")
    one_of(sampling, "sampling", SAMPLINGS)
    if n * d > LARGEST * 2**10:
        raise BadInput(f"{n} tokens in {d} dimensions do not fit in memory; ask for fewer")
    rng = generator(seed, "tokens")
    if sampling == "iid":
        u = rng.random((n, d))
    else:
        from scipy.stats import qmc  # half a second to import

        u = qmc.Sobol(d, scramble=True, rng=rng).random_base2(max(0, (n - 1).bit_length()))[:n]
    # Both generators may return 0, which quantile functions send to −∞.
    return np.where(u > 0, u, 2.0**-54)


def standard_normal(n: int, d: int, *, seed: int, sampling: str = "iid") -> np.ndarray:
    return ndtri(unit_cube(n, d, seed=seed, sampling=sampling))
