"""Geshkovski, Letrouit, Polyanskiy, Rigollet 2023: The emergence of clusters in self-attention dynamics (arXiv 2305.05465)."""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Geshkovski, Letrouit, Polyanskiy, Rigollet",
    title="The emergence of clusters in self-attention dynamics",
    arxiv="2305.05465",
    edition="v6",
    year=2023,
    chapters=("limits", "layers", "line", "identity", "eigenspaces", "captions"),
    note="Read in full, with the slides of a talk, where theorems 2.1, 3.1, 4.2 and 5.2 are called 1 to 4.",
    statements=(
        Line("theorem 2.1, its rate of P", "theorem2.1", "rate_of_p"),
        Line("theorem 3.1", "theorem3.1"),
        Line("theorem 8.1, the set S in full", "theorem8.1"),
        Line("rank of P* (talk)", "rank_of_p*"),
        Line("remark 3.2 (any B)", why="observed, not claimed: trials without the hypothesis in theorems 3.1 and 5.2"),
        Line("remark 3.3 (no rate)", why="says that nothing is known"),
        Line("remarks 1.1 and 3.4 (layers)", "remark3.4"),
        Line("section 1, units of V and QK on the line", "scaling_on_the_line"),
        Line("definition 4.1, theorem 4.2", "theorem4.2"),
        Line("proof of theorem 4.2, leading logit", "leading_logit"),
        Line("conjecture 4.3", "conjecture4.3"),
        Line("definition 5.1, theorem 5.2", "theorem5.2"),
        Line("proposition 6.6", "proposition6.6"),
        Line("other statements of section 6", why="about well-posedness, which no run decides"),
        Line("lemmas 7.1 to 7.3", "lemma7.1", "lemma7.2", "lemma7.3"),
        Line("lemma 7.4", why="not among the statements we have"),
        Line("lemmas 7.5 to 7.8", "lemma7.5", "lemma7.6", "lemma7.7", "lemma7.8"),
        Line("remark 7.9", "remark7.9"),
        Line("proposition 8.2", "proposition8.2"),
        Line("theorem 8.5", "theorem8.5", "decay", why="decay: its rate, derived"),
        Line("lemmas 8.7 and 8.9", "lemma8.7", "lemma8.9"),
        Line("lower bound on (d/dt)|z|² off S (proof of 8.1)", why="its constants and times are not given"),
        Line("lemma 9.1, corollary 9.2, lemma 9.3", "lemma9.1", "corollary9.2", "lemma9.3"),
        Line("share of good triples among Gaussian matrices (section 4)", "share_of_good_triples"),
        Line(
            "equation 12.1 (perceptron), section 12.1 (complex spectra)",
            why="stated without proof; figures 18, 13 and 14",
        ),
        Line("captions of figures 6 and 13", "figure6", "figure13"),
    ),
)
