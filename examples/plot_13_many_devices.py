r"""
Many devices
============

Tokens can be shared out over devices: every device keeps its listeners, while the speakers travel around a ring of partial
softmax sums. Nothing is approximated, and each device holds only its share. The same lines run on one CPU, on several GPUs of a
node, and on several hosts.
"""

import os
import subprocess
import sys

import jax

jax.config.update("jax_enable_x64", True)

import matplotlib.pyplot as plt
import numpy as np

import attnflow as af
from attnflow.draw.style import RC
from attnflow.engine.summation.sharded import Sharded, spread, token_mesh

plt.rcParams.update(RC)

# %%
# The ring
# --------
# A mesh of all devices, a prompt spread over it, and a summation that knows about it: that is all.

mesh = token_mesh()
flow = af.Flow(af.Sphere(), af.Softmax(beta=9.0))
mu = af.uniform_sphere(1024, 3, seed=0)
run = af.evolve(flow, spread(mu, mesh), until=5.0, save=11, summation=Sharded(mesh))
alone = af.evolve(flow, mu, until=5.0, save=11)
print(f"{mesh.devices.size} device(s); largest difference from the run on one: {float(abs(run.x - alone.x).max()):.0e}")

# %%
# Eight devices without a GPU
# ---------------------------
# XLA can pretend that a CPU is several devices, which is how to try a script before it goes to a cluster. The flag counts
# only before JAX starts, so that here it is given to a process of its own.

script = """
import jax
jax.config.update("jax_enable_x64", True)
import numpy as np
import attnflow as af
from attnflow.engine.summation.sharded import Sharded, spread, token_mesh

mesh = token_mesh()
flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=9.0)), af.uniform_sphere(1024, 3, seed=0)
run = af.evolve(flow, spread(mu, mesh), until=5.0, save=11, summation=Sharded(mesh))
print(mesh.devices.size, "devices;", len(run.last.x.addressable_shards), "shares of",
      run.last.x.addressable_shards[0].data.shape[0], "tokens")
velocity = af.velocity(flow, spread(mu, mesh), summation=Sharded(mesh))
np.savez("shared_out.npz", x=np.asarray(run.x), velocity=np.asarray(velocity))
"""
flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8", "JAX_PLATFORMS": "cpu"}
done = subprocess.run([sys.executable, "-c", script], env=os.environ | flags, capture_output=True, text=True)
print(done.stdout or done.stderr)

# %%
# One velocity differs from that of a single device by rounding alone: sums are exact, only the order of their terms is
# another. In a run rounding changes the length of adaptive steps a little, and the two agree within its tolerance.

with np.load("shared_out.npz") as eight:
    x, velocity = eight["x"], eight["velocity"]
os.remove("shared_out.npz")
print(f"largest difference of velocities: {np.abs(velocity - np.asarray(af.velocity(flow, mu))).max():.0e}")

difference = np.abs(x - np.asarray(alone.x)).max(axis=(1, 2))
fig, ax = plt.subplots(figsize=(5.5, 2.8), layout="constrained")
ax.semilogy(alone.ts[1:], difference[1:], "o-", label="eight devices against one")
ax.axhline(1e-8, color="0.6", lw=0.8, ls="--", label="tol, the error allowed in each step")
ax.set(xlabel="time $t$", ylabel="largest difference", ylim=(None, 1e-6))
ax.legend()

# %%
# On a cluster
# ------------
# Several hosts start the same script and meet first::
#
#     jax.distributed.initialize()      # arguments are found by themselves under Slurm
#     mesh = token_mesh()               # all devices of all hosts
#     run = af.evolve(spread(flow, mesh), spread(mu, mesh), until=10.0, summation=Sharded(mesh))
#
# Many *runs* are a different matter: they need no ring, only ``attnflow sweep … --on slurm`` or ``--on dask:tcp://…``.
plt.show()
