"""Searches for counterexamples to the statements of Burger et al. 2025 (arXiv 2501.03096), over random B."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

import numpy as np

from ..attention import Softmax, Unnormalised
from ..flow import Flow
from ..measures import Particles
from ..spaces import Sphere
from ..steady.circle import circle_minimiser
from ..steady.convex import best_masses, candidates
from ..steady.dissipation import dissipated_power
from ..steady.energy_of import pair_energy, search, unit
from ..steady.find import eigenstates, maximum
from ..steady.funk_hecke import authors_tilt, funk_hecke, perturbed_density, uniform_rates
from ..steady.kernel_descent import kernel_constants, outside_kernel, spread_outside
from ..steady.minimiser import minimiser
from ..steady.peaks import peak_energy, symmetric_peaks
from ..steady.residual import stationarity
from ..steady.stability import pair_is_stable, pair_rates
from ..steady.table import classify
from ..transport import transport_distance
from .claim import Verdict
from .search import Trial, falsifier, random_trials, shown, sphere_run

Statement = Literal["printed", "corrected"]


def random_symmetric(rng, d: int) -> np.ndarray:
    M = rng.normal(size=(d, d)) * rng.choice([0.5, 1.0, 2.0])
    return (M + M.T) / 2


def verdict(
    key: str, ratios: Iterable[tuple[float, str]], seed: int, *, statement: Statement = "corrected", horizon=0.0
):
    """The worst violation ratio of a list of trials, with the example that made it."""
    trials = list(ratios)
    worst, example = max(trials, key=lambda trial: trial[0])
    outcome = "refuted" if worst > 1 else "not refuted"
    return Verdict(f"burger2025.{key}", statement, outcome, len(trials), horizon, float(worst), seed, example)


def _matrices(seed: int, count: int) -> Iterable[tuple[int, np.random.Generator, np.ndarray]]:
    rng = np.random.default_rng(seed)
    for i in range(count):
        yield i, rng, random_symmetric(rng, 2 + i % 3)


def _named(B) -> str:
    return f"B = {np.array2string(np.asarray(B), precision=4, separator=', ').replace(chr(10), '')}"


def dissipation_identity(seed: int, effort: int) -> list[Verdict]:
    """Central difference of E/2 along v against the integral of |v|²/mob; they differ by less than 1e-6."""
    out = []
    for i, rng, B in _matrices(seed, 12 * effort):
        rule, sign = (Softmax, Unnormalised)[i % 2], (-1) ** (i // 2)
        mu = Particles(unit(rng.normal(size=(12, 3))) if len(B) == 3 else unit(rng.normal(size=(12, len(B)))))
        flow = Flow(Sphere(), rule(B=B), V=sign * B)
        out.append((_imbalance(flow, mu, B, sign), _named(B)))
    return [verdict("dissipation", out, seed, statement="printed")]


def _imbalance(flow, mu, B, sign, h=1e-5):
    from ..flow import velocity

    x, mass, v = np.asarray(mu.x, float), np.asarray(mu.mass, float), np.asarray(velocity(flow, mu), float)
    ahead, behind = (pair_energy(B, unit(x + s * h * v), mass) for s in (1, -1))
    power, rate = dissipated_power(flow, mu), sign * (ahead - behind) / (4 * h)
    # Single precision of the velocity, when 64-bit numbers are off, limits the agreement.
    room = 1e-6 if v.dtype == np.float64 and np.asarray(mu.x).dtype == np.float64 else 1e-3
    return abs(power - rate) / (room * max(power, 1e-6))


def nonsymmetric_bounds(seed: int, effort: int) -> list[Verdict]:
    rng, out = np.random.default_rng(seed), []
    for i in range(6 * effort):
        B = rng.normal(size=(2 + i % 2, 2 + i % 2))
        values = np.linalg.eigvalsh((B + B.T) / 2)
        high = search(B, +1, n=5, starts=3, seed=i)[0]
        low = search(B, -1, n=5, starts=3, seed=i)[0]
        below = np.exp(min(values[0], 0.0)) / low
        out.append(
            (max(high / np.exp(np.linalg.norm(B, 2)), below, np.exp(values[-1]) / (high * (1 + 1e-6))), _named(B))
        )
    return [verdict("nonsymmetric", [(r / (1 + 1e-9), e) for r, e in out], seed, statement="printed")]


def maximum_beaten(seed: int, effort: int) -> list[Verdict]:
    """The printed part needs the eigenvalue of largest modulus positive; the corrected form takes every B."""
    out, printed = [], []
    for i, _, B in _matrices(seed, 12 * effort):
        found = search(B, +1, n=2 + i % 7, starts=4, seed=i)[0]
        out.append((found / (maximum(B).energy * (1 + 1e-9)), _named(B)))
        values = np.linalg.eigvalsh(B)
        if values[-1] > -values[0]:
            printed.append((found / (np.exp(values[-1]) * (1 + 1e-9)), _named(B)))
    return [verdict("maximum", printed, seed, statement="printed"), verdict("maximum", out, seed)]


def minimum_beaten(seed: int, effort: int) -> list[Verdict]:
    out = []
    for i, _, B in _matrices(seed, 6 * effort):
        if i % 3 == 0:
            B = B @ B / 2 + 0.05 * np.eye(len(B))
        least = minimiser(B).energy if len(B) < 4 or np.linalg.eigvalsh(B)[0] < 0 else _lower_bound(B)
        found = search(B, -1, n=5, starts=3, seed=i)[0]
        places = candidates(len(B), 200)
        on_grid = pair_energy(B, places, best_masses(B, places)) if np.linalg.eigvalsh(B)[0] > 0 else found
        out.append((least * (1 - 1e-9) / min(found, on_grid), _named(B)))
    return [verdict("minimum", out, seed, statement="printed")]


SPECTRA = {
    "positive definite": (0.05, 2.0), "positive semidefinite": (0.0, 2.0), "indefinite": (-2.0, 2.0),
    "negative semidefinite": (-2.0, 0.0), "negative definite": (-2.0, -0.05),
}  # fmt: skip


def table_beaten(seed: int, effort: int) -> list[Verdict]:
    """Random B of every definiteness: the best energies found by search are those the table names, to 1e-6."""
    rng, out = np.random.default_rng(seed), []
    for i, (kind, (low, high)) in enumerate(list(SPECTRA.items()) * 2 * effort):
        d = 2 + i % 2
        values = np.sort(rng.uniform(low, high, d))
        if kind.endswith("semidefinite"):
            values[0 if low == 0 else -1] = 0.0
        Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
        B = (Q * values) @ Q.T
        if classify(B).definiteness != kind and kind != "indefinite":
            out.append((2.0, f"{kind}: {_named(B)}"))
            continue
        top, least = max(np.exp(values[-1]), np.cosh(values[0])), np.exp(min(values[0], 0.0))
        tries = [search(B, sign, n=3, starts=3, seed=i)[0] for sign in (1, -1)]
        miss = max(abs(tries[0] / top - 1), least / tries[1] - 1, tries[1] / least - 1 if values[0] < 0 else 0.0)
        out.append((miss / 1e-6, f"{kind}: {_named(B)}"))
    return [verdict("table", out, seed, statement="printed")]


def _lower_bound(B):
    return float(funk_hecke(0, np.linalg.eigvalsh(B)[0], len(B)))


def states_rest(seed: int, effort: int) -> list[Verdict]:
    """Residuals of predicted states, with uneven pairs, against 1e-12."""
    out = []
    for _, rng, B in _matrices(seed, 10 * effort):
        z, t = np.linalg.eigh(B)[1][:, 0], rng.random()
        states = [state.measure for state in eigenstates(B)] + [Particles(np.stack([z, -z]), [t, 1 - t])]
        rounding = float(np.finfo(np.asarray(states[0].x).dtype).eps)
        room = 100 * rounding * np.exp(2 * np.linalg.norm(B, 2))
        out.append((max(stationarity(B, mu).worst for mu in states) / room, _named(B)))
    return [verdict("stationary", out, seed, statement="printed")]


def criterion_disagrees(seed: int, effort: int) -> list[Verdict]:
    """The criterion for pairs against the signs of their eigenvalues."""
    rng, count, out = np.random.default_rng(seed), 2000 * effort, []
    for lam, nu, p in zip(1.5 * rng.normal(size=count), 1.5 * rng.normal(size=count), rng.random(count)):
        within, mean = pair_rates(lam, nu, p)
        top = max(within.max(), mean.max())
        agrees = abs(top) < 1e-12 or pair_is_stable(lam, nu, p) == (top < 0)
        out.append((0.0 if agrees else 2.0, f"λ = {lam}, ν = {nu}, p = {p}"))
    return [verdict("clusters", out, seed, statement="printed")]


def geodesics(seed: int, effort: int) -> list[Verdict]:
    """Speeds of computed geodesics vary by less than 2e-2 at 16 intervals; the distance lies between its bounds by W₂."""
    rng, out = np.random.default_rng(seed), []
    for _ in range(3 * effort):
        B = random_symmetric(rng, 2) / 2
        mus = [Particles(unit(rng.normal(size=(6, 2)))) for _ in range(2)]
        path, flat = (transport_distance(*mus, B=M, intervals=16, pieces=12) for M in (B, 0 * B))
        factor, ratio = np.exp(np.linalg.norm(B, 2) / 2), path.distance / flat.distance
        uneven = float(np.ptp(path.speed) / path.speed.mean())
        out.append((max(uneven / 2e-2, ratio / (factor * (1 + 1e-6)), 1 / (ratio * factor * (1 + 1e-6))), _named(B)))
    return [verdict("geodesics", out, seed, statement="printed")]


def peaks(seed: int, effort: int) -> list[Verdict]:
    """The tanh relation against a fine scan of the angle."""
    rng, out = np.random.default_rng(seed), []
    scan = np.linspace(0, 1, 20_001)
    for l1, l2 in np.exp(rng.uniform(-2, 2, size=(20 * effort, 2))):
        best = scan[np.argmin(peak_energy(l1, l2, scan))]
        out.append((abs(best - symmetric_peaks(l1, l2)) / 1e-4, f"λ = {l1}, {l2}"))
    return [verdict("peaks", out, seed, statement="printed")]


def perturbed_identity(seed: int, effort: int) -> list[Verdict]:
    """Halving h must quarter the error of a first-order density; the authors' constant only halves it."""
    theta = 2 * np.pi * np.arange(256) / 256
    x = np.stack([np.cos(theta), np.sin(theta)], 1)

    def order(alpha: float | None) -> Callable:
        def of(M):
            errors = []
            for h in (0.02, 0.01):
                exact = circle_minimiser(np.eye(2) + h * M).density(theta)
                errors.append(np.linalg.norm(perturbed_density(M, h, x, alpha=alpha) - exact))
            return float(np.log2(errors[0] / errors[1]))

        return of

    rng = np.random.default_rng(seed)
    matrices = [random_symmetric(rng, 2) for _ in range(5 * effort)]
    printed = [(1.9 / order(authors_tilt())(M), _named(M)) for M in matrices]
    corrected = [(1.8 / order(None)(M), _named(M)) for M in matrices]
    return [verdict("perturbidentity", printed, seed, statement="printed"), verdict("perturbidentity", corrected, seed)]


