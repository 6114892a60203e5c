"""Castin, Ablin, Peyré 2024: how smooth is attention? (arXiv 2312.14820).

The full text was not read, so theorem numbers are not cited. What summaries and the authors' code say:

| statement | claim, or why not |
|---|---|
| Jacobian of the attention map | jacobian |
| Lipschitz constant on a ball, about √n | general bound |
| Lipschitz constant for every number of tokens, in W_p | mean field bound |
| bound for one input (code) | input bound |
| tokens at which the constant grows like √n (code) | adversarial tokens |
| large radius, almost every input | large radius |
| masked attention in the mean field | castin2025.masked_stability: the constant without Hardy's factor is false |
| measurements on BERT and GPT-2 | not claimed: they need the models; the head slicing of the code is wrong by its own comment |
"""

from ..paper import Paper

PAPER = Paper(
    authors="Castin, Ablin, Peyré",
    title="How smooth is attention?",
    arxiv="2312.14820",
    edition="summaries, and the authors' code",
    year=2024,
    chapters=("smoothness",),
    note="Wording, hypotheses and constants of the theorems were not seen.",
)
