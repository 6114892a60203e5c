"""Section 7: tokens on the line, which pairs part, which tokens grow, and the one that may stay bounded."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.distance import pdist

from ...engine.flow.rescaled import Rescaled
from ...engine.linalg.matrices import multiple_of_identity
from ...theory.limits.one_dimension import escape_level, pair_limit, symmetric_triple_limit
from ..claim import Claim, Hypothesis, compared, holds, refuted, undecided
from ..hunt import sampled
from ..hypotheses import distinct, equal_masses, in_space, of_size, on_rescaled_tokens, positive_multiple
from ..independent import softmax
from ..retrace_euclidean import off_course
from ..tolerance import rescaled_error, token_error
from ..variables import growth_matrix, score_matrix, tokens_x, tokens_z, value_matrix
from .hunts.layers import scaling_trial
from .hunts.limits import and_symmetric
from .hunts.line import (
    any_scores_distances_trial,
    bounded,
    bounded_interior_trial,
    bounded_trial,
    convex_trial,
    corrected_pair,
    distances_trial,
    ends_trial,
    escape_shortfall,
    escape_trial,
    extreme_trial,
    low_trial,
    opposite_ends_trial,
    printed_pair,
    rate_excess,
    rate_trial,
    strays,
)
from .limits import line_hypotheses

PAIRED = 1000
"""Of so many tokens, evenly chosen, all pairs are looked at."""


class Scaling(Claim):
    number = "scaling on the line"
    title = "On the line V and QK only set the units of time and length"
    printed = "d = 1, V = v > 0, QK = c > 0: y(s) = √c x(s/v) follows the equation with V = QK = 1."
    latex = r"y_i(s) = \sqrt c\,x_i(s/v)"
    assumes = "d = 1, softmax, V > 0 and QK > 0"
    provenance = "seen"
    kind = "remark"
    hunts = {"printed": sampled(scaling_trial, 6, law="2–6 normal tokens, v and c from 0.1 to 10, to t = 2/v")}


class RateOfP(Claim):
    number = "rate of P"
    title = "On the line rows of P become unit vectors doubly exponentially fast"
    printed = "P_ij(t) ≤ exp(−c x_i(t)) for x_i > 0 and every j but the highest token, c the smallest gap of the start."
    latex = r"P_{ij}(t)\le e^{-c\,x_i(t)},\qquad x_i\sim\gamma e^t"
    provenance = "seen"
    kind = "lemma"
    decides = "monotone"
    see = ("geshkovski2023.theorem2.1",)
    hunts = {"printed": sampled(rate_trial, 10, law="2–7 tokens in [−1.5, 2.5], to t = 2")}

    def hypotheses(self, flow, mu):
        conditions = line_hypotheses(flow, mu)
        return conditions and [*conditions, Hypothesis("every mass is positive", float(np.min(mu.mass)) - 1e-300)]

    def predict(self, flow, mu):
        gap = float(np.diff(np.sort(np.asarray(mu.x, float)[:, 0])).min(initial=np.inf))
        words = (
            f"a token x > 0 gives every token but the highest at most the weight e^(−{gap:.3g}·QK·x) (times the ratio of "
            "their masses), and x grows like e^{Vt}"
        )
        return words, {"gap": gap}

    def check(self, run):
        x, b, error = tokens_x(run)[..., 0], float(score_matrix(run.flow, 1)[0, 0]), token_error(run)
        gap, mass = float(np.diff(np.sort(x[0])).min(initial=np.inf)), np.asarray(run.mass, float)
        if x.shape[1] > PAIRED or not np.isfinite(x).all() or np.abs(x).max() > 1e100 or not np.isfinite(gap):
            return undecided("one token, too many, or tokens beyond the range of numbers")
        excess = np.array([rate_excess(tokens, gap, b=b, mass=mass) for tokens in x])
        slack = 1e-6 + b * np.abs(x).max(axis=1) * (2 * error[0] + 2 * error)
        over = float(np.max(excess - slack, initial=-np.inf))
        words = "P_ij stays below e^{−c·QK·x_i} at every saved time"
        return (refuted if over > 0 else holds)(words, excess=float(excess.max()), allowed=float(slack.max()))


class Convexity(Claim):
    number = "lemma 7.1"
    title = "For B = V = I every token climbs the same convex function"
    printed = "B = V = I: x_i' = ∇f(x_i) with f(y) = log Σ_j e^{⟨y,x_j⟩}, which is convex."
    latex = r"\dot x_i = \nabla f(x_i),\qquad f(y) = \log\sum_je^{\langle y,x_j\rangle}"
    assumes = "softmax in R^d, B = V = I"
    provenance = "seen"
    hunts = {
        "printed": sampled(convex_trial, 10, law="1–6 normal tokens of size 0.3 or 2 in R^1 to R^3, 20 chords each")
    }


class Distances(Claim):
    number = "lemma 7.2"
    title = "For B = V = I no two tokens come nearer"
    printed = "B = V = I: the distance of every pair of tokens x grows."
    latex = r"\tfrac{d}{dt}|x_i-x_j|\ge0"
    provenance = "seen"
    decides = "monotone"
    in_layers = True
    hunts = {
        "printed": sampled(
            distances_trial, 12, law="2–6 normal tokens in R^1 to R^3, small or off the origin, to t = 2"
        )
    }
    outside = {"B = I (any B)": sampled(any_scores_distances_trial, 6)}

    def hypotheses(self, flow, mu):
        if not in_space(flow, mu):
            return []
        return [positive_multiple("V", value_matrix(flow, mu.d)), positive_multiple("βB", score_matrix(flow, mu.d))]

    def predict(self, flow, mu):
        return "no two tokens x ever come nearer to each other", {}

    def check(self, run):
        # All pairs of at most PAIRED tokens: those of a crowd would fill the memory.
        x = tokens_x(run)[:, :: -(-run.x.shape[1] // PAIRED)]
        error = 2 * np.sqrt(x.shape[-1]) * token_error(run)[:, None]
        apart = np.array([pdist(y) for y in x])
        ratio = np.max((apart[:-1] - apart[1:]) / (error[:-1] + error[1:]), initial=0.0)
        fall = float(np.max((apart[:-1] - apart[1:]) / np.maximum(apart[:-1], 1e-300), initial=0.0))
        return compared(
            float(ratio), "no two tokens x come nearer", largest_relative_fall=fall, allowed=float(error.max())
        )


class Escape(Claim):
    number = "lemma 7.3"
    title = "A token beyond a known level grows exponentially for ever"
    printed = "d = 1: once x_n exceeds the root A of A² = n²e^{−A²}, it grows at least like e^t."
    latex = r"x_n(t_0)>A,\ A^2 = n^2e^{-A^2}\quad\Rightarrow\quad x_n(t)\ge c_1e^t"
    provenance = "seen"
    decides = "trajectory"
    see = ("geshkovski2023.scaling_on_the_line",)
    hunts = {"printed": sampled(escape_trial, 8, law="2–7 tokens in [−3, 0.5] and one just beyond the level, to t = 3")}
    outside = {"x_n above the level A": sampled(low_trial, 4)}

    def hypotheses(self, flow, mu):
        conditions = line_hypotheses(flow, mu)[:2]
        if not conditions or not all(condition.holds for condition in conditions):
            return conditions
        top = np.sqrt(score_matrix(flow, 1)[0, 0]) * float(np.max(np.asarray(mu.x)))
        beyond = Hypothesis("√(QK) times the largest token is beyond √W(n²)", top - escape_level(mu.n))
        return [*conditions, beyond, equal_masses(mu)]

    def predict(self, flow, mu):
        level = escape_level(mu.n) / float(np.sqrt(score_matrix(flow, 1)[0, 0]))
        return f"the largest token, being beyond {level:.4g}, grows like e^(Vt) for ever", {"level": level}

    def check(self, run):
        if lost := off_course(run):
            return lost
        v, t = growth_matrix(run)[0, 0], np.asarray(run.ts, float)
        x, error = np.asarray(run.x, float)[..., 0].max(axis=1), token_error(run)
        if not (x > 0).all():
            return refuted("the largest token becomes negative")
        is_rescaled = isinstance(run.flow, Rescaled)
        log_top = np.log(x) + (v * t if is_rescaled else 0.0)
        relative = (rescaled_error(run) if is_rescaled else error) / x
        short = escape_shortfall(log_top + 0.5 * np.log(score_matrix(run.flow, 1)[0, 0]), v * t, run.x.shape[1])
        ratio = float(np.max(short / (relative[:-1] + relative[1:]), initial=0.0))
        words = "the logarithm of the largest token grows at every time at least by 1 − n/(e·QK·x²) of its full rate V"
        return compared(ratio, words, shortfall=float(short.max()))


class Ends(Claim):
    number = "lemma 7.5"
    title = "Tokens of the line that grow end at the lowest or the highest limit"
    printed = "Growing tokens have z → γ₁ or γₙ only."
    latex = r"z_i(t) = e^{-t}x_i(t)\to\gamma_1\ \text{or}\ \gamma_n"
    provenance = "seen"
    decides = "end state"
    in_layers = True
    hunts = {"printed": and_symmetric(ends_trial, 10, law="3–8 tokens in [−1.5, 3.5], to t = 9")}
    outside = {"QK > 0 (QK = −1)": sampled(opposite_ends_trial, 30)}

    def hypotheses(self, flow, mu):
        return line_hypotheses(flow, mu)

    def predict(self, flow, mu):
        return "rescaled tokens, but for one that may stay bounded, tend to the lowest or the highest limit", {}

    @on_rescaled_tokens
    def check(self, run):
        if lost := off_course(run):
            return lost
        count, before = (strays(z) for z in (tokens_z(run)[-1, :, 0], tokens_z(run)[len(run.ts) // 2, :, 0]))
        words = f"{count} token(s) are neither at the lowest nor at the highest limit"
        if count <= 1:
            return holds(words, strays=count)
        return (refuted if before >= 2 and _is_late(run) else undecided)(words, strays=count)


def _is_late(run) -> bool:
    """Of two strays one is half their first distance off the origin in x; it is swept out once its logits are hard."""
    z, ts = tokens_z(run)[..., 0], np.asarray(run.ts, float)
    v, b, middle = growth_matrix(run)[0, 0], score_matrix(run.flow, 1)[0, 0], float(ts[len(ts) // 2])
    near = np.diff(np.sort(z[0])).min(initial=np.inf)
    hard = np.log(max(b * near * np.abs(z[-1]).max(), 1e-300)) + v * middle
    return bool(v * (ts[-1] - middle) > 6 and hard > 10)


class Bounded(Claim):
    number = "lemma 7.6"
    title = "At most one token of the line stays bounded"
    printed = "At most one token stays bounded, and it tends to 0."
    latex = r"\#\{i:\sup_{t\ge0}|x_i(t)|<\infty\}\le1,\qquad \sup_t|x_i(t)|<\infty\ \Rightarrow\ x_i(t)\to0"
    provenance = "seen"
    decides = "end state"
    in_layers = True
    see = ("geshkovski2023.lemma7.5",)
    hunts = {"printed": and_symmetric(bounded_trial, 10, law="3–8 tokens in [−1.5, 3.5], to t = 9")}

    def hypotheses(self, flow, mu):
        return line_hypotheses(flow, mu)

    def predict(self, flow, mu):
        return "all tokens x but at most one grow without bound; that one tends to 0", {}

    @on_rescaled_tokens
    def check(self, run):
        if lost := off_course(run):
            return lost
        v, b, t = growth_matrix(run)[0, 0], score_matrix(run.flow, 1)[0, 0], float(run.ts[-1])
        count = bounded(tokens_z(run)[-1, :, 0], np.sqrt(b) * np.exp(min(v * t, 690.0)))
        words = f"{count} token(s) are within 1/√(QK) of the origin at the end"
        if count <= 1:
            return holds(words, bounded=count)
        return (refuted if _is_late(run) else undecided)(words, bounded=count)


class OwnRow(Claim):
    number = "lemma 7.7"
    title = "A lowest token that stays bounded ends by listening to itself"
    printed = "If the lowest token stays bounded, P_{1j} → 0 for every j in {1, …, n}."
    latex = r"\sup_t|x_1(t)|<\infty\ \Rightarrow\ P_{1j}(t)\to0\quad(j=2,\dots,n)"
    assumes = "d = 1, softmax, V > 0, B > 0, distinct tokens, the lowest of which stays bounded"
    provenance = "seen"
    corrected = "for every j in {2, …, n}: the row tends to its own unit vector"
    erratum = "slip of the pen"
    hunts = {
        "printed": sampled(
            extreme_trial("printed"), 1, law="1–3 tokens in [0.6, 1.5], the lowest found by bisection", steps=2
        ),
        "corrected": sampled(extreme_trial("corrected"), 1, law="the same", steps=2),
    }


class Middle(Claim):
    number = "lemma 7.8"
    title = "A bounded token between the others listens to all in known shares"
    printed = (
        "An interior token that stays bounded has e^t x → θ₀, the root of Σ γ_i e^{γ_iθ} = 0; its row of P tends to "
        "e^{γ_jθ₀}/Σ."
    )
    latex = (
        r"e^tx_{i_0}\to\theta_0,\qquad \sum_{i\ne i_0}\gamma_ie^{\gamma_i\theta_0} = 0,"
        r"\qquad P^*_{i_0j}\propto e^{\gamma_j\theta_0}"
    )
    provenance = "seen"
    decides = "trajectory"
    hunts = {
        "printed": sampled(
            bounded_interior_trial, 1, law="1 token on one side, 2 on the other, the middle one by bisection", steps=3
        )
    }

    def hypotheses(self, flow, mu):
        conditions = line_hypotheses(flow, mu)
        if not conditions or mu.n < 3 or mu.n % 2 == 0:
            return []
        order = np.argsort(np.asarray(mu.x, float)[:, 0])
        x, mass = np.asarray(mu.x, float)[order, 0], np.asarray(mu.mass, float)[order]
        off = max(np.abs(x + x[::-1]).max() / max(np.abs(x).max(), 1e-300), np.abs(mass - mass[::-1]).max())
        return [
            *conditions,
            Hypothesis("tokens and masses are symmetric about 0, with one token at 0", 1e-12 - float(off)),
        ]

    def predict(self, flow, mu):
        row = np.asarray(mu.mass, float)[np.argsort(np.asarray(mu.x, float)[:, 0])]
        words = (
            "the middle token stays at 0 (so θ₀ = 0) and gives every token the weight of its mass; this is unstable: any "
            "disturbance, even rounding, ends it"
        )
        numbers = {"theta": 0.0, "row": row.tolist()}
        if mu.n == 3 and np.ptp(row) < 1e-9:
            scale = float(np.sqrt(score_matrix(flow, 1)[0, 0]))
            z = symmetric_triple_limit(scale * float(np.abs(np.asarray(mu.x)).max())) / scale
            words, numbers = f"outer rescaled tokens tend to ±{z:.6f}; {words}", {"z": z, **numbers}
        return words, numbers

    @on_rescaled_tokens
    def check(self, run):
        if lost := off_course(run):
            return lost
        b, v = score_matrix(run.flow, 1)[0, 0], growth_matrix(run)[0, 0]
        x, s, mass = np.sqrt(b) * tokens_x(run)[..., 0], v * np.asarray(run.ts, float), np.asarray(run.mass, float)
        middle = int(np.argsort(x[0])[x.shape[1] // 2])
        # An error at the middle token grows by the variance of what it hears; the trapezoid rule is above the integral.
        spread = (x**2) @ mass
        grown = np.append(0.0, np.cumsum((spread[1:] + spread[:-1]) / 2 * np.diff(s)))
        slack = np.sqrt(b) * token_error(run) * np.exp(np.minimum(grown, 600.0)) * np.abs(x).max(axis=1)
        row = np.array([softmax((middle_x * y + np.log(mass))[None])[0] for middle_x, y in zip(x[:, middle], x)])
        off, is_sharp = np.abs(row - mass).max(axis=1), slack < 0.05
        if is_sharp.sum() < 2:
            return undecided("rounding may break the symmetry before the second saved time: save earlier times")
        last, worst = float(run.ts[int(np.flatnonzero(is_sharp)[-1])]), float(off[is_sharp].max())
        words = (
            f"until t = {last:.3g}, after which rounding may break the symmetry, the middle row is that of the masses"
        )
        return compared(float((off / slack)[is_sharp].max()), words, deviation=worst, until=last)


class TwoClusters(Claim):
    number = "remark 7.9"
    title = "A pair of tokens keeps two limits although P tends to the identity"
    printed = (
        "n = d = 2, x = (1, ±e), B = V = I: both rescaled tokens tend to one point although P tends to the identity."
    )
    provenance = "seen"
    corrected = "z tends to (1, ±y) with y > 0 given by an integral: two clusters, as many as the rank of P."
    erratum = "false"
    latex = r"y_\infty = e\,\exp\Big(-\int_{e^2}^\infty\frac{1-\tanh u}{2u\tanh u}du\Big)>0"
    decides = "trajectory"
    hunts = {
        "printed": sampled(printed_pair, 4, law="e from 0.3 to 1, to t = 7"),
        "corrected": sampled(corrected_pair, 4, law="e from 0.3 to 1, to t = 7"),
    }

    def hypotheses(self, flow, mu):
        if not in_space(flow, mu):
            return []
        if unfit := of_size(mu, n=(2, 2), d=(2, 2)):
            return unfit
        x = np.asarray(mu.x, float)
        if multiple_of_identity(value_matrix(flow, 2)) != 1.0 or multiple_of_identity(score_matrix(flow, 2)) != 1.0:
            return []
        off = float(np.abs(x[:, 0] - 1).max() + abs(x[0, 1] + x[1, 1]))
        return [Hypothesis("tokens are (1, ±e)", 1e-12 - off), distinct(mu), equal_masses(mu)]

    def predict(self, flow, mu):
        y = pair_limit(abs(float(mu.x[0, 1])))
        return f"two clusters remain, at (1, ±{y:.6g}); P tends to the identity", {"y": y}

    @on_rescaled_tokens
    def check(self, run):
        if lost := off_course(run):
            return lost
        z, ts = tokens_z(run), np.asarray(run.ts, float)
        sign, e = np.sign(z[0, :, 1]), abs(float(z[0, 0, 1]))
        y = _pair(e, ts)
        # An error a of the first coordinates turns the choice between the two tokens by a/y².
        slack = 3 * rescaled_error(run) * (1 / np.tanh(e**2) + 1 / y**2) * np.maximum(y, 1e-300)
        off = np.maximum(np.abs(z[..., 1] - sign * y[:, None]).max(axis=1), 0.0)
        tilt = np.abs(z[..., 0] - 1).max(axis=1) / (3 * rescaled_error(run))
        is_sharp = np.maximum.accumulate(slack / y) < 0.05
        ratio = float(np.max(np.maximum(off / slack, tilt)[is_sharp]))
        numbers = {"y": pair_limit(e), "deviation": float(off[is_sharp].max())}
        if ratio <= 1 and not is_sharp[-1]:
            return undecided(
                "tokens came closer than the tolerance of the run tells apart: ask for a smaller tol", **numbers
            )
        if ratio <= 1 and 2 * ts[-1] + 2 * np.log(y[-1]) < np.log(5.0):
            return undecided("tokens still listen to each other: run for longer", **numbers)
        return compared(ratio, f"z = (1, ±y(t)) at every saved time, and y tends to {numbers['y']:.6g}", **numbers)


def _pair(e: float, ts) -> np.ndarray:
    r"""The pair (1, ±y) at given times: $(\log y)' = \tanh(e^{2t}y^2)-1$."""
    field = lambda t, w: np.tanh(np.exp(np.minimum(2 * t + 2 * w, 50.0))) - 1  # noqa: E731
    return np.exp(
        solve_ivp(field, (0.0, float(ts[-1])), [np.log(e)], t_eval=ts, rtol=1e-11, atol=1e-13, method="LSODA").y[0]
    )
