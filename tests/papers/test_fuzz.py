"""No honest run, however odd, makes a check refute its statement or fall over."""

import pytest
from fuzzed import case

import attnflow as af
from attnflow.errors import BadInput

ALL = ("softmax", "unnormalised", "shifted", "causal", "l2", "sinkhorn", "linear", "sigmoid", "heads")


def wrong(flow, mu, make):
    """Predictions and checks that must not be."""
    try:
        run = make()
    except BadInput:
        return []
    asked = [told for told in af.predict(flow, mu) if told.is_error]
    return asked + [found for found in af.check(run) if found.fails]


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.broad(2)
def test_honest_runs_of_softmax_are_not_refuted(seed):
    assert wrong(*case(seed, spaces=("sphere", "space"), shapes=((3, 2),))) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_honest_runs_of_every_rule_are_not_refuted(seed):
    assert wrong(*case(seed, rules=ALL)) == []
