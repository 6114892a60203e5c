"""Reduced models: the error that is returned bounds the true one, found by independent integrators at other times."""

import numpy as np
import pytest

import attnflow as af
from attnflow.papers.independent import euclidean_run, sphere_run
from attnflow.theory.reduction.errors import bounded_error, lipschitz
from attnflow.theory.reduction.models import Task, low_temperature_flow, merged_clusters


def sphere_case(n, d, beta, seed):
    flow = af.Flow(af.Sphere(), af.Softmax(beta=beta))
    return flow, af.uniform_sphere(n, d, seed=seed), lambda x, ts: sphere_run(x, ts, beta=beta)


def ball_case(n, seed):
    flow = af.Flow(af.Euclidean(), af.Softmax())
    return flow, af.measures.initial.uniform_ball(n, 2, seed=seed), euclidean_run


CASES = {
    "equiangular": (*sphere_case(1, 1, 1.0, 0)[:1], af.measures.initial.equiangular(5, 6, cos=0.3),
                    lambda x, ts: sphere_run(x, ts, beta=1.0), 2.0, 0.05),
    "circle": (*sphere_case(24, 2, 4.0, 3), 3.0, 0.1),
    "plane": (*ball_case(24, 5), 1.0, 0.2),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.broad(1)
def test_the_error_bounds_the_true_one(name):
    flow, mu, independent, until, allowed = CASES[name]
    found = af.reduce(flow, mu, until=until, error=allowed)
    ts = np.linspace(0, until, 65)
    assert found.error <= allowed or found.model.name == "the run itself"
    assert found.speedup >= 1 and found.table[-1].name == "the run itself"
    exact = independent(np.asarray(mu.x, float), ts)
    if found.model.of == "tokens":
        model = np.stack([np.asarray(state.x) for state in found.model.states])
        assert np.linalg.norm(model - exact, axis=-1).max() <= found.error
    assert {"equiangular": "equiangular tokens"}.get(name, found.model.name) == found.model.name


def test_errors_hold_between_the_times_that_are_compared():
    """Mergings move tokens at once: the worst moment is just after one, wherever that lies."""
    flow, mu, independent = sphere_case(8, 3, 2.0, 1)
    found, fine = af.reduce(flow, mu, until=8.0, error=0.3), np.linspace(0, 8.0, 2001)
    exact, rows = independent(np.asarray(mu.x, float), fine), {row.name: row.error for row in found.table}
    for model in merged_clusters(Task(flow, mu, fine, 0.3, 1e-8)):
        true = max(np.linalg.norm(np.asarray(s.x) - x, axis=1).max() for s, x in zip(model.states, exact))
        assert true <= rows[model.name]


def test_the_run_itself_says_how_far_it_may_be_off():
    """Where tokens grow like e^t, so does what an integrator may be off."""
    flow, mu = af.Flow(af.Euclidean(), af.Softmax()), af.measures.initial.uniform_ball(6, 2, seed=1)
    found = af.reduce(flow, mu, until=6.0, error=1e-9)
    exact = euclidean_run(np.asarray(mu.x, float), np.linspace(0, 6.0, 65))
    true = max(np.linalg.norm(np.asarray(s.x) - x, axis=1).max() for s, x in zip(found.model.states, exact))
    assert found.model.name == "the run itself" and true <= found.error < 1e-2


def test_the_velocity_is_as_lipschitz_as_the_bound_says(rng):
    for d, beta in ((2, 0.5), (3, 8.0), (5, -3.0)):
        V, B = rng.normal(size=(2, d, d))
        flow = af.Flow(af.Sphere(), af.Softmax(B=B, beta=beta), V=V)
        x = np.asarray(af.uniform_sphere(12, d, seed=1).x)
        for size in (1e-6, 0.1):
            y = x + size * rng.normal(size=x.shape)
            y /= np.linalg.norm(y, axis=1, keepdims=True)
            apart = np.linalg.norm(y - x, axis=1).max()
            v = [np.asarray(af.velocity(flow, af.Particles(z))) for z in (x, y)]
            assert np.linalg.norm(v[1] - v[0], axis=1).max() <= lipschitz(flow, d) * apart


def test_a_bound_without_the_run_is_a_bound():
    flow = af.Flow(af.Sphere(), af.Softmax(B=np.diag([2.0, 1.0]), beta=5.0), V=np.diag([0.3, 0.1]))
    mu, ts = af.uniform_sphere(12, 2, seed=0), np.linspace(0, 0.5, 65)
    (model,) = low_temperature_flow(Task(flow, mu, ts, 0.1, 1e-8))
    exact = sphere_run(np.asarray(mu.x), ts, beta=5.0, B=np.diag([2.0, 1.0]), V=np.diag([0.3, 0.1]))
    true = max(np.linalg.norm(np.asarray(s.x) - x, axis=1).max() for s, x in zip(model.states, exact))
    assert 0 < true <= bounded_error(model, Task(flow, mu, ts, 0.1, 1e-8)) < np.inf


@pytest.mark.parametrize(("options", "words"), [({"until": -1.0}, "until"), ({"error": 0.0}, "error")])
def test_bad_input(options, words):
    flow, mu, _ = sphere_case(4, 2, 1.0, 0)
    with pytest.raises(af.BadInput, match=words):
        af.reduce(flow, mu, **options)
