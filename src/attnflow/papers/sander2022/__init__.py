"""Sander, Ablin, Blondel, Peyré 2022 (arXiv 2110.11773): Sinkformers, attention made doubly stochastic."""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Sander, Ablin, Blondel, Peyré",
    title="Sinkformers: Transformers with Doubly Stochastic Attention",
    arxiv="2110.11773",
    edition="AISTATS 2022, with its appendix",
    year=2022,
    chapters=("normalisation", "gradient_flows", "small_temperature"),
    statements=(
        Line(
            "equation 3, Sinkhorn's algorithm, odd steps end on rows",
            "column_sums",
            why="the rule itself is `af.Sinkhorn`",
        ),
        Line("equation 4, residual layers", why="`af.layers`; no statement"),
        Line("P minimises KL(P, e^C) over doubly stochastic matrices", "variational_form"),
        Line("proposition 1, invariance under row and column shifts", "proposition1"),
        Line("proposition 2, gradient flows of unnormalised and Sinkhorn attention", "proposition2"),
        Line("proposition 3, softmax is not a Wasserstein gradient", "proposition3"),
        Line("theorem 1, Sinkhorn attention at small temperature", "theorem1"),
        Line("proposition 4, softmax at small temperature", "proposition4"),
        Line("experiments (Vision Transformer, translation, point clouds)", why="training is outside this project"),
        Line("derived here", "column_sums", "mean"),
    ),
)
