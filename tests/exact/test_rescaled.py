"""The z-variables against the x-variables, closed forms and late times."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.linalg import expm

import attnflow as af

MATRICES = {
    "identity": 1.0,
    "rotating": [
        [0.2362413, 0.0599536, 0.40506019],
        [0.81321448, 0.49948705, 0.33754772],
        [0.2160645, 0.38505272, 0.14588075],
    ],
    "Jordan": [[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.5]],
    "paranormal": np.diag([1.0, 1.0, -0.5]).tolist(),
}


@pytest.mark.parametrize("V", MATRICES.values(), ids=MATRICES)
def test_rescaled_tokens_are_the_tokens_rescaled(V, rng):
    B, x = rng.normal(size=(3, 3)), rng.uniform(-1, 1, (8, 3))
    flow = af.Flow(af.Euclidean(), af.Softmax(B=B), V=V)
    plain = af.evolve(flow, af.Particles(x), until=2.0, save=3, tol=1e-12)
    scaled = af.evolve(af.rescale(flow), af.Particles(x), until=2.0, save=3, tol=1e-12)
    back = expm(-2.0 * (V * np.eye(3) if np.ndim(V) == 0 else np.asarray(V)))
    assert_allclose(scaled.x[-1], np.asarray(plain.x[-1]) @ back.T, atol=1e-9)


@pytest.mark.parametrize("V", MATRICES.values(), ids=MATRICES)
def test_late_times_are_reached(V, rng):
    flow = af.rescale(af.Flow(af.Euclidean(), af.Softmax(B=np.eye(3)), V=V))
    run = af.evolve(flow, af.Particles(rng.uniform(-1, 1, (8, 3))), until=60.0, save=3)
    assert run.status == af.Status.DONE and np.isfinite(run.x).all()


def test_the_attention_matrix_is_that_of_the_tokens(rng):
    V, z, t = rng.normal(size=(3, 3)), rng.normal(size=(8, 3)), 1.3
    flow = af.Flow(af.Euclidean(), af.Softmax(B=rng.normal(size=(3, 3))), V=V)
    P = af.attention_matrix(flow, af.Particles(z @ expm(t * V).T))
    assert_allclose(af.attention_matrix(af.rescale(flow), af.Particles(z), t=t), P, atol=1e-12)
    velocity = af.velocity(af.rescale(flow), af.Particles(z), t=t)
    assert_allclose(velocity, (np.asarray(P) @ z - z) @ V.T, atol=1e-12)


@pytest.mark.parametrize("e, expected", [(0.3, 0.0052120), (0.5, 0.1873768)])
def test_two_tokens_keep_their_distance(e, expected):
    """Remark 7.9 of arXiv 2305.05465, corrected: the limit is two clusters."""
    tail, _ = quad(lambda u: (1 - np.tanh(u)) / (2 * u * np.tanh(u)), e * e, np.inf, epsabs=1e-13)
    assert_allclose(e * np.exp(-tail), expected, atol=1e-7)
    flow = af.rescale(af.Flow(af.Euclidean(), af.Softmax()))
    run = af.evolve(flow, af.Particles([[1.0, e], [1.0, -e]]), until=15.0, save=[15.0], tol=1e-12)
    assert_allclose(run.x[-1, 0, 1], e * np.exp(-tail), atol=1e-9)


def test_the_symmetric_triple_has_its_limit():
    flow = af.rescale(af.Flow(af.Euclidean(), af.Softmax()))
    run = af.evolve(flow, af.Particles([[-1.0], [0.0], [1.0]]), until=2.5, save=[2.5], tol=1e-12)
    assert_allclose(run.x[-1, 2, 0], 0.843718, atol=1e-6)  # six digits are given


def test_rescaled_layers_are_the_layers_rescaled(rng):
    V, mu = 0.8 * rng.normal(size=(3, 3)), af.Particles(rng.normal(size=(6, 3)))
    for value in (1.0, V, [[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.5]]):
        flow = af.Flow(af.Euclidean(), af.Softmax(B=0.3), V=value)
        R = np.eye(3) + 0.1 * (value * np.eye(3) if np.ndim(value) == 0 else np.asarray(value))
        z = af.layers(af.rescale(flow), mu, 20, 0.1).x[-1]
        x = af.layers(flow, mu, 20, 0.1).x[-1]
        assert_allclose(np.asarray(z) @ np.linalg.matrix_power(R, 20).T, x, atol=1e-10)
