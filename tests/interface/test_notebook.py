"""Runs in a notebook: labelled data sets, one line and one table, errors that say what to do."""

import jax
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af


def flow(beta):
    return af.Flow(af.Sphere(), af.Softmax(beta=beta), V=np.diag([1.0, 1.0, 0.5]))


@pytest.fixture(scope="module")
def run():
    return af.evolve(flow(2.0), af.uniform_sphere(6, 3, seed=0), until=1.0, save=4)


def test_a_run_as_a_data_set(run):
    found = run.to_xarray()
    assert float(found["beta"]) == 2 and found["V"].shape == (3, 3)
    assert_allclose(found["energy"], af.energy(run.flow, run.states), rtol=1e-6)
    assert list(found["clusters"].values) == list(af.cluster_counts(run))
    assert found["x"].attrs["units"] == "1" and found["energy"].attrs["long_name"]


def test_a_batch_as_a_data_set():
    batch = af.evolve_batch([flow(1.0), flow(3.0)], af.uniform_sphere(6, 3, seed=0), until=1.0, save=4)
    found = batch.to_xarray()
    assert found["x"].shape == (2, 4, 6, 3) and list(found["beta"].values) == [1, 3]
    assert_allclose(found["x"].values[1], np.asarray(batch.member(1).x))
    assert list(found["status"].values) == ["DONE", "DONE"]


def test_a_run_tells_its_temperature(run):
    assert "beta" in repr(run).lower() or "β" in repr(run)
    assert "<table>" in run._repr_html_()


def test_a_flow_and_its_run_show_the_equation(run):
    for shown in (run, run.flow, af.rescale(af.Flow(af.Euclidean(), af.Softmax()))):
        page = shown._repr_html_()
        assert page.startswith("<math") and "<code>" not in page
    assert "dW" in af.Flow(af.Sphere(), af.Softmax(), noise=0.1).equation()
    assert af.Flow(af.Sphere(), af.Causal(af.Softmax())).equation().count(r"\sum_{j\le i}") == 1


SCHEMES = (af.PostLN(), af.PreLN(), af.PeriLN(), af.MixLN(1.0), af.NGPT(), af.SqrtLN())


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: type(scheme).__name__)
def test_a_scheme_that_stays_on_the_sphere_projects(scheme):
    flow = af.Flow(af.Sphere(), af.Softmax(), normalisation=scheme)
    is_projected = isinstance(scheme.space, af.Sphere) or isinstance(scheme, af.MixLN)
    assert (r"\Pi" in flow.equation()) == is_projected and "<code>" not in flow._repr_html_()


def test_constants_of_weights_are_shown():
    shown = [af.Flow(af.Sphere(), af.Unnormalised(scale=c)).equation() for c in ("mean", "sum", 2.0)]
    assert ["c\\," in words for words in shown] == [False, True, True]


def test_masks_and_biases_stand_in_the_equation():
    """What is heard is also what is divided by; a bias lowers the scores; β scales them under every rule."""
    shown = lambda rule: af.Flow(af.Sphere(), rule).equation()  # noqa: E731
    assert r"{\sum_{k\le i}m_ke^" in shown(af.Causal(af.Softmax()))
    assert r"\frac{m_j}{\sum_{k\le i}m_k}" in shown(af.Causal(af.Unnormalised()))
    assert r"m_j}{" not in shown(af.Causal(af.Unnormalised(), average="all"))
    assert shown(af.Biased(af.Softmax(), 0.2)).count(r"-\lambda|i-") == 2
    assert r"s_k\le s_i" in shown(af.Masked(af.Softmax(), [0.0, 1.0]))
    assert all(r"\beta" in shown(rule()) for rule in (af.Linear, af.Relu, af.Sigmoid))


def test_forward_derivatives_are_named():
    mu = af.uniform_sphere(4, 3, seed=0)
    end = lambda s: af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=s)), mu, until=0.5, save=2).x[-1].sum()  # noqa: E731
    with pytest.raises(ValueError, match='derivatives="forward"'):
        jax.jacfwd(end)(1.0)
