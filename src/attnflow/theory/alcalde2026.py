"""Alcalde, Bungert, Riedl, Roith 2026 (arXiv 2605.10931): how close attention comes to its low-temperature target.

Only the abstract and public summaries were seen: constants and hypotheses of the theorem are not known here.
"""

from __future__ import annotations

import numpy as np

from ..concentration import two_atom_w2
from ..low_temperature.laplace import uniform_length
from ..low_temperature.terminal import CLEAR
from . import alcalde2026_search as search
from .bruno2025 import cold_conditions, cold_limit
from .claim import Check, Claim, Hypothesis, Prediction, register

PAPER = "Alcalde, Bungert, Riedl, Roith 2026 (arXiv 2605.10931)"


def _conditions(flow, mu):
    found = cold_limit(flow, mu)
    if found is None or found[0].atoms is None:
        return []
    limit, _ = found
    late = float(np.quantile(limit.margin(np.asarray(mu.x)), 0.01))
    return [*cold_conditions(flow, mu), Hypothesis("few tokens start where the target is undefined", late - 1e-6)]


def _predict(flow, mu):
    limit, beta = cold_limit(flow, mu)  # pyright: ignore[reportGeneralTypeIssues]
    masses = limit.masses(mu)
    words = (
        f"tokens approach ±v with masses {masses[0]:.3g} and {masses[1]:.3g} until t ~ log β = {np.log(beta):.3g} "
        "and leave them afterwards; constants of the bound are not known"
    )
    numbers = {"atoms": np.asarray(limit.atoms).tolist(), "masses": masses.tolist(), "rate": limit.rates().w2}
    return Prediction("alcalde2026.concentration", words, numbers)


def _check(run):
    limit, _ = cold_limit(run.flow, run.at(0))  # pyright: ignore[reportGeneralTypeIssues]
    mass, masses = np.asarray(run.mass, float), limit.masses(run.at(0))
    w2 = np.array([two_atom_w2(x, limit.atoms, masses=masses, mass=mass) for x in np.asarray(run.x, float)])
    best, ts = int(np.argmin(w2)), np.asarray(run.ts, float)
    numbers = {"start": float(w2[0]), "best": float(w2[best]), "at": float(ts[best]), "end": float(w2[-1])}
    if ts[-1] - ts[0] < 1:
        return Check("alcalde2026.concentration", None, "the run is shorter than the alignment phase", numbers)
    words = f"W2 to the target falls from {w2[0]:.3g} to {w2[best]:.3g} at t = {ts[best]:.3g}, then {w2[-1]:.3g}"
    return Check("alcalde2026.concentration", bool(w2[best] < w2[0] or w2[0] < 1e-6), words, numbers)


register(
    Claim(
        key="alcalde2026.concentration",
        source=f"{PAPER}, abstract",
        printed="W₂(μ_t, μ_∞) ≲ √(log(β+1)/β) e^{Ct} + e^{−ct}",
        hypotheses=_conditions,
        predict=_predict,
        check=_check,
        falsify=search.concentration,
    )
)


def _terminal_conditions(flow, mu):
    found = cold_limit(flow, mu)
    if found is None or found[0].kind != "simple":
        return []
    symmetric = float(np.abs(found[0].V - found[0].V.T).max())
    return [
        *_conditions(flow, mu),
        Hypothesis("V is symmetric", 1e-10 - symmetric),
        Hypothesis(
            "⟨c, Bc⟩ is clearly not 0 at v and, for a pair that ends there, at q", found[0].terminal().margin - CLEAR
        ),
    ]


def _predict_terminal(flow, mu):
    limit, _ = cold_limit(flow, mu)  # pyright: ignore[reportGeneralTypeIssues]
    told = limit.terminal()
    numbers = {"q": told.q.tolist(), "sign": told.sign, "clause": told.clause}
    words = f"{told.words} (a rule for two clusters, not a theorem; long searches find rare exceptions at the cone)"
    return Prediction("alcalde2026.terminal", words, numbers)


def _check_terminal(run):
    limit, _ = cold_limit(run.flow, run.at(0))  # pyright: ignore[reportGeneralTypeIssues]
    told, x = limit.terminal(), np.asarray(run.x, float)
    angles = [np.degrees(np.median(np.arccos(np.clip(np.abs(x[k] @ told.q), 0, 1)))) for k in (0, -1)]
    speed = np.abs(x[-1] - x[-2]).max() / float(run.ts[-1] - run.ts[-2]) if len(run.ts) > 1 else np.inf
    numbers = {"start": float(angles[0]), "end": float(angles[1]), "speed": float(speed), "clause": told.clause}
    if told.clause == "outside":
        return Check("alcalde2026.terminal", None, told.words, numbers)
    if speed > 1e-3:
        return Check("alcalde2026.terminal", None, "tokens still move: the terminal phase has not ended", numbers)
    # The cone is reached within a few degrees only.
    return Check(
        "alcalde2026.terminal", bool(angles[1] < 5), f"tokens end {angles[1]:.2g}° from the predicted axis", numbers
    )


register(
    Claim(
        key="alcalde2026.terminal",
        source=f"{PAPER}, numerical section (summary); rule derived",
        printed="the terminal phase is dominated by the spectrum of V",
        corrected="clusters ±c follow c' = sgn⟨c,Bc⟩ΠVc: the top eigenvector of ±V, or the cone ⟨c,Bc⟩ = 0; a pair that "
        "listens to its opposites gathers at the top eigenvector of V when that eigenvalue exceeds the one of −V",
        hypotheses=_terminal_conditions,
        predict=_predict_terminal,
        check=_check_terminal,
        falsify=search.terminal,
        kind="conjecture",
    )
)


def _laplace_conditions(flow, mu):
    found = cold_limit(flow, mu)
    return [] if found is None else [Hypothesis("β is positive", found[1] - 1e-12)]


def _predict_laplace(flow, mu):
    limit, beta = cold_limit(flow, mu)  # pyright: ignore[reportGeneralTypeIssues]
    x = np.asarray(mu.x, float)[:200]
    bound = limit.laplace_bound(x, mu, beta=beta)
    kappa = beta * float(np.mean(np.linalg.norm(x @ limit.B, axis=1)))
    words = f"each token's barycentre is within {bound.max():.3g} of its limit Bᵀx/|Bᵀx|"
    return Prediction(
        "alcalde2026.laplace", words, {"bound": float(bound.max()), "uniform": float(1 - uniform_length(kappa, mu.d))}
    )


def _check_laplace(run):
    limit, beta = cold_limit(run.flow, run.at(0))  # pyright: ignore[reportGeneralTypeIssues]
    y, mass = np.asarray(run.x[-1], float), np.asarray(run.mass, float)
    ratio = search.laplace_ratio(y[:200], y, limit.B, beta, mass)
    return Check("alcalde2026.laplace", bool(ratio <= 1), f"largest error over bound {ratio:.3g}", {"ratio": ratio})


register(
    Claim(
        key="alcalde2026.laplace",
        source=f"{PAPER}, idea of the proof; statement derived",
        printed="|m_β(x) − y*| ≤ R + e^{−κ(R²−r²)/2}/μ(B_r) ∫|y−y*|dμ for all 0 < r < R",
        hypotheses=_laplace_conditions,
        predict=_predict_laplace,
        check=_check_laplace,
        falsify=search.laplace,
        kind="derived",
    )
)
