"""What makes the pages: figures are drawn once, docstrings and signatures become Markdown, records are read as written."""

import json
import re
import subprocess

import numpy as np
from docs.generate import docstrings, drawing, night, nightly, reliability, verdicts
from matplotlib.figure import Figure as Picture
from PIL import Image

import attnflow
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


ROW = {"claim": "geshkovski2024.theorem9.2", "statement": "printed", "outcome": "not refuted", "trials": 3, "undecided": 0,
       "worst": 0.5, "sensitivity": 0.25, "notices": "25 %", "horizon": 1.0, "law": "", "example": "x = 1"}  # fmt: skip
MADE = {"version": "0.0", "commit": "abc", "date": "2026-01-02", "platform": "Linux", "precision": "float64",
        "versions": {"numpy": "2"}}  # fmt: skip


def record(tmp_path, *rows):
    file = tmp_path / "verdicts.json"
    file.write_text(verdicts.written({"seed": 1, "effort": 2, "verdicts": rows, "outside": []}, MADE), "utf-8")
    return verdicts.stored(file)


def test_verdicts_are_read_as_they_were_written(tmp_path):
    found = record(tmp_path, ROW | {"more": 1})
    assert found.made == MADE | {"seed": 1, "effort": 2} and found.on(ROW["claim"], "printed") == ROW
    assert found.on(ROW["claim"], "corrected") == {} and found.outside == {}
    assert found.words == "attnflow 0.0 (commit abc, 2026-01-02, float64), effort 2, seed 1"


def test_no_null_of_the_record_means_infinite(tmp_path):
    fallen = ROW | {"worst": None, "worst_is": "infinite", "sensitivity": None, "sensitivity_is": "infinite"}
    kept = record(tmp_path, fallen).on(ROW["claim"], "printed")
    assert (kept["worst"], kept["sensitivity"]) == ("infinite", "infinite")


def test_the_record_says_what_made_it(tmp_path):
    told = verdicts.circumstances()
    assert told["precision"] == "float64" and told["versions"]["numpy"] == np.__version__ and told["platform"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", told["date"])
    assert verdicts.commit(tmp_path) == f"unknown, version {attnflow.__version__}"
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "a").write_text("1")
    subprocess.run(["git", "-C", tmp_path, "add", "a"], check=True)
    signed = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run(["git", "-C", tmp_path, *signed, "commit", "-q", "-m", "a"], check=True)
    assert re.fullmatch(r"[0-9a-f]{12}", verdicts.commit(tmp_path))
    (tmp_path / "a").write_text("2")
    assert verdicts.commit(tmp_path).endswith(" with changes")


def test_the_page_on_reliability_counts_what_the_record_says(tmp_path):
    rows = [ROW, ROW | {"sensitivity": 0.001, "notices": "0.1 %"}, ROW | {"sensitivity": None, "notices": "no number"},
            ROW | {"sensitivity": "infinite", "notices": "more than 100 %"},
            ROW | {"outcome": "refuted", "notices": ""}]  # fmt: skip
    told = reliability.reliability_page(record(tmp_path, *rows))
    sizes = dict(re.findall(r"^\| (.+?) \| (\d+) \|$", told, flags=re.M))
    assert (sizes["0.1 %"], sizes["10 %"], sizes["50 %"], sizes["(not even 100 % is seen)"]) == ("1", "1", "2", "1")
    assert sizes["(no number, or none that trials compare with)"] == "1"
    assert [line.split(" | ")[2] for line in told.split("\n") if "| printed |" in line] == [
        "more than 100 % |",
        "25 % |",
    ]
    checks = re.findall(r"^\| (static|monotone|trajectory|end state|none) \| (\d+) \|", told, flags=re.M)
    assert sum(int(count) for _, count in checks) == len(attnflow.claims())


def test_a_night_of_hunts_names_its_false_alarms(tmp_path):
    for seed, outcome in ((0, "not refuted"), (7, "refuted")):
        fallen = ROW | {"statement": "corrected", "outcome": outcome, "worst": 1.5}
        known = ROW | {"outcome": "refuted"}  # printed, and known to be wrong
        told = {"seed": seed, "verdicts": [fallen, known]}
        (tmp_path / f"seed-{seed}.json").write_text(json.dumps(told))
    nights = nightly.found(tmp_path)
    assert [line.split(":")[0] for line in nightly.false_alarms(nights)] == ["seed 7"]
    assert nightly.sensitivities(nights)[0].split()[:2] == ["0.25", "0.25"]
