"""Castin et al. 2025 (arXiv 2501.18322): covariances in the cone, blow-up in the disc, limit ranks, tokens over ellipses."""

from __future__ import annotations

import numpy as np

from ....draw.ellipses import draw_ellipse, ellipse_box
from ....draw.style import SLATE, new_figure, styled
from ....engine.evolution import evolve
from ....engine.measures import Gaussian, Particles
from ....theory.gaussian import blow_up, closed_forms, isotropic_lines, long_time
from ....theory.gaussian.mean_field import moments, sample
from ...figure import Drawn, figure
from . import weights as published
from .cone import cone_points, disc_points, draw_cone, draw_disc, line_angle


def _runs(weights, variants, mu, *, until):
    """Long runs of every variant, from t = 0.01 to the end, with their starts in front."""
    found = {}
    for variant in variants:
        run = long_time(weights.flow(variant), mu, until=until, per_decade=6, max_steps=3000)
        found[variant] = run, np.concatenate([np.asarray(mu.cov)[:, None], run.cov], axis=1)
    return found


@styled
def _cones(found, *, top, ends=True):
    page = new_figure(3.1 * len(found), 3.2)
    for k, (variant, (_, covs)) in enumerate(found.items()):
        ax = page.add_subplot(1, len(found), k + 1, projection="3d")
        points = cone_points(covs)
        draw_cone(ax, points, top=top, ends=points[:, -1] if ends else None)
        ax.set_title(published.VARIANTS[variant])
    return page


def _data(found):
    return {f"{variant}_cov": covs for variant, (_, covs) in found.items()}


def _counted(found):
    parts = []
    for variant, (run, _) in found.items():
        names, counts = np.unique(run.verdict, return_counts=True)
        parts.append(f"{published.VARIANTS[variant]}: " + ", ".join(f"{c} {n}" for n, c in zip(names, counts)))
    return "; ".join(parts)


@figure("convergence", "Covariances that shrink to zero (seed 35, V > 0, B + Bᵀ < 0)")
def convergence(*, full: bool, seed: int) -> Drawn:
    mu = published.starts(10 if full else 7, 0.5)
    found = _runs(published.convergence(), ("softmax", "l2", "heads", "sinkhorn"), mu, until=1e5)
    sizes = {variant: run.eigenvalues[:, -1, 0].max() for variant, (run, _) in found.items()}
    held = all(np.all(run.verdict == "zero") for run, _ in found.values())
    ratio = sizes["l2"] / sizes["softmax"], sizes["sinkhorn"] / sizes["softmax"]
    held = bool(held and abs(ratio[0] - 0.5) < 0.01 and abs(ratio[1] - 1 / np.sqrt(2)) < 0.01)
    words = (
        f"largest eigenvalue at t = 1e5: softmax {sizes['softmax']:.4g}, L2 × {ratio[0]:.4f}, Sinkhorn × {ratio[1]:.4f}"
    )
    expected = "all runs tend to zero like 1/t; L2 half of softmax, Sinkhorn 1/√2 of it"
    return Drawn(_cones(found, top=1.0), _data(found), expected, held, f"{words}; {_counted(found)}")


@figure("line", "Covariances that converge to a line, and with two heads to a plane (seed 36, V = I)")
def line(*, full: bool, seed: int) -> Drawn:
    weights, mu = published.line(), published.starts(10 if full else 7, 0.5)
    found = _runs(weights, ("softmax", "l2", "heads"), mu, until=1e8)
    exact = np.stack([closed_forms.softmax_identity_limit(weights.B, cov) for cov in np.asarray(mu.cov)])
    gaps = [float(np.abs(found[v][0].end - exact).max()) for v in ("softmax", "l2")]
    smallest = found["heads"][0].eigenvalues[:, -1, -1]
    held = max(gaps) < 1e-6 and bool(np.all(smallest > 0.05))
    observed = f"distance to Σ∞ = LΠLᵀ {max(gaps):.1e}; two heads: smallest eigenvalue {smallest.min():.3f}–{smallest.max():.3f}"
    expected = "softmax and L2 share the closed-form limit of rank one; two heads keep full rank"
    notes = ("in the authors' script the second head has empty Q and K: that is what makes the limits full rank",)
    return Drawn(_cones(found, top=1.0), _data(found), expected, held, observed, notes)


@figure("two_lines", "Covariances that converge to the two isotropic lines of B (seeds 36 and 32)")
def two_lines(*, full: bool, seed: int) -> Drawn:
    weights, mu = published.two_lines(), published.starts(20 if full else 10, 1.0)
    found = _runs(weights, ("softmax", "l2", "sinkhorn"), mu, until=1e6)
    angles = np.array([line_angle(l) for l in isotropic_lines(weights.B)])
    shares = []
    for run, _ in found.values():
        ends = disc_points(run.end)
        aligned = np.cos(np.arctan2(ends[:, 1], ends[:, 0])[:, None] - angles).max(axis=1)
        shares.append(float(np.mean((aligned > 1 - 1e-6) & (np.linalg.norm(ends, axis=1) > 1 - 1e-6))))
    page = _cones(found, top=1.5)
    expected = "every run ends on one of the two isotropic lines, rank one"
    observed = f"on the lines: {', '.join(f'{100 * s:.1f} %' for s in shares)}; {_counted(found)}"
    notes = ("the published softmax picture of this experiment plots the L2 run (a variable is overwritten)",)
    return Drawn(page, _data(found), expected, min(shares) > 0.999, observed, notes)


