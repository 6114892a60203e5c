"""What the front door promises: typed signatures, one-line refusals, protocols that flows satisfy, nothing on import."""

import subprocess
import sys
from importlib import import_module
from inspect import Parameter, signature

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import expit

import attnflow as af
from attnflow.engine.evolution import Options
from attnflow.engine.evolution.chunks import evolve_in_chunks
from attnflow.engine.evolution.gaussian import Closed
from attnflow.engine.evolution.late_times.anchored import Anchored
from attnflow.engine.evolution.merging import Merged
from attnflow.engine.flow import AnyFlow, VectorField
from attnflow.engine.summation.tiled import Tiled
from attnflow.errors import BadInput

FLOW, MU = af.Flow(af.Sphere(), af.Softmax()), af.uniform_sphere(5, 3, seed=0)
R3 = af.Flow(af.Euclidean(), af.Softmax(), V=np.diag([1.0, 0.5, 0.2]))
DOORS = (
    af.evolve, af.evolve_batch, af.layers, af.velocity, af.attention_matrix, af.evolve_projection, af.gaussian_layers,
    af.rescale,
)  # fmt: skip


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_signatures_say_everything(door):
    parameters = signature(door).parameters.values()
    assert all(p.kind not in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL) for p in parameters)
    assert all(p.annotation is not Parameter.empty for p in parameters)
    assert signature(door).return_annotation is not Parameter.empty


def test_defaults_of_the_front_door_are_those_of_the_options():
    for door in (af.evolve, af.evolve_batch, af.evolve_projection):
        given = {p.name: p.default for p in signature(door).parameters.values() if p.default is not Parameter.empty}
        assert given.items() <= {f.name: f.default for f in Options.__dataclass_fields__.values()}.items()
    with pytest.raises(TypeError, match="unexpected keyword argument 'untill'"):
        af.evolve(FLOW, MU, untill=3.0)
    with pytest.raises(TypeError, match="unexpected keyword argument 'untill'"):
        af.evolve_batch(FLOW, [MU, MU], untill=3.0)


