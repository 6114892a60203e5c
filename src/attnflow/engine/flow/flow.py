"""Flow of self-attention: a space, an attention rule and a value matrix give every token a velocity."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ...errors import BadInput, quoted
from ..attention import Attention
from ..linalg.matrices import Schedule, Scheduled, as_matrix, as_number, at, is_concrete, is_scheduled, times
from ..linalg.shown import Shown, shown
from ..measures import Measure, Particles
from ..spaces import Space, Sphere
from ..summation import Summation
from ..summation.tiled import Tiled
from .feed_forward import FeedForward
from .formula import motion
from .normalisation import Normalisation, PostLN


@runtime_checkable
class VectorField(Protocol):
    """What an integrator needs: the velocity of a state, and where states live."""

    @property
    def state_space(self) -> Space: ...

    def field(self, mu: Particles, t, summation: Any, /) -> Float[Array, "n d"]: ...

    def enter(self, x: Float[Array, "*k n d"], /) -> Float[Array, "*k n d"]: ...

    def leave(self, x: Float[Array, "*k n d"], /) -> Float[Array, "*k n d"]: ...


@runtime_checkable
class AnyFlow(VectorField, Protocol):
    """What moves tokens by attention: a `Flow`, or the same flow in other variables."""

    @property
    def space(self) -> Space: ...

    @property
    def attention(self) -> Attention: ...

    @property
    def V(self) -> Scheduled: ...

    def weights(self, mu: Particles, t, /) -> Float[Array, "*h n n"]: ...


class Flow(Shown, eqx.Module):
    r"""Flow of tokens under attention, with Π the projection on the tangent space.

    $$\dot x_i = \Pi_{x_i}\Big(V \sum_j w(x_i, x_j)\, x_j + w\,\sigma(a x_i + b)\Big)$$

    On the sphere `normalisation` says where layer normalisation sits (default `PostLN`, the projection above).
    `noise` is σ in $dX = v\,dt + \sigma\,dW$ (Brownian motion of the space; $\sigma = \sqrt{2/\kappa}$).

    >>> import attnflow as af
    >>> af.Flow(af.Sphere(), af.Softmax(beta=2.0), V=-1.0)
    Flow(space = Sphere, attention = Softmax, beta = 2, V = -1, normalisation = PostLN)
    """

    space: Space
    attention: Attention
    V: Scheduled
    normalisation: Normalisation | None
    feed_forward: FeedForward | None
    noise: Scheduled | None

    def __init__(self, space, attention, V: object = 1.0, *, normalisation=None, feed_forward=None, noise=None):
        if not isinstance(space, Space):
            raise BadInput(f"space must be a Space such as Euclidean() or Sphere(), got {quoted(space)}")
        if not isinstance(attention, Attention):
            raise BadInput(f"attention must be a rule such as Softmax(), got {quoted(attention)}")
        if normalisation is not None and not isinstance(space, Sphere):
            raise BadInput("normalisation schemes act on directions: use Sphere() as the space")
        if normalisation is not None and not isinstance(normalisation, Normalisation):
            raise BadInput(f"normalisation must be a scheme such as PreLN(), got {quoted(normalisation)}")
        if feed_forward is not None and not isinstance(feed_forward, FeedForward):
            raise BadInput(f"feed_forward must be a FeedForward(w, a, b), got {quoted(feed_forward)}")
        self.space, self.attention, self.V = space, attention, as_matrix(V, "V")
        self.normalisation = PostLN() if normalisation is None and isinstance(space, Sphere) else normalisation
        self.feed_forward = feed_forward
        self.noise = None if noise is None else as_number(noise, "noise")
        if is_concrete(self.noise) and isinstance(self.noise, Array) and self.noise < 0:
            raise BadInput(f"noise must not be negative, got {quoted(noise)}")

    def facts(self):
        kept = {
            "space": type(self.space).__name__,
            "attention": "; ".join(self.attention.conventions()),
            "V": shown(self.V),
        }
        extras = {
            "normalisation": self.normalisation and type(self.normalisation).__name__,
            "feed-forward": self.feed_forward and self.feed_forward.activation,
            "noise": None if self.noise is None else shown(self.noise),
        }
        return kept | {name: value for name, value in extras.items() if value}

    def equation(self) -> str:
        """The equation of motion in LaTeX; empty where no formula is known for the rule."""
        extras = {"normalisation": self.normalisation, "noise": self.noise, "feed_forward": self.feed_forward}
        return motion(self.space, self.attention, **extras)

    @property
    def state_space(self) -> Space:
        """Where the state lives: R^d for schemes that carry a radius."""
        return self.space if self.normalisation is None else self.normalisation.space

    def enter(self, x: Float[Array, "*k n d"]) -> Float[Array, "*k n d"]:
        """Tokens in the coordinates the run is done in: here, themselves."""
        return x

    def leave(self, x: Float[Array, "*k n d"]) -> Float[Array, "*k n d"]:
        """The tokens that these coordinates stand for: here, themselves."""
        return x

    def field(self, mu: Particles, t, summation: Summation) -> Float[Array, "n d"]:
        """The velocity of every token at time t."""
        flow, theta, a = self._output(mu, t, summation)
        if flow.normalisation is None:
            return flow.space.tangent(theta, a)
        return flow.normalisation.velocity(mu.x, theta, a, t)

    def push(self, mu: Particles, t, summation: Summation) -> Float[Array, "n d"]:
        """What a layer adds to every token before it is normalised: the velocity without its projection."""
        flow, theta, a = self._output(mu, t, summation)
        return a if flow.normalisation is None else flow.normalisation.push(mu.x, theta, a, t)

    def weights(self, mu: Particles, t) -> Float[Array, "*h n n"]:
        """The attention matrix at time t."""
        return at(self.attention, t).matrix(mu.moved_to(self.space.retract(mu.x)))

    def _output(self, mu, t, summation):
        """The single place where all parts meet: what attention and feed-forward say at time t."""
        flow, theta = at(self, t), self.space.retract(mu.x)
        a = times(flow.V, flow.attention.barycentre(theta, mu.moved_to(theta), summation=summation))
        if flow.feed_forward is not None:
            a = a + flow.feed_forward(theta)
        return flow, theta, a


def check_flow(flow) -> None:
    """Raise a clear error for what is no flow of attention."""
    if not isinstance(getattr(flow, "attention", None), Attention):
        raise BadInput(f"a flow such as Flow(Sphere(), Softmax()) is needed, got {type(flow).__name__}")


def check_fits(flow, mu: Measure) -> None:
    """Raise a clear error, before compilation, when a flow cannot act on a measure."""
    check_flow(flow)
    if isinstance(mu, Particles):
        _check_tokens(flow, mu)
    V = flow.V
    if not isinstance(V, Schedule) and V.ndim == 2 and V.shape[0] != mu.d:
        raise BadInput(f"V has shape {V.shape}, but tokens have dimension {mu.d}")


def _check_tokens(flow, mu: Particles) -> None:
    if mu.x.ndim != 2:
        raise BadInput(
            f"one prompt has tokens of shape (n, d), got {mu.x.shape}; use evolve_batch or jax.vmap for batches"
        )
    flow.attention.check(mu.d, mu.n)
    flow.attention.check_mass(mu.mass)
    if hasattr(flow, "check_shapes"):
        flow.check_shapes(mu.d)
    if getattr(flow, "feed_forward", None) is not None:
        flow.feed_forward.check(mu.d)
    if is_scheduled(flow) or getattr(flow, "feed_forward", None) is not None:
        _check_shapes(flow, mu)
    check_directions(flow, mu)


def check_directions(flow, mu: Particles) -> None:
    """Raise a clear error for tokens on the sphere that point nowhere."""
    if isinstance(flow.space, Sphere) and is_concrete(mu.x):
        x = np.asarray(mu.x)
        # Seen at a glance, for most tokens, from their first coordinates.
        if not x[..., 0].all() and not (size := np.abs(x).max(axis=-1)).all():
            raise BadInput(f"token {int(np.argmin(size))} is the zero vector, which has no direction on the sphere")


def _check_shapes(flow, mu: Particles) -> None:
    """What functions of time and feed-forward layers give is known only when they are asked."""
    try:
        moved = jax.eval_shape(lambda m: flow.field(m, jnp.zeros((), mu.x.dtype), Tiled()), mu).shape
    except (TypeError, ValueError) as error:
        raise BadInput(f"weights do not fit tokens of dimension {mu.d}: {error}".split("\n")[0]) from None
    if moved != mu.x.shape:
        raise BadInput(f"weights turn tokens of shape {mu.x.shape} into {moved}; check their shapes")
