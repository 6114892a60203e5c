"""Runs in the variables of a claim: elapsed time, tokens x, rescaled tokens z."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import equinox as eqx
import numpy as np
from scipy.linalg import expm, logm

from ..engine.evolution.trajectory import Status, Trajectory
from ..engine.flow.normalisation import MixLN, SqrtLN
from ..engine.flow.rescaled import Rescaled
from ..engine.linalg.matrices import is_scheduled, multiple_of_identity

TIMED = (MixLN, SqrtLN)
"""Schemes whose clock has an origin: their runs keep the time they were given."""


def elapsed(run: Trajectory) -> Trajectory:
    """The run with its clock set to 0 at the first saved time; rescaled tokens become $e^{-(t-t_0)V}x$."""
    start = float(run.ts[0])
    if start == 0 or is_scheduled(run.flow) or isinstance(getattr(run.flow, "normalisation", None), TIMED):
        return run
    if isinstance(run.flow, Rescaled):
        grown = np.asarray(run.x, float) @ expm(start * growth_matrix(run)).T
        run = replace(eqx.tree_at(lambda r: r.states.x, run, grown), close=None)
    merges = tuple(replace(merge, time=merge.time - start) for merge in run.merges)
    status = Status(run.status.code, run.status.time - start)
    return replace(run, ts=run.ts - run.ts[0], status=status, merges=merges)


def is_layered(run) -> bool:
    r"""Whether every step was $x\leftarrow x+\eta a$ (for rescaled tokens: $R^{-1}$ of it) with one η."""
    stride = run.stride
    if stride is None or stride.method not in ("layers", "euler"):
        return False
    if stride.method == "layers":
        return True
    counts = np.asarray(run.ts, float) / stride.step
    return not isinstance(run.flow, Rescaled) and bool(np.abs(counts - np.round(counts)).max() < 1e-6)


def unrescaled(flow):
    """The flow itself, also when it is seen in z-variables."""
    return flow.flow if isinstance(flow, Rescaled) else flow


def score_matrix(flow, d) -> np.ndarray:
    """βB."""
    score: Any = unrescaled(flow).attention.bilinear_score()
    return float(score.beta) * np.asarray(score.B(d), float)


def value_matrix(flow, d) -> np.ndarray:
    V = np.asarray(unrescaled(flow).V, float)
    return V * np.eye(d) if V.ndim == 0 else V


def tokens_x(run) -> np.ndarray:
    """Tokens x of a run, also when it was done in z."""
    x = np.asarray(run.x, float)
    if not isinstance(run.flow, Rescaled):
        return x
    return _moved(run, x, 1.0)


def tokens_z(run) -> np.ndarray:
    """Tokens z of a run, also when it was done in x."""
    x = np.asarray(run.x, float)
    return x if isinstance(run.flow, Rescaled) else _moved(run, x, -1.0)


def dual_coordinates(run, dual, rates) -> np.ndarray:
    r"""Coordinates $\varphi^*(z)$ along left eigenvectors of V (rows) with their eigenvalues, without forming z."""
    close = getattr(run, "close", None)
    if close is not None:
        # Exact, also where coordinates that diverge would drown the others in z.
        c = np.stack([close.coordinates(run, k) for k in range(len(run.ts))])
        return c @ (np.asarray(dual) @ np.asarray(run.flow.basis)).T
    c = np.asarray(run.x, float) @ np.asarray(dual).T
    if isinstance(run.flow, Rescaled):
        return c
    return c * np.exp(-np.outer(np.asarray(run.ts, float), growth_rates(run, rates)))[:, None, :]


def growth_matrix(run) -> np.ndarray:
    r"""The matrix W for which $z = e^{-tW}x$: V, or in layers of step η $W = \log(I+\eta V)/\eta$, so that $z^k = R^{-k}x^k$.

    NaN where $I+\eta V$ has no real logarithm.
    """
    V = value_matrix(run.flow, run.x.shape[-1])
    if not is_layered(run):
        return V
    eta, c = run.stride.step, multiple_of_identity(V)
    if c is not None:
        return (np.log1p(eta * c) / eta if eta * c > -1 else np.nan) * np.eye(len(V))
    R = np.eye(len(V)) + eta * V
    spectrum = np.linalg.eigvals(R)
    if ((np.abs(np.imag(spectrum)) < 1e-12) & (np.real(spectrum) < 1e-12)).any():
        return np.full_like(V, np.nan)
    return np.real(logm(R)) / eta


def growth_rates(run, rates):
    r"""The eigenvalues of `pace` for eigenvalues of V: λ, or in layers $\log(1+\eta\lambda)/\eta$."""
    if not is_layered(run):
        return rates
    logs = np.log(1 + run.stride.step * np.asarray(rates, complex)) / run.stride.step
    return logs.real if np.isrealobj(rates) else logs


def _moved(run, x, sign):
    V, ts = growth_matrix(run), np.asarray(run.ts, float)
    if not np.isfinite(V).all():
        return np.full_like(x, np.nan)
    return np.stack([tokens @ expm(sign * t * V).T for t, tokens in zip(ts, x)])
