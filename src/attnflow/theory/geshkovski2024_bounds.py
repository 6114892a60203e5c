"""Quantitative statements of arXiv 2312.10794, four of them false as printed: (3.7), (6.8), (D.8), theorem 9.2."""

from __future__ import annotations

import numpy as np

from ..attention import Softmax
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import beta_of, equal_masses, on_sphere, positive_multiple, values
from .equiangular import cosine, rate
from .geshkovski2024_rest import sphere_velocity
from .pairs import directions, extremes, some_times
from .search import Trial, falsifier, fixed, hunted, random_trials, sphere_run, unit
from .sharp_configurations import (
    cell_600,
    cross_polytope,
    descend,
    design_strength,
    energy,
    icosahedron,
    inner_products,
    is_sharp,
    polygon,
    simplex,
)

PAPER = "arXiv 2312.10794"


# ---- (6.8) -----------------------------------------------------------------------------------------------------------


def _first_slopes(beta, power):
    """Two tokens at 60° to their limit: how fast 1 − α falls, against the rate the bound promises from α = 1/2 on."""
    rho = -0.5
    alpha_speed = rate(rho, n=2, beta=beta) / (4 * np.sqrt((1 + rho) / 2))
    return alpha_speed / 0.5, 1 / (2 * 2 * np.exp(power * beta))


def _rate_trial(power):
    def trial(rng):
        beta = float(rng.uniform(0.0, 12.0))
        real, promised = _first_slopes(beta, power)
        return Trial(
            promised / real,
            np.inf,
            f"n = 2, <x₁, x₂> = −1/2, β = {beta:.3f}: real rate {real:.3g} below {promised:.3g}",
        )

    return trial


hunted(
    "geshkovski2024.rate6.8",
    f"{PAPER}, (6.8)",
    "1 − α ≤ ½ exp(−(t − t₀)/(2n e^{β})) once α = min <x_i, x*> ≥ 1/2.",
    random_trials(_rate_trial(1.0), 20),
    random_trials(_rate_trial(2.0), 20),
    corrected="the exponent has e^{2β}, as in (6.7)",
)


# ---- (D.8) -----------------------------------------------------------------------------------------------------------


def late_bound(t, *, n: int, beta: float):
    r"""$\tfrac12\exp\big(\frac{n^2e^\beta}{2(n+e^{\beta/2})}-\frac{nt}{n+e^{\beta/2}}\big)$."""
    width = n + np.exp(beta / 2)
    return 0.5 * np.exp(n**2 * np.exp(beta) / (2 * width) - n * np.asarray(t) / width)


def _late_trial(late: bool):
    def trial(rng):
        n, beta = int(rng.integers(2, 5)), float(rng.choice([0.0, rng.uniform(0, 1.5)]))
        first = n * np.exp(beta) / 2 if late else 0.0
        ts = first + np.array([0.0, 0.1, 1.0, 5.0])
        ratio = (1 - cosine(ts, n=n, beta=beta)) / late_bound(ts, n=n, beta=beta)
        k = int(np.argmax(ratio))
        return Trial(
            float(ratio[k]), float(ts[-1]), f"n = {n}, β = {beta:.3g}, t = {ts[k]:.3g}: 1 − ρ exceeds the bound"
        )

    return trial


hunted(
    "geshkovski2024.boundD.8",
    f"{PAPER}, (D.8)",
    "1 − ρ(t) ≤ ½ exp(n²e^β/(2(n+e^{β/2})) − nt/(n+e^{β/2})) for all t ≥ 0.",
    random_trials(_late_trial(False), 20),
    random_trials(_late_trial(True), 20),
    corrected="only for t ≥ n e^β/2",
)


# ---- theorem 9.2 -----------------------------------------------------------------------------------------------------


def _converse():
    x = cell_600()
    m, strength = len(inner_products(x)), design_strength(x)
    words = (
        f"600-cell: minimises for every β, has {m} inner products, but is a design of strength {strength} < {2 * m - 1}"
    )
    return Trial((2 * m - 1) / strength, 0.0, words)


def _direct_trial(rng):
    """Sharp sets against random descents: no other set may have less energy."""
    x = [simplex(2), simplex(3), cross_polytope(2), cross_polytope(3), polygon(5), icosahedron()][int(rng.integers(6))]
    beta, (n, d) = float(rng.uniform(0.2, 8)), x.shape
    best, least = descend(rng.normal(size=(n, d)), beta), energy(x, beta)
    return Trial(
        1 + (least - best) / least - 1e-8,
        0.0,
        f"n = {n}, d = {d}, β = {beta:.3f}: energy {best} below {least}",
        is_sharp(x),
    )


hunted(
    "geshkovski2024.theorem9.2",
    f"{PAPER}, theorem 9.2",
    "A global minimiser of the energy for every β is a sharp configuration.",
    fixed(_converse),
    random_trials(_direct_trial, 8),
    corrected="the converse: sharp configurations are global minimisers for every β (Cohn and Kumar)",
    kind="theorem",
)


# ---- theorem 6.9 -----------------------------------------------------------------------------------------------------


def growth_constant(beta: float, model: str = "SA") -> float:
    r"""$\log c$: $10\max(1,\beta)$ for SA, $10\beta e^{2\beta}$ for USA."""
    return 10 * max(1.0, beta) if model == "SA" else 10 * beta * float(np.exp(2 * beta))


