"""What cannot make sense is refused in one clear line before anything is compiled."""

import jax
import numpy as np
import pytest

import attnflow as af

MU = af.Particles(np.random.default_rng(0).normal(size=(6, 3)))
FLOW = af.Flow(af.Sphere(), af.Softmax(beta=3.0))
NOISY = af.Flow(af.Sphere(), af.Softmax(), noise=0.3)
SINGLE = af.Particles(np.asarray(MU.x, np.float32))

REFUSED = {
    "NaN token": (lambda: af.Particles([[np.nan]]), "finite"),
    "vector of tokens": (lambda: af.Particles([1.0, 2.0]), "shape"),
    "no tokens": (lambda: af.Particles(np.zeros((0, 3))), "empty"),
    "no dimension": (lambda: af.Particles(np.zeros((3, 0))), "empty"),
    "words": (lambda: af.Particles([["a"]]), "numbers"),
    "negative mass": (lambda: af.Particles([[1.0]], mass=[-1.0]), "negative"),
    "mass beyond the range of shares": (lambda: af.Particles(np.eye(2), mass=[1e308, 1e-300]), "cannot hold"),
    "no mass": (lambda: af.Particles([[1.0]], mass=[0.0]), "zero"),
    "masses of other tokens": (lambda: af.Particles([[1.0]], mass=[0.5, 0.5]), "one entry per token"),
    "infinite temperature parameter": (lambda: af.Softmax(beta=np.inf), "beta"),
    "B not square": (lambda: af.Softmax(B=np.ones((2, 3))), "square"),
    "Q and K of other sizes": (lambda: af.Softmax(Q=np.ones((2, 3)), K=np.ones((3, 3))), "same shape"),
    "Q without K": (lambda: af.Softmax(Q=np.ones((2, 3))), "together"),
    "B and Q": (lambda: af.Softmax(B=1.0, Q=np.eye(3), K=np.eye(3)), "not both"),
    "L2 of an indefinite matrix": (lambda: af.L2(B=np.diag([1.0, -1.0])), "semidefinite"),
    "unknown scale": (lambda: af.Unnormalised(scale="big"), "scale"),
    "unknown bias": (lambda: af.Sigmoid(bias="log n"), "bias"),
    "Sinkhorn temperature": (lambda: af.Sinkhorn(eps=0.0), "eps"),
    "masked Sinkhorn": (lambda: af.Causal(af.Sinkhorn()), "masked"),
    "deaf token": (lambda: af.Masked(af.Softmax(), table=np.zeros((3, 3), bool)), "nothing to hear"),
    "no heads": (lambda: af.Heads([]), "at least one"),
    "head shapes": (lambda: af.Heads([(af.Softmax(), (np.ones((3, 2)), np.ones((1, 3))))]), "head 0 do not fit"),
    "three matrices": (lambda: af.Heads([(af.Softmax(), (np.eye(3),) * 3)]), "c of head 0 must have 3 entries"),
    "four matrices": (lambda: af.Heads([(af.Softmax(), (np.eye(3),) * 4)]), "head 0"),
    "V not square": (lambda: af.Flow(af.Sphere(), af.Softmax(), V=np.ones((2, 3))), "square"),
    "space by name": (lambda: af.Flow("sphere", af.Softmax()), "space"),
    "normalisation in space": (lambda: af.Flow(af.Euclidean(), af.Softmax(), normalisation=af.PreLN()), "Sphere"),
    "B of another dimension": (lambda: af.velocity(af.Flow(af.Sphere(), af.Softmax(B=np.eye(2))), MU), "dimension 3"),
    "V of another dimension": (lambda: af.velocity(af.Flow(af.Sphere(), af.Softmax(), V=np.eye(2)), MU), "dimension 3"),
    "mask of another prompt": (
        lambda: af.velocity(af.Flow(af.Sphere(), af.Masked(af.Softmax(), [0, 1])), MU),
        "2 tokens",
    ),
    "zero vector on the sphere": (lambda: af.velocity(FLOW, af.Particles([[0.0, 0.0, 0.0]])), "zero vector"),
    "tolerance below float64": (lambda: af.evolve(FLOW, MU, tol=1e-20), "below"),
    "tolerance below float32": (lambda: af.evolve(FLOW, SINGLE, tol=1e-8), "64-bit"),
    "derivatives of another kind": (lambda: af.evolve(FLOW, MU, derivatives="both"), "forward"),
    "unknown method": (lambda: af.evolve(FLOW, MU, method="rk5"), "rk5"),
    "no step": (lambda: af.evolve(FLOW, MU, method="rk4"), "step"),
    "step of an adaptive method": (lambda: af.evolve(FLOW, MU, step=0.1), "adaptive"),
    "time going back": (lambda: af.evolve(FLOW, MU, until=-1.0), "until"),
    "endless time": (lambda: af.evolve(FLOW, MU, until=np.inf), "until"),
    "save times out of order": (lambda: af.evolve(FLOW, MU, save=[2.0, 1.0]), "increase"),
    "save times beyond the end": (lambda: af.evolve(FLOW, MU, until=1.0, save=[2.0]), "between"),
    "unknown summation": (lambda: af.evolve(FLOW, MU, summation="quick"), "quick"),
    "merging under a mask": (lambda: af.evolve(af.Flow(af.Sphere(), af.Causal(af.Softmax())), MU, merge=1e-3), "merge"),
    "merging rescaled tokens": (
        lambda: af.evolve(af.rescale(af.Flow(af.Euclidean(), af.Softmax(), V=0.5)), MU, merge=1e-3),
        "rescaled tokens cannot merge",
    ),
    "merging tokens deaf to themselves": (
        lambda: af.evolve(af.Flow(af.Sphere(), af.Hardmax(others=True)), MU, merge=1e-3),
        "cannot merge",
    ),
    "merging inside jit": (
        lambda: jax.jit(lambda x: af.evolve(FLOW, af.Particles(x), merge=1e-3).x)(MU.x),
        "cannot be traced",
    ),
    "fixed steps to a traced end": (
        lambda: jax.jit(lambda t: af.evolve(FLOW, MU, until=t, method="rk4", step=0.1).x)(1.0),
        "known end",
    ),
    "end in words": (lambda: af.evolve(FLOW, MU, until="soon"), "until"),
    "tolerance in words": (lambda: af.evolve(FLOW, MU, tol="tight"), "tol"),
    "save in words": (lambda: af.evolve(FLOW, MU, save="often"), "save"),
    "seed of a fraction": (lambda: af.evolve(NOISY, MU, seed=0.5), "seed"),
    "noise by a fixed-step method": (lambda: af.evolve(NOISY, MU, method="rk4", step=0.1), "method of its own"),
    "noise to a tolerance": (lambda: af.evolve(NOISY, MU, tol=1e-6), "tol is for runs without noise"),
    "noise at rest": (lambda: af.evolve(NOISY, MU, steady=1e-6), "steady is for runs without noise"),
    "negative noise": (lambda: af.Flow(af.Sphere(), af.Softmax(), noise=-0.1), "negative"),
    "layers with noise": (lambda: af.layers(NOISY, MU, 2, 0.1), "no noise"),
    "step of an adaptive batch": (lambda: af.evolve_batch(FLOW, [MU, MU], step=0.1), "adaptive"),
    "zero vector late in a batch": (
        lambda: af.evolve_batch(FLOW, [MU, af.Particles(np.zeros((6, 3)))]),
        "zero vector",
    ),
    "batch of other shapes": (
        lambda: af.evolve_batch([FLOW, af.Flow(af.Sphere(), af.Softmax(B=np.eye(3), beta=3.0))], MU),
        "differ only in their numbers",
    ),
    "batch of Gaussians": (lambda: af.evolve_batch(FLOW, [af.Gaussian([0.0], [[1.0]])] * 2), "Gaussian"),
    "batch of arrays": (lambda: af.evolve_batch(FLOW, [np.eye(3)] * 2), "ndarray"),
    "bias table of other tokens": (
        lambda: af.velocity(af.Flow(af.Sphere(), af.Biased(af.Softmax(), table=np.zeros((6, 3)))), MU),
        r"\(6, 3\), but there are 6 tokens",
    ),
    "normalisation by name": (lambda: af.Flow(af.Sphere(), af.Softmax(), normalisation="pre"), "PreLN"),
    "feed-forward in numbers": (lambda: af.Flow(af.Sphere(), af.Softmax(), feed_forward=(1, 2)), "FeedForward"),
    "perceptron that reads other tokens": (
        lambda: af.velocity(af.Flow(af.Sphere(), af.Softmax(), feed_forward=af.FeedForward(1.0, np.ones((4, 2)))), MU),
        "tokens have dimension 3; it must be",
    ),
    "rescaled tokens of a plain rule": (
        lambda: af.rescale(af.Flow(af.Euclidean(), af.Relu())),
        "add up to 1, Softmax or Hardmax; got Relu",
    ),
    "feed-forward of other tokens": (
        lambda: af.velocity(af.Flow(af.Sphere(), af.Softmax(), feed_forward=af.FeedForward(w=np.ones((2, 2)))), MU),
        "dimension 3",
    ),
    "V(t) of another dimension": (
        lambda: af.velocity(af.Flow(af.Sphere(), af.Softmax(), V=lambda t: t * np.eye(2)), MU),
        "dimension 3",
    ),
    "B(t) of another dimension": (
        lambda: af.evolve(af.Flow(af.Sphere(), af.Softmax(B=lambda t: t * np.eye(2))), MU),
        "dimension 3",
    ),
    "layers of no step": (lambda: af.layers(FLOW, MU, 3, None), "eta"),
    "clusters at no distance": (lambda: af.clusters(MU, tol="small"), "tol"),
    "check of a prompt": (lambda: af.check(MU), "made by evolve"),
    "check of a batch": (lambda: af.check(af.evolve_batch(FLOW, [MU, MU], until=1.0, save=3)), "member"),
    "prediction of an array": (lambda: af.predict(FLOW, np.eye(3)), "ndarray"),
    "member of one run": (lambda: af.evolve(FLOW, MU, until=1.0, save=3).member(0), "no members"),
    "a list as a measure": (lambda: af.evolve(FLOW, [[1.0, 0.0]]), "Particles"),
    "covariance not symmetric": (lambda: af.Gaussian([0, 0], [[1, 1], [0, 1]]), "symmetric"),
    "covariance indefinite": (lambda: af.Gaussian([0, 0], [[1, 2], [2, 1]]), "semidefinite"),
    "rescaling on the sphere": (lambda: af.rescale(FLOW), "Euclidean"),
    "no layers": (lambda: af.layers(FLOW, MU, 0, 0.1), "count"),
    "step of layers": (lambda: af.layers(FLOW, MU, 5, -0.1), "eta"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_line(case):
    call, word = REFUSED[case]
    with pytest.raises(ValueError, match=word) as caught:
        call()
    assert "\n" not in str(caught.value)
