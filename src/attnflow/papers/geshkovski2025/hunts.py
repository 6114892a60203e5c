"""Trials of the claims of arXiv 2410.06833 on caps and groups."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.integrate import quad, solve_ivp

from ...theory.sphere.caps import Caps, cap_cosine, caps_of
from ...theory.sphere.pair_cosines import directions
from ..hunt import Trial, shown
from ..independent import circle, sphere_run, unit
from ..trial import bounded, stated, worst_ratio

# ---- caps ------------------------------------------------------------------------------------------------------------


def poles_trial(rng):
    beta, model = float(rng.uniform(6.5, 8.5)), str(rng.choice(["SA", "USA"]))
    x = directions(np.concatenate([np.repeat([1.0, -1.0], 3)[:, None], 0.1 * rng.uniform(-1, 1, (6, 2))], axis=1))
    found = caps_of(x, np.array([[1.0, 0, 0], [-1.0, 0, 0]]), beta=beta)
    lam = 0.99 * found.lam
    if not found.is_separated or found.T1(lam) > found.T2:
        return Trial(np.nan, is_inside=False)
    y = sphere_run(x, np.array([found.T1(lam), found.T2]), beta=beta, model=model)
    wide = worst_ratio(*(((g[:, None] - g[None]) ** 2).sum(-1) for g in (y[0, :3], y[0, 3:], y[1, :3], y[1, 3:])))
    out = (1 - np.abs(y[..., 0]).min()) / (2 * found.eps)
    ratio = worst_ratio(bounded(wide, found.spread(lam)), bounded(out, 1.0))
    return Trial(ratio, found.T2, f"{model}, β = {beta:.3f}, {shown(x=x)}")


def near_caps_trial(rng):
    """Two caps at 1 rad for β = 4: γ < 0."""
    angles = np.array([-0.05, 0.05, 0.95, 1.05])
    end = sphere_run(circle(angles), [50.0], beta=4.0)[-1]
    depth = 1 - float(np.min([end[:2, 0], end[2:] @ circle(np.array(1.0))]))
    return Trial(depth / (2 * (1 - np.cos(0.05))), 50.0, "caps of 0.05 rad at 0 and 1 rad, β = 4")


def lambda_trial(which):
    def trial(rng):
        beta, eps, n = float(rng.uniform(4.5, 8)), float(rng.choice([0.01, 0.005])), int(rng.integers(2, 7))
        found = Caps(n, beta, eps, cap_cosine(np.array([[1.0, 0, 0], [-1.0, 0, 0]]), eps))
        lam = 0.99 * (found.lam_printed if which == "printed" else found.lam)
        where = f"n = {n}, poles, ε = {eps}, β = {beta:.3f}"
        words = f"{where}: λ = {lam:.3g} is allowed, T₁ = {found.T1(lam):.4g}, T₂ = {found.T2:.4g}"
        return Trial(stated(lambda by: found.T1(by * lam) / found.T2), found.T2, words, found.is_separated and lam > 0)

    return trial


def crowd_time(found: Caps) -> float:
    r"""$\frac{\varepsilon}{k}e^{\beta(1-\alpha-8\varepsilon)}$, between $T_1$ and $T_2$ for k caps of equal mass."""
    return float(found.eps / found.n * np.exp(found.beta * (1 - found.alpha - 8 * found.eps)))


def crowd_ratio(x, ts, labels, centres, found: Caps, *, error=0.0) -> tuple[float, bool]:
    """How deep tokens are at worst in units of 2ε, or their variance in units of e^{−λβ}; and whether that was seen."""
    lam = 0.99 * found.lam
    seen, late = ts <= crowd_time(found), (ts >= found.T1(lam)) & (ts <= crowd_time(found))
    depth = 1 - float(np.einsum("kid,id->ki", x[seen], centres[labels]).min())
    spread = np.array([_variance(y, labels) for y in x[late]])
    ratio = worst_ratio(bounded(depth, 2 * found.eps + error), spread / (np.exp(-lam * found.beta) + error))
    return ratio, bool(late.any())


def _variance(y, labels) -> float:
    groups = [y[labels == k] for k in range(labels.max() + 1)]
    return float(np.max([((g - g.mean(axis=0)) ** 2).sum(axis=1).mean() for g in groups]))


def crowd_trial(rng):
    """Two or three caps on a circle, full up to their rims, at temperatures near the threshold."""
    k, size = int(rng.integers(2, 4)), int(rng.integers(4, 10))
    beta = float(rng.uniform(5.5, 7) * (1 if k == 2 else 4 / 3))
    middle, eps = 2 * np.pi * np.arange(k) / k, float(10 ** rng.uniform(-3.5, -2.2))
    places = np.column_stack([-np.ones(k), np.ones(k), rng.uniform(-1, 1, (k, size))])
    x, labels = circle((middle[:, None] + np.arccos(1 - eps) * places).ravel()), np.repeat(np.arange(k), size + 2)
    centres = circle(middle)
    found = Caps(k, beta, eps * (1 + 1e-9), cap_cosine(centres, eps))
    if not found.is_separated or found.lam <= 0 or not found.T1(0.99 * found.lam) < crowd_time(found) < 1500:
        return Trial(np.nan, is_inside=False)
    ts = np.array([0.0, found.T1(0.99 * found.lam), crowd_time(found)])
    worst, _ = crowd_ratio(sphere_run(x, ts, beta=beta), ts, labels, centres, found)
    return Trial(worst, ts[-1], f"k = {k}, {size + 2} tokens each, β = {beta:.3f}, ε = {eps:.3g}")


# ---- separation ------------------------------------------------------------------------------------------------------


def alpha_trial(bound):
    def trial(rng):
        eps = float(10 ** rng.uniform(-4, -1.3))
        alpha = cap_cosine(np.eye(2), eps)
        words = f"orthogonal centres, ε = {eps:.4g}: α = {alpha:.4g} against {bound(eps):.4g}"
        return Trial(bounded(alpha, bound(eps)), 0.0, words)

    return trial


def uniform_size(d: int) -> float:
    r"""$\varepsilon = 4\log d/d$."""
    return 4 * float(np.log(d)) / d


def uniform_margin(n: int, d: int, beta: float) -> float:
    r"""$1-4\sqrt\varepsilon-12\varepsilon-\log(2n^2/\varepsilon)/\beta$: positive when nearly orthogonal tokens are separated."""
    eps = uniform_size(d)
    return float(1 - 4 * np.sqrt(eps) - 12 * eps - np.log(2 * n**2 / eps) / beta)


def nearest_frame(x) -> np.ndarray:
    r"""The orthonormal vectors nearest to n ≤ d tokens: the polar factor of x."""
    left, _, right = np.linalg.svd(x, full_matrices=False)
    return left @ right


def uniform_trial(rng):
    """Caps about the nearest frame: they hold all tokens, and 1 − γ < 1."""
    n, d = int(rng.integers(2, 9)), int(rng.integers(700, 4000))
    eps = uniform_size(d)
    threshold = np.log(2 * n**2 / eps) / (1 - 4 * np.sqrt(eps) - 12 * eps)
    x, beta = unit(rng, n, d), float(threshold * (1 + 10 ** rng.uniform(-6, -1)))
    is_inside = uniform_margin(n, d, beta) > 0 and bool(np.abs(x @ x.T - np.eye(n)).max() <= np.sqrt(eps) / 2)
    frame = nearest_frame(x)
    held = (1 - (x * frame).sum(axis=1).min()) / eps
    gamma = Caps(n, beta, eps, cap_cosine(frame, eps)).gamma
    words = f"n = {n}, d = {d}, β = {beta:.3f}: γ = {gamma:.3g}"
    return Trial(worst_ratio(held, bounded(1 - gamma, 1.0)), 0.0, words, is_inside)


def printed_uniform():
    """β for which the printed condition holds with room, and 64 orthonormal tokens, which uniform ones tend to."""
    n, d = 64, 2000
    eps = uniform_size(d)
    beta = float(np.log(2 * n**2 / eps) / (0.9 - eps**2 - 10 * eps))
    found = Caps(n, beta, eps, cap_cosine(np.eye(n), eps))
    words = f"n = {n}, d = {d}, β = {beta:.2f}, orthonormal tokens: α = {found.alpha:.3f}, γ = {found.gamma:.3f}"
    return Trial(1 - float(found.gamma), 0.0, words)


def between_trial(rng):
    """A pair too far for one cap and too near for two: caps that hold all tokens have γ ≤ 0, whatever their centres."""
    n, d, eps, beta = int(rng.integers(2, 6)), int(rng.integers(2, 5)), float(10 ** rng.uniform(-4, -1.21)), 1e6
    x = unit(rng, n, d)
    cosine = 1 - eps * float(rng.uniform(4.0001, 8))
    across = unit(rng, 1, d)[0]
    across -= (across @ x[0]) * x[0]
    x[1] = cosine * x[0] + np.sqrt(1 - cosine**2) * across / np.linalg.norm(across)
    ratio = worst_ratio(*(_separation(x, _some_centres(x, rng, eps), eps, beta) for _ in range(20)))
    return Trial(ratio, 0.0, f"ε = {eps:.3g}, {shown(x=x)}: separated after all")


def _some_centres(x, rng, eps):
    """Disturbed tokens, or the mean of the first two and disturbed others."""
    size = np.sqrt(2 * eps) * rng.uniform(0, 1, (len(x), 1))
    centres = x + size * rng.normal(size=x.shape) / np.sqrt(x.shape[1])
    return directions(np.vstack([centres[:1] + centres[1:2], centres[2:]]) if rng.integers(2) else centres)


def _separation(x, centres, eps, beta) -> float:
    """1 + γ of caps that hold all tokens: above 1 they are separated; 0 where some token is in none."""
    is_held = bool(((x @ centres.T).max(axis=1) >= 1 - eps).all())
    return 1 + float(Caps(len(x), beta, eps, cap_cosine(centres, eps)).gamma) if is_held else 0.0


def crowded_trial(rng):
    """n ≥ e^{2β}: the logarithm alone is too large, whatever the caps."""
    beta, eps = float(rng.uniform(1.01, 3)), float(10 ** rng.uniform(-6, -1.21))
    share = rng.uniform(1, 3)
    n = int(np.ceil(np.exp(2 * beta) * share))
    ratio = stated(lambda by: 1 + float(Caps(int(np.ceil(np.exp(2 * by * beta) * share)), beta, eps, -1.0).gamma))
    return Trial(ratio, 0.0, f"n = {n}, β = {beta:.3f}, ε = {eps:.3g}")


# ---- groups ----------------------------------------------------------------------------------------------------------


def collapse_time(u0: float, *, beta: float, c: float) -> float:
    r"""When $u' = u(1-u)e^{\beta(u-1)}$ reaches $1-u = e^{-c\beta}$, by quadrature in $s = -\ln(1-u)$."""
    slowness = lambda s: np.exp(beta * np.exp(-s)) / -np.expm1(-s)  # noqa: E731
    return quad(slowness, -np.log1p(-u0), c * beta, epsrel=1e-11, limit=400)[0]


