"""A run told as one story: what was run, what it looks like, what theory said and what happened."""

from __future__ import annotations

import inspect
from math import isnan

from ...draw.energies import Energies
from ...engine.files.versions import versions
from ...engine.flow import Flow
from ...engine.measures import Particles
from ...engine.spaces import Euclidean
from ...experiments.scenario import Scenario, dumps
from ...experiments.scenario.data import OWN_RULES, SPACES
from ...experiments.scenario.matrix import Course, Diagonal, Drawn, Stored
from ...papers.register import Asked, find_claim, nearest
from ...theory.limits.gathering import Gathering
from .blocks import Block, Cell
from .endings import ENDINGS, ending_of, energy_words, gathered
from .facts import Facts
from .formula import symbols
from .headlines import without_extras
from .numbers import rounded, three
from .verdicts import LEGEND, MEASURED, verdict

PROMPTS = {
    "sphere": "uniform on the sphere", "ball": "uniform in a ball", "cube": "uniform in a cube",
    "gaussian": "drawn from a Gaussian", "mixture": "drawn from a mixture of Gaussians", "caps": "in caps of the sphere",
    "polygon": "a regular polygon", "simplex": "a regular simplex", "equiangular": "at equal angles",
    "quantiles": "at the quantiles of a law", "quadrature": "quadrature nodes of a law", "array": "given one by one",
    "file": "read from a file", "law": "a Gaussian law, moved by its closed equation", "model": "states of a trained model",
}  # fmt: skip

FREE = ("ball", "cube", "gaussian", "mixture", "quantiles", "array", "file")
"""Prompts whose tokens need not have length 1."""
PLACES = {"sphere": "on the unit sphere", "euclidean": "in R^d"}
NO_FORMULA = "The equation is not written out: no formula is known for this rule or scheme."


def story(facts: Facts, files: dict[str, str]) -> list[Block]:
    """The whole report; `files` maps file names to what they hold."""
    blocks = [Block("title", facts.scenario.title or "A run of attnflow"), Block("text", summary(facts))]
    blocks += _pictures(files)
    blocks += [Block("heading", "What was run"), *_equation(facts), Block("items", what_was_run(facts))]
    blocks += [Block("heading", "What theory says, and what happened"), *_table(facts)]
    blocks += [Block("items", what_happened(facts))]
    blocks += [Block("heading", "Appendix"), *_appendix(facts, files)]
    return [*blocks, Block("text", "Computed with " + ", ".join(f"{n} {v}" for n, v in versions().items()) + ".")]


FARED = {
    "holds": ("holds", "hold"),
    "consistent": ("is consistent", "are consistent"),
    "undecided": ("is undecided", "are undecided"),
    "refuted": ("does not agree", "do not agree"),
    "error": ("could not be judged", "could not be judged"),
}


def summary(facts: Facts) -> str:
    """One sentence on how it ended and whether theory agreed."""
    run = facts.run
    how = ending_of(facts.groups) if facts.groups is not None else ENDINGS[run.status.name].format(t=_end(run))
    verdicts = [h.verdict for h in facts.headlines if h.verdict != MEASURED]
    return f"{how.rstrip('.')}.{_fared(verdicts)}"


def _fared(verdicts: list[str]) -> str:
    """How the headline predictions fared, as a sentence."""
    counts = [(verdicts.count(name), forms) for name, forms in FARED.items() if name in verdicts]
    if len(verdicts) < 2:
        return "".join(f" The one headline prediction {one}." for _, (one, _) in counts)
    parts = [f"{count} {one if count == 1 else many}" for count, (one, many) in counts]
    return f" Of {len(verdicts)} headline predictions, {', '.join(parts)}."


def _pictures(files: dict[str, str]) -> list[Block]:
    shown = [name for name in ("figure.png", "figure.svg") if name in files][:1]
    blocks = [Block("picture", name, files[name].capitalize()) for name in shown]
    return blocks + ([Block("player", "animation.gif", "The tokens in motion")] if "animation.gif" in files else [])


def _equation(facts: Facts) -> list[Block]:
    formula = facts.run.equation()
    if not formula:
        return [Block("text", NO_FORMULA)] if isinstance(facts.run.flow, Flow) else []
    listed = symbols(facts.run)
    if facts.energies is not None and facts.energies.is_normalised:
        listed.append((rf"E = {facts.energies.formula}", _about_energy(facts.energies)))
    return [Block("formula", formula), Block("symbols", listed)]


