"""Feed-forward layer: the perceptron that follows attention."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ...errors import BadInput
from ..linalg.arguments import one_of
from ..linalg.matrices import Schedule, Scheduled, as_array, as_matrix, times

ACTIVATIONS: dict[str, Callable] = {
    "relu": jax.nn.relu,
    "tanh": jnp.tanh,
    "gelu": partial(jax.nn.gelu, approximate=False),
    "gelu_tanh": partial(jax.nn.gelu, approximate=True),
    "silu": jax.nn.silu,
    "sigmoid": jax.nn.sigmoid,
    "quick_gelu": lambda s: s * jax.nn.sigmoid(1.702 * s),
    "relu_squared": lambda s: jnp.square(jax.nn.relu(s)),
    "identity": lambda s: s,
}
"""By name; "gelu" is the exact one with the error function, "gelu_tanh" its approximation in GPT-2."""


class FeedForward(eqx.Module):
    r"""The perceptron of a layer, $w\,\sigma(ax + b) + c$, added to what attention says.

    With a `gate` it is $w\,(\sigma(gx + e) \odot (ax + b)) + c$, SwiGLU for "silu"; `skip` adds $Lx$.

    >>> import attnflow as af
    >>> flow = af.Flow(af.Euclidean(), af.Softmax(), V=0.0, feed_forward=af.FeedForward(activation="tanh"))
    >>> af.velocity(flow, af.Particles([[0.0, 1.0]])).round(6).tolist()
    [[0.0, 0.761594]]
    """

    w: Scheduled
    a: Scheduled
    b: Scheduled
    activation: str = eqx.field(static=True)
    c: Any
    gate: Any
    gate_offset: Any
    skip: Any

    def __init__(
        self,
        w: Any = 1.0,
        a: Any = 1.0,
        b: Any = 0.0,
        activation="relu",
        *,
        c=None,
        gate=None,
        gate_offset=None,
        skip=None,
    ):
        one_of(activation, "activation", ACTIVATIONS)
        self.w, self.a = as_matrix(w, "w", square=False), as_matrix(a, "a", square=False)
        self.b = Schedule(b) if callable(b) else as_array(b, "b")
        self.activation = activation
        self.c = None if c is None else as_array(c, "c")
        self.gate = None if gate is None else as_matrix(gate, "gate", square=False)
        self.gate_offset = None if gate_offset is None else as_array(gate_offset, "gate_offset")
        self.skip = None if skip is None else as_matrix(skip, "skip")
        if gate is None and gate_offset is not None:
            raise BadInput("gate_offset belongs to a gate: give both, or neither")

    @property
    def is_plain(self) -> bool:
        """Whether it is w σ(ax + b) and nothing else."""
        return all(more is None for more in (self.c, self.gate, self.skip))

    def check(self, d: int) -> None:
        """Shapes that are known before a run: a and gate are (h, d) and w is (d, h)."""
        a, w, gate = (_shape(m) for m in (self.a, self.w, self.gate))
        for name, shape in (("a", a), ("gate", gate)):
            if shape is not None and shape[1] != d:
                raise BadInput(
                    f"feed-forward {name} has shape {shape}, but tokens have dimension {d}; it must be (h, {d})"
                )
        if w is not None and (w[0] != d or (a is not None and w[1] != a[0])):
            hidden = "h" if a is None else a[0]
            raise BadInput(f"feed-forward w has shape {w}, but tokens have dimension {d}; it must be ({d}, {hidden})")
        if gate is not None and a is not None and gate[0] != a[0]:
            raise BadInput(f"feed-forward gate has shape {gate}, but a has {a[0]} rows")

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        inner, activate = times(self.a, x) + self.b.astype(x.dtype), ACTIVATIONS[self.activation]
        if self.gate is None:
            hidden = activate(inner)
        else:
            opening = times(self.gate, x)
            hidden = (
                activate(opening if self.gate_offset is None else opening + self.gate_offset.astype(x.dtype)) * inner
            )
        said = times(self.w, hidden)
        said = said if self.c is None else said + self.c.astype(x.dtype)
        return said if self.skip is None else said + times(self.skip, x)


def _shape(M) -> tuple[int, ...] | None:
    return None if M is None or isinstance(M, Schedule) or M.ndim == 0 else M.shape
