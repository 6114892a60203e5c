r"""
Gaussian flows and blow-up
==========================

A Gaussian prompt stays Gaussian under softmax, L2 and Sinkhorn attention, so that the PDE becomes an equation for a mean and a
covariance (Castin, Ablin, Carrillo, Peyré 2025, arXiv 2501.18322). Under softmax in :math:`\mathbb R^d` covariances may
explode in finite time.
"""

import jax

jax.config.update("jax_enable_x64", True)

import matplotlib.pyplot as plt
import numpy as np

import attnflow as af
from attnflow.draw.diagrams.gaussian_basin import draw_gaussian_basin
from attnflow.draw.ellipses import draw_ellipse
from attnflow.draw.style import RC

plt.rcParams.update(RC)

# %%
# A run that ends by itself
# -------------------------
# With :math:`V = I` the covariance is :math:`\Sigma(t) = L(I - tL^\top(B + B^\top)L)^{-1}L^\top`, where
# :math:`\Sigma(0) = LL^\top`. It blows up when the largest eigenvalue of :math:`tL^\top(B+B^\top)L` is one. What happens in
# a run is data: nothing raises, the finished part is kept, and the status says when it ended.

B = np.array([[0.6, 0.8], [-0.8, 0.2]])
flow = af.Flow(af.Euclidean(), af.Softmax(B=B), V=1.0)
start = af.Gaussian(mean=[0.0, 0.0], cov=[[1.0, 0.3], [0.3, 0.5]])
run = af.evolve(flow, start, until=2.0, save=201)
end = af.blow_up(flow, start)
print(run.status)
print(f"{end.verdict}: t* = {float(end.time):.12f}, along {np.round(end.direction, 4)}")

# %%
# The closed form is one route to the time of blow-up; following the equation until the trace is :math:`10^{14}` is
# another. They should agree.

followed = af.blow_up(flow, start, closed_form=False)
print(f"followed: {float(followed.time):.12f}   difference {abs(float(followed.time - end.time)):.0e}")

fig, axes = plt.subplots(1, 2, figsize=(8.4, 3.4), layout="constrained")
for k, colour in zip(np.searchsorted(run.ts, [0.0, 0.4, 0.6, 0.7]), ("C0", "C5", "C4", "C1")):
    draw_ellipse(axes[0], run.mean[k], run.cov[k], colour=colour, limits=((-8, -4.5), (8, 4.5)))
axes[0].set(title="covariances as ellipses", xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
axes[1].semilogy(run.ts, np.trace(run.cov, axis1=1, axis2=2))
axes[1].axvline(float(end.time), color="C1", ls="--", label=f"$t^* = {float(end.time):.4f}$")
axes[1].set(xlabel="time $t$", ylabel=r"tr $\Sigma$")
axes[1].legend()

# %%
# Which prompts explode?
# ----------------------
# Covariances of trace one are a disc: round in the middle, rank one on the rim. With a value matrix that is no multiple of
# the identity there is no closed form, and ``blow_up`` follows a whole batch at once. Grey points do not blow up before
# t = 100; arrows show how shapes change.

mixed = af.Flow(af.Euclidean(), af.Softmax(B=np.diag([1.0, -1.0])), V=[[1.0, 0.6], [0.0, 1.0]])
fig, ax = plt.subplots(figsize=(5, 4.2), layout="constrained")
draw_gaussian_basin(ax, mixed, count=15)

# %%
# What else may happen
# --------------------
# ``fate_of`` says what becomes of a prompt, and which theorem or run says so.

cases = {
    "softmax, B > 0": af.Flow(af.Euclidean(), af.Softmax(B=1.0)),
    "softmax, B < 0": af.Flow(af.Euclidean(), af.Softmax(B=-1.0)),
    "softmax, B = rotation by 90°": af.Flow(af.Euclidean(), af.Softmax(B=[[0.0, -1.0], [1.0, 0.0]])),
    "L2": af.Flow(af.Euclidean(), af.L2(B=1.0)),
    "Sinkhorn": af.Flow(af.Euclidean(), af.Sinkhorn(B=1.0)),
}
for name, each in cases.items():
    fate = af.fate_of(each, start)
    print(f"{name:30} {fate.verdict:20} {fate.rule}")

# %%
# Tokens drawn from the same Gaussian follow the closed equation until the last moments, when few tokens in the tails
# decide.

tokens = af.gaussian_tokens(2000, 2, cov=start.cov, seed=0, sampling="sobol", antithetic=True, matched=True)
few = af.evolve(flow, tokens, until=0.5, save=51)
traces = np.array([np.trace(np.cov(np.asarray(x).T, bias=True)) for x in few.x])
exact = np.trace(np.asarray(af.evolve(flow, start, until=0.5, save=51).cov), axis1=1, axis2=2)
for k in (0, 20, 40, 50):
    print(f"t = {few.ts[k]:.1f}   trace of 2,000 tokens {traces[k]:.5f}   of the Gaussian {exact[k]:.5f}")
plt.show()