@figure("explosion", "1184 covariances that blow up, or only grow (seed 33, V = I, B + Bᵀ > 0)")
def explosion(*, full: bool, seed: int) -> Drawn:
    weights, mu = published.explosion(), published.starts(40, 1.0)
    # Growth without blow-up is told apart by its exponent, which needs few digits.
    tols = {"blow-up": 1e-11, "exponential growth": 1e-6}
    seen = {v: blow_up(weights.flow(v), mu, tol=tols[verdict], closed_form=False) for v, verdict in _VERDICTS.items()}
    exact = closed_forms.softmax_identity_blow_up(weights.B / np.sqrt(2), np.asarray(mu.cov))
    error = float(np.abs(seen["softmax"].time / exact - 1).max())
    held = error < 1e-10 and all(np.all(seen[v].verdict == w) for v, w in _VERDICTS.items())
    data = {f"{variant}_time": found.time for variant, found in seen.items()} | {"exact_time": exact}
    counts = "; ".join(
        f"{published.VARIANTS[v]}: {np.sum(s.verdict == _VERDICTS[v])} {_VERDICTS[v]}" for v, s in seen.items()
    )
    observed = f"{counts}; softmax times within {error:.1e} of 1/λ_max"
    expected = (
        "softmax and two heads blow up in finite time, softmax at the closed-form times; L2 and Sinkhorn only grow"
    )
    return Drawn(_discs(seen, mu), data, expected, bool(held), observed)


KEY = "shapes of covariances, the circle is rank one, the centre round; blue: starts, orange: ends, grey: some of the ways"

_VERDICTS = {"softmax": "blow-up", "heads": "blow-up", "l2": "exponential growth", "sinkhorn": "exponential growth"}


@styled
def _discs(seen, mu):
    page = new_figure(3.5 * len(seen), 3.2)
    for k, (variant, found) in enumerate(seen.items()):
        ax = page.add_subplot(1, len(seen), k + 1)
        shapes = np.concatenate([np.asarray(mu.cov)[:, None], found.shapes], axis=1)
        timed = np.all(np.isfinite(found.time))
        draw_disc(ax, disc_points(shapes), values=np.log10(found.time) if timed else None, name="$\\log_{10} t^*$")
        ax.set_title(f"{published.VARIANTS[variant]}: {'blow-up' if timed else 'growth'}")
    page.supxlabel(
        f"{KEY.replace('blue: starts', 'starts, by the time to blow-up where there is one')}", fontsize=8.5, color=SLATE
    )
    return page


@figure("both", "Convergence and blow-up side by side (seeds 36 and 35)")
def both(*, full: bool, seed: int) -> Drawn:
    weights, mu = published.both(), published.starts(30 if full else 16, 1.0)
    seen = blow_up(weights.flow("softmax"), mu, until=1e4, tol=1e-10, max_steps=5000)
    explodes = seen.verdict == "blow-up"
    rest = Gaussian(np.asarray(mu.mean)[~explodes], np.asarray(mu.cov)[~explodes])
    run = long_time(weights.flow("softmax"), rest, until=1e6, per_decade=16, max_steps=3000)
    l2 = long_time(weights.flow("l2"), mu, until=1e6, per_decade=16, max_steps=3000)
    lines, V = isotropic_lines(weights.B), weights.V
    values, vectors = np.linalg.eig(V)
    profile = np.real(vectors[:, np.real(values).argmin()])
    aligned = np.abs(seen.direction[explodes] @ (profile / np.linalg.norm(profile)))
    held = bool(explodes.any() and aligned.min() > 1 - 1e-3 and not np.any(l2.verdict == "growing"))
    page = _both_page(mu, seen, explodes, run, l2, lines)
    observed = (
        f"softmax: {explodes.sum()} of {len(explodes)} blow up (along V's eigenvector, cosine ≥ {aligned.min():.5f}), the rest "
        f"{_names(run.verdict)}; L2: {_names(l2.verdict)}, largest trace {l2.eigenvalues[:, -1].sum(axis=-1).max():.3g}"
    )
    expected = (
        "softmax: most converge to one isotropic line, the rest blow up along V's eigenvector −0.0464; L2: no blow-up"
    )
    notes = ("traces above 1e3 are called divergence by the authors' script; under L2 they are large finite limits",
             "the published two-head panel runs one head")  # fmt: skip
    return Drawn(
        page, {"time": seen.time, "cov": np.asarray(mu.cov), "verdict": seen.verdict}, expected, held, observed, notes
    )


