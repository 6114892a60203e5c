"""Random draws that are remembered: a search varies what was drawn, not the code that drew it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import gammaincinv, ndtr


@dataclass
class Draws:
    """A random generator that remembers: continuous draws as normal deviates that can be moved, others as they fell."""

    rng: np.random.Generator
    known: tuple[Any, ...] = ()
    """What to hand out first."""
    made: list[Any] = field(default_factory=list)

    @property
    def place(self) -> np.ndarray:
        """All continuous draws so far, in one row."""
        return np.concatenate([np.zeros(0), *[part.ravel() for part in self.made if isinstance(part, np.ndarray)]])

    def at(self, place: np.ndarray) -> Draws:
        """The same draws with other continuous ones, in one row."""
        sizes = [part.size if isinstance(part, np.ndarray) else 0 for part in self.made]
        rows = np.split(place, np.cumsum(sizes)[:-1]) if sizes else []
        moved = [
            row.reshape(part.shape) if isinstance(part, np.ndarray) else part for row, part in zip(rows, self.made)
        ]
        return Draws(self.rng, tuple(moved))

    def again(self) -> Draws:
        """The same draws, to be handed out once more."""
        return Draws(self.rng, tuple(self.made))

    def normal(self, loc=0.0, scale=1.0, size=None):
        return loc + scale * self._deviates(
            np.broadcast_shapes(np.shape(loc), np.shape(scale)) if size is None else size
        )

    def random(self, size=None):
        return ndtr(self._deviates(() if size is None else size))

    def uniform(self, low=0.0, high=1.0, size=None):
        size = np.broadcast_shapes(np.shape(low), np.shape(high)) if size is None else size
        return low + (np.asarray(high) - low) * ndtr(self._deviates(size))

    def dirichlet(self, alpha):
        shares = gammaincinv(np.asarray(alpha, float), ndtr(self._deviates(np.shape(alpha))))
        return shares / shares.sum()

    def integers(self, *args, **options):
        return self._fallen(lambda: self.rng.integers(*args, **options))

    def choice(self, *args, **options):
        return self._fallen(lambda: self.rng.choice(*args, **options))

    def permutation(self, x):
        return self._fallen(lambda: self.rng.permutation(x))

    def _deviates(self, shape) -> Any:
        shape = (shape,) if np.ndim(shape) == 0 else tuple(shape)
        known = self._next()
        fits = isinstance(known, np.ndarray) and known.shape == shape
        z: Any = known if fits else np.asarray(self.rng.normal(size=shape))
        self.made.append(z)
        return z if shape else float(z)

    def _fallen(self, draw):
        known = self._next()
        value = known[0] if isinstance(known, tuple) else draw()
        self.made.append((value,))
        return value

    def _next(self):
        return self.known[len(self.made)] if len(self.made) < len(self.known) else None
