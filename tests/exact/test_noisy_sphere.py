"""Noisy attention on spheres of any dimension: onset, branches and the β at which they begin with a jump."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ive

from attnflow.errors import BadInput
from attnflow.theory.sphere import noisy_circle, noisy_sphere


@pytest.mark.parametrize("d", [2, 3, 7, 60])
def test_critical_beta_solves_its_equation(d):
    beta = noisy_sphere.critical_beta(d)
    assert_allclose(ive(d / 2 + 1, beta) / ive(d / 2, beta), 1 / d, rtol=1e-13)
    assert 1 < noisy_sphere.critical_beta(10_000) < beta < 2.45


@pytest.mark.parametrize("model", ["USA", "SA"])
def test_the_circle_is_the_case_of_two_dimensions(model):
    for beta, order in ((0.0, 0.3), (1.0, 0.5), (3.0, 0.7)):
        known = noisy_circle.branch_kappa(order, beta=beta, model=model)
        assert_allclose(noisy_sphere.branch_kappa(order, beta=beta, d=2, model=model), known, rtol=1e-10)
        assert_allclose(
            noisy_sphere.critical_noise(2, beta, model=model), noisy_circle.critical_kappa(beta, model=model)
        )


def test_order_without_temperature_is_langevins():
    """β = 0 in three dimensions: r = coth(κr) − 1/(κr)."""
    for r in (0.1, 0.5, 0.8):
        k = noisy_sphere.branch_kappa(r, beta=0.0, d=3) * r
        assert_allclose(1 / np.tanh(k) - 1 / k, r, rtol=1e-11)


@pytest.mark.parametrize("d", [3, 4, 8])
def test_order_sets_in_with_a_jump_beyond_critical_beta(d):
    star = noisy_sphere.critical_beta(d)
    for beta, is_continuous in ((0.95 * star, True), (1.05 * star, False)):
        threshold = noisy_sphere.critical_noise(d, beta)
        small = noisy_sphere.branch_kappa(0.02, beta=beta, d=d)
        assert_allclose(small, threshold, rtol=1e-3)  # the branch leaves κ_c quadratically
        assert (small > threshold) == is_continuous
    found = noisy_sphere.onset(1.5 * star, d=d)
    assert not found.is_continuous and found.ordered < found.linear


def test_dimensions_that_make_no_sense_are_refused():
    for d in (1, 2.5, True, 10**9):
        with pytest.raises(BadInput, match="d must be"):
            noisy_sphere.critical_beta(d)
