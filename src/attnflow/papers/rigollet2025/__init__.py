"""Rigollet 2025: The mean-field dynamics of Transformers (arXiv 2512.01868), a survey."""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Rigollet",
    title="The mean-field dynamics of Transformers",
    arxiv="2512.01868",
    edition="v1",
    year=2025,
    chapters=("dynamics", "clusters", "noise"),
    note="Read in full; the theorems it quotes from other papers stand under those papers.",
    statements=(
        Line("remark 2, the circle for β > −0.16", "remark2"),
        Line("section 2, blurring mean shift", "mean_shift"),
        Line("hardmax on the sphere", "hardmax"),
        Line("theorem 5, mean field at small β", "theorem5"),
        Line("Θ(√β) clusters from a uniform start", "first_clusters"),
        Line("section 5.3, modes of a density estimate", "number_of_modes"),
        Line("theorem 6, the closest pair merges", "theorem6"),
        Line("equation (6), masses; equation (7), schemes", why="definitions"),
        Line("table of schemes", why="statements of arXiv 2510.22026, see `karagodin2025`"),
        Line("theorem 7, long context", "theorem7"),
        Line("section 7, noise at β = 0 and its threshold", "noise"),
        Line("section 7, where order sets in with a jump", "onset_of_order"),
        Line("section 7, Fokker–Planck equation", "fokker_planck"),
        Line(
            "formal limits of large β (backward heat, porous medium)",
            why="statements of arXiv 2509.25040, see `bruno2025`",
        ),
        Line("caps and the staircase of the energy", why="statements of arXiv 2410.06833, see `geshkovski2025`"),
    ),
)
