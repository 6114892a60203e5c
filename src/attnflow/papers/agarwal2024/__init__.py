"""Agarwal, Harchaoui, Mulcahy, Pal 2024 (arXiv 2406.10823, and two posters): Sinkhorn attention as a heat flow.

bary(x) is where a token's mass goes on average under the entropic transport of the prompt to itself (cost ½|x−y|²,
temperature ε); it is Sinkhorn attention with B = I. One bridge step x ← 2x − bary(x) lasts a time ε.
"""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Agarwal, Harchaoui, Mulcahy, Pal",
    title="Iterated Schrödinger bridge approximation to Wasserstein gradient flows",
    arxiv="2406.10823",
    edition='poster of the same title (SIAM, 2024): theorems 1–3; poster "Pretrained Transformers are Heat Flows" '
    "(SLDS, 2024): proposition 1; authors' code",
    year=2024,
    chapters=("bridges", "heat"),
    note="Of the paper itself only the abstract was seen; its theorems are those of the two posters.",
    statements=(
        Line("SLDS poster, score limit", "score_limit"),
        Line("SLDS poster, proposition 1; SIAM poster, theorem 2: one step", "proposition1"),
        Line(
            "SLDS poster and abstract, uniform convergence to the heat flow",
            "heat_flow",
            "second_order",
            why="second_order: its order, derived",
        ),
        Line("SIAM poster, theorem 1: Langevin approximation", "theorem1"),
        Line(
            "SIAM poster, theorem 3: convergence to Fokker–Planck",
            "theorem3",
            "fokker-planck_orders",
            why="fokker-planck_orders: its order, derived",
        ),
        Line("theorems of the paper itself", why="only the abstract was seen"),
        Line("authors' code, reverse steps", "reverse_steps"),
        Line(
            "arXiv 2505.07647 (Langevin generator), 2412.12007 (fluctuations of the score estimator), 2507.09151 "
            "(multi-marginal)",
            why="only abstracts were seen",
        ),
        Line(
            "derived here",
            "free_energy",
            "fold_margin",
            "sphere_heat",
            why="sphere_heat is related to arXiv 2512.18867, of which the abstract was seen",
        ),
    ),
)
