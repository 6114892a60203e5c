"""Every number of a study by plain NumPy, on an encoder and on a decoder with rotary positions, a window and shared keys."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from tiny import FAMILIES, GROUPS, D, H, L, apply, bert_forward, prompt_for, rms_norm, rotate, split

import attnflow as af
from attnflow import models
from attnflow.models.consensus import Consensus
from attnflow.models.record import in_frame
from attnflow.models.study import frame_of

WINDOW, K_ = 4, D // H


@pytest.fixture(scope="module", params=["BERT", "Llama"])
def case(request):
    rng = np.random.default_rng(4)
    make, forward = FAMILIES[request.param]
    state, config = make(rng)
    ids = prompt_for(request.param, rng)
    model = af.read_model(state, config=config)
    streams = forward(state, ids)
    return request.param, model, state, streams, af.record(model, ids, frame="raw")


def head_of(family, s, y, layer, h):
    """What a head reads, its scores, who hears whom, and the slopes of scores in the speaker at the same place."""
    n = len(y)
    i, j = np.indices((n, n))
    if family == "BERT":
        p = f"bert.encoder.layer.{layer}.attention.self."
        q, k = (split(apply(y, s, f"{p}{name}"), H)[:, h] for name in ("query", "key"))
        keys = s[f"{p}key.weight"][h * K_ : (h + 1) * K_]
        return y, q @ k.T / np.sqrt(K_), np.ones((n, n), bool), q @ keys
    p = f"model.layers.{layer}."
    z, g = rms_norm(y, s, f"{p}input_layernorm", 1e-5), h * GROUPS // H
    q = split(apply(z, s, f"{p}self_attn.q_proj"), H)
    k = split(apply(z, s, f"{p}self_attn.k_proj"), GROUPS)
    keys = s[f"{p}self_attn.k_proj.weight"][g * K_ : (g + 1) * K_]
    scores = rotate(q, K_, 500.0)[:, h] @ rotate(k, K_, 500.0)[:, g].T / np.sqrt(K_)
    return z, scores, (j <= i) & (i - j < WINDOW), q[:, h] @ keys


def cos(a, b):
    return np.sum(a * b, axis=-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)


def test_regimes(case):
    family, model, state, streams, run = case
    found = af.regimes(model, run)
    for layer, h in np.ndindex(L, H):
        y, s, heard, pull = head_of(family, state, streams[layer], layer, h)
        rows = {name: [] for name in ("n_eff", "share", "gaussian", "hardmax", "laplace", "sink")}
        slopes = []
        for i in (i for i in range(len(y)) if heard[i].sum() > 1):
            own, speakers = s[i, heard[i]], y[heard[i]]
            P = np.exp(own - own.max())
            P /= P.sum()
            bary, centre = P @ speakers, speakers.mean(0)
            closure = (own - own.mean()) @ (speakers - centre)
            rows["n_eff"].append(1 / np.sum(P**2))
            rows["share"].append(rows["n_eff"][-1] / len(own))
            rows["gaussian"].append(cos(bary - centre, closure))
            rows["hardmax"].append(cos(bary - centre, speakers[np.argmax(own)] - centre))
            rows["laplace"].append(cos(bary, pull[i]))
            rows["sink"].append(P[0] if heard[i, 0] else 0.0)
            near = cos(y[i], speakers)
            slopes.append(np.stack([near - near.mean(), own - own.mean()]))
        c, t = np.concatenate(slopes, axis=1)
        for name, values in rows.items():
            want = np.mean(values) if name == "sink" else np.median(values)
            assert_allclose(getattr(found, name)[layer, h], want, atol=1e-11, err_msg=name)
        assert_allclose(found.beta[layer, h], c @ t / (c @ c), rtol=1e-10)
        assert_allclose(found.r2[layer, h], (c @ t) ** 2 / (c @ c) / (t @ t), rtol=1e-10)
        best = max(("gaussian", "hardmax", "laplace"), key=lambda name: np.median(rows[name]))
        assert found.names[layer, h] == ("uniform" if np.median(rows["share"]) > 0.95 else best)


def test_padding_changes_no_regime(case):
    _, model, _, _, run = case
    x = np.asarray(run.x)[0]
    behind = np.concatenate([x, np.ones((2, D))])
    padded = af.record(model, behind, frame="raw", mask=np.arange(len(behind)) < len(x))
    found, want = (af.regimes(model, one) for one in (padded, run))
    for name in ("n_eff", "share", "gaussian", "hardmax", "laplace", "beta", "r2", "sink"):
        assert_allclose(getattr(found, name), getattr(want, name), atol=1e-10, err_msg=name)


def test_one_token_has_no_regime(case):
    _, model, _, _, run = case
    with pytest.raises(af.BadInput, match="two tokens"):
        af.regimes(model, af.record(model, np.asarray(run.x)[0][:1], frame="raw"))


def test_attention_alone_step_by_step():
    """The papers' flow of a layer, walked by plain NumPy, and the space that its layers stretch most."""
    rng = np.random.default_rng(4)
    make, _ = FAMILIES["BERT"]
    state, config = make(rng)
    model = af.read_model(state, config=config)
    found = models.alone(model, run := af.record(model, prompt_for("BERT", rng)))
    g = state["bert.embeddings.LayerNorm.weight"] * np.sqrt(D)
    p = "bert.encoder.layer.0.attention."
    Q, K, V = (state[f"{p}self.{name}.weight"].reshape(H, K_, D) * g for name in ("query", "key", "value"))
    W = state[f"{p}output.dense.weight"]
    W = np.moveaxis((W - W.mean(0)).reshape(D, H, K_), 1, 0) / np.abs(g).mean()
    u, cosines = np.asarray(run.x)[0], []
    for _ in range(len(found.cosine)):
        G = u @ u.T
        cosines.append(G[~np.eye(len(u), dtype=bool)].mean())
        s = np.einsum("hkd,id,hke,je->hij", Q, u, K, u) / np.sqrt(K_)
        P = np.exp(s - s.max(-1, keepdims=True))
        heard = P / P.sum(-1, keepdims=True) @ u
        last, u = u, u + np.einsum("hdk,hke,hie->id", W, V, heard)
        u /= np.linalg.norm(u, axis=1, keepdims=True)
    assert_allclose(found.cosine, cosines, atol=1e-8)  # a hundred roundings may grow by 1e6 in forty layers
    values, vectors = np.linalg.eig(np.eye(D) + np.einsum("hdk,hke->de", W, V))
    top = vectors[:, np.argmax(np.abs(values))]
    basis = np.linalg.qr(np.stack([top.real, top.imag][: 1 if np.isrealobj(top) or not top.imag.any() else 2], axis=1))[
        0
    ]
    assert_allclose(found.aligned[-1], np.mean(np.sum((last @ basis) ** 2, axis=1)), atol=1e-6)
    assert found.signed is not None and found.signed.tried == found.signed.of == 2**H


