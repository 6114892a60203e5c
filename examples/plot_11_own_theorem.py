r"""
Your own theorem
================

A statement becomes software by saying what it supposes, what it predicts, how a run is checked, and how to look for a
counterexample. Ours begins as a guess: *under softmax attention with* :math:`V = I` *on the sphere, the smallest cosine of two
tokens never falls.* The guess is false; hunting for a counterexample shows where, and leads to a statement with a proof.
"""

import sys

import jax

jax.config.update("jax_enable_x64", True)

import matplotlib.pyplot as plt
import numpy as np

import attnflow as af
from attnflow.draw.style import RC
from attnflow.papers.claim import Claim, Hypothesis, holds, refuted
from attnflow.papers.hunt import Trial, sampled
from attnflow.papers.independent import sphere_run, unit

plt.rcParams.update(RC)

# %%
# Trials
# ------
# A trial draws a prompt, follows it with an integrator that shares no code with the engine, and says by how much the
# conclusion was violated: a ratio above 1 is a counterexample.


def smallest_cosine(x):
    return np.einsum("kid,kjd->kij", x, x).min(axis=(1, 2))


def trial_from(tokens, rng):
    x = sphere_run(tokens, np.linspace(0, 2, 9), beta=float(rng.uniform(0, 4)))
    fall = np.max(-np.diff(smallest_cosine(x)), initial=0.0)
    return Trial(float(fall / 1e-8), horizon=2.0, example=f"tokens {np.round(x[0], 3).tolist()}, fall {fall:.2g}")


def anywhere(rng):
    return trial_from(unit(rng, 4, 3), rng)


def in_an_octant(rng):
    return trial_from(np.abs(unit(rng, 4, 3)), rng)


# %%
# The claim
# ---------
# With all cosines :math:`\ge c \ge 0` and i, j the pair that attains c,
#
# .. math:: \tfrac{d}{dt}\langle x_i, x_j\rangle = \sum_k P_{ik}\big(\langle x_k, x_j\rangle - c\,\langle x_k, x_i\rangle\big)
#           + (i\leftrightarrow j) \;\ge\; \sum_k P_{ik}\,(c - c) + (i\leftrightarrow j) = 0 ,
#
# because the first product is at least c and the second at most 1. For c < 0 the second step fails. So much for the proof;
# the class says the same to the software.


class SmallestCosine(Claim):
    number = "lemma 1"
    title = "The smallest cosine never falls"
    printed = "Softmax attention, V = I: the smallest cosine of two tokens never falls."
    corrected = "Softmax attention, V = I: if all cosines are nonnegative, the smallest cosine never falls."
    erratum = "incomplete"
    provenance = "derived"
    decides = "monotone"
    hunts = {
        "printed": sampled(anywhere, 6, law="four tokens anywhere on S², β uniform in [0, 4]"),
        "corrected": sampled(in_an_octant, 6, law="four tokens in an octant of S², β uniform in [0, 4]"),
    }

    def hypotheses(self, flow, mu):
        is_ours = isinstance(mu, af.Particles) and isinstance(flow, af.Flow) and isinstance(flow.attention, af.Softmax)
        if not is_ours or not isinstance(flow.space, af.Sphere):
            return []  # the claim is not about such flows
        x, V = np.asarray(mu.x), np.asarray(flow.V)
        is_identity = np.array_equal(V, np.eye(mu.d) if V.ndim else 1.0)
        return [
            Hypothesis("V = I", 1.0 if is_identity else -1.0),
            Hypothesis("all cosines are nonnegative", float((x @ x.T).min())),
        ]

    def predict(self, flow, mu):
        low = float((np.asarray(mu.x) @ np.asarray(mu.x).T).min())
        return f"the smallest cosine stays at or above {low:.3f}", {"cosine": low}

    def check(self, run):
        lowest = smallest_cosine(np.asarray(run.x))
        fall = float(np.max(-np.diff(lowest), initial=0.0))
        words = f"the smallest cosine goes from {lowest[0]:.3f} to {lowest[-1]:.3f}"
        return (holds if fall < 1e-7 else refuted)(words, fall=fall)


paper = af.Paper(name="mine", authors="Me", title="On cosines", arxiv="", edition="draft", year=2026, chapters=())
af.register_paper(paper, sys.modules[__name__])

# %%
# The hunt
# --------
# Random trials, the worst of which is varied to make it worse. The printed statement falls at once; the corrected one
# survives: *not refuted*, which is never called *verified*.

for verdict in af.falsify("mine", seed=0):
    print(f"{verdict.statement}: {verdict.outcome} in {verdict.trials} trials, worst ratio {verdict.worst:.3g}")
    if verdict.outcome == "refuted":
        print("   ", verdict.example)

# %%
# On runs
# -------
# From now on the claim is asked like any other. Outside its hypotheses it keeps silent.

flow = af.Flow(af.Sphere(), af.Softmax(beta=2.0))
inside = af.Particles(np.abs(np.asarray(af.uniform_sphere(20, 3, seed=1).x)))
outside = af.uniform_sphere(20, 3, seed=4)
runs = [af.evolve(flow, mu, until=6.0) for mu in (inside, outside)]
for name, mu, run in zip(("inside", "outside"), (inside, outside), runs):
    print(name, [found.words for found in af.predict(flow, mu, paper="mine")])
    print(" " * len(name), [(found.outcome, found.words) for found in af.check(run, paper="mine")])

fig, ax = plt.subplots(figsize=(5.5, 3), layout="constrained")
for name, run in zip(("all cosines nonnegative", "tokens anywhere"), runs):
    ax.plot(run.ts, smallest_cosine(np.asarray(run.x)), label=name)
ax.set(xlabel="time $t$", ylabel="smallest cosine")
ax.legend()

# %%
# In a file of its own the same class works with every command::
#
#     attnflow --load mine.py check mine
#     attnflow --load mine.py claim mine.lemma1
plt.show()
