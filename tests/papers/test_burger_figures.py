"""Figures of Burger et al. 2025 (arXiv 2501.03096): schemes against the engine, published numbers, expected outcomes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.papers.burger2025.figures.clusters import SHOWN, ends, outcomes
from attnflow.papers.burger2025.figures.layers import cluster_outcomes, random_starts
from attnflow.papers.figure import find
from attnflow.theory.sphere.interaction_energy import interaction_energy
from attnflow.theory.sphere.steady.four_peaks import peak_ratio, peaks_after
from attnflow.theory.sphere.steady.moment_layers import (
    PowerLayers,
    circle_layers,
    moment_table,
    monomials,
    orders,
    power_layers,
)


def usa(B, sign=1):
    return af.Flow(af.Sphere(), af.Unnormalised(B=B), V=sign * B)


RULES = {"USA": af.Unnormalised, "SA": af.Softmax}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.broad(1)
def test_circle_layers_are_the_engine_s_layers(name):
    Bs = np.stack([np.diag([1.0, 1.4]), np.array([[0.5, 0.3], [0.3, -0.7]])])
    x = random_starts((2, 50, 2), 0)
    fast = circle_layers(Bs, x, eta=0.1, count=20, normalisation=name)
    for B, start, end in zip(Bs, x, fast):
        flow = af.Flow(af.Sphere(), RULES[name](B=B), V=B)
        assert_allclose(af.layers(flow, af.Particles(start), 20, 0.1).last.x, end, atol=1e-13)


@pytest.mark.parametrize("name", RULES)
def test_power_layers_are_the_engine_s_layers(name):
    B, x = np.array([[1.0, 0.2, 0], [0.2, -0.6, 0.1], [0, 0.1, 0.4]]), random_starts((50, 3), 0)
    flow = af.Flow(af.Sphere(), RULES[name](B=B), V=-B)
    end, energy = PowerLayers(B, sign=-1, normalisation=name)(x, eta=0.3, count=20)
    run = af.layers(flow, af.Particles(x), 20, 0.3)
    assert_allclose(run.last.x, end, atol=1e-13)
    assert_allclose(energy, [interaction_energy(np.asarray(y), np.full(50, 0.02), B=B) for y in run.x[:-1]], rtol=1e-13)


def test_number_of_modes():
    # The specification's orders are for I_P/I_0 < 1e-16; ours stop at a tenth of the machine epsilon, 2e-17.
    assert_allclose([orders(r, np.float64) for r in (1, 2, 4, 8)], [15, 18, 23, 30], atol=1)
    assert len(monomials(np.array([0.0, 0.0, 1.0]), 1e-8)[0]) < 15
    assert moment_table(np.eye(2), np.eye(2), 15).shape == (3, 31, 31)


def test_unprojected_step_is_a_projected_step_of_another_length():
    rng, eta = np.random.default_rng(0), 0.2
    x, g = random_starts((20, 3), 0), rng.normal(size=(20, 3))
    inner = np.sum(x * g, 1, keepdims=True)
    unit = lambda y: y / np.linalg.norm(y, axis=1, keepdims=True)  # noqa: E731
    assert_allclose(unit(x + eta * g), unit(x + eta / (1 + eta * inner) * (g - inner * x)), atol=1e-14)


@pytest.mark.slow
def test_one_or_two_clusters_within_three_deviations():
    # Fractions of one cluster the specification measured in 100 float64 runs.
    measured = {1.0: 1.0, 1.175: 1.0, 1.25: 0.55, 1.45: 0.0}
    matrices = np.stack([np.diag([1.0, l2]) for l2 in measured])
    one = np.sum(outcomes(ends(matrices, runs=64, count=1500, eta=0.1, seed=3)) == 1, axis=1)
    for (_l2, p), c in zip(measured.items(), one):
        room = 3 * np.sqrt(max(p * (1 - p), 0.01) * (1 / 64 + 1 / 100))
        assert abs(c / 64 - p) <= room
    assert one[0] == 64 and one[1] == 64


def test_outcomes_are_counted_by_cosines():
    z = np.array([0.6, 0.8])
    runs = np.stack([np.tile(z, (3, 1)), np.stack([z, -z, z]), np.array([z, [1.0, 0], -z])])
    assert cluster_outcomes(runs).tolist() == [1, 2, 0]


PEAK_LIMITS = [(0.05, "USA", 5.1, 5.2), (0.2, "USA", 3.2, 3.3), (0.2, "SA", 9.4, 9.5), (0.05, "SA", 39.0, 39.5)]


@pytest.mark.parametrize("eta, name, good, bad", PEAK_LIMITS)
def test_steps_of_figure_4(eta, name, good, bad):
    l2 = np.array([good, bad])
    ratio = peak_ratio(1.0, l2, peaks_after(1.0, l2, eta=eta, count=10_000, normalisation=name))
    # Near the limit convergence is slow; a failed run is off by orders of magnitude.
    assert_allclose(ratio[0], good, rtol=1e-3)
    assert abs(ratio[1] - bad) > 0.5 * bad


def test_small_step_of_figure_4():
    l2 = np.array([0.5, 2, 10])
    usa_ratio = peak_ratio(1.0, l2, peaks_after(1.0, l2, eta=0.0005, count=10_000))
    assert_allclose(usa_ratio[[0, 2]], [0.571495, 9.999909], atol=1e-6)
    sa = peak_ratio(1.0, l2[1:], peaks_after(1.0, l2[1:], eta=0.0005, count=10_000, normalisation="SA"))
    assert_allclose(sa, [1.994488, 9.993725], atol=1e-6)


@pytest.mark.parametrize("name", ["4", "5", "7"])
def test_static_figures_hold(name):
    drawn = find("burger2025", name).draw(full=False, seed=0)
    assert drawn.held, drawn.observed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["1", "2", "3", "6"])
def test_simulated_figures_hold(name):
    drawn = find("burger2025", name).draw(full=False, seed=0)
    assert drawn.held, drawn.observed


@pytest.mark.slow
def test_figure_2_draws_the_runs_that_it_counts():
    drawn = find("burger2025", "2").draw(full=False, seed=1)
    data, (bars, others, panel) = drawn.data, drawn.figure.axes[:3]
    here = int(np.argmin(np.abs(data["caption_grid"] - SHOWN)))
    said = [inset.get_title() for inset in panel.child_axes]
    assert said == [f"one cluster: {data['caption_one'][here]}", f"two clusters: {data['caption_two'][here]}"]
    assert np.all(cluster_outcomes(data["drawn_tokens"]) == data["caption_outcomes"][here])
    for ax, name in ((bars, "caption"), (others, "repository")):
        found = data[f"{name}_outcomes"]
        assert np.all(np.sum(found == 1, axis=1) == data[f"{name}_one"])
        tops = [patch.get_y() + patch.get_height() for patch in ax.patches[-len(found) :]]
        assert_allclose(tops, 1)


@pytest.mark.slow
def test_figure_3_reaches_the_infimum():
    for B, eta, least, room in (
        (np.diag([1, 0.25, 1.0]), 0.5, 1.027949516774, 5e-7),
        (np.diag([0, 0, 1.0]), 0.75, 1.0, 1e-8),
    ):
        x = power_layers(B, random_starts((400, 3), 1), eta=eta, count=10_000, sign=-1)
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        assert 0 <= interaction_energy(x, np.full(400, 1 / 400), B=B) - least < room


@pytest.mark.slow
def test_semidefinite_descent_is_algebraic():
    # η = 0.75, 10 000 layers: t = 7500, where the specification has ⟨h²⟩ = 6.70e-5 against 6.67e-5.
    x = power_layers(np.diag([0, 0, 1.0]), random_starts((400, 3), 1), eta=0.75, count=10_000, sign=-1)
    assert_allclose(np.mean(x[:, 2] ** 2), 6.67e-5, rtol=0.02)
