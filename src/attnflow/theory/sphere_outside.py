"""Theorems on the sphere without one of their hypotheses: does the conclusion still hold?"""

from __future__ import annotations

import numpy as np

from ..normalisation import PreLN
from .causal import away_from_first
from .claim import drop
from .conditions import rise
from .equiangular import cosine
from .geshkovski2024 import cluster_ratio
from .geshkovski2024_chance import departure_ratio
from .geshkovski2024_energy import extremes_ratio, power
from .geshkovski2025_groups import loosening, tight_reach, tight_size
from .geshkovski2025_schemes import alternative, scheme_cosine
from .geshkovski2025_sphere import climbing, pair_angle, ripples_of
from .modes import growth
from .pair_merging import merging_time
from .pairs import directions, energy
from .search import Trial, fixed, random_trials, shown, softmax, sphere_run, unit
from .staircase import START, jumps
from .variance_law import decay_bounds, scheme_run, variance


def _circle(angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def _repelled_clusters(rng):
    x = directions(_circle(2 * np.pi * np.arange(3) / 3) + 0.1 * rng.normal(size=(3, 2)))
    return Trial(cluster_ratio(x, beta=-3.0, model="SA", T=300.0), 300.0, f"β = −3, {shown(x=x)}")


def _whole_sphere(rng):
    """Tokens all around: the direction of the first one is as good as any."""
    x = unit(rng, 8, 3)
    y = sphere_run(x, np.linspace(0, 5, 11), beta=2.0)
    return Trial(rise(-(y @ x[0]).min(axis=1)) / 1e-7, 5.0, shown(x=x))


def _unequal_cosines(rng):
    x, ts = unit(rng, 4, 4), np.array([0.5, 2.0])
    gram = np.einsum("kid,kjd->kij", sphere_run(x, ts, beta=2.0), sphere_run(x, ts, beta=2.0))
    off = np.abs(gram[:, 0, 1] - cosine(ts, n=4, beta=2.0, rho0=max(float(x[0] @ x[1]), -0.3))).max()
    return Trial(float(off) / 1e-5, 2.0, shown(x=x))


def _other_metric(which):
    """A B that is not symmetric: the energy need not grow, and its rate is another."""

    def trial(rng):
        x, B, h, mass = unit(rng, 5, 3), rng.normal(size=(3, 3)), 1e-4, np.full(5, 0.2)
        E = [energy(y, mass, beta=2.0) for y in sphere_run(x, [h, 1.0, 2.0, 4.0], beta=2.0, B=B)]
        E = [energy(x, mass, beta=2.0), *E]
        rate = power(x, mass, beta=2.0)[0]
        ratio = rise(-np.array(E)) / 1e-7 if which == "energy" else abs((E[1] - E[0]) / h - rate) / (0.05 * abs(rate))
        return Trial(float(ratio), 4.0, shown(B=B, x=x))

    return trial


def _cold(rng):
    x = unit(rng, 6, 3)
    return Trial(extremes_ratio(x, np.full(6, 1 / 6), beta=-3.0), 0.0, f"β = −3, {shown(x=x)}")


def _strong(rng):
    """The bound is only claimed for V = I: with V = 3I tokens are three times as fast."""
    x, ts = unit(rng, 6, 3), np.array([0.05, 0.2])
    free, fast = sphere_run(x, ts, beta=0.0), sphere_run(x, ts, beta=0.05, V=3.0)
    return Trial(departure_ratio(fast, free, ts, 0.05), 0.2, shown(x=x))


def _causal_repelled(rng):
    x = unit(rng, 3, 2)
    return Trial(away_from_first(x, beta=1.0, V=-1.0), 400.0, shown(x=x))


def _wide(rng):
    x, ts = directions(rng.normal(size=(5, 3)) + 2 * np.eye(3)[0]), np.linspace(0, 3, 31)
    y = scheme_run(x, ts, beta=5.0, scheme="pre")
    var = variance(directions(y))
    least, most = decay_bounds(PreLN(), ts, np.linalg.norm(y, axis=-1))
    decay = -np.log(var[-1] / var[0])
    return Trial(float(max(1 - decay / least, decay / most - 1)) / 0.02, 3.0, shown(x=x))


def _third_cluster(rng):
    """A third cluster at the same distance on one side."""
    x, T = _circle(np.array([0.0, 1.0, 2.0])), merging_time(1.0, 0.5, beta=3.0)
    y = sphere_run(x, [T], beta=3.0)[-1]
    return Trial(float(abs(pair_angle(y, 0, 1) - 0.5)) / 1e-4, T, "three tokens at 0, 1, 2 rad, β = 3")


def _near_caps(rng):
    """Two caps at 1 rad for β = 4: γ < 0."""
    angles = np.array([-0.05, 0.05, 0.95, 1.05])
    end = sphere_run(_circle(angles), [50.0], beta=4.0)[-1]
    depth = 1 - min(float(end[:2, 0].min()), float((end[2:] @ _circle(np.array(1.0))).min()))
    return Trial(depth / (2 * (1 - np.cos(0.05))), 50.0, "caps of 0.05 rad at 0 and 1 rad, β = 4")


def _loose(rng):
    """An outsider nearer than α, which the group follows."""
    delta = tight_size(0.01, 8.0)
    x = _circle(np.array([-0.07, 0.07, 0.9]))
    y = sphere_run(x, np.linspace(0, 60, 61), beta=8.0)
    near = float((x[:2] @ x[2]).max()) > tight_reach(3, beta=8.0, delta=delta)
    return Trial(loosening(y, 2, delta=delta, alpha=2.0), 60.0, "tokens at ±0.07 and 0.9 rad, β = 8", near)


def _figure_staircase():
    """The start of the published figure: clusters 4 and 5 merge before they join the first."""
    groups = [jump.members for jump in jumps(START, beta=2000.0)]
    return Trial(
        0.5 if all(0 in group for group in groups) else 2.0, 0.0, f"the published start: {groups} merge in turn"
    )


def _cold_scheme(rng):
    x = directions(_circle(2 * np.pi * np.arange(3) / 3) + 0.1 * rng.normal(size=(3, 2)))
    y = scheme_run(x, [2000.0, 4000.0], beta=-3.0, scheme="pre")
    grown = float((np.diff(np.linalg.norm(y, axis=-1), axis=0)[0] / 2000).min())
    return Trial(alternative(directions(y[-1]), grown, beta=-3.0), 4000.0, f"β = −3, {shown(x=x)}")


def _unequal_radii(rng):
    ts = np.array([0.0, 2.0])
    theta = directions(scheme_run(np.diag([0.5, 1.0, 2.0]), ts, beta=2.0, scheme="pre"))
    rho = -np.expm1(-scheme_cosine(PreLN(), ts, n=3, beta=2.0)[0][-1])
    return Trial(
        float(np.abs((theta[-1] @ theta[-1].T)[np.triu_indices(3, 1)] - rho).max()) / 1e-5, 2.0, "r = 0.5, 1, 2"
    )


def _other_shift(rng):
    x, B = unit(rng, 5, 3), rng.normal(size=(3, 3))
    a = softmax(2.0 * (x @ B @ x.T)) @ x
    v = a - (a * x).sum(axis=1, keepdims=True) * x
    off = np.abs(v - climbing(x, np.full(5, 0.2), 2.0) / 2.0).max()
    return Trial(float(off) / 1e-6, 0.0, shown(B=B, x=x))


def _large_ripple(rng):
    angles = 2 * np.pi * np.arange(48) / 48
    x, t = _circle(angles + 0.3 * np.sin(2 * angles)), 1.0
    c = np.abs(ripples_of(np.stack([x, sphere_run(x, [t], beta=2.0)[-1]])))[:, 1]
    off = abs(np.log(c[1] / c[0]) - float(growth(2, beta=2.0)) * t)
    return Trial(off / 0.05, t, "48 tokens displaced by 0.3 sin 2θ, β = 2")


for _key, _words, _trials in (
    ("geshkovski2024.one_cluster", "β > −0.16 (here β = −3, d = 2)", random_trials(_repelled_clusters, 4)),
    ("geshkovski2024.cone", "all tokens in a hemisphere", random_trials(_whole_sphere, 4)),
    ("geshkovski2024.equiangular", "equal cosines", random_trials(_unequal_cosines, 4)),
    ("geshkovski2024.energy", "B = I (any B)", random_trials(_other_metric("energy"), 6)),
    ("geshkovski2024.identity", "B = I (any B)", random_trials(_other_metric("identity"), 4)),
    ("geshkovski2024.extremes", "β > 0 (here β = −3)", random_trials(_cold, 4)),
    ("geshkovski2024.theorem4.2", "V = I (here V = 3I)", random_trials(_strong, 4)),
    ("geshkovski2025.causal", "V = I (here V = −I)", random_trials(_causal_repelled, 4)),
    ("geshkovski2025.variance", "tokens nearly agree", random_trials(_wide, 4)),
    ("geshkovski2025.pair", "two clusters only (a third one)", random_trials(_third_cluster, 1)),
    ("geshkovski2025.caps", "caps are separated: γ > 0", random_trials(_near_caps, 1)),
    ("geshkovski2025.tight", "outsiders below α", random_trials(_loose, 1)),
    ("geshkovski2025.staircase", "nearer to the first than to a later one", fixed(_figure_staircase)),
    ("geshkovski2025.alternative", "β ≥ 0 (here β = −3, d = 2)", random_trials(_cold_scheme, 3)),
    ("geshkovski2025.scheme_cosine", "equal radii", random_trials(_unequal_radii, 1)),
    ("geshkovski2025.mean_shift", "B = I (any B)", random_trials(_other_shift, 4)),
    ("geshkovski2025.ripples", "ripples are small", random_trials(_large_ripple, 1)),
):
    drop(_key, _words, _trials)
