r"""Interaction energy of tokens under the exponential kernel, in double precision whatever JAX is set to."""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike

from ...engine.linalg.arguments import as_annotated, in_range, shaped

ENTRIES = 2**22
"""Scores formed at a time: nothing of size n × n is kept."""


@as_annotated
def interaction_energy(x: ArrayLike, mass: ArrayLike, *, B: ArrayLike, shift: float = 0.0) -> float:
    r"""$E(\mu) = \iint e^{\langle x, By\rangle}\,d\mu\,d\mu$ without a factor ½, times $e^{-\text{shift}}$.

    Source: Burger et al. 2025 (arXiv 2501.03096); their code and Figure 7.
    """
    x = shaped(x, "x", "n d")
    mass = shaped(mass, "mass", "n", n=len(x))
    B = np.asarray(B, float) if np.ndim(B) == 0 else shaped(B, "B", "d d", d=x.shape[1])
    keys, rows = (x * B if np.ndim(B) == 0 else x @ np.transpose(B)).T, max(1, ENTRIES // len(x))
    parts = [mass[k : k + rows] @ np.exp(x[k : k + rows] @ keys - shift) @ mass for k in range(0, len(x), rows)]
    return in_range(float(sum(parts)))
