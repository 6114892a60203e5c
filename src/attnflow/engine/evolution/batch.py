"""Batches: many runs in one compiled call."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from jaxtyping import Array

from ...errors import BadInput
from ..flow import AnyFlow, check_fits, choose
from ..linalg.arguments import as_annotated
from ..linalg.matrices import is_concrete
from ..measures import Particles
from ..summation import Summation
from ..summation.tiled import Tiled
from .clock import clock_of
from .noisy import check_noisy, is_noisy, key_of, noisy_clock, noisy_run, sample_path
from .options import Options, constant
from .solve import Ending, compiled
from .trajectory import Status, Trajectory


@as_annotated
def evolve_batch(
    flows: AnyFlow | Sequence[AnyFlow],
    mus: Particles | Sequence[Particles],
    *,
    until: float | Array = 10.0,
    save: int | Sequence[float] | ArrayLike = 101,
    tol: float | None = None,
    method: str = "adaptive",
    step: float | None = None,
    merge: float | None = None,
    summation: str | Summation = "auto",
    max_steps: int = 1_000_000,
    steady: float | None = None,
    start: float | Array = 0.0,
    jumps: Sequence[float] | ArrayLike | None = None,
    seed: int = 0,
    progress: bool = False,
    derivatives: str = "reverse",
) -> Trajectory:
    """Run every flow on every prompt of a batch, side by side: leading axis b on all results.

    `flows` is one flow or a list of flows that differ only in numbers; `mus` is one prompt, a list of prompts of equal
    shape, or Particles whose tokens carry a leading axis. Two lists must have equal length and go together. The options
    are those of `evolve`; tokens of a batch cannot merge.

    >>> import attnflow as af
    >>> flows = [af.Flow(af.Sphere(), af.Softmax(beta=beta)) for beta in (1.0, 4.0)]
    >>> runs = af.evolve_batch(flows, af.uniform_sphere(8, 3, seed=0), until=5.0)
    >>> runs.x.shape, runs.member(0).status
    ((2, 101, 8, 3), <Status DONE at t = 5>)
    """
    options = Options(
        until=until, save=save, tol=tol, method=method, step=step, merge=merge, summation=summation,
        max_steps=max_steps, steady=steady, start=start, jumps=jumps, seed=seed, progress=progress,
        derivatives=derivatives,
    )  # fmt: skip
    return run_batch(flows, mus, options)


def run_batch(flows, mus, options: Options) -> Trajectory:
    """`evolve_batch` with checked options."""
    if options.merge is not None:
        raise BadInput("a batch shares one compiled run and cannot merge tokens; run its members one by one")
    all_flows, all_mus = _listed(flows), _listed_prompts(mus)
    _check(all_flows, all_mus)
    flow, flow_axis = _stacked(all_flows, is_alone=len(all_flows) == 1)
    mu, mu_axis = _stacked(all_mus, is_alone=len(all_mus) == 1 < len(all_flows))
    summation, axes = _summation(options, all_flows, all_mus), (flow_axis, mu_axis)
    if is_noisy(flow):
        return _noisy(
            flow, mu, axes=axes, count=max(len(all_flows), len(all_mus)), options=options, summation=summation
        )
    options.check_step()
    clock = clock_of(options, all_flows, mu=all_mus[0])
    kept, is_known = clock.kept, is_concrete(clock, flow, mu)
    clock = clock.for_compilation(flow, mu)
    clock = clock.filled(mu.x.size * len(all_flows)) if is_known else clock

    def one(flow, mu):
        return compiled(flow, mu, clock, summation)

    ts, x, *ending = eqx.filter_vmap(one, in_axes=axes)(flow, mu)
    ending = Ending(*ending)
    cut = lambda a: constant(np.asarray(a)[:, :kept]) if is_known else a[:, :kept]  # noqa: E731
    ts, x = cut(ts), cut(x)
    states = eqx.tree_at(lambda m: (m.x, m.mass), mu, (x, _repeated_mass(mu, mu_axis, x)))
    how = Status(ending.code, ending.t), ending.steps, ending.rejected
    return Trajectory(ts, states, _each(flow, flow_axis, len(ts)), *how, stride=options.stride, tol=options.known_tol)


def _noisy(flow, mu, *, axes, count, options: Options, summation):
    """Sample paths, independent of each other."""
    check_noisy(options)
    keys, clock = jax.random.split(key_of(options.seed), count), noisy_clock(options, flow, mu=mu)

    def one(flow, mu, key):
        return sample_path(flow, mu, key=key, clock=clock, summation=summation)

    x = eqx.filter_vmap(one, in_axes=(*axes, 0))(flow, mu, keys)
    return noisy_run(_each(flow, axes[0], len(x)), mu, x=x, clock=clock)


def _summation(options, flows, mus):
    """Bounded scores may be assumed only if every member has them."""
    # Side by side, both the fast sum and its exact repair would be computed: not worth it unless asked for.
    name = "exact" if options.summation == "auto" else options.summation
    choices = [choose(name, flow, mu) for flow in flows for mu in mus[:1]]
    exact = [c for c in choices if isinstance(c, Tiled)]
    if len(exact) < len(choices):
        return choices[0]
    return Tiled(is_bounded=all(c.is_bounded for c in exact))


def _listed(flows) -> list:
    return list(flows) if isinstance(flows, Sequence) else [flows]


def _listed_prompts(mus) -> list[Particles]:
    if isinstance(mus, Particles) and mus.x.ndim == 3:
        return [jax.tree.map(lambda a, i=i: a[i], mus) for i in range(mus.x.shape[0])]
    return _listed(mus)


def _check(flows, mus):
    if not flows or not mus:
        raise BadInput("a batch needs at least one flow and one prompt")
    if not all(isinstance(mu, Particles) for mu in mus):
        other = next(type(mu).__name__ for mu in mus if not isinstance(mu, Particles))
        raise BadInput(f"a batch is of Particles, got {other}; several Gaussians are one with leading axes")
    if len(flows) > 1 and len(mus) > 1 and len(flows) != len(mus):
        raise BadInput(f"{len(flows)} flows and {len(mus)} prompts do not go together; give equal numbers or one")
    if len({mu.x.shape for mu in mus}) > 1:
        raise BadInput("prompts of one batch must have the same shape")
    if len({_outline(flow) for flow in flows}) > 1:
        raise BadInput("flows of one batch must differ only in their numbers, not in rules or shapes")
    for flow, mu in zip(cycle(flows), mus) if len(mus) > 1 else zip(flows, cycle(mus)):
        check_fits(flow, mu)


def _outline(flow):
    """What flows of one batch have in common: all but their numbers."""
    leaves = jax.tree.leaves(flow)
    return jax.tree.structure(flow), tuple(jnp.shape(leaf) if _is_number(leaf) else leaf for leaf in leaves)


def _is_number(leaf) -> bool:
    """An array, or a float that a rule keeps as it was given."""
    return eqx.is_array(leaf) or isinstance(leaf, float)


def _stacked(items, *, is_alone: bool):
    """The items as one, with the axis to map over: None for an item that all share."""
    if is_alone:
        return items[0], None
    columns = zip(*(jax.tree.leaves(item) for item in items))
    leaves = [
        jnp.stack([jnp.asarray(one) for one in column]) if _is_number(column[0]) else column[0] for column in columns
    ]
    return jax.tree.unflatten(jax.tree.structure(items[0]), leaves), eqx.if_array(0)


def _each(flow, axis, count: int):
    """The flow with a leading axis on every number, as `vmap` returns it, also when all members share one."""
    if axis is not None:
        return flow
    return jax.tree.map(lambda a: jnp.broadcast_to(a, (count, *a.shape)) if eqx.is_array(a) else a, flow)


def _repeated_mass(mu, axis, x):
    mass = mu.mass[None] if axis is None else mu.mass
    return jnp.broadcast_to(mass[:, None, :], x.shape[:-1])
