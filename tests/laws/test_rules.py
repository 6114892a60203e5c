"""The battery every attention rule passes by its existing: laws of sums over a measure."""

from inspect import isclass, signature

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.engine.attention import RULES, Linear, Linked, Radial, Scored
from attnflow.engine.summation.tiled import Tiled
from attnflow.errors import BadInput

N, D = 7, 3
MAKERS = {rule.__name__: rule for rule in RULES}
TEMPERED = {name for name, rule in MAKERS.items() if "beta" in signature(rule).parameters}
SCORED = {name for name, rule in MAKERS.items() if issubclass(rule, Scored)}
B = np.array([[0.9, 0.2, -0.1], [-0.3, 0.7, 0.4], [0.1, -0.2, 1.1]])
Q, K = np.array([[0.7, -0.3, 0.2], [0.2, 0.4, -0.5]]), np.array([[0.3, 0.5, -0.1], [-0.6, 0.1, 0.8]])
V = np.array([[0.5, -0.4, 0.1], [0.3, 0.9, -0.2], [0.0, 0.6, -0.7]])


def rule_with(name, **weights):
    """The rule with these matrices; rules of distances alone take none."""
    return MAKERS[name](**weights) if name in SCORED else MAKERS[name]()


@pytest.fixture(params=sorted(MAKERS))
def name(request):
    return request.param


@pytest.fixture
def prompt(rng):
    mass = rng.uniform(0.2, 1.0, N)
    return af.Particles(rng.normal(size=(N, D)), mass)


def speed(rule, mu, space=None, **options):
    return np.asarray(af.velocity(af.Flow(space or af.Euclidean(), rule, V=V), mu, **options))


def test_rules_are_classes_that_know_themselves(name):
    rule = rule_with(name, B=1.0)
    assert isclass(MAKERS[name]) and isinstance(rule, MAKERS[name])
    assert all(words and "\n" not in words for words in rule.conventions())
    assert rule.conventions()[0].startswith(name)
    assert isinstance(af.Linear(), Linear) and not isinstance(af.Relu(), Linear | Linked)
    assert isinstance(MAKERS["Laplace"](), Radial) and not isinstance(MAKERS["Everyone"](), Radial)


def test_no_rule_inherits_from_a_finished_one():
    finished = set(RULES)
    assert not any(set(rule.__mro__[1:]) & finished for rule in RULES)


def test_facts_a_rule_does_not_know_are_refused_in_one_line(name, prompt):
    rule, g = rule_with(name, B=0.3), af.Gaussian(np.zeros(D), np.eye(D))
    asked = [
        lambda: rule.gaussian_field(g.mean, jnp.eye(D)),
        lambda: rule.projected_field(g.mean, jnp.eye(D)),
        lambda: rule.energy(prompt, convention=None, summation=Tiled()),
        lambda: rule.log_energy(prompt, convention=None, summation=Tiled()),
        lambda: rule.log_partition(prompt, summation=Tiled()),
        lambda: rule.constants(D)(1.0),
    ]
    for fact in asked:
        try:
            assert jax.tree.leaves(fact())
        except BadInput as error:
            assert "\n" not in str(error)


def test_weights_that_are_known_to_be_positive_are(name, prompt):
    rule = rule_with(name, Q=Q, K=K)
    P = np.asarray(af.attention_matrix(af.Flow(af.Euclidean(), rule), prompt))
    assert not rule.has_positive_weights() or P.min() > 0
    signs = {scale: af.Unnormalised(scale=scale).has_positive_weights() for scale in ("mean", 0.3, 0.0, -1.0)}
    assert list(signs.values()) == [True, True, False, False] and af.Softmax().has_positive_weights()


def test_a_length_is_that_over_which_scores_change(name):
    rule, hot = (rule_with(name, B=b * (B + B.T)) for b in (1.0, 4.0))
    length = rule.length_scale(D)
    assert length is None or rule.bilinear_score() is not None
    assert (length is None) == (name not in ("Softmax", "Unnormalised", "Sigmoid", "L2", "Sinkhorn"))
    if length is not None:
        norm = np.linalg.norm(np.asarray(rule.bilinear_score().matrix(D)), 2)
        assert_allclose([length, hot.length_scale(D)], [norm**-0.5, (4 * norm) ** -0.5], rtol=1e-12)
        masked = rule if rule.why_not_maskable() else af.Causal(rule)
        assert masked.length_scale(D) == length and rule_with(name, B=0.0).length_scale(D) is None


