"""The z-variables against the x-variables, closed forms and late times."""

from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad, solve_ivp
from scipy.linalg import expm
from scipy.special import softmax

import attnflow as af
from attnflow.engine.evolution.late_times import journey
from attnflow.engine.evolution.late_times.game import Game
from attnflow.engine.evolution.late_times.pressed import Point, settled

MATRICES = {
    "identity": 1.0,
    "rotating": [
        [0.2362413, 0.0599536, 0.40506019],
        [0.81321448, 0.49948705, 0.33754772],
        [0.2160645, 0.38505272, 0.14588075],
    ],
    "Jordan": [[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.5]],
    "paranormal": np.diag([1.0, 1.0, -0.5]).tolist(),
}


@pytest.mark.parametrize("V", MATRICES.values(), ids=MATRICES)
@pytest.mark.broad(1)
def test_rescaled_tokens_are_the_tokens_rescaled(V, rng):
    B, x = rng.normal(size=(3, 3)), rng.uniform(-1, 1, (8, 3))
    flow = af.Flow(af.Euclidean(), af.Softmax(B=B), V=V)
    plain = af.evolve(flow, af.Particles(x), until=2.0, save=3, tol=1e-12)
    scaled = af.evolve(af.rescale(flow), af.Particles(x), until=2.0, save=3, tol=1e-12)
    back = expm(-2.0 * (V * np.eye(3) if np.ndim(V) == 0 else np.asarray(V)))
    assert_allclose(scaled.x[-1], np.asarray(plain.x[-1]) @ back.T, atol=1e-9)


@pytest.mark.parametrize("V", MATRICES.values(), ids=MATRICES)
@pytest.mark.broad(1)
def test_late_times_are_reached(V, rng):
    flow = af.rescale(af.Flow(af.Euclidean(), af.Softmax(B=np.eye(3)), V=V))
    run = af.evolve(flow, af.Particles(rng.uniform(-1, 1, (8, 3))), until=60.0, save=3)
    assert run.status == af.Status.DONE and np.isfinite(run.x).all()


def test_the_attention_matrix_is_that_of_the_tokens(rng):
    V, z, t = rng.normal(size=(3, 3)), rng.normal(size=(8, 3)), 1.3
    flow = af.Flow(af.Euclidean(), af.Softmax(B=rng.normal(size=(3, 3))), V=V)
    P = af.attention_matrix(flow, af.Particles(z @ expm(t * V).T))
    assert_allclose(af.attention_matrix(af.rescale(flow), af.Particles(z), t=t), P, atol=1e-12)
    velocity = af.velocity(af.rescale(flow), af.Particles(z), t=t)
    assert_allclose(velocity, (np.asarray(P) @ z - z) @ V.T, atol=1e-12)


def test_single_precision_stays_single_among_64_bit_numbers(rng):
    """With a matrix V, which needs anchors, and sliding along a tie."""
    flow = af.rescale(af.Flow(af.Euclidean(), af.Softmax(), V=np.float32(MATRICES["rotating"])))
    run = af.evolve(flow, af.Particles(np.float32(rng.normal(size=(6, 3)))), until=2.0, save=3, tol=1e-4)
    hard = af.rescale(af.Flow(af.Euclidean(), af.Hardmax(B=np.diag([1.0, -1.0]).astype(np.float32))))
    slid = af.evolve(hard, af.Particles(np.float32([[1, 1], [1, -1], [0.2, 0.3]])), until=1.0, save=3, tol=1e-4)
    assert run.x.dtype == slid.x.dtype == np.float32 and "slid along" in slid.notes[0]
    assert run.status == slid.status == af.Status.DONE


