"""The transport distance with nonlocal mobility against closed forms, bounds and the metric axioms."""

import numpy as np
import ot
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad, solve_ivp
from scipy.optimize import root_scalar
from scipy.special import iv

import attnflow as af
from attnflow.theory.mobility import dirac_length, splitting_onset
from attnflow.theory.mobility.action import on_circle, on_sphere
from attnflow.theory.mobility.sphere_geodesics import angles, coupling, tokens

I2, B2 = np.eye(2), np.array([[0.8, 0.3], [0.3, -0.4]])


def at(*theta, mass=None):
    theta = np.asarray(theta)
    return af.Particles(np.stack([np.cos(theta), np.sin(theta)], 1), mass)


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def test_gradients_of_the_action(rng):
    mass = np.array([0.1, 0.2, 0.3, 0.4])
    X, x = rng.normal(size=(5, 4)), unit(rng.normal(size=(5, 4, 3)))
    B, C, h = rng.normal(size=(2, 2)), rng.normal(size=(3, 3)), 1e-5
    for place, matrix, action, put in ((X, B, on_circle, lambda y: y), (x, C, on_sphere, unit)):
        way = rng.normal(size=place.shape)
        ahead, behind = (action(put(place + s * h * way), mass, matrix)[0].mean() for s in (1, -1))
        # A central difference with h = 1e-5 is good to about 1e-9 relative.
        assert_allclose(np.sum(action(place, mass, matrix)[1] * way), (ahead - behind) / (2 * h), rtol=1e-7)


def test_without_attention_it_is_the_wasserstein_distance(rng):
    a, b = rng.uniform(0, 2 * np.pi, (2, 12))
    w2 = 2 * np.pi * np.sqrt(ot.wasserstein_circle(a / (2 * np.pi), b / (2 * np.pi), p=2))[0]
    assert_allclose(af.transport_distance(at(*a), at(*b), B=0 * I2).distance, w2, rtol=1e-10)


def test_symmetry_bounds_and_triangle(rng):
    mus = [at(*rng.uniform(0, 2 * np.pi, n), mass=rng.random(n) + 0.2) for n in (7, 7, 5)]
    d = lambda i, j, B=B2: af.transport_distance(mus[i], mus[j], B=B, intervals=16).distance  # noqa: E731
    assert_allclose(d(0, 1), d(1, 0), rtol=1e-8)
    # Unequal masses make cut atoms, whose shift is found by golden section to 1e-6.
    assert d(0, 2) <= (d(0, 1) + d(1, 2)) * (1 + 1e-6)
    w2, size = d(0, 1, 0 * B2), np.exp(np.linalg.norm(B2, 2) / 2)
    assert w2 / size <= d(0, 1) <= w2 * size


# The specification's values carry a tolerance of 5e-4: the mass fraction is cut into 24 pieces.
@pytest.mark.parametrize("angle, value, minority", [(2.0, 3.297443, 0), (2.5, 4.03100, 0.1462), (np.pi, 4.411298, 0.5)])
def test_atoms_split_beyond_the_onset(angle, value, minority):
    path = af.transport_distance(at(0.0), at(angle), B=I2)
    assert_allclose(path.distance, value, atol=5e-4)
    assert path.distance <= dirac_length(I2, 0, angle) + 1e-9
    assert_allclose(path.mass[path.angles[-1] - path.angles[0] < 0].sum(), minority, atol=2e-3)
    assert "upper bound" in path.notes[0]


def test_halves_going_opposite_ways():
    length = quad(lambda t: np.sqrt((np.e + np.exp(np.cos(2 * t))) / 2), 0, np.pi)[0]
    assert_allclose(length, 4.411298, atol=1e-6)
    path = af.transport_distance(at(0.0), at(np.pi), B=I2, shift=-0.5)
    # Second-order extrapolation from 16 and 32 intervals.
    assert_allclose(path.distance, length, atol=1e-5)


@pytest.mark.parametrize("lam, onset", [(0.5, 2.5359), (1, 2.1234), (2, 1.5746)])
def test_splitting_onset(lam, onset):
    assert_allclose(splitting_onset(lam), onset, atol=1e-4)  # the specification's digits


