"""Geshkovski, Koubbi, Polyanskiy, Rigollet 2025: Dynamic metastability in the self-attention model (arXiv 2410.06833).

The paper was not seen: statements are those of a formal transcription, without printed numbers, and of the authors' code.
"""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Geshkovski, Koubbi, Polyanskiy, Rigollet",
    title="Dynamic metastability in the self-attention model",
    arxiv="2410.06833",
    edition="v1, from a transcription and the authors' code",
    year=2025,
    chapters=("caps", "separation", "groups", "staircase"),
    note="The paper itself was not seen; its theorems have names here, not numbers.",
    statements=(
        Line("caps theorem, times T₁ and T₂", "caps", "lambda", why="lambda: its bound on λ"),
        Line("bound on α for orthogonal centres", "alpha"),
        Line("caps theorem for the mean field", "crowd", why="its proof, as transcribed, has gaps"),
        Line("lemma on the least cosine of one cap", "cap_growth"),
        Line("scalar lemma on collapse", "collapse"),
        Line("lemma on tight groups", "tight"),
        Line(
            "uniform data are separated",
            "uniform",
            why="by trials only: its probability is positive only for d > 6·10⁵⁷",
        ),
        Line("data that are not separated", "unseparated"),
        Line("d = 2: probability of separation ≤ cⁿ", why="the constant is not given"),
        Line(
            "slow manifold (Otto and Reznikoff)",
            "slow_manifold",
            why="the inequality of Polyak and Łojasiewicz is used qualitatively only",
        ),
        Line(
            "staircase theorem",
            "staircase",
            "energy_scale",
            "timescale",
            why="energy_scale, timescale: the scales it is stated on; the clock is that of the closest pair, since with the "
            "transcribed one, a maximum over far pairs, the plateaus vanish",
        ),
        Line("clock of the staircase figure", "clock_b", why="authors' code; closed form derived"),
        Line("start of the staircase figure", "staircase_figure_start"),
        Line("τ' = log β/|∇E|", why="an open problem of the paper"),
    ),
)
