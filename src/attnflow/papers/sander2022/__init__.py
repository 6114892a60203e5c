"""Sander, Ablin, Blondel, Peyré 2022 (arXiv 2110.11773): Sinkformers, attention made doubly stochastic.

| statement | claim, or why there is none |
|---|---|
| equation 3, Sinkhorn's algorithm, odd steps end on rows | `column_sums`; the rule itself is `af.Sinkhorn` |
| equation 4, residual layers | `af.layers`; no statement |
| P minimises KL(P, e^C) over doubly stochastic matrices | `variational_form` |
| proposition 1, invariance under row and column shifts | `proposition1` |
| proposition 2, gradient flows of unnormalised and Sinkhorn attention | `proposition2` |
| proposition 3, softmax is not a Wasserstein gradient | `proposition3` |
| theorem 1, Sinkhorn attention at small temperature | `theorem1` |
| proposition 4, softmax at small temperature | `proposition4` |
| experiments (Vision Transformer, translation, point clouds) | training is outside this project |
| derived here | `column_sums`, `mean` |
"""

from ..paper import Paper

PAPER = Paper(
    authors="Sander, Ablin, Blondel, Peyré",
    title="Sinkformers: Transformers with Doubly Stochastic Attention",
    arxiv="2110.11773",
    edition="AISTATS 2022, with its appendix",
    year=2022,
    chapters=("normalisation", "gradient_flows", "small_temperature"),
)
