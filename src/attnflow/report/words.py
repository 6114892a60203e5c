"""Facts as plain sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..measures import Particles
from ..scenario import Scenario, dumps
from ..scenario.matrix import Course, Diagonal, Drawn, Stored
from ..store import versions
from .facts import Facts, is_asked


@dataclass(frozen=True)
class Block:
    """A piece of a report: kind is one of heading, text, items, table, picture, code."""

    kind: str
    content: Any
    caption: str = ""


ENDINGS = {
    "DONE": "The run reached its end, t = {t}.",
    "STEADY": "All tokens came to rest at t = {t}.",
    "BLOW_UP": "Tokens grew without bound and left the range of numbers at t = {t}. That is an outcome, not an error.",
    "STEP_TOO_SMALL": "The run broke down at t = {t}: steps became too small for the precision.",
    "OUT_OF_STEPS": "The run used up its steps at t = {t}; allow more with time.max_steps.",
    "NOT_FINITE": "The run broke down at t = {t}: numbers were no longer finite.",
    "UNRESOLVED": "The run was stopped at t = {t}: the density has structure finer than its grid; use more nodes.",
}
PROMPTS = {
    "sphere": "uniform on the sphere", "ball": "uniform in a ball", "cube": "uniform in a cube",
    "gaussian": "drawn from a Gaussian", "mixture": "drawn from a mixture of Gaussians", "caps": "in caps of the sphere",
    "polygon": "a regular polygon", "simplex": "a regular simplex", "equiangular": "at equal angles",
    "quantiles": "at the quantiles of a law", "quadrature": "quadrature nodes of a law", "array": "given one by one",
    "file": "read from a file", "law": "a Gaussian law, moved by its closed equation", "model": "states of a trained model",
}  # fmt: skip


def story(facts: Facts, files: dict[str, str]) -> list[Block]:
    """The whole report; `files` maps file names to what they hold."""
    blocks = [Block("heading", facts.scenario.title or "A run of attnflow"), *_pictures(files)]
    blocks += [Block("heading", "What was run"), Block("items", what_was_run(facts))]
    blocks += [Block("heading", "What theory predicts"), *_predicted(facts)]
    blocks += [Block("heading", "What happened"), Block("items", what_happened(facts)), *_cluster_table(facts)]
    blocks += _checked(facts)
    if facts.notes:
        blocks += [Block("heading", "Notes"), Block("items", list(facts.notes))]
    blocks += [Block("heading", "Files"), Block("table", [("File", "Holds"), *files.items()])]
    again = "Run `attnflow run scenario.toml` on the file beside this report, or on these lines:"
    blocks += [Block("heading", "To repeat it"), Block("text", again), Block("code", dumps(facts.scenario))]
    return [*blocks, Block("text", "Computed with " + ", ".join(f"{n} {v}" for n, v in versions().items()) + ".")]


def _pictures(files: dict[str, str]) -> list[Block]:
    shown = [name for name in ("figure.png", "figure.svg", "animation.gif") if name in files]
    if "figure.png" in shown and "figure.svg" in shown:
        shown.remove("figure.svg")
    return [Block("picture", name, files[name].capitalize()) for name in shown]


def what_was_run(facts: Facts) -> list[str]:
    scenario = facts.scenario
    return [_tokens(facts), _attention(scenario), _motion(scenario), _time(scenario)]


def _tokens(facts: Facts) -> str:
    tokens, states = facts.scenario.tokens, facts.run.states
    how = PROMPTS.get(tokens.kind, tokens.kind.replace("_", " "))
    if not isinstance(states, Particles):
        return f"The prompt is {how}, in dimension {states.d}."
    return f"{states.n} tokens in dimension {states.d}, {how} (seed {facts.scenario.seed})."


def _attention(scenario: Scenario) -> str:
    part = scenario.attention
    masks = [name for name, given in (("causal", part.causal), ("masked by position", part.positions and not part.slope),
             ("masked by a table", part.table), ("biased by distance", part.slope)) if given]  # fmt: skip
    if part.heads:
        heads = "; ".join(f"{head.rule} with {_values(head)}" for head in part.heads)
        return f"{len(part.heads)} heads: {heads}{_also(masks)}."
    return f"{part.rule.capitalize()} attention with {_values(part)}{_also(masks)}."


def _also(masks: list[str]) -> str:
    return f", {', '.join(masks)}" if masks else ""


def _values(part) -> str:
    names = ("B", "Q", "K", "V", "beta", "eps", "scale", "bias", "iterations", "total", "others")
    given = [(name, getattr(part, name)) for name in names if getattr(part, name) is not None]
    letters = {"beta": "β", "eps": "ε"}
    return ", ".join(f"{letters.get(name, name)} = {short(value)}" for name, value in given) or "its default weights"


def short(value) -> str:
    """A matrix or number in a few words."""
    match value:
        case float():
            return f"{value:g}"
        case Drawn():
            return f"a random {value.random} matrix"
        case Diagonal():
            return f"diag({', '.join(f'{v:g}' for v in value.diagonal)})"
        case Stored():
            return f"the matrix in {value.file}"
        case Course():
            return "a function of time"
        case tuple() if value and isinstance(value[0], tuple):
            return f"a {len(value)} × {len(value[0])} matrix"
    return str(value)


def _motion(scenario: Scenario) -> str:
    motion = scenario.flow
    place = "on the unit sphere" if motion.space == "sphere" else "in R^d"
    extras = [f"V = {short(motion.V)}"]
    if motion.normalisation is not None:
        extras.append(f"layer normalisation {motion.normalisation}")
    if motion.feed_forward is not None:
        extras.append(f"a feed-forward layer ({motion.feed_forward.activation})")
    if motion.noise is not None:
        extras.append(f"noise σ = {short(motion.noise)}")
    if motion.rescaled:
        extras.append("seen in the rescaled variables z = exp(−tV) x")
    return f"Tokens move {place}, with {', '.join(extras)}."


def _time(scenario: Scenario) -> str:
    time = scenario.time
    saves = time.save if isinstance(time.save, int) else len(time.save)
    how = f"{time.method} steps" + (f" of size {time.step:g}" if time.step else "")
    tol = f", local error at most {time.tol:g}" if time.tol else ""
    merge = f"; tokens closer than {time.merge:g} become one" if time.merge else ""
    return f"Time runs from 0 to {time.until:g}, saved {saves} times, by {how}{tol}{merge}."


def _predicted(facts: Facts) -> list[Block]:
    if not facts.predictions:
        asked = "" if is_asked(facts.run) else " that could be asked"
        return [Block("text", f"No theorem in the register{asked} speaks about this run.")]
    return [Block("items", [f"{p.words} ({p.claim})" for p in facts.predictions])]


def what_happened(facts: Facts) -> list[str]:
    run, found = facts.run, facts.clusters
    said = [ENDINGS[run.status.name].format(t=f"{float(run.status.time):g}")]
    said[0] += f" It took {int(run.steps)} steps ({int(run.rejected)} rejected) and {facts.seconds:.1f} s."
    if facts.resumed:
        said[0] = said[0][:-1] + f" since it went on from {facts.resumed} checkpoints of a run that had been stopped."
    if found is not None and facts.counts is not None:
        said.append(_clusters(found))
        said += _plateaus(np.asarray(run.ts), facts.counts)
    if facts.energy is not None:
        said.append(_energy(facts.energy))
    return said


def _clusters(found) -> str:
    n, how = len(found.labels), f" (tokens connected by steps of at most {found.tol:.3g})."
    if found.count > n / 2 and n > 4:
        return f"Tokens stay spread out: {n} of them form {found.count} groups{how}"
    one = "All tokens are in one cluster" if found.count == 1 else f"There are {found.count} clusters at the end"
    if found.count == 1:
        return one + how
    sure = f" Different clusters are at least {found.gap * found.tol:.3g} apart, {found.gap:.3g} times that distance"
    return (
        one
        + how
        + sure
        + ("." if found.gap > 3 else ": close to it, so the count depends on where one draws the line.")
    )


def _plateaus(ts: np.ndarray, counts: np.ndarray) -> list[str]:
    """Times during which the number of clusters stood still for long, when there were several such."""
    starts = np.flatnonzero(np.diff(counts, prepend=-1))
    ends = np.append(starts[1:], len(ts) - 1)
    lasts = (ts[ends] - ts[starts] > 0.05 * ts[-1]) | ((ts[starts] > 0) & (ts[ends] >= 2 * ts[starts]))
    long = [(a, b) for a, b, is_long in zip(starts, ends, lasts) if is_long and counts[a] <= 20]
    if len(long) < 2:
        return []
    stays = [f"{counts[a]} from t = {ts[a]:.3g} to {ts[b]:.3g}" for a, b in long]
    return [f"Numbers of clusters that lasted: {', '.join(stays)}."]


def _energy(values: np.ndarray) -> str:
    change = np.diff(values)
    slack = 1e-10 * max(1.0, float(np.abs(values).max()))
    course = (
        "never falling" if np.all(change >= -slack) else "never rising" if np.all(change <= slack) else "up and down"
    )
    return f"The energy went from {values[0]:.6g} to {values[-1]:.6g}, {course}."


def _cluster_table(facts: Facts) -> list[Block]:
    found = facts.clusters
    if found is None or not 1 < found.count <= 12:
        return []
    rows = [
        (str(i + 1), f"{mass:.1%}", ", ".join(f"{c:.4f}" for c in centre[:4]) + (", …" if len(centre) > 4 else ""))
        for i, (mass, centre) in enumerate(zip(found.mass, found.centres))
    ]
    return [Block("table", [("Cluster", "Share of tokens", "Centre"), *rows])]


def _checked(facts: Facts) -> list[Block]:
    if not facts.checks:
        return []
    rows = [(c.outcome.upper() if c.fails else c.outcome, c.words, c.claim) for c in facts.checks]
    return [Block("heading", "Checked against theory"), Block("table", [("Outcome", "Statement", "Claim"), *rows])]
