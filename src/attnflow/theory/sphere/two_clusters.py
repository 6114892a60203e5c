r"""Two clusters that merge: the angle between them, the exact merging time and its law at low temperature.

Source: Rigollet, arXiv 2512.01868, theorem 6, in its corrected form (masses and the moving exponent belong in it).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from jax.typing import ArrayLike
from scipy.integrate import quad
from scipy.optimize import brentq

from ...engine.linalg.arguments import as_annotated, in_range, inside, shaped
from ...errors import BadInput, quoted


def closing_speed(theta, *, beta: float, mass=(1.0, 1.0), model: Literal["SA", "USA"] = "SA"):
    r"""How fast the angle between two clusters of masses $m_1, m_2$ shrinks.

    $$-\theta' = \sin\theta\Big[\frac{m_2}{m_1e^{\beta(1-\cos\theta)}+m_2}+\frac{m_1}{m_2e^{\beta(1-\cos\theta)}+m_1}\Big]$$
    (SA); $(m_1+m_2)\sin\theta\,e^{\beta\cos\theta}$ with fractions of the whole mass (USA).
    """
    m1, m2 = mass
    if model == "USA":
        return (m1 + m2) * np.sin(theta) * np.exp(beta * np.cos(theta))
    away = np.exp(-2 * beta * np.sin(theta / 2) ** 2)
    return np.sin(theta) * away * (m2 / (m1 + m2 * away) + m1 / (m2 + m1 * away))


def _masses(mass) -> np.ndarray:
    mass = shaped(mass, "mass", "two", two=2)
    if not np.all(mass > 0):
        raise BadInput(f"both masses must be positive, got {quoted(mass.tolist())}")
    return mass


@as_annotated
def merging_time(
    theta0: float,
    theta1: float = 1e-3,
    *,
    beta: float,
    mass: ArrayLike | Sequence[float] = (1.0, 1.0),
    model: Literal["SA", "USA"] = "SA",
) -> float:
    r"""The exact time from angle `theta0` to `theta1`, $\int d\theta/|\theta'|$, which grows like $e^{c\beta}$."""
    if not 0 < theta1 <= theta0 < np.pi:
        raise BadInput(
            f"angles must satisfy 0 < theta1 <= theta0 < π, got theta0={quoted(theta0)}, theta1={quoted(theta1)}"
        )
    mass = _masses(mass)

    def slowness(s):
        return np.exp(s) / closing_speed(np.exp(s), beta=beta, mass=mass, model=model)

    # In pieces: at large β nearly all of the time is spent next to theta0, where one rule for the whole would not look.
    cuts = np.linspace(np.log(theta1), np.log(theta0), 33)
    return in_range(float(sum(quad(slowness, a, b, epsabs=0, epsrel=1e-12)[0] for a, b in pairwise(cuts))))


def hardmax_angle(s, theta0: float, *, rate: float = 2.0):
    r"""The angle of two tokens under hardmax attention, $\tan(\theta/2) = \tan(\theta_0/2)e^{-2s}$: they never meet.

    This is the closest pair at low temperature on its own clock. Source: Bruno et al. 2025, Proposition 3.11; arXiv
    2512.01868 says "in finite time", which this contradicts.
    """
    return 2 * np.arctan(np.tan(theta0 / 2) * np.exp(-rate * np.asarray(s)))


@as_annotated
def merging_law(theta0: float, *, beta: float, mass: ArrayLike | Sequence[float] = (1.0, 1.0)) -> float:
    r"""The leading order as $\beta\to\infty$.

    $$T\sim\frac{e^{\beta(1-\rho_0)}}{\beta(1-\rho_0^2)(m_2/m_1+m_1/m_2)}$$
    """
    inside(theta0, "theta0", above=0, below=np.pi)
    inside(beta, "beta", least=0)
    rho, (m1, m2) = np.cos(theta0), _masses(mass)
    return float(np.exp(beta * (1 - rho)) / (beta * (1 - rho**2) * (m2 / m1 + m1 / m2)))


def printed_pair_cosine(s, rho0: float):
    r"""What theorem 6 prints: $\rho(s)=\tanh(2s+\operatorname{artanh}\rho_0)$, which never reaches 1 at finite s."""
    return np.tanh(2 * np.asarray(s) + np.arctanh(rho0))


def rescaled_pair_cosine(s, rho0: float, *, beta: float, mass=(1.0, 1.0)):
    r"""The cosine at time $s\,e^{\beta(1-\rho_0)}$ of the true pair, by inverting the exact clock."""
    theta0, unit = float(np.arccos(rho0)), float(np.exp(beta * (1 - rho0)))

    def at(target):
        late = lambda lower: merging_time(theta0, lower, beta=beta, mass=mass) - target * unit  # noqa: E731
        return 1.0 if late(1e-6) < 0 else float(np.cos(brentq(late, 1e-6, theta0)))  # pyright: ignore[reportArgumentType, reportCallIssue]

    return np.vectorize(at, otypes=[float])(s)
