"""Low-temperature limit of attention: drift, closed-form linear flow, target measure and rates for a pair (V, B)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import equinox as eqx
import numpy as np
from scipy.linalg import expm

from ...engine.linalg.arguments import as_annotated, inside
from ...engine.linalg.rows import unit_rows
from ...engine.measures import Particles
from ...engine.measures.density import half_mass
from ...errors import BadInput
from .dominant_space import WORDS, DominantSpace, dominant_space
from .intrinsic_time import run_clock
from .laplace import laplace_bound
from .terminal import Terminal, terminal_phase

SINGULAR = 1e-12
"""Singular values below this share of the largest count as 0, and so does |Bᵀx| below this share of ‖B‖."""


@dataclass(frozen=True)
class Rates:
    """Decay rates of the linear flow towards its target; None where no law is known."""

    gap: float
    token: float | None
    """Rate of a single token in common time."""
    w2: float | None
    """Rate of the Wasserstein distance, slower because some tokens start late."""
    words: str


class LowTemperatureLimit(eqx.Module):
    r"""What attention with matrices V and B does as β → ∞ at fixed time.

    $$\dot x = \chi_\infty(x) = \Pi_x V\frac{B^\top x}{|B^\top x|},\qquad A = VB^\top$$

    Tokens stop interacting. The limits β → ∞ and t → ∞ do not commute, so the target is not "the limit of attention".
    B may be singular, as in trained heads, whose rank is that of a head: tokens with $B^\top x = 0$ hear all others alike at
    every temperature, and are refused. Where A has an eigenvalue with positive real part, all others stay away from them.
    Source: Bruno, Pasqualotto, Agazzi 2025 (arXiv 2509.25040), Theorem 3.2; Alcalde et al. 2026 (arXiv 2605.10931).

    >>> import attnflow as af
    >>> import numpy as np
    >>> limit = af.LowTemperatureLimit([[1.0, 0.0], [0.0, 0.4]])
    >>> limit.target(np.array([[0.6, 0.8]])).tolist()
    [[1.0, 0.0]]
    """

    V: np.ndarray
    B: np.ndarray
    tol: float
    dominant: DominantSpace

    @as_annotated
    def __init__(self, V: Any, B: Any = 1.0, *, d: int | None = None, tol: float = 1e-5):
        inside(tol, "tol", least=0)
        self.V, self.B = _square(V, B, d)
        self.tol = tol
        if not np.any(self.B):
            raise BadInput("B is 0: all tokens hear all others alike, and there is no low-temperature limit")
        self.dominant = dominant_space(self.V @ self.B.T, tol=tol)

    @property
    def d(self) -> int:
        return len(self.V)

    @property
    def A(self) -> np.ndarray:
        return self.V @ self.B.T

    @property
    def rank(self) -> int:
        """The rank of B, which is d unless B is singular."""
        return int(np.linalg.matrix_rank(self.B, tol=SINGULAR * np.linalg.norm(self.B, 2)))

    @property
    def kind(self) -> str:
        return self.dominant.kind

    @property
    def has_limit(self) -> bool:
        return self.kind != "complex"

    @property
    def words(self) -> str:
        """The case in plain words, with everything that needs a warning."""
        notes = list(self.dominant.notes)
        if np.linalg.matrix_rank(self.V) < self.d:
            notes.append("V is singular: outside the hypotheses of the theorem, but the limit drift exists")
        if self.rank < self.d:
            notes.append(
                f"B has rank {self.rank} < d = {self.d}: outside the hypotheses of the theorem, and tokens in the kernel of "
                "Bᵀ hear all others alike"
            )
        if self._is_swallowed:
            notes.append("A has no eigenvalue with positive real part: tokens reach that kernel in finite time")
        return "; ".join([WORDS[self.kind], *notes])

    def drift(self, x) -> np.ndarray:
        r"""$\chi_\infty(x)$ for every row of x."""
        x = np.asarray(x, float)
        pulled = self._pulled(x)
        v = unit_rows(pulled) @ self.V.T
        return v - np.sum(x * v, axis=-1, keepdims=True) * x

    def _pulled(self, x):
        """Bᵀx for every row, none of which may vanish."""
        pulled = x @ self.B
        lost = np.linalg.norm(pulled, axis=-1) <= SINGULAR * np.linalg.norm(self.B, 2) * np.linalg.norm(x, axis=-1)
        if np.any(lost):
            raise BadInput(
                f"{int(np.sum(lost))} tokens lie in the kernel of Bᵀ: they hear all others alike, at every β"
            )
        return pulled

    @property
    def _is_swallowed(self) -> bool:
        """Whether tokens end in the kernel of Bᵀ, where the clock of the linear flow stops."""
        return bool(np.linalg.norm(self.dominant.basis.T @ self.B) <= 1e-8 * np.linalg.norm(self.B, 2))

    def flow(self, x, t) -> np.ndarray:
        """Tokens after time t, in closed form; for increasing times t, with a leading time axis."""
        return self._run(x, t)[0]

    def clock(self, x, t) -> np.ndarray:
        """The intrinsic time s of every token at time t."""
        return self._run(x, t)[1]

    def _run(self, x, t):
        x, ts = np.atleast_2d(np.asarray(x, float)), np.atleast_1d(np.asarray(t, float))
        if x.shape[-1] != self.d:
            raise BadInput(f"tokens have dimension {x.shape[-1]}, but V and B act on dimension {self.d}")
        if ts.ndim != 1 or np.any(ts < 0) or np.any(np.diff(ts) <= 0):
            raise BadInput("times must be non-negative and increase strictly")
        lengths = np.linalg.norm(x, axis=1, keepdims=True)
        if not np.all(np.isfinite(lengths)) or np.any(lengths == 0):
            raise BadInput("tokens must be finite and not zero: they are directions")
        x = x / lengths
        self._pulled(x)
        places, clocks = run_clock(self.A, self.B, x=x, ts=ts)
        return (places[0], clocks[0]) if np.ndim(t) == 0 else (places, clocks)

    def target(self, x, *, t: float | None = None) -> np.ndarray:
        r"""Where each token goes, $T(x) = Rx/|Rx|$ with R the projector on E (its nilpotent image for a Jordan block).

        For a complex pair nothing has a limit: give t for the moving target, the projected token after its own time s.
        """
        x = np.atleast_2d(np.asarray(x, float))
        if not self.has_limit:
            return self._moving_target(x, t)
        aimed = x @ self.dominant.direction.T
        lost = self.margin(x) <= 1e-14 * np.linalg.norm(x, axis=1)
        if np.any(lost):
            raise BadInput(
                f"{int(lost.sum())} tokens have no component in the dominant eigenspace: they have no target"
            )
        return unit_rows(aimed)

    def _moving_target(self, x, t):
        if t is None:
            raise BadInput(f"no limit exists: {WORDS['complex']}; give t to get that measure at time t")
        shifted = self.A - self.dominant.top * np.eye(self.d)
        s, start = self.clock(x, t), x @ self.dominant.projector.T
        aimed = np.stack([expm(time * shifted) @ z for time, z in zip(s, start)])
        return unit_rows(aimed)

    def measure(self, mu: Particles, *, t: float | None = None) -> Particles:
        """The target measure of a prompt: the push-forward under `target`; moving with t for a complex pair."""
        return Particles(self.target(np.asarray(mu.x), t=t), mu.mass)

    def margin(self, x) -> np.ndarray:
        """|Rx|/|R|: tokens where it is near zero start late, and where it is zero the target is undefined."""
        R = self.dominant.direction
        return np.linalg.norm(np.atleast_2d(x) @ R.T, axis=1) / np.linalg.norm(R, 2)

    @property
    def atoms(self) -> np.ndarray | None:
        """The two limit points ±v of a simple or Jordan limit of rank one, else None."""
        if not self.has_limit or np.linalg.matrix_rank(self.dominant.direction, tol=self._rank_tol) != 1:
            return None
        left, _, _ = np.linalg.svd(self.dominant.direction)
        v = left[:, 0] * (1 if left[np.argmax(np.abs(left[:, 0])), 0] > 0 else -1)
        return np.stack([v, -v])

    @property
    def normal(self) -> np.ndarray | None:
        """The left vector w whose sign ⟨w, x⟩ says which atom a token reaches; not v unless A is normal."""
        if self.atoms is None:
            return None
        w = self.dominant.direction.T @ self.atoms[0]
        return w / np.linalg.norm(w)

    @property
    def _rank_tol(self):
        return 1e-8 * np.linalg.norm(self.dominant.direction, 2)

    def masses(self, mu=None) -> np.ndarray:
        r"""Masses of the atoms ±v, $\mu_0\{\pm\langle w, x\rangle > 0\}$; None means a uniform start."""
        w = self.normal
        if w is None:
            raise BadInput(f"the target has no atoms: {WORDS[self.kind]}")
        if mu is None:
            return np.array([0.5, 0.5])
        if isinstance(mu, Particles):
            side = np.asarray(mu.x) @ w
            mass = np.asarray(mu.mass)
            return np.array(
                [mass[side > 0].sum() + mass[side == 0].sum() / 2, mass[side < 0].sum() + mass[side == 0].sum() / 2]
            )
        share = half_mass(mu, w)
        return np.array([share, 1 - share])

    def density(self, u) -> np.ndarray:
        r"""Density of the target of a uniform start at unit vectors u of E, against the uniform probability of E's sphere.

        The push-forward of a Gaussian is Gaussian: $\det(\Sigma)^{-1/2}(u^\top\Sigma^{-1}u)^{-k/2}$,
        $\Sigma = E^\top R R^\top E$.
        """
        if self.kind not in ("multiple", "scalar"):
            raise BadInput(f"the target has no density on a sphere: {WORDS[self.kind]}")
        E = self.dominant.basis
        root = E.T @ self.dominant.projector
        sigma = root @ root.T
        c = np.atleast_2d(u) @ E
        form = np.einsum("ni,ij,nj->n", c, np.linalg.inv(sigma), c)
        return np.linalg.det(sigma) ** -0.5 * form ** (-self.dominant.k / 2)

    def sample(self, n: int, *, seed: int, t: float | None = None) -> Particles:
        """Independent draws of the target of a uniform start."""
        x = np.random.default_rng(seed).normal(size=(n, self.d))
        return Particles(self.target(unit_rows(x), t=t))

    def rates(self) -> Rates:
        """Decay rates in common time where a law is known."""
        gap, k = self.dominant.gap, self.dominant.k
        if self.kind == "jordan":
            return Rates(gap, 0.0, 0.0, "Jordan block: W2 decays like 1/t, not exponentially")
        if not np.isfinite(gap):
            return Rates(gap, None, None, "E is the whole space: nothing has to be approached")
        if self._is_swallowed:
            return Rates(gap, None, None, "tokens reach the kernel of Bᵀ in finite time: no rate is known")
        speed = self._isotropic_clock()
        if speed is not None:
            words = (
                "tokens at the gap; W2 at gap·min(k/2, 1), times √t for k = 2, because late tokens start near {Πx = 0}"
            )
            return Rates(gap, gap / speed, gap * min(k / 2, 1) / speed, words)
        if k == 1:
            return self._simple_rates(gap)
        return Rates(gap, None, None, "the clock differs from token to token: only the gap in intrinsic time is known")

    def _isotropic_clock(self):
        """|Bᵀx| when it is the same for all directions."""
        singular = np.linalg.svd(self.B, compute_uv=False)
        return float(singular[0]) if np.ptp(singular) < 1e-12 * singular[0] else None

    def _simple_rates(self, gap):
        v = self.dominant.basis[:, 0]
        fast = gap / np.linalg.norm(self.B.T @ v)
        if self.d > 2:
            return Rates(gap, fast, None, "tokens at gap/|Bᵀv|; the law of W2 for general B is known in the plane only")
        u = np.linalg.svd(self.dominant.projector)[2][1]
        slow = gap / (2 * np.linalg.norm(self.B.T @ u))
        words = "W2 at min(gap/|Bᵀv|, gap/(2|Bᵀu|)): the clock at the limit v, or at the unstable direction u"
        return Rates(gap, fast, min(fast, slow), words)

    def best_time(self, beta: float, *, c: float, C: float, is_smooth: bool = False) -> float:
        r"""When the bound $a\,e^{Ct} + e^{-ct}$ is smallest; c and C are fitted, never the theorem's constants.

        $$t^* = \frac{\log(c/(Ca))}{C+c},\quad a = \sqrt{\log(\beta+1)/\beta}\ \text{(published)},\
          a = 1/\beta\ \text{(smooth start)}$$
        """
        if not (beta > 0 and c > 0 and C > 0):
            raise BadInput(f"beta, c and C must be positive, got {beta}, {c} and {C}")
        a = 1 / beta if is_smooth else np.sqrt(np.log(beta + 1) / beta)
        return float(max(0.0, np.log(c / (C * a)) / (C + c)))

    def terminal(self) -> Terminal:
        """The predicted last phase of a simple limit."""
        if self.kind != "simple":
            raise BadInput(f"the terminal rule is known for a simple top eigenvalue of A; here {WORDS[self.kind]}")
        return terminal_phase(self.V, self.B, self.dominant.basis[:, 0])

    def laplace_bound(self, x, mu: Particles, *, beta: float) -> np.ndarray:
        """A certified bound of |m_β(x) − Bᵀx/|Bᵀx|| for every row of x."""
        return laplace_bound(x, np.asarray(mu.x), B=self.B, beta=beta, mass=np.asarray(mu.mass))


def _numbers(M, name):
    try:
        return np.asarray(M, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"{name} must be a number or a square matrix of numbers, got {type(M).__name__}") from None


def _square(V, B, d):
    V, B = _numbers(V, "V"), _numbers(B, "B")
    sizes = {M.shape[0] for M in (V, B) if M.ndim == 2} | ({d} if d else set())
    if len(sizes) != 1:
        raise BadInput(f"V of shape {V.shape} and B of shape {B.shape} must fix one dimension; give d= for numbers")
    (size,) = sizes
    full = []
    for name, M in (("V", V), ("B", B)):
        M = M * np.eye(size) if M.ndim == 0 else M
        if M.shape != (size, size):
            raise BadInput(f"{name} must be a number or a square matrix of size {size}, got shape {M.shape}")
        if not np.all(np.isfinite(M)):
            raise BadInput(f"{name} must be finite")
        full.append(M)
    return full
