"""A report says what a user's own rule and space are, what was set, and what became of the prompt."""

from types import SimpleNamespace

import jax.numpy as jnp
import pytest

import attnflow as af
from attnflow.engine.attention import Softmax
from attnflow.engine.spaces import Space
from attnflow.experiments.scenario import data
from attnflow.interfaces.report.formula import symbols
from attnflow.interfaces.report.words import NO_FORMULA, _equation, what_was_run

AXES = jnp.array([1.0, 2.0, 3.0])


class Ellipsoid(Space):
    """Tokens with $|Ax| = 1$, A = diag(1, 1/2, 1/3)."""

    def tangent(self, x, v):
        normal = x / AXES**2
        return v - jnp.sum(v * normal, -1, keepdims=True) * normal / jnp.sum(normal**2, -1, keepdims=True)

    def retract(self, x):
        return x / jnp.linalg.norm(x / AXES, axis=-1, keepdims=True)

    def distance(self, x, y):
        return jnp.linalg.norm(x - y, axis=-1)


class Student(Softmax):
    """Weights with a sharpness of its own."""

    def __init__(self, beta=1.0):
        super().__init__(beta=beta)


class Bare(Student):
    pass


@pytest.fixture
def registered(monkeypatch):
    for table in (data.RULE_KEYS, data.SPACES, data.OWN_RULES):
        for name in ("student", "bare", "ellipsoid"):
            monkeypatch.setitem(table, name, None)
            monkeypatch.delitem(table, name)
    af.register_rule("student", Student)
    af.register_rule("bare", Bare)
    af.register_space("ellipsoid", Ellipsoid)


def facts(**sections):
    scenario = data.from_dict({"tokens": {"kind": "sphere", "n": 5, "d": 3}, **sections})
    flow, mu, _ = af.build(scenario)
    states = flow.state_space.retract(mu.x)[None]
    run = SimpleNamespace(
        flow=flow, states=af.Particles(states), stride=None, steps=1, rejected=0, equation=lambda: flow.equation()
    )
    return SimpleNamespace(scenario=scenario, run=run, seconds=0.0, resumed=0, energies=None)


def test_own_parts_are_named_with_what_was_set(registered):
    told = facts(flow={"space": "ellipsoid"}, attention={"rule": "student", "beta": 4.0})
    tokens, attention, motion, _ = what_was_run(told)
    assert "retraction" in tokens
    assert attention == "Student attention (Weights with a sharpness of its own) with β = 4."
    assert motion.startswith("Tokens move in the space “ellipsoid” (Tokens with |Ax| = 1, A = diag(1, 1/2, 1/3)), ")
    assert [block.content for block in _equation(told)] == [NO_FORMULA]


def test_equations_on_an_own_space_are_projected(registered):
    told = facts(flow={"space": "ellipsoid"})
    assert dict(symbols(told.run))[r"\Pi_{x}"] == "projection on the tangents at x"
    assert told.run.flow.equation().startswith(r"\dot x_i = \Pi")


def test_what_has_no_docstring_is_named_alone(registered):
    assert what_was_run(facts(attention={"rule": "bare"}))[1] == "Bare attention with its default weights."


def test_prompts_that_are_brought_to_the_sphere_say_so():
    cube = {"kind": "cube", "n": 5, "d": 3}
    assert "retraction" in what_was_run(facts(tokens=cube))[0]
    assert "retraction" not in what_was_run(facts())[0]
    assert "retraction" not in what_was_run(facts(tokens=cube, flow={"space": "euclidean"}))[0]
