"""Geshkovski, Letrouit, Polyanskiy, Rigollet 2024: A mathematical perspective on Transformers (arXiv 2312.10794)."""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Geshkovski, Letrouit, Polyanskiy, Rigollet",
    title="A mathematical perspective on Transformers",
    arxiv="2312.10794",
    edition="v4",
    year=2024,
    chapters=("energy", "one_cluster", "hemisphere", "equiangular", "circle", "repulsion"),
    note="A later version 5 was not seen.",
    statements=(
        Line("(2.3)–(2.8) models", why="definitions: `Flow`, `Softmax`, `Unnormalised`, `Heads`"),
        Line(
            "(3.2)–(3.4) continuity equation, stability in W₁",
            why="constants are not given; `castin2025` has a bound with constants",
        ),
        Line("(3.5), (3.6), (3.8) energy and its rate", "energy_identity"),
        Line("(3.7) field as a gradient", "equation3.7"),
        Line("proposition 3.4", "proposition3.4"),
        Line("appendix A, escape from saddles", why="a step of the proofs of theorems 4.1 to 6.1; it needs d ≥ 2"),
        Line("theorem 4.1", "theorem4.1"),
        Line("theorem 4.2", "theorem4.2"),
        Line(
            "theorem 4.3", "theorem4.3", why="for d = 2; for d ≥ 3 the constant is not given, and theorem 6.1 says more"
        ),
        Line("theorem 5.1", "theorem5.1", why="for d = 2; for d ≥ 3 as before"),
        Line("theorem 6.1", "theorem6.1", why="the circle by later work: `rigollet2025.remark2`"),
        Line("theorem 6.3, lemma 6.4", "lemma6.4", why="d ≥ n tokens in general position always share a hemisphere"),
        Line("(6.7), (6.8) rate of collapse", "equation6.8"),
        Line("theorem 6.7", "theorem6.7"),
        Line("theorem 6.8, (6.9), (6.10)", "theorem6.8"),
        Line(
            "theorem 6.9, (D.15)", "theorem6.9", why="by trials only: no run of a size that exists meets its hypotheses"
        ),
        Line("(D.8)", "equationd.8"),
        Line("(7.1)", "equation7.1"),
        Line("(8.1) law of a pair", why="not closed: it contains the law of three tokens"),
        Line("theorem 9.2", "theorem9.2"),
        Line("(9.1) flow in R^d", why="`geshkovski2023`"),
        Line(
            "example 9.3, (9.5) hardmax limit", why="not a statement about runs; ties are told by `limits.certificate`"
        ),
    ),
)
