"""Where tokens go: certified limits of rescaled tokens in R^d."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import jax.numpy as jnp
import numpy as np

from .attention import Softmax
from .evolution import evolve
from .flow import Flow, check_fits
from .matrices import is_scheduled
from .measures import Particles
from .rescaled import rescale
from .spaces import Euclidean
from .theory import hardmax_certificate as hardmax
from .theory.limit_set import enumerate_limits, hull_vertices
from .theory.value_matrix import ValueMatrix, classify


@dataclass(frozen=True)
class Certificate:
    """Why a limit is believed: what was seen at `time`, and how far tokens can still stray."""

    holds: bool
    time: float
    gap: float
    """The smallest gap in logits between the best and the second best token of a row."""
    error: float
    """Bound on the distance of `z` to the true limit, without the error of the integration itself."""
    words: str


@dataclass(frozen=True)
class Limit:
    """The limit of every rescaled token, as far as theory and the run can tell."""

    case: str
    z: np.ndarray | None
    """Limits; on hyperplanes the coordinates inside the planes are those at the certificate's time. None: no limit."""
    leaders: np.ndarray | None
    """The token that each token ends on, or listens to."""
    certificate: Certificate
    words: str
    P: np.ndarray | None = None
    """The limit of the attention matrix."""
    coordinates: np.ndarray | None = None
    """Dominant coordinates φ*(z_i) in the limit, one column per dimension of the dominant space."""
    planes: np.ndarray | None = None
    """The distinct limits of φ₁* (hyperplane case)."""
    x: np.ndarray | None = None
    """The limit of x itself, where that exists."""
    undecided: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    """Tokens at unstable fixed points: any disturbance sends them elsewhere."""
    notes: tuple[str, ...] = ()

    @property
    def vertices(self) -> np.ndarray | None:
        """The distinct leaders."""
        return None if self.leaders is None else np.unique(self.leaders[self.leaders >= 0])

    @property
    def polytope(self):
        """Vertices (indices of tokens) and faces (rows of such indices) of the hull of the limits."""
        if self.z is None or self.vertices is None:
            return None
        points = (self.z if self.coordinates is None else self.coordinates)[self.vertices]
        corners = self.vertices[hull_vertices(points)]
        return corners, _faces(points, self.vertices)


def limit(flow: Flow, mu: Particles, *, tol: float | None = None, until: float | None = None) -> Limit:
    """Where the rescaled tokens $z = e^{-tV}x$ end, with a certificate.

    Integration stops as soon as the certificate holds. `tol` is the tolerance of the integration (default 1e-11 in
    double precision), `until` the longest time to try.
    Source: Geshkovski et al. 2023 (arXiv 2305.05465), theorems 2.1, 3.1, 4.2, 5.2, 8.5; the certificate is derived.
    """
    _check(flow, mu)
    V = classify(np.asarray(flow.V), mu.d)
    if V.case == "zero":
        raise ValueError("V = 0: no token moves, so every token is its own limit; give a V that is not zero")
    merged, owner, notes = _without_duplicates(mu)
    search = _Search(flow, merged, V, _tolerance(mu, tol), until)
    found = _CASES.get(V.case, _no_theorem)(search)
    return _spread(found, owner, mu, (*V.notes, *notes, *found.notes))


def _check(flow, mu):
    if not isinstance(flow, Flow) or not isinstance(flow.space, Euclidean):
        raise ValueError("limit is about flows in Euclidean() space; on the sphere ask predict(flow, mu)")
    if not isinstance(flow.attention, Softmax):
        raise ValueError(f"limit knows Softmax attention, got {type(flow.attention).__name__}")
    if flow.feed_forward is not None or flow.noise is not None or is_scheduled(flow):
        raise ValueError("limit needs constant weights, no feed-forward term and no noise")
    if not isinstance(mu, Particles) or mu.x.ndim != 2:
        raise ValueError("limit takes one prompt of tokens: Particles of shape (n, d)")
    check_fits(flow, mu)


def _tolerance(mu, tol):
    return max(1e-11, 100 * float(jnp.finfo(mu.x.dtype).eps)) if tol is None else tol


