"""Lemmas behind the caps theorem (arXiv 2410.06833): the clock of a tight group, and what keeps it tight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.integrate import quad, solve_ivp

from ..attention import Softmax
from .caps import Caps, cap_cosine
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import beta_of, equal_masses, on_sphere, positive_multiple, values
from .geshkovski2025_caps import caps_at, caps_hypotheses, find_caps
from .pairs import directions
from .search import Trial, falsifier, hunted, random_trials, sphere_run

CAPS = "arXiv 2410.06833 (from a transcription)"
FEW = 500
"""Tokens up to which all cosines of a run are formed."""


# ---- the clock of a tight group --------------------------------------------------------------------------------------


def collapse_time(u0: float, *, beta: float, c: float) -> float:
    r"""When $u' = u(1-u)e^{\beta(u-1)}$ reaches $1-u = e^{-c\beta}$, by quadrature in $s = -\ln(1-u)$."""
    slowness = lambda s: np.exp(beta * np.exp(-s)) / -np.expm1(-s)  # noqa: E731
    return quad(slowness, -np.log1p(-u0), c * beta, epsrel=1e-11, limit=400)[0]


def collapse_bound(u0: float, *, beta: float, c: float) -> float:
    r"""$e^{\beta(1-u_0)}/u_0+\beta^2ce/(\beta-1)$."""
    return float(np.exp(beta * (1 - u0)) / u0 + beta**2 * c * np.e / (beta - 1))


def _collapse_trial(rng):
    beta, c, u0 = (
        float(1 + 10 ** rng.uniform(-3, 1.5)),
        float(10 ** rng.uniform(-1, 1)),
        float(rng.uniform(0.05, 0.999)),
    )
    is_ahead = -np.log1p(-u0) < c * beta
    ratio = collapse_time(u0, beta=beta, c=c) / collapse_bound(u0, beta=beta, c=c) if is_ahead else 0.0
    return Trial(ratio, 0.0, f"β = {beta:.4g}, c = {c:.3g}, u₀ = {u0:.4g}", is_ahead)


hunted(
    "geshkovski2025.collapse", f"{CAPS}, scalar lemma",
    "u' = u(1−u)e^{β(u−1)} has 1 − u ≤ e^{−cβ} by the time e^{β(1−u₀)}/u₀ + β²ce/(β−1).",
    random_trials(_collapse_trial, 40),
)  # fmt: skip


# ---- tight groups stay tight -----------------------------------------------------------------------------------------


def tight_margin(n: int, *, beta: float, delta: float, alpha: float) -> float:
    r"""$\frac1n\delta(1-\delta)e^{-\delta\beta}-ne^{-(1-\alpha)\beta}$: positive when a tight group cannot loosen."""
    return float(delta * (1 - delta) * np.exp(-delta * beta) / n - n * np.exp(-(1 - alpha) * beta))


def loosening(y, group, *, delta: float, alpha: float) -> float:
    """1 − the smallest cosine inside the group, in units of δ, while all outsiders stay below α."""
    inside, outside = y[:, :group], y[:, group:]
    apart = np.einsum("kid,kjd->kij", inside, outside).reshape(len(y), -1).max(axis=1) <= alpha
    lasts = len(apart) if apart.all() else int(np.argmin(apart))
    lowest = np.einsum("kid,kjd->kij", inside, inside).reshape(len(y), -1).min(axis=1)[:lasts]
    return float((1 - lowest).max() / delta) if lasts else np.nan


def _tight_trial(rng):
    """Groups as loose as is allowed, outsiders as near, at temperatures just below the threshold."""
    d, group, others = int(rng.integers(2, 4)), int(rng.integers(2, 4)), int(rng.integers(1, 3))
    delta, n, model = float(10 ** rng.uniform(-2.5, -0.7)), group + others, str(rng.choice(["SA", "USA"]))
    half = np.arccos(1 - delta) / 2
    angles = np.concatenate([half * np.append([-1, 1], rng.uniform(-1, 1, group - 2)), rng.uniform(0.9, np.pi, others)])
    x = np.zeros((n, d))
    x[:, 0], x[:, 1] = np.cos(angles), np.sin(angles)
    alpha = float((x[:group] @ x[group:].T).max() + 1e-2)
    threshold = np.log(n**2 / (delta * (1 - delta))) / max(1 - alpha - delta, 1e-3)
    beta = float(threshold * (1 + 10 ** rng.uniform(-3, -0.5)))
    is_inside = alpha < 1 - delta and beta < 300 and tight_margin(n, beta=beta, delta=delta, alpha=alpha) > 0
    if not is_inside:
        return Trial(0.0, is_inside=False)
    y = sphere_run(x, np.linspace(0, 40, 41), beta=beta, model=model)
    ratio = loosening(y, group, delta=delta, alpha=alpha)
    return Trial(ratio - 1e-9, 40.0, f"{model}, β = {beta:.3g}, δ = {delta:.3g}, α = {alpha:.3g}")


