"""Signed states of several heads against a search over all signs written anew, and against the pair's own velocity."""

from itertools import product

import numpy as np
import pytest

from attnflow.theory.sphere.several_heads import HeadMatrices, in_layers
from attnflow.theory.sphere.signed_states import signed_states


def drawn(seed: int, count: int = 5, d: int = 4) -> HeadMatrices:
    rng = np.random.default_rng(seed)
    return HeadMatrices(1e6 * rng.normal(size=(count, d, d)), rng.normal(size=(count, d, d)) + 0.5 * np.eye(d))


def brute(heads: HeadMatrices, size) -> set[tuple[int, ...]]:
    """Signs s whose sum of s_h V_h has a real dominating eigenvector at which every head hears its sign."""
    found = set()
    for signs in product((1, -1), repeat=len(heads.values)):
        values, vectors = np.linalg.eig(sum(s * V for s, V in zip(signs, heads.values)))
        k = np.argmax(size(values))
        v = vectors[:, k].real
        if values[k].imag == 0 and all(s * (v @ B @ v) > 0 for s, B in zip(signs, heads.scores)):
            found.add(signs)
    return found


@pytest.mark.parametrize("size", [np.real, in_layers])
def test_all_signs_are_tried_where_they_are_few(size):
    kept = 0
    for seed in range(12):
        heads = drawn(seed)
        found = signed_states(heads, size=size)
        assert (found.tried, found.of) == (32, 32)
        assert {state.signs for state in found.states} == brute(heads, size)
        for state in found.states:
            # Scores are so large that the pair hears signs alone; it rests where its velocity is along it.
            assert np.abs(heads.paired(state.v[None])[0] - state.value * state.v).max() < 1e-9
        kept += len(found.states)
    assert kept > 4


def test_signs_that_lead_to_signs_find_states_without_trying_all():
    heads = [drawn(seed, count=10) for seed in range(12)]
    whole = [signed_states(one) for one in heads]
    walked = [signed_states(one, work=40 * 4**3) for one in heads]
    assert all(one.tried == 1024 for one in whole) and all(80 <= one.tried < 100 for one in walked)
    for one, other in zip(whole, walked):
        assert {s.signs for s in other.states} <= {s.signs for s in one.states}
    # A twelfth of all signs is tried; what attracts signs is found by more than its share.
    assert sum(len(one.states) for one in walked) > 0.4 * sum(len(one.states) for one in whole) > 0
    assert "not all" in walked[0].words and "all tried" in whole[0].words
