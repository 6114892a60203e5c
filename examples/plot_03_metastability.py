r"""
Metastability and merging
=========================

On the sphere all tokens meet in the end, but they take their time: clusters form quickly, stand still for times of order
:math:`e^{c\beta}`, and then merge one pair at a time, while the energy climbs a staircase
(Geshkovski, Koubbi, Polyanskiy, Rigollet 2024, arXiv 2410.06833).
"""

import jax

jax.config.update("jax_enable_x64", True)

import matplotlib.pyplot as plt
import numpy as np

import attnflow as af
from attnflow.draw.diagrams.basins import draw_basins
from attnflow.draw.diagrams.circle_time import draw_circle_time
from attnflow.draw.diagrams.merge_tree import draw_merge_tree
from attnflow.draw.style import RC

plt.rcParams.update(RC)

# %%
# Ten million units of time in a second
# -------------------------------------
# ``merge`` is the distance below which tokens become one heavier token. From then on the fast contraction inside a cluster
# no longer limits the steps, so that exponentially long waits are cheap. ``run.merges`` says when, who and how far apart.

flow = af.Flow(af.Sphere(), af.Softmax(beta=9.0))
mu = af.uniform_sphere(128, 2, seed=1)
times = np.concatenate([[0.0], np.geomspace(0.1, 1e7, 240)])
run = af.evolve(flow, mu, until=1e7, save=times, merge=1e-4)
print(run.status, "in", int(run.steps), "steps; the last merge at t =", f"{run.merges[-1].time:.6g}")

# %%
# Three readings of the same run: angles, the tree of clusters, and the energy.

groups = af.gathering(run)
energy = af.energy(flow, run.states, convention="normalised")

fig, axes = plt.subplots(3, 1, figsize=(7, 7), layout="constrained", sharex=True)
draw_circle_time(axes[0], run, log_time=True)
draw_merge_tree(axes[1], groups, mu.mass, log_time=True)
axes[2].plot(run.ts[1:], energy[1:])
axes[2].set(xlabel="time $t$", ylabel="normalised energy", xscale="log", xlim=(0.1, 1e7))
for ax in axes[:2]:
    ax.set_xlabel("")

# %%
# ``gathering`` counts clusters as the eye does, on the scale :math:`\beta^{-1/2}` at which a token hears;
# ``clusters(mu, tol)`` counts by a distance of your choice.

for k in (0, 60, 120, 180, -1):
    strict = af.clusters(run.at(k), tol=1e-3).count
    print(f"t = {run.ts[k]:9.3g}   clusters as seen: {groups.counts[groups.at == k % len(run.ts)]}   at 1e-3: {strict}")

# %%
# How long do two clusters wait?
# ------------------------------
# Two clusters at angle :math:`\theta` close at a speed that is known, so the waiting time is a single integral. Run and
# integral are independent routes to one number. (Tokens are united at the end of the first step that finds them closer
# than ``merge``; ``displacement`` is how far each of two equal tokens was moved then, half of what was left.)

from attnflow.theory.sphere.two_clusters import merging_time

theta, betas = 2.0, np.array([1.0, 2.0, 4.0, 6.0, 8.0])
pair = af.Particles([[1.0, 0.0], [np.cos(theta), np.sin(theta)]])
merges = []
for beta in betas:
    two = af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=beta)), pair, until=1e8, save=[0.0, 1e8], merge=1e-3)
    merges.append(two.merges[0])
seen = np.array([merge.time for merge in merges])
known = np.array([merging_time(theta, 2 * merge.displacement, beta=b) for merge, b in zip(merges, betas)])
print("largest relative difference:", f"{np.abs(seen / known - 1).max():.1e}")

fig, ax = plt.subplots(figsize=(5.5, 3), layout="constrained")
grid = np.linspace(1, 8, 40)
ax.semilogy(grid, [merging_time(theta, 1e-3, beta=b) for b in grid], label="integral")
ax.semilogy(betas, seen, "o", label="runs")
ax.set(xlabel=r"$\beta$", ylabel="time until two clusters are one")
ax.legend()

# %%
# Which cluster would a token join?
# ---------------------------------
# A token of mass 0 listens and is not heard, so that many of them show, without disturbing anybody, where a token from
# each point of the sphere has gone by the time clusters stand still.

fig, ax = plt.subplots(figsize=(4, 4), layout="constrained")
draw_basins(ax, flow, af.uniform_sphere(24, 3, seed=2), until=6.0, pixels=40)
plt.show()
