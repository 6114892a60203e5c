"""Self-transport against POT and OTT at equal marginal error, in one run: `python -m benchmarks sinkhorn`.

n = 1000 points of N(0, I) in the plane, L1 marginal error 1e-6; OTT (extra "bench") is left out when not installed.
"""

from __future__ import annotations

import sys
import time
import warnings
from importlib.util import find_spec

import jax
import jax.numpy as jnp
import numpy as np
import ot
from scipy.spatial.distance import cdist

from attnflow.theory.heat.epsilon_conventions import ott_epsilon, pot_reg
from attnflow.theory.heat.self_transport import self_transport

from .table import markdown

TOL = 1e-6
RATIOS = (("ratio", "seconds"), ("cpu_ratio", "cpu"))


def fastest(solve, repeats: int):
    """The least wall and processor time of some repeats, and the last result."""
    best = (np.inf, np.inf)
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        result = solve()
        best = min(best, (time.perf_counter() - wall, time.process_time() - cpu))
    return best, result


def marginal_error(plan) -> float:
    n = len(plan)
    return float(np.abs(plan.sum(axis=1) - 1 / n).sum() + np.abs(plan.sum(axis=0) - 1 / n).sum())


def ours(x, eps):
    (wall, cpu), s = fastest(lambda: self_transport(x, eps, tol=TOL), 10)
    return {"solver": "attnflow", "iterations": s.certificates.iterations, "seconds": wall, "cpu": cpu,
            "error": s.certificates.error}  # fmt: skip


def pot(x, eps):
    n = len(x)
    mass = np.full(n, 1 / n)

    def solve():
        # POT stops on an L2 error; divided by √n it bounds the L1 error.
        cost = cdist(x, x, "sqeuclidean")
        return ot.sinkhorn(
            mass, mass, cost, pot_reg(eps), method="sinkhorn", stopThr=TOL / np.sqrt(n), numItermax=40_000, log=True
        )

    (wall, cpu), (plan, log) = fastest(solve, 1)
    return {
        "solver": "POT sinkhorn",
        "iterations": int(log["niter"]),
        "seconds": wall,
        "cpu": cpu,
        "error": marginal_error(plan),
    }


def ott(x, eps):
    from ott.geometry import pointcloud
    from ott.problems.linear import linear_problem
    from ott.solvers.linear import acceleration, sinkhorn

    x = jnp.asarray(x)
    solver = sinkhorn.Sinkhorn(
        threshold=TOL, inner_iterations=1, max_iterations=2000, parallel_dual_updates=True,
        momentum=acceleration.Momentum(value=0.5, start=0),
    )  # fmt: skip

    @jax.jit
    def solve(x):
        geometry = pointcloud.PointCloud(x, x, epsilon=ott_epsilon(eps))
        out = solver(linear_problem.LinearProblem(geometry))
        return out.f, out.g, out.errors

    jax.block_until_ready(solve(x))
    (wall, cpu), (f, g, errors) = fastest(lambda: jax.block_until_ready(solve(x)), 3)
    plan = np.exp((np.asarray(f)[:, None] + np.asarray(g) - cdist(x, x, "sqeuclidean")) / ott_epsilon(eps))
    count = int(np.sum(np.asarray(errors) > -1))
    return {"solver": "OTT parallel updates, momentum 1/2", "iterations": count, "seconds": wall, "cpu": cpu,
            "error": marginal_error(plan)}  # fmt: skip


def large(n=20_000, eps=0.002, seed=0):
    x = np.random.default_rng(seed).normal(size=(n, 2))
    wall = time.perf_counter()
    s = self_transport(x, eps)
    return {"n": n, "eps": eps, "seconds": time.perf_counter() - wall, "iterations": s.certificates.iterations,
            "backend": s.pairs.backend, "neighbours": s.pairs.stored / n, "error": s.certificates.error}  # fmt: skip


def rows(temperatures):
    """All solvers at all temperatures, with times relative to ours."""
    jax.config.update("jax_enable_x64", True)
    warnings.simplefilter("ignore")
    x = np.random.default_rng(0).normal(size=(1000, 2))
    solvers = [ours, pot] + ([ott] if find_spec("ott") else [])
    found = [{"eps": eps, **solve(x, eps)} for eps in temperatures for solve in solvers]
    base = {row["eps"]: row for row in found if row["solver"] == "attnflow"}
    return [row | {name: row[key] / base[row["eps"]][key] for name, key in RATIOS} for row in found]


def report(temperatures=(1.0, 0.1, 0.01)) -> str:
    header = ["eps", "solver", "iterations", "seconds", "ratio", "processor ratio", "L1 error"]
    formats = ("{eps:g}", "{solver}", "{iterations}", "{seconds:.4f}", "{ratio:.1f}", "{cpu_ratio:.1f}", "{error:.1e}")
    small = [[form.format(**row) for form in formats] for row in rows(temperatures)]
    many = large()
    names = ["n", "eps", "iterations", "seconds", "neighbours", "backend", "error"]
    return (
        markdown("Self-transport of 1000 points of the plane, marginal error 1e-6", header, small)
        + "\n"
        + markdown("Many points, small eps", names, [[f"{many[k]:.4g}" if k != "backend" else many[k] for k in names]])
    )


if __name__ == "__main__":
    print(report([float(eps) for eps in sys.argv[1:]] or (1.0, 0.1, 0.01)))
