"""Geshkovski, Koubbi, Polyanskiy, Rigollet 2025: Dynamic metastability in the self-attention model (arXiv 2410.06833).

The paper was not seen: statements are those of a formal transcription, without printed numbers, and of the authors' code.

| statement | claim, or why there is none |
|---|---|
| caps theorem, times T₁ and T₂ | caps; its bound on λ: lambda |
| bound on α for orthogonal centres | alpha |
| caps theorem for the mean field | crowd |
| lemma on the least cosine of one cap | cap_growth |
| scalar lemma on collapse | collapse |
| lemma on tight groups | tight |
| uniform data are separated | uniform, by trials only: its probability is positive only for d > 6·10⁵⁷ |
| data that are not separated | unseparated |
| d = 2: probability of separation ≤ cⁿ | the constant is not given |
| slow manifold (Otto and Reznikoff) | slow_manifold; the inequality of Polyak and Łojasiewicz is used qualitatively only |
| staircase theorem | staircase; its energy scale: energy_scale; its time scale: timescale |
| clock of the staircase figure | clock_b (authors' code; closed form derived) |
| start of the staircase figure | staircase_figure_start |
| τ' = log β/|∇E| | an open problem of the paper |
"""

from ..paper import Paper

PAPER = Paper(
    authors="Geshkovski, Koubbi, Polyanskiy, Rigollet",
    title="Dynamic metastability in the self-attention model",
    arxiv="2410.06833",
    edition="v1, from a transcription and the authors' code",
    year=2025,
    chapters=("caps", "separation", "groups", "staircase"),
    note="The paper itself was not seen; its theorems have names here, not numbers.",
)