def test_splitting_pays_beyond_the_onset_only():
    """A drop sent the long way at the optimum of the quadrature, against the action of the path it takes."""
    lam = 5.0
    h = splitting_onset(lam)

    def gain(h):
        # Newton's law of the drop's phase, psi'' = -(lam/2) sin(psi)(2h^2 - psi'^2), shot from 0 to 2 pi.
        def shot(speed, dense=False):
            law = lambda t, y: [y[1], lam / 2 * np.sin(y[0]) * (y[1] ** 2 - 2 * h**2)]  # noqa: E731
            return solve_ivp(law, (0, 1), [0, speed], rtol=1e-10, atol=1e-12, dense_output=dense)

        speed = root_scalar(lambda v: shot(v).y[0, -1] - 2 * np.pi, bracket=(0.1, 30)).root
        path = shot(speed, dense=True).sol
        cost = lambda t: np.exp(lam * np.cos(path(t)[0])) * (h**2 + (h - path(t)[1]) ** 2)  # noqa: E731
        return 2 * np.exp(lam) * h**2 - quad(cost, 0, 1, limit=200)[0]

    assert gain(h - 1e-3) < 0 < gain(h + 1e-3)


@pytest.mark.slow
def test_strong_attention_never_costs_more_than_one_moving_atom():
    for lam, angle in ((5.0, 0.85), (3.0, 1.4)):
        path = af.transport_distance(at(0.0), at(angle), B=lam, intervals=16, pieces=16)
        assert path.distance <= np.exp(lam / 2) * angle * (1 + 1e-6)


def test_one_atom_pays_the_conformal_length():
    B = np.diag([1, 0.5])
    assert_allclose(dirac_length(B, 0.3, 1.5), 1.712493, atol=1e-6)
    path = af.transport_distance(at(0.3), at(1.5), B=B, intervals=64)
    assert_allclose(np.sqrt(path.action.mean()), 1.712489, atol=1e-6)
    assert_allclose(path.distance, dirac_length(B, 0.3, 1.5), rtol=1e-8)


def test_densities():
    mu, nu = (lambda theta: 1 + 0.5 * np.cos(theta)), (lambda theta: 1 + 0.5 * np.sin(theta))
    assert_allclose(af.transport_distance(mu, nu, B=0 * I2).distance, 0.499415, atol=1e-6)
    path = af.transport_distance(mu, nu, B=I2, intervals=16)
    # The specification's value is the midpoint sum with 16 intervals; the limit of fine steps is larger by 1.1e-5.
    assert_allclose(np.sqrt(path.action.mean()), 0.566429, atol=2e-6)
    assert_allclose(path.distance, 0.566440, atol=1e-6)
    assert path.distance < 0.574547
    assert_allclose(path.action, path.action.mean(), rtol=2e-4)  # constant speed to 1e-4, so action to 2e-4
    assert_allclose(path.length, np.sqrt(path.action.mean()), rtol=1e-8)


def test_error_falls_with_the_square_of_the_steps():
    mu, nu = (lambda theta: 1 + 0.5 * np.cos(theta)), (lambda theta: 1 + 0.5 * np.sin(theta))
    e = [af.transport_distance(mu, nu, B=I2, shift=0.09, intervals=T).error for T in (8, 16, 32)]
    assert_allclose([e[0] / e[1], e[1] / e[2]], 4, rtol=0.02)


@pytest.mark.slow
def test_speed_of_the_softmax_flow(rng):
    mu = at(*np.sort(rng.uniform(0, 2 * np.pi, 8)))
    flow = af.Flow(af.Sphere(), af.Softmax(B=B2), V=B2)
    from attnflow.theory.sphere.steady import dissipated_power

    speed = np.sqrt(dissipated_power(flow, mu))
    gaps = []
    for h in (0.02, 0.01):
        later = af.evolve(flow, mu, until=h, save=[h], tol=1e-12).last
        path = af.transport_distance(mu, later, B=B2, intervals=8, shift=0.0)
        gaps.append(abs(path.distance / h - speed) / speed)
    assert gaps[1] < 0.01 and gaps[1] < 0.6 * gaps[0]  # the error is O(h)


def test_sphere_agrees_with_the_circle_and_finds_the_ring():
    e = np.eye(3)
    to = lambda x, y, **o: af.transport_distance(af.Particles(x), af.Particles(y), B=np.eye(3), **o)  # noqa: E731
    assert_allclose(to(e[:1], e[1:2], intervals=8).distance, np.exp(0.5) * np.pi / 2, rtol=1e-9)
    ring = quad(lambda t: np.sqrt(np.exp(np.cos(t) ** 2) * iv(0, np.sin(t) ** 2)), 0, np.pi)[0]
    path = to(e[:1], -e[:1], pieces=12, intervals=16)
    # Twelve pieces on a ring, 8 and 16 intervals extrapolated; two halves on one circle would pay 4.4113.
    assert_allclose(path.distance, ring, atol=1e-3)


