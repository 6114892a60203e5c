"""Whether the saved states of a run follow its flow, whatever is claimed of it: else nothing that it shows holds."""

from __future__ import annotations

import numpy as np

from ..engine.attention import Causal, Hardmax, Softmax, Unnormalised
from ..engine.spaces import Euclidean, Sphere
from . import retrace, retrace_euclidean
from .claim import Claim, Finding, undecided
from .hypotheses import is_plain
from .variables import is_layered


def of_solutions(claim: Claim, found: Finding, run) -> Finding:
    """What a check found; a course or an end is said to hold only of states that move, and move as the flow does."""
    if found.outcome != "holds" or claim.decides not in ("trajectory", "end state"):
        return found
    if len(run.ts) < 2:
        return undecided("only one time was saved, so nothing is seen to move; save more", **found.numbers)
    off = stray(run)
    if not off > 1:
        return found
    why = f"an independent solution from one saved time to the next ends {off:.3g} times the allowed distance away"
    return undecided(f"{found.words}, but this is not a run of the flow: {why}", **{**found.numbers, "stray": off})


def stray(run) -> float:
    """How far saved states are from where the flow leads from the one before, over what errors allow; NaN if unknown."""
    flow, mu = run.flow, run.at(0)
    if is_plain(flow, mu, Sphere, (Softmax, Unnormalised, Causal, Hardmax)) and _is_known(flow.attention, run):
        return retrace.retraced(run)
    if is_plain(flow, mu, Euclidean) and (run.stride is None or is_layered(run)):
        found = retrace_euclidean.retraced(run)
        return found.worst if found.share > 0 else np.nan
    return np.nan


def _is_known(rule, run) -> bool:
    is_softmax = not isinstance(rule, Causal) or isinstance(rule.rule, Softmax)
    return run.stride is None and is_softmax
