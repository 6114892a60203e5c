"""Runs that were tampered with: what a check that can fail must notice."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from unittest import mock

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from scipy.integrate import solve_ivp
from solved import evolve

import attnflow as af
from attnflow.engine.flow.rescaled import Rescaled
from attnflow.engine.measures import Gaussian
from attnflow.papers import retrace, retrace_euclidean
from attnflow.papers.agarwal2024 import heat
from attnflow.papers.register import ask_claim, checks
from attnflow.papers.retrace import attention_field
from attnflow.papers.variables import elapsed

SIZE = 0.05
"""Of drifts, relative to the tokens."""


def _with_tokens(run, x):
    """The run with other tokens, back in their space."""
    x = np.asarray(run.flow.space.retract(jnp.asarray(x)))
    return replace(eqx.tree_at(lambda r: r.states.x, run, jnp.asarray(x)), close=None)


def _tokens(change):
    """A mutant of a run of tokens, from a function of the saved tokens (k, n, d) and a generator."""

    def mutant(run):
        return _with_tokens(run, change(np.array(run.x, float), np.random.default_rng(7)))

    return mutant


def _scale(x):
    return np.abs(x).max() or 1.0


def _swapped(x, rng):
    half = len(x) // 2
    x[half:, [0, 1]] = x[half:, [1, 0]] if x.shape[1] > 1 else x[half:, [0, 0]]
    return x


def _drift(who):
    def change(x, rng):
        way = rng.normal(size=x.shape[-1])
        way *= SIZE * _scale(x[0]) / np.linalg.norm(way)
        x[:, who] += np.linspace(0, 1, len(x))[:, None, None] * way
        return x

    return change


def _noise(x, rng):
    x[1:] += 0.01 * _scale(x[0]) * rng.normal(size=x[1:].shape)
    return x


def _random_last(x, rng):
    x[-1] = _scale(x[-1]) * rng.uniform(-1, 1, x[-1].shape)
    return x


def _collapsed(x, rng):
    x[-1] = x[-1, :1]
    return x


def _nan_last(x, rng):
    x[-1] = np.nan
    return x


def _frozen(x, rng):
    return np.broadcast_to(x[:1], x.shape).copy()


TOKENS = {
    "two tokens swapped half-way": _tokens(_swapped),
    "one token drifts": _tokens(_drift(slice(0, 1))),
    "all tokens drift": _tokens(_drift(slice(None))),
    "1 % noise": _tokens(_noise),
    "frozen": _tokens(_frozen),
    "random last state": _tokens(_random_last),
    "collapsed on one token": _tokens(_collapsed),
    "time reversed": _tokens(lambda x, rng: x[::-1].copy()),
}


def _moments(change):
    """A mutant of a Gaussian run, from a function of the saved covariances (k, d, d) and a generator."""

    def mutant(run):
        cov = change(np.array(run.cov, float), np.random.default_rng(7))
        return eqx.tree_at(lambda r: r.states.cov, run, jnp.asarray(cov))

    return mutant


def _lost_rank(cov, rng):
    cov[-1, :, 0] = cov[-1, 0, :] = 0
    return cov


def _random_cov(cov, rng):
    L = rng.normal(size=cov[-1].shape)
    cov[-1] = _scale(cov[-1]) * L @ L.T
    return cov


def _noisy_cov(cov, rng):
    return cov * (1 + 0.01 * rng.normal(size=(len(cov), 1, 1)) * (np.arange(len(cov)) > 0)[:, None, None])


MOMENTS = {
    "1 % noise": _moments(_noisy_cov),
    "frozen": _moments(_frozen),
    "random last state": _moments(_random_cov),
    "lost rank": _moments(_lost_rank),
    "time reversed": _moments(lambda cov, rng: cov[::-1].copy()),
}


def _clock(run):
    return replace(run, ts=run.ts[0] + 1.5 * (run.ts - run.ts[0]))


def impostor(run, flow):
    """A run of another flow from the same start, shown as if it were this one's."""
    ts = np.asarray(run.ts)
    # −V under hardmax jumps for ever between winners: such a run is given up early.
    other = evolve(flow, run.at(0), until=float(ts[-1]), save=ts, start=float(ts[0]), max_steps=2_000)
    if other is None or len(other.ts) < len(run.ts):
        return None
    return replace(other, flow=run.flow)


def _other_flows(flow):
    """The same flow with −V, and with a quarter of the temperature."""
    if isinstance(flow, Rescaled | af.Block) or not hasattr(flow, "V"):
        return {}
    others = {"a run of −V": eqx.tree_at(lambda f: f.V, flow, -flow.V)}
    if hasattr(flow.attention, "score"):
        colder = eqx.tree_at(lambda f: f.attention.score.beta, flow, 4 * flow.attention.score.beta)
        others["a run of 4β"] = colder
    return others


