"""A run as plain data: the only thing that command line, store, figures and tests share."""

# ruff: noqa: RUF009 — `part` makes a dataclass field, as `field` does

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from ...errors import BadInput, quoted
from .matrix import Matrix, anything, matrix, scalar
from .reading import (  # fmt: skip
    as_table,
    bad,
    check_new,
    choice,
    either,
    flag,
    integer,
    join,
    listed,
    many,
    number,
    numbers,
    one_of,
    parameters_of,
    part,
    positive,
    refuse_unknown,
    section,
    text,
    truths,
    whole,
)
from .tokens import KINDS

METHODS = ("adaptive", "tsit5", "dopri5", "dopri8", "stiff", "euler", "midpoint", "heun", "rk4")
MASK_KEYS = ("causal", "positions", "table", "slope", "average")
RULE_KEYS = {
    "softmax": ("B", "Q", "K", "beta"),
    "unnormalised": ("B", "Q", "K", "beta", "scale"),
    "l2": ("B", "Q", "K", "beta"),
    "sigmoid": ("B", "Q", "K", "beta", "bias", "total"),
    "linear": ("B", "Q", "K", "beta"),
    "relu": ("B", "Q", "K", "beta"),
    "sinkhorn": ("B", "Q", "K", "eps", "iterations", "tol"),
    "hardmax": ("B", "Q", "K", "ties", "others"),
}
"""The rules a scenario can name and the keys each of them takes."""

OWN_RULES: dict[str, type] = {}
"""Rules of users, by name."""
SPACES: dict[str, Any] = {"sphere": "Sphere", "euclidean": "Euclidean"}
"""Spaces by name; those of users as classes."""

ACTIVATIONS = ("relu", "tanh", "gelu", "gelu_tanh", "silu", "sigmoid", "quick_gelu", "relu_squared", "identity")

SCHEMES = {"post_ln": (), "pre_ln": (), "peri_ln": (), "mix_ln": ("tau",), "ngpt": ("alpha",), "sqrt_ln": ()}
"""The places of layer normalisation and the keys each of them takes."""


@dataclass(frozen=True)
class Tokens:
    """The first prompt: a kind from `KINDS` with its own parameters."""

    kind: str = "sphere"
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Rule:
    """One attention rule; `V` belongs to it only when it is one of several heads."""

    rule: str = part(one_of(RULE_KEYS), "softmax")
    B: Matrix | None = part(matrix)
    Q: Matrix | None = part(matrix)
    K: Matrix | None = part(matrix)
    V: Matrix | None = part(matrix)
    beta: Any = part(scalar)
    scale: Any = part(either(number, choice("mean", "shifted", "sum"), need="a number or one of mean, shifted, sum"))
    bias: Any = part(either(scalar, choice("-log n"), need='a number or "-log n"'))
    total: bool | None = part(flag)
    eps: Any = part(scalar)
    iterations: int | None = part(whole)
    tol: float | None = part(positive)
    ties: float | None = part(number)
    others: bool | None = part(flag)
    own: dict[str, Any] = field(default_factory=dict)
    """What a rule of a user takes."""


@dataclass(frozen=True)
class Attention(Rule):
    """Who listens to whom: a rule or several heads, perhaps masked or biased by position."""

    heads: tuple[Rule, ...] = part(many(lambda value, place: read_rule(Rule, value, place)), ())
    causal: bool = part(flag, False)
    positions: tuple[float, ...] | None = part(numbers)
    table: tuple | None = part(truths)
    slope: float | None = part(number)
    average: str | None = part(choice("heard", "all"))


@dataclass(frozen=True)
class FeedForward:
    w: Matrix = part(matrix, 1.0)
    a: Matrix = part(matrix, 1.0)
    b: Any = part(either(number, numbers, need="a number or a list of numbers"), 0.0)
    activation: str = part(choice(*ACTIVATIONS), "relu")


@dataclass(frozen=True)
class Motion:
    """Where tokens live and how attention moves them."""

    space: str = part(one_of(SPACES), "sphere")
    V: Matrix = part(matrix, 1.0)
    rescaled: bool = part(flag, False)
    normalisation: str | None = part(choice(*SCHEMES))
    tau: float | None = part(positive)
    alpha: Any = part(scalar)
    feed_forward: FeedForward | None = part(section(FeedForward))
    noise: Any = part(scalar)


@dataclass(frozen=True)
class Time:
    until: float = part(positive, 10.0)
    save: int | tuple[float, ...] = part(either(whole, numbers, need="a number of times or a list of times"), 101)
    spacing: float = part(positive, 1.0)
    """Saved times go as this power of their number: 1 is even, 2 is denser early."""
    tol: float | None = part(positive)
    method: str = part(choice(*METHODS), "adaptive")
    step: float | None = part(positive)
    merge: float | None = part(positive)
    steady: float | None = part(positive)
    max_steps: int = part(whole, 1_000_000)
    summation: str = part(choice("auto", "exact", "fast"), "auto")
    jumps: tuple[float, ...] | None = part(numbers)


