"""Trials of the claims of arXiv 2512.01868, by NumPy and SciPy."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.ndimage import gaussian_filter1d
from scipy.optimize import brentq
from scipy.spatial.distance import cdist
from scipy.special import eval_chebyt, eval_gegenbauer, gammaln, ive, roots_chebyt, roots_gegenbauer

from ...theory.sphere.at_rest import is_trap, sphere_velocity
from ...theory.sphere.long_context import cosine_after, critical_gamma, limit_cosine
from ...theory.sphere.noisy_circle import ordered_law
from ...theory.sphere.pair_cosines import directions
from ...theory.sphere.two_clusters import merging_law, merging_time, printed_pair_cosine
from ...theory.sphere.uniform_law import critical_kappa, growth, kuramoto_order
from ..hunt import Trial, shown
from ..independent import circle, even_kicks, softmax, sphere_run, unit
from ..trial import close, equal, stated, worst_ratio


def angle_between(x, i, j):
    return 2 * np.arcsin(np.minimum(1, np.linalg.norm(x[..., i, :] - x[..., j, :], axis=-1) / 2))


# ---- mean shift ------------------------------------------------------------------------------------------------------


def climbing(x, mass, beta: float) -> np.ndarray:
    r"""$\Pi_x\nabla\log(K*\mu)$ at all tokens, from the density itself: $\beta(\sum_jw_jx_j-x)$, projected."""
    weights = softmax(-beta / 2 * cdist(x, x, "sqeuclidean") + np.log(np.maximum(mass, 1e-300)))
    slope = beta * (weights @ x - x)
    return slope - (slope * x).sum(axis=1, keepdims=True) * x


def shift_trial(factor):
    """The slope of the log-density by finite differences against the field of attention times a factor."""

    def trial(rng):
        n, d, beta, h = int(rng.integers(2, 7)), int(rng.integers(2, 5)), float(rng.uniform(1.5, 8)), 1e-5
        x = unit(rng, n, d)
        value = lambda y: np.log(np.exp(-beta / 2 * ((x - y) ** 2).sum(axis=1)).sum())  # noqa: E731
        slope = np.array([(value(x[0] + h * e) - value(x[0] - h * e)) / (2 * h) for e in np.eye(d)])
        slope = slope - (slope @ x[0]) * x[0]
        v = factor(beta) * sphere_velocity(x, beta=beta)[0]
        off = float(np.linalg.norm(slope - v) / max(np.linalg.norm(slope), 1e-3))
        words = f"β = {beta:.3f}: ∇ log(K∗μ) is {off:.3g} away from the field, relative to itself"
        ratio = stated(lambda by: float(np.linalg.norm(slope - by * v) / max(np.linalg.norm(slope), 1e-3) / 1e-6))
        return Trial(ratio, 0.0, words)

    return trial


def other_shift_trial(rng):
    x, B = unit(rng, 5, 3), rng.normal(size=(3, 3))
    a = softmax(2.0 * (x @ B @ x.T)) @ x
    v = a - (a * x).sum(axis=1, keepdims=True) * x
    off = np.abs(v - climbing(x, np.full(5, 0.2), 2.0) / 2.0).max()
    return Trial(float(off) / 1e-6, 0.0, shown(B=B, x=x))


# ---- the circle at negative β ----------------------------------------------------------------------------------------


def _synchronised(x, *, beta, model) -> float:
    """Above 1 if tokens rest apart in a state that keeps its neighbours; NaN if they are on their way."""
    lowest = float((x @ x.T).min())
    if lowest > 1 - 1e-3:
        return (1 - lowest) / 1e-3
    return 2.0 if is_trap(x, beta=beta, model=model) else np.nan


def circle_trial(rng):
    n, beta, model = int(rng.integers(3, 7)), float(rng.uniform(-0.159, 2)), str(rng.choice(["SA", "USA"]))
    x = circle(rng.uniform(-np.pi, np.pi, n))
    end = sphere_run(x, [300.0], beta=beta, model=model)[-1]
    return Trial(_synchronised(end, beta=beta, model=model), 300.0, f"{model}, {shown(3, β=beta, x=x)}")


def triangle_trial(rng):
    """Three tokens near a triangle, which is stable for β < −2/3."""
    x = circle(2 * np.pi * np.arange(3) / 3 + 0.2 * rng.normal(size=3))
    end = sphere_run(x, [300.0], beta=-1.0, model="USA")[-1]
    return Trial(_synchronised(end, beta=-1.0, model="USA"), 300.0, f"β = −1, {shown(x=x)}")


# ---- hardmax ---------------------------------------------------------------------------------------------------------


def closest(x) -> tuple[int, int, float]:
    """The closest pair and how much nearer it is than any other."""
    i, j = np.triu_indices(len(x), 1)
    angles = angle_between(x, i, j)
    order = np.argsort(angles)
    second = angles[order[1]] if len(order) > 1 else np.pi
    return int(i[order[0]]), int(j[order[0]]), float(second - angles[order[0]])


def hardmax_run(x, ts, *, others: bool = True):
    """Hardmax on the sphere by SciPy, in short steps: the field jumps where a token changes its mind."""

    def field(t, y):
        y = directions(y.reshape(x.shape))
        scores = y @ y.T - (2 * np.eye(len(y)) if others else 0)
        a = y[np.argmax(scores, axis=1)]
        return (a - (a * y).sum(axis=1, keepdims=True) * y).ravel()

    found = solve_ivp(field, (0, ts[-1]), x.ravel(), t_eval=ts, rtol=1e-8, atol=1e-10, max_step=0.01)
    return directions(found.y.T.reshape(-1, *x.shape))


def hardmax_trial(rng):
    x, ts = unit(rng, int(rng.integers(2, 7)), int(rng.integers(2, 5))), np.array([0.0, 0.5, 1.5])
    i, j, margin = closest(x)
    y, still = hardmax_run(x, ts), hardmax_run(x, ts[:2], others=False)
    expected = 2 * np.arctan(np.tan(angle_between(x, i, j) / 2) * np.exp(-2 * ts))
    off = float(np.abs(angle_between(y, i, j) - expected).max())
    # The pair over its nearest rival: above 1 it is overtaken.
    rival = worst_ratio(*(angle_between(z, i, j) / (angle_between(z, i, j) + closest(z)[2]) for z in y))
    overtaken = 2.0 if any(closest(z)[:2] != (i, j) for z in y) else rival
    ratio = worst_ratio(equal(angle_between(y, i, j), expected, 1e-5), overtaken, np.abs(still - x) / 1e-9)
    return Trial(ratio, 1.5, f"x = {np.round(x, 4).tolist()}: off by {off:.2g}", margin > 1e-6)


# ---- mean field ------------------------------------------------------------------------------------------------------


def field_trial(rng):
    """A smooth density on the circle by its quantiles; the distance must fall by e^{−t/100} at least, late as early."""
    n, beta = 80, float(rng.uniform(-0.1, 0.1))
    grid = np.linspace(0, 2 * np.pi, 4001)
    a = rng.uniform([-0.2, -0.3], [0.4, 0.3])
    density = 1 + a[0] * np.cos(grid) + a[1] * np.cos(2 * grid + rng.uniform(0, 6))
    mass = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2)])
    x = circle(np.interp((np.arange(n) + 0.5) / n, mass / mass[-1], grid))
    pull = float(np.linalg.norm(x.mean(axis=0)))
    if pull <= 0.02:
        return Trial(np.nan, is_inside=False)
    # The mean grows at least like e^{t/4} until it is of order one; the horizon leaves time for that and the decay.
    ts = np.array([0.5, 0.75, 1.0]) * (20 + 6 * np.log(1 / pull))
    y = sphere_run(x, ts, beta=beta)
    centre = directions(y[-1].mean(axis=0)[None])[0]
    apart = [float(np.sqrt(((z - centre) ** 2).sum(axis=1).mean())) for z in y]
    slope = np.max(
        [np.log(max(b, 1e-14) / a) / (t - s) for a, b, s, t in zip(apart, apart[1:], ts, ts[1:]) if not a <= 1e-10]
    )
    ratio = np.inf if slope >= 0 else stated(lambda by: float(-0.01 * by / slope))
    return Trial(ratio, ts[-1], f"β = {beta:.3f}, a = {np.round(a, 3)}")


# ---- a nearly uniform start ------------------------------------------------------------------------------------------


def ripples_of(x) -> np.ndarray:
    r"""$\frac1n\sum_je^{ik\theta_j}$ for k = 1 … n/4; leading axes are times."""
    phase = x[..., 0] + 1j * x[..., 1]
    k = np.arange(1, x.shape[-2] // 4 + 1)
    return (phase[..., None, :] ** k[:, None]).mean(axis=-1)


def ripple_rates(k, *, beta: float, model: str = "SA", n: int = 512) -> np.ndarray:
    """The growth rates of these ripples, from the velocity of n tokens that are slightly displaced by all of them."""
    size, angles = 1e-5 / len(k), 2 * np.pi * np.arange(n) / n
    waves = np.sin(np.outer(k, angles))
    x = circle(angles + size * waves.sum(axis=0))
    v = sphere_velocity(x, beta=beta, model=model)
    turning = v[:, 1] * x[:, 0] - v[:, 0] * x[:, 1]
    return 2 * waves @ turning / n / size * (1.0 if model == "SA" else np.exp(beta))


def ripple_trial(rng):
    k, beta, model = int(rng.integers(1, 9)), float(10 ** rng.uniform(-1, 1.5)), str(rng.choice(["SA", "USA"]))
    found, expected = float(ripple_rates([k], beta=beta, model=model)[0]), float(growth(k, beta=beta, model=model))  # pyright: ignore[reportArgumentType]
    scale = max(abs(float(growth(np.arange(1, 20), beta=beta, model=model).max())), abs(expected))  # pyright: ignore[reportArgumentType]
    # Displacements of 1e-5 leave relative errors of their square times k⁴, and rounding over them.
    words = f"{model}, k = {k}, β = {beta:.3g}: {found}, not {expected}"
    return Trial(equal(found, expected, 1e-6 * scale), 0.0, words)


def crests(beta: float) -> float:
    return float(np.sqrt(2 * beta))


def count_trial(rng):
    """Where the growth of ripples, as a function of their number of crests, is largest, by a parabola, against √(2β)."""
    beta = float(10 ** rng.uniform(1.5, 2.5))
    rates = ripple_rates(np.arange(1, 64), beta=beta)
    k = int(np.argmax(rates[1:-1])) + 1
    before, top, after = rates[k - 1 : k + 2]
    peak = k + 1 + (after - before) / (2 * (2 * top - before - after))
    # The next term of √(2β) is of order 1/β against it.
    return Trial(close(peak, crests(beta), 0.005), 0.0, f"β = {beta:.4g}: the peak is at {peak:.4g} crests")


def large_ripple_trial(rng):
    angles = 2 * np.pi * np.arange(48) / 48
    x, t = circle(angles + float(rng.uniform(0.25, 0.35)) * np.sin(2 * angles)), 1.0
    c = np.abs(ripples_of(np.stack([x, sphere_run(x, [t], beta=2.0)[-1]])))[:, 1]
    off = abs(np.log(c[1] / c[0]) - float(growth(2, beta=2.0)) * t)
    return Trial(off / 0.05, t, "48 tokens displaced by about 0.3 sin 2θ, β = 2")


def modes_order(beta: float) -> float:
    return float(np.sqrt(beta * np.log(beta)))


def modes_of_estimate(n: float, beta: float, rng, *, count: int) -> float:
    """The mean number of modes of `count` density estimates of about n normal samples each, in bins of an eighth of its width."""
    width, reach = 1 / (8 * np.sqrt(beta)), np.sqrt(2 * np.log(n)) + 1
    law = n * width * np.exp(-(np.arange(-reach, reach, width) ** 2) / 2) / np.sqrt(2 * np.pi)
    # As many as chance will: the numbers in different bins are independent then.
    f = gaussian_filter1d(rng.poisson(np.tile(law, count)).astype(float), 8, truncate=6)
    return float(((f[1:-1] > f[:-2]) & (f[1:-1] >= f[2:])).sum() / count)


def modes_trial(rng):
    """The number of modes over √(β log β), at β = 10³ and 10⁷ for the same power of n: alike, where √β alone gives 1.5."""
    power, samples = float(rng.uniform(0.6, 1.4)), np.random.default_rng(int(rng.integers(2**31)))
    modes = lambda beta, count: modes_of_estimate(beta ** (1 / power), beta, samples, count=count)  # noqa: E731
    scaled = [modes(beta, count) / modes_order(beta) for beta, count in ((1e3, 24), (1e7, 1))]
    ratio = abs(np.log(scaled[1] / scaled[0])) / np.log(1.3)
    return Trial(ratio, 0.0, f"β = n^{power:.3g}: modes over √(β log β) are {scaled[0]:.3f}, then {scaled[1]:.3f}")


# ---- two clusters ----------------------------------------------------------------------------------------------------


def _pair_run(rng):
    """Two weighted tokens and their angle at some times."""
    theta0, beta, m = float(rng.uniform(0.4, 2.0)), float(rng.uniform(2, 8)), float(rng.uniform(0.2, 0.8))
    mass, x = np.array([m, 1 - m]), circle(np.array([0.0, theta0]))
    ts = np.array([0.3, 0.7, 1.0]) * merging_time(theta0, 0.05, beta=beta, mass=tuple(mass))
    return theta0, beta, mass, ts, angle_between(sphere_run(x, ts, beta=beta, mass=mass), 0, 1)


def pair_trial(rng):
    """The time the law gives to every angle that a run shows."""
    theta0, beta, mass, ts, angles = _pair_run(rng)
    due = np.array([merging_time(theta0, min(float(a), theta0), beta=beta, mass=tuple(mass)) for a in angles])
    words = (
        f"θ₀ = {theta0:.3f}, β = {beta:.2f}, masses {np.round(mass, 3).tolist()}: angles {np.round(angles, 4).tolist()}"
    )
    return Trial(equal(ts, due, 1e-6 * ts), ts[-1], words)


def cold_law_trial(rng):
    """Exact times over the leading law are 1 + c/β + …: from two temperatures they are 1 up to a few hundredths."""
    theta0, mass = float(rng.uniform(0.6, 2.2)), tuple(rng.dirichlet([4.0, 4.0]))
    betas = np.array([25.0, 50.0]) / (1 - np.cos(theta0)) + np.array([20.0, 40.0])
    one, two = (merging_time(theta0, 1e-2, beta=b, mass=mass) / merging_law(theta0, beta=b, mass=mass) for b in betas)
    return Trial(abs(2 * two - one - 1) / 0.05, 0.0, f"θ₀ = {theta0:.3f}, {shown(mass=mass)}: {one:.4g}, {two:.4g}")


def printed_pair_trial(rng):
    theta0, beta, mass, ts, angles = _pair_run(rng)
    rho0 = float(np.cos(theta0))
    printed = printed_pair_cosine(ts / np.exp(beta * (1 - rho0)), rho0)
    off = float(np.abs(printed - np.cos(angles)).max())
    words = f"θ₀ = {theta0:.3f}, β = {beta:.2f}, masses {np.round(mass, 3).tolist()}: cosines off by {off:.3f}"
    return Trial(off / 0.01, ts[-1], words)


def third_cluster_trial(rng):
    """A third cluster at about the same distance on one side."""
    x, T = circle(np.array([0.0, 1.0, float(rng.uniform(1.9, 2.1))])), merging_time(1.0, 0.5, beta=3.0)
    y = sphere_run(x, [T], beta=3.0)[-1]
    return Trial(float(abs(angle_between(y, 0, 1) - 0.5)) / 1e-4, T, "three tokens at 0, 1 and about 2 rad, β = 3")


# ---- long context ----------------------------------------------------------------------------------------------------


def layer_cosine(n, rho, gamma):
    """The cosine between two tokens after one attention layer of n equiangular tokens, done with all tokens."""
    x = np.linalg.cholesky(rho + (1 - rho) * np.eye(n))
    y = softmax(gamma * np.log(n) * (x @ x.T)) @ x
    return float(y[0] @ y[1] / np.linalg.norm(y[0]) / np.linalg.norm(y[1]))


def context_trial(rng):
    """A layer of 60 tokens on the formula for finite n, and that formula near its limit for n = 1e32."""
    rho = float(rng.uniform(0.1, 0.9))
    gamma = critical_gamma(rho) * float(rng.choice([0.4, 1.0, 2.5]))
    exact = abs(layer_cosine(60, rho, gamma) - cosine_after(rho, n=60, gamma=gamma))
    late, limit = cosine_after(rho, n=1e32, gamma=gamma), limit_cosine(rho, gamma=gamma)
    words = f"ρ = {rho:.3f}, γ = {gamma:.3f}: off by {exact:.1e}, {abs(late - limit):.1e}"
    return Trial(worst_ratio(exact / 1e-10, equal(late, limit, 1e-3)), 0.0, words)


# ---- noise -----------------------------------------------------------------------------------------------------------


def mode_flow(kappa: float, *, beta: float, modes: int = 40, sign: int = -1):
    r"""The Fokker–Planck equation of USA on the circle in Fourier modes, even densities.

    $$c_k' = k\sum_l l\,\hat g_l c_l(c_{k-l}-c_{k+l})\mp\tfrac{k^2}\kappa c_k,\qquad \hat g_l = I_l(\beta)/\beta$$
    """
    l = np.arange(1, modes + 1)
    pull = np.where(l == 1, 0.5, 0.0) if beta == 0 else ive(l, beta) * np.exp(beta) / beta
    minus, plus = np.abs(l[:, None] - l[None]), l[:, None] + l[None]

    def field(t, c):
        full = np.concatenate([[1.0], c, np.zeros(modes + 1)])
        return l * ((full[minus] - full[plus]) @ (l * pull * c)) + sign * l**2 / kappa * c

    return field


def settled_order(kappa: float, *, beta: float, T: float = 400.0, modes: int = 40) -> float:
    """The order that the Fokker–Planck equation of USA settles at."""
    start = 0.4 ** np.arange(1, modes + 1)
    field = mode_flow(kappa, beta=beta, modes=modes)
    return float(solve_ivp(field, (0, T), start, method="LSODA", rtol=1e-10, atol=1e-13).y[0, -1])


def noise_trial(rng):
    """Away from the onset by a sixth or more, where order sets in continuously."""
    beta, factor = float(rng.choice([0.0, 0.4, 1.0, 1.8])), float(rng.choice([0.6, 0.85, 1.2, 2.0]))
    kappa = factor * critical_kappa(beta) * float(rng.uniform(0.97, 1.03))
    found = settled_order(kappa, beta=beta)
    expected = kuramoto_order(kappa) if beta == 0 else ordered_law(kappa, beta=beta).order
    words = f"β = {beta:.3f}, κ = {kappa:.4f}: r = {found:.6f}, not {expected:.6f}"
    return Trial(equal(found, expected, 1e-6), 400.0, words)


def noisy_tokens(kappa: float, *, beta: float, until: float, rng, n: int = 2_000, order: float = 0.3, steps: int = 8):
    """The mean cosine of n tokens on the circle under USA and noise, by splitting, from the density 1 + 2c cos θ."""
    grid = np.linspace(-np.pi, np.pi, 2001)
    share = (grid + np.pi + 2 * order * np.sin(grid)) / (2 * np.pi)
    theta, k, h = np.interp((np.arange(n) + 0.5) / n, share, grid), np.arange(1, 8), until / steps
    strength = ive(k, beta) * np.exp(beta) * 2 * k / beta

    def pull(theta):
        waves = np.exp(1j * np.outer(k, theta))
        return -np.imag(strength[:, None] * waves * np.conj(waves.mean(axis=1))[:, None]).sum(axis=0)

    for _ in range(steps):
        theta = theta + np.sqrt(h / kappa) * even_kicks(rng, theta)
        theta = theta + h * pull(theta + h / 2 * pull(theta))
        theta = theta + np.sqrt(h / kappa) * even_kicks(rng, theta)
    return float(np.cos(theta).mean())


def fokker_planck_trial(sign):
    """Tokens with noise and attention against the equation with one or the other sign of the Laplacian."""

    def trial(rng):
        kappa, beta, t = float(rng.uniform(1, 4)), float(rng.uniform(0.3, 1.5)), 0.4
        measured = noisy_tokens(kappa, beta=beta, until=t, rng=np.random.default_rng(int(rng.integers(1 << 31))))
        # Few modes: the printed equation is backward, and the higher ones would explode.
        start = np.zeros(8)
        start[0] = 0.3
        due = float(solve_ivp(mode_flow(kappa, beta=beta, modes=8, sign=sign), (0, t), start, rtol=1e-8).y[0, -1])
        # Chance leaves errors of 0.0005; a tenth of the noise makes up to 0.008.
        words = f"κ = {kappa:.2f}, β = {beta:.2f}: E cos X({t}) = {measured:.3f}, the equation says {due:.3f}"
        return Trial(equal(measured, due, 0.003), t, words)

    return trial


def zonal(d: int, *, beta: float, nodes: int = 48, degrees: int = 24):
    """Nodes and weights of the height u = ⟨x, e⟩ of uniform tokens, and e^{β⟨x,y⟩} averaged around e, as a matrix."""
    u, weights = roots_chebyt(nodes) if d == 2 else roots_gegenbauer(nodes, d / 2 - 1)
    weights = weights / weights.sum()
    kernel = np.zeros((nodes, nodes))
    for l in range(degrees):
        shape = eval_chebyt(l, u) if d == 2 else eval_gegenbauer(l, d / 2 - 1, u) / eval_gegenbauer(l, d / 2 - 1, 1.0)
        size = np.exp(gammaln(d / 2) + (d / 2 - 1) * np.log(2 / beta)) * ive(l + d / 2 - 1, beta) * np.exp(beta)
        kernel += size * np.outer(shape, shape) / (weights @ shape**2)
    return u, weights, kernel


def branch(order: float, *, d: int, beta: float) -> float:
    """The κ at which an axisymmetric stationary law of noisy USA on S^{d−1} has this order, by iteration."""
    u, weights, kernel = zonal(d, beta=beta)
    h, kappa = u, 0.0
    for _ in range(2000):
        last, kappa = kappa, _kappa_of(order, u, weights, h)
        if abs(kappa - last) < 1e-13 * kappa:
            break
        rho = weights * np.exp(kappa * (h - h.max()))
        h = kernel @ (rho / rho.sum()) / beta
    return kappa


def _kappa_of(order, u, weights, h) -> float:
    """The κ for which the law e^{κh} has this order."""
    return float(brentq(lambda k: (weights * np.exp(k * (h - h.max()))) @ (u - order), 1e-6, 1e4))  # pyright: ignore[reportArgumentType]


def jump_trial(star, kappa_c):
    """The branch leaves κ_c to the right below β_* and to the left above it: e^{−c} with the curvature c on that side."""

    def trial(rng):
        d, factor = int(rng.integers(2, 6)), float(rng.choice([0.7, 0.95, 1.05, 1.4]))
        beta, r = factor * star(d), 0.04
        there, onset = branch(r, d=d, beta=beta), kappa_c(d, beta)
        curvature, side = (there / onset - 1) / r**2, 1 if factor < 1 else -1
        ratio = stated(lambda by: float(np.exp(-side * (there / (by * onset) - 1) / r**2)))
        return Trial(ratio, 0.0, f"d = {d}, β = {beta:.4f}: the branch bends by {curvature:.4g} r²")

    return trial
