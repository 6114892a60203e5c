"""Whole layers of a Transformer: one cluster, and whether it attracts."""

from __future__ import annotations

import numpy as np

from ...engine.evolution import layers
from ...engine.flow import Block
from ...engine.measures import Particles
from ...models.consensus import Consensus, consensus, why_no_consensus
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import sampled
from ..variables import is_layered
from .layer_hunts import consensus_trial

NEAR = 0.02
"""Distances from consensus up to which a layer is compared with its derivative."""
BENDS = 4.0
"""Second differences are taken along a few directions: others may bend more by this factor."""


_LAST: list[tuple[Block, Consensus]] = []
"""The block asked about last: hypotheses, prediction and check ask the same."""


def _consensus(block: Block) -> Consensus:
    if not _LAST or _LAST[0][0] is not block:
        _LAST[:] = [(block, consensus(block))]
    return _LAST[0][1]


def _found(flow, mu) -> Consensus | None:
    is_ours = isinstance(flow, Block) and isinstance(mu, Particles) and mu.x.ndim == 2
    if not is_ours or not flow.is_on_sphere or not flow.has_attention() or why_no_consensus(flow) is not None:
        return None
    return _consensus(flow)


class LayerConsensus(Claim):
    number = "layer consensus"
    title = "One cluster of a whole layer attracts iff one token's layer does, alone and with the others heard at rest"
    printed = (
        "where all tokens are at a fixed point u* of one token's layer, the derivative of the layer is δᵢⱼJ⊥ + mⱼ(J∥ − J⊥): "
        "J∥ of one token alone, J⊥ of one that hears u*. One cluster attracts if both spectral radii are < 1 and repels if one "
        "is > 1, whatever the scores, the number of heads and of tokens"
    )
    latex = r"\frac{\partial u_i^{+}}{\partial u_j}=\delta_{ij}J_\perp+m_j\,(J_\parallel-J_\perp)"
    assumes = (
        "a post-LN layer (attention, feed-forward, norms with gain and bias), applied again and again; tokens without "
        "positions or masks; a fixed point that one token reaches"
    )
    provenance = "derived"
    decides = "trajectory"
    in_layers = True
    see = ("alcalde2026.gathered_heads",)
    hunts = {
        "printed": sampled(consensus_trial, 12, law="1–3 heads, gelu, d = 3–6, norms with gain and bias, 2–4 tokens")
    }

    def hypotheses(self, flow, mu):
        found = _found(flow, mu)
        return [] if found is None else [Hypothesis("one token comes to rest", 1e-8 - found.residual)]

    def predict(self, flow, mu):
        found = _found(flow, mu)
        assert found is not None
        across, along = (float(np.abs(values).max()) for values in (found.transverse, found.parallel))
        away = float(np.linalg.norm(np.asarray(mu.x, float) - found.point, axis=1).max())
        words = (
            f"one cluster is a {found.verdict} state: near it differences change by {across:.4g} per layer, common motion by "
            f"{along:.4g}; tokens start up to {away:.3g} from it"
        )
        return words, {"transverse": across, "parallel": along, "distance": away, "point": found.point.tolist()}

    def check(self, run):
        found = _found(run.flow, run.at(0))
        assert found is not None
        x, mass = np.asarray(run.x, float) - found.point, np.asarray(run.mass, float)
        # Layers are exact but for rounding.
        away, error = np.linalg.norm(x, axis=2).max(axis=1), 1e3 * float(np.finfo(np.asarray(run.x).dtype).eps)
        if not is_layered(run):
            return undecided("whole layers decide this: run layers(block, mu, count)")
        is_layer = np.abs(np.diff(np.asarray(run.ts, float)) - 1) < 1e-9
        seen = np.flatnonzero(is_layer & (away[:-1] < NEAR) & (away[:-1] > 100 * error))
        if not len(seen):
            return undecided("no two saved states, a whole layer apart, are near consensus", nearest=float(away.min()))
        J, K = (M.T for M in found.maps)
        middle = np.einsum("n,knd->kd", mass, x)[:, None]
        due = (x - middle) @ J + middle @ K
        off = np.linalg.norm(x[1:] - due[:-1], axis=2).max(axis=1)
        allowed = BENDS * _bend(run.flow, found, mass) * away[:-1] ** 2 + error
        ratio = float((off / allowed)[seen].max())
        words = (
            f"{len(seen)} layers near consensus follow its derivative up to {ratio:.2g} of what their curvature allows"
        )
        return compared(ratio, words, seen=len(seen))


def _bend(block: Block, found: Consensus, mass) -> float:
    """The largest second difference of a layer at consensus, along a few directions of length 1 in every token."""
    rng, largest = np.random.default_rng(0), 0.0
    shape, step = (len(mass), len(found.point)), 1e-3
    for _ in range(4):
        way = rng.normal(size=shape)
        way = step * way / np.linalg.norm(way, axis=1).max()
        ends = [
            np.asarray(layers(block, Particles(found.point + side * way, mass), 1).x[1], float) for side in (1, 0, -1)
        ]
        second = ends[0] - 2 * ends[1] + ends[2]
        largest = max(largest, float(np.linalg.norm(second, axis=1).max()) / step**2)
    return largest
