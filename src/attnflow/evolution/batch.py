"""Many runs in one compiled call."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import equinox as eqx
import jax
import jax.numpy as jnp

from ..flow import check_fits
from ..matrices import is_concrete
from ..measures import Particles
from ..summation import choose
from ..summation.tiled import Tiled
from .noisy import check_noisy, clock, is_noisy, key_of, noisy_run, sample_path
from .options import checked
from .solve import integrate
from .stepping import is_fixed
from .trajectory import Status, Trajectory


def evolve_batch(flows, mus, **options) -> Trajectory:
    """Run every flow on every prompt of a batch, side by side: leading axis b on all results.

    `flows` is one flow or a list of flows that differ only in numbers; `mus` is one prompt, a list of prompts of equal
    shape, or Particles whose tokens carry a leading axis. Two lists must have equal length and go together.
    """
    chosen = checked(options)
    if chosen.merge is not None:
        raise ValueError("a batch shares one compiled run and cannot merge tokens; run its members one by one")
    all_flows, all_mus = _listed(flows), _listed_prompts(mus)
    _check(all_flows, all_mus)
    flow, flow_axis = _stacked(all_flows, is_alone=len(all_flows) == 1)
    mu, mu_axis = _stacked(all_mus, is_alone=len(all_mus) == 1 < len(all_flows))
    if is_noisy(flow):
        return _noisy(flow, flow_axis, mu, mu_axis, all_flows, all_mus, chosen)
    chosen.check_step()
    kept = chosen.times(all_mus[0]).shape[0]
    ts, saved, ending = _run(flow, flow_axis, mu, mu_axis, all_flows, all_mus, chosen)
    ts, saved = ts[:, :kept], saved[:, :kept]
    states = eqx.tree_at(lambda m: (m.x, m.mass), mu, (saved, _repeated_mass(mu, mu_axis, saved)))
    flow = _each(flow, flow_axis, len(ts))
    return Trajectory(
        ts, states, flow, Status(ending.code, ending.t), ending.steps, ending.rejected, stride=chosen.stride
    )


def _run(flow, flow_axis, mu, mu_axis, all_flows, all_mus, options):
    first = all_mus[0]
    ts, plan, dtype = options.to_the_end(options.times(first)), options.plan(), first.x.dtype
    plan = plan._replace(has_derivatives=plan.has_derivatives and not is_concrete(flow, mu, ts))
    number = lambda value: jnp.asarray(value, dtype)  # noqa: E731
    steps, jumps = None, options.jump_times(all_flows, dtype)
    if is_fixed(plan.method):
        steps = options.fixed_steps(ts, options.step, jumps)
        plan = plan._replace(max_steps=len(steps))
    fixed = (
        ts, number(options.start), number(options.tolerance(dtype)), number(options.steady or 0.0), steps,
        jumps, _summation(options, all_flows, all_mus), plan,
    )  # fmt: skip
    axes = (flow_axis, mu_axis, *(None,) * len(fixed))
    return eqx.filter_vmap(integrate, in_axes=axes)(flow, mu, *fixed)


def _noisy(flow, flow_axis, mu, mu_axis, all_flows, all_mus, options):
    """Sample paths, independent of each other."""
    check_noisy(options)
    keys = jax.random.split(key_of(options.seed), max(len(all_flows), len(all_mus)))
    fixed = (*clock(options, all_mus[0]), _summation(options, all_flows, all_mus))
    axes = (flow_axis, mu_axis, 0, *(None,) * len(fixed))
    x = eqx.filter_vmap(sample_path, in_axes=axes)(flow, mu, keys, *fixed)
    return noisy_run(_each(flow, flow_axis, len(x)), mu, x, options)


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
        raise ValueError("a batch needs at least one flow and one prompt")
    if not all(isinstance(mu, Particles) for mu in mus):
        other = next(type(mu).__name__ for mu in mus if not isinstance(mu, Particles))
        raise ValueError(f"a batch is of Particles, got {other}; several Gaussians are one with leading axes")
    if len(flows) > 1 and len(mus) > 1 and len(flows) != len(mus):
        raise ValueError(f"{len(flows)} flows and {len(mus)} prompts do not go together; give equal numbers or one")
    if len({mu.x.shape for mu in mus}) > 1:
        raise ValueError("prompts of one batch must have the same shape")
    if len({_outline(flow) for flow in flows}) > 1:
        raise ValueError("flows of one batch must differ only in their numbers, not in rules or shapes")
    for flow, mu in zip(cycle(flows), mus) if len(mus) > 1 else zip(flows, cycle(mus)):
        check_fits(flow, mu)


def _outline(flow):
    return jax.tree.structure(flow), tuple(jnp.shape(leaf) for leaf in jax.tree.leaves(flow) if eqx.is_array(leaf))


def _stacked(items, *, is_alone: bool):
    """The items as one, with the axis to map over: None for an item that all share."""
    if is_alone:
        return items[0], None
    arrays, rest = zip(*(eqx.partition(item, eqx.is_array) for item in items))
    return eqx.combine(jax.tree.map(lambda *leaves: jnp.stack(leaves), *arrays), rest[0]), eqx.if_array(0)


def _each(flow, axis, count: int):
    """The flow with a leading axis on every number, as `vmap` returns it, also when all members share one."""
    if axis is not None:
        return flow
    return jax.tree.map(lambda a: jnp.broadcast_to(a, (count, *a.shape)) if eqx.is_array(a) else a, flow)


def _repeated_mass(mu, axis, x):
    mass = mu.mass[None] if axis is None else mu.mass
    return jnp.broadcast_to(mass[:, None, :], x.shape[:-1])
