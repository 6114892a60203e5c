"""Self-attention dynamics: attention turns a measure into a velocity; a flow moves the measure."""

from importlib import import_module

__version__ = "0.1.0"

_HOME = {
    "spaces": ["Euclidean", "Sphere"],
    "measures": ["Particles", "Gaussian"],
    "attention": [
        "Softmax", "Unnormalised", "L2", "Sigmoid", "Linear", "Relu", "Linked", "Sinkhorn", "Hardmax",
        "Heads", "Causal", "Masked", "Biased",
    ],
    "normalisation": ["PostLN", "PreLN", "PeriLN", "MixLN", "NGPT", "SqrtLN"],
    "flow": ["Flow", "FeedForward", "velocity", "attention_matrix"],
    "rescaled": ["rescale"],
    "evolution": ["evolve", "evolve_batch", "layers"],
    "evolution.trajectory": ["Trajectory", "Status"],
}  # fmt: skip
_WHERE = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_WHERE)


def __getattr__(name: str):
    if name not in _WHERE:
        raise AttributeError(f"module 'attnflow' has no attribute {name!r}")
    return getattr(import_module(f".{_WHERE[name]}", __name__), name)


def __dir__():
    return __all__
