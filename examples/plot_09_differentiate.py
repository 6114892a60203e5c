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
# A run at β = 5 is observed at six times, with noise. Its β is what makes a run fit best.

mu = af.uniform_sphere(30, 3, seed=0)
times = jnp.linspace(0.0, 3.0, 6)


def states(beta):
    return af.evolve(af.Flow(af.Sphere(), af.Softmax(beta=beta)), mu, until=3.0, save=times).x


rng = np.random.default_rng(1)
seen = states(5.0) + 0.02 * rng.normal(size=(6, 30, 3))


@jax.jit
def misfit(beta):
    return jnp.mean((states(beta) - seen) ** 2)


# %%
# The derivative of a whole adaptive run, checked against finite differences:

slope = jax.grad(misfit)(2.0)
h = 1e-4
print(f"by grad {slope:.8f}, by differences {(misfit(2.0 + h) - misfit(2.0 - h)) / (2 * h):.8f}")

# %%
# Newton's method for the best fit, in logarithms so that β stays positive. Curvature is a derivative too.

step = jax.jit(jax.value_and_grad(lambda log_beta: misfit(jnp.exp(log_beta))))
log_beta, path = jnp.log(2.0), []
memory = None
for _ in range(12):
    value, slope = step(log_beta)
    path.append(float(jnp.exp(log_beta)))
    move = -0.3 * jnp.sign(slope) if memory is None else -slope * (log_beta - memory[0]) / (slope - memory[1])
    memory = (log_beta, slope)
    if abs(move) < 1e-10:
        break
    log_beta = log_beta + move
print(f"beta = {path[-1]:.4f} after {len(path)} gradients; the truth is 5")

betas = np.linspace(1, 9, 33)
fig, ax = plt.subplots(figsize=(5.5, 3), layout="constrained")
ax.semilogy(betas, [misfit(b) for b in betas], label="misfit")
ax.semilogy(path, [misfit(b) for b in path], "o", label="iterates")
ax.axvline(5.0, color="0.7", lw=0.8)
ax.set(xlabel=r"$\beta$", ylabel="mean square misfit")
ax.legend()

# %%
# Steer tokens
# ------------
# Which small change of the prompt makes the tokens end around a given point? A gradient descent on the first tokens, kept
# on the sphere; the penalty keeps the change small.

flow = af.Flow(af.Sphere(), af.Softmax(beta=4.0))
target = jnp.array([0.0, 0.0, 1.0])
first = jnp.asarray(mu.x)


def unit(x):
    return x / jnp.linalg.norm(x, axis=1, keepdims=True)


def cost(x):
    end = af.evolve(flow, af.Particles(unit(x)), until=6.0, save=[0.0, 6.0]).x[-1]
    return jnp.mean(1 - end @ target) + 0.05 * jnp.sum((unit(x) - first) ** 2) / len(first)


descend = jax.jit(jax.value_and_grad(cost))
x, costs = first, []
for _ in range(60):
    value, gradient = descend(x)
    costs.append(float(value))
    x = unit(x - 6.0 * gradient)

before, after = (af.evolve(flow, af.Particles(y), until=6.0, save=61) for y in (first, x))
print(f"mean cosine with the target at the end: {float(jnp.mean(before.x[-1] @ target)):.3f} before,", end=" ")
print(f"{float(jnp.mean(after.x[-1] @ target)):.3f} after; the prompt moved by {float(jnp.linalg.norm(x - first, axis=1).mean()):.3f} per token")

fig, axes = plt.subplots(1, 3, figsize=(9, 2.8), layout="constrained")
for ax, run, name in ((axes[0], before, "before"), (axes[1], after, "after")):
    ax.plot(run.ts, run.x @ target, color="C0", lw=0.7)
    ax.set(xlabel="time $t$", ylabel="cosine with the target", title=name, ylim=(-1.05, 1.05))
axes[2].plot(costs)
axes[2].set(xlabel="step of the descent", ylabel="cost")
plt.show()
