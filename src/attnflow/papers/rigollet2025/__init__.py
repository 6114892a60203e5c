"""Rigollet 2025: The mean-field dynamics of Transformers (arXiv 2512.01868), a survey.

| statement | claim, or why there is none |
|---|---|
| remark 2, the circle for β > −0.16 | `remark2` |
| section 2, blurring mean shift | `mean_shift` |
| hardmax on the sphere | `hardmax` |
| theorem 5, mean field at small β | `theorem5` |
| Θ(√β) clusters from a uniform start | `first_clusters` |
| section 5.3, modes of a density estimate | `number_of_modes` |
| theorem 6, the closest pair merges | `theorem6` |
| equation (6), masses; equation (7), schemes | definitions |
| table of schemes | statements of arXiv 2510.22026, see `karagodin2025` |
| theorem 7, long context | `theorem7` |
| section 7, noise at β = 0 and its threshold | `noise` |
| section 7, where order sets in with a jump | `onset_of_order` |
| section 7, Fokker–Planck equation | `fokker_planck` |
| formal limits of large β (backward heat, porous medium) | statements of arXiv 2509.25040, see `bruno2025` |
| caps and the staircase of the energy | statements of arXiv 2410.06833, see `geshkovski2025` |
"""

from ..paper import Paper

PAPER = Paper(
    authors="Rigollet",
    title="The mean-field dynamics of Transformers",
    arxiv="2512.01868",
    edition="v1",
    year=2025,
    chapters=("dynamics", "clusters", "noise"),
    note="Read in full; the theorems it quotes from other papers stand under those papers.",
)
