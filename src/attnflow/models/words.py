"""Words of a model: text to token numbers and back."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BadInput

INSTALL = 'reading text needs the package tokenizers: pip install "attnflow[models]"; or give token numbers'
SMILES = re.compile(r"\[[^\]]+\]|Br|Cl|>>|%\d\d|.")
"""Atoms in brackets, atoms of two letters, arrows, ring closures of two digits; else one sign is one token."""
AMINO = "ACDEFGHIKLMNPQRSTVWY"


@dataclass(frozen=True)
class Library:
    """A tokeniser of the `tokenizers` library."""

    tokenizer: Any

    def encode(self, text):
        return np.asarray(self.tokenizer.encode(text).ids)

    def names(self, ids):
        return tuple(self.tokenizer.id_to_token(int(i)) or f"#{int(i)}" for i in ids)


@dataclass(frozen=True)
class Smiles:
    """Reactions as SMILES, one token per atom or sign, between [CLS] and [SEP]."""

    vocabulary: tuple[str, ...]

    def encode(self, text):
        number = {word: i for i, word in enumerate(self.vocabulary)}
        words = ["[CLS]", *SMILES.findall("".join(text.split())), "[SEP]"]
        return np.asarray([number.get(word, number["[UNK]"]) for word in words])

    def names(self, ids):
        return tuple(self.vocabulary[int(i)] if 0 <= i < len(self.vocabulary) else f"#{int(i)}" for i in ids)


@dataclass(frozen=True)
class Merges:
    """The tokeniser of llama2.c: signs, joined pair by pair, the best score first."""

    vocabulary: tuple[bytes, ...]
    scores: tuple[float, ...]

    def encode(self, text):
        number = {word: i for i, word in enumerate(self.vocabulary)}
        ids = [] if not text else [number[b" "]] if b" " in number else []
        for sign in text:
            raw = sign.encode()
            # Signs outside the vocabulary are spelled in bytes, which come after three marks.
            ids += [number[raw]] if raw in number else [byte + 3 for byte in raw]
        while len(ids) > 1:
            joined = [number.get(self.vocabulary[a] + self.vocabulary[b], -1) for a, b in zip(ids, ids[1:])]
            best = max(range(len(joined)), key=lambda i: self.scores[joined[i]] if joined[i] >= 0 else -np.inf)
            if joined[best] < 0:
                break
            ids[best : best + 2] = [joined[best]]
        return np.asarray([1, *ids])

    def names(self, ids):
        return tuple(self.vocabulary[int(i)].decode(errors="replace").strip("\n") for i in ids)


@dataclass(frozen=True)
class Loops:
    """Six loops of a receptor, CDR1A|CDR2A|CDR3A|CDR1B|CDR2B|CDR3B, as letters of amino acids; empty where unknown."""

    def encode(self, text):
        loops = [loop.strip().upper().strip("-") for loop in text.strip().split("|")]
        if len(loops) != 6 or any(set(loop) - set(AMINO) for loop in loops):
            raise BadInput("a receptor is six loops of amino acids, CDR1A|CDR2A|CDR3A|CDR1B|CDR2B|CDR3B")
        rows = [(2, 0, 0, 0)]
        for number, loop in enumerate(loops, start=1):
            rows += [(3 + AMINO.index(letter), place, len(loop), number) for place, letter in enumerate(loop, start=1)]
        if len(rows) == 1:
            raise BadInput("a receptor needs at least one loop")
        return np.asarray(rows)

    def names(self, ids):
        marks = ("∅", "[MASK]", "[CLS]", *AMINO)
        return tuple(marks[int(i)] for i in np.asarray(ids)[:, 0])


def words_of(folder: Path | None, tail: tuple[Path, int] | None, kind: str | None = None):
    """The tokeniser beside the weights, or None."""
    if kind == "receptor":
        return Loops()
    if tail is not None:
        path, place = tail
        beside = path.with_name("tokenizer.bin")
        return _merges(beside, 0) if beside.is_file() else _merges(path, place) if _has_more(path, place) else None
    if folder is None:
        return None
    if kind == "smiles":
        lines = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        return Smiles(tuple(line.rstrip("\n") for line in lines))
    return _library(folder)


def _library(folder: Path):
    table, words = folder / "tokenizer.json", folder / "vocab.txt"
    if not table.is_file() and not words.is_file():
        return None
    try:
        import tokenizers
    except ImportError:
        return None
    try:
        if table.is_file():
            made = tokenizers.Tokenizer.from_file(str(table))
            made.no_padding()
            made.no_truncation()
        else:
            made = tokenizers.BertWordPieceTokenizer(str(words))
    except Exception as error:
        raise BadInput(f"{folder}: the tokeniser cannot be read ({' '.join(str(error).split())[:80]})") from None
    return Library(made)


def _has_more(path: Path, place: int) -> bool:
    return path.stat().st_size > place + 8


def _merges(path: Path, place: int) -> Merges | None:
    raw = path.read_bytes()[place:]
    words, scores, at = [], [], 4
    try:
        while at < len(raw):
            score, length = struct.unpack_from("<fi", raw, at)
            if not 0 <= length <= 1024:
                raise ValueError("a word of impossible length")
            words.append(raw[at + 8 : at + 8 + length])
            scores.append(score)
            at += 8 + length
    except (struct.error, ValueError) as error:
        raise BadInput(f"{path.name}: not a tokeniser of llama2.c ({error})") from None
    return Merges(tuple(words), tuple(scores))