def other_rule(run):
    """Softmax shown as unnormalised attention, or the other way round, on the sphere; by SciPy, so that nothing compiles."""
    flow = run.flow
    rules = {af.Softmax: partial(af.Unnormalised, scale="shifted"), af.Unnormalised: af.Softmax}
    if (
        type(getattr(flow, "attention", None)) not in rules
        or not isinstance(flow.space, af.Sphere)
        or flow.noise is not None
    ):
        return None
    score, mu = flow.attention.score, run.at(0)
    rule = rules[type(flow.attention)](B=score.B(mu.d), beta=float(score.beta))
    field = attention_field(eqx.tree_at(lambda f: f.attention, flow, rule), mu)
    x, ts = np.asarray(run.x[0], float), np.asarray(run.ts, float)
    step = lambda t, y: field(t, y.reshape(x.shape)).ravel()  # noqa: E731
    out = solve_ivp(step, (ts[0], ts[-1]), x.ravel(), t_eval=ts, method="LSODA", rtol=1e-8, atol=1e-10)
    return _with_tokens(run, out.y.T.reshape(run.x.shape)) if out.success else None


def honest_parts(run) -> dict:
    """Parts of an honest run that are honest, too: its second half, its two ends, its last saved time."""
    k, parts = len(run.ts), {}
    for name, some in (
        ("second half", slice(k // 2, None)),
        ("ends", slice(0, None, k - 1)),
        ("last", slice(k - 1, None)),
    ):
        states = jax.tree.map(lambda leaf: leaf[some], run.states)  # noqa: B023
        parts[name] = replace(run, ts=run.ts[some], states=states, close=None, labels=None)
    return parts


def _grown(states, rng):
    states[-1] = 10 * states[0]
    return states


def _deserted(x, rng):
    """The first token leaves its group by one radian."""
    x[-1, 0, :2] = x[-1, 0, :2] @ [[np.cos(1.0), np.sin(1.0)], [-np.sin(1.0), np.cos(1.0)]]
    return x


def two_at_the_origin(run):
    """From half of the time on, in a run four times as long."""

    def change(x, rng):
        x[len(x) // 2 :, np.argsort(x[-1, :, 0])[1:3]] = 0
        return x

    return replace(_tokens(change)(run), ts=4 * run.ts)


def at_the_lowest_eigenvector(run):
    """All tokens come to rest where the energy of one cluster is least, and stay for five times as long."""
    B = np.asarray(run.flow.attention.score.B(run.x.shape[-1]))
    gathered = _tokens(lambda x, rng: np.concatenate([x[:1], 0 * x[1:] + np.linalg.eigh(B)[1][:, 0]]))(run)
    return replace(gathered, ts=5 * gathered.ts)


def longer_run_of_minus_V(run):
    """Tokens that come to rest far apart, and stay there."""
    ts = np.asarray(run.ts)
    other = evolve(_other_flows(run.flow)["a run of −V"], run.at(0), until=20 * float(ts[-1]), save=20 * ts)
    return replace(other, flow=run.flow)


SINGLE = {
    "ten times the start at last": lambda run: (_moments if isinstance(run.states, Gaussian) else _tokens)(_grown)(run),
    "one token leaves its group": _tokens(_deserted),
    "two tokens at the origin": two_at_the_origin,
    "rests at the lowest eigenvector": at_the_lowest_eigenvector,
    "a longer run of −V": longer_run_of_minus_V,
}
"""What was made to contradict some claim, and says little of others."""


def doctored(run, how):
    """The run with one thing done to it: what has a name here, or a function of the run."""
    if callable(how):
        return how(run)
    if how in (others := _other_flows(run.flow)):
        return impostor(run, others[how])
    return (SINGLE | {"a run of the other rule": other_rule} | _kinds(run))[how](run)


def _kinds(run) -> dict:
    return (MOMENTS if isinstance(run.states, Gaussian) else TOKENS) | {"clock × 1.5": _clock}


def mutants(run) -> dict:
    """Every tampered version of an honest run, by name; those that differ from it by nothing are left out."""
    made = {name: change(run) for name, change in _kinds(run).items()}
    made |= {name: impostor(run, flow) for name, flow in _other_flows(run.flow).items()}
    made["a run of the other rule"] = other_rule(run)
    return {name: other for name, other in made.items() if other is not None and _differs(run, other)}


def _differs(run, other) -> bool:
    a, b = ((np.asarray(r.cov) if isinstance(r.states, Gaussian) else np.asarray(r.x)) for r in (run, other))
    return bool(np.abs(a - b).max() > 1e-3 * _scale(a)) or not np.allclose(run.ts, other.ts)


def with_nan(run):
    if isinstance(run.states, Gaussian):
        return _moments(_nan_last)(run)
    return eqx.tree_at(lambda r: r.states.x, run, jnp.asarray(_nan_last(np.array(run.x, float), None)))


def what_a_claim_says_itself(claim, run) -> str | None:
    """The outcome where saved states are taken to follow each other, so that only the statement can fail."""
    once, course = mock.patch.object(retrace, "_retraced_once"), mock.patch.object(retrace_euclidean, "_retraced")
    with once as path, course as followed, mock.patch.object(heat, "off_scheme", return_value=0.0):
        path.return_value, followed.return_value = 0.0, retrace_euclidean.Retraced(share=1.0)
        # A copy, since what was found of a run is remembered.
        return outcome(claim, replace(run))


def outcome(claim, run) -> str | None:
    """What the register answers for one claim; None when it does not apply."""
    seen = elapsed(run)
    found = checks([ask_claim(claim, seen.flow, seen.at(0))], seen)
    return found[0].outcome if found else None
