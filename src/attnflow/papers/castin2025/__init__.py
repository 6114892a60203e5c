"""Castin, Ablin, Carrillo, Peyré 2025: a unified perspective on the dynamics of deep Transformers (arXiv 2501.18322).

The full text was not read, so theorem numbers are not cited: statements are those of the abstract, of quotations and of
the authors' code, and what follows from the equations.
"""

from ..paper import Line, Paper

PAPER = Paper(
    authors="Castin, Ablin, Carrillo, Peyré",
    title="A unified perspective on the dynamics of deep Transformers",
    arxiv="2501.18322",
    edition="abstract, quotations in later articles, and the authors' code; v1 2025, v2 2026",
    year=2025,
    chapters=("tokens", "many_tokens", "gaussians", "limits", "energies"),
    note="Theorem numbers, hypotheses and constants of the paper were not seen; constants here are derived.",
    statements=(
        Line(
            "well-posedness on compact support, radius of the support", "support", why="uniqueness is no matter of runs"
        ),
        Line("kernels without a normaliser", "short_support", "one_unnormalised_token"),
        Line("stability in W_p", "stability"),
        Line(
            "masked attention as a measure on [0, 1] × R^d, conditional distance d_p",
            "masked_stability",
            "causal_prefix",
        ),
        Line(
            "iid positions: the masked law is the unmasked one",
            why="not claimed: early tokens of a finite sequence differ",
        ),
        Line("mean-field limit, rates for independent tokens", "mean_field", "effective_sample_size"),
        Line(
            "mean-shift form of L2, factor 2 against Sinkhorn as ε → 0",
            why="not claimed: a limit of fields, tested with the rules",
        ),
        Line(
            "sigmoid with bias −log n tends to unnormalised attention",
            why="not claimed: a limit of fields, tested with the rules",
        ),
        Line("Gaussian data stay Gaussian (softmax, heads, L2, Sinkhorn), layers too", "gaussians"),
        Line("unnormalised, sigmoid, ReLU data do not", "gaussians", why="its trials without the hypothesis"),
        Line(
            "small covariances: all variants are softmax with another clock",
            why="not claimed: the first order of the same equations",
        ),
        Line("softmax, V = vI: closed form, blow-up time, limit", "scalar_v"),
        Line("softmax, V > 0: the sign of B + Bᵀ", "limit_rank"),
        Line("softmax on a line", "rank_one"),
        Line(
            "V skew: conserved traces and spectra, no limit", why="not claimed: special cases of the moment equations"
        ),
        Line("equilibria without scores, their rank and stability", "isotropic_equilibria", "isotropic_lines"),
        Line("profiles of blow-up", "profile"),
        Line("L2 and Sinkhorn: closed forms, no blow-up", "l2_closed_form", "sinkhorn_closed_form", "bounded_growth"),
        Line("Sinkhorn moves the mean by e^{tV}", why="sander2022.mean"),
        Line("linear attention: second moments close", "linear_moments"),
        Line("affine feed-forward layers", "affine_layer"),
        Line("energies of tokens, twisted metric, Sinkhorn as a gradient flow", "energy", "sinkhorn_energy"),
        Line("energies of covariances", "bures_wasserstein", "fisher_rao"),
        Line(
            "energies are not convex along geodesics",
            "not_convex",
            why="the paper's example was not seen; ours is derived",
        ),
        Line(
            "V = QᵀK: the field is a gradient at each time", why="not claimed: an identity of the field, not of a run"
        ),
        Line("rank histograms, figures", why="figures"),
    ),
)