class _Search:
    """A run in z-variables that is looked at from time to time."""

    def __init__(self, flow, mu, V: ValueMatrix, tol, until):
        self.flow, self.V, self.tol, self.t = flow, V, tol, 0.0
        self.mu: Any = mu
        self.rescaled = rescale(flow)
        self.B = np.asarray(flow.attention.score.B(mu.d), float)
        self.beta = float(flow.attention.score.beta)
        self.mass = np.asarray(mu.mass)
        self.until = until

    @property
    def z(self) -> np.ndarray:
        return np.asarray(self.mu.x, float)

    def advance(self, t: float) -> None:
        run = evolve(self.rescaled, self.mu, start=self.t, until=t, save=[t], tol=self.tol)
        if run.status.name != "DONE":
            # Near a tie the equation becomes too stiff to follow: the search ends with what is known.
            self.until = self.t
            return
        self.mu, self.t = run.last, float(t)

    def log_scale(self) -> float:
        return float(2 * self.V.lam * self.t + np.log(abs(self.beta)))

    def rows(self) -> hardmax.Rows:
        grown = _grown(self)
        return hardmax.rows(grown, np.sign(self.beta) * self.B, log_scale=self.log_scale(), mass=self.mass)


def _grown(search) -> np.ndarray:
    r"""Tokens $e^{t(V-\lambda)}z$: what the logits are made of once $e^{2\lambda t}$ is taken out."""
    V = np.asarray(search.flow.V, float)
    if V.ndim == 0 or search.t == 0:
        return search.z
    from scipy.linalg import expm

    return search.z @ expm(search.t * (V - search.V.lam * np.eye(len(V)))).T


def _polytope(search: _Search) -> Limit:
    """V = cI: the hardmax certificate, for any B."""
    c, tied = search.V.lam, search.rows().is_tied
    search.until = 30 / c if search.until is None else search.until
    rows = search.rows()
    while search.t < search.until:
        search.advance(min(search.until, search.t + 0.5 / c))
        rows = search.rows()
        tied = tied & rows.is_tied if search.t <= 1 / c else tied
        if _closed(search, rows, tied):
            return _at_leaders(search, rows, tied)
    return _not_closed(search, rows)


def _closed(search, rows, tied) -> bool:
    if not tied.any():
        return hardmax.is_closed(rows, search.z, search.B, log_scale=search.log_scale())
    free = ~tied
    return bool(rows.is_settled[free].all() and rows.gap[free].min(initial=np.inf) >= hardmax.ENOUGH)


def _at_leaders(search, rows, tied) -> Limit:
    z = search.z[rows.leader].copy()
    undecided = np.flatnonzero(tied)
    notes: tuple[str, ...] = ()
    if len(undecided):
        z[undecided] = _unstable_points(search, rows, tied)
        notes = (
            f"{len(undecided)} token(s) sit at unstable fixed points of a symmetric start; any disturbance moves them",
        )
    leader = np.where(tied, -1, rows.leader)
    gap = float(rows.gap[~tied].min(initial=np.inf))
    error = hardmax.drift_bound(gap, search.z)
    words = (
        f"at t = {search.t:g} every row prefers its leader by at least {gap:.3g} logits and every leader itself; "
        f"tokens can stray by at most {error:.1e} more"
    )
    certificate = Certificate(not len(undecided), search.t, gap, error, words)
    outcome = f"{len(np.unique(leader[leader >= 0]))} leaders; every token ends on one"
    P = _limit_matrix(leader, search.mass)
    return Limit("identity", z, leader, certificate, _named(search, outcome), P, undecided=undecided, notes=notes)


def _named(search, outcome) -> str:
    B = search.beta * search.B
    positive = np.abs(B - B.T).max() <= 1e-12 * np.abs(B).max() and np.linalg.eigvalsh((B + B.T) / 2).min() > 0
    if positive:
        return f"theorem {'1' if len(B) == 1 else '2'} of arXiv 2305.05465: {outcome}"
    return f"outside the hypotheses of theorem 2 (B is not symmetric positive definite); by the certificate alone: {outcome}"


def _unstable_points(search, rows, tied):
    """The point of S nearest to each tied token, where S is defined; else where the token is now."""
    leaders = np.unique(rows.leader[~tied])
    here = search.z[tied]
    try:
        points = enumerate_limits(search.z[leaders], search.beta * search.B)
    except ValueError:
        return here
    return points[np.argmin(np.linalg.norm(here[:, None] - points[None], axis=-1), axis=1)] if len(points) else here


def _not_closed(search, rows) -> Limit:
    open_ = int((~rows.is_settled).sum())
    why = f"{open_} leaders listen to others" if open_ else f"the smallest gap is {rows.smallest:.3g} logits"
    words = f"no certificate by t = {search.t:g}: {why}"
    gap = float(rows.smallest)
    return Limit(search.V.case, None, None, Certificate(False, search.t, gap, float("inf"), words), words)


