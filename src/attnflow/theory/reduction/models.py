"""Reduced models of a run: what each assumes, what it computes instead, and what that costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ...engine.attention import Hardmax, Softmax
from ...engine.evolution import evolve
from ...engine.evolution.trajectory import Status
from ...engine.flow import Flow
from ...engine.flow.normalisation import PostLN
from ...engine.linalg.matrices import dense, is_scheduled, multiple_of_identity
from ...engine.linalg.rows import unit_rows
from ...engine.measures import Gaussian, Particles
from ...engine.measures.density import density_from, quadrature_tokens
from ...engine.measures.hulls import hull
from ...engine.observe.components import centres_of, components
from ...engine.spaces import Euclidean, Sphere
from ...errors import BadInput
from ..low_temperature import LowTemperatureLimit
from ..sphere.equiangular import cosine, mixed_cosine

STAGES = 13
"""Velocities of one step of the eighth-order method."""
MOST_STEPS = 5_000
"""Of hardmax, whose tokens may slide along a tie with ever smaller steps."""
GRID = 256
"""Angles of a density on the circle."""


@dataclass(frozen=True)
class Model:
    """One cheaper description of a run."""

    name: str
    words: str
    of: str
    """What it describes: "tokens", each of them; "moments", mean and covariance; "law", the distribution."""
    states: tuple[Any, ...]
    """Its measure at evenly spread times from the start to the end."""
    pairs: float
    """Pairs of tokens evaluated in all (one closed form or one node counts as one)."""
    jumps: np.ndarray | None = None
    """How far it moves any token at once between each time and the next, where it merges them."""
    rates: np.ndarray | None = None
    """The velocity of its tokens at every time, where known: then an error can be bounded without the exact run."""


@dataclass(frozen=True)
class Task:
    """The run that a model is to stand for."""

    flow: Flow
    mu: Particles
    ts: np.ndarray
    error: float
    tol: float

    @property
    def until(self) -> float:
        return float(self.ts[-1])

    def run(self, **options):
        """The run itself."""
        return self.evolve(self.flow, self.mu, **options)

    def evolve(self, flow, mu, **options):
        """A run over the times of the comparison; one that ends early stands for nothing."""
        own: dict[str, Any] = {"tol": self.tol} if isinstance(mu, Particles) else {}
        run = evolve(flow, mu, until=self.until, save=self.ts, **own | options)
        if run.status != Status.DONE:
            raise BadInput(f"{'the run itself' if flow is self.flow else 'the model'} ends early: {run.status}")
        return run


def candidates(task: Task) -> list[Model]:
    """Every model whose assumptions this run meets and whose run reached the end."""
    makers = (merged_clusters, gathered_tokens, low_temperature_flow, gaussian_closure, mean_field_density, equiangular_tokens,
              leaders_only, hardmax_flow)  # fmt: skip
    found = (_made(make, task) for make in makers)
    return [model for made in found for model in made]


def _made(make: Callable[[Task], list[Model]], task: Task) -> list[Model]:
    try:
        return make(task)
    except BadInput:  # a model that does not apply says so in its own words
        return []


def pairs_of(run, heard: int | None = None) -> float:
    """Pairs evaluated in a run: steps, stages, listeners and those that are heard."""
    return float(run.steps) * STAGES * run.states.n * (run.states.n if heard is None else heard)


def merged_clusters(task: Task) -> list[Model]:
    """Tokens closer than a distance become one: a third, a tenth and a hundredth of the error that is allowed."""
    if task.flow.attention.why_not_mergeable() is not None:
        return []
    found = []
    for share in (0.3, 0.1, 0.01):
        run = task.evolve(task.flow, task.mu, merge=share * task.error)
        count = np.array([len(np.unique(row)) for row in np.asarray(run.labels)])
        words = (
            f"tokens nearer than {share * task.error:.1g} become one; {count[-1]} of {task.mu.n} are left at the end"
        )
        cost = float(run.steps) * STAGES * float(np.mean(count.astype(float) ** 2))
        name, jumps = f"merged at {share * task.error:.1g}", _jumps(run, task.ts)
        found.append(Model(name, words, "tokens", states_of(run), cost, jumps))
    return found


def _jumps(run, ts: np.ndarray) -> np.ndarray:
    """The sum of the moves that mergings between two times give to a token, the largest over tokens."""
    moved = np.zeros((len(ts), run.states.n))
    for merge in run.merges:
        moved[np.searchsorted(ts, merge.time), list(merge.tokens)] += merge.displacement
    return moved[1:].max(axis=1)


def gathered_tokens(task: Task) -> list[Model]:
    """Tokens that start within a distance of one another are one heavier token from the start."""
    if task.flow.attention.why_not_mergeable() is not None:
        return []
    x, mass = np.asarray(task.mu.x, float), np.asarray(task.mu.mass, float)
    owner = components(x, 0.3 * task.error)
    count = int(owner.max()) + 1
    if count > 0.9 * task.mu.n:
        return []
    centres, weight = centres_of(x, mass, owner, count)
    centres = unit_rows(centres) if isinstance(task.flow.space, Sphere) else centres
    run = task.evolve(task.flow, Particles(centres, weight))
    words = f"tokens that start nearer than {0.3 * task.error:.1g} are one: {count} tokens stand for {task.mu.n}"
    states = tuple(Particles(y[owner], mass) for y in np.asarray(run.x))
    return [Model("gathered at the start", words, "tokens", states, pairs_of(run))]


def low_temperature_flow(task: Task) -> list[Model]:
    """Every token alone follows the linear flow of V and B, in closed form."""
    if not _is_plain_softmax(task.flow, Sphere):
        return []
    V, B = _matrices(task)
    limit, mass = LowTemperatureLimit(V, np.sign(_beta(task.flow)) * B), task.mu.mass
    places = limit.flow(np.asarray(task.mu.x), task.ts)
    rates = np.stack([limit.drift(x) for x in places])
    words = "tokens ignore each other and follow the linear flow of V and B in closed form (β → ∞)"
    states = tuple(Particles(x, mass) for x in places)
    return [Model("low-temperature flow", words, "tokens", states, float(task.mu.n * len(task.ts)), rates=rates)]


def gaussian_closure(task: Task) -> list[Model]:
    """Mean and covariance alone, by the closed equation of a Gaussian prompt."""
    if not isinstance(task.flow.space, Euclidean):
        return []
    start = moments(task.mu)
    if np.linalg.eigvalsh(np.asarray(start.cov)).min() <= 0:
        return []
    run = task.evolve(task.flow, start)
    words = "the prompt is a Gaussian with the mean and covariance of the tokens, and stays one"
    states = tuple(Gaussian(m, c) for m, c in zip(np.asarray(run.mean), np.asarray(run.cov)))
    return [Model("Gaussian closure", words, "moments", states, float(run.steps) * STAGES * task.mu.d**2)]


def mean_field_density(task: Task) -> list[Model]:
    """A smooth density on the circle, as for infinitely many tokens."""
    if not _is_plain_softmax(task.flow, Sphere) or task.mu.d != 2:
        return []
    rho = density_from(_kernel_density(task.mu), size=GRID)
    run = task.evolve(task.flow, rho)
    words = f"the tokens' smoothed density at {GRID} angles, moved by its equation"
    values = np.asarray(run.states.values)  # pyright: ignore[reportAttributeAccessIssue]
    states = tuple(quadrature_tokens(_density(v)) for v in values)
    return [Model("mean-field density", words, "law", states, float(run.steps) * STAGES * GRID * np.log2(GRID))]


def _density(values):
    # Rounding may leave values of −1e-17 where there is no mass.
    nodes = np.maximum(values, 0)
    return density_from(lambda x: nodes, size=len(nodes))


def _kernel_density(mu: Particles):
    """Tokens on the circle smoothed at Silverman's width, at least three angles of the grid."""
    angles, mass = np.arctan2(*np.asarray(mu.x).T[::-1]), np.asarray(mu.mass)
    width = max(6 * np.pi / GRID, 1.06 * np.pi / np.sqrt(3) * mu.n**-0.2)
    sharpness = 1 / width**2

    def density(nodes):
        at = np.arctan2(nodes[:, 1], nodes[:, 0])
        return np.exp(sharpness * (np.cos(at[:, None] - angles) - 1)) @ mass

    return density