@pytest.mark.parametrize("e, expected", [(0.3, 0.0052120), (0.5, 0.1873768)])
@pytest.mark.broad(1)
def test_two_tokens_keep_their_distance(e, expected):
    """Remark 7.9 of arXiv 2305.05465, corrected: the limit is two clusters."""
    tail, _ = quad(lambda u: (1 - np.tanh(u)) / (2 * u * np.tanh(u)), e * e, np.inf, epsabs=1e-13)
    assert_allclose(e * np.exp(-tail), expected, atol=1e-7)
    flow = af.rescale(af.Flow(af.Euclidean(), af.Softmax()))
    run = af.evolve(flow, af.Particles([[1.0, e], [1.0, -e]]), until=15.0, save=[15.0], tol=1e-12)
    assert_allclose(run.x[-1, 0, 1], e * np.exp(-tail), atol=1e-9)


def test_the_symmetric_triple_has_its_limit():
    flow = af.rescale(af.Flow(af.Euclidean(), af.Softmax()))
    run = af.evolve(flow, af.Particles([[-1.0], [0.0], [1.0]]), until=2.5, save=[2.5], tol=1e-12)
    assert_allclose(run.x[-1, 2, 0], 0.843718, atol=1e-6)  # six digits are given


def test_rescaled_layers_are_the_layers_rescaled(rng):
    V, mu = 0.8 * rng.normal(size=(3, 3)), af.Particles(rng.normal(size=(6, 3)))
    for value in (1.0, V, [[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.5]]):
        flow = af.Flow(af.Euclidean(), af.Softmax(B=0.3), V=value)
        R = np.eye(3) + 0.1 * (value * np.eye(3) if np.ndim(value) == 0 else np.asarray(value))
        z = af.layers(af.rescale(flow), mu, 20, 0.1).x[-1]
        x = af.layers(flow, mu, 20, 0.1).x[-1]
        assert_allclose(np.asarray(z) @ np.linalg.matrix_power(R, 20).T, x, atol=1e-10)


F7 = [[0.92761287, 0.94333073, 0.3827744], [0.94333073, 0.59991396, 0.47825472], [0.3827744, 0.47825472, 0.46668605]]
LATE = {
    "paranormal": MATRICES["paranormal"],
    "rotating": MATRICES["rotating"],
    "figure 7": F7,
    "decaying Jordan block": [[1.3, 0.0, 0.0], [0.0, -0.4, 1.0], [0.0, 0.0, -0.4]],
    "decaying spiral": [[1.5, 0.2, 0.0], [0.0, -1.0, 0.9], [0.0, -0.9, -1.0]],
}


def followed(x, V, start, until):
    """Rescaled tokens by SciPy in x until all rows have leaders, and exactly after that: offsets from leaders rest."""
    n, d = x.shape

    def field(t, y):
        y = y.reshape(n, d)
        scores = y @ y.T
        P = np.exp(scores - scores.max(axis=1, keepdims=True))
        return (P / P.sum(axis=1, keepdims=True) @ y @ V.T).ravel()

    y = solve_ivp(field, (0, start), x.ravel(), method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1].reshape(n, d)
    leader = (y @ y.T).argmax(axis=1)
    offset = y - y[leader]
    for t in np.linspace(start, until, 60):
        base = y @ expm((t - start) * V).T
        same = leader[:, None] == leader[None]
        ahead = np.where(same[..., None], -offset[None], (base[leader])[:, None] - (base[leader] + offset)[None])
        gaps = np.einsum("id,ijd->ij", base[leader] + offset, ahead)
        gaps[np.arange(n), leader] = np.inf
        assert gaps.min() > 40, "the reference needs settled rows"
    return y[leader] @ expm(-start * V).T + offset @ expm(-until * V).T, leader


@pytest.mark.parametrize(
    "V", [pytest.param(V, id=name, marks=[] if name == "figure 7" else pytest.mark.slow) for name, V in LATE.items()]
)
def test_late_tokens_are_those_that_follow_their_leaders(V):
    x, V = np.random.default_rng(1).uniform(-2, 2, (8, 3)), np.asarray(V)
    expected, leader = followed(x, V, 8.0 if V[0, 0] > 0.5 else 10.0, 50.0)
    run = af.evolve(
        af.rescale(af.Flow(af.Euclidean(), af.Softmax(), V=V)), af.Particles(x), until=50.0, save=[50.0], tol=1e-11
    )
    assert run.status == af.Status.DONE
    assert_allclose(run.x[-1], expected, atol=1e-10 * np.abs(expected).max())
    P = run.close.attention(run, 0)
    assert (P.argmax(axis=1) == leader).all()
    assert_allclose(P.max(axis=1), 1.0, rtol=1e-12)


