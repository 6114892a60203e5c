"""Mathematics for a page without network: LaTeX as MathML, which browsers set themselves."""

from __future__ import annotations

from html import escape

from latex2mathml.converter import convert


def as_mathml(latex: str, *, is_display: bool = False) -> str:
    """MathML; or the LaTeX itself where it cannot be converted."""
    try:
        return convert(latex, display="block" if is_display else "inline")
    except Exception:
        return f"<code>{escape(latex)}</code>"
