"""Castin, Ablin, Peyré 2024: how smooth is attention? (arXiv 2312.14820)."""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Castin, Ablin, Peyré",
    title="How smooth is attention?",
    arxiv="2312.14820",
    edition="summaries, and the authors' code",
    year=2024,
    chapters=("smoothness",),
    note="Wording, hypotheses and constants of the theorems were not seen.",
    statements=(
        Line("Jacobian of the attention map", "jacobian"),
        Line("Lipschitz constant on a ball, about √n", "general_bound"),
        Line("Lipschitz constant for every number of tokens, in W_p", "mean_field_bound"),
        Line("bound for one input (code)", "input_bound"),
        Line("tokens at which the constant grows like √n (code)", "adversarial_tokens"),
        Line("large radius, almost every input", "large_radius"),
        Line(
            "masked attention in the mean field",
            why="castin2025.masked_stability: the constant without Hardy's factor is false",
        ),
        Line(
            "measurements on BERT and GPT-2",
            why="not claimed: they need the models; the head slicing of the code is wrong by its own comment",
        ),
    ),
)
