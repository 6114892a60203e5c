"""Hard rows where scores vanish or clusters are tight: closed forms, and polygons of Euler."""

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

import attnflow as af
from attnflow.engine.evolution.late_times.pressed import Point, fate, outward
from attnflow.engine.evolution.late_times.rest import resting_weights


def test_a_hard_row_goes_on_sliding_between_tokens_of_one_anchor():
    """Two tokens change places for ever nearer the axis, one cluster from t = 3.8 on; a third stays on it, and joins later."""
    a, h = 0.2, 0.3
    flow = af.rescale(af.Flow(af.Euclidean(), af.Hardmax(B=np.diag([1.0, -1.0])), V=np.eye(2)))
    run = af.evolve(flow, af.Particles([[1.0, 1.0], [1.0, -1.0], [a, h]]), until=12.0, save=7)
    t = np.asarray(run.ts)
    third = np.stack([1 - (1 - a) * np.exp(-t), np.maximum(h - 1 + np.exp(-t), 0) * np.exp(-t)], axis=1)
    pair = np.stack([np.ones_like(t), np.exp(-2 * t)], axis=1)
    assert run.status == af.Status.DONE and run.close.anchor[-1].tolist() == [0, 0, 0]
    assert_allclose(run.x, np.stack([pair, pair * [1, -1], third], axis=1), atol=1e-8)
    for k in range(1, 6):
        # What is left of the pair is e^{-2t}, known to the tolerance of steps times its growth in x.
        assert_allclose(run.close.attention(run, k)[2], [0.5, 0.5, 0.0], atol=1e-8 * np.exp(2 * t[k]))


def test_a_hard_token_stays_at_zero():
    """Each of three tokens slides between the other two, so that |x| falls like e^{-t/2}; a fourth reaches 0 and stays."""
    corner = 2 * np.pi * np.arange(3) / 3 + 0.3
    corners = np.stack([np.cos(corner), np.sin(corner)], axis=1)
    flow = af.rescale(af.Flow(af.Euclidean(), af.Hardmax(B=-1.0), V=np.eye(2)))
    run = af.evolve(flow, af.Particles(np.vstack([corners, [[0.11, 0.06]]])), until=3.0, save=4)
    assert run.status == af.Status.DONE
    expected = np.exp(-1.5 * np.asarray(run.ts))[:, None, None] * corners
    assert_allclose(run.x[:, :3], expected, atol=1e-7)
    assert_allclose(run.x[1:, 3], 0, atol=1e-7)


@pytest.mark.parametrize("until", [0.4, 2.0, 50.0])
def test_hard_tokens_rest_on_a_line_without_scores(until):
    """Scores are x₁y₂ + x₂y₁ and only x₂ moves, by the x₁ of what is heard: both x₂ reach 0 at t = ½."""
    V, x = np.array([[0.0, 0.0], [-1.0, 0.0]]), [[1.0, 0.5], [-1.0, 0.3]]
    flow = af.rescale(af.Flow(af.Euclidean(), af.Hardmax(B=np.array([[0.0, 1.0], [1.0, 0.0]])), V=V))
    run = af.evolve(flow, af.Particles(x), until=until, save=[until])
    s = max(0.5 - until, 0.0)
    expected = np.array([[1.0, s], [-1.0, s / 3]]) @ expm(-until * V).T
    assert run.status == af.Status.DONE
    assert_allclose(run.x[-1], expected, atol=1e-7)
    if until > 0.5:
        assert_allclose(run.close.attention(run, 0), np.full((2, 2), 0.5), atol=1e-7)


@pytest.mark.slow
def test_hard_tokens_rest_where_polygons_do():
    rng = np.random.default_rng(42)
    x, V, B = rng.normal(size=(4, 2)).round(1), rng.normal(size=(2, 2)).round(1), rng.normal(size=(2, 2)).round(1)
    run = af.evolve(af.rescale(af.Flow(af.Euclidean(), af.Hardmax(B=B), V=V)), af.Particles(x), until=2.0, save=[2.0])
    assert run.status == af.Status.DONE and any("rest" in note for note in run.notes)
    for _ in range(200_000):
        x = x + 1e-5 * x[(x @ B @ x.T).argmax(axis=1)] @ V.T
    assert_allclose(np.asarray(run.x[-1]) @ expm(2.0 * V).T, x, atol=2e-4)  # steps ten times as long: 2e-3


