"""Figures of arXiv 2305.05465, 2312.10794, 2410.06833 and their neighbours: the expected outcome holds."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from attnflow.errors import BadInput
from attnflow.papers.figure import figures, find
from attnflow.papers.geshkovski2023.figures.perceptron import network_run, perceptron_run
from attnflow.papers.geshkovski2023.matrices import FIGURE_6 as F6
from attnflow.papers.geshkovski2025.figures import HALF, normalised_descent
from attnflow.theory.sphere.staircase import START

PAPERS = ("geshkovski2023", "geshkovski2024", "geshkovski2025", "karagodin2024", "karagodin2025", "rigollet2025")
QUICK = {("geshkovski2024", "6"), ("rigollet2025", "context")}
ALL = [(f.paper, f.name) for paper in PAPERS for f in figures(paper)]


@pytest.mark.parametrize(
    ("paper", "name"), [pytest.param(*f, marks=() if f in QUICK else pytest.mark.slow, id="-".join(f)) for f in ALL]
)
def test_expected_outcome_holds(paper, name):
    try:
        drawn = find(paper, name).draw(full=False, seed=0)
    except BadInput as error:
        if "not installed" not in str(error):
            raise
        pytest.skip(f"needs trained weights: {error}")
    plt.close("all")
    assert drawn.held, drawn.observed
    assert drawn.data and all(np.asarray(value).size for value in drawn.data.values())


def test_every_figure_that_needs_no_weights_is_there():
    names = {paper: {f.name for f in figures(paper)} for paper in PAPERS}
    assert names["geshkovski2023"] >= {"1", "3", "4", "5", "6", "7a", "7b", "8", *map(str, range(11, 19))}
    assert names["geshkovski2024"] >= {"3", "4", "5", "6", "sphere"}
    assert names["geshkovski2025"] >= {"kinetic", "staircase"}
    assert names["karagodin2024"] >= {"causal"} and names["karagodin2025"] >= {"schemes"}
    assert names["rigollet2025"] >= {"context", "noise", "modes", "random_schemes"}


def test_perceptron_as_printed_cannot_collapse_and_the_network_does():
    rng = np.random.default_rng(3)
    x, run = rng.uniform(-5, 5, (8, 2)), {"V": F6, "W": np.eye(2), "activation": np.tanh}
    z = perceptron_run(x, (0, 6.0), **run)[-1]
    # Near its own leader a token stands still: the farthest one is as far as it was, up to tanh's first push.
    assert np.abs(z).max() > 0.8 * np.abs(x).max()
    y = network_run(x, (0, 6.0), **run)
    values, vectors = np.linalg.eig(F6)
    first = np.linalg.inv(vectors)[np.argmax(values)]
    assert np.abs(y[-1] @ first).max() < 5e-3 * np.abs(x @ first).max()


@pytest.mark.parametrize("beta", [2000])
def test_staircase_iteration_has_the_published_half_heights(beta):
    curve = normalised_descent(START, beta=float(beta), step=2e-5)
    levels = np.array([0.2, 0.28, 0.44, 0.52, 1.0])
    half = [curve[np.argmax(curve[:, 1] > level), 0] for level in (levels[:-1] + levels[1:]) / 2]
    assert np.abs(np.array(half) - HALF[beta]).max() < 2e-4
