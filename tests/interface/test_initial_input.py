"""Bad first prompts get one clear line."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: af.uniform_sphere(0, 3), "n must be"),
        (lambda: af.uniform_sphere(3, 0), "d must be"),
        (lambda: af.uniform_sphere(2.5, 3), "n must be"),
        (lambda: af.uniform_sphere(4, 3, seed=-1), "seed"),
        (lambda: af.uniform_sphere(4, 3, seed=1.5), "seed"),
        (lambda: af.uniform_sphere(4, 3, sampling="halton"), "sampling must be one of iid, sobol"),
        (lambda: af.uniform_ball(4, 3, radius=-1.0), "radius"),
        (lambda: af.uniform_cube(4, 3, low=1.0, high=0.0), "low must be below high"),
        (lambda: af.gaussian_tokens(4, 3, mean=[0.0, 0.0], cov=np.eye(2)), r"shape \(3,\)"),
        (lambda: af.gaussian_tokens(4, 2, cov=[[1.0, 2.0], [2.0, 1.0]]), "positive semidefinite"),
        (lambda: af.gaussian_tokens(5, 2, antithetic=True), "even"),
        (lambda: af.gaussian_tokens(2, 2, matched=True), "more tokens"),
        (lambda: af.mixture(4, weights=[0.5, 0.6], means=[0.0, 1.0], covs=[1.0, 1.0]), "sum to 1"),
        (lambda: af.mixture(4, weights=[1.0], means=[0.0, 1.0], covs=[1.0]), "as many"),
        (lambda: af.caps(4, 3, centres=2), "either as eps"),
        (lambda: af.caps(4, 3, centres=2, eps=1.5), "half sphere"),
        (lambda: af.caps(4, 3, centres=[[1.0, 0.0]], eps=0.1), "dimension 3"),
        (lambda: af.equiangular(4, 3, cos=0.5), "at least 4"),
        (lambda: af.equiangular(4, 8, cos=-0.9), "between"),
        (lambda: af.quantile_nodes(4, "no such law"), "scipy.stats"),
        (lambda: af.quantile_nodes(4, lambda u: np.full(4, np.inf)), "finite"),
        (lambda: af.quadrature_nodes(lambda x: x[:2], 5, low=0.0, high=1.0), "one number per node"),
        (lambda: af.quadrature_nodes(np.abs, 5, low=1.0, high=0.0), "low < high"),
        (lambda: af.from_array([[1.0, 0.0], [0.0, 0.0]], normalise=True), "token 1 is zero"),
    ],
)
def test_bad_prompts_are_refused(make, words):
    with pytest.raises(ValueError, match=words) as raised:
        make()
    assert "\n" not in str(raised.value)


def test_npy_and_csv_come_back(tmp_path):
    x = np.random.default_rng(0).normal(size=(6, 3))
    np.save(tmp_path / "x.npy", x)
    np.savetxt(tmp_path / "x.csv", x, delimiter=",")
    table = np.column_stack([x[:, :2], np.arange(1, 7), x[:, 2]])
    np.savetxt(tmp_path / "m.csv", table, delimiter=",", header="a,b,mass,c", comments="")
    assert_allclose(af.from_file(tmp_path / "x.npy").x, x)
    assert_allclose(af.from_file(tmp_path / "x.csv").x, x)
    weighted = af.from_file(tmp_path / "m.csv")
    assert_allclose(weighted.x, x)
    assert_allclose(weighted.mass, np.arange(1, 7) / 21)
    assert_allclose(np.linalg.norm(af.from_file(tmp_path / "x.npy", normalise=True).x, axis=1), 1)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.txt", "1,2", "not '.txt'"),
        ("x.csv", "", "empty"),
        ("x.csv", "a,b\n", "no numbers below the header"),
        ("x.csv", "1,2\n3\n", "same number"),
        ("x.csv", "1,2\n3,x\n", "numbers"),
        ("x.csv", "1,2\nnan,4\n", "NaN"),
        ("x.npy", "no array", "not a .npy array"),
    ],
)
def test_bad_files_are_refused(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ValueError, match=words) as raised:
        af.from_file(path)
    assert name in str(raised.value) and "\n" not in str(raised.value)


def test_missing_and_misshapen_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no such file"):
        af.from_file(tmp_path / "none.npy")
    np.save(tmp_path / "flat.npy", np.zeros(4))
    with pytest.raises(ValueError, match=r"shape \(n, d\)"):
        af.from_file(tmp_path / "flat.npy")
    np.save(tmp_path / "words.npy", np.array([["a"]]))
    with pytest.raises(ValueError, match="numbers"):
        af.from_file(tmp_path / "words.npy")
    np.save(tmp_path / "objects.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="not a readable"):
        af.from_file(tmp_path / "objects.npy")


def test_tails_of_densities_end_where_numbers_do():
    for reach in (30.0, 38.6, 60.0):
        mu = af.quadrature_nodes(lambda x: np.exp(-(x**2) / 2), 801, low=-reach, high=reach)
        assert_allclose(np.asarray(mu.mass) @ np.asarray(mu.x) ** 2, 1, rtol=1e-12)
    hermite = af.measures.initial.gauss_hermite(af.Gaussian([0.0], [[2.0]]), order=180)
    assert_allclose(np.asarray(hermite.mass) @ np.asarray(hermite.x) ** 2, 2, rtol=1e-12)
