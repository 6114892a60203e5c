import jax
import numpy as np
import pytest

jax.config.update("jax_enable_x64", True)


@pytest.fixture
def rng():
    return np.random.default_rng(20230505)


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)
