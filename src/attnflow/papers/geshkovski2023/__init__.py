"""Geshkovski, Letrouit, Polyanskiy, Rigollet 2023: The emergence of clusters in self-attention dynamics (arXiv 2305.05465).

Every numbered statement, and where it is told (file, or why not):

| statement | where |
|---|---|
| theorem 2.1, its rate of P | `limits.py`, `line.py` |
| theorem 3.1 (in full 8.1), rank of P* (talk) | `limits.py`, `identity.py` |
| remark 3.2 (any B) | outside trials of theorems 3.1 and 5.2: observed, not claimed |
| remark 3.3 (no rate) | says that nothing is known |
| remarks 1.1 and 3.4 (layers) | `layers.py` |
| definition 4.1, theorem 4.2, leading logit of its proof | `limits.py`, `eigenspaces.py` |
| conjecture 4.3 | `limits.py` |
| definition 5.1, theorem 5.2 | `limits.py` |
| proposition 6.6 | `layers.py`; the other statements of section 6 are about well-posedness, which no run decides |
| lemmas 7.1 to 7.8, remark 7.9 | `line.py` (7.4 was not among the statements we have) |
| proposition 8.2, theorem 8.5, lemmas 8.7 and 8.9 | `identity.py` |
| lower bound on (d/dt)|z|² off S (proof of 8.1) | its constants and times are not given |
| lemma 9.1, corollary 9.2, lemma 9.3 | `eigenspaces.py` |
| share of good triples among Gaussian matrices (section 4) | `eigenspaces.py` |
| equation 12.1 (perceptron), section 12.1 (complex spectra) | figures 18, 13 and 14: stated without proof |
| captions of figures 6 and 13 | `captions.py` |
"""

from ..paper import Paper

PAPER = Paper(
    authors="Geshkovski, Letrouit, Polyanskiy, Rigollet",
    title="The emergence of clusters in self-attention dynamics",
    arxiv="2305.05465",
    edition="v6",
    year=2023,
    chapters=("limits", "layers", "line", "identity", "eigenspaces", "captions"),
    note="Read in full, with the slides of a talk, where theorems 2.1, 3.1, 4.2 and 5.2 are called 1 to 4.",
)
