"""Trials of the claims on Schrödinger-bridge steps: NumPy on quadrature nodes against exact heat flows."""

from __future__ import annotations

import numpy as np
from scipy.special import ive

from ...theory.heat.gaussian_transport import correlation
from ...theory.heat.mixture import GaussianMixture
from ..hunt import Trial, shown
from ..independent import symmetric_scaling
from ..trial import bounded, close, equal, stated, worst_ratio
from .schemes import heat_steps, nodes, order, plan, random_mixture, reverse_steps

ROOM = 0.05
"""Of the way of a law: what ε² leaves where an error of order ε is taken out of steps of 0.1 and less."""


def _named(law: GaussianMixture) -> str:
    return shown(weights=law.weights, means=law.means[:, 0], variances=law.covs[:, 0, 0])


def _distance(x, y, mass) -> float:
    """W₂ of two laws on the line that are images of one by increasing maps."""
    return float(np.sqrt(mass @ (np.ravel(x) - np.ravel(y)) ** 2))


def _off_way(seen, start, told, mass, *, room: float):
    """How far from its limit a law ends, in rooms of its way there; the length of that way is the number."""
    start, told = np.ravel(start), np.ravel(told)
    way = _distance(start, told, mass)
    return stated(lambda by: _distance(seen, start + by * (told - start), mass) / way / room)


def _gaussian(s: float) -> GaussianMixture:
    return GaussianMixture(np.ones(1), np.zeros((1, 1)), s**2)


# ---- one step ---------------------------------------------------------------------------------------------------------


def score_trial(rng) -> Trial:
    """(bary − x)/ε against half the score: the error falls with ε; at least to three quarters when ε is halved."""
    law, steps = random_mixture(rng), []
    for eps in (0.04, 0.02):
        x, mass = nodes(law, eps)
        steps.append(((plan(x, mass, eps) @ x - x) / eps, law.score(x) / 2, mass))

    def fall(by):
        coarse, fine = (_distance(seen, by * told, mass) for seen, told, mass in steps)
        return fine / (0.75 * coarse)

    return Trial(stated(fall), 0.0, _named(law))


def _one_step(law: GaussianMixture, eps: float) -> float:
    """W₂ of one bridge step and one Euler step with the true score."""
    x, mass = nodes(law, eps)
    return _distance(heat_steps(x, mass, eps, count=1), x - eps / 2 * law.score(x), mass)


def cubic_trial(rng) -> Trial:
    """The printed rate for Gaussians, distance = O(ε³), against the observed order."""
    s = float(np.exp(rng.uniform(-1, 1)))
    seen = order([_one_step(_gaussian(s), share * s**2) for share in (0.2, 0.1)])
    return Trial(2.9 / seen, 0.0, f"N(0, {s**2:.4g}): the distance is of order {seen:.2f} in ε")


def gaussian_step_trial(rng) -> Trial:
    """The distance for N(0, s²) against s(√(1+u²) − 1), u = ε/(2s²), which is ε²/(8s³) to first order."""
    s, share = float(np.exp(rng.uniform(-1, 1))), float(np.exp(rng.uniform(np.log(0.05), 0)))
    told = s * (np.sqrt(1 + share**2 / 4) - 1)
    return Trial(close(_one_step(_gaussian(s), share * s**2), told, 1e-5), 0.0, f"s = {s:.4g}, ε/s² = {share:.3g}")


def small_step_trial(rng) -> Trial:
    """For other laws distance/ε must fall with ε."""
    law = random_mixture(rng)
    coarse, fine = (_one_step(law, eps) / eps for eps in (0.08, 0.04))
    return Trial(fine / coarse, 0.0, _named(law))


def langevin_law(law: GaussianMixture, eps: float, x) -> np.ndarray:
    r"""Weights of $(X_0, X_\varepsilon)$ on uniform nodes: $e^{-\varepsilon H}$, $H = -\frac12\Delta + \frac18G'^2 - \frac14G''$.

    The second derivative is that of the sinc interpolant, so errors are beyond all orders of the spacing.
    """
    h, n = x[1] - x[0], len(x)
    away = np.subtract.outer(np.arange(n), np.arange(n))
    with np.errstate(divide="ignore", invalid="ignore"):
        second = np.where(away == 0, -(np.pi**2) / 3, -2.0 * (-1.0) ** away / away**2) / h**2
    score = law.score(x[:, None])[:, 0]
    slope = (law.score(x[:, None] + 1e-4) - law.score(x[:, None] - 1e-4))[:, 0] / 2e-4
    values, vectors = np.linalg.eigh(-0.5 * second + np.diag(score**2 / 8 + slope / 4))
    root = np.sqrt(law.density(x) * h)
    return root[:, None] * ((vectors * np.exp(-eps * values)) @ vectors.T) * root


