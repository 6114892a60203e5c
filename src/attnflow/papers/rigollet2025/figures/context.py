"""Theorem 7 of the survey as a picture: the cosine after one layer of a long prompt."""

from __future__ import annotations

import numpy as np

from ....draw.style import PALETTE, SLATE, new_figure, styled
from ....theory.sphere.long_context import cosine_after, critical_gamma, limit_cosine
from ...figure import Drawn, figure


@figure("context", "Long prompts: the temperature must fall like 1/log n")
@styled
def context(*, full: bool, seed: int) -> Drawn:
    rho, ratio = 0.5, np.linspace(0.3, 2.0, 171)
    fig, data = new_figure(6.0, 3.5), {"ratio": ratio}
    ax = fig.subplots()
    for n, colour in zip((1e2, 1e4, 1e8, 1e16), PALETTE):
        data[f"n{n:.0e}"] = np.array([cosine_after(rho, n=n, gamma=r * critical_gamma(rho)) for r in ratio])
        ax.plot(ratio, data[f"n{n:.0e}"], color=colour, label=f"$n = 10^{{{int(np.log10(n))}}}$")
    limit = [limit_cosine(rho, gamma=r * critical_gamma(rho)) for r in ratio]
    ax.plot(
        ratio, limit, color=SLATE, linewidth=1.0, linestyle=(0, (4, 3)), label=r"$n \to \infty$", drawstyle="steps-mid"
    )
    ax.plot([1], [0.8], "o", color=PALETTE[1], markersize=5)
    ax.set(xlabel=r"$\gamma/\gamma_c$", ylabel="cosine after one layer", ylim=(0.45, 1.03))
    ax.legend()
    seen = np.linspace(0.4, 1.9, 7)
    direct = np.array([_layer_cosine(100, rho, r * critical_gamma(rho)) for r in seen])
    ax.plot(seen, direct, "o", color=PALETTE[0], markersize=3.5)
    off = np.abs(direct - [cosine_after(rho, n=100, gamma=r * critical_gamma(rho)) for r in seen]).max()
    ends = [cosine_after(rho, n=1e16, gamma=r * critical_gamma(rho)) for r in (0.7, 1.0, 1.5)]
    expected = "cosine 1 below, 4ρ/(1+3ρ) = 0.8 at, ρ above γ_c; layers of 100 tokens (dots) lie on their curve"
    held = off < 1e-12 and np.allclose(ends, (1.0, 0.8, 0.5), atol=1e-4)
    observed = (
        f"n = 1e16 at 0.7, 1, 1.5 γ_c: {', '.join(f'{e:.6f}' for e in ends)}; layers off their curve by {off:.0e}"
    )
    return Drawn(fig, data | {"layer": direct}, expected, bool(held), observed)


def _layer_cosine(n, rho, gamma):
    """The cosine between two tokens after one attention layer of n equiangular tokens, done with all tokens."""
    x = np.linalg.cholesky(rho + (1 - rho) * np.eye(n))
    P = np.exp(gamma * np.log(n) * (x @ x.T - 1))
    y = (P / P.sum(axis=1, keepdims=True)) @ x
    return float(y[0] @ y[1] / np.linalg.norm(y[0]) / np.linalg.norm(y[1]))
