"""Burger, Kabri, Korolev, Roith, Weigand 2025 (arXiv 2501.03096): attention on the sphere as a gradient flow.

For V = ±B and symmetric B attention climbs or descends $E(\\mu) = \\iint e^{\\langle x,By\\rangle}d\\mu\\,d\\mu$; softmax does
so in a transport distance with the nonlocal mobility 1/K, $K(x) = \\int e^{\\langle x,By\\rangle}d\\mu(y)$.

| statement | claim, or why there is none |
|---|---|
| remark 2.1, theorem 2.3, lemma 2.4, corollary 2.5, lemmas 2.6 (chain rule) and 2.7 | text not seen |
| theorem 2.2, existence of geodesics | `theorem2.2` |
| energy dissipation (summary) | `dissipation` |
| every limit is stationary; both normalisations share these states (abstract) | `stationary_states` |
| lem:statcomb, two opposite clusters are stationary (caption of figure 2) | `stationary_states`, `cluster_states` |
| maximisers (caption of figure 2), minimisers (caption of figure 3) | `maximisers`, `minimisers` |
| table 1, definiteness of B and extremisers | not seen; `maximisers` and `minimisers` give the complete list |
| lem:symmetricpeaks (caption of figure 4) | `symmetric_peaks` |
| thm:perturbidentity (authors' code) | `perturbed_identity` |
| captions of figures 6 and 7 | not seen; the figures are drawn from the authors' code |
| the other statements of the 39 | text not seen |
| derived here | `distance_bounds`, `nonsymmetric_scores`, `cluster_states`, `uniform_state` |
| derived here | `semidefinite_descent`, `safe_layers` |
"""

from ..paper import Paper

PAPER = Paper(
    authors="Burger, Kabri, Korolev, Roith, Weigand",
    title="Analysis of mean-field models arising from self-attention dynamics "
    "in transformer architectures with layer normalization",
    arxiv="2501.03096",
    edition="v2: abstract, summary, theorem 2.2, list of theorems, captions of figures 1–5; authors' code, commit c13c461",
    year=2025,
    chapters=("gradient_flow", "extremisers", "states"),
    note="The full text was not seen: hypotheses, table 1 and most numbers of theorems are unknown, so statements go by "
    "names. The second functional of theorem 2.2 was cut off and is taken to be the length.",
)