def uniform_growth(seed: int, effort: int) -> list[Verdict]:
    """Rates on 400 equal tokens by a central difference of a displacement sin kθ, against the closed form."""
    rng, out = np.random.default_rng(seed), []
    theta, h = 2 * np.pi * np.arange(400) / 400, 1e-4
    for lam in rng.uniform(0.2, 3, size=4 * effort):
        for k in (1, 2, 3):
            push = np.sin(k * theta)
            ahead, behind = (_angular_speed(theta + s * h * push, lam) for s in (1, -1))
            rate = (ahead - behind) @ push / (2 * h * push @ push)
            out.append((abs(rate - uniform_rates(k, lam, 2)) / 1e-6, f"λ = {lam}, k = {k}"))
    return [verdict("uniform", out, seed, statement="printed")]


def _angular_speed(theta, lam):
    turn = theta[:, None] - theta[None]
    return -lam * (np.exp(lam * np.cos(turn)) * np.sin(turn)).mean(axis=1)


def safe_steps(seed: int, effort: int) -> list[Verdict]:
    """Energies of layers at 0.99 of the bound (a quarter of it for softmax descent) never move the wrong way."""
    out = []
    for i, rng, B in _matrices(seed, 12 * effort):
        sign, is_softmax, size = (-1) ** i, i % 4 > 1, np.linalg.norm(B, 2)
        eta = (0.25 if is_softmax and sign < 0 else 0.99) / (size * (1 if is_softmax else np.exp(size)))
        x, energies = unit(rng.normal(size=(10, len(B)))), []
        for _ in range(60):
            k = np.exp(x @ B @ x.T) / len(x)
            energies.append(float(k.sum() / len(x)))
            x = unit(x + sign * eta * (k @ x @ B) / (k.sum(1, keepdims=True) if is_softmax else 1))
        wrong = float(np.max(-sign * np.diff(energies) / np.array(energies[:-1])))
        out.append((wrong / 1e-9, _named(B)))
    return [verdict("step", out, seed, statement="printed", horizon=60.0)]