def test_invariant_subspaces_replace_eigenvectors():
    from attnflow.engine.linalg.matrix_exponential import block_basis

    rng = np.random.default_rng(0)
    S = rng.normal(size=(5, 5))
    D = np.diag([1.0, 1.0, -0.5, 0.3, 0.3])
    D[0, 1], D[3, 4], D[4, 3] = 1.0, 0.7, -0.7
    M = S @ D @ np.linalg.inv(S)
    basis, inside = block_basis(M)
    assert_allclose(basis @ inside, M @ basis, atol=1e-11)
    assert (inside == 0).sum() >= 16  # blocks of 2, 1 and 2
    assert_allclose(np.sort(np.linalg.eigvals(inside).real), np.sort(np.diag(D)), atol=1e-6)  # a Jordan block: √eps


def test_runs_in_pieces_end_where_whole_runs_end():
    """Anchors may meet in the last step of a piece; the pieces then still fit together."""
    flow = af.rescale(af.Flow(af.Euclidean(), af.Softmax(), V=np.diag([1.5, 0.0, -0.25])))
    mu = af.Particles(np.random.default_rng(4).uniform(-1, 1, (8, 3)))
    whole = af.evolve(flow, mu, until=6.0, save=[6.0], tol=1e-11)
    state, ends = mu, np.linspace(0, 6, 25)
    for start, end in pairwise(ends):
        run = af.evolve(flow, state, start=float(start), until=float(end), save=[float(end)], tol=1e-11)
        assert run.status == af.Status.DONE and float(run.ts[-1]) == end
        state = run.last
    assert_allclose(state.x, whole.x[-1], atol=1e-8 * np.abs(whole.x).max())  # pieces restart from rounded z


def on_a_tie(rule, *, start: float, until: float, V=1.0):
    """Two tokens change places for ever nearer the axis; a third reaches the axis after −log(1 − h) and stays on it."""
    a, h = 0.2, 0.3
    flow = af.rescale(af.Flow(af.Euclidean(), rule(B=np.diag([1.0, -1.0])), V=V))
    run = af.evolve(flow, af.Particles([[1.0, 1.0], [1.0, -1.0], [a, h]]), start=start, until=start + until, save=7)
    t = np.asarray(run.ts) - start
    third = np.stack([1 - (1 - a) * np.exp(-t), np.maximum(h - 1 + np.exp(-t), 0) * np.exp(-t)], axis=1)
    pair = np.stack([np.ones_like(t), np.exp(-2 * t)], axis=1)
    return run, np.stack([pair, pair * [1, -1], third], axis=1)


def test_a_hard_row_slides_along_its_tie():
    run, expected = on_a_tie(af.Hardmax, start=0.0, until=3.0)
    assert run.status == af.Status.DONE and "token 2 (from t = 0.3567) slid" in run.notes[0]
    assert_allclose(run.x, expected, atol=3e-8)  # tol is 1e-8 a step


@pytest.mark.parametrize("start, is_held", [(10.0, False), (25.0, True)])
def test_a_soft_row_slides_along_its_tie(start, is_held):
    """Implicit steps follow it while rounding is finer than the layer e^{-2t}, and the balance of weights after that."""
    run, expected = on_a_tie(af.Softmax, start=start, until=2.0, V=np.eye(2))
    assert run.status == af.Status.DONE and bool(run.close.rows[-1]) == is_held and bool(run.notes) == is_held
    assert_allclose(run.x, expected, atol=6e-8)  # tol is 1e-8 a step, and what is soft 1e-8
    P = run.close.attention(run, len(run.ts) - 1)
    assert_allclose(P[2], [0.5, 0.5, 0.0], atol=1e-4)  # read off tokens: their rounding times e^{2t}