def _about_energy(found: Energies) -> str:
    """What the energy is between 0 and 1."""
    if not found.levels:
        return "the energy, shown between its least and its greatest value in this run"
    low = next((level.value for level in found.levels if level.words == "uniform law"), None)
    least = "" if low is None else f" and {three(low)} for the uniform law"
    return f"normalised energy, μ the law of the tokens: 1 for one cluster{least}"


def what_was_run(facts: Facts) -> list[str]:
    scenario = facts.scenario
    return [_tokens(facts), _attention(scenario), _motion(scenario), _time(facts)]


def _tokens(facts: Facts) -> str:
    tokens, states = facts.scenario.tokens, facts.run.states
    how = PROMPTS.get(tokens.kind, tokens.kind.replace("_", " "))
    if not isinstance(states, Particles):
        return f"The prompt is {how}, in dimension {states.d}."
    space = facts.scenario.flow.space
    is_free = isinstance(getattr(facts.run.flow, "state_space", None), Euclidean)
    if not is_free and (space != "sphere" or tokens.kind in FREE):
        how += ", each then put on the space by its retraction"
    return f"{states.n:,} tokens in dimension {states.d}, {how} (seed {facts.scenario.seed})."


def _attention(scenario: Scenario) -> str:
    part = scenario.attention
    masks = [name for name, given in (("causal", part.causal), ("masked by position", part.positions and not part.slope),
             ("masked by a table", part.table), ("biased by distance", part.slope)) if given]  # fmt: skip
    if part.heads:
        heads = "; ".join(f"{head.rule} with {_values(head)}" for head in part.heads)
        return f"{len(part.heads)} heads: {heads}{_also(masks)}."
    own = _about(OWN_RULES.get(part.rule))
    return f"{part.rule.capitalize()} attention{own} with {_values(part)}{_also(masks)}."


def _about(made) -> str:
    """What a user says of a rule or a space: the first line of its docstring, in brackets."""
    line = (inspect.getdoc(made) or "").partition("\n")[0].rstrip(".").replace("$", "") if callable(made) else ""
    # A dataclass without a docstring gets its signature for one.
    return f" ({line})" if line and not line.startswith(f"{getattr(made, '__name__', 'partial')}(") else ""


def _also(masks: list[str]) -> str:
    return f", {', '.join(masks)}" if masks else ""


def _values(part) -> str:
    names = ("B", "Q", "K", "V", "beta", "eps", "scale", "bias", "iterations", "total", "others")
    given = [(name, getattr(part, name)) for name in names if getattr(part, name) is not None]
    given += part.own.items()
    letters = {"beta": "β", "eps": "ε"}
    return ", ".join(f"{letters.get(name, name)} = {short(value)}" for name, value in given) or "its default weights"


def short(value) -> str:
    """A matrix or number in a few words."""
    match value:
        case float():
            return f"{value:g}".replace("-", "−")
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
    place = PLACES.get(motion.space, f"in the space “{motion.space}”{_about(SPACES[motion.space])}")
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


def _time(facts: Facts) -> str:
    time, run = facts.scenario.time, facts.run
    saves = time.save if isinstance(time.save, int) else len(time.save)
    if run.stride is not None:
        how = f"in fixed steps of {run.stride.step:g} ({run.stride.method.replace('_', ' ')})"
    elif time.step:
        how = f"in fixed steps of {time.step:g}"
    else:
        how = "in steps that follow the error" + (f", at most {time.tol:g} each" if time.tol else "")
    merge = f"; tokens closer than {time.merge:g} become one" if time.merge else ""
    took = f" It took {int(run.steps)} steps ({int(run.rejected)} rejected) and {facts.seconds:.1f} s"
    if facts.resumed:
        took += f" since it went on from {facts.resumed} checkpoints of a run that had been stopped"
    return f"Time runs from 0 to {time.until:g}, saved {saves} times, {how}{merge}.{took}."