def equiangular_tokens(task: Task) -> list[Model]:
    """Tokens with one common cosine, which alone moves."""
    flow, mu = task.flow, task.mu
    V, B = (
        (multiple_of_identity(matrix) for matrix in _matrices(task))
        if _is_plain_softmax(flow, Sphere)
        else (None, None)
    )
    if V is None or B is None or V <= 0 or np.ptp(np.asarray(mu.mass)) > 1e-12 or mu.n < 2 or mu.n > mu.d + 1:
        return []
    x = unit_rows(np.asarray(mu.x, float))
    cosines = (x @ x.T)[np.triu_indices(mu.n, 1)]
    rho = float(cosines.mean())
    if not -1 / (mu.n - 1) < rho < 1:
        return []
    now = cosine(V * task.ts, n=mu.n, beta=_beta(flow) * B, rho0=rho)
    states = tuple(Particles(_opened(x, rho, float(c)), mu.mass) for c in now)
    words = (
        f"all pairs at the common cosine {rho:.3g}, which follows one equation; pairs differ by {np.ptp(cosines):.2g}"
    )
    return [Model("equiangular tokens", words, "tokens", states, float(len(task.ts) * mu.n))]


def _opened(x, rho: float, target: float) -> np.ndarray:
    """Tokens drawn towards their sum until equiangular ones would have the target cosine."""
    n = len(x)
    if target <= rho:
        return x
    reach = lambda q: mixed_cosine(1.0, q, rho, n) - target  # noqa: E731
    # Adding q of every other token tends to cosine 1 at q = 1, where all are equal.
    share = 1.0 if reach(1 - 1e-15) <= 0 else float(brentq(reach, 0.0, 1 - 1e-15, xtol=1e-15))  # pyright: ignore[reportArgumentType]
    return unit_rows((1 - share) * x + share * x.sum(axis=0))


