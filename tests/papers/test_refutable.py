"""Every claim on clusters can fail: wrong runs and falsified predictions are refuted, right runs are not."""

from types import SimpleNamespace

import numpy as np
import pytest

import attnflow as af
from attnflow.theory import geshkovski2024, geshkovski2024_chance, geshkovski2024_energy
from attnflow.theory.claim import claims
from attnflow.theory.geshkovski2023_monotone import decay_error, repelled_ratio
from attnflow.theory.geshkovski2023_search import (
    SQUARE,
    paranormal_ratio,
    planes_ratio,
    polytope_ratio,
    soft_rows,
    subspaces,
)
from attnflow.theory.geshkovski2023_small import escape_shortfall
from attnflow.theory.geshkovski2023_unstable import strays
from attnflow.theory.geshkovski2024_bounds import concentration_bound
from attnflow.theory.search import Trial, hunt, rescaled_run

CLAIMS = {claim.key: claim for paper in ("geshkovski2023", "geshkovski2024") for claim in claims(paper)}
RNG = np.random.default_rng(0)
TS = np.linspace(0.0, 10.0, 11)


def pretended(flow, x, ts=TS, mass=None):
    """A run that is none: tokens that somebody wrote down."""
    x = np.asarray(x, float)
    mass = np.full(x.shape[1], 1 / x.shape[1]) if mass is None else mass
    return SimpleNamespace(flow=flow, x=x, ts=np.asarray(ts, float), mass=mass, at=lambda k: af.Particles(x[k]))


def frozen(x, ts=TS):
    return np.repeat(np.asarray(x, float)[None], len(ts), axis=0)


def line(V=1.0):
    return af.rescale(af.Flow(af.Euclidean(), af.Softmax(), V=V))


def euclidean(V=1.0, **score):
    return af.Flow(af.Euclidean(), af.Softmax(**score), V=V)


def sphere(beta=1.0, V=1.0):
    return af.Flow(af.Sphere(), af.Softmax(beta=beta), V=V)


CLOUD = RNG.uniform(-1, 1, (6, 2))
THREE = RNG.uniform(-1, 1, (6, 3))
PLANES = np.array([[1.0, 0.2], [-0.1, 0.3]])
SQUARE_AND_CENTRE = np.vstack([SQUARE, [[0.2, 0.1]]])
ON_CIRCLE = np.stack([np.cos([0.0, 0.9, 1.4]), np.sin([0.0, 0.9, 1.4])], axis=1)
FAST = np.exp(TS)[:, None, None]

WRONG = {
    "distances": pretended(euclidean(), frozen(CLOUD) * np.exp(-TS)[:, None, None]),
    "hull": pretended(line(), frozen(CLOUD) * np.exp(TS)[:, None, None]),
    "extrema": pretended(line(np.diag([1.0, 0.5])), frozen(CLOUD) * FAST),
    "growth": pretended(line(np.diag([1.0, 0.5])), frozen(CLOUD) * FAST),
    "theorem8.5": pretended(euclidean(-1.0), frozen(CLOUD, TS), ts=1e3 * TS),
    "decay": pretended(euclidean(-1.0), frozen(CLOUD, TS), ts=1e3 * TS),
    "remark7.9": pretended(line(), frozen([[1.0, 0.5], [1.0, -0.5]])),
    "lemma7.3": pretended(euclidean(), frozen([[-1.0], [3.0]])),
    "lemma7.8": pretended(line(), frozen([[-1.0], [0.0], [1.0]]), ts=TS / 4),
    "theorem1": pretended(
        line(), np.linspace(1, 0, 11)[:, None, None] ** 40 * [[0.0], [-0.1], [0.1], [0.0]] + [[-1.0], [0], [0], [1.0]]
    ),
    "lemma7.5": pretended(line(), frozen([[-1.0], [-0.3], [0.4], [1.0]]), ts=3 * TS),
    "theorem2": pretended(line(), frozen(SQUARE_AND_CENTRE)),
    "theorem3": pretended(line(PLANES), frozen(CLOUD), ts=3 * TS),
    "theorem4": pretended(line(np.diag([1.0, 1.0, -0.5])), frozen(np.insert(SQUARE_AND_CENTRE, 2, 0.3, axis=1))),
    "conjecture4.3": pretended(line(np.diag([1.0, 0.9])), frozen(SQUARE)),
    "one_cluster": pretended(sphere(-3.0), frozen(np.array([[1.0, 0], [-0.5, 3**0.5 / 2], [-0.5, -(3**0.5) / 2]]))),
    "cone": pretended(sphere(), frozen(ON_CIRCLE[:2]), ts=20 * TS),
    "equiangular": pretended(sphere(), frozen(np.eye(3))),
    "energy": pretended(sphere(-1.0 + 2.0, V=-1.0), np.stack([np.eye(3) + 0.1 * k for k in range(11)])),
    "simplex": pretended(sphere(V=-1.0), np.stack([np.eye(3) + 0.1 * k for k in range(11)])),
    "identity": pretended(sphere(), frozen(ON_CIRCLE)),
    "extremes": pretended(sphere(-2.0), frozen(np.array([[1.0, 0], [-0.5, 3**0.5 / 2], [-0.5, -(3**0.5) / 2]]))),
    "theorem4.2": pretended(sphere(0.01), frozen(ON_CIRCLE), ts=TS / 10),
    "theorem6.9": pretended(sphere(), frozen(np.eye(2)), ts=50 * TS),
}


