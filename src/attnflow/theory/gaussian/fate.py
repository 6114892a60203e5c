"""Long-time behaviour of a Gaussian prompt: by a theorem where one applies, else by a long run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...engine.attention import L2, Sinkhorn, Softmax
from ...engine.flow import AnyFlow
from ...engine.flow.gaussian_field import check_closed
from ...engine.linalg.arguments import as_annotated
from ...engine.linalg.covariance_factor import factor
from ...engine.linalg.matrices import dense, is_scheduled
from ...engine.measures import Gaussian
from ...errors import BadInput
from .blow_up import blow_up
from .factor_field import in_double_precision, long_after, start_factor
from .graded_growth import is_quiet
from .long_time import long_time
from .scalar_value import Modes, modes_of

LOOSER = 1e-7
"""The tolerance of a second run: what differs between the two is in doubt."""

PATIENT = 40_000
"""Steps of a long run: most need a thousand, those that end in bursts ten times as many."""

TALL = 1e10
"""The least growth of the trace that shows it grows for ever, where it is not steep: bursts may rise by less, and rest."""

STEEP = 1e6
"""Growth within so small a part of the time passed is that of a blow-up."""


@dataclass(frozen=True)
class Fate:
    """ "zero", "isotropic", "limit", "blow-up", "exponential growth", "slow growth", "rotating", "bounded" (no limit seen) or
    "unresolved", and the rule that says so."""

    verdict: str
    rule: str
    numbers: dict[str, Any] = field(default_factory=dict)


@as_annotated
@in_double_precision
def fate_of(flow: AnyFlow, mu: Gaussian, *, until: float | None = None) -> Fate:
    """The fate of one Gaussian prompt: a closed form or theorem if one applies, else the blow-up and long-time runs.

    >>> import attnflow as af
    >>> fate = af.fate_of(af.Flow(af.Euclidean(), af.Softmax(B=-1.0)), af.Gaussian([0.0], [[1.0]]))
    >>> fate.verdict, fate.rule
    ('zero', 'V = vI with vB + vBᵀ ≤ 0: Σ∞ = L Π Lᵀ')
    """
    check_closed(flow, mu)
    if mu.mean.ndim != 1:
        raise BadInput("fate_of takes one Gaussian; blow_up and long_time take batches")
    return by_theory(flow, mu) or by_running(
        flow, mu, long_after(flow, start_factor(flow, mu)) if until is None else until
    )


def by_theory(flow, mu: Gaussian) -> Fate | None:
    """The fate where a theorem gives it without a run, else None."""
    rule = flow.attention
    if is_scheduled(flow) or flow.feed_forward is not None or not isinstance(rule, Softmax | L2 | Sinkhorn):
        return None
    B, V, L = _matrices(flow, mu)
    if np.all(L == 0) or np.all(V == 0) or np.all(B == 0):
        return Fate("limit", "nothing spreads the tokens: Σ is constant")
    modes = modes_of(flow, L)
    return _positive_value(rule, B, V) if modes is None else _scalar_value(modes)


def _matrices(flow, mu):
    B = np.asarray(flow.attention.score.matrix(mu.d), float)
    return B, np.asarray(dense(flow.V, mu.d), float), np.asarray(factor(mu.cov), float)


def _scalar_value(modes: Modes) -> Fate:
    """V = vI: the covariance is known in closed form, with B standing for vB."""
    if modes.rates[-1] > 0:
        return Fate("blow-up", "V = vI: Σ = L(I − tLᵀ(B+Bᵀ)L)⁻¹Lᵀ", {"time": 1 / modes.rates[-1]})
    kept = modes.vectors[:, modes.rates == 0]
    rank = int(np.linalg.matrix_rank(kept)) if kept.size else 0
    verdict = "isotropic" if rank else "zero"
    return Fate(verdict, "V = vI with vB + vBᵀ ≤ 0: Σ∞ = L Π Lᵀ", {"rank": rank, "limit": kept @ kept.T})


def _positive_value(rule, B, V) -> Fate | None:
    """V symmetric positive: the sign of B + Bᵀ decides for softmax; growth is at most exponential for Sinkhorn."""
    if not isinstance(rule, Softmax) or not np.allclose(V, V.T) or np.linalg.eigvalsh(V).min() <= 0:
        return None
    values = np.linalg.eigvalsh(B + B.T)
    if values.max() < 0:
        return Fate("zero", "V > 0 and B + Bᵀ < 0", {"rank": 0})
    return None


def by_running(flow, mu: Gaussian, until) -> Fate:
    """First look for blow-up and growth, then follow what stays bounded to the end."""
    seen = blow_up(flow, mu, until=until)
    if seen.verdict not in ("bounded", "unresolved"):
        return _seen(seen)
    run = long_time(flow, mu, until=until, max_steps=PATIENT)
    numbers = {"rank": int(run.rank), "cov": run.end, "exponents": run.exponents, "isotropy": float(run.isotropy)}
    followed = f"followed to t = {float(run.reached):.3g} in logarithmic time"
    if run.verdict in ("growing", "unresolved") and seen.verdict == "bounded":
        return Fate("bounded", f"the trace followed to t = {float(seen.reached):.3g}; no limit was seen", numbers)
    if run.verdict == "growing" and (run.climbed > TALL or run.growth * run.reached > STEEP):
        return _growth(run, long_time(flow, mu, until=until, tol=LOOSER))
    if run.verdict in ("growing", "unresolved"):
        verdict = "bounded" if is_quiet(*_trace(run)) else "unresolved"
        return Fate(verdict, f"{followed}; no limit was seen", numbers)
    return Fate(str(run.verdict), followed, numbers)


def _trace(run):
    """The times of a long run that were reached, and the logarithm of the trace."""
    trace = run.eigenvalues.sum(axis=-1)
    is_known = trace > 0
    return run.ts[is_known], np.log(trace[is_known])


def _seen(seen) -> Fate:
    if seen.verdict == "decay":
        return Fate(
            "zero", f"the trace followed to t = {float(seen.reached):.3g} over decades of its own clock", {"rank": 0}
        )
    names = ("time", "rank", "direction") if seen.verdict == "blow-up" else ("rate",)
    numbers = {name: getattr(seen, name) for name in (*names, "exponent")}
    numbers = {name: value if np.ndim(value) else value.item() for name, value in numbers.items()}
    return Fate(str(seen.verdict), f"the trace followed to t = {float(seen.reached):.3g}", numbers)


def _growth(run, looser) -> Fate:
    """Stiff growth, which an explicit method cannot follow to the end: its rate tells blow-up from exponential growth."""
    rule, rate = "tr Σ followed as far as an implicit method goes", float(run.growth)
    if rate * float(run.reached) < STEEP:
        return Fate("exponential growth", f"{rule}; its rate has not settled")
    # Where even the implicit climb gave up. The time left is about 1/rate for tr' ~ tr².
    time, again = (float(one.reached) + 1 / float(one.growth) for one in (run, looser))
    if looser.verdict != "growing" or float(looser.growth) * float(looser.reached) < STEEP:
        return Fate("unresolved", f"{rule}, but not with fewer digits: rounding decides")
    return Fate("blow-up", f"{rule}; another tolerance moves the time by {abs(time - again):.1e}", {"time": time})
