"""Local Lipschitz constant of the attention map, and the bounds on it in the literature.

Source: Castin, Ablin, Peyré 2024 (arXiv 2312.14820). The map is $f(X)_i = V\\sum_j P_{ij}x_j$ on $(\\mathbb R^d)^n$.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from scipy.sparse.linalg import ArpackError, LinearOperator, svds
from scipy.spatial.distance import pdist

from ...engine.attention import Softmax
from ...engine.attention.masks import Causal, Masked
from ...engine.flow import AnyFlow, attention_matrix, check_fits, choose
from ...engine.linalg.arguments import as_annotated, inside
from ...engine.linalg.matrices import dense
from ...engine.measures import Particles
from ...errors import BadInput

DENSE = 1024
"""Up to this many coordinates nd the Jacobian is written out."""


@as_annotated
def local_lipschitz(flow: AnyFlow, mu: Particles, *, tol: float = 1e-10, seed: int = 0) -> float:
    """The Euclidean norm of the Jacobian of the attention map at the tokens of mu, by Lanczos on exact derivatives."""
    check_fits(flow, mu)
    inside(tol, "tol", least=0, below=1)
    summation, shape = choose("exact", flow, mu), mu.x.shape

    @eqx.filter_jit
    def forward(x, v):
        return jax.jvp(lambda x: flow.field(mu.moved_to(x), 0.0, summation), (x,), (v,))[1]

    @eqx.filter_jit
    def backward(x, w):
        return jax.vjp(lambda x: flow.field(mu.moved_to(x), 0.0, summation), x)[1](w)[0]

    def shaped(act):
        return lambda v: np.asarray(act(mu.x, jnp.asarray(v, mu.x.dtype).reshape(shape)), float).ravel()

    size = mu.x.size
    operator = LinearOperator((size, size), matvec=shaped(forward), rmatvec=shaped(backward), dtype=np.dtype(float))  # type: ignore[call-arg]
    if size <= 2:
        return float(np.linalg.norm(np.stack([operator.matvec(e) for e in np.eye(size)]), ord=2))
    start = np.random.default_rng(seed).standard_normal(size)
    if not np.all(np.isfinite(operator.matvec(start))):
        raise BadInput("the derivative of attention leaves the range of numbers: beta, V or tokens are too large")
    if not np.any(operator.matvec(start)) and not np.any(operator.rmatvec(start)):
        return 0.0  # tokens do not move at all, and Lanczos has nothing to start from
    try:
        found: Any = svds(operator, k=1, tol=cast(Any, tol), v0=start, return_singular_vectors=False, maxiter=10_000)
    except ArpackError as error:
        raise BadInput(f"no largest singular value of the derivative was found: {error}") from None
    return float(found[0])


def softmax_lipschitz(flow, mu: Particles) -> float:
    """The local Lipschitz constant of softmax attention: a dense singular value while the Jacobian is small, else Lanczos."""
    return float(np.linalg.norm(jacobian(flow, mu), 2)) if mu.x.size <= DENSE else local_lipschitz(flow, mu)


def jacobian(flow, mu: Particles) -> np.ndarray:
    r"""The Jacobian written out: $J_{ij} = P_{ij}V(I + (x_j - m_i)(B^\top x_i)^\top) + \delta_{ij}VC_iB^\top$."""
    rule = flow.attention.rule if isinstance(flow.attention, Causal | Masked) else flow.attention
    if not isinstance(rule, Softmax) or rule.is_affine():
        raise BadInput(f"the written-out Jacobian is for softmax attention, got {type(rule).__name__}")
    x, P = np.asarray(mu.x), np.asarray(attention_matrix(flow, mu))
    n, d = x.shape
    B, V = np.asarray(rule.score.matrix(d)), np.asarray(dense(flow.V, d))
    away = x[None, :, :] - (P @ x)[:, None, :]
    spread = np.einsum("ij,ijk,ijl->ikl", P, away, away)
    blocks = P[:, :, None, None] * (np.eye(d) + np.einsum("ijk,il->ijkl", away, x @ B))
    blocks[np.arange(n), np.arange(n)] += spread @ B.T
    return np.einsum("ab,ijbc->iajc", V, blocks).reshape(n * d, n * d)


def general_bound(B, V, *, radius: float, n: int) -> float:
    r"""$\sqrt3\,|V|\,(|B|^2R^4(4n+1) + n)^{1/2}$ on the ball of radius R, with or without a causal mask."""
    b, v = np.linalg.norm(B, ord=2), np.linalg.norm(V, ord=2)
    return float(np.sqrt(3) * v * np.sqrt(b**2 * radius**4 * (4 * n + 1) + n))


def mean_field_bound(B, V, *, radius: float) -> float:
    r"""$|V|(1 + 3|B|R^2)e^{2|B|R^2}$, for every number of tokens, in any Wasserstein distance."""
    b, v = np.linalg.norm(B, ord=2) * radius**2, np.linalg.norm(V, ord=2)
    return float(v * (1 + 3 * b) * np.exp(2 * b))


def per_input_bound(B, V, x, *, as_printed: bool = False) -> float:
    r"""$|V|(R_h^2r^2(n+1) + n)^{1/2}$ with r the diameter and $R_h = \max_i\max(|Bx_i|, |B^\top x_i|)$.

    `as_printed` drops $|Bx_i|$, as in the authors' code: false for B that is not symmetric.
    """
    x, B = np.asarray(x, float), np.asarray(B, float)
    reach = np.linalg.norm(x @ B, axis=1).max()
    if not as_printed:
        reach = max(reach, np.linalg.norm(x @ B.T, axis=1).max())
    r = pdist(x).max(initial=0.0)
    return float(np.linalg.norm(V, ord=2) * np.sqrt(reach**2 * r**2 * (len(x) + 1) + len(x)))


class Pair(NamedTuple):
    """One token at `one` u against equal tokens at `others` u, on a unit eigenvector u of Bᵀ."""

    u: np.ndarray
    eigenvalue: float
    one: float
    others: float


def adversarial_pair(B, *, radius: float) -> Pair:
    """Where the lone token and the others stand: on the eigenvector of Bᵀ that makes attention steepest."""
    values, vectors = np.linalg.eig(np.asarray(B, float).T)
    real = np.abs(np.imag(values)) < 1e-12 * np.abs(values).max()
    if not real.any():
        raise BadInput("Bᵀ has no real eigenvalue: the construction needs one")
    values, vectors = np.real(values[real]), np.real(vectors[:, real])
    is_attracting = values.max() > -8 * values.min()
    k = values.argmax() if is_attracting else values.argmin()
    one, others = (radius, radius / 2) if is_attracting else (-radius, radius)
    return Pair(vectors[:, k] / np.linalg.norm(vectors[:, k]), float(values[k]), one, others)


def adversarial_tokens(B, *, radius: float, n: int) -> Particles:
    r"""Tokens at which the local constant grows like $\sqrt n$: one token against n − 1 equal ones, on an eigenvector of Bᵀ."""
    pair = adversarial_pair(B, radius=radius)
    return Particles(np.concatenate([[pair.one * pair.u], np.repeat([pair.others * pair.u], n - 1, axis=0)]))


def adversarial_constant(B, *, radius: float, n: int) -> float:
    r"""The local constant at `adversarial_tokens`, for symmetric B and V = I, in closed form.

    All n − 1 equal tokens hear alike, so the Jacobian acts on the lone token and on their common shift as a 2 × 2 matrix
    along u, and as the attention matrix across; shifts of the equal tokens against each other are multiplied by λ times
    the variance they hear. They give the lone token the weight $1/(1 + (n-1)e^{-2R^2\gamma})$ when it stands at −Ru.
    """
    pair = adversarial_pair(B, radius=radius)
    y, count, s = np.array([pair.one, pair.others]), np.array([1.0, n - 1.0]), pair.eigenvalue
    log_weights = s * np.outer(y, y)
    weights = np.exp(log_weights - log_weights.max(axis=1, keepdims=True))
    weights /= (weights * count).sum(axis=1, keepdims=True)
    mean = (weights * count) @ y
    away = y[None, :] - mean[:, None]
    variance = (weights * count * away**2).sum(axis=1)
    shared = np.sqrt(np.outer(count, count))
    along = weights * (1 + s * y[:, None] * away) * shared + np.diag(s * variance)
    return float(max(np.linalg.norm(along, 2), np.linalg.norm(weights * shared, 2), abs(s) * variance[1] * (n > 2)))
