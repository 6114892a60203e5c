r"""Equiangular reduction: tokens with one common cosine $\rho$, its differential equation and closed-form time.

Source: Geshkovski et al., arXiv 2312.10794, (6.9)–(6.10) and theorem 6.8; the closed clocks are derived.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from jax.typing import ArrayLike
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import exp1, expi

from ...engine.linalg.arguments import as_annotated, inside, one_of
from ...errors import BadInput

Model = Literal["SA", "USA"]

FEWEST = 1e-7
"""The least share of the way that a layer must make for layers to be counted."""
CLOSED_LIMIT = 600.0
"""Above this exponent the closed clock would overflow and quadrature takes over."""


@as_annotated
def rate(rho: ArrayLike, *, n: int, beta: float, model: Model = "SA"):
    r"""The speed of the common cosine; fixed points are 1 and $-1/(n-1)$.

    $$\rho' = \frac{2(1-\rho)((n-1)\rho+1)}{e^{\beta(1-\rho)}+n-1}\ (SA),\qquad
      \rho' = \tfrac2n e^{\beta\rho}(1-\rho)((n-1)\rho+1)\ (USA)$$

    Source: arXiv 2312.10794 (6.9), (6.10).
    """
    inside(n, "n", least=2)
    rho = np.asarray(rho, float)[()]
    numerator = 2 * (1 - rho) * ((n - 1) * rho + 1)
    if _is_softmax(model):
        return numerator / (np.exp(beta * (1 - rho)) + n - 1)
    return numerator * np.exp(beta * rho) / n


@as_annotated
def time_to(rho: float, *, n: int, beta: float, rho0: float = 0.0, model: Model = "SA") -> float:
    r"""When equiangular tokens that start at cosine `rho0` reach cosine `rho`, without solving an equation.

    $$t = \frac1{2n}\Big\{Ei(\beta s_0)-Ei(\beta s_1)+e^{\beta w}[E_1(\beta(w-s_0))-E_1(\beta(w-s_1))]
          +(n-1)\ln\frac{s_0(w-s_1)}{s_1(w-s_0)}\Big\}$$ with $s=1-\rho$, $w=n/(n-1)$ (SA; USA is similar).
    """
    _check(n, rho0, rho)
    if beta == 0:
        return _kuramoto_clock(rho, n) - _kuramoto_clock(rho0, n)
    if abs(beta) * n / (n - 1) > CLOSED_LIMIT or abs(beta) < 1e-6 or beta < 0:
        return time_by_quadrature(rho, n=n, beta=beta, rho0=rho0, model=model)
    return (_softmax_clock if _is_softmax(model) else _plain_clock)(rho, n, beta, rho0)


def _kuramoto_clock(rho, n):
    return 0.5 * np.log(((n - 1) * rho + 1) / (1 - rho))


def _softmax_clock(rho, n, beta, rho0):
    w, s0, s1 = n / (n - 1), 1 - rho0, 1 - rho
    far = np.exp(beta * w) * (exp1(beta * (w - s0)) - exp1(beta * (w - s1)))
    near = expi(beta * s0) - expi(beta * s1)
    return (near + far + (n - 1) * np.log(s0 * (w - s1) / (s1 * (w - s0)))) / (2 * n)


def _plain_clock(rho, n, beta, rho0):
    c, s0, s1 = 1 / (n - 1), 1 - rho0, 1 - rho
    near = np.exp(-beta) * (expi(beta * s0) - expi(beta * s1))
    return 0.5 * (near + np.exp(beta * c) * (exp1(beta * (rho0 + c)) - exp1(beta * (rho + c))))


@as_annotated
def time_by_quadrature(rho: float, *, n: int, beta: float, rho0: float = 0.0, model: Model = "SA") -> float:
    r"""The same clock as $\int_{\rho_0}^{\rho} dr/\rho'(r)$, in the variable $v = \ln\frac{(n-1)r+1}{1-r}$.

    $$t = \frac1{2n}\int\big(e^{\beta(1-r)}+n-1\big)dv\ (SA),\qquad t = \tfrac12\int e^{-\beta r}dv\ (USA)$$
    """

    def slowness(v):
        apart = n / (np.exp(v) + n - 1)
        return (np.exp(beta * apart) + n - 1) / (2 * n) if _is_softmax(model) else np.exp(-beta * (1 - apart)) / 2

    start, end = 2 * _kuramoto_clock(rho0, n), 2 * _kuramoto_clock(rho, n)
    return quad(slowness, start, end, epsabs=1e-13, epsrel=1e-12, limit=400)[0]


@as_annotated
def cosine(t: ArrayLike, *, n: int, beta: float, rho0: float = 0.0, model: Model = "SA"):
    r"""The common cosine at times t: the clock, inverted; $\rho=(e^{2t}-1)/(e^{2t}+n-1)$ for $\beta=\rho_0=0$."""
    return np.vectorize(lambda s: _cosine_at(s, n, beta, rho0, model), otypes=[float])(t)


def _cosine_at(t, n, beta, rho0, model):
    start, top = -np.log1p(-rho0), 36.0

    def late(u):
        # Rounding on the way to u and back must not lead before the start.
        return time_to(max(rho0, -np.expm1(-u)), n=n, beta=beta, rho0=rho0, model=model) - t

    if t <= 0 or late(start) >= 0:
        return rho0
    return -np.expm1(-brentq(late, start, top, xtol=1e-14, rtol=1e-14)) if late(top) > 0 else 1.0  # pyright: ignore[reportArgumentType, reportOperatorIssue]


def phase_time(beta, *, n: int, delta: float = 1e-3, model: Model = "SA"):
    r"""The curve $t^*(\beta)$ at which orthogonal tokens reach cosine $1-\delta$: the predicted phase boundary."""
    return np.vectorize(lambda b: time_to(1 - delta, n=n, beta=b, model=model), otypes=[float])(beta)


def weights(rho, *, n: int, beta: float):
    """What a token gives itself, and each other token, under softmax."""
    away = np.exp(-beta * (1 - rho))
    total = 1 + (n - 1) * away
    return 1 / total, away / total


def output(rho, *, n: int, beta: float):
    r"""$\langle\theta_i, a_i\rangle$ and $|a_i|$ of the attention output of an equiangular prompt."""
    a, b = weights(rho, n=n, beta=beta)
    return a + (n - 1) * b * rho, np.sqrt(_square(a, b, rho, n))


def mixed_cosine(p, q, rho, n):
    r"""The cosine between $p x_i + q\sum_{k\ne i} x_k$ and its likes."""
    across = p**2 * rho + 2 * p * q * (1 + (n - 2) * rho) + q**2 * ((n - 2) + ((n - 1) ** 2 - (n - 2)) * rho)
    return across / _square(p, q, rho, n)


def layer(rho, *, n: int, beta: float, eta: float):
    r"""One layer $x \leftarrow \mathrm{normalise}(x + \eta a)$, the map all the authors' scripts use, in closed form."""
    a, b = weights(rho, n=n, beta=beta)
    return mixed_cosine(1 + eta * a, eta * b, rho, n)


@as_annotated
def layers_to(rho: float, *, n: int, beta: float, eta: float, rho0: float = 0.0) -> int:
    """How many layers equiangular tokens need to reach cosine `rho`."""
    _check(n, rho0, rho)
    inside(eta, "eta", above=0)
    count, now = 0, rho0
    while now < rho:
        ahead = layer(now, n=n, beta=beta, eta=eta)
        if not ahead - now > (rho - now) * FEWEST:
            raise BadInput(f"{rho:g} is not reached in any reasonable number of layers from the cosine {now:g}")
        now, count = ahead, count + 1
    return count


def _square(p, q, rho, n):
    return p**2 + 2 * p * q * (n - 1) * rho + q**2 * ((n - 1) + (n - 1) * (n - 2) * rho)


def _is_softmax(model) -> bool:
    one_of(model, "model", ("SA", "USA"))
    return model == "SA"


def _check(n, rho0, rho):
    if n < 2:
        raise BadInput(f"an angle needs at least two tokens, got n={n}")
    if not -1 / (n - 1) < rho0 <= rho < 1:
        raise BadInput(f"cosines must satisfy -1/(n-1) < rho0 <= rho < 1, got rho0={rho0}, rho={rho}")
