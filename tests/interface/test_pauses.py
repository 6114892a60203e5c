"""Runs pause between accepted steps: to show progress, to be stopped, to find events. No pause changes a digit."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attnflow as af
from attnflow.engine.evolution import driver
from attnflow.engine.evolution.options import Options
from attnflow.engine.evolution.run import run

FLOW, MU = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(6, 3, seed=0)
R3 = af.Flow(af.Euclidean(), af.Softmax(), V=-1.0)
KINDS = {
    "adaptive": (FLOW, {}), "stiff": (FLOW, {"method": "stiff"}), "jumps": (FLOW, {"jumps": [0.7, 1.9]}),
    "fixed": (FLOW, {"method": "rk4", "step": 0.1}), "merging": (FLOW, {"merge": 1e-3}), "space": (R3, {}),
}  # fmt: skip


def paused(monkeypatch, steps: int) -> None:
    """Pause after so many steps, whatever the time."""
    monkeypatch.setattr(driver, "FIRST_PAUSE", steps)
    monkeypatch.setattr(driver, "_until_pause", lambda record: steps)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.broad(6)
def test_pauses_change_no_digit(kind, steps, monkeypatch):
    flow, options = KINDS[kind]
    whole = af.evolve(flow, MU, until=4.0, save=9, **options)
    paused(monkeypatch, steps)
    pieces = af.evolve(flow, MU, until=4.0, save=9, **options)
    assert int(whole.steps) == int(pieces.steps) > steps
    assert_array_equal(whole.x, pieces.x)
    assert_array_equal(whole.ts, pieces.ts)


class Gone(Exception):
    """Nobody waits any more."""


def asked(most: int):
    """What raises after so many questions, and the questions."""
    questions = []

    def ask():
        questions.append(1)
        if len(questions) > most:
            raise Gone

    return questions, ask


def test_a_run_ends_at_the_pause_at_which_nobody_waits_for_it(monkeypatch):
    paused(monkeypatch, 1)
    questions, ask = asked(3)
    with pytest.raises(Gone):
        run(FLOW, MU, Options(until=50.0, cancel=ask))
    assert len(questions) == 4


def test_a_cancelled_run_keeps_what_it_reached(monkeypatch):
    paused(monkeypatch, 1)
    count = iter(range(100))
    done = run(FLOW, MU, Options(until=50.0, save=501, cancel=lambda: next(count) == 5))
    assert done.status == af.Status.CANCELLED and 0 < float(done.status.time) < 50
    plain = run(FLOW, MU, Options(until=50.0, save=501))
    assert float(done.ts[-1]) == float(done.status.time) and int(done.steps) == 6
    assert_array_equal(done.x[:-1], plain.x[: len(done.x) - 1])


def test_progress_is_called_with_the_share_that_is_done(monkeypatch):
    paused(monkeypatch, 2)
    shares = []
    af.evolve(FLOW, MU, until=4.0, progress=shares.append)
    assert len(shares) > 2 and shares == sorted(shares) and shares[-1] == 1.0


def angle(t, mu):
    return mu.x[0] @ mu.x[1] - 0.1


def test_an_event_is_found_where_a_finer_run_finds_it():
    """The same moment from a dense table of a run at a tighter tolerance."""
    mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    run = af.evolve(FLOW, mu, until=6.0, events=[af.Event(angle, stop=False)])
    plain = af.evolve(FLOW, mu, until=6.0)
    assert_array_equal(run.x, plain.x)
    assert int(run.steps) == int(plain.steps) and run.status == af.Status.DONE
    (t,), (x,) = run.events[0].times, run.events[0].states
    tight = af.evolve(FLOW, mu, until=t, save=[t], tol=1e-13)
    # The tolerance of steps is 1e-8, and the angle changes at a rate of order 1.
    assert abs(angle(t, af.Particles(tight.x[0]))) < 1e-7 and abs(angle(t, af.Particles(x))) < 1e-12


def test_an_event_ends_the_run_at_its_moment():
    mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    stopped = af.evolve(FLOW, mu, until=6.0, save=61, events=[af.Event(angle)])
    assert stopped.status == af.Status.EVENT
    t = float(stopped.status.time)
    assert float(stopped.ts[-1]) == t == stopped.events[0].times[0] and np.all(np.diff(stopped.ts) > 0)
    assert_allclose(angle(t, stopped.last), 0, atol=1e-12)


def test_events_see_tokens_of_the_prompt_through_merges():
    mu = af.uniform_sphere(12, 3, seed=2)
    plain = af.evolve(FLOW, mu, until=40.0, save=[25.0])
    level = float(plain.x[0, 0] @ plain.x[0].sum(axis=0))
    met = af.Event(lambda t, mu: mu.x[0] @ mu.x.sum(axis=0) - level, stop=False)
    merged = af.evolve(FLOW, mu, until=40.0, merge=1e-6, events=[met])
    assert any(merge.time < 24 for merge in merged.merges)
    assert_allclose(merged.events[0].times[-1], 25.0, atol=1e-3)  # merging moves tokens by 1e-6


def test_an_event_that_gives_no_number_is_refused():
    with pytest.raises(af.BadInput, match="finite number"):
        af.evolve(FLOW, MU, events=[af.Event(lambda t, mu: np.nan * mu.x[0, 0])])
    with pytest.raises(af.BadInput, match=r"af\.Event"):
        af.evolve(FLOW, MU, events=[angle])
