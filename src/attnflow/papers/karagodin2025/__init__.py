"""Karagodin, Ge, Polyanskiy, Rigollet 2025: Normalization in attention dynamics (arXiv 2510.22026)."""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Karagodin, Ge, Polyanskiy, Rigollet",
    title="Normalization in attention dynamics",
    arxiv="2510.22026",
    edition="formal transcription, and what arXiv 2512.01868 says of it",
    year=2025,
    chapters=("synchronisation", "rates"),
    note="The paper itself was not seen, nor the numbers of its theorems.",
    statements=(
        Line("clustering theorem, Post-LN, nGPT and depth-scaled", "clustering_theorem"),
        Line("clustering theorem, Pre-, Peri- and Mix-LN", "alternative"),
        Line("equal cosines, first speed of orthogonal tokens and the table of rates", "equal_cosines"),
        Line("variance law, with the row of nGPT in the table", "variance_law"),
        Line(
            "Appendix D, Łojasiewicz inequality and unstable equilibria", "clustering_theorem", why="steps of the proof"
        ),
    ),
)
