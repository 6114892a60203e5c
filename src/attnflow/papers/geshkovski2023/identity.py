"""Section 8: V = I, hulls and the set S they end with; V = −I, tokens that tend to 0."""

from __future__ import annotations

import numpy as np

from ...engine.linalg.matrices import multiple_of_identity
from ...theory.limits.hardmax_certificate import rows
from ...theory.limits.polytope import hull_vertices
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import sampled
from ..hypotheses import equal_masses, in_space, on_rescaled_tokens, positive_multiple
from ..retrace_euclidean import off_course
from ..tolerance import rescaled_error, token_error
from ..variables import score_matrix, tokens_x, tokens_z, value_matrix
from .hunts.identity import (
    decay_error,
    decay_trial,
    directions,
    growing_hull_trial,
    hull_trial,
    left_ratio,
    log_energy,
    other_scores_repelled,
    repelled_size_trial,
    repelled_trial,
    size_ratio,
    stretched_decay_trial,
    work_trial,
)
from .hunts.limits import rank_ratio, rank_trial, set_ratios, set_trial
from .leaders import allowed, dominant, judged, leaders_of
from .limits import polytope_hypotheses

LARGEST_S = 12
"""Polytopes up to so many corners have their set S enumerated."""


class LimitSet(Claim):
    number = "theorem 8.1"
    title = "The possible ends of tokens for V = I form a finite set on the boundary of the polytope"
    printed = (
        "V = I, B positive definite, K the limit polytope with vertices v_j: S = {x ∈ K : |x|_B² = max_j ⟨x, v_j⟩_B} is "
        "finite, contains every v_j, lies in ∂K ∪ {0}, and contains 0 exactly if K does; every z_i tends to a point of S."
    )
    latex = r"S = \{x\in K : |x|_B^2 = \max_j\langle x, v_j\rangle_B\}\subset\partial K\cup\{0\},\qquad z_i(t)\to z_i^*\in S"
    provenance = "seen"
    decides = "end state"
    see = ("geshkovski2023.theorem3.1",)
    hunts = {"printed": sampled(set_trial, 8, law="the prompts of theorem 3.1, to t = 8")}

    def hypotheses(self, flow, mu):
        return polytope_hypotheses(flow, mu)

    def predict(self, flow, mu):
        words = (
            "rescaled tokens end in the finite set S of points x of a polytope K at which no corner v has ⟨x, Bv⟩ above "
            "⟨x, Bx⟩; S holds every corner and, besides 0, only points of the boundary"
        )
        return words, {}

    @on_rescaled_tokens
    def check(self, run):
        if lost := off_course(run):
            return lost
        found = judged(run, leaders_of(run), "every token tends to a leader")
        if found.outcome != "holds":
            return found
        z, B, leader = _last_leaders(run)
        corners = z[leader][hull_vertices(z[leader])]
        slack = allowed(run, dominant(run), float(np.abs(z).max()))
        if len(corners) > LARGEST_S or z.shape[1] > 4:
            return undecided(f"a polytope of {len(corners)} corners in R^{z.shape[1]} is too large for its set S")
        missing, misplaced = set_ratios(corners, B, slack=slack)
        words = f"each of the {len(corners)} corners lies in S, and S on the boundary or at 0"
        if missing <= 1 < misplaced:
            return undecided("corners are too close to each other for their set S to be enumerated", missing=missing)
        return compared(missing, words, allowed=slack)


def _last_leaders(run):
    """Tokens z at the end, βB, and the distinct tokens that others listen to."""
    z, B = tokens_z(run)[-1], score_matrix(run.flow, run.x.shape[-1])
    found = rows(z, B, log_scale=2 * dominant(run).lam * float(run.ts[-1]), mass=run.mass)
    return z, B, np.unique(found.leader)