HUGE = 10**400
BAD = {
    "no summation": lambda: af.evolve(FLOW, MU, summation=None),
    "no summation of a velocity": lambda: af.velocity(FLOW, MU, summation=None),
    "a class": lambda: af.velocity(FLOW, MU, summation=Tiled),
    "no flow": lambda: af.evolve(None, MU),
    "a rule for a flow": lambda: af.velocity(af.Softmax(), MU),
    "no flow for a density": lambda: af.evolve(None, af.density_from(lambda x: 1 + 0 * x[:, 0], size=8)),
    "no flow in a batch": lambda: af.evolve_batch(None, MU),
    "no flow for layers": lambda: af.layers(None, MU, 3, 0.1),
    "no flow for a matrix": lambda: af.attention_matrix(None, MU),
    "jumps of NaN": lambda: af.evolve(FLOW, MU, jumps=[1.0, np.nan]),
    "jumps of words": lambda: af.evolve(FLOW, MU, jumps="soon"),
    "save=True": lambda: af.evolve(FLOW, MU, save=True),
    "many saves": lambda: af.evolve(FLOW, MU, save=HUGE),
    "a seed beyond 64 bits": lambda: af.evolve(FLOW, MU, seed=2**64),
    "a truth for a seed": lambda: af.evolve(FLOW, MU, seed=True),
    "a huge end": lambda: af.evolve(FLOW, MU, until=HUGE),
    "a huge time to save": lambda: af.evolve(FLOW, MU, save=[1.0, HUGE]),
    "huge steps": lambda: af.evolve(FLOW, MU, max_steps=HUGE),
    "a huge step": lambda: af.evolve(FLOW, MU, method="euler", step=HUGE),
    "huge layers": lambda: af.layers(FLOW, MU, HUGE, 0.1),
    "huge layers of a Gaussian": lambda: af.gaussian_layers(R3, af.Gaussian(np.zeros(3), np.eye(3)), HUGE, 0.1),
    "a huge temperature": lambda: af.Softmax(beta=HUGE),
    "a huge token": lambda: af.Particles([[HUGE, 1]]),
    "a huge moment": lambda: af.velocity(FLOW, MU, t=HUGE),
    "no moment": lambda: af.attention_matrix(FLOW, MU, t=np.nan),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_one_line(case):
    with pytest.raises(BadInput) as error:
        BAD[case]()
    assert "\n" not in str(error.value) and len(str(error.value)) < 250


def test_flows_satisfy_what_is_asked_of_them():
    rescaled = af.rescale(R3)
    for flow in (FLOW, R3, rescaled):
        assert isinstance(flow, AnyFlow)
    inner = (
        Merged(FLOW, jnp.arange(5), jnp.asarray(1e-3)), Anchored(rescaled, jnp.arange(5), jnp.ones(5)), Closed(R3),
    )  # fmt: skip
    for flow in inner:
        assert isinstance(flow, VectorField)
    assert not isinstance(af.Softmax(), VectorField)


@pytest.mark.slow
def test_a_summation_object_survives_chunks():
    options = {"until": 1.0, "save": 5, "summation": Tiled(tile=2)}
    run = evolve_in_chunks(FLOW, MU, chunk=2, **options)
    np.testing.assert_allclose(run.x, af.evolve(FLOW, MU, **options).x, atol=1e-8)


ON_IMPORT = """
import importlib, pkgutil, attnflow
for module in pkgutil.walk_packages(attnflow.__path__, "attnflow."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
from jax._src import xla_bridge
print(sorted(xla_bridge._backends))
"""


def test_importing_everything_touches_no_device():
    done = subprocess.run([sys.executable, "-c", ON_IMPORT], capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "[]", done.stderr[-500:]


def test_editors_see_what_the_front_door_offers():
    """The stub names what is there, each from its home; the folder `explore` is called itself."""
    for home, names in af._FRONT.items():
        module = import_module(f"attnflow.{home}")
        assert all(getattr(af, name) is getattr(module, name) for name in names if name != "explore")
    older = {name for names in af._BY_FOLDER.values() for name in names}
    assert 50 <= len(af.__all__) <= 70 and not set(af.__all__) & older
    assert set(dir(af)) == {*af.__all__, *af._FOLDERS}


def test_what_the_last_velocity_found_serves_only_the_same_question():
    """Another flow, other masses, a zero token: each is looked at anew."""
    mu = af.Particles([[1.0, 0.0], [0.0, 1.0]])
    flows = [af.Flow(af.Sphere(), af.Softmax(beta=beta)) for beta in (1.0, 1e6)]
    for flow in (*flows, *flows):  # at 1e6 the short path for bounded scores would divide 0 by 0
        beta = float(flow.attention.score.beta)
        for moved in (mu, af.Particles(mu.x, mass=[3.0, 1.0]), mu):
            share = expit(np.log(moved.mass[1] / moved.mass[0]) - beta)
            assert np.asarray(af.velocity(flow, moved))[0] == pytest.approx([0.0, share], abs=1e-7)  # single precision
    with pytest.raises(BadInput, match="zero vector"):
        af.velocity(flows[0], af.Particles([[1.0, 0.0], [0.0, 0.0]]))


@pytest.mark.parametrize(("summation", "looks"), [("exact", 1), ("auto", 1), ("fast", 3)])
def test_a_sum_is_chosen_once_unless_it_depends_on_where_tokens_are(summation, looks, monkeypatch):
    module, asked = import_module("attnflow.engine.flow.velocity"), []
    choose = module.choose
    monkeypatch.setattr(module, "choose", lambda *given: asked.append(given) or choose(*given))
    flow = af.Flow(af.Sphere(), af.Softmax(beta=1.5))
    for seed in range(3):
        af.velocity(flow, af.uniform_sphere(6, 3, seed=seed), summation=summation)
    assert len(asked) == looks
