"""Layers of a model as flows: exactly, without one of their parts, or as the papers idealise them."""

from __future__ import annotations

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ..engine.attention import Attention, Causal, Heads, MultiHead, Rotary, Softmax, Windowed
from ..engine.attention.heads import Factored
from ..engine.flow import Block, Flow, Norm, stack
from ..engine.flow.block import with_sublayers
from ..engine.flow.layer_norm import LayerNorm
from ..engine.linalg.arguments import as_annotated, one_of
from ..engine.spaces import Sphere
from .model import Model

KEEPS = ("all", "attention", "no feed-forward", "no attention")


@as_annotated
def as_flow(model: Model, *, layer: int | None = None, keep: str = "all") -> Block | Flow:
    r"""Layer `layer` of a model, or all of them in turn, as a block or a flow.

    - "all": the exact block; `layers(block, mu, count)` is the model.
    - "attention": the papers' flow on the sphere with the real $Q, K, W, V$, gains folded in, offsets left out:
      $\dot u = \Pi_u \frac{1}{\sqrt d\,\bar g}\sum_h W_h V_h D \sum_j P^h_{ij} u_j$ with $D = \sqrt d\,\mathrm{diag}(g)$, so that
      a layer is one unit of time.
    - "no feed-forward", "no attention": the block where that part adds 0 and its closing norm stays (zero ablation).

    >>> import attnflow as af
    >>> model = af.models.random_albert()
    >>> af.as_flow(model, layer=0, keep="attention")
    Flow(space = Sphere, attention = head 0: Softmax, beta = 0.5; head 1: Softmax, beta = 0.5, V = 0.3536,
    normalisation = PostLN)
    """
    one_of(keep, "keep", KEEPS)
    if keep == "attention":
        return _idealised(model, 0 if layer is None else layer)
    blocks = [model.block(layer)] if layer is not None else [model.layers[0]] if model.is_shared else model.layers
    kept = [block if keep == "all" else without(block, keep.removeprefix("no ")) for block in blocks]
    if layer is None and not model.is_shared:
        return stack(kept)
    return kept[0]


def first_made(model: Model) -> int:
    """The first layer whose state a norm has made: directions stand for streams from there on."""
    return 1 if model.is_post_ln and model.layers[0].entry is None else 0


def without(block: Block, part: str) -> Block:
    """The block with what its attention, or its feed-forward parts, add set to 0; closing norms stay (zero ablation)."""

    def stays(branch):
        return isinstance(branch.part, Attention) != (part == "attention")

    sublayers = [
        eqx.tree_at(lambda s: s.branches, sublayer, tuple(b for b in sublayer.branches if stays(b)))
        for sublayer in block.sublayers
    ]
    return with_sublayers(block, tuple(s for s in sublayers if s.branches or s.closing is not None))


def _idealised(model: Model, layer: int) -> Flow:
    heads, norm = model.heads(layer), model.reading(layer)
    if norm is None:
        # No norm reads the first layer of such a model; later ones read through the last norm of the layer.
        norm = model.block(layer).sublayers[-1].closing
    assert norm is not None
    made = [(_rule(heads, h, norm), _values(heads, h, norm)) for h in range(heads.count)]
    return Flow(Sphere(), Heads(made), V=1 / (np.sqrt(heads.Q.shape[-1]) * np.abs(np.asarray(norm.gain, float)).mean()))


def folded(M, norm: Norm) -> np.ndarray:
    """A matrix that reads streams as one that reads directions: its columns times √d g."""
    return np.asarray(M, float) * np.sqrt(M.shape[-1]) * np.asarray(norm.gain, float)


def _rule(heads: MultiHead, h: int, norm: Norm) -> Attention:
    # By NumPy: outside of `jit` every slice would be a program.
    Q, K = np.asarray(heads.Q)[h], np.asarray(heads.K)[h * heads.K.shape[0] // heads.count]
    rule: Attention = Softmax(Q=folded(Q, norm), K=folded(K, norm), beta=heads.beta)
    if heads.turn is not None:
        rule = Rotary(rule, heads.turn)
    if heads.window is not None:
        return Windowed(rule, heads.window, causal=heads.is_causal)
    return Causal(rule) if heads.is_causal else rule


def _values(heads: MultiHead, h: int, norm: Norm) -> Factored:
    W, V = np.asarray(heads.W)[h], np.asarray(heads.V)[h * heads.V.shape[0] // heads.count]
    W = W - W.mean(axis=0) if isinstance(norm, LayerNorm) else W
    return Factored(jnp.asarray(W), jnp.asarray(folded(V, norm)))
