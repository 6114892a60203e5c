"""Standard test functions with known minima."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class Objective:
    """A function of (…, d) arrays, where it is smallest (all with value 0) and where to start looking."""

    name: str
    function: Callable
    minima: Callable[[int], np.ndarray]
    box: tuple[float, float]

    def __call__(self, x):
        return self.function(x)

    def __hash__(self):
        return hash(self.name)


def _ackley(x):
    mean = lambda a: jnp.mean(a, axis=-1)  # noqa: E731
    bowl = -20 * jnp.exp(-0.2 * jnp.sqrt(mean(x**2)))
    return bowl - jnp.exp(mean(jnp.cos(2 * jnp.pi * x))) + jnp.e + 20


def _rastrigin(x):
    return jnp.mean(x**2 - 10 * jnp.cos(2 * jnp.pi * x) + 10, axis=-1)


def _rosenbrock(x):
    return jnp.sum(100 * (x[..., 1:] - x[..., :-1] ** 2) ** 2 + (1 - x[..., :-1]) ** 2, axis=-1)


def _griewank(x):
    place = jnp.sqrt(jnp.arange(1, x.shape[-1] + 1, dtype=x.dtype))
    return jnp.sum(x**2, axis=-1) / 4000 - jnp.prod(jnp.cos(x / place), axis=-1) + 1


def _himmelblau(x):
    a, b = x[..., 0], x[..., 1]
    return (a**2 + b - 11) ** 2 + (a + b**2 - 7) ** 2


FOUR = np.array(
    [
        [3.0, 2.0],
        [-2.805118086952745, 3.131312518250573],
        [-3.779310253377747, -3.283185991286170],
        [3.584428340330492, -1.848126526964404],
    ]
)


def _at_zero(d):
    return np.zeros((1, d))


OBJECTIVES: dict[str, Objective] = {
    objective.name: objective
    for objective in (
        Objective("quadratic", lambda x: jnp.sum(x**2, axis=-1), _at_zero, (-3.0, 3.0)),
        Objective("ackley", _ackley, _at_zero, (-3.0, 3.0)),
        Objective("rastrigin", _rastrigin, _at_zero, (-3.0, 3.0)),
        Objective("rosenbrock", _rosenbrock, lambda d: np.ones((1, d)), (-2.0, 2.0)),
        Objective("griewank", _griewank, _at_zero, (-5.0, 5.0)),
        Objective("himmelblau", _himmelblau, lambda d: FOUR, (-6.0, 6.0)),
    )
}
