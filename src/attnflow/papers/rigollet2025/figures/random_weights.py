"""Figure 4 of arXiv 2512.01868: normalisation schemes in a network with random weights."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ....draw.style import PALETTE, new_figure, styled
from ....engine.flow.normalisation import NGPT, PeriLN, PostLN, PreLN, SqrtLN
from ....engine.spaces import Sphere
from ....theory.sphere.random_layers import apart
from ...figure import Drawn, figure

SCHEMES = {"nGPT": NGPT, "Post-LN": PostLN, "√t": SqrtLN, "Peri-LN": PeriLN, "Pre-LN": PreLN}
FLOOR = 1e-12
"""Below this, 1 − ρ is rounding."""


@eqx.filter_jit
def random_network(scheme, x, key, *, layers: int, beta: float, has_values: bool):
    """1 − cosine of all pairs after each layer (step 1) with fresh Gaussian Q, K and, if wanted, V; else V = I."""
    n, d = x.shape

    def layer(x, pair):
        t, key = pair
        Q, K, V = jax.random.normal(key, (3, d, d), x.dtype) / jnp.sqrt(d)
        theta = Sphere().retract(x)
        a = jax.nn.softmax(beta * (theta @ Q.T) @ (theta @ K.T).T, axis=1) @ theta
        x = scheme.space.retract(x + scheme.push(x, theta, a @ V.T if has_values else a, t))
        theta = Sphere().retract(x)
        i, j = np.triu_indices(n, 1)
        return x, jnp.sum((theta[i] - theta[j]) ** 2, axis=1) / 2

    ts = jnp.arange(layers, dtype=x.dtype)
    return jax.lax.scan(layer, x, (ts, jax.random.split(key, layers)))[1]


def _bands(scheme, has_values, n, d, layers, runs, seed):
    """5 %, 50 % and 95 % of 1 − ρ over all pairs of all runs, after each layer."""
    found = []
    for run in range(runs):
        key = jax.random.fold_in(jax.random.key(seed), run)
        start = Sphere().retract(jax.random.normal(jax.random.fold_in(key, 1), (n, d)))
        beta = float(np.sqrt(d))
        found.append(random_network(scheme, start, key, layers=layers, beta=beta, has_values=has_values))
    return np.quantile(np.concatenate([np.asarray(c) for c in found], axis=1), (0.05, 0.5, 0.95), axis=1)


@figure("random_schemes", "Normalisation schemes in a network with random weights")
@styled
def random_schemes(*, full: bool, seed: int) -> Drawn:
    n, d, layers, runs = (64, 512, 64, 8) if full else (64, 512, 48, 1)
    fig, data, last, off = new_figure(9.2, 3.7), {}, {}, {}
    depth = np.arange(1, layers + 1)
    for ax, has_values in zip(fig.subplots(1, 2, sharey=True), (False, True)):
        which = "V" if has_values else "I"
        for (name, scheme), colour in zip(SCHEMES.items(), PALETTE):
            low, middle, high = _bands(scheme(), has_values, n, d, layers, runs, seed)
            law = apart(name, n=n, layers=layers, has_values=has_values)  # pyright: ignore[reportArgumentType]
            clear = middle > FLOOR
            ax.fill_between(depth[clear], low[clear], high[clear], color=colour, alpha=0.2, linewidth=0)
            ax.plot(depth[clear], middle[clear], color=colour, label=name)
            ax.plot(depth, np.maximum(law, FLOOR), color=colour, linewidth=0.9, linestyle=(0, (2, 2)))
            data |= {
                f"{kind}_{which}_{name}": line
                for kind, line in zip(("low", "median", "high", "law"), (low, middle, high, law))
            }
            last[which, name] = float(middle[-1])
            off[which, name] = float(np.abs(np.log(middle[clear] / law[clear])).max())
        ax.set(yscale="log", xlabel="layer", ylim=(1e-8, 2), title="$V$ Gaussian, fresh" if has_values else "$V = I$")
    fig.axes[0].set_ylabel(r"$1 - \rho$")
    fig.axes[0].legend(loc="lower left")
    return Drawn(fig, data, EXPECTED, _held(last, off), _observed(last, off, layers), _notes(n, d, runs))


EXPECTED = (
    "V = I: nGPT and Post-LN fastest (exponential), √t between, Peri-LN and Pre-LN slowest (power law); fresh Gaussian V: "
    "nGPT and Post-LN exponential, the other three powers of t; all near the closed recursion (dashed)"
)


def _held(last, off) -> bool:
    drift = {name: value for (which, name), value in last.items() if which == "I"}
    diffusion = {name: value for (which, name), value in last.items() if which == "V"}
    slow = [diffusion[name] for name in ("√t", "Peri-LN", "Pre-LN")]
    in_order = max(drift["nGPT"], drift["Post-LN"]) < drift["√t"] < min(drift["Pre-LN"], drift["Peri-LN"])
    in_classes = max(diffusion["nGPT"], diffusion["Post-LN"]) < 1e-3 * min(slow)
    return bool(in_order and in_classes and max(off["V", name] for name in ("√t", "Peri-LN", "Pre-LN")) < 0.5)


def _observed(last, off, layers) -> str:
    words = lambda which: ", ".join(f"{name} {v:.1e}" for (w, name), v in last.items() if w == which)  # noqa: E731
    worst = max(off["V", name] for name in ("√t", "Peri-LN", "Pre-LN"))
    return (
        f"median 1 − ρ after {layers} layers: V = I: {words('I')}; fresh V: {words('V')}; the slow three stay within a factor "
        f"{np.exp(worst):.2f} of the recursion for fresh V"
    )


def _notes(n, d, runs):
    return (
        "no code found: weights Gaussian of variance 1/d, fresh in every layer, step 1",
        "with a fresh V directions diffuse instead of drifting, and √t is the slowest: the order of section 7 needs V = I",
        f"n = {n}, d = {d}, β = √d, {runs} run(s); bands hold 90 % of all pairs of all runs",
    )
