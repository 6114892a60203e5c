"""Controls: models whose weights say nothing, to stand beside every measurement."""

from __future__ import annotations

from dataclasses import replace

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..engine.attention import MultiHead
from ..engine.flow import Block, FeedForward, Norm
from ..engine.linalg.arguments import as_annotated
from ..engine.measures.initial.sampling import count
from .model import Model
from .tensors import number_in

MATRICES = {MultiHead: ("Q", "K", "V", "W", "gate"), FeedForward: ("w", "a", "gate")}
OFFSETS = {MultiHead: ("q", "k", "c", "o", "gate_offset"), FeedForward: ("b", "c", "gate_offset")}


@as_annotated
def shuffled(model: Model, *, seed: int = 0) -> Model:
    """The same model with the entries of every matrix of its layers permuted; norms, offsets and embedding stay.

    >>> import attnflow as af
    >>> model = af.models.random_albert()
    >>> af.shuffled(model, seed=0).name
    'ALBERT, shuffled'
    """
    rng = np.random.default_rng(count(seed, "seed", least=0))

    def permute(M):
        return jnp.asarray(rng.permutation(np.asarray(M).reshape(-1)).reshape(M.shape))

    return _changed(model, lambda part: _replaced(part, MATRICES[type(part)], permute), f"{model.name}, shuffled")


@as_annotated
def reinitialised(model: Model, *, seed: int = 0) -> Model:
    """The same model before training: normal entries of the configured width (0.02), offsets 0, gains 1, biases 0.

    >>> import attnflow as af
    >>> model = af.models.random_albert()
    >>> af.reinitialised(model, seed=0).name
    'ALBERT, reinitialised'
    """
    rng = np.random.default_rng(count(seed, "seed", least=0))
    width = number_in(model.config, "initializer_range", 0.02)

    def drawn(M):
        return jnp.asarray(width * rng.normal(size=M.shape), M.dtype)

    def part(old):
        return _replaced(_replaced(old, MATRICES[type(old)], drawn), OFFSETS[type(old)], jnp.zeros_like)

    return _changed(model, part, f"{model.name}, reinitialised", is_plain=True)


def _replaced(part, names, make):
    present = [name for name in names if getattr(part, name) is not None]
    return eqx.tree_at(lambda p: [getattr(p, n) for n in present], part, [make(getattr(part, n)) for n in present])


def _changed(model: Model, change, name: str, *, is_plain: bool = False) -> Model:
    """The model with every attention and feed-forward part changed; layers that were one stay one."""
    made: dict[int, Block] = {}
    for block in model.layers:
        if id(block) not in made:
            made[id(block)] = _block(block, change, is_plain)
    return replace(model, layers=tuple(made[id(block)] for block in model.layers), name=name)


def _block(block: Block, change, is_plain: bool) -> Block:
    new = eqx.tree_at(
        lambda b: [branch.part for s in b.sublayers for branch in s.branches],
        block,
        [change(branch.part) for s in block.sublayers for branch in s.branches],
    )
    return _plain_norms(new) if is_plain else new


def _plain_norms(block: Block) -> Block:
    def plain(norm):
        if not isinstance(norm, Norm):
            return norm
        gain = eqx.tree_at(lambda n: n.gain, norm, jnp.ones_like(norm.gain))
        return gain if norm.bias is None else eqx.tree_at(lambda n: n.bias, gain, jnp.zeros_like(norm.bias))

    return jax.tree.map(plain, block, is_leaf=lambda leaf: isinstance(leaf, Norm))