def test_rows_that_chase_each_other_have_a_balance():
    """Each row's choice makes the other change its own: no corner is kept, and the balance between them is."""
    A, q = np.array([[-0.4, 2.1], [-5.1, -0.2]]), np.array([0.2, 0.4])
    game = Game(A, -A @ q, [(1, 0, 4), (4, 1, 5)], {1: [4, 0], 4: [5, 1]})
    assert game.settled({1: [4], 4: [5]}) == {1: [4, 0], 4: [5, 1]}
    away = Game(-A, A @ q, [(1, 0, 4), (4, 1, 5)], {1: [4, 0], 4: [5, 1]})
    assert away.settled({1: [4], 4: [5]}) == {}  # rows leave this one


def test_many_rows_that_depend_on_each_other_keep_their_balance(rng):
    """Choices are tried from what is heard now on, so that forty rows do not mean 2^40 of them."""
    rows = {i: [2 * i, 2 * i + 1] for i in range(40)}
    A, q = 0.01 * rng.normal(size=(40, 40)) - np.eye(40), rng.uniform(0.2, 0.8, 40)
    game = Game(A, -A @ q, [(i, other, first) for i, (first, other) in rows.items()], rows)
    assert game.settled(rows) == rows
    assert game.settled(rows | {7: [14]}) == rows


def test_hard_rows_that_chase_each_other_slide_together():
    """Against Euler's polygons, which turn round the two ties at a distance that falls with their step."""
    V = np.array(
        [
            [-1.61, -1.33, 0.42, 0.64],
            [0.05, -0.16, -0.93, -1.54],
            [-0.44, -0.17, -1.16, -0.72],
            [-0.23, -0.95, -0.53, -1.04],
        ]
    )
    B = np.array(
        [[0.03, 0.88, -0.8, -0.17], [0.93, -1.32, 0.46, -1.14], [-0.61, -0.14, 0.24, -0.49], [-0.89, 0.87, 0.63, 0.18]]
    )
    x = np.array(
        [[-2.16, -1.39, -1.87, -1.96], [2.51, 1.55, 2.77, 2.41], [-3.26, -2.44, -4.31, -2.46], [3.13, 2.52, 4.25, 2.69]]
    )
    flow = af.rescale(af.Flow(af.Euclidean(), af.Hardmax(B=B), V=V))
    run = af.evolve(flow, af.Particles(x), until=0.5, save=[0.5])
    assert run.status == af.Status.DONE and set(run.close.rows[-1]) == {1, 2}
    for _ in range(20_000):
        x = x + 2.5e-5 * x[(x @ B @ x.T).argmax(axis=1)] @ V.T
    assert_allclose(np.asarray(run.x[-1]) @ expm(0.5 * V).T, x, atol=6e-3)  # steps four times as long: 9e-3


@pytest.mark.slow
def test_a_hard_row_follows_a_leader_that_is_ahead_by_anything():
    """Two leaders with the same first coordinate: at t = 50 only e^{-50} of a score tells them apart, and it decides."""
    x = np.array([[1.0, 1.0], [1.0, -1.0], [0.5, 0.3], [0.5, -0.3], [0.9, 1e-3]])
    run = af.evolve(
        af.rescale(af.Flow(af.Euclidean(), af.Hardmax(), V=[[1.0, 0.0], [0.0, 0.5]])), af.Particles(x), until=50.0
    )
    leader = x[[0, 1, 0, 1, 0]]
    left = np.exp(-np.outer(np.asarray(run.ts), [1.0, 0.5]))[:, None]
    assert run.status.name == "DONE"
    assert_allclose(run.x, leader + (x - leader) * left, atol=1e-6)  # saved between steps, which are long here
    assert_allclose(run.close.attention(run, len(run.ts) - 1), np.eye(5)[[0, 1, 0, 1, 0]], atol=0)


