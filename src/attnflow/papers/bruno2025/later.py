"""Later phases: heat on the dominant eigenspace, t = O(β), and pairing of clusters, t = O(e^{cβ})."""

from __future__ import annotations

import numpy as np

from ...engine.attention import Softmax
from ...engine.observe.clusters import clusters
from ...theory.low_temperature import first_collapse
from ...theory.low_temperature.recognise import heat_sign
from ...theory.sphere.pair_cosines import directions
from ...theory.sphere.two_clusters import closing_speed, merging_time
from ...theory.sphere.uniform_law import growth
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import sampled
from ..hypotheses import COLD, beta_of, cold, cold_limit, of_size, on_sphere, positive_multiple
from ..retrace import and_path, attention_field
from ..tolerance import tolerance
from ..variables import value_matrix
from .hunts import heat_trial, pairing_trial, porous_trial, tie_trial, width_trial

CROWD = 3000
"""Tokens up to which all pairs of a saved state are looked at."""
MODES = np.arange(1, 4)
"""Fourier modes that are compared with heat."""


class Heat(Claim):
    number = "proposition 3.9"
    title = "On the dominant eigenspace the density follows the heat equation, backward for V > 0"
    printed = "Tokens on E, B = I and V = ±I there: over t = O(β) the density follows ∂ρ = ∓Δρ/β."
    latex = r"\partial_t\rho = -\frac{\gamma}{\beta}\Delta\rho,\qquad V|_E = \gamma I"
    provenance = "seen"
    decides = "trajectory"
    hunts = {
        "printed": sampled(heat_trial, 3, law="smooth densities, V = −I, t = 0.2β: limits from β 60–120 and twice that")
    }

    def hypotheses(self, flow, mu):
        found = cold_limit(flow, mu)
        if found is None or heat_sign(found[0]) is None:
            return []
        E, x = found[0].dominant.basis, directions(mu.x)
        return [
            *cold(flow, mu),
            Hypothesis("B and V are multiples of the identity on E", 0.0),
            Hypothesis("E is a plane at least", len(E.T) - 2.0),
            Hypothesis("tokens lie on E", 1e-3 - float(np.abs(x - x @ E @ E.T).max())),
        ]

    @staticmethod
    def _heat(flow, mu):
        """The plane or space E, its dimension, γ|V| and the κ = β|B| that stands for β."""
        limit, beta = cold_limit(flow, mu)
        E = limit.dominant.basis
        v, b = (float(np.trace(E.T @ M @ E)) / len(E.T) for M in (limit.V, limit.B))
        # A negative B on E makes tokens listen to their opposites: the sign goes to V.
        return E, v * np.sign(b), beta * abs(b)

    def predict(self, flow, mu):
        E, gamma, kappa = self._heat(flow, mu)
        how = "spreads like heat" if gamma < 0 else "sharpens like heat run backward, which is ill posed"
        rates = {int(l): float(gamma * growth(l, beta=kappa, d=len(E.T))) for l in MODES}
        words = f"over times of order β the density on E {how}: ∂ρ = {-gamma:.3g} Δρ/β with β|B| = {kappa:.4g}"
        return words, {"gamma": gamma, "rates": rates}

    def check(self, run):
        """Fourier modes against heat; what attention adds to the heat rate at saved states is the room."""
        E, gamma, kappa = self._heat(run.flow, run.at(0))
        x, ts, mass = directions(run.x), np.asarray(run.ts, float), np.asarray(run.mass, float)
        if E.shape[1] != 2 or x.shape[1] > CROWD or len(ts) < 2:
            return undecided(
                "only tokens on a plane, up to 3,000 of them and at two saved times, are compared mode by mode"
            )
        c, rate = (np.array(part) for part in zip(*(_modes(run, y, E, mass) for y in x)))
        l2 = gamma * MODES**2 / kappa
        growth, residual = np.exp(np.outer(ts, l2)), np.abs(rate - l2 * c)
        # Backward, a residual grows with the mode itself.
        room = 1.5 * ts[:, None] * np.maximum.accumulate(residual, axis=0) * np.maximum(growth, 1) + 100 * tolerance(
            run
        )
        change, off = np.abs(c[0] * (growth - 1)), np.abs(c - c[0] * growth)
        telling = (change > 3 * room) & (np.abs(c[0]) > 0.02)
        if not telling.any():
            return undecided(
                "heat has not changed the modes by more than the residual of order 1/β; run for longer, or colder"
            )
        used = float((off[telling] / room[telling]).max())
        ratio, path = and_path(used, run)
        share = float((room[telling] / change[telling]).min())
        words = f"modes are {used:.2g} of their room off the heat equation; room is {share:.2g} of what heat changes"
        return compared(ratio, words, room=share, **path)


