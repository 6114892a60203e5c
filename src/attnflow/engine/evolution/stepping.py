"""Time-stepping methods: adaptive ones of diffrax, or fixed steps of true order."""

from __future__ import annotations

from itertools import pairwise

import diffrax
import jax
import jax.numpy as jnp
import numpy as np
import optimistix

from ..spaces import Space


class Stiff(diffrax.Kvaerno5):
    r"""Kvaernø's implicit method of order 5 with a Jacobian for every stage.

    With one for every step, as diffrax has it, Newton's iteration diverges in two of five steps of sharp attention, where
    $e^{\beta\langle x, y\rangle}$ changes by factors within a step; how far steps can go is then a matter of rounding.
    """

    root_finder: optimistix.AbstractRootFinder = diffrax.with_stepsize_controller_tols(optimistix.Chord)()


ADAPTIVE = {
    "adaptive": diffrax.Dopri8,
    "tsit5": diffrax.Tsit5,
    "dopri5": diffrax.Dopri5,
    "dopri8": diffrax.Dopri8,
    "stiff": Stiff,
}


class RK4(diffrax.AbstractERK):
    """The classical fourth-order method, which diffrax does not ship."""

    tableau = diffrax.ButcherTableau(
        a_lower=(np.array([0.5]), np.array([0.0, 0.5]), np.array([0.0, 0.0, 1.0])),
        b_sol=np.array([1 / 6, 1 / 3, 1 / 3, 1 / 6]),
        b_error=np.array([1 / 6, 1 / 3, 1 / 3, 1 / 6]) - np.array([0.0, 1.0, 0.0, 0.0]),
        c=np.array([0.5, 0.5, 1.0]),
    )
    interpolation_cls = diffrax.ThirdOrderHermitePolynomialInterpolation.from_k

    def order(self, terms):
        return 4


FIXED = {"euler": diffrax.Euler, "midpoint": diffrax.Midpoint, "heun": diffrax.Heun, "rk4": RK4}

METHODS = (*ADAPTIVE, *FIXED)


class Retracted(diffrax.AbstractAdaptiveSolver, diffrax.AbstractWrappedSolver):
    """A solver whose accepted states are put back on the space, so |x| = 1 holds to round-off.

    The field depends on a token only through its retraction, so derivatives stored by the inner solver stay valid.
    """

    solver: diffrax.AbstractSolver
    space: Space

    @property
    def term_structure(self):
        return self.solver.term_structure

    @property
    def interpolation_cls(self):
        return self.solver.interpolation_cls

    @property
    def scan_kind(self):
        return getattr(self.solver, "scan_kind", "lax")

    @property
    def root_finder(self):
        """Of implicit methods; diffrax sets its tolerances through here."""
        return self.solver.root_finder  # pyright: ignore[reportAttributeAccessIssue]

    @property
    def term_compatible_contr_kwargs(self):
        return self.solver.term_compatible_contr_kwargs

    def order(self, terms):
        return self.solver.order(terms)

    def strong_order(self, terms):
        return self.solver.strong_order(terms)

    def error_order(self, terms):
        return self.solver.error_order(terms)

    def init(self, terms, t0, t1, y0, args):
        return self.solver.init(terms, t0, t1, y0, args)

    def func(self, terms, t0, y0, args):
        return self.solver.func(terms, t0, y0, args)

    def step(self, terms, t0, t1, y0, args, solver_state, made_jump):
        y1, *rest = self.solver.step(terms, t0, t1, y0, args, solver_state, made_jump)
        return self.space.retract(y1), *rest


def grid(ts: np.ndarray, start: float, step: float) -> np.ndarray:
    """Equal steps of at most `step` inside each save interval, so that no saved value is interpolated."""
    points = np.unique(np.concatenate([[start], ts]))
    # An interval of one step may be longer than it by the rounding of its two ends.
    room = min(1e-2, 1e-9 + 2 * np.finfo(ts.dtype).eps * np.abs(points).max() / step)
    counts = np.maximum(1, np.ceil(np.diff(points) / step - room)).astype(int)
    pieces = [np.linspace(a, b, k + 1)[1:] for (a, b), k in zip(pairwise(points), counts)]
    return np.concatenate([points[:1], *pieces])


def solver_of(method: str, space: Space, *, has_derivatives: bool = True) -> diffrax.AbstractSolver:
    kind = (ADAPTIVE | FIXED)[method]
    is_staged = issubclass(kind, diffrax.AbstractRungeKutta)
    return Retracted(kind(scan_kind="lax") if is_staged and not has_derivatives else kind(), space)


def is_fixed(method: str) -> bool:
    return method in FIXED


def controller(clock, dtmin):
    """Error control for every token (maximum norm), or the prescribed grid."""
    if is_fixed(clock.plan.method):
        return diffrax.StepTo(clock.steps)
    atol = clock.tol if clock.size is None else clock.tol * clock.size
    pid = diffrax.PIDController(
        rtol=clock.tol, atol=atol, norm=largest, dtmin=dtmin, force_dtmin=False, pcoeff=0.3, icoeff=0.4
    )
    return pid if clock.jumps is None else diffrax.ClipStepSizeController(pid, jump_ts=clock.jumps)


def largest(tree):
    """The largest entry: the tolerance holds for every token, not for their average."""
    return jax.tree.reduce(jnp.maximum, jax.tree.map(lambda a: jnp.max(jnp.abs(a)), tree))
