"""Gaussian prompts."""

from __future__ import annotations

import equinox as eqx
import numpy as np
from jaxtyping import Array, Float

from ...errors import BadInput
from ..linalg.matrices import as_array, is_concrete
from ..linalg.shown import Shown, shown


class Gaussian(Shown, eqx.Module):
    r"""A prompt $N(\text{mean}, \text{cov})$; the covariance may be singular.

    >>> import attnflow as af
    >>> af.Gaussian(mean=[0.0, 0.0], cov=[[1.0, 0.2], [0.2, 0.5]])
    Gaussian(mean = 2 array, cov = [1 0.2; 0.2 0.5])
    """

    mean: Float[Array, "*b d"]
    cov: Float[Array, "*b d d"]

    def __init__(self, mean, cov):
        self.mean = as_array(mean, "mean")
        self.cov = _covariance(cov, self.mean)

    def facts(self):
        return {"mean": shown(self.mean), "cov": shown(self.cov)}

    @property
    def d(self) -> int:
        return self.mean.shape[-1]


def _covariance(cov, mean):
    cov, d = as_array(cov, "cov").astype(mean.dtype), mean.shape[-1] if mean.ndim else 0
    if mean.ndim < 1 or d == 0:
        raise BadInput(f"mean must be a vector, got shape {mean.shape}")
    if cov.shape[-2:] != (d, d):
        raise BadInput(f"cov must have shape ({d}, {d}) to match the mean, got {cov.shape}")
    if is_concrete(cov):
        values = np.asarray(cov)
        # Each covariance of a batch is judged by its own size.
        slack = 100 * d * np.finfo(values.dtype).eps * np.abs(values).max(axis=(-2, -1))
        skew = np.abs(values - np.swapaxes(values, -1, -2)).max(axis=(-2, -1))
        if np.any(skew > slack):
            raise BadInput(f"cov must be symmetric, but differs from its transpose by {skew.max():.3g}")
        lowest = np.linalg.eigvalsh(values)[..., 0]
        if np.any(lowest < -slack):
            raise BadInput(f"cov must be positive semidefinite, its smallest eigenvalue is {lowest.min():.3g}")
    return cov
