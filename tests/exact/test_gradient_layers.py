"""Watched layers, descent of thousands of tokens and the table of extremisers (Burger et al. 2025, arXiv 2501.03096)."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.theory.sphere.interaction_energy import interaction_energy
from attnflow.theory.sphere.steady.extremisers import classify

B3 = 2 * np.array([[1, 0.3, 0], [0.3, -0.5, 0.2], [0, 0.2, 0.7]])
RULES = {"SA": af.Softmax, "USA": af.Unnormalised}


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


@pytest.fixture
def mu(rng):
    return af.Particles(unit(rng.normal(size=(30, 3))), rng.uniform(0.5, 1.5, 30))


def flow(name, sign, B=B3, **options):
    return af.Flow(af.Sphere(), RULES[name](B=B, **options), V=sign * B)


@pytest.mark.parametrize("update", ["residual", "projected"])
@pytest.mark.parametrize("name", RULES)
@pytest.mark.broad(2)
def test_watched_layers_are_the_layers(mu, name, update):
    f = flow(name, -1, beta=0.5)
    watched = af.gradient_layers(f, mu, count=60, update=update)
    plain = af.layers(f, mu, 60, float(watched.etas[0]), update=update)
    assert_allclose(watched.last.x, plain.last.x, atol=1e-13)
    energies = [interaction_energy(np.asarray(x), np.asarray(mu.mass), B=B3 / 2) for x in plain.x]
    assert_allclose(watched.energy, energies, rtol=1e-13)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("name", RULES)
def test_the_advised_step_is_monotone_and_silent(mu, name, sign):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = af.gradient_layers(flow(name, sign), mu, count=60)
    assert run.is_monotone and not run.notes
    assert sign * (run.energy[-1] - run.energy[0]) > 0


@pytest.mark.parametrize("name", RULES)
def test_a_long_step_is_told_and_halving_mends_it(mu, name):
    with pytest.warns(UserWarning, match="wrong way"):
        wild = af.gradient_layers(flow(name, -1), mu, count=60, eta=2.0)
    assert not wild.is_monotone and any("through the origin" in note for note in wild.notes)
    with pytest.warns(UserWarning, match="halved"):
        tame = af.gradient_layers(flow(name, -1), mu, count=60, eta=2.0, halve=True)
    assert tame.is_monotone and tame.etas[-1] < 2.0 and np.all(np.diff(tame.etas) <= 0)


def test_noise_decays_and_layers_still_climb(mu):
    first, again, other = (
        af.gradient_layers(flow("USA", 1), mu, count=200, eta=0.05, noise=0.3, seed=s).energy for s in (0, 0, 1)
    )
    assert_allclose(first, again)
    assert np.abs(first - other).max() > 1e-3
    # After 150 layers the noise is 0.3·0.9^150 = 4e-8.
    assert np.any(np.diff(first[:20]) < 0) and np.all(np.diff(first[150:]) > -1e-6)


def test_what_is_no_gradient_flow_says_so(mu):
    skewed = B3 + np.array([[0, 1.0, 0], [-1, 0, 0], [0, 0, 0]])
    with pytest.warns(UserWarning, match="not a gradient flow"):
        af.gradient_layers(flow("SA", 1, skewed), mu, count=5)
    with pytest.raises(ValueError, match="halving"):
        af.gradient_layers(flow("SA", 1, skewed), mu, count=5, halve=True)
    with pytest.raises(ValueError, match="not a multiple of B"):
        af.gradient_layers(af.Flow(af.Sphere(), af.Softmax(B=B3), V=1.0), mu, count=5)
    with pytest.raises(ValueError, match="count"):
        af.gradient_layers(flow("SA", 1), mu, count=0)
    with pytest.raises(ValueError, match="eta"):
        af.gradient_layers(flow("SA", 1), mu, count=5, eta=-1.0)


@pytest.mark.slow
def test_thousands_of_tokens_descend_to_the_certified_minimum():
    # Slow modes of a random start decay at rates like k²Λ_k: what is left after 300 layers is their energy Λ_k/n.
    found = af.descend(np.diag([1.0, 2.0]), n=3000, layers=300)
    assert 0 <= found.excess < 1e-6
    assert_allclose(found.least.energy, 1.4381957069360784, rtol=1e-12)
    assert_allclose(
        found.energy[-1], interaction_energy(found.x, np.full(3000, 1 / 3000), B=np.diag([1.0, 2.0])), rtol=1e-12
    )
    assert np.all(np.diff(found.energy) < 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_descent_for_a_matrix_without_symmetry_stays_above_the_dual_bound(name):
    B = np.array([[0.9, 0.2, 0.1], [0.2, 0.5, -0.1], [0.1, -0.1, 0.3]])
    found = af.descend(B, n=2000, layers=2000, normalisation=name)
    assert found.least.gap < 1e-8
    assert -1e-12 < found.excess < 2e-6
    # Nodes placed well carry the minimiser itself: the excess is that of the start, not of the method.
    second = (found.x.T @ found.x) / 2000
    assert_allclose(second, (found.least.x.T * found.least.mass) @ found.least.x, atol=2e-3)


def test_descent_of_other_signs():
    found = af.descend(np.diag([1.0, -0.5, 0.3]), n=50, layers=400)
    assert_allclose(found.energy[-1], np.exp(-0.5), rtol=1e-9)
    with pytest.raises(ValueError, match="symmetric B"):
        af.descend(np.array([[0.0, 1], [0, 0]]))


def test_table_of_extremisers(rng):
    rows = af.extremiser_table()
    assert len(rows) == 9
    for row in rows:
        states = af.steady_states(row.example)
        kinds = {"one cluster": "δ_z, z in the top", "antipodal pair": "δ_{−z}"}
        for state in states.maximum.states if np.any(row.example) else ():
            assert kinds[state.kind] in row.maximisers
        Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        turned = classify(Q @ row.example @ Q.T)
        assert turned.definiteness == row.definiteness and turned.minimum == row.minimum
    assert {row.definiteness for row in rows} == {
        "positive definite", "positive semidefinite", "indefinite", "negative semidefinite", "negative definite", "zero",
    }  # fmt: skip
    with pytest.raises(ValueError, match="symmetric"):
        classify([[0.0, 1], [0, 0]])
