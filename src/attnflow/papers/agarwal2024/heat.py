"""Many bridge steps: the heat flow in R^d and on the sphere, its reverse, its free energy, and Fokker–Planck flows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...engine.measures import Particles
from ...engine.spaces import Euclidean, Sphere
from ...theory.heat import gaussian_transport as closed
from ...theory.heat.bridge import BridgeFlow
from ...theory.heat.entropy import free_energy
from ...theory.heat.self_transport import self_transport
from ...theory.heat.steps import Heat, Reverse, Strang, Surrogate
from ..claim import Claim, Finding, Hypothesis, compared, holds, refuted, undecided
from ..hunt import sampled
from .hunts import (
    convergence_trial,
    energy_trial,
    fokker_planck_trial,
    half_circle_trial,
    half_heat_trial,
    harmonic_decay,
    orders_trial,
    reverse_trial,
    second_order_trial,
    sphere_trial,
)
from .schemes import heat_steps, local_widths, off_scheme, reverse_steps

LOOSE = 1e-5
"""How far a saved state may be from the steps of the one before, in sizes of the tokens: the solver's tolerance adds up."""
SPREAD = 5.0
"""Laws that are not Gaussian may err this many times as much as Gaussians of their local widths."""
COARSE = 1.1
"""The largest spacing of nodes, in √ε, at which sums over them are still integrals, to a millionth."""


def bridge_steps(flow, mu, *, kind, space):
    """A run of bridge steps of this kind in this space, one step per ε."""
    if not (isinstance(flow, BridgeFlow) and isinstance(flow.space, space) and isinstance(flow.step, kind)):
        return []
    if not (isinstance(mu, Particles) and mu.x.ndim == 2):
        return []
    whole = abs(getattr(flow.step, "fraction", 1.0) - 1)
    return [Hypothesis("a step lasts exactly ε", -whole if whole else 0.0)]


def _cloud(run, k=0):
    """Tokens that carry mass, at a saved time."""
    mass = np.asarray(run.mass, float)
    return np.asarray(run.x[k], float)[mass > 0], mass[mass > 0]


def _moments(run):
    """Mean and covariance at the saved times."""
    x, mass = np.asarray(run.x, float), np.asarray(run.mass, float)
    mean = np.einsum("n,knd->kd", mass, x)
    centred = x - mean[:, None]
    return mean, np.einsum("n,kni,knj->kij", mass, centred, centred)


def _unresolved(run) -> Finding | None:
    """Why a run says nothing about densities, if so."""
    if len(run.ts) < 2:
        return undecided("one saved time shows no motion; save two or more")
    for note in run.notes:
        if any(words in note for words in ("not resolved", "noise-dominated")):
            return undecided(f"the tokens do not resolve a density ({note})")
    if _has_nodes(run) and run.series("spacing").max() > COARSE:
        return undecided(f"nodes are {run.series('spacing').max():.2g} √ε apart; finer ones would resolve the density")
    return None


def _has_nodes(run) -> bool:
    return bool(run.layers) and run.layers[0].resolution.spacing is not None


def _of_densities(run, error, room, *, words: str, **numbers) -> Finding:
    """Samples carry an error of their own, so only quadrature nodes can refute a statement about densities."""
    words += f" by at most {error.max():.2e}, allowed {room.max():.2e}"
    numbers |= {"error": float(error.max()), "room": float(room.max())}
    if room.max() > 0.5 * min(1.0, float(run.ts[-1])):
        return undecided(f"{words}: ε is too large for so narrow a law to tell", **numbers)
    ratio = float((error[1:] / room[1:]).max())
    if ratio <= 1 or _has_nodes(run) or not np.isfinite(ratio):
        return compared(ratio, words, **numbers)
    return undecided(f"{words}; samples carry an error of their own: use quadrature nodes", **numbers)


