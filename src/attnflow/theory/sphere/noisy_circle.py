r"""Noisy attention on the circle (McKean–Vlasov): stationary laws, order parameter and phase transition.

$$d\theta_i = -\tfrac1n\sum_j w_{ij}\sin(\theta_i-\theta_j)\,dt + \sqrt{2/\kappa}\,dW_i$$
Source: Rigollet, arXiv 2512.01868, section 7 (sign of the Laplacian corrected); the branches for β > 0 are derived.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from scipy.optimize import brentq, minimize_scalar, root
from scipy.special import ive

from ...engine.evolution.integrators.euler_maruyama import euler_maruyama
from ...engine.linalg.arguments import as_annotated, inside, one_of
from ...errors import BadInput, quoted
from .uniform_law import critical_kappa, growth

POINTS = 512
"""Points of the circle; the trapezoidal rule then resolves every law with κe^β up to several thousand."""

SLOW = 400
"""Iterations after which a law that still moves is near the onset, smooth, and left to Newton's method."""

MOST = 40_000
"""Iterations after which a law is returned as it is, with its residual."""

FEW = 40
"""Fourier modes that Newton's method works with."""


@dataclass(frozen=True)
class StationaryLaw:
    r"""A density on the circle (mean 1, centred at angle 0) and its order $r=|\int e^{i\theta}d\mu|$."""

    density: np.ndarray
    order: float
    residual: float
    """How far one more iteration would move the density."""


@as_annotated
def ordered_law(kappa: float, *, beta: float, model: str = "USA") -> StationaryLaw:
    r"""The most ordered stationary law, reached from a peak; the uniform law when there is none.

    $$\rho\propto e^{\kappa\,G_\beta*\rho},\quad G_\beta=e^{\beta\cos}/\beta\ (USA);\qquad
      \rho\propto(e^{\beta\cos}*\rho)^{\kappa/\beta}\ (SA)$$
    """
    _check(beta, model)
    if not (np.isfinite(kappa) and kappa > 0):
        raise BadInput(f"kappa must be positive and finite, got {quoted(kappa)}; less noise is larger kappa")
    angle = 2 * np.pi * np.arange(POINTS) / POINTS
    kernel = np.fft.rfft(_kernel(angle, beta, model))
    step = lambda law: _balanced(law, kernel, kappa, beta, model)  # noqa: E731
    rho = np.exp(50 * (np.cos(angle) - 1))
    rho /= rho.mean()
    rho = _settled(rho, step)
    order = float((rho * np.cos(angle)).mean())
    return StationaryLaw(rho, order, float(np.abs(step(rho) - rho).mean()))


def _check(beta, model):
    one_of(model, "model", ("SA", "USA"))
    if beta != 0:  # Kuramoto's model
        inside(beta, "beta", least=1e-100, most=700 if model == "USA" else None)


