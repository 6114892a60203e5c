"""Trials of the claims of arXiv 2501.03096, over random score matrices and prompts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...engine.linalg.rows import unit_rows
from ...engine.measures import Particles
from ...engine.special.funk_hecke import funk_hecke
from ...theory.mobility import transport_distance
from ...theory.sphere.at_rest import PATIENCE
from ...theory.sphere.interaction_energy import interaction_energy
from ...theory.sphere.steady.circle_minimiser import circle_minimiser
from ...theory.sphere.steady.convex_minimiser import best_masses, candidates
from ...theory.sphere.steady.energy_search import search
from ...theory.sphere.steady.four_peaks import symmetric_peaks
from ...theory.sphere.steady.gradient_structure import Structure
from ...theory.sphere.steady.kernel_descent import kernel_constants, outside_kernel, spread_outside
from ...theory.sphere.steady.minimiser import minimiser
from ...theory.sphere.steady.perturbed_minimiser import authors_tilt, perturbed_density, tilt
from ...theory.sphere.steady.predicted_states import eigenstates, maximum
from ...theory.sphere.steady.residual import stationarity
from ...theory.sphere.steady.state_stability import cluster_rates
from ...theory.sphere.uniform_law import growth
from ..hunt import Trial, shown
from ..independent import sphere_run
from ..independent import unit as directions
from ..trial import bounded, close, equal, stated, worst_ratio
from .balance import gradient_run, scaled_energy


def random_symmetric(rng, d: int) -> np.ndarray:
    M = rng.normal(size=(d, d)) * rng.choice([0.5, 1.0, 2.0])
    return (M + M.T) / 2


def _random_structure(rng, d: int) -> Structure:
    """Ascent or descent of a random symmetric matrix, by softmax or without a normaliser."""
    return Structure(random_symmetric(rng, d), int(rng.choice([-1, 1])), 1.0, str(rng.choice(["SA", "USA"])))


def _told(found: Structure, **more) -> str:
    way = "ascent" if found.sign > 0 else "descent"
    return f"{way}, {found.normalisation}, {shown(B=found.B, **more)}"


# ---- gradient flow ----------------------------------------------------------------------------------------------------


def dissipation_trial(rng) -> Trial:
    """E/2 gained along a run of SciPy against the integral of |v|²/mob along it, to 1e-6."""
    d = int(rng.integers(2, 5))
    found, x, mass = _random_structure(rng, d), directions(rng, 8, d), rng.dirichlet(np.ones(8))
    size = float(np.linalg.norm(found.B, 2))
    T = 1 / (1 + size) / (1 if found.normalisation == "SA" else float(np.exp(size)))
    ends, gained = gradient_run(found, x, [T], mass=mass)
    before, after = (scaled_energy(found.B, y, mass) / 2 for y in (x, ends[-1]))
    return Trial(equal(after - before, gained[-1], 1e-6 * after), T, _told(found, x=x))


def any_score_trial(rng) -> Trial:
    """V = B that is not symmetric: E/2 along the velocity against the squared speed."""
    B, x, h, mass = rng.normal(size=(3, 3)), directions(rng, 6, 3), 1e-5, np.full(6, 1 / 6)
    K = np.exp(x @ B @ x.T) * mass
    v = K @ x @ B.T / K.sum(axis=1, keepdims=True)
    v = v - np.sum(v * x, axis=1, keepdims=True) * x
    ahead, behind = (interaction_energy(unit_rows(x + s * h * v), mass, B=B) for s in (1, -1))
    power = mass @ (K.sum(axis=1) * np.sum(v * v, axis=1))
    return Trial(float(abs((ahead - behind) / (4 * h) - power) / (1e-5 * power)), 0.0, shown(3, B=B, x=x))


def stationary_trial(rng) -> Trial:
    """Velocities at predicted states, uneven pairs among them, against a hundred times rounding."""
    B, t = random_symmetric(rng, int(rng.integers(2, 5))), float(rng.random())
    z = np.linalg.eigh(B)[1][:, int(rng.integers(0, len(B)))]
    states = [state.measure for state in eigenstates(B)] + [Particles(np.stack([z, -z]), [t, 1 - t])]
    rounding = float(np.finfo(np.asarray(states[0].x).dtype).eps)
    room = 100 * rounding * np.exp(2 * np.linalg.norm(B, 2))
    return Trial(worst_ratio(*(stationarity(B, mu).worst / room for mu in states)), 0.0, shown(B=B))


def resting_trial(rng) -> Trial:
    """Tokens that moved by less than 1e-7 in the last tenth of the time: their residual is below 1e-5 of its largest size."""
    found = _random_structure(rng, int(rng.integers(2, 4)))
    x, mass, top = directions(rng, 6, len(found.B)), rng.dirichlet(np.ones(6)), np.linalg.norm(found.B, 2)
    T = 40.0 / (1 if found.normalisation == "SA" else np.exp(min(top, 3.0)))
    ends, _ = gradient_run(found, x, [0.9 * T, T], mass=mass)
    moved = np.abs(ends[1] - ends[0]).max()
    residual = stationarity(found.B, Particles(ends[1], mass)).worst / (top * np.exp(top))
    return Trial(residual / 1e-5 if moved < 1e-7 else np.nan, T, _told(found, x=x))


def _geodesics(rng):
    """A shortest path between two prompts on the circle, and one for B = 0, where the distance is W₂."""
    B = random_symmetric(rng, 2) / 2
    mus = [Particles(directions(rng, 5, 2)) for _ in range(2)]
    return B, *(transport_distance(*mus, B=M, intervals=16, pieces=10) for M in (B, 0 * B))


def geodesic_trial(rng) -> Trial:
    """Speeds of a computed geodesic vary by less than 2 % with 16 intervals."""
    B, path, _ = _geodesics(rng)
    return Trial(float(np.ptp(path.speed) / path.speed.mean()) / 2e-2, 1.0, shown(B=B))


def bounds_trial(rng) -> Trial:
    B, path, flat = _geodesics(rng)
    factor, ratio = np.exp(np.linalg.norm(B, 2) / 2), path.distance / flat.distance
    return Trial(worst_ratio(bounded(ratio, factor), bounded(1 / ratio, factor)), 1.0, shown(B=B))


def nonsymmetric_trial(rng) -> Trial:
    """log max E over ‖B‖ as searches find it, and by how much, in parts of 1e-9, they pass the minimum."""
    B = rng.normal(size=(d := int(rng.integers(2, 4)), d))
    low = min(np.linalg.eigvalsh((B + B.T) / 2)[0], 0.0)
    most, least = (search(B, sign, n=5, starts=3, seed=int(rng.integers(1000)))[0] for sign in (1, -1))
    return Trial(
        worst_ratio(bounded(np.log(most), np.linalg.norm(B, 2)), (np.exp(low) / least - 1) / 1e-9), 0.0, shown(B=B)
    )


# ---- extremisers ------------------------------------------------------------------------------------------------------


def maximum_trial(rng) -> Trial:
    """By how much, in parts of 1e-9, a search finds more energy than the maximum."""
    B = random_symmetric(rng, int(rng.integers(2, 5)))
    found = search(B, +1, n=int(rng.integers(2, 9)), starts=4, seed=int(rng.integers(1000)))[0]
    most = maximum(B).energy
    return Trial(stated(lambda by: float(found / (by * most) - 1) / 1e-9), 0.0, shown(B=B))


def any_maximum_trial(rng) -> Trial:
    """The formula for the symmetric part against what a search finds for B itself."""
    B = rng.normal(size=(2, 2)) + float(rng.uniform(-2, 2)) * np.array([[0.0, 1.0], [-1.0, 0.0]])
    values = np.linalg.eigvalsh((B + B.T) / 2)
    found = search(B, +1, n=4, starts=3, seed=int(rng.integers(100)))[0]
    return Trial(float(found / (max(np.exp(values[-1]), np.cosh(values[0])) * (1 + 1e-6))), 0.0, shown(3, B=B))


def minimum_trial(rng) -> Trial:
    """By how much, in parts of 1e-9, a search, or masses on a grid, have less energy than the minimum."""
    B = random_symmetric(rng, int(rng.integers(2, 5)))
    if rng.random() < 0.5:
        B = B @ B / 2 + 0.05 * np.eye(len(B))
    lowest = np.linalg.eigvalsh(B)[0]
    is_known = len(B) < 4 or lowest < 0
    least = minimiser(B).energy if is_known else float(funk_hecke(0, lowest, d=len(B)))
    found = search(B, -1, n=5, starts=3, seed=int(rng.integers(1000)))[0]
    places = candidates(len(B), 200)
    on_grid = interaction_energy(places, best_masses(B, places), B=B) if lowest > 0 else found
    return Trial(stated(lambda by: float(by * least / np.minimum(found, on_grid) - 1) / 1e-9), 0.0, shown(B=B))


def peak_speed(values, u, *, normalisation: str):
    r"""$u' = -2u(1-u)(g_1-g_2)$ for $u = \cos^2\varphi$ of four symmetric tokens under descent."""
    l1, l2 = values
    if normalisation == "SA":
        g1, g2 = l1 * np.tanh(l1 * u), l2 * np.tanh(l2 * (1 - u))
    else:
        g1 = l1 * np.sinh(l1 * u) * np.cosh(l2 * (1 - u))
        g2 = l2 * np.cosh(l1 * u) * np.sinh(l2 * (1 - u))
    return -2 * u * (1 - u) * (g1 - g2)


