"""Real data: scikit-learn's digits, and Fashion-MNIST from files already on this machine; nothing is downloaded."""

from __future__ import annotations

import gzip
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ....errors import BadInput, quoted

FASHION_VARIABLE = "ATTNFLOW_FASHION_MNIST"
FASHION_PACKAGE = Path("/usr/share/datasets/fashion-mnist")
FASHION_FILES = {"train": "train-images-idx3-ubyte.gz", "test": "t10k-images-idx3-ubyte.gz"}
FASHION_LABELS = {"train": "train-labels-idx1-ubyte.gz", "test": "t10k-labels-idx1-ubyte.gz"}


@dataclass(frozen=True)
class Images:
    """Rows of pixels with labels, and how to turn rows back into pictures."""

    x: np.ndarray
    labels: np.ndarray
    shape: tuple[int, int]
    basis: np.ndarray | None = None
    """Principal directions as rows, when reduced."""
    centre: np.ndarray | None = None
    kept: float = 1.0
    """The share of the variance that the reduction keeps."""

    def pictures(self, x) -> np.ndarray:
        """Rows of this representation as pictures."""
        pixels = np.asarray(x) if self.basis is None else np.asarray(x) @ self.basis + self.centre
        return pixels.reshape(-1, *self.shape)

    def reduced(self, dimension: int) -> Images:
        """The same images by their leading principal components, centred."""
        if not 1 <= dimension <= min(self.x.shape):
            raise BadInput(f"dimension must be between 1 and {min(self.x.shape)}, got {dimension}")
        centre = self.x.mean(axis=0)
        _, s, basis = np.linalg.svd(self.x - centre, full_matrices=False)
        kept = float(np.sum(s[:dimension] ** 2) / np.sum(s**2))
        return Images((self.x - centre) @ basis[:dimension].T, self.labels, self.shape, basis[:dimension], centre, kept)

    def some(self, n: int, *, seed: int = 0) -> Images:
        """n images drawn without replacement."""
        if not 1 <= n <= len(self.x):
            raise BadInput(f"n must be between 1 and {len(self.x)}, got {n}")
        chosen = np.sort(np.random.default_rng(seed).choice(len(self.x), n, replace=False))
        return Images(self.x[chosen], self.labels[chosen], self.shape, self.basis, self.centre, self.kept)


def digits(dimension: int | None = None) -> Images:
    """1797 handwritten digits of 8 × 8 pixels between 0 and 1, reduced to `dimension` principal components if given."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise BadInput("the digits come with scikit-learn: pip install 'attnflow[data]'") from None
    x, labels = load_digits(return_X_y=True)
    images = Images(np.asarray(x) / 16, np.asarray(labels), (8, 8))
    return images if dimension is None else images.reduced(dimension)


def fashion_mnist(folder=None, *, part: str = "train") -> Images:
    """Fashion-MNIST, 28 × 28 pixels between 0 and 1; part "train" (60000), "test" (10000) or "all"."""
    if part not in (*FASHION_FILES, "all"):
        raise BadInput(f'part must be "train", "test" or "all", got {quoted(part)}')
    folder = Path(folder or os.environ.get(FASHION_VARIABLE) or FASHION_PACKAGE)
    parts = list(FASHION_FILES) if part == "all" else [part]
    x = np.concatenate([read_idx(_found(folder, FASHION_FILES[p])) for p in parts])
    labels = np.concatenate([read_idx(_found(folder, FASHION_LABELS[p])) for p in parts])
    return Images(x.reshape(len(x), -1) / 255, labels, (28, 28))


def has_fashion_mnist(folder=None) -> bool:
    folder = Path(folder or os.environ.get(FASHION_VARIABLE) or FASHION_PACKAGE)
    return all((folder / name).exists() for name in (*FASHION_FILES.values(), *FASHION_LABELS.values()))


def read_idx(path) -> np.ndarray:
    """An array of bytes in IDX format: two zeros, type 8, the number of axes, big-endian sizes, the bytes."""
    path = Path(path)
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        raw = file.read()
    if len(raw) < 4 or raw[:3] != b"\0\0\x08":
        raise BadInput(f"{path} is not an IDX file of bytes")
    axes = raw[3]
    sizes = np.frombuffer(raw, ">i4", axes, 4)
    values = np.frombuffer(raw, np.uint8, offset=4 + 4 * axes)
    if values.size != np.prod(sizes, dtype=np.int64):
        raise BadInput(f"{path} is cut short: {values.size} of {np.prod(sizes, dtype=np.int64)} bytes")
    return values.reshape(sizes)


def _found(folder: Path, name: str) -> Path:
    path = folder / name
    if not path.exists():
        how = f"install the Debian package dataset-fashion-mnist, or name its folder in {FASHION_VARIABLE}"
        raise BadInput(f"Fashion-MNIST is missing: {how}; it is not in {folder}")
    return path
