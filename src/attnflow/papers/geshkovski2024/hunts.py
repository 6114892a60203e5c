"""Trials of the claims of arXiv 2312.10794 on the energy: its rate, its extremes, sharp configurations."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.measures.initial.shapes import cell_600, cross_polytope, icosahedron, polygon, simplex
from ...theory.sphere.at_rest import sphere_velocity
from ...theory.sphere.energy_bounds import beyond_bounds, energy_rate, simplex_energy, uniform_moments
from ...theory.sphere.pair_cosines import directions
from ...theory.sphere.pair_cosines import energy as energy_of
from ...theory.sphere.sharp_configurations import corners, descend, design_strength, energy, inner_products, is_sharp
from ..hunt import Trial, shown
from ..hypotheses import largest_rise
from ..independent import sphere_run, unit
from ..trial import bounded, close, equal, stated, worst_ratio

SHARP: tuple[tuple[Any, ...], ...] = (
    (simplex, 2),
    (simplex, 3),
    (cross_polytope, 2),
    (cross_polytope, 3),
    (polygon, 5),
    (icosahedron,),
)
ROUNDING = 1e-9
"""Relative errors of energies that are not counted."""


# ---- field and rate --------------------------------------------------------------------------------------------------


def field_trial(which):
    """The tangent gradient of the potential against the velocity, by central differences."""

    def trial(rng):
        n, d, beta, h = int(rng.integers(2, 6)), int(rng.integers(2, 4)), float(rng.uniform(1.5, 6)), 1e-6
        x = unit(rng, n, d)

        def value(y):
            total = np.exp(beta * (x @ y)).mean()
            return np.log(total / beta) if which == "printed" else np.log(total) / beta

        slope = np.array([(value(x[0] + h * e) - value(x[0] - h * e)) / (2 * h) for e in np.eye(d)])
        slope = slope - (slope @ x[0]) * x[0]
        v = sphere_velocity(x, beta=beta)[0]
        off = float(np.linalg.norm(slope - v) / max(np.linalg.norm(v), 1e-3))
        ratio = stated(lambda by: float(np.linalg.norm(by * slope - v) / max(np.linalg.norm(v), 1e-3) / 1e-4))
        return Trial(ratio, 0.0, f"β = {beta:.3f}: gradient and field differ by {off:.3g} |v|")

    return trial


def rate_trial(rng):
    """The slope of the energy along a short run, ahead and back, against the identity."""
    n, d, beta = int(rng.integers(2, 7)), int(rng.integers(2, 5)), float(10 ** rng.uniform(-3, 0.8))
    V, model, h = float(rng.choice([-1.0, 1.0])), str(rng.choice(["SA", "USA"])), 1e-4
    x, mass = unit(rng, n, d), np.full(n, 1 / n)
    ahead, back = (sphere_run(x, [h], beta=beta, V=sign * V, model=model)[-1] for sign in (1, -1))
    slope = (energy_of(ahead, mass, beta=beta) - energy_of(back, mass, beta=beta)) / (2 * h)
    rate = energy_rate(x, mass, beta=beta, V=V, model=model)
    # A central difference: third derivatives times h², and rounding over h.
    allowed = 1e-6 * max(abs(rate), beta) + 1e-10 / h
    return Trial(equal(slope, rate, allowed), h, f"{model}, β = {beta:.3g}, V = {V:g}: {slope} instead of {rate}")


def undefined_energy():
    with np.errstate(divide="ignore"):
        value = float(np.exp(0.0) / (2 * np.float64(0.0)))
    return Trial(value, 0.0, f"β = 0: (1/2β)∬ e^{{β<x,y>}} is {value}, whatever the tokens are")


def any_metric_trial(what):
    """A B that is not symmetric: the energy need not grow, and its rate is another."""

    def trial(rng):
        x, B, h, mass = unit(rng, 5, 3), rng.normal(size=(3, 3)), 1e-4, np.full(5, 0.2)
        E = np.array([energy_of(y, mass, beta=2.0) for y in [x, *sphere_run(x, [h, 1.0, 2.0, 4.0], beta=2.0, B=B)]])
        rate = energy_rate(x, mass, beta=2.0)
        ratio = largest_rise(-E) / 1e-7 if what == "growth" else abs((E[1] - E[0]) / h - rate) / (0.05 * abs(rate))
        return Trial(float(ratio), 4.0, shown(B=B, x=x))

    return trial


# ---- extremes --------------------------------------------------------------------------------------------------------


def extremes_trial(rng):
    """Random prompts, prompts that descend the energy for long, and near-Dirac ones."""
    n, d, beta = int(rng.integers(2, 13)), int(rng.integers(2, 6)), float(10 ** rng.uniform(-2, 1))
    x, mass = unit(rng, n, d), rng.dirichlet(np.ones(n))
    kind = int(rng.integers(3))
    if kind == 1:
        x, mass = sphere_run(x, [50.0], beta=beta, V=-1.0)[-1], np.full(n, 1 / n)
    elif kind == 2:
        x = directions(x[:1] + 1e-2 * x)
    worst = bounded(beyond_bounds(x, mass, beta=beta), 1 + ROUNDING)
    return Trial(worst, 50.0 * (kind == 1), f"β = {beta:.3g}, {shown(3, m=mass, x=x)}")


def polygon_trial(rng):
    """A regular 24-gon is the uniform law up to I₂₄(β)/I₀(β) < 1e-10: it rests, and no neighbour has less energy."""
    n, d, beta = 24, 2, float(rng.uniform(0.5, 4))
    regular, mass = corners(polygon, n), np.full(n, 1 / n)
    moved = directions(regular + 0.05 * rng.normal(size=(n, d)))
    still = float(np.abs(sphere_velocity(regular, beta=beta)).max()) / 1e-9
    E, other = energy_of(regular, mass, beta=beta), energy_of(moved, mass, beta=beta)
    gap = close(E, uniform_moments(beta, d)[0], 1e-9)
    return Trial(
        worst_ratio(gap, still, E / other - ROUNDING), 0.0, f"β = {beta:.3g}: a disturbed polygon has less energy"
    )


def negative_trial(rng):
    x = unit(rng, 6, 3)
    return Trial(beyond_bounds(x, np.full(6, 1 / 6), beta=-3.0), 0.0, f"β = −3, {shown(x=x)}")


# ---- repulsion -------------------------------------------------------------------------------------------------------


def converse():
    x = corners(cell_600)
    m, strength = len(inner_products(x)), design_strength(x)
    words = (
        f"600-cell: minimises for every β, has {m} inner products, but is a design of strength {strength} < {2 * m - 1}"
    )
    return Trial((2 * m - 1) / strength, 0.0, words)


def sharp_trial(rng):
    """Sharp sets against random descents: no other set may have less energy."""
    x = corners(*SHARP[int(rng.integers(len(SHARP)))])
    beta, (n, d) = float(rng.uniform(0.2, 8)), x.shape
    best, least = descend(rng.normal(size=(n, d)), beta), energy(x, beta)
    return Trial(
        least / best - ROUNDING, 0.0, f"n = {n}, d = {d}, β = {beta:.3f}: energy {best} below {least}", is_sharp(x)
    )


def simplex_trial(rng):
    """Descents of few tokens from random starts: none may pass the simplex."""
    n, beta = int(rng.integers(2, 7)), float(rng.uniform(0.1, 8))
    best = descend(unit(rng, n, max(n - 1 + int(rng.integers(0, 3)), 2)), beta)
    least = simplex_energy(n, beta)
    ratio = stated(lambda by: by * least / best - ROUNDING)
    return Trial(ratio, 0.0, f"n = {n}, β = {beta:.3f}: energy {best} below {least}")
