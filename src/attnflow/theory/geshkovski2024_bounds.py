"""Quantitative statements of arXiv 2312.10794, three of them false as printed: (6.8), (D.8), theorem 9.2."""

from __future__ import annotations

import numpy as np

from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import beta_of, cosines, on_sphere, positive_multiple, values
from .equiangular import cosine, rate
from .search import Trial, falsifier, fixed, random_trials
from .sharp_configurations import (
    cell_600,
    cross_polytope,
    design_strength,
    icosahedron,
    inner_products,
    is_sharp,
    polygon,
    simplex,
)

PAPER = "arXiv 2312.10794"


def _about_no_flow(flow, mu):
    return []


def _nothing(key):
    return lambda flow, mu: Prediction(key, "not about a single run")


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


register(
    Claim(
        "geshkovski2024.rate6.8", f"{PAPER}, (6.8)",
        "1 − α ≤ ½ exp(−(t − t₀)/(2n e^{β})) once α = min <x_i, x*> ≥ 1/2.",
        _about_no_flow, _nothing("geshkovski2024.rate6.8"), None,
        falsifier(
            "geshkovski2024.rate6.8", printed=random_trials(_rate_trial(1.0), 20),
            corrected=random_trials(_rate_trial(2.0), 20),
        ),
        corrected="the exponent has e^{2β}, as in (6.7)", kind="lemma",
    )
)  # fmt: skip


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


register(
    Claim(
        "geshkovski2024.boundD.8", f"{PAPER}, (D.8)",
        "1 − ρ(t) ≤ ½ exp(n²e^β/(2(n+e^{β/2})) − nt/(n+e^{β/2})) for all t ≥ 0.",
        _about_no_flow, _nothing("geshkovski2024.boundD.8"), None,
        falsifier(
            "geshkovski2024.boundD.8", printed=random_trials(_late_trial(False), 20),
            corrected=random_trials(_late_trial(True), 20),
        ),
        corrected="only for t ≥ n e^β/2", kind="lemma",
    )
)  # fmt: skip


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
    from scipy.optimize import minimize

    x = [simplex(2), simplex(3), cross_polytope(2), cross_polytope(3), polygon(5), icosahedron()][int(rng.integers(6))]
    beta = float(rng.uniform(0.2, 8))
    n, d = x.shape

    def energy(v):
        y = v.reshape(n, d)
        size = np.linalg.norm(y, axis=1, keepdims=True)
        y = y / size
        w = np.exp(beta * (y @ y.T - 1))
        g = 2 * beta * w @ y / n**2
        return w.mean(), ((g - (g * y).sum(axis=1, keepdims=True) * y) / size).ravel()

    best = minimize(energy, rng.normal(size=n * d), jac=True, method="L-BFGS-B", options={"gtol": 1e-12}).fun
    least = energy(x.ravel())[0]
    return Trial(
        1 + (least - best) / least - 1e-8,
        0.0,
        f"n = {n}, d = {d}, β = {beta:.3f}: energy {best} below {least}",
        is_sharp(x),
    )


register(
    Claim(
        "geshkovski2024.theorem9.2", f"{PAPER}, theorem 9.2",
        "A global minimiser of the energy for every β is a sharp configuration.",
        _about_no_flow, _nothing("geshkovski2024.theorem9.2"), None,
        falsifier("geshkovski2024.theorem9.2", printed=fixed(_converse), corrected=random_trials(_direct_trial, 8)),
        corrected="the converse: sharp configurations are global minimisers for every β (Cohn and Kumar)",
    )
)  # fmt: skip


# ---- theorem 6.9 -----------------------------------------------------------------------------------------------------


def concentration_hypotheses(flow, mu):
    if not on_sphere(flow, mu) or mu.n < 2 or mu.d < mu.n:
        return []
    beta = beta_of(flow, mu.d)
    if np.isnan(beta) or beta < 0:
        return []
    c = np.exp(10 * max(1.0, beta))
    rho = float(cosine(1 / mu.n, n=mu.n, beta=beta))
    margin = np.log(mu.d / np.log(mu.d)) - np.log(16) - 2 * np.log(c) + 2 * np.log(max(rho, 1e-300))
    return [
        positive_multiple("V", values(flow, mu.d)),
        Hypothesis("d/log d ≥ 16c²/ρ(1/n)² with c = e^{10 max(1, β)}", float(margin)),
    ]


def concentration_predict(flow, mu):
    return Prediction("geshkovski2024.theorem6.9", "uniform tokens follow the equiangular clock, all pairs alike")


def concentration_check(run):
    x, d = cosines(run), run.x.shape[-1]
    n, beta = run.x.shape[1], beta_of(run.flow, run.x.shape[-1])
    rho = cosine(np.asarray(run.ts), n=n, beta=beta)
    off = np.abs(x[:, ~np.eye(n, dtype=bool)] - rho[:, None]).max(axis=1)
    bound = 2 * np.exp(10 * max(1, beta) * n * np.minimum(np.asarray(run.ts), 50)) * np.sqrt(np.log(d) / d)
    return Check(
        "geshkovski2024.theorem6.9",
        bool((off <= bound).all()),
        "pairs are within the (loose) bound",
        {"largest": float(off.max())},
    )


register(
    Claim(
        "geshkovski2024.theorem6.9", f"{PAPER}, theorem 6.9",
        "For d ≥ d*(n, β), uniform starts: |<x_i, x_j> − ρ(t)| ≤ min(2c^{nt}√(log d/d), Ce^{−λt}) "
        "with probability ≥ 1 − 2n²d^{−1/64}.",
        concentration_hypotheses, concentration_predict, concentration_check,
    )
)  # fmt: skip