def peaks_trial(rng) -> Trial:
    """Four tokens by SciPy until their angle rests, against the tanh relation; NaN when the symmetry broke before."""
    model = str(rng.choice(["SA", "USA"]))
    l1, l2 = np.exp(rng.uniform(-1, 1, 2) * (2.0 if model == "SA" else 0.7))
    phi = float(rng.uniform(0.05, np.pi / 2 - 0.05))
    corners = np.array([[a, b] for a in (1, -1) for b in (1, -1)])
    x, B = corners * [np.cos(phi), np.sin(phi)], np.diag([l1, l2])
    T = 60 / min(l1, l2) ** 2 if model == "SA" else 60 / min(l1, l2) ** 2 / np.cosh(max(l1, l2))
    ends, _ = gradient_run(Structure(B, -1, 1.0, model), x, [0.9 * T, T], mass=np.full(4, 0.25))
    u = ends[..., 0] ** 2
    rests = np.ptp(u) < 1e-6
    return Trial(equal(u[1], symmetric_peaks(l1, l2), 1e-4) if rests else np.nan, T, f"{model}, λ = {l1}, {l2}")


def _order_needed(least: float, M, alpha: float):
    """The least order in h that is demanded of the error of a first-order density, over the one that is seen."""
    theta, hs = 2 * np.pi * np.arange(256) / 256, (0.02, 0.01)
    x = np.stack([np.cos(theta), np.sin(theta)], 1)
    exact = [circle_minimiser(np.eye(2) + h * M).density(theta) for h in hs]

    def needed(by):
        off = [np.linalg.norm(perturbed_density(M, h, x, alpha=by * alpha) - rho) for h, rho in zip(hs, exact)]
        return least / float(np.log2(off[0] / off[1]))

    return stated(needed)


