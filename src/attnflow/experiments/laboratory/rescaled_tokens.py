"""Open questions on rescaled tokens in R^d: vertices, their number, parallel subspaces, the rank of attention, ties."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial import ConvexHull

from ...engine.observe.clusters import count_clusters
from ...papers.independent import diagonal_run, rescaled_run, softmax
from .experiment import Conjecture, Quantity, Result, fitted_power

LATE = 10.0
"""Followers are within e^{−t} of where they go, and scores e^{2t} still fit numbers."""
CHOSEN = 5.0
"""By then a token that leaves a tie has gone to a leader."""
LATER = "Runs go to t = 10 and must rest from t = 6 on; first they went to t = 4 and had to rest from t = 2 on."


def start(rng, n: int, d: int, law: str) -> np.ndarray:
    if law == "cube":
        return rng.uniform(-1, 1, (n, d))
    x = rng.normal(size=(n, d))
    return (
        x if law == "Gaussian" else x / np.linalg.norm(x, axis=1, keepdims=True) * rng.uniform(size=(n, 1)) ** (1 / d)
    )


def vertices_trial(seed: int, *, n: int, d: int, law: str):
    """Whether every token ends at a vertex of the limit polytope, how many vertices that has, and the start's hull."""
    rng = np.random.default_rng(seed)
    x = start(rng, n, d, law)
    z = rescaled_run(x, np.array([0.0, 0.6 * LATE, LATE]))
    if not np.isfinite(z).all() or np.abs(z[2] - z[1]).max() > 0.05:
        return np.nan, np.nan, np.nan
    P = softmax(np.exp(2 * LATE) * z[2] @ z[2].T)
    if P.max(axis=1).min() < 0.99:
        # Some token still hears two: it is no vertex, or the run is too short to tell.
        return 0.0, np.nan, float(len(ConvexHull(x).vertices))
    leaders = np.unique(P.argmax(axis=1))
    return float(np.all(P.argmax(axis=1)[leaders] == leaders)), float(len(leaders)), float(len(ConvexHull(x).vertices))


def rank_trial(seed: int, *, n: int):
    """Rank of the late attention matrix at 1e-6, and the number of leaders."""
    z = rescaled_run(np.random.default_rng(seed).normal(size=(n, 2)), np.array([0.0, LATE]))[-1]
    if not np.isfinite(z).all():
        return np.nan, np.nan, np.nan
    P = softmax(np.exp(2 * LATE) * z @ z.T)
    leaders, rank = len(np.unique(P.argmax(axis=1))), int(np.linalg.matrix_rank(P, tol=1e-6 * np.linalg.norm(P, 2)))
    return float(rank == leaders), float(rank), float(leaders)


def subspaces_trial(seed: int, *, k: int, sign: str):
    """Number of parallel codimension-k subspaces that rescaled tokens approach, for k positive eigenvalues in R³."""
    rng = np.random.default_rng(seed)
    rates = np.array([*np.sort(rng.uniform(0.5, 1.5, k))[::-1], *rng.uniform(-1.0, -0.3, 3 - k)])
    M = rng.normal(size=(3, 3))
    M[0, 0] = abs(M[0, 0]) * (1 if sign == "+" else -1)
    until = 8.0 / rates[k - 1]
    c = diagonal_run(rng.normal(size=(12, 3)), np.array([0.0, 0.8 * until, until]), rates=rates, M=M)
    if not np.isfinite(c).all() or np.abs(c[2, :, :k] - c[1, :, :k]).max() > 0.02:
        return np.nan, np.nan
    count = count_clusters(c[2, :, :k], 0.05)
    return float(count > 3), float(count)


def ties_trial(seed: int, *, beta: float, size: float):
    """Where the third token of example 9.3 goes that starts size/β beside the tie, in a random direction.

    Tokens (1, 1) and (−1, 1) hear themselves alone; a token at 0 hears all three alike, and rest is the shortest velocity.
    """
    angle = np.random.default_rng(seed).uniform(0, 2 * np.pi)
    leaders, beside = np.array([[1.0, 1.0], [-1.0, 1.0]]), np.array([np.cos(angle), np.sin(angle)])

    def field(t, z):
        tokens = np.vstack([leaders, z])
        return softmax(beta * (z @ tokens.T)[None])[0] @ tokens - z

    first = size / beta * beside
    z = solve_ivp(field, (0.0, CHOSEN), first, method="LSODA", rtol=1e-9, atol=1e-12).y[:, -1]
    apart = np.linalg.norm(leaders - z, axis=1)
    joined = apart.min() < 0.2
    is_own_side = float(np.sign(leaders[apart.argmin(), 0]) == np.sign(beside[0])) if joined else np.nan
    return float(joined), float(np.linalg.norm(z - first) < 0.2), is_own_side


def _vertices(r: Result) -> str:
    e, told = r.estimate(0), int(np.sum(~np.isnan(r.values[..., 0])))
    return (f"In {told} of {r.trials} starts that settled by t = {LATE:g}, all tokens were at vertices in a share of "
            f"{e.words}; a token between two leaders counts as no vertex. A share above 0 in every law would fit a set of "
            "starts of positive measure; this proves nothing.")  # fmt: skip


