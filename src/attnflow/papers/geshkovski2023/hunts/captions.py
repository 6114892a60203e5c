"""Trials of the captions of figures 6 and 13."""

from __future__ import annotations

import numpy as np

from ....theory.limits.value_matrix import classify
from ...hunt import Trial
from ...independent import diagonal_run
from ...trial import stated
from ..matrices import FIGURE_6, FIGURE_13


def within_planes(rng):
    """Differences of late tokens on one plane, for the V of figure 6, scaled to length 1."""
    rates, T = (np.real(part) for part in np.linalg.eig(FIGURE_6))
    order = np.argsort(-rates)
    rates, T = rates[order], T[:, order]
    c = np.linalg.solve(T, rng.uniform(-5, 5, (12, 2)).T).T
    z = diagonal_run(c, [12.0], rates=rates, M=T.T @ T)[-1] @ T.T
    first = z @ classify(FIGURE_6, 2).left[0]
    mine = z[first > 0] if (first > 0).sum() > 1 else z[first <= 0]
    apart = mine[1:] - mine[0]
    return apart / np.linalg.norm(apart, axis=1, keepdims=True)


def normal_trial(which):
    def trial(rng):
        V = classify(FIGURE_6, 2)
        normal = V.right[:, 0] if which == "printed" else V.left[0] / np.linalg.norm(V.left[0])
        tilt = float(np.abs(within_planes(rng) @ normal).max())
        return Trial(tilt / 0.01, 12.0, f"V of figure 6: tokens of one plane differ by {tilt:.3f} along this direction")

    return trial


def caption_trial(value):
    def trial():
        spectrum = np.linalg.eigvals(FIGURE_13)
        ratio = stated(lambda by: float(np.abs(spectrum - by * value).min() / 0.01))
        return Trial(ratio, 0.0, f"eigenvalues are {np.round(spectrum, 4).tolist()}, none near {value}")

    return trial