def _modes(run, x, E, mass):
    """Fourier modes of tokens on the plane E and their rates of change under attention."""
    turn = np.array([1, 1j])
    z, v = x @ E @ turn, attention_field(run.flow, run.at(0))(0.0, x) @ E @ turn
    waves = z[:, None] ** -MODES
    return mass @ waves, mass @ (-MODES * waves * (v / z)[:, None])


class CollapseTime(Claim):
    number = "collapse time"
    title = "When a mixture of wrapped normals first collapses under backward heat"
    printed = "A mixture of heat kernels with parameters σ_j² first collapses at T = min σ_j²."
    latex = r"t = \beta\min_j\sigma_j^2/2"
    provenance = "seen"
    kind = "remark"
    corrected = (
        "with σ a standard deviation, as in figure 2, the variance is σ² − 2t/β and the collapse at t = β min σ_j²/2; once "
        "βσ² ≲ 5 widths follow v' = −2v/(1+βv) instead"
    )
    erratum = "convention"
    see = ("bruno2025.proposition3.9",)
    hunts = {
        "printed": sampled(width_trial(True), 2, law="wrapped normal laws, σ 0.6–0.8: limits from two β"),
        "corrected": sampled(width_trial(False), 3, law="the same, β 60–120 and twice that", steps=8),
    }

    def hypotheses(self, flow, mu):
        found = cold_limit(flow, mu)
        if found is None or (heat_sign(found[0]) or 0) < 1:
            return []
        groups = clusters(mu, tol=1 / np.sqrt(found[1]))
        return [
            *cold(flow, mu),
            Hypothesis("tokens form several clusters, not more than 50", min(groups.count - 2, 50 - groups.count)),
        ]

    def predict(self, flow, mu):
        _, beta = cold_limit(flow, mu)
        groups = clusters(mu, tol=1 / np.sqrt(beta))
        x, mass, labels = np.asarray(mu.x, float), np.asarray(mu.mass, float), np.asarray(groups.labels)
        away = mass * ((x - groups.centres[labels]) ** 2).sum(axis=1)
        widths = np.sqrt(np.bincount(labels, away) / np.maximum(np.bincount(labels, mass), 1e-300))
        time = first_collapse(widths, beta=beta)
        words = f"the narrowest of {groups.count} clusters has deviation {widths.min():.3g} and collapses at about t = {time:.3g}"
        return words, {"time": time, "deviations": widths.tolist()}


class PorousMedium(Claim):
    number = "remark 3.10"
    title = "Unnormalised attention spreads like a porous medium"
    printed = "With the constant normaliser Z_β = (1/β)∫e^{β⟨x,y⟩}dσ the density follows ∂ρ = Δ(ρ²)."
    latex = r"\partial_t\rho = -\frac\gamma2\Delta(\rho^2)"
    assumes = "V = −I, B = I, the constant normaliser, a smooth positive density"
    provenance = "transcribed"
    corrected = "∂ρ = −(γ/2)Δ(ρ²) for V = γI: factor one half and the sign"
    erratum = "false"
    hunts = {
        "printed": sampled(
            porous_trial(1.0), 2, law="smooth densities on the circle, V = −I: limits of rates from β = 100 and 200"
        ),
        "corrected": sampled(
            porous_trial(0.5), 4, law="smooth densities on the circle, V = −I: limits of rates from β = 100 and 200"
        ),
    }


