"""Sections 2 to 5: where rescaled tokens z = e^{−tV}x end, depending on the spectrum of V."""

from __future__ import annotations

import numpy as np

from ...theory.limits.consistency import planes_followed
from ...theory.limits.limit import limit
from ...theory.limits.value_matrix import classify
from ..claim import Claim, Hypothesis, holds, refuted, undecided
from ..hunt import both, fixed, sampled
from ..hypotheses import LARGEST, distinct, in_space, of_size, on_rescaled_tokens, positive_definite
from ..retrace_euclidean import off_course
from ..variables import growth_matrix, score_matrix, tokens_z, unrescaled, value_matrix
from .hunts.limits import (
    and_symmetric,
    any_scores_paranormal_trial,
    any_scores_trial,
    boundary_distance,
    codimension_trial,
    identity_trial,
    leading_turn_trial,
    line_trial,
    off_planes,
    opposed_planes_trial,
    opposite_rows_trial,
    paranormal_trial,
    planes_trial,
    polytope_trial,
    soft_rows,
    square_trial,
    subspaces,
    turning_trial,
)
from .leaders import allowed, dominant, judged, leaders_of

CALM = 1e-4
"""Coordinates that move by less between the last two saved times, against the size of the prompt, are at rest."""


def _limit_words(flow, mu, words) -> tuple[str, dict]:
    """The words of a theorem, and its limit for this prompt where that can be computed."""
    if mu.n > LARGEST:
        return words, {}
    found = limit(unrescaled(flow), mu)
    numbers = {"certified": found.certificate.holds, "time": found.certificate.time}
    if found.certificate.holds:
        numbers["error"] = found.certificate.error
    if found.vertices is not None:
        numbers["leaders"] = found.vertices.tolist()
    if found.planes is not None:
        numbers["planes"] = found.planes.tolist()
    return f"{words}; {found.words}", numbers


def _case(flow, mu, case: str) -> Hypothesis:
    V = classify(value_matrix(flow, mu.d), mu.d)
    return Hypothesis(f"V is of the kind “{case}”", (V.lam - V.second) / abs(V.lam) if V.case == case else -1.0)


def line_hypotheses(flow, mu):
    """Tokens on the line with V > 0 and QK > 0."""
    if not in_space(flow, mu):
        return []
    if unfit := of_size(mu, d=(1, 1)):
        return unfit
    V, B = value_matrix(flow, 1)[0, 0], score_matrix(flow, 1)[0, 0]
    return [Hypothesis("V > 0", V - 1e-15), Hypothesis("QK > 0", B - 1e-15), distinct(mu)]


def polytope_hypotheses(flow, mu):
    """V a positive multiple of the identity, B symmetric positive definite."""
    if not in_space(flow, mu):
        return []
    return [_case(flow, mu, "identity"), positive_definite("B = QᵀK", score_matrix(flow, mu.d))]


def good_triple(flow, mu):
    """Definition 4.1: a simple leading eigenvalue, and tokens that agree along its eigenvector attract each other."""
    if not in_space(flow, mu):
        return []
    V = classify(value_matrix(flow, mu.d), mu.d)
    if V.case in ("identity", "minus identity", "zero"):
        return []
    spectral = Hypothesis(
        "V has a real, positive, simple eigenvalue λ₁ above all others in modulus",
        (V.lam - V.second) / abs(V.lam) if V.case == "hyperplane" else -1.0,
    )
    if not spectral.holds:
        return [spectral]
    phi = V.right[:, 0]
    return [spectral, Hypothesis("⟨Qφ₁, Kφ₁⟩ > 0", float(phi @ score_matrix(flow, mu.d) @ phi) - 1e-15)]


class LowRank(Claim):
    number = "theorem 2.1"
    title = "On the line every row of P but at most one becomes a unit vector"
    printed = "On the line with V > 0 and QK > 0, P(t) tends to a matrix whose rows, all but at most one, are e₁ or eₙ."
    latex = r"P(t)\to P^*,\qquad P^*_{i\cdot}\in\{e_1, e_n\}\ \text{for all } i \text{ but at most one}"
    provenance = "seen"
    decides = "end state"
    in_layers = True
    hunts = {"printed": and_symmetric(line_trial, 14, law="3–7 tokens in [−1, 1] or [1, 3], some near balance")}
    outside = {"QK > 0 (QK = −1)": sampled(opposite_rows_trial, 30)}

    def hypotheses(self, flow, mu):
        return line_hypotheses(flow, mu)

    def predict(self, flow, mu):
        words = "every token but at most one ends by listening to the lowest or to the highest token alone"
        return _limit_words(flow, mu, words)

    @on_rescaled_tokens
    def check(self, run):
        if lost := off_course(run):
            return lost
        z, t, v = tokens_z(run), float(run.ts[-1]), growth_matrix(run)[0, 0]
        b = score_matrix(run.flow, 1)[0, 0]
        others = soft_rows(z[-1], b, v, t) if z.shape[1] > 1 else 0
        # Once the largest score is beyond reach of the smallest first distance, a token off the origin is swept out at once.
        near = np.sqrt(b) * np.diff(np.sort(z[0, :, 0])).min(initial=np.inf)
        with np.errstate(over="ignore"):
            is_late = np.sqrt(b) * np.abs(z[-1]).max() * np.exp(v * t) * min(1.0, near) > 1e3
        words = f"{others} row(s) of P are not yet those of the lowest or the highest token"
        if others > 1:
            return (refuted if is_late else undecided)(words, others=others)
        found = leaders_of(run)
        if found.strayed > allowed(run, dominant(run), float(np.abs(z[0]).max())):
            return refuted("tokens stray from the way to their leaders", others=others, strayed=found.strayed)
        return holds(words, others=others)