def collapse_bound(u0: float, *, beta: float, c: float) -> float:
    r"""$e^{\beta(1-u_0)}/u_0+\beta^2ce/(\beta-1)$."""
    return float(np.exp(beta * (1 - u0)) / u0 + beta**2 * c * np.e / (beta - 1))


def collapse_trial(rng):
    beta, c = float(1 + 10 ** rng.uniform(-3, 1.5)), float(10 ** rng.uniform(-1, 1))
    u0 = float(rng.uniform(0.05, 0.999))
    is_ahead = -np.log1p(-u0) < c * beta
    ratio = bounded(collapse_time(u0, beta=beta, c=c), collapse_bound(u0, beta=beta, c=c)) if is_ahead else 0.0
    return Trial(ratio, 0.0, f"β = {beta:.4g}, c = {c:.3g}, u₀ = {u0:.4g}", is_ahead)


def least_cosine(ts, rho0: float, *, n: int, beta: float, alpha: float) -> np.ndarray:
    r"""A lower bound for the cosines in a cap: the solution of
    $u'=\tfrac2nu(1-u)e^{\beta(u-1)}-2ne^{-(1-\alpha)\beta}$, $u(0)=\rho_0$."""
    drag = 2 * n * np.exp(-(1 - alpha) * beta)
    field = lambda t, u: 2 / n * u * (1 - u) * np.exp(beta * (u - 1)) - drag  # noqa: E731
    return solve_ivp(field, (ts[0], ts[-1]), [rho0], t_eval=ts, method="LSODA", rtol=1e-10, atol=1e-13).y[0]


