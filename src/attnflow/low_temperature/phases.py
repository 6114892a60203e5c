"""What happens after alignment: heat on the dominant eigenspace, narrow clusters, pairing, finitely many tokens."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.integrate import quad
from scipy.special import gammaln, ive, wrightomega


def _check_beta(beta) -> None:
    if not np.all(np.asarray(beta) > 0):
        raise ValueError(f"beta must be positive, got {beta}: at β = 0 every token hears all others alike")


def funk_hecke(l, beta, d: int):
    r"""Eigenvalues of $e^{\beta(\langle x,y\rangle - 1)}$ on $S^{d-1}$ against the uniform probability.

    $$e^{-\beta}\,\Gamma(d/2)\,(2/\beta)^{d/2-1} I_{l+d/2-1}(\beta)$$
    """
    _check_beta(beta)
    return np.exp(gammaln(d / 2) + (d / 2 - 1) * np.log(2 / np.asarray(beta))) * ive(np.asarray(l) + d / 2 - 1, beta)


def mode_rate(l, beta, *, d: int = 2, gamma: float = 1.0, is_normalised: bool = True):
    r"""Growth rate of a perturbation of degree l of the uniform measure, $B = I$, $V = \gamma I$.

    $$\gamma\,\frac{l(l+d-2)}{\beta}\,\frac{\lambda_l}{\lambda_0}\ \text{(softmax)},\qquad
      \gamma\,\frac{l(l+d-2)}{\beta}\,\lambda_l\ \text{(unnormalised)}$$
    """
    l = np.asarray(l)
    strength = funk_hecke(l, beta, d) / (funk_hecke(0, beta, d) if is_normalised else np.exp(-beta))
    return gamma * l * (l + d - 2) / beta * strength


def heat_variance(v0, t, *, beta, gamma: float = 1.0):
    r"""Variance of a wrapped normal in the heat phase, $v_0 - 2\gamma t/\beta$; meaningless once negative.

    Source: Bruno et al. 2025, Proposition 3.9.
    """
    _check_beta(beta)
    return np.asarray(v0) - 2 * gamma * np.asarray(t) / beta


def first_collapse(deviations, *, beta) -> float:
    r"""When the narrowest normal of a mixture collapses under backward heat, $t = \beta\min_j\sigma_j^2/2$.

    The source prints $\min\sigma_j^2$ in heat-kernel time although its figure takes σ as a standard deviation.
    """
    _check_beta(beta)
    return float(beta * np.min(np.asarray(deviations)) ** 2 / 2)


def cluster_variance(v0, t, *, beta, gamma: float = 1.0):
    r"""Variance of a Gaussian cluster of any width, $v' = -2\gamma v/(1+\beta v)$.

    $$v(t) = \tfrac1\beta W\big(\beta v_0\,e^{\beta v_0 - 2\gamma t}\big)$$

    Equals the heat law while βv ≫ 1. Source: derived.
    """
    _check_beta(beta)
    # W(e^z) is the Wright omega function of z, which cannot overflow.
    start = beta * np.asarray(v0, float)
    return np.real(wrightomega(np.log(start) + start - 2 * gamma * np.asarray(t))) / beta


def pair_angle(s, theta0):
    r"""Angle of the closest pair in the fast clock, $\tan(\theta/2) = \tan(\theta_0/2)e^{-2s}$: it never meets.

    Source: Bruno et al. 2025, Proposition 3.11; arXiv 2512.01868 says "in finite time", which this contradicts.
    """
    return 2 * np.arctan(np.tan(theta0 / 2) * np.exp(-2 * np.asarray(s)))


def pair_speed(theta, *, beta, masses=(0.5, 0.5)):
    r"""The exact approach of two clusters of masses a and b, $B = V = I$.

    $$\dot\theta = -\sin\theta\Big[\frac{b}{a e^{\beta(1-\cos\theta)}+b} + \frac{a}{b e^{\beta(1-\cos\theta)}+a}\Big]$$
    """
    a, b = masses
    fall = np.exp(-beta * 2 * np.sin(theta / 2) ** 2)
    return -np.sin(theta) * fall * (b / (a + b * fall) + a / (b + a * fall))


def pairing_time(theta0: float, theta1: float = 1e-3, *, beta: float, masses=(0.5, 0.5)) -> float:
    """The time two clusters need from angle theta0 to theta1, by quadrature in log θ; it grows like e^{cβ}."""
    _check_beta(beta)
    if not 0 < theta1 < theta0 < np.pi:
        raise ValueError(f"angles must satisfy 0 < theta1 < theta0 < π, got {theta1} and {theta0}")

    def slowness(u):
        theta = np.exp(u)
        return -theta / pair_speed(theta, beta=beta, masses=masses)

    cuts = np.linspace(np.log(theta1), np.log(theta0), 33)
    return float(sum(quad(slowness, a, b, epsabs=0, epsrel=1e-12)[0] for a, b in pairwise(cuts)))