class Rank(Claim):
    number = "rank of P*"
    title = "The limit of P has at most the rank of the number of corners"
    printed = (
        "V = I, B positive definite: rank P* ≤ m, the number of vertices of the limit polytope (slides of the talk)."
    )
    latex = r"\mathrm{rank}\,P^*\le m"
    provenance = "seen"
    kind = "remark"
    decides = "end state"
    hunts = {"printed": sampled(rank_trial, 8, law="the prompts of theorem 3.1, to t = 8")}

    def hypotheses(self, flow, mu):
        return polytope_hypotheses(flow, mu)

    def predict(self, flow, mu):
        return "the attention matrix tends to one whose rank is at most the number of corners of the limit polytope", {}

    @on_rescaled_tokens
    def check(self, run):
        if lost := off_course(run):
            return lost
        found = judged(run, leaders_of(run), "every token tends to a leader")
        if found.outcome != "holds":
            return found
        z, _, leader = _last_leaders(run)
        rank, corners = len(leader), len(hull_vertices(z[leader]))
        words = f"P tends to a matrix of rank {rank}; its {rank} leader(s) span a polytope of {corners} corner(s)"
        # Leaders that differ by less than rounding are one corner.
        too_close = rank > corners and len(hull_vertices(np.round(z[leader], 6))) < corners
        return undecided(words) if too_close else compared(rank_ratio(rank, corners), words, rank=rank, corners=corners)


class Hull(Claim):
    number = "proposition 8.2"
    title = "For V = I the convex hull of the rescaled tokens shrinks"
    printed = "V = I: the convex hull of the rescaled tokens shrinks."
    latex = r"\mathrm{conv}\{z_i(t)\}\subset\mathrm{conv}\{z_i(s)\},\qquad t\ge s"
    provenance = "seen"
    decides = "monotone"
    in_layers = True
    hunts = {"printed": sampled(hull_trial, 12, law="2–7 normal tokens in R^1 to R^3, any B, to t = 3")}
    outside = {"V = I (one rate is negative)": sampled(growing_hull_trial, 4)}

    def hypotheses(self, flow, mu):
        return [positive_multiple("V", value_matrix(flow, mu.d))] if in_space(flow, mu) else []

    def predict(self, flow, mu):
        return "the convex hull of the rescaled tokens e^{−tV}x only shrinks, whatever B is", {}

    @on_rescaled_tokens
    def check(self, run):
        z, error = tokens_z(run), rescaled_error(run)[:, None]
        ways = directions(z.shape[-1])
        support = (z @ ways.T).max(axis=1) / np.linalg.norm(ways, axis=1)
        ratio = float(np.max(np.diff(support, axis=0) / (error[:-1] + error[1:]), initial=0.0)) / np.sqrt(z.shape[-1])
        return compared(ratio, "the hull of z does not grow in any of 64 directions", allowed=float(error.max()))


# ---- V = −I -----------------------------------------------------------------------------------------------------------


def repelled(flow, mu):
    """V = −cI with c > 0, B a positive multiple of the identity, every token heard."""
    if not in_space(flow, mu):
        return []
    V = multiple_of_identity(value_matrix(flow, mu.d))
    if V is None or V >= 0:
        return []
    heard = Hypothesis("every mass is positive", float(np.min(mu.mass)) - 1e-300)
    return [positive_multiple("βB", score_matrix(flow, mu.d)), heard]


def _units(flow, d) -> tuple[float, float]:
    """b and c of βB = bI, V = −cI: tokens √b x at times ct follow V = −I, B = I."""
    b, c = (multiple_of_identity(matrix) or 0.0 for matrix in (score_matrix(flow, d), value_matrix(flow, d)))
    return b, -c


def _in_units(run):
    """Tokens and times in the units of V = −I, B = I, and how wrong the tokens may be."""
    b, c = _units(run.flow, run.x.shape[-1])
    return np.sqrt(b) * tokens_x(run), c * np.asarray(run.ts, float), np.sqrt(b) * token_error(run)


def _small_since(x) -> int | None:
    """The first saved time at which all tokens are within 1 of the origin: from then on they decay like t^{−1/2}."""
    small = np.flatnonzero(np.linalg.norm(x, axis=-1).max(axis=1) <= 1)
    return int(small[0]) if len(small) else None


