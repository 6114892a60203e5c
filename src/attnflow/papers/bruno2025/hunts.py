"""Trials of the claims of arXiv 2509.25040, by NumPy and SciPy."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.special import ive

from ...theory.low_temperature import LowTemperatureLimit
from ...theory.low_temperature.concentration import index_distance
from ..hunt import Trial, shown
from ..independent import attention_run, circle, even_kicks, matrix_run, softmax, unit
from ..trial import close, equal, stated, worst_ratio

# ---- alignment -------------------------------------------------------------------------------------------------------


def _matrices(rng):
    """V and B of size 2, or None where B is nearly singular or V is."""
    V, B = rng.normal(size=(2, 2)), np.eye(2) + 0.5 * rng.normal(size=(2, 2))
    is_clear = np.linalg.svd(B, compute_uv=False)[-1] >= 0.4 and abs(np.linalg.det(V)) >= 0.1
    return (V, B) if is_clear else None


def _ends(x, V, B, beta):
    """Attention and its linear limit at half the time in which the fastest token could turn by 1 rad."""
    t = 0.5 / max(1.0, np.linalg.norm(V, 2))
    return attention_run(x, V=V, B=B, beta=beta, until=t, steps=8), LowTemperatureLimit(V, B).flow(x, t)


def _colder(x, V, B) -> Trial:
    """Eight times colder must be nearer to the linear flow, by 0.7 at least."""
    (warm, told), (cold, _) = (_ends(x, V, B, beta) for beta in (30.0, 240.0))

    def fall(by):
        way = x + by * (told - x)
        return index_distance(cold, way) / (0.7 * index_distance(warm, way))

    return Trial(stated(fall), 0.5, shown(3, V=V, B=B))


def linear_trial(rng):
    pair = _matrices(rng)
    if pair is None:
        return Trial(np.nan, is_inside=False)
    return _colder(circle(2 * np.pi * (np.arange(200) + 0.5) / 200), *pair)


def gap_trial(rng):
    """Tokens on a half circle cannot hear Bᵀx/|Bᵀx| where nobody is, however cold it gets."""
    return _colder(circle(np.pi * (np.arange(150) + 0.5) / 150), rng.normal(size=(2, 2)), np.diag([1.0, -1.0]))


def crowd_trial(rng):
    """Independent tokens, 50 at β = 8 and 400 at β = 128: the many are nearer to the linear flow, and come as far."""
    pair, tokens = _matrices(rng), np.random.default_rng(int(rng.integers(2**31)))
    if pair is None:
        return Trial(np.nan, is_inside=False)
    starts = [circle(tokens.uniform(-np.pi, np.pi, n)) for n in (50, 400)]
    few, many = (_ends(x, *pair, beta) for x, beta in zip(starts, (8.0, 128.0)))
    moved, told = (end - starts[1] for end in many)
    if np.sum(told**2) < 4:
        return Trial(np.nan, is_inside=False)
    pace = float(np.sum(moved * told) / np.sum(told**2))
    # Temperature takes up to 2 % of the way and chance another 2 %.
    ratio = worst_ratio(index_distance(*many) / index_distance(*few), equal(pace, 1.0, 0.06))
    return Trial(ratio, 0.5, f"{shown(3, V=pair[0], B=pair[1])}: {pace:.4f} of the way")


def dominant_trial(rng):
    d = int(rng.integers(2, 5))
    limit = LowTemperatureLimit(rng.normal(size=(d, d)), np.eye(d))
    gap = limit.dominant.gap
    if not np.isfinite(gap) or gap < 0.1:
        return Trial(np.nan, is_inside=False)
    x, E = unit(rng, 50, d), limit.dominant.basis
    x = x[limit.margin(x) > 1e-3]
    end = limit.flow(x, 40 / gap)
    return Trial(float(np.abs(end - end @ E @ E.T).max()) / 1e-6, 40 / gap, f"A = {limit.A.tolist()}")


def weaker_axis_trial(rng):
    """Tokens that start on the weaker eigenvector stay there."""
    limit = LowTemperatureLimit(np.diag([1.0 + float(rng.uniform(0.2, 1)), 0.5]), np.eye(2))
    x, E = np.array([[0.0, 1.0], [0.0, -1.0]]), limit.dominant.basis
    end = limit.flow(x, 20.0)
    return Trial(float(np.abs(end - end @ E @ E.T).max()) / 1e-6, 20.0, shown(3, A=limit.A))


def jordan_trial(rng):
    """The mean of sin² of the angle to the eigenvector is 2/(4 + t²) for a uniform start and A = [[1, 1], [0, 1]]."""
    t, n = float(10 ** rng.uniform(0, 1.5)), 20_000
    x = circle(2 * np.pi * (np.arange(n) + 0.5) / n)
    z = np.stack([x[:, 0] + t * x[:, 1], x[:, 1]], axis=1)
    mean = float(np.mean(z[:, 1] ** 2 / (z**2).sum(axis=1)))
    return Trial(close(mean, 2 / (4 + t**2), 0.01), t, f"t = {t:.3g}: mean sin² = {mean:.4g}")


def rotation_trial(rng):
    """A law that is not uniform is opposite to itself after half a turn at speed sin ω.

    At β = 100 barycentres are shorter by 1/(2β) and lean by b/β: 0.06 rad in that time, of 0.1 allowed.
    """
    angle, b, n = float(rng.uniform(0.6, 2.5)), float(rng.uniform(0.2, 0.5)), 120
    phi, R = 2 * np.pi * np.arange(n) / n, circle(angle + np.array([0, np.pi / 2])).T
    x, half = circle(phi - b * np.sin(phi)), np.pi / np.sin(angle)
    end = attention_run(x, V=R, B=np.eye(2), beta=100.0, until=half, steps=80)
    turned = lambda by: x @ circle(by * np.pi + np.array([0, np.pi / 2]))  # noqa: E731
    ratio = stated(lambda by: float(np.linalg.norm(end - turned(by), axis=1).max()) / 0.1)
    return Trial(ratio, half, f"ω = {angle:.3f}, b = {b:.3f}")


def order_trial(rng):
    """Where attention at β = 32 rests at last is not where the linear flow ends: more than a tenth of a radian away."""
    turn = float(rng.uniform(0.4, 1.1))
    R, V = circle(np.array([turn, turn + np.pi / 2])).T, np.diag([1.0, float(rng.uniform(0.2, 0.5))])
    B = R @ np.diag([1.0, float(rng.uniform(0.15, 0.4))]) @ R.T
    # Antipodal prompts stay antipodal: a trace of asymmetry.
    x = circle(2 * np.pi * (np.arange(40) + 0.5) / 40 + 1e-3 * np.sin(np.arange(40.0) ** 2))
    late = attention_run(x, V=V, B=B, beta=32.0, until=40.0, steps=480)
    last = attention_run(late, V=V, B=B, beta=32.0, until=4.0, steps=48)
    axis = LowTemperatureLimit(V, B).dominant.basis[:, 0]
    is_inside = bool(np.abs(axis[0]) < np.cos(0.2))
    apart = float(np.median(np.arccos(np.clip(np.abs(last @ axis), 0, 1))))
    rests = np.abs(last - late).max() < 1e-3
    return Trial(0.1 / apart if rests else np.nan, 44.0, f"{shown(3, V=V, B=B)}: {apart:.3g} rad apart", is_inside)


def noisy_limit_trial(rng):
    """Fourier modes 1 and 2 of 1,200 noisy tokens at β = 160 against the linear drift with a Laplacian σ²/2."""
    V, B, sigma, t, steps = *_mild(rng), float(rng.uniform(1.0, 1.5)), 0.3, 16
    bend, turn = float(rng.uniform(0.6, 0.9)), float(rng.uniform(-np.pi, np.pi))
    even = 2 * np.pi * (np.arange(1200) + 0.5) / 1200
    angles = start = even + turn + bend * np.sin(even)
    # The noise is no matter of the search.
    noise, h = np.random.default_rng(int(rng.integers(10**6))), t / steps
    for _ in range(steps):
        x = circle(angles)
        a = softmax(160.0 * x @ B @ x.T) @ x @ V.T
        angles = angles + h * (a[:, 1] * x[:, 0] - a[:, 0] * x[:, 1]) + sigma * np.sqrt(h) * even_kicks(noise, angles)
    seen = np.array([np.exp(-1j * k * angles).mean() for k in (1, 2)])
    told = _drifting_modes(start, V, B, sigma, t)
    # Chance and temperature move the modes by 0.005; a tenth more noise would move them by 0.015.
    return Trial(equal(seen, told, 0.008), t, f"{shown(3, V=V, B=B)}, σ = {sigma:.3g}")


def _mild(rng):
    """V of norm 1/2 at most, and B within 0.3 of the identity."""
    V, M = rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    return V / (2 * max(1.0, np.linalg.norm(V, 2))), np.eye(2) + 0.3 * M / max(1.0, np.linalg.norm(M, 2))


def _drifting_modes(start, V, B, sigma, t):
    """Modes 1 and 2 at time t of the law that begins as these angles, drifts by ΠVBᵀx/|Bᵀx| and diffuses.

    An exponential of a matrix, in Fourier modes.
    """
    k, grid = np.arange(-24, 25), 2 * np.pi * np.arange(128) / 128
    x = circle(grid)
    heard = x @ B / np.linalg.norm(x @ B, axis=1, keepdims=True) @ V.T
    modes = np.fft.fft(heard[:, 1] * x[:, 0] - heard[:, 0] * x[:, 1]) / 128
    M = -1j * k[:, None] * modes[k[:, None] - k] - np.diag(sigma**2 / 2 * k**2)
    return (expm(t * M) @ np.exp(-1j * np.outer(k, start)).mean(axis=1))[[25, 26]]


# ---- heat ------------------------------------------------------------------------------------------------------------


def heated(l, t):
    """What the heat equation leaves of the l-th Fourier mode."""
    return np.exp(-(l**2) * t)


def spread(rho, beta, t):
    r"""A density on the circle under V = −I after tβ: $\partial_s\rho = (\rho\,(\log e^{\beta\cos}*\rho)')'$ for s up to t."""
    k = np.fft.fftfreq(len(rho), 1 / len(rho))
    kernel, slope = ive(np.abs(k), beta), lambda f: np.fft.ifft(1j * k * np.fft.fft(f)).real
    return matrix_run(rho, [t], lambda f: slope(f * slope(np.log(np.fft.ifft(kernel * np.fft.fft(f)).real))))[-1]


def cooled(rho, beta, t):
    """By what the first two Fourier modes shrink as β → ∞: at 2β errors are half of those at β, up to 1/β²."""
    first, warm, cold = (np.fft.fft(f)[1:3] for f in (rho, spread(rho, beta, t), spread(rho, 2 * beta, t)))
    return np.abs((2 * cold - warm) / first)


def heat_trial(rng):
    """Two modes of a density after t = 0.2β."""
    beta, theta = float(rng.uniform(60, 120)), 2 * np.pi * np.arange(64) / 64
    a, b, shift = (float(v) for v in rng.uniform([0.2, 0.1, -np.pi], [0.5, 0.2, np.pi]))
    rho = 1 + a * np.cos(theta) + b * np.cos(2 * theta + shift)
    seen, told = cooled(rho, beta, 0.2), heated(np.arange(1, 3), 0.2)
    off = np.abs(seen / told - 1).round(4)
    words = f"β = {beta:.2f} and twice that, a = {a:.2f}, b = {b:.2f}: modes tend to {off} off heat"
    return Trial(close(seen, told, 0.002), 0.4 * beta, words)


def width_trial(kernel_time):
    """The variance of a wrapped normal law under V = −I: σ² + 2t/β, or σ² + t/β were σ² a time of the kernel."""

    def trial(rng):
        sigma, beta = float(rng.uniform(0.6, 0.8)), float(rng.uniform(60, 120))
        theta = 2 * np.pi * (np.arange(64) - 32) / 64
        rho = sum(np.exp(-((theta + turn) ** 2) / (2 * sigma**2)) for turn in (-2 * np.pi, 0.0, 2 * np.pi))
        t = 0.2 * sigma**2
        # The first mode of a wrapped normal law is e^{−σ²/2}.
        grown, due = -2 * float(np.log(cooled(rho, beta, t)[0])), (1 if kernel_time else 2) * t
        words = f"σ = {sigma:.3f}, β = {beta:.1f} and twice that: the variance grows by {grown:.4f}, not {due:.4f}"
        return Trial(close(grown, due, 0.02), 2 * beta * t, words)

    return trial


def porous_trial(factor):
    """The rate of a density on the circle under V = −I and the constant normaliser as β grows, against a multiple of Δρ²."""

    def trial(rng):
        theta, k = 2 * np.pi * np.arange(256) / 256, np.fft.fftfreq(256, 1 / 256)
        a, b = (float(v) for v in rng.uniform([0.1, 0.1], [0.3, 0.25]))
        rho = 1 + a * np.cos(theta) + b * np.sin(2 * theta)

        def rate(beta):
            heard = np.fft.ifft(ive(np.abs(k), beta) * np.fft.fft(rho))
            # v = −∇(e^{β cos} ∗ ρ)/β over Z = ∫e^{β cos}/β.
            v = -np.fft.ifft(1j * k * np.fft.fft(heard)) / ive(0, beta)
            return -np.fft.ifft(1j * k * np.fft.fft(rho * v)).real

        # Errors are of order 1/β: twice the colder rate less the warmer one leaves 1/β².
        limit, laplacian = 2 * rate(200.0) - rate(100.0), np.fft.ifft(-(k**2) * np.fft.fft(rho**2)).real
        miss = equal(limit, factor * laplacian, 0.001 * np.abs(laplacian).max())
        return Trial(miss, 0.0, f"a = {a:.2f}, b = {b:.2f}: the rate tends to {factor} Δρ² up to {0.001 * miss:.2g}")

    return trial


# ---- pairing ---------------------------------------------------------------------------------------------------------


def pairing_trial(rng):
    """Three tokens at β = 60 in the clock of the closest pair: tan(θ/2) = tan(θ₀/2)e^{−2s}, and the third one waits."""
    theta, beta, s = float(rng.uniform(0.8, 1.1)), 60.0, 0.2
    third = theta + float(rng.uniform(theta + 0.2, np.pi - 0.2))
    x = circle(np.array([0.0, theta, third]))

    def field(_, y):
        y = y.reshape(3, 2)
        y = y / np.linalg.norm(y, axis=1, keepdims=True)
        P = softmax(beta * y @ y.T)
        # A token's own weight pulls nowhere; left in, its rounding error would be multiplied by e^{24}.
        np.fill_diagonal(P, 0.0)
        a = P @ y
        return (np.exp(beta * (1 - y[0] @ y[1])) * (a - (a * y).sum(axis=1, keepdims=True) * y)).ravel()

    end = solve_ivp(field, (0, s), x.ravel(), method="DOP853", rtol=1e-9, atol=1e-11).y[:, -1].reshape(3, 2)
    due = 2 * np.arctan(np.tan(theta / 2) * np.exp(-2 * s))
    angle, waited = float(np.arccos(np.clip(end[0] @ end[1], -1, 1))), float(np.linalg.norm(end[2] - x[2]))
    off = stated(lambda by: (abs(angle - by * due) + waited) / 0.01)
    is_closest = min(third - theta, 2 * np.pi - third) > theta + 0.1
    return Trial(off, s, f"θ₀ = {theta:.3f}, third at {third:.3f}: off by {off / 100:.2g}", is_closest)


def tie_trial(rng):
    """The third token as near on the other side: nobody is the closest pair."""
    theta, beta = float(rng.uniform(0.8, 1.0)), 60.0
    x = circle(np.array([-theta, 0.0, theta]))
    v = softmax(beta * x @ x.T) @ x
    v = v - (v * x).sum(axis=1, keepdims=True) * x
    turn = v[1] @ [0, 1] - v[2] @ [-np.sin(theta), np.cos(theta)]
    due = 2 * np.sin(theta) * np.exp(-beta * (1 - np.cos(theta)))
    return Trial(float(abs(turn / due - 1)) / 0.1, 0.0, f"tokens at ±{theta:.3f} and 0, β = 60")
