"""The energy a flow climbs or descends, with every paper's constant."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp
from jaxtyping import Array, Float

from ..attention import Heads, Linked, Sigmoid, Sinkhorn, Softmax, Unnormalised
from ..attention.linked import identity
from ..flow import Particles_at, check_fits
from ..kernel import Exponential, Kernel, log_mass
from ..matrices import Schedule, at, is_concrete
from ..measures import Particles
from ..summation import FEWEST_TOKENS, Summation, choose
from ..summation.log_sum import log_normaliser
from ..summation.tiled import SINGLE_BLOCK, TILE_PAIRS, Tiled, over_tiles

PAIR_CONVENTIONS = ("geshkovski", "burger", "normalised", "castin")
SINKHORN_CONVENTIONS = ("castin", "sander", "heat")


def energy(flow, mu: Particles, *, convention: str | None = None, t=0.0) -> Float[Array, "*b"]:
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
    """
    return _everywhere(_energy, flow, mu, t, convention)


def log_energy(flow, mu: Particles, *, convention: str = "geshkovski", t=0.0) -> Float[Array, "*b"]:
    """The logarithm of an exponential energy, finite where the energy itself overflows."""
    beta = getattr(getattr(flow.attention, "score", None), "beta", 1.0)
    if convention == "geshkovski" and not isinstance(beta, Schedule) and is_concrete(beta) and not float(beta) > 0:
        raise ValueError(f'the logarithm of "geshkovski" needs beta > 0, got {float(beta):g}; use another convention')
    return _everywhere(_log_energy, flow, mu, t, convention)


def dissipation(flow, mu: Particles, *, convention: str | None = None, t=0.0) -> Float[Array, ""]:
    r"""The rate $dE/dt$ along the flow at this moment, gradient flow or not."""
    from ..flow import velocity

    mu = Particles_at(mu, flow.state_space.retract(mu.x))
    v = jnp.asarray(velocity(flow, mu, t=t))
    of_tokens = lambda x: energy(flow, Particles_at(mu, x), convention=convention, t=t)  # noqa: E731
    return jnp.vdot(jax.grad(of_tokens)(mu.x), v)


def log_partition(flow, mu: Particles, *, t=0.0) -> Float[Array, "*b n"]:
    r"""The logarithm of each token's normaliser, $\log Z_i = \log \sum_j m_j e^{\beta\langle x_i, Bx_j\rangle}$."""
    return _everywhere(_log_normalisers, flow, mu, t, None)


def _strategy(flow, mu) -> Summation:
    """How normalisers are summed: as velocities are, judged by the first prompt."""
    if not isinstance(mu, Particles) or mu.n < FEWEST_TOKENS:
        return Tiled()
    return choose("auto", flow, jax.tree.map(lambda a: a.reshape(-1, *a.shape[mu.x.ndim - 2 :])[0], mu))


def _everywhere(f, flow, mu, t, convention):
    """f of the rule, the state, the convention and the way to sum, at every leading index of mu."""
    if not isinstance(mu, Particles):
        raise ValueError(f"energies here are of Particles, got {type(mu).__name__}")
    check_fits(flow, jax.tree.map(lambda a: a[(0,) * (mu.x.ndim - 2)], mu))
    t = jnp.broadcast_to(jnp.asarray(t, mu.x.dtype), mu.x.shape[:-2])
    return _compiled(f, flow, mu, t, convention, _strategy(flow, mu))


@eqx.filter_jit
def _compiled(f, flow, mu, t, convention, summation):
    def one(pair):
        time, state = pair
        return f(at(flow.attention, time), Particles_at(state, flow.space.retract(state.x)), convention, summation)

    for _ in t.shape:
        # One state at a time: mapping in parallel would multiply the memory of the tiles.
        one = _mapped(one)
    return one((t, mu))


def _mapped(f):
    return lambda pair: jax.lax.map(f, pair)


def _log_normalisers(rule, mu, convention, summation):
    if not isinstance(rule, Softmax | Unnormalised):
        raise ValueError(f"{_name(rule)} attention has no exponential normaliser; Softmax and Unnormalised have")
    return _log_partition(rule.score, mu, summation)


def _energy(rule, mu, convention, summation):
    match rule:
        case Heads():
            return sum(_energy(head, mu, convention, summation) for head, _ in rule.heads)
        case Softmax() | Unnormalised():
            return _exponential(rule.score, mu, _known(convention, PAIR_CONVENTIONS, rule), summation)
        case Sigmoid() | Linked():
            return _linked(rule, mu, _known(convention, ("geshkovski", "burger", "castin"), rule))
        case Sinkhorn():
            return _sinkhorn(rule, mu, _known(convention, SINKHORN_CONVENTIONS, rule))
    raise ValueError(f"no energy is known for {_name(rule)} attention: its flow is not known to be a gradient flow")