def _hyperplanes(search: _Search) -> Limit:
    """A simple dominant eigenvalue: limits of φ₁*, and how far the planes can still move."""
    from .theory.hyperplanes import bound, settle

    V = search.V
    kappa = float(search.beta * (V.right[:, 0] @ search.B @ V.right[:, 0]))
    if kappa <= 0:
        words = f"<Qφ₁, Kφ₁> = {kappa:.3g} is not positive: theorem 3 does not apply, no theorem does"
        return _refused(search, words)
    if search.until is None:
        search.until = min(200.0, 2 + np.log(1e11) / (V.lam - V.second))
    planes = settle(_grown(search), V, search.B, beta=search.beta, t=search.t)
    while search.t < search.until:
        search.advance(min(search.until, search.t + max(0.5, 0.5 / V.lam)))
        planes = settle(_grown(search), V, search.B, beta=search.beta, t=search.t)
        if planes.is_decided.all() and bound(planes, V) < 1e-9 * max(1.0, np.abs(planes.c).max()):
            break
    return _on_planes(search, planes, bound(planes, V))


def _on_planes(search, planes, error) -> Limit:
    V = search.V
    z = search.z + np.outer(planes.target - planes.c, V.right[:, 0])
    distinct = np.unique(np.round(planes.target[planes.is_decided], 12))
    undecided = np.flatnonzero(~planes.is_decided)
    holds = not len(undecided) and bool(error < 1e-3 * max(1e-300, np.abs(planes.target).max()))
    words = (
        f"at t = {search.t:g} the sign of φ₁* is settled for every token; the planes can move by at most {error:.1e}"
    )
    if len(undecided):
        words = f"by t = {search.t:g} the sign of φ₁* is not settled for {len(undecided)} token(s): near the unstable plane 0"
    outcome = (
        f"theorem 3 of arXiv 2305.05465: {len(distinct)} hyperplane(s) φ₁* = {', '.join(f'{c:.6g}' for c in distinct)}"
    )
    certificate = Certificate(holds, search.t, float(planes.slope), float(error), words)
    extra = {"coordinates": planes.target[:, None], "planes": distinct, "undecided": undecided}
    return Limit("hyperplane", z, planes.leader, certificate, outcome, **extra)


def _paranormal(search: _Search) -> Limit:
    """A multiple dominant eigenvalue: the hardmax certificate on the F-coordinates."""
    V = search.V
    search.until = min(200.0, 15 / (V.lam - V.second)) if search.until is None else search.until
    rows, other = search.rows(), np.inf
    while search.t < search.until:
        search.advance(min(search.until, search.t + 0.5 / V.lam))
        rows, other = search.rows(), _other_logits(search)
        if rows.is_settled.all() and rows.smallest >= 2 * hardmax.ENOUGH and other < rows.smallest / 2:
            return _on_polytope(
                search, rows.leader, rows.smallest, other, hardmax.drift_bound(rows.smallest / 2, search.z)
            )
    return _by_groups(search, rows, other)


def _by_groups(search, rows, other) -> Limit:
    """When what lies outside F blurs the order of tokens at one vertex: vertices are still told apart in F alone."""
    V = search.V
    inside = _grown(search) @ V.left.T @ V.right.T
    found = hardmax.rows(inside, search.B, log_scale=search.log_scale(), mass=search.mass)
    gap, error = hardmax.gap_between_groups(inside, search.B, found.leader, log_scale=search.log_scale()), np.inf
    if found.is_settled.all():
        pull = np.linalg.norm(inside[np.unique(found.leader)] @ search.B, axis=1).min()
        room = np.log(other + 1 + np.log(len(inside))) - search.log_scale() - np.log(max(pull, 1e-300))
        error = V.lam / (V.lam - V.second) * float(np.exp(room))
    if gap < max(4 * other, hardmax.ENOUGH) or error > 1e-3 * hardmax.diameter(inside):
        return _not_closed(search, rows)
    return _on_polytope(search, found.leader, gap, other, error)


def _other_logits(search) -> float:
    """The largest contribution to the logits of what lies outside the dominant space F."""
    grown, V = _grown(search), search.V
    inside = grown @ V.left.T @ V.right.T
    scores = grown @ search.B @ grown.T - inside @ search.B @ inside.T
    return float(np.abs(scores).max() * np.exp(search.log_scale()))


