"""Random scenarios of the kinds that claims speak of, with every number written out."""

from __future__ import annotations

from typing import Any

import numpy as np

SHAPES = ((5, 2), (4, 3))
"""Numbers of tokens and dimensions: few, since every shape is compiled once per worker."""
LINE = (5, 1)
MOTIONS = ("sphere", "sphere", "sphere", "euclidean", "rescaled", "law")
RULES = {
    "sphere": ("softmax", "softmax", "unnormalised", "causal", "heads", "scheme", "hardmax"),
    "euclidean": ("softmax", "softmax", "unnormalised", "causal", "linear", "sinkhorn"),
    "rescaled": ("softmax",),
    "law": ("softmax", "l2", "sinkhorn"),
}
SCHEMES = ("pre_ln", "peri_ln", "ngpt", "sqrt_ln")
UNTIL = 5.0
"""On the sphere; in R^d, where tokens may grow like e^{t|V|}, a fifth of that."""


def scenario_table(draws) -> dict[str, Any]:
    """A random scenario; `draws` remembers what fell, so that its numbers can be moved."""
    motion = _one(draws, MOTIONS)
    shapes = SHAPES if motion == "sphere" else (*SHAPES, LINE)
    n, d = shapes[int(draws.integers(len(shapes)))]
    rule = _one(draws, RULES[motion])
    B = _matrix(draws, d, _one(draws, ("identity", "identity", "positive", "symmetric", "any")))
    V = _values(draws, B)
    beta = float(np.exp(draws.uniform(np.log(0.05), np.log(50.0 if motion == "sphere" else 3.0))))
    return {
        "tokens": _law(draws, d) if motion == "law" else _tokens(draws, n, d, motion),
        "attention": _attention(draws, rule, B, beta),
        "flow": _flow(draws, motion, rule, V),
        "time": {"until": UNTIL if motion == "sphere" else UNTIL / 5, "save": 33, "tol": 1e-9, "max_steps": 20000},
    }


def _one(draws, kinds):
    return kinds[int(draws.integers(len(kinds)))]


def _matrix(draws, d, kind) -> np.ndarray:
    if kind == "identity":
        return np.eye(d)
    M = np.asarray(draws.normal(size=(d, d)))
    return {"positive": M @ M.T / d + 0.1 * np.eye(d), "symmetric": (M + M.T) / 2, "any": M}[kind]


def _values(draws, B) -> np.ndarray:
    """V: a multiple of the identity or of B, or any matrix."""
    kind, sign = _one(draws, ("multiple", "multiple", "score", "positive", "symmetric", "any")), _one(draws, (1, 1, -1))
    size = float(np.exp(draws.uniform(-1, 1))) if int(draws.integers(2)) else 1.0
    if kind in ("multiple", "score"):
        return sign * size * (np.eye(len(B)) if kind == "multiple" else B)
    return sign * _matrix(draws, len(B), kind)


def _tokens(draws, n, d, motion) -> dict[str, Any]:
    """Clouds, caps, two groups, orthogonal directions; sometimes with masses."""
    kind, z = _one(draws, ("cloud", "cloud", "cap", "groups", "frame")), np.asarray(draws.normal(size=(n, d)))
    side = np.where(np.arange(n)[:, None] % 2, 1.0, -1.0)
    x = {
        "cloud": z,
        "cap": np.eye(d)[0] + 0.5 * z,
        "groups": side * np.eye(d)[0] + 0.05 * z,
        "frame": np.eye(min(n, d), d),
    }[kind]
    x = x / np.linalg.norm(x, axis=1, keepdims=True) if motion == "sphere" else x
    weights = {} if int(draws.integers(3)) else {"mass": np.asarray(draws.dirichlet(np.ones(len(x)))).tolist()}
    return {"kind": "array", "x": x.tolist()} | weights


def _law(draws, d) -> dict[str, Any]:
    L = np.asarray(draws.normal(size=(d, int(draws.integers(1, d + 1)))))
    return {"kind": "law", "d": d, "mean": np.asarray(draws.normal(size=d)).tolist(), "cov": (L @ L.T / d).tolist()}


def _attention(draws, rule, B, beta) -> dict[str, Any]:
    scores = {"beta": beta, "B": B.tolist()}
    match rule:
        case "heads":
            other = _matrix(draws, len(B), "any")
            return {"heads": [{"rule": "softmax", "V": V.tolist()} | scores for V in (np.eye(len(B)), other)]}
        case "causal":
            return {"rule": "softmax", "causal": True} | scores
        case "sinkhorn":
            return {"rule": "sinkhorn", "B": B.tolist(), "eps": max(0.2, 1 / beta)}
        case "hardmax":
            return {"rule": "hardmax", "B": B.tolist(), "others": True}
        case "unnormalised":
            return (
                {"rule": rule} | scores | ({"scale": "shifted"} if int(draws.integers(2)) else {"beta": min(beta, 3.0)})
            )
        case "l2":
            return {"rule": rule, "beta": beta, "Q": B.tolist(), "K": (B if int(draws.integers(2)) else -B).tolist()}
    return {"rule": "softmax" if rule == "scheme" else rule} | scores


def _flow(draws, motion, rule, V) -> dict[str, Any]:
    V = {} if rule == "heads" else {"V": V.tolist()}
    scheme = {"normalisation": _one(draws, SCHEMES)} if rule == "scheme" else {}
    return {"space": "sphere" if motion == "sphere" else "euclidean"} | V | scheme | (
        {"rescaled": True} if motion == "rescaled" else {}
    )  # fmt: skip
