"""Keys of scenario files and what they mean, for `list keys`; `new`: a commented file to start from."""

from __future__ import annotations

import tomllib
from pathlib import Path

from ...errors import BadInput
from .answer import Answer

ABOUT = {
    "title": "what the run shows, in one line",
    "seed": "seed of all that is random",
    "tokens.kind": "first prompt: `attnflow list tokens` shows all kinds and what they take",
    "attention.rule": "who listens to whom: `attnflow list rules` shows formulas",
    "attention.B": "score matrix: a number, rows, {diagonal = [...]}, {random = \"gaussian\"} or {file = \"B.npy\"}",
    "attention.Q": "query matrix, instead of B, with K",
    "attention.K": "key matrix, instead of B, with Q",
    "attention.V": "value matrix of one of several heads",
    "attention.beta": "inverse temperature: how sharply tokens listen",
    "attention.scale": "constant of unnormalised weights: a number, mean, shifted or sum",
    "attention.bias": "added to the scores of sigmoid attention: a number or \"-log n\"",
    "attention.total": "sigmoid attention summed over tokens, not averaged",
    "attention.eps": "temperature of Sinkhorn attention",
    "attention.iterations": "half-steps of Sinkhorn attention, rows first; left out: until it converges",
    "attention.tol": "error at which Sinkhorn attention has converged",
    "attention.ties": "scores that differ by less are equal under hardmax attention",
    "attention.others": "hardmax attention among the other tokens only",
    "attention.heads": "several rules, each with its own V: [[attention.heads]]",
    "attention.causal": "a token hears itself and those before it",
    "attention.positions": "a token hears those of at most its own position",
    "attention.table": "who hears whom: rows of true and false",
    "attention.slope": "scores fall by this times the distance of positions",
    "attention.average": "masked averages over what is heard, or over all",
    "flow.space": "sphere or euclidean",
    "flow.V": "value matrix: as attention.B",
    "flow.rescaled": "watch z = exp(-tV) x instead of x",
    "flow.normalisation": "where layer normalisation sits: post_ln, pre_ln, peri_ln, mix_ln, ngpt or sqrt_ln",
    "flow.tau": "when mix_ln switches from post_ln to pre_ln",
    "flow.alpha": "step size of ngpt",
    "flow.feed_forward": "a layer w σ(a x + b) beside attention: [flow.feed_forward]",
    "flow.noise": "strength σ of the noise in dX = v dt + σ dW; needs time.step",
    "time.until": "when the run ends",
    "time.save": "how many times are saved, or a list of them",
    "time.spacing": "saved times go as this power of their number: 1 is even, 2 denser early, 6 for log time",
    "time.tol": "local error of adaptive steps",
    "time.method": "adaptive, tsit5, dopri5, dopri8, stiff, euler, midpoint, heun or rk4",
    "time.step": "length of fixed steps",
    "time.merge": "tokens that come this near become one",
    "time.steady": "stop when no token moves faster than this",
    "time.max_steps": "give up after so many steps",
    "time.summation": "auto, exact or fast (Fourier sums, in dimension at most 3)",
    "time.jumps": "times at which weights that depend on time jump",
    "output.figure": "formats of the figure: png, pdf, svg",
    "output.animation": "whether an animation is made",
    "output.page": "whether one HTML file that plays the run is left too",
    "output.chunk": "saved times between two checkpoints",
    "sweep.axes": "of files for `attnflow sweep`: keys that vary, with values or {logspace = [first, last, count]}",
    "sweep.paired": "axes that vary together: [[\"attention.beta\", \"tokens.n\"]]",
    "sweep.measure": "what is measured of every run: `attnflow list observables`",
    "sweep.repeat": "runs at every place of the axes, each with its own seed",
    "sweep.budget": "longest time it may take: 90s, 10m or 2h",
    "sweep.theory": "formulas to draw beside what is measured",
}  # fmt: skip

SWEEP = tuple(key.removeprefix("sweep.") for key in ABOUT if key.startswith("sweep."))
SECTIONS = ("tokens", "attention", "flow", "time", "output")

RULES = {
    "softmax": "w_ij = m_j exp(β⟨x_i, B x_j⟩) / Σ_k m_k exp(β⟨x_i, B x_k⟩)",
    "unnormalised": "w_ij = m_j exp(β⟨x_i, B x_j⟩)",
    "l2": "w_ij = m_j exp(−β|Q x_i − K x_j|²) / Σ_k …",
    "sigmoid": "w_ij = m_j / (1 + exp(−β⟨x_i, B x_j⟩ − bias))",
    "linear": "w_ij = m_j ⟨x_i, B x_j⟩",
    "relu": "w_ij = m_j max(⟨x_i, B x_j⟩, 0)",
    "sinkhorn": "w_ij = m_j exp(⟨x_i, B x_j⟩/ε + f_i + g_j), rows and columns sum to 1",
    "hardmax": "w_ij equal on the tokens of largest ⟨x_i, B x_j⟩, else 0",
}
"""Weights with which token i hears token j; m_j are shares that sum to 1."""