def test_spectra(case):
    family, model, state, streams, run = case
    found = af.spectra(model, run)
    for layer, h in np.ndindex(L, H):
        if family == "BERT":
            before = "bert.embeddings" if layer == 0 else f"bert.encoder.layer.{layer - 1}.output"
            g, p, group = state[f"{before}.LayerNorm.weight"], f"bert.encoder.layer.{layer}.attention.", h
            names = (f"{p}self.query", f"{p}self.key", f"{p}self.value", f"{p}output.dense")
        else:
            p, group = f"model.layers.{layer}.", h * GROUPS // H
            g = state[f"{p}input_layernorm.weight"]
            names = tuple(f"{p}self_attn.{name}_proj" for name in "qkvo")
        g = g * np.sqrt(D)
        Q, K, V = (
            state[f"{name}.weight"][k * K_ : (k + 1) * K_] * g
            for name, k in zip(names, (h, group, group), strict=False)
        )
        W = state[f"{names[3]}.weight"][:, h * K_ : (h + 1) * K_]
        B, A = Q.T @ K, W @ V @ (Q.T @ K).T
        values, vectors = np.linalg.eig(A)
        top = np.argmax(values.real)
        # All but as many eigenvalues as the head has dimensions are 0.
        kind = "zero" if values[top].real < 1e-9 else "positive" if abs(values[top].imag) < 1e-9 else "complex"
        assert_allclose(found.symmetry[layer, h], np.sum(B * B.T) / np.sum(B**2), atol=1e-12)
        assert found.dominant[layer, h] == kind
        if kind == "zero":
            basis = np.linalg.svd(A)[2][K_:].T
        else:
            assert_allclose(found.drift[layer, h].real.max(), values[top].real, rtol=1e-8)
            plane = np.stack([vectors[:, top].real, vectors[:, top].imag][: 1 if kind == "positive" else 2], axis=1)
            basis = np.linalg.qr(plane)[0]
        u = streams[layer + 1] / np.linalg.norm(streams[layer + 1], axis=1, keepdims=True)
        want = np.mean(np.sum((u @ basis) ** 2, axis=1)) * D / basis.shape[1]
        assert_allclose(found.alignment[layer, h], want, rtol=1e-8)
        own = np.linalg.eigvals(W @ V)
        assert_allclose(found.copying[layer, h], np.trace(W @ V) / np.abs(own).sum(), rtol=1e-9)


