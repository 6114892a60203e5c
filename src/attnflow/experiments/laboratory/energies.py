"""Open questions on energies: uniqueness of minimisers, best configurations, convexity along geodesics; and on cost."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from ...engine.attention import Softmax
from ...engine.flow import Flow
from ...engine.measures import Particles
from ...engine.measures.initial import cross_polytope, icosahedron, simplex, uniform_sphere
from ...engine.spaces import Sphere
from ...papers.independent import unit
from ...theory.mobility import transport_distance
from ...theory.reduction.reduce import reduce
from .experiment import Conjecture, Quantity, Result

SHARP = {4: lambda: simplex(3), 6: lambda: cross_polytope(3), 12: icosahedron}


def strict_trial(seed: int, *, d: int, ratio: float):
    """Smallest eigenvalue of the kernel e^{⟨x,By⟩} on measures of total mass zero, over its mean eigenvalue."""
    rng = np.random.default_rng(seed)
    q, _ = np.linalg.qr(rng.normal(size=(d, d)))
    B = q @ np.diag(np.linspace(1, ratio, d)) @ q.T
    x, m = unit(rng, 6, d), 6
    K = np.exp(x @ B @ x.T)
    centred = np.eye(m) - 1 / m
    values = np.linalg.eigvalsh(centred @ K @ centred)
    least = values[1]
    return float(least <= 0), float(np.log10(max(least, 1e-300) / values.mean()))


def configuration_trial(seed: int, *, n: int, beta: float):
    """Whether one descent of Σ e^{β⟨x_i,x_j⟩} on S² reaches the sharp configuration, and by how much it misses."""
    rng = np.random.default_rng(seed)

    def energy(flat):
        y = flat.reshape(n, 3)
        size = np.linalg.norm(y, axis=1, keepdims=True)
        u = y / size
        K = np.exp(beta * (u @ u.T - 1))
        g = 2 * beta * K @ u
        return K.sum(), ((g - np.sum(g * u, axis=1, keepdims=True) * u) / size).ravel()

    best = energy(np.asarray(SHARP[n]().x, float).ravel())[0]
    options = {"maxiter": 2000, "ftol": 1e-15, "gtol": 1e-10}
    found = minimize(energy, unit(rng, n, 3).ravel(), jac=True, method="L-BFGS-B", options=options)
    excess = float(found.fun / best - 1)
    return float(excess < 1e-8), float(excess < -1e-10), excess


def convexity_trial(seed: int, *, pieces: int):
    """Smallest second difference of the energy along a computed geodesic of the twisted distance on the circle."""
    rng = np.random.default_rng(seed)
    angles = [np.sort(rng.uniform(-0.7, 0.7, 3)) + rng.uniform(-0.5, 0.5) for _ in range(2)]
    mu0, mu1 = (Particles(np.stack([np.cos(a), np.sin(a)], axis=1)) for a in angles)
    path = transport_distance(mu0, mu1, B=1.0, intervals=16, pieces=pieces)
    energies = np.array([path.mass @ np.exp(x @ x.T) @ path.mass / 2 for x in path.x])
    second = np.diff(energies, 2) * 16**2
    scale = max(path.distance**2, 1e-12)
    # The discretisation of the path blurs second differences by about the error of its distance.
    blur = 16**2 * path.error * path.distance / scale
    return float(second.min() / scale < -max(blur, 1e-3)), float(second.min() / scale)


def cost_trial(seed: int, *, error: float):
    """The speed-up of the cheapest reduced model within an error, for 48 tokens on the circle at β = 4."""
    found = reduce(Flow(Sphere(), Softmax(beta=4.0)), uniform_sphere(48, 2, seed=seed % 2**31), until=4.0, error=error)
    return found.speedup, found.error


def _strict(r: Result) -> str:
    e = r.estimate(0)
    told = (
        "The kernel was strictly positive on zero-mean measures"
        if e.value == 0
        else f"Not positive in a share of {e.words}"
    )
    least = np.nanmin(r.values[..., 1])
    return (f"{told} in {e.count} trials of six random points (smallest eigenvalue down to 1e{least:.0f} of the mean): no "
            "sign of two minimisers for B > 0.")  # fmt: skip


def _configurations(r: Result) -> str:
    e, beaten = r.estimate(0), r.estimate(1)
    told = "none found less energy" if beaten.value == 0 else f"LESS ENERGY in a share of {beaten.words}"
    return f"A share of {e.words} of {e.count} descents reached the simplex, octahedron or icosahedron; {told}."


def _convexity(r: Result) -> str:
    e = r.estimate(0)
    told = (
        "No second difference was negative beyond the blur of the path"
        if e.value == 0
        else f"Negative beyond the blur in a share of {e.words}"
    )
    return (f"{told} in {e.count} geodesics between three atoms on an arc (B = I); the smallest, per squared distance, was "
            f"{np.nanmin(r.values[..., 1]):.3g}. Paths are upper bounds, so a negative value is a hint, no proof.")  # fmt: skip


def _cost(r: Result) -> str:
    told = [f"{r.estimate(0, k).value:.3g}× at error {c['error']:g}" for k, c in enumerate(r.conjecture.cases)]
    return f"Mean speed-up of the cheapest model within the allowed error: {', '.join(told)} (n = 48, β = 4, t = 4)."


ENERGIES = (
    Conjecture(
        "minimisers", "Is the minimiser of the energy unique for B > 0?", "Burger et al. 2025 (arXiv 2501.03096)",
        "Unique where the kernel is strictly positive definite on measures of mass zero.",
        "Smallest eigenvalue of the kernel on zero-mean weights of six random points, for growing ratios of B's eigenvalues.",
        "d and ratio", tuple({"d": d, "ratio": r} for d in (2, 3, 4) for r in (1.0, 10.0)), strict_trial,
        (Quantity("not positive", is_share=True), Quantity("log₁₀ of smallest eigenvalue")), _strict, 100,
    ),
    Conjecture(
        "configurations", "Which n points minimise the energy on S²?", "Burger et al. 2025 (arXiv 2501.03096)",
        "Sharp configurations minimise it for every β (Cohn and Kumar 2007).",
        "Descents from random starts against simplex, octahedron and icosahedron.",
        "n and β", tuple({"n": n, "beta": b} for n in (4, 6, 12) for b in (1.0, 10.0)), configuration_trial,
        (Quantity("reaches it", is_share=True), Quantity("beats it", is_share=True), Quantity("excess")), _configurations, 15,
    ),
    Conjecture(
        "convexity", "Is the energy convex along geodesics of the twisted distance?", "Castin et al. 2025; Burger et al. 2025",
        "Not known, even locally.", "Second differences of the energy along computed geodesics between random atoms on an arc.",
        "pieces", ({"pieces": 12},), convexity_trial,
        (Quantity("negative", is_share=True), Quantity("smallest second difference")),
        _convexity, 5,
    ),
    Conjecture(
        "cost", "Can the cost n² be spared?", "Geshkovski, talk: possible reduction of the complexity",
        "Clusters are few at late times.", "The cheapest reduced model within an error (`attnflow reduce`).",
        "error", tuple({"error": e} for e in (0.02, 0.1, 0.3)), cost_trial,
        (Quantity("speed-up", is_log=True), Quantity("error")),
        _cost, 2,
    ),
)  # fmt: skip
