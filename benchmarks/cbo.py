"""One polarised CBO step against the `cbx` package: time, and the same output."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from attnflow.theory.cbo import CBO, step

from .table import markdown, seconds

N, DT, SIGMA, ALPHA = 1000, 0.05, 0.5, 3.0


def objective(x):
    return (x**2).sum(-1)


def ours(x, z, kappa):
    cbo = CBO(objective, "gaussian", kappa=kappa, alpha=ALPHA, sigma=SIGMA)
    compiled = jax.jit(lambda x, z: step(cbo, x, dt=DT, z=z))
    x, z = jnp.asarray(x), jnp.asarray(z)
    return seconds(lambda: compiled(x, z).block_until_ready()), np.asarray(compiled(x, z))


def theirs(x, z, kappa):
    from cbx.dynamics import PolarCBO

    def dynamics():
        return PolarCBO(
            objective, x=x[None].copy(), kernel="Gaussian", kappa=kappa, kernel_factor_mode="const", f_dim="3D",
            alpha=ALPHA, sigma=SIGMA, lamda=1.0, dt=DT, noise="isotropic", sampler=lambda size: z[None], verbosity=0,
            max_it=10**6, check_f_dims=False,
        )  # fmt: skip

    first, timed = dynamics(), dynamics()
    first.step()
    return seconds(timed.step), first.x[0]


def report() -> str:
    rows = []
    with jax.enable_x64(True):
        for d in (2, 64):
            rng = np.random.default_rng(0)
            x, z, kappa = rng.uniform(-3, 3, (N, d)), rng.normal(size=(N, d)), float(np.sqrt(d))
            (fast, a), (slow, b) = ours(x, z, kappa), theirs(x, z, kappa)
            difference = np.abs(a - b).max()
            rows.append(
                [str(d), f"{1e3 * fast:.2f} ms", f"{1e3 * slow:.1f} ms", f"{slow / fast:.0f}", f"{difference:.0e}"]
            )
    header = ["d", "attnflow", "cbx", "times faster", "largest difference"]
    return markdown(f"One step of polarised CBO, {N} particles, float64", header, rows)
