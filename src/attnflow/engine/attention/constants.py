"""Speed and Lipschitz constants of an attention rule on tokens in a ball.

Source: Castin et al. 2025 (arXiv 2501.18322) for the statements; constants derived and checked on random prompts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Constants(NamedTuple):
    """On the ball of radius R: sup |Γ|/R, and logarithms of the Lipschitz constants in x and in μ (W₁).

    `log_lip_mu` is infinite where no explicit constant is known; `is_masked` asks for the Hardy factor.
    """

    speed: float
    log_lip_x: float
    log_lip_mu: float
    is_masked: bool = False

    def times(self, size: float) -> Constants:
        """The constants of the field multiplied by a matrix of this norm."""
        more = log(size)
        return self._replace(
            speed=size * self.speed, log_lip_x=more + self.log_lip_x, log_lip_mu=more + self.log_lip_mu
        )


def summed(parts: list[Constants]) -> Constants:
    """The constants of a sum of fields."""
    return Constants(
        sum(c.speed for c in parts),
        float(np.logaddexp.reduce([c.log_lip_x for c in parts])),
        float(np.logaddexp.reduce([c.log_lip_mu for c in parts])),
        any(c.is_masked for c in parts),
    )


def log(value) -> float:
    """The logarithm, −∞ at 0."""
    return float(np.log(value)) if value > 0 else -np.inf