def test_sphere_is_a_metric_between_the_bounds(rng):
    B = np.array([[1, 0.3, 0], [0.3, -0.5, 0.2], [0, 0.2, 0.7]])
    mus = [af.Particles(unit(rng.normal(size=(6, 3)))) for _ in range(2)]
    (x, m), (y, k) = tokens(mus[0]), tokens(mus[1])
    i, j, share = coupling(angles(x, y) ** 2, m, k)
    w2, size = np.sqrt(share @ angles(x, y)[i, j] ** 2), np.exp(np.linalg.norm(B, 2) / 2)
    assert_allclose(af.transport_distance(*mus, B=0 * B, intervals=8).distance, w2, rtol=1e-10)
    there, back = (af.transport_distance(*pair, B=B, intervals=8).distance for pair in (mus, mus[::-1]))
    assert_allclose(there, back, rtol=1e-6)  # two separate non-convex searches
    assert w2 / size <= there <= w2 * size


def test_sphere_converges_with_the_square_of_the_steps(rng):
    B = np.array([[0.8, 0.2, 0], [0.2, -0.3, 0.1], [0, 0.1, 0.5]])
    mus = [af.Particles(unit(rng.normal(size=(4, 3)))) for _ in range(2)]
    paths = [af.transport_distance(*mus, B=B, intervals=T, pieces=4) for T in (8, 16, 32)]
    plain = [np.sqrt(path.action.mean()) for path in paths]
    assert_allclose(np.diff(plain)[0] / np.diff(plain)[1], 4, rtol=0.1)
    # Extrapolated values differ by the next order, T^-4; speeds even out along the path.
    assert abs(paths[2].distance - paths[1].distance) < abs(paths[1].distance - paths[0].distance) / 8 < 1e-5
    assert np.ptp(paths[2].speed) / paths[2].speed.mean() < 1e-3


def test_flux_bound_is_above_the_distance():
    rho = lambda turn: lambda theta: 1 + 0.5 * np.cos(theta - turn)  # noqa: E731
    bound = af.flux_bound(rho(0), rho(np.pi / 2), B=I2)
    assert_allclose(bound, 0.574547, atol=1e-6)
    assert bound > af.transport_distance(rho(0), rho(np.pi / 2), B=I2, intervals=8, pieces=16).distance
    # Equal ends: the linear path stands still.
    assert_allclose(af.flux_bound(rho(0), rho(0), B=B2), 0, atol=1e-14)
    turning = af.flux_bound(rho(0), rho(np.pi / 2), B=I2, path=lambda t: rho(np.pi / 2 * t))
    assert_allclose(turning, _rigid_rotation(np.pi / 2), rtol=1e-10)
    # Without attention the linear path is longer than the Wasserstein distance.
    assert af.flux_bound(rho(0), rho(np.pi / 2), B=0 * I2) > 0.499415
    with pytest.raises(ValueError, match="not negative"):
        af.flux_bound(lambda theta: 1 + 2 * np.cos(theta), rho(0), B=I2)


def _rigid_rotation(angle):
    """The cheapest flux of a turning density, by quadrature: J = c + ρ, c free."""
    theta = 2 * np.pi * np.arange(512) / 512
    rho = (1 + 0.5 * np.cos(theta)) / (2 * np.pi)
    r = np.array([np.mean(np.exp(np.cos(t - theta)) * rho) * 2 * np.pi for t in theta]) / rho
    c = -np.mean(r * rho) / np.mean(r)
    return angle * np.sqrt(np.mean(r * (c + rho) ** 2) * 2 * np.pi)


def test_bad_input():
    with pytest.raises(ValueError, match="same sphere"):
        af.transport_distance(at(0.0), af.Particles(np.eye(3)), B=1.0)
    with pytest.raises(ValueError, match="even number"):
        af.transport_distance(at(0.0), at(1.0), B=1.0, intervals=3)
    with pytest.raises(ValueError, match="square"):
        af.transport_distance(at(0.0), at(1.0), B=[[1, 2]])
    with pytest.raises(ValueError, match="negative"):
        af.transport_distance(np.cos, at(1.0), B=1.0)