def descent_trial(rng) -> Trial:
    """Descent onto the kernel of B, from few tokens, from many, and from close to it."""
    d, model = int(rng.integers(2, 4)), str(rng.choice(["SA", "USA"]))
    values = np.append(np.zeros(int(rng.integers(1, d))), rng.uniform(0.7, 2.0, d))[:d]
    Q, n = np.linalg.qr(rng.normal(size=(d, d)))[0], int(rng.choice([(values > 0).sum() + 1, 8]))
    B, mass, T = (Q * values) @ Q.T, rng.dirichlet(np.full(n, 5.0)), 800.0
    x = unit((rng.normal(size=(n, d)) * np.where(values > 0, rng.choice([0.3, 1.0]), 1.0)) @ Q.T)
    # One clock for both: without a normaliser the run carries a factor 1/e.
    ends = sphere_run(x, [T / 2, T], beta=1.0, B=B, V=-B * (1 if model == "SA" else np.e), model=model, mass=mass)
    is_late = spread_outside(B, x, mass) * T > 20
    return Trial(descent_ratio(ends, T, B, mass) if is_late else np.nan, T, f"{model}, {_named(B)}, {shown(x=x)}")


def descent_ratio(ends, T, B, mass) -> float:
    """Tokens at T/2 and T: above 1 if 1/⟨h_k²⟩ grows at a rate off by a twentieth, or the energy is off by a tenth."""
    values, vectors = outside_kernel(B)
    second = mass @ (ends @ vectors) ** 2
    rates = (1 / second[1] - 1 / second[0]) / (T / 2)
    left = mass @ np.expm1(ends[1] @ B @ ends[1].T) @ mass
    told = np.sum((values * second[1]) ** 2) / 2
    off = np.abs(rates * kernel_constants(values) - 1).max()
    return float(max(off / 0.05, abs(left / told - 1) / 0.1))


semidefinite = falsifier("burger2025.semidefinite", printed=random_trials(descent_trial, 4))
