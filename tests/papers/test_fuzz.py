"""No honest run, however odd, makes a check refute its statement or fall over, in either precision."""

import jax
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


def both_precisions(seeds):
    """Every seed in double and in single precision; those of one precision together, since they share programs."""
    return pytest.mark.parametrize(("is_double", "seed"), [(x64, seed) for x64 in (True, False) for seed in seeds])


@both_precisions(range(16))
@pytest.mark.broad(4)
def test_honest_runs_of_softmax_are_not_refuted(is_double, seed):
    with jax.enable_x64(is_double):
        assert wrong(*case(seed, spaces=("sphere", "space"), shapes=((3, 2),))) == []


@pytest.mark.slow
@both_precisions(range(1000, 1200))
def test_honest_runs_of_every_rule_are_not_refuted(is_double, seed):
    with jax.enable_x64(is_double):
        assert wrong(*case(seed, rules=ALL)) == []
