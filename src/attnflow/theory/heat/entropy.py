r"""Free energy of bridge steps, and the entropy and Fisher information estimated from a self-transport.

$$\mathrm{OT}_\varepsilon(\mu,\mu) = -\varepsilon H - \tfrac{\varepsilon d}2\log 2\pi\varepsilon
+ \tfrac{\varepsilon^2}8I + O(\varepsilon^4)$$
"""

from __future__ import annotations

import numpy as np

from .self_transport import SelfTransport


def free_energy(transport: SelfTransport) -> float:
    r"""$$F_\varepsilon = -\frac{\mathrm{OT}_\varepsilon(\mu,\mu)}{2\varepsilon} - \frac d4\log 2\pi\varepsilon
    = \tfrac12H - \tfrac\varepsilon{16}I + O(\varepsilon^3)$$

    The field $(x - \mathrm{bary})/\varepsilon$ is its exact Wasserstein gradient descent.
    """
    d, eps = transport.x.shape[1], transport.eps
    return -transport.value / (2 * eps) - d / 4 * np.log(2 * np.pi * eps)


def fisher_information(transport: SelfTransport) -> float:
    r"""$4E|\mathrm{bary}-X|^2/\varepsilon^2 \to I = \int\rho|\nabla\log\rho|^2$, first order in ε."""
    move = transport.bary - transport.x
    return 4 * float(transport.mass @ np.sum(move**2, axis=1)) / transport.eps**2


def negative_entropy(transport: SelfTransport) -> float:
    r"""$2F_\varepsilon + \tfrac\varepsilon8I \to H = \int\rho\log\rho$, second order in ε."""
    return 2 * free_energy(transport) + transport.eps / 8 * fisher_information(transport)


def attention_energy(transport: SelfTransport) -> float:
    r"""The energy whose descent Sinkhorn attention with $B = I$, $V = -I$ is.

    $$\mathcal F^\infty = -\tfrac12\int k^\infty\log(k^\infty/k^0)\,d\mu\,d\mu,\quad k^0 = e^{\langle x,y\rangle/\varepsilon}$$

    $$\varepsilon\mathcal F^\infty = \tfrac12E|X|^2 - \tfrac12\mathrm{OT}_\varepsilon(\mu,\mu)$$
    Source: Sander et al. 2022 (arXiv 2110.11773), Prop. 2; the identity is derived.
    """
    square = float(transport.mass @ np.sum(transport.x**2, axis=1))
    return (square - transport.value) / (2 * transport.eps)
