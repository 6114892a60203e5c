"""What a user may say about a run, checked before anything is compiled."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from ..matrices import is_concrete, is_number, is_positive
from ..normalisation import MixLN
from ..summation import Summation, choose
from .stepping import METHODS, grid, is_fixed
from .trajectory import Stride


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
    derivatives: str = "reverse"

    def __post_init__(self):
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, got {self.method!r}")
        if self.derivatives not in ("reverse", "forward"):
            raise ValueError(
                f'derivatives must be "reverse" (grad) or "forward" (jvp, jacfwd), got {self.derivatives!r}'
            )
        if is_fixed(self.method) and not is_positive(self.step):
            raise ValueError(f"method {self.method!r} needs a positive step, got step={self.step!r}")
        if self.step is not None and not is_positive(self.step):
            raise ValueError(f"step must be a positive number, got {self.step!r}")
        for name in ("tol", "merge", "steady"):
            if getattr(self, name) is not None and not is_positive(getattr(self, name)):
                raise ValueError(f"{name} must be a positive number, got {getattr(self, name)!r}")
        if not isinstance(self.seed, int | np.integer) or self.seed < 0:
            raise ValueError(f"seed must be a whole number from 0 on, got {self.seed!r}")
        if not isinstance(self.max_steps, int | np.integer) or self.max_steps < 1:
            raise ValueError(f"max_steps must be a positive integer, got {self.max_steps!r}")
        if not is_number(self.start):
            raise ValueError(f"start must be a finite time, got {self.start!r}")
        if not is_number(self.until) or (is_concrete(self.until, self.start) and not self.until > self.start):
            raise ValueError(f"until must be a finite time after the start {self.start}, got {self.until!r}")

    @property
    def stride(self) -> Stride | None:
        """The fixed steps of the run, if it has any."""
        return Stride(self.method, float(self.step)) if is_fixed(self.method) and is_concrete(self.step) else None  # pyright: ignore[reportArgumentType]

    def check_step(self):
        if self.step is not None and not is_fixed(self.method):
            raise ValueError("step is for fixed-step methods and noise; adaptive methods take tol")

    def times(self, mu):
        """The save times, in the precision of the tokens; known inside `jit` too, unless the end is traced."""
        dtype = mu.x.dtype if hasattr(mu, "x") else mu.mean.dtype
        if not is_concrete(self.until, self.start, self.save):
            return self._times(jnp, dtype)
        ts = self._times(np, dtype)
        if not np.all(np.diff(ts) > 0):
            raise ValueError("save times must increase strictly")
        if not self.start <= ts[0] <= ts[-1] <= np.asarray(self.until, dtype):
            raise ValueError(f"save times must lie between {self.start} and until={self.until}")
        return constant(ts)

    def _times(self, array, dtype):
        if isinstance(self.save, int | np.integer):
            if self.save < 1:
                raise ValueError(f"save must be a positive number of times or a list of times, got {self.save}")
            ends = (self.start, self.until)
            return (array.linspace(*ends, int(self.save)) if self.save > 1 else array.asarray(ends[1:])).astype(dtype)
        try:
            ts = array.asarray(self.save, dtype)
        except (TypeError, ValueError):
            ts = array.empty(0)
        if ts.ndim != 1 or ts.size == 0:
            raise ValueError(f"save must be a number of times or a list of times, got {self.save!r}")
        return ts

    def to_the_end(self, ts):
        """The save times, and the end of the run when it lies after them."""
        if not is_concrete(ts, self.until):
            return ts
        values, end = np.asarray(ts), np.asarray(self.until, ts.dtype)
        return constant(np.append(values, end)) if end > values[-1] else ts

    def plan(self):
        from .solve import Plan

        has_derivatives = self.derivatives == "reverse"
        watching = self.steady is not None
        return Plan(self.method, int(self.max_steps), watching, self.progress, has_derivatives=has_derivatives)

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
        """Times no step may cross: jumps of the weights, and the switch of Mix-LN in a flow or a list of flows."""
        schemes = [getattr(one, "normalisation", None) for one in (flow if isinstance(flow, list) else [flow])]
        times = [] if self.jumps is None else list(np.atleast_1d(np.asarray(self.jumps)))
        times += [scheme.tau for scheme in schemes if isinstance(scheme, MixLN)]
        if not times:
            return None
        return constant(np.unique(times).astype(dtype)) if is_concrete(times) else jnp.sort(jnp.asarray(times, dtype))

    def fixed_steps(self, ts, step, jumps=None) -> Array:
        """The ends of fixed steps through the times ts; at a jump one ends just before it and the next begins at it."""
        if not is_concrete(ts, self.start):
            raise ValueError("fixed steps need a known end: until and save cannot be traced by jit, vmap or grad")
        ts = np.asarray(ts)
        if jumps is not None and is_concrete(jumps):
            inside = np.asarray(jumps)[(np.asarray(jumps) > self.start) & (np.asarray(jumps) < ts[-1])]
            ts = np.concatenate([ts, inside, np.nextafter(inside, ts.dtype.type(-np.inf))])
        return constant(grid(ts, float(self.start), step).astype(ts.dtype))


def checked(options: dict) -> Options:
    unknown = set(options) - set(Options.__dataclass_fields__)
    if unknown:
        known = ", ".join(Options.__dataclass_fields__)
        raise ValueError(f"unknown option {', '.join(sorted(unknown))}; evolve knows {known}")
    return Options(**options)


def constant(values: np.ndarray) -> Array:
    """An array that may be looked at, inside `jit` too."""
    with jax.ensure_compile_time_eval():
        return jnp.asarray(values)
