"""The claims of arXiv 2305.05465: what their checks and trials see, and what theory says of a prompt."""

from dataclasses import replace

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest
from honest_runs.geshkovski2023 import ALL

import attnflow as af
from attnflow.papers.geshkovski2023.hunts.identity import decay_error, left_ratio, size_ratio, uniform_ratio, work_ratio
from attnflow.papers.geshkovski2023.hunts.limits import (
    SQUARE,
    paranormal_ratio,
    planes_ratio,
    polytope_ratio,
    rank_ratio,
    set_ratios,
    soft_rows,
    subspaces,
)
from attnflow.papers.geshkovski2023.hunts.line import escape_shortfall, rate_excess, strays
from attnflow.papers.independent import rescaled_run
from attnflow.papers.register import check, claims, find_claim
from attnflow.papers.retrace_euclidean import retraced

TS = np.linspace(0.0, 10.0, 11)
RNG = np.random.default_rng(0)
CLOUD = RNG.uniform(-1, 1, (6, 2))
SQUARE_AND_CENTRE = np.vstack([SQUARE, [[0.2, 0.1]]])
FLOW = af.Flow(af.Euclidean(), af.Softmax())


def frozen(x, ts=TS):
    return np.repeat(np.asarray(x, float)[None], len(ts), axis=0)


def said(run, number):
    return {answer.claim: answer for answer in check(run, paper="geshkovski2023")}[f"geshkovski2023.{number}"]


def test_every_claim_says_what_it_is():
    for claim in claims("geshkovski2023"):
        assert claim.title and claim.printed and claim.hunts and (claim.check is None) == (claim.decides is None)
        assert (claim.corrected is None) == (claim.erratum is None) == ("corrected" not in claim.hunts)
        assert all(find_claim(key) for key in claim.see)
        assert all(hunt.law for hunt in claim.hunts.values())


@pytest.mark.parametrize("index", [pytest.param(k, marks=() if k < 8 else pytest.mark.slow) for k in range(len(ALL))])
@pytest.mark.broad(2)
def test_honest_runs_are_never_refuted(index):
    answers = check(ALL[index](), paper="geshkovski2023")
    assert answers and not [(answer.claim, answer.words) for answer in answers if answer.fails]


def test_ratios_of_the_hunts_see_wrong_runs():
    late, metric = np.array([4.0, 6.0, 8.0]), np.eye(2)
    assert polytope_ratio(frozen(SQUARE_AND_CENTRE, late), late, metric) > 1
    assert polytope_ratio(rescaled_run(SQUARE_AND_CENTRE, late), late, metric) < 1
    assert planes_ratio(frozen([-1.0, -0.4, 0.5, 1.0])) > 1
    assert planes_ratio(np.array([-1.0, 1.0]) * np.linspace(1, 2, 11)[:, None]) > 1
    assert paranormal_ratio(frozen(SQUARE_AND_CENTRE)) > 1
    assert soft_rows(np.array([[-1.0], [-1e-9], [1e-9], [1.0]]), 1.0, 1.0, 9.0) == 2
    assert strays(np.array([-1.0, -0.2, 0.3, 1.0])) == 2
    assert subspaces(SQUARE, tol=0.1) == 4
    assert escape_shortfall(np.log(np.full(4, 3.0)), np.arange(4.0), 2).max() > 1e-3
    assert left_ratio(frozen(CLOUD), 100.0) > 1 and size_ratio(frozen(CLOUD) * (1 + TS)[:, None, None]) > 1
    assert decay_error(CLOUD, 400.0, CLOUD) > 0.1
    assert uniform_ratio(frozen(CLOUD)) <= 1
    assert max(set_ratios(np.array([[2.0, 0.0], [3.0, 0.0], [2.5, 1.0]]), metric)) > 1  # can never be a limit
    assert max(set_ratios(SQUARE, metric)) <= 1 and rank_ratio(4, 3) > 1 >= rank_ratio(3, 3)
    assert rate_excess(np.array([-1.0, 0.5, 1.0]), 2.0) > 0 >= rate_excess(np.array([-1.0, 0.5, 1.0]), 0.5)


def test_work_is_the_loss_of_energy():
    x = RNG.normal(size=(4, 2))
    assert work_ratio(x, until=1.0) <= 0.1
    assert work_ratio(x, until=1.0, strength=0.999) > 1


def test_a_token_on_its_way_decides_nothing():
    moving = np.repeat([[-1.0, 0.3, 1.0]], 11, axis=0)
    moving[:, 1] = np.linspace(0.0, 0.7, 11)
    assert np.isnan(planes_ratio(moving))


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.slow
def test_rescaled_tokens_are_not_said_to_come_nearer_by_their_tolerance(seed):
    # x = e^t z multiplies the tolerance of a run in z.
    for n, d, until in ((20, 2, 6.0), (6, 1, 8.0)):
        x = np.random.default_rng(seed).uniform(-5, 5, (n, d))
        run = af.evolve(af.rescale(FLOW), af.Particles(x), until=until, save=33)
        assert said(run, "lemma7.2").outcome == "consistent"


@pytest.mark.slow
def test_the_printed_outcome_of_remark_7_9_is_refuted():
    run = af.evolve(af.rescale(FLOW), af.Particles([[1.0, 0.5], [1.0, -0.5]]), until=9.0, save=19)
    assert said(run, "remark7.9").outcome == "holds"
    x = np.array(run.x)
    x[10:, 1] = x[10:, 0]
    together = replace(eqx.tree_at(lambda r: r.states.x, run, jnp.asarray(x)), close=None)
    assert said(together, "remark7.9").outcome == "refuted"


def test_scores_of_every_size_have_the_set_of_their_direction():
    for scale in (1e-6, 1.0, 1e6):
        assert max(set_ratios(SQUARE, scale * np.eye(2))) <= 1


def test_an_independent_integrator_follows_and_notices():
    run = af.evolve(FLOW, af.Particles(CLOUD), until=3.0, save=13)
    found = retraced(run)
    assert found.worst < 0.1 and found.share == 1
    assert retraced(replace(run, ts=1.01 * run.ts)).worst > 1
    layered = af.layers(af.rescale(FLOW), af.Particles(CLOUD), 30, 0.1)
    assert retraced(layered).worst < 0.1 and retraced(layered).share == 1
    assert retraced(replace(layered, flow=af.rescale(af.Flow(af.Euclidean(), af.Softmax(beta=1.1))))).worst > 1


def test_merged_tokens_are_followed():
    run = af.evolve(FLOW, af.Particles(np.vstack([CLOUD, CLOUD[:1] + 1e-5])), until=2.0, save=9, merge=1e-4)
    assert retraced(run).worst <= 1
