"""From plain data to the objects of the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...engine import attention as rules
from ...engine import spaces
from ...engine.evolution import checked
from ...engine.flow import FeedForward, Flow, check_fits
from ...engine.flow import normalisation as schemes
from ...engine.linalg.array_files import read_csv, read_npy
from ...engine.measures import Measure
from ...engine.measures.initial.sampling import generator
from ...errors import BadInput
from . import data
from .matrix import Course, Diagonal, Drawn, Stored
from .tokens import make

RULES = {
    "softmax": rules.Softmax, "unnormalised": rules.Unnormalised, "l2": rules.L2, "sigmoid": rules.Sigmoid,
    "linear": rules.Linear, "relu": rules.Relu, "sinkhorn": rules.Sinkhorn, "hardmax": rules.Hardmax,
}  # fmt: skip
SCHEMES = {
    "post_ln": schemes.PostLN, "pre_ln": schemes.PreLN, "peri_ln": schemes.PeriLN, "mix_ln": schemes.MixLN,
    "ngpt": schemes.NGPT, "sqrt_ln": schemes.SqrtLN,
}  # fmt: skip


class Polyline(eqx.Module):
    """Values joined by straight lines in time."""

    times: Any
    values: Any

    def __call__(self, t):
        flat = self.values.reshape(len(self.times), -1)
        at_t = jax.vmap(jnp.interp, in_axes=(None, None, 1))(t, self.times, flat)
        return at_t.reshape(self.values.shape[1:])


def build(scenario: data.Scenario) -> tuple[Any, Measure, dict[str, Any]]:
    """The flow, the first prompt, and the options of `evolve` that a scenario stands for.

    >>> import attnflow as af
    >>> flow, mu, options = af.build(af.scenario.from_dict({"tokens": {"kind": "polygon", "n": 5}}))
    >>> flow, mu.n, options["until"]
    (Flow(space = Sphere, attention = Softmax, beta = 1, V = 1, normalisation = PostLN), 5, 10.0)
    """
    if not isinstance(scenario, data.Scenario):
        raise BadInput(f"a Scenario is needed, got {type(scenario).__name__}; scenario.from_dict makes one of a table")
    mu = build_tokens(scenario)
    flow, options = build_flow(scenario, mu.d), build_options(scenario)
    check_fits(flow, mu)
    chosen = checked(options)
    chosen.tolerance(chosen.times(mu).dtype)
    return flow, mu, options


def build_tokens(scenario: data.Scenario) -> Measure:
    try:
        return make(scenario.tokens.kind, scenario.tokens.parameters, scenario.seed)
    except (ValueError, TypeError) as error:
        message = str(error)
        raise BadInput(message if message.startswith("tokens") else f"[tokens] {message}") from None


def build_options(scenario: data.Scenario) -> dict[str, Any]:
    """What `evolve` is asked for, with the save times written out where they are not even."""
    time = {key: value for key, value in vars(scenario.time).items() if value is not None}
    save, spacing = scenario.time.save, time.pop("spacing")
    if isinstance(save, tuple):
        time["save"] = np.asarray(save)
    elif spacing != 1.0 and save > 1:
        time["save"] = scenario.time.until * np.linspace(0, 1, save) ** spacing
    return time | {"seed": scenario.seed}


def build_flow(scenario: data.Scenario, d: int):
    """The flow on tokens of dimension d."""
    if scenario.tokens.kind == "model":
        return _of_model(scenario)
    motion, read = scenario.flow, Values(scenario.seed, d)
    space = data.SPACES[motion.space]
    space = getattr(spaces, space)() if isinstance(space, str) else space()
    try:
        flow = Flow(
            space, build_attention(scenario.attention, read), V=read(motion.V, "flow.V"),
            normalisation=_scheme(motion, read), feed_forward=_feed_forward(motion.feed_forward, read),
            noise=read(motion.noise, "flow.noise"),
        )  # fmt: skip
        return _rescaled(flow) if motion.rescaled else flow
    except ValueError as error:
        raise BadInput(f"[attention] or [flow]: {error}") from None


def _of_model(scenario: data.Scenario):
    """The layer of a trained model that the tokens were taken before."""
    if scenario.attention != data.Attention() or scenario.flow != data.Motion():
        raise BadInput('tokens.kind = "model" brings its own flow: leave [attention] and [flow] out')
    from . import of_model

    return of_model.flow(scenario.tokens.parameters)


class Values:
    """Reads numbers and matrices of a scenario as arrays; random ones come from its seed, folded by their place."""

    def __init__(self, seed: int, d: int):
        self.seed, self.d = seed, d

    def __call__(self, value, place: str) -> Any:
        match value:
            case Drawn():
                return draw(value, self.d, generator(self.seed, f"matrices.{place}"))
            case Diagonal():
                return np.diag(np.asarray(value.diagonal))
            case Stored():
                return _read_file(value.file, place)
            case Course():
                return Polyline(jnp.asarray(value.times), jnp.asarray([np.asarray(v) for v in value.values]))
            case tuple():
                return np.asarray(value)
        return value


def draw(drawn: Drawn, d: int, rng: np.random.Generator) -> np.ndarray:
    """A random matrix of the named ensemble."""
    k = drawn.rows or d
    if drawn.random in ("goe", "psd", "orthogonal") and k != d:
        raise BadInput(f"a {drawn.random} matrix is square: rows must be {d}, got {k}")
    if drawn.random == "uniform":
        return drawn.scale * rng.uniform(-1, 1, (k, d))
    g = rng.standard_normal((k, d))
    match drawn.random:
        case "goe":
            return drawn.scale * (g + g.T) / np.sqrt(2 * d)
        case "psd":
            return drawn.scale * g @ g.T / d
        case "orthogonal":
            q, r = np.linalg.qr(g)
            return drawn.scale * q * np.sign(np.diag(r))
    return drawn.scale * g


def build_attention(part: data.Attention, read: Values):
    """The rule, or the heads, under the masks asked for."""
    if not part.heads:
        return _masked(_rule(part, "attention", read), part)
    heads = [
        (
            _masked(_rule(head, f"attention.heads.{h}", read), part),
            read(1.0 if head.V is None else head.V, f"heads.{h}.V"),
        )
        for h, head in enumerate(part.heads)
    ]
    return rules.Heads(heads)


def _rule(part: data.Rule, place: str, read: Values):
    if part.rule in data.OWN_RULES:
        return data.OWN_RULES[part.rule](**{key: read(value, f"{place}.{key}") for key, value in part.own.items()})
    keys = data.RULE_KEYS[part.rule]
    given = {key: read(getattr(part, key), f"{place}.{key}") for key in keys if getattr(part, key) is not None}
    return RULES[part.rule](**given)


def _masked(rule, part: data.Attention):
    average = {} if part.average is None else {"average": part.average}
    if part.slope is not None:
        rule = rules.Biased(rule, part.slope, positions=None if part.positions is None else np.asarray(part.positions))
    if part.table is not None:
        table = np.asarray(part.table)
        rule = rules.Masked(rule, table=table, **average) if table.dtype == bool else rules.Biased(rule, table=table)
    if part.causal:
        rule = rules.Causal(rule, **average)
    elif part.positions is not None and part.slope is None:
        rule = rules.Masked(rule, np.asarray(part.positions), **average)
    return rule


def _scheme(motion: data.Motion, read: Values):
    if motion.normalisation is None:
        return None
    keys = data.SCHEMES[motion.normalisation]
    given = {key: read(getattr(motion, key), f"flow.{key}") for key in keys if getattr(motion, key) is not None}
    return SCHEMES[motion.normalisation](**given)


def _feed_forward(part: data.FeedForward | None, read: Values):
    if part is None:
        return None
    w, a, b = (read(getattr(part, key), f"flow.feed_forward.{key}") for key in ("w", "a", "b"))
    return FeedForward(w, a, b, part.activation)


def _rescaled(flow):
    from ...engine.flow.rescaled import rescale

    return rescale(flow)


def _read_file(name: str, place: str) -> np.ndarray:
    try:
        return read_npy(name) if Path(name).suffix == ".npy" else read_csv(name)[0]
    except BadInput as error:
        raise BadInput(f"{place}: {error}") from None
