"""Closed forms against the integrated equations and the specification's numbers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.theory.gaussian import closed_forms as cf

Q, K = np.array([[0.7, -0.3], [0.2, 0.4]]), np.array([[0.3, 0.5], [-0.6, 0.1]])
B, COV = Q.T @ K, np.array([[0.9, -0.2], [-0.2, 0.5]])
MEAN = np.array([0.4, -0.7])
R2 = af.Euclidean()


def run(rule, V=1.0, mean=MEAN, cov=COV, until=1.0, **parts):
    return af.evolve(af.Flow(R2, rule, V=V, **parts), af.Gaussian(mean, cov), until=until, save=2, tol=1e-13).last


def test_softmax_with_identity_values():
    assert_allclose(cf.softmax_identity_blow_up(B, COV), 6.7019746469, atol=1e-10)
    cov = cf.softmax_identity(B, COV, t=1.0)
    assert_allclose(cov[[0, 0, 1], [0, 1, 1]], (1.0454985, -0.1938533, 0.4500015), atol=5.1e-8)
    assert_allclose(run(af.Softmax(B)).cov, cov, rtol=1e-12)
    assert_allclose(run(af.Softmax(B), V=-2.0).cov, cf.softmax_identity(B, COV, t=1.0, v=-2.0), rtol=1e-12)


def test_softmax_symmetric_with_mean():
    S = B + B.T
    mean, cov = cf.softmax_symmetric(S, MEAN, COV, t=1.0)
    last = run(af.Softmax(S))
    assert_allclose(last.mean, mean, rtol=1e-12)
    assert_allclose(last.cov, cov, rtol=1e-12)


def test_softmax_on_the_line():
    mean, cov = cf.softmax_line(0.7, 0.4, mean=0.5, cov=0.9, t=0.8)
    assert_allclose((cov, mean), (1.5080428954, 1.1330798254), atol=1e-10)
    last = run(af.Softmax([[0.4]]), V=[[0.7]], mean=[0.5], cov=[[0.9]], until=0.8)
    assert_allclose((last.cov[0, 0], last.mean[0]), (cov, mean), rtol=1e-12)


def test_limit_is_a_projection_of_the_inverse():
    q = np.array([0.40632, 0.91373])
    q /= np.linalg.norm(q)
    limit = cf.softmax_identity_limit(-np.outer(q, q), COV)
    e = np.array([-q[1], q[0]])
    assert_allclose(limit, np.outer(e, e) / (e @ np.linalg.inv(COV) @ e), atol=1e-14)
    far = cf.softmax_identity(-np.outer(q, q), COV, t=1e12)
    assert_allclose(far, limit, atol=1e-11)
    with pytest.raises(ValueError, match="no limit"):
        cf.softmax_identity_limit(np.eye(2), COV)


def test_l2_with_identity_values():
    for sign in (1, -1):
        cov = cf.l2_identity(K, COV, t=1.0, sign=sign)
        assert_allclose(run(af.L2(Q=sign * K, K=K)).cov, cov, rtol=1e-11)


def test_l2_on_the_line():
    expected = {-0.5: (0.4502786481, 0.7076353885), 0.5: (3.2929327635, 1.5841791723)}
    for k, (cov, mean) in expected.items():
        found_mean, found_cov = cf.l2_line(0.7, 0.8, k, mean=0.5, cov=0.9, t=1.3)
        assert_allclose((found_cov, found_mean), (cov, mean), atol=1e-10)
        last = run(af.L2(Q=[[0.8]], K=[[k]]), V=[[0.7]], mean=[0.5], cov=[[0.9]], until=1.3)
        assert_allclose((last.cov[0, 0], last.mean[0]), (found_cov, found_mean), rtol=1e-11)


def test_lambert_of_huge_exponentials():
    for E in (-700.0, -3.0, 0.5, 5.0, 650.0, 1e6):
        w = cf.lambert_of_exp(E)
        assert_allclose(w + np.log(w), E, rtol=1e-13, atol=1e-13)


@pytest.mark.slow
def test_sinkhorn_with_identity_values():
    G = COV @ COV + np.eye(2)
    for eps, sign in ((1.0, 1), (0.5, -1)):
        cov = cf.sinkhorn_identity(G, COV, t=0.7, eps=eps, sign=sign)
        last = run(af.Sinkhorn(sign * G, eps=eps), V=1 / eps, until=0.7)
        assert_allclose(last.cov, cov, rtol=1e-11)
        assert_allclose(last.mean, cf.sinkhorn_mean(np.eye(2) / eps, MEAN, t=0.7), rtol=1e-12)


def test_riccati_with_feed_forward():
    W, c = np.array([[0.3, -0.5], [0.4, 0.1]]), np.array([0.2, -0.1])
    layer = af.FeedForward(w=1.0, a=W, b=c, activation="identity")
    last = run(af.Softmax(B), feed_forward=layer)
    assert_allclose(last.cov, cf.riccati(B, W, COV, t=1.0), rtol=1e-11)
    t = cf.riccati_blow_up(B, W, COV, until=20.0)
    assert np.linalg.eigvalsh(cf.riccati(B, W, COV, t=t - 1e-9))[-1] > 1e6


def test_feed_forward_makes_a_full_rank_equilibrium():
    W = np.array([[0.5, -0.3], [0.2, 0.7]])
    S = -np.array([[1.0, 0.3], [0.3, 0.8]])
    rest = cf.feed_forward_equilibrium(S / 2, W)
    layer = af.FeedForward(w=1.0, a=W, b=0.0, activation="identity")
    flow = af.Flow(R2, af.Softmax(S / 2), feed_forward=layer)
    assert_allclose(af.velocity(flow, af.Gaussian(np.zeros(2), rest)).cov, 0, atol=1e-14)
    assert_allclose(cf.feed_forward_equilibrium([[-0.4]], [[0.3]]), [[0.3 / 0.4]], rtol=1e-14)


def test_one_token_explodes_without_normaliser():
    assert_allclose(cf.unnormalised_blow_up(0.5, 1.2), 0.179958957, atol=1e-9)
    assert_allclose(cf.unnormalised_blow_up(0.8, 0.9), 0.206563679, atol=1e-9)
    flow = af.Flow(R2, af.Unnormalised(0.5), V=1.0)
    ended = af.evolve(flow, af.Particles([[1.2, 0.0]]), until=1.0, save=2, tol=1e-12).status
    assert ended == af.Status.BLOW_UP
    assert_allclose(ended.time, cf.unnormalised_blow_up(0.5, 1.2), atol=1e-9)


def test_closed_forms_take_singular_covariances():
    K, flat = np.array([[0.8, 0.1], [0.3, 0.9]]), np.diag([0.7, 0.0])
    for form in (
        lambda cov: cf.l2_identity(K, cov, t=1.0, sign=-1),
        lambda cov: cf.sinkhorn_identity(K.T @ K, cov, t=1.0, eps=0.5),
    ):
        # The second eigenvalue is the sliver's, grown by e^{2t/ε} at most.
        assert_allclose(form(flat), form(flat + 1e-13 * np.eye(2)), atol=1e-11)
        assert np.linalg.matrix_rank(form(flat)) == 1
        assert np.all(form(np.zeros((2, 2))) == 0)


@pytest.mark.parametrize("w", [-1.0, -1e3, -1e5])
def test_riccati_blow_up_beside_a_fast_contraction(w):
    T = np.array([[1.0, 0.4], [-0.3, 0.8]])
    inverse = np.linalg.inv(T)
    B, W = inverse.T @ np.diag([-0.2, 0.6]) @ inverse, T @ np.diag([w, 0.3]) @ inverse
    found = cf.riccati_blow_up(B, W, T @ np.diag([0.5, 0.7]) @ T.T, until=5.0)
    # In the basis T: σ' = 0.6 σ + 1.2 σ² from 0.7; conjugating W rounds it to |w| ulps.
    assert_allclose(found, np.log1p(0.3 / (0.6 * 0.7)) / 0.6, rtol=1e-10)
