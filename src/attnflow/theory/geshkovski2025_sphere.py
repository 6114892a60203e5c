"""Further statements on the sphere (arXiv 2512.01868 and derived): mean shift, ripples, hardmax, mean field."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from ..attention import Hardmax, Softmax
from ..normalisation import PostLN
from ..spaces import Sphere
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import beta_of, equal_masses, is_plain, model_of, on_sphere, positive_multiple, rule_speed, values
from .geshkovski2024_rest import sphere_velocity
from .modes import growth
from .pairs import directions, some_times
from .search import Trial, falsifier, hunted, random_trials, sphere_run, unit

SURVEY = "arXiv 2512.01868"
MOST = 2000
"""Tokens up to which all pairs of a run are looked at."""


# ---- mean shift ------------------------------------------------------------------------------------------------------


def climbing(x, mass, beta: float) -> np.ndarray:
    r"""$\Pi_x\nabla\log(K*\mu)$ at all tokens, from the density itself: $\beta(\sum_jw_jx_j-x)$, projected."""
    weights = mass * np.exp(-beta / 2 * ((x[:, None] - x[None]) ** 2).sum(axis=-1))
    slope = beta * (weights @ x / weights.sum(axis=1, keepdims=True) - x)
    return slope - (slope * x).sum(axis=1, keepdims=True) * x


def shift_hypotheses(flow, mu):
    if not on_sphere(flow, mu, (Softmax,)) or not 2 <= mu.n <= MOST:
        return []
    beta = beta_of(flow, mu.d)
    return [
        positive_multiple("V", values(flow, mu.d)),
        Hypothesis("B is a multiple of the identity, β > 0", -1.0 if np.isnan(beta) else beta - 1e-12),
    ]


def shift_predict(flow, mu):
    words = "tokens move as in blurring mean shift, β times slower: x' = β⁻¹∇ log(K∗μ), K of width β^{−1/2}"
    return Prediction("geshkovski2025.mean_shift", words, {"width": float(beta_of(flow, mu.d) ** -0.5)})


def shift_check(run):
    """The motion between saved times against the density at both ends, where a step is short enough to tell."""
    x, ts, mass = directions(run.x), np.asarray(run.ts, float), np.asarray(run.mass, float)
    beta, speed = beta_of(run.flow, x.shape[-1]), values(run.flow, x.shape[-1])[0, 0]
    worst = []
    for k in some_times(len(ts) - 1, x.shape[1]) if len(ts) > 1 else []:
        a, b = (speed / beta * climbing(y, mass, beta) for y in x[[k, k + 1]])
        step, chord = ts[k + 1] - ts[k], x[k + 1] - x[k]
        # The trapezoidal rule is off by less than the change of the slopes over the step.
        allowed = step * np.abs(a - b).max() + 1e-7
        if allowed < 0.2 * step * np.abs(a).max():
            worst.append(float(np.abs(chord - step * (a + b) / 2).max() / allowed))
    words = "tokens climb the density of all tokens, at 1/β of the pace of mean shift"
    holds = None if not worst else bool(max(worst) <= 1)
    return Check("geshkovski2025.mean_shift", holds, words, {"worst": max(worst, default=np.nan)})


def _shift_trial(factor):
    def trial(rng):
        n, d, beta, h = int(rng.integers(2, 7)), int(rng.integers(2, 5)), float(rng.uniform(1.5, 8)), 1e-5
        x = unit(rng, n, d)
        value = lambda y: np.log(np.exp(-beta / 2 * ((x - y) ** 2).sum(axis=1)).sum())  # noqa: E731
        slope = np.array([(value(x[0] + h * e) - value(x[0] - h * e)) / (2 * h) for e in np.eye(d)])
        slope = slope - (slope @ x[0]) * x[0]
        v = factor(beta) * sphere_velocity(x, beta=beta)[0]
        off = float(np.linalg.norm(slope - v) / max(np.linalg.norm(slope), 1e-3))
        return Trial(
            off / 1e-6, 0.0, f"β = {beta:.3f}: ∇ log(K∗μ) is {off:.3g} away from the field, relative to itself"
        )

    return trial


register(
    Claim(
        "geshkovski2025.mean_shift", f"{SURVEY}, mean shift",
        "The SA field coincides exactly with blurring mean shift, ∇ log(K∗μ) for K = e^{−β|x|²/2}.",
        shift_hypotheses, shift_predict, shift_check,
        falsifier(
            "geshkovski2025.mean_shift", printed=random_trials(_shift_trial(lambda beta: 1.0), 5),
            corrected=random_trials(_shift_trial(lambda beta: beta), 5),
        ),
        corrected="up to the factor β: ∇ log(K∗μ) = β · SA field", kind="lemma",
    )
)  # fmt: skip


# ---- ripples of the uniform law --------------------------------------------------------------------------------------


def ripples_of(x) -> np.ndarray:
    r"""$\frac1n\sum_je^{ik\theta_j}$ for k = 1 … n/4; leading axes are times."""
    phase = x[..., 0] + 1j * x[..., 1]
    k = np.arange(1, x.shape[-2] // 4 + 1)
    return (phase[..., None, :] ** k[:, None]).mean(axis=-1)


def ripple_hypotheses(flow, mu):
    if not on_sphere(flow, mu) or mu.d != 2 or not 16 <= mu.n <= MOST:
        return []
    beta, size = beta_of(flow, mu.d), float(np.abs(ripples_of(directions(mu.x))).max())
    return [
        positive_multiple("V", values(flow, mu.d)),
        equal_masses(mu),
        Hypothesis("B is a multiple of the identity, β ≥ 0", -1.0 if np.isnan(beta) else beta),
        Hypothesis("tokens are spread evenly, up to ripples of a thousandth", 1e-3 - size),
        Hypothesis("there is a ripple", size - 1e-9),
    ]


def _rates(flow, mu):
    k, speed = np.arange(1, mu.n // 4 + 1), values(flow, mu.d)[0, 0] * rule_speed(flow, mu)
    return growth(k, beta=beta_of(flow, mu.d), model=model_of(flow)) * speed


def ripple_predict(flow, mu):
    rates = _rates(flow, mu)
    k = int(np.argmax(rates)) + 1
    words = f"the ripple of {k} crests grows fastest, at {rates[k - 1]:.6g}: about {k} first clusters"
    return Prediction("geshkovski2025.ripples", words, {"mode": k, "rate": float(rates[k - 1])})


def ripple_check(run):
    """Ripples that began as large as any, while none exceeds three thousandths."""
    c, ts = np.abs(ripples_of(directions(run.x))), np.asarray(run.ts, float) - float(run.ts[0])
    small = c.max(axis=1) < 3e-3
    lasts = len(small) if small.all() else int(np.argmin(small))
    rates, strong = _rates(run.flow, run.at(0)), c[0] > 0.3 * c[0].max()
    last = lasts - 1
    if last < 1 or np.abs(rates[strong] * ts[last]).max() < 0.1:
        return Check("geshkovski2025.ripples", None, "ripples were not followed while they were small")
    found = np.log(c[1:lasts, strong] / c[0, strong])
    off = float(np.abs(found - np.outer(ts[1:lasts], rates[strong])).max())
    # Products of two ripples feed a third: of the size of the largest against the smallest followed.
    allowed = 0.02 + 10 * float(c[:lasts].max())
    words = "ripples grow at the rates of the linear theory while they are small"
    return Check("geshkovski2025.ripples", off <= allowed, words, {"deviation of the logarithm": off})


def ripple_rate(k: int, *, beta: float, model: str = "SA", n: int = 512, size: float = 1e-5) -> float:
    """The growth rate of the k-th ripple, from the velocity of n slightly displaced tokens."""
    angles = 2 * np.pi * np.arange(n) / n
    moved = angles + size * np.sin(k * angles)
    x = np.stack([np.cos(moved), np.sin(moved)], axis=1)
    v = sphere_velocity(x, beta=beta, model=model)
    turning = v[:, 1] * x[:, 0] - v[:, 0] * x[:, 1]
    speed = 1.0 if model == "SA" else np.exp(beta)
    return float(2 * np.mean(turning * np.sin(k * angles)) / size * speed)


def _ripple_trial(rng):
    k, beta, model = int(rng.integers(1, 9)), float(10 ** rng.uniform(-1, 1.5)), str(rng.choice(["SA", "USA"]))
    found, expected = ripple_rate(k, beta=beta, model=model), float(growth(k, beta=beta, model=model))  # pyright: ignore[reportArgumentType]
    scale = max(abs(float(growth(np.arange(1, 20), beta=beta, model=model).max())), abs(expected))  # pyright: ignore[reportArgumentType]
    # Displacements of 1e-5 leave relative errors of their square times k⁴, and rounding over them.
    return Trial(
        abs(found - expected) / (1e-6 * scale), 0.0, f"{model}, k = {k}, β = {beta:.3g}: {found}, not {expected}"
    )


register(
    Claim(
        "geshkovski2025.ripples", "derived from arXiv 2312.10794 (7.1)",
        "Around the uniform law of the circle the k-th mode grows at k²I_k(β)/β (USA), divided by I₀(β) (SA).",
        ripple_hypotheses, ripple_predict, ripple_check,
        falsifier("geshkovski2025.ripples", printed=random_trials(_ripple_trial, 12)), kind="derived",
    )
)  # fmt: skip


# ---- hardmax ---------------------------------------------------------------------------------------------------------


def closest(x) -> tuple[int, int, float]:
    """The closest pair and how much nearer it is than any other."""
    angles = 2 * np.arcsin(np.minimum(1, np.linalg.norm(x[:, None] - x[None], axis=-1) / 2))
    i, j = np.triu_indices(len(x), 1)
    order = np.argsort(angles[i, j])
    second = angles[i, j][order[1]] if len(order) > 1 else np.pi
    return int(i[order[0]]), int(j[order[0]]), float(second - angles[i, j][order[0]])


def hardmax_hypotheses(flow, mu):
    if (
        not is_plain(flow, mu, Sphere, (Hardmax,))
        or not isinstance(flow.normalisation, PostLN)
        or not 2 <= mu.n <= MOST
    ):
        return []
    conditions = [
        positive_multiple("V", values(flow, mu.d)),
        positive_multiple("B", np.asarray(flow.attention.score.B(mu.d), float)),
    ]
    if not flow.attention.others:
        return conditions
    return [*conditions, Hypothesis("one pair is closest", closest(directions(mu.x))[2] - 1e-9)]


def hardmax_predict(flow, mu):
    if not flow.attention.others:
        return Prediction("geshkovski2025.hardmax", "nothing moves: every token hears itself best; use others=True")
    i, j, _ = closest(directions(mu.x))
    words = f"tokens {i} and {j}, the closest, near each other like tan(θ/2) ~ e^{{−2t}} and stay the closest"
    return Prediction("geshkovski2025.hardmax", words, {"pair": [i, j]})


def pair_angle(x, i, j):
    return 2 * np.arcsin(np.minimum(1, np.linalg.norm(x[..., i, :] - x[..., j, :], axis=-1) / 2))


def hardmax_check(run):
    x, ts = directions(run.x), np.asarray(run.ts, float)
    key, clock = "geshkovski2025.hardmax", (ts - ts[0]) * values(run.flow, x.shape[-1])[0, 0]
    if not run.flow.attention.others:
        moved = float(np.abs(x - x[0]).max())
        return Check(key, moved < 1e-9, "no token moves", {"moved": moved})
    i, j, _ = closest(x[0])
    angle = pair_angle(x, i, j)
    expected = 2 * np.arctan(np.tan(angle[0] / 2) * np.exp(-2 * clock))
    off = float(np.abs(angle - expected).max())
    return Check(key, bool(off < 1e-5), "the closest pair follows tan(θ/2) ~ e^{−2t}", {"deviation": off})


def hardmax_run(x, ts, *, others: bool = True):
    """Hardmax on the sphere by SciPy, in short steps: the field jumps where a token changes its mind."""

    def field(t, y):
        y = directions(y.reshape(x.shape))
        scores = y @ y.T - (2 * np.eye(len(y)) if others else 0)
        a = y[np.argmax(scores, axis=1)]
        return (a - (a * y).sum(axis=1, keepdims=True) * y).ravel()

    found = solve_ivp(field, (0, ts[-1]), x.ravel(), t_eval=ts, rtol=1e-8, atol=1e-10, max_step=0.01)
    return directions(found.y.T.reshape(-1, *x.shape))


def _hardmax_trial(rng):
    x, ts = unit(rng, int(rng.integers(2, 7)), int(rng.integers(2, 5))), np.array([0.0, 0.5, 1.5])
    i, j, margin = closest(x)
    y, still = hardmax_run(x, ts), hardmax_run(x, ts, others=False)
    expected = 2 * np.arctan(np.tan(pair_angle(x, i, j) / 2) * np.exp(-2 * ts))
    off = float(np.abs(pair_angle(y, i, j) - expected).max())
    overtaken = any(closest(z)[:2] != (i, j) for z in y)
    ratio = max(off / 1e-5, 2.0 if overtaken else 0.0, float(np.abs(still - x).max()) / 1e-9)
    return Trial(ratio, 1.5, f"x = {np.round(x, 4).tolist()}: off by {off:.2g}", margin > 1e-6)


register(
    Claim(
        "geshkovski2025.hardmax", f"{SURVEY}, hardmax on the sphere; the law of the pair is derived",
        "x_i' = Π(argmax_{x_j ≠ x_i} <x_i, x_j>): the closest pair stays the closest, with tan(θ/2) = tan(θ₀/2)e^{−2t}; if "
        "tokens may hear themselves nothing moves.",
        hardmax_hypotheses, hardmax_predict, hardmax_check,
        falsifier("geshkovski2025.hardmax", printed=random_trials(_hardmax_trial, 5)), kind="derived",
    )
)  # fmt: skip


# ---- mean field (theorem 5 of the survey) ----------------------------------------------------------------------------


def spread_about(x, centre) -> float:
    """W₂ to a Dirac mass."""
    return float(np.sqrt(((x - centre) ** 2).sum(axis=1).mean()))


def _field_trial(rng):
    """A smooth density on the circle by its quantiles; the distance must fall by e^{−t/100} at least, late as early."""
    n, beta = 120, float(rng.uniform(-0.1, 0.1))
    grid = np.linspace(0, 2 * np.pi, 4001)
    a = rng.uniform([-0.2, -0.3], [0.4, 0.3])
    density = 1 + a[0] * np.cos(grid) + a[1] * np.cos(2 * grid + rng.uniform(0, 6))
    mass = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2)])
    angles = np.interp((np.arange(n) + 0.5) / n, mass / mass[-1], grid)
    x = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    pull = float(np.linalg.norm(x.mean(axis=0)))
    # The mean grows at least like e^{t/4} until it is of order one; the horizon leaves time for that and the decay.
    ts = np.array([0.5, 0.75, 1.0]) * (20 + 6 * np.log(1 / max(pull, 1e-3)))
    y = sphere_run(x, ts, beta=beta)
    centre = directions(y[-1].mean(axis=0)[None])[0]
    apart = [spread_about(z, centre) for z in y]
    slope = max(np.log(max(b, 1e-14) / a) / (t - s) for a, b, s, t in zip(apart, apart[1:], ts, ts[1:]) if a > 1e-10)
    return Trial(
        float(-0.01 / slope) if slope < 0 else np.inf, ts[-1], f"β = {beta:.3f}, a = {np.round(a, 3)}", pull > 0.02
    )


hunted(
    "geshkovski2025.mean_field", f"{SURVEY}, theorem 5",
    "An L² density with |∫x dμ₀| > 0 and |β| small: W₂(μ_t, δ) ≤ Ce^{−t/100} for some point.",
    random_trials(_field_trial, 3), kind="theorem",
)  # fmt: skip
