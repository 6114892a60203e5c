"""Choice of a summation strategy for a flow and the tokens it moves."""

from __future__ import annotations

import warnings

import jax.numpy as jnp
import numpy as np

from ...errors import BadInput, Notice, quoted
from ..linalg.matrices import at, is_concrete, is_scheduled
from ..linalg.rows import unit_rows
from ..measures import Particles
from ..spaces import Sphere
from ..summation import FEWEST_TOKENS, NAMES, Summation
from ..summation.cost import Sums, select, unseen
from ..summation.fourier import INSTALL, is_available
from ..summation.gauss import LARGEST_DIMENSION
from ..summation.tiled import Tiled, room
from .flow import Flow

EXACT, BOUNDED = Tiled(), Tiled(is_bounded=True)


def choose(summation, flow, mu: Particles, *, tol: float | None = None) -> Summation:
    """The strategy a name stands for, given what can be known of flow and measure before compilation.

    "auto" is exact unless a fast sum holds `tol` (by default 1e-10, or what single precision can) and costs less.
    """
    check_summation(summation)
    if not isinstance(summation, str):
        return summation
    exact = BOUNDED if has_bounded_scores(flow, mu) else EXACT
    if summation == "exact" or (summation == "auto" and mu.n < FEWEST_TOKENS):
        return exact
    is_wanted, reason = summation == "fast", why_not_fast(flow, mu)
    if reason is not None:
        if is_wanted:
            warnings.warn(f"{reason}; the exact sum is used", Notice, stacklevel=3)
        return exact
    if is_concrete(flow, mu):
        return select(_sums(flow, mu), d=mu.d, tol=tol, exact=exact, is_wanted=is_wanted)
    k = flow.attention.parts()[0].key_dimension(mu.d)
    return unseen(k, mu.x.dtype, tol, exact) if is_wanted else exact


def check_summation(summation) -> None:
    """Raise a clear error for what is neither the name of a strategy nor one."""
    # Arrays have a method `sum` too, and types have it unbound.
    is_strategy = isinstance(summation, Summation) and not (isinstance(summation, type) or hasattr(summation, "dtype"))
    if not (summation in NAMES if isinstance(summation, str) else is_strategy):
        raise BadInput(
            f"summation must be one of {', '.join(NAMES)}, or a strategy such as Tiled(); got {quoted(summation)}"
        )


def has_bounded_scores(flow, mu: Particles) -> bool:
    """Whether no score, shifted by its Cauchy–Schwarz bound, can underflow a whole row."""
    rule = flow.attention
    if not isinstance(flow.space, Sphere) or is_scheduled(flow) or not is_concrete(rule, mu.mass):
        return False
    mass = np.asarray(mu.mass)
    least = mass.min() or mass[mass > 0].min()
    return bool(rule.spread(mu.d) + np.log(mass.max() / least) < room(mu.x.dtype))


def why_not_fast(flow, mu: Particles) -> str | None:
    """A sentence on why no fast sum exists, or None."""
    if not isinstance(flow, Flow):
        return f"a {type(flow).__name__} flow forms its own sums"
    for rule in flow.attention.parts():
        if not rule.has_fast_sum:
            return f"{type(rule).__name__} attention has no fast sum: Softmax, Unnormalised, L2 and Sinkhorn have one"
        k = rule.key_dimension(mu.d)
        if k > LARGEST_DIMENSION:
            return f"fast sums need keys of dimension at most {LARGEST_DIMENSION}, got {k}"
    return None if is_available() else INSTALL


def _sums(flow: Flow, mu: Particles) -> Sums:
    """What the cost model asks of a flow whose numbers are known."""
    rules = at(flow.attention, jnp.zeros((), mu.x.dtype)).parts()
    here = mu.moved_to(flow.space.retract(mu.x))
    everywhere = _all_over_the_sphere(mu) if isinstance(flow.space, Sphere) else None
    return Sums(
        kernels=[rule.scores_alone(here) for rule in rules],
        everywhere=[] if everywhere is None else [rule.scores_alone(everywhere) for rule in rules],
        is_constant=not is_scheduled(flow),
        is_costly=any(rule.has_costly_kernel for rule in rules),
    )


def _all_over_the_sphere(mu: Particles) -> Particles:
    x = np.random.default_rng(0).normal(size=(4096, mu.d))
    return Particles(jnp.asarray(unit_rows(x), mu.x.dtype))
