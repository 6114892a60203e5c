"""What makes the pages: figures are drawn once, docstrings and signatures become Markdown, records are read as written."""

import json

import numpy as np
from docs.generate import docstrings, drawing, night, verdicts
from matplotlib.figure import Figure as Picture
from PIL import Image

from attnflow.errors import BadInput
from attnflow.papers.figure import Drawn, Figure


def test_a_figure_is_drawn_once(tmp_path):
    calls = []

    def draw(*, full, seed):
        calls.append((full, seed))
        return Drawn(Picture(), {}, "a line", True, "a line", ("a note",))

    figure = Figure("alcalde2026", "own", "A figure", draw)
    for _ in range(2):
        drawing.draw_missing([figure], tmp_path)
    told = drawing.record(figure, tmp_path)
    assert calls == [(False, 0)] and (tmp_path / "alcalde2026-own.png").exists()
    assert (
        told["held"] is True and told["observed"] == "a line" and told["notes"] == ["a note"] and told["claims"] == []
    )


def test_a_figure_without_its_data_says_so(tmp_path):
    def draw(**_):
        raise BadInput("no weights here")

    figure = Figure("alcalde2026", "own", "A figure", draw)
    drawing.draw_missing([figure], tmp_path)
    assert drawing.record(figure, tmp_path)["refusal"] == "no weights here"


def test_heat_maps_are_dimmed_by_night_and_lines_turned_over(tmp_path):
    for name, share in (("lines", 0.05), ("map", 0.5)):
        pixels = np.full((100, 100, 3), 255, np.uint8)
        pixels[: int(100 * share)] = (0, 34, 78)
        Image.fromarray(pixels).save(tmp_path / f"{name}.png")
    assert [night.is_filled(tmp_path / f"{name}.png") for name in ("lines", "map")] == [False, True]
    assert "/map.png" in night.night_style(tmp_path) and "lines" not in night.night_style(tmp_path)


def documented(x: "np.ndarray", *, by: float = 2.0) -> "np.ndarray":
    """A product $x b$.

    Source: nobody.

    >>> documented(3.0)
    6.0
    """
    return x * by


def test_examples_of_docstrings_are_code():
    told = docstrings.described("tests", "documented", documented)
    assert told.startswith(
        ":::{py:function} documented(x: np.ndarray, *, by: float = 2.0) -> np.ndarray\n:module: tests\n"
    )
    assert "```pycon\n>>> documented(3.0)\n6.0\n```" in told
    assert docstrings.first_sentence(documented) == "A product $x b$."


def test_verdicts_are_read_as_they_were_written(tmp_path):
    row = {"claim": "a.b", "statement": "printed", "outcome": "refuted", "trials": 3, "undecided": 0, "worst": None,
           "horizon": 1.0, "law": "", "example": "x = 1"}  # fmt: skip
    file = tmp_path / "verdicts.json"
    file.write_text(verdicts.written({"seed": 1, "effort": 2, "verdicts": [row | {"more": 1}], "outside": []}), "utf-8")
    found = verdicts.stored(file)
    assert (found.seed, found.effort) == (1, 2) and found.on("a.b", "printed") == row
    assert found.on("a.b", "corrected") == {} and json.loads(file.read_text("utf-8"))["outside"] == []
