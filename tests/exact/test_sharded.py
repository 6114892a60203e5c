"""The ring of partial sums on eight virtual devices, and on two processes that talk over the loopback."""

import os
import socket
import subprocess
import sys

import pytest

START = """
import sys, jax
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp, numpy as np, attnflow as af
from attnflow.engine.summation.sharded import Sharded, spread, token_mesh
from attnflow.engine.summation.tiled import Tiled
rng = np.random.default_rng(1)
x = rng.normal(size=(203, 3)); x /= np.linalg.norm(x, axis=1, keepdims=True)
"""

EIGHT = """
assert len(jax.devices()) == 8
ring, one = Sharded(token_mesh()), Tiled()
mu = af.Particles(x, 10.0 ** rng.uniform(-300, 0, 203))
soft = af.Softmax(beta=50.0)
rules = [soft, af.Unnormalised(beta=2.0), af.Sigmoid(), af.Causal(soft), af.Biased(soft, slope=0.1), af.Causal(af.Sigmoid())]
for rule in rules:
    kernel = rule.kernel(mu.x, mu)
    error = np.abs(jax.jit(ring.sum)(kernel, mu.x) - jax.jit(one.sum)(kernel, mu.x)).max()
    assert error <= 1e-13, (rule, error)

slopes = [jax.jit(jax.grad(lambda x, s=s: jnp.sum(s.sum(soft.kernel(x, mu), x) ** 2)))(mu.x) for s in (ring, one)]
assert np.abs(slopes[0] - slopes[1]).max() <= 1e-12 * np.abs(slopes[1]).max()

flow, few = af.Flow(af.Sphere(), af.Softmax(beta=9.0)), af.Particles(x[:200])
runs = [af.evolve(flow, few, until=1.0, save=2, method="rk4", step=0.1)]
runs += [af.evolve(flow, spread(few, ring.mesh), until=1.0, save=2, method="rk4", step=0.1, summation=ring)]
assert np.abs(runs[0].x - runs[1].x).max() <= 1e-13
assert len(runs[1].last.x.sharding.device_set) == 8

for rule, words in ((af.Hardmax(), "Argmax weights"), (af.Masked(soft, table=np.eye(203) > 0), "given as a table")):
    try:
        ring.sum(rule.kernel(mu.x, mu), mu.x)
    except ValueError as error:
        assert words in str(error) and "\\n" not in str(error)
    else:
        raise AssertionError(rule)
try:
    spread(mu, ring.mesh)
except ValueError as error:
    assert "203 tokens cannot be shared out evenly over 8 devices" in str(error)
print("fine")
"""

TWO = """
jax.config.update("jax_cpu_collectives_implementation", "gloo")
jax.distributed.initialize(f"127.0.0.1:{sys.argv[1]}", num_processes=2, process_id=int(sys.argv[2]))
assert jax.process_count() == 2 and len(jax.devices()) == 2
ring = Sharded(token_mesh())
flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=9.0)), af.Particles(x[:200])
here = af.evolve(flow, mu, until=1.0, save=2, method="rk4", step=0.1, summation="exact")
run = af.evolve(spread(flow, ring.mesh), spread(mu, ring.mesh), until=1.0, save=2, method="rk4", step=0.1, summation=ring)
for share in run.last.x.addressable_shards:
    assert share.data.shape == (100, 3)
    assert np.abs(np.asarray(share.data) - np.asarray(here.last.x)[share.index]).max() <= 1e-13
assert run.status == af.Status.DONE
print("fine")
"""


def launch(program, *arguments, devices=1):
    environment = os.environ | {
        "XLA_FLAGS": f"--xla_force_host_platform_device_count={devices}",
        "JAX_PLATFORMS": "cpu",
    }
    command = [sys.executable, "-c", START + program, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(*processes, seconds):
    try:
        outputs = [process.communicate(timeout=seconds) for process in processes]
    finally:
        for process in processes:
            process.kill()
    for out, errors in outputs:
        assert out.strip().endswith("fine"), errors[-2000:]


def test_eight_devices_agree_with_one():
    finish(launch(EIGHT, devices=8), seconds=300)


@pytest.mark.slow
def test_two_processes_agree_with_one():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    finish(*(launch(TWO, port, i) for i in range(2)), seconds=300)
