"""The energy a flow climbs or descends, with every paper's constant."""

from __future__ import annotations

import warnings

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from jaxtyping import Array, Float

from ...errors import BadInput, Notice
from ..flow import AnyFlow, check_fits, choose, velocity
from ..linalg.arguments import as_annotated
from ..linalg.matrices import Schedule, at, is_concrete
from ..measures import Particles
from ..programs.traced import stored_jit
from ..summation import FEWEST_TOKENS, Summation
from ..summation.tiled import Tiled


@as_annotated
def energy(flow: AnyFlow, mu: Particles, *, convention: str | None = None, t: ArrayLike = 0.0) -> Float[Array, "*b"]:
    r"""The energy whose gradient moves the tokens when $V = B$ is symmetric.

    $$E(\mu) = \frac{1}{2\beta}\iint e^{\beta\langle x, By\rangle}\,d\mu\,d\mu,\qquad
      v_i = \frac{1}{m_i}\nabla_{x_i} E \text{ (unnormalised)},\quad v_i = \frac{1}{m_i Z_i}\nabla_{x_i}E \text{ (SA)}$$

    Source: Geshkovski et al., arXiv 2312.10794 (3.5). Conventions: "geshkovski" (above; at $\beta = 0$ the limit
    without its constant, $\frac12\iint\langle x, By\rangle$), "burger" (no factor, arXiv 2501.03096), "castin" (factor
    1/2, arXiv 2501.18322), "normalised" ($\iint e^{\beta\langle x,By\rangle - |\beta|\|B\|}$, in (0, 1] on the sphere).
    Linear, ReLU and sigmoid rules have the same with the integral Φ of their link in place of the exponential.

    Sinkhorn attention has $F = \mathrm{OT}_\varepsilon(\mu,\mu)/(2\varepsilon)$ for the cost $-\langle x, By\rangle$,
    which V = +B/ε descends ("castin"), −F ("sander", arXiv 2110.11773), or $-\mathrm{OT}_\varepsilon/(2\varepsilon) -
    \frac d4\log 2\pi\varepsilon$ for the cost $|x-y|^2/2$ of $B$, near half the negative entropy ("heat"). Heads add up.

    Leading axes of `mu` (times of a run, a batch) are kept, with `t` one time for each. The clock constant of an
    unnormalised rule is not part of the energy. O(n) memory.

    >>> import attnflow as af
    >>> import numpy as np
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0)
    >>> run = af.evolve(flow, mu, until=20.0)
    >>> E = af.energy(flow, run.states, convention="normalised")
    >>> bool((np.diff(E) > -1e-9).all()), float(E[-1].round(6))
    (True, 0.625362)
    """
    return _told(
        _everywhere(_energy, flow, mu, t, convention),
        mu,
        hint="use log_energy for exponential rules, or 64-bit numbers",
    )


@as_annotated
def log_energy(
    flow: AnyFlow, mu: Particles, *, convention: str = "geshkovski", t: ArrayLike = 0.0
) -> Float[Array, "*b"]:
    """The logarithm of an exponential energy, finite where the energy itself overflows."""
    beta = getattr(getattr(flow.attention, "score", None), "beta", 1.0)
    if convention == "geshkovski" and not isinstance(beta, Schedule) and is_concrete(beta) and not float(beta) > 0:
        raise BadInput(f'the logarithm of "geshkovski" needs beta > 0, got {float(beta):g}; use another convention')
    return _told(_everywhere(_log_energy, flow, mu, t, convention), mu, hint="scale tokens down, or use 64-bit numbers")


@as_annotated
def dissipation(flow: AnyFlow, mu: Particles, *, convention: str | None = None, t: ArrayLike = 0.0) -> Float[Array, ""]:
    r"""The rate $dE/dt$ along the flow at this moment, gradient flow or not."""
    check_fits(flow, mu)
    mu = mu.moved_to(flow.state_space.retract(mu.x))
    v = jnp.asarray(velocity(flow, mu, t=t))
    of_tokens = lambda x: energy(flow, mu.moved_to(x), convention=convention, t=t)  # noqa: E731
    return jnp.vdot(jax.grad(of_tokens)(mu.x), v)


@as_annotated
def log_partition(flow: AnyFlow, mu: Particles, *, t: ArrayLike = 0.0) -> Float[Array, "*b n"]:
    r"""The logarithm of each token's normaliser, $\log Z_i = \log \sum_j m_j e^{\beta\langle x_i, Bx_j\rangle}$."""
    return _everywhere(_log_partition, flow, mu, t, None)


def _told(found, mu, *, hint: str):
    """What was found, with a word where it leaves the range of numbers though the tokens do not."""
    if is_concrete(found, mu) and not bool(jnp.all(jnp.isfinite(found))) and bool(jnp.all(jnp.isfinite(mu.x))):
        warnings.warn(f"the energy leaves the range of {found.dtype}; {hint}", Notice, stacklevel=4)
    return found


def _strategy(flow, mu) -> Summation:
    """How normalisers are summed: as velocities are, judged by the first prompt."""
    if not isinstance(mu, Particles) or mu.n < FEWEST_TOKENS:
        return Tiled()
    return choose("auto", flow, jax.tree.map(lambda a: a.reshape(-1, *a.shape[mu.x.ndim - 2 :])[0], mu))


def _everywhere(f, flow, mu, t, convention):
    """f of the rule, the state, the convention and the way to sum, at every leading index of mu."""
    if not isinstance(mu, Particles):
        raise BadInput(f"energies here are of Particles, got {type(mu).__name__}")
    check_fits(flow, jax.tree.map(lambda a: a[(0,) * (mu.x.ndim - 2)], mu))
    prompts = mu.x.shape[:-2]
    if np.shape(t) not in ((), prompts):
        raise BadInput(f"t must be one time, or one for each of the prompts, {prompts}; got shape {np.shape(t)}")
    t = jnp.broadcast_to(jnp.asarray(t, mu.x.dtype), prompts)
    return _compiled(f, flow, mu, t, convention, _strategy(flow, mu))[0]


@stored_jit
def _compiled(f, flow, mu, t, convention, summation):
    def one(pair):
        time, state = pair
        return f(at(flow.attention, time), state.moved_to(flow.space.retract(state.x)), convention, summation)

    for _ in t.shape:
        # One state at a time: mapping in parallel would multiply the memory of the tiles.
        one = _mapped(one)
    return (one((t, mu)),)


def _mapped(f):
    return lambda pair: jax.lax.map(f, pair)


def _energy(rule, mu, convention, summation):
    return rule.energy(mu, convention=convention, summation=summation)


def _log_energy(rule, mu, convention, summation):
    return rule.log_energy(mu, convention=convention, summation=summation)


def _log_partition(rule, mu, convention, summation):
    return rule.log_partition(mu, summation=summation)