class Repelled(Claim):
    number = "theorem 8.5"
    title = "For V = −I every token tends to 0"
    printed = "V = −I, B = I: every token x tends to 0, every entry of P to 1/n, and ∫|x_i'|²dt is finite."
    latex = r"x_i(t)\to0,\qquad P_{ij}(t)\to\tfrac1n,\qquad \int_0^\infty|\dot x_i|^2dt<\infty"
    provenance = "seen"
    decides = "end state"
    hunts = {"printed": sampled(repelled_trial, 8, law="2–5 normal tokens of size 0.3 to 2 in R^1 or R^2, to t = 100")}
    outside = {
        "B = I (here B = diag(1, −1))": sampled(other_scores_repelled([1.0, -1.0], lambda y: left_ratio(y, 3.0)), 4)
    }

    def hypotheses(self, flow, mu):
        return repelled(flow, mu)

    def predict(self, flow, mu):
        b, c = _units(flow, mu.d)
        words = (
            f"all tokens tend to 0 like t^(−1/2): with M = Σ m_i x_i x_iᵀ, {2 * b * c:g}t·M(t) tends to the identity on its "
            "range; the attention matrix tends to the masses, and the tokens' squared speeds have a finite integral"
        )
        return words, {"speed": 2 * b * c}

    def check(self, run):
        if lost := off_course(run):
            return lost
        x, t, _ = _in_units(run)
        since, mass = _small_since(x), np.asarray(run.mass, float)
        square = float(((x[-1] ** 2).sum(axis=1) * mass).sum())
        numbers = {"largest_token": float(np.linalg.norm(x[-1], axis=1).max()), "mean_square": square}
        if since is None or t[-1] - t[since] < 50:
            return undecided(
                "too early: after tokens are within 1 of the origin, 50 units of time are needed", **numbers
            )
        # 2tM tends to the identity on its range from below, so the mean square is below d/2t.
        ratio = square * 2 * (t[-1] - t[since]) / (1.2 * x.shape[-1])
        words = f"the mean square of the tokens is {ratio:.3g} of 1.2·d/2t, the law of their decay to 0"
        return compared(ratio, words, **numbers)


class SizeBound(Claim):
    number = "lemma 8.7"
    title = "For V = −I no token passes its start or √(2n)"
    printed = "V = −I, B = I: |x_i(t)| ≤ max(|x_i(0)|, √(2n))."
    latex = r"|x_i(t)|\le\max\big(|x_i(0)|, \sqrt{2n}\big)"
    provenance = "seen"
    decides = "monotone"
    hunts = {
        "printed": sampled(repelled_size_trial, 8, law="2–5 normal tokens of size 0.3 to 2 in R^1 or R^2, to t = 100")
    }
    outside = {"B = I (here B = diag(1, −1))": sampled(other_scores_repelled([1.0, -1.0], size_ratio), 4)}

    def hypotheses(self, flow, mu):
        conditions = repelled(flow, mu)
        return conditions and [*conditions, equal_masses(mu)]

    def predict(self, flow, mu):
        bound = float(np.sqrt(2 * mu.n / _units(flow, mu.d)[0]))
        return f"no token passes the larger of its first distance to 0 and {bound:.4g}", {"bound": bound}

    def check(self, run):
        x, _, error = _in_units(run)
        size = np.linalg.norm(x, axis=-1) - np.sqrt(x.shape[-1]) * error[:, None]
        ratio = float((size / np.maximum(np.linalg.norm(x[0], axis=1), np.sqrt(2 * x.shape[1]))).max())
        return compared(ratio, f"the largest token is {ratio:.3g} of its bound", allowed=float(error.max()))