def cap_shortfall(y, ts, labels, centres, found, *, room: float) -> float:
    """How far, in units of the room, the least cosine of a cap falls below its bound, while all are in caps of size 2ε."""
    lasts = np.einsum("kid,id->ki", y, centres[labels]).min(axis=1) >= 1 - 2 * found.eps
    y, ts = (y, ts) if lasts.all() else (y[: int(np.argmin(lasts))], ts[: int(np.argmin(lasts))])
    short = 0.0
    for k in np.flatnonzero(np.bincount(labels) > 1) if len(ts) > 1 else []:
        group = y[:, labels == k]
        lowest = np.einsum("kid,kjd->kij", group, group).reshape(len(y), -1).min(axis=1)
        bound = least_cosine(ts, float(lowest[0]), n=found.n, beta=found.beta, alpha=found.alpha)
        # The start is given; what is claimed is the growth.
        grown, needed = bound - bound[0], lowest - bound[0]
        short = worst_ratio(short, stated(lambda by, g=grown, n=needed: float(np.max(by * g - n)) / room))
    return short


def growth_trial(rng):
    """One to three caps of up to four tokens, SA or shifted USA, from loose to tight."""
    k, size, d = int(rng.integers(1, 4)), int(rng.integers(2, 5)), int(rng.integers(2, 4))
    beta, eps, model = float(rng.uniform(2, 12)), float(10 ** rng.uniform(-3, -1.3)), str(rng.choice(["SA", "USA"]))
    centres = np.zeros((k, d))
    centres[:, :2] = circle(2 * np.pi * np.arange(k) / k)
    labels = np.repeat(np.arange(k), size)
    x = directions(centres[labels] + np.sqrt(2 * eps / d) * rng.uniform(-1, 1, (k * size, d)))
    found = Caps(len(x), beta, float(1 - (x * centres[labels]).sum(axis=1).min()) * (1 + 1e-9), 0.0)
    found = replace(found, alpha=cap_cosine(centres, found.eps))
    ts = np.linspace(0, 20, 41)
    short = cap_shortfall(sphere_run(x, ts, beta=beta, model=model), ts, labels, centres, found, room=1e-8)
    return Trial(short, 20.0, f"{model}, k = {k}, n = {len(x)}, β = {beta:.3f}, ε = {found.eps:.3g}")


