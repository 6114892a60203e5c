"""Long times of Gaussian data: limit ranks, growth, equilibria and their stability, profiles of blow-up."""

from __future__ import annotations

import numpy as np

from ...engine.attention import L2, Sinkhorn, Softmax
from ...engine.linalg.matrices import dense, multiple_of_identity
from ...theory.gaussian import closed_forms, largest_isotropic_rank
from ..claim import Claim, Hypothesis, compared
from ..hunt import fixed, sampled
from ..hypotheses import without_motion
from ..tolerance import covariance_error, exactness, tolerance
from . import gaussian_hunts as trials
from .gaussians import follows_covariance, is_closed_flow, weights


class LimitRank(Claim):
    number = "limit rank"
    title = "Softmax with V > 0 and B + Bᵀ ≤ 0: bounded covariances whose limits have low rank"
    printed = (
        "Softmax, V = Vᵀ > 0, B + Bᵀ ≤ 0: tr(V⁻¹Σ) never increases, so Σ is bounded; limit points satisfy (B+Bᵀ)Σ = 0, "
        "so their rank is at most d − rank(B+Bᵀ)."
    )
    latex = r"\tfrac{d}{dt}\operatorname{tr}(V^{-1}\Sigma) = \operatorname{tr}(\Sigma(B+B^\top)\Sigma) \le 0"
    provenance = "derived"
    decides = "monotone"
    hunts = {
        "printed": sampled(
            trials.rank_trial, 4, law="d = 2 or 3, B = −CCᵀ + skew, V = GGᵀ + 0.05 I, in log time to 10⁴"
        )
    }
    outside = {"V > 0 (here V = diag(1, −1))": sampled(trials.indefinite_value_trial, 3)}

    def hypotheses(self, flow, mu):
        if not is_closed_flow(flow, mu, Softmax):
            return []
        B, V = weights(flow, mu.d)
        top, slack = float(np.linalg.eigvalsh(B + B.T)[-1]), 1e-13 * float(np.linalg.norm(B))
        return [
            Hypothesis("V is symmetric", exactness(mu) * float(np.abs(V).max()) - float(np.abs(V - V.T).max())),
            Hypothesis("V is positive definite", float(np.linalg.eigvalsh((V + V.T) / 2)[0]) - 1e-13),
            Hypothesis("B + Bᵀ is negative semidefinite", slack - top),
        ]

    def predict(self, flow, mu):
        B, _ = weights(flow, mu.d)
        rank = mu.d - int(np.linalg.matrix_rank(B + B.T, hermitian=True))
        return f"no blow-up; limit points of the covariance have rank at most {rank} of {mu.d}", {"rank": rank}

    def check(self, run):
        B, V = weights(run.flow, run.cov.shape[-1])
        cov = np.asarray(run.cov, float)
        size = np.einsum("ij,kji->k", np.linalg.inv(V), cov)
        left = float(np.linalg.norm((B + B.T) @ cov[-1]) / max(np.linalg.norm((B + B.T) @ cov[0]), 1e-300))
        rise = float(np.max(np.diff(size) / _room(run, V)[1:], initial=0.0))
        words = (
            f"tr(V⁻¹Σ) goes from {size[0]:.4g} to {size[-1]:.4g}; its largest rise is {rise:.2g} of the error allowed"
        )
        return without_motion(run) or compared(
            rise, f"{words}; (B+Bᵀ)Σ has shrunk to {left:.2g} of its start", left=left, tol=tolerance(run)
        )


def _room(run, V):
    return len(V) * np.linalg.norm(np.linalg.inv(V), 2) * covariance_error(run)


