"""Exact sums over tokens that live on several devices, or on several hosts: a ring of partial softmax sums."""

from __future__ import annotations

from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec
from jaxtyping import Array, Float

from ...errors import BadInput
from ..measures import Particles
from .kernel import Kernel, log_mass
from .tiled import TILE_PAIRS, over_tiles

AXIS = "tokens"


def token_mesh(devices=None) -> Mesh:
    """All devices of all hosts (or those given) in one ring."""
    devices = jax.devices() if devices is None else devices
    return jax.make_mesh((len(devices),), (AXIS,), axis_types=(AxisType.Auto,), devices=devices)


def spread(tree, mesh: Mesh):
    """The same prompt or flow on the mesh: tokens and masses shared out, everything else on every device.

    Every host must hold the same values. The number of tokens must be a multiple of the number of devices.
    """
    if isinstance(tree, Particles):
        count = mesh.devices.size
        if tree.n % count:
            raise BadInput(f"{tree.n} tokens cannot be shared out evenly over {count} devices")
        return jax.tree.map(lambda a: _placed(a, mesh, PartitionSpec(AXIS)), tree)
    return jax.tree.map(lambda a: _placed(a, mesh, PartitionSpec()) if eqx.is_array(a) else a, tree)


def _placed(a, mesh, spec):
    values = np.asarray(a)
    return jax.make_array_from_callback(values.shape, NamedSharding(mesh, spec), lambda index: values[index])


class Speakers(eqx.Module):
    """Everything with one entry per token that is heard; what travels around the ring."""

    keys: Float[Array, "m k"]
    mass: Float[Array, "m"]
    column: Float[Array, "m"] | None
    places: tuple[Array | None, ...]
    values: Float[Array, "m c"]


class Sharded(eqx.Module):
    r"""Every device keeps its listeners, while the speakers travel from device to device.

    After a full turn each listener has heard everybody; partial sums $\sum_j e^{s_j - t} y_j$ carry their own top score
    t, so nothing overflows. Exact, in O(n/devices) memory per device; for all rules but hardmax, radial
    kernels and masks by table.
    """

    mesh: Mesh = eqx.field(static=True)

    def sum(self, kernel: Kernel, values: Float[Array, "m c"]) -> Float[Array, "n c"]:
        _check(kernel)
        count, n = self.mesh.devices.size, kernel.queries.shape[0]
        columns = jnp.concatenate([values, jnp.ones_like(values[:, :1])], axis=1)
        places = tuple(relation.columns for relation in kernel.relations)
        speakers = Speakers(kernel.keys, kernel.mass, kernel.column, places, columns)
        listeners, speakers = (_padded(part, count) for part in (kernel.listeners(), speakers))
        shared, own = PartitionSpec(AXIS), PartitionSpec()
        ring = jax.shard_map(
            partial(_around, count, kernel.link, kernel.average),
            mesh=self.mesh,
            in_specs=(shared, shared, own),
            out_specs=shared,
            check_vma=False,
        )
        return ring(listeners, speakers, _bare(kernel.relations))[:n]


def _check(kernel: Kernel) -> None:
    if not kernel.is_bilinear:
        raise BadInput('weights that fall with distance stay on one device; use summation="exact"')
    if kernel.link.is_normalised and not kernel.link.is_shift_free:
        name = type(kernel.link).__name__
        raise BadInput(f'{name} weights cannot be summed in parts over devices; use summation="exact"')
    if any(relation.columns is None for relation in kernel.relations):
        raise BadInput('masks and biases given as a table stay on one device; use positions, or summation="exact"')


def _bare(relations):
    return tuple(eqx.tree_at(lambda r: (r.rows, r.columns), r, (None, None)) for r in relations)


def _padded(part, count: int):
    """A multiple of `count` entries; those added have mass 0."""

    def pad(a):
        extra = -a.shape[0] % count
        return jnp.pad(a, ((0, extra), *((0, 0),) * (a.ndim - 1))) if extra else a

    return jax.tree.map(pad, part)


def _around(count, link, average, listeners, speakers, relations):
    """What this device's listeners hear in one turn of the ring."""
    n, c = jax.tree.leaves(listeners)[0].shape[0], speakers.values.shape[1]
    dtype = speakers.values.dtype
    nothing = jnp.full(n, -jnp.inf, dtype), jnp.zeros((n, c), dtype), jnp.zeros(n, dtype)
    onward = [(i, (i + 1) % count) for i in range(count)]

    def step(carry, _):
        speakers, heard = carry
        heard = _hear(listeners, heard, _kernel(link, speakers, relations), speakers.values)
        passed = jax.tree.map(lambda a: jax.lax.ppermute(a, AXIS, onward), speakers)
        return (passed, heard), None

    (_, (_, sums, share)), _ = jax.lax.scan(step, (speakers, nothing), None, length=count)
    if link.is_normalised:
        return sums[:, :-1] / sums[:, -1:]
    return sums[:, :-1] / share[:, None] if relations and average else sums[:, :-1]


def _kernel(link, speakers: Speakers, relations) -> Kernel:
    """The kernel of the speakers who are here now; listeners are given tile by tile."""
    here = tuple(
        eqx.tree_at(lambda r: r.columns, relation, place, is_leaf=lambda leaf: leaf is None)
        for relation, place in zip(relations, speakers.places)
    )
    nobody = jnp.zeros((0, speakers.keys.shape[1]), speakers.keys.dtype)
    return Kernel(nobody, speakers.keys, speakers.mass, link, column=speakers.column, relations=here)


def _hear(listeners, heard, kernel: Kernel, columns):
    size = max(16, TILE_PAIRS // max(1, kernel.keys.shape[0]))
    return over_tiles(lambda tile: _hear_tile(tile[0], tile[1], kernel, columns), (listeners, heard), size)


def _hear_tile(listeners, heard, kernel: Kernel, columns):
    top, sums, share = heard
    scores = kernel.scores(listeners)
    if not kernel.link.is_normalised:
        weight = kernel.link.weigh(scores)
        return top, sums + weight @ (kernel.mass[:, None] * columns), share + kernel.heard(scores) @ kernel.mass
    scores = scores + log_mass(kernel.mass)
    higher = jax.lax.stop_gradient(jnp.maximum(top, jnp.max(scores, axis=1)))
    # Nobody heard yet: any finite reference will do.
    level = jnp.where(jnp.isfinite(higher), higher, 0)
    sums = sums * jnp.exp(top - level)[:, None] + jnp.exp(scores - level[:, None]) @ columns
    return higher, sums, share
