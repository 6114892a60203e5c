"""Alcalde, Geshkovski, Ruiz-Balet 2025: Attention's forward pass and Frank–Wolfe (arXiv 2508.09628)."""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Alcalde, Geshkovski, Ruiz-Balet",
    title="Attention's forward pass and Frank-Wolfe",
    arxiv="2508.09628",
    edition="formal transcription of v1",
    year=2025,
    chapters=("frank_wolfe",),
    note="The paper itself was not seen; of its numbers only that of theorem 3.1 is known.",
    statements=(
        Line("theorem 3.1, B ≤ 0: tokens collapse at rate 1/t", "theorem3.1"),
        Line(
            "section 4, duality gap",
            why="quoted there from the literature on Frank–Wolfe; not a statement on attention",
        ),
        Line("section 4, vertices and their cells", "vertex_theorem", why="layers and the equation in continuous time"),
        Line("section 4, exponential convergence", "exponential_rate"),
        Line("section 4, Gaussian vertices own their cells as d → ∞", why="no rate is stated, so no d decides"),
        Line("section 5, softmax layers collapse to one point", "softmax_collapse"),
        Line("section 5, trapping times e^{cβ}", why="probabilities of a Markov chain whose constants were not seen"),
    ),
)
