"""Integration of rescaled tokens in stages, beside a run of looser tolerance whose difference bounds the error."""

from __future__ import annotations

from copy import copy
from typing import Any

import jax.numpy as jnp
import numpy as np

from ...engine.attention import Softmax
from ...engine.evolution import evolve
from ...engine.flow import Flow
from ...engine.flow.rescaled import rescale
from ...errors import OutOfRange
from . import hardmax_certificate as hardmax
from .subdominant import Rest, rest_of, separated
from .value_matrix import ValueMatrix, coordinate_error

LOOSER = 100
"""The tolerance of a second run, against the first: what differs between them is in doubt."""
STOPPED: dict[str, str] = dict.fromkeys(
    ("STEP_TOO_SMALL", "OUT_OF_STEPS"),
    "; the run stopped there, its steps too small, as where a token slides along a tie and the equation stiffens like e^{λt}",
)
"""What is said of runs that go no further, by their status."""
SAME = 0.01
"""Tokens this close in both runs, against their way to their leaders, are on the same way."""


class Search:
    """A run in z-variables that is looked at from time to time."""

    def __init__(self, flow, mu, V: ValueMatrix, tol, until):
        self.tol, self.t, self.until = tol, 0.0, until
        self.M = float(flow.attention.score.beta) * np.asarray(flow.attention.score.B(mu.d), float)
        """βB, what scores are made of, in the coordinates of the search."""
        self.matrix, self.V, self.T, self.mu = np.asarray(flow.V, float), V, None, mu
        self.is_positive = _is_positive(self.M)
        self.rounding = 0.0
        if 0 < V.right.shape[1] < mu.d:
            self.rounding = coordinate_error(self.matrix, V, self.z)
            self._change_coordinates()
        self.mu: Any
        self.loose, self.is_doubtful, self.stopped = self.mu, False, ""
        self.notes: tuple[str, ...] = ()
        # Tolerances are absolute for small tokens: runs are done in units of the largest, a power of 2 so as not to round.
        self.unit = float(2.0 ** np.round(np.log2(np.abs(self.z).max() or 1.0)))
        with np.errstate(over="ignore", invalid="ignore"):
            scores = self.M * np.square(self.unit)
        if not np.isfinite(scores).all() or not scores[self.M != 0].all():
            raise OutOfRange(f"scores of tokens of size {self.unit:.2g} leave the range of floating point; scale them")
        B, V_now = (jnp.asarray(matrix, mu.x.dtype) for matrix in (scores, self.matrix))
        self.rescaled = rescale(Flow(flow.space, Softmax(B=B), V_now))  # pyright: ignore[reportArgumentType]
        self.mass = np.asarray(mu.mass, float)

    def _change_coordinates(self):
        """Into a basis that keeps what grows at different speeds apart: else rounding of the fast drowns the slow."""
        self.T, self.matrix, self.V = separated(self.matrix, self.V)
        self.M = self.T.T @ self.M @ self.T
        x = np.linalg.solve(self.T, np.asarray(self.mu.x, float).T).T
        self.mu = self.mu.moved_to(jnp.asarray(x, self.mu.x.dtype))

    @property
    def z(self) -> np.ndarray:
        """Tokens in the coordinates of the search."""
        return np.asarray(self.mu.x, float)

    def back(self, z) -> np.ndarray:
        """Tokens in the coordinates of the prompt."""
        return z if self.T is None else z @ self.T.T

    @property
    def u(self) -> np.ndarray:
        """The coordinates of z in the dominant space."""
        return self.z @ self.V.left.T

    def advance(self, t: float) -> None:
        for share in (1.0, 0.5, 0.1):
            ahead = self.t + share * (t - self.t)
            run = self._run(self.mu, self.t, ahead, self.tol)
            if run is not None:
                # A loose run that fails is never close again, so nothing will be certified by it.
                self.loose, self.stopped = self._run(self.loose, self.t, ahead, LOOSER * self.tol) or self.loose, ""
                self.mu, self.t = run, float(ahead)
                self._compare()
                return
        # Near a tie the equation becomes too stiff to follow: the search ends with what is known.
        self.until = self.t

    def _compare(self) -> None:
        """Doubt a run when some token's way to its leader differs in the looser run: at a tie errors explode."""
        u, floor = self.u, 10 * LOOSER * self.tol * np.abs(self.u).max()
        way = np.linalg.norm(u - u[self.rows().leader], axis=1)
        apart = np.linalg.norm(u - self.looser().u, axis=1)
        self.is_doubtful = self.is_doubtful or bool((apart > SAME * way + floor).any())

    def _run(self, mu, start, t, tol) -> Any:
        mu = mu.moved_to(mu.x / self.unit)
        run = evolve(self.rescaled, mu, start=start, until=t, save=[t], tol=tol)
        last: Any = run.last
        self.notes = self.notes or run.notes
        if run.status.name == "DONE":
            return mu.moved_to(last.x * self.unit)
        self.stopped = STOPPED.get(run.status.name, f"; the run could go no further ({run.status.name})")
        return None

    def next_time(self, excess: float = np.inf) -> float:
        """When to look again, for an error that is too large by this factor and falls like e^{−(λ₁−|λ₂|)t}."""
        assert self.until is not None
        wait = max(0.5 / self.V.lam, 0.25 * self.t)
        if np.isfinite(excess):
            due = np.log(max(excess, 1.0)) / (self.V.lam - self.V.second)
            wait = min(max(0.5 / self.V.lam, due), max(2 / self.V.lam, 0.5 * self.t))
        return min(self.until, self.t + wait)

    def log_scale(self) -> float:
        return float(2 * self.V.lam * self.t)

    def inner(self) -> np.ndarray:
        """βB between dominant coordinates."""
        return self.V.right.T @ self.M @ self.V.right

    def rows(self) -> hardmax.Rows:
        return hardmax.rows(self.u, self.inner(), log_scale=self.log_scale(), mass=self.mass)

    def rest(self) -> Rest:
        return Rest() if self.matrix.ndim == 0 else rest_of(self.grown(), self.matrix, self.V, self.M)

    def grown(self) -> np.ndarray:
        r"""Tokens $e^{t(V-\lambda)}z$: what the logits are made of once $e^{2\lambda t}$ is taken out."""
        if self.matrix.ndim == 0 or self.t == 0:
            return self.z
        from scipy.linalg import expm

        return self.z @ expm(self.t * (self.matrix - self.V.lam * np.eye(len(self.matrix)))).T

    def looser(self) -> Search:
        """This search as the looser run finds it."""
        other = copy(self)
        other.mu = self.loose
        return other

    def off(self, here, there) -> float:
        """How far limits may be off that the looser run puts there: the difference, and once the tolerance."""
        apart = max((np.linalg.norm(one) for one in here - there), default=0.0)
        # Steps that end at the same looks err alike, and their difference does not show it.
        return float(apart + self.rounding + (self.tol * np.abs(self.u).max() if self.t or self.T is not None else 0.0))


def _is_positive(B) -> bool:
    return bool(np.abs(B - B.T).max() <= 1e-12 * np.abs(B).max() and np.linalg.eigvalsh((B + B.T) / 2).min() > 0)