def test_renaming_tokens_renames_velocities(name, prompt, rng):
    order, rule = rng.permutation(N), rule_with(name, Q=Q, K=K)
    shuffled = af.Particles(prompt.x[order], prompt.mass[order])
    assert_allclose(speed(rule, shuffled), speed(rule, prompt)[order], atol=1e-10)


def test_a_rotation_of_everything_rotates_velocities(name, prompt, rng):
    R = np.linalg.qr(rng.normal(size=(D, D)))[0]
    turned = af.Particles(prompt.x @ R.T, prompt.mass)
    flow = af.Flow(af.Euclidean(), rule_with(name, Q=Q, K=K), V=V)
    turned_flow = af.Flow(af.Euclidean(), rule_with(name, Q=Q @ R.T, K=K @ R.T), V=R @ V @ R.T)
    assert_allclose(af.velocity(turned_flow, turned), np.asarray(af.velocity(flow, prompt)) @ R.T, atol=1e-10)


def test_splitting_a_token_changes_nothing(name, prompt):
    x, mass = np.asarray(prompt.x), np.asarray(prompt.mass)
    split = af.Particles(np.vstack([x, x[:1]]), np.append(mass, 0.3 * mass[0]) - np.eye(N + 1)[0] * 0.3 * mass[0])
    rule = rule_with(name, Q=Q, K=K)
    assert_allclose(speed(rule, split)[:N], speed(rule, prompt), atol=1e-10)


def test_a_massless_token_listens_but_is_not_heard(name, prompt, rng):
    x, mass = np.asarray(prompt.x), np.asarray(prompt.mass)
    silent = af.Particles(np.vstack([x, 3 * rng.normal(size=(1, D))]), np.append(mass, 0.0))
    rule = rule_with(name, Q=Q, K=K)
    assert_allclose(speed(rule, silent)[:N], speed(rule, prompt), atol=1e-10)
    last = speed(rule, silent)[-1]
    # Beyond the width of a compact kernel there is nobody to hear, and the answer says so.
    assert np.isnan(last).all() if name == "Compact" else np.isfinite(last).all()


def test_only_the_product_of_query_and_key_matrices_matters(name, prompt, rng):
    if name == "L2":
        pytest.skip("L2 scores also hold |Ky|²")
    M = rng.normal(size=(2, 2)) + 2 * np.eye(2)
    by_pair = speed(rule_with(name, Q=Q, K=K), prompt)
    assert_allclose(speed(rule_with(name, B=Q.T @ K), prompt), by_pair, atol=1e-9)
    assert_allclose(speed(rule_with(name, Q=M.T @ Q, K=np.linalg.solve(M, K)), prompt), by_pair, atol=1e-9)


def test_a_number_means_a_multiple_of_the_identity(name, prompt):
    assert_allclose(
        speed(rule_with(name, B=0.6), prompt), speed(rule_with(name, B=0.6 * np.eye(D)), prompt), atol=1e-12
    )


def test_temperature_scales_the_scores(name, prompt):
    if name not in TEMPERED:
        pytest.skip("no inverse temperature")
    hot = rule_with(name, Q=Q, K=K, beta=1.7)
    root = np.sqrt(1.7)
    assert_allclose(speed(hot, prompt), speed(rule_with(name, Q=root * Q, K=root * K), prompt), atol=1e-12)


def test_the_matrix_is_the_sum(name, prompt):
    flow = af.Flow(af.Euclidean(), rule_with(name, Q=Q, K=K), V=V)
    P = np.asarray(af.attention_matrix(flow, prompt))
    assert_allclose(P @ np.asarray(prompt.x) @ V.T, af.velocity(flow, prompt), atol=1e-12)
    if flow.attention.kernel(prompt.x, prompt).link.is_normalised:
        assert_allclose(P.sum(1), 1, atol=1e-12)


def test_translating_keys_and_queries_is_invisible_to_distance(prompt):
    shift = np.array([5.0, -3.0, 2.0])
    rule, moved = af.L2(B=1.3), af.Particles(prompt.x + shift, prompt.mass)
    plain = af.attention_matrix(af.Flow(af.Euclidean(), rule), prompt)
    assert_allclose(af.attention_matrix(af.Flow(af.Euclidean(), rule), moved), plain, atol=1e-12)


@pytest.mark.parametrize("tile", [1, 3, 16])
@pytest.mark.broad(6)
def test_tiles_do_not_matter(name, prompt, tile):
    rule = rule_with(name, Q=Q, K=K)
    assert_allclose(speed(rule, prompt, summation=Tiled(tile=tile)), speed(rule, prompt), atol=1e-12)


