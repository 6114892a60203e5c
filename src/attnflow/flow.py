"""The velocity of a measure: space + attention + V."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .attention import Attention, Heads
from .attention.masks import check_heard
from .densities import Density
from .matrices import Schedule, Scheduled, as_matrix, as_number, at, is_concrete, is_scheduled, times
from .measures import Gaussian, Measure, Particles
from .normalisation import Normalisation, PostLN
from .spaces import Space, Sphere
from .summation import Summation, choose
from .summation.tiled import Tiled, weights

ACTIVATIONS: dict[str, Callable] = {"relu": jax.nn.relu, "tanh": jnp.tanh, "gelu": jax.nn.gelu, "identity": lambda s: s}


@runtime_checkable
class AnyFlow(Protocol):
    """What gives tokens a velocity: a `Flow`, or the same flow in other variables."""

    def field(self, mu: Particles, t, summation: Summation) -> Float[Array, "n d"]: ...

    def weights(self, mu: Particles, t) -> Float[Array, "*h n n"]: ...

    def enter(self, x: Float[Array, "*k n d"]) -> Float[Array, "*k n d"]: ...

    def leave(self, x: Float[Array, "*k n d"]) -> Float[Array, "*k n d"]: ...


class FeedForward(eqx.Module):
    r"""The perceptron of a layer, $w\,\sigma(ax + b)$, added to what attention says."""

    w: Scheduled
    a: Scheduled
    b: Scheduled
    activation: str = eqx.field(static=True)

    def __init__(self, w=1.0, a=1.0, b=0.0, activation="relu"):
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation must be one of {', '.join(ACTIVATIONS)}, got {activation!r}")
        self.w, self.a = as_matrix(w, "w", square=False), as_matrix(a, "a", square=False)
        self.b = Schedule(b) if callable(b) else jnp.asarray(b)
        self.activation = activation

    def check(self, d: int) -> None:
        """Shapes that are known before a run: a is (h, d) and w is (d, h)."""
        a, w = ((None if isinstance(m, Schedule) or m.ndim == 0 else m.shape) for m in (self.a, self.w))
        if a is not None and a[1] != d:
            raise ValueError(f"feed-forward a has shape {a}, but tokens have dimension {d}; it must be (h, {d})")
        if w is not None and (w[0] != d or (a is not None and w[1] != a[0])):
            hidden = "h" if a is None else a[0]
            raise ValueError(f"feed-forward w has shape {w}, but tokens have dimension {d}; it must be ({d}, {hidden})")

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        return times(self.w, ACTIVATIONS[self.activation](times(self.a, x) + self.b.astype(x.dtype)))


class Flow(eqx.Module):
    r"""Attention turns a measure into a velocity.

    $$\dot x_i = \Pi_{x_i}\Big(V \sum_j w(x_i, x_j)\, x_j + w\,\sigma(a x_i + b)\Big)$$

    On the sphere `normalisation` says where layer normalisation sits (default `PostLN`, the projection above).
    `noise` is σ in $dX = v\,dt + \sigma\,dW$ (Brownian motion of the space; $\sigma = \sqrt{2/\kappa}$).
    """

    space: Space
    attention: Attention
    V: Scheduled
    normalisation: Normalisation | None
    feed_forward: FeedForward | None
    noise: Scheduled | None

    def __init__(self, space, attention, V: object = 1.0, *, normalisation=None, feed_forward=None, noise=None):
        if not isinstance(space, Space):
            raise ValueError(f"space must be Euclidean() or Sphere(), got {space!r}")
        if not isinstance(attention, Attention):
            raise ValueError(f"attention must be a rule such as Softmax(), got {attention!r}")
        if normalisation is not None and not isinstance(space, Sphere):
            raise ValueError("normalisation schemes act on directions: use Sphere() as the space")
        if normalisation is not None and not isinstance(normalisation, Normalisation):
            raise ValueError(f"normalisation must be a scheme such as PreLN(), got {normalisation!r}")
        if feed_forward is not None and not isinstance(feed_forward, FeedForward):
            raise ValueError(f"feed_forward must be a FeedForward(w, a, b), got {feed_forward!r}")
        self.space, self.attention, self.V = space, attention, as_matrix(V, "V")
        self.normalisation = PostLN() if normalisation is None and isinstance(space, Sphere) else normalisation
        self.feed_forward = feed_forward
        self.noise = None if noise is None else as_number(noise, "noise")
        if is_concrete(self.noise) and isinstance(self.noise, Array) and self.noise < 0:
            raise ValueError(f"noise must not be negative, got {noise!r}")

    @property
    def state_space(self) -> Space:
        """Where the state lives: R^d for schemes that carry a radius."""
        return self.space if self.normalisation is None else self.normalisation.space

    def enter(self, x: Float[Array, "*k n d"]) -> Float[Array, "*k n d"]:
        """Tokens in the coordinates the run is done in: here, themselves."""
        return x

    def leave(self, x: Float[Array, "*k n d"]) -> Float[Array, "*k n d"]:
        return x

    def field(self, mu: Particles, t, summation: Summation) -> Float[Array, "n d"]:
        """The velocity of every token at time t."""
        flow, theta, a = self._output(mu, t, summation)
        return a if flow.normalisation is None else flow.normalisation.velocity(mu.x, theta, a, t)

    def push(self, mu: Particles, t, summation: Summation) -> Float[Array, "n d"]:
        """What a layer adds to every token before it is normalised: the velocity without its projection."""
        flow, theta, a = self._output(mu, t, summation)
        return a if flow.normalisation is None else flow.normalisation.push(mu.x, theta, a, t)

    def weights(self, mu: Particles, t) -> Float[Array, "*h n n"]:
        """The attention matrix at time t."""
        return _weights_of(at(self.attention, t), Particles_at(mu, self.space.retract(mu.x)))

    def _output(self, mu, t, summation):
        """The single place where all parts meet: what attention and feed-forward say at time t."""
        flow, theta = at(self, t), self.space.retract(mu.x)
        a = times(flow.V, barycentre(flow.attention, theta, Particles_at(mu, theta), summation))
        if flow.feed_forward is not None:
            a = a + flow.feed_forward(theta)
        return flow, theta, a


def Particles_at(mu: Particles, x) -> Particles:
    """The same masses at other places, without checking them again."""
    return eqx.tree_at(lambda m: m.x, mu, x)


def barycentre(rule: Attention, x: Float[Array, "n d"], mu: Particles, summation: Summation) -> Float[Array, "n d"]:
    """What listeners x hear: the weighted sum of the tokens of mu."""
    if isinstance(rule, Heads):
        heard = [times(V, barycentre(head, x, mu, summation)) for head, V in rule.heads]
        return jax.tree.reduce(jnp.add, heard)
    return summation.sum(rule.kernel(x, mu), mu.x)


def check_fits(flow, mu: Measure) -> None:
    """Raise a clear ValueError, before compilation, when a flow cannot act on a measure."""
    if isinstance(mu, Particles):
        _check_tokens(flow, mu)
    V = flow.V
    if not isinstance(V, Schedule) and V.ndim == 2 and V.shape[0] != mu.d:
        raise ValueError(f"V has shape {V.shape}, but tokens have dimension {mu.d}")


def _check_tokens(flow, mu: Particles) -> None:
    if mu.x.ndim != 2:
        raise ValueError(
            f"one prompt has tokens of shape (n, d), got {mu.x.shape}; use evolve_batch or jax.vmap for batches"
        )
    flow.attention.check(mu.d, mu.n)
    check_heard(flow.attention, mu.mass)
    if getattr(flow, "feed_forward", None) is not None:
        flow.feed_forward.check(mu.d)
    if is_scheduled(flow) or getattr(flow, "feed_forward", None) is not None:
        _check_shapes(flow, mu)
    if isinstance(flow.space, Sphere) and is_concrete(mu.x):
        size = np.linalg.norm(np.asarray(mu.x), axis=-1)
        if not size.all():
            raise ValueError(f"token {int(np.argmin(size))} is the zero vector, which has no direction on the sphere")


def _check_shapes(flow, mu: Particles) -> None:
    """What functions of time and feed-forward layers give is known only when they are asked."""
    try:
        moved = jax.eval_shape(lambda m: flow.field(m, jnp.zeros((), mu.x.dtype), Tiled()), mu).shape
    except (TypeError, ValueError) as error:
        raise ValueError(f"weights do not fit tokens of dimension {mu.d}: {error}".split("\n")[0]) from None
    if moved != mu.x.shape:
        raise ValueError(f"weights turn tokens of shape {mu.x.shape} into {moved}; check their shapes")


def velocity(flow: AnyFlow, mu: Particles | Gaussian | Density, *, t=0.0, summation="auto"):
    """The velocity of every token of mu, shape (n, d); for a Gaussian of its moments, for a density of its nodes."""
    match mu:
        case Particles():
            check_fits(flow, mu)
            return _field(flow, mu, t, choose(summation, flow, mu))
        case Gaussian():
            from .evolution.gaussian import moment_velocity

            return moment_velocity(flow, mu, t)  # pyright: ignore[reportArgumentType] (it refuses what is not a Flow)
        case Density():
            from .evolution.density import density_velocity

            return density_velocity(flow, mu, t=t, summation=summation)
    raise ValueError(f"velocity takes Particles, a Gaussian or a Density, got {type(mu).__name__}")


@eqx.filter_jit
def _field(flow, mu, t, summation):
    inside = Particles_at(mu, flow.enter(mu.x))
    return flow.leave(flow.field(inside, jnp.asarray(t, mu.x.dtype), summation))


def attention_matrix(flow: AnyFlow, mu: Particles, *, t=0.0) -> Float[Array, "n n"]:
    """The weights with which token i (row) listens to token j; one matrix per head for several heads."""
    if not isinstance(mu, Particles):
        raise ValueError(f"the attention matrix is of Particles, got {type(mu).__name__}")
    check_fits(flow, mu)
    return _matrix(flow, mu, jnp.asarray(t, mu.x.dtype))


@eqx.filter_jit
def _matrix(flow, mu, t):
    return flow.weights(mu, t)


def _weights_of(rule: Attention, mu: Particles) -> Float[Array, "*h n n"]:
    if isinstance(rule, Heads):
        return jnp.stack([_weights_of(head, mu) for head, _ in rule.heads])
    return weights(rule.kernel(mu.x, mu))