class BoundedGrowth(Claim):
    number = "bounded growth"
    title = "Sinkhorn and L2 attention never blow up on Gaussian data"
    printed = (
        "tr Σ(t) ≤ e^{ct} tr Σ₀ with c = 2|V| for Sinkhorn, and c = 2|V||K⁺||Q| for L2 with a K of full column rank "
        "(K⁺ its pseudo-inverse): no blow-up in finite time."
    )
    latex = r"\operatorname{tr}\Sigma(t) \le e^{ct}\operatorname{tr}\Sigma_0"
    provenance = "derived"
    decides = "monotone"
    hunts = {
        "printed": sampled(trials.growth_trial, 12, law="d = 1–3, normal Q and V, K near 2I, Σ of size 1 or 100, t ≤ 1")
    }
    outside = {"K of full column rank (here K = (1, 0))": fixed(trials.singular_key)}

    def hypotheses(self, flow, mu):
        if not is_closed_flow(flow, mu, L2, Sinkhorn):
            return []
        if isinstance(flow.attention, Sinkhorn):
            return [Hypothesis("Sinkhorn attention is converged", 0.0 if flow.attention.iterations is None else -1.0)]
        K = np.asarray(dense(flow.attention.score.weights[1], mu.d), float)
        values = np.linalg.svd(K, compute_uv=False)
        smallest = float(values[-1] / max(values[0], 1e-300)) if len(values) == mu.d else 0.0
        return [Hypothesis("K has full column rank", smallest - 1e-12)]

    def predict(self, flow, mu):
        rate = _growth_rate(flow, mu.d)
        return f"no finite-time blow-up: tr Σ grows at most like e^({rate:.4g} t)", {"rate": rate}

    def check(self, run):
        rate, traces = _growth_rate(run.flow, run.cov.shape[-1]), np.trace(np.asarray(run.cov, float), axis1=1, axis2=2)
        bound = traces[0] * np.exp(rate * np.asarray(run.ts, float))
        ratio = float(np.max((traces / (bound + len(run.cov[0]) * covariance_error(run)))[1:], initial=0.0))
        return without_motion(run) or compared(
            ratio, f"tr Σ reaches {ratio:.3g} of its bound e^(ct) tr Σ₀ with c = {rate:.4g}", rate=rate
        )


def _growth_rate(flow, d) -> float:
    V = weights(flow, d)[1]
    if isinstance(flow.attention, Sinkhorn):
        return closed_forms.growth_bound(V)
    # β multiplies Q and divides K⁺ by the same.
    return closed_forms.growth_bound(V, *(np.asarray(dense(M, d), float) for M in flow.attention.score.weights))


class IsotropicEquilibria(Claim):
    number = "isotropic equilibria"
    title = "Covariances on which every score vanishes do not move, and have low rank"
    printed = (
        "Softmax, L2 and Sinkhorn, any V: Σ = LLᵀ with LᵀBL = 0 is an equilibrium, and rank Σ ≤ d − rank(B)/2; for V = vI "
        "no equilibrium of softmax has a rank above min(n₊, n₋) + n₀, the numbers of positive, negative and zero "
        "eigenvalues of B + Bᵀ."
    )
    latex = r"L^\top BL = 0 \;\Rightarrow\; \dot\Sigma = 0,\qquad \operatorname{rank}\Sigma \le d - \tfrac12\operatorname{rank}B"
    provenance = "derived"
    decides = "trajectory"
    hunts = {
        "printed": sampled(
            trials.isotropic_trial,
            8,
            law="d = 2–5, normal L, V and B less its part on L, the three rules, t ≤ 2/(|V||B| tr Σ)",
        )
    }
    outside = {"all of LᵀBL = 0 (here only lᵀBl = 0 for one of two columns)": sampled(trials.half_isotropic_trial, 4)}

    def hypotheses(self, flow, mu):
        if not is_closed_flow(flow, mu, Softmax, L2, Sinkhorn):
            return []
        B, L = weights(flow, mu.d)[0], _support(np.asarray(mu.cov, float))
        size = float(np.linalg.norm(B) * np.sum(L**2))
        seen = float(np.max(np.abs(L.T @ B @ L), initial=0.0))
        return [
            Hypothesis("Σ and B are not 0", size - 1e-200),
            Hypothesis("scores vanish on the support: LᵀBL = 0 for Σ = LLᵀ", exactness(mu) - seen / max(size, 1e-200)),
        ]

    def predict(self, flow, mu):
        B, V = weights(flow, mu.d)
        is_scalar = isinstance(flow.attention, Softmax) and multiple_of_identity(V) is not None
        rank, largest = _support(np.asarray(mu.cov, float)).shape[1], largest_isotropic_rank(B, V_is_identity=is_scalar)
        words = (
            f"the covariance, of rank {rank}, does not move; no covariance without scores has a rank above {largest}"
        )
        return words, {"rank": rank, "largest": largest}

    def check(self, run):
        start = np.asarray(run.cov[0], float)
        return follows_covariance(run, lambda t: start, law="the first covariance, which should not move")


