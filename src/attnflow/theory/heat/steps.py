"""Schrödinger-bridge steps: maps of a point cloud that approximate a diffusion over a time ε."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from ...engine.linalg.arguments import as_annotated, inside
from ...engine.spaces import Space
from ...errors import BadInput, quoted
from .gaussian_kernel import Backend
from .self_transport import SelfTransport, self_transport


@dataclass(frozen=True)
class Moved:
    """The tokens after a step, the self-transport that moved them, and what the user must know."""

    x: np.ndarray
    transport: SelfTransport
    notes: tuple[str, ...] = ()


class Step(ABC):
    """A map of the cloud that stands for a time ε."""

    @abstractmethod
    def move(self, x, mass, t, eps, *, space: Space, tol: float, backend: Backend) -> Moved: ...


@dataclass(frozen=True)
class Heat(Step):
    r"""$$x \leftarrow 2x - \mathrm{bary}(x),\qquad \text{on the sphere } x \leftarrow \frac{x - \Pi_x\mathrm{bary}}{|\cdot|}$$

    A `fraction` of the step other than 1 is the flow $\dot x = (x-\mathrm{bary})/\varepsilon$ and loses second order.
    """

    fraction: float = 1.0

    def move(self, x, mass, t, eps, *, space, tol, backend):
        transport = self_transport(x, eps, mass=mass, tol=tol, backend=backend)
        bary = bary_everywhere(transport, x, mass)
        notes = () if self.fraction == 1 else ("step differs from eps: the scheme is then first order only",)
        return Moved(step_in(space, x, self.fraction * (x - bary)), transport, notes)


@dataclass(frozen=True)
class Reverse(Step):
    r"""$x \leftarrow \mathrm{bary}(x)$: the heat flow backwards, first order, ill-posed beyond the smallest variance."""

    def move(self, x, mass, t, eps, *, space, tol, backend):
        transport = self_transport(x, eps, mass=mass, tol=tol, backend=backend)
        notes = ("reverse heat flow is ill-posed beyond the smallest variance, and first order",)
        return Moved(retracted(space, bary_everywhere(transport, x, mass)), transport, notes)


@dataclass(frozen=True)
class Euler(Step):
    r"""$x \leftarrow x - \tfrac\varepsilon2\nabla\log\rho_t(x)$ with a known score(x, t); None estimates it by self-transport."""

    score: Callable | None = None

    def move(self, x, mass, t, eps, *, space, tol, backend):
        transport = self_transport(x, eps, mass=mass, tol=tol, backend=backend)
        score = 2 * (bary_everywhere(transport, x, mass) - x) / eps if self.score is None else self.score(x, t)
        return Moved(step_in(space, x, -eps / 2 * score), transport)


@dataclass(frozen=True)
class Surrogate(Step):
    r"""The gradient flow of velocity $\nabla\psi$ by the measure $\sigma \propto e^{2\theta\psi}$.

    $$x \leftarrow (1 - \tfrac1\theta)\,x + \tfrac1\theta\,\mathrm{bary}_\sigma(x)$$
    `log_ratio(x, mass, t, eps)` is $\log(d\sigma/d\mu)$ at the tokens, up to a constant: sigma enters as importance weights.
    Source: Agarwal et al. 2024 (SIAM poster). First order (derived).
    """

    log_ratio: Callable
    theta: float = -1.0

    def __post_init__(self):
        inside(self.theta, "theta")
        if self.theta == 0:
            raise BadInput("theta must not be 0: the surrogate exp(2θψ) would be constant")

    def move(self, x, mass, t, eps, *, space, tol, backend):
        log = np.log(np.where(mass > 0, mass, 1)) + np.asarray(self.log_ratio(x, mass, t, eps), float)
        if not np.all(np.isfinite(log)):
            raise BadInput(f"the surrogate measure has no finite density at some token at t = {t:g}")
        weights = np.where(mass > 0, np.exp(log - log[mass > 0].max()), 0)
        weights = weights / weights.sum()
        transport = self_transport(x, eps, mass=weights, tol=tol, backend=backend)
        bary = bary_everywhere(transport, x, weights)
        share = 1 / (np.sum(weights**2) * np.sum(mass > 0))
        notes = () if share >= 0.1 else (f"surrogate weights degenerate: effective sample size {share:.1%} of n",)
        return Moved(step_in(space, x, (bary - x) / self.theta), transport, notes)


@as_annotated
def fokker_planck(log_nu: Callable, *, theta: int, log_rho: Callable | None = None) -> Surrogate:
    r"""The surrogate $\sigma = (\rho/\nu)^{-\theta}$ of $\tfrac12\mathrm{KL}(\rho|\nu)$, θ = ±1.

    θ = −1 needs $\rho/\nu$ integrable and no density. θ = 1 needs $\nu/\rho$ integrable and the density: `log_rho(x, t)`,
    or for quadrature nodes None, which reads it off a self-transport to first order.
    """
    if theta not in (-1, 1):
        raise BadInput(f"theta must be −1 (when ρ/ν is integrable) or 1 (when ν/ρ is), got {quoted(theta)}")
    if theta == -1:
        return Surrogate(lambda x, mass, t, eps: -log_nu(x), theta=-1.0)

    def log_ratio(x, mass, t, eps):
        rho = log_density_estimate(x, mass, eps) if log_rho is None else log_rho(x, t)
        return log_nu(x) - 2 * rho

    return Surrogate(log_ratio, theta=1.0)


def log_density_estimate(x, mass, eps: float) -> np.ndarray:
    r"""$\log\rho \approx -2\log v - \tfrac d2\log 2\pi\varepsilon$ at tokens of positive mass, with error of order ε."""
    v = np.ones(len(x))
    v[mass > 0] = self_transport(x, eps, mass=mass).v
    return -2 * np.log(v) - x.shape[1] / 2 * np.log(2 * np.pi * eps)


@dataclass(frozen=True)
class Strang(Step):
    r"""Fokker–Planck for $\nu = e^{-W}$: half a step of $\dot x = -\tfrac12\nabla W$, a heat step, half a step. Second order.

    `drift(x, s)` is the flow map of that equation over the time s; for Ornstein–Uhlenbeck $e^{-s/2}x$.
    """

    drift: Callable

    def move(self, x, mass, t, eps, *, space, tol, backend):
        drifted = retracted(space, self.drift(x, eps / 2))
        heated = Heat().move(drifted, mass, t, eps, space=space, tol=tol, backend=backend)
        return Moved(retracted(space, self.drift(heated.x, eps / 2)), heated.transport, heated.notes)


def step_in(space: Space, x: np.ndarray, v) -> np.ndarray:
    """The point x + v of a Euclidean space; elsewhere the retraction of x plus the tangential part of v."""
    with jax.enable_x64(True):
        here = jnp.asarray(x)
        return np.asarray(space.retract(here + space.tangent(here, jnp.asarray(v, float))))


def retracted(space: Space, x) -> np.ndarray:
    with jax.enable_x64(True):
        return np.asarray(space.retract(jnp.asarray(x, float)))


def bary_everywhere(transport: SelfTransport, x, mass) -> np.ndarray:
    """The barycentric projection at all tokens, also those of mass 0."""
    heard = mass > 0
    if heard.all():
        return transport.bary
    bary = np.empty_like(x)
    bary[heard], bary[~heard] = transport.bary, transport.at(x[~heard])
    return bary