def tight_reach(n: int, *, beta: float, delta: float) -> float:
    r"""The largest cosine to outsiders that the lemma allows: $1-\delta-\log(n^2/(\delta(1-\delta)))/\beta$."""
    return float(1 - delta - np.log(n**2 / (delta * (1 - delta))) / beta)


def tight_size(loose: float, beta: float) -> float:
    r"""The δ ≥ the looseness of a group for which outsiders may be nearest: where $\beta\delta(1-\delta)=1-2\delta$."""
    best = (beta + 2 - np.sqrt(beta**2 + 4)) / (2 * beta)
    return float(max(loose * (1 + 1e-9), best))


def tight_groups(flow, mu) -> list[tuple[np.ndarray, float, float]]:
    """Groups of at least two tokens with the δ and α of the lemma, and a margin between α and their outsiders."""
    x, beta = directions(mu.x), beta_of(flow, mu.d)
    labels, _ = find_caps(x)
    found = []
    for k in np.flatnonzero((np.bincount(labels) > 1) & (np.bincount(labels) < mu.n)):
        inside = labels == k
        delta = tight_size(1 - float((x[inside] @ x[inside].T).min()), beta)
        if delta < 1:
            found.append((inside, delta, tight_reach(mu.n, beta=beta, delta=delta)))
    return found


def tight_hypotheses(flow, mu):
    if not on_sphere(flow, mu, (Softmax,)) or not 3 <= mu.n <= FEW:
        return []
    beta = beta_of(flow, mu.d)
    if np.isnan(beta) or beta <= 1:
        return []
    x, groups = directions(mu.x), tight_groups(flow, mu)
    margins = [alpha - float((x[inside] @ x[~inside].T).max()) for inside, _, alpha in groups]
    return [
        positive_multiple("V", values(flow, mu.d)),
        equal_masses(mu),
        Hypothesis("some group is tight, and its outsiders far enough", max(margins, default=-1.0)),
    ]


def _apart(mu, groups):
    """The groups whose outsiders are far enough at the start."""
    x = directions(mu.x)
    return [group for group in groups if float((x[group[0]] @ x[~group[0]].T).max()) < group[2]]


def tight_predict(flow, mu):
    delta = [delta for _, delta, _ in _apart(mu, tight_groups(flow, mu))]
    words = f"{len(delta)} group(s) keep all cosines above {1 - max(delta):.4g} while outsiders stay away"
    return Prediction("geshkovski2025.tight", words, {"delta": delta})


def tight_check(run):
    y = directions(run.x)
    worst = []
    for inside, delta, alpha in _apart(run.at(0), tight_groups(run.flow, run.at(0))):
        order = np.concatenate([np.flatnonzero(inside), np.flatnonzero(~inside)])
        worst.append(loosening(y[:, order], int(inside.sum()), delta=delta, alpha=alpha))
    words = "tight groups stay tight while outsiders are far"
    return Check("geshkovski2025.tight", bool(max(worst) <= 1 + 1e-9), words, {"looseness over delta": max(worst)})


register(
    Claim(
        "geshkovski2025.tight", f"{CAPS}, lemma on tight groups",
        "A group of cosines ≥ 1 − δ whose outsiders stay below α stays so if (1/n)δ(1−δ)e^{−δβ} > ne^{−(1−α)β}.",
        tight_hypotheses, tight_predict, tight_check,
        falsifier("geshkovski2025.tight", printed=random_trials(_tight_trial, 12)), kind="lemma",
    )
)  # fmt: skip


# ---- cosines in a cap ------------------------------------------------------------------------------------------------


def least_cosine(ts, rho0: float, *, n: int, beta: float, alpha: float) -> np.ndarray:
    r"""A lower bound for the cosines in a cap: the solution of
    $u'=\tfrac2nu(1-u)e^{\beta(u-1)}-2ne^{-(1-\alpha)\beta}$, $u(0)=\rho_0$."""
    drag = 2 * n * np.exp(-(1 - alpha) * beta)
    field = lambda t, u: 2 / n * u * (1 - u) * np.exp(beta * (u - 1)) - drag  # noqa: E731
    return solve_ivp(field, (ts[0], ts[-1]), [rho0], t_eval=ts, method="LSODA", rtol=1e-10, atol=1e-13).y[0]