def _perturbation(rng):
    """A direction M of size one: multiples of the identity change nothing at first order, and are left out."""
    M = random_symmetric(rng, 2)
    part = np.linalg.norm(M - np.trace(M) / 2 * np.eye(2))
    return M / max(np.linalg.norm(M), 1e-300), bool(part > 0.3 * np.linalg.norm(M))


def constant_trial(rng) -> Trial:
    """Halving h must quarter the error: order 2, at least 1.8 at this h."""
    M, is_inside = _perturbation(rng)
    return Trial(_order_needed(1.8, M, tilt(2)) if is_inside else 0.0, 0.0, shown(M=M), is_inside)


def authors_constant_trial(rng) -> Trial:
    """With the constant of the authors' code the error is of order 1, not o(h)."""
    M, is_inside = _perturbation(rng)
    return Trial(_order_needed(1.5, M, authors_tilt()) if is_inside else 0.0, 0.0, shown(M=M), is_inside)


# ---- states -----------------------------------------------------------------------------------------------------------


def resting_clusters(found: Structure, x, mass, *, start) -> tuple[float, float] | None:
    """Share at one end and the largest closed-form rate of a state of one or two opposite clusters; None for other states.

    A cluster of one token, or of tokens that started as one, cannot spread.
    """
    z = np.linalg.eigh((x.T * mass) @ x)[1][:, -1]
    cosine, lam = x @ z, float(z @ found.B @ z)
    size = max(np.abs(found.B).max(), 1e-300)
    if np.abs(cosine).min() < 1 - 1e-6 or np.linalg.norm(found.B @ z - lam * z) > 1e-3 * size:
        return None
    values = np.linalg.eigvalsh(found.B)
    axis = int(np.argmin(np.abs(values - lam)))
    p = float(np.clip(mass[cosine > 0].sum() / mass.sum(), 0.0, 1.0))
    rates = cluster_rates(found.B, axis, p=max(p, 1 - p), normalisation=found.normalisation, sign=found.sign)
    # Turning inside an eigenspace costs nothing and counts as neither stable nor unstable.
    free = np.isclose(np.delete(values, axis), values[axis], rtol=0, atol=1e-9 * size)
    means = (
        rates.mean[~free]
        if p in (0.0, 1.0)
        else np.where(free[:, None], np.sort(rates.mean, axis=1)[:, :1], rates.mean)
    )
    heavy = (cosine > 0) == (p >= 0.5)
    spreads = [len(np.unique(np.round(start[side], 14), axis=0)) > 1 for side in (heavy, ~heavy)][: len(rates.within)]
    return p, found.speed * float(np.max(np.append(rates.within[spreads], means), initial=-np.inf))


