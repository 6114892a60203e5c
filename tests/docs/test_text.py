"""Plain words as Markdown: indices and powers as they are read, nothing else taken for markup."""

import pytest
from docs.generate.text import table, words


@pytest.mark.parametrize(
    "plain, read",
    [
        ("x_i", "x<sub>i</sub>"),
        ("P_ijx_j", "P<sub>ij</sub>x<sub>j</sub>"),
        ("e^{(|λ_k|+δ)t}", r"e<sup>(\|λ<sub>k</sub>\|+δ)t</sup>"),
        ("W_p^p", "W<sub>p</sub><sup>p</sup>"),
        ("β^-2.5", "β<sup>-2.5</sup>"),
        ("(ρ/ν)^(−θ)", "(ρ/ν)<sup>(−θ)</sup>"),
        ("λ_k²", "λ<sub>k</sub>²"),
        ("<x, y> in [0, 1]", r"\<x, y\> in \[0, 1\]"),
        ("a snake_case_name", r"a snake\_case\_name"),
        ("`a_i` stays", "`a_i` stays"),
        ("φ_k*(x)", r"φ<sub>k</sub>\*(x)"),
    ],
)
def test_words(plain, read):
    assert words(plain) == read


def test_a_table_has_one_line_per_row():
    assert table(("a", "b"), [("1", "2")]) == "| a | b |\n|---|---|\n| 1 | 2 |"
