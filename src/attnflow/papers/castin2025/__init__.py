"""Castin, Ablin, Carrillo, Peyré 2025: a unified perspective on the dynamics of deep Transformers (arXiv 2501.18322).

The full text was not read, so theorem numbers are not cited. What the abstract, quotations and the authors' code say, and
what follows from the equations:

| statement | claim, or why not |
|---|---|
| well-posedness on compact support, radius of the support | support (uniqueness is no matter of runs) |
| kernels without a normaliser | short support, one unnormalised token |
| stability in W_p | stability |
| masked attention as a measure on [0, 1] × R^d, conditional distance d_p | masked stability, causal prefix |
| iid positions: the masked law is the unmasked one | not claimed: early tokens of a finite sequence differ |
| mean-field limit, rates for independent tokens | mean field, effective sample size |
| mean-shift form of L2, factor 2 against Sinkhorn as ε → 0 | not claimed: a limit of fields, tested with the rules |
| sigmoid with bias −log n tends to unnormalised attention | not claimed: a limit of fields, tested with the rules |
| Gaussian data stay Gaussian (softmax, heads, L2, Sinkhorn), layers too | gaussians |
| unnormalised, sigmoid, ReLU data do not | outside of gaussians |
| small covariances: all variants are softmax with another clock | not claimed: the first order of the same equations |
| softmax, V = vI: closed form, blow-up time, limit | scalar v |
| softmax, V > 0: the sign of B + Bᵀ | limit rank |
| softmax on a line | rank one |
| V skew: conserved traces and spectra, no limit | not claimed: special cases of the moment equations |
| equilibria without scores, their rank and stability | isotropic equilibria, isotropic lines |
| profiles of blow-up | profile |
| L2 and Sinkhorn: closed forms, no blow-up | l2 closed form, sinkhorn closed form, bounded growth |
| Sinkhorn moves the mean by e^{tV} | sander2022.mean |
| linear attention: second moments close | linear moments |
| affine feed-forward layers | affine layer |
| energies of tokens, twisted metric, Sinkhorn as a gradient flow | energy, sinkhorn energy |
| energies of covariances | bures wasserstein, fisher rao |
| energies are not convex along geodesics | not claimed: the paper's example was not seen |
| V = QᵀK: the field is a gradient at each time | not claimed: an identity of the field, not of a run |
| rank histograms, figures | figures |
"""

from ..paper import Paper

PAPER = Paper(
    authors="Castin, Ablin, Carrillo, Peyré",
    title="A unified perspective on the dynamics of deep Transformers",
    arxiv="2501.18322",
    edition="abstract, quotations in later articles, and the authors' code; v1 2025, v2 2026",
    year=2025,
    chapters=("tokens", "gaussians", "limits", "energies"),
    note="Theorem numbers, hypotheses and constants of the paper were not seen; constants here are derived.",
)
