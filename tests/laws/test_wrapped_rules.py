"""The laws of sums for rules inside others: masks, windows, positions, several heads."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.attention.rotary import rotation
from attnflow.summation.tiled import Tiled

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
