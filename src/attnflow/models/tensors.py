"""Tensors of a family by the names it uses: missing ones and wrong shapes are told in one line."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ..engine.flow import LayerNorm, RMSNorm
from ..errors import BadInput, quoted

ACTIVATIONS = {
    "gelu": "gelu", "gelu_new": "gelu_tanh", "gelu_fast": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh",
    "gelu_python": "gelu", "silu": "silu", "swish": "silu", "relu": "relu", "tanh": "tanh", "quick_gelu": "quick_gelu",
    "relu2": "relu_squared",
}  # fmt: skip
"""Names of activations in configurations; "gelu" is the exact one."""


class Tensors:
    """The tensors below a prefix."""

    def __init__(self, tensors: dict[str, np.ndarray], prefix: str = ""):
        self.tensors, self.prefix = tensors, prefix

    def below(self, prefix: str) -> Tensors:
        return Tensors(self.tensors, f"{self.prefix}{prefix}.")

    def has(self, name: str) -> bool:
        return f"{self.prefix}{name}" in self.tensors

    def raw(self, name: str, *shape: int | None) -> np.ndarray:
        """The tensor of that name; None in a shape is any size."""
        full = f"{self.prefix}{name}"
        if full not in self.tensors:
            near = [key for key in self.tensors if key.startswith(self.prefix)][:3]
            raise BadInput(f"tensor {full} is missing; beside it there are {', '.join(near) or 'none'}"[:190])
        found = self.tensors[full]
        fits = len(found.shape) == len(shape) and all(want in (None, n) for want, n in zip(shape, found.shape))
        if shape and not fits:
            wanted = ", ".join("any" if n is None else str(n) for n in shape)
            raise BadInput(f"tensor {full[-70:]} has shape {found.shape}, expected ({wanted}); check config.json"[:198])
        if 0 in found.shape:
            raise BadInput(f"tensor {full[-70:]} is empty, shape {found.shape}"[:198])
        if not np.issubdtype(found.dtype, np.floating):
            raise BadInput(f"tensor {full[-70:]} holds {found.dtype}: quantised or packed weights are not read")
        if not np.isfinite(found).all():
            raise BadInput(f"tensor {full[-70:]} contains NaN or infinity")
        return found

    def __call__(self, name: str, *shape: int | None) -> np.ndarray:
        return self.raw(name, *shape).astype(jnp.result_type(float))

    def maybe(self, name: str, *shape: int | None) -> np.ndarray | None:
        return self(name, *shape) if self.has(name) else None

    def layer_norm(self, name: str, d: int, eps: float) -> LayerNorm:
        return LayerNorm(self(f"{name}.weight", d), self.maybe(f"{name}.bias", d), eps=eps)

    def rms_norm(self, name: str, d: int, *, eps: float, plus: float = 0.0) -> RMSNorm:
        return RMSNorm(self(f"{name}.weight", d) + plus, eps=eps)

    def linear(self, name: str, out: int | None, into: int | None) -> tuple[np.ndarray, np.ndarray | None]:
        """Matrix (out × in) and offset of a linear map."""
        return self(f"{name}.weight", out, into), self.maybe(f"{name}.bias", out)

    def count(self, stem: str) -> int:
        """How many numbered entries follow a stem, e.g. layers."""
        start = f"{self.prefix}{stem}."
        numbers = {key[len(start) :].split(".")[0] for key in self.tensors if key.startswith(start)}
        return sum(number.isdigit() for number in numbers)


def prefix_of(tensors: dict[str, Any], suffix: str) -> str | None:
    """What stands before the suffix in the name of some tensor, or None."""
    return next((name.removesuffix(suffix) for name in tensors if name.endswith(suffix)), None)


def needed(config: dict[str, Any], *names: str) -> Any:
    """The first of these entries that a configuration has."""
    for name in names:
        if config.get(name) is not None:
            return config[name]
    raise BadInput(f"the configuration does not say {names[0]}: give read_model(…, config={{{names[0]!r}: …}})")


def refuse_other(config: dict[str, Any], family: str, **usual) -> None:
    """Raise where a configuration asks for what layers of the family here do not do."""
    for name, value in usual.items():
        if config.get(name) not in (None, value):
            raise BadInput(
                f"{family} with {name} = {quoted(str(config[name])[:40])} is built otherwise than what is read here"
            )


def whole(config: dict[str, Any], *names: str, most: int = 2**20) -> int:
    value = needed(config, *names)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= most:
        raise BadInput(f"{names[0]} must be a positive whole number, got {quoted(str(value)[:40])}")
    return value


def maybe_whole(config: dict[str, Any], name: str) -> int | None:
    """A positive whole number, or None where the configuration does not say it."""
    return None if config.get(name) is None else whole(config, name, most=2**40)


def number_in(config: dict[str, Any], name: str, default: float) -> float:
    """A positive number, such as the ε of norms."""
    value = config.get(name)
    value = default if value is None else value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e12:
        raise BadInput(f"{name} must be a positive number, got {quoted(str(value)[:40])}")
    return float(value)


def label_of(config: dict[str, Any], name: str, default: str) -> str:
    """What a model is called: one short line, whatever the configuration says."""
    words = "".join(sign for sign in str(config.get(name) or default).split("/")[-1] if sign.isprintable())
    return words[:60] or default


def activation_of(config: dict[str, Any], *names: str, default: str = "gelu") -> str:
    name = next((config[n] for n in names if config.get(n) is not None), default)
    if not isinstance(name, str) or name not in ACTIVATIONS:
        raise BadInput(f"activation {quoted(str(name)[:40])} is not known; known are {', '.join(ACTIVATIONS)}")
    return ACTIVATIONS[name]


def by_head(M: np.ndarray, heads: int) -> np.ndarray:
    """Rows of a projection, split into heads: (h·k, d) → (h, k, d), also for offsets."""
    if M.shape[0] % heads:
        raise BadInput(f"{M.shape[0]} rows cannot be shared by {heads} heads; check num_attention_heads")
    return M.reshape(heads, M.shape[0] // heads, *M.shape[1:])


def output_by_head(W: np.ndarray, heads: int) -> np.ndarray:
    """An output matrix (d, h·v) as one matrix (d, v) per head."""
    if W.shape[1] % heads:
        raise BadInput(f"{W.shape[1]} columns cannot be shared by {heads} heads; check num_attention_heads")
    return np.moveaxis(W.reshape(W.shape[0], heads, -1), 1, 0)


def maybe_by_head(offset, heads: int):
    return None if offset is None else by_head(offset, heads)
