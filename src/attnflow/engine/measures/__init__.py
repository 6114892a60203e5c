"""Probability measures on tokens (prompts): particles, Gaussians, densities."""

from typing import TypeAlias

from .density import Density
from .gaussian import Gaussian
from .particles import Particles

Measure: TypeAlias = Particles | Gaussian | Density
