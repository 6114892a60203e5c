"""Linear systems whose entries decay far below float64 rounding, solved in many digits.

Kernels of exponentials have Fourier and Legendre coefficients that fall like 1/k!, so their Galerkin systems lose all
digits beyond a few modes in float64; decimal arithmetic of a fixed number of digits is exact enough and takes
milliseconds at these sizes.
"""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np


def decimals(values) -> np.ndarray:
    """An object array of decimals, exactly equal to the given floats or integers."""
    return np.vectorize(lambda v: Decimal(v), otypes=[object])(np.asarray(values, dtype=object))


def bessel_table(count: int, x: float, *, digits: int) -> np.ndarray:
    r"""$I_0(x), \dots, I_{count}(x)$ by their power series, as decimals.

    $$I_k(x) = \sum_j \frac{(x/2)^{2j+k}}{j!\,(j+k)!}$$
    """
    with localcontext() as context:
        context.prec = digits
        half = Decimal(x) / 2
        table, lead = [], Decimal(1)
        for k in range(count + 1):
            table.append(_series(lead, half * half, k, digits))
            lead = lead * half / (k + 1)
        return np.array(table, dtype=object)


def _series(lead, square, k, digits):
    total, term, j = lead, lead, 1
    while term and abs(term) > abs(total) * Decimal(10) ** -digits:
        term = term * square / (j * (j + k))
        total, j = total + term, j + 1
    return total


def solve(A: np.ndarray, b: np.ndarray, *, digits: int) -> np.ndarray:
    """Gaussian elimination without pivoting, for positive definite decimal matrices."""
    with localcontext() as context:
        context.prec = digits
        A, b, n = A.copy(), b.copy(), len(A)
        for i in range(n):
            for r in range(i + 1, n):
                factor = A[r, i] / A[i, i]
                A[r, i:] = A[r, i:] - factor * A[i, i:]
                b[r] = b[r] - factor * b[i]
        x = np.empty(n, dtype=object)
        for i in reversed(range(n)):
            x[i] = (b[i] - sum(A[i, j] * x[j] for j in range(i + 1, n))) / A[i, i]
        return x