def _room(run, recursion: Callable, rate: float, *, directions: int) -> np.ndarray:
    """What the scheme may err in a variance at every saved time: as Gaussians of the local widths do, five times.

    Of the widths of a token the largest `directions` count: on a sphere the radial one does not.
    """
    widths, mass = local_widths(*_cloud(run), run.flow.eps)[:, -directions:], _cloud(run)[1]
    lam, done, errors = widths, 0, []
    for t in np.asarray(run.ts, float):
        count = round(t / run.flow.eps)
        # Backwards, the narrowest tokens run out of variance before the others.
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            lam, done = recursion(lam, run.flow.eps, count - done), count
        errors.append(float(mass @ np.abs(lam - widths - rate * t).sum(axis=1)))
    return SPREAD * np.array(errors) + 1e-6 * _moments(run)[1].trace(axis1=1, axis2=2).max()


def _narrowest(run) -> float:
    """The local width that all but a hundredth of the mass exceeds."""
    (x, mass), eps = _cloud(run), run.flow.eps
    widths = local_widths(x, mass, eps).min(axis=1)
    by_width = np.argsort(widths)
    return float(widths[by_width][np.searchsorted(np.cumsum(mass[by_width]), 0.01)])


class HeatFlow(Claim):
    number = "heat flow"
    title = "Bridge steps of Sinkhorn attention follow the heat flow"
    printed = "the largest W₂ over k ≤ T/ε between k bridge steps and the heat flow at kε tends to 0 as ε → 0"
    latex = (
        r"\sup_{k\le T/\varepsilon} W_2(\rho_k, \rho(k\varepsilon)) \to 0,\qquad \partial_t\rho = \tfrac12\Delta\rho"
    )
    provenance = "seen"
    kind = "theorem"
    decides = "trajectory"
    hunts = {
        "printed": sampled(convergence_trial, 3, law="mixtures of two Gaussians on the line, nodes, ε = 0.1 and 0.05")
    }

    def hypotheses(self, flow, mu):
        return bridge_steps(flow, mu, kind=Heat, space=Euclidean)

    def predict(self, flow, mu):
        x, m = np.asarray(mu.x, float), np.asarray(mu.mass, float)
        total = float(m @ np.sum((x - m @ x) ** 2, axis=1))
        words = f"the law spreads like heat: its mean stays, its total variance is {total:.4g} + {mu.d} t up to O(ε²)"
        return words, {"total_variance": total, "rate": float(mu.d), "eps": flow.eps}

    def check(self, run):
        if (why := _unresolved(run)) is not None:
            return why
        (mean, cov), ts = _moments(run), np.asarray(run.ts, float)
        off, size = off_scheme(run, heat_steps), np.sqrt(np.trace(cov, axis1=1, axis2=2).max())
        drift = float(np.abs(mean - mean[0]).max() / size) if size > 0 else 0.0
        if off > LOOSE or drift > LOOSE:
            return refuted(
                f"saved states are not bridge steps: off by {off:.1e}, mean off by {drift:.1e}", off=off, drift=drift
            )
        error = np.abs(cov - cov[0] - ts[:, None, None] * np.eye(cov.shape[1])).max(axis=(1, 2))
        room = _room(run, closed.heat_variance, 1.0, directions=cov.shape[1])
        return _of_densities(
            run, error, room, words=f"mean off by {drift:.1e}, covariance off Σ₀ + tI", mean_drift=drift
        )


class SecondOrder(Claim):
    number = "second order"
    title = "Bridge steps follow the heat flow to second order"
    printed = (
        "the error after a fixed time is O(ε²), when and only when a step lasts exactly ε (the posters claim O(ε))"
    )
    latex = (
        r"2x-\mathrm{bary}(x) = x - \varepsilon g - \tfrac{\varepsilon^2}{2}(\tfrac12\Delta g + (\nabla g)g) + O(\varepsilon^3),"
        r"\ g=\tfrac12\nabla\log\rho"
    )
    assumes = "a smooth positive density ρ, steps that last exactly ε"
    provenance = "derived"
    hunts = {
        "printed": sampled(second_order_trial, 2, law="mixtures of two Gaussians on the line, nodes, ε = 0.1 and 0.05")
    }
    outside = {"the step lasts ε (here half of it)": sampled(half_heat_trial, 3)}


