"""Arguments of the wrong kind: every public function refuses them in one line, whatever they are."""

import fractions
import importlib
import inspect
import pkgutil

import jax
import numpy as np
import pytest

import attnflow as af
from attnflow.engine.linalg.arguments import CHECKED, kinds_of, shaped
from attnflow.errors import BadInput, quoted

X = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.6, 0.8]])
HUGE = 10**5000
MU, LAW, SOFTMAX = af.Particles(X), af.Gaussian(np.zeros(2), np.eye(2)), af.Softmax(beta=2.0)
CLOSE = af.Particles(X[[0, 0, 2, 3]])
FLOW, FREE = af.Flow(af.Sphere(), SOFTMAX), af.Flow(af.Euclidean(), SOFTMAX)
NOT_ONE = (
    HUGE,
    "x",
    "\x1b[31m" * 90,
    [],
    [[]],
    [1, [2]],
    np.zeros((4, 3)),
    np.array("x"),
    1j,
    {},
    object(),
    len,
    np.datetime64("2020"),
)
"""What is no number, count, name, flow, prompt or array of a sensible shape."""

CALLS = {
    "velocity": (af.velocity, {"flow": FLOW, "mu": MU}, ("t", "summation")),
    "energy": (af.energy, {"flow": FLOW, "mu": MU}, ("flow", "mu", "convention")),
    "log_energy": (af.log_energy, {"flow": FLOW, "mu": MU}, ("flow", "mu", "convention")),
    "dissipation": (af.dissipation, {"flow": FLOW, "mu": MU}, ("flow", "mu", "convention")),
    "clusters": (af.clusters, {"mu": MU}, ("mu", "tol")),
    "cluster_counts": (af.cluster_counts, {"run": None}, ("run", "tol")),
    "listening": (af.listening, {"flow": FLOW, "mu": MU}, ("flow", "mu")),
    "resolution": (af.resolution, {"flow": FLOW, "mu": MU}, ("flow", "mu", "fewest")),
    "layers": (af.layers, {"flow": FLOW, "mu": MU, "count": 2}, ("count", "update", "summation")),
    "limit": (af.limit, {"flow": FREE, "mu": MU}, ("until", "tol")),
    "stationarity": (af.stationarity, {"B": 1.0, "mu": MU}, ("mu",)),
    "steady_states": (af.steady_states, {"B": 1.0, "d": 2}, ("d",)),
    "descend": (af.descend, {"B": -1.0, "d": 2}, ("d", "n", "layers", "seed")),
    "blow_up": (af.blow_up, {"flow": FREE, "mu": LAW}, ("flow", "mu", "tol", "max_steps", "closed_form")),
    "long_time": (af.long_time, {"flow": FREE, "mu": LAW}, ("flow", "mu", "until", "per_decade")),
    "minimise": (af.minimise, {"cbo": af.CBO(lambda x: (x**2).sum(-1)), "d": 2}, ("cbo", "n", "steps", "dt", "runs")),
    "LowTemperatureLimit": (af.LowTemperatureLimit, {"V": np.eye(3)}, ("d", "tol")),
    "Hardmax": (af.Hardmax, {}, ("ties",)),
    "Sinkhorn": (af.Sinkhorn, {}, ("start", "tol", "iterations")),
    "Causal": (af.Causal, {"rule": SOFTMAX}, ("average",)),
    "Masked": (af.Masked, {"rule": SOFTMAX}, ("table",)),
    "Block": (af.Block, {"sublayers": [SOFTMAX]}, ("sublayers", "entry")),
    "FeedForward": (af.FeedForward, {}, ("activation",)),
    "CBO": (af.CBO, {}, ("kernel", "noise", "space")),
    "wasserstein": (af.wasserstein, {"mu": MU, "nu": MU}, ("p", "metric")),
    "self_transport": (af.self_transport, {"mu": MU, "eps": 0.5}, ("eps", "tol", "backend")),
    "claims": (af.claims, {}, ("paper",)),
    "build": (af.build, {}, ("scenario",)),
    "summary_figure": (af.summary_figure, {"run": None}, ("run",)),
    "random_tokens": (af.random_tokens, {"rho": af.Density(np.ones(64)), "n": 4, "seed": 0}, ("rho", "n", "seed")),
    "uniform_sphere": (af.uniform_sphere, {"n": 4, "d": 3}, ("n", "d", "sampling")),
}  # fmt: skip


@pytest.mark.parametrize(("name", "argument"), [(name, one) for name, call in CALLS.items() for one in call[2]])
def test_what_an_argument_is_not_is_refused_in_one_line(name, argument):
    function, valid, _ = CALLS[name]
    for value in NOT_ONE:
        with pytest.raises(BadInput) as refusal:
            function(**(valid | {argument: value}))
        line = str(refusal.value)
        assert line.isprintable() and len(line) <= 200, (argument, value)


