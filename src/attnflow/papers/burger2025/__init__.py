"""Burger, Kabri, Korolev, Roith, Weigand 2025 (arXiv 2501.03096): attention on the sphere as a gradient flow.

For V = ±B and symmetric B attention climbs or descends $E(\\mu) = \\iint e^{\\langle x,By\\rangle}d\\mu\\,d\\mu$; softmax does
so in a transport distance with the nonlocal mobility 1/K, $K(x) = \\int e^{\\langle x,By\\rangle}d\\mu(y)$.
"""

from ..paper import Line, Paper

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
    statements=(
        Line("remark 2.1, theorem 2.3, lemma 2.4, corollary 2.5, lemmas 2.6 (chain rule) and 2.7", why="text not seen"),
        Line("theorem 2.2, existence of geodesics", "theorem2.2"),
        Line("energy dissipation (summary)", "dissipation"),
        Line("every limit is stationary; both normalisations share these states (abstract)", "stationary_states"),
        Line(
            "lem:statcomb, two opposite clusters are stationary (caption of figure 2)",
            "stationary_states",
            "cluster_states",
        ),
        Line("maximisers (caption of figure 2), minimisers (caption of figure 3)", "maximisers", "minimisers"),
        Line(
            "table 1, definiteness of B and extremisers",
            "maximisers",
            "minimisers",
            why="not seen; these two give the complete list",
        ),
        Line("lem:symmetricpeaks (caption of figure 4)", "symmetric_peaks"),
        Line("thm:perturbidentity (authors' code)", "perturbed_identity"),
        Line("captions of figures 6 and 7", why="not seen; the figures are drawn from the authors' code"),
        Line("the other statements of the 39", why="text not seen"),
        Line(
            "derived here",
            "distance_bounds",
            "nonsymmetric_scores",
            "cluster_states",
            "uniform_state",
            "semidefinite_descent",
            "safe_layers",
        ),
    ),
)
