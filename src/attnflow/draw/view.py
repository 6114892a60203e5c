"""From where a picture in three dimensions is seen: an orthographic view."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class View:
    """The direction from which one looks, in degrees; the third axis points up."""

    azimuth: float = -60.0
    elevation: float = 22.0

    def of(self, x) -> np.ndarray:
        """Coordinates right, up and towards the eye."""
        a, e = np.radians([self.azimuth, self.elevation])
        right = [-np.sin(a), np.cos(a), 0.0]
        towards = [np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)]
        return np.asarray(x, float) @ np.stack([right, np.cross(towards, right), towards], axis=1)


def view_of(x, mass=None) -> View:
    """The view that has most of the mass on the near side, none of it dead ahead, and the horizon nearly level."""
    x = np.asarray(x, float)
    mass = np.full(len(x), 1 / len(x)) if mass is None else np.asarray(mass, float)
    views = [View(a, e) for a in range(-180, 180, 15) for e in (12, 22, 32)]
    return max(views, key=lambda view: float(mass @ _worth(view.of(x)[:, 2])))


def view_across(x, mass=None) -> View:
    """The view of a box that shows most of how the tokens x are spread, across a corner: face on, edges hide edges."""
    x = np.asarray(x, float)
    mass = np.full(len(x), 1 / len(x)) if mass is None else np.asarray(mass, float)
    x = x - mass @ x
    views = [View(a, e) for a in range(-180, 180, 15) if a % 90 in (30, 45, 60) for e in (12, 22, 32)]
    return min(views, key=lambda view: (float(mass @ view.of(x)[:, 2] ** 2), view != View(), view.elevation != 22))


def _worth(depth):
    """Best seen at three quarters of the way to the eye; behind, hardly."""
    return np.where(depth > 0, np.sqrt(np.maximum(depth, 0)) - 0.5 * depth**4, 0.2 * depth)