def _on_polytope(search, leader, gap, other, error) -> Limit:
    V = search.V
    c = search.z @ V.left.T
    target = c[leader]
    words = (
        f"at t = {search.t:g} every row prefers its vertex by at least {gap:.3g} logits, against at most "
        f"{other:.2g} from outside the dominant space; vertices can move by at most {error:.1e} more"
    )
    z = search.z + (target - c) @ V.right.T
    count, k = len(np.unique(leader)), V.right.shape[1]
    outcome = f"theorem 4 of arXiv 2305.05465: {count} leaders in the {k}-dimensional dominant space"
    B = search.beta * search.B
    if np.linalg.eigvalsh((B + B.T) / 2).min() <= 0:
        outcome = "outside the hypotheses of theorem 4 (B is not positive definite); " + outcome
    certificate = Certificate(True, search.t, gap, error, words)
    P = _limit_matrix(leader, search.mass)
    return Limit("paranormal", z, leader, certificate, outcome, P, coordinates=target)


def _to_zero(search: _Search) -> Limit:
    """V = −cI, B = I: tokens x tend to 0 like t^{−1/2}."""
    B = search.beta * search.B
    n, d = search.z.shape
    if np.abs(B - B[0, 0] * np.eye(d)).max() > 1e-12 * np.abs(B).max() or B[0, 0] <= 0:
        return _refused(search, "V is negative and B is not a positive multiple of the identity: no theorem applies")
    words = "theorem 8.5 of arXiv 2305.05465: every token x tends to 0 and P to the masses; rescaled tokens diverge"
    certificate = Certificate(True, 0.0, 0.0, 0.0, "proved for every start; no run is needed")
    return Limit("minus identity", None, None, certificate, words, np.tile(search.mass, (n, 1)), x=np.zeros((n, d)))


def _no_theorem(search: _Search) -> Limit:
    return _refused(search, search.V.words)


def _refused(search, words) -> Limit:
    return Limit(search.V.case, None, None, Certificate(False, 0.0, 0.0, float("inf"), words), words)


_CASES = {
    "identity": _polytope,
    "hyperplane": _hyperplanes,
    "paranormal": _paranormal,
    "minus identity": _to_zero,
}


def _limit_matrix(leader, mass):
    if (leader < 0).any():
        return None
    P = np.zeros((len(leader), len(leader)))
    P[np.arange(len(leader)), leader] = 1
    return P


def _without_duplicates(mu):
    """Tokens that coincide stay together: one heavier token instead, and the row each token went to."""
    x, owner = np.unique(np.asarray(mu.x), axis=0, return_inverse=True)
    owner = owner.reshape(-1)
    if len(x) == mu.n:
        return mu, np.arange(mu.n), ()
    mass = np.bincount(owner, np.asarray(mu.mass), len(x))
    note = f"{mu.n - len(x)} coincident token(s) were united with their twins: they stay together for ever"
    return Particles(jnp.asarray(x, mu.x.dtype), jnp.asarray(mass, mu.x.dtype)), owner, (note,)


def _spread(found: Limit, owner, mu, notes) -> Limit:
    """The limit of the united tokens, told for every token of the prompt."""
    from dataclasses import replace

    first = np.array([np.flatnonzero(owner == k)[0] for k in range(owner.max() + 1)])
    pick = lambda a: None if a is None else a[owner]  # noqa: E731
    leaders = found.leaders
    if leaders is not None:
        leaders = np.where(leaders[owner] >= 0, first[leaders[owner]], -1)
    undecided = np.flatnonzero(np.isin(owner, found.undecided))
    P = None if found.P is None else _split_columns(found.P[owner], owner, np.asarray(mu.mass))
    return replace(
        found, z=pick(found.z), leaders=leaders, coordinates=pick(found.coordinates), x=pick(found.x),
        P=P, undecided=undecided, notes=notes,
    )  # fmt: skip


def _split_columns(P, owner, mass):
    total = np.bincount(owner, mass)
    share = np.divide(mass, total[owner], out=np.zeros_like(mass), where=total[owner] > 0)
    return P[:, owner] * share


def _faces(points, names):
    from scipy.spatial import ConvexHull, QhullError

    if points.shape[1] < 2 or len(points) <= points.shape[1]:
        return np.array([names])
    try:
        return names[ConvexHull(points).simplices]
    except QhullError:
        return np.array([names])
