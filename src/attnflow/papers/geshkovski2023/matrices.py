"""The value matrices of the figures: digit by digit, or drawn as the authors draw them."""

import numpy as np

FIGURE_6 = np.array([[0.64709742, 0.81911926], [0.61210449, 0.63263484]])
FIGURE_7 = np.array(
    [[0.92761287, 0.94333073, 0.3827744], [0.94333073, 0.59991396, 0.47825472], [0.3827744, 0.47825472, 0.46668605]]
)
FIGURE_13 = np.array(
    [[0.18608476, 0.34391026, 0.13905949], [0.35244288, 0.6694859, 0.39992145], [0.46685606, 0.17094454, 0.42092308]]
)
FIGURE_14 = np.array(
    [[0.2362413, 0.0599536, 0.40506019], [0.81321448, 0.49948705, 0.33754772], [0.2160645, 0.38505272, 0.14588075]]
)


def sparse_values(d: int, rng) -> np.ndarray:
    """A symmetric sparse matrix (density 0.1) whose eigenvalues are pushed into ±[1, 2], keeping their signs."""
    M = rng.normal(size=(d, d)) * (rng.random((d, d)) < 0.1)
    eigenvalues, vectors = np.linalg.eigh((M + M.T) / 2)
    size = np.abs(eigenvalues)
    moved = np.sign(eigenvalues) * (1 + (size - size.min()) / np.ptp(size))
    return vectors * moved @ vectors.T