@dataclass(frozen=True)
class Output:
    figure: tuple[str, ...] = part(many(choice("png", "pdf", "svg")), ("png", "pdf"))
    animation: bool = part(flag, True)
    page: bool = part(flag, False)
    """Also one HTML file that plays the run (the explorer, without Python or network)."""
    chunk: int | None = part(whole)
    """Saved times between two checkpoints."""


def read_tokens(value, place) -> Tokens:
    table = dict(as_table(value, place))
    kind = choice(*KINDS)(table.pop("kind", "sphere"), join(place, "kind"))
    readers = KINDS[kind].readers
    refuse_unknown(table, readers, place)
    return Tokens(kind, {key: readers[key](entry, join(place, key)) for key, entry in table.items()})


def register_rule(name: str, rule: type) -> None:
    """Let scenarios say `rule = "name"`; its keys are the parameters of the class.

    >>> import attnflow as af
    >>> af.register_rule("mine", af.Softmax)  # scenarios may now say: rule = "mine"
    """
    check_new(name, RULE_KEYS)
    RULE_KEYS[name], _ = parameters_of(rule)
    OWN_RULES[name] = rule


def register_space(name: str, space: type) -> None:
    """Let scenarios say `space = "name"`; `space()` makes it.

    >>> import attnflow as af
    >>> af.register_space("ball", af.Euclidean)  # scenarios may now say: space = "ball"
    """
    check_new(name, SPACES)
    if not callable(space):
        raise BadInput(f"a space is made by a class without arguments, got {quoted(space)}")
    SPACES[name] = space


def read_rule(cls, value, place):
    """A rule; the parameters of a user's own rule are kept together."""
    table = dict(as_table(value, place))
    name = table.get("rule")
    keys = RULE_KEYS[name] if isinstance(name, str) and name in OWN_RULES else ()
    own = {key: anything(table.pop(key), join(place, key)) for key in keys if key in table}
    return replace(section(cls)(table, place), own=own)


def read_attention(value, place) -> Attention:
    table = as_table(value, place)
    made = read_rule(Attention, table, place)
    if made.heads:
        refuse_foreign(table, ("heads", *MASK_KEYS), place, "with heads, [attention]")
        for i, (head, given) in enumerate(zip(made.heads, table["heads"])):
            refuse_foreign(given, ("rule", "V", *RULE_KEYS[head.rule]), f"{place}.heads[{i}]", head.rule)
        return made
    refuse_foreign(table, ("rule", *RULE_KEYS[made.rule], *MASK_KEYS), place, made.rule)
    return made


def read_motion(value, place) -> Motion:
    made = section(Motion)(value, place)
    if made.normalisation is not None and made.space != "sphere":
        raise bad(f"{place}.normalisation", made.normalisation, 'layer normalisation needs space = "sphere"')
    keys = SCHEMES[made.normalisation or "post_ln"]
    for key in ("tau", "alpha"):
        if key in value and key not in keys:
            need = f"{made.normalisation or 'post_ln'} takes no {key}; tau is for mix_ln, alpha for ngpt"
            raise bad(join(place, key), value[key], need)
    if "tau" in keys and made.tau is None:
        raise BadInput(f"{place}.tau is missing: mix_ln switches from post_ln to pre_ln at time tau")
    return made


def refuse_foreign(table, known, place, owner) -> None:
    """Known keys that the chosen rule or scheme does not take."""
    for key, value in table.items():
        if key not in known:
            hint = "; without heads, V belongs in [flow]" if key == "V" else ""
            raise bad(join(place, key), value, f"{owner} takes no {key}, only {listed(known)}{hint}")


@dataclass(frozen=True)
class Scenario:
    """One run: first prompt, attention, motion, time, output, and one seed for all that is random.

    >>> import attnflow as af
    >>> af.Scenario(title="mine", seed=3).time.until
    10.0
    """

    title: str = part(text, "")
    seed: int = part(integer, 0)
    tokens: Tokens = part(read_tokens, Tokens())
    attention: Attention = part(read_attention, Attention())
    flow: Motion = part(read_motion, Motion())
    time: Time = part(section(Time), Time())
    output: Output = part(section(Output), Output())


def from_dict(table: dict) -> Scenario:
    """A checked scenario; a ValueError names the first key that cannot be read."""
    scenario = section(Scenario)(table, "")
    if scenario.seed < 0:
        raise bad("seed", scenario.seed, "must not be negative")
    return scenario


def to_dict(part_: Any) -> Any:
    """Tables, lists, numbers and text only: what `from_dict` reads back to an equal scenario."""
    if isinstance(part_, Tokens):
        return {"kind": part_.kind, **{key: to_dict(value) for key, value in part_.parameters.items()}}
    if isinstance(part_, Attention) and part_.heads:
        return {key: value for key, value in _entries(part_).items() if key != "rule"}
    if is_dataclass(part_):
        return _entries(part_)
    return [to_dict(entry) for entry in part_] if isinstance(part_, tuple | list) else part_


def _entries(part_) -> dict:
    values = {f.name: getattr(part_, f.name) for f in fields(part_) if getattr(part_, f.name) != f.default or f.default}
    own = values.pop("own", {}) if isinstance(part_, Rule) else {}
    return {name: to_dict(value) for name, value in (values | own).items()}
