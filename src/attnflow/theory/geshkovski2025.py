"""Dynamic metastability (arXiv 2410.06833): caps, pair merging and the staircase of the energy."""

from __future__ import annotations

import numpy as np

from ..attention import Softmax
from ..observe.clusters import components
from . import geshkovski2025_lemmas, geshkovski2025_neighbours, variance_law  # noqa: F401
from .caps import Caps, cap_cosine, caps_of, cosine_bound, printed_cosine_bound
from .claim import Check, Claim, Hypothesis, Prediction, register
from .conditions import beta_of, on_sphere, positive_multiple, values
from .pair_merging import merging_law, merging_time, printed_pair_cosine, rescaled_pair_cosine
from .search import Trial, falsifier, fixed, random_trials, sphere_run
from .staircase import START, clock_a_gap, isolated_jumps, start_margin

PAPER = "arXiv 2410.06833 (from a transcription)"


MOST = 100_000
"""Tokens up to which groups are looked for."""


def _about_no_flow(flow, mu):
    return []


def _nothing(key):
    return lambda flow, mu: Prediction(key, "not about a single run")


# ---- caps ------------------------------------------------------------------------------------------------------------


def find_caps(x, *, reach: float = 0.8):
    """Groups of tokens that steps of cosine at least `reach` connect, and the unit means of the groups; O(n) memory."""
    labels = components(x, np.sqrt(2 * (1 - reach)))
    centres = np.stack([np.bincount(labels, column) for column in x.T], axis=1)
    return labels, centres / np.linalg.norm(centres, axis=1, keepdims=True)


def _caps(flow, mu) -> tuple[np.ndarray, np.ndarray, Caps]:
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
    _, _, found = _caps(flow, mu)
    return [
        positive_multiple("V", values(flow, mu.d)),
        Hypothesis("caps are small: ε < 1/16", 1 / 16 - found.eps),
        Hypothesis("caps are separated: γ > 0", float(found.gamma)),
        Hypothesis("there is room between T₁ and T₂", float(np.log(found.T2 / found.T1())) if found.lam > 0 else -1.0),
    ]


def caps_predict(flow, mu):
    labels, _, found = _caps(flow, mu)
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
    labels, centres, found = _caps(run.flow, run.at(0))
    speed, lam = values(run.flow, run.x.shape[-1])[0, 0], 0.99 * found.lam
    ts, x = np.asarray(run.ts, float) * speed, np.asarray(run.x, float)
    inside = (ts <= found.T2, (ts >= found.T1(lam)) & (ts <= found.T2))
    depth = np.einsum("kid,id->ki", x, centres[labels])[inside[0]].min() if inside[0].any() else 1.0
    wide = [_widest(y, labels) for y in x[inside[1]]]
    stays, tight = bool(depth >= 1 - 2 * found.eps - 1e-9), bool(max(wide, default=0.0) <= found.spread(lam))
    numbers = {"depth": float(depth), "spread": float(max(wide, default=0.0)), "allowed": found.spread(lam)}
    decided = stays and tight if wide else (False if not stays else None)
    return Check("geshkovski2025.caps", decided, "tokens stay in their caps, and are tight between T₁ and T₂", numbers)


def _widest(y, labels, *, tile: int = 512) -> float:
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


register(
    Claim(
        "geshkovski2025.lambda", f"{PAPER}, first bound on λ",
        "λ < e^{(1−α)β} c^{−1}(1 − e^{−γβ}), c = (β−1)ε/(β²n²e), gives T₁ < T₂.",
        _about_no_flow, _nothing("geshkovski2025.lambda"), None,
        falsifier(
            "geshkovski2025.lambda", printed=random_trials(_lambda_trial("printed"), 40),
            corrected=random_trials(_lambda_trial("corrected"), 40),
        ),
        corrected="c instead of c^{−1}", kind="lemma",
    )
)  # fmt: skip


def _alpha_trial(bound):
    def trial(rng):
        eps = float(10 ** rng.uniform(-4, -1.3))
        alpha = cap_cosine(np.eye(2), eps)
        return Trial(
            alpha / bound(eps), 0.0, f"orthogonal centres, ε = {eps:.4g}: α = {alpha:.4g} above {bound(eps):.4g}"
        )

    return trial


