"""Stability of clusters and of the uniform law, slow descent onto a kernel, and safe steps of layers."""

from __future__ import annotations

import numpy as np

from ...engine.linalg.matrices import multiple_of_identity
from ...theory.sphere.at_rest import PATIENCE
from ...theory.sphere.steady.kernel_descent import kernel_constants, outside_kernel, spread_outside
from ...theory.sphere.steady.layer_scheme import advised_step, safe_step
from ...theory.sphere.steady.state_stability import pair_is_stable, smallest_stable_minority
from ...theory.sphere.uniform_law import growth
from ..claim import Claim, Hypothesis, compared, holds, refuted, undecided
from ..hunt import both, sampled
from ..tolerance import exactness, tolerance
from ..trial import worst_ratio
from .gradient_flow import gradient_flow, structure_of, tokens
from .hunts import (
    descent_trial,
    ends_trial,
    flat_descent_trial,
    inverse_growth,
    rates_trial,
    resting_clusters,
    safe_step_trial,
    uniform_trial,
)


class ClusterStates(Claim):
    number = "cluster states"
    title = "Almost every prompt that gathers does so at a linearly stable cluster state"
    printed = (
        "under ascent one cluster is stable at the top eigenvalue λ > 0, and equal clusters at ±z (Bz = λz) iff ν < λ tanh λ "
        "for all other eigenvalues ν (and ν > λ if λ < 0); runs from almost every start that end in one or two clusters end "
        "in a state whose closed-form rates are negative (a cluster of one token has no rate of spreading)"
    )
    latex = (
        r"\tfrac12(\delta_z+\delta_{-z}),\ Bz=\lambda z\text{ stable}\iff\nu<\lambda\tanh\lambda\ \text{ for all "
        r"other }\nu\in\sigma(B)\ (\text{and }\nu>\lambda\text{ if }\lambda<0)"
    )
    provenance = "derived"
    decides = "end state"
    hunts = {
        "printed": both(
            sampled(ends_trial, 8, law="symmetric B with normal entries, d = 2–3, 6 weighted tokens, t = 60"),
            sampled(
                rates_trial, 20, law="p δ_z + (1−p) δ_{−z} on 3 + 2 tokens, all eigenvectors of symmetric B, d = 2–4"
            ),
        )
    }

    def hypotheses(self, flow, mu):
        return gradient_flow(flow, mu)

    def predict(self, flow, mu):
        found = structure_of(flow, mu)
        values = np.linalg.eigvalsh(found.B)
        ones = _stable_ones(values, found.sign)
        pairs = _stable_pairs(values) if found.sign > 0 else {}
        said = [f"one cluster at an eigenvector of βB of eigenvalue {v:.4g}" for v in ones]
        said += [
            f"opposite clusters at ± that of {v:.4g}, the smaller above {p:.3f} of the mass" for v, p in pairs.items()
        ]
        words = f"linearly stable: {'; '.join(said) or 'no state of one or two clusters'}"
        words += (
            ". From almost every start, clusters form only there; being stable does not mean having the most energy"
        )
        return words, {"one": ones, "pair": pairs}

    def check(self, run):
        found, ts = structure_of(run.flow, run.at(0)), np.asarray(run.ts, float)
        if len(ts) < 2 or np.abs(np.asarray(run.x[-1] - run.x[-2])).max() > 100 * tolerance(run):
            return undecided("tokens still move: clusters have not formed; run for longer")
        state = resting_clusters(found, *tokens(run.last), start=tokens(run.at(0))[0])
        if state is None:
            return undecided("tokens rest, but not in one cluster or two opposite ones")
        share, rate = state
        numbers = {"share": share, "rate": rate}
        what = "one cluster" if share in (0.0, 1.0) else f"opposite clusters of mass {share:.3f} and {1 - share:.3f}"
        if rate < 0:
            return holds(f"{what}; small displacements decay at the rate {-rate:.3g} at least", **numbers)
        rests = ts[-1] - ts[_first_at_rest(run)]
        if rate * rests < PATIENCE or not _is_generic(found, run.at(0)):
            parts = f"it parts only after t ≈ {PATIENCE / rate:.3g}" if rate > 0 else "to first order nothing parts it"
            words = f"{what}, which is not stable (rate {rate:.2g}): {parts}, or the start is one of the exceptional"
            return undecided(f"{words} symmetric ones", **numbers)
        return refuted(f"{what} for a time {rests:.3g}, although displacements grow at the rate {rate:.3g}", **numbers)


