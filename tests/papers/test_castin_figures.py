"""Castin et al. 2025: the published experiments, from the authors' seeds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attnflow.papers.castin2025.figures import weights as published
from attnflow.papers.castin2025.figures.cone import cone_points, disc_points
from attnflow.papers.castin2025.figures.histograms import draws, published_ranks, true_ranks
from attnflow.papers.castin2025.figures.scheme import Settings, run_published
from attnflow.papers.figure import find
from attnflow.theory.gaussian.closed_forms import l2_growth_exponent, softmax_identity_limit


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


PUBLISHED = {
    ("softmax, V = I", 3): ({0: 3, 1: 48, 2: 49}, 0, 0), ("softmax, V = I", 4): ({0: 11, 1: 47, 2: 42}, 0, 0),
    ("softmax, V = I", 5): ({1: 5, 2: 54, 3: 41}, 0, 3), ("L2, V = I", 3): ({1: 32, 2: 68}, 0, 0),
    ("L2, V = I", 4): ({1: 31, 2: 69}, 0, 0), ("L2, V = I", 5): ({2: 46, 3: 54}, 0, 0),
    ("softmax, V > 0", 3): ({0: 4, 1: 64, 2: 31, 3: 1}, 11, 2), ("softmax, V > 0", 4): ({0: 21, 1: 68, 2: 11}, 488, 4),
    ("L2, V > 0", 3): ({1: 50, 2: 50}, 0, 1), ("L2, V > 0", 4): ({0: 4, 1: 64, 2: 32}, 0, 2),
    ("L2, V > 0", 5): ({1: 22, 2: 68, 3: 10}, 0, 7),
}  # fmt: skip
"""Counts of the authors' script; ("softmax, V > 0", 5) gives {1: 25, 2: 64, 3: 11}, 110, 37, but takes minutes."""


@pytest.mark.parametrize(
    ("kind", "d"),
    [case if case == ("softmax, V > 0", 3) else pytest.param(*case, marks=pytest.mark.slow) for case in PUBLISHED],
)
@pytest.mark.slow
def test_published_scheme_gives_the_published_counts(kind, d):
    ranks, diverged, given_up = published_ranks(kind, d)
    assert (counts(ranks), diverged, given_up) == PUBLISHED[kind, d]


@pytest.mark.parametrize("is_l2", [False, True])
@pytest.mark.broad(1)
def test_published_scheme_is_the_plain_algorithm(is_l2):
    d, settings = 3, Settings(h=0.09, tol=1e-3, max_steps=1000)
    rng = np.random.default_rng(1)
    Q, G, S = rng.standard_normal((12, 1, d)), rng.standard_normal((12, d, d)), rng.standard_normal((500, d, d))
    V, covs = np.swapaxes(G, 1, 2) @ G, S @ np.swapaxes(S, 1, 2)
    left, known, outcomes = iter(covs), [], []
    for q, v in zip(Q, V):
        outcome = None
        while outcome != "converged":
            end, outcome = plain_euler(q, v, next(left), settings, is_l2)
            outcomes.append(outcome)
        known.append(end)
    ends = run_published(Q, V, iter(covs).__next__, settings, is_l2=is_l2)
    assert_allclose(ends.cov, known, atol=1e-9)
    assert (ends.diverged, ends.given_up) == (outcomes.count("diverged"), outcomes.count("given up"))
    assert ends.given_up > 0


def plain_euler(Q, V, S, settings, is_l2):
    d = len(S)
    for _ in range(settings.max_steps):
        heard = -S @ (np.linalg.inv(np.eye(d) + 2 * Q.T @ Q @ S) * 2 if is_l2 else np.eye(d)) @ Q.T @ Q @ S / np.sqrt(d)
        rate = V @ heard + (V @ heard).T
        if np.linalg.norm(rate) < settings.tol:
            return S, "converged"
        values, vectors = np.linalg.eigh(S + settings.h * rate)
        S = (vectors * np.where(values < 0, 1e-14, values)) @ vectors.T
        if np.trace(S) > 1e3:
            return S, "diverged"
    return S, "given up"


@pytest.mark.slow
def test_true_ranks_with_positive_values():
    ranks, _ = true_ranks("softmax, V > 0", 3)
    assert np.all(ranks == 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["convergence", "line", "two_lines", "explosion", "both", "tokens", "anisotropy", "histograms", "projection"],
)
def test_every_figure_shows_what_it_should(name):
    drawn = find("castin2025", name).draw(full=False, seed=0)
    assert drawn.held, drawn.observed


@pytest.mark.slow
def test_adversarial_tokens_reach_the_closed_form():
    drawn = find("castin2024", "adversarial").draw(full=False, seed=0)
    assert drawn.held, drawn.observed
