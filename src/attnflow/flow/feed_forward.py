"""Feed-forward layer: the perceptron that follows attention."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..errors import BadInput
from ..linalg.matrices import Schedule, Scheduled, as_matrix, times

ACTIVATIONS: dict[str, Callable] = {
    "relu": jax.nn.relu, "tanh": jnp.tanh, "gelu": partial(jax.nn.gelu, approximate=False), "identity": lambda s: s
}  # fmt: skip


class FeedForward(eqx.Module):
    r"""The perceptron of a layer, $w\,\sigma(ax + b)$, added to what attention says."""

    w: Scheduled
    a: Scheduled
    b: Scheduled
    activation: str = eqx.field(static=True)

    def __init__(self, w=1.0, a=1.0, b=0.0, activation="relu"):
        if activation not in ACTIVATIONS:
            raise BadInput(f"activation must be one of {', '.join(ACTIVATIONS)}, got {activation!r}")
        self.w, self.a = as_matrix(w, "w", square=False), as_matrix(a, "a", square=False)
        self.b = Schedule(b) if callable(b) else jnp.asarray(b)
        self.activation = activation

    def check(self, d: int) -> None:
        """Shapes that are known before a run: a is (h, d) and w is (d, h)."""
        a, w = ((None if isinstance(m, Schedule) or m.ndim == 0 else m.shape) for m in (self.a, self.w))
        if a is not None and a[1] != d:
            raise BadInput(f"feed-forward a has shape {a}, but tokens have dimension {d}; it must be (h, {d})")
        if w is not None and (w[0] != d or (a is not None and w[1] != a[0])):
            hidden = "h" if a is None else a[0]
            raise BadInput(f"feed-forward w has shape {w}, but tokens have dimension {d}; it must be ({d}, {hidden})")

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        return times(self.w, ACTIVATIONS[self.activation](times(self.a, x) + self.b.astype(x.dtype)))
