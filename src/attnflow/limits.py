"""Where tokens go: certified limits of rescaled tokens in R^d."""

from __future__ import annotations

from dataclasses import dataclass, field

import jax.numpy as jnp
import numpy as np

from .attention import Softmax
from .flow import Flow, check_fits
from .matrices import is_scheduled
from .measures import Particles
from .spaces import Euclidean
from .theory.limit_set import hull_vertices
from .theory.value_matrix import classify


@dataclass(frozen=True)
class Certificate:
    """Why a limit is believed: what was seen at `time`, and how far tokens can still stray."""

    holds: bool
    time: float
    gap: float
    """The smallest gap in logits between the best and the second best token of a row."""
    error: float
    """Bound on the distance of the limits to the true ones: what is proved for tokens that are at `time` where the run
    says, plus `integration`."""
    words: str
    integration: float = 0.0
    """By how much the limits of a run with a hundred times the tolerance differ, plus the tolerance."""


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
    if until is not None and not until > 0:
        raise ValueError(f"until must be a positive time, got {until!r}")
    V = classify(np.asarray(flow.V), mu.d)
    if V.case == "zero":
        raise ValueError("V = 0: no token moves, so every token is its own limit; give a V that is not zero")
    merged, owner, notes = _without_duplicates(mu)
    from .limit_cases import find

    found = find(flow, merged, V, tol=_tolerance(mu, tol), until=until)
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
