r"""Explicit gradient scheme (layers) $x \leftarrow N(x \pm \eta g)$ with the energy recorded at every layer."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ....engine.flow import AnyFlow, check_fits
from ....engine.linalg.arguments import as_annotated, one_of
from ....engine.linalg.rows import unit_rows
from ....engine.measures import Particles
from ....engine.summation.tiled import SINGLE_BLOCK, TILE_PAIRS, over_tiles
from ....errors import BadInput, Notice, quoted
from .gradient_structure import Structure, is_symmetric, structure

UPDATES = ("residual", "projected")
HALVINGS = 40
NOT_A_GRADIENT = "B is not symmetric: not a gradient flow of E, which may rise and fall"


def safe_step(found: Structure) -> float:
    r"""The largest η for which no token is thrown through the origin.

    $$\eta\,\|B\|\,e^{\|B\|} < 1\ \text{(USA)},\qquad \eta\,\|B\| < 1\ \text{(SA)}$$
    """
    size = float(np.linalg.norm(found.B, 2))
    return 1 / (size * found.speed * (np.exp(size) if found.normalisation == "USA" else 1.0))


def advised_step(found: Structure) -> float:
    """A step that kept E monotone in all trials: a quarter of the safe one for softmax descent, else nearly all of it."""
    return (0.25 if found.normalisation == "SA" and found.sign < 0 else 0.99) * safe_step(found)


@dataclass(frozen=True)
class GradientLayers:
    """A prompt after layers, with the energy and the step of every one."""

    last: Particles
    energy: np.ndarray
    """E before the first layer and after each, without a factor 1/2."""
    etas: np.ndarray
    sign: int
    notes: tuple[str, ...] = field(default_factory=tuple)

    @property
    def wrong_way(self) -> float:
        """The largest relative move of E against its direction in one layer."""
        return float(max(0.0, np.max(-self.sign * np.diff(self.energy) / self.energy[:-1])))

    @property
    def is_monotone(self) -> bool:
        return self.wrong_way <= _rounding(self.last.x.dtype)


@as_annotated
def gradient_layers(
    flow: AnyFlow, mu: Particles, *, count: int, eta: float | None = None, update: str = "residual", halve: bool = False,
    noise: float = 0.0, decay: float = 0.9, seed: int = 0,
) -> GradientLayers:  # fmt: skip
    r"""Pass a prompt through layers of V = cB and watch the energy; `halve` halves the step whenever E moves the wrong way.

    $$x_i \leftarrow N(x_i \pm \eta\,g_i + \sigma_k\xi_i),\quad g_i = \sum_j w_{ij}Bx_j,\quad \sigma_{k+1} = 0.9\,\sigma_k$$

    Without `eta` the advised step is taken. The unprojected update is a projected one of the step
    $\eta/(1+\eta\langle x,g\rangle)$: ascent on a positive kernel shortens it, descent lengthens it.
    Source: the authors' code for Burger et al. 2025 (arXiv 2501.03096); there constant normalisation only, no watch.
    """
    check_fits(flow, mu)
    found = structure(flow, mu.d)
    if found is None:
        raise BadInput("V is not a multiple of B: not a gradient flow of E; use layers(flow, mu, count, eta)")
    _check(mu, count, update, halve, noise, found)
    eta = advised_step(found) if eta is None else float(eta)
    if not (np.isfinite(eta) and eta > 0):
        raise BadInput(f"eta must be a positive step, got {quoted(eta)}")
    start = mu.moved_to(flow.space.retract(mu.x))
    plan = Plan(found.normalisation == "SA", update == "projected", bool(halve), float(noise) > 0)
    keys = jax.random.split(jax.random.key(seed), count)
    sizes = jnp.asarray(noise * decay ** np.arange(count), mu.x.dtype)
    B, speed, step = (jnp.asarray(v, mu.x.dtype) for v in (found.B, found.sign * found.speed, eta))
    x, energies, etas = _scan(start, B, speed, step, sizes, keys, plan)
    energy = np.asarray(energies, float) * np.exp(np.linalg.norm(found.B, 2))
    run = GradientLayers(mu.moved_to(x), energy, np.asarray(etas, float), found.sign)
    notes = _notes(found, run, eta, halve, noise)
    for note in notes:
        warnings.warn(note, Notice, stacklevel=3)
    return GradientLayers(run.last, run.energy, run.etas, run.sign, notes)


def _check(mu, count, update, halve, noise, found):
    if mu.x.ndim != 2:
        raise BadInput(f"gradient_layers takes one prompt of shape (n, d), got {mu.x.shape}")
    if not isinstance(count, int | np.integer) or count < 1:
        raise BadInput(f"count must be a positive number of layers, got {quoted(count)}")
    one_of(update, "update", UPDATES)
    if not noise >= 0:
        raise BadInput(f"noise must not be negative, got {quoted(noise)}")
    if halve and (noise > 0 or not is_symmetric(found.B)):
        raise BadInput("halving needs an energy that should move one way: symmetric B and no noise")


class Plan(eqx.Module):
    is_softmax: bool = eqx.field(static=True)
    is_projected: bool = eqx.field(static=True)
    is_halving: bool = eqx.field(static=True)
    is_noisy: bool = eqx.field(static=True)


def _sums(x, mass, B, plan):
    """What attention says before V, and E, both times e^{−‖B‖} so that nothing overflows."""
    bound = jnp.linalg.norm(B, 2)
    columns = mass[:, None] * jnp.concatenate([x, jnp.ones_like(x[:, :1])], axis=1)
    n = len(x)
    tile = n if n * n <= SINGLE_BLOCK else min(512, max(16, TILE_PAIRS // n))
    sums = over_tiles(lambda q: jnp.exp(q @ x.T - bound) @ columns, x @ B, tile)
    K = sums[:, -1]
    g = sums[:, :-1] @ B.T
    return (g / K[:, None] if plan.is_softmax else g * jnp.exp(bound)), mass @ K


@eqx.filter_jit
def _scan(mu, B, speed, eta, sizes, keys, plan):
    def moved(x, g, eta, size, key):
        if plan.is_projected:
            g = g - jnp.sum(g * x, 1, keepdims=True) * x
        y = x + eta * speed * g
        y = y + size * jax.random.normal(key, x.shape, x.dtype) if plan.is_noisy else y
        y = unit_rows(y)
        return y, *_sums(y, mu.mass, B, plan)

    def is_wrong(before, after):
        return jnp.sign(speed) * (after - before) < -_rounding(before.dtype) * before

    def layer(state, step):
        x, g, E, eta = state
        trial = (*moved(x, g, eta, *step), eta, 0)
        if plan.is_halving:
            trial = jax.lax.while_loop(
                lambda s: is_wrong(E, s[2]) & (s[4] < HALVINGS),
                lambda s: (*moved(x, g, s[3] / 2, *step), s[3] / 2, s[4] + 1),
                trial,
            )
        y, gy, Ey, eta, _ = trial
        return (y, gy, Ey, eta), (Ey, eta)

    g, E = _sums(mu.x, mu.mass, B, plan)
    (x, *_), (energies, etas) = jax.lax.scan(layer, (mu.x, g, E, eta), (sizes, keys))
    return x, jnp.append(E, energies), etas


def _rounding(dtype) -> float:
    return 64 * float(jnp.finfo(dtype).eps)


def _notes(found, run, eta, halve, noise) -> tuple[str, ...]:
    notes, safe = [], safe_step(found)
    if not is_symmetric(found.B):
        return (NOT_A_GRADIENT,)
    if eta >= safe and not halve:
        notes.append(f"the step η = {eta:.4g} is beyond {safe:.4g}: tokens may be thrown through the origin")
    if not run.is_monotone and noise == 0:
        advised = advised_step(found)
        notes.append(
            f"E moved the wrong way by up to {run.wrong_way:.2g} of itself in a layer; take η ≤ {advised:.4g} or halve=True"
        )
    if run.etas[-1] < eta:
        notes.append(f"the step was halved from {eta:.4g} to {run.etas[-1]:.4g}")
    return tuple(notes)
