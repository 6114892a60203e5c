"""Claims on metastability, schemes and noise: a right run is not refuted, a wrong one is."""

from types import SimpleNamespace

import numpy as np
import pytest

import attnflow as af
from attnflow.theory import (
    geshkovski2025_groups,
    geshkovski2025_noise,
    geshkovski2025_schemes,
    geshkovski2025_staircase,
)
from attnflow.theory.claim import claims
from attnflow.theory.staircase import jumps

CLAIMS = {claim.key.split(".", 1)[1]: claim for claim in claims("geshkovski2025")}
TS = np.linspace(0.0, 10.0, 11)
RNG = np.random.default_rng(0)


def circle(angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def sphere(beta, V=1.0, **parts):
    return af.Flow(af.Sphere(), af.Softmax(beta=beta), V=V, **parts)


def pretended(flow, x, ts=TS):
    x = np.asarray(x, float)
    return SimpleNamespace(
        flow=flow, x=x, ts=np.asarray(ts, float), mass=np.full(x.shape[1], 1 / x.shape[1]),
        at=lambda k: af.Particles(x[k]), stride=None,
    )  # fmt: skip


def turned(x, end):
    """From one prompt to another, in a straight line on the sphere."""
    path = x + np.linspace(0, 1, len(TS))[:, None, None] * (np.asarray(end) - x)
    return path / np.linalg.norm(path, axis=-1, keepdims=True)


POLES = circle(np.array([-0.05, 0.0, 0.06, np.pi - 0.05, np.pi, np.pi + 0.06]))
APART = circle(np.array([-1.2, 0.0, 1.2, np.pi - 1.2, np.pi, np.pi + 1.2]))
PAIR = circle(np.repeat([0.0, 1.0], 3))
SIX = circle(np.array([0.0, 0.5, 0.9, 1.4, 2.0, 2.7]))
LADDER = circle(np.array([0.0, 0.15, 0.45, 1.2]))
ROUND = circle(2 * np.pi * np.arange(64) / 64 + 1e-4 * np.sin(3 * 2 * np.pi * np.arange(64) / 64))
CLOSE = circle(np.array([0.0, 0.001, 0.002, 0.003, 0.004, 0.005]))
TRIANGLE = circle(2 * np.pi * np.arange(3) / 3)
HARD = af.Flow(af.Sphere(), af.Hardmax(others=True))
USA = af.Flow(af.Sphere(), af.Unnormalised(beta=200.0, scale="shifted"))
NOISY = af.Flow(af.Sphere(), af.Softmax(beta=0.0), noise=0.5)
CAUSAL = af.Flow(af.Sphere(), af.Causal(af.Softmax(beta=1.0)))
LONG = {"until": 4.0, "save": 41}
METASTABLE = {"until": 400.0, "save": 41}

RIGHT = {
    "causal": (CAUSAL, SIX, {"until": 40.0, "save": 41}),
    "variance": (sphere(1.0, normalisation=af.PreLN()), CLOSE, LONG),
    "pair": (sphere(5.0), PAIR, LONG),
    "caps": (sphere(8.0), POLES, METASTABLE),
    "crowd": (sphere(8.0), POLES, METASTABLE),
    "tight": (sphere(8.0), POLES, METASTABLE),
    "cap_growth": (sphere(8.0), POLES, METASTABLE),
    "staircase": (USA, LADDER, {"until": 300.0, "save": 31}),
    "alternative": (sphere(1.0, normalisation=af.PreLN()), SIX, METASTABLE),
    "scheme_cosine": (sphere(2.0, normalisation=af.PeriLN()), np.eye(4), LONG),
    "mean_shift": (sphere(5.0), SIX, {"until": 0.4, "save": 41}),
    "ripples": (sphere(4.0), ROUND, {"until": 3.0, "save": 41}),
    "hardmax": (HARD, SIX, {"until": 2.0, "save": 41}),
    "noise": (NOISY, circle(np.zeros(100)), {"until": 100.0, "step": 0.1, "save": 41}),
}

LATE = np.concatenate([np.zeros(1), np.linspace(150, 390, 10)])
WRONG = {
    "causal": pretended(CAUSAL, turned(SIX, circle(np.full(6, 0.3)))),
    "variance": pretended(sphere(1.0), np.repeat(CLOSE[None], 11, axis=0)),
    "pair": pretended(sphere(5.0), np.repeat(PAIR[None], 11, axis=0)),
    "caps": pretended(sphere(8.0), turned(POLES, APART), LATE),
    "crowd": pretended(sphere(8.0), turned(POLES, APART), LATE),
    "tight": pretended(sphere(8.0), turned(POLES, APART), LATE),
    "cap_growth": pretended(
        sphere(8.0), turned(POLES, circle(np.array([-0.08, 0.0, 0.09, np.pi - 0.08, np.pi, np.pi + 0.09])))
    ),
    "staircase": pretended(USA, turned(LADDER, circle(np.array([0.0, 0.15, 1.2, 1.2])))),
    "alternative": pretended(
        sphere(-3.0, normalisation=af.PreLN()), (1 + TS)[:, None, None] * np.repeat(TRIANGLE[None], 11, axis=0)
    ),
    "scheme_cosine": pretended(sphere(2.0, normalisation=af.PeriLN()), np.repeat(np.eye(4)[None], 11, axis=0)),
    "mean_shift": pretended(sphere(5.0), np.repeat(SIX[None], 11, axis=0), TS / 100),
    "ripples": pretended(sphere(4.0), np.repeat(ROUND[None], 11, axis=0)),
    "hardmax": pretended(HARD, np.repeat(SIX[None], 11, axis=0)),
    "noise": pretended(
        NOISY, np.repeat(circle(2 * np.pi * np.arange(100) / 100)[None], 41, axis=0), np.linspace(0, 200, 41)
    ),
}


@pytest.mark.parametrize("key", RIGHT)
def test_a_right_run_holds(key):
    flow, x, options = RIGHT[key]
    mu = af.Particles(x)
    assert CLAIMS[key].applies(flow, mu), CLAIMS[key].hypotheses(flow, mu)
    assert CLAIMS[key].predict(flow, mu).words
    outcome = CLAIMS[key].check(af.evolve(flow, mu, **options))
    assert outcome.holds is True, outcome


@pytest.mark.parametrize("key", WRONG)
def test_a_wrong_run_is_refuted(key):
    outcome = CLAIMS[key].check(WRONG[key])
    assert outcome.holds is False, outcome


def test_every_claim_with_a_check_has_both_runs():
    checked = {key for key, claim in CLAIMS.items() if claim.check is not None}
    assert checked == set(RIGHT) == set(WRONG)


def test_hardmax_that_hears_itself_rests():
    flow, mu = af.Flow(af.Sphere(), af.Hardmax()), af.Particles(POLES)
    assert CLAIMS["hardmax"].check(af.evolve(flow, mu, until=1.0)).holds is True
    assert CLAIMS["hardmax"].check(pretended(flow, turned(POLES, APART))).holds is False


def test_every_claim_is_hunted():
    assert [key for key, claim in CLAIMS.items() if claim.falsify is None] == []


def test_falsified_numbers_are_refuted(monkeypatch):
    last = lambda key: CLAIMS[key].falsify(0, 1)[-1].outcome  # noqa: E731
    monkeypatch.setattr(geshkovski2025_staircase, "plateau_length", lambda share: 2 / share)
    assert last("staircase") == "refuted"
    monkeypatch.setattr(geshkovski2025_staircase, "isolated_jumps", lambda theta, beta: jumps(theta, beta=1.1 * beta))
    assert last("clock_b") == "refuted"
    monkeypatch.setattr(geshkovski2025_groups, "collapse_bound", lambda u0, beta, c: 1e-3)
    assert last("collapse") == "refuted"
    monkeypatch.setattr(geshkovski2025_noise, "critical_kappa", lambda beta: 1.0)
    monkeypatch.setattr(geshkovski2025_noise, "kuramoto_order", lambda kappa: 0.5)
    monkeypatch.setattr(geshkovski2025_noise, "ordered_law", lambda kappa, beta: SimpleNamespace(order=0.5))
    assert last("noise") == "refuted"
    monkeypatch.setattr(geshkovski2025_schemes, "speed_and_growth", lambda *a, **k: (1.1, 0.0))
    assert last("scheme_cosine") == "refuted"
    monkeypatch.setattr(geshkovski2025_schemes, "is_trap", lambda x, beta: True)
    monkeypatch.setattr(geshkovski2025_schemes, "scheme_run", lambda x, ts, **k: np.stack([x, 2 * x])[-len(ts) :])
    assert last("schemes") == "refuted"
