"""Torch files written without torch, as both its versions write them."""

import io
import pickle
import struct
import zipfile

import numpy as np

from attnflow.models.files.torch_file import MAGIC, PROTOCOL


class Storage:
    """Pickles as torch writes them: a tensor is a window into a storage named by a persistent id."""

    def __init__(self, key, array):
        self.key, self.array = key, array


class _Rebuilt:
    def __init__(self, storage):
        self.storage = storage

    def __reduce__(self):
        array = self.storage.array
        strides = tuple(s // array.itemsize for s in array.strides)
        return _call("torch._utils", "_rebuild_tensor_v2"), (self.storage, 0, array.shape, strides, False, {})


def _call(module, name):
    """A function that pickles as the name of another module."""

    def stand_in(*args):
        raise AssertionError

    stand_in.__module__, stand_in.__qualname__, stand_in.__name__ = module, name, name
    return stand_in


class Torch(pickle._Pickler):
    def persistent_id(self, obj):
        if isinstance(obj, Storage):
            return ("storage", _call("torch", "FloatStorage"), obj.key, "cpu", obj.array.size)
        return None

    def save_global(self, obj, name=None):
        self.write(pickle.GLOBAL + f"{obj.__module__}\n{name or obj.__qualname__}\n".encode())
        self.memoize(obj)


for _kind in (type(_call),):
    Torch.dispatch = dict(Torch.dispatch) | {_kind: Torch.save_global}


def pickled(tree) -> bytes:
    raw = io.BytesIO()
    Torch(raw, protocol=2).dump(tree)
    return raw.getvalue()


def storages(state):
    return {name: Storage(str(i), np.ascontiguousarray(value, "<f4")) for i, (name, value) in enumerate(state.items())}


def write_zip(path, state):
    kept = storages(state)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model/data.pkl", pickled({name: _Rebuilt(s) for name, s in kept.items()}))
        for s in kept.values():
            archive.writestr(f"model/data/{s.key}", s.array.tobytes())


def write_legacy(path, state):
    kept = storages(state)
    with open(path, "wb") as file:
        for part in (MAGIC, PROTOCOL, {"little_endian": True}):
            file.write(pickled(part))
        file.write(pickled({name: _Rebuilt(s) for name, s in kept.items()}))
        file.write(pickled([s.key for s in kept.values()]))
        for s in kept.values():
            file.write(struct.pack("<q", s.array.size) + s.array.tobytes())