def divergence(law: GaussianMixture, eps: float) -> float:
    """H(l|π) + H(π|l) of the Langevin law and the plan, on the nodes where both are resolved."""
    x, mass = nodes(law, eps)
    pi, l = mass[:, None] * plan(x, mass, eps), langevin_law(law, eps, x[:, 0])
    seen = (pi > 1e-13) & (l > 1e-13)
    return float(np.sum((pi[seen] - l[seen]) * np.log(pi[seen] / l[seen])))


def langevin_trial(rng) -> Trial:
    """Divergence/ε² falls when ε is halved; for a Gaussian the divergence is at most u⁴/72, u = ε/(2λ)."""
    is_gaussian = rng.random() < 0.4
    law = _gaussian(float(np.exp(rng.uniform(-0.5, 0.5)))) if is_gaussian else random_mixture(rng)
    # The bound is reached as u → 0.
    width, shares = float(law.covs.min()), (0.1, 0.05) if is_gaussian else (0.4, 0.2)
    coarse, fine = (divergence(law, share * width) / share**2 for share in shares)
    ratio = bounded(fine * 0.05**2, 0.025**4 / 72 * (1 + 1e-4)) if is_gaussian else 0.0
    return Trial(
        worst_ratio(ratio, fine / coarse), 0.0, f"{_named(law)}: divergence/ε² from {coarse:.3g} to {fine:.3g}"
    )


def fold_trial(rng) -> Trial:
    """Differences of bary, taken at a point off the tokens, against the conditional covariance over ε."""
    n, d, eps = int(rng.integers(3, 13)), int(rng.integers(1, 4)), float(10 ** rng.uniform(-1, 1))
    x, mass, point = rng.normal(size=(n, d)), 0.9 * rng.dirichlet(np.ones(n)) + 0.1 / n, rng.normal(size=d)
    v = symmetric_scaling(np.exp(-np.sum((x[:, None] - x[None]) ** 2, axis=-1) / (2 * eps)), mass)

    def heard(y):
        logs = np.log(mass * v) - np.sum((x - y) ** 2, axis=1) / (2 * eps)
        weights = np.exp(logs - logs.max())
        return weights / weights.sum()

    h, w = 1e-4 * np.sqrt(eps), heard(point)
    slope = np.array([(heard(point + h * e) - heard(point - h * e)) @ x for e in np.eye(d)]) / (2 * h)
    cov = (x - w @ x).T @ (w[:, None] * (x - w @ x)) / eps
    return Trial(equal(slope, cov, 1e-5 * (1 + np.abs(cov).max())), 0.0, shown(eps=eps, x=x))


# ---- many steps -------------------------------------------------------------------------------------------------------


def _heat_error(law: GaussianMixture, eps: float, *, until=0.4) -> float:
    x, mass = nodes(law, eps)
    end = heat_steps(x, mass, eps, count=round(until / eps))
    return _distance(end, law.characteristic(x[:, 0], until), mass)


def convergence_trial(rng) -> Trial:
    """The laws at t = 0.4 for ε = 0.1 and 0.05: of second order, so what they tend to is 4/3 of one less 1/3 of the other."""
    law = random_mixture(rng)
    x, mass = nodes(law, 0.05)
    coarse, fine = (heat_steps(x, mass, eps, count=round(0.4 / eps)) for eps in (0.1, 0.05))
    off = _off_way((4 * fine - coarse) / 3, x, law.characteristic(x[:, 0], 0.4), mass, room=0.002)
    return Trial(off, 0.4, f"{_named(law)}: the limit is {0.002 * off:.2g} of the way off")


def second_order_trial(rng) -> Trial:
    law = random_mixture(rng)
    seen = order([_heat_error(law, eps) for eps in (0.1, 0.05)])
    # At these ε the order is 2 up to a tenth, from the next term.
    return Trial(equal(seen, 2, 0.3), 0.4, f"order {seen:.2f}, {_named(law)}")


