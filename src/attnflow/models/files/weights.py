"""Weights of a model as NumPy arrays by name, from whatever holds them; no file here can run code."""

from __future__ import annotations

import json
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...engine.linalg.array_files import regular
from ...errors import BadInput
from .llama2c import is_llama2c, read_llama2c
from .torch_file import check_sizes, read_torch

FILES = ("model.safetensors", "pytorch_model.bin", "state_dict.pt", "model.npz", "model.bin", "llama2.data")
"""What a folder of a model may hold, best first."""
INSTALL = 'reading safetensors needs the package of that name: pip install "attnflow[models]"'


@dataclass(frozen=True)
class Weights:
    """Tensors by name, the configuration beside them, and where they came from."""

    tensors: dict[str, np.ndarray]
    config: dict[str, Any] = field(default_factory=dict)
    folder: Path | None = None
    source: str = "given"
    tail: tuple[Path, int] | None = None
    """A file and the place in it where a tokeniser follows the weights (llama2.c)."""


def weights_of(source) -> Weights:
    """The weights of a path, a state dict, or any module with a `state_dict()`."""
    if isinstance(source, str | Path):
        return _from_path(Path(source))
    if isinstance(source, Mapping):
        return Weights(_plain(source))
    if hasattr(source, "state_dict"):
        return Weights(_plain(source.state_dict()), _config_of(source), source=type(source).__name__)
    raise BadInput(f"a model is a path, a state dict or a torch module, got {type(source).__name__}")


def _from_path(path: Path) -> Weights:
    if os.path.isdir(path):  # unlike Path.is_dir, it answers for names that no file can have
        return _from_folder(path)
    path = regular(path)
    config, tail = read_config(path.parent), None
    match path.suffix:
        case ".safetensors":
            tensors = _read_safetensors(path)
        case ".npz":
            tensors = read_npz(path)
        case ".bin" | ".pt" | ".pth" | ".data" | ".ckpt":
            if not zipfile.is_zipfile(path) and not _is_pickle(path) and is_llama2c(path):
                tensors, config, end = read_llama2c(path)
                tail = (path, end)
            else:
                tensors = read_torch(path)
        case _:
            raise BadInput(f"{path.name}: weights are read from .safetensors, .npz, .bin, .pt, .pth or llama2.c files")
    return Weights(tensors, config, path.parent, str(path), tail)


def _from_folder(folder: Path) -> Weights:
    parts = _parts(folder)
    if parts is None:
        return _from_path(_single(folder))
    tensors: dict[str, np.ndarray] = {}
    for part in parts:
        tensors |= _read_safetensors(regular(part))
    return Weights(tensors, read_config(folder), folder, str(folder))


def _parts(folder: Path) -> list[Path] | None:
    """The files of weights that are cut into several, by their index."""
    index = folder / "model.safetensors.index.json"
    if not index.is_file():
        return None
    table = _read_json(index).get("weight_map")
    if not isinstance(table, dict) or not table:
        raise BadInput(f"{index.name}: must tell the file of every tensor under weight_map")
    return [folder / Path(part).name for part in sorted({str(part) for part in table.values()})]


def _single(folder: Path) -> Path:
    for name in FILES:
        if (folder / name).is_file():
            return folder / name
    raise BadInput(f"{folder}: no weights here; looked for {', '.join(FILES)}")


def files_of_weights(path: Path) -> list[Path]:
    """The files that weights at a path are read from, with the configuration beside them."""
    is_folder = os.path.isdir(path)
    files = (_parts(path) or [_single(path)]) if is_folder else [path]
    config = (path if is_folder else path.parent) / "config.json"
    return [*files, config] if config.is_file() else files


def read_config(folder: Path) -> dict[str, Any]:
    """The config.json beside the weights, or nothing."""
    path = folder / "config.json"
    return _read_json(path) if path.is_file() else {}


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(regular(path, most=2**26).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path.name}: not readable JSON ({str(error)[:60]})") from None
    if not isinstance(found, dict):
        raise BadInput(f"{path.name}: must hold a table, got {type(found).__name__}")
    return found


def _read_safetensors(path: Path) -> dict[str, np.ndarray]:
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise BadInput(INSTALL) from None
    try:
        with safe_open(path, framework="numpy") as file:
            return {name: _tensor(file, name, path) for name in file.keys()}  # noqa: SIM118 — it is no table
    except (SafetensorError, ValueError, TypeError, KeyError, OverflowError, MemoryError, OSError) as error:
        raise BadInput(f"{path.name}: not a readable safetensors file ({' '.join(str(error).split())[:80]})") from None


def _tensor(file, name, path: Path) -> np.ndarray:
    kind = file.get_slice(name).get_dtype()
    if kind != "BF16":
        return file.get_tensor(name)
    # NumPy has no bfloat16: its bytes are the upper halves of float32 numbers.
    with path.open("rb") as raw:
        length = int.from_bytes(raw.read(8), "little")
        entry = json.loads(raw.read(length))[name]
        begin, end = entry["data_offsets"]
        raw.seek(8 + length + begin)
        halves = np.frombuffer(raw.read(end - begin), "<u2")
    return (halves.astype(np.uint32) << 16).view(np.float32).reshape(entry["shape"])


def read_npz(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an .npz by name."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            check_sizes(archive.zip, path)
            return {name: np.asarray(archive[name]) for name in archive.files}
    except (ValueError, OSError, EOFError, LookupError, zipfile.BadZipFile, zlib.error, MemoryError, SyntaxError, TypeError,
            OverflowError, RuntimeError, struct.error, AttributeError) as error:  # fmt: skip
        raise BadInput(f"{path.name}: not a readable .npz of arrays ({' '.join(str(error).split())[:80]})") from None


def _is_pickle(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) in (b"\x80\x02", b"\x80\x03", b"\x80\x04")


def _plain(tensors: Mapping) -> dict[str, np.ndarray]:
    made = {}
    for name, value in tensors.items():
        if hasattr(value, "detach"):
            value = value.detach().cpu()
            value = value.float() if "bfloat16" in str(getattr(value, "dtype", "")) else value
        # A copy: who gave the tensors may go on training them.
        made[str(name)] = np.array(value)
    return made


def _config_of(module) -> dict[str, Any]:
    """The configuration a module or the first part of it carries: `config`, `cfg`, or the options of torch's own layers."""
    for part in module.modules() if hasattr(module, "modules") else (module,):
        config = getattr(part, "config", None) or getattr(part, "cfg", None)
        if config is not None:
            return dict(config.to_dict() if hasattr(config, "to_dict") else vars(config))
        if hasattr(part, "norm_first") and hasattr(part, "self_attn"):
            return {"nhead": part.self_attn.num_heads, "norm_first": part.norm_first, "layer_norm_eps": part.norm1.eps,
                    "activation": _called(part.activation)}  # fmt: skip
    return {}


def _called(activation) -> str:
    """The name of a function, or of a module such as GELU(approximate="tanh")."""
    is_tanh = getattr(activation, "approximate", "none") == "tanh"
    name = str(getattr(activation, "__name__", type(activation).__name__)).lower()
    return "gelu_pytorch_tanh" if is_tanh else name