register(
    Claim(
        "geshkovski2025.alpha", f"{PAPER}, bound on α for orthogonal centres", "α ≤ ε² + 2ε.",
        _about_no_flow, _nothing("geshkovski2025.alpha"), None,
        falsifier(
            "geshkovski2025.alpha", printed=random_trials(_alpha_trial(printed_cosine_bound), 20),
            corrected=random_trials(_alpha_trial(cosine_bound), 20),
        ),
        corrected="α ≤ 4ε + 4√ε", kind="lemma",
    )
)  # fmt: skip


# ---- pair merging ----------------------------------------------------------------------------------------------------


def pair_hypotheses(flow, mu):
    if not on_sphere(flow, mu, (Softmax,)) or mu.n < 2 or mu.n > MOST:
        return []
    x = np.asarray(mu.x, float)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    labels, centres = find_caps(x, reach=1 - 1e-9)
    if labels.max() != 1:
        return []
    beta = beta_of(flow, mu.d)
    rho = float(centres[0] @ centres[1])
    return [
        positive_multiple("V", values(flow, mu.d)),
        Hypothesis("B is a multiple of the identity, β > 0", -1.0 if np.isnan(beta) else beta),
        Hypothesis("the two clusters are not antipodal", 1 + rho - 1e-9),
    ]


def _pair(flow, mu):
    x = np.asarray(mu.x, float)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    labels, centres = find_caps(x, reach=1 - 1e-9)
    mass = np.bincount(labels, np.asarray(mu.mass, float))
    angle = 2 * np.arctan2(np.linalg.norm(centres[0] - centres[1]), np.linalg.norm(centres[0] + centres[1]))
    return float(angle), tuple(mass), beta_of(flow, mu.d), float(values(flow, mu.d)[0, 0])


def pair_predict(flow, mu):
    angle, mass, beta, speed = _pair(flow, mu)
    exact = merging_time(angle, min(0.01, angle / 2), beta=beta, mass=mass) / speed
    numbers = {"time": exact, "law": merging_law(angle, beta=beta, mass=mass) / speed}
    return Prediction("geshkovski2025.pair", f"the two clusters come within 0.01 rad at t = {exact:.6g}", numbers)


def pair_check(run):
    angle, mass, beta, speed = _pair(run.flow, run.at(0))
    now = _pair(run.flow, run.at(-1))[0] if pair_hypotheses(run.flow, run.at(-1)) else 0.0
    elapsed = float(run.ts[-1] - run.ts[0]) * speed
    if elapsed == 0:
        return Check("geshkovski2025.pair", None, "the run has not moved")
    if now < 1e-4:
        due = merging_time(angle, min(1e-4, angle), beta=beta, mass=mass)
        return Check(
            "geshkovski2025.pair", bool(due <= elapsed * (1 + 1e-6)), "the pair has merged in time", {"due": due}
        )
    expected = merging_time(angle, min(now, angle), beta=beta, mass=mass)
    off = abs(expected / elapsed - 1)
    return Check("geshkovski2025.pair", off < 1e-4, "the angle follows its clock", {"relative_deviation": off})


def _pair_trial(which):
    def trial(rng):
        beta, rho0 = float(rng.uniform(15, 40)), float(rng.uniform(0.2, 0.8))
        unit = np.exp(beta * (1 - rho0))
        s = 1.02 * merging_time(float(np.arccos(rho0)), 1e-5, beta=beta) / unit
        cosine = printed_pair_cosine(s, rho0) if which == "printed" else rescaled_pair_cosine(s, rho0, beta=beta)
        words = f"β = {beta:.2f}, ρ₀ = {rho0:.3f}: at s = {s:.4f} the pair has merged, the formula gives ρ = {float(cosine):.4f}"
        return Trial(float(1 - cosine) / 1e-3, s * unit, words)

    return trial


register(
    Claim(
        "geshkovski2025.pair", "arXiv 2512.01868, theorem 6",
        "On the time scale e^{β(1−ρ₀)} the closest pair follows ρ = tanh(2s + artanh ρ₀).",
        pair_hypotheses, pair_predict, pair_check,
        falsifier(
            "geshkovski2025.pair", printed=random_trials(_pair_trial("printed"), 6),
            corrected=random_trials(_pair_trial("corrected"), 6),
        ),
        corrected="θ' = −sin θ [m₂/(m₁e^{β(1−cos θ)}+m₂) + m₁/(m₂e^{β(1−cos θ)}+m₁)]: the pair merges at finite s",
    )
)  # fmt: skip


