from __future__ import annotations

import warnings
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp

from ...errors import BadInput, Notice, quoted
from ..linalg.arguments import inside, one_of
from ..linalg.matrices import Schedule, as_number, is_concrete
from ..linalg.shown import shown
from ..linalg.small import product
from ..sinkhorn.alternating import half_step, rounds
from ..sinkhorn.gram import Gram
from ..sinkhorn.newton import newton_scaling
from ..sinkhorn.symmetric import Scaling, symmetric_scaling
from ..special.self_coupling import correlation, truncated
from ..summation.kernel import Exponential, Kernel, PlainExponential, log_mass
from ..summation.tiled import over_tiles
from .base import Scored
from .constants import Constants, log
from .gaussian_field import GaussianField
from .pair_energy import known_convention, tile
from .score import Score

STARTS = ("dot", "distance")
CONVENTIONS = ("castin", "sander", "heat")
MOST_HALF_STEPS = 10**6
"""More would not end within hours."""
MAX_ITERATIONS = {True: 200, False: 150}
"""Of the symmetric solver and of Newton's method."""


class Sinkhorn(Scored):
    r"""Attention normalised on rows and columns.

    $$w(x, y) = e^{\langle x, By\rangle/\varepsilon + f(x) + g(y)},\quad
      \int w(x, \cdot)\,d\mu = \int w(\cdot, y)\,d\mu = 1$$

    `iterations` counts half-steps, rows first (1 is softmax); None means converged. Odd counts keep rows stochastic.
    A truncated rule depends on its `start`: the dot product above, or −½|x − y|² in the metric of B.
    `tol` is the L1 error of the marginals, by default 1e-12 (1e-6 in single precision).
    Source: Sander et al. 2022 (arXiv 2110.11773), eq. (3).

    >>> import attnflow as af
    >>> import numpy as np
    >>> mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    >>> af.attention_matrix(af.Flow(af.Sphere(), af.Sinkhorn(eps=1 / np.log(3))), mu).round(9).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """

    score: Score
    iterations: int | None = eqx.field(static=True)
    start: str = eqx.field(static=True)
    tol: float | None = eqx.field(static=True)
    is_symmetric: bool = eqx.field(static=True)
    """Whether B was seen to be symmetric positive semidefinite, so that the fast solver is safe."""
    has_fast_sum: ClassVar[bool] = True
    has_costly_kernel: ClassVar[bool] = True

    def __init__(self, B=None, eps=1.0, iterations=None, *, Q=None, K=None, start="dot", tol=None):
        self.score = Score(B, Q, K, _inverse(eps))
        self.iterations, self.start = _half_steps(iterations), _start(start, self.score)
        self.tol = None if tol is None else float(inside(tol, "tol", above=0, below=1))
        self.is_symmetric = _is_positive(self.score)

    @property
    def eps(self):
        return 1 / self.score.beta if not isinstance(self.score.beta, Schedule) else self.score.beta.value.value

    @property
    def solver(self) -> str:
        """Which solver a converged rule uses: "symmetric" takes products with the kernel alone, "newton" works for any B."""
        return "symmetric" if self.is_symmetric else "newton"

    def kernel(self, x, mu):
        if self.iterations is None:
            return self._converged(x, mu)
        return self._truncated(x, mu, self.iterations)

    def _truncated(self, x, mu, count: int):
        gram, mass = self._gram(mu.x, mu.x), mu.mass
        g = rounds(gram, mass, start=self._first(mu.x), count=(count - 1) // 2)
        queries, keys = self.score.queries(x), self.score.keys(mu.x)
        if count % 2:
            is_symmetric = self.score.is_symmetric(x, mu.x)
            return Kernel(queries, keys, mass, Exponential(), column=g, is_symmetric=is_symmetric)
        row = half_step(self._gram(x, mu.x), g, mass)
        return Kernel(queries, keys, mass, PlainExponential(), row=row, column=rounds(gram, mass, start=g, count=1))

    def potential(self, mu) -> Scaling:
        r"""The column potential $g$ for scores of tokens about their mean, with iterations and error."""
        y = mu.x - mu.mass @ mu.x
        tol = self.tol if self.tol is not None else 1e-12 if y.dtype == jnp.float64 else 1e-6
        limits = {"tol": tol, "max_iterations": MAX_ITERATIONS[self.is_symmetric]}
        gram = self._gram(y, y)
        if not self.is_symmetric:
            return newton_scaling(gram, mu.mass, **limits)
        half = -0.5 * jnp.sum(gram.queries * gram.keys, axis=1)
        scaling = symmetric_scaling(Gram(gram.queries, gram.keys, half, half), mu.mass, **limits)
        return scaling._replace(potential=scaling.potential + half)

    def scores_alone(self, mu):
        return Kernel(self.score.queries(mu.x), self.score.keys(mu.x), mu.mass, Exponential())

    def spread(self, d):
        # Scores of centred tokens reach four times the norm, and a potential varies by twice what scores reach.
        return 16 * self.score.norm(d)

    def _converged(self, x, mu):
        scaling = self.potential(mu)
        _tell_if_open(scaling, MAX_ITERATIONS[self.is_symmetric])
        centre = mu.mass @ mu.x
        queries, keys = self.score.queries(x - centre), self.score.keys(mu.x - centre)
        is_symmetric = self.score.is_symmetric(x, mu.x)
        return Kernel(queries, keys, mu.mass, Exponential(), column=scaling.potential, is_symmetric=is_symmetric)

    def _gram(self, x, y):
        queries, keys = self.score.queries(x), self.score.keys(y)
        return Gram(queries, keys, jnp.zeros_like(queries[:, 0]), jnp.zeros_like(keys[:, 0]))

    def _first(self, y):
        if self.start == "dot":
            return jnp.zeros_like(y[:, 0])
        keys = self.score.keys(y)
        if isinstance(self.score.weights, tuple):
            return -0.5 * jnp.asarray(self.score.beta, y.dtype) * jnp.sum(keys**2, axis=1)
        return -0.5 * jnp.sum(self.score.queries(y) * keys, axis=1)

    def conventions(self):
        steps = "converged" if self.iterations is None else f"{self.iterations} half-steps, rows first"
        return [f"Sinkhorn, score/eps with eps = {shown(self.eps)}", steps, "prefactor 1 (1/eps is in V)"]

    def length_scale(self, d):
        return self.score.length_scale(d)

    def why_not_maskable(self):
        return "Sinkhorn attention cannot be masked: no triangular matrix but the identity is doubly stochastic"

    def why_not_closed(self):
        if self.iterations is None or self.iterations % 2 == 1:
            return None
        return f"Sinkhorn stopped after {self.iterations} half-steps ends on columns: use an odd number, or None"

    def gaussian_field(self, mean, L, X=None):
        """Converged, the field is defined on the support of the law alone, and taken constant across it for other X."""
        if self.iterations is None:
            along = product(L, correlation(self.score.between(L, L)).T)
            return GaussianField(mean, along if X is None else along @ (jnp.linalg.pinv(L) @ X))
        if self.iterations % 2 == 0:
            raise BadInput(self.why_not_closed())
        M = self.score.matrix(len(mean)).astype(mean.dtype)
        start = M if self.start == "distance" else jnp.zeros_like(M)
        return GaussianField(*truncated(M, mean, L, L if X is None else X, half_steps=self.iterations, start=start))

    def energy(self, mu, *, convention, summation):
        """The semi-dual value; at the optimum it is flat in the potential, so its gradient needs none of the solver's."""
        convention = known_convention(convention, CONVENTIONS, rule=self)
        if self.iterations is not None:
            raise BadInput("no energy is known for truncated Sinkhorn attention; use iterations=None")
        queries, keys = self.score.queries(mu.x), self.score.keys(mu.x)
        g = jax.lax.stop_gradient(self._column_potential(jax.lax.stop_gradient(mu)))
        column = g + log_mass(mu.mass)
        rows = over_tiles(lambda q: logsumexp(q @ keys.T + column, axis=1), queries, tile(mu.n))
        F = mu.mass @ (g - rows) / 2
        match convention:
            case "castin":
                return F
            case "sander":
                return -F
        spread = mu.mass @ jnp.sum(queries * keys, axis=1) / 2
        return -F - spread + mu.d / 4 * jnp.log(self.score.beta / (2 * jnp.pi))

    def _column_potential(self, mu):
        """The potential moved to uncentred scores: those differ from its own by terms of one token each."""
        kernel = self.kernel(mu.x, mu)
        plain = self.score.queries(mu.x), self.score.keys(mu.x)
        own, moved = (mu.mass @ q @ k.T for q, k in ((kernel.queries, kernel.keys), plain))
        return kernel.column + own - moved

    def constants(self, d):
        size = self.score.norm(d)
        return lambda R: Constants(1.0, log(size * R * R), np.inf)


class _Inverse(eqx.Module):
    value: Schedule

    def __call__(self, t):
        return 1 / self.value(t)


def _inverse(eps) -> Any:
    eps = as_number(eps, "eps")
    if isinstance(eps, Schedule):
        return _Inverse(eps)
    if is_concrete(eps) and float(eps) <= 0:
        raise BadInput(f"eps must be positive, got {float(eps):g}; small eps approaches the identity")
    return 1 / eps


def _half_steps(iterations):
    if iterations is None:
        return None
    if not isinstance(iterations, int | np.integer) or isinstance(iterations, bool) or iterations < 1:
        raise BadInput(
            f"iterations must be a positive number of half-steps, or None for converged, got {quoted(iterations)}"
        )
    if iterations > MOST_HALF_STEPS:
        raise BadInput(f"iterations are at most {MOST_HALF_STEPS:,} half-steps; None iterates until converged")
    if iterations % 2 == 0:
        warnings.warn(
            f"{iterations} half-steps end on columns: rows do not sum to 1; odd counts keep them", Notice, stacklevel=3
        )
    return int(iterations)


def _start(start, score):
    one_of(start, "start", STARTS)
    if start == "distance" and not isinstance(score.weights, tuple) and not _is_positive(score):
        raise BadInput('start="distance" needs a symmetric positive semidefinite B, or Q and K')
    return start


def _is_positive(score: Score) -> bool:
    """Whether B is known to be symmetric positive semidefinite."""
    weights: Any = score.weights if isinstance(score.weights, tuple) else (score.weights,)
    if any(isinstance(M, Schedule) for M in weights) or not is_concrete(weights):
        return False
    if all(M.ndim == 0 for M in weights):
        return float(np.prod([np.asarray(M) for M in weights])) >= 0
    B = np.asarray(score.B(max(M.shape[1] for M in weights if M.ndim)), dtype=np.float64)
    slack = 100 * len(B) * float(jnp.finfo(weights[0].dtype).eps) * max(np.abs(B).max(), np.finfo(float).tiny)
    return bool(np.abs(B - B.T).max() <= slack and np.linalg.eigvalsh(B / 2 + B.T / 2).min() >= -slack)


def _tell_if_open(scaling: Scaling, limit: int) -> None:
    """Warn, also from compiled code, when the solver ran out of iterations."""

    def warn(count, error):
        if np.any(np.asarray(count) >= limit):
            words = f"Sinkhorn scaling stopped after {int(np.max(count))} steps at marginal error {np.max(error):.1e}"
            warnings.warn(f"{words}; raise eps or tol", Notice, stacklevel=2)

    count = scaling.iterations
    jax.lax.cond(
        jnp.any(count >= limit),
        lambda: jax.debug.callback(warn, count, jax.lax.stop_gradient(scaling.error)),
        lambda: None,
    )
