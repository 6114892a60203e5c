"""Torch files of tensors, read without torch by an unpickler that can build tensors and nothing else.

A pickle is a program. This reader knows the handful of names with which tensors are written and refuses every other one,
so a file can lie about numbers but cannot run code.
"""

from __future__ import annotations

import io
import math
import pickle
import struct
import zipfile
import zlib
from collections import OrderedDict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...errors import BadInput

MAGIC, PROTOCOL = 0x1950A86A20F9469CFC6C, 1001
"""How torch files before version 1.6 begin."""
TYPES = {
    "FloatStorage": "<f4", "DoubleStorage": "<f8", "HalfStorage": "<f2", "LongStorage": "<i8", "IntStorage": "<i4",
    "ShortStorage": "<i2", "CharStorage": "i1", "ByteStorage": "u1", "BoolStorage": "?", "BFloat16Storage": "bf16",
}  # fmt: skip


class Storage(NamedTuple):
    """Where the numbers of tensors lie."""

    type: str
    key: str
    count: int


class Tensor(NamedTuple):
    """A window into a storage."""

    storage: Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def read_torch(path: Path) -> dict[str, np.ndarray]:
    """The tensors of a torch file by name."""
    try:
        return _read_zip(path) if zipfile.is_zipfile(path) else _read_legacy(path)
    except (pickle.UnpicklingError, EOFError, OSError, KeyError, ValueError, TypeError, IndexError, struct.error, OverflowError,
            AttributeError, zipfile.BadZipFile, zlib.error, MemoryError, RecursionError, RuntimeError) as error:  # fmt: skip
        words = " ".join(str(error).split())[:80]
        raise BadInput(f"{path.name}: not a readable torch file of tensors ({words or type(error).__name__})") from None


def check_sizes(archive: zipfile.ZipFile | None, path: Path) -> None:
    """Raise for archives that would unpack to far more than their size: weights hardly shrink."""
    total = sum(entry.file_size for entry in archive.infolist()) if archive is not None else 0
    if total > 2**20 + 50 * path.stat().st_size:
        raise ValueError(f"it would unpack to {total / 2**20:.0f} MB: no weights shrink like that")


def _read_zip(path: Path) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        home = next((name.removesuffix("data.pkl") for name in names if name.endswith("data.pkl")), None)
        if home is None:
            raise ValueError("no data.pkl inside")
        if archive.getinfo(f"{home}data.pkl").file_size > 2**26:
            raise ValueError("its table of tensors is larger than 64 MB")
        check_sizes(archive, path)
        tree = Restricted(io.BytesIO(archive.read(f"{home}data.pkl"))).load()
        kept: dict[str, bytes] = {}

        def bytes_of(storage: Storage) -> bytes:
            if storage.key not in kept:
                kept[storage.key] = archive.read(f"{home}data/{storage.key}")
            return kept[storage.key]

        return {name: _array(tensor, bytes_of(tensor.storage)) for name, tensor in _tensors(tree)}


def _read_legacy(path: Path) -> dict[str, np.ndarray]:
    with path.open("rb") as file:
        if Restricted(file).load() != MAGIC or Restricted(file).load() != PROTOCOL:
            raise ValueError("it does not begin as torch files do")
        Restricted(file).load()
        tree = Restricted(file).load()
        keys = Restricted(file).load()
        storages = {tensor.storage.key: tensor.storage for _, tensor in _tensors(tree)}
        kept = {}
        for key in keys:
            (count,) = struct.unpack("<q", file.read(8))
            if key in storages:
                kept[key] = file.read(count * _width(storages[key]))
            else:
                raise ValueError(f"storage {key!r} belongs to no tensor")
        return {name: _array(tensor, kept[tensor.storage.key]) for name, tensor in _tensors(tree)}


class Restricted(pickle.Unpickler):
    """An unpickler that knows tensors, their storages and ordered tables, and refuses all other names."""

    def find_class(self, module, name):
        known: dict[tuple[str, str], Any] = {
            ("collections", "OrderedDict"): OrderedDict,
            ("torch._utils", "_rebuild_tensor_v2"): _rebuild,
            ("torch._utils", "_rebuild_tensor"): _rebuild,
            ("torch._utils", "_rebuild_parameter"): lambda data, *rest: data,
            ("torch", "Size"): tuple,
        }
        if (module, name) in known:
            return known[module, name]
        if module in ("torch", "torch.storage") and name in TYPES:
            return name
        raise pickle.UnpicklingError(f"refused {module}.{name}: only tensors are read, no code is run")

    def persistent_load(self, pid):
        kind, storage_type, key, _, count, *_ = pid
        if kind != "storage" or storage_type not in TYPES:
            raise pickle.UnpicklingError(f"refused {str(kind)[:40]!r}: only storages are read")
        return Storage(storage_type, str(key), int(count))


def _rebuild(storage, offset, size, stride, *rest) -> Tensor:
    if not isinstance(storage, Storage):
        raise pickle.UnpicklingError("a tensor without a storage")
    return Tensor(storage, int(offset), tuple(int(s) for s in size), tuple(int(s) for s in stride))


def _tensors(tree) -> list[tuple[str, Tensor]]:
    """Every tensor of nested tables, names joined by dots; common wrappers such as "state_dict" are taken off."""
    if not isinstance(tree, dict):
        raise ValueError("it holds no table of tensors")
    for wrapper in ("state_dict", "model_state_dict", "model"):
        if isinstance(tree.get(wrapper), dict):
            return _tensors(tree[wrapper])
    return [(str(name), value) for name, value in tree.items() if isinstance(value, Tensor)]


def _width(storage: Storage) -> int:
    return 2 if TYPES[storage.type] == "bf16" else np.dtype(TYPES[storage.type]).itemsize


def _array(tensor: Tensor, raw: bytes) -> np.ndarray:
    """The numbers of a tensor; a window that leaves its storage is refused."""
    storage = tensor.storage
    if TYPES[storage.type] == "bf16":
        flat = (np.frombuffer(raw, "<u2").astype(np.uint32) << 16).view(np.float32)
    else:
        flat = np.frombuffer(raw, TYPES[storage.type])
    if len(tensor.shape) != len(tensor.strides) or min((0, tensor.offset, *tensor.shape, *tensor.strides)) < 0:
        raise ValueError("a tensor with a negative size")
    last = tensor.offset + sum((n - 1) * s for n, s in zip(tensor.shape, tensor.strides))
    if 0 not in tensor.shape and last >= len(flat):
        raise ValueError("a tensor reaches beyond its storage: the file is truncated or damaged")
    if math.prod(tensor.shape) > max(len(flat), 2**20):
        raise ValueError("a tensor with more entries than its storage")
    strides = [s * flat.itemsize for s in tensor.strides]
    return np.array(np.lib.stride_tricks.as_strided(flat[tensor.offset :], tensor.shape, strides, writeable=False))
