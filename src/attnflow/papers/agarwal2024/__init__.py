"""Agarwal, Harchaoui, Mulcahy, Pal 2024 (arXiv 2406.10823, and two posters): Sinkhorn attention as a heat flow.

bary(x) is where a token's mass goes on average under the entropic transport of the prompt to itself (cost ½|x−y|²,
temperature ε); it is Sinkhorn attention with B = I. One bridge step x ← 2x − bary(x) lasts a time ε.

| statement | claim, or why there is none |
|---|---|
| SLDS poster, score limit | `score_limit` |
| SLDS poster, proposition 1; SIAM poster, theorem 2: one step | `proposition1` |
| SLDS poster and abstract, uniform convergence to the heat flow | `heat_flow`; its order is `second_order` |
| SIAM poster, theorem 1: Langevin approximation | `theorem1` |
| SIAM poster, theorem 3: convergence to Fokker–Planck | `theorem3`; its order is `fokker-planck_orders` |
| theorems of the paper itself | only the abstract was seen |
| authors' code, reverse steps | `reverse_steps` |
| arXiv 2412.12007 (fluctuations of the score estimator), 2507.09151 (multi-marginal) | only abstracts were seen |
| derived here | `free_energy`, `fold_margin`, `sphere_heat` (related: arXiv 2512.18867, abstract seen) |
"""

from ..paper import Paper

PAPER = Paper(
    authors="Agarwal, Harchaoui, Mulcahy, Pal",
    title="Iterated Schrödinger bridge approximation to Wasserstein gradient flows",
    arxiv="2406.10823",
    edition='poster of the same title (SIAM, 2024): theorems 1–3; poster "Pretrained Transformers are Heat Flows" '
    "(SLDS, 2024): proposition 1; authors' code",
    year=2024,
    chapters=("bridges", "heat"),
    note="Of the paper itself only the abstract was seen; its theorems are those of the two posters.",
)
