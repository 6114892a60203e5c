"""Long-time limit of the covariance, integrated in logarithmic time by an implicit method."""

from __future__ import annotations

from dataclasses import dataclass

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ...engine.evolution.integrators.batched import abreast
from ...engine.evolution.integrators.linearly_implicit import integrate_stiffly
from ...engine.flow import AnyFlow
from ...engine.linalg.arguments import as_annotated
from ...engine.linalg.matrices import at
from ...engine.measures import Gaussian
from .factor_field import check_run, factor_field, in_double_precision, start_factor
from .score_axes import scores_of, seen_axes, turned

PERSISTS, FADES, RISES = -0.02, -0.5, 0.1
"""Exponents d log λ/d log t above which an eigenvalue stays, below which it goes (like 1/t), above which it rises."""

NOISE = 1e-13
"""Shares of the largest eigenvalue below this are the solver's errors, squared."""


@dataclass(frozen=True)
class LongRun:
    """The covariance at times equally spaced in log t; arrays carry the batch axes of the prompt."""

    ts: np.ndarray
    cov: np.ndarray
    end: np.ndarray
    """The last covariance of `cov` that was reached."""
    eigenvalues: np.ndarray
    """Descending, at every time."""
    exponents: np.ndarray
    """d log λ/d log t over the last decade."""
    isotropy: np.ndarray
    """|Lᵀ B L|/tr Σ at the end, the largest over heads: zero on isotropic subspaces."""
    motion: np.ndarray
    """|Σ(t) − Σ(t/10)|/|Σ(t)| at the end: zero for a limit."""
    rank: np.ndarray
    """How many eigenvalues stay; −1 where the run cannot tell."""
    verdict: np.ndarray
    """"zero", "isotropic", "limit", "growing", "rotating" or "unresolved"."""
    reached: np.ndarray
    growth: np.ndarray
    """(tr Σ)'/tr Σ where the run stopped."""
    climbed: np.ndarray
    """tr Σ there, divided by one and its first value."""


@as_annotated
@in_double_precision
def long_time(
    flow: AnyFlow, mu: Gaussian, *, until: float = 1e8, per_decade: int = 1, tol: float = 1e-8, max_steps: int = 4000
) -> LongRun:
    r"""Follow the factor in $u = \log(1 + t)$ with a stiff method and judge the limit by decay exponents.

    The rank of a limit is never read off a threshold: eigenvalues that vanish do so like 1/t, those that stay may be small.
    """
    check_run(until=until, tol=tol)
    L = start_factor(flow, mu)
    ts = times_of(until, per_decade)
    run = _follow_all(flow, L.reshape(-1, *L.shape[-2:]), jnp.asarray(ts, L.dtype), tol, max_steps)
    return judge(ts, per_decade, {k: np.asarray(v).reshape(L.shape[:-2] + v.shape[1:]) for k, v in run.items()})


def times_of(until: float, per_decade: int) -> np.ndarray:
    """Times from 0.01 to the end, equally spaced in log t."""
    count = max(1, int(np.ceil((np.log10(until) + 2) * per_decade)))
    return until * 10.0 ** (np.arange(-count, 1) / per_decade)


@eqx.filter_jit
def _follow_all(flow, L, ts, tol, max_steps):
    return abreast(lambda start: follow(flow, start, ts=ts, tol=tol, max_steps=max_steps), L)


def follow(flow, L, *, ts, tol, max_steps):
    """The covariance at the times ts and how it moves at the end."""
    T, seen = (a.astype(L.dtype) for a in seen_axes(flow, len(L)))
    flow, L = turned(flow, T, seen), T.T @ L

    def field(u, L):
        t = jnp.expm1(u)
        return (1 + t) * factor_field(flow, L, t)

    largest = 1e14 * (1 + jnp.sum(L**2))
    path = integrate_stiffly(
        field, L, ts=jnp.log1p(ts), scale=_axis_sizes, is_over=lambda L: ~(jnp.sum(L**2) < largest), tol=tol, max_steps=max_steps
    )  # fmt: skip
    saved, last, t_end = path.saved, path.y, jnp.expm1(path.t)
    half = factor_field(flow, last, t_end) @ last.T
    # LAPACK complains about the NaN of times that were not reached.
    is_reached = jnp.all(jnp.isfinite(saved), axis=(-2, -1))
    squares = jnp.linalg.svd(jnp.where(is_reached[:, None, None], saved, 0), compute_uv=False) ** 2
    squares = jnp.where(is_reached[:, None], squares, jnp.nan)
    return {
        "cov": (T @ saved) @ jnp.swapaxes(T @ saved, -1, -2), "eigenvalues": squares, "last": jnp.sum(last**2),
        "start": jnp.sum(L**2), "isotropy": _isotropy(flow, last, t_end), "reached": t_end, "done": path.is_done,
        "turning": jnp.linalg.norm(half + half.T) * t_end / jnp.linalg.norm(last @ last.T),
        "stretch": _stretch(last, half) * t_end, "growth": 2 * jnp.trace(half) * t_end / jnp.sum(last**2),
    }  # fmt: skip


