"""Caps, pair merging, staircase: closed forms against quadrature and runs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attnflow as af
from attnflow.theory.sphere import caps, staircase
from attnflow.theory.sphere import two_clusters as pair_merging

MERGING = {
    (1, 1): {5: (6.07941, 4.322), 10: (13.09468, 1.870), 20: (388.438, 1.1183)},
    (1, 3): {5: (5.60244, 6.639), 10: (9.85360, 2.345), 20: (235.103, 1.1281)},
}


@pytest.mark.parametrize("mass", MERGING)
@pytest.mark.parametrize("beta", (5, 10, 20))
def test_pair_merging_table(mass, beta):
    T = pair_merging.merging_time(1.0, 0.01, beta=beta, mass=mass)
    expected, ratio = MERGING[mass][beta]
    assert_allclose(T, expected, rtol=1e-6)  # six digits given
    assert_allclose(T / pair_merging.merging_law(1.0, beta=beta, mass=mass), ratio, rtol=3e-4)  # four digits given


@pytest.mark.slow
def test_four_tokens_merge_when_the_pair_law_says():
    angles = np.array([0.0, 1.0, 1.0, 1.0])
    mu = af.Particles(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    T = pair_merging.merging_time(1.0, 0.01, beta=5, mass=(1, 3))
    run = af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=5.0)), mu, until=T, save=[T], tol=1e-12)
    gap = 2 * np.arcsin(np.linalg.norm(run.x[-1, 0] - run.x[-1, 1]) / 2)
    assert_allclose(gap, 0.01, rtol=1e-7)
    assert_allclose(T, 5.602437, atol=1e-6)


def test_printed_pair_law_never_merges_and_the_true_one_does():
    s = pair_merging.merging_time(1.0, 1e-5, beta=20) / np.exp(20 * (1 - np.cos(1.0)))
    assert pair_merging.rescaled_pair_cosine(1.05 * s, np.cos(1.0), beta=20) > 1 - 1e-9
    assert pair_merging.printed_pair_cosine(1.05 * s, np.cos(1.0)) < 0.8


def test_caps_constants():
    poles = np.array([[1.0, 0, 0], [-1.0, 0, 0]])
    found = caps.Caps(6, 8.0, 0.01, caps.cap_cosine(poles, 0.01))
    assert_allclose((found.alpha, found.gamma), (-0.9208, 0.73057), atol=6e-6)
    lam = 0.99 * found.lam
    assert_allclose((lam, found.T1(lam), found.T2), (1.2828, 214.05, 7859.4), rtol=3e-5)  # five digits given
    assert_allclose(found.spread(lam), 6.98e-5, rtol=1e-3)


def test_closed_cap_cosine_is_the_maximum():
    rng = np.random.default_rng(0)
    u = np.array([[1.0, 0, 0], [0.0, 1.0, 0]])
    eps = 0.02
    size = np.arccos(1 - 2 * eps)
    t = rng.uniform(0, 2 * np.pi, (2, 20000))
    tangents = np.array([[[0, 1.0, 0], [0, 0, 1.0]], [[1.0, 0, 0], [0, 0, 1.0]]])
    x, y = (
        np.cos(size) * u[q]
        + np.sin(size) * (np.cos(t[q])[:, None] * tangents[q][0] + np.sin(t[q])[:, None] * tangents[q][1])
        for q in range(2)
    )
    sampled = (x * y).sum(axis=1).max()
    alpha = caps.cap_cosine(u, eps)
    assert sampled <= alpha + 1e-12 and sampled > alpha - 1e-3  # a random search comes this near
    assert caps.printed_cosine_bound(eps) < alpha < caps.cosine_bound(eps)


def test_printed_lambda_contradicts_itself():
    found = caps.Caps(6, 5.2, 0.01, caps.cap_cosine(np.array([[1.0, 0, 0], [-1.0, 0, 0]]), 0.01))
    lam = 0.99 * found.lam_printed
    assert_allclose((lam, found.T1(lam), found.T2), (0.992, 122, 36), rtol=1e-2)  # two digits given
    assert found.T1(lam) > found.T2


@pytest.mark.slow
def test_caps_theorem_on_a_run():
    rng = np.random.default_rng(1)
    signs = np.array([1, 1, 1, -1, -1, -1])
    x = np.concatenate([signs[:, None] * 1.0, 0.08 * rng.normal(size=(6, 2))], axis=1)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    found = caps.caps_of(x, np.array([[1.0, 0, 0], [-1.0, 0, 0]]), beta=8.0)
    assert found.is_separated
    lam = 0.99 * found.lam
    times = [found.T1(lam), found.T2]
    run = af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=8.0)), af.Particles(x), until=found.T2, save=times)
    assert (np.abs(run.x[..., 0]) >= 1 - 2 * found.eps).all()
    for group in (slice(0, 3), slice(3, 6)):
        inside = np.asarray(run.x[:, group])
        assert ((inside[:, :, None] - inside[:, None]) ** 2).sum(axis=-1).max() <= found.spread(lam)


HALF = {2000: (0.0015, 0.0171, 0.0412, 0.0970), 4000: (0.0020, 0.0164, 0.0384, 0.0899)}
LAST = {2000: 0.1008, 4000: 0.0924}


@pytest.mark.parametrize("beta", HALF)
def test_staircase_of_the_published_figure(beta):
    assert_allclose(staircase.START, (0, 0.042490, 0.169961, 0.339923, 0.594865), atol=6e-7)
    jumps = staircase.isolated_jumps(staircase.START, beta=beta)
    assert_allclose([j.height for j in jumps], (0.28, 0.44, 0.52, 1.0), rtol=1e-12)
    assert_allclose([j.half for j in jumps], HALF[beta], atol=2e-4)
    assert_allclose(jumps[-1].time, LAST[beta], atol=6e-5)  # four decimals given


def test_mergings_by_integration():
    for beta, off in ((1000.0, 2e-4), (4000.0, 1e-6)):  # the nearest pair moves alone only as β grows
        closed, found = (
            staircase.isolated_jumps(staircase.START, beta=beta),
            staircase.jumps(staircase.START, beta=beta),
        )
        assert [j.members for j in found] == [j.members for j in closed]
        assert_allclose([j.half for j in found], [j.half for j in closed], atol=off)
        assert_allclose([j.height for j in found], (0.28, 0.44, 0.52, 1.0), rtol=1e-12)
    beta, gap, log = 2000.0, 0.1, np.log(2000.0)
    width = np.sqrt(2 * np.log(2) / beta)
    one, two, last = staircase.jumps([0.0, gap, 0.5, 0.5 + gap], beta=beta)
    # both pairs at once: the way is √2 times that of one pair, and energies add
    assert_allclose((one.time, two.time), np.sqrt(2 * gap**2 / 2) / log, rtol=1e-5)
    half = lambda share: (gap - np.sqrt(-2 * np.log(share) / beta)) / log  # noqa: E731
    assert_allclose((one.half, two.half), (half(0.25), half(0.75)), rtol=1e-3)  # β(1 − cos) against βΔ²/2
    assert_allclose(last.half - two.time, (0.5 - width) / log, rtol=1e-3)
    # three equal gaps' ends meet in the middle, which rests
    assert_allclose(
        [j.time for j in staircase.jumps([0.0, gap, 2 * gap], beta=beta)], np.sqrt(2) * gap / log, rtol=1e-4
    )
    twins = staircase.jumps([0.0, 0.0, 0.0, 0.1, 0.1, 0.4], beta=beta)
    closed = staircase.isolated_jumps([0.0, 0.0, 0.0, 0.1, 0.1, 0.4], beta=beta)
    assert_allclose([j.half for j in twins], [j.half for j in closed], atol=1e-6)


def test_staircase_start_violates_its_theorem():
    assert staircase.start_margin(staircase.START, beta=2000) < 0


def test_clock_b_is_the_normalised_gradient():
    """The authors' iteration, coarser: half-height times of the energy on the arc-length clock."""
    beta, theta, step, s, crossed = 4000.0, staircase.START.copy(), 2e-5, 0.0, []
    levels = [(0.2 + 0.28) / 2]
    while not crossed:
        gaps = theta[:, None] - theta[None, :]
        g = -(np.exp(-2 * beta * np.sin(gaps / 2) ** 2) * np.sin(gaps)).sum(axis=1)
        theta = theta + step * np.log(beta) * g / np.linalg.norm(g)
        s += step
        if staircase.energy(theta, beta=beta) > levels[0]:
            crossed.append(s)
    assert_allclose(
        crossed[0], staircase.isolated_jumps(staircase.START, beta=beta)[0].half, atol=1e-4
    )  # step of the iteration