def leaders_only(task: Task) -> list[Model]:
    """Only the corners of the hull of the first tokens are heard."""
    if not _is_plain_softmax(task.flow, Euclidean) or task.mu.d > 6 or task.mu.n <= task.mu.d + 2:
        return []
    heard = hull(np.asarray(task.mu.x)).indices
    if len(heard) >= 0.9 * task.mu.n:
        return []
    mass = np.zeros(task.mu.n)
    mass[heard] = np.asarray(task.mu.mass)[heard]
    run = task.evolve(task.flow, Particles(task.mu.x, mass))
    words = f"only the {len(heard)} corners of the first hull are heard by all {task.mu.n} tokens"
    states = tuple(Particles(x, task.mu.mass) for x in np.asarray(run.x))
    return [Model("leaders only", words, "tokens", states, pairs_of(run, len(heard)))]


def hardmax_flow(task: Task) -> list[Model]:
    """Every token hears its best alone."""
    if not _is_plain_softmax(task.flow, Euclidean):
        return []
    rule = Hardmax(B=np.sign(_beta(task.flow)) * _matrices(task)[1])
    run = task.evolve(Flow(task.flow.space, rule, V=task.flow.V), task.mu, max_steps=MOST_STEPS)
    return [Model("hardmax", "every token hears only its best", "tokens", states_of(run), pairs_of(run))]


# ---- what models share ------------------------------------------------------------------------------------------------


def states_of(run) -> tuple[Particles, ...]:
    mass = run.mass
    return tuple(Particles(x, mass) for x in np.asarray(run.x))


def moments(mu: Particles) -> Gaussian:
    """The Gaussian with the mean and covariance of the tokens."""
    x, mass = np.asarray(mu.x, float), np.asarray(mu.mass, float)
    mean = mass @ x
    return Gaussian(mean, (mass[:, None] * (x - mean)).T @ (x - mean))


def _is_plain_softmax(flow, space: type) -> bool:
    is_plain = flow.feed_forward is None and flow.noise is None and not is_scheduled(flow)
    is_post = flow.normalisation is None or type(flow.normalisation) is PostLN
    return is_plain and is_post and isinstance(flow.space, space) and type(flow.attention) is Softmax


def _matrices(task: Task) -> tuple[np.ndarray, np.ndarray]:
    d = task.mu.d
    return np.asarray(dense(task.flow.V, d), float), np.asarray(task.flow.attention.score.B(d), float)  # pyright: ignore[reportAttributeAccessIssue]


def _beta(flow) -> float:
    return float(flow.attention.score.beta)