@pytest.mark.parametrize("key", WRONG)
def test_a_wrong_run_is_refuted(key):
    claim = CLAIMS.get(f"geshkovski2023.{key}") or CLAIMS[f"geshkovski2024.{key}"]
    outcome = claim.check(WRONG[key])
    assert outcome.holds is False, outcome


def test_every_claim_with_a_check_has_its_wrong_run():
    checked = {key.split(".", 1)[1] for key, claim in CLAIMS.items() if claim.check is not None}
    assert checked == set(WRONG)


def test_every_claim_is_hunted():
    assert [key for key, claim in CLAIMS.items() if claim.falsify is None] == []


def test_the_cloud_that_expands_is_no_hull():
    outcome = CLAIMS["geshkovski2023.theorem4"].check(pretended(line(np.diag([1.0, 1.0, -0.5])), frozen(THREE) * FAST))
    assert outcome.holds is False and "grows" in outcome.words


def test_a_falsified_least_energy_is_refuted(monkeypatch):
    run = pretended(sphere(V=-1.0), frozen(np.eye(3)))
    assert CLAIMS["geshkovski2024.simplex"].check(run).holds is True
    monkeypatch.setattr(geshkovski2024, "least_energy", lambda n, beta: 0.99)
    assert CLAIMS["geshkovski2024.simplex"].check(run).holds is False
    assert CLAIMS["geshkovski2024.simplex"].falsify(0, 1)[0].outcome == "refuted"


def test_a_falsified_clock_is_refuted(monkeypatch):
    wrong = lambda t, **arguments: 0.9 * np.tanh(np.asarray(t))  # noqa: E731
    monkeypatch.setattr(geshkovski2024, "cosine", wrong)
    assert CLAIMS["geshkovski2024.equiangular"].falsify(0, 1)[0].outcome == "refuted"


def test_falsified_numbers_of_chance_and_energy_are_refuted(monkeypatch):
    monkeypatch.setattr(geshkovski2024_chance, "wendel", lambda n, d: 0.5)
    assert CLAIMS["geshkovski2024.wendel"].falsify(0, 1)[0].outcome == "refuted"
    monkeypatch.setattr(geshkovski2024_chance, "departure_bound", lambda t, strength: strength**2 * np.asarray(t))
    assert CLAIMS["geshkovski2024.theorem4.2"].falsify(0, 1)[0].outcome == "refuted"
    power = geshkovski2024_energy.power
    monkeypatch.setattr(geshkovski2024_energy, "power", lambda *a, **k: (1.001 * power(*a, **k)[0], 1.0))
    assert CLAIMS["geshkovski2024.identity"].falsify(0, 1)[1].outcome == "refuted"
    monkeypatch.setattr(geshkovski2024_energy, "moments", lambda beta, d: (0.9, 0.1, 0.1))
    assert CLAIMS["geshkovski2024.extremes"].falsify(0, 1)[0].outcome == "refuted"