class ReverseSteps(Claim):
    number = "reverse steps"
    title = "Sinkhorn attention itself runs the heat flow backwards"
    printed = "x ← bary(x) follows the heat flow backwards to first order: the variance s² − t, while t < s²"
    latex = r"\lambda' = \lambda\,r(u)^2 = \lambda - \varepsilon r(u),\quad u = \varepsilon/(2\lambda)"
    provenance = "authors' code"
    kind = "remark"
    decides = "trajectory"
    hunts = {
        "printed": sampled(
            reverse_trial, 3, law="mixtures of two Gaussians, back along their heat flow, ε = 0.05 and 0.025", steps=8
        )
    }

    def hypotheses(self, flow, mu):
        return bridge_steps(flow, mu, kind=Reverse, space=Euclidean)

    def predict(self, flow, mu):
        x, m = np.asarray(mu.x, float), np.asarray(mu.mass, float)
        widths = np.linalg.eigvalsh(np.atleast_2d(np.cov(x.T, aweights=m, ddof=0)))
        words = (
            f"the law shrinks as heat flowing backwards: mean fixed, every variance smaller by t up to O(ε); this is "
            f"meaningful for t well below the smallest variance, {widths[0]:.4g}"
        )
        return words, {"smallest_variance": float(widths[0]), "eps": flow.eps}

    def check(self, run):
        if (why := _unresolved(run)) is not None:
            return why
        (mean, cov), ts = _moments(run), np.asarray(run.ts, float)
        off, size = off_scheme(run, reverse_steps), np.sqrt(np.trace(cov, axis1=1, axis2=2).max())
        drift = float(np.abs(mean - mean[0]).max() / max(size, 1e-300))
        if off > LOOSE or drift > LOOSE:
            return refuted(
                f"saved states are not reverse steps: off by {off:.1e}, mean off by {drift:.1e}", off=off, drift=drift
            )
        early = ts <= _narrowest(run) / 2
        if early.sum() < 2:
            return undecided("the law is locally narrower than twice the first saved time: backward heat is ill-posed")
        error = np.abs(cov - cov[0] + ts[:, None, None] * np.eye(cov.shape[1])).max(axis=(1, 2))
        room = _room(run, closed.reverse_variance, -1.0, directions=cov.shape[1])
        words = f"until t = {ts[early][-1]:g} the covariance is off Σ₀ − tI"
        return _of_densities(run, error[early], room[early], words=words, mean_drift=drift)


class FreeEnergy(Claim):
    number = "free energy"
    title = "The entropic free energy falls at every bridge step"
    printed = "F_ε = −OT_ε(μ, μ)/(2ε) − (d/4) log 2πε never rises at a bridge step (seen in all trials; no proof)"
    latex = r"F_\varepsilon = -\mathrm{OT}_\varepsilon(\mu,\mu)/(2\varepsilon) - \tfrac d4\log 2\pi\varepsilon"
    provenance = "derived"
    kind = "conjecture"
    decides = "monotone"
    hunts = {
        "printed": sampled(
            energy_trial, 20, law="2–60 tokens with heavy tails, d = 1–4, uneven masses, ε from 0.003 to 10"
        )
    }

    def hypotheses(self, flow, mu):
        return bridge_steps(flow, mu, kind=Heat, space=Euclidean)

    def predict(self, flow, mu):
        value = free_energy(self_transport(np.asarray(mu.x, float), flow.eps, mass=np.asarray(mu.mass, float)))
        words = f"the free energy −OT_ε(μ, μ)/(2ε) − (d/4) log 2πε, about half of ∫ρ log ρ, now {value:.6g}, falls at every step"
        return words, {"energy": float(value)}

    def check(self, run):
        some = np.unique(np.linspace(0, len(run.ts) - 1, 21).astype(int))
        plans = [self_transport(_cloud(run, k)[0], run.flow.eps, mass=_cloud(run, k)[1]) for k in some]
        values = np.array([free_energy(one) for one in plans])
        rise = float(np.max(np.diff(values), initial=0.0))
        words = f"from {values[0]:.6g} to {values[-1]:.6g}, largest rise between saved states {rise:.1e}"
        return (holds if rise < 1e-7 * (1 + np.abs(values).max()) else refuted)(words, rise=rise)


