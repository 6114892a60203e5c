"""Whether the saved states of a run follow its flow, whatever is claimed of it: else nothing that it shows holds."""

from __future__ import annotations

import numpy as np

from ..engine.attention import Causal, Hardmax, Softmax, Unnormalised
from ..engine.flow.normalisation import PostLN
from ..engine.flow.rescaled import Rescaled
from ..engine.measures import Particles
from ..engine.spaces import Euclidean, Sphere
from . import retrace, retrace_euclidean
from .claim import Claim, Finding, undecided
from .hypotheses import is_plain, shifted_speed
from .tolerance import ADDED, exactness, merged, stretch_error, tolerance, unsure
from .variables import is_layered, unrescaled, value_matrix


def of_solutions(claim: Claim, found: Finding, run) -> Finding:
    """What a check found; a course or an end is said to hold only of states that were seen to move as the flow does."""
    if found.outcome != "holds" or claim.decides not in ("trajectory", "end state"):
        return found
    if len(run.ts) < 2:
        return undecided("only one time was saved, so nothing is seen to move; save more", **found.numbers)
    off = stray(run)
    if off is None or off <= 1:
        return found
    if np.isnan(off):
        return Finding("consistent", f"{found.words}; but it might be wrong, for {_why_unseen(run)}", found.numbers)
    why = f"an independent solution from one saved time to the next ends {off:.3g} times the allowed distance away"
    return undecided(f"{found.words}, but this is not a run of the flow: {why}", **{**found.numbers, "stray": off})


def _why_unseen(run) -> str:
    if 2 * retrace.ALLOWED * stretch_error(run) > unsure(run):
        return f"at the tolerance {tolerance(run):.1g} no independent solution is near enough to tell; lower tol"
    return f"saved times are too far apart to follow {run.x.shape[1]} tokens between them in seconds; save more of them"


def stray(run) -> float | None:
    """How far saved states are from where the flow leads from the one before, over what errors allow.

    NaN where that could not be told; None for flows that no independent solution here knows: their checks have their own.
    """
    flow, mu = run.flow, run.at(0)
    is_known = run.stride is None and isinstance(getattr(getattr(flow, "attention", None), "rule", Softmax()), Softmax)
    if is_plain(flow, mu, Sphere, (Softmax, Unnormalised, Causal, Hardmax)) and is_known:
        return np.fmax(too_fast(run), retrace.retraced(run))
    if is_plain(flow, mu, Euclidean) and (run.stride is None or is_layered(run)):
        found = retrace_euclidean.retraced(run)
        return np.fmax(too_fast(run), found.worst if found.share > 0 else np.nan)
    return None


def too_fast(run) -> float:
    r"""The farthest that a token went between two saved times, over what $|v|\le\|V\|$ lets it; NaN where it may go so far.

    In R^d velocities are at most $\|V\|$ times the farthest token, of rescaled tokens twice that.
    """
    x, h, flow = np.asarray(run.x, float), np.diff(np.asarray(run.ts, float)), run.flow
    most, size = np.linalg.norm(value_matrix(flow, x.shape[-1]), 2), np.linalg.norm(x, axis=2).max(axis=1)
    if isinstance(unrescaled(flow).space, Sphere):
        speed = shifted_speed(flow, run.at(0)) if isinstance(flow.attention, Unnormalised) else 1.0
        reach = most * h * speed if isinstance(flow.normalisation, PostLN) else np.inf
    else:
        reach = np.expm1(np.minimum((1 + isinstance(flow, Rescaled)) * most * h, 700.0))
    room = size[:-1] * reach + 2 * (ADDED * tolerance(run) * np.maximum(1.0, size[1:]) + merged(run))
    worst = float((np.linalg.norm(np.diff(x, axis=0), axis=2).max(axis=1) / room).max())
    return worst if worst > 1 else np.nan


def changed_masses(run) -> float | None:
    """The first saved time at which masses are not those of the start, which no flow changes; None where there is none."""
    if not isinstance(run.states, Particles):
        return None
    mass = np.asarray(run.states.mass, float)
    changed = np.abs(mass - mass[0]).max(axis=1) > exactness(run)
    return float(run.ts[int(np.argmax(changed))]) if changed.any() else None
