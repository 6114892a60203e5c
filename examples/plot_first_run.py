r"""
A first run
===========

Forty tokens on the sphere listen to each other: :math:`\dot x_i = \Pi_{x_i}\sum_j P_{ij}x_j` with softmax weights
:math:`P_{ij}\propto e^{\beta\langle x_i, x_j\rangle}`.
"""

import jax

jax.config.update("jax_enable_x64", True)

import attnflow as af

flow = af.Flow(af.Sphere(), af.Softmax(beta=9.0))
run = af.evolve(flow, af.uniform_sphere(40, 3, seed=0), until=20.0)
print(run.status, af.clusters(run.last).count)

# %%
# Tokens at the first and the last time, the energy, and the number of clusters in between.

figure = af.summary_figure(run)