def _support(cov):
    """A factor of Σ with as many columns as its rank."""
    values, vectors = np.linalg.eigh(cov)
    kept = values > 1e-12 * max(values[-1], 1e-300)
    return vectors[:, kept] * np.sqrt(values[kept])


class IsotropicLines(Claim):
    number = "isotropic lines"
    title = "When a line without scores attracts covariances"
    printed = (
        "At Σ = c llᵀ, |l| = 1, lᵀBl = 0 the softmax covariance equation, linearised, has the eigenvalues c lᵀ(B+Bᵀ)Vl (once), "
        "2c lᵀBᵀVl (once), c lᵀBᵀVl (d − 2 times) and 0 otherwise; L2 multiplies them by 2/(1 + 2c|Kl|²), Sinkhorn by 1 "
        "(its B with 1/ε in it). In the plane the line attracts iff the first two are negative."
    )
    latex = (
        r"\Sigma=c\,ll^\top,\ l^\top Bl=0:\quad \sigma=\{c\,l^\top(B+B^\top)Vl,\ 2c\,l^\top B^\top Vl,\ c\,l^\top "
        r"B^\top Vl\ (d-2\text{ times}),\ 0\}"
    )
    assumes = "a Gaussian prompt on a line l without scores, lᵀBl = 0"
    provenance = "derived"
    hunts = {
        "printed": sampled(
            trials.line_trial,
            6,
            law="d = 2 or 3, normal l, V and B with lᵀBl = 0, the three rules; all small starts at once",
        )
    }


class Profile(Claim):
    number = "profile"
    title = "How covariances blow up: usually along an eigenvector of V, with a known constant"
    printed = "Covariances that blow up end on the rank-one circle of Σ/tr Σ, as the published pictures suggest."
    corrected = (
        "Along an eigenvector Vl = λl with λ lᵀBl > 0 and λ extreme in the spectrum of V there is an attracting profile of "
        "rank one with (t* − t) tr Σ → 1/(2λ lᵀBl); profiles of rank two and log-periodic rotations also occur."
    )
    latex = r"(t^* - t)\operatorname{tr}\Sigma \to \frac{1}{2\lambda\,l^\top Bl}"
    provenance = "authors' code"
    erratum = "incomplete"
    kind = "figure"
    hunts = {
        "printed": fixed(trials.rank_two_profile),
        "corrected": sampled(trials.profile_trial, 6, law="d = 2, starts near an extreme eigenvector of V, normal B"),
    }

    def hypotheses(self, flow, mu):
        if not is_closed_flow(flow, mu, Softmax):
            return []
        B, V = weights(flow, mu.d)
        found = closed_forms.attracting_profiles(B, V)
        return [
            Hypothesis("V is not a multiple of the identity", -1.0 if multiple_of_identity(V) is not None else 0.0),
            Hypothesis(
                "an extreme eigenvector l of V has (its eigenvalue)·lᵀBl > 0",
                max((c[0] * c[2] for c in found), default=-1.0),
            ),
        ]

    def predict(self, flow, mu):
        found = closed_forms.attracting_profiles(*weights(flow, mu.d))
        lines = [{"direction": l, "constant": 1 / (2 * lam * q)} for lam, l, q in found]
        words = f"if Σ blows up along an eigenvector of V, (t* − t) tr Σ tends to {lines[0]['constant']:.6g}"
        return words, {"profiles": lines}
