"""Tokens in separated caps (arXiv 2410.06833): they collapse inside and stay; for few tokens, for many, and by chance."""

from __future__ import annotations

import numpy as np

from ..attention import Softmax
from ..observe.clusters import components
from .caps import Caps, cap_cosine, caps_of, cosine_bound, printed_cosine_bound
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import beta_of, equal_masses, on_sphere, positive_multiple, values
from .search import Trial, both, falsifier, fixed, hunted, random_trials, sphere_run, unit

PAPER = "arXiv 2410.06833 (from a transcription)"

MOST = 100_000
"""Tokens up to which groups are looked for."""


# ---- caps ------------------------------------------------------------------------------------------------------------


def find_caps(x, *, reach: float = 0.8):
    """Groups of tokens that steps of cosine at least `reach` connect, and the unit means of the groups; O(n) memory."""
    labels = components(x, np.sqrt(2 * (1 - reach)))
    centres = np.stack([np.bincount(labels, column) for column in x.T], axis=1)
    return labels, centres / np.linalg.norm(centres, axis=1, keepdims=True)


def caps_at(flow, mu) -> tuple[np.ndarray, np.ndarray, Caps]:
    x = np.asarray(mu.x, float)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    labels, centres = find_caps(x)
    return labels, centres, caps_of(x, centres, beta=beta_of(flow, mu.d))


def caps_hypotheses(flow, mu):
    if not on_sphere(flow, mu, (Softmax,)) or mu.n < 2 or mu.n > MOST:
        return []
    beta = beta_of(flow, mu.d)
    if np.isnan(beta) or beta <= 1:
        return []
    # α ≥ −1 and ε < 1/16 bound γ from above: most crowds are ruled out without looking for caps.
    best = 2 - np.log(32 * mu.n**2) / beta
    if best <= 0:
        return [Hypothesis("caps are separated: γ > 0", float(best) - 1e-9)]
    _, _, found = caps_at(flow, mu)
    return [
        positive_multiple("V", values(flow, mu.d)),
        equal_masses(mu),
        Hypothesis("caps are small: ε < 1/16", 1 / 16 - found.eps),
        Hypothesis("caps are separated: γ > 0", float(found.gamma)),
        Hypothesis("there is room between T₁ and T₂", float(np.log(found.T2 / found.T1())) if found.lam > 0 else -1.0),
    ]


def caps_predict(flow, mu):
    labels, _, found = caps_at(flow, mu)
    speed, lam = values(flow, mu.d)[0, 0], 0.99 * found.lam
    numbers = {
        "caps": int(labels.max() + 1),
        "T1": found.T1(lam) / speed,
        "T2": found.T2 / speed,
        "spread": found.spread(lam),
    }
    span = f"collapsed by T₁ = {numbers['T1']:.4g} and in place until T₂ = {numbers['T2']:.4g}"
    words = f"{numbers['caps']} metastable clusters, {span}"
    return Prediction("geshkovski2025.caps", words, numbers)


def caps_check(run):
    labels, centres, found = caps_at(run.flow, run.at(0))
    speed, lam = values(run.flow, run.x.shape[-1])[0, 0], 0.99 * found.lam
    ts, x = np.asarray(run.ts, float) * speed, np.asarray(run.x, float)
    inside = (ts <= found.T2, (ts >= found.T1(lam)) & (ts <= found.T2))
    depth = np.einsum("kid,id->ki", x, centres[labels])[inside[0]].min() if inside[0].any() else 1.0
    wide = [widest(y, labels) for y in x[inside[1]]]
    stays, tight = bool(depth >= 1 - 2 * found.eps - 1e-9), bool(max(wide, default=0.0) <= found.spread(lam))
    numbers = {"depth": float(depth), "spread": float(max(wide, default=0.0)), "allowed": found.spread(lam)}
    decided = stays and tight if wide else (False if not stays else None)
    return Check("geshkovski2025.caps", decided, "tokens stay in their caps, and are tight between T₁ and T₂", numbers)


