"""Bruno, Pasqualotto, Agazzi 2025 (arXiv 2509.25040): three phases of attention at low temperature."""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Bruno, Pasqualotto, Agazzi",
    title="A multiscale analysis of mean-field transformers in the moderate interaction regime",
    arxiv="2509.25040",
    edition="v1",
    year=2025,
    chapters=("alignment", "later"),
    note="Read in full text; displayed formulas were partly lost and reconstructed, that of remark 3.10 among them. The "
    "authors' code was not seen.",
    statements=(
        Line("remarks 2.1 and A.1, feed-forward layers and Q, K", why="conventions"),
        Line("theorem 3.2, linear limit", "theorem3.2"),
        Line("corollary 3.3, finitely many tokens", "corollary3.3"),
        Line("proposition 3.4, dominant eigenspace", "proposition3.4", "jordan_block", why="jordan_block: derived"),
        Line("remark 3.5, limits do not commute", "remark3.5"),
        Line("remark 3.6, no limit need exist", "remark3.6"),
        Line("remark 3.7, added noise", "remark3.7", why="the constant of the Laplacian is derived"),
        Line(
            "proposition 3.9, heat",
            "proposition3.9",
            "collapse_time",
            why="collapse_time: when a mixture first collapses",
        ),
        Line(
            "after proposition 3.9: a collapsed component stays while others go on",
            why="conjectured there, without a time or a distance",
        ),
        Line("remark 3.10, porous medium", "remark3.10", why="its displayed formula is reconstructed"),
        Line("proposition 3.11, pairing", "proposition3.11"),
        Line("lemma A.10, bounds of the density", why="the constant C(V, B, d) was not seen"),
        Line(
            "lemmas A.13, A.15, closed flow with a clock per token",
            why="`LowTemperatureLimit.flow`, tested against integration",
        ),
    ),
)
