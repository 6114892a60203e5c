"""Options of a run, checked before anything is compiled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from ...errors import BadInput, quoted
from ..flow.strategy import check_summation, choose
from ..linalg.matrices import is_concrete, is_count, is_number, is_positive
from ..measures import Gaussian, Measure
from ..summation import Summation
from .stepping import METHODS, is_fixed
from .trajectory import Stride
from .waiting import Waiting

MOST = 2**31 - 1
"""Steps and times are counted by integers of 32 bits."""


@dataclass(frozen=True)
class Options:
    """What a user may say about a run; see `evolve`."""

    until: Any = 10.0
    save: Any = 101
    tol: Any = None
    method: str = "adaptive"
    step: Any = None
    merge: float | None = None
    summation: str | Summation = "auto"
    max_steps: int = 1_000_000
    steady: Any = None
    start: Any = 0.0
    jumps: Any = None
    seed: int = 0
    progress: bool = False
    derivatives: str = "reverse"
    waiting: Waiting | None = None
    """Who is asked between steps whether the run is still wanted; for programs around this one."""

    def __post_init__(self):
        if self.method not in METHODS:
            raise BadInput(f"method must be one of {', '.join(METHODS)}, got {quoted(self.method)}")
        if self.derivatives not in ("reverse", "forward"):
            raise BadInput(
                f'derivatives must be "reverse" (grad) or "forward" (jvp, jacfwd), got {quoted(self.derivatives)}'
            )
        if is_fixed(self.method) and not is_positive(self.step):
            raise BadInput(f"method {quoted(self.method)} needs a positive step, got step={quoted(self.step)}")
        for name in ("step", "tol", "merge", "steady"):
            if getattr(self, name) is not None and not is_positive(getattr(self, name)):
                raise BadInput(f"{name} must be a positive number, got {quoted(getattr(self, name))}")
        if not is_count(self.seed, least=0, most=2**63 - 1):
            raise BadInput(f"seed must be a whole number from 0 on, below 2**63, got {quoted(self.seed)}")
        if not is_count(self.max_steps, least=1, most=MOST):
            raise BadInput(f"max_steps must be a positive integer below 2**31, got {quoted(self.max_steps)}")
        if not is_number(self.start):
            raise BadInput(f"start must be a finite time, got {quoted(self.start)}")
        if not is_number(self.until) or (is_concrete(self.until, self.start) and not self.until > self.start):
            raise BadInput(f"until must be a finite time after the start {self.start}, got {quoted(self.until)}")
        check_summation(self.summation)
        self._check_save()
        self._check_jumps()

    def _check_save(self):
        is_number_of_times = isinstance(self.save, bool | int | np.integer | np.bool_)
        if is_number_of_times and not is_count(self.save, least=1, most=MOST):
            raise BadInput(f"save must be a positive number of times or a list of times, got {quoted(self.save)}")

    def _check_jumps(self):
        if self.jumps is None or not is_concrete(self.jumps):
            return
        try:
            times = np.asarray(self.jumps, float)
        except (TypeError, ValueError, OverflowError):
            times = np.asarray(np.nan)
        if times.ndim > 1 or not np.isfinite(times).all():
            raise BadInput(f"jumps must be finite times where weights jump, got {quoted(self.jumps)}")

    @property
    def known_tol(self) -> float | None:
        """The tolerance asked for, where it can be known."""
        return float(self.tol) if self.tol is not None and is_concrete(self.tol) else None

    @property
    def stride(self) -> Stride | None:
        """The fixed steps of the run, if it has any."""
        return Stride(self.method, float(self.step)) if is_fixed(self.method) and is_concrete(self.step) else None

    def check_step(self):
        """Raise a clear error for a step that nothing would take."""
        if self.step is not None and not is_fixed(self.method):
            raise BadInput("step is for fixed-step methods and noise; adaptive methods take tol")

    def times(self, mu: Measure) -> Array:
        """The save times, in the precision of the tokens; known inside `jit` too, unless the end is traced."""
        dtype = precision(mu)
        if not is_concrete(self.until, self.start, self.save):
            return self._times(jnp, dtype)
        ts = self._times(np, dtype)
        if not np.all(np.diff(ts) > 0):
            raise BadInput("save times must increase strictly")
        if not self.start <= ts[0] <= ts[-1] <= np.asarray(self.until, dtype):
            raise BadInput(f"save times must lie between {self.start} and until={self.until}")
        return constant(ts)

    def _times(self, array, dtype):
        if isinstance(self.save, int | np.integer):
            ends = (self.start, self.until)
            return (array.linspace(*ends, int(self.save)) if self.save > 1 else array.asarray(ends[1:])).astype(dtype)
        try:
            ts = array.asarray(self.save, dtype)
        except (TypeError, ValueError, OverflowError):
            ts = array.empty(0)
        if ts.ndim != 1 or ts.size == 0:
            raise BadInput(f"save must be a number of times or a list of times, got {quoted(self.save)}")
        return ts

    def tolerance(self, dtype) -> float:
        """The tolerance asked for, if the precision can hold it; else a clear refusal."""
        floor = 10 * float(jnp.finfo(dtype).eps)
        if self.tol is None:
            return max(1e-8, 10 * floor)
        if self.tol < floor:
            need = "; turn on 64-bit numbers: jax.config.update('jax_enable_x64', True)" if floor > 1e-10 else ""
            raise BadInput(f"tol={self.tol:g} is below what {jnp.dtype(dtype).name} can hold ({floor:.1g}){need}")
        return float(self.tol)

    def strategy(self, flow, mu) -> Summation:
        """How sums are done; their errors stay a hundred times below those of the steps."""
        return choose(self.summation, flow, mu, tol=self.tolerance(mu.x.dtype) / 100)


def checked(options: dict) -> Options:
    """The options given as a dictionary."""
    unknown = set(options) - set(Options.__dataclass_fields__)
    if unknown:
        known = ", ".join(Options.__dataclass_fields__)
        raise BadInput(f"unknown option {', '.join(sorted(unknown))}; evolve knows {known}")
    return Options(**options)


def precision(mu: Measure):
    """The floating type of a measure."""
    return mu.mean.dtype if isinstance(mu, Gaussian) else mu.x.dtype


def constant(values: np.ndarray) -> Array:
    """An array that may be looked at, inside `jit` too; unlike `jnp.asarray` it compiles nothing for a new shape."""
    with jax.ensure_compile_time_eval():
        return jax.device_put(values)