@pytest.mark.parametrize("angle", [0.5, 1.4, 1.7, 3.0])
def test_a_hard_row_comes_back_to_its_point_or_not(angle):
    """All around are tokens, and a row moves at an angle to its pull: it gets away like the cosine of that."""
    around = 2 * np.pi * np.arange(720) / 720
    u, turn = np.stack([np.cos(around), np.sin(around)], axis=1), np.array([[np.cos(angle), np.sin(angle)], [0, 0]])
    turn[1] = [-turn[0, 1], turn[0, 0]]
    point = Point(*map(jnp.asarray, (u, np.zeros(720), turn, np.zeros(2), [True, True])))
    assert_allclose(outward(point)[0], np.cos(angle), atol=0.01)  # steps are a hundredth of the distance
    # Where it gets away it does so in every direction.
    assert bool(fate(point).is_kept) == bool(fate(point).is_told) == (angle > np.pi / 2)


def test_weights_of_rest_have_the_mean_zero(rng):
    u, mass = rng.normal(size=(7, 3)), rng.uniform(0.1, 1, 7)
    u[-1] = -u[:-1].sum(axis=0) / 3
    w = resting_weights(u, mass / mass.sum())
    assert_allclose(w @ u, 0, atol=1e-10)
    assert w.min() > 0 and np.linalg.matrix_rank(np.column_stack([u, np.ones(7), np.log(w / mass)]), tol=1e-8) == 4


@pytest.mark.slow
def test_hard_tokens_rest_where_they_hear_tokens_at_zero():
    """Two tokens come to 0 and stay there, where V would drive them away if they were off; the others hear them alone."""
    V, B = np.array([[-1.45, -0.18], [-0.18, 1.42]]), np.array([[1.44, 2.31], [0.09, -0.57]])
    x = np.array([[-0.3, -0.66], [0.45, 0.76], [-0.08, -0.26], [-1.13, 0.3]])
    flow = af.rescale(af.Flow(af.Euclidean(), af.Hardmax(B=B), V=V))
    run = af.evolve(flow, af.Particles(x), until=50.0, save=[1.0, 50.0])
    assert run.status == af.Status.DONE and "tokens at 0 alone" in run.notes[0]
    for _ in range(50_000):
        x = x + 2e-5 * x[(x @ B @ x.T).argmax(axis=1)] @ V.T
    assert_allclose(np.asarray(run.x[0]) @ expm(V).T, x, atol=1e-4)
    assert_allclose(run.x[1], np.asarray(run.x[0]) @ expm(-49 * V).T, rtol=1e-6, atol=1e-7)


@pytest.mark.slow
def test_a_hard_row_slides_until_its_tie_lets_it_go():
    """Scores x₃y₄ + x₅y₅; x₂ moves by the x₁ that is heard, and x₃ by the x₂: that of tokens 0 and 1 is ±(t - 1).

    The third token reaches its tie at 1 - √0.8 and hears both others alike from then on. From t = 1 on it may leave on either
    side, as x₃ = ±(t - 1)²/2, or at any later time: a way that the equation does not tell is not told.
    """
    V, B = np.zeros((5, 5)), np.zeros((5, 5))
    V[1, 0] = V[2, 1] = B[2, 3] = B[4, 4] = 1.0
    x = [[1.0, -1.0, 10.0, 1.0, 1.0], [-1.0, 1.0, -10.0, -1.0, 1.0], [0.0, 0.0, 0.1, 0.0, 0.5]]
    flow = af.rescale(af.Flow(af.Euclidean(), af.Hardmax(B=B), V=V))
    run = af.evolve(flow, af.Particles(x), until=2.0, save=[0.9, 2.0])
    third = np.asarray(run.x[0, 2]) @ expm(0.9 * V).T
    assert_allclose(third, [0.0, 1 - np.sqrt(0.8), 0.0, 0.0, 0.5], atol=1e-7)
    assert run.status == af.Status.OUT_OF_STEPS and "token 2 reaches a point of its tie" in run.notes[0]
    assert_allclose(float(run.status.time), 1.0, atol=1e-6)
