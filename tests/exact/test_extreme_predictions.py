"""What theory says where numbers are near the ends of floating point: a value, or that it has none, but no NaN and no bug."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ive

import attnflow as af
from attnflow.engine.special.funk_hecke import funk_hecke, scaled_bessel
from attnflow.errors import OutOfRange

FAR = np.array([[1e200, 0.0], [0.0, 1e200], [1.0, 1.0]])
CASES = {
    "cold": (af.Flow(af.Sphere(), af.Softmax(beta=1e5)), af.gaussian_tokens(5, 2, seed=0)),
    "coldest": (af.Flow(af.Sphere(), af.Softmax(beta=1e300)), af.uniform_sphere(5, 3, seed=0)),
    "fast": (af.Flow(af.Sphere(), af.Softmax(beta=0.0), V=1e300), af.uniform_sphere(4, 50, seed=0)),
    "unnormalised": (af.Flow(af.Sphere(), af.Unnormalised(B=-1.0, beta=1e12)), af.uniform_sphere(4, 50, seed=0)),
    "far": (af.Flow(af.Euclidean(), af.L2(B=1.0)), af.Particles(FAR)),
    "linear": (af.Flow(af.Euclidean(), af.Linear()), af.Particles(FAR)),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore::attnflow.Notice")
def test_predictions_without_a_number_say_so(name):
    flow, mu = CASES[name]
    mu = af.Particles(mu.x / np.linalg.norm(mu.x, axis=1, keepdims=True)) if isinstance(flow.space, af.Sphere) else mu
    for found in af.predict(flow, mu):
        assert not found.is_error and not re.search(r"\bnan\b", found.words), (found.claim, found.words)


def test_limits_of_tokens_whose_scores_have_no_number_are_refused():
    for size in (1e200, 1e-200):
        with pytest.raises(OutOfRange, match="range of floating point"):
            af.limit(af.Flow(af.Euclidean(), af.Softmax()), af.Particles(size * np.eye(2)))


def test_bessel_functions_of_any_size():
    order = np.array([0.0, 0.5, 3.0, 50.0])
    assert_allclose(scaled_bessel(order, 0.999e9), ive(order, 0.999e9), rtol=1e-13)
    assert_allclose(scaled_bessel(order, 1.05e9), ive(order, 1.05e9), rtol=1e-12)
    # On the sphere in three dimensions λ₀ = (1 − e^{−2β})/2β.
    assert_allclose(funk_hecke(0, [1e10, 1e38, 1e300], d=3, is_scaled=True), [5e-11, 5e-39, 5e-301], rtol=1e-12)