def test_traced_numbers_are_taken():
    speed = jax.jit(lambda t, B: af.velocity(af.Flow(af.Sphere(), af.Softmax(B)), MU, t=t))(0.0, 1.0)
    assert np.isfinite(np.asarray(speed)).all()


def test_a_number_beside_a_rectangular_matrix_is_refused():
    with pytest.raises(BadInput, match="square"):
        af.Softmax(Q=2.0, K=np.ones((2, 3)))


def test_unknown_keywords_stay_errors_of_python():
    with pytest.raises(TypeError, match="untill"):
        af.evolve(FLOW, MU, untill=1.0)


def test_values_are_quoted_in_a_few_words():
    assert quoted(HUGE) == quoted(-HUGE) == "a whole number of more than 24 digits"
    assert quoted([HUGE]) == "a list too long to show"
    assert len(quoted("x" * 1000)) == 80 and quoted("\x1b").isprintable()


def test_a_long_refusal_keeps_its_beginning_and_its_end():
    line = str(BadInput("/folder" * 100 + "\n is not\ta run"))
    assert line.startswith("/folder") and line.endswith("is not a run") and len(line) == 200


@pytest.mark.parametrize("place", [None, 3, True, b"x", [], np.zeros(2), "x" * 5000, "\0", len])
def test_what_names_no_place_on_disk_is_refused(place):
    for use in (af.load_run, af.from_file, lambda path: af.save_figure(None, path)):
        with pytest.raises(BadInput):
            use(place)


@pytest.mark.parametrize("name", [None, 3, "", "two words", [], "softmax"])
def test_what_cannot_be_registered_is_refused(name):
    for register, thing in ((af.register_rule, af.Softmax), (af.register_space, af.Euclidean)):
        with pytest.raises(BadInput):
            register("fresh" if name == "softmax" else name, 3 if name == "softmax" else thing)
    with pytest.raises(BadInput):
        af.register_paper(name)


def test_seeds_and_counts_have_their_bounds():
    for bad in ({"seed": -1}, {"seed": 2**63}, {"n": 0}):
        with pytest.raises(BadInput, match="at least"):
            af.descend(-1.0, 2, **bad)


def test_numbers_of_double_precision_are_taken_whatever_the_engine_computes_in():
    with jax.enable_x64(False):
        assert af.hull(1e60 * X[:, :2]).corners.size


def test_every_annotation_can_be_read():
    for module in pkgutil.walk_packages(af.__path__, "attnflow."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for function in CHECKED:
        for name in inspect.signature(function).parameters:
            kinds_of(function, name)  # raises NameError for what only type checkers import


def test_arrays_beside_other_kinds_are_checked_too():
    for bad in ([np.nan] * 3, 1j, np.zeros(0), ["a"], np.array(["2020"], "datetime64[Y]")):
        with pytest.raises(BadInput, match="mass must be an array of finite numbers or None"):
            af.self_transport(X, 0.5, mass=bad)


def test_numbers_of_other_libraries_are_taken():
    expected = af.wasserstein(MU, CLOSE, p=2.0)
    for p in (2, np.int64(2), np.float32(2), np.array(2.0), jax.numpy.asarray(2.0), fractions.Fraction(2)):
        assert af.wasserstein(MU, CLOSE, p=p) == expected
    assert len(af.layers(FLOW, MU, np.int64(2), np.float32(0.5)).ts) == 3


def test_shapes_are_spelt_in_letters():
    assert shaped([[1, 2], [3, 4]], "B", "d d").dtype == float
    with pytest.raises(BadInput, match=r"B must be an array of finite numbers of shape \(d, d\), got shape \(1, 2\)"):
        shaped([[1, 2]], "B", "d d")
    with pytest.raises(BadInput, match=r"of shape \(n, 3\), got \[\[nan\]\]"):
        shaped([[np.nan]], "x", "n d", d=3)


def test_what_no_memory_holds_is_refused():
    for ask in (lambda: af.uniform_sphere(10**15, 3), lambda: af.uniform_sphere(2**31 - 1, 2**31 - 1)):
        with pytest.raises(BadInput):
            ask()


def test_distances_beyond_squares_are_numbers():
    near = af.Particles(1e-200 * X), af.Particles(2e-200 * X)
    far = af.Particles(1e200 * X), af.Particles(2e200 * X)
    ratio = af.wasserstein(MU, af.Particles(2 * X))
    np.testing.assert_allclose([af.wasserstein(*near) * 1e200, af.wasserstein(*far) / 1e200], ratio, rtol=1e-12)
