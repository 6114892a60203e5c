"""Sections 4 and 9: eigen-coordinates φ*(z) and φ*(x) of tokens, for any V with a basis of eigenvectors."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...engine.flow.rescaled import Rescaled
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import both, fixed, sampled
from ..hypotheses import in_space, on_rescaled_tokens
from ..tolerance import token_error, tolerance
from ..trial import worst_ratio
from ..variables import dual_coordinates, growth_rates, score_matrix, tokens_z, value_matrix
from .hunts.eigenspaces import (
    bounded_trial,
    defective_pair,
    defective_trial,
    extrema_trial,
    growth_trial,
    jordan_trial,
    logit_ratio,
    logit_trial,
    negative_extrema_trial,
    share_trial,
)
from .limits import good_triple

TRUSTED = 6.0
"""Digits that eigen-coordinates may lose to the condition of the eigenvectors."""


def _basis(V):
    """Eigenvalues, dual eigenvectors (rows), and the decimal logarithm of their condition number."""
    V = np.ascontiguousarray(V, float)
    return _basis_of(V.tobytes(), len(V))


@lru_cache(maxsize=8)
def _basis_of(entries: bytes, d: int):
    """Several claims ask for the same V, whose eigenvectors take seconds in many dimensions."""
    V = np.frombuffer(entries).reshape(d, d)
    values, vectors = np.linalg.eig(V)
    condition = float(np.linalg.cond(vectors))
    inverse = np.linalg.inv(vectors) if np.isfinite(condition) and condition < 1e15 else np.zeros_like(vectors)
    return values, inverse, np.log10(condition) if np.isfinite(condition) else np.inf


def _growing(V):
    """Real eigenvalues ≥ 0 and their dual vectors."""
    values, dual, _ = _basis(V)
    real = (np.abs(np.imag(values)) < 1e-12) & (np.real(values) >= 0)
    return np.real(values[real]), np.real(dual[real])


def _well_conditioned(flow, mu) -> Hypothesis:
    lost = min(_basis(value_matrix(flow, mu.d))[2], 300.0)
    return Hypothesis("V has a basis of eigenvectors that costs at most six digits", TRUSTED - lost)


def _coordinate_error(run, dual, rates, c) -> np.ndarray:
    """How wrong every eigen-coordinate of z may be at every saved time."""
    size, lengths = np.abs(c).max(axis=1), np.linalg.norm(dual, axis=1)
    if not isinstance(run.flow, Rescaled):
        ts = np.asarray(run.ts, float)
        return token_error(run)[:, None] * lengths * np.exp(-np.outer(ts, np.real(growth_rates(run, rates))))
    rounding = 1e-13 * np.abs(np.asarray(run.x, float)).max(axis=(1, 2))
    # Steps are held to the tolerance in every coordinate by itself.
    return 100 * tolerance(run) * np.maximum(lengths, size) + rounding[:, None] * lengths


def _rise_ratio(series, error) -> float:
    """The largest rise between neighbouring times against what errors allow."""
    return float(np.max(np.diff(series, axis=0) / (error[:-1] + error[1:]), initial=0.0))


class GoodTriples(Claim):
    number = "share of good triples"
    title = "About one Gaussian matrix in seven has a simple leading positive eigenvalue"
    printed = "About 14 % of 128 × 128 real Gaussian matrices satisfy the eigenvalue condition of definition 4.1."
    latex = (
        r"\mathbb P\big(\lambda_1(V)>0\text{ real and simple},\ \lambda_1>|\lambda_j|\ "
        r"(j\ge2)\big)\approx0.14,\quad V_{ij}\sim N(0,1)\text{ iid},\ d=128"
    )
    assumes = "V of size 128 × 128 with independent normal entries"
    provenance = "seen"
    kind = "remark"
    hunts = {"printed": fixed(share_trial)}


class LeadingLogit(Claim):
    number = "leading logit"
    title = "Logits are those of the leading eigenvector up to a slower growth"
    printed = (
        "Good triple: ⟨Qx_i, Kx_j⟩ differs from e^{2λ₁t}⟨Qφ₁, Kφ₁⟩φ₁*(z_i)φ₁*(z_j) by at most Ce^{(λ₁+|λ₂|)t} (proof of "
        "theorem 4.2)."
    )
    latex = (
        r"\big|\langle Qx_i, Kx_j\rangle - e^{2\lambda_1t}\langle Q\varphi_1,"
        r" K\varphi_1\rangle\varphi_1^*(z_i)\varphi_1^*(z_j)\big|\le Ce^{(\lambda_1+|\lambda_2|)t}"
    )
    provenance = "seen"
    kind = "lemma"
    decides = "monotone"
    see = ("geshkovski2023.theorem4.2", "geshkovski2023.lemma9.3")
    hunts = {
        "printed": sampled(logit_trial, 6, law="2–5 tokens in R³, leading rate 1, a real or complex pair below 0.85")
    }

    def hypotheses(self, flow, mu):
        conditions = good_triple(flow, mu)
        return conditions and [*conditions, _well_conditioned(flow, mu)]

    def predict(self, flow, mu):
        sizes = np.sort(np.abs(np.linalg.eigvals(value_matrix(flow, mu.d))))[::-1]
        words = (
            "logits are those of the coordinates along the leading eigenvector, which grow like e^{2λ₁t}, up to a constant "
            f"(known from the start) times e^({sizes[:2].sum():.4g} t)"
        )
        return words, {"rate": float(sizes[:2].sum())}

    @on_rescaled_tokens
    def check(self, run):
        d, z = run.x.shape[-1], tokens_z(run)
        if run.stride is not None or z.shape[1] > 1000:
            return undecided("told of the flow, not of fixed steps, and looked at for up to 1000 tokens")
        ratio = logit_ratio(z, np.asarray(run.ts, float), V=value_matrix(run.flow, d), B=score_matrix(run.flow, d))
        slack = 1e-6 + float(np.max(token_error(run) / np.maximum(np.abs(np.asarray(run.x)).max(axis=(1, 2)), 1e-300)))
        return compared(ratio - min(slack, 0.1), "logits minus the leading ones stay below their bound", allowed=slack)


class Extrema(Claim):
    number = "lemma 9.1"
    title = "Extreme eigen-coordinates of rescaled tokens move inwards"
    printed = "For a real eigenvalue λ_k ≥ 0 of V, max_j φ_k*(z_j) does not grow and min_j φ_k*(z_j) does not fall."
    latex = r"\tfrac{d}{dt}\max_j\varphi_k^*(z_j)\le0\le\tfrac{d}{dt}\min_j\varphi_k^*(z_j)\qquad(\lambda_k\ge0)"
    provenance = "seen"
    decides = "monotone"
    in_layers = True
    hunts = {
        "printed": sampled(extrema_trial, 10, law="2–6 tokens in R² or R³, rates from 0 to 1.5, any scores, to t = 4")
    }
    outside = {"λ ≥ 0 (the negative rate)": sampled(negative_extrema_trial, 4)}

    def hypotheses(self, flow, mu):
        if not in_space(flow, mu):
            return []
        count = len(_growing(value_matrix(flow, mu.d))[0])
        return [Hypothesis("V has a real eigenvalue ≥ 0", count - 0.5), _well_conditioned(flow, mu)]

    def predict(self, flow, mu):
        rates, _ = _growing(value_matrix(flow, mu.d))
        words = (
            f"for each of the {len(rates)} real eigenvalue(s) ≥ 0 of V, the largest coordinate of z = e^(−tV)x along its "
            "eigenvector does not grow and the smallest does not fall"
        )
        return words, {"eigenvalues": rates.tolist()}

    def check(self, run):
        rates, dual = _growing(value_matrix(run.flow, run.x.shape[-1]))
        c = dual_coordinates(run, dual, rates)
        error = _coordinate_error(run, dual, rates, c)
        ratio = worst_ratio(_rise_ratio(c.max(axis=1), error), _rise_ratio(-c.min(axis=1), error))
        return compared(ratio, "extreme eigen-coordinates of z move inwards", allowed=float(error.max()))


class BoundedRescaled(Claim):
    number = "corollary 9.2"
    title = "Rescaled tokens stay bounded if no eigenvalue is negative or complex"
    printed = "If all eigenvalues of V are real and ≥ 0, rescaled tokens stay bounded."
    corrected = "if V also has a basis of eigenvectors: a Jordan block of eigenvalue 0 lets them grow like t"
    latex = (
        r"V=T\operatorname{diag}(\lambda)T^{-1},\ \lambda_k\ge0\ \Rightarrow\ "
        r"\min_j\varphi_k^*(z_j(0))\le\varphi_k^*(z_i(t))\le\max_j\varphi_k^*(z_j(0))"
    )
    provenance = "seen"
    erratum = "incomplete"
    decides = "monotone"
    in_layers = True
    see = ("geshkovski2023.lemma9.1",)
    hunts = {
        "printed": both(
            fixed(defective_pair),
            sampled(defective_trial, 4, law="4 tokens in R², V a nilpotent matrix, normal B, to t = 40", steps=4),
        ),
        "corrected": sampled(
            bounded_trial, 8, law="2–6 tokens in R² or R³, V = T diag(λ)T⁻¹, rates from 0 to 1.5, any scores, to t = 4"
        ),
    }

    def hypotheses(self, flow, mu):
        if not in_space(flow, mu):
            return []
        values = np.linalg.eigvals(value_matrix(flow, mu.d))
        off = max(float(np.abs(np.imag(values)).max()), -float(np.real(values).min()))
        return [Hypothesis("all eigenvalues of V are real and ≥ 0", 1e-12 - off), _well_conditioned(flow, mu)]

    def predict(self, flow, mu):
        return "rescaled tokens e^{−tV}x stay in the box that their eigen-coordinates span at the start", {}

    def check(self, run):
        rates, dual = _growing(value_matrix(run.flow, run.x.shape[-1]))
        c = dual_coordinates(run, dual, rates)
        error = _coordinate_error(run, dual, rates, c)
        out = np.maximum(c.max(axis=1) - c[0].max(axis=0), c[0].min(axis=0) - c.min(axis=1))
        ratio = float(np.max(out / (error + error[0]), initial=0.0))
        return compared(ratio, "eigen-coordinates of z stay in the box of the start", allowed=float(error.max()))


class Growth(Claim):
    number = "lemma 9.3"
    title = "Eigen-coordinates of tokens grow at most exponentially with their eigenvalue"
    printed = "|φ_k*(x_i)| ≤ Ce^{|λ_k|t} (for a Jordan block e^{(|λ_k|+δ)t})."
    latex = r"|\varphi_k^*(x_i(t))|\le Ce^{|\lambda_k|t}"
    provenance = "seen"
    decides = "monotone"
    in_layers = True
    hunts = {
        "printed": sampled(
            growth_trial, 10, law="2–5 tokens in R^1 to R^3, rates from −1.2 to 1.2, any scores, to t = 3"
        )
    }
    outside = {"V diagonalisable (a Jordan block)": sampled(jordan_trial, 3)}

    def hypotheses(self, flow, mu):
        return [_well_conditioned(flow, mu)] if in_space(flow, mu) else []

    def predict(self, flow, mu):
        return "the coordinate of a token x along an eigenvector of V grows at most like e^{|λ|t}, λ its eigenvalue", {}

    def check(self, run):
        values, dual, _ = _basis(value_matrix(run.flow, run.x.shape[-1]))
        ts, is_rescaled = np.asarray(run.ts, float), isinstance(run.flow, Rescaled)
        # What e^{tλ} of x and the bound e^{t|λ|} combine to cannot overflow.
        rates = -np.abs(values) + (np.real(growth_rates(run, values)) if is_rescaled else 0.0)
        fade = np.exp(np.outer(ts, rates))
        c = np.asarray(run.x, float) @ dual.T
        size = np.abs(c).max(axis=1)
        error = 100 * tolerance(run) * np.maximum(1.0, np.abs(np.asarray(run.x, float)).max(axis=(1, 2)))[:, None]
        error = error * np.linalg.norm(dual, axis=1) * fade
        ratio = _rise_ratio(size * fade, error)
        return compared(ratio, "no eigen-coordinate of x outgrows e^{|λ|t}", allowed=float(error.max()))