def _table(facts: Facts) -> list[Block]:
    if not facts.headlines:
        return [Block("text", nothing_applies(facts))]
    rows = [(h.predicted, h.measured, Cell(h.verdict, h.claim)) for h in facts.headlines]
    return [Block("table", [("Predicted", "Measured", "Verdict"), *rows]), Block("text", LEGEND)]


def nothing_applies(facts: Facts) -> str:
    """Why there is no row: which theorem is nearest, and what fails."""
    if facts.study.note:
        return "No theorem was asked about so many tokens."
    if facts.predictions:
        return "The claims that apply are in the appendix: they are about any prompt, or this run cannot test them."
    missed = nearest(facts.study.asked)
    if not missed:
        simpler = without_extras(facts.run.flow, facts.run.at(0))
        if simpler is None:
            return "No theorem in the register is about flows of this kind."
        what, one = simpler
        return f"No theorem in the register is about such a flow with {what}. Without it the nearest would apply: {_named(one)}."
    first = missed[0]
    return f"No theorem applies to this run. The nearest is {_named(first)}; what fails: {what_fails(first)}."


def what_fails(one: Asked) -> str:
    """The hypotheses that a flow and a prompt miss, and by how much where that is a number."""
    return "; ".join(h.words if isnan(h.margin) else f"{h.words} (by {three(-h.margin)})" for h in one.missing)


def _named(one) -> str:
    return f"“{one.claim.title}” ({one.claim.key})"


def what_happened(facts: Facts) -> list[str]:
    run = facts.run
    said = [ENDINGS[run.status.name].format(t=_end(run))]
    if facts.groups is not None:
        said += gathered(facts.groups, _masses(facts.groups, run))
    if facts.energies is not None:
        said.append(energy_words(facts.energies))
    return said


def _masses(groups: Gathering, run):
    """The masses of the tokens that were counted: all, or a sample."""
    count = groups.labels.shape[1]
    return run.mass if count == run.states.n else [1 / count] * count


def _end(run) -> str:
    return three(float(run.status.time))


def _appendix(facts: Facts, files: dict[str, str]) -> list[Block]:
    """Everything else, folded."""
    parts = [("All predictions and checks", _claims(facts)), ("Clusters at the end", _cluster_table(facts))]
    parts += [("Nearest theorems that do not apply", _nearest(facts))]
    notes = [Block("items", list(facts.notes))] if facts.notes else []
    parts += [("Notes", notes), ("Files", [Block("table", [("File", "Holds"), *files.items()])])]
    again = "Run `attnflow run scenario.toml` on the file beside this report, or on these lines:"
    parts.append(("To repeat it", [Block("text", again), Block("code", dumps(facts.scenario))]))
    return [Block("folded", blocks, title) for title, blocks in parts if blocks]


def _claims(facts: Facts) -> list[Block]:
    """Every claim that speaks about the run, with its statement, what it predicts here and what was found."""
    checks = {check.claim: check for check in facts.checks}
    keys = dict.fromkeys(
        [p.claim for p in facts.predictions] + list(checks) + [h.claim for h in facts.headlines if h.claim]
    )
    if not keys:
        return []
    said = {p.claim: p for p in facts.predictions}
    entries = []
    for key in keys:
        claim, check = find_claim(key), checks.get(key)
        lines = [("Statement", claim.statement)]
        lines += [("Here", rounded(said[key].words))] if key in said else []
        lines += [("Measured", f"{verdict(check.outcome)}: {rounded(check.words)}")] if check is not None else []
        entries.append((key, f"{claim.title} ({claim.source})", lines))
    return [Block("claims", entries)]


def _cluster_table(facts: Facts) -> list[Block]:
    found = None if facts.groups is None else facts.groups.last
    if found is None or not 1 < found.count <= 12:
        return []
    rows = [
        (str(i + 1), f"{mass:.1%}", ", ".join(three(c) for c in centre[:4]) + (", …" if len(centre) > 4 else ""))
        for i, (mass, centre) in enumerate(zip(found.mass, found.centres))
    ]
    return [Block("table", [("Group", "Share of tokens", "Centre"), *rows])]


def _nearest(facts: Facts, most: int = 3) -> list[Block]:
    rows = [(one.claim.key, one.claim.title, what_fails(one)) for one in nearest(facts.study.asked)[:most]]
    return [Block("table", [("Claim", "Title", "What fails"), *rows])] if rows else []
