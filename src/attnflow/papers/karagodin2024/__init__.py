"""Karagodin, Polyanskiy, Rigollet 2024: Clustering in causal attention masking (arXiv 2411.04990)."""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Karagodin, Polyanskiy, Rigollet",
    title="Clustering in causal attention masking",
    arxiv="2411.04990",
    edition="formal transcription of v2 and public notes, with their numbering",
    year=2024,
    chapters=("causal",),
    note="The paper itself was not seen.",
    statements=(
        Line("theorem 4.1, all tokens tend to the first", "theorem4.1"),
        Line(
            "atlas of outcomes by the top eigenvalue of V",
            why="conjectured from pictures; only its first row, theorem 4.1, is proved",
        ),
        Line("lemma 5.1, strong Rényi centres hardly move", "lemma5.1"),
        Line("theorem 5.2, frozen tokens capture all others", "theorem5.2"),
        Line("lemma 5.3, a gradient flow token by token", why="the energies of the tokens were not seen"),
        Line("lemma C.1, how many strong Rényi centres", "lemmac.1"),
        Line("final collapse takes e^{Ω(√β)}", why="the constant is not given"),
        Line("number of ordinary centres, order β^{(d−1)/2}", why="a statement on parking, not on attention"),
    ),
)