def tight_margin(n: int, *, beta: float, delta: float, alpha: float) -> float:
    r"""$\frac1n\delta(1-\delta)e^{-\delta\beta}-ne^{-(1-\alpha)\beta}$: positive when a tight group cannot loosen."""
    return float(delta * (1 - delta) * np.exp(-delta * beta) / n - n * np.exp(-(1 - alpha) * beta))


def tight_reach(n: int, *, beta: float, delta: float) -> float:
    r"""The largest cosine to outsiders that the lemma allows: $1-\delta-\log(n^2/(\delta(1-\delta)))/\beta$."""
    return float(1 - delta - np.log(n**2 / (delta * (1 - delta))) / beta)


def tight_size(loose: float, beta: float) -> float:
    r"""The δ ≥ the looseness of a group for which outsiders may be nearest: where $\beta\delta(1-\delta)=1-2\delta$."""
    best = (beta + 2 - np.sqrt(beta**2 + 4)) / (2 * beta)
    return float(max(loose * (1 + 1e-9), best))


def loosening(y, group, *, delta: float, alpha: float) -> float:
    """1 − the smallest cosine inside the group, in units of δ, while all outsiders stay below α."""
    inside, outside = y[:, :group], y[:, group:]
    apart = np.einsum("kid,kjd->kij", inside, outside).reshape(len(y), -1).max(axis=1) <= alpha
    lasts = len(apart) if apart.all() else int(np.argmin(apart))
    lowest = np.einsum("kid,kjd->kij", inside, inside).reshape(len(y), -1).min(axis=1)[:lasts]
    return float((1 - lowest).max() / delta) if lasts else np.nan