def _names(verdicts) -> str:
    names, counts = np.unique(verdicts, return_counts=True)
    return ", ".join(f"{c} {n}" for n, c in zip(names, counts))


@styled
def _both_page(mu, seen, explodes, run, l2, lines):
    page = new_figure(10.2, 3.4)
    marks = [line_angle(l) for l in lines]
    starts = np.asarray(mu.cov)[:, None]
    panels = [
        ("softmax: blow-up", np.concatenate([starts[explodes], seen.shapes[explodes]], axis=1)),
        ("softmax: convergence", np.concatenate([starts[~explodes], run.cov], axis=1)),
        ("L2: convergence", np.concatenate([starts, l2.cov], axis=1)),
    ]
    for k, (title, covs) in enumerate(panels):
        ax = page.add_subplot(1, 3, k + 1)
        good = np.isfinite(covs).all(axis=(1, 2, 3))
        draw_disc(ax, disc_points(covs[good]), marks=marks)
        ax.set_title(title)
    page.supxlabel(f"{KEY}; green: isotropic lines of B", fontsize=8.5, color=SLATE)
    return page


@figure("tokens", "Tokens over the ellipse of the Gaussian flow, at four times")
def tokens(*, full: bool, seed: int) -> Drawn:
    weights, mu = published.convergence(), Gaussian([0.5, -0.3], [[0.9, -0.2], [-0.2, 0.5]])
    flow, ts = weights.flow("softmax"), [0.0, 0.3, 0.8, 1.5]
    exact = evolve(flow, mu, until=ts[-1], save=ts)
    cloud = evolve(flow, sample(mu, 2048 if full else 512, seed=seed), until=ts[-1], save=ts, tol=1e-6, method="dopri5")
    page = _ellipses(exact, cloud)
    known = np.asarray(exact.cov[-1])
    gap = float(np.abs(np.asarray(moments(Particles(cloud.x[-1])).cov) - known).max() / np.abs(known).max())
    data = {"x": np.asarray(cloud.x), "mean": np.asarray(exact.mean), "cov": np.asarray(exact.cov)}
    observed = f"relative covariance error at the end {gap:.2g}"
    return Drawn(page, data, "tokens fill the ellipse of the closed equations", gap < 0.05, observed)


@styled
def _ellipses(exact, cloud):
    page = new_figure(11.0, 3.0)
    means, covs = np.asarray(exact.mean), np.asarray(exact.cov)
    for k, t in enumerate(np.asarray(exact.ts)):
        ax = page.add_subplot(1, len(means), k + 1)
        ax.scatter(*np.asarray(cloud.x[k]).T, s=3, color="#66727F", linewidth=0, alpha=0.7, zorder=3)
        draw_ellipse(ax, means[k], covs[k], limits=ellipse_box(means[k : k + 1], covs[k : k + 1], sigmas=3.7))
        ax.set_title(f"$t = {t:g}$")
    return page


@figure("anisotropy", "A round covariance loses its roundness: ellipses over the time to blow-up and to a line")
def anisotropy(*, full: bool, seed: int) -> Drawn:
    runs = []
    for weights, until in ((published.explosion(), 0.6), (published.two_lines(), 8.0)):
        mu = Gaussian([0.0, 0.0], np.eye(2) / 2)
        runs.append(evolve(weights.flow("softmax"), mu, until=until, save=5 * FRAMES + 1))
    shapes = [np.linalg.eigvalsh(np.asarray(run.cov)) for run in runs]
    ratio = [float(s[-1, 0] / s[-1, 1]) for s in shapes]
    data = {f"cov_{k}": np.asarray(run.cov) for k, run in enumerate(runs)}
    observed = f"axis ratios (squared) at the end {ratio[0]:.3g} and {ratio[1]:.3g}"
    return Drawn(_strips(runs), data, "both runs flatten", max(ratio) < 0.5, observed, movie=runs[1])


FRAMES = 16
"""Frames of the movie between two ellipses of the picture."""


@styled
def _strips(runs):
    page = new_figure(10.5, 3.9)
    for row, (run, name) in enumerate(zip(runs, ("towards blow-up", "towards a line"))):
        shown = range(0, len(run.ts), (len(run.ts) - 1) // 5)
        # One scale for the whole row: what flattens or grows is seen to do so.
        box = ellipse_box(np.zeros((len(shown), 2)), np.asarray(run.cov)[list(shown)])
        for place, k in enumerate(shown):
            ax = page.add_subplot(2, len(shown), row * len(shown) + place + 1)
            cov = np.asarray(run.cov[k])
            draw_ellipse(ax, np.zeros(2), cov, limits=box)
            ax.set(xlabel="", ylabel=name if place == 0 else "", title=f"$t = {float(run.ts[k]):.3g}$")
    return page