class SphereHeat(Claim):
    number = "sphere heat"
    title = "Layer-normed Sinkhorn attention is the heat flow of the sphere"
    printed = "x ← normalise(x − Π_x bary(x)) follows ∂ρ = ½Δρ on the sphere, to second order in ε = 1/β"
    latex = r"\int Y_l\,d\mu_t \approx e^{-l(l+d-2)t/2}\int Y_l\,d\mu_0"
    provenance = "derived"
    decides = "trajectory"
    hunts = {"printed": sampled(sphere_trial, 3, law="smooth densities on the circle, zonal ones on the 2-sphere")}
    outside = {"the step lasts ε (here half of it)": sampled(half_circle_trial, 2)}

    def hypotheses(self, flow, mu):
        return bridge_steps(flow, mu, kind=Heat, space=Sphere)

    def predict(self, flow, mu):
        mean = float(np.linalg.norm(np.asarray(mu.mass) @ np.asarray(mu.x)))
        words = (
            f"the law spreads like heat on the sphere: its mean, of length {mean:.4g}, shrinks by exp(−{(mu.d - 1) / 2:g} t), "
            f"harmonics of degree l by exp(−l(l+{mu.d - 2})t/2)"
        )
        return words, {"mean": mean, "rate": (mu.d - 1) / 2}

    def check(self, run):
        if (why := _unresolved(run)) is not None:
            return why
        x, mass, ts = np.asarray(run.x, float), np.asarray(run.mass, float), np.asarray(run.ts, float)
        off, d = off_scheme(run, heat_steps), x.shape[-1]
        if off > LOOSE:
            return refuted(f"saved states are not bridge steps: off by {off:.1e}", off=off)
        first = np.einsum("n,knd->kd", mass, x)
        second = np.einsum("n,kni,knj->kij", mass, x, x) - np.eye(d) / d
        error = np.maximum(
            np.abs(first - harmonic_decay(1, d, ts)[:, None] * first[0]).max(axis=1),
            np.abs(second - harmonic_decay(2, d, ts)[:, None, None] * second[0]).max(axis=(1, 2)),
        )
        room = _room(run, closed.heat_variance, 1.0, directions=d - 1) + (d * run.flow.eps) ** 2
        return _of_densities(run, error, room, words="moments of degree 1 and 2 are off their decay")


class FokkerPlanck(Claim):
    number = "theorem 3"
    title = "Bridge steps of a surrogate measure follow a Fokker–Planck flow"
    printed = "for a log-concave ν bridge steps of the surrogate (ρ/ν)^(−θ) converge uniformly to the gradient flow of ½KL(ρ|ν)"
    latex = r"x \leftarrow (1-\tfrac1\theta)x + \tfrac1\theta\,\mathrm{bary}_\sigma(x),\quad\sigma\propto(\rho/\nu)^{-\theta}"
    assumes = "a smooth positive density, bridge steps between surrogates of a smooth potential"
    provenance = "seen"
    hunts = {"printed": sampled(fokker_planck_trial, 3, law="mixtures narrower than ν = N(0, 1), wider Gaussians")}

    def hypotheses(self, flow, mu):
        return bridge_steps(flow, mu, kind=(Surrogate, Strang), space=Euclidean)

    def predict(self, flow, mu):
        order = 2 if isinstance(flow.step, Strang) else 1
        words = (
            f"the laws follow the gradient flow of ½KL(ρ|ν), off by O(ε{'²' if order == 2 else ''}) after a fixed time"
        )
        return words, {"order": order}


class FokkerPlanckOrders(Claim):
    number = "Fokker-Planck orders"
    title = "Surrogate steps are of first order, splitting off the drift makes them second"
    printed = "surrogate bridge steps are of first order in ε; half a step of drift, a heat step, half a step of drift of second"
    latex = (
        r"\|T_\varepsilon^{\lfloor t/\varepsilon\rfloor}\mu-\mu_t\|=O(\varepsilon),\qquad "
        r"\|(D_{\varepsilon/2}H_\varepsilon D_{\varepsilon/2})^{\lfloor "
        r"t/\varepsilon\rfloor}\mu-\mu_t\|=O(\varepsilon^2)"
    )
    assumes = "a smooth positive density and a smooth potential"
    provenance = "derived"
    hunts = {
        "printed": sampled(orders_trial, 2, law="narrow mixtures under Ornstein–Uhlenbeck, nodes, ε = 0.1 and 0.05")
    }
