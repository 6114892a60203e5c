"""What the checks of limits share: dominant coordinates, their errors, and whether tokens go where a proof sends them."""

from __future__ import annotations

import numpy as np

from ...engine.flow.rescaled import Rescaled
from ...theory.limits.consistency import SLACK, Followed, leaders_followed
from ...theory.limits.value_matrix import ValueMatrix, classify
from ..claim import Finding, holds, refuted, undecided
from ..tolerance import rescaled_error, token_error
from ..variables import growth_matrix, score_matrix, tokens_z


def dominant(run) -> ValueMatrix:
    return classify(growth_matrix(run), run.x.shape[-1])


def dominant_error(run, V: ValueMatrix) -> np.ndarray:
    """How wrong the dominant coordinates of z may be at every saved time."""
    ts = np.asarray(run.ts, float)
    error = rescaled_error(run) if isinstance(run.flow, Rescaled) else token_error(run) * np.exp(-V.lam * ts)
    return np.linalg.norm(V.left, 2) * error


def allowed(run, V: ValueMatrix, size: float) -> float:
    """What errors of the run may add to dominant coordinates, against the size of the prompt."""
    return SLACK + float(dominant_error(run, V).max()) / max(size, 1e-300)


def leaders_of(run) -> Followed:
    """Tokens against the certificate of an earlier time."""
    d = run.x.shape[-1]
    M, W = score_matrix(run.flow, d), growth_matrix(run)
    return leaders_followed(tokens_z(run), np.asarray(run.ts, float), dominant(run), W, M, mass=run.mass)


def judged(run, found: Followed, words: str, **numbers) -> Finding:
    """Refuted where tokens stray from their leaders, undecided while a row may still change its mind."""
    V = dominant(run)
    limit = allowed(run, V, float(np.linalg.norm(tokens_z(run)[0] @ V.left.T, axis=1).max()))
    numbers = {"leaders": found.leaders, "strayed": found.strayed, "allowed": limit, **numbers}
    if found.strayed > limit:
        return refuted(f"tokens stray from the way to their leaders by {found.strayed:.2g} of their size", **numbers)
    if not found.is_settled:
        return undecided("some token may still change its leader: run for longer", **numbers)
    return holds(f"{words} (proved at t = {found.since:.4g}, followed to {limit:.1g})", since=found.since, **numbers)