def half_heat_trial(rng) -> Trial:
    """Half a step at a time on N(0, λ), where λ' = λ(1 + (1 − r)/2)²."""
    lam, errors = float(np.exp(rng.uniform(-0.5, 0.5))), []
    for eps in (0.02, 0.01):
        now = lam
        for _ in range(round(2 / eps)):
            now = now * (1 + (1 - correlation(eps / (2 * now))) / 2) ** 2
        errors.append(now - lam - 1)
    return Trial(abs(order(errors) - 2) / 0.3, 1.0, f"N(0, {lam:.4g})")


def reverse_trial(rng) -> Trial:
    """Reverse steps from the heat flow at t = 0.2: of first order, 2·(finer) − coarser leads back to the start."""
    law, t = random_mixture(rng), 0.2
    x, mass = nodes(law, 0.025)
    later = law.characteristic(x[:, 0], t)[:, None]
    coarse, fine = (reverse_steps(later, mass, eps, count=round(t / eps)) for eps in (0.05, 0.025))
    off = _off_way(2 * fine - coarse, later, x, mass, room=ROOM)
    return Trial(off, t, f"{_named(law)}: the limit is {ROOM * off:.2g} of the way off")


def energy_trial(rng) -> Trial:
    """1 − (fall of F_ε)/(squared speed × ε): 0 when a step gains what its speed promises, above 1 when F_ε rises."""
    n, d = int(rng.integers(2, 60)), int(rng.integers(1, 5))
    x, mass = rng.normal(size=(n, d)) / (0.2 + rng.random(size=(n, 1))), rng.random(size=n) + 1e-3
    mass, eps = mass / mass.sum(), float(10 ** rng.uniform(-2.5, 1))
    moved = heat_steps(x, mass, eps, count=1)
    promised = mass @ np.sum((moved - x) ** 2, axis=1) / eps
    fall = _free_energy(x, mass, eps) - _free_energy(moved, mass, eps)
    if promised < 1e-7:
        return Trial(0.0, is_inside=False)
    return Trial(float(1 - fall / promised), eps, shown(eps=eps, x=x, mass=mass))


def _free_energy(x, mass, eps: float) -> float:
    r"""$-\int f\,d\mu/\varepsilon$ up to a constant: $\mathrm{OT}_\varepsilon = 2\int f\,d\mu$, $f = \varepsilon\log v$."""
    v = symmetric_scaling(np.exp(-np.sum((x[:, None] - x[None]) ** 2, axis=-1) / (2 * eps)), mass)
    return float(-mass @ np.log(v))


def _surrogate_steps(x, mass, eps: float, *, until=0.4):
    """Bridge steps of ρ/ν, ν = N(0, 1), from a law narrower than ν."""
    for _ in range(round(until / eps)):
        weights = mass * np.exp(np.minimum(x[:, 0] ** 2 / 2, 500.0))
        x = 2 * x - plan(x, weights / weights.sum(), eps) @ x
    return x


def _surrogate_error(law: GaussianMixture, eps: float, *, until=0.4) -> float:
    x, mass = nodes(law, eps)
    return _distance(_surrogate_steps(x, mass, eps, until=until), _ornstein_uhlenbeck(law, x[:, 0], until), mass)


def _ornstein_uhlenbeck(law, x, t):
    """Where dX = −½X dt + dW, as a flow of laws, has carried points: the heat flow in another scale and clock."""
    return np.exp(-t / 2) * law.characteristic(x, np.expm1(t))


def _wide_steps(x, mass, eps: float, *, until=0.4):
    """Bridge steps of ν/ρ from N(0, λ), λ > 1; the law stays Gaussian, so its variance gives its density."""
    for _ in range(round(until / eps)):
        now = float(mass @ x[:, 0] ** 2)
        weights = mass * np.exp(x[:, 0] ** 2 * (1 / now - 0.5))
        x = plan(x, weights / weights.sum(), eps) @ x
    return x


def _split_error(law: GaussianMixture, eps: float, *, until=0.4) -> float:
    x, mass = nodes(law, eps)
    start = x[:, 0]
    for _ in range(round(until / eps)):
        x = np.exp(-eps / 4) * heat_steps(np.exp(-eps / 4) * x, mass, eps, count=1)
    return _distance(x, _ornstein_uhlenbeck(law, start, until), mass)


def _narrow_mixture(rng) -> GaussianMixture:
    return random_mixture(rng, reach=0.6, widths=(0.3, 0.5))


