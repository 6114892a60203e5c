"""Which prompts are separated: orthogonal centres, uniform data, and prompts that are not."""

from __future__ import annotations

from ...theory.sphere.caps import cosine_bound, printed_cosine_bound
from ..claim import Claim
from ..hunt import both, fixed, sampled
from .hunts import alpha_trial, between_trial, crowded_trial, printed_uniform, uniform_trial


class OrthogonalCentres(Claim):
    number = "alpha"
    title = "How near caps about orthogonal centres come to each other"
    printed = "α ≤ ε² + 2ε for orthogonal centres, α the largest cosine between two caps of size 2ε"
    latex = (
        r"\langle w_p,w_q\rangle=0\ \Rightarrow\ \alpha=\max_{x\in S_p(2\varepsilon),\,y\in "
        r"S_q(2\varepsilon)}\langle x,y\rangle\le4\varepsilon+4\sqrt\varepsilon"
    )
    assumes = "caps of size 2ε about orthogonal centres"
    provenance = "transcribed"
    corrected = "α ≤ 4ε + 4√ε"
    erratum = "false"
    kind = "lemma"
    hunts = {
        "printed": sampled(alpha_trial(printed_cosine_bound), 20, law="two orthogonal centres, ε in (1e-4, 0.05)"),
        "corrected": sampled(alpha_trial(cosine_bound), 20, law="two orthogonal centres, ε in (1e-4, 0.05)"),
    }


class UniformData(Claim):
    number = "uniform"
    title = "In high dimension uniform tokens are separated"
    speaks_from = "d = (2n²)⁶⁴, which is 6·10⁵⁷ for two tokens: its probability is below 0 before"
    printed = (
        "uniform tokens, d ≥ max(d*, 381): separated with ε = 4 log d/d, with probability ≥ 1 − 2n²d^{−1/64} (positive from "
        "d = (2n²)⁶⁴ ≥ 6·10⁵⁷ on), if ε² + 10ε + log(2n²/ε)/β < 1"
    )
    latex = (
        r"4\sqrt\varepsilon+12\varepsilon+\frac{\log(2n^2/\varepsilon)}\beta<1,\ \varepsilon=\frac{4\log d}d\ "
        r"\Rightarrow\ \mathbb P(\text{separated})\ge1-2n^2d^{-1/64}"
    )
    assumes = "independent uniform tokens, d ≥ max(d*, 381)"
    provenance = "transcribed"
    corrected = "if 4√ε + 12ε + log(2n²/ε)/β < 1, since α ≤ 4ε + 4√ε and not ε² + 2ε"
    erratum = "false"
    kind = "theorem"
    hunts = {
        "printed": fixed(printed_uniform),
        "corrected": sampled(
            uniform_trial,
            30,
            law="2–8 uniform tokens, d in (700, 4000), cosines up to √ε/2, β just above the threshold",
        ),
    }


class Unseparated(Claim):
    number = "unseparated"
    title = "Prompts that no caps separate"
    printed = "no caps of size ε separate tokens with a pair 1 − 8ε ≤ <x, y> < 1 − 4ε, nor n ≥ e^{2β} tokens"
    latex = (
        r"1-8\varepsilon\le\langle x_i,x_j\rangle<1-4\varepsilon\text{ for some }i,j,\ \text{ or }\ n\ge "
        r"e^{2\beta}\ \Rightarrow\ \text{not separated}"
    )
    assumes = "a pair of cosine in [1 − 8ε, 1 − 4ε), or e^{2β} tokens and more"
    provenance = "transcribed"
    kind = "remark"
    hunts = {
        "printed": both(
            sampled(
                between_trial, 10, law="2–5 tokens with such a pair, caps about disturbed tokens and means of pairs"
            ),
            sampled(crowded_trial, 10, law="n from e^{2β} to 3e^{2β}, antipodal caps of any ε < 1/16"),
        )
    }
