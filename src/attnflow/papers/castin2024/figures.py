"""Figures in the spirit of Castin, Ablin, Peyré 2024 (arXiv 2312.14820)."""

from __future__ import annotations

import numpy as np

from ...draw.style import PALETTE, new_figure, styled
from ...engine.attention import Softmax
from ...engine.flow import Flow
from ...engine.spaces import Euclidean
from ...theory.gaussian.lipschitz import adversarial_constant, adversarial_tokens, general_bound, jacobian
from ..figure import Drawn, figure


@figure("adversarial", "Local Lipschitz constant of attention at adversarial tokens, divided by √n")
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
            place = float(np.exp(2 * radius**2))
            ax.axvline(place, color=PALETTE[k], linewidth=0.7, linestyle=":", label=rf"$e^{{2R^2}} = {place:.3g}$")
    ax.set(xlabel="tokens $n$", ylabel=r"$\mathrm{Lip}/\sqrt{n}$")
    ax.legend(fontsize=7.5)
    return page
