"""Small flows and prompts of every kind that some claim is about, to ask a claim for its hypotheses in words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..engine.attention import L2, Causal, Hardmax, Linear, Sinkhorn, Softmax, Unnormalised
from ..engine.flow import FeedForward, Flow
from ..engine.flow.normalisation import NGPT, PreLN
from ..engine.flow.rescaled import rescale
from ..engine.measures import Gaussian, Particles
from ..engine.spaces import Euclidean, Sphere
from ..theory.heat.bridge import BridgeFlow
from ..theory.heat.steps import Heat, Reverse
from .claim import Claim

LINE = np.array([[-1.0], [0.0], [1.0]])
PLANE = np.array([[1.0, 0.5], [1.0, -0.5]])
SPACE = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.2], [0.1, 0.0, 1.0]])
EDGE = np.array([[0.6, 0.8], [-0.6, 0.8], [0.6, -0.8], [-0.6, -0.8]])
POLES = np.array([[1.0, 0.05], [1.0, -0.05], [-1.0, 0.05], [-1.0, -0.05]])
AROUND = np.stack([np.cos(np.arange(64) * np.pi / 32), np.sin(np.arange(64) * np.pi / 32)], axis=1)
SYMMETRIC = np.diag([1.0, 2.0])


def _specimens() -> Iterator[tuple]:
    """Flows with a prompt."""
    R, S, law = Euclidean(), Sphere(), Gaussian(np.zeros(2), np.eye(2))
    for x, V in ((LINE, 1.0), (PLANE, 1.0), (SPACE, np.diag([2.0, 1.0, -1.0])), (SPACE, np.diag([1.0, 1.0, -0.5]))):
        yield rescale(Flow(R, Softmax(), V=V)), Particles(x)
    for rule in (Softmax(), Unnormalised(), Sinkhorn(), Linear(), L2(np.eye(2)), Causal(Softmax())):
        yield Flow(R, rule, V=-1.0), Particles(PLANE)
        yield Flow(R, rule), law
    yield Flow(R, Softmax(), feed_forward=FeedForward(1.0, 1.0, 0.0, activation="identity")), law
    yield Flow(R, Softmax(), V=1.0), Gaussian(np.zeros(2), np.diag([1.0, 0.0]))
    yield rescale(Flow(R, Hardmax())), Particles(PLANE)
    for x in (EDGE, SPACE, POLES):
        yield Flow(S, Softmax(beta=8.0)), Particles(x)
    for rule in (
        Softmax(),
        Softmax(beta=8.0),
        Unnormalised(beta=8.0, scale="shifted"),
        Causal(Softmax()),
        Hardmax(others=True),
    ):
        yield Flow(S, rule), Particles(PLANE)
    yield Flow(S, Softmax(B=SYMMETRIC), V=-SYMMETRIC), Particles(EDGE)
    yield Flow(S, Softmax(B=[[1.0, 1.0], [0.0, 1.0]]), V=[[1.0, 1.0], [0.0, 1.0]]), Particles(EDGE)
    yield Flow(S, Softmax(beta=100.0), V=SYMMETRIC), Particles(AROUND)
    yield Flow(S, Softmax(), noise=1.0), Particles(AROUND)
    yield Flow(S, Unnormalised(), noise=1.0), Particles(AROUND)
    yield Flow(S, Softmax(), normalisation=PreLN()), Particles(np.eye(3))
    yield Flow(S, Softmax(), normalisation=NGPT()), Particles(SPACE)
    for space, step in ((R, Heat()), (R, Reverse()), (S, Heat())):
        yield BridgeFlow(space, 0.1, step), Particles(EDGE)


def hypothesis_words(claim: Claim) -> list[str]:
    """The hypotheses of a claim, in words."""
    if claim.assumes:
        return [claim.assumes]
    found = [claim.hypotheses(flow, mu) for flow, mu in _specimens()]
    # A prompt of the wrong size is told no more than that.
    return [hypothesis.words for hypothesis in max(found, key=len)]