def test_ratios_of_the_searches_see_wrong_runs():
    late, metric = np.array([4.0, 6.0, 8.0]), np.eye(2)
    assert polytope_ratio(frozen(SQUARE_AND_CENTRE, late), late, metric) > 1
    right = rescaled_run(SQUARE_AND_CENTRE, late)
    assert polytope_ratio(right, late, metric) < 1
    assert planes_ratio(frozen([-1.0, -0.4, 0.5, 1.0], TS)) > 1
    assert planes_ratio(np.array([-1.0, 1.0]) * np.linspace(1, 2, 11)[:, None]) > 1
    assert paranormal_ratio(frozen(SQUARE_AND_CENTRE)) > 1
    assert soft_rows(np.array([[-1.0], [-1e-9], [1e-9], [1.0]]), 1.0, 1.0, 9.0) == 2
    assert strays(np.array([-1.0, -0.2, 0.3, 1.0])) == 2
    assert subspaces(SQUARE, tol=0.1) == 4
    assert escape_shortfall(np.full(4, 3.0), np.arange(4.0), 2) > 1e-3
    assert repelled_ratio(frozen(CLOUD), 100.0) > 1
    assert decay_error(CLOUD, 400.0, CLOUD) > 0.1
    assert concentration_bound(100.0, d=1e14, n=2, beta=0.0) < 1


def test_one_cluster_is_refuted_by_stable_states_only():
    triangle = np.array([[1.0, 0], [-0.5, 3**0.5 / 2], [-0.5, -(3**0.5) / 2]])
    start = triangle + 0.05 * RNG.normal(size=(3, 2))
    start /= np.linalg.norm(start, axis=1, keepdims=True)
    assert geshkovski2024.cluster_ratio(start, beta=1.0, model="SA", T=60.0, V=-1.0) > 1  # V = −I is not in the theorem
    assert geshkovski2024.cluster_ratio(start, beta=1.0, model="SA", T=60.0) < 1
    assert np.isnan(geshkovski2024.cluster_ratio(triangle, beta=1.0, model="SA", T=1.0))  # an unstable state of rest


def test_infinite_violations_refute_and_nan_does_not_decide():
    assert hunt("a.b", "printed", [Trial(np.inf, example="all")], seed=0).outcome == "refuted"
    unclear = hunt("a.b", "printed", [Trial(np.nan), Trial(np.nan, is_inside=False)], seed=0)
    assert unclear.outcome == "undecidable" and (unclear.undecided, unclear.outside) == (1, 1)
    some = hunt("a.b", "printed", [Trial(np.nan), Trial(0.5)], seed=0)
    assert some.outcome == "not refuted" and some.undecided == 1


def test_the_verdict_table_tells_counterexamples_and_open_cases():
    from attnflow.cli.theory import _verdict_blocks
    from attnflow.theory.claim import Verdict

    false = Verdict("geshkovski2023.remark7.9", "printed", "refuted", 4, 7.0, 9.0, 0, "x = (1, ±0.7)")
    fallen = Verdict("geshkovski2023.hull", "printed", "refuted", 4, 7.0, 9.0, 0, "x = (3, 4)")
    unclear = Verdict("geshkovski2023.theorem2", "printed", "undecidable", 3, 7.0, np.nan, 0, undecided=3)
    blocks = _verdict_blocks("geshkovski2023", CLAIMS, [false, fallen, unclear], [], [fallen])
    words = "\n".join(block for block in blocks if isinstance(block, str))
    assert "• geshkovski2023.remark7.9: x = (1, ±0.7)" in words
    assert "REFUTED: geshkovski2023.hull (printed): x = (3, 4)" in words
    assert "theorem2 (printed): 3 of 3 starts" in words and "no verdict" in words
