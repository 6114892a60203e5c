r"""Staircase of the energy: mergings of metastable clusters on a rescaled clock.

Source: Geshkovski, Koubbi, Polyanskiy, Rigollet, arXiv 2410.06833, section 6; closed clocks derived.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jax.typing import ArrayLike
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from ...engine.linalg.arguments import as_annotated, in_range, shaped
from ...errors import BadInput, quoted
from .two_clusters import hardmax_angle

START = 0.5 * np.array([0, 0.5, 2, 4, 7]) * np.log(2000) / np.sqrt(2000)
"""The angles of the published figure."""

NEAR = 1e-6
"""Clusters this close, in units of β^{-1/2}, are one."""


@dataclass(frozen=True)
class Jump:
    """One merging on clock B: when it ends, when the energy is half way up, and the height it reaches."""

    time: float
    half: float
    height: float
    members: tuple[int, ...]


def height(counts) -> float:
    r"""The plateau $\sum_q(m_q/n)^2$ of the normalised energy."""
    counts = np.asarray(counts, float)
    return float(np.sum((counts / counts.sum()) ** 2))


@as_annotated
def energy(theta: ArrayLike, *, beta: float, mass: ArrayLike | None = None):
    r"""$\sum_{ij}m_im_je^{\beta(\cos(\theta_i-\theta_j)-1)}$, in (0, 1]."""
    theta = np.atleast_1d(np.asarray(theta, float))
    n = theta.shape[-1]
    m = np.full(n, 1 / n) if mass is None else shaped(mass, "mass", "n", n=n)
    gaps = theta[..., :, None] - theta[..., None, :]
    return in_range(np.einsum("...ij,i,j->...", np.exp(-2 * beta * np.sin(gaps / 2) ** 2), m, m))


@as_annotated
def isolated_jumps(theta: ArrayLike, *, beta: float) -> list[Jump]:
    r"""All mergings on clock B in closed form, for gaps so unequal that the nearest pair moves alone.

    A pair at gap Δ takes $\Delta\sqrt{m_1m_2/(m_1+m_2)}/\log\beta$ and is half way up at gap $\sqrt{2\ln2/\beta}$. Others rest
    as long as $e^{-\beta(\Delta'^2-\Delta^2)/2}$ is small; `jumps` needs no such thing.
    """
    theta = shaped(theta, "theta", "n")
    places, counts = [float(v) for v in np.sort(theta)], [1] * len(theta)
    members: list[tuple[int, ...]] = [(i,) for i in range(len(theta))]
    clock, found = 0.0, []
    while len(places) > 1:
        i = int(np.argmin(np.diff(places)))
        gap, (m1, m2) = places[i + 1] - places[i], (counts[i], counts[i + 1])
        per_angle = np.sqrt(m1 * m2 / (m1 + m2)) / np.log(beta)
        half = clock + max(0.0, gap - np.sqrt(2 * np.log(2) / beta)) * per_angle
        clock += gap * per_angle
        places[i : i + 2] = [(m1 * places[i] + m2 * places[i + 1]) / (m1 + m2)]
        counts[i : i + 2], members[i : i + 2] = [m1 + m2], [members[i] + members[i + 1]]
        found.append(Jump(clock, half, height(counts), members[i]))
    return found


@dataclass(frozen=True)
class _Leg:
    """The way between two mergings on clock B."""

    start: float
    end: float
    places: Callable
    counts: np.ndarray


@as_annotated
def jumps(theta: ArrayLike, *, beta: float) -> list[Jump]:
    r"""All mergings on clock B, $d\theta/ds=\log\beta\,g/|g|$, also where pairs merge together or a third token interferes.

    s is the length of the way in $R^n$ over log β, so a merging is `half` done when the energy is half way up.
    """
    if not beta > 1:
        raise BadInput(f"clock B runs with log β, so it needs beta > 1, got {quoted(beta)}")
    theta = shaped(theta, "theta", "n")
    places, counts = np.sort(theta), np.ones(len(theta))
    members: list[tuple[int, ...]] = [(i,) for i in range(len(theta))]
    clock, before, legs, found = 0.0, height(counts), [], []
    while len(places) > 1:
        if np.diff(places).min() > NEAR / np.sqrt(beta):
            legs.append(_leg(clock, places, counts, beta))
            clock, places = legs[-1].end, legs[-1].places(legs[-1].end)
        i = int(np.argmin(np.diff(places)))
        pair, counts = counts[i : i + 2], np.append(counts[:i], [counts[i : i + 2].sum(), *counts[i + 2 :]])
        places = np.append(places[:i], [pair @ places[i : i + 2] / pair.sum(), *places[i + 2 :]])
        members[i : i + 2] = [members[i] + members[i + 1]]
        found.append((clock, (before + height(counts)) / 2, height(counts), members[i]))
        before = height(counts)
    return [Jump(t, min(t, _passing(legs, level, beta)), top, who) for t, level, top, who in found]


def _leg(clock, places, counts, beta) -> _Leg:
    """Until two neighbours touch."""

    def field(s, y):
        gaps = y[None, :] - y[:, None]
        weight = -2 * beta * np.sin(gaps / 2) ** 2 - np.where(np.eye(len(y)) > 0, np.inf, 0)
        g = (counts * np.exp(weight - weight.max()) * np.sin(gaps)).sum(axis=1)
        return np.log(beta) * g / np.sqrt(counts @ g**2)

    def touch(s, y):
        return np.diff(y).min() - NEAR / np.sqrt(beta) / 2

    touch.terminal = True  # pyright: ignore[reportFunctionMemberAccess]
    far = clock + np.ptp(places) * np.sqrt(counts.sum()) * 2 / np.log(beta)
    run = solve_ivp(field, (clock, far), places, events=touch, dense_output=True, method="LSODA", rtol=1e-9, atol=1e-13)
    return _Leg(clock, float(run.t[-1]), run.sol, counts)


def _passing(legs, level, beta) -> float:
    """When the energy passes a level."""
    for leg in legs:
        over = lambda s: energy(leg.places(s), beta=beta, mass=leg.counts / leg.counts.sum()) - level  # noqa: B023, E731
        if over(leg.end) >= 0:
            return leg.start if over(leg.start) >= 0 else float(brentq(over, leg.start, leg.end, xtol=1e-12))  # pyright: ignore[reportArgumentType]
    return float("inf")


def plateau_length(share: float) -> float:
    r"""How long a plateau lasts on clock A, $\tau'=\log\beta\,e^{\beta(1-\cos u)}$, as $\beta\to\infty$: $1/(2c)$.

    The printed lemma says 2/c; with $u'=-c\log\beta\sin u$ the gap reaches $\beta^{-1/2}$ at $1/(2c)$.
    """
    return 1 / (2 * share)


def clock_a_gap(tau, u0: float, *, beta: float, share: float):
    r"""$\tan(u/2)=\tan(u_0/2)\,\beta^{-c\tau}$: the gap on clock A, in closed form."""
    return hardmax_angle(tau, u0, rate=share * np.log(beta))


def start_margin(theta, *, beta: float, c: float = 1.0) -> float:
    r"""How far the start is inside the hypothesis of the staircase theorem; negative: it does not apply.

    $$\min_{2\le i<k}\cos(\theta_i-\theta_1)-\cos(\theta_k-\theta_i)-c\log(\beta)/\beta$$
    """
    theta = np.sort(np.asarray(theta, float))
    margins = [
        np.cos(theta[i] - theta[0]) - np.cos(theta[k] - theta[i]) - c * np.log(beta) / beta
        for i in range(1, len(theta))
        for k in range(i + 1, len(theta))
    ]
    return float(min(margins)) if margins else float("inf")