def log_margin(d: float, *, n: int, beta: float, model: str = "SA") -> float:
    r"""$\log\frac{d/\log d}{16c^2/\rho(1/n)^2}$: the dimension is large enough when it is positive."""
    rho = float(cosine(1 / n, n=n, beta=beta, model=model))  # pyright: ignore[reportArgumentType]
    return float(np.log(d / np.log(d)) - np.log(16) - 2 * growth_constant(beta, model) + 2 * np.log(max(rho, 1e-300)))


def concentration_bound(t, *, d: float, n: int, beta: float) -> np.ndarray:
    r"""$\min\big(2c^{nt}\sqrt{\log d/d}, \text{(D.15)}\big)$ for SA; the second only for $t\ge ne^\beta/2$."""
    t = np.asarray(t, float)
    first = np.exp(np.minimum(np.log(2) + growth_constant(beta) * n * t + 0.5 * np.log(np.log(d) / d), 700.0))
    rho = float(cosine(1 / n, n=n, beta=beta))
    second = np.exp((1 - rho * t) / (2 * n * np.exp(2 * beta))) + late_bound(t, n=n, beta=beta)
    return np.where(t >= n * np.exp(beta) / 2, np.minimum(first, second), first)


def concentration_hypotheses(flow, mu):
    if not on_sphere(flow, mu, (Softmax,)) or mu.n < 2 or mu.d < mu.n:
        return []
    beta = beta_of(flow, mu.d)
    if np.isnan(beta) or beta < 0:
        return []
    return [
        positive_multiple("V", values(flow, mu.d)),
        Hypothesis("d/log d ≥ 16c²/ρ(1/n)² with c = e^{10 max(1, β)}", log_margin(mu.d, n=mu.n, beta=beta)),
        equal_masses(mu),
    ]


def concentration_predict(flow, mu):
    return Prediction("geshkovski2024.theorem6.9", "uniform tokens follow the equiangular clock, all pairs alike")


def concentration_check(run):
    x, (n, d) = directions(run.x), run.x.shape[1:]
    some, beta = some_times(len(run.ts), n), beta_of(run.flow, d)
    ts = (np.asarray(run.ts, float)[some] - float(run.ts[0])) * float(values(run.flow, d)[0, 0])
    rho = cosine(ts, n=n, beta=beta)
    off = np.array([max(abs(end - r) for end in extremes(x[k])) for k, r in zip(some, rho)])
    over = float((off / concentration_bound(ts, d=d, n=n, beta=beta)).max())
    words = "pairs are within the (loose) bound of the equiangular clock"
    return Check("geshkovski2024.theorem6.9", over <= 1, words, {"largest": float(off.max()), "over_bound": over})


def _concentration_trial(rng):
    """Uniform tokens of a huge dimension, through their Gram matrix: only that matters when B = V = I."""
    n, beta, d = int(rng.integers(2, 4)), float(rng.uniform(0, 0.9)), 10.0 ** float(rng.uniform(13.5, 18))
    off = rng.normal(size=(n, n)) / np.sqrt(d)
    x = np.linalg.cholesky(np.eye(n) + np.tril(off, -1) + np.tril(off, -1).T)
    ts = np.concatenate([np.linspace(0, 0.3, 7), np.linspace(0.5, n * np.exp(beta) + 6, 12)])
    y = sphere_run(x, ts, beta=beta)
    rho = cosine(ts, n=n, beta=beta)
    apart = [np.abs((z @ z.T)[np.tril_indices(n, -1)] - r).max() for z, r in zip(y, rho)]
    ratio = float((np.array(apart) / concentration_bound(ts, d=d, n=n, beta=beta)).max())
    is_inside = log_margin(d, n=n, beta=beta) >= 0
    return Trial(ratio, float(ts[-1]), f"n = {n}, β = {beta:.3f}, d = {d:.3g}", is_inside)


register(
    Claim(
        "geshkovski2024.theorem6.9", f"{PAPER}, theorem 6.9 and (D.15)",
        "For d ≥ d*(n, β), uniform starts: |<x_i, x_j> − ρ(t)| ≤ min(2c^{nt}√(log d/d), Ce^{−λt}) "
        "with probability ≥ 1 − 2n²d^{−1/64}.",
        concentration_hypotheses, concentration_predict, concentration_check,
        falsifier("geshkovski2024.theorem6.9", printed=random_trials(_concentration_trial, 8)),
    )
)  # fmt: skip


# ---- (3.7) -----------------------------------------------------------------------------------------------------------


def _field_trial(which):
    def trial(rng):
        n, d, beta, h = int(rng.integers(2, 6)), int(rng.integers(2, 4)), float(rng.uniform(1.5, 6)), 1e-6
        x = unit(rng, n, d)

        def value(y):
            total = np.exp(beta * (x @ y)).mean()
            return np.log(total / beta) if which == "printed" else np.log(total) / beta

        slope = np.array([(value(x[0] + h * e) - value(x[0] - h * e)) / (2 * h) for e in np.eye(d)])
        slope = slope - (slope @ x[0]) * x[0]
        v = sphere_velocity(x, beta=beta)[0]
        off = float(np.linalg.norm(slope - v) / max(np.linalg.norm(v), 1e-3))
        return Trial(off / 1e-4, 0.0, f"β = {beta:.3f}: the gradient is {1 + off:.3f} times the field, relative to |v|")

    return trial


hunted(
    "geshkovski2024.field3.7",
    "arXiv 2312.10794, (3.7)",
    "The SA field is ∇ log(β⁻¹ ∫ e^{β<x,y>} dμ(y)).",
    random_trials(_field_trial("printed"), 5),
    random_trials(_field_trial("corrected"), 5),
    corrected="β⁻¹∇ log ∫ e^{β<x,y>} dμ(y): inside the logarithm β⁻¹ has no effect",
)
