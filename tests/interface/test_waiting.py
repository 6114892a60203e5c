"""Runs that ask between their steps whether anybody still waits for them."""

import numpy as np
import pytest

import attnflow as af
from attnflow.engine.evolution import waiting
from attnflow.engine.evolution.options import Options
from attnflow.engine.evolution.run import run
from attnflow.interfaces.explore.bounds import has_long_steps

FLOW, MU = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(6, 3, seed=0)


class Gone(Exception):
    """Nobody waits any more."""


def asked(monkeypatch, most: int) -> tuple[list[int], waiting.Waiting]:
    """Somebody who waits for a number of questions."""
    monkeypatch.setattr(waiting, "PAUSE", 0.0)
    questions = []

    def ask():
        questions.append(1)
        if len(questions) > most:
            raise Gone

    return questions, waiting.Waiting(ask)


def test_a_run_ends_at_the_step_at_which_nobody_waits_for_it(monkeypatch):
    questions, somebody = asked(monkeypatch, 3)
    with pytest.raises(Gone):
        run(FLOW, MU, Options(until=50.0, waiting=somebody))
    assert len(questions) == 4


def test_questions_change_no_digit(monkeypatch):
    questions, somebody = asked(monkeypatch, 10**9)
    done = run(FLOW, MU, Options(until=5.0, save=3, waiting=somebody))
    plain = run(FLOW, MU, Options(until=5.0, save=3))
    assert len(questions) >= int(done.steps) == int(plain.steps)
    np.testing.assert_array_equal(np.asarray(done.x), np.asarray(plain.x))


def test_only_crowds_are_asked_between_steps():
    assert not has_long_steps(af.uniform_sphere(512, 3, seed=0))
    assert has_long_steps(af.uniform_sphere(10_000, 2, seed=0))
