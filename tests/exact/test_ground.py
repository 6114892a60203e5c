"""Ground everything stands on: eigenvalues of the exponential kernel, Legendre functions, multiples of the identity."""

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.special import eval_gegenbauer, eval_legendre

from attnflow.engine.linalg.matrices import multiple_of_identity
from attnflow.engine.linalg.rows import _power_of_two, unit_rows
from attnflow.engine.special.funk_hecke import funk_hecke
from attnflow.engine.special.legendre import normalised_legendre


@pytest.mark.parametrize("d", [3, 4, 7])
@pytest.mark.parametrize("beta", [-2.5, 0.3, 9.0])
@pytest.mark.parametrize("l", [0, 1, 4])
def test_funk_hecke_is_the_mean_of_the_kernel_against_a_zonal_harmonic(l, beta, d):
    alpha = d / 2 - 1
    density = lambda s: (1 - s * s) ** ((d - 3) / 2)  # noqa: E731
    harmonic = lambda s: eval_gegenbauer(l, alpha, s) / eval_gegenbauer(l, alpha, 1.0)  # noqa: E731
    total = quad(density, -1, 1, epsabs=0, epsrel=1e-12)[0]
    mean = quad(lambda s: np.exp(beta * s) * harmonic(s) * density(s), -1, 1, epsabs=1e-14, epsrel=1e-12)[0] / total
    assert_allclose(funk_hecke(l, beta, d=d), mean, rtol=1e-9, atol=1e-13)


def test_funk_hecke_on_the_circle_is_a_fourier_coefficient():
    theta = 2 * np.pi * np.arange(256) / 256
    series = np.fft.rfft(np.exp(5.0 * np.cos(theta) - 5.0)).real[:20] / 256
    assert_allclose(funk_hecke(np.arange(20), 5.0, d=2, is_scaled=True), series, rtol=1e-9, atol=1e-16)


def test_funk_hecke_holds_at_zero_for_large_strength_and_in_high_dimension():
    assert_allclose(funk_hecke([0, 1, 2], 0.0, d=5), [1, 0, 0], atol=0)
    assert_allclose(funk_hecke(0, 1e4, d=3, is_scaled=True), 1 / 2e4, rtol=1e-12)
    # In dimension d the cosine has variance 1/d: λ₀ ≈ e^{β²/2d} and λ₁ ≈ βλ₀/d.
    zero, one = funk_hecke([0, 1], 2.0, d=4000)
    assert_allclose([zero, one], [np.exp(2 / 4000), 2 / 4000], rtol=1e-3)
    assert_allclose(funk_hecke(1, 1e-200, d=900), 1e-200 / 900, rtol=1e-12)
    # Where Bessel functions underflow: E e^{βs} = Σ_k E s^{2k} β^{2k} / (2k)! with E s² = 1/d, E s⁴ = 3/d(d + 2).
    assert_allclose(
        funk_hecke(0, 3.0, d=2000), 1 + 4.5 / 2000 + 81 / 24 * 3 / (2000 * 2002), rtol=1e-8
    )  # the next term
    assert_allclose(funk_hecke(1, np.array([-1.5, 1.5]), d=4), np.array([-1, 1]) * funk_hecke(1, 1.5, d=4), rtol=0)


def test_legendre_functions_are_orthonormal_and_known_at_order_zero():
    z, w = np.polynomial.legendre.leggauss(40)
    P = normalised_legendre(12, z)
    assert_allclose(P[0, 5], np.sqrt(11) * eval_legendre(5, z), atol=1e-13)
    for order in (0, 3, 12):
        gram = (P[order] * w / 2) @ P[order].T
        assert_allclose(gram, np.diag((np.arange(13) >= order) * 1.0), atol=1e-13)


def test_multiples_of_the_identity_are_seen_to_twelve_digits():
    assert multiple_of_identity(3) == 3.0
    assert multiple_of_identity(-2.5 * np.eye(3)) == -2.5
    assert multiple_of_identity(np.zeros((2, 2))) == 0.0
    assert multiple_of_identity(1e-30 * np.eye(2)) == 1e-30
    assert multiple_of_identity(np.eye(3) + 1e-14) is not None
    for other in (np.eye(3) + 1e-11, np.diag([1.0, 2.0]), np.ones((2, 3)), np.full((2, 2), np.nan)):
        assert multiple_of_identity(other) is None


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_powers_of_two_by_bits_are_those_of_frexp_and_ldexp(rng, dtype):
    kind = np.finfo(dtype)
    decades = rng.uniform(np.log10(kind.smallest_subnormal), np.log10(kind.max) - 1, 2000)
    x = np.concatenate([rng.choice([-1, 1], 2000) * 10.0**decades, 2.0 ** np.arange(-10, 10), [kind.max, kind.tiny]])
    x = x.astype(dtype)[:, None]
    x = x[x[:, 0] != 0]
    assert np.array_equal(_power_of_two(np, x), np.asarray(_power_of_two(jnp, jnp.asarray(x))))


def test_unit_rows_keep_the_kind_of_array(rng):
    x = rng.normal(size=(4, 2, 3))
    assert isinstance(unit_rows(x), np.ndarray)
    assert_allclose(np.linalg.norm(unit_rows(x), axis=-1), 1, rtol=1e-15)