def ends_trial(rng) -> Trial:
    """Where runs of SciPy rest: an unstable cluster state would be left after 40 growth times."""
    found = _random_structure(rng, int(rng.integers(2, 4)))
    x, mass, T = directions(rng, 6, len(found.B)), 0.7 * rng.dirichlet(np.ones(6)) + 0.05, 60.0
    ends, _ = gradient_run(found, x, [T / 2, T], mass=mass / mass.sum())
    has_settled = np.abs(ends[1] - ends[0]).max() < 1e-6
    state = resting_clusters(found, ends[1], mass / mass.sum(), start=x) if has_settled else None
    return Trial(np.nan if state is None else state[1] * T / 2 / PATIENCE, T, _told(found, x=x, mass=mass))


def rates_trial(rng) -> Trial:
    """Closed rates of p δ_z + (1−p) δ_{−z} on 3 + 2 tokens against the Jacobian of the field, by differences."""
    d = int(rng.integers(2, 5))
    found, p = _random_structure(rng, d), float(rng.uniform(0.05, 0.95))
    axis = int(rng.integers(0, d))
    frame = np.linalg.eigh(found.B)[1]
    others, z = np.delete(frame, axis, axis=1), frame[:, axis]
    sides, mass = np.array([1, 1, 1, -1, -1]), np.array([p / 3] * 3 + [(1 - p) / 2] * 2)

    def field(moves):
        y = unit_rows(sides[:, None] * z + moves.reshape(5, d - 1) @ others.T)
        K = np.exp(y @ found.B @ y.T) * mass
        g = found.sign * (K @ y @ found.B) / (K.sum(axis=1, keepdims=True) if found.normalisation == "SA" else 1)
        return ((g - (g * y).sum(axis=1, keepdims=True) * y) @ others).ravel()

    h = 1e-5
    J = np.array([(field(h * e) - field(-h * e)) / (2 * h) for e in np.eye(5 * (d - 1))])
    seen = np.sort(np.linalg.eigvals(J).real)
    told = cluster_rates(found.B, axis, p=p, normalisation=found.normalisation, sign=found.sign).spectrum((3, 2))
    # Double eigenvalues of J are found to the square root of the accuracy of the differences only.
    return Trial(equal(seen, told, 1e-4 * (1 + np.abs(told).max())), 0.0, _told(found, p=p))


def uniform_trial(rng) -> Trial:
    """Equal tokens on the circle moved by 1e-6 sin kθ: what becomes of the mode k, by SciPy, against e^{rate·t}."""
    lam, k, n = float(rng.uniform(-3, 3)), int(rng.integers(1, 4)), 64
    model, sign = str(rng.choice(["SA", "USA"])), int(rng.choice([-1, 1]))
    theta = 2 * np.pi * np.arange(n) / n
    angle = theta + 1e-6 * np.sin(k * theta)
    rate = sign * float(lam * growth(k, beta=lam, d=2, model=model))
    T = min(1.0, 1 / max(abs(rate), 1e-3))
    found = Structure(lam * np.eye(2), sign, 1.0, model)
    ends, _ = gradient_run(found, np.stack([np.cos(angle), np.sin(angle)], 1), [T], mass=np.full(n, 1 / n))
    moved = np.angle((ends[-1, :, 0] + 1j * ends[-1, :, 1]) * np.exp(-1j * theta))
    grown = moved @ np.sin(k * theta) * 2 / n / 1e-6
    ratio = stated(lambda by: float(abs(grown / np.exp(by * rate * T) - 1)) / 1e-3)
    return Trial(ratio, T, f"λ = {lam}, k = {k}, {model}, sign {sign}")


