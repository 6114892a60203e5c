"""Column sums of attention matrices over time: how much each token is heard."""

from __future__ import annotations

import jax
import numpy as np

from ...engine.attention import Softmax
from ...engine.flow import Flow
from ...engine.observe.matrix import column_sums
from ..curves import draw_band
from ..style import GREY, PALETTE, styled

MOST_TIMES = 24
"""Saved times at which sums are taken."""


@styled
def draw_column_sums(ax, run, *, log_time=None):
    """How much each token is heard under Sinkhorn attention, and what softmax with the same scores would give it."""
    at, known = column_sums_over(run)
    ts = np.asarray(run.ts)[at]
    for colour, (name, sums) in zip((GREY, PALETTE[0]), known.items()):
        draw_band(ax, ts, sums, name="column sums", colour=colour, label=name, log_time=log_time)
    ax.legend(loc="best")
    return ax


def column_sums_over(run) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Indices of saved times, and the sums (k, n) of softmax with the same scores and of the rule itself."""
    at = np.unique(np.linspace(0, len(run.ts) - 1, MOST_TIMES).astype(int))
    score, rule = run.flow.attention.score, run.flow.attention
    softmax = Flow(run.flow.space, Softmax(B=score.B(run.states.d), beta=score.beta))
    prompts = [jax.tree.map(lambda a, k=k: a[k], run.states) for k in at]
    rules = {"softmax": softmax, type(rule).__name__: Flow(run.flow.space, rule)}
    return at, {name: np.array([column_sums(flow, mu).sums for mu in prompts]) for name, flow in rules.items()}
