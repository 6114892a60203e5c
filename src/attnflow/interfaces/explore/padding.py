"""Prompts padded to few sizes with copies of their first token of mass 0, so that a moving slider never recompiles.

Such a copy listens but is not heard, and goes wherever the first token goes: error control sees nothing new.
"""

from __future__ import annotations

import numpy as np

from ...engine.measures import Particles
from ...experiments.scenario import Scenario

LARGEST = 4096
"""Beyond, a run takes longer than a compilation."""
RULES = ("softmax", "unnormalised", "l2", "linear", "relu")


def may_pad(scenario: Scenario) -> bool:
    """Whether tokens of mass 0 change nothing for the others: no masks, no noise, no merging, no constants of n."""
    rule, time = scenario.attention, scenario.time
    masks = (rule.heads, rule.causal, rule.positions, rule.table, rule.slope)
    is_plain = rule.rule in RULES and rule.scale in (None, "mean") and not any(masks)
    return is_plain and scenario.flow.noise is None and not scenario.flow.rescaled and time.merge is None


def padded_size(n: int) -> int:
    """The next 2^k or 3·2^k from 8 on."""
    size = 8
    while size < n:
        size = size * 3 // 2 if size & (size - 1) == 0 else size * 4 // 3
    return size


def padded(mu: Particles) -> Particles:
    extra = padded_size(mu.n) - mu.n
    if mu.n > LARGEST:
        return mu
    x, mass = np.asarray(mu.x), np.asarray(mu.mass)
    return Particles(np.concatenate([x, np.repeat(x[:1], extra, axis=0)]), np.concatenate([mass, np.zeros(extra)]))