def tight_trial(rng):
    """Groups as loose as is allowed, outsiders as near, at temperatures just below the threshold."""
    d, group, others = int(rng.integers(2, 4)), int(rng.integers(2, 4)), int(rng.integers(1, 3))
    delta, n, model = float(10 ** rng.uniform(-2.5, -0.7)), group + others, str(rng.choice(["SA", "USA"]))
    half = np.arccos(1 - delta) / 2
    inner = half * np.append([-1, 1], rng.uniform(-1, 1, group - 2))
    x = np.zeros((n, d))
    x[:, :2] = circle(np.concatenate([inner, rng.uniform(0.9, np.pi, others)]))
    alpha = float((x[:group] @ x[group:].T).max() + 1e-2)
    threshold = np.log(n**2 / (delta * (1 - delta))) / max(1 - alpha - delta, 1e-3)
    beta = float(threshold * (1 + 10 ** rng.uniform(-3, -0.5)))
    is_inside = alpha < 1 - delta and beta < 300 and tight_margin(n, beta=beta, delta=delta, alpha=alpha) > 0
    if not is_inside:
        return Trial(0.0, is_inside=False)
    y = sphere_run(x, np.linspace(0, 40, 41), beta=beta, model=model)
    # At t = 0 the group is as loose as δ: 1 is attained, and rounding must not count.
    ratio = loosening(y, group, delta=delta, alpha=alpha) - 1e-9
    return Trial(ratio, 40.0, f"{model}, β = {beta:.3g}, δ = {delta:.3g}, α = {alpha:.3g}")


def loose_trial(rng):
    """An outsider nearer than α, which the group follows."""
    delta = tight_size(0.01, 8.0)
    x = circle(np.array([-0.07, 0.07, 0.9]))
    y = sphere_run(x, np.linspace(0, 60, 61), beta=8.0)
    near = float((x[:2] @ x[2]).max()) > tight_reach(3, beta=8.0, delta=delta)
    return Trial(loosening(y, 2, delta=delta, alpha=2.0), 60.0, "tokens at ±0.07 and 0.9 rad, β = 8", near)


def slow_trial(constant):
    """dist + √(E(u) − E(v)) ≤ C e^{−(1−ε)t}√(E(u₀) − E(v₀)) + Cδ for E = x²/2 and the slow set {0}."""

    def trial(rng):
        x0, eps = float(rng.uniform(0.1, 2)), float(rng.uniform(0, 0.3))
        t = np.linspace(0, 3, 7)
        x = x0 * np.exp(-t)
        ratio = (x + x / np.sqrt(2)) / (constant * np.exp(-(1 - eps) * t) * x0 / np.sqrt(2))
        words = f"E = x²/2, x₀ = {x0:.3f}, t = 0: the left side is {ratio[0]:.3f} times the right"
        return Trial(bounded(ratio, 1 + 1e-9), 3.0, words)

    return trial
