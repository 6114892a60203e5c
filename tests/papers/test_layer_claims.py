"""Claims on runs in fixed steps: layers are read as layers, and an integrator is never taken for a counterexample."""

from dataclasses import replace

import numpy as np
import pytest

import attnflow as af
from attnflow.engine.evolution.trajectory import Stride
from attnflow.papers.geshkovski2023.hunts import layers as layer_hunts
from attnflow.papers.geshkovski2023.hunts import line as line_hunts
from attnflow.papers.hunt import hunted
from attnflow.papers.register import claims
from attnflow.papers.variables import growth_matrix, tokens_z

X = np.random.default_rng(0).uniform(-2, 2, (12, 2))
FLOW = af.Flow(af.Euclidean(), af.Softmax())
PLANES = af.Flow(af.Euclidean(), af.Softmax(), V=np.array([[1.0, 0.2], [-0.1, 0.3]]))
HUNTED = {claim.key: claim for claim in claims("geshkovski2023")}


def outcomes(run):
    return {check.claim: check for check in af.check(run)}


@pytest.fixture(scope="module")
def in_x():
    return af.layers(FLOW, af.Particles(X), 100, 0.1)


@pytest.fixture(scope="module")
def in_z():
    return af.layers(af.rescale(FLOW), af.Particles(X), 100, 0.1)


def test_layers_satisfy_the_theorems_in_both_variables(in_x, in_z):
    for run in (in_x, in_z):
        found = outcomes(run)
        assert all(
            found[f"geshkovski2023.{key}"].holds is True
            for key in ("lemma7.2", "proposition8.2", "lemma9.1", "theorem3.1")
        )


def test_rescaling_layers_gives_rescaled_layers(in_x, in_z):
    # Rounding of x is divided by (1 + η)^k as x is.
    assert np.abs(tokens_z(in_x) - np.asarray(in_z.x)).max() < 1e-11
    wide = af.layers(PLANES, af.Particles(X), 20, 0.3)
    direct = af.layers(af.rescale(PLANES), af.Particles(X), 20, 0.3)
    assert np.abs(tokens_z(wide) - np.asarray(direct.x)).max() < 1e-11


def test_the_pace_of_layers_is_the_logarithm_of_one_layer():
    from scipy.linalg import expm

    run = af.layers(PLANES, af.Particles(X), 2, 0.3)
    assert np.abs(expm(0.3 * growth_matrix(run)) - (np.eye(2) + 0.3 * PLANES.V)).max() < 1e-14
    over = af.layers(af.Flow(af.Euclidean(), af.Softmax(), V=np.diag([1.0, -4.0])), af.Particles(X), 2, 0.3)
    assert np.isnan(growth_matrix(over)).all()
    assert outcomes(over)["geshkovski2023.lemma9.1"].holds is True


def test_wrong_layers_are_refuted(in_z):
    x = np.array(in_z.x)
    x[80:] = x[20]
    wrong = replace(in_z, states=replace(in_z.states, x=x))
    assert outcomes(wrong)["geshkovski2023.theorem3.1"].holds is False


@pytest.mark.slow
def test_fixed_steps_of_the_flow_refute_nothing():
    run = af.evolve(af.rescale(FLOW), af.Particles(X), until=10.0, method="euler", step=0.1)
    found = outcomes(run)["geshkovski2023.lemma7.2"]
    assert found.holds is None and "steps of 0.1 (euler)" in found.words
    sphere = af.layers(af.Flow(af.Sphere(), af.Softmax(beta=2.0)), af.Particles(np.eye(4)), 100, 0.1)
    assert outcomes(sphere)["geshkovski2024.theorem6.8"].holds is None


@pytest.mark.slow
def test_steps_are_remembered_on_disk_and_in_chunks(tmp_path):
    from attnflow.engine.evolution.chunks import evolve_in_chunks
    from attnflow.experiments.store import load_run, write

    run = evolve_in_chunks(FLOW, af.Particles(X), until=1.0, save=11, method="euler", step=0.1, chunk=5)
    assert run.stride == Stride("euler", 0.1)
    assert load_run(write(run.to_xarray(), tmp_path / "run")).stride == run.stride
    adaptive = af.evolve(FLOW, af.Particles(X), until=1.0, save=2)
    assert load_run(write(adaptive.to_xarray(), tmp_path / "other")).stride is None


def verdict(key, statement="printed"):
    return {found.statement: found.outcome for found in hunted(HUNTED[f"geshkovski2023.{key}"])}[statement]


def test_hunts_beyond_one_run_can_fail(monkeypatch):
    right, flow_of = layer_hunts.layer_run, layer_hunts.euclidean_run

    def drifting(c, count, **model):
        return right(c, count, **model) * 1.1 ** np.arange(count + 1)[:, None, None]

    def spreading(x, ts, **model):
        return flow_of(x, ts, **model) + 9 * x * ts[:, None, None]

    monkeypatch.setattr(layer_hunts, "layer_run", drifting)
    assert verdict("remark3.4", "corrected") == "refuted"
    monkeypatch.setattr(line_hunts, "softmax", lambda scores: np.ones_like(scores) / scores.shape[-1])
    assert verdict("lemma7.1") == "refuted"
    monkeypatch.setattr(layer_hunts, "euclidean_run", spreading)
    assert verdict("proposition6.6") == "refuted"
    assert verdict("scaling_on_the_line") == "refuted"
