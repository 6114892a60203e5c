import jax
import jaxtyping
import numpy as np
import pytest

jax.config.update("jax_enable_x64", True)

ENGINE = (
    "spaces", "matrices", "measures", "kernel", "normalisation", "flow", "spectrum", "rescaled", "summation.tiled",
    "attention",
)  # fmt: skip
"""Modules whose array annotations are checked in tests, and only there."""

jaxtyping.install_import_hook([f"attnflow.{module}" for module in ENGINE], "beartype.beartype")


@pytest.fixture
def rng():
    return np.random.default_rng(20230505)
