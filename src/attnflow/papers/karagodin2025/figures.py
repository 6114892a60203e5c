"""Cosine against depth for the normalisation schemes of Karagodin et al. 2025 (arXiv 2510.22026)."""

from __future__ import annotations

import numpy as np

from ...draw.style import SLATE, new_figure, styled
from ...engine.attention import Softmax
from ...engine.evolution import evolve
from ...engine.flow import Flow
from ...engine.flow.normalisation import NGPT, PeriLN, PostLN, PreLN, SqrtLN
from ...engine.measures import Particles
from ...engine.spaces import Sphere
from ..figure import Drawn, figure

DUE_TAILS = {
    "PostLN": lambda t: np.exp(-2 * t), "NGPT": lambda t: np.exp(-2 * t), "SqrtLN": lambda t: np.exp(-4 * np.sqrt(1 + t)),
    "PreLN": lambda t: t**-2.0, "PeriLN": lambda t: t**-2.0,
}  # fmt: skip
"""How 1 − ρ falls in the end, up to a constant; drawn through the last point."""


@figure("schemes", "Where layer normalisation sits decides how fast tokens align")
@styled
def schemes(*, full: bool, seed: int) -> Drawn:
    n, beta = 32, 2.0
    kinds = {"Post-LN": PostLN(), "Pre-LN": PreLN(), "Peri-LN": PeriLN(), "nGPT": NGPT(), r"$\sqrt{t}$": SqrtLN()}
    fig, data = new_figure(6.4, 3.6), {}
    ax, laws = fig.subplots(), {}
    for name, scheme in kinds.items():
        until = 200.0 if isinstance(scheme, PreLN | PeriLN) else 60.0 if isinstance(scheme, SqrtLN) else 18.0
        times = np.concatenate([[0.0], np.geomspace(0.05, until, 80)])
        flow = Flow(Sphere(), Softmax(beta=beta), normalisation=scheme)
        x = np.asarray(evolve(flow, Particles(np.eye(n)), until=until, save=times, tol=1e-10).x)[:, :2]
        x = x / np.linalg.norm(x, axis=-1, keepdims=True)
        apart = ((x[:, 0] - x[:, 1]) ** 2).sum(axis=-1) / 2
        seen = apart > 1e-13
        (line,) = ax.plot(times[seen][1:], apart[seen][1:], label=name)
        key = type(scheme).__name__
        if key in DUE_TAILS:
            late = times[seen & (times > 0.15 * until)]
            law = apart[seen][-1] * DUE_TAILS[key](late) / DUE_TAILS[key](times[seen][-1])
            ax.plot(late, law, color=line.get_color(), linewidth=3.5, alpha=0.3, solid_capstyle="butt")
        data |= {f"t_{key}": times, f"apart_{key}": apart}
        laws[key] = _tail(scheme, times, apart)
    ax.set(xscale="log", yscale="log", xlabel="$t$", ylabel=r"$1 - \rho$", ylim=(1e-12, 2))
    ax.plot([], [], color=SLATE, linewidth=3.5, alpha=0.3, label="law of the tail")
    ax.legend()
    due = {"PostLN": -2.0, "NGPT": -2.0, "SqrtLN": -4.0, "PreLN": 1.756, "PeriLN": 1.721}
    close = {"PostLN": 0.01, "NGPT": 0.01, "SqrtLN": 0.02, "PreLN": 2e-3, "PeriLN": 2e-3}
    held = all(abs(laws[key] - value) < close[key] for key, value in due.items())
    expected = (
        "t²(1 − ρ) at 200: Pre-LN 1.756, Peri-LN 1.721 (±0.002); slope of log(1 − ρ): −2 in t (Post-LN, nGPT; ±0.01), "
        "−4 in √(1 + t) (±0.02)"
    )
    observed = ", ".join(f"{key} {value:.4f}" for key, value in laws.items())
    return Drawn(fig, data, expected, bool(held), observed)


def _tail(scheme, times, apart):
    """t²(1 − ρ) at the end, or the slope of log(1 − ρ) on the clock of the scheme where 1 − ρ is in 1e-10 … 1e-6."""
    if isinstance(scheme, PreLN | PeriLN):
        return float(apart[-1] * times[-1] ** 2)
    clock = np.sqrt(1 + times) if isinstance(scheme, SqrtLN) else times
    late = np.flatnonzero((apart > 1e-10) & (apart < 1e-6))[[0, -1]]
    return float(np.diff(np.log(apart[late]))[0] / np.diff(clock[late])[0])
