"""Rotary positions: queries and keys turn with the place of their token, so that scores see distances alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ...errors import BadInput
from ..linalg.arguments import as_annotated
from ..linalg.matrices import as_array
from .base import Attention
from .masks import Positional


class Rotation(eqx.Module):
    r"""Rotation of the plane of coordinates p by the angle $s\,\omega_p$ at position s.

    Planes join coordinate p with $p + w/2$ of the first w, or neighbours where `is_interleaved`. The rest stays.
    Source: Su et al. 2021 (arXiv 2104.09864).
    """

    frequencies: Float[Array, "p"]
    is_interleaved: bool = eqx.field(static=True, default=False)

    @property
    def width(self) -> int:
        """How many coordinates turn."""
        return 2 * self.frequencies.shape[0]

    def __call__(self, vectors: Float[Array, "*h n k"], positions: Float[Array, "n"]) -> Float[Array, "*h n k"]:
        angle = positions[:, None] * self.frequencies
        cos, sin = jnp.cos(angle).astype(vectors.dtype), jnp.sin(angle).astype(vectors.dtype)
        turning, still = vectors[..., : self.width], vectors[..., self.width :]
        if self.is_interleaved:
            one, other = turning[..., 0::2], turning[..., 1::2]
            pairs = jnp.stack([one * cos - other * sin, other * cos + one * sin], axis=-1)
            turned = pairs.reshape(turning.shape)
        else:
            one, other = jnp.split(turning, 2, axis=-1)
            turned = jnp.concatenate([one * cos - other * sin, other * cos + one * sin], axis=-1)
        return jnp.concatenate([turned, still], axis=-1)


@as_annotated
def rotation(width: int, *, base: float = 10000.0, is_interleaved: bool = False) -> Rotation:
    r"""The rotation with frequencies $\omega_p = \text{base}^{-2p/w}$ on the first w coordinates."""
    if width < 2 or width % 2:
        raise BadInput(f"a rotation turns an even number of coordinates, at least 2, got {width}")
    return Rotation(jnp.asarray(base ** (-np.arange(0, width, 2) / width)), is_interleaved)


class Rotary(Positional):
    r"""Rule whose queries and keys turn with position: $s_{ij} = \beta\langle R_i Qx_i, R_j Ky_j\rangle$.

    >>> import attnflow as af
    >>> from attnflow.engine.attention.rotary import rotation
    >>> mu = af.Particles([[1.0, 0.0], [1.0, 0.0]])
    >>> af.attention_matrix(af.Flow(af.Sphere(), af.Rotary(af.Softmax(), rotation(2))), mu).round(4).tolist()
    [[0.6129, 0.3871], [0.3871, 0.6129]]
    """

    rule: Attention
    turn: Rotation
    positions: Any  # Float[Array, "n"], or None for 0, 1, 2, …

    def __init__(self, rule: Attention, turn: Rotation, *, positions=None):
        if not isinstance(rule, Attention) or not isinstance(turn, Rotation):
            raise BadInput("Rotary takes a rule and a rotation: Rotary(Softmax(), rotation(4))")
        self.rule, self.turn = rule, turn
        self.positions = None if positions is None else as_array(positions, "positions")

    def kernel(self, x, mu):
        kernel, places = self.rule.kernel(x, mu), places_of(self.positions, mu.n, mu.x.dtype)
        queries, keys = self.turn(kernel.queries, places), self.turn(kernel.keys, places)
        return replace(kernel, queries=queries, keys=keys, is_symmetric=False)

    def check(self, d, n):
        super().check(d, n)
        if self.turn.width > (k := self.rule.key_dimension(d)):
            raise BadInput(f"the rotation turns {self.turn.width} coordinates, but keys have {k}")
        if self.positions is not None and self.positions.shape != (n,):
            raise BadInput(f"positions are for {self.positions.shape} tokens, but there are {n}")

    def spread(self, d):
        return self.rule.spread(d)

    def conventions(self):
        return [*self.rule.conventions(), f"rotary positions in {self.turn.width} coordinates"]


def places_of(positions, n: int, dtype) -> Float[Array, "n"]:
    """The positions given, or 0, 1, 2, …"""
    return jnp.arange(n, dtype=dtype) if positions is None else positions.astype(dtype)