@pytest.mark.slow
def test_tokens_cannot_explode_while_they_change_leaders():
    """A direction that decays makes z grow by 1e22 until t = 23, where a jump of its velocity was taken for a blow-up."""
    rng = np.random.default_rng([3, sum(map(ord, "hard:any"))])
    rng.choice(4, p=[0.35, 0.35, 0.25, 0.05]), rng.choice(3, p=[0.2, 0.5, 0.3])
    x = rng.normal(size=(12, 3)) * rng.choice([0.5, 1, 3])
    V, B = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    run = af.evolve(af.rescale(af.Flow(af.Euclidean(), af.Hardmax(B=B), V=V)), af.Particles(x), until=25.0, save=2)
    assert run.status.name == "DONE" and np.abs(run.x[-1]).max() > 1e22


def soft_slide(dtype=float):
    V, B = np.array([[-14.14, -39.8], [5.57, 14.86]], dtype), np.array([[0.19, -0.14], [0.79, 1.5]], dtype)
    x = [[0.81, 0.07], [-1.21, -0.93], [-0.37, -0.92], [1.16, -0.46], [-0.11, 0.55], [-2.03, 1.82]]
    return af.rescale(af.Flow(af.Euclidean(), af.Softmax(B=B), V=V)), af.Particles(np.array(x, dtype))


@pytest.mark.slow
def test_soft_rows_that_slide_arrive_at_late_times():
    assert af.evolve(*soft_slide(), until=50.0, save=3).status == af.Status.DONE


def test_implicit_steps_follow_rows_as_explicit_ones_do(monkeypatch):
    """While explicit steps, as short as the ties ask for, are possible at all."""
    flow, mu = soft_slide()
    run = af.evolve(flow, mu, until=4.2, save=22)
    assert run.status == af.Status.DONE
    monkeypatch.setattr(journey.stiff, "is_small", lambda mu: False)
    short = af.evolve(flow, mu, until=4.2, save=22, tol=1e-11)
    assert int(short.steps) > 4 * int(run.steps)
    assert_allclose(run.x, short.x, atol=3e-8 * np.abs(short.x).max())  # tol is 1e-8 a step
    for k in range(18, 22):
        # Weights at a tie are known to the tolerance of the tokens times the rate of return, here 1e-11 · 1e6.
        assert_allclose(run.close.attention(run, k), short.close.attention(short, k), atol=1e-5)


@pytest.mark.slow
def test_slides_converge_with_the_tolerance():
    """Tokens of size e^{t/2}, though V decays: one slides and lets go every 2.7, beside clusters known by offsets alone."""
    V, B, x = slides_for_ever()
    flow, ts = af.rescale(af.Flow(af.Euclidean(), af.Softmax(B=B), V=V)), [20.0, 25.0, 30.0, 50.0]
    loose, tight = (af.evolve(flow, af.Particles(x), until=50.0, save=ts, tol=tol) for tol in (1e-8, 1e-10))
    assert loose.status == tight.status == af.Status.DONE and "slid along a tie" in loose.notes[0]
    for one, other in zip(np.asarray(loose.x), np.asarray(tight.x)):
        assert np.abs(one - other).max() < 3e-6 * np.abs(other).max()  # some tolerances for each of a dozen slides


@pytest.mark.slow
def test_rows_slide_in_single_precision():
    run = af.evolve(*soft_slide(np.float32), until=6.0, save=[6.0], tol=1e-4)
    expected = np.asarray(af.evolve(*soft_slide(), until=6.0, save=[6.0]).x)
    assert run.status == af.Status.DONE and run.x.dtype == np.float32
    # Errors of 1e-6 are 5e-5 by then in double precision too.
    assert_allclose(run.x, expected, atol=5e-3 * np.abs(expected).max())


def slides_for_ever():
    rng = np.random.default_rng([0, 0, 77])
    n, d = rng.integers(4, 13), rng.integers(2, 5)
    x, B, V = rng.normal(size=(n, d)), rng.normal(size=(d, d)), rng.normal(size=(d, d))
    return V, B, x


def at_point(seed: int, fast=(True, True, True)) -> tuple[Point, np.ndarray]:
    """A row among seven tokens that is to hear the mean of a softmax, and of which one."""
    rng = np.random.default_rng(seed)
    u, base, T = rng.normal(size=(7, 3)), rng.normal(size=7), rng.normal(size=(3, 3))
    u, omega = u * np.where(fast, 1, 1e-2), np.where(fast, 3 * rng.normal(size=3), 0)
    return Point(*map(jnp.asarray, (u, base, T, (softmax(u @ omega + base) @ u) @ T, fast))), omega


