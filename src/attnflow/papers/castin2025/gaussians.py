"""Gaussian data: closure, and covariances in closed form."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import numpy as np
from scipy.linalg import expm
from scipy.optimize import root_scalar

from ...engine.attention import L2, Attention, Heads, Linear, Sinkhorn, Softmax
from ...engine.linalg.matrices import dense, multiple_of_identity
from ...theory.gaussian import closed_forms
from ..claim import Claim, Hypothesis, refuted, undecided
from ..hunt import both, sampled
from ..hypotheses import follows, is_gaussian
from ..independent import departure, error_growth, matrix_run, weighed, worst_of
from ..tolerance import covariance_error, exactness, moment_error, rounding, tolerance
from ..variables import is_layered, score_matrix, value_matrix
from . import gaussian_hunts as trials
from .moments import covariance_field, moment_field, moment_layer, stacked

ROUNDINGS = 30
"""So many roundings of the largest number stand for those of a few layers."""
LARGEST = 128
"""Covariances up to this dimension are followed again to check a run."""
SHOWN = 3
"""Eigenvalues that a check tells."""


def is_closed_flow(flow, mu, *rules) -> bool:
    """One Gaussian under one of these rules, without a feed-forward layer."""
    return is_gaussian(flow, mu, rules or Attention) and flow.feed_forward is None


def weights(flow, d: int):
    """βB and V."""
    return score_matrix(flow, d), value_matrix(flow, d)


def too_large(run):
    """Undecided, for covariances that would take too long to follow; None for others."""
    d = run.cov.shape[-1]
    return undecided(f"covariances are followed up to d = {LARGEST}, this one has {d}") if d > LARGEST else None


def follows_field(run, field, *, law: str):
    """Whether Σ goes where a field leads from one saved time to the next."""
    cov, ts = np.asarray(run.cov, float), np.asarray(run.ts, float)
    return too_large(run) or follows(run, departure(cov, ts, field, error=covariance_error(run)), law=law)


def follows_covariance(run, known, *, law: str):
    """Whether Σ is `known(t)` at every saved time, up to what errors of the run grow to on the way."""
    ts, cov = np.asarray(run.ts, float), np.asarray(run.cov, float)
    if (large := too_large(run)) is not None or len(ts) < 2:
        return large or follows(run, np.nan, law=law)
    grown, _ = error_growth(cov[0], ts, covariance_field(run.flow, cov.shape[-1]))
    path = np.array([known(t) for t in ts])
    off = np.abs(cov - path).max(axis=(1, 2)) / (covariance_error(run) * grown)
    found = follows(run, worst_of(off[1:]), law=law)
    if not np.isfinite(path[-1]).all():
        return found
    seen, due = (", ".join(f"{v:.3g}" for v in np.linalg.eigvalsh(one)[::-1][:SHOWN]) for one in (cov[-1], path[-1]))
    return replace(found, words=f"{found.words}; the largest eigenvalues of Σ end as {seen}, predicted {due}")


def explodes_in_time(run, time: float):
    """Refuted, for a run that goes on past its blow-up time; None for others."""
    if float(run.ts[-1]) > time * (1 + max(1e-6, 1e3 * tolerance(run))):
        return refuted(f"Σ is still finite at t = {float(run.ts[-1]):.6g}, after t* = {time:.6g}", blow_up=time)
    return None


# ---- closure ----------------------------------------------------------------------------------------------------------


class Gaussians(Claim):
    number = "gaussians"
    title = "Gaussian data stay Gaussian and keep their rank"
    printed = (
        "Under softmax, multi-head, L2 and Sinkhorn attention a Gaussian N(α, Σ) hears an affine field c + Gx, so it stays "
        "Gaussian: α' = c + Gα, Σ' = GΣ + ΣGᵀ. Hence rank Σ is the same at all finite times."
    )
    latex = r"\dot\alpha = V(I + \Sigma B^\top)\alpha,\quad \dot\Sigma = V\Sigma B^\top\Sigma + \Sigma B\Sigma V^\top"
    provenance = "summarised"
    kind = "theorem"
    decides = "trajectory"
    in_layers = True
    hunts = {
        "printed": sampled(
            trials.gaussian_trial,
            6,
            law="d = 2, rank 1 or 2, normal B, V and mean, the four rules, by quadrature nodes",
        )
    }
    outside = {"a rule that hears an affine field (here sigmoid)": sampled(trials.sigmoid_trial, 4)}

    def hypotheses(self, flow, mu):
        return [Hypothesis("the rule hears an affine field in a Gaussian", 1.0)] if is_gaussian(flow, mu) else []

    def predict(self, flow, mu):
        rank = int(np.linalg.matrix_rank(np.asarray(mu.cov, float), hermitian=True))
        return f"the law stays Gaussian and its covariance keeps rank {rank} at all finite times", {"rank": rank}

    def check(self, run):
        d = run.cov.shape[-1]
        if is_layered(run):
            return too_large(run) or follows(run, _off_layers(run), law="the layer x + η(c + Gx)")
        return too_large(run) or follows(run, _off_moments(run, d), law="the moment equations")


def _off_moments(run, d) -> float:
    """α and Σ together, and Σ alone where the mean does not matter: a mean that grows hides what is small beside it."""
    states, ts = stacked(run.mean, run.cov), np.asarray(run.ts, float)
    whole = departure(states, ts, moment_field(run.flow, d), error=moment_error(run))
    rule = run.flow.attention
    if any(
        isinstance(one, Linear) for one in ([head for head, _ in rule.heads] if isinstance(rule, Heads) else [rule])
    ):
        return whole
    return worst_of([whole, departure(states[:, 1:], ts, covariance_field(run.flow, d), error=covariance_error(run))])


def _off_layers(run) -> float:
    states, ts, eta = stacked(run.mean, run.cov), np.asarray(run.ts, float), run.stride.step
    layer, error = moment_layer(run.flow, run.cov.shape[-1], eta=eta), moment_error(run)
    counts, eps = np.round(np.diff(ts) / eta).astype(int), rounding(run)
    off = [_off_layer(states[k : k + 2], layer, count, error[k + 1], eps) for k, count in enumerate(counts)]
    return worst_of(off) if off else np.nan


def _off_layer(pair, layer, count, error, eps) -> float:
    """How far a saved state is from the layers of the one before, over what errors allow; NaN where that is nearly all.

    A covariance knows its smallest directions only to the rounding of its largest: what roundings of that size make of the
    layers is found by trying, since growth may be triply exponential.
    """
    rng, size = np.random.default_rng(0), np.abs(pair[0][1:]).max()
    noise = rng.normal(size=pair[0].shape)
    nudge = stacked(np.abs(pair[0][0]).max() * noise[0], size * (noise[1:] + noise[1:].T) / 2)
    try:
        starts = (pair[0] + way * ROUNDINGS * eps * nudge for way in (0, 1, -1))
        here, *near = (reduce(lambda state, _: layer(state), range(count), start) for start in starts)
    except np.linalg.LinAlgError:
        return np.nan
    allowed = error + ROUNDINGS * max(np.abs(other - here).max() for other in near)
    return weighed(float(np.abs(here - pair[1]).max()), allowed, np.abs(pair[1]).max())


# ---- closed forms -----------------------------------------------------------------------------------------------------


class ScalarValue(Claim):
    number = "scalar V"
    title = "Softmax with V = vI: the covariance in closed form, its blow-up time and its limit"
    printed = (
        "Softmax, V = vI, Σ₀ = L₀L₀ᵀ: Σ(t) = L₀(I − tvL₀ᵀ(B+Bᵀ)L₀)⁻¹L₀ᵀ. It blows up iff λ = λ_max(vL₀ᵀ(B+Bᵀ)L₀) > 0, at "
        "t* = 1/λ; else Σ tends to L₀ΠL₀ᵀ, Π the orthogonal projector on the kernel of L₀ᵀ(B+Bᵀ)L₀."
    )
    latex = r"\Sigma(t) = L_0\,(I - tv\,L_0^\top(B+B^\top)L_0)^{-1}L_0^\top,\quad t^* = 1/\lambda_{\max}"
    provenance = "derived"
    decides = "trajectory"
    hunts = {
        "printed": both(
            sampled(trials.identity_trial, 8, law="d = 1–3, normal B, Σ₀ full or one rank short, to 0.9 t* or t = 3"),
            sampled(trials.blow_up_trial, 4, law="the same, until tr Σ has grown 10⁸-fold"),
            sampled(trials.limit_trial, 3, law="B + Bᵀ ≤ 0 with a kernel, to t = 10⁶"),
        )
    }
    outside = {"V = vI (here V = diag(1, 2))": sampled(trials.two_values_trial, 4)}

    def hypotheses(self, flow, mu):
        return scalar_value(flow, mu)

    def predict(self, flow, mu):
        B, V = weights(flow, mu.d)
        v, cov = float(V[0, 0]), np.asarray(mu.cov, float)
        time = float(closed_forms.softmax_identity_blow_up(B, cov, v=v))
        if np.isfinite(time):
            return f"the covariance blows up at t = {time:.10g}", {"blow_up": time}
        limit = closed_forms.softmax_identity_limit(B, cov, v=v)
        rank = int(np.linalg.matrix_rank(limit, hermitian=True, tol=1e-12 * np.trace(cov)))
        return f"the covariance tends to a limit of rank {rank}", {"limit": limit, "rank": rank}

    def check(self, run):
        B, V = weights(run.flow, run.cov.shape[-1])
        v, start = float(V[0, 0]), np.asarray(run.cov[0], float)
        time = float(closed_forms.softmax_identity_blow_up(B, start, v=v))
        known = _until(time, lambda t: closed_forms.softmax_identity(B, start, t=t, v=v), start)
        return explodes_in_time(run, time) or follows_covariance(run, known, law="the closed form of Σ(t)")


def scalar_value(flow, mu) -> list[Hypothesis]:
    """Softmax attention with V = vI on a Gaussian."""
    if not is_closed_flow(flow, mu, Softmax):
        return []
    v = multiple_of_identity(value_matrix(flow, mu.d))
    return [Hypothesis("V is a multiple of the identity", -1.0 if v is None else 0.0)]


def _until(time, known, start):
    return lambda t: known(t) if t < time * (1 - 1e-9) else np.full_like(start, np.nan)


class AffineLayer(Claim):
    number = "affine layer"
    title = "Softmax with V = vI and an affine feed-forward layer: a Riccati equation in closed form"
    printed = (
        "Softmax, V = vI and a feed-forward layer Wx + c: Σ(t) = e^{tW}L₀(I − L₀ᵀG_tL₀)⁻¹L₀ᵀe^{tWᵀ} with "
        "G_t = v∫₀ᵗ e^{sWᵀ}(B+Bᵀ)e^{sW}ds; it blows up at the first t with λ_max(L₀ᵀG_tL₀) = 1 (model of arXiv 2606.07600)."
    )
    latex = r"\Sigma(t) = e^{tW}L_0(I - L_0^\top G_tL_0)^{-1}L_0^\top e^{tW^\top}"
    provenance = "derived"
    decides = "trajectory"
    hunts = {
        "printed": both(
            sampled(trials.riccati_trial, 4, law="d = 1–3, normal B and W, v = −1, 0.5 or 2, before blow-up"),
            sampled(trials.riccati_end_trial, 12, law="Σ⁻¹ just before and after the blow-up", steps=4),
        )
    }

    def hypotheses(self, flow, mu):
        if not is_gaussian(flow, mu, Softmax) or flow.feed_forward is None:
            return []
        v = multiple_of_identity(value_matrix(flow, mu.d))
        return [Hypothesis("V is a multiple of the identity", -1.0 if v is None else 0.0)]

    def predict(self, flow, mu):
        B, W = _riccati_weights(flow, mu.d)
        time = closed_forms.riccati_blow_up(B, W, np.asarray(mu.cov, float), until=10.0)
        words = f"the covariance blows up at t = {time:.8g}" if np.isfinite(time) else "no blow-up before t = 10"
        return words, {"blow_up": time}

    def check(self, run):
        (B, W), start = _riccati_weights(run.flow, run.cov.shape[-1]), np.asarray(run.cov[0], float)
        time = closed_forms.riccati_blow_up(B, W, start, until=max(float(run.ts[-1]), 1e-12))
        known = _until(time, lambda t: closed_forms.riccati(B, W, start, t=t), start)
        return explodes_in_time(run, time) or follows_covariance(run, known, law="the closed form of Σ(t)")


def _riccati_weights(flow, d):
    """vβB and W."""
    (B, V), layer = weights(flow, d), flow.feed_forward
    return V[0, 0] * B, np.asarray(dense(layer.w, d), float) @ np.asarray(dense(layer.a, d), float)


class EqualKeys(Claim):
    number = "L2 closed form"
    title = "L2 attention with V = vI and Q = ±K: the covariance by Lambert's function"
    printed = (
        "L2, V = vI, Q = ±K invertible, G = KᵀK: the eigenvalues s of G^{1/2}ΣG^{1/2} follow s' = ±4vs²/(1+2s), that is "
        "u(t) = W₀(exp(u₀ + ln u₀ ∓ 2vt)) for u = 1/(2s), W₀ Lambert's function."
    )
    latex = r"u(t) = W_0(e^{u_0 + \ln u_0 \mp 2vt}),\quad u = 1/(2s)"
    provenance = "derived"
    decides = "trajectory"
    hunts = {"printed": sampled(trials.equal_keys_trial, 6, law="d = 1–3, normal K, Q = ±K, v = −1, 0.5 or 2, t ≤ 2")}

    def hypotheses(self, flow, mu):
        if not is_closed_flow(flow, mu, L2):
            return []
        (Q, K), v = _l2_weights(flow, mu.d), multiple_of_identity(value_matrix(flow, mu.d))
        if Q.shape != K.shape or K.shape[0] != mu.d:
            return []
        values, off = np.linalg.svd(K, compute_uv=False), min(np.abs(Q - K).max(), np.abs(Q + K).max())
        return [
            Hypothesis("V is a multiple of the identity", -1.0 if v is None else 0.0),
            Hypothesis("Q is K or −K", exactness(mu) * float(values[0]) - float(off)),
            Hypothesis("K is invertible", float(values[-1] / max(values[0], 1e-300)) - 1e-6),
        ]

    def predict(self, flow, mu):
        now = np.asarray(mu.cov, float)
        then = _l2_known(flow, now)(1.0)
        words = f"the trace of the covariance goes from {np.trace(now):.6g} to {np.trace(then):.6g} at t = 1"
        return words, {"covariance at 1": then}

    def check(self, run):
        known = _l2_known(run.flow, np.asarray(run.cov[0], float))
        return follows_covariance(run, known, law="the closed form of Σ(t)")


def _l2_weights(flow, d):
    """Q and K with √β."""
    root = np.sqrt(float(flow.attention.score.beta))
    return [root * np.asarray(dense(M, d), float) for M in flow.attention.score.weights]


def _l2_known(flow, start):
    d = len(start)
    (Q, K), v = _l2_weights(flow, d), float(value_matrix(flow, d)[0, 0])
    sign = 1 if np.abs(Q - K).max() <= np.abs(Q + K).max() else -1
    return lambda t: closed_forms.l2_identity(K, start, t=v * t, sign=sign)


class SymmetricPlan(Claim):
    number = "Sinkhorn closed form"
    title = "Sinkhorn attention with V = vI and a definite score: the covariance in closed form"
    printed = (
        "Sinkhorn with velocity vE[y|x], B = ±G, G = Gᵀ > 0: the eigenvalues τ = (ε/2) sinh w of G^{1/2}ΣG^{1/2} obey "
        "w − coth(w/2) = w₀ − coth(w₀/2) ± 2vt."
    )
    latex = r"w - \coth(w/2) = w_0 - \coth(w_0/2) \pm 2vt,\quad \tau = \tfrac\varepsilon2\sinh w"
    provenance = "derived"
    decides = "trajectory"
    hunts = {"printed": sampled(trials.symmetric_plan_trial, 6, law="d = 1–3, G = CCᵀ + 0.1 I, ε = 0.5, 1 or 2, t ≤ 2")}

    def hypotheses(self, flow, mu):
        if not is_closed_flow(flow, mu, Sinkhorn) or flow.attention.iterations is not None:
            return []
        B, V = weights(flow, mu.d)
        size, skew = max(np.abs(B).max(), 1e-300), float(np.abs(B - B.T).max())
        values = np.abs(np.linalg.eigvalsh(B + B.T)) / size
        is_definite = np.ptp(np.sign(np.linalg.eigvalsh(B + B.T))) == 0
        return [
            Hypothesis("V is a multiple of the identity", -1.0 if multiple_of_identity(V) is None else 0.0),
            Hypothesis("B is symmetric", exactness(mu) * size - skew),
            Hypothesis("B or −B is positive definite", float(values.min()) - 1e-8 if is_definite else -1.0),
        ]

    def predict(self, flow, mu):
        now = np.asarray(mu.cov, float)
        then = _plan_known(flow, now)(1.0)
        words = f"the trace of the covariance goes from {np.trace(now):.6g} to {np.trace(then):.6g} at t = 1"
        return words, {"covariance at 1": then}

    def check(self, run):
        known = _plan_known(run.flow, np.asarray(run.cov[0], float))
        return follows_covariance(run, known, law="the closed form of Σ(t)")


def _plan_known(flow, start):
    (B, V), eps = weights(flow, len(start)), 1.0
    # βB = B/ε stands for the score, so ε = 1 here, and the prefactor 1/ε of the paper is in V.
    sign = 1 if np.trace(B) > 0 else -1
    G, turn = sign * B, sign * float(np.sign(V[0, 0]) or 1.0)
    return lambda t: closed_forms.sinkhorn_identity(G, start, t=abs(V[0, 0]) * t, eps=eps, sign=int(turn))


class RankOne(Claim):
    number = "rank one"
    title = "Softmax on a line: covariances of rank one move along e^{τV}"
    printed = (
        "Softmax, any V and B, Σ₀ = l₀l₀ᵀ: Σ = l(t)l(t)ᵀ with l = e^{τV}l₀ and τ' = lᵀBl, τ(0) = 0. Σ converges if lᵀBl "
        "vanishes for some τ on the way; else it tends to 0, blows up, grows or rotates for ever."
    )
    latex = r"\Sigma = ll^\top,\quad l = e^{\tau V}l_0,\quad \dot\tau = l^\top B l"
    provenance = "derived"
    decides = "trajectory"
    hunts = {
        "printed": sampled(trials.rank_one_trial, 6, law="d = 2–4, normal V, B and l₀, to t = 0.5 or half the way up")
    }
    outside = {"Σ₀ of rank one (here of rank two)": sampled(trials.rank_two_trial, 4)}

    def hypotheses(self, flow, mu):
        if not is_closed_flow(flow, mu, Softmax):
            return []
        values = np.linalg.eigvalsh(np.asarray(mu.cov, float))
        second = float(values[-2]) if len(values) > 1 else 0.0
        return [
            Hypothesis(
                "the covariance has rank one",
                exactness(mu) * float(values[-1]) - abs(second) if values[-1] > 0 else -1.0,
            )
        ]

    def predict(self, flow, mu):
        B, V = weights(flow, mu.d)
        l = _line(np.asarray(mu.cov, float))
        speed = float(l @ B @ l)
        stop = _stop(B, V, l)
        if speed == 0:
            return "the covariance does not move, since lᵀBl = 0", {"speed": speed}
        if stop is None:
            return f"the line moves along e^(τV), at first with τ' = lᵀBl = {speed:.4g}", {"speed": speed}
        end = expm(stop * V) @ l
        words = f"the covariance tends to that of the line e^({stop:.4g} V)l, where lᵀBl vanishes"
        return words, {"speed": speed, "tau": stop, "limit": np.outer(end, end)}

    def check(self, run):
        B, V = weights(run.flow, run.cov.shape[-1])
        l, ts = _line(np.asarray(run.cov[0], float)), np.asarray(run.ts, float)
        if len(ts) < 2:
            return follows(run, np.nan, law="l = e^{τV}l₀")
        lines = matrix_run(l, ts, lambda y: (y @ B @ y) * (V @ y))
        known = dict(zip(ts, np.einsum("ki,kj->kij", lines, lines)))
        return follows_covariance(run, known.__getitem__, law="l = e^{τV}l₀, τ' = lᵀBl")


def _line(cov):
    values, vectors = np.linalg.eigh(cov)
    return np.sqrt(values[-1]) * vectors[:, -1]


def _stop(B, V, l, *, count=400) -> float | None:
    """The first τ in the direction of motion, up to 20/|V|, at which lᵀBl changes its sign; None without one."""
    speed = lambda tau: float((moved := expm(tau * V) @ l) @ B @ moved)  # noqa: E731
    step = np.sign(speed(0.0)) * 20 / (count * max(float(np.linalg.norm(V, 2)), 1e-300))
    turn, now, first = expm(step * V), l, speed(0.0)
    for k in range(count):
        now = turn @ now
        if (now @ B @ now) * first < 0:
            return root_scalar(speed, bracket=(step * k, step * (k + 1))).root
    return None