def _axis_sizes(L):
    """How far L reaches along each axis: what is left along seen axes is tiny, but multiplied by t it moves the rest."""
    return jnp.max(jnp.abs(L), axis=1, keepdims=True)


def _stretch(L, half):
    """The fastest relative change of an eigenvalue that is not negligible."""
    values, vectors = jnp.linalg.eigh(L @ L.T)
    change = 2 * jnp.einsum("ik,ij,jk->k", vectors, half, vectors)
    return jnp.max(jnp.abs(change)) / jnp.max(values)


def _isotropy(flow, L, t):
    rule = at(flow.attention, t)
    sizes = [jnp.linalg.norm(score.queries(L.T) @ score.keys(L.T).T) for score in scores_of(rule)]
    return jnp.max(jnp.stack(sizes)) / jnp.sum(L**2)


def judge(ts, per_decade, run) -> LongRun:
    """Name the fate of each run from exponents, isotropy and motion."""
    values, before = _last(run["eigenvalues"], 0), _last(run["eigenvalues"], per_decade)
    with np.errstate(divide="ignore", invalid="ignore"):
        exponents = np.log10(values / before)
    exponents = np.where(values > NOISE * values[..., :1], exponents, -np.inf)
    stays, goes = exponents > PERSISTS, exponents < FADES
    # Where scores have vanished to the last digit a run may stop early: nothing is left that could move it. And where rounding
    # stops a very long run, its last decade is as good as a later one.
    stopped = (run["isotropy"] < 1e-9) & (run["reached"] > 1e3) | (run["reached"] > 1e9) & (run["growth"] < 1)
    done = (run["done"] | stopped) & np.isfinite(values).all(-1)
    is_clear = done & (stays & (exponents < RISES) | goes).all(-1)
    motion, earlier = _motion(run["cov"], 0, per_decade), _motion(run["cov"], per_decade, per_decade)
    with np.errstate(divide="ignore", invalid="ignore"):
        fading = motion / earlier
        still_to_come = np.where(fading < 0.8, motion * fading / (1 - fading), np.inf)
    rests = is_clear & ((motion < 1e-2) | (still_to_come < 0.1))
    # A tiny eigenvalue that rises has not yet shown whether it will matter.
    rises = (exponents > 0.5) & (values > 1e-3 * values[..., :1])
    # What falls for a decade of time after a burst has not gone: the trace must have fallen for two.
    falls = before[..., 0] <= 10**FADES * _last(run["eigenvalues"], 2 * per_decade)[..., 0]
    grows = (run["last"] > 1e13 * (1 + run["start"])) | (done & rises.any(-1))
    grows = grows | ~done & ~(run["growth"] < 100)
    rotates = ~rests & (run["turning"] > 10) & (run["stretch"] < 1e-2 * run["turning"]) & ~grows
    rank = stays.sum(-1)
    isotropic = run["isotropy"] < 1e-2
    cases = [grows, is_clear & falls & (rank == 0), rotates, rests & isotropic, rests]
    verdict = np.select(cases, ["growing", "zero", "rotating", "isotropic", "limit"], "unresolved")
    return LongRun(
        ts=ts, cov=run["cov"], end=_last(_flat(run["cov"]), 0).reshape(run["cov"][..., 0, :, :].shape),
        eigenvalues=run["eigenvalues"], exponents=exponents, isotropy=run["isotropy"], motion=motion,
        rank=np.where(np.isin(verdict, ["zero", "isotropic", "limit"]), rank, -1), verdict=verdict,
        reached=run["reached"], growth=run["growth"] / run["reached"], climbed=run["last"] / (1 + run["start"]),
    )  # fmt: skip


def _last(series, back):
    """The entry of each run `back` places before the last one reached; arrays are (…, time, entries)."""
    is_reached = np.isfinite(series).all(axis=-1)
    index = np.maximum(is_reached.sum(axis=-1) - 1 - back, 0)
    return np.take_along_axis(series, index[..., None, None], axis=-2)[..., 0, :]


def _flat(cov):
    return cov.reshape(*cov.shape[:-2], -1)


def _motion(cov, back, per_decade):
    """The relative change of Σ over a decade that ends `back` places before the last."""
    later, sooner = _last(_flat(cov), back), _last(_flat(cov), back + per_decade)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.linalg.norm(later - sooner, axis=-1) / np.linalg.norm(later, axis=-1)
