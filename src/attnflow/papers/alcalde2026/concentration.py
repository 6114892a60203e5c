"""Concentration at the low-temperature target, departure from it, and the terminal phase."""

from __future__ import annotations

import numpy as np

from ...theory.low_temperature.concentration import two_atom_w2
from ...theory.low_temperature.coupling import coupling
from ...theory.low_temperature.terminal import CLEAR
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import fixed, sampled
from ..hypotheses import cold, cold_limit
from ..retrace import and_path, retraced
from ..tolerance import exactness, tolerance
from ..trial import worst_ratio
from .hunts import concentration_trial, laplace_trial, narrow_trial, stops_on_the_cone, terminal_trial

CROWD = 3000
"""Tokens up to which all pairs of a saved state are looked at."""


def _aims_at_atoms(flow, mu):
    found = cold_limit(flow, mu)
    if found is None or found[0].atoms is None:
        return []
    late = float(np.quantile(found[0].margin(np.asarray(mu.x)), 0.01))
    return [*cold(flow, mu), Hypothesis("few tokens start where the target is undefined", late - 1e-6)]


class Concentration(Claim):
    number = "abstract"
    title = "Tokens come close to their low-temperature target, then leave it"
    printed = "W₂(μ_t, μ_∞) ≲ √(log(β+1)/β) e^{Ct} + e^{−ct}"
    latex = r"W_2(\mu_t, \mu_\infty) \lesssim \sqrt{\log(\beta+1)/\beta}\,e^{Ct} + e^{-ct}"
    provenance = "summarised"
    kind = "theorem"
    decides = "trajectory"
    hunts = {"printed": sampled(concentration_trial, 8, law="normal 2 × 2 V, B near I, 240 tokens, β = 20 and 160")}
    outside = {"tokens everywhere (one radian of them)": sampled(narrow_trial, 4)}

    def hypotheses(self, flow, mu):
        return _aims_at_atoms(flow, mu)

    def predict(self, flow, mu):
        limit, beta = cold_limit(flow, mu)
        masses = limit.masses(mu)
        words = (
            f"tokens approach two opposite points ±v with masses {masses[0]:.3g} and {masses[1]:.3g} until t of order log β = "
            f"{np.log(beta):.3g} and leave them afterwards; the constants of the bound were not seen"
        )
        return words, {"atoms": limit.atoms.tolist(), "masses": masses.tolist(), "rate": limit.rates().w2}

    def check(self, run):
        """W₂ to the target against that of the linear flow, which may differ by Grönwall's bound at most."""
        limit, beta = cold_limit(run.flow, run.at(0))
        x, ts, mass = np.asarray(run.x, float), np.asarray(run.ts, float), np.asarray(run.mass, float)
        masses = limit.masses(run.at(0))
        w2 = np.array([two_atom_w2(y, limit.atoms, masses=masses, mass=mass) for y in x])
        best = int(np.argmin(w2))
        numbers = {"start": float(w2[0]), "best": float(w2[best]), "at": float(ts[best]), "end": float(w2[-1])}
        if x.shape[1] > CROWD:
            return undecided(f"more than {CROWD} tokens: the bound is not computed", **numbers)
        near = coupling(limit, x, ts, beta=beta, mass=mass, error=100 * tolerance(run))
        linear = np.array([two_atom_w2(y, limit.atoms, masses=masses, mass=mass) for y in near.limit])
        room = np.sqrt(near.allowed**2 @ mass)
        # A time tells something when the linear flow has come nearer by more than attention may differ from it.
        telling = [k for k in near.seen if linear[0] - linear[k] > 2 * room[k]]
        if not telling:
            return undecided(
                "the run cannot show the approach: colder, or saved more often in the first units of time", **numbers
            )
        used = worst_ratio(*(abs(w2[k] - linear[k]) / room[k] for k in telling))
        ratio, path = and_path(used, run)
        words = (
            f"W₂ to the target is within {used:.2g} of the bound around that of the linear flow up to t = {ts[telling[-1]]:.3g}; "
            f"it is {w2[0]:.3g} at first, {w2[best]:.3g} at best (t = {ts[best]:.3g}) and {w2[-1]:.3g} at last"
        )
        return compared(ratio, words, **path, **numbers)


