"""Flows with several heads: gathered tokens, the plane they end in, and opposite pairs at low temperature."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm

from ...engine.attention import Heads
from ...theory.sphere.several_heads import HeadMatrices, dominant_plane, head_matrices, stretched
from ...theory.sphere.signed_states import signed_states
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import sampled
from ..hypotheses import on_sphere, without_motion
from ..independent import diameter, heads_field, pair_field
from ..retrace import retraced
from ..tolerance import exactness, tolerance
from ..trial import worst_ratio
from .head_hunts import MOST_TURNS, gathered_trial, plane_trial, signed_trial

SMALL, WIDEST = 0.05, 0.3
"""Diameters up to which a cluster follows one token to its end, and up to which the rate of differences is told."""
NEAR = 0.02
"""Radians from the dominant eigenspace at which a cluster has arrived."""
BROKEN = 0.01
"""Where round-off may have broken the symmetry of a pair by more than this, nothing is compared."""


def _heads(flow, mu) -> HeadMatrices | None:
    return head_matrices(flow, mu.d) if on_sphere(flow, mu, (Heads,)) and mu.d > 1 else None


def _is_gathered(mu, most: float) -> list[Hypothesis]:
    D = diameter(np.asarray(mu.x, float))
    return [
        Hypothesis("tokens are not all equal", D - 1e-9),
        Hypothesis(f"all tokens lie within a distance of {most:g}", most - D),
    ]


class GatheredHeads(Claim):
    number = "gathered heads"
    title = "Differences inside one cluster shrink at the Rayleigh quotient of the sum of all V"
    printed = (
        "for softmax heads on the sphere and tokens of diameter D, d/dt log|xᵢ − xₖ| = −⟨u, Su⟩ up to 2ND + κD²/4, with "
        "S = ΣV_h, u any token, N = Σ‖V_h‖, κ = Σ‖V_h‖‖β_hB_h‖: one cluster attracts where ⟨u, Su⟩ > 0, whatever the scores"
    )
    latex = (
        r"\Big|\tfrac{d}{dt}\log|x_i-x_k|+\langle u,Su\rangle\Big|\le 2ND+\tfrac14\kappa D^2,\quad S=\sum_hV_h,\;"
        r"N=\sum_h\|V_h\|,\;\kappa=\sum_h\|V_h\|\|\beta_hB_h\|"
    )
    assumes = "softmax heads without masks or offsets on the sphere (post-LN); tokens within a distance of 0.3"
    provenance = "derived"
    decides = "trajectory"
    hunts = {
        "printed": sampled(gathered_trial, 8, law="2–4 heads with normal matrices, d = 2–4, clusters of 1e-4 to 0.3")
    }

    def hypotheses(self, flow, mu):
        return [] if _heads(flow, mu) is None else _is_gathered(mu, WIDEST)

    def predict(self, flow, mu):
        heads, x = _heads(flow, mu), np.asarray(mu.x, float)
        assert heads is not None
        rate, D = float(x[0] @ heads.total @ x[0]), diameter(x)
        slack = float(heads.slack(D))
        does = "shrink" if rate > slack else "grow" if rate < -slack else "may shrink or grow"
        words = f"differences between tokens {does} at first: rate {-rate:.3g} ± {slack:.2g}, whatever the scores of the heads"
        return words, {"rate": -rate, "slack": slack, "diameter": D}

    def check(self, run):
        if (still := without_motion(run)) is not None:
            return still
        heads = _heads(run.flow, run.at(0))
        assert heads is not None
        x, ts, error = np.asarray(run.x, float), np.asarray(run.ts, float), 400 * tolerance(run)
        D = np.array([diameter(tokens) for tokens in x])
        rates = np.array([tokens[0] @ heads.total @ tokens[0] for tokens in x])
        ratios = []
        for k in np.flatnonzero((np.minimum(D[:-1], D[1:]) > 100 * error) & (np.maximum(D[:-1], D[1:]) < 2 * WIDEST)):
            h = ts[k + 1] - ts[k]
            # The rate varies inside an interval by at most what the speed N of u allows.
            allowed = h * (heads.slack(2 * max(D[k], D[k + 1])) + heads.reach**2 * h) + 2 * error / min(D[k], D[k + 1])
            ratios.append(abs(np.log(D[k + 1] / D[k]) + h * (rates[k] + rates[k + 1]) / 2) / allowed)
        if not ratios:
            return undecided("no saved interval shows differences above the error of the run; save earlier times")
        path = retraced(run, heads_field(heads.scores, heads.values, np.asarray(run.mass, float)))
        words = f"rates of the diameter are within {max(ratios):.2g} of what is allowed around −⟨u, Su⟩"
        return compared(worst_ratio(*ratios, path), words, path=path, seen=len(ratios))


class DominantPlaneOfHeads(Claim):
    number = "dominant plane"
    title = "One cluster of several heads ends in the dominant eigenspace of the sum of all V, and may rotate there"
    printed = (
        "a small cluster of softmax heads moves as u(t) = e^{tS}u/|e^{tS}u| with diameter D₀/|e^{tS}u|: it ends at ±v, or "
        "rotates in the plane of the leading complex pair of S = ΣV_h at mean speed |Im λ|; differences vanish iff Re λ > 0"
    )
    latex = r"u(t)=\frac{e^{tS}u_0}{|e^{tS}u_0|},\qquad D(t)\approx\frac{D_0}{|e^{tS}u_0|},\qquad S=\sum_hV_h"
    assumes = (
        "softmax heads without masks or offsets on the sphere (post-LN); a small cluster that stays small under e^{tS}"
    )
    provenance = "derived"
    decides = "end state"
    see = ("alcalde2026.gathered_heads",)
    hunts = {
        "printed": sampled(plane_trial, 6, law="2–4 heads with normal matrices, d = 2–4, clusters of diameter 1e-3")
    }

    def hypotheses(self, flow, mu):
        heads = _heads(flow, mu)
        if heads is None:
            return []
        top, u, size = dominant_plane(heads.total), np.asarray(mu.x, float)[0], heads.reach
        found = [
            *_is_gathered(mu, SMALL),
            Hypothesis("the largest real part λ of S is positive", float(top.value.real) - 1e-3 * size),
            Hypothesis("and exceeds the others", min(top.gap, size) - 1e-3 * size),
        ]
        if not all(one.holds for one in found):
            return found
        way = stretched(heads.total, u, 10 / min(top.gap, top.value.real), count=200)
        widest = diameter(np.asarray(mu.x, float)) / min(1.0, way.min())
        return [*found, Hypothesis("the cluster stays small on its way", SMALL - widest)]

    def predict(self, flow, mu):
        heads = _heads(flow, mu)
        assert heads is not None
        top = dominant_plane(heads.total)
        place = (
            f"rotates in a plane at mean speed {top.speed:.6g}" if top.speed else "ends at an eigenvector ±v of ΣV_h"
        )
        words = f"the cluster {place}; its tokens come together at the rate {top.value.real:.4g}"
        numbers = {"rate": float(top.value.real), "speed": top.speed, "basis": top.basis.tolist()}
        # A plane that is the whole space has no next eigenvalue.
        return words, numbers | ({"gap": top.gap} if np.isfinite(top.gap) else {})

    def check(self, run):
        if (still := without_motion(run)) is not None:
            return still
        heads = _heads(run.flow, run.at(0))
        assert heads is not None
        top, x, until = dominant_plane(heads.total), np.asarray(run.x, float), float(run.ts[-1] - run.ts[0])
        first, last = (float(top.angle(tokens).max()) for tokens in (x[0], x[-1]))
        numbers = {"start": first, "end": last, "diameter": diameter(x[-1])}
        grown = stretched(heads.total, x[0, 0], until)[0]
        due = float(top.angle((_linear(heads.total, until) @ x[0, 0])[None])[0])
        if due > NEAR / 4 or grown < 4:
            return undecided("the cluster is still on its way to the dominant eigenspace; run for longer", **numbers)
        path = retraced(run, heads_field(heads.scores, heads.values, np.asarray(run.mass, float)))
        words = f"tokens end {last:.2g} rad from the dominant eigenspace of ΣV_h ({NEAR:g} are allowed), {first:.2g} at first"
        # The diameter must be D₀/|e^{tS}u|; a factor 2 stands for terms of second order, which SMALL keeps small.
        shrunk = numbers["diameter"] * grown / (2 * diameter(x[0]) + grown * 400 * tolerance(run))
        return compared(worst_ratio(last / NEAR, shrunk, path), words, path=path, **numbers)


def _linear(S, t):
    """e^{tS} but for its length."""
    return expm(t * (S - np.linalg.eigvals(S).real.max() * np.eye(len(S))))


class SignedConsensus(Claim):
    number = "signed consensus"
    title = "Opposite clusters of several heads follow the sum of V signed by what each head hears"
    printed = (
        "two opposite clusters ±u of equal shares stay opposite and move by u' = Π_u Σ tanh(b_h)V_h u, b_h = β_h⟨u, B_h u⟩; they "
        "rest iff u is an eigenvector of Σ tanh(b_h)V_h; at low temperature iff Σ s_hV_h v = λv with s_h = sgn⟨v, B_h v⟩"
    )
    latex = r"\dot u=\Pi_u\sum_h\tanh(b_h)V_hu,\qquad b_h=\beta_h\langle u,B_hu\rangle"
    assumes = "softmax heads without masks or offsets on the sphere (post-LN); two opposite clusters with half of the mass each"
    provenance = "derived"
    decides = "trajectory"
    see = ("alcalde2026.terminal_phase",)
    hunts = {
        "printed": sampled(signed_trial, 8, law="2–4 heads with normal matrices, d = 2–4, pairs of up to 6 tokens")
    }

    def hypotheses(self, flow, mu):
        if _heads(flow, mu) is None:
            return []
        x, mass = np.asarray(mu.x, float), np.asarray(mu.mass, float)
        side = np.sign(x @ x[0])
        return [
            Hypothesis(
                "tokens are two opposite clusters ±u",
                exactness(mu, 1e-7) - float(np.abs(x - side[:, None] * x[0]).max()),
            ),
            Hypothesis("with half of the mass each", exactness(mu, 1e-9) - abs(float(side @ mass))),
        ]

    def predict(self, flow, mu):
        heads = _heads(flow, mu)
        assert heads is not None
        u = np.asarray(mu.x, float)[:1]
        heard = np.tanh(np.einsum("i,hij,j->h", u[0], heads.scores, u[0]))
        known = signed_states(heads)
        weights = np.round(heard, 3).tolist()
        words = (
            f"the pair stays opposite and turns by the heads' V weighted {weights}; at low temperature {known.words}"
        )
        states = [{"signs": list(one.signs), "v": one.v.tolist(), "eigenvalue": one.value} for one in known.states]
        return words, {"weights": heard.tolist(), "states": states}

    def check(self, run):
        if (still := without_motion(run)) is not None:
            return still
        heads = _heads(run.flow, run.at(0))
        assert heads is not None
        x, ts = np.asarray(run.x, float), np.asarray(run.ts, float)
        side = np.sign(x[0] @ x[0, 0])
        broken = np.abs(x - side[None, :, None] * x[:, :1]).max(axis=(1, 2))
        # A pair that leans to one side does so at most at the Lipschitz rate of the field.
        grows = np.minimum((2 * heads.reach + 2 * heads.stiffness) * (ts - ts[0]), MOST_TURNS)
        allowed = 100 * tolerance(run) * np.exp(grows)
        seen = allowed < BROKEN
        if seen.sum() < 2:
            return undecided("round-off may have broken the pair before the second saved time; save earlier times")
        ratio = worst_ratio(broken[seen] / allowed[seen])
        path = retraced(run, pair_field(heads.scores, heads.values)) if broken.max() < BROKEN else np.nan
        if ratio <= 1 and np.isnan(path):
            return undecided(
                "the pair broke apart later, as round-off may make it; run for a shorter time", broken=ratio
            )
        words = f"the pair stays opposite up to {broken.max():.2g} and follows Σ tanh(b_h)V_h"
        return compared(ratio if np.isnan(path) else worst_ratio(ratio, path), words, broken=ratio)
