"""Every family against an independent forward pass, and what must hold of any layer read from weights."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from tiny import FAMILIES, D, H, L, gpt2_forward, hooked, prompt_for

import attnflow as af
from attnflow import models
from attnflow.engine.flow.block import Block, Sublayer, stack
from attnflow.engine.summation.tiled import Tiled


@pytest.fixture(scope="module", params=sorted(FAMILIES))
def case(request):
    rng = np.random.default_rng(7)
    make, forward = FAMILIES[request.param]
    state, config = make(rng)
    prompt = prompt_for(request.param, rng)
    return af.read_model(state, config=config), prompt, forward(state, prompt)


@pytest.mark.broad(2)
def test_streams_are_those_of_the_forward_pass(case):
    model, prompt, streams = case
    assert model.depth == L and model.d == D and model.heads(0).count == H
    assert_allclose(af.record(model, prompt, frame="raw").x, streams, atol=1e-12)


@pytest.mark.broad(4)
def test_layers_of_the_block_are_the_model(case):
    model, prompt, streams = case
    block, start = af.as_flow(model), af.Particles(streams[0])
    run = af.layers(block, start, L)
    sphere = af.record(model, prompt)
    if model.is_post_ln:
        assert run.frame == "sphere"
        assert_allclose(run.x[1:], sphere.x[1:], atol=1e-12)
        assert_allclose(np.linalg.norm(run.x, axis=-1), 1, atol=1e-4)  # ε shortens directions: 1e-5 over the variance
        assert_allclose(np.mean(run.x, axis=-1), 0, atol=1e-14)
        if model.layers[0].entry is not None:
            assert_allclose(af.layers(block, sphere.at(0), L).x, sphere.x, atol=1e-12)
    else:
        assert run.frame == "raw"
        assert_allclose(run.x, streams, atol=1e-12)
        assert_allclose(np.linalg.norm(sphere.x, axis=-1), 1, atol=1e-12)


@pytest.mark.broad(2)
def test_one_layer_takes_each_state_to_the_next(case):
    model, prompt, _ = case
    run = af.record(model, prompt, frame="sphere" if model.is_post_ln else "raw")
    for layer in range(1, model.depth):
        after = af.layers(af.as_flow(model, layer=layer), run.at(layer), 1).x[1]
        assert_allclose(after, run.x[layer + 1], atol=1e-12)


@pytest.mark.broad(3)
def test_attention_rows_sum_to_one_and_are_streamed(case):
    model, prompt, _ = case
    run = af.record(model, prompt) if model.is_post_ln else af.record(model, prompt, frame="raw")
    seen = list(models.attentions(model, run))
    assert [layer for layer, _ in seen] == list(range(L))
    for _, P in seen:
        assert_allclose(np.asarray(P).sum(-1), 1, atol=1e-12)
        if model.is_causal:
            assert np.abs(np.triu(np.asarray(P), 1)).max() == 0


@pytest.mark.broad(3)
def test_the_papers_flow_runs_and_keeps_unit_rows(case):
    model, prompt, _ = case
    run = af.record(model, prompt, frame="unit")
    flow = af.as_flow(model, layer=1, keep="attention")
    assert_allclose(np.linalg.norm(af.layers(flow, run.at(1), 2).x, axis=-1), 1, atol=1e-12)


def test_controls_change_matrices_and_nothing_else(case):
    model, prompt, _ = case
    control, again = af.shuffled(model, seed=3), af.shuffled(model, seed=3)
    one, other = model.heads(1), control.heads(1)
    assert_allclose(np.sort(one.Q, axis=None), np.sort(other.Q, axis=None))
    assert np.abs(np.asarray(one.Q - other.Q)).max() > 0.1
    assert one.q is None or np.array_equal(one.q, other.q)
    assert control.is_shared == model.is_shared
    frame = {"frame": "raw"}
    assert_allclose(af.record(control, prompt, **frame).x, af.record(again, prompt, **frame).x)


def test_transformer_lens_names_give_the_same_model():
    rng = np.random.default_rng(7)
    state, config, plain = hooked(rng)
    ids = prompt_for("GPT-2", rng)
    assert_allclose(
        af.record(af.read_model(state, config=config), ids, frame="raw").x, gpt2_forward(plain, ids), atol=1e-12
    )


# ---- laws of blocks ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bert():
    rng = np.random.default_rng(1)
    state, config = FAMILIES["BERT"][0](rng)
    ids = prompt_for("BERT", rng)
    model = af.read_model(state, config=config)
    return model, af.record(model, ids)


def test_the_offset_of_keys_drops_out(bert):
    import equinox as eqx

    model, run = bert
    block = model.layers[1]
    heads = block.sublayers[0].branches[0].part
    moved = eqx.tree_at(lambda b: b.sublayers[0].branches[0].part.k, block, heads.k + 3.0)
    assert_allclose(af.layers(moved, run.at(1), 2).x, af.layers(block, run.at(1), 2).x, atol=1e-12)


def test_a_layer_is_a_step_on_the_sphere_whatever_the_mean_gain(bert):
    r"""u ← N(u + ηF(u)), η = 1/(√d ḡ), F = P(√d(g − ḡ)u + b + f(y)), for any ḡ > 0: written out by hand."""
    model, run = bert
    block, u = model.layers[1], np.asarray(run.x[1])
    want = np.asarray(af.layers(block, run.at(1), 1).x[1])
    for scale in (0.3, 1.0, 7.0):
        state, norm = u, block.entry
        for sublayer in block.sublayers:
            g, b = np.asarray(norm.gain), np.asarray(norm.bias)
            y = np.sqrt(D) * g * state + b
            mu = af.Particles(y)
            f = np.asarray(sublayer.says(jnp.asarray(y), mu, Tiled()))
            force = np.sqrt(D) * (g - scale) * state + b + f
            force = force - force.mean(-1, keepdims=True)
            state = state + force / (np.sqrt(D) * scale)
            state = state / np.linalg.norm(state, axis=-1, keepdims=True)
            norm = sublayer.closing
        assert_allclose(state, want, atol=1e-10)  # ε = 1e-12 over the variance is left out here


def test_renaming_tokens_renames_states(bert):
    model, run = bert
    order = np.random.default_rng(2).permutation(run.x.shape[1])
    block = model.layers[1]
    turned = af.layers(block, af.Particles(run.x[1][order]), 2).x
    assert_allclose(turned, af.layers(block, run.at(1), 2).x[:, order], atol=1e-12)


def test_padding_is_not_heard(bert):
    model, run = bert
    block = model.layers[1]
    x = np.vstack([np.asarray(run.x[1]), np.asarray(run.x[1][:2])])
    padded = af.Particles(x, np.append(np.ones(len(x) - 2), [0, 0]))
    assert_allclose(af.layers(block, padded, 3).x[:, :-2], af.layers(block, run.at(1), 3).x, atol=1e-12)


@pytest.mark.slow
def test_shares_of_a_layer_converge_to_the_flow(bert):
    model, run = bert
    block, mu = Block(model.layers[1].sublayers), run.at(1)
    flow = af.evolve(block, mu, until=1.0, save=2, tol=1e-10).x[-1]
    errors = [float(jnp.abs(af.layers(block, mu, k, 1 / k).x[-1] - flow).max()) for k in (64, 128)]
    assert errors[0] / errors[1] == pytest.approx(2, abs=0.15)  # Lie splitting and Euler's steps are of first order


def test_blocks_pass_through_grad_vmap_and_jit(bert):
    model, run = bert
    block, x = model.layers[1], run.x[1]

    def last(x, weight=1.0):
        return jnp.sum(af.layers(block, af.Particles(weight * x), 2).x[-1] ** 3)

    v = np.random.default_rng(3).normal(size=x.shape)
    v /= np.abs(v).max()
    h = 1e-6
    slope = (last(x + h * v - 2 * h * v) - last(x + h * v)) / (-2 * h)
    assert_allclose(
        float(jnp.vdot(jax.grad(last)(x), v)), float(slope), rtol=1e-6
    )  # central difference: h², and 1e-16/h
    assert_allclose(jax.jit(last)(x), last(x), rtol=1e-13)
    assert_allclose(jax.vmap(last)(jnp.stack([x, x[::-1]])), [last(x), last(x[::-1])], rtol=1e-13)


def test_a_stack_takes_its_layers_in_turn(bert):
    model, run = bert
    both = stack([model.layers[1], model.layers[2]])
    one = af.layers(model.layers[1], run.at(1), 1).x[1]
    assert_allclose(
        af.layers(both, run.at(1), 2).x[1:], [one, af.layers(model.layers[2], af.Particles(one), 1).x[1]], atol=1e-13
    )
    with pytest.raises(af.BadInput, match="built alike"):
        stack([model.layers[1], Block([Sublayer(model.heads(0), before=model.layers[1].entry)])])


# ---- measurements ------------------------------------------------------------------------------------------------------


def test_spectra_from_small_products_are_those_of_the_large_matrices(bert):
    model, run = bert
    found = af.spectra(model, run)
    heads, g = model.heads(1), np.sqrt(D) * np.asarray(model.layers[0].sublayers[-1].closing.gain)
    for h in range(H):
        Q, K, V, W = (np.asarray(M[h]) for M in (heads.Q, heads.K, heads.V, heads.W))
        B, A = (Q * g).T @ (K * g), W @ (V * g) @ (K * g).T @ (Q * g)
        S, T = (B + B.T) / 2, (B - B.T) / 2
        assert_allclose(found.symmetry[1, h], ((S**2).sum() - (T**2).sum()) / (B**2).sum(), atol=1e-12)
        large = np.linalg.eigvals(A)
        large = large[np.argsort(-np.abs(large))][: len(Q)]
        assert_allclose(np.sort_complex(found.drift[1, h].round(9)), np.sort_complex(large.round(9)), atol=1e-8)
        values = np.linalg.eigvals(W @ (V * g))
        assert_allclose(found.copying[1, h], (values.sum() / np.abs(values).sum()).real, atol=1e-10)


def test_regimes_of_a_head_made_by_hand(bert):
    model, run = bert
    found = af.regimes(model, run)
    layer, h = 2, 1
    y = np.asarray(model.layers[1].sublayers[-1].closing.read(run.x[2]))
    heads = model.heads(layer)
    q, k = y @ heads.Q[h].T + heads.q[h], y @ heads.K[h].T + heads.k[h]
    s = np.asarray(q @ k.T) / np.sqrt(D // H)
    P = np.exp(s - s.max(1, keepdims=True))
    P /= P.sum(1, keepdims=True)
    cov = np.cov(y.T, bias=True)
    shift, closure = P @ y - y.mean(0), np.asarray(q) @ np.asarray(heads.K[h]) @ cov
    cos = np.sum(shift * closure, 1) / np.linalg.norm(shift, axis=1) / np.linalg.norm(closure, axis=1)
    assert_allclose(found.gaussian[layer, h], np.median(cos), atol=1e-12)
    assert_allclose(found.n_eff[layer, h], np.median(1 / (P**2).sum(1)), atol=1e-12)
    unit = y / np.linalg.norm(y, axis=1, keepdims=True)
    c = unit @ unit.T
    c, t = c - c.mean(1, keepdims=True), s - s.mean(1, keepdims=True)
    assert_allclose(found.beta[layer, h], (c * t).sum() / (c**2).sum(), atol=1e-12)
    assert_allclose(found.r2[layer, h], np.corrcoef(c.ravel(), t.ravel())[0, 1] ** 2, atol=1e-12)
    assert len(found.rows()) == L * H


def test_consensus_eigenvalues_are_those_of_the_whole_prompt(bert):
    """The Jacobian of n equal tokens has the transverse eigenvalues n − 1 times and the parallel ones once."""
    model, _ = bert
    block = Block(model.layers[1].sublayers)
    found = af.consensus(block)
    assert found.verdict in ("stable", "unstable") and found.residual < 1e-12
    n = 3
    x = jnp.tile(jnp.asarray(found.point), (n, 1))
    J = np.asarray(
        jax.jacfwd(lambda v: af.layers(block, af.Particles(v.reshape(n, D)), 1).x[1].reshape(-1))(x.reshape(-1))
    )
    want = np.concatenate([found.parallel, *[found.transverse] * (n - 1)])
    got = np.linalg.eigvals(J)
    # Matched one by one, as eigenvalues of multiplicity n − 1 split by about the root of round-off.
    assert_allclose(np.sort(np.abs(got))[::-1][:12], np.sort(np.abs(want))[::-1][:12], atol=1e-6)


@pytest.mark.slow
def test_lyapunov_rates_are_those_of_nearby_prompts(bert):
    model, run = bert
    block = Block(model.layers[1].sublayers)
    walked = af.layers(block, run.at(1), 12)
    rates = af.lyapunov(block, walked, seed=0)
    assert rates.shape == (12,)
    v = np.random.default_rng(0).normal(size=run.x[1].shape)
    near = af.layers(block, af.Particles(run.x[1] + 1e-9 * v / np.linalg.norm(v)), 12).x
    growth = np.linalg.norm(np.asarray(near - walked.x), axis=(1, 2))
    # Differences of 1e-9 carry 7 digits.
    assert_allclose(np.sum(rates[1:6]), np.log(growth[6] / growth[1]), atol=1e-4)
