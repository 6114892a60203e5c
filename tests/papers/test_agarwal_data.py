"""Images: the digits that come with scikit-learn, and Fashion-MNIST where it is installed."""

import gzip

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.papers.agarwal2024.figures import data
from attnflow.theory.heat.cloud_resolution import resolution, warnings_of
from attnflow.theory.heat.self_transport import self_transport


def test_digits():
    images = data.digits()
    assert images.x.shape == (1797, 64)
    assert_allclose(images.x.var(axis=0).sum(), 4.69328, atol=5e-6)  # six printed digits
    for dimension, kept in ((2, 0.285), (5, 0.545), (10, 0.738)):
        assert_allclose(images.reduced(dimension).kept, kept, atol=5e-4)
    whole = images.reduced(64)
    assert_allclose(whole.pictures(whole.x), images.pictures(images.x), atol=1e-12)


@pytest.mark.parametrize(
    ("dimension", "eps", "self_weight", "perplexity", "share"),
    [
        (2, 0.1, 0.008, 279.6, 0.860),
        (5, 0.3, 0.017, 217.7, 0.570),
        (10, 1.0, 0.007, 801.4, 0.361),
        (64, 0.1, 0.988, 1.1, 0.005),
    ],
)
def test_resolution_of_the_digits(dimension, eps, self_weight, perplexity, share):
    seen = resolution(self_transport(data.digits(dimension).x, eps))
    # printed digits
    assert_allclose(seen.self_weight, self_weight, atol=5e-4, rtol=0.01)
    assert_allclose(seen.perplexity, perplexity, atol=0.05, rtol=0.01)
    assert_allclose(seen.effective_dimension / dimension, share, atol=5e-4, rtol=0.01)
    notes = warnings_of(seen)
    assert bool(notes) == (dimension == 64), notes


def test_idx_files(tmp_path):
    array = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    head = b"\0\0\x08\x03" + np.array([2, 3, 4], ">i4").tobytes()
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(head + array.tobytes()))
    assert_allclose(data.read_idx(path), array)
    path.write_bytes(gzip.compress(head + array.tobytes()[:-1]))
    with pytest.raises(ValueError, match="cut short"):
        data.read_idx(path)
    path.write_bytes(gzip.compress(b"picture"))
    with pytest.raises(ValueError, match="not an IDX file"):
        data.read_idx(path)


def test_missing_data_say_how_to_get_them(tmp_path):
    with pytest.raises(ValueError, match="dataset-fashion-mnist") as error:
        data.fashion_mnist(tmp_path)
    assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match="part must be"):
        data.fashion_mnist(tmp_path, part="half")


needs_fashion = pytest.mark.skipif(
    not data.has_fashion_mnist(),
    reason=f"Fashion-MNIST not found: install dataset-fashion-mnist or set {data.FASHION_VARIABLE}",
)


@needs_fashion
def test_fashion_mnist():
    images = data.fashion_mnist()
    assert images.x.shape == (60000, 784)
    assert_allclose([images.x.mean(), images.x.std()], [0.28604, 0.35302], atol=5e-6)  # five printed digits
    assert np.all(np.bincount(images.labels) == 6000)


@needs_fashion
def test_fashion_mnist_is_frozen_and_says_so():
    images = data.fashion_mnist(part="all").some(1000, seed=0)
    run = af.bridge(2 * images.x - 1, 100.0, steps=10, save=10)
    total = [np.asarray(x).var(axis=0).sum() for x in run.x]
    assert_allclose(total, [270, 1684], rtol=0.05)  # a subsample
    assert any("heat flow not resolved" in note for note in run.notes)
    authors = af.bridge(2 * images.x - 1, 50.0, steps=10, save=10)
    assert_allclose(np.asarray(authors.x[-1]).var(axis=0).sum(), 859, rtol=0.05)
    assert_allclose(self_transport(np.asarray(authors.x[-1]), 50.0).moments.self_weight.mean(), 0.994, atol=0.02)
