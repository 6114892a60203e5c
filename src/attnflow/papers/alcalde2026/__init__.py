"""Alcalde, Bungert, Riedl, Roith 2026 (arXiv 2605.10931): attention close to its low-temperature target.

| statement | claim, or why there is none |
|---|---|
| abstract, the bound on W₂ | `abstract` |
| summaries, the terminal phase | `terminal_phase` |
| abstract, a quantitative Laplace principle | `laplace_principle` (ours, derived) |
| theorems and constants | not seen |
"""

from ..paper import Paper

PAPER = Paper(
    authors="Alcalde, Bungert, Riedl, Roith",
    title="Quantifying concentration phenomena of mean-field transformers in the low-temperature regime",
    arxiv="2605.10931",
    edition="abstract and public summaries",
    year=2026,
    chapters=("concentration",),
    note="Constants and hypotheses of the theorem were not seen.",
)