def keys() -> list[tuple[str, str, str]]:
    """Every key, its default or kind, and its meaning."""
    from ...experiments.scenario.schema import schema

    known = schema()["properties"]
    rows = [(key, _kind(known[key]), ABOUT.get(key, "")) for key in ("title", "seed")]
    for section in SECTIONS:
        own = _properties(known[section])
        names = (
            ["kind"] if section == "tokens" else [name for name in own if f"{section}.{name}" in ABOUT or name != "own"]
        )
        rows += [(f"{section}.{name}", _kind(own.get(name, {})), ABOUT.get(f"{section}.{name}", "")) for name in names]
    return rows + [(f"sweep.{name}", "", ABOUT[f"sweep.{name}"]) for name in SWEEP]


def _properties(table: dict) -> dict:
    """The keys of a section, of all its variants."""
    if "properties" in table:
        return table["properties"]
    found: dict = {}
    for variant in table.get("oneOf", ()):
        for name, value in variant["properties"].items():
            found.setdefault(name, value)
    return found


def _kind(value: dict) -> str:
    if "default" in value:
        return f"{value['default']}"
    if "enum" in value:
        return " | ".join(map(str, value["enum"]))
    named = {"#/$defs/matrix": "matrix", "#/$defs/scalar": "number or course"}
    return named.get(value.get("$ref", ""), str(value.get("type", "")))


def write_template(words: list[str], *, replace: bool) -> Answer:
    """A file with the values of a ready-made scenario, each explained, and the other keys as comments."""
    kind, target = _asked(words)
    from ...engine.files.whole import whole
    from ...experiments.scenario.ready_made import ready_made, ready_sweeps

    known = ready_sweeps() | ready_made()
    if kind not in known:
        from ...experiments.scenario.reading import meant

        raise BadInput(f"{kind}: no such kind{meant(kind, known)}; there are {', '.join(sorted(known))}")
    if target.suffix != ".toml":
        raise BadInput(
            f"{target}: a scenario file ends in .toml; e.g. attnflow new {kind} {target.stem or 'mine'}.toml"
        )
    if (target.exists() or target.is_symlink()) and not replace:
        raise BadInput(f"{target} exists already; give --replace to overwrite it, or another name")
    if not target.absolute().parent.is_dir():
        raise BadInput(f"{target}: the folder {target.parent} does not exist")
    source = known[kind].read_text(encoding="utf-8")
    text = template(source, kind)
    with whole(target) as draft:
        draft.write_text(text, encoding="utf-8")
    is_sweep = "sweep" in tomllib.loads(source)
    hint = f"attnflow sweep {target}" if is_sweep else f"attnflow predict {target}, then: attnflow run {target}"
    lines = [f"wrote {target}", f"try: {hint}"]
    return Answer({"file": str(target), "kind": kind}, lines)


def _asked(words: list[str]) -> tuple[str, Path]:
    match words:
        case [name]:
            return "default", Path(name)
        case [kind, name]:
            return kind, Path(name)
    raise BadInput("new takes [KIND] FILE.toml, e.g. attnflow new noisy mine.toml")


def template(text: str, kind: str) -> str:
    """The lines of a scenario with a comment on each key, and every key it does not use commented out."""
    given = tomllib.loads(text)
    command = "sweep" if "sweep" in given else "run"
    lines = [
        f"# A scenario of attnflow, made from {kind!r}. `attnflow list keys` shows all keys; `{command}` takes this file."
    ]
    lines += [_line(key, _value(text, key), key) for key in ("title", "seed") if key in given]
    for section in SECTIONS:
        table = given.get(section, {})
        lines += ["", f"[{section}]"]
        lines += [
            _line(name, _value(text, name, section), f"{section}.{name}")
            for name in table
            if not _is_table(table[name])
        ]
        spare = [
            (key, kept) for key, kept, _ in keys() if key.startswith(f"{section}.") and key.split(".")[1] not in table
        ]
        lines += [
            f"# {key.split('.')[1]} = …  # {ABOUT.get(key, '')}" + (f" [{kept}]" if kept else "") for key, kept in spare
        ]
        lines += [_subtable(text, section, name) for name in table if _is_table(table[name])]
    if "sweep" in given:
        lines += ["", *_sweep(text)]
    return "\n".join(lines) + "\n"


def _sweep(text: str) -> list[str]:
    """The tables of a sweep as they are written, under what each of their keys means."""
    about = [f"# {name}: {ABOUT[f'sweep.{name}']}" for name in SWEEP]
    kept, inside = [], False
    for line in text.splitlines():
        if line.startswith("["):
            inside = line.strip("[] ").split(".")[0] == "sweep"
        if inside:
            kept.append(line)
    return [*about, *kept]


def _is_table(value) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _line(name: str, value: str, key: str) -> str:
    about = ABOUT.get(key)
    return f"{name} = {value}" + (f"  # {about}" if about else "")


def _value(text: str, name: str, section: str | None = None) -> str:
    """The value as it is written in the file."""
    inside: str | None = None
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("["):
            inside = bare.strip("[]")
        elif inside == section and bare.split("=")[0].strip() == name:
            return bare.split("=", 1)[1].strip()
    raise KeyError(name)


def _subtable(text: str, section: str, name: str) -> str:
    mark = f"[[{section}.{name}]]"
    return text[text.index(mark) :].strip() if mark in text else ""