class Energy(Claim):
    number = "lemma 8.9"
    title = "For V = −I the energy falls by the work of the tokens"
    printed = "V = −I, B = I: L = Σ_ij e^{⟨x_i,x_j⟩} has L' = −2 Σ_i Z_i|x_i'|², Z_i = Σ_j e^{⟨x_i,x_j⟩}."
    latex = (
        r"L' = -2\sum_iZ_i|\dot x_i|^2,"
        r"\qquad L = \sum_{ij}e^{\langle x_i,x_j\rangle},\quad Z_i = \sum_je^{\langle x_i,x_j\rangle}"
    )
    provenance = "seen"
    decides = "monotone"
    hunts = {"printed": sampled(work_trial, 8, law="2–5 normal tokens of size 0.3 or 1 in R^1 or R^2, to t = 1")}

    def hypotheses(self, flow, mu):
        return repelled(flow, mu)

    def predict(self, flow, mu):
        return (
            "the energy Σ_ij m_i m_j e^{β⟨x_i,Bx_j⟩} falls at every time, by twice the tokens' weighted squared speeds",
            {},
        )

    def check(self, run):
        x, _, error = _in_units(run)
        n, mass = x.shape[1], np.asarray(run.mass, float)
        some = np.unique(np.linspace(0, len(x) - 1, min(len(x), 101 if n <= 500 else 12)).astype(int))
        energy = np.array([log_energy(x[k], mass) for k in some])
        slack = (2 * np.sqrt(x.shape[-1]) * error * np.linalg.norm(x, axis=-1).max(axis=1) + 1e-12)[some]
        ratio = float(np.max(np.diff(energy) / (slack[1:] + slack[:-1]), initial=0.0))
        return compared(ratio, "the energy does not rise between saved times", allowed=float(slack.max()))


class Decay(Claim):
    number = "decay"
    title = "For V = −I second moments decay like 1/(2t) in every direction"
    printed = "V = −I, B = I: M = Σ m_i x_i x_iᵀ obeys M' = −2M² asymptotically, so 2tM(t) → I on its range."
    latex = r"M = \sum_im_ix_ix_i^\top,\qquad 2tM(t)\to I\ \text{on its range}"
    provenance = "derived"
    decides = "end state"
    see = ("geshkovski2023.theorem8.5",)
    hunts = {
        "printed": sampled(
            decay_trial, 10, law="2–6 tokens in R^1 to R^3, large, off the origin or on a line, to t = 400"
        )
    }
    outside = {"B = I (here B = diag(1, 4))": sampled(stretched_decay_trial, 3)}

    def hypotheses(self, flow, mu):
        return repelled(flow, mu)

    def predict(self, flow, mu):
        b, c = _units(flow, mu.d)
        words = f"with M = Σ m_i x_i x_iᵀ, the eigenvalues of {2 * b * c:g}t·M(t) tend to 1, or are 0 for ever"
        return words, {"speed": 2 * b * c}

    def check(self, run):
        if lost := off_course(run):
            return lost
        x, t, error = _in_units(run)
        since, mass = _small_since(x), np.asarray(run.mass, float)
        if since is None:
            return undecided("too early: tokens are not yet within 1 of the origin")
        centred = x[since] - mass @ x[since]
        rank = np.linalg.matrix_rank(x[0] - mass @ x[0], tol=1e-6 * max(np.abs(x[0]).max(), 1e-300))
        spread = np.sort(np.linalg.eigvalsh((centred.T * mass) @ centred))[::-1][:rank].min(initial=np.inf)
        # M' = −2M² from then on: a direction of spread m has 2tM = 2tm/(1 + 2(t−s)m).
        lag = abs(2 * t[-1] * spread / (1 + 2 * (t[-1] - t[since]) * spread) - 1) if np.isfinite(spread) else 0.0
        if t[-1] - t[since] < 50 or lag > 0.05 or error[-1] > 0.01 / np.sqrt(t[-1]):
            return undecided("too early: at least 50 units of time, and until the smallest spread has begun to decay")
        off, room = decay_error(x[-1], t[-1], x[0], mass), 0.1 + lag
        return compared(off / room, f"the eigenvalues of 2tM are 1 up to {off:.2g} ({room:.2g} allowed)", deviation=off)