def descent_trial(rng) -> Trial:
    """Descent onto the kernel of B, from few tokens, from many, and from close to it."""
    d, model = int(rng.integers(2, 4)), str(rng.choice(["SA", "USA"]))
    values = np.append(np.zeros(int(rng.integers(1, d))), rng.uniform(0.7, 2.0, d))[:d]
    Q, n = np.linalg.qr(rng.normal(size=(d, d)))[0], int(rng.choice([(values > 0).sum() + 1, 8]))
    B, mass, T = (Q * values) @ Q.T, rng.dirichlet(np.full(n, 5.0)), 800.0
    x = unit_rows((rng.normal(size=(n, d)) * np.where(values > 0, rng.choice([0.3, 1.0]), 1.0)) @ Q.T)
    # One clock for both: without a normaliser the run carries a factor 1/e.
    ends = sphere_run(x, [T / 2, T], beta=1.0, B=B, V=-B * (1 if model == "SA" else np.e), model=model, mass=mass)
    is_late = spread_outside(B, x, mass) * T > 20
    return Trial(descent_ratio(ends, T, B, mass) if is_late else np.nan, T, f"{model}, {shown(B=B, x=x)}")


def flat_descent_trial(rng) -> Trial:
    """Two tokens, three dimensions, a kernel of one: one direction is left to itself."""
    B, x, T, mass = np.diag([0.0, 1.0, 1.5]), directions(rng, 2, 3), 200.0, np.full(2, 0.5)
    return Trial(descent_ratio(sphere_run(x, [T / 2, T], beta=1.0, B=B, V=-B), T, B, mass), T, shown(3, x=x))


def descent_ratio(ends, T, B, mass) -> float:
    """Tokens at T/2 and T: above 1 if 1/⟨h_k²⟩ grows at a rate off by a twentieth, or the energy is off by a tenth."""
    values, vectors = outside_kernel(B)
    second = mass @ (ends @ vectors) ** 2
    rates = (1 / second[1] - 1 / second[0]) / (T / 2)
    left = mass @ np.expm1(ends[1] @ B @ ends[1].T) @ mass
    told = np.sum((values * second[1]) ** 2) / 2
    return worst_ratio(close(rates, 1 / kernel_constants(values), 0.05), close(left, told, 0.1))


@dataclass(frozen=True)
class InverseGrowth:
    growth: float
    """The largest relative error of the growth of (ΛCΛ)⁻¹ between neighbouring times."""
    room: float
    last: float
    """⟨h²⟩·2λ²t at the last time, for the direction where it is farthest from 1."""


def inverse_growth(B, x, ts, mass) -> InverseGrowth:
    r"""$(\Lambda C\Lambda)^{-1}$ grows by $2\Delta t\,I$ between late times, C the second moments outside the kernel."""
    values, vectors = outside_kernel(B)
    h = np.einsum("n,kni,knj->kij", mass, x @ vectors, x @ vectors)
    inverse = np.linalg.inv(values[:, None] * h * values)
    told = 2 * np.diff(ts)[:, None, None] * np.eye(len(values))
    growth = np.abs(np.diff(inverse, axis=0) - told).max(axis=(1, 2)) / (2 * np.diff(ts))
    ratio = np.einsum("kii->ki", h)[-1] * ts[-1] / kernel_constants(values)
    return InverseGrowth(float(growth.max()), 0.1, float(ratio[np.argmax(np.abs(ratio - 1))]))


def safe_step_trial(rng) -> Trial:
    """Layers at 0.99 of the bound: 1 + η⟨x, g⟩ stays positive; the ratio is how much of it the worst token uses up."""
    found = _random_structure(rng, int(rng.integers(2, 5)))
    B, size, is_softmax = found.B, np.linalg.norm(found.B, 2), found.normalisation == "SA"
    eta, x, worst = 0.99 / (size * (1 if is_softmax else np.exp(size))), directions(rng, 10, len(found.B)), -np.inf
    for _ in range(60):
        K = np.exp(x @ B @ x.T) / len(x)
        g = found.sign * (K @ x @ B) / (K.sum(axis=1, keepdims=True) if is_softmax else 1)
        worst = worst_ratio(worst, -eta * np.sum(x * g, axis=1))
        x = unit_rows(x + eta * g)
    return Trial(stated(lambda by: by * worst), 60 * float(eta), _told(found, x=x))
