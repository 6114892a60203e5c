r"""
A real Transformer against theory
=================================

A trained layer is attention, a perceptron and two norms. attnflow reads its weights as a ``Block``, exactly, so that theory can
be asked what it explains: do tokens of a trained model cluster, and what prevents it?

The page uses the ALBERT for chemical reactions of the package ``rxnmapper`` where that is installed
(``pip install --no-deps rxnmapper``), and otherwise a small ALBERT with random weights, on which the same questions can be
asked, with duller answers.
"""

import jax

jax.config.update("jax_enable_x64", True)

import matplotlib.pyplot as plt
import numpy as np

import attnflow as af
from attnflow.draw.style import RC
from attnflow.models import PACKAGES, random_albert

plt.rcParams.update(RC)

# %%
# Read a model
# ------------
# ``read_model`` takes a folder, a file of weights, a state dict, a torch module or a package.

if PACKAGES["rxnmapper"].find():
    model = af.read_model("package:rxnmapper")
    prompt = "CC(C)S.CN(C)C=O.Fc1cccnc1F.O=C([O-])[O-].[K+].[K+]>>CC(C)Sc1ncccc1F"
else:
    model, prompt = random_albert(32, heads=4, depth=12), np.arange(30)
print(model)

# %%
# What its tokens do
# ------------------
# ``record`` gives the states before the first layer and after every layer as a trajectory whose time is the number of layers
# passed. Every measurement has a control beside it: the same model with the entries of its matrices shuffled.


def mean_cosine(run):
    u = np.asarray(run.x) / np.linalg.norm(run.x, axis=-1, keepdims=True)
    n = u.shape[1]
    return (np.linalg.norm(u.sum(axis=1), axis=1) ** 2 - n) / (n * (n - 1))


run = af.record(model, prompt)
control = af.record(af.shuffled(model, seed=0), prompt)
print(f"mean cosine after {model.depth} layers: {mean_cosine(run)[-1]:.3f}; shuffled {mean_cosine(control)[-1]:.3f}")

# %%
# Which part prevents the collapse?
# ---------------------------------
# ``as_flow`` gives the exact layer, or a layer without one of its parts, and ``layers`` applies it as often as one likes,
# also far beyond the trained depth.

first = run.at(1)  # the first state that a norm of the model has made
depth = 40
ways = {
    "the model": af.layers(af.as_flow(model, layer=0), first, depth),
    "without feed-forward": af.layers(af.as_flow(model, layer=0, keep="no feed-forward"), first, depth),
    "without attention": af.layers(af.as_flow(model, layer=0, keep="no attention"), first, depth),
}

fig, ax = plt.subplots(figsize=(7.4, 3.2), layout="constrained")
for name, path in ways.items():
    ax.plot(np.arange(1, depth + 2), mean_cosine(path), label=name)
ax.plot(mean_cosine(control), "k--", lw=1, label="shuffled weights")
ax.axvline(model.depth, color="0.8", lw=0.8)
ax.set(xlabel=f"layers passed (trained depth {model.depth})", ylabel="mean cosine of tokens")
ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
for name, path in ways.items():
    print(f"{name}: mean cosine {mean_cosine(path)[-1]:.3f} after {depth + 1} layers")

# %%
# Is the recorded run the layer? Both are exact, so that their states agree to round-off.

print("largest difference:", float(abs(ways["the model"].x[model.depth - 1] - run.x[model.depth]).max()))

# %%
# Is one cluster a stable state?
# ------------------------------
# At *consensus* all tokens are equal and attention does nothing, so that stability is a matter of two small matrices.

one = af.consensus(af.as_flow(model, layer=0))
print(f"{one.verdict}: differences of tokens shrink by {np.abs(one.transverse).max():.4f} per layer there")

# %%
# What heads do
# -------------
# For every head: how many tokens it hears, and which limit of theory describes what it hears best.

seen = af.regimes(model, run, layers=[1])
print(f"{'head':>4} {'hears':>6} {'gaussian':>9} {'hardmax':>8} {'laplace':>8}   nearest theory")
for h in range(model.heads(1).count):
    row = [seen.gaussian[0, h], seen.hardmax[0, h], seen.laplace[0, h]]
    print(f"{h:>4} {seen.n_eff[0, h]:6.1f} {row[0]:9.2f} {row[1]:8.2f} {row[2]:8.2f}   {seen.names[0, h]}")

# %%
# The whole study as one page, with eight figures and every number: ``attnflow model report package:rxnmapper --text FILE``.
plt.show()