def _leaders(r: Result) -> str:
    p = fitted_power(r, 1, "n")
    return (f"The mean number of vertices grows like n to the power {p.words} over these n (a fit, d = 2, Gaussian starts); "
            "beside it stands the mean number of vertices of the start's hull.")  # fmt: skip


def _subspaces(r: Result) -> str:
    e, count = r.estimate(0), int(np.sum(~np.isnan(r.values[..., 0])))
    told = (
        f"No more than three subspaces in {count} trials"
        if e.value == 0
        else f"More than three in a share of {e.words}"
    )
    return (
        f"{told} that settled (of {r.trials}; random rates, random scores in R³); upper end of the share {e.high:.2g}."
    )


def _rank(r: Result) -> str:
    return (f"The numerical rank of P(t) at t = {LATE:g} (tolerance 1e-6) equalled the number of leaders in a share of "
            f"{r.estimate(0).words} of {r.trials} runs. At finite t more leaders may be seen than in the limit.")  # fmt: skip


def _ties(r: Result) -> str:
    rests = [
        f"{r.estimate(1, k).value:.2f} at β = {c['beta']:g} and {c['size']:g}/β"
        for k, c in enumerate(r.conjecture.cases)
    ]
    return (f"By t = {CHOSEN:g} the token rested, the shortest velocity, in a share of {', '.join(rests)}; a share of "
            f"{r.estimate(2).words} of those that joined a leader joined the one on their side. The scores of a disturbance "
            "point at the token itself in a quarter of all directions: a share near 1/4 for large ones, at every β, fits a "
            "choice by the disturbance on the scale 1/β, not by the length of the velocity.")  # fmt: skip


RESCALED = (
    Conjecture(
        "vertices", "For V = I, do rescaled tokens go to vertices of the limit polytope for most starts?",
        "Geshkovski et al. 2023 (arXiv 2305.05465), after theorem 3.1",
        "Tokens converge to the boundary of a polytope, to a finite set that contains its vertices (theorem 3.1).",
        "Random starts of three laws in the plane, integrated independently of the engine; who listens to whom at a late time.",
        "law", tuple({"n": 8, "d": 2, "law": law} for law in ("ball", "cube", "Gaussian")), vertices_trial,
        (Quantity("all at vertices", is_share=True), Quantity("vertices"), Quantity("hull of the start")), _vertices, 60,
        LATER,
    ),
    Conjecture(
        "leaders", "How many vertices has the limit polytope of generic data?",
        "Geshkovski, talk on clusters in self-attention dynamics", "Nothing but that the number is finite.",
        "Mean number of leaders against n for Gaussian starts in the plane, beside the hull of the start.",
        "n", tuple({"n": n, "d": 2, "law": "Gaussian"} for n in (4, 8, 16, 32)), vertices_trial,
        (Quantity("all at vertices", is_share=True), Quantity("vertices"), Quantity("hull of the start")), _leaders, 40,
        LATER,
    ),
    Conjecture(
        "subspaces",
        "With k eigenvalues of positive real part, are there at most three parallel limit subspaces of codimension k?",
        "Geshkovski et al. 2023, conjecture 4.3", "Proved for k = 1, with a simple top eigenvalue and ⟨Qφ₁, Kφ₁⟩ > 0.",
        "Random diagonal V with k positive rates and random scores in R³; clusters of the k growing coordinates at a late time.",
        "k and sign of the leading score", tuple({"k": k, "sign": s} for k in (1, 2) for s in "+-"), subspaces_trial,
        (Quantity("more than three", is_share=True), Quantity("subspaces")), _subspaces, 30,
        "Runs go to 8 times the slowest growing time; first they went to 6 times the fastest.",
    ),
    Conjecture(
        "rank", "What is the rank of the limit of the attention matrix?", "Geshkovski, talk, last line",
        "In one dimension the limit has rank 1 or 2 (theorem 2.1).",
        "Numerical rank of P(t) at a late time against the number of tokens that lead.",
        "n", tuple({"n": n} for n in (6, 12, 24)), rank_trial,
        (Quantity("rank = leaders", is_share=True), Quantity("rank"), Quantity("leaders")), _rank, 40,
        "The matrix is read at t = 10; first it was read at t = 4.",
    ),
    Conjecture(
        "ties", "Which velocity does attention select at a tie, as β → ∞?",
        "Geshkovski et al. 2024 (arXiv 2312.10794), example 9.3",
        "The limit is a differential inclusion: rest, either leader and all means of them are allowed.",
        "The tie of example 9.3, tokens (1, 1), (−1, 1) and 0, the last one moved by a multiple of 1/β in a random direction; "
        "where it is at t = 5.",
        "β and size of the disturbance in 1/β", tuple({"beta": b, "size": s} for b in (1e3, 1e5) for s in (1.0, 10.0, 100.0)),
        ties_trial,
        (Quantity("joins a leader", is_share=True), Quantity("rests", is_share=True),
         Quantity("leader of its side", is_share=True)),
        _ties, 100,
        "The token is followed to t = 5 at the tie of the example; first one velocity was looked at, 1/β beside a tie of "
        "three random tokens, which is the same for every β.",
    ),
)  # fmt: skip
