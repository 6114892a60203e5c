r"""Interaction energy of tokens under the exponential kernel, in double precision whatever JAX is set to."""

from __future__ import annotations

import numpy as np

ENTRIES = 2**22
"""Scores formed at a time: nothing of size n × n is kept."""


def interaction_energy(x: np.ndarray, mass: np.ndarray, *, B: np.ndarray | float, shift: float = 0.0) -> float:
    r"""$E(\mu) = \iint e^{\langle x, By\rangle}\,d\mu\,d\mu$ without a factor ½, times $e^{-\text{shift}}$.

    Source: Burger et al. 2025 (arXiv 2501.03096); their code and Figure 7.
    """
    keys, rows = (x * B if np.ndim(B) == 0 else x @ np.transpose(B)).T, max(1, ENTRIES // len(x))
    parts = [mass[k : k + rows] @ np.exp(x[k : k + rows] @ keys - shift) @ mass for k in range(0, len(x), rows)]
    return float(sum(parts))
