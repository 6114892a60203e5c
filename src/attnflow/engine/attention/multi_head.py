"""Attention of a trained layer: many heads of one shape, kept as the factors in which they are trained."""

from __future__ import annotations

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ...errors import BadInput
from ..linalg.arguments import as_annotated
from ..linalg.matrices import as_array, as_number
from ..measures import Particles
from ..summation.kernel import Exponential, Kernel, log_mass
from ..summation.tiled import weights
from .base import Attention
from .heads import Factored, Heads
from .masks import Causal, Windowed
from .relations import Prefix, Window
from .rotary import Rotary, Rotation, places_of
from .softmax import Softmax


class MultiHead(Attention):
    r"""Heads of one shape with the weights of a trained layer.

    $$o + \sum_h W_h \sum_j P^h_{ij}\,(V_h x_j + c_h),\qquad
      P^h_{ij} \propto m_j\,e^{\beta\langle R_i(Q_h x_i + q_h),\,R_j(K_h x_j + k_h)\rangle}$$

    Values are projected before the sum and no d × d product is formed. Fewer keys and values than queries are shared by
    groups of heads. Variants of what a head says of $a_i = \sum_j P^h_{ij}(V_hx_j + c_h)$:

    - `sink` is the score of a token that all hear and that says nothing;
    - `gate` $(G_h, g_h)$ says $\sigma(G_hx_i + g_h)\odot a_i$ (gated attention, arXiv 2505.06708);
    - `exclusive` leaves out of $a_i$ its part along the listener's own value (arXiv 2603.09078).

    >>> import attnflow as af
    >>> import numpy as np
    >>> Q, K, V, W = np.random.default_rng(0).normal(size=(4, 2, 3, 3))
    >>> rule = af.MultiHead(Q, K, V=V, W=W, causal=True)
    >>> af.attention_matrix(af.Flow(af.Sphere(), rule), af.uniform_sphere(5, 3, seed=0)).shape
    (2, 5, 5)
    """

    Q: Float[Array, "h k d"]
    K: Float[Array, "g k d"]
    V: Float[Array, "g v d"]
    W: Float[Array, "h d v"]
    q: Any  # Float[Array, "h k"] | None, as the other offsets: "g k", "g v", "d"
    k: Any
    c: Any
    o: Any
    sink: Any  # Float[Array, "h"] | None
    gate: Any  # Float[Array, "h v d"] | None
    gate_offset: Any  # Float[Array, "h v"] | None
    beta: Any
    turn: Rotation | None
    is_causal: bool = eqx.field(static=True)
    window: int | None = eqx.field(static=True)
    is_exclusive: bool = eqx.field(static=True)

    @as_annotated
    def __init__(
        self, Q, K, *, V, W, q=None, k=None, c=None, o=None, sink=None, gate=None, gate_offset=None, beta=None,
        turn: Rotation | None = None, causal: bool = False, window: int | None = None, exclusive: bool = False,
    ):  # fmt: skip
        self.Q, self.K, self.V, self.W = (as_array(M, name) for M, name in ((Q, "Q"), (K, "K"), (V, "V"), (W, "W")))
        given = {"q": q, "k": k, "c": c, "o": o, "sink": sink, "gate": gate, "gate_offset": gate_offset}
        self.q, self.k, self.c, self.o, self.sink, self.gate, self.gate_offset = (
            None if a is None else as_array(a, name) for name, a in given.items()
        )
        usual = float(max(self.Q.shape[-2], 1)) ** -0.5 if self.Q.ndim > 1 else 1.0
        self.beta = as_number(usual if beta is None else beta, "beta")
        self.turn, self.is_causal, self.window, self.is_exclusive = turn, bool(causal), window, bool(exclusive)
        _check_shapes(self)

    @classmethod
    def differential(cls, Q, K, *, V, W, weight, **more) -> MultiHead:
        r"""Heads that hear the difference of two softmaxes, $P^{h,1} - \lambda_h P^{h,2}$, with λ the `weight`.

        Q and K have a pair of matrices per head, shape (h, 2, k, d); the pair is two heads with the values of one. A norm
        of each head's output is not part of it. Source: Ye et al. 2024 (arXiv 2410.05258).
        """
        Q, K, V, W = (as_array(M, name) for M, name in ((Q, "Q"), (K, "K"), (V, "V"), (W, "W")))
        if Q.ndim != 4 or Q.shape[1] != 2 or K.shape != Q.shape:
            raise BadInput(f"differential heads take Q and K of shape (h, 2, k, d), got {Q.shape} and {K.shape}")
        if len(V) != len(Q) or len(W) != len(Q):
            raise BadInput(f"differential heads take one V and W per pair, got {len(V)} and {len(W)} for {len(Q)}")
        share = jnp.broadcast_to(jnp.asarray(weight, W.dtype), (len(W),))[:, None, None]
        both = jnp.stack([W, -share * W], axis=1).reshape(-1, *W.shape[1:])
        Q, K = (M.reshape(-1, *M.shape[2:]) for M in (Q, K))
        return cls(Q, K, V=jnp.repeat(V, 2, axis=0), W=both, **more)

    @property
    def count(self) -> int:
        """The number of heads."""
        return self.Q.shape[0]

    def parts(self):
        return tuple(self.head(h) for h in range(self.count))

    def head(self, h: int) -> Attention:
        """One head as a rule of its own, without its values."""
        g = self._group(h)
        rule: Attention = Softmax(Q=self.Q[h], K=self.K[g], beta=self.beta, q=_row(self.q, h), k=_row(self.k, g))
        if self.turn is not None:
            rule = Rotary(rule, self.turn)
        if self.window is not None:
            return Windowed(rule, self.window, causal=self.is_causal)
        return Causal(rule) if self.is_causal else rule

    def output(self, h: int) -> Factored:
        """What one head says of what it hears: its output matrix, value matrix and value offset."""
        g = self._group(h)
        return Factored(self.W[h], self.V[g], _row(self.c, g))

    def split(self) -> Heads:
        """The same heads one by one; the common offset o is added to the first."""
        if self.sink is not None:
            raise BadInput("heads with a sink cannot stand alone: their weights do not sum to 1")
        if self.gate is not None or self.is_exclusive:
            raise BadInput("gated and exclusive heads are not linear in their values: they do not stand alone")
        return Heads([(rule, self.output(h)) for h, rule in enumerate(self.parts())], offset=self.o)

    def _group(self, h: int) -> int:
        return h * self.K.shape[0] // self.count

    def kernel(self, x, mu):
        raise BadInput("several heads have no single kernel; ask each head for its own")

    def check(self, d, n):
        if self.Q.shape[-1] != d:
            raise BadInput(f"the heads are for tokens of dimension {self.Q.shape[-1]}, but tokens have dimension {d}")

    def check_mass(self, mass):
        self.head(0).check_mass(mass)

    def is_affine(self):
        return self.q is not None or self.k is not None

    def key_dimension(self, d):
        return self.K.shape[1]

    def barycentre(self, x, mu, *, summation):
        queries, keys, values = self.projected(x, mu)
        kernel = self._kernel_of(mu)

        def one(head):
            q, k, v, sink = head
            return summation.sum(kernel(q, k, sink), v)

        # Heads after one another: side by side (vmap) is twice as slow on CPUs.
        said = self._told(jax.lax.map(one, (queries, keys, values, self.sink)), x)
        joined = jnp.moveaxis(said, 0, 1).reshape(x.shape[0], -1)
        out = joined @ jnp.moveaxis(self.W, 2, 1).reshape(-1, self.W.shape[1]).astype(x.dtype)
        return out if self.o is None else out + self.o.astype(x.dtype)

    def _told(self, heard: Float[Array, "h n v"], x: Float[Array, "n d"]) -> Float[Array, "h n v"]:
        """What each head makes of what it heard for the listeners x."""
        if self.is_exclusive:
            own = jnp.repeat(_project(self.V, x, self.c), self.count // self.V.shape[0], axis=0)
            size = jnp.sum(own**2, axis=-1, keepdims=True)
            # A value of length 0 has no direction to leave out.
            along = jnp.sum(heard * own, axis=-1, keepdims=True) / jnp.where(size > 0, size, 1)
            heard = heard - along * own
        if self.gate is not None:
            heard = heard * jax.nn.sigmoid(_project(self.gate, x, self.gate_offset))
        return heard

    def matrix(self, mu):
        queries, keys, _ = self.projected(mu.x, mu)
        kernel = self._kernel_of(mu)
        found = jax.lax.map(lambda head: weights(kernel(*head)), (queries, keys, self.sink))
        return found if self.sink is None else found[..., :-1]

    def logits(self, mu: Particles) -> Float[Array, "h n n"]:
        """The scores before masks, with rotation and offsets."""
        queries, keys, _ = self.projected(mu.x, mu, has_sink=False)
        return jnp.einsum("hik,hjk->hij", queries, keys)

    def pulls(self, x: Float[Array, "n d"]) -> Float[Array, "h n d"]:
        r"""The slopes $\beta K_h^\top(Q_hx_i + q_h)$ of scores in the speaker, $B^\top x$ without offsets; positions left out."""
        K = jnp.repeat(self.K, self.count // self.K.shape[0], axis=0).astype(x.dtype)
        return self.beta.astype(x.dtype) * jnp.einsum("hnk,hkd->hnd", _project(self.Q, x, self.q), K)

    def projected(self, x, mu, *, has_sink: bool = True):
        """Queries, keys and values of all heads; shared keys and values once for every head that uses them."""
        places = places_of(None, mu.n, x.dtype)
        queries = self.beta.astype(x.dtype) * _project(self.Q, x, self.q)
        keys, values = _project(self.K, mu.x, self.k), _project(self.V, mu.x, self.c)
        if self.turn is not None:
            queries, keys = self.turn(queries, places), self.turn(keys, places)
        if self.sink is not None and has_sink:
            keys, values = (jnp.pad(a, ((0, 0), (0, 1), (0, 0))) for a in (keys, values))
        times = self.count // self.K.shape[0]
        return queries, jnp.repeat(keys, times, axis=0), jnp.repeat(values, times, axis=0)

    def _kernel_of(self, mu):
        """A head's kernel from its queries, keys and sink."""
        n, mass, relations = mu.n, mu.mass, []
        if self.sink is not None:
            mass = jnp.append(mass, 1.0)
        columns = jnp.arange(len(mass))
        if self.is_causal:
            relations.append(
                Prefix.of(n) if self.sink is None else Prefix(jnp.arange(n), jnp.where(columns < n, columns, 0))
            )
        if self.window is not None:
            relations.append(Window(jnp.arange(n), jnp.where(columns < n, columns, -1), self.window))

        def kernel(q, k, sink):
            # The sink weighs e^sink beside tokens of weight e^s each, while masses are shares.
            score = None if sink is None else (sink + jnp.max(log_mass(mu.mass))).astype(q.dtype)
            level = None if score is None else jnp.zeros(n + 1, q.dtype).at[n].set(score)
            return Kernel(q, k, mass, Exponential(), column=level, relations=tuple(relations))

        return kernel

    def conventions(self):
        words = [f"{self.count} heads of dimension {self.Q.shape[1]}"]
        if self.K.shape[0] < self.count:
            words.append(f"{self.K.shape[0]} groups of keys and values")
        words += ["causal"] * self.is_causal + [f"window {self.window}"] * (self.window is not None)
        words += ["rotary positions"] * (self.turn is not None) + ["sink"] * (self.sink is not None)
        return words + ["gated"] * (self.gate is not None) + ["exclusive"] * self.is_exclusive

    def why_not_maskable(self):
        return "heads of a trained layer have their mask inside: MultiHead(…, causal=True, window=…)"

    def why_not_mergeable(self):
        if self.is_causal or self.turn is not None or self.window is not None:
            return "tokens with positions are not exchangeable and cannot merge"
        return None if self.sink is None else "a sink weighs as much as one token: how many there are matters"

    def why_not_closed(self):
        return "no theory of Gaussian prompts here is about the heads of a trained layer"


def _project(M, x, offset):
    """The rows M_h x_i + offset_h, shape (h, n, k), by one product for all heads."""
    h, k, d = M.shape
    rows = (x @ M.reshape(h * k, d).T.astype(x.dtype)).reshape(len(x), h, k)
    return jnp.moveaxis(rows if offset is None else rows + offset.astype(x.dtype), 1, 0)


def _row(array, index: int):
    return None if array is None else array[index]


def _check_shapes(heads: MultiHead) -> None:
    arrays = {"Q": heads.Q, "K": heads.K, "V": heads.V, "W": heads.W}
    for name, M in arrays.items():
        if M.ndim != 3:
            raise BadInput(f"{name} must have one matrix per head, shape (heads, rows, columns), got {M.shape}")
    (h, k, d), (g, k_, d_), (g_, v, d__), (h_, out, v_) = (M.shape for M in arrays.values())
    if not (d == d_ == d__ == out and k == k_ and g == g_ and h == h_ and v == v_ and h % g == 0):
        shapes = ", ".join(f"{name} {M.shape}" for name, M in arrays.items())
        raise BadInput(f"Q (h, k, d), K (g, k, d), V (g, v, d), W (h, d, v) do not fit: {shapes}")
    wanted = {"q": (h, k), "k": (g, k), "c": (g, v), "o": (d,), "sink": (h,), "gate": (h, v, d), "gate_offset": (h, v)}
    for name, shape in wanted.items():
        given = getattr(heads, name)
        if given is not None and given.shape != shape:
            raise BadInput(f"{name} must have shape {shape}, got {given.shape}")
    if heads.gate is None and heads.gate_offset is not None:
        raise BadInput("gate_offset belongs to a gate: give both, or neither")
    if heads.window is not None and heads.window < 1:
        raise BadInput(f"a window holds at least the token itself, got {heads.window}")
