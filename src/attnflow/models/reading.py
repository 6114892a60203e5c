"""Reading a trained Transformer from a path, a state dict, a torch module, or an installed package."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..engine.linalg.arguments import as_annotated
from ..errors import BadInput, quoted
from .checking import check_source
from .families import FAMILIES
from .families.known import WAY_OUT, Told, refuse_unread
from .files.weights import Weights, weights_of
from .model import Model
from .packages import PREFIX, find_package
from .words import words_of


@as_annotated
def read_model(source, *, config: dict[str, Any] | None = None, check: bool = True) -> Model:
    """A trained Transformer as blocks.

    `source` is a folder or file (safetensors, npz, torch, llama2.c), a state dict, a torch module (Hugging Face,
    `HookedTransformer`), or `"package:NAME"` for an installed package with weights (`attnflow model list`). `config`
    adds to the configuration found beside the weights, e.g. `{"model_type": "bert", "num_attention_heads": 12}` for a
    bare state dict.
    Torch files are read by an unpickler that builds tensors and refuses everything else. A kind of model, a tensor or an
    entry of the configuration that is not known is refused; so is a torch module whose own states on a short prompt differ
    from those of the layers read from it. With `check=False` only the kind must be known.

    >>> import attnflow as af
    >>> model = af.read_model("package:rxnmapper")  # doctest: +SKIP
    >>> model = af.models.random_albert()  # a state dict of random numbers, read
    >>> model
    Model(family = ALBERT, name = ALBERT, layers = 4, shared, d = 8, heads = 2 of dimension 4, tokens = all hear all,
    norms = post-LN)
    """
    known, label = None, None
    if isinstance(source, str) and source.startswith(PREFIX):
        label = source.removeprefix(PREFIX)
        source, known = find_package(source)
    found = weights_of(source)
    told, tensors = Told(_joined(found.config, config or {})), Told(found.tensors)
    found = replace(found, config=told, tensors=tensors)
    family, prefix, stem = family_of(found)
    model = family.build(found)
    if check:
        refuse_unread(tensors, told, prefix, model.depth)
    if check and hasattr(source, "state_dict"):
        check_source(model, source, f"{prefix}{stem}")
    words = words_of(found.folder, found.tail, None if known is None else known.words)
    return replace(model, words=words, name=label or model.name, source=label or model.source, config=dict(told))


def _joined(found: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The configuration found beside weights with that given, which must agree with the options of torch's own layers."""
    for name in found if "norm_first" in found else ():
        if given.get(name, found[name]) != found[name]:
            raise BadInput(f"the module has {name} = {found[name]}, but config says {quoted(str(given[name])[:40])}")
    return {**found, **given}


def family_of(weights: Weights) -> tuple[Any, str, str]:
    """The module of the family that the names of tensors belong to, what stands before these, and where layers are."""
    for module in FAMILIES.values():
        for suffix in module.KNOWN_BY if isinstance(module.KNOWN_BY, tuple) else (module.KNOWN_BY,):
            prefixes = {name.removesuffix(suffix) for name in weights.tensors if name.endswith(suffix)}
            if len(prefixes) > 1:
                raise BadInput(
                    f"there are {len(prefixes)} models among the weights, {', '.join(sorted(prefixes))[:90]}: give one"
                )
            if prefixes:
                return module, prefixes.pop(), suffix.partition(".0.")[0]
    looked, kind = ", ".join(FAMILIES), weights.config.get("model_type")
    what = f"model_type {quoted(str(kind)[:30])}" if kind else f"{len(weights.tensors)} tensors"
    raise BadInput(f"no known family: {what}; looked for {looked}; {WAY_OUT}")