@pytest.mark.broad(6)
def test_bounded_and_safe_sums_agree_on_the_sphere(name, prompt):
    rule = rule_with(name, **({"Q": Q, "K": K} if name == "L2" else {"B": B}))
    exact = speed(rule, prompt, af.Sphere(), summation=Tiled())
    assert_allclose(speed(rule, prompt, af.Sphere(), summation=Tiled(is_bounded=True)), exact, atol=1e-12)
    assert_allclose(np.sum(exact * np.asarray(af.Sphere().retract(prompt.x)), axis=1), 0, atol=1e-12)


@pytest.mark.parametrize("wrap", [lambda rule: rule, af.Causal], ids=["all", "causal"])
@pytest.mark.broad(3)
def test_pairs_weighed_once_give_the_same_sums_and_slopes(name, prompt, wrap):
    if wrap is af.Causal and name == "Sinkhorn":
        pytest.skip("Sinkhorn attention cannot be masked")
    flow = af.Flow(af.Sphere(), wrap(rule_with(name, B=0.8)), V=V)

    def norm(x, tile):
        v = af.velocity(flow, af.Particles(x, prompt.mass), summation=Tiled(tile=tile, is_bounded=True))
        return jnp.sum(v * jnp.sin(jnp.arange(v.size)).reshape(v.shape)), v

    f = jax.value_and_grad(norm, has_aux=True)
    ((_, whole), slope), ((_, halves), other) = f(prompt.x, N), f(prompt.x, 3)
    assert_allclose(halves, whole, atol=1e-13)
    assert_allclose(other, slope, atol=1e-12)


def test_the_precision_of_the_tokens_is_kept(name, prompt):
    single = af.Particles(np.asarray(prompt.x, np.float32), np.asarray(prompt.mass, np.float32))
    v = af.velocity(af.Flow(af.Sphere(), rule_with(name, B=1.0)), single)
    assert v.dtype == jnp.float32


@pytest.mark.broad(3)
def test_rules_live_inside_jit_vmap_and_grad(name, prompt):
    flow = af.Flow(af.Sphere(), rule_with(name, Q=Q, K=K), V=V)
    batch = jnp.stack([prompt.x, prompt.x + 0.1])
    moved = jax.vmap(lambda x: af.velocity(flow, af.Particles(x, prompt.mass)))(batch)
    assert_allclose(moved[0], af.velocity(flow, prompt), atol=1e-10)
    gradient = eqx.filter_jit(eqx.filter_grad(lambda x: jnp.sum(af.velocity(flow, af.Particles(x, prompt.mass)) ** 2)))
    slope = gradient(prompt.x)
    assert np.isfinite(slope).all()
    if name != "Hardmax":
        step = 1e-6 * np.ones((N, D))
        f = lambda x: float(jnp.sum(af.velocity(flow, af.Particles(x, prompt.mass)) ** 2))  # noqa: E731
        difference = (f(prompt.x + step) - f(prompt.x - step)) / 2
        assert_allclose(float(jnp.sum(slope * step)), difference, rtol=1e-5)  # central difference of step 1e-6


@pytest.mark.broad(6)
def test_schedules_are_read_at_their_time(name, prompt):
    still = af.Flow(af.Euclidean(), rule_with(name, Q=0.5 * Q, K=K), V=2.0 * V)
    moving = af.Flow(
        af.Euclidean(), rule_with(name, Q=lambda t: t * Q, K=lambda t: jnp.asarray(K)), V=lambda t: 4 * t * V
    )
    assert_allclose(af.velocity(moving, prompt, t=0.5), af.velocity(still, prompt), atol=1e-9)


@pytest.mark.parametrize("beta", [1e-38, 1e-50])
def test_a_temperature_that_single_precision_takes_for_zero_is_refused(beta):
    with jax.enable_x64(False), pytest.raises(BadInput, match="too small for float32"):
        af.Softmax(beta=beta)


def test_a_probe_beyond_the_range_of_numbers_is_refused():
    x, mass = np.float32([[0.3, 0.2, 0.1], [0.1, 0.3, 0.2], [-9, -9, -9]]), [1.0, 1.0, 0.0]
    with jax.enable_x64(False), pytest.raises(BadInput, match="leaves the range of float32"):
        af.velocity(af.Flow(af.Euclidean(), af.Softmax(beta=1e38)), af.Particles(x, mass))
