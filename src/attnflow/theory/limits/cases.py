"""Certified limits of rescaled tokens, one proof for each case of V (identity, hyperplane, paranormal, minus identity)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...engine.linalg.matrices import multiple_of_identity
from . import hardmax_certificate as hardmax
from .hyperplanes import settle
from .one_dimension import exceptional_row
from .polytope import nearest_to_zero
from .result import Certificate, Limit
from .search import LOOSER, Search
from .value_matrix import ValueMatrix

SMALL = 1e-9
"""The search ends when the error is this small against the tokens."""
LARGE = 1e-3
"""A limit that is known less well than this is not called certified."""


def find(flow, mu, V: ValueMatrix, *, tol: float, until: float | None) -> Limit:
    """The limit for distinct tokens."""
    cases = {"identity": _polytope, "hyperplane": _hyperplanes, "paranormal": _paranormal, "minus identity": _to_zero}
    search = Search(flow, mu, V, tol, until)
    found = cases.get(V.case, _no_theorem)(search)
    return replace(found, notes=(*found.notes, *search.notes))


# ---- V = cI ----------------------------------------------------------------------------------------------------------


def _polytope(search: Search) -> Limit:
    """The proofs of `hardmax_certificate.py`, for any B."""
    if not search.M.any():
        return _centre(search)
    c = search.V.lam
    search.until = 30 / c if search.until is None else search.until
    rows = search.rows()
    tied, error = rows.is_tied, np.inf if len(search.z) > 1 else 0.0
    between = hardmax.tied_with(search.u, search.inner())
    while search.t < search.until and not np.isfinite(error):
        search.advance(min(search.until, search.t + 0.5 / c))
        rows = search.rows()
        if search.t <= 1 / c:
            tied, between = tied & rows.is_tied, hardmax.tied_with(search.u, search.inner())
        if tied.any() and _others_are_closed(rows, tied):
            return _with_ties(search, rows, tied, between)
        error = hardmax.leaders_error(rows, search.u, search.inner(), log_scale=search.log_scale())
    if np.isfinite(error):
        return _at_leaders(search, rows, error)
    return _by_groups(search, rows) or _not_closed(search, rows)


def _at_leaders(search, rows, error) -> Limit:
    if search.is_doubtful or not _has_leaders(search.looser().rows(), rows):
        return _in_doubt(search)
    words = (
        f"proved at t = {search.t:g}: every row prefers its leader by at least {rows.smallest:.3g} logits and every leader "
        f"itself, for good; leaders can move by at most {error:.1e} more"
    )
    return _on_vertices(search, rows.leader, words, rows.smallest, error, P=_limit_matrix(rows.leader))


def _has_leaders(rows, known) -> bool:
    """Whether a looser run has the known leaders, and not by chance."""
    return bool((rows.leader == known.leader).all() and rows.smallest >= hardmax.ENOUGH / 2)


def _by_groups(search, rows) -> Limit | None:
    """Vertices are told apart, though not who leads at each: known up to the diameter of a group."""
    gap, error = _groups(search, rows.leader)
    if not rows.is_settled.all() or not error <= LARGE * np.linalg.norm(search.u, axis=1).max():
        return None
    if search.is_doubtful or not np.isfinite(_groups(search.looser(), rows.leader)[1]):
        return _in_doubt(search)
    words = (
        f"proved at t = {search.t:g}: every row prefers the tokens at its own vertex to all others by at least {gap:.3g} "
        f"logits, for good; a vertex is known up to {error:.1e}, the width of its group"
    )
    return _on_vertices(search, rows.leader, words, gap, error, P=None)


def _groups(search, leader) -> tuple[float, float]:
    return hardmax.groups_error(
        leader, search.u, search.inner(), log_scale=search.log_scale(), rest=search.rest(), mass=search.mass
    )


def _on_vertices(search, leader, words, gap, error, *, P) -> Limit:
    V, u = search.V, search.u
    off = search.off(u[leader], search.looser().u[leader])
    if not off <= LARGE * np.linalg.norm(u, axis=1).max():
        return _in_doubt(search)
    z = search.back(search.z + (u[leader] - u) @ V.right.T)
    certificate = Certificate(True, search.t, float(gap), float(error + off), words + _integrated(off), off)
    count = len(np.unique(leader))
    if V.case == "identity":
        outcome = _named(search, f"{count} leader(s); every token ends on one")
        return Limit("identity", z, leader, certificate, outcome, P)
    outcome = f"theorem 5.2 of arXiv 2305.05465: {count} leader(s) in the {V.right.shape[1]}-dimensional dominant space"
    if not search.is_positive:
        outcome = "outside the hypotheses of theorem 5.2 (B is not symmetric positive definite); " + outcome
    return Limit("paranormal", z, leader, certificate, outcome, P, coordinates=u[leader])


def _integrated(off) -> str:
    return f" (and the run may be off by {off:.1e})" if off else ""


def _doubt(search, what) -> str:
    return (
        f"no certificate by t = {search.t:g}: in a run with tol = {LOOSER * search.tol:.0e} tokens take other ways, so some "
        f"came too near {what} to be followed; ask for a tol smaller than {search.tol:.0e}, or break a symmetry"
    )


def _in_doubt(search) -> Limit:
    words = _doubt(search, "a tie")
    return Limit(search.V.case, None, None, Certificate(False, search.t, 0.0, float("inf"), words), words)


def _named(search, outcome) -> str:
    if search.is_positive:
        return f"theorem {'2.1' if len(search.M) == 1 else '3.1'} of arXiv 2305.05465: {outcome}"
    return f"outside the hypotheses of theorem 3.1 (B is not symmetric positive definite); by the certificate alone: {outcome}"


def _others_are_closed(rows, tied) -> bool:
    free = ~tied
    return bool(rows.is_settled[free].all() and rows.gap[free].min(initial=np.inf) >= hardmax.ENOUGH)


def _with_ties(search, rows, tied, between) -> Limit:
    """A symmetric start: tied tokens rest at unstable points, the others have leaders."""
    z, undecided = search.z[rows.leader].copy(), np.flatnonzero(tied)
    z[tied] = _unstable_points(search, rows, tied, between)
    note = f"{len(undecided)} token(s) sit at unstable fixed points of a symmetric start; any disturbance moves them"
    leader, gap = np.where(tied, -1, rows.leader), float(rows.gap[~tied].min(initial=np.inf))
    found = rows.leader[~tied]
    off = search.off(search.u[found], search.looser().u[found])
    error = hardmax.drift_bound(gap, search.z) + off
    words = (
        f"estimated, not proved: at t = {search.t:g} every row that is not tied prefers its leader by at least {gap:.3g} "
        f"logits, but {len(undecided)} token(s) are tied by symmetry"
    )
    certificate = Certificate(False, search.t, gap, error, words, off)
    outcome = f"{len(np.unique(leader[leader >= 0]))} leader(s); every token without a tie ends on one"
    P = _limit_matrix(leader)
    if len(search.M) == 1 and len(undecided) == 1:
        P[undecided[0]] = exceptional_row(z[:, 0], search.mass, int(undecided[0]))
    elif len(undecided):
        P = None
    return Limit("identity", z, leader, certificate, _named(search, outcome), P, undecided=undecided, notes=(note,))


def _unstable_points(search, rows, tied, between):
    """The points of S that tied tokens rest at: nearest to 0 between the leaders they cannot choose from, if B is positive.

    Elsewhere: where the token is now.
    """
    leaders, here = np.unique(rows.leader[~tied]), search.z[tied].copy()
    if not search.is_positive:
        return here
    for k, i in enumerate(np.flatnonzero(tied)):
        choice = leaders[between[i, leaders]]
        here[k] = nearest_to_zero(search.z[choice], search.M) if len(choice) > 1 else here[k]
    return here


def _centre(search) -> Limit:
    n = len(search.z)
    words = "B = 0: every token hears all alike, so every rescaled token tends to the centre of mass, which rests"
    certificate = Certificate(True, 0.0, 0.0, 0.0, "proved for every start; no run is needed")
    z = np.tile(search.mass @ search.z / search.mass.sum(), (n, 1))
    return Limit("identity", z, None, certificate, words, np.tile(search.mass, (n, 1)))


def _not_closed(search, rows) -> Limit:
    open_ = int((~rows.is_settled).sum())
    why = f"{open_} leaders listen to others" if open_ else f"the smallest gap is {rows.smallest:.3g} logits"
    why += search.stopped
    words = f"no certificate by t = {search.t:g}: {why}"
    certificate = Certificate(False, search.t, rows.smallest, float("inf"), words)
    return Limit(search.V.case, None, None, certificate, words)


def _limit_matrix(leader):
    P = np.zeros((len(leader), len(leader)))
    P[np.arange(len(leader)), leader] = 1
    return P


# ---- a simple dominant eigenvalue ------------------------------------------------------------------------------------


def _hyperplanes(search: Search) -> Limit:
    """Limits of φ₁*, and how far the planes can still move."""
    V = search.V
    kappa = float(search.inner()[0, 0])
    if kappa <= 0:
        words = f"<Qφ₁, Kφ₁> = {kappa:.3g} is not positive: theorem 4.2 does not apply, no theorem does"
        return _refused(search, words)
    if search.until is None:
        search.until = min(200.0, (2 + np.log(1e12)) / (V.lam - V.second))
    planes = _planes(search)
    while search.t < search.until and not _is_found(planes):
        search.advance(search.next_time(planes.error / (SMALL * np.abs(planes.c).max())))
        planes = _planes(search)
    return _on_planes(search, planes)


def _planes(search):
    return settle(search.grown(), search.V, search.M, rest=search.rest(), t=search.t, mass=search.mass)


def _is_found(planes) -> bool:
    return planes.is_decided.all() and planes.error <= SMALL * np.abs(planes.c).max()


def _on_planes(search, planes) -> Limit:
    V, sure = search.V, planes.is_decided
    z = search.back(search.z + np.outer(planes.target - planes.c, V.right[:, 0]))
    distinct, undecided = np.unique(planes.target[sure]), np.flatnonzero(~sure)
    off = _planes_off(search, planes) if sure.all() else np.inf
    holds = bool(planes.error + off <= LARGE * np.abs(planes.target).max())
    words = _planes_words(search, planes, undecided, off, holds)
    outcome = f"theorem 4.2 of arXiv 2305.05465: {len(distinct)} hyperplane(s) φ₁* = {', '.join(f'{c:.6g}' for c in distinct)}"
    error = planes.error + (off if sure.all() else 0.0)
    certificate = Certificate(holds, search.t, float(planes.slope), error, words, off if sure.all() else 0.0)
    extra = {"coordinates": planes.target[:, None], "planes": distinct, "undecided": undecided}
    return Limit("hyperplane", z, planes.leader, certificate, outcome, **extra)


def _planes_off(search, planes) -> float:
    return np.inf if search.is_doubtful else search.off(planes.target, _planes(search.looser()).target)


def _planes_words(search, planes, undecided, off, holds) -> str:
    now, move = f"at t = {search.t:g}", f"{planes.error:.1e}{_integrated(off)}"
    if len(undecided):
        tokens = f"{len(undecided)} token(s), near the unstable plane 0"
        return f"no certificate {now}: the sign of φ₁* is not settled for {tokens}{search.stopped}"
    if search.is_doubtful:
        return _doubt(search, "the unstable plane 0")
    if not holds:
        return f"no certificate {now}: the planes may still move by {move}{search.stopped}"
    return f"proved {now}: the sign of φ₁* is settled for every token; the planes can move by at most {move}"


# ---- a multiple dominant eigenvalue, and the rest --------------------------------------------------------------------


def _paranormal(search: Search) -> Limit:
    """The proofs of `hardmax_certificate.py` on the dominant coordinates."""
    V = search.V
    search.until = min(200.0, 25 / (V.lam - V.second)) if search.until is None else search.until
    rows, found = search.rows(), None
    while search.t < search.until:
        search.advance(search.next_time())
        rows, rest = search.rows(), search.rest()
        error = hardmax.leaders_error(
            rows, search.u, search.inner(), log_scale=search.log_scale(), rest=rest, rate=V.lam
        )
        if np.isfinite(error):
            return _at_leaders(search, rows, error)
        found = _by_groups_cheaply(search, rows)
        if found:
            break
    return _by_groups(search, rows) or _not_closed(search, rows)


def _by_groups_cheaply(search, rows) -> bool:
    """Whether the proof by groups is already as good as is asked."""
    error = _groups(search, rows.leader)[1]
    return bool(rows.is_settled.all() and error <= SMALL * np.linalg.norm(search.u, axis=1).max())


def _to_zero(search: Search) -> Limit:
    """V = −cI, B = I: tokens x tend to 0 like t^{−1/2}."""
    n, d = search.z.shape
    if not (multiple_of_identity(search.M) or 0.0) > 0:
        return _refused(search, "V is negative and B is not a positive multiple of the identity: no theorem applies")
    words = "theorem 8.5 of arXiv 2305.05465: every token x tends to 0 and P to the masses; rescaled tokens diverge"
    certificate = Certificate(True, 0.0, 0.0, 0.0, "proved for every start; no run is needed")
    return Limit("minus identity", None, None, certificate, words, np.tile(search.mass, (n, 1)), x=np.zeros((n, d)))


def _no_theorem(search: Search) -> Limit:
    return _refused(search, search.V.words)


def _refused(search, words) -> Limit:
    return Limit(search.V.case, None, None, Certificate(False, 0.0, 0.0, float("inf"), words), words)