def test_depth(case):
    *_, streams, run = case
    found, beta, energies = models.along_depth(run, beta=1.5), 1.5, []
    units = streams / np.linalg.norm(streams, axis=-1, keepdims=True)
    for k, (x, u) in enumerate(zip(streams, units, strict=True)):
        n, pairs = len(u), [(i, j) for i in range(len(u)) for j in range(len(u)) if i != j]
        cosines = np.array([u[i] @ u[j] for i, j in pairs])
        assert_allclose(found.cosine[k], cosines.mean(), atol=1e-13)
        assert_allclose(models.depth.mean_cosines(run)[k], cosines.mean(), atol=1e-13)
        assert_allclose(found.spread[k], cosines.std(), atol=1e-13)
        energies.append(sum(np.exp(beta * u[i] @ u[j]) for i in range(n) for j in range(n)) / (2 * beta * n**2))
        assert_allclose(found.energy[k], energies[-1], rtol=1e-13)
        share = np.linalg.svd(u, compute_uv=False) ** 2 / n
        share = share[share > 1e-15]
        assert_allclose(found.rank[k], np.exp(-np.sum(share * np.log(share))), rtol=1e-9)
        assert_allclose(found.participation[k], 1 / np.sum(share**2), rtol=1e-11)
        assert_allclose(found.length[k], np.linalg.norm(x, axis=1).mean(), rtol=1e-12)
        if k:
            # The slope of the energy on the way from the state before, by a difference.
            energy = lambda v: np.mean(np.exp(beta * v @ v.T)) / (2 * beta)  # noqa: E731
            h, before = 1e-6, units[k - 1]
            slope = (energy(before + h * (u - before)) - energy(before - h * (u - before))) / (2 * h)
            assert_allclose(found.expected[k - 1], slope, atol=1e-8)  # central difference: h², and 1e-16/h
    falls = sum(b < a - 1e-3 * a for a, b in pairwise(energies))
    assert found.violations == falls


def test_clusters_are_chains_of_small_steps():
    angles = np.array([0.0, 0.06, 0.13, 1.0, 1.05, 2.0])
    x = np.stack([np.cos(angles), np.sin(angles)], axis=1)[None]
    assert models.along_depth(af.observed(x, frame="unit")).clusters[0] == 3


def test_models_before_training(case):
    _, model, *_ = case
    fresh = af.models.reinitialised(model, seed=1)
    sizes = np.concatenate([np.ravel(fresh.heads(l).Q) for l in range(L)])
    assert abs(np.std(sizes) / 0.02 - 1) < 0.2  # 400 draws
    for block in fresh.layers:
        for norm in (n for s in block.sublayers for n in (s.closing, *(b.before for b in s.branches)) if n is not None):
            assert np.all(np.asarray(norm.gain) == 1) and (norm.bias is None or not np.any(norm.bias))
    assert fresh.heads(0).q is None or not np.any(fresh.heads(0).q)
    assert np.any(np.asarray(model.feed_forward(0).w) != np.asarray(fresh.feed_forward(0).w))


def bert_of_gains(rng):
    """A BERT whose norms differ much between layers; one gain is almost 0."""
    state, config = FAMILIES["BERT"][0](rng)
    for l in range(L):
        state[f"bert.encoder.layer.{l}.output.LayerNorm.weight"] = np.exp(rng.normal(size=D))
    state["bert.encoder.layer.1.output.LayerNorm.weight"][3] = 1e-30
    return af.read_model(state, config=config), state


def test_cosines_along_depth_are_those_of_the_hidden_states(rng):
    model, state = bert_of_gains(rng)
    ids = prompt_for("BERT", rng)
    run, want = af.record(model, ids), bert_forward(state, ids)
    raw = in_frame(model, run, "raw")
    assert_allclose(raw.x, want, atol=1e-12)
    assert frame_of(model) == "raw" and frame_of(af.models.random_albert()) == "sphere"
    kept = in_frame(model, run, "sphere")
    assert np.all(kept.x[2, :, 3] == 0) and np.abs(run.x[2, :, 3]).min() > 0
    others = np.delete(np.arange(D), 3)
    assert_allclose(kept.x[2][:, others], run.x[2][:, others])
    # Layers in turn from layer 1 on, beyond the depth.
    long = in_frame(model, af.layers(af.as_flow(model), run.at(0), 2 * L), "raw")
    assert_allclose(long.x[: L + 1], want, atol=1e-12)


def test_a_part_left_out_adds_nothing_and_its_norm_stays(rng):
    model, state = bert_of_gains(rng)
    ids = prompt_for("BERT", rng)
    run = af.record(model, ids)
    for part, name in (("no attention", "attention.output.dense"), ("no feed-forward", "output.dense")):
        silent = dict(state)
        for l in range(L):
            for kind in ("weight", "bias"):
                key = f"bert.encoder.layer.{l}.{name}.{kind}"
                silent[key] = 0 * state[key]
        got = in_frame(model, af.layers(af.as_flow(model, keep=part), run.at(0), L), "raw")
        assert_allclose(got.x, bert_forward(silent, ids), atol=1e-12)


def test_padding_does_not_count_along_depth(rng):
    model, _ = bert_of_gains(rng)
    ids, mask = prompt_for("BERT", rng), np.arange(9) < 6
    alone, padded = (af.record(model, i, frame="raw", mask=m) for i, m in ((ids[:6], mask[:6]), (ids, mask)))
    for name in ("cosine", "rank", "energy", "length"):
        one, other = (getattr(af.models.along_depth(run), name) for run in (alone, padded))
        assert_allclose(one, other, atol=1e-12)


@pytest.mark.parametrize(("dtype", "verdict"), [("f4", "stable"), ("f8", "no fixed point found")])
def test_a_fixed_point_rests_to_the_round_off_of_its_precision(dtype, verdict):
    inside = np.full(3, 0.5)
    assert Consensus(np.ones(3, dtype), inside, inside, 2.2e-8, (inside, inside)).verdict == verdict
