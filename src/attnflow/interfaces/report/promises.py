"""What a run is about, predicted by a formula and measured: waiting times, radii, column sums, covariances, planes, corners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...draw.diagrams.columns import column_sums_over
from ...draw.energies import Energies, is_on_sphere, strength_of
from ...draw.summary import MOST_COLUMNS, carries_radius, closed_spectrum
from ...engine.attention import Sinkhorn, Softmax
from ...engine.evolution.trajectory import Status, Trajectory
from ...engine.flow.normalisation import PostLN, PreLN
from ...engine.linalg.matrices import Schedule, is_scheduled, multiple_of_identity
from ...engine.measures import Gaussian, Particles
from ...papers.claim import Check, Prediction
from ...theory.limits.gathering import Gathering
from ...theory.sphere.two_clusters import merging_time
from .numbers import three

MEETS = 0.1
"""Two clusters have met when their angle is below this, in radians."""
CLOSE = 0.02
"""Relative error at which a measured time still agrees: clusters have a width, and times are saved one by one."""


@dataclass(frozen=True)
class Promise:
    """One row for the headline table; `claim` is the key that says it too, if any."""

    predicted: str
    measured: str
    verdict: str
    claim: str = ""


@dataclass(frozen=True)
class Seen:
    """What promises look at."""

    run: Trajectory
    groups: Gathering | None
    energies: Energies | None
    predictions: dict[str, Prediction]
    checks: dict[str, Check]


def promises(run, groups, energies, predictions, checks) -> list[Promise]:
    """All that can be said of this run, in the order of the table."""
    seen = Seen(run, groups, energies, {p.claim: p for p in predictions}, {c.claim: c for c in checks})
    return [found for make in MAKERS if (found := make(seen)) is not None]


def _covariance(seen: Seen) -> Promise | None:
    """Σ(t) against its closed form."""
    run = seen.run
    if not isinstance(run.states, Gaussian):
        return None
    known = closed_spectrum(run)
    if known is None:
        return None
    found = np.linalg.eigvalsh(np.asarray(run.cov, float))[:, ::-1]
    # Where the law blows up the closed form ends, and nothing is known of the state at which the run broke down.
    exists = (
        np.isfinite(known).all(axis=1) & (known >= -1e-9 * known[:, :1]).all(axis=1) & np.isfinite(found).all(axis=1)
    )
    exists &= (run.status == Status.DONE) | (np.asarray(run.ts) < float(run.status.time))
    if not exists.any():
        return None
    found, known, end = found[exists], known[exists], three(float(run.ts[exists][-1]))
    error = float(np.max(np.abs(found - known)) / np.max(np.abs(known[0])))
    predicted = f"Eigenvalues of Σ at t = {end}: {_listed(known[-1])} (closed form)"
    measured = f"{_listed(found[-1])}; at all times within {three(error)} of the first Σ"
    return Promise(predicted, measured, "holds" if error < 1e-5 else "refuted", "castin2025.scalar_v")


def _waiting(seen: Seen) -> Promise | None:
    """When the last two clusters meet, from the exact equation of their angle."""
    run, groups = seen.run, seen.groups
    pair = _pair(run, groups)
    if pair is None or groups is None:
        return None
    start, theta0, mass = pair
    beta, speed = float(strength_of(run) or 0), float(multiple_of_identity(run.flow.V) or 0)
    wait = merging_time(theta0, MEETS, beta=beta, mass=mass) / speed
    due = start + wait
    predicted = f"Two clusters, {three(theta0)} rad apart at t = {three(start)}, meet at t = {three(due)}"
    angle = _angles(run, groups)
    met = np.flatnonzero((groups.ts > start) & (angle < MEETS))
    if not len(met):
        verdict = "consistent" if due > groups.ts[-1] * (1 - CLOSE) else "refuted"
        return Promise(predicted, f"Not met by t = {three(groups.ts[-1])}", verdict)
    before, after = float(groups.ts[met[0] - 1]), float(groups.ts[met[0]])
    agrees = before * (1 - CLOSE) <= due <= after * (1 + CLOSE)
    measured = f"They met between t = {three(before)} and {three(after)}"
    return Promise(predicted, measured, "holds" if agrees else "refuted", "rigollet2025.theorem6")


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


def _planes(seen: Seen) -> Promise | None:
    prediction = seen.predictions.get("geshkovski2023.theorem4.2")
    if seen.groups is None or seen.groups.kind != "planes" or prediction is None:
        return None
    planes, last = prediction.numbers.get("planes"), seen.groups.last
    check = seen.checks.get(prediction.claim)
    if planes is None or check is None:
        return None
    found = np.sort(last.centres[:, 0]) if last.count else np.empty(0)
    predicted = f"Tokens gather on {len(planes)} parallel planes, at φ₁* = {_listed(planes)} (certified limit)"
    measured = f"{last.count} planes, at φ₁* = {_listed(found)}"
    return Promise(predicted, measured, check.outcome, prediction.claim)


def _corners(seen: Seen) -> Promise | None:
    prediction = seen.predictions.get("geshkovski2023.theorem3.1")
    if seen.groups is None or seen.groups.kind != "points" or prediction is None:
        return None
    leaders, check = prediction.numbers.get("leaders"), seen.checks.get(prediction.claim)
    if leaders is None or check is None or not prediction.numbers.get("certified"):
        return None
    predicted = (
        f"Every rescaled token ends on one of {len(leaders)} leading tokens, corners of a polytope (certified limit)"
    )
    share = 1 - seen.groups.last.loose
    measured = f"{seen.groups.last.count} points hold {share:.0%} of the tokens at t = {three(seen.groups.ts[-1])}"
    return Promise(predicted, measured, check.outcome, prediction.claim)


def _radius(seen: Seen) -> Promise | None:
    """Radii under Pre-LN: a mean of unit vectors has length at most 1."""
    run = seen.run
    if not isinstance(run.states, Particles) or not carries_radius(run):
        return None
    is_bare = run.flow.noise is None and run.flow.feed_forward is None
    if not is_bare or not isinstance(run.flow.normalisation, PreLN) or is_scheduled(run.flow):
        return None
    if type(run.flow.attention) not in (Softmax, Sinkhorn):
        return None
    size = float(np.linalg.norm(np.asarray(run.flow.V), 2)) if np.ndim(run.flow.V) else abs(float(run.flow.V))
    r, ts = np.linalg.norm(np.asarray(run.x, float), axis=-1), np.asarray(run.ts, float)
    over = float(np.max((r - r[0]) - size * (ts - ts[0])[:, None]))
    predicted = (
        f"No radius |x_i| grows faster than ‖V‖ = {three(size)} per unit of time, and directions turn like 1/|x_i|"
    )
    rate = (r[-1] - r[0]) / (ts[-1] - ts[0])
    measured = f"Radii grow from {_span(r[0])} to {_span(r[-1])}, by {_span(rate)} per unit of time on average"
    return Promise(predicted, measured, "consistent" if over < 1e-6 * r.max() else "refuted")


def _columns(seen: Seen) -> Promise | None:
    run = seen.run
    if not isinstance(run.states, Particles) or not isinstance(getattr(run.flow, "attention", None), Sinkhorn):
        return None
    if run.flow.attention.iterations is not None or run.states.n > MOST_COLUMNS:
        return None
    _, known = column_sums_over(run)
    softmax, own = known["softmax"], known["Sinkhorn"]
    gap = float(np.abs(own - 1).max())
    predicted = "Every token is heard equally: all column sums of the weights are 1"
    measured = f"1 to {three(gap)} at all times looked at; softmax would give {_span(softmax[0])} at the start"
    return Promise(predicted, measured, "holds" if gap < 1e-5 else "refuted")


def _energy(seen: Seen) -> Promise | None:
    """The energy between its bounds, rising or falling all the time."""
    key, found = "geshkovski2024.energy_identity", seen.energies
    if found is None or not found.levels or key not in seen.predictions or key not in seen.checks:
        return None
    speed = multiple_of_identity(seen.run.flow.V)
    if speed is None or speed == 0:
        return None
    course = "rises" if speed > 0 else "falls"
    low = next((level.value for level in found.levels if level.words == "uniform law"), 0.0)
    predicted = f"The normalised energy {course} at all times, between {three(low)} (uniform law) and 1 (one cluster)"
    steps = np.diff(found.values) * np.sign(speed)
    never = f"never {'falling' if speed > 0 else 'rising'}" if steps.min() > -1e-9 else "not always"
    measured = f"From {three(found.values[0])} to {three(found.values[-1])}, {never}"
    return Promise(predicted, measured, seen.checks[key].outcome, key)


def _listed(values) -> str:
    return ", ".join(three(value) for value in values) or "none"


def _span(values) -> str:
    low, high = three(np.min(values)), three(np.max(values))
    return low if low == high else f"{low}–{high}"


MAKERS: tuple[Callable[[Seen], Promise | None], ...] = (
    _covariance, _planes, _corners, _waiting, _radius, _columns, _energy,
)  # fmt: skip