@pytest.mark.parametrize("fast", [(True, True, True), (True, False, True)])
@pytest.mark.parametrize("seed", range(4))
def test_weights_at_a_point_are_the_softmax_of_their_mean(seed, fast):
    point, omega = at_point(seed, fast)
    assert_allclose(settled(point), omega, atol=1e-9)  # the covariance of what is heard may be small


def test_weights_at_a_point_have_two_derivatives():
    point, turn = at_point(0)[0], jnp.asarray([0.03, -0.02, 0.05])
    omega = jax.jit(lambda h: settled(point._replace(wanted=point.wanted + h * turn)))
    first, h = jax.jit(jax.jacfwd(omega)), 1e-4
    second = jax.jacfwd(first)(0.0)
    assert_allclose(first(0.0), (omega(h) - omega(-h)) / (2 * h), rtol=1e-5)  # differences are right to h²
    assert_allclose(second, (first(h) - first(-h)) / (2 * h), rtol=1e-5)


@pytest.mark.slow
def test_a_row_at_a_point_hears_all_tokens():
    """B is made so that the token at 0 stays there. After whole turns of V tokens do the same, but for what is soft."""
    V = np.array([[1.0, -4.0], [4.0, 1.0]])
    x = [[0.35, 0.82], [0.33, -1.3], [0.91, 0.45], [-0.54, 0.58], [0.36, 0.29], [0.0, 0.0]]
    flow = af.rescale(af.Flow(af.Euclidean(), af.Softmax(B=-4 * np.linalg.inv(V).T), V=V))
    starts = 6.0 + np.array([2, 12]) * np.pi / 2
    followed, held = (af.evolve(flow, af.Particles(x), start=t, until=t + 0.04, save=5) for t in starts)
    assert followed.status == held.status == af.Status.DONE
    assert held.close.rows[-1][5] == [] and not followed.close.rows[-1]
    assert_allclose(followed.x, held.x, atol=1e-7)  # e^{-18}, times the logarithms of weights
    assert_allclose(
        followed.close.attention(followed, 4), held.close.attention(held, 4), atol=1e-5
    )  # tol times the rate


def test_rescaled_tokens_hear_themselves():
    for rule in (af.Hardmax(others=True), af.Hardmax(ties=1e-3)):
        with pytest.raises(af.BadInput, match="evolve the flow itself"):
            af.rescale(af.Flow(af.Euclidean(), rule))


@pytest.mark.slow
def test_no_row_is_held_where_steps_can_follow_it():
    """A complex pair of leading eigenvalues, twelve tokens: rows of a cluster change their leaders faster and faster."""
    rng = np.random.default_rng([0, 1, 0, 77])
    rng.integers(2, 5), rng.choice([4, 6, 8, 12])
    x = rng.normal(size=(12, 3)) * rng.choice([0.5, 1.0, 2.0])
    a, w = rng.uniform(0.3, 1.5), rng.uniform(0.3, 4)
    D = np.diag([a, a, a - rng.uniform(0.2, 2, 1)[0]])
    D[0, 1], D[1, 0] = w, -w
    S = rng.normal(size=(3, 3))
    B = np.eye(3) if rng.random() < 0.3 else rng.normal(size=(3, 3))
    flow = af.rescale(af.Flow(af.Euclidean(), af.Softmax(B=B), V=S @ D @ np.linalg.inv(S)))
    loose, tight = (af.evolve(flow, af.Particles(x), until=50.0, save=11, tol=tol) for tol in (1e-8, 1e-11))
    assert loose.status == tight.status == af.Status.DONE
    # Differences grow with tokens; against their size they stay at the tolerance of steps.
    for one, other in zip(np.asarray(loose.x), np.asarray(tight.x)):
        assert np.abs(one - other).max() < 1e-7 * np.abs(other).max()
