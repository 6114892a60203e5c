"""What a report measures beside the checks of the register: when the last two clusters meet, how radii grow. No verdicts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...draw.energies import is_on_sphere, strength_of
from ...draw.summary import carries_radius
from ...engine.attention import Sinkhorn, Softmax
from ...engine.flow.normalisation import PostLN, PreLN
from ...engine.linalg.matrices import Schedule, is_scheduled, multiple_of_identity
from ...engine.measures import Particles
from ...papers.claim import Check
from ...theory.sphere.two_clusters import merging_time
from .numbers import three

MEETS = 0.1
"""Two clusters have met when their angle is below this, in radians."""


@dataclass(frozen=True)
class Promise:
    """A row of the headline table that no check of this run judges; `claim` is the key of its law, if any."""

    predicted: str
    measured: str
    claim: str = ""


def promises(run, groups, checks: list[Check]) -> list[Promise]:
    """What can be said of this run that the register does not say already."""
    judged = {check.claim for check in checks}
    return [found for found in (_waiting(run, groups), _radius(run)) if found is not None and found.claim not in judged]


def _waiting(run, groups) -> Promise | None:
    """When the last two clusters meet, from the exact equation of their angle."""
    pair = _pair(run, groups)
    if pair is None:
        return None
    start, theta0, mass = pair
    beta, speed = float(strength_of(run) or 0), float(multiple_of_identity(run.flow.V) or 0)
    due = start + merging_time(theta0, MEETS, beta=beta, mass=mass) / speed
    predicted = f"Two clusters, {three(theta0)} rad apart at t = {three(start)}, meet at t = {three(due)}"
    met = np.flatnonzero((groups.ts > start) & (_angles(run, groups) < MEETS))
    measured = f"Not met by t = {three(groups.ts[-1])}"
    if len(met):
        measured = f"They met between t = {three(groups.ts[met[0] - 1])} and {three(groups.ts[met[0]])}"
    return Promise(predicted, measured, "rigollet2025.theorem6")


def _pair(run, groups):
    """Time, angle and masses of the first moment with two tight clusters that hold all tokens and stay for long."""
    if groups is None or not is_on_sphere(run) or not _is_plain(run):
        return None
    two = np.flatnonzero(groups.counts == 2)
    if not len(two) or groups.ts[two[-1]] < 2 * groups.ts[two[0]]:
        return None
    tight = [k for k in two if groups.groups[k].loose < 1e-9 and groups.groups[k].width < 1e-3]
    if not tight:
        return None
    found = groups.groups[tight[0]]
    theta = _angle(found.centres)
    return (float(groups.ts[tight[0]]), theta, tuple(found.mass)) if MEETS < theta < np.pi - 1e-6 else None


def _is_plain(run) -> bool:
    """Softmax with scores β⟨x, y⟩ and a positive number for V, without noise, radius or feed-forward."""
    flow, beta = run.flow, strength_of(run)
    speed = None if isinstance(flow.V, Schedule) else multiple_of_identity(flow.V)
    is_bare = flow.noise is None and flow.feed_forward is None and isinstance(flow.normalisation, PostLN)
    return type(flow.attention) is Softmax and is_bare and (beta or 0) > 0 and (speed or 0) > 0 and run.stride is None


def _angle(centres) -> float:
    a, b = centres / np.linalg.norm(centres, axis=1, keepdims=True)
    return float(2 * np.arcsin(min(1.0, np.linalg.norm(a - b) / 2)))


def _angles(run, groups) -> np.ndarray:
    """The angle between the two halves of the pair at all counted times."""
    two = int(np.flatnonzero(groups.counts == 2)[0])
    labels, mass = groups.groups[two].labels, np.asarray(run.mass, float)
    x = np.asarray(run.x, float)[groups.at]
    centres = [np.einsum("n,knd->kd", mass * (labels == side), x) for side in (0, 1)]
    return np.array([_angle(np.stack(pair)) for pair in zip(*centres)])


def _radius(run) -> Promise | None:
    """Radii under Pre-LN at saved times with finite numbers: a mean of unit vectors has length at most 1."""
    if not isinstance(run.states, Particles) or not carries_radius(run):
        return None
    is_bare = run.flow.noise is None and run.flow.feed_forward is None
    if not is_bare or not isinstance(run.flow.normalisation, PreLN) or is_scheduled(run.flow):
        return None
    radii = np.linalg.norm(np.asarray(run.x, float), axis=-1)
    good = np.isfinite(radii).all(axis=1)
    if type(run.flow.attention) not in (Softmax, Sinkhorn) or not good.any():
        return None
    size = float(np.linalg.norm(np.asarray(run.flow.V), 2)) if np.ndim(run.flow.V) else abs(float(run.flow.V))
    predicted = (
        f"No radius |x_i| grows faster than ‖V‖ = {three(size)} per unit of time, and directions turn like 1/|x_i|"
    )
    return Promise(predicted, _growth(radii[good], np.asarray(run.ts, float)[good]))


def _growth(radii, ts) -> str:
    if len(ts) < 2:
        return f"Radii are {_span(radii[0])}; how fast they grow cannot be measured from one saved time"
    rate = (radii[-1] - radii[0]) / (ts[-1] - ts[0])
    return f"Radii grow from {_span(radii[0])} to {_span(radii[-1])}, by {_span(rate)} per unit of time on average"


def _span(values) -> str:
    low, high = three(np.min(values)), three(np.max(values))
    return low if low == high else f"{low}–{high}"