# ---- staircase -------------------------------------------------------------------------------------------------------


def _centre_trial(factor):
    """The time at which the gap reaches β^{−1/2}, against factor/c, as β grows."""

    def trial(rng):
        c, u0, beta = float(rng.uniform(0.2, 1)), float(rng.uniform(0.3, 2)), 1e30
        tau = factor / c
        gap = float(clock_a_gap(tau, u0, beta=beta, share=c))
        off = abs(np.log(gap) / np.log(beta) + 0.5)
        return Trial(
            off / 0.05,
            tau,
            f"c = {c:.3f}, u₀ = {u0:.3f}: at τ = {factor}/c the gap is β^{np.log(gap) / np.log(beta):.3f}",
        )

    return trial


register(
    Claim(
        "geshkovski2025.timescale", f"{PAPER}, time-scale lemma",
        "u' = −c log(β) sin u reaches the scale β^{−1/2} at 2/c.",
        _about_no_flow, _nothing("geshkovski2025.timescale"), None,
        falsifier(
            "geshkovski2025.timescale", printed=random_trials(_centre_trial(2.0), 5),
            corrected=random_trials(_centre_trial(0.5), 5),
        ),
        corrected="at 1/(2c)", kind="lemma",
    )
)  # fmt: skip


def _scale_trial(normalised):
    def trial(rng):
        beta, n = float(10 ** rng.uniform(2, 4)), 5
        # All tokens in one point: the staircase should end at 1.
        last = 1.0 if normalised else 1 / (2 * beta)
        return Trial(abs(last - 1) / 0.5, 0.0, f"n = {n}, β = {beta:.0f}: one cluster has energy {last:.2g}, not 1")

    return trial


register(
    Claim(
        "geshkovski2025.energy_scale", f"{PAPER}, section 6",
        "With E = (1/(2βe^βn²))Σ e^{β<x_i,x_j>} the energy tends to a staircase that ends at 1.",
        _about_no_flow, _nothing("geshkovski2025.energy_scale"), None,
        falsifier(
            "geshkovski2025.energy_scale", printed=random_trials(_scale_trial(False), 3),
            corrected=random_trials(_scale_trial(True), 3),
        ),
        corrected="with E = (1/n²)Σ e^{β(<x_i,x_j>−1)}; the printed scale tends to 0", kind="lemma",
    )
)  # fmt: skip


def _figure_start():
    margin = start_margin(START, beta=2000.0)
    return Trial(2.0 if margin < 0 else 0.5, 0.0, f"θ₃ − θ₁ = θ₄ − θ₃: the hypothesis fails by {-margin:.4f}")


def _figure_plateaus():
    third = isolated_jumps(START, beta=2000.0)[2].height
    return Trial(abs(third - 0.52) / 1e-9, 0.0, f"third plateau {third}")


register(
    Claim(
        "geshkovski2025.figure_start", f"{PAPER}, staircase figure",
        "The start of the figure satisfies the staircase theorem; its plateaus are .28, .44, .68, 1.",
        _about_no_flow, _nothing("geshkovski2025.figure_start"), None,
        falsifier("geshkovski2025.figure_start", printed=fixed(_figure_start), corrected=fixed(_figure_plateaus)),
        corrected="it violates the hypothesis; clusters 4 and 5 merge before joining the first: plateaus .28, .44, .52, 1",
        kind="lemma",
    )
)  # fmt: skip


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


register(
    Claim(
        "geshkovski2025.slow_manifold", f"{PAPER}, section 3",
        "dist(u, v) + √(E(u) − E(v)) ≤ e^{−(1−ε)t}√(E(u₀) − E(v₀)) + Cδ.",
        _about_no_flow, _nothing("geshkovski2025.slow_manifold"), None,
        falsifier(
            "geshkovski2025.slow_manifold", printed=random_trials(_slow_trial(1.0), 4),
            corrected=random_trials(_slow_trial(1 + np.sqrt(2)), 4),
        ),
        corrected="with a constant before the first term; the printed form fails at t = 0", kind="lemma",
    )
)  # fmt: skip
