"""Bruno, Pasqualotto, Agazzi 2025 (arXiv 2509.25040): three phases of attention at low temperature.

| statement | claim, or why there is none |
|---|---|
| remarks 2.1 and A.1, feed-forward layers and Q, K | conventions |
| theorem 3.2, linear limit | `theorem3.2` |
| corollary 3.3, finitely many tokens | `corollary3.3` |
| proposition 3.4, dominant eigenspace | `proposition3.4`; a Jordan block: `jordan_block` (derived) |
| remark 3.5, limits do not commute | says what need not hold; see the terminal phase of `alcalde2026` |
| remark 3.6, no limit need exist | `remark3.6` |
| remark 3.7, added noise | names a Laplacian without a constant |
| proposition 3.9, heat | `proposition3.9`; its collapse time: `collapse_time` |
| remark 3.10, porous medium | `remark3.10` |
| proposition 3.11, pairing | `proposition3.11` |
| lemma A.10, bounds of the density | the constant C(V, B, d) was not seen |
| lemmas A.13, A.15, closed flow with a clock per token | `LowTemperatureLimit.flow`, tested against integration |
"""

from ..paper import Paper

PAPER = Paper(
    authors="Bruno, Pasqualotto, Agazzi",
    title="A multiscale analysis of mean-field transformers in the moderate interaction regime",
    arxiv="2509.25040",
    edition="v1",
    year=2025,
    chapters=("alignment", "later"),
    note="Read in full text; displayed formulas were partly lost and reconstructed. The authors' code was not seen.",
)