def widest(y, labels, *, tile: int = 512) -> float:
    """The largest squared distance between tokens of one group, in tiles."""
    groups = [y[labels == k] for k in range(labels.max() + 1)]
    tiles = ((part, g) for g in groups for part in np.array_split(g, -(-len(g) // tile)))
    return max(float((2 - 2 * part @ g.T).max()) for part, g in tiles)


def _poles_trial(rng):
    n, beta = 6, float(rng.uniform(6.5, 8.5))
    x = np.concatenate([np.repeat([1.0, -1.0], 3)[:, None], 0.1 * rng.uniform(-1, 1, (n, 2))], axis=1)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    found = caps_of(x, np.array([[1.0, 0, 0], [-1.0, 0, 0]]), beta=beta)
    lam = 0.99 * found.lam
    if not found.is_separated or found.T1(lam) > found.T2:
        return Trial(np.nan, is_inside=False)
    y = sphere_run(x, np.array([found.T1(lam), found.T2]), beta=beta)
    wide = max(((g[:, None] - g[None]) ** 2).sum(-1).max() for g in (y[0, :3], y[0, 3:], y[1, :3], y[1, 3:]))
    out = (1 - np.abs(y[..., 0]).min()) / (2 * found.eps)
    return Trial(float(max(wide / found.spread(lam), out)), found.T2, f"β = {beta}")


def _lambda_trial(which):
    def trial(rng):
        beta, eps, n = float(rng.uniform(4.5, 8)), float(rng.choice([0.01, 0.005])), int(rng.integers(2, 7))
        found = Caps(n, beta, eps, cap_cosine(np.array([[1.0, 0, 0], [-1.0, 0, 0]]), eps))
        lam = 0.99 * (found.lam_printed if which == "printed" else found.lam)
        where = f"n = {n}, poles, ε = {eps}, β = {beta:.3f}"
        words = f"{where}: λ = {lam:.3g} is allowed, T₁ = {found.T1(lam):.4g}, T₂ = {found.T2:.4g}"
        return Trial(found.T1(lam) / found.T2, found.T2, words, found.is_separated and lam > 0)

    return trial


register(
    Claim(
        "geshkovski2025.caps", f"{PAPER}, caps theorem",
        "Tokens in separated caps collapse by T₁ ~ β and stay until log T₂ ~ β.",
        caps_hypotheses, caps_predict, caps_check,
        falsifier("geshkovski2025.caps", printed=random_trials(_poles_trial, 3)),
    )
)  # fmt: skip


hunted(
    "geshkovski2025.lambda",
    f"{PAPER}, first bound on λ",
    "λ < e^{(1−α)β} c^{−1}(1 − e^{−γβ}), c = (β−1)ε/(β²n²e), gives T₁ < T₂.",
    random_trials(_lambda_trial("printed"), 40),
    random_trials(_lambda_trial("corrected"), 40),
    corrected="c instead of c^{−1}",
)


def _alpha_trial(bound):
    def trial(rng):
        eps = float(10 ** rng.uniform(-4, -1.3))
        alpha = cap_cosine(np.eye(2), eps)
        return Trial(
            alpha / bound(eps), 0.0, f"orthogonal centres, ε = {eps:.4g}: α = {alpha:.4g} above {bound(eps):.4g}"
        )

    return trial


hunted(
    "geshkovski2025.alpha",
    f"{PAPER}, bound on α for orthogonal centres",
    "α ≤ ε² + 2ε.",
    random_trials(_alpha_trial(printed_cosine_bound), 20),
    random_trials(_alpha_trial(cosine_bound), 20),
    corrected="α ≤ 4ε + 4√ε",
)


# ---- many tokens in few caps -----------------------------------------------------------------------------------------


def crowd_time(found: Caps) -> float:
    r"""$\frac{\varepsilon}{k}e^{\beta(1-\alpha-8\varepsilon)}$, between $T_1$ and $T_2$ for k caps of equal mass."""
    return float(found.eps / found.n * np.exp(found.beta * (1 - found.alpha - 8 * found.eps)))


def crowd_at(flow, mu) -> tuple[np.ndarray, np.ndarray, Caps]:
    """Groups, their centres, and the constants with the number of caps in place of that of tokens."""
    labels, centres, found = caps_at(flow, mu)
    return labels, centres, Caps(len(centres), found.beta, found.eps, found.alpha)


def crowd_hypotheses(flow, mu):
    if not on_sphere(flow, mu, (Softmax,)) or mu.n < 2 or mu.n > MOST:
        return []
    beta = beta_of(flow, mu.d)
    if np.isnan(beta) or beta <= 1:
        return []
    labels, _, found = crowd_at(flow, mu)
    if found.n in (1, mu.n):
        return []
    share = np.bincount(labels, np.asarray(mu.mass, float))
    return [
        positive_multiple("V", values(flow, mu.d)),
        Hypothesis("caps have equal masses", 1e-9 - float(np.ptp(share))),
        Hypothesis("caps are small: ε < 1/16", 1 / 16 - found.eps),
        Hypothesis("caps are separated: γ > 0 with k for n", float(found.gamma)),
        Hypothesis(
            "T₁ lies before the time (ε/k)e^{β(1−α−8ε)}",
            float(np.log(crowd_time(found) / found.T1())) if found.lam > 0 else -1.0,
        ),
    ]


def crowd_predict(flow, mu):
    _, _, found = crowd_at(flow, mu)
    speed = values(flow, mu.d)[0, 0]
    numbers = {"caps": found.n, "T1": found.T1() / speed, "time": crowd_time(found) / speed}
    words = f"{found.n} clusters stay in their caps until t = {numbers['time']:.4g} at least, tight from {numbers['T1']:.4g}"
    return Prediction("geshkovski2025.crowd", words, numbers)


def crowd_ratio(x, ts, labels, centres, found: Caps) -> tuple[float, bool]:
    """How deep tokens are at worst in units of 2ε, or their variance in units of e^{−λβ}; and whether that was seen."""
    seen, late = ts <= crowd_time(found), (ts >= found.T1(0.99 * found.lam)) & (ts <= crowd_time(found))
    depth = 1 - np.einsum("kid,id->ki", x, centres[labels])[seen].min()
    spread = [_variance(y, labels) for y in x[late]]
    return float(max(depth / (2 * found.eps), max(spread, default=0.0) * np.exp(0.99 * found.lam * found.beta))), bool(
        spread
    )


def _variance(y, labels) -> float:
    groups = [y[labels == k] for k in range(labels.max() + 1)]
    return max(float(((g - g.mean(axis=0)) ** 2).sum(axis=1).mean()) for g in groups)


def crowd_check(run):
    labels, centres, found = crowd_at(run.flow, run.at(0))
    ts = np.asarray(run.ts, float) * values(run.flow, run.x.shape[-1])[0, 0]
    worst, is_seen = crowd_ratio(np.asarray(run.x, float), ts, labels, centres, found)
    holds = False if worst > 1 + 1e-9 else True if is_seen else None
    return Check(
        "geshkovski2025.crowd", holds, "caps keep their tokens, and hold them tight from T₁ on", {"worst": worst}
    )


def _crowd_trial(rng):
    """Two or three caps on a circle, full up to their rims, at temperatures near the threshold."""
    k, size = int(rng.integers(2, 4)), int(rng.integers(4, 10))
    beta = float(rng.uniform(5.5, 7) * (1 if k == 2 else 4 / 3))
    middle, eps = 2 * np.pi * np.arange(k) / k, float(10 ** rng.uniform(-3.5, -2.2))
    places = np.column_stack([-np.ones(k), np.ones(k), rng.uniform(-1, 1, (k, size))])
    angles = (middle[:, None] + np.arccos(1 - eps) * places).ravel()
    x, labels = np.stack([np.cos(angles), np.sin(angles)], axis=1), np.repeat(np.arange(k), size + 2)
    centres = np.stack([np.cos(middle), np.sin(middle)], axis=1)
    found = Caps(k, beta, eps * (1 + 1e-9), cap_cosine(centres, eps))
    if not found.is_separated or found.lam <= 0 or not found.T1(0.99 * found.lam) < crowd_time(found) < 1500:
        return Trial(np.nan, is_inside=False)
    ts = np.array([0.0, found.T1(0.99 * found.lam), crowd_time(found)])
    worst, _ = crowd_ratio(sphere_run(x, ts, beta=beta), ts, labels, centres, found)
    return Trial(worst - 1e-9, ts[-1], f"k = {k}, {size + 2} tokens each, β = {beta:.3f}, ε = {eps:.3g}")


register(
    Claim(
        "geshkovski2025.crowd", f"{PAPER}, caps theorem for the mean field",
        "μ₀ = (1/k)Σν_q, ν_q in separated caps: T₁ < (ε/k)e^{β(1−α−8ε)} < T₂; supports stay in S_q(2ε), variances ≤ e^{−λβ}.",
        crowd_hypotheses, crowd_predict, crowd_check,
        falsifier("geshkovski2025.crowd", printed=random_trials(_crowd_trial, 16)),
    )
)  # fmt: skip


# ---- chance ----------------------------------------------------------------------------------------------------------


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


def _uniform_trial(rng):
    """Uniform tokens with cosines up to √ε/2, as the probability is bounded by, at β just above the threshold."""
    n, d = int(rng.integers(2, 9)), int(rng.integers(700, 4000))
    eps = uniform_size(d)
    threshold = np.log(2 * n**2 / eps) / (1 - 4 * np.sqrt(eps) - 12 * eps)
    x, beta = unit(rng, n, d), float(threshold * (1 + 10 ** rng.uniform(-6, -1)))
    is_inside = uniform_margin(n, d, beta) > 0 and bool(np.abs(x @ x.T - np.eye(n)).max() <= np.sqrt(eps) / 2)
    frame = nearest_frame(x)
    held = (1 - (x * frame).sum(axis=1).min()) / eps
    found = Caps(n, beta, eps, cap_cosine(frame, eps))
    ratio = max(held, 0.5 if found.is_separated else 2.0)
    return Trial(float(ratio), 0.0, f"n = {n}, d = {d}, β = {beta:.3f}: γ = {found.gamma:.3g}", is_inside)


def _printed_uniform():
    """β for which the printed condition holds with room, and 64 orthonormal tokens, which uniform ones tend to."""
    n, d = 64, 2000
    eps = uniform_size(d)
    beta = float(np.log(2 * n**2 / eps) / (0.9 - eps**2 - 10 * eps))
    found = Caps(n, beta, eps, cap_cosine(np.eye(n), eps))
    words = f"n = {n}, d = {d}, β = {beta:.2f}, orthonormal tokens: α = {found.alpha:.3f}, γ = {found.gamma:.3f}"
    return Trial(0.5 if found.is_separated else 2.0, 0.0, words)


hunted(
    "geshkovski2025.uniform", f"{PAPER}, uniform data",
    "Uniform tokens, d ≥ max(d*, 381): separated with ε = 4 log d/d, with probability ≥ 1 − 2n²d^{−1/64}, if ε² + 10ε + "
    "log(2n²/ε)/β < 1.",
    fixed(_printed_uniform), random_trials(_uniform_trial, 30),
    corrected="if 4√ε + 12ε + log(2n²/ε)/β < 1, since α ≤ 4ε + 4√ε and not ε² + 2ε", kind="theorem",
)  # fmt: skip


def _between_trial(rng):
    """A pair too far for one cap and too near for two, and centres chosen anew and anew."""
    n, d, eps, beta = int(rng.integers(2, 6)), int(rng.integers(2, 5)), float(10 ** rng.uniform(-4, -1.21)), 1e6
    x = unit(rng, n, d)
    cosine = 1 - eps * float(rng.uniform(4.0001, 8))
    across = unit(rng, 1, d)[0]
    across -= (across @ x[0]) * x[0]
    x[1] = cosine * x[0] + np.sqrt(1 - cosine**2) * across / np.linalg.norm(across)
    found = [_tried(x, rng, eps, beta) for _ in range(20)]
    return Trial(2.0 if any(found) else 0.5, 0.0, f"ε = {eps:.3g}, x = {np.round(x, 4).tolist()}: separated after all")


def _tried(x, rng, eps, beta) -> bool:
    """Whether caps about disturbed tokens, or about means of pairs, hold all tokens and are separated."""
    size = np.sqrt(2 * eps) * rng.uniform(0, 1, (len(x), 1))
    centres = x + size * rng.normal(size=x.shape) / np.sqrt(x.shape[1])
    if rng.random() < 0.5:
        centres = np.vstack([centres[:1] + centres[1:2], centres[2:]])
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    is_held = bool(((x @ centres.T).max(axis=1) >= 1 - eps).all())
    return is_held and Caps(len(x), beta, eps, cap_cosine(centres, eps)).is_separated


def _crowded_trial(rng):
    """n ≥ e^{2β}: the logarithm alone is too large, whatever the caps."""
    beta, eps = float(rng.uniform(1.01, 3)), float(10 ** rng.uniform(-6, -1.21))
    n = int(np.ceil(np.exp(2 * beta) * rng.uniform(1, 3)))
    return Trial(2.0 if Caps(n, beta, eps, -1.0).is_separated else 0.5, 0.0, f"n = {n}, β = {beta:.3f}, ε = {eps:.3g}")


hunted(
    "geshkovski2025.unseparated", f"{PAPER}, when tokens are not separated",
    "No caps of size ε separate tokens with a pair 1 − 8ε ≤ <x, y> < 1 − 4ε, nor n ≥ e^{2β} tokens.",
    both(random_trials(_between_trial, 10), random_trials(_crowded_trial, 10)),
)  # fmt: skip