class Polytope(Claim):
    number = "theorem 3.1"
    title = "For V = I rescaled tokens end at finitely many points of a polytope"
    printed = (
        "V = I, B positive definite: conv z(t) tends to a polytope K and every z_i to a point of a finite set S on it."
    )
    latex = r"z_i(t)\to z_i^*\in S\subset\partial K\cup\{0\},\qquad \mathrm{conv}\{z_j(t)\}\to K"
    provenance = "seen"
    decides = "trajectory"
    in_layers = True
    see = ("geshkovski2023.theorem8.1",)
    hunts = {
        "printed": sampled(
            polytope_trial, 16, law="3–14 tokens in R^1 to R^3: general, far off, nearly symmetric, nearly coincident"
        )
    }
    outside = {"B positive definite (any B)": sampled(any_scores_trial, 8)}

    def hypotheses(self, flow, mu):
        return polytope_hypotheses(flow, mu)

    def predict(self, flow, mu):
        words = (
            "every rescaled token e^{−tV}x tends to a point of a polytope, for almost every start to one of its corners"
        )
        return _limit_words(flow, mu, words)

    @on_rescaled_tokens
    def check(self, run):
        if lost := off_course(run):
            return lost
        return judged(run, leaders_of(run), "every token moves straight to a leader that listens to itself")


class Hyperplanes(Claim):
    number = "theorem 4.2"
    title = "A simple leading eigenvalue gathers tokens on at most three parallel hyperplanes"
    printed = "For a good triple, φ₁*(z_i) tends to a value in {0, a, b}: at most three parallel hyperplanes."
    latex = r"\varphi_1^*(z_i(t))\to c_i\in\{a, 0, b\}"
    provenance = "seen"
    decides = "trajectory"
    in_layers = True
    hunts = {"printed": and_symmetric(planes_trial, 8, law="3–6 tokens in R² or R³, rates 1 and ±0.6, B > 0")}
    outside = {"⟨Qφ₁, Kφ₁⟩ > 0 (it is negative)": sampled(opposed_planes_trial, 4)}

    def hypotheses(self, flow, mu):
        return good_triple(flow, mu)

    def predict(self, flow, mu):
        words = (
            "the coordinate φ₁*(z) of every rescaled token along the leading eigenvector of V tends to one of at most "
            "three values, one of them 0"
        )
        return _limit_words(flow, mu, words)

    @on_rescaled_tokens
    def check(self, run):
        if lost := off_course(run):
            return lost
        d, ts, V, z = run.x.shape[-1], np.asarray(run.ts, float), dominant(run), tokens_z(run)
        M, mass = score_matrix(run.flow, d), np.asarray(run.mass)
        found = planes_followed(z, ts, V, growth_matrix(run), M, mass=mass)
        c = z @ V.left[0]
        size, low, high = max(np.abs(c[0]).max(), 1e-300), c.min(axis=1), c.max(axis=1)
        outward = float(np.max([np.diff(high), -np.diff(low)], initial=0)) / size
        apart, slack = float(off_planes(c[-1], low[-1], high[-1]).max()) / size, allowed(run, V, size)
        numbers = {"off_planes": apart, "planes": [low[-1], high[-1]], "strayed": found.strayed, "allowed": slack}
        if outward > slack or found.strayed > slack:
            return refuted("coordinates φ₁* move outwards, or away from their plane", **numbers)
        if apart >= 1e-3:
            return undecided("not every φ₁* has reached a plane yet: run for longer", **numbers)
        return holds(f"every φ₁* is near {low[-1]:.3g}, 0 or {high[-1]:.3g}, to {apart:.1g} of the first", **numbers)