class Terminal(Claim):
    number = "terminal phase"
    title = "Two opposite clusters at last follow the spectrum of V"
    printed = "the terminal phase is dominated by the spectrum of V"
    latex = r"\dot c=\operatorname{sgn}\langle c,Bc\rangle\,\Pi_cVc"
    provenance = "summarised"
    corrected = (
        "clusters ±c follow c' = sgn⟨c,Bc⟩ΠVc: the top eigenvector of ±V, or the cone ⟨c,Bc⟩ = 0 where a pair that listens to "
        "itself comes to it; a pair that listens to its opposites gathers at the top eigenvector of V when that eigenvalue "
        "exceeds the one of −V (and has no rule where it comes to the cone and V has a positive eigenvalue)"
    )
    erratum = "incomplete"
    kind = "conjecture"
    decides = "end state"
    hunts = {
        "printed": fixed(stops_on_the_cone),
        "corrected": sampled(
            terminal_trial, 6, law="symmetric 2 × 2 V and any B with normal entries, 40 tokens", steps=12
        ),
    }

    def hypotheses(self, flow, mu):
        found = cold_limit(flow, mu)
        if found is None or found[0].kind != "simple":
            return []
        limit, _ = found
        end = limit.terminal()
        return [
            *_aims_at_atoms(flow, mu),
            Hypothesis("V is symmetric", exactness(mu, 1e-10) - float(np.abs(limit.V - limit.V.T).max())),
            Hypothesis("the top eigenvalue of ±V, which a pair follows, is simple", _lead(limit, end.sign) - 1e-3),
            Hypothesis("⟨c, Bc⟩ is clearly not 0 at v and, for a pair that ends there, at q", end.margin - CLEAR),
        ]

    def predict(self, flow, mu):
        limit, _ = cold_limit(flow, mu)
        end = limit.terminal()
        words = f"{end.words} (a rule for two clusters, not a theorem)"
        return words, {"q": end.q.tolist(), "sign": end.sign, "clause": end.clause}

    def check(self, run):
        limit, _ = cold_limit(run.flow, run.at(0))
        end, x = limit.terminal(), np.asarray(run.x, float)
        angles = [np.degrees(np.median(np.arccos(np.clip(np.abs(x[k] @ end.q), 0, 1)))) for k in (0, -1)]
        speed = np.abs(x[-1] - x[-2]).max() / float(run.ts[-1] - run.ts[-2]) if len(run.ts) > 1 else np.inf
        numbers = {"start": float(angles[0]), "end": float(angles[1]), "speed": float(speed), "clause": end.clause}
        if end.clause == "outside":
            return undecided(end.words, **numbers)
        pace = _lead(limit, end.sign) * float(np.linalg.norm(limit.V, 2))
        if speed > 1e-3 * pace or float(run.ts[-1]) * pace < 10:
            return undecided("tokens still move: the terminal phase has not ended; run for longer", **numbers)
        # The cone is reached within a few degrees only.
        path = retraced(run)
        words = f"tokens end {angles[1]:.2g}° from the predicted axis (5° are allowed), {angles[0]:.2g}° at first"
        if np.isnan(path) or angles[0] < 5:
            return undecided(f"{words}, but the way there was not seen", **numbers)
        return compared(worst_ratio(angles[1] / 5, path), words, path=path, **numbers)


def _lead(limit, sign: int) -> float:
    """By how much the top eigenvalue of sgn·V exceeds the next, relative to |V|: how fast a pair turns to it."""
    values = np.linalg.eigvalsh(sign * (limit.V + limit.V.T) / 2)
    return float((values[-1] - values[-2]) / np.linalg.norm(limit.V, 2))


class Laplace(Claim):
    number = "Laplace principle"
    title = "A barycentre at finite temperature is close to its limit"
    printed = "|m_β(x) − y*| ≤ R + e^{−κ(R²−r²)/2}/μ(B_r) ∫|y−y*|dμ for all 0 < r < R"
    latex = r"|m_\beta(x)-y^*|\le R+\frac{e^{-\kappa(R^2-r^2)/2}}{\mu(B_r)}\int|y-y^*|\,d\mu(y),\qquad 0<r<R"
    provenance = "derived"
    hunts = {"printed": sampled(laplace_trial, 50, law="2–60 weighted directions, d = 2–4, β from 0.1 to 1000")}

    def hypotheses(self, flow, mu):
        found = cold_limit(flow, mu)
        return [] if found is None else [Hypothesis("β is positive", found[1] - 1e-12)]

    def predict(self, flow, mu):
        limit, beta = cold_limit(flow, mu)
        x = np.asarray(mu.x, float)[:200]
        bound = limit.laplace_bound(x, mu, beta=beta)
        words = f"each token's barycentre is within {bound.max():.3g} of its limit Bᵀx/|Bᵀx|"
        return words, {"bound": float(bound.max())}
