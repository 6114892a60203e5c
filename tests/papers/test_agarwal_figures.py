"""Every figure draws and its expected outcome holds."""

import pytest

from attnflow.papers.agarwal2024.figures import data
from attnflow.papers.figure import figures

QUICK = ("kernels", "score", "plans")
ALL = {item.name: item for paper in ("agarwal2024", "sander2022") for item in figures(paper)}


def drawn(name):
    return ALL[name].draw(full=False, seed=0)


@pytest.mark.parametrize("name", QUICK)
def test_quick_figures(name):
    result = drawn(name)
    assert result.held, result.observed
    assert result.figure.axes and result.data


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ALL if name not in QUICK])
def test_long_figures(name):
    if name == "fashion" and not data.has_fashion_mnist():
        pytest.skip(f"Fashion-MNIST not found: install dataset-fashion-mnist or set {data.FASHION_VARIABLE}")
    result = drawn(name)
    assert result.held, result.observed