def _settled(rho, step):
    """Iterate; where that is slow try Newton's method, and keep its answer if it is one the iteration stays at."""
    for _ in range(MOST // SLOW):
        for _ in range(SLOW):
            last, rho = rho, step(rho)
            if np.abs(rho - last).mean() < 1e-13:
                return rho
        guess = _polished(rho, step)
        ahead = guess
        for _ in range(SLOW):
            ahead = step(ahead)
        if np.abs(ahead - guess).mean() < 1e-9:
            return guess
    return rho


def _kernel(angle, beta, model):
    """e^{β cos}, scaled to stay finite for softmax, where the scale cancels."""
    if beta == 0:
        return np.cos(angle)
    return np.exp(beta * (np.cos(angle) - 1)) if model == "SA" else np.exp(beta * np.cos(angle)) / beta


def _balanced(rho, kernel, kappa, beta, model):
    """The law in balance with the field of rho: one step of the iteration."""
    h = _heard(rho, kernel, beta, model)
    new = np.exp(kappa * (h - h.max()))
    return new / new.mean()


def _heard(rho, kernel, beta, model):
    """The potential whose gradient is the drift."""
    heard = np.fft.irfft(kernel * np.fft.rfft(rho), POINTS) / POINTS
    return np.log(heard) / beta if model == "SA" and beta != 0 else heard


def _polished(rho, step):
    """The fixed point nearest to rho, by Newton's method on its first Fourier modes."""

    def miss(c):
        return _modes(step(np.maximum(_of_modes(c), 1e-12))) - c

    return step(np.maximum(_of_modes(root(miss, _modes(rho), tol=1e-13).x), 1e-12))


def _modes(law):
    return np.fft.rfft(law)[1 : FEW + 1].real / POINTS


def _of_modes(c):
    return np.fft.irfft(np.concatenate([[1.0], c, np.zeros(POINTS // 2 - FEW)]) * POINTS, POINTS)


@as_annotated
def landau(beta: float, *, model: str = "USA") -> float:
    r"""The cubic coefficient c at the onset: $\tfrac12(1-\kappa_c/\kappa) = -c\,x^2$ for $\rho\propto e^{x\cos\theta+\dots}$.

    Negative: order sets in continuously; positive: with a jump, before the uniform law loses stability. With
    $q=I_0/I_1$, $s=I_2/I_1$: $c=\frac1{16}\frac{2s-1}{1-s}$ (USA, so continuous while $I_2/I_1<\frac12$, β < 2.4469).
    """
    _check(beta, model)
    s = 0.0 if beta == 0 else float(ive(2, beta) / ive(1, beta))
    if model == "USA" or beta == 0:
        return (2 * s - 1) / (16 * (1 - s))
    q = float(ive(0, beta) / ive(1, beta))
    second = (s - 1 / q) / (4 * (1 - s))
    return (-1 / 8 + 1 / (4 * q**2) + (second * (1 - s / q) - s / (4 * q)) / 2) / 2


@dataclass(frozen=True)
class Onset:
    """Where order sets in as noise falls."""

    linear: float
    """The uniform law loses stability here."""
    ordered: float
    """An ordered law exists from here on; below `linear` both laws are stable in between."""
    jump: float
    """The order with which the branch begins; 0 when it is continuous."""

    @property
    def is_continuous(self) -> bool:
        return self.jump == 0


@as_annotated
def onset(beta: float, *, model: str = "USA") -> Onset:
    r"""Both thresholds: $\kappa_c$ of the uniform law, and the fold of the ordered branch where it begins with a jump."""
    _check(beta, model)
    linear = critical_kappa(beta, model=model)
    if landau(beta, model=model) <= 0:
        return Onset(linear, linear, 0.0)
    fold = minimize_scalar(lambda r: branch_kappa(r, beta=beta, model=model), bounds=(0.01, 0.9), method="bounded")
    return Onset(linear, float(fold.fun), float(fold.x))


@as_annotated
def branch_kappa(order: float, *, beta: float, model: str = "USA") -> float:
    r"""The κ at which a stationary law has this order, stable or not.

    The iteration $\rho\leftarrow e^{\kappa h[\rho]}$, with κ chosen anew so that the order stays as given.
    """
    if not 0 < order < 0.999:
        raise BadInput(f"the order must lie between 0 and 0.999, got {quoted(order)}")
    angle = 2 * np.pi * np.arange(POINTS) / POINTS
    kernel = np.fft.rfft(_kernel(angle, beta, model))
    h, kappa = np.cos(angle), 0.0
    for _ in range(5000):
        last, (kappa, rho) = kappa, _of_order(order, h, angle)
        if abs(kappa - last) < 1e-13 * kappa:
            return kappa
        h = _heard(rho, kernel, beta, model)
    raise BadInput(f"no stationary law of order {order} was found for beta={beta}")


def _of_order(order, h, angle):
    """The law e^{κh} with the given order, and its κ."""

    def law(log_kappa):
        rho = np.exp(np.exp(log_kappa) * (h - h.max()))
        return rho / rho.mean()

    miss = lambda u: float((law(u) * np.cos(angle)).mean() - order)  # noqa: E731
    found: Any = brentq(miss, -30.0, 12.0, xtol=1e-15)
    return float(np.exp(found)), law(found)


def simulated_orders(
    kappas,
    *,
    beta: float,
    model: str = "USA",
    n: int = 1000,
    seed: int = 0,
    is_ordered: bool = True,
    span: float = 20.0,
) -> np.ndarray:
    r"""The order of n noisy tokens for every κ, averaged over the second half of a run (Euler–Maruyama on the angles).

    The run lasts `span` growth times of the first mode; its steps are short for the pull inside a cluster. Tokens start
    in one point, or evenly spread; below the onset they keep an order of about $n^{-1/2}$.
    """
    k = np.arange(1, 3 + int(6 * np.sqrt(1 + abs(beta))))
    # e^{β cos} = I_0 + 2 Σ I_k cos(kθ), divided by I_0 for softmax and by β for unnormalised attention.
    size = np.eye(len(k))[0] if beta == 0 else 2 * ive(k, beta) / (ive(0, beta) if model == "SA" else 1)
    scale = 1.0 if beta == 0 else (1 if model == "SA" else np.exp(beta)) / beta
    step = 0.05 if model == "SA" else 0.05 * np.exp(-beta)
    count = int(np.ceil(span / float(growth(1, beta=beta, model=model)) / step))
    angle = np.zeros(n) if is_ordered else 2 * np.pi * np.arange(n) / n
    numbers = [jnp.asarray(v, jnp.float32) for v in (np.atleast_1d(kappas), angle, size, scale, step)]
    orders = _orders(*numbers, jax.random.key(seed), model == "SA" and beta != 0, count)
    return np.asarray(orders)[count // 2 :].mean(axis=0)


@partial(jax.jit, static_argnums=(6, 7))
def _orders(kappas, angle, size, scale, step, key, is_divided, count):
    k = jnp.arange(1, len(size) + 1, dtype=jnp.float32)[:, None]
    spread = jnp.sqrt(2 * step / kappas)[:, None]

    def drift(theta):
        c, s = _waves(theta, len(size))
        C, S = c.mean(axis=-1, keepdims=True), s.mean(axis=-1, keepdims=True)
        pull = scale * jnp.sum(size[:, None] * k * (c * S - s * C), axis=-2)
        density = 1 + jnp.sum(size[:, None] * (c * C + s * S), axis=-2)
        return pull / density if is_divided else pull, jnp.hypot(C[..., 0, 0], S[..., 0, 0])

    start = jnp.broadcast_to(angle, (len(kappas), len(angle)))
    return euler_maruyama(drift, start, step=step, spread=spread, key=key, count=count)


def _waves(theta, count):
    """cos kθ and sin kθ for k = 1 … count, by rotation."""
    waves = [(jnp.cos(theta), jnp.sin(theta))]
    c, s = waves[0]
    for _ in range(count - 1):
        a, b = waves[-1]
        waves.append((a * c - b * s, b * c + a * s))
    return tuple(jnp.stack(part, axis=-2) for part in zip(*waves))