def cap_shortfall(y, ts, labels, centres, found) -> float:
    """How far the least cosine of a cap falls below its bound, while all tokens are in caps of twice the size."""
    lasts = np.einsum("kid,id->ki", y, centres[labels]).min(axis=1) >= 1 - 2 * found.eps
    y, ts = (y, ts) if lasts.all() else (y[: int(np.argmin(lasts))], ts[: int(np.argmin(lasts))])
    worst = 0.0
    for k in np.flatnonzero(np.bincount(labels) > 1) if len(ts) > 1 else []:
        group = y[:, labels == k]
        lowest = np.einsum("kid,kjd->kij", group, group).reshape(len(y), -1).min(axis=1)
        bound = least_cosine(ts, float(lowest[0]), n=found.n, beta=found.beta, alpha=found.alpha)
        worst = max(worst, float((bound - lowest).max()))
    return worst


def growth_predict(flow, mu):
    return Prediction("geshkovski2025.cap_growth", "the least cosine of every cap stays above a scalar equation")


def growth_check(run):
    labels, centres, found = caps_at(run.flow, run.at(0))
    ts = (np.asarray(run.ts, float) - float(run.ts[0])) * values(run.flow, run.x.shape[-1])[0, 0]
    short = cap_shortfall(directions(run.x), ts, labels, centres, found)
    words = "the least cosine of every cap stays above its scalar equation"
    return Check("geshkovski2025.cap_growth", bool(short < 1e-7), words, {"shortfall": short})


def _growth_trial(rng):
    """Two or three caps of up to four tokens, SA or shifted USA, from loose to tight."""
    k, size, d = int(rng.integers(1, 4)), int(rng.integers(2, 5)), int(rng.integers(2, 4))
    beta, eps, model = float(rng.uniform(2, 12)), float(10 ** rng.uniform(-3, -1.3)), str(rng.choice(["SA", "USA"]))
    centres = np.zeros((k, d))
    angle = 2 * np.pi * np.arange(k) / k
    centres[:, 0], centres[:, 1] = np.cos(angle), np.sin(angle)
    labels = np.repeat(np.arange(k), size)
    x = directions(centres[labels] + np.sqrt(2 * eps / d) * rng.uniform(-1, 1, (k * size, d)))
    found = Caps(len(x), beta, float(1 - (x * centres[labels]).sum(axis=1).min()) * (1 + 1e-9), 0.0)
    found = replace(found, alpha=cap_cosine(centres, found.eps))
    ts = np.linspace(0, 20, 41)
    short = cap_shortfall(sphere_run(x, ts, beta=beta, model=model), ts, labels, centres, found)
    return Trial(short / 1e-8, 20.0, f"{model}, k = {k}, n = {len(x)}, β = {beta:.3f}, ε = {found.eps:.3g}")


register(
    Claim(
        "geshkovski2025.cap_growth", f"{CAPS}, lemma on one cap",
        "The least cosine ρ of a cap obeys ρ' ≥ (2/n)ρ(1−ρ)e^{β(ρ−1)} − 2ne^{−(1−α)β}.",
        caps_hypotheses, growth_predict, growth_check,
        falsifier("geshkovski2025.cap_growth", printed=random_trials(_growth_trial, 12)), kind="lemma",
    )
)  # fmt: skip


# ---- slow manifold ---------------------------------------------------------------------------------------------------


def _slow_trial(constant):
    """dist + √(E(u) − E(v)) ≤ C e^{−(1−ε)t}√(E(u₀) − E(v₀)) + Cδ for E = x²/2 and the slow set {0}."""

    def trial(rng):
        x0, eps = float(rng.uniform(0.1, 2)), float(rng.uniform(0, 0.3))
        t = np.linspace(0, 3, 7)
        x = x0 * np.exp(-t)
        ratio = (x + x / np.sqrt(2)) / (constant * np.exp(-(1 - eps) * t) * x0 / np.sqrt(2))
        return Trial(
            float(ratio.max()) - 1e-9,
            3.0,
            f"E = x²/2, x₀ = {x0:.3f}, t = 0: the left side is {ratio[0]:.3f} times the right",
        )

    return trial


hunted(
    "geshkovski2025.slow_manifold",
    f"{CAPS}, section 3",
    "dist(u, v) + √(E(u) − E(v)) ≤ e^{−(1−ε)t}√(E(u₀) − E(v₀)) + Cδ.",
    random_trials(_slow_trial(1.0), 4),
    random_trials(_slow_trial(1 + np.sqrt(2)), 4),
    corrected="with a constant before the first term; the printed form fails at t = 0",
)
