"""Alcalde, Bungert, Riedl, Roith 2026 (arXiv 2605.10931): attention close to its low-temperature target."""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Alcalde, Bungert, Riedl, Roith",
    title="Quantifying concentration phenomena of mean-field transformers in the low-temperature regime",
    arxiv="2605.10931",
    edition="abstract and public summaries",
    year=2026,
    chapters=("concentration", "several_heads", "whole_layers"),
    note="Constants and hypotheses of the theorem were not seen.",
    statements=(
        Line("abstract, the bound on W₂", "abstract"),
        Line("summaries, the terminal phase", "terminal_phase"),
        Line("abstract, a quantitative Laplace principle", "laplace_principle", why="ours, derived"),
        Line("one cluster of several heads", "gathered_heads", "dominant_plane", why="ours, derived"),
        Line("opposite clusters of several heads", "signed_consensus", why="ours, derived"),
        Line("one cluster of a whole layer", "layer_consensus", why="ours, derived"),
        Line("theorems and constants", why="not seen"),
    ),
)