def fokker_planck_trial(rng) -> Trial:
    """The laws at t = 0.4: of first order, they tend to 2·(finer) − coarser."""
    is_wide, lam = rng.random() < 0.4, float(rng.uniform(1.5, 4))
    law = _gaussian(np.sqrt(lam)) if is_wide else _narrow_mixture(rng)
    x, mass = nodes(law, 0.05)
    coarse, fine = ((_wide_steps if is_wide else _surrogate_steps)(x, mass, eps) for eps in (0.1, 0.05))
    off = _off_way(2 * fine - coarse, x, _ornstein_uhlenbeck(law, x[:, 0], 0.4), mass, room=ROOM)
    return Trial(off, 0.4, f"{_named(law)}: the limit is {ROOM * off:.2g} of the way off")


def orders_trial(rng) -> Trial:
    law = _narrow_mixture(rng)
    first, second = (order([error(law, eps) for eps in (0.05, 0.025)]) for error in (_surrogate_error, _split_error))
    return Trial(
        worst_ratio(equal(first, 1, 0.35), equal(second, 2, 0.35)),
        0.4,
        f"orders {first:.2f}, {second:.2f}, {_named(law)}",
    )


# ---- heat on the sphere -----------------------------------------------------------------------------------------------


def harmonic_decay(degree, d: int, t):
    r"""$e^{-l(l+d-2)t/2}$, what half the Laplacian of the sphere does to harmonics of degree l."""
    return np.exp(-degree * (degree + d - 2) * t / 2)


def circle_step(theta, mass, eps, *, length: float = 1.0):
    apart = theta[:, None] - theta[None]
    kernel = np.exp((np.cos(apart) - 1) / eps)
    v = symmetric_scaling(kernel, mass)
    # Along the tangent the mean of the others is −Σ P sin(θ − θ'), and arctan is the normalisation.
    return theta + np.arctan(length * (v[:, None] * kernel * (mass * v) * np.sin(apart)).sum(axis=1))


def zonal_step(theta, mass, eps):
    """Densities on the 2-sphere that depend on the polar angle alone: azimuths are integrated by Bessel functions."""
    a, b = theta[:, None], theta[None]
    reach = np.sin(a) * np.sin(b) / eps
    size = np.exp((np.cos(a - b) - 1) / eps)
    round_, turned = size * ive(0, reach), size * ive(1, reach)
    v = symmetric_scaling(round_, mass)
    out, up = (v * (k @ (mass * v * f)) for k, f in ((turned, np.sin(theta)), (round_, np.cos(theta))))
    return theta - np.arctan(out * np.cos(theta) - up * np.sin(theta))


def _circle_nodes(rng):
    theta = 2 * np.pi * np.arange(160) / 160
    waves = [(rng.normal() / k, rng.uniform(0, 2 * np.pi), k) for k in (1, 2, 3)]
    mass = np.exp(sum(size * np.cos(k * theta - phase) for size, phase, k in waves))
    return theta, mass / mass.sum(), lambda l, angle: np.exp(1j * l * angle)


def _zonal_nodes(rng):
    z, w = np.polynomial.legendre.leggauss(80)
    mass = w * np.exp(rng.normal() * z + rng.normal() * z**2)
    harmonic = lambda l, angle: np.polynomial.legendre.Legendre.basis(l)(np.cos(angle))  # noqa: E731
    return np.arccos(z), mass / mass.sum(), harmonic


def sphere_trial(rng) -> Trial:
    d = int(rng.integers(2, 4))
    made = (_circle_nodes if d == 2 else _zonal_nodes)(rng)
    return Trial(
        _heat_ratio(made, circle_step if d == 2 else zonal_step, d), 0.4, f"d = {d}, {shown(mass=made[1][::20])}"
    )


def half_circle_trial(rng) -> Trial:
    def half(theta, mass, eps):
        return circle_step(theta, mass, eps, length=0.5)

    return Trial(_heat_ratio(_circle_nodes(rng), half, 2, length=0.5), 0.4, "half a step on the circle")


def _heat_ratio(made, step, d: int, *, length: float = 1.0) -> float:
    """The first three moments at t = 0.4 against their decay: errors fall to a quarter with half the ε."""
    (theta, mass, harmonic), moved = made, []
    for eps in (0.05, 0.025):
        angle = theta
        for _ in range(round(0.4 / (length * eps))):
            angle = step(angle, mass, eps)
        moved.append(np.array([mass @ harmonic(l, angle) for l in (1, 2, 3)]))
    told = np.array([harmonic_decay(l, d, 0.4) * (mass @ harmonic(l, theta)) for l in (1, 2, 3)])
    # At these ε the order is 2 up to 0.15, from the next term.
    return stated(lambda by: abs(order([np.linalg.norm(end - by * told) for end in moved]) - 2) / 0.3)
