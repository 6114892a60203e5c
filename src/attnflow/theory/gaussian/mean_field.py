"""Mean-field limit for Gaussian prompts: error of n tokens, rates in n, and effective sample size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from scipy.optimize import brentq

from ...engine.attention import Softmax
from ...engine.evolution import evolve
from ...engine.flow import AnyFlow, check_fits
from ...engine.linalg.arguments import as_annotated, one_of, shaped
from ...engine.linalg.matrices import at, is_concrete
from ...engine.measures import Gaussian, Particles
from ...engine.measures.initial import gaussian_tokens
from ...errors import BadInput, quoted

SAMPLES = {
    "iid": {},
    "antithetic": {"antithetic": True},
    "matched": {"matched": True},
    "sobol": {"sampling": "sobol", "antithetic": True, "matched": True},
}
"""Ways to draw tokens from a Gaussian; the last is the default for comparisons."""


@dataclass(frozen=True)
class MeanFieldRate:
    """Root-mean-square errors of mean and covariance at the end, for growing numbers of tokens."""

    counts: np.ndarray
    mean_error: np.ndarray
    cov_error: np.ndarray
    slope: float
    """Of log covariance error against log n: −1/2 for independent tokens."""


def sample(mu: Gaussian, n: int, *, kind: str = "sobol", seed: int = 0) -> Particles:
    """n tokens that stand for the Gaussian."""
    one_of(kind, "kind", SAMPLES)
    return gaussian_tokens(n, mu.d, mean=np.asarray(mu.mean), cov=np.asarray(mu.cov), seed=seed, **SAMPLES[kind])


def moments(mu: Particles) -> Gaussian:
    """The Gaussian with the mean and covariance of the tokens."""
    mean = mu.mass @ mu.x
    away = mu.x - mean
    return Gaussian(mean, (away * mu.mass[:, None]).T @ away)


@as_annotated
def mean_field_rate(
    flow: AnyFlow,
    mu: Gaussian,
    *,
    counts: ArrayLike | Sequence[int],
    until: float,
    kind: str = "iid",
    repeats: int = 10,
    seed: int = 0,
    tol: float = 1e-7,
) -> MeanFieldRate:
    """How fast the moments of n tokens approach the Gaussian flow."""
    counts = shaped(counts, "counts", "k")
    if np.any(counts < 1) or np.any(counts % 1) or len(np.unique(counts)) < 2:
        raise BadInput(f"counts must be at least two different numbers of tokens, got {quoted(counts.tolist())}")
    exact = evolve(flow, mu, until=until, save=1).last
    errors = np.array(
        [[_error(flow, mu, exact, int(n), until, kind, seed + k, tol) for k in range(repeats)] for n in counts]
    )
    rms = np.sqrt((errors**2).mean(axis=1))
    slope = float(np.polyfit(np.log(counts), np.log(rms[:, 1]), 1)[0])
    return MeanFieldRate(counts, rms[:, 0], rms[:, 1], slope)


def _error(flow, mu, exact, n, until, kind, seed, tol):
    run = evolve(flow, sample(mu, n, kind=kind, seed=seed), until=until, save=1, tol=tol, method="dopri5")
    end = moments(Particles(run.x[-1], run.mass))
    return float(jnp.linalg.norm(end.mean - exact.mean)), float(jnp.linalg.norm(end.cov - exact.cov))


@as_annotated
def effective_share(flow: AnyFlow, mu: Gaussian, x: ArrayLike, *, t: ArrayLike = 0.0):
    r"""The share of the tokens of a Gaussian prompt that a softmax listener at x really hears.

    $$\mathrm{ESS}/n = e^{-x^\top B\Sigma B^\top x}$$
    """
    rule = at(flow.attention, jnp.asarray(t))
    if not isinstance(rule, Softmax) or rule.is_affine():
        raise BadInput(f"the effective sample size is known for Softmax, got {type(rule).__name__}")
    check_fits(flow, mu)
    x = shaped(jnp.atleast_2d(jnp.asarray(x, mu.mean.dtype)), "x", "n d", d=mu.d)
    ahead = x @ rule.score.matrix(mu.d)
    spread = jnp.einsum("ni,ij,nj->n", ahead, mu.cov, ahead)
    if is_concrete(spread) and bool(jnp.isnan(spread).any()):
        raise BadInput("scores leave the range of numbers: x or the covariance is too large; scale them down")
    return jnp.exp(-spread)


def least_share(B: np.ndarray, mean: np.ndarray, cov: np.ndarray) -> float:
    r"""The least effective share among tokens one standard deviation from the mean.

    $$\min_{|u|=1} e^{-|c + Mu|^2},\qquad M = \Sigma^{1/2}B^\top\Sigma^{1/2},\quad c = \Sigma^{1/2}B^\top\alpha$$
    """
    values, vectors = np.linalg.eigh(cov)
    root = (vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T
    return float(np.exp(-farthest(root @ B.T @ root, root @ B.T @ mean)))


def farthest(M: np.ndarray, c: np.ndarray) -> float:
    r"""$\max_{|u|=1}|c + Mu|^2$, by its dual.

    With the eigenvalues w of $M^\top M$ and the coordinates g of $M^\top c$ that is the least
    $|c|^2 + \lambda + \sum_k g_k^2/(\lambda - w_k)$ over $\lambda\ge w_{\max}$: where the secular equation
    $\sum_k g_k^2/(\lambda - w_k)^2 = 1$ holds, or at $w_{\max}$ where no λ solves it (the hard case).
    Source: Moré, Sorensen 1983.
    """
    w, vectors = np.linalg.eigh(M.T @ M)
    g, gap = vectors.T @ (M.T @ c), w[-1] - w
    g, gap = g[g != 0], gap[g != 0]
    missing = lambda delta: 1 - 1 / np.linalg.norm(g / (delta + gap))  # noqa: E731
    low, high = float(np.linalg.norm(g[gap == 0])), float(np.linalg.norm(g))
    is_hard = high == 0 or (low == 0 and missing(0.0) <= 0)
    # The bounds hold exactly; a little more keeps their signs under rounding.
    delta = 0.0 if is_hard else brentq(missing, low * (1 - 1e-12), high * (1 + 1e-12))
    return float(c @ c + w[-1] + delta + np.sum(g**2 / (delta + gap)))


def resolution_note(flow, mu: Gaussian, tokens: Particles) -> str | None:
    """A warning when some token hears fewer than a hundred others in effect."""
    least = float(jnp.min(effective_share(flow, mu, tokens.x)))
    if tokens.n * least >= 100:
        return None
    return f"only {tokens.n * least:.3g} tokens count for the worst listener: compare with the Gaussian flow with care"