class Codimension(Claim):
    number = "conjecture 4.3"
    title = "With k growing directions tokens gather on at most three parallel subspaces of codimension k"
    printed = (
        "With k eigenvalues of positive real part, tokens cluster to at most three parallel subspaces of codimension k."
    )
    latex = (
        r"\#\{\lambda\in\sigma(V):\operatorname{Re}\lambda>0\}=k\ \Rightarrow\ z_i(t)\to\bigcup_{q\le3}H_q,\quad "
        r"H_q\text{ parallel},\ \operatorname{codim}H_q=k,\quad\text{for almost every }x(0)"
    )
    provenance = "seen"
    corrected = (
        "for almost every start, and for a good triple: the symmetric start (±1, ±1) under V = diag(1, 0.9) keeps four "
        "points, and V = I, which makes no good triple, has polytopes of many corners"
    )
    erratum = "incomplete"
    decides = "end state"
    in_layers = True
    see = ("geshkovski2023.theorem4.2",)
    hunts = {
        "printed": both(
            fixed(square_trial), sampled(codimension_trial, 2, law="rates 1.5, 0.3–0.7 and negative", steps=6)
        ),
        "corrected": both(
            and_symmetric(codimension_trial, 2, law="4–7 tokens in R³, rates 1.5, 0.3–0.7 and negative", steps=6),
            sampled(turning_trial, 2, law="the same with a complex pair of positive real part", steps=6),
        ),
    }
    outside = {
        "a good triple (V = I)": sampled(identity_trial, 2),
        "a good triple (a complex leading pair)": sampled(leading_turn_trial, 2),
    }

    def hypotheses(self, flow, mu):
        conditions = good_triple(flow, mu)
        return [*conditions, distinct(mu)] if conditions and conditions[0].holds else conditions

    def predict(self, flow, mu):
        count = int((np.linalg.eigvals(value_matrix(flow, mu.d)).real > 1e-12).sum())
        words = (
            f"conjectured for almost every start: rescaled tokens gather on at most three parallel subspaces of "
            f"codimension {count}, the number of eigenvalues of V with positive real part"
        )
        return words, {"codimension": count}

    @on_rescaled_tokens
    def check(self, run):
        if lost := off_course(run):
            return lost
        spectrum, vectors = np.linalg.eig(value_matrix(run.flow, run.x.shape[-1]))
        if run.x.shape[1] > 2000 or np.linalg.cond(vectors) > 1e6:
            return undecided("too many tokens to compare, or eigenvectors of V too close to each other")
        c = tokens_z(run) @ np.linalg.inv(vectors)[np.real(spectrum) > 1e-12].T
        size = max(np.abs(c[0]).max(), 1e-300)
        moving = float(np.abs(c[-1] - c[-2]).max()) / size
        count = subspaces(c[-1], tol=0.01 * size)
        numbers = {"subspaces": count, "last_motion": moving}
        if moving > CALM:
            return undecided("coordinates along growing directions still move: run for longer", **numbers)
        if count > 3:
            words = f"growing coordinates rest at {count} places: a counterexample, or one of the exceptional starts"
            return undecided(f"{words}; disturb the start a little and run again", **numbers)
        return holds(f"coordinates along growing directions rest at {count} place(s)", **numbers)


class Paranormal(Claim):
    number = "theorem 5.2"
    title = "A multiple leading eigenvalue: tokens end on the boundary of a polytope × the other directions"
    printed = "Paranormal V, B positive definite: z_i tends to (∂K ∪ {0}) × G for a polytope K in the dominant space F."
    latex = r"\mathrm{dist}\big(z_i(t), (\partial K\cup\{0\})\times G\big)\to0"
    provenance = "seen"
    decides = "trajectory"
    in_layers = True
    hunts = {"printed": sampled(paranormal_trial, 6, law="4–7 tokens in R³, rates 1, 1 and ±0.6, positive definite B")}
    outside = {"B positive definite (any B)": sampled(any_scores_paranormal_trial, 4)}

    def hypotheses(self, flow, mu):
        if not in_space(flow, mu):
            return []
        if classify(value_matrix(flow, mu.d), mu.d).case in ("identity", "minus identity", "zero"):
            return []
        return [_case(flow, mu, "paranormal"), positive_definite("B = QᵀK", score_matrix(flow, mu.d))]

    def predict(self, flow, mu):
        words = "the part of every rescaled token in the leading eigenspace F of V tends to the boundary of a polytope, or to 0"
        return _limit_words(flow, mu, words)

    @on_rescaled_tokens
    def check(self, run):
        if lost := off_course(run):
            return lost
        V = dominant(run)
        u = tokens_z(run) @ V.left.T
        directions = np.random.default_rng(0).normal(size=(64, u.shape[-1]))
        support, size = (u @ directions.T).max(axis=1), max(np.linalg.norm(u[0], axis=1).max(), 1e-300)
        reach = np.linalg.norm(directions, axis=1).max()
        outward = float(np.max(np.diff(support, axis=0), initial=0.0)) / size / reach
        if outward > allowed(run, V, size):
            return refuted("the hull of the dominant coordinates grows", outward_motion=outward)
        off = boundary_distance(u[-1]) / size
        found = judged(run, leaders_of(run), "every token moves straight to a leader in F", off_boundary=off)
        if found.outcome == "undecided" and off < 1e-3:
            return holds(
                f"tokens are {off:.1g} of their size from the boundary of their hull or from 0", **found.numbers
            )
        return found
