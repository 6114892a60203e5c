r"""Attention in one dimension, $V>0$, $QK>0$: limits of the rows of P, and closed forms for two or three tokens.

Source: Geshkovski et al., arXiv 2305.05465, theorem 2.1 and lemmas 7.3–7.8; closed forms derived.
"""

from __future__ import annotations

import numpy as np
from jax.typing import ArrayLike
from scipy.integrate import quad
from scipy.special import lambertw

from ...engine.linalg.arguments import as_annotated, inside, shaped
from ...errors import BadInput, quoted

LEAST = 1e-100
"""Smaller starts are not told from 0."""


@as_annotated
def escape_level(n: int) -> float:
    r"""The A with $A^2 = n^2e^{-A^2}$, beyond which the largest token grows like $e^t$ for ever (lemma 7.3)."""
    return float(np.sqrt(lambertw(float(n) ** 2).real))


def middle_angle(gamma_low: float, gamma_high: float, *, low: float = 1, high: float = 1) -> float:
    r"""The limit $\theta_0$ of $e^t x$ for the one interior token that may stay bounded (lemma 7.8).

    $$\theta_0 = \frac{\ln(-m_1\gamma_1/(m_n\gamma_n))}{\gamma_n-\gamma_1}$$
    for `low` tokens at $\gamma_1<0$ and `high` at $\gamma_n>0$.
    """
    if not gamma_low < 0 < gamma_high:
        raise BadInput(f"the outer limits must have opposite signs, got {gamma_low} and {gamma_high}")
    return float(np.log(-low * gamma_low / (high * gamma_high)) / (gamma_high - gamma_low))


def middle_row(gamma_low: float, gamma_high: float, *, low: float = 1, high: float = 1) -> tuple[float, float, float]:
    """What the exceptional row of P ends as: the weight of each low token, of itself, of each high token."""
    theta = middle_angle(gamma_low, gamma_high, low=low, high=high)
    down, up = np.exp(gamma_low * theta), np.exp(gamma_high * theta)
    total = 1 + low * down + high * up
    return float(down / total), float(1 / total), float(up / total)


@as_annotated
def exceptional_row(z: ArrayLike, mass: ArrayLike, token: int) -> np.ndarray:
    r"""The row of P* of a token that stays bounded between limits z of the others, for masses m.

    $$P^*_j\propto m_je^{z_j\theta_0},\qquad z_{i_0}=0$$
    """
    z = shaped(z, "z", "n")
    mass = shaped(mass, "mass", "n", n=len(z))
    inside(token, "token", least=0, most=len(z) - 1)
    others = np.arange(len(z)) != token
    low, high = others & (z < 0), others & (z > 0)
    if not mass[low].sum() > 0 or not mass[high].sum() > 0:
        raise BadInput("a token stays bounded only between others: z needs a negative and a positive entry with mass")
    theta = middle_angle(z[low].min(), z[high].max(), low=mass[low].sum(), high=mass[high].sum())
    weights = mass * np.exp(np.where(others, z, 0.0) * theta)
    return weights / weights.sum()


@as_annotated
def symmetric_triple_limit(u0: float) -> float:
    r"""The limit of $e^{-t}u$ for the start $(-u, 0, u)$, kept exactly symmetric.

    $$u' = u\,\frac{e^{u^2}-e^{-u^2}}{e^{u^2}+1+e^{-u^2}}$$
    """

    inside(u0, "u0", least=LEAST)

    def lag(s):
        w = np.exp(2 * s)
        away = np.exp(-w)
        speed = -np.expm1(-2 * w) / (1 + away + away**2)
        return (1 - speed) / speed

    drop = quad(lag, np.log(u0), 4.0, epsabs=1e-13, limit=400)[0]
    return float(u0 * np.exp(-drop))


@as_annotated
def pair_limit(e: float) -> float:
    r"""The limit y of the tokens $z = (1, \pm y)$ that start at $(1, \pm e)$: positive, so two clusters remain.

    $$y_\infty = e\,\exp\Big(-\int_{e^2}^\infty\frac{1-\tanh u}{2u\tanh u}du\Big)$$

    Remark 7.9 of arXiv 2305.05465 says zero; that is false.
    """

    inside(e, "e", least=LEAST)

    def loss(s):
        u = np.exp(s)
        return 1 / np.expm1(2 * u)

    return float(e * np.exp(-quad(loss, 2 * np.log(e), np.log(40.0), epsabs=1e-14, epsrel=1e-13, limit=400)[0]))


@as_annotated
def repelled_pair(t: ArrayLike, u0: float = 1.0):
    r"""The pair $\pm u$ under V = −1: $u' = -u\tanh u^2$, so $\int du/(u\tanh u^2)$ is the clock and $2tu^2\to1$.

    In closed form, $\sinh(u^2) = \sinh(u_0^2)\,e^{-\int}$ is not elementary; the clock is inverted by bisection.
    """
    from scipy.optimize import brentq

    inside(u0, "u0", least=1e-6, most=1e6)
    if not np.all((np.asarray(t) >= 0) & (np.asarray(t) <= 1e12)):
        raise BadInput(f"times must lie between 0 and 1e12, got {quoted(t)}")

    def clock(v):
        return quad(lambda s: 1 / np.tanh(np.exp(2 * s)), np.log(v), np.log(u0), epsabs=1e-12, limit=400)[0]

    def at(s):
        return u0 if s == 0 else brentq(lambda v: clock(v) - s, 1e-8, u0, xtol=1e-14)

    return np.vectorize(at, otypes=[float])(t)
