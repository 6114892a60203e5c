"""Castin et al. 2025: the published experiments, from the authors' seeds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attnflow.figures import castin_weights as published
from attnflow.figures.castin_histograms import draws, published_ranks, true_ranks
from attnflow.figures.cone import cone_points, disc_points
from attnflow.figures.register import figures
from attnflow.theory.gaussian_closed_forms import l2_growth_exponent, softmax_identity_limit


def counts(ranks):
    values, numbers = np.unique(ranks, return_counts=True)
    return dict(zip(values.tolist(), numbers.tolist()))


def spectrum(weights):
    return np.linalg.eigvalsh(weights.B + weights.B.T)


def test_seeds_give_the_published_matrices():
    assert_allclose(spectrum(published.convergence()), (-0.8564, -0.01449), atol=1e-4)
    assert_allclose(published.line().Q, [[0.40632, 0.91373]], atol=1e-5)
    assert_allclose(spectrum(published.two_lines()), (-3.3213, 0.7403), atol=1e-4)
    assert_allclose(spectrum(published.explosion()), (0.1615, 4.0271), atol=1e-4)
    assert_allclose(np.linalg.eigvals(published.both().V), (1.7619, -0.0464), atol=1e-4)
    weights = published.explosion()
    assert_allclose(l2_growth_exponent(weights.V, weights.Q / np.sqrt(2), weights.K), 0.7537, atol=1e-4)
    sizes = [published.starts(*grid).mean.shape[0] for grid in ((10, 0.5), (20, 1.0), (30, 1.0), (40, 1.0))]
    assert sizes == [100, 276, 648, 1184]


def test_cone_and_disc_coordinates():
    S = np.array([[0.7, 0.2], [0.2, 0.3]])
    assert_allclose(cone_points(S), (0.4, 0.4, 1.0))
    line = np.outer([0.6, 0.8], [0.6, 0.8])
    assert_allclose(np.linalg.norm(disc_points(3 * line)), 1.0)


def test_limits_of_the_line_experiment():
    weights, mu = published.line(), published.starts(10, 0.5)
    traces = [np.trace(softmax_identity_limit(weights.B, cov)) for cov in np.asarray(mu.cov)]
    assert_allclose((min(traces), max(traces)), (0.1465, 0.8508), atol=1e-4)


def test_true_ranks_with_identity_values_and_what_a_threshold_makes_of_them():
    expected = {3: {0: 1, 1: 31, 2: 68}, 4: {1: 32, 2: 68}, 5: {2: 46, 3: 54}}
    for d in (3, 4, 5):
        ranks, limits = true_ranks("softmax, V = I", d)
        assert np.all(ranks == d - d // 2)
        assert counts(np.sum(np.linalg.eigvalsh(limits) > 0.1, axis=1)) == expected[d]
    assert len(draws("softmax, V = I")[3][0]) == 100


@pytest.mark.slow
def test_published_scheme_counts_lower_ranks():
    assert counts(published_ranks("softmax, V = I", 3)[0]) == {0: 3, 1: 48, 2: 49}
    assert counts(published_ranks("softmax, V = I", 4)[0]) == {0: 11, 1: 47, 2: 42}
    # The specification quotes {1: 5, 2: 54, 3: 41} (a step of 0.0165 comes near it: {1: 5, 2: 53, 3: 42}); at the stated
    # step 0.02 the counts below do not change when every step is perturbed by 1e-13, so rounding does not decide.
    assert counts(published_ranks("softmax, V = I", 5)[0]) == {1: 6, 2: 58, 3: 36}


def test_true_ranks_with_positive_values():
    ranks, _ = true_ranks("softmax, V > 0", 3)
    assert np.sum(ranks == 2) >= 95 and not np.any(ranks > 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "convergence",
        "line",
        "two_lines",
        "explosion",
        "both",
        "tokens",
        "anisotropy",
        "histograms",
        "projection",
        "adversarial",
    ],
)
def test_every_figure_shows_what_it_should(name):
    drawn = {item.name: item for item in figures("castin2025")}[name].draw(full=False, seed=0)
    assert drawn.held, drawn.observed
