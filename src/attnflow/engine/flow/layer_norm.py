"""Layer normalisation of a trained layer: mean removal, gain, bias and ε."""

from __future__ import annotations

from abc import abstractmethod

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from ...errors import BadInput, quoted
from ..linalg.matrices import as_array


class Norm(eqx.Module):
    r"""Normalisation $z \mapsto \sqrt d\,g \odot u + b$, where u is the (almost) unit vector along z or along its
    differences from the mean.
    """

    gain: Float[Array, "d"]
    bias: Float[Array, "d"] | None
    eps: float = eqx.field(static=True)

    @abstractmethod
    def centred(self, z: Float[Array, "*n d"]) -> Float[Array, "*n d"]:
        """What is left of z before its length is taken."""

    def direction(self, z: Float[Array, "*n d"]) -> Float[Array, "*n d"]:
        r"""$u = w/\sqrt{|w|^2 + d\varepsilon}$ with w the centred z: a unit vector up to ε."""
        w = self.centred(z)
        d = w.shape[-1]
        return w / jnp.sqrt(jnp.sum(w**2, axis=-1, keepdims=True) + d * self.eps)

    def read(self, u: Float[Array, "*n d"]) -> Float[Array, "*n d"]:
        """What later parts of the layer see of the direction u."""
        y = jnp.sqrt(jnp.asarray(u.shape[-1], u.dtype)) * self.gain.astype(u.dtype) * u
        return y if self.bias is None else y + self.bias.astype(u.dtype)

    def __call__(self, z: Float[Array, "*n d"]) -> Float[Array, "*n d"]:
        return self.read(self.direction(z))

    def radius(self, u: Float[Array, "*n d"]) -> Float[Array, ""]:
        r"""$\sqrt d\,\bar g$: the length that the direction stands for, with the mean size of the gains."""
        return jnp.sqrt(jnp.asarray(u.shape[-1], u.dtype)) * jnp.mean(jnp.abs(self.gain)).astype(u.dtype)

    def check(self, d: int) -> None:
        """Raise before compilation when gain or bias are not for tokens of dimension d."""
        for name, given in (("gain", self.gain), ("bias", self.bias)):
            if given is not None and given.shape[-1:] != (d,):
                raise BadInput(f"the {name} of a normalisation has shape {given.shape}, but tokens have dimension {d}")


class LayerNorm(Norm):
    """Layer normalisation: the mean is removed, the length set, then gain and bias (Ba, Kiros, Hinton 2016).

    >>> import attnflow as af
    >>> import numpy as np
    >>> af.LayerNorm(gain=[1.0, 1.0], eps=0.0)(np.array([3.0, 1.0])).tolist()
    [1.0, -1.0]
    """

    def __init__(self, gain, bias=None, *, eps: float = 1e-5):
        self.gain, self.bias, self.eps = _vector(gain, "gain"), _maybe(bias), _small(eps)

    def centred(self, z):
        return z - jnp.mean(z, axis=-1, keepdims=True)


class RMSNorm(Norm):
    """Root mean square normalisation: the length alone is set (Zhang, Sennrich 2019).

    >>> import attnflow as af
    >>> import numpy as np
    >>> np.asarray(af.RMSNorm(gain=[1.0, 1.0])(np.array([3.0, 1.0]))).round(4).tolist()
    [1.3416, 0.4472]
    """

    def __init__(self, gain, bias=None, *, eps: float = 1e-6):
        self.gain, self.bias, self.eps = _vector(gain, "gain"), _maybe(bias), _small(eps)

    def centred(self, z):
        return z


def _vector(value, name: str) -> Array:
    array = as_array(value, name)
    if array.ndim != 1:
        raise BadInput(f"{name} has one entry per coordinate, got shape {array.shape}")
    return array


def _maybe(bias):
    return None if bias is None else _vector(bias, "bias")


def _small(eps) -> float:
    if not (isinstance(eps, float | int) and 0 <= eps < 1):
        raise BadInput(f"eps must be a small number from 0 on, got {quoted(eps)}")
    return float(eps)
