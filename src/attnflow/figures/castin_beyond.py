"""Beyond closed Gaussians: how fast tokens leave the Gaussian projection, and tokens chosen to make attention steep.

Source: Castin et al. 2025 (arXiv 2501.18322) for the first, Castin, Ablin, Peyré 2024 (arXiv 2312.14820) for the second.
"""

from __future__ import annotations

import numpy as np

from ..attention import Softmax, Unnormalised
from ..draw.style import PALETTE, SLATE, new_figure, styled
from ..flow import Flow
from ..measures import Gaussian
from ..spaces import Euclidean
from ..theory.lipschitz import adversarial_constant, adversarial_tokens, general_bound, jacobian
from .register import Drawn, figure

PAPER = "castin2025"


@figure(PAPER, "projection", "Unnormalised attention: the Gaussian projection beside tokens, and their excess kurtosis")
def projection(*, full: bool, seed: int) -> Drawn:
    from ..evolution import evolve
    from ..evolution.gaussian import evolve_projection
    from ..mean_field import sample

    flow = Flow(Euclidean(), Unnormalised([[0.3, 0.1], [-0.1, 0.2]]), V=-np.eye(2))
    mu, save = Gaussian([0.0, 0.0], [[0.9, -0.2], [-0.2, 0.5]]), 21
    near = evolve_projection(flow, mu, until=1.0, save=save)
    cloud = evolve(flow, sample(mu, 8192 if full else 1024, seed=seed), until=1.0, save=save, tol=1e-7)
    x = np.asarray(cloud.x)
    traces = np.trace(np.asarray(near.cov), axis1=1, axis2=2), np.var(x, axis=1).sum(axis=-1)
    kurtosis = excess_kurtosis(x)
    gap = float(np.abs(traces[0] / traces[1] - 1).max())
    bend = float(np.abs(kurtosis[-1] - kurtosis[0]).max())
    data = {"ts": np.asarray(near.ts), "projected": traces[0], "tokens": traces[1], "kurtosis": kurtosis}
    observed = f"largest relative gap of the traces {gap:.2g}; kurtosis moves by {bend:.2g}"
    expected = "the projection is close to the tokens, whose kurtosis leaves that of a Gaussian by some hundredths"
    held = gap < 0.05 and 0.005 < bend < 0.5
    return Drawn(_projection_page(data), data, expected, held, observed, ("the projection is APPROXIMATE",))


def excess_kurtosis(x) -> np.ndarray:
    """Of each coordinate at each time, E z⁴ − 3 for the standardised coordinate z; tokens are (…, n, d)."""
    z = (x - x.mean(axis=-2, keepdims=True)) / x.std(axis=-2, keepdims=True)
    return (z**4).mean(axis=-2) - 3


@styled
def _projection_page(data):
    page = new_figure(7.6, 2.9)
    left, right = page.subplots(1, 2)
    left.plot(data["ts"], data["tokens"], "o", color=SLATE, markersize=3.5, label="tokens")
    left.plot(data["ts"], data["projected"], color=PALETTE[0], label="Gaussian projection (approximate)")
    left.set(xlabel="$t$", ylabel=r"$\mathrm{tr}\,\Sigma$", title="covariance")
    left.legend()
    for k in range(data["kurtosis"].shape[1]):
        right.plot(data["ts"], data["kurtosis"][:, k], color=PALETTE[k], label=f"$x_{k + 1}$")
    right.axhline(0, color=SLATE, linewidth=0.6, linestyle=":")
    right.set(xlabel="$t$", ylabel="excess kurtosis", title="tokens: 0 is Gaussian")
    right.legend()
    return page


@figure(PAPER, "adversarial", "Local Lipschitz constant of attention at adversarial tokens, divided by √n")
def adversarial(*, full: bool, seed: int) -> Drawn:
    B, radii = np.diag([-1.0, 0.5]), (1.0, 1.5, 2.0)
    counts = np.unique(np.geomspace(2, 1024 if full else 256, 8).astype(int))
    flow, found = Flow(Euclidean(), Softmax(B)), {}
    for radius in radii:
        prompts = [adversarial_tokens(B, radius=radius, n=int(n)) for n in counts]
        found[radius] = np.array([np.linalg.norm(jacobian(flow, mu), 2) for mu in prompts])
    bounds = {R: np.array([general_bound(B, np.eye(2), radius=R, n=int(n)) for n in counts]) for R in radii}
    known = {R: np.array([adversarial_constant(B, radius=R, n=int(n)) for n in counts]) for R in radii}
    below = all(np.all(found[R] <= bounds[R]) for R in radii)
    gap = max(float(np.abs(found[R] / known[R] - 1).max()) for R in radii)
    slopes = ", ".join(f"n^{_slope(counts, found[R], slice(-3, None)):.2f} (R = {R:g})" for R in radii)
    observed = f"within {gap:.1e} of the closed form; below the general bound: {below}; growth at the end like {slopes}"
    expected = "the closed form of the Jacobian of one token against n − 1 equal ones; never above the general bound"
    notes = ("recalled prediction, not judged: growth like √n until n ~ e^(2R²γ) (dotted), then none",)
    data = {"n": counts} | {f"R={R:g}": found[R] for R in radii} | {f"closed form R={R:g}": known[R] for R in radii}
    return Drawn(_adversarial_page(counts, found, known), data, expected, bool(below and gap < 1e-10), observed, notes)


def _slope(counts, values, part):
    return float(np.polyfit(np.log(counts[part]), np.log(values[part]), 1)[0])


@styled
def _adversarial_page(counts, found, known):
    page = new_figure(4.6, 3.2)
    ax = page.subplots()
    for k, (radius, values) in enumerate(found.items()):
        ax.loglog(counts, values / np.sqrt(counts), "o", color=PALETTE[k], markersize=3.5, label=f"$R = {radius:g}$")
        ax.loglog(counts, known[radius] / np.sqrt(counts), color=PALETTE[k], linewidth=0.9)
        if np.exp(2 * radius**2) <= counts[-1]:
            ax.axvline(np.exp(2 * radius**2), color=PALETTE[k], linewidth=0.7, linestyle=":")
    ax.set(xlabel="tokens $n$", ylabel=r"$\mathrm{Lip}/\sqrt{n}$")
    ax.legend()
    return page
