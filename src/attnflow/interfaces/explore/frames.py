"""Binary messages of the explorer, version 1: knots of a run, and attention matrices.

A knot is a 32-byte head (magic `AFK1`, run, sequence number, n as u32; d, flags as u16; t as f64), then n places and,
where the flags say so, n velocities, three 32-bit floats each; all little-endian. A matrix is a 32-byte head (magic
`AFM1`, run, sequence number, size as u32; heads, flags as u16; t as f64), then size² weights, row by row.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np

from ...errors import BadInput

HEAD = struct.Struct("<4sIIIHHd4x")
KNOT, MATRIX = b"AFK1", b"AFM1"
HAS_VELOCITY, IS_SPHERE, IS_PROJECTED = 1, 2, 4
"""Flags: velocities follow (else tokens move on straight lines), curves are put back on the unit sphere, and the three
coordinates are a projection of d."""


class Knot(NamedTuple):
    """Tokens at one time, as they are drawn."""

    t: float
    x: np.ndarray
    v: np.ndarray | None
    flags: int = 0
    d: int = 3


def pack_knot(knot: Knot, *, run: int, sequence: int) -> bytes:
    flags = knot.flags | (0 if knot.v is None else HAS_VELOCITY)
    head = HEAD.pack(KNOT, run, sequence, len(knot.x), min(knot.d, 65535), flags, knot.t)
    return head + b"".join(three(part).tobytes() for part in (knot.x, knot.v) if part is not None)


def unpack_knot(data: bytes) -> tuple[Knot, int, int]:
    """The knot, its run and its sequence number."""
    magic, run, sequence, n, d, flags, t = HEAD.unpack_from(data)
    has_velocity = bool(flags & HAS_VELOCITY)
    if magic != KNOT or len(data) != HEAD.size + 12 * n * (1 + has_velocity):
        raise BadInput("not a knot of version 1")
    parts = np.frombuffer(data, "<f4", offset=HEAD.size).reshape(1 + has_velocity, n, 3)
    return Knot(t, parts[0], parts[1] if has_velocity else None, flags & ~HAS_VELOCITY, d), run, sequence


def pack_matrix(weights: np.ndarray, *, t: float, run: int, heads: int = 1) -> bytes:
    head = HEAD.pack(MATRIX, run, 0, len(weights), heads, 0, t)
    return head + np.ascontiguousarray(weights, "<f4").tobytes()


def three(x: np.ndarray) -> np.ndarray:
    """Rows of exactly three numbers: missing coordinates are zero."""
    out = np.zeros((len(x), 3), "<f4")
    out[:, : x.shape[1]] = x[:, :3]
    return out
