"""Merge tree of a run: which groups of tokens became one, when, and how heavy they were."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jax.typing import ArrayLike

from ...errors import BadInput
from ..linalg.arguments import as_annotated, shaped


@dataclass(frozen=True)
class Node:
    """A group at a saved time: its mass, its place between 0 and 1, and the node that takes it up at the next time."""

    time: int
    label: int
    mass: float
    place: float
    above: int | None


@dataclass(frozen=True)
class Meeting:
    """Groups that became one between two saved times."""

    before: float
    after: float
    masses: tuple[float, ...]


@dataclass(frozen=True)
class MergeTree:
    """Groups over time; tokens are ordered so that groups which meet lie side by side."""

    ts: np.ndarray
    nodes: tuple[Node, ...]
    order: np.ndarray
    """The tokens in that order."""

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        """All meetings, the first one first."""
        into: dict[int, list[Node]] = {}
        for node in self.nodes:
            if node.above is not None:
                into.setdefault(node.above, []).append(node)
        return tuple(
            Meeting(float(self.ts[parts[0].time]), float(self.ts[self.nodes[whole].time]), _heaviest(parts))
            for whole, parts in sorted(into.items(), key=lambda item: self.nodes[item[0]].time)
            if len(parts) > 1
        )


@as_annotated
def merge_tree(ts: ArrayLike, labels: ArrayLike, mass: ArrayLike) -> MergeTree:
    """The merge tree of groups `labels` (k, n) at times `ts`; label −1 is a straggler, which has no branch."""
    ts, mass = shaped(ts, "ts", "k"), shaped(mass, "mass", "n")
    labels = shaped(labels, "labels", "k n", k=len(ts), n=len(mass))
    if np.any(labels % 1) or np.any(labels < -1) or np.any(labels >= len(mass)):
        raise BadInput(f"labels must be whole numbers from -1 to {len(mass) - 1}, the groups of {len(mass)} tokens")
    labels = labels.astype(int)
    # Stragglers come last in their group.
    keys = np.where(labels < 0, labels.max() + 1, labels)
    order = np.lexsort(keys)
    place = np.empty(len(mass))
    place[order] = np.cumsum(mass[order]) - mass[order] / 2
    nodes: list[Node] = []
    starts = np.cumsum([0, *(row.max() + 1 for row in labels)])
    for k, row in enumerate(labels):
        for label in range(row.max() + 1):
            members = row == label
            weight = float(mass[members].sum())
            share = mass[members] / weight if weight else np.full(members.sum(), 1 / members.sum())
            above = _above(labels[k + 1][members], mass[members], starts[k + 1]) if k + 1 < len(ts) else None
            nodes.append(Node(k, label, weight, float(share @ place[members]), above))
    return MergeTree(ts, tuple(nodes), order)


def _above(labels, mass, start) -> int | None:
    """The node that takes most of a group."""
    inside = labels >= 0
    if not inside.any():
        return None
    return int(start + np.argmax(np.bincount(labels[inside], mass[inside])))


def _heaviest(parts) -> tuple[float, ...]:
    return tuple(sorted((part.mass for part in parts), reverse=True))
