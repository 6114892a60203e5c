"""Printed remarks of arXiv 2305.05465 that a computation contradicts: the normal of the planes, an eigenvalue."""

from __future__ import annotations

import numpy as np

from .search import Trial, diagonal_run, fixed, hunted, random_trials
from .value_matrix import classify

FIGURE_6 = np.array([[0.64709742, 0.81911926], [0.61210449, 0.63263484]])
FIGURE_13 = np.array(
    [[0.18608476, 0.34391026, 0.13905949], [0.35244288, 0.6694859, 0.39992145], [0.46685606, 0.17094454, 0.42092308]]
)


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


def _normal_trial(which):
    def trial(rng):
        V = classify(FIGURE_6, 2)
        normal = V.right[:, 0] if which == "printed" else V.left[0] / np.linalg.norm(V.left[0])
        tilt = float(np.abs(within_planes(rng) @ normal).max())
        return Trial(tilt / 0.01, 12.0, f"V of figure 6: tokens of one plane differ by {tilt:.3f} along this direction")

    return trial


hunted(
    "geshkovski2023.normal",
    "arXiv 2305.05465, figure 6",
    "The limiting hyperplanes are perpendicular to φ₁.",
    random_trials(_normal_trial("printed"), 2),
    random_trials(_normal_trial("corrected"), 2),
    corrected="to the dual vector φ₁*, which is φ₁ only for symmetric V",
)


def _caption_trial(value):
    def trial():
        spectrum = np.linalg.eigvals(FIGURE_13)
        off = float(np.abs(spectrum - value).min())
        return Trial(off / 0.01, 0.0, f"eigenvalues are {np.round(spectrum, 4).tolist()}, none near {value}")

    return trial


hunted(
    "geshkovski2023.figure13",
    "arXiv 2305.05465, figure 13",
    "V of figure 13 has the eigenvalue 1 − 0.08i.",
    fixed(_caption_trial(1 - 0.08j)),
    fixed(_caption_trial(0.1 - 0.08j)),
    corrected="0.1 − 0.08i",
)