class Pairing(Claim):
    number = "proposition 3.11"
    title = "The closest pair of clusters merges first while all others wait"
    printed = (
        "V = I, separated clusters with a unique closest pair (i, j): in the clock dt = e^{β(1−⟨x_i,x_j⟩)}ds the flow tends to "
        "y_i' = Πy_j, y_j' = Πy_i, all others fixed, as long as ⟨y_i, y_j⟩ ≤ 1 − ε."
    )
    latex = r"\tan\frac{\theta}{2} = \tan\frac{\theta_0}2\,e^{-2s}"
    provenance = "seen"
    decides = "trajectory"
    see = ("rigollet2025.theorem6",)
    hunts = {
        "printed": sampled(
            pairing_trial, 8, law="three tokens on the circle, closest pair 0.8–1.1 rad, β = 60, s = 0.2"
        )
    }
    outside = {"a unique closest pair (two of them)": sampled(tie_trial, 2, law="tokens at −θ, 0, θ, β = 60")}

    def hypotheses(self, flow, mu):
        if not on_sphere(flow, mu, (Softmax,)):
            return []
        if unfit := of_size(mu, n=(2, CROWD), d=(2, np.inf)):
            return unfit
        beta = beta_of(flow, mu.d)
        found = [
            positive_multiple("V", value_matrix(flow, mu.d)),
            Hypothesis("B is a multiple of the identity, β is large", -1.0 if np.isnan(beta) else beta - COLD),
        ]
        if not all(one.holds for one in found):
            return found
        groups = _groups(mu, beta)
        if not 2 <= groups.count <= 50:
            return [*found, Hypothesis("tokens form 2 to 50 points", min(groups.count - 2, 50 - groups.count))]
        angles = np.sort(_angles(directions(groups.centres))[np.triu_indices(groups.count, 1)])
        second = angles[1] if len(angles) > 1 else np.inf
        return [
            *found,
            Hypothesis("clusters are far apart on the scale of the kernel", beta * (1 - np.cos(angles[0])) - 3),
            Hypothesis("the closest pair is unique", min(second - angles[0] - 0.02, 10.0)),
            Hypothesis("the pair is not opposite", np.pi - angles[0] - 1e-3),
        ]

    @staticmethod
    def _law(flow, mu):
        """Labels of the clusters, the closest pair, and what its law needs."""
        beta = beta_of(flow, mu.d)
        groups = _groups(mu, beta)
        angles = _angles(directions(groups.centres)) + 10 * np.eye(groups.count)
        i, j = (int(k) for k in np.unravel_index(np.argmin(angles), angles.shape))
        mass = (float(groups.mass[i]), float(groups.mass[j]))
        return np.asarray(groups.labels), (i, j), {"beta": beta, "mass": mass}, float(value_matrix(flow, mu.d)[0, 0])

    def predict(self, flow, mu):
        labels, (i, j), law, speed = self._law(flow, mu)
        centres = _centres(directions(mu.x), labels)
        angle = float(_angles(centres)[i, j])
        time = merging_time(angle, min(0.1 / np.sqrt(law["beta"]), angle / 2), **law) / speed
        words = (
            f"of {len(centres)} clusters the closest two, {angle:.4g} rad apart, come within a tenth of the kernel's width "
            f"at about t = {time:.4g}; the others hardly move until then"
        )
        return words, {"angle": angle, "time": time, "clusters": len(centres)}

    def check(self, run):
        """The time that the law of a pair gives to each angle; the pull of the other clusters at saved states is the room."""
        labels, (i, j), law, speed = self._law(run.flow, run.at(0))
        x, ts = directions(run.x), np.asarray(run.ts, float)
        centres = np.array([_centres(y, labels) for y in x])
        angle = np.array([_angles(c)[i, j] for c in centres])
        pull = np.array([_pull(c, i, j, labels, run) for c in centres])
        pair = speed * closing_speed(np.maximum(angle, 1e-12), **law)
        disturbed = np.maximum.accumulate(np.abs(pull / pair - 1))
        error, small = 100 * tolerance(run), np.flatnonzero(angle < 0.1 / np.sqrt(law["beta"]))
        last = small[0] if len(small) else len(ts) - 1
        clock = np.array([_due(angle[0], a, law) / speed for a in angle])
        room = 1.5 * disturbed * ts + error * (1 / pair[0] + 1 / pair) + 1e-6 * ts + 1e-9
        seen = [k for k in range(1, last + 1) if disturbed[k] < 0.3 and angle[0] - angle[k] > 10 * error]
        if not seen:
            return undecided(
                "the pair has hardly moved at the saved times, or others disturb it; run for longer",
                angle=float(angle[-1]),
            )
        used = float((np.abs(clock - ts) / room)[seen].max())
        ratio, path = and_path(used, run)
        others = [k for k in range(len(centres[0])) if k not in (i, j)]
        waited = float(np.linalg.norm(centres[seen[-1], others] - centres[0, others], axis=1).max(initial=0.0))
        words = (
            f"up to t = {ts[seen[-1]]:.4g} the clock of the pair is {used:.2g} of its room off the law; meanwhile its angle fell "
            f"from {angle[0]:.3g} to {angle[seen[-1]]:.3g} and others moved by {waited:.2g}"
        )
        return compared(ratio, words, angle=float(angle[seen[-1]]), others=waited, **path)


def _groups(mu, beta):
    return clusters(mu, tol=1e-3 / np.sqrt(beta))


def _centres(x, labels):
    return directions(np.stack([x[labels == k].mean(axis=0) for k in range(labels.max() + 1)]))


def _angles(centres):
    """Angles between all centres, exact also near 0 and π."""
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    across = np.linalg.norm(centres[:, None] + centres[None], axis=2)
    return 2 * np.arctan2(apart, across)


def _pull(centres, i, j, labels, run):
    """How fast the angle of clusters i and j closes when all clusters pull."""
    mu = run.at(0)
    crowd = type(mu)(centres, np.bincount(labels, np.asarray(mu.mass, float)))
    v = attention_field(run.flow, crowd)(0.0, centres)
    cosine = centres[i] @ centres[j]
    return float((v[i] @ centres[j] + v[j] @ centres[i]) / np.sqrt(max(1 - cosine**2, 1e-300)))


def _due(start, angle, law) -> float:
    """The time from one angle to another, negative where the pair has parted."""
    if angle > start:
        return -merging_time(min(float(angle), np.pi - 1e-9), float(start), **law)
    return merging_time(float(start), max(float(angle), 1e-12), **law)
