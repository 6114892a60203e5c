"""Published figures that are a run, as scenarios: the flow, the times and, where it is small, the very start drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...papers.castin2025.figures import weights
from ...papers.geshkovski2023.matrices import FIGURE_6, FIGURE_7, FIGURE_13, FIGURE_14, sparse_values
from ...theory.sphere.staircase import START

Table = dict[str, Any]


def _run(title: str, tokens: Table, attention: Table, flow: Table, time: Table, seed: int = 0) -> Table:
    return {"title": title, "seed": seed, "tokens": tokens, "attention": attention, "flow": flow, "time": time}


def _rows(x) -> Table:
    return {"kind": "array", "x": np.asarray(x, float).tolist()}


def _cube(n: int, d: int, size: float = 5.0) -> np.ndarray:
    return np.random.default_rng(0).uniform(-size, size, (n, d))


def _scores() -> list:
    return np.random.default_rng(1).uniform(-1, 1, (3, 3)).tolist()


def _rescaled(
    title: str, n: int, d: int, *, V: Any = 1.0, until: float, B: Any = None, size: float = 5.0, x: Any = None, **time
) -> Table:
    rule = {"rule": "softmax", "beta": 1.0} | ({} if B is None else {"B": B})
    flow = {"space": "euclidean", "V": V, "rescaled": True}
    return _run(title, _rows(_cube(n, d, size) if x is None else x), rule, flow, {"until": until, "save": 121} | time)


def _queries_and_keys() -> Table:
    M, N = np.random.default_rng(0).uniform(-1, 1, (2, 2, 2))
    title, V, B = "Few keys are heard in the end", (M @ M.T).tolist(), (N @ N.T).tolist()
    return _rescaled(title, 20, 2, V=V, B=B, until=9.0, size=1.0)


def _many_dimensions(n: int = 48, d: int = 32) -> Table:
    """In the eigenbasis of V, with the method of the figure."""
    eigenvalues, vectors = np.linalg.eigh(sparse_values(d, np.random.default_rng(0)))
    x, V = _cube(n, d, 0.5) @ vectors, {"diagonal": eigenvalues.tolist()}
    title = "Many dimensions: coordinates of positive eigenvalues cluster"
    return _rescaled(title, n, d, V=V, until=15.0, x=x, save=61, tol=1e-4, method="tsit5")


def _on_sphere(title: str, n: int = 1000, *, beta: float, V: Any, until: float, tokens: Table | None = None) -> Table:
    given = tokens or {"kind": "sphere", "n": n, "d": 3}
    return _run(title, given, {"rule": "softmax", "beta": beta}, {"V": V}, {"until": until, "save": 121, "tol": 1e-6})


def _circle(angles) -> Table:
    return _rows(np.stack([np.cos(angles), np.sin(angles)], axis=1))


def _two_temperatures(beta: float) -> Table:
    angles = np.random.default_rng(0).uniform(0, 2 * np.pi, (20, 32))[0]
    rule = {"rule": "softmax", "beta": beta}
    return _run(f"Tokens on the circle, β = {beta:g}", _circle(angles), rule, {}, {"until": 30.0, "save": 121})


def _one_cluster() -> Table:
    x = np.random.default_rng(0).normal(size=(64, 3))
    tokens = _rows(x / np.linalg.norm(x, axis=1, keepdims=True))
    rule = {"rule": "softmax", "beta": 1.0}
    return _run("Tokens on the sphere become one cluster", tokens, rule, {}, {"until": 15.0})


def _causal() -> Table:
    angles = np.random.default_rng(0).uniform(-np.pi, np.pi, 100)
    times = [0.0, *np.geomspace(0.1, 300.0, 120).tolist()]
    return _run("Causal attention: strong Rényi centres hold still", _circle(angles),
                {"rule": "softmax", "beta": 64.0, "causal": True}, {}, {"until": 300.0, "save": times, "tol": 1e-7})  # fmt: skip


KINETIC = [
    [0.99806638, 0.06215705], [0.97712061, 0.21268594], [-0.24578194, 0.96932515], [-0.97354734, 0.2284854],
    [-0.99892629, -0.04632772],
]  # fmt: skip


def _kinetic() -> Table:
    return _run("Five tokens: a cascade of mergings", _rows(KINETIC), {"rule": "softmax", "beta": 4.0}, {},
                {"until": 400.0, "save": 161, "spacing": 3.0})  # fmt: skip


def _staircase() -> Table:
    # The closed clock of the figure is logarithmic in t; here the flow itself runs, with touching tokens united.
    return _run("The energy climbs a staircase", _circle(START), {"rule": "unnormalised", "beta": 60.0, "scale": "shifted"},
                {}, {"until": 1e8, "save": 201, "spacing": 8.0, "merge": 1e-4})  # fmt: skip


def _at(azimuth: np.ndarray, elevation: np.ndarray) -> np.ndarray:
    level = np.cos(elevation)
    return np.stack([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)], axis=1)


def _collapse() -> Table:
    n, rng, centres = 900, np.random.default_rng(0), np.array([0.3, 2.4, 4.4])
    which = rng.integers(0, 3, n)
    azimuth, elevation = centres[which] + 0.2 * rng.normal(size=n), rng.uniform(-np.pi / 2, np.pi / 2, n)
    return _on_sphere("Collapse to a plane, then clusters sharpen", n, beta=10.0, V={"diagonal": [1.0, 1.0, -1.0]},
                      until=6.0, tokens=_rows(_at(azimuth, elevation)))  # fmt: skip


def _scheme(name: str, title: str, until: float) -> Table:
    tokens = {"kind": "equiangular", "n": 32, "d": 32, "cos": 0.0}
    return _run(f"{title}: orthogonal tokens align", tokens, {"rule": "softmax", "beta": 2.0},
                {"normalisation": name}, {"until": until, "save": 101, "spacing": 2.0})  # fmt: skip


def _pairs(B: list, title: str) -> Table:
    # Ascent on the energy: V = B.
    return _run(title, {"kind": "sphere", "n": 100, "d": 3}, {"rule": "unnormalised", "B": {"diagonal": B}},
                {"V": {"diagonal": B}}, {"until": 40.0, "save": 121, "spacing": 2.0})  # fmt: skip


def _one_or_two() -> Table:
    B = {"diagonal": [1.0, 1.25]}
    return _run("One or two clusters on the circle, B = diag(1, 1.25)", {"kind": "sphere", "n": 100, "d": 2},
                {"rule": "unnormalised", "B": B}, {"V": B}, {"until": 60.0, "save": 121, "spacing": 2.0}, seed=1)  # fmt: skip


def _descent(B: list, title: str) -> Table:
    # Descent on the energy: V = −B.
    return _run(title, {"kind": "sphere", "n": 400, "d": 3}, {"rule": "unnormalised", "B": {"diagonal": B}},
                {"V": {"diagonal": [-b for b in B]}}, {"until": 300.0, "save": 121, "spacing": 3.0, "tol": 1e-6})  # fmt: skip


def _three_scales() -> Table:
    n, rng, centres = 300, np.random.default_rng(0), np.array([0.0, 1.3, 2.85, 4.45])
    azimuth, elevation = (
        centres[rng.integers(0, 4, n)] + 0.2 * rng.normal(size=n),
        rng.uniform(-np.pi / 2, np.pi / 2, n),
    )
    S, times = {"diagonal": [1.0, 1.0, 0.5]}, [0.0, *np.geomspace(0.02, 5000.0, 120).tolist()]
    return _run("Energy over three time scales", _rows(_at(azimuth, elevation)), {"rule": "softmax", "beta": 10.0, "B": S},
                {"V": S}, {"until": 5000.0, "save": times, "tol": 1e-6, "method": "tsit5"})  # fmt: skip


def _gaussian(title: str, tokens: Table, made: weights.Weights, until: float, **time) -> Table:
    rule = {"rule": "softmax", "Q": (made.Q / np.sqrt(2)).tolist(), "K": made.K.tolist()}
    flow = {"space": "euclidean", "V": made.V.tolist()}
    return _run(title, tokens, rule, flow, {"until": until, "save": 81} | time)


def _tokens_in_ellipse() -> Table:
    tokens = {"kind": "gaussian", "n": 512, "d": 2, "mean": [0.5, -0.3], "cov": [[0.9, -0.2], [-0.2, 0.5]]}
    title = "Tokens fill the ellipse of the Gaussian flow"
    return _gaussian(title, tokens, weights.convergence(), 1.5, tol=1e-6, method="dopri5")


def _law(title: str, made: weights.Weights, until: float) -> Table:
    tokens = {"kind": "law", "d": 2, "mean": [0.0, 0.0], "cov": [[0.5, 0.0], [0.0, 0.5]]}
    return _gaussian(title, tokens, made, until)


def _low_temperature() -> Table:
    return _run("Tokens approach the low-temperature target and leave it", {"kind": "circle_nodes", "n": 500},
                {"rule": "softmax", "beta": 64.0, "B": [[0.3, 0.1], [0.2, 1.2]]}, {"V": [[4.0, 0.0], [0.0, 1.6]]},
                {"until": 5.0, "save": 101, "tol": 1e-6})  # fmt: skip


def _noise() -> Table:
    # κ = 2/σ² at 1.8 times the onset for β = 0, κ_c = 2.
    return _run("Noise against attention on the circle", {"kind": "sphere", "n": 600, "d": 2},
                {"rule": "unnormalised", "beta": 0.0}, {"noise": float(np.sqrt(2 / 3.6))},
                {"until": 20.0, "save": 201, "step": 0.02})  # fmt: skip


_LINE = {"diagonal": [1.0, 1.0, -0.5]}
_TURN = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]

PUBLISHED: dict[str, Callable[[], Table]] = {
    "geshkovski2023/1": partial(
        _rescaled, "V = I in space: tokens become the vertices of a polytope", 40, 3, until=10.0
    ),
    "geshkovski2023/3": partial(_rescaled, "40 tokens on the line: two leaders", 40, 1, until=10.0, size=1.0),
    "geshkovski2023/4": _queries_and_keys,
    "geshkovski2023/5": partial(_rescaled, "V = I in the plane: the vertices of a polygon", 40, 2, until=10.0),
    "geshkovski2023/6": partial(
        _rescaled, "A simple dominant eigenvalue: two lines", 40, 2, V=FIGURE_6.tolist(), until=15.0
    ),
    "geshkovski2023/7a": partial(
        _rescaled, "Two positive eigenvalues and a negative one", 40, 3, V=FIGURE_7.tolist(), until=15.0
    ),
    "geshkovski2023/7b": _many_dimensions,
    "geshkovski2023/8": partial(_rescaled, "V = diag(1, 1, −1/2): polytope × line", 40, 3, V=_LINE, until=15.0),
    "geshkovski2023/11": partial(_rescaled, "100 tokens on the line: two leaders", 100, 1, until=10.0, size=1.0),
    "geshkovski2023/13": partial(
        _rescaled, "Complex eigenvalues, positive real part: two points", 25, 3, V=FIGURE_13.tolist(), until=40.0
    ),
    "geshkovski2023/14": partial(
        _rescaled, "Complex eigenvalues, negative real part: rotation", 25, 3, V=FIGURE_14.tolist(), until=40.0
    ),
    "geshkovski2023/16": partial(_rescaled, "V = I, scores that are not positive", 40, 3, B=_scores(), until=5.0),
    "geshkovski2023/17": partial(
        _rescaled, "Polytope × line, scores that are not positive", 40, 3, V=_LINE, B=_scores(), until=15.0
    ),
    "geshkovski2024/4": partial(_two_temperatures, 9.0),
    "geshkovski2024/4 warm": partial(_two_temperatures, 4.0),
    "geshkovski2024/sphere": _one_cluster,
    "karagodin2024/causal": _causal,
    "geshkovski2025/kinetic": _kinetic,
    "geshkovski2025/staircase": _staircase,
    "burger2025/2": _one_or_two,
    "burger2025/3": partial(_descent, [1.0, 1.0, 1.0], "Descent, B = I: tokens spread out"),
    "burger2025/3 b": partial(_descent, [1.0, 0.25, 1.0], "Descent, B = diag(1, 1/4, 1)"),
    "burger2025/3 c": partial(_descent, [1.0, 0.0, 1.0], "Descent, B = diag(1, 0, 1): into the kernel of B"),
    "burger2025/3 d": partial(_descent, [0.0, 0.0, 1.0], "Descent, B = diag(0, 0, 1): into the kernel of B"),
    "burger2025/6": partial(_pairs, [-1.0, -1.0, -1.0], "B = −I: antipodal pairs"),
    "burger2025/6 b": partial(_pairs, [-1.0, -3.0, -4.0], "B = diag(−1, −3, −4): antipodal pairs"),
    "bruno2025/1a": partial(
        _on_sphere,
        "A simple top eigenvalue: two antipodal points",
        beta=30.0,
        V={"diagonal": [1.0, 0.0, -1.0]},
        until=4.0,
    ),
    "bruno2025/1b": partial(_on_sphere, "A complex pair: a great circle that rotates", beta=30.0, V=_TURN, until=8.0),
    "bruno2025/2": _collapse,
    "bruno2025/4": _three_scales,
    "castin2025/tokens": _tokens_in_ellipse,
    "castin2025/anisotropy": partial(_law, "A Gaussian flattens towards blow-up", weights.explosion(), 0.6),
    "castin2025/anisotropy line": partial(_law, "A Gaussian flattens towards a line", weights.two_lines(), 8.0),
    "karagodin2025/schemes": partial(_scheme, "post_ln", "Post-LN", 18.0),
    "karagodin2025/schemes pre": partial(_scheme, "pre_ln", "Pre-LN", 200.0),
    "karagodin2025/schemes peri": partial(_scheme, "peri_ln", "Peri-LN", 200.0),
    "karagodin2025/schemes ngpt": partial(_scheme, "ngpt", "nGPT", 18.0),
    "karagodin2025/schemes sqrt": partial(_scheme, "sqrt_ln", "√t-LN", 60.0),
    "rigollet2025/noise": _noise,
    "alcalde2026/1": _low_temperature,
}
"""Scenarios by `paper/figure`; a word after the figure tells its panels apart."""