def _stable_ones(values, sign) -> list[float]:
    """Eigenvalues λ where one cluster is stable, but for turning inside its eigenspace: −λ and all other ν − λ are rates."""
    top = max(values, key=lambda value: sign * value)
    return [float(np.round(top, 12))] if sign * top > 0 else []


def _stable_pairs(values) -> dict[float, float | None]:
    """Eigenvalues with stable pairs under ascent, and the least stable share of the smaller cluster."""
    others = {i: np.delete(values, i) for i in range(len(values))}
    return {
        float(v): smallest_stable_minority(v, others[i]) for i, v in enumerate(values) if pair_is_stable(v, others[i])
    }


def _first_at_rest(run) -> int:
    """The first saved time from which tokens stay where they end."""
    away = np.abs(np.asarray(run.x, float) - np.asarray(run.x[-1], float)).max(axis=(1, 2)) > 1e-3
    return int(np.flatnonzero(away)[-1]) + 1 if away.any() else 0


def _is_generic(found, mu) -> bool:
    """Whether the prompt has no symmetry of the flow: neither −I nor a reflection in an eigenvector maps it to itself."""
    x, mass = tokens(mu)
    along = x @ np.linalg.eigh(found.B)[1]
    # A reflection in an axis changes the sign of these moments, and −I that of all of them.
    moments = np.maximum(np.abs(mass @ along), np.abs(mass @ along**3))
    return bool(2 * moments.min() > 1e-3)


class UniformState(Claim):
    number = "uniform state"
    title = "Growth rates of spherical harmonics on the uniform law"
    printed = "for B = λI, V = ±B a harmonic of degree k grows at ±k(k+d−2)Λ_k(λ), divided by Λ₀(λ) for softmax"
    latex = (
        r"\pm k(k+d-2)\Lambda_k(\lambda),\quad\Lambda_k(\lambda) = \Gamma(d/2)(2/\lambda)^{d/2-1}I_{d/2-1+k}(\lambda)"
    )
    provenance = "derived"
    hunts = {
        "printed": sampled(uniform_trial, 8, law="64 equal tokens of the circle moved by 1e-6 sin kθ, k = 1–3, λ in ±3")
    }

    def hypotheses(self, flow, mu):
        return gradient_flow(flow, mu, extra=_isotropic)

    def predict(self, flow, mu):
        found = structure_of(flow, mu)
        lam = float(found.B[0, 0])
        rates = found.sign * found.speed * lam * growth(np.arange(1, 5), beta=lam, d=mu.d, model=found.normalisation)
        words = (
            f"near the uniform law harmonics of degree 1 to 4 change at the rates {np.array2string(rates, precision=4)}"
        )
        return words, {"rates": rates}


def _isotropic(found):
    return [Hypothesis("B = λI", 0.0 if multiple_of_identity(found.B) is not None else -float(np.ptp(found.B)))]


