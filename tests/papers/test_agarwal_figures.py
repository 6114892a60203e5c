"""Every figure draws and its expected outcome holds."""

import pytest

from attnflow import data
from attnflow.figures.register import figures

QUICK = ("kernels", "score", "plans")


def drawn(name):
    return {item.name: item for item in figures("agarwal2024")}[name].draw(full=False, seed=0)


@pytest.mark.parametrize("name", QUICK)
def test_quick_figures(name):
    result = drawn(name)
    assert result.held, result.observed
    assert result.figure.axes and result.data


@pytest.mark.slow
@pytest.mark.parametrize("name", [item.name for item in figures("agarwal2024") if item.name not in QUICK])
def test_long_figures(name):
    if name == "fashion" and not data.has_fashion_mnist():
        pytest.skip(f"Fashion-MNIST not found: install dataset-fashion-mnist or set {data.FASHION_VARIABLE}")
    result = drawn(name)
    assert result.held, result.observed
