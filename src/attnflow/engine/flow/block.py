"""Block of a Transformer: sublayers in sequence, each attention or feed-forward with its own normalisation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ...errors import BadInput
from ..attention import Attention, Everyone
from ..linalg.arguments import as_annotated
from ..linalg.matrices import is_concrete
from ..linalg.shown import Shown
from ..measures import Particles
from ..spaces import Euclidean, Space, Sphere
from ..summation import Summation
from ..summation.tiled import Tiled
from .feed_forward import FeedForward
from .layer_norm import Norm

LONGEST = 1.1
"""Rows of a prompt longer than this are streams, not directions."""


class Branch(eqx.Module):
    """One part of a sublayer: what is read of the stream, what is done with it, what is said."""

    part: Attention | FeedForward
    before: Norm | None = None
    after: Norm | None = None

    def says(self, y: Float[Array, "n d"], mu: Particles, summation: Summation, *, heard=None) -> Float[Array, "n d"]:
        """What the branch adds to the stream y of the tokens of mu; they hear each other, or the stream `heard`."""
        seen = self._seen(y)
        if isinstance(self.part, Attention):
            speakers = mu.moved_to(seen if heard is None else self._seen(heard))
            said = self.part.barycentre(seen, speakers, summation=summation)
        else:
            said = self.part(seen)
        return said if self.after is None else self.after(said)

    def _seen(self, y):
        return y if self.before is None else self.before(y)


class Sublayer(eqx.Module):
    r"""Residual step $y \leftarrow N(y + \sum_b f_b(y))$.

    Where norms stand makes the scheme: `before` is pre-LN; `closing` is post-LN; `before` and `after` are peri-LN, also
    called sandwich. Several branches read the same stream (the parallel residual of GPT-NeoX).
    """

    branches: tuple[Branch, ...]
    closing: Norm | None

    def __init__(self, part, *, before=None, after=None, closing=None):
        given = part if isinstance(part, tuple | list) else (part,)
        self.branches = tuple(p if isinstance(p, Branch) else Branch(_part(p), before, after) for p in given)
        self.closing = closing
        if not given:
            raise BadInput("a sublayer holds at least one attention rule or FeedForward")
        if not all(norm is None or isinstance(norm, Norm) for norm in (before, after, closing)):
            raise BadInput("before, after and closing are normalisations such as LayerNorm(gain, bias)")

    @property
    def norm(self) -> Norm:
        """The closing norm of a post-LN sublayer."""
        assert self.closing is not None
        return self.closing

    def says(self, y, mu, summation):
        """What all branches add to the stream."""
        return sum(branch.says(y, mu, summation) for branch in self.branches)


def _part(part):
    if not isinstance(part, Attention | FeedForward):
        raise BadInput(f"a sublayer holds an attention rule or a FeedForward, got {type(part).__name__}")
    return part


class Inside(Attention):
    """The attention of a block, as others may ask about it: it reads normalised streams, never the state itself."""

    rule: Attention
    has_costly_kernel: ClassVar[bool] = True

    def kernel(self, x, mu):
        raise BadInput("attention inside a block has no kernel of its own; ask attention_matrix(block, mu)")

    def check(self, d, n):
        self.rule.check(d, n)

    def check_mass(self, mass):
        self.rule.check_mass(mass)

    def is_affine(self):
        return True

    def conventions(self):
        return self.rule.conventions()

    def why_not_mergeable(self):
        return self.rule.why_not_mergeable()

    def why_not_closed(self):
        return "a block does not keep a Gaussian Gaussian; evolve Particles"


class Passing(NamedTuple):
    """Tokens between two sublayers: state, stream, and the length that a direction stands for."""

    u: Float[Array, "n d"]
    y: Float[Array, "n d"]
    radius: Float[Array, ""]


class Block(Shown, eqx.Module):
    r"""Layer of a trained Transformer as a map of tokens, and as a flow.

    Where every sublayer closes with a normalisation (post-LN), the state is its direction u on the sphere (a unit vector
    up to ε) and the stream is $y = \sqrt d\,g\odot u + b$; else the state is the stream. `entry` is the norm through which
    the first layer reads its prompt, where it is not the last norm of the block. With `stack` layers have weights of
    their own and take turns.

    `layers(block, mu, count)` is the Transformer itself; a prompt of rows longer than 1 is taken as a stream.
    As a flow, a layer is one unit of time:
    $\dot u = \sum_s \Pi_u(y_s + f_s(y_s))/(\sqrt d\,\bar g_s)$ on the sphere, $\dot y = \sum_s f_s(y)$ else.

    >>> import attnflow as af
    >>> model = af.models.random_albert()
    >>> block = af.as_flow(model, layer=0)
    >>> len(block.sublayers), af.layers(block, af.record(model, [1, 2, 3]).at(1), 5).x.shape
    (2, (6, 3, 8))
    """

    sublayers: tuple[Sublayer, ...]
    entry: Norm | None
    depth: int | None = eqx.field(static=True)
    """How many layers have weights of their own, along the first axis of every array; None: one layer for all."""

    def __init__(self, sublayers: Sequence[Any], *, entry: Norm | None = None):
        if not isinstance(sublayers, list | tuple):
            raise BadInput(f"a block is a list of sublayers, got {type(sublayers).__name__}")
        if not (entry is None or isinstance(entry, Norm)):
            raise BadInput(f"entry is a normalisation such as LayerNorm(gain, bias), got {type(entry).__name__}")
        given = tuple(s if isinstance(s, Sublayer) else Sublayer(s) for s in sublayers)
        if not given:
            raise BadInput("a block needs at least one sublayer")
        self.sublayers, self.entry, self.depth = given, entry, None

    def facts(self):
        first = self._layer(0)
        parts = [type(b.part).__name__ for s in first.sublayers for b in s.branches]
        shared = "one layer" if self.depth is None else f"{self.depth} layers"
        return {"weights": shared, "sublayers": ", ".join(parts), "state": self.frame}

    @property
    def frame(self) -> str:
        """What a state is: "sphere" for directions of a post-LN block, "raw" for streams."""
        return "sphere" if self.is_on_sphere else "raw"

    @property
    def is_on_sphere(self) -> bool:
        return all(s.closing is not None for s in self.sublayers)

    @property
    def space(self) -> Space:
        return Sphere() if self.is_on_sphere else Euclidean()

    @property
    def state_space(self) -> Space:
        return self.space

    @property
    def attention(self) -> Inside:
        return Inside(self._attending(0)[1].part if self.has_attention() else Everyone())  # pyright: ignore[reportArgumentType]

    @property
    def V(self):
        return jnp.ones(())

    def check_shapes(self, d: int) -> None:
        """Raise before compilation when weights are not for tokens of dimension d."""
        first = self._layer(0)
        norms = [first.entry, *(s.closing for s in first.sublayers)]
        for branch in (b for s in first.sublayers for b in s.branches):
            norms += [branch.before, branch.after]
            if isinstance(branch.part, FeedForward):
                branch.part.check(d)
        for norm in norms:
            if norm is not None:
                norm.check(d)

    # States and streams.

    def enter(self, x: Float[Array, "*k n d"]) -> Float[Array, "*k n d"]:
        """The state that given directions stand for: without what the norm removes; ε keeps them a little shorter than 1."""
        return _closing(self).centred(x) if self.is_on_sphere else x

    def leave(self, x: Float[Array, "*k n d"]) -> Float[Array, "*k n d"]:
        return x

    def stream(self, u: Float[Array, "n d"], k: int = 0) -> Float[Array, "n d"]:
        """What layer k reads when the state is u."""
        if not self.is_on_sphere:
            return u
        if k == 0 and self.entry is not None:
            return self.entry.read(u)
        return _closing(self._layer(k - 1)).read(u)

    def begin(self, x: Float[Array, "n d"]) -> Passing:
        """The tokens x before the first layer."""
        if not self.is_on_sphere:
            return self.resume(x)
        # Rows longer than 1 are no directions: such a prompt is the stream itself, as embeddings give it.
        is_stream = jnp.max(jnp.sum(x**2, axis=-1)) > LONGEST**2
        at = self.resume(jnp.where(is_stream, self._entry().direction(x), self.enter(x)))
        return Passing(at.u, jnp.where(is_stream, x, at.y), at.radius)

    def resume(self, u: Float[Array, "n d"]) -> Passing:
        """Tokens in the state u before the first layer."""
        if not self.is_on_sphere:
            return Passing(u, u, jnp.ones((), u.dtype))
        return Passing(u, self._entry().read(u), self._entry().radius(u))

    def _entry(self) -> Norm:
        return self.entry or _closing(self._layer(-1))

    def pass_through(self, at: Passing, mu: Particles, *, k, eta, summation: Summation) -> Passing:
        """What comes out of layer k, or of the share eta of it (Lie splitting)."""
        for sublayer in self._layer(k).sublayers:
            said = sublayer.says(at.y, mu, summation)
            if self.is_on_sphere:
                u = sublayer.norm.direction(_mixed(at.radius * at.u, at.y + said, eta))
                at = Passing(u, sublayer.norm.read(u), sublayer.norm.radius(u))
            else:
                y = _onward(sublayer, at.y, said, eta)
                at = Passing(y, y, at.radius)
        return at

    def field(self, mu: Particles, t, summation: Summation) -> Float[Array, "n d"]:
        """The velocity of every state at time t: all sublayers of layer ⌊t⌋ at once."""
        k = 0 if self.depth is None else jnp.clip(jnp.floor(t).astype(int), 0, self.depth - 1)
        layer = self._layer(k)
        if not self.is_on_sphere:
            pushes = [_onward(s, mu.x, s.says(mu.x, mu, summation), 1.0) - mu.x for s in layer.sublayers]
            return sum(pushes)  # pyright: ignore[reportReturnType]
        u = self.space.retract(mu.x)
        reading = _closing(layer)
        total = jnp.zeros_like(u)
        for sublayer in layer.sublayers:
            y = reading.read(u)
            push = sublayer.norm.centred(y + sublayer.says(y, mu, summation))
            total = total + self.space.tangent(u, push) / reading.radius(u)
            reading = sublayer.norm
        return total

    # Attention.

    def weights(self, mu: Particles, t) -> Float[Array, "*h n n"]:
        """The attention matrices with which the layer at time t hears the states of mu."""
        k = 0 if self.depth is None else int(jnp.clip(jnp.floor(t), 0, self.depth - 1))
        y = self.stream(self.enter(mu.x), k)
        before, branch = self._attending(k)
        for sublayer in before:
            said = sublayer.says(y, mu, Tiled())
            y = sublayer.closing(y + said) if sublayer.closing is not None else y + said
        seen = y if branch.before is None else branch.before(y)
        return branch.part.matrix(mu.moved_to(seen))  # pyright: ignore[reportAttributeAccessIssue]

    def _attending(self, k) -> tuple[tuple[Sublayer, ...], Branch]:
        """The first branch of layer k that attends, and the sublayers before it."""
        layer = self._layer(k)
        for place, sublayer in enumerate(layer.sublayers):
            for branch in sublayer.branches:
                if isinstance(branch.part, Attention):
                    return layer.sublayers[:place], branch
        raise BadInput("this block has no attention")

    def has_attention(self) -> bool:
        return any(isinstance(b.part, Attention) for s in self.sublayers for b in s.branches)

    def _layer(self, k) -> Block:
        """Layer k as a block of its own; layers beyond the depth start anew."""
        if self.depth is None:
            return self
        (arrays, rest), index = eqx.partition(self.sublayers, eqx.is_array), k % self.depth
        if isinstance(k, int) and is_concrete(arrays):
            # By NumPy: outside of `jit` every shape of a slice would be a program of its own.
            picked = jax.tree.map(lambda a: jnp.asarray(np.asarray(a)[index]), arrays)
        else:
            picked = jax.tree.map(lambda a: a[index], arrays)
        return _made(eqx.combine(picked, rest), self.entry, None)


@as_annotated
def stack(blocks: Sequence[Block]) -> Block:
    """Layers with weights of their own as one block; the first one's entry is the entry."""
    if not blocks or not all(isinstance(b, Block) and b.depth is None for b in blocks):
        raise BadInput("stack takes a list of blocks of one layer each")
    bodies = [b.sublayers for b in blocks]
    if any(jax.tree.structure(body) != jax.tree.structure(bodies[0]) for body in bodies):
        raise BadInput("layers of a stack must be built alike: equal sublayers, norms and offsets")
    shapes = [[jnp.shape(leaf) for leaf in jax.tree.leaves(body)] for body in bodies]
    if any(shape != shapes[0] for shape in shapes):
        raise BadInput("layers of a stack must have weights of equal shapes")
    join = (
        (lambda *leaves: jnp.asarray(np.stack(leaves))) if is_concrete(bodies) else (lambda *leaves: jnp.stack(leaves))
    )
    joined = jax.tree.map(join, *bodies)
    return _made(joined, blocks[0].entry, len(blocks))


def with_sublayers(block: Block, sublayers: tuple[Sublayer, ...]) -> Block:
    """The block with other sublayers of the same depth."""
    return _made(sublayers, block.entry, block.depth)


def _made(sublayers, entry, depth: int | None) -> Block:
    made = object.__new__(Block)
    for name, value in (("sublayers", sublayers), ("entry", entry), ("depth", depth)):
        object.__setattr__(made, name, value)
    return made


def _closing(block: Block) -> Norm:
    return block.sublayers[-1].norm


def _onward(sublayer: Sublayer, y, said, eta):
    """The stream after the share eta of a sublayer, where the state is the stream itself."""
    if sublayer.closing is None:
        return y + eta * said
    return y + eta * (sublayer.closing(y + said) - y)


def _mixed(before, after, eta):
    """After, or on the way to it; exactly `after` for a whole layer."""
    return after if isinstance(eta, float) and eta == 1.0 else (1 - eta) * before + eta * after
