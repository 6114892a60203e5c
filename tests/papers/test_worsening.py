"""The search for a worse trial: it keeps to the law of the draws, and finds what random draws do not."""

from dataclasses import replace

import numpy as np

from attnflow.papers.castin2024.hunts import mean_field_trial
from attnflow.papers.draws import Draws
from attnflow.papers.hunt import sampled
from attnflow.papers.worsening import FAR, GROUP, worsened


def drawn(rng):
    """Numbers of every kind, as trials draw them."""
    kind, z = int(rng.integers(100)), rng.normal(size=(2, 3))
    return kind, z, float(rng.uniform(2, 5)), rng.dirichlet(np.ones(3)), rng.normal()


def test_the_same_draws_come_again_and_only_numbers_that_vary_continuously_move():
    first = Draws(np.random.default_rng(0))
    told = drawn(first)
    assert [np.array_equal(a, b) for a, b in zip(told, drawn(first.again()))] == [True] * 5
    kind, z, high, shares, last = drawn(first.at(first.place + 0.1))
    assert kind == told[0] and 2 < high < 5 and abs(shares.sum() - 1) < 1e-12
    np.testing.assert_allclose([*(z - told[1]).ravel(), last - told[4]], 0.1, rtol=1e-12)


def test_the_search_stays_within_the_law_and_climbs():
    start = Draws(np.random.default_rng(1))
    drawn(start)
    seen = list(worsened(drawn, start, badness=lambda told: float(told[1].sum()), steps=20 * GROUP))
    sums = [told[1].sum() for told in seen]
    assert {told[0] for told in seen} == {start.made[0][0]} and max(np.abs(told[1]).max() for told in seen) <= FAR
    assert max(sums) > 0.6 * 6 * FAR > 3 * max(sums[:GROUP])


def test_one_number_alone_is_varied_too():
    start = Draws(np.random.default_rng(2))
    start.normal()
    seen = list(worsened(lambda rng: rng.normal(), start, badness=float, steps=60, enough=2.0))
    assert seen[-1] > 2 and len(seen) < 60


def test_a_false_bound_that_chance_does_not_refute_is_refuted_by_the_search():
    """The Lipschitz constant of attention is not below 0.6 of its bound: tokens that show it are rare."""

    def tighter(rng):
        trial = mean_field_trial(rng)
        return replace(trial, ratio=trial.ratio / 0.6)

    for seed in (0, 1):
        by_chance = sampled(tighter, 80, steps=0).trials(seed, 1)
        searched = sampled(tighter, 20, steps=60).trials(seed, 1)
        assert max(trial.ratio for trial in by_chance) < 1 < max(trial.ratio for trial in searched)
        assert len(searched) < len(by_chance)
