"""How wrong an honest run may be, in one place; and what is said where a run could not be followed."""

from dataclasses import replace

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import attnflow as af
from attnflow.papers.following import stray
from attnflow.papers.register import find_claim
from attnflow.papers.tolerance import stretch_error, tolerance

S, R = af.Sphere(), af.Euclidean()


def sphere(n, d=3, *, beta=2.0, until=20.0, save=21, **options):
    return af.evolve(
        af.Flow(S, af.Softmax(beta=beta)), af.uniform_sphere(n, d, seed=0), until=until, save=save, **options
    )


def moved_to(run, x):
    return replace(eqx.tree_at(lambda r: r.states.x, run, jnp.asarray(x, run.x.dtype)), close=None)


def at_a_pole(run):
    """From half of the saved times on all tokens are at one place."""
    x = np.array(run.x)
    x[len(x) // 2 :] = np.eye(x.shape[-1])[-1]
    return moved_to(run, x)


def late_jump(run):
    """Tokens rest, and are at one place in the end."""
    x = np.array(run.x)
    x[1:-1], x[-1] = x[0], np.eye(x.shape[-1])[-1]
    return moved_to(run, x)


def slower(run):
    return replace(run, ts=1.5 * run.ts)


def outcomes(run):
    return {found.claim: found.outcome for found in af.check(run)}


def decided(run):
    """Outcomes of claims that read a course or an end."""
    return {key: said for key, said in outcomes(run).items() if find_claim(key).decides in ("trajectory", "end state")}


# ---- precision --------------------------------------------------------------------------------------------------------


def test_masses_that_add_up_to_one_in_single_precision_refute_nothing():
    with jax.enable_x64(False):
        found = outcomes(sphere(3, beta=1.0, until=60.0, save=5))
    assert found and "refuted" not in found.values()


def test_rounding_is_not_taken_for_ripples():
    angles = 2 * np.pi * np.arange(64) / 64
    with jax.enable_x64(False):
        mu = af.Particles(np.stack([np.cos(angles), np.sin(angles)], axis=1))
        claim, flow = find_claim("rigollet2025.first_clusters"), af.Flow(S, af.Softmax(beta=40.0))
        assert not all(one.holds for one in claim.hypotheses(flow, mu))


def test_checks_know_the_tolerance_of_the_rule():
    flow = af.Flow(R, af.Sinkhorn(eps=1.0, tol=1e-3), V=-1.0)
    run = af.evolve(flow, af.Particles(np.random.default_rng(0).normal(size=(3, 2))), until=1.0, save=5)
    assert tolerance(run) == 1e-3
    assert "refuted" not in outcomes(run).values()


def test_layers_of_a_gaussian_that_grow_triply_exponentially_are_held_to_their_digits():
    flow, law = af.Flow(R, af.Sinkhorn(iterations=3)), af.Gaussian([0.0, 0.0], [[10.0, 3.0], [3.0, 5.0]])
    run = af.layers(flow, law, 5, 0.1)
    assert outcomes(run)["castin2025.gaussians"] in ("holds", "undecided")
    wrong = eqx.tree_at(lambda r: r.states.cov, run, run.cov.at[1].multiply(1.01))
    assert outcomes(wrong)["castin2025.gaussians"] == "refuted"


def test_the_criterion_of_rest_and_the_velocity_it_allows_belong_together():
    run = sphere(3, beta=0.1, until=4.0, save=[0.0, 3.85, 4.0], tol=1e-3)
    assert np.abs(run.x[-1] - run.x[-2]).max() < 10 * tolerance(run)
    assert outcomes(run)["burger2025.stationary_states"] != "refuted"


# ---- no silence -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("doctor", [at_a_pole, slower, late_jump])
def test_at_a_loose_tolerance_wrong_runs_are_noticed(doctor):
    run = sphere(12, tol=1e-4)
    assert "holds" in decided(run).values()
    assert not {"holds", "consistent"} & set(decided(doctor(run)).values())


def test_where_nothing_can_be_followed_nothing_holds_and_words_say_why():
    run = sphere(12, tol=1e-2)
    end = {found.claim: found for found in af.check(run)}["geshkovski2024.theorem6.1"]
    assert end.outcome == "consistent" and "lower tol" in end.words
    sparse = sphere(12, until=20.0, save=[0.0, 20.0])
    assert "holds" in decided(sparse).values() or "save more" in str(af.check(sparse))


@pytest.mark.slow
@pytest.mark.parametrize("space", [S, R])
def test_of_many_tokens_a_sample_is_followed_among_all(space):
    mu = af.uniform_sphere(800, 2, seed=0)
    run = af.evolve(af.Flow(space, af.Softmax(beta=1.0)), mu, until=0.5, save=5)
    assert stray(run) < 0.5 < 1 < stray(slower(run))


def test_a_token_is_never_faster_than_its_flow_can_move_it():
    run = sphere(3, until=1.0, save=[0.0, 0.1, 1.0])
    x = np.array(run.x)
    x[1:, 0] *= -1
    assert stray(moved_to(run, x)) > 5


def test_masses_are_those_of_the_start_at_every_saved_time():
    run = sphere(12, until=5.0, save=9)
    mass = np.array(run.states.mass)
    mass[5:, 0] = 1e3
    other = eqx.tree_at(lambda r: r.states.mass, run, jnp.asarray(mass / mass.sum(axis=1, keepdims=True)))
    assert set(outcomes(other).values()) == {"undecided"}
    assert all("masses" in found.words for found in af.check(other))


def test_honest_runs_are_far_within_what_is_allowed_between_saved_times():
    for tol in (1e-4, 1e-6, 1e-8):
        run = sphere(12, until=5.0, save=9, tol=tol)
        assert stray(run) < 0.2 and stretch_error(run) == 20 * tol
