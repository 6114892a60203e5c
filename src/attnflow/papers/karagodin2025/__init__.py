"""Karagodin, Ge, Polyanskiy, Rigollet 2025: Normalization in attention dynamics (arXiv 2510.22026).

| statement | claim, or why there is none |
|---|---|
| clustering theorem, Post-LN, nGPT and depth-scaled | `clustering_theorem` |
| clustering theorem, Pre-, Peri- and Mix-LN | `alternative` |
| equal cosines and the table of rates | `equal_cosines` |
| variance law, with the row of nGPT in the table | `variance_law` |
| Appendix D, Łojasiewicz inequality and unstable equilibria | steps of the proof of the clustering theorem |
"""

from ..paper import Paper

PAPER = Paper(
    authors="Karagodin, Ge, Polyanskiy, Rigollet",
    title="Normalization in attention dynamics",
    arxiv="2510.22026",
    edition="formal transcription, and what arXiv 2512.01868 says of it",
    year=2025,
    chapters=("synchronisation", "rates"),
    note="The paper itself was not seen, nor the numbers of its theorems.",
)