def _log_energy(rule, mu, convention, summation):
    if not isinstance(rule, Softmax | Unnormalised):
        raise ValueError(f"{_name(rule)} attention has no exponential energy; ask for `energy`")
    convention, beta = _known(convention, PAIR_CONVENTIONS, rule), jnp.asarray(rule.score.beta)
    total = _log_double_integral(rule.score, mu, summation)
    match convention:
        case "burger":
            return total
        case "castin":
            return total - jnp.log(2.0)
        case "normalised":
            return total - _largest_score(rule.score, mu)
    return total - jnp.log(2 * beta)


def _exponential(score, mu, convention, summation):
    log_total = _log_double_integral(score, mu, summation)
    match convention:
        case "burger":
            return jnp.exp(log_total)
        case "castin":
            return jnp.exp(log_total) / 2
        case "normalised":
            return jnp.exp(log_total - _largest_score(score, mu))
    return _over_beta(score, mu, jnp.exp(log_total), 1.0)


def _over_beta(score, mu, total, slope):
    r"""$\frac{1}{2\beta}\iint\Phi(\beta\langle x,By\rangle)$, at β = 0 its part of first order, with Φ'(0) = slope."""
    is_zero = score.beta == 0
    mean = mu.mass @ mu.x
    first_order = slope * (mean @ (score.B(mu.d).astype(mean.dtype) @ mean)) / 2
    return jnp.where(is_zero, first_order, total / (2 * jnp.where(is_zero, 1, score.beta)))


def _linked(rule, mu, convention):
    bias = _bias(rule, mu)
    potential, slope = _potential(rule, bias)
    queries, keys = rule.score.queries(mu.x), rule.score.keys(mu.x)
    rows = over_tiles(lambda q: potential(q @ keys.T) @ mu.mass, queries, _tile(mu.n))
    total = mu.mass @ rows
    match convention:
        case "burger":
            return total
        case "castin":
            return total / 2
    return _over_beta(rule.score, mu, total, slope)


def _bias(rule, mu):
    bias = getattr(rule, "bias", 0.0)
    return -jnp.log(jnp.asarray(mu.n, mu.x.dtype)) if isinstance(bias, str) else bias


def _potential(rule, bias):
    """The integral of the link, and the link at 0."""
    if isinstance(rule, Sigmoid):
        return lambda s: jax.nn.softplus(s + bias), jax.nn.sigmoid(bias)
    known = {identity: lambda s: s**2 / 2, jax.nn.relu: lambda s: jnp.maximum(s, 0) ** 2 / 2}
    if rule.link not in known:
        raise ValueError("no energy is known for a link function given by hand: its integral would be needed")
    return known[rule.link], 0.0


def _sinkhorn(rule, mu, convention):
    """The semi-dual value; at the optimum it is flat in the potential, so its gradient needs none of the solver's."""
    if rule.iterations is not None:
        raise ValueError("no energy is known for truncated Sinkhorn attention; use iterations=None")
    queries, keys = rule.score.queries(mu.x), rule.score.keys(mu.x)
    g = jax.lax.stop_gradient(_column_potential(rule, jax.lax.stop_gradient(mu)))
    F = mu.mass @ (g - _row_logsumexp(queries, keys, g + log_mass(mu.mass))) / 2
    match convention:
        case "castin":
            return F
        case "sander":
            return -F
    spread = mu.mass @ jnp.sum(queries * keys, axis=1) / 2
    return -F - spread + mu.d / 4 * jnp.log(rule.score.beta / (2 * jnp.pi))


def _column_potential(rule, mu):
    """The rule's potential, moved to uncentred scores: those differ from its own by terms of one token each."""
    kernel = rule.kernel(mu.x, mu)
    own, plain = (mu.mass @ q @ k.T for q, k in ((kernel.queries, kernel.keys), _pair(rule.score, mu.x)))
    return kernel.column + own - plain


def _pair(score, x):
    return score.queries(x), score.keys(x)


def _log_double_integral(score, mu, summation):
    return logsumexp(_log_partition(score, mu, summation) + log_mass(mu.mass))


def _log_partition(score, mu, summation):
    return log_normaliser(Kernel(score.queries(mu.x), score.keys(mu.x), mu.mass, Exponential()), summation)


def _row_logsumexp(queries, keys, column):
    return over_tiles(lambda q: logsumexp(q @ keys.T + column, axis=1), queries, _tile(queries.shape[0]))


def _tile(n: int) -> int:
    return n if n * n <= SINGLE_BLOCK else max(16, TILE_PAIRS // n)


def _largest_score(score, mu):
    return jnp.abs(score.beta) * jnp.linalg.norm(score.B(mu.d), ord=2)


def _known(convention, known, rule):
    if convention is None:
        return known[0]
    if convention not in known:
        raise ValueError(f"convention for {_name(rule)} must be one of {', '.join(known)}, got {convention!r}")
    return convention


def _name(rule) -> str:
    return type(rule).__name__
