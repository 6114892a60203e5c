"""The laws of sums for rules inside others: masks, windows, positions, several heads."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.engine.attention.rotary import rotation
from attnflow.engine.summation.tiled import Tiled

N, D = 6, 4
NUMBERS = np.random.default_rng(11)
Q, K, V, W = NUMBERS.normal(size=(4, 4, 2, D))
SOFT = af.Softmax(Q=Q[0], K=K[0], beta=1.3)
TURN = rotation(2)
TRAINED = {"q": Q[:, :, 0], "c": V[:2, :, 0], "o": W[0, 0], "sink": np.arange(4.0)}
RULES = {
    "causal": af.Causal(SOFT),
    "window": af.Windowed(SOFT, 3),
    "causal window": af.Windowed(SOFT, 2, causal=True),
    "positions": af.Masked(SOFT, positions=np.linspace(0, 1, N)),
    "bias": af.Biased(SOFT, slope=0.3),
    "rotary": af.Rotary(SOFT, TURN),
    "causal rotary": af.Causal(af.Rotary(SOFT, TURN)),
    "heads": af.Heads([(SOFT, V[0].T @ V[1]), (af.Causal(SOFT), (W[0].T, V[2], V[3, :, 0]))], offset=V[0, 0]),
    "layer": af.MultiHead(Q, K[:2], V=V[:2], W=W.transpose(0, 2, 1), **TRAINED),
    "gated layer": af.MultiHead(Q, K, V=V, W=W.transpose(0, 2, 1), gate=K[:, ::-1], gate_offset=Q[:, :, 1]),
    "exclusive layer": af.MultiHead(Q, K[:2], V=V[:2], W=W.transpose(0, 2, 1), c=V[:2, :, 0], exclusive=True),
    "differential layer": af.MultiHead.differential(
        Q.reshape(2, 2, 2, D),
        K.reshape(2, 2, 2, D),
        V=V[:2],
        W=W[:2].transpose(0, 2, 1),
        weight=[0.8, 0.3],
        causal=True,
    ),
    "causal layer": af.MultiHead(Q, K, V=V, W=W.transpose(0, 2, 1), turn=TURN, causal=True, window=3),
}
LONGER = {"positions"}
"""Rules that know their number of tokens."""


@pytest.fixture(params=RULES)
def name(request):
    return request.param


@pytest.fixture
def prompt(rng):
    return af.Particles(rng.normal(size=(N, D)), rng.uniform(0.2, 1.0, N))


def speed(name, mu, **options):
    return np.asarray(af.velocity(af.Flow(af.Euclidean(), RULES[name]), mu, **options))


def test_tiles_do_not_matter(name, prompt):
    assert_allclose(speed(name, prompt, summation=Tiled(tile=2)), speed(name, prompt), atol=1e-12)


def test_a_massless_last_token_is_not_heard(name, prompt, rng):
    if name in LONGER:
        pytest.skip("the rule is for this number of tokens")
    x, mass = np.asarray(prompt.x), np.asarray(prompt.mass)
    silent = af.Particles(np.vstack([x, 3 * rng.normal(size=(1, D))]), np.append(mass, 0.0))
    assert_allclose(speed(name, silent)[:N], speed(name, prompt), atol=1e-12)


def test_rows_of_the_matrix_are_shares(name, prompt):
    P = np.asarray(af.attention_matrix(af.Flow(af.Euclidean(), RULES[name]), prompt))
    # A sink takes its part of every row.
    assert (P >= 0).all() and ((P.sum(-1) < 1).all() if name == "layer" else np.allclose(P.sum(-1), 1, atol=1e-13))
    if P.ndim == 2:
        assert_allclose(P @ np.asarray(prompt.x), speed(name, prompt), atol=1e-12)


def test_rules_live_inside_jit_and_grad(name, prompt, rng):
    v = lambda x: af.velocity(af.Flow(af.Euclidean(), RULES[name]), af.Particles(x, prompt.mass))  # noqa: E731
    way, step = rng.normal(size=(N, D)), 1e-5
    value, slope = jax.jit(lambda x: jax.jvp(v, (x,), (jnp.asarray(way),)))(prompt.x)
    assert_allclose(value, speed(name, prompt), atol=1e-12)
    difference = (v(prompt.x + step * way) - v(prompt.x - step * way)) / (2 * step)
    assert_allclose(slope, difference, atol=1e-7)  # central difference of step 1e-5


def test_the_precision_of_the_tokens_is_kept(name, prompt):
    single = af.Particles(jnp.asarray(prompt.x, jnp.float32), jnp.asarray(prompt.mass, jnp.float32))
    assert speed(name, single).dtype == np.float32
    assert_allclose(speed(name, single), speed(name, prompt), rtol=1e-4, atol=1e-4)  # single precision


# ---- variants of trained heads, written out ------------------------------------------------------------------------------


def heard(mu, q, k, v, *, mask=None):
    """Softmax of two matrices of a head, and what it hears of values v, by NumPy."""
    s = np.asarray(mu.x) @ q.T @ (np.asarray(mu.x) @ k.T).T / np.sqrt(len(q)) + np.log(np.asarray(mu.mass))
    s = np.where(np.tri(mu.n, dtype=bool), s, -np.inf) if mask else s
    P = np.exp(s - s.max(1, keepdims=True))
    return P / P.sum(1, keepdims=True) @ v


def test_gates_open_by_the_listener(prompt):
    x = np.asarray(prompt.x)
    opened = [1 / (1 + np.exp(-(x @ K[h, ::-1].T + Q[h, :, 1]))) for h in range(4)]
    want = sum(opened[h] * heard(prompt, Q[h], K[h], x @ V[h].T) @ W[h] for h in range(4))
    assert_allclose(speed("gated layer", prompt), want, atol=1e-12)


def test_exclusive_heads_leave_out_what_is_along_their_own_value(prompt):
    x, want = np.asarray(prompt.x), 0
    for h in range(4):
        v = x @ V[h // 2].T + V[h // 2, :, 0]
        a = heard(prompt, Q[h], K[h // 2], v)
        want = want + (a - (a * v).sum(1, keepdims=True) / (v**2).sum(1, keepdims=True) * v) @ W[h]
    assert_allclose(speed("exclusive layer", prompt), want, atol=1e-12)
    # With values that are the tokens themselves this is the flow on the sphere: the sphere's projection is exclusive.
    eye, ball = np.eye(D)[None], af.Particles(x / np.linalg.norm(x, axis=1, keepdims=True), prompt.mass)
    alone = af.MultiHead(eye, eye, V=eye, W=eye, beta=1.0, exclusive=True)
    free = af.velocity(af.Flow(af.Euclidean(), alone), ball)
    assert_allclose(free, af.velocity(af.Flow(af.Sphere(), af.Softmax()), ball), atol=1e-12)


def test_differential_heads_hear_a_difference(prompt):
    x = np.asarray(prompt.x)
    parts = [
        share * heard(prompt, Q[2 * h + i], K[2 * h + i], x @ V[h].T, mask=True) @ W[h]
        for h, weight in enumerate((0.8, 0.3)) for i, share in enumerate((1, -weight))
    ]  # fmt: skip
    assert_allclose(speed("differential layer", prompt), sum(parts), atol=1e-12)


def test_variants_that_make_no_sense_are_refused():
    layer = {"V": V, "W": W.transpose(0, 2, 1)}
    for options, words in (
        ({"gate_offset": Q[:, :, 1]}, "belongs to a gate"), ({"gate": K[:2]}, "gate must have shape"),
    ):  # fmt: skip
        with pytest.raises(af.BadInput, match=words):
            af.MultiHead(Q, K, **layer, **options)
    with pytest.raises(af.BadInput, match="shape"):
        af.MultiHead.differential(Q, K, **layer, weight=0.5)
    with pytest.raises(af.BadInput, match="do not stand alone"):
        RULES["gated layer"].split()
