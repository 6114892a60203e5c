"""What a user may say about a run, checked before anything is compiled."""

from __future__ import annotations

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from ..matrices import is_concrete
from ..normalisation import MixLN
from ..summation import Summation, choose
from .stepping import METHODS, is_fixed


@dataclass(frozen=True)
class Options:
    until: float = 10.0
    save: object = 101
    tol: float | None = None
    method: str = "adaptive"
    step: float | None = None
    merge: float | None = None
    summation: object = "auto"
    max_steps: int = 1_000_000
    steady: float | None = None
    start: float = 0.0
    jumps: object = None
    seed: int = 0
    progress: bool = False

    def __post_init__(self):
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, got {self.method!r}")
        if is_fixed(self.method) and not _positive(self.step):
            raise ValueError(f"method {self.method!r} needs a positive step, got step={self.step!r}")
        if self.step is not None and not _positive(self.step):
            raise ValueError(f"step must be a positive number, got {self.step!r}")
        for name in ("tol", "merge", "steady"):
            if getattr(self, name) is not None and not _positive(getattr(self, name)):
                raise ValueError(f"{name} must be a positive number, got {getattr(self, name)!r}")
        if not isinstance(self.max_steps, int) or self.max_steps < 1:
            raise ValueError(f"max_steps must be a positive integer, got {self.max_steps!r}")
        if is_concrete(self.until, self.start) and not (np.isfinite(self.until) and self.until > self.start):
            raise ValueError(f"until must be a finite time after the start {self.start}, got {self.until!r}")

    def times(self, mu):
        """The save times, in the precision of the tokens."""
        dtype = mu.x.dtype if hasattr(mu, "x") else mu.mean.dtype
        if isinstance(self.save, int | np.integer):
            if self.save < 1:
                raise ValueError(f"save must be a positive number of times or a list of times, got {self.save}")
            ts = jnp.linspace(self.start, self.until, int(self.save)) if self.save > 1 else jnp.asarray([self.until])
            return ts.astype(dtype)
        ts = jnp.asarray(self.save, dtype)
        if ts.ndim != 1 or ts.size == 0:
            raise ValueError(f"save must be a number of times or a list of times, got {self.save!r}")
        if is_concrete(ts, self.until, self.start):
            values = np.asarray(ts)
            if not np.all(np.diff(values) > 0):
                raise ValueError("save times must increase strictly")
            if values[0] < self.start or values[-1] > np.asarray(self.until, dtype):
                raise ValueError(f"save times must lie between {self.start} and until={self.until}")
        return ts

    def to_the_end(self, ts):
        """The save times, and the end of the run when it lies after them."""
        end = jnp.asarray(self.until, ts.dtype)
        return jnp.append(ts, end) if is_concrete(ts, end) and float(end) > float(ts[-1]) else ts

    def plan(self):
        from .solve import Plan

        return Plan(self.method, self.max_steps, self.steady is not None, self.progress)

    def tolerance(self, dtype) -> float:
        """The tolerance asked for, if the precision can hold it; else a clear refusal."""
        floor = 10 * float(jnp.finfo(dtype).eps)
        if self.tol is None:
            return max(1e-8, 10 * floor)
        if self.tol < floor:
            need = "; turn on 64-bit numbers: jax.config.update('jax_enable_x64', True)" if floor > 1e-10 else ""
            raise ValueError(f"tol={self.tol:g} is below what {jnp.dtype(dtype).name} can hold ({floor:.1g}){need}")
        return float(self.tol)

    def strategy(self, flow, mu) -> Summation:
        """How sums are done; their errors stay a hundred times below those of the steps."""
        return choose(self.summation, flow, mu, tol=self.tolerance(mu.x.dtype) / 100)

    def jump_times(self, flow, dtype):
        """Times no step may cross: jumps of the weights, and the switch of Mix-LN."""
        times = [] if self.jumps is None else list(np.atleast_1d(np.asarray(self.jumps)))
        scheme = getattr(flow, "normalisation", None)
        if isinstance(scheme, MixLN):
            times.append(scheme.tau)
        return jnp.asarray(sorted(times), dtype) if times else None


def _positive(value) -> bool:
    return value is not None and (not is_concrete(value) or (np.isfinite(value) and value > 0))
