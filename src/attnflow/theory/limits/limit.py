"""Certified limits of rescaled tokens $z = e^{-tV}x$ in R^d."""

from __future__ import annotations

from dataclasses import replace

import jax.numpy as jnp
import numpy as np

from ...engine.attention import Softmax
from ...engine.flow import Flow, check_fits
from ...engine.flow.rescaled import Rescaled
from ...engine.linalg.arguments import as_annotated
from ...engine.linalg.matrices import is_scheduled
from ...engine.measures import Particles
from ...engine.spaces import Euclidean
from ...errors import BadInput, quoted
from .cases import find
from .result import Limit
from .value_matrix import classify


@as_annotated
def limit(flow: Flow | Rescaled, mu: Particles, *, tol: float | None = None, until: float | None = None) -> Limit:
    """Where the rescaled tokens $z = e^{-tV}x$ end, with a certificate; of a flow, or of the same in z.

    Integration stops as soon as the certificate holds. `tol` is the tolerance of the integration (default 1e-11 in
    double precision), `until` the longest time to try.
    Source: Geshkovski et al. 2023 (arXiv 2305.05465), theorems 2.1, 3.1, 4.2, 5.2, 8.5; the certificate is derived.

    >>> import attnflow as af
    >>> mu = af.Particles([[2.0, 0.0], [-1.0, 2.0], [-1.0, -2.0], [0.3, 0.1]])
    >>> end = af.limit(af.Flow(af.Euclidean(), af.Softmax()), mu)
    >>> end.leaders.tolist(), end.certificate.holds, end.certificate.error < 1e-8
    ([0, 1, 2, 0], True, True)
    """
    flow = flow.flow if isinstance(flow, Rescaled) else flow
    _check(flow, mu)
    if until is not None and not until > 0:
        raise BadInput(f"until must be a positive time, got {quoted(until)}")
    V = classify(np.asarray(flow.V), mu.d)
    if V.case == "zero":
        raise BadInput("V = 0: no token moves, so every token is its own limit; give a V that is not zero")
    merged, owner, notes = _without_duplicates(mu)
    found = find(flow, merged, V, tol=_tolerance(mu, tol), until=until)
    return _spread(found, owner, mu, (*V.notes, *notes, *found.notes))


def _check(flow, mu):
    if not isinstance(flow, Flow) or not isinstance(flow.space, Euclidean):
        raise BadInput("limit is about flows in Euclidean() space; on the sphere ask predict(flow, mu)")
    if not isinstance(flow.attention, Softmax):
        name = type(flow.attention).__name__
        raise BadInput(
            f"limit knows Softmax attention, got {name}: no theorem tells its limits; follow a run of rescale(flow)"
        )
    if flow.attention.is_affine():
        raise BadInput("limit needs scores ⟨x, By⟩ without offsets of queries or keys")
    if flow.feed_forward is not None or flow.noise is not None or is_scheduled(flow):
        raise BadInput("limit needs constant weights, no feed-forward term and no noise")
    if not isinstance(mu, Particles) or mu.x.ndim != 2:
        raise BadInput("limit takes one prompt of tokens: Particles of shape (n, d)")
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
