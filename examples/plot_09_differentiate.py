r"""
Differentiate through a run
===========================

Flows and measures are pytrees, and ``evolve`` can be differentiated: by its parameters, its matrices and its first prompt.
Here β is found again from what it did, and a prompt is changed so that its tokens end where we want them.
"""

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

import attnflow as af
from attnflow.draw.style import RC

plt.rcParams.update(RC)

# %%
# Which β made this?
# ------------------
# A run at β = 5 is observed at 61 times, with noise. Its β is what makes a run fit best.

mu = af.uniform_sphere(20, 3, seed=0)
times = jnp.linspace(0.0, 3.0, 61)


def states(beta, derivatives="reverse"):
    flow = af.Flow(af.Sphere(), af.Softmax(beta=beta))
    return af.evolve(flow, mu, until=3.0, save=times, method="tsit5", derivatives=derivatives).x


rng = np.random.default_rng(1)
seen = states(5.0) + 0.02 * rng.normal(size=(61, 20, 3))


@jax.jit
@jax.value_and_grad
def misfit(beta):
    return jnp.mean((states(beta) - seen) ** 2)


# %%
# The derivative of a whole adaptive run, checked against finite differences:

slope, h = misfit(2.0)[1], 1e-4
print(f"by grad {slope:.8f}, by differences {(misfit(2.0 + h)[0] - misfit(2.0 - h)[0]) / (2 * h):.8f}")

# %%
# One parameter and many residuals is a case for forward mode: a run and its derivative by β in one go, and the method of
# Gauss and Newton. Besides the better β it returns the misfit of the one it was given.


@jax.jit
def improved(beta):
    x, slope = jax.jvp(lambda b: states(b, derivatives="forward"), (beta,), (jnp.ones_like(beta),))
    return beta + jnp.vdot(slope, seen - x) / jnp.vdot(slope, slope), jnp.mean((x - seen) ** 2)


path = [2.0]
while len(path) < 2 or abs(path[-1] - path[-2]) > 1e-8:
    path.append(float(improved(path[-1])[0]))
print(f"beta = {path[-1]:.4f} after {len(path) - 1} steps; the truth is 5")

betas = np.linspace(1, 9, 13)
fig, ax = plt.subplots(figsize=(5.5, 3), layout="constrained")
ax.semilogy(betas, [improved(b)[1] for b in betas], label="misfit")
ax.semilogy(path, [improved(b)[1] for b in path], "o", label="steps")
ax.axvline(5.0, color="0.7", lw=0.8)
ax.set(xlabel=r"$\beta$", ylabel="mean square misfit")
ax.legend()

# %%
# Steer tokens
# ------------
# Which change of the prompt makes the tokens end around a given point? A gradient descent on the first tokens, kept
# on the sphere; the penalty keeps the change small.

flow = af.Flow(af.Sphere(), af.Softmax(beta=4.0))
target = jnp.array([0.0, 0.0, 1.0])
first = jnp.asarray(mu.x)


def unit(x):
    return x / jnp.linalg.norm(x, axis=1, keepdims=True)


def cost(x):
    end = af.evolve(flow, af.Particles(unit(x)), until=6.0, save=[0.0, 6.0], method="tsit5").x[-1]
    return jnp.mean(1 - end @ target) + 0.05 * jnp.sum((unit(x) - first) ** 2) / len(first)


descend = jax.jit(jax.value_and_grad(cost))
x, costs = first, []
for _ in range(40):
    value, gradient = descend(x)
    costs.append(float(value))
    x = unit(x - 3.0 * gradient)

before, after = (af.evolve(flow, af.Particles(y), until=6.0, save=61, method="tsit5") for y in (first, x))
moved = float(jnp.linalg.norm(x - first, axis=1).mean())
ends = [float(jnp.mean(run.x[-1] @ target)) for run in (before, after)]
print(f"mean cosine with the target at the end: {ends[0]:.3f} before, {ends[1]:.3f} after")
print(f"the prompt moved by {moved:.3f} per token")

fig, axes = plt.subplots(1, 3, figsize=(9, 2.8), layout="constrained")
for ax, run, name in ((axes[0], before, "before"), (axes[1], after, "after")):
    ax.plot(run.ts, run.x @ target, color="C0", lw=0.7)
    ax.set(xlabel="time $t$", ylabel="cosine with the target", title=name, ylim=(-1.05, 1.05))
axes[2].plot(costs)
axes[2].set(xlabel="step of the descent", ylabel="cost")
plt.show()
