"""Reading a trained Transformer from a path, a state dict, a torch module, or an installed package."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..engine.linalg.arguments import as_annotated
from ..errors import BadInput
from .checking import check_source
from .families import FAMILIES
from .files.weights import Weights, weights_of
from .model import Model
from .packages import PREFIX, find_package
from .words import words_of


@as_annotated
def read_model(source, *, config: dict[str, Any] | None = None, check: bool = True) -> Model:
    """A trained Transformer as blocks.

    `source` is a folder or file (safetensors, npz, torch, llama2.c), a state dict, a torch module (Hugging Face,
    `HookedTransformer`), or `"package:NAME"` for an installed package with weights (`attnflow model list`). `config`
    adds to the configuration found beside the weights, e.g. `{"num_attention_heads": 12}` for a bare state dict.
    Torch files are read by an unpickler that builds tensors and refuses everything else. A Hugging Face module is asked for
    its states on a short prompt, and refused if the layers read from it do not give the same, unless `check=False`.

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
    found = replace(found, config={**found.config, **(config or {})})
    model = family_of(found).build(found)
    if check and hasattr(source, "state_dict"):
        check_source(model, source)
    words = words_of(found.folder, found.tail, None if known is None else known.words)
    return replace(model, words=words, name=label or model.name, source=label or model.source)


def family_of(weights: Weights):
    """The module of the family that the names of tensors belong to."""
    for module in FAMILIES.values():
        known_by = module.KNOWN_BY if isinstance(module.KNOWN_BY, tuple) else (module.KNOWN_BY,)
        if any(name.endswith(suffix) for suffix in known_by for name in weights.tensors):
            return module
    looked = ", ".join(f"{family}" for family in FAMILIES)
    some = ", ".join(sorted(weights.tensors)[:2]) or "none at all"
    raise BadInput(f"no known family among {len(weights.tensors)} tensors ({some[:70]}…); looked for {looked}"[:198])