class SemidefiniteDescent(Claim):
    number = "semidefinite descent"
    title = "Descent onto the kernel of B is algebraic in time"
    printed = (
        "B ≥ 0 with a kernel, V = −B, tokens that spread in every direction outside ker B: for h_k = ⟨x, z_k⟩, Bz_k = λ_kz_k, "
        "⟨h_k²⟩ ~ 1/(2λ_k²t) and E − 1 ~ ½Σλ_k²⟨h_k²⟩²"
    )
    latex = r"\langle h_k^2\rangle \sim \frac{1}{2\lambda_k^2t},\qquad E-1\sim\tfrac12\sum_k\lambda_k^2\langle h_k^2\rangle^2"
    provenance = "derived"
    decides = "trajectory"
    hunts = {
        "printed": sampled(
            descent_trial, 4, law="B ≥ 0 with a kernel, d = 2–3, few and many weighted tokens, t = 800", steps=8
        )
    }
    outside = {"tokens spread (two of them, d = 3)": sampled(flat_descent_trial, 2)}

    def hypotheses(self, flow, mu):
        return gradient_flow(flow, mu, sign=-1, extra=lambda found: _has_kernel(found, mu))

    def predict(self, flow, mu):
        found = structure_of(flow, mu)
        constants = kernel_constants(outside_kernel(found.B)[0]) / found.speed
        after = 1 / (found.speed * _spread(found, mu))
        words = (
            f"tokens fall onto the kernel of B slowly: their squared components ⟨x, z_k⟩² along its other eigenvectors are "
            f"c_k/t on average, c_k = {np.array2string(constants, precision=4)}, for t well above {after:.3g}; rules that stop "
            "at exponential decay never stop here"
        )
        return words, {"constants": constants, "after": after}

    def check(self, run):
        found, ts = structure_of(run.flow, run.at(0)), np.asarray(run.ts, float)
        x, mass = np.asarray(run.x, float), np.asarray(run.mass, float)
        late = found.speed * ts * min(_spread(found, run.at(0)), outside_kernel(found.B)[0].min() ** 2 / 5) > 20
        if late.sum() < 2:
            return undecided(f"too early at t = {ts[-1]:g}; save two times above {_late(found, run):.3g}")
        off = inverse_growth(found.B, x[late], found.speed * ts[late], mass)
        words = f"1/⟨h²⟩ grows at the rate 2λ² up to {off.growth:.2g}, allowed {off.room:.2g}; ⟨h²⟩·2λ²t = {off.last:.3g} at last"
        return compared(
            worst_ratio(off.growth / off.room, abs(off.last - 1) / 0.25), words, ratio_last=off.last, room=off.room
        )


def _late(found, run) -> float:
    return 20 / (found.speed * min(_spread(found, run.at(0)), outside_kernel(found.B)[0].min() ** 2 / 5))


def _has_kernel(found, mu):
    values = np.linalg.eigvalsh(found.B)
    is_flat = values[-1] > 0 and abs(values[0]) <= exactness(mu) * values[-1]
    return [
        Hypothesis("B is positive semidefinite with a kernel", 0.0 if is_flat else -max(abs(float(values[0])), 1e-12)),
        Hypothesis(
            "tokens spread in every direction outside the kernel", _spread(found, mu) - 1e-12 if is_flat else -1.0
        ),
    ]


def _spread(found, mu) -> float:
    return spread_outside(found.B, *tokens(mu))


class SafeLayers(Claim):
    number = "safe layers"
    title = "How long a layer may be without throwing tokens through the origin"
    printed = (
        "normalise(x + ηg) = normalise(x + η'Π_x g) with η' = η/(1 + η⟨x,g⟩), which is positive if η‖B‖e^{‖B‖} < 1 without a "
        "normaliser, or η‖B‖ < 1 for softmax"
    )
    latex = r"\frac{x+\eta g}{|x+\eta g|} = \frac{x+\eta'\Pi_xg}{|x+\eta'\Pi_xg|},\ \eta' = \frac{\eta}{1+\eta\langle x,g\rangle}"
    provenance = "derived"
    hunts = {
        "printed": sampled(safe_step_trial, 12, law="symmetric B, d = 2–4, 10 tokens, 60 layers at 0.99 of the bound")
    }

    def hypotheses(self, flow, mu):
        return gradient_flow(flow, mu)

    def predict(self, flow, mu):
        found = structure_of(flow, mu)
        safe, advised = safe_step(found), advised_step(found)
        words = (
            f"layers x ← normalise(x + ηg), g what attention adds, move every token along its velocity while η < {safe:.4g}; "
            f"longer ones may throw a token to the far side. With η ≤ {advised:.4g} the energy was monotone in all trials"
        )
        return words, {"safe": safe, "advised": advised}
