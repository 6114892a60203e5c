"""Numbers for readers: three significant digits, powers of ten as powers."""

from __future__ import annotations

import math
import re

UP = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
LONG = re.compile(r"(?<![\w.^/·])(?<!arXiv )-?\d+\.\d+(?:e[+-]?\d+)?(?![\w.]*\d)|(?<![\w.^/·])-?\d+e[+-]?\d+(?!\w)")


def three(value: float) -> str:
    """A number to three significant digits, e.g. 0.0556, 12.3, 8100, 4·10⁶."""
    value = float(value)
    if not math.isfinite(value):
        return "not a number" if math.isnan(value) else ("∞" if value > 0 else "−∞")
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e5:
        rounded = float(f"{value:.3g}")
        return f"{rounded:,.10g}".replace(",", "").replace("-", "−")
    mantissa, exponent = f"{value:.2e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".").replace("-", "−")
    power = f"10{str(int(exponent)).translate(UP)}"
    return power if mantissa == "1" else f"−{power}" if mantissa == "−1" else f"{mantissa}·{power}"


def rounded(words: str) -> str:
    """A sentence whose long numbers are cut to three significant digits."""
    return LONG.sub(lambda found: three(float(found.group())), words)