def test_clock_a_gap_solves_its_equation():
    tau, c, beta, u0, h = 0.3, 0.4, 50.0, 0.8, 1e-6
    u = lambda s: staircase.clock_a_gap(s, u0, beta=beta, share=c)  # noqa: E731
    slope = (u(tau + h) - u(tau - h)) / (2 * h)
    assert_allclose(slope, -c * np.log(beta) * np.sin(u(tau)), rtol=1e-8)
    widths = [staircase.clock_a_gap(staircase.plateau_length(c), u0, beta=b, share=c) * np.sqrt(b) for b in (1e4, 1e8)]
    assert_allclose(widths, 2 * np.tan(u0 / 2), rtol=1e-3)  # the gap is of order β^{-1/2} exactly then


KINETIC = np.array(
    [
        [0.99806638, 0.06215705], [0.97712061, 0.21268594], [-0.24578194, 0.96932515],
        [-0.97354734, 0.2284854], [-0.99892629, -0.04632772],
    ]
)  # fmt: skip


@pytest.mark.slow
def test_kinetic_run_loses_clusters_one_by_one():
    run = af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.Particles(KINETIC), until=400.0, save=4001)
    from scipy.sparse.csgraph import connected_components

    gram = np.einsum("kid,kjd->kij", run.x, run.x)
    counts = np.array([connected_components(g > 0.999)[0] for g in gram])
    first = {c: float(run.ts[np.argmax(counts <= c)]) for c in (4, 3, 2, 1)}
    assert_allclose([first[4], first[3], first[2]], (1.3, 2.5, 5.2), atol=0.1001)  # the grid of the specification
    assert first[1] > 40 and counts[-1] == 1


def test_metastable_run_to_a_million_is_quick():
    angles = np.array([0.0, 0.2, 2.0, 2.1])
    mu = af.Particles(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    run = af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=20.0)), mu, until=1e6, save=[1e6], merge=1e-6)
    assert run.status.name == "DONE"
    assert af.clusters(run.last).count == 2
