"""The command line as a user meets it: right answers, one clear line for bad input, nothing left half done."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import matplotlib.figure
import numpy as np
import pytest

from attnflow.errors import BadInput
from attnflow.experiments.store import dataset as store
from attnflow.interfaces.cli import execute, listing
from attnflow.interfaces.cli.answer import plain
from attnflow.papers import register
from attnflow.papers.claim import Claim, Finding, Hypothesis
from attnflow.papers.figure import Drawn, figure
from attnflow.papers.hunt import Hunt, Trial
from attnflow.papers.paper import Paper

TINY = """
title = "Six tokens"
seed = 1
[tokens]
kind = "sphere"
n = 6
d = 3
[attention]
beta = 2.0
[time]
until = 2.0
save = 9
[output]
figure = []
animation = false
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """An empty working folder with a scenario, and a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ATTNFLOW_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("attnflow.interfaces.cli.progress.EVERY", float("inf"))
    (tmp_path / "tiny.toml").write_text(TINY)
    return tmp_path


@pytest.fixture
def ask(capsys):
    """Run a command in this process: exit code, standard output, standard error."""

    def call(*words):
        capsys.readouterr()
        code = execute([str(word) for word in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture
def only_paper(monkeypatch):
    """A register that holds one paper, with what a test puts into it."""
    monkeypatch.setattr(register, "_own_papers", dict)
    monkeypatch.setattr(register, "_LOADED", {})

    def put(*things):
        module = ModuleType("smith2027")
        for thing in things:
            thing.__module__ = module.__name__
            setattr(module, thing.__name__, thing)
        paper = Paper("Smith", "On tests", "2701.00001", "v1", 2027, (), name="smith2027")
        register.register_paper(paper, module)

    yield put
    monkeypatch.undo()
    register.forget_claims()


@pytest.fixture
def one_claim(only_paper):
    """A single claim, whose check and hunt say what they are told."""

    def put(found="holds", ratio=0.5, instead=None, margin=0.5):
        class Meeting(Claim):
            number = "theorem 1"
            title = "Tokens meet"
            printed = "tokens meet"
            provenance = "seen"
            corrected = instead
            decides = "end state"
            hunts = {"printed": Hunt(lambda seed, effort: [Trial(ratio, 10.0, "two tokens")] * 3)}

            def hypotheses(self, flow, mu):
                return [Hypothesis("an open hemisphere", margin)]

            def predict(self, flow, mu):
                return "All tokens meet.", {"rate": np.float64(2.0), "time": float("inf")}

            def check(self, run):
                return 1 / 0 if found == "error" else Finding(found, "tokens met", {"distance": 0.5})

        only_paper(Meeting)

    put()
    return put


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


def test_run_leaves_a_whole_folder_and_says_where(ask, place, one_claim):
    code, out, err = ask("run", "tiny.toml")
    assert code == 0 and err == ""
    assert {path.name for path in (place / "out/tiny").iterdir()} == {
        "result.zarr",
        "scenario.toml",
        "report.md",
        "report.html",
    }
    for name in (
        "out/tiny/result.zarr",
        "out/tiny/report.md",
        "out/tiny/report.html",
        "All tokens meet",
        "reached its end",
    ):
        assert name in out
    words = (place / "out/tiny/report.md").read_text()
    for name in (
        "# Six tokens",
        "What was run",
        "What theory says, and what happened",
        "| Predicted | Measured | Verdict |",
        "6 tokens in dimension 3",
        "β = 2",
    ):
        assert name in words
    assert "tokens met" in (place / "out/tiny/report.html").read_text()
    assert store.load_run("out/tiny").x.shape == (9, 6, 3)


def test_run_in_json_with_settings(ask, one_claim):
    code, out, err = ask("run", "tiny.toml", "--set", "attention.beta=3", "--set", "seed=2", "--out", "x/y", "--json")
    answer = json.loads(out)
    assert code == 0 and err == "" and answer["status"] == "DONE" and answer["seed"] == 2 and answer["out"] == "x/y"
    assert answer["checks"][0]["outcome"] == "holds" and answer["checks"][0]["holds"] is True
    assert answer["predictions"][0]["numbers"] == {"rate": 2.0, "time": None, "time_is": "infinite"}
    assert all(Path(file).exists() for file in answer["files"].values())
    assert "beta = 3.0" in Path("x/y/scenario.toml").read_text()


def test_quiet_run_says_nothing_and_a_failed_check_exits_1(ask, one_claim):
    one_claim(found="refuted")
    assert ask("run", "tiny.toml", "--quiet") == (1, "", "")
    assert "DOES NOT AGREE" in Path("out/tiny/report.md").read_text()


def test_existing_results_stay_unless_replaced(ask, place, one_claim):
    ask("run", "tiny.toml", "-q")
    before = files(place / "out")
    code, out, err = ask("run", "tiny.toml", "--set", "seed=5")
    assert code == 2 and out == "" and err.count("\n") == 1 and "--replace" in err
    assert files(place / "out") == before
    assert ask("run", "tiny.toml", "--set", "seed=5", "--replace", "-q")[0] == 0
    assert store.load("out/tiny").attrs["seed"] == 5 and os.listdir("out") == ["tiny"]


@pytest.mark.parametrize(
    "words, part",
    [
        (["run", "none.toml"], "none.toml: no such file"),
        (["run", "defalt"], "did you mean default?"),
        (["run", "."], "is a folder"),
        (["run", "tiny.toml", "--set", "attention.betta=1"], "did you mean beta?"),
        (["run", "tiny.toml", "--set", "tokens.n=0"], "tokens.n = 0"),
        (["run", "tiny.toml", "--set", "attention.beta=inf"], "finite number"),
        (["run", "tiny.toml", "--set", "time.tol=1e-30"], "tol"),
        (["run", "tiny.toml", "--set", "attention.B=[[1, 0], [0, 1]]"], "dimension 3"),
        (["run", "tiny.toml", "--set", "tokens.mass=[1, -1, 1, 1, 1, 1]"], "negative"),
        (["run", "tiny.toml", "--set", "beta"], "key=value"),
        (["run", "tiny.toml", "--out", "tiny.toml"], "not a folder"),
        (["run", "tiny.toml", "--out", "."], "which no run wrote"),
        (["run", "tiny.toml", "--out", "tiny.toml/deeper"], "is not a folder"),
        (["run", "tiny.toml", "--fast"], "--fast"),
        (["run"], "SCENARIO"),
        (["predict", "none.toml"], "no such file"),
        (["check"], "check needs"),
        (["check", "castin2052"], "did you mean castin2025?"),
        (["check", "cache"], "no stored run"),
        (["check", "."], "no result of attnflow"),
        (["figure", "castin2052", "1"], "unknown paper"),
        (["figure", "castin2025", "no such figure"], "no figure"),
        (["figure", "castin2025", "1", "--format", "gif"], "png, pdf, svg"),
        (["list", "rule"], "did you mean rules?"),
        (["info", "nowhere"], "no such file"),
        (["walk"], "walk"),
    ],
)
def test_bad_input_is_one_clear_line_and_changes_nothing(ask, place, words, part):
    before = files(place)
    code, out, err = ask(*words)
    assert code == 2 and out == "" and err.count("\n") == 1 and err.startswith("attnflow: ") and part in err
    assert {name: data for name, data in files(place).items() if not name.startswith("cache")} == before
    code, out, _ = ask(*words, "--json")
    assert code == 2 and part in json.loads(out)["error"]


def test_predict_says_what_holds_and_what_misses(ask, one_claim):
    code, out, _ = ask("predict", "tiny.toml")
    assert code == 0 and "All tokens meet." in out and "smith2027.theorem1" in out
    one_claim(margin=-0.25)
    code, out, _ = ask("predict", "tiny.toml", "--json")
    answer = json.loads(out)
    assert answer["predictions"] == []
    assert answer["hypotheses_not_met"][0]["hypotheses"] == [{"words": "an open hemisphere", "margin": -0.25}]


def test_predict_says_where_rescaled_tokens_go(ask, one_claim):
    asked = ("predict", "tiny.toml", "--set", "flow.space=euclidean", "--set")
    out = ask(*asked, "flow.V=[[0, -1, 0], [1, 0, 0], [0, 0, 0.5]]")[1]
    assert "complex" in out and "no theorem applies" in out
    code, out, _ = ask(*asked, "attention.B=0.0", "--json")
    found = json.loads(out)["limit"]
    assert code == 0 and found["certificate"]["holds"] and "centre of mass" in found["words"]
    assert np.ptp(found["z"], axis=0).max() == 0
    assert json.loads(ask("predict", "tiny.toml", "--json")[1])["limit"] is None
    alone = ("--set", "tokens.kind=array", "--set", "tokens.x=[[2, 1.5]]")
    out = ask(*asked[:-1], *alone)[1]
    assert "1 leader(s)" in out and "proved at t = 0" in out and "(2, 1.5)" in out


def test_check_of_a_stored_run(ask, one_claim):
    ask("run", "tiny.toml", "-q")
    code, out, _ = ask("check", "out/tiny")
    assert code == 0 and "holds" in out and "tokens met" in out
    one_claim(found="undecided")
    assert ask("check", "out/tiny")[0] == 0
    one_claim(found="refuted")
    assert "DOES NOT AGREE" in ask("check", "out/tiny")[1]
    code, out, _ = ask("check", "out/tiny/result.zarr", "--json")
    assert code == 1 and json.loads(out)["checks"][0]["holds"] is False


def test_check_of_papers_fails_only_where_a_statement_should_stand(ask, one_claim):
    assert ask("check", "smith2027")[0] == 0
    one_claim(ratio=2.0, instead="tokens nearly meet")
    assert ask("check", "--all")[0] == 0
    one_claim(ratio=2.0)
    code, out, _ = ask("check", "--all", "--json", "--seed", "4")
    verdict = json.loads(out)["verdicts"][0]
    assert code == 1 and verdict["outcome"] == "refuted" and verdict["seed"] == 4


def test_figure_writes_picture_and_data_and_tells_the_outcome(ask, only_paper):
    held = [True]

    @figure("1", "A line")
    def draw(*, full, seed):
        picture = matplotlib.figure.Figure(figsize=(1, 1))
        picture.add_subplot().plot([0, 1])
        return Drawn(picture, {"x": np.arange(3)}, "a line", held[0], "a line was seen", ("erratum: none",))

    only_paper(draw)
    code, out, _ = ask("figure", "smith2027", "1", "--format", "png", "--format", "svg")
    assert code == 0 and "expected: a line" in out and "held" in out and "erratum: none" in out
    assert sorted(os.listdir("out/figures")) == ["smith2027-1.npz", "smith2027-1.png", "smith2027-1.svg"]
    assert np.load("out/figures/smith2027-1.npz")["x"].tolist() == [0, 1, 2]
    assert ask("figure", "smith2027", "1")[0] == 2
    code, out, _ = ask("figure", "arXiv:2701.00001", "1", "--replace", "--json")
    assert code == 0 and json.loads(out)["paper"] == "smith2027"
    held[0] = False
    code, out, _ = ask("figure", "smith2027", "1", "--replace", "--json")
    assert code == 1 and json.loads(out)["held"] is False
    assert ask("figure", "smith2027", "2")[0] == 2
    assert ask("figure", "smith2027")[0] == 2 and ask("figure", "smith2027", "1", "--style", "loud")[0] == 2
    code, out, _ = ask("figure", "smith2027", "--all", "--replace", "--column", "single", "--style", "talk", "--json")
    assert code == 1 and [item["figure"] for item in json.loads(out)["figures"]] == ["1"]


def test_an_interrupted_full_figure_goes_on_where_it_stopped(ask, only_paper):
    made = []

    @figure("1", "Two parts", is_long=True)
    def draw(*, full, seed, kept):
        first = kept.part("first", lambda: made.append("first") or np.ones(2))
        if made == ["first"]:
            made.append("stop")
            raise BadInput("interrupted")
        return Drawn(matplotlib.figure.Figure(figsize=(1, 1)), {"x": first}, "two", True, "two")

    only_paper(draw)
    assert ask("figure", "smith2027", "1", "--full")[0] == 2
    assert ask("figure", "smith2027", "1", "--full")[0] == 0
    assert made == ["first", "stop"]
    assert sorted(os.listdir("out/figures")) == ["smith2027-1.npz", "smith2027-1.png"]


def test_list_and_info(ask, one_claim):
    code, out, _ = ask("list", "--json")
    known = json.loads(out)
    assert code == 0 and set(known) == {
        "scenarios",
        "tokens",
        "rules",
        "keys",
        "papers",
        "figures",
        "claims",
        "observables",
    }
    assert "default" in [item["name"] for item in known["scenarios"]]
    assert {"softmax", "sinkhorn"} <= {item["rule"] for item in known["rules"]}
    assert not any("cannot be read" in item["title"] for item in known["scenarios"])
    assert "[attention] rule" in ask("list", "rules")[1]
    code, out, _ = ask("info", "--json")
    assert code == 0 and json.loads(out)["precision"] == "float64"
    ask("run", "tiny.toml", "-q")
    answer = json.loads(ask("info", "out/tiny", "--json")[1])
    assert answer["status"] == "DONE" and answer["sizes"]["token"] == 6 and "beta = 2.0" in answer["scenario"]


def test_pictures_are_made_and_shown_in_the_report(ask, one_claim):
    settings = ["--set", "output.figure=['png']", "--set", "output.animation=true"]
    assert ask("run", "tiny.toml", *settings, "-q")[0] == 0
    assert {"figure.png", "animation.gif"} <= set(os.listdir("out/tiny"))
    page = Path("out/tiny/report.html").read_text()
    # Two pictures, the film as a player, and nothing from elsewhere but the name of MathML.
    assert page.count('src="data:image/') == 2 and "<math" in page and 'type="range"' in page
    assert "http" not in page.replace("http://www.w3.org/1998/Math/MathML", "")


def test_an_error_in_a_theorem_or_a_picture_does_not_lose_the_run(ask, one_claim, monkeypatch):
    one_claim(found="error")
    monkeypatch.setattr("attnflow.draw.summary.summary_figure", lambda run, **rest: 1 / 0)
    code, out, _ = ask("run", "tiny.toml", "--set", "output.figure=['png']")
    assert code == 1 and "ERROR" in out and "ERROR in drawing" in out
    assert (
        store.load_run("out/tiny").x.shape == (9, 6, 3)
        and "ZeroDivisionError" in Path("out/tiny/report.md").read_text()
    )


def test_titles_cannot_write_the_report(ask, one_claim, place):
    title = "</title><script>alert(1)</script> # x | y `z` [a](b)"
    (place / "tiny.toml").write_text(TINY.replace('"Six tokens"', repr(title)))
    assert ask("run", "tiny.toml", "-q")[0] == 0
    page, words = (Path(f"out/tiny/report.{kind}").read_text() for kind in ("html", "md"))
    assert "<script>alert" not in page
    first = words.splitlines()[0]
    assert first.startswith("# ") and "<script>" not in first and "\\|" in first and "\\[a\\]" in first


def test_every_key_is_explained_and_templates_are_scenarios(ask, place):
    listed = json.loads(ask("list", "keys", "--json")[1])["keys"]
    assert len(listed) > 35 and all(item["meaning"] for item in listed)
    for kind in ([], ["hyperplanes"], ["noisy"]):
        code, _, _ = ask("new", *kind, "mine.toml", "--replace")
        assert code == 0 and ask("run", "mine.toml", "--dry-run")[0] == 0
    assert ask("new", "mine.toml")[0] == 2 and ask("new", "nonsense", "x.toml")[0] == 2 and ask("new", "x.txt")[0] == 2


def test_the_template_of_a_sweep_sweeps_the_same(ask):
    from attnflow.experiments.sweeps.file import read_sweep_file
    from attnflow.interfaces.cli.finding import find_sweep

    code, out, _ = ask("new", "clusters_over_beta", "mine.toml")
    assert code == 0 and "attnflow sweep mine.toml" in out
    mine, ready = (read_sweep_file(find_sweep(name)) for name in ("mine.toml", "clusters_over_beta"))
    assert mine == ready and mine[1].axes


def test_two_runs_side_by_side(ask, one_claim):
    ask("run", "tiny.toml", "-q")
    ask("run", "tiny.toml", "--set", "attention.beta=5", "--out", "out/cold", "-q")
    answer = json.loads(ask("compare", "out/tiny", "out/cold", "--json")[1])
    assert answer["settings"] == [{"key": "attention.beta", "first": "2.0", "second": "5.0"}]
    assert answer["distance"] > 0
    assert json.loads(ask("open", "out/tiny", "--json")[1])["report"] == "out/tiny/report.html"
    assert ask("open", "tiny.toml.none")[0] == 2


def test_a_line_of_progress_says_where_and_how_long():
    from attnflow.interfaces.cli.progress import told

    assert (
        told("simulating", 30.0, words="t = 2 of 8", done=1, total=4)
        == "simulating t = 2 of 8, 25 %, 30 s, about 90 s left"
    )
    assert told("drawing", 12.0, words="", done=0, total=None) == "drawing, 12 s"


def test_json_has_no_words_that_json_lacks():
    said = plain({"a": np.array([1.0, np.inf]), "b": (np.nan, None, True), 3: Path("x"), "d": Hypothesis("w", 1.0)})
    assert json.loads(json.dumps(said, allow_nan=False)) == {
        "a": [1.0, None], "a_is": [None, "infinite"], "b": [None, None, True], "b_is": ["not a number", None, None],
        "3": "x", "d": {"words": "w", "margin": 1.0},
    }  # fmt: skip


def test_help_is_quick_and_loads_nothing_heavy():
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-m", "attnflow.interfaces.cli", "--help"], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Processor time, since the clock on the wall also counts whatever else the machine is doing.
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert done.returncode == 0 and "predict" in done.stdout and spent < 0.5
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "attnflow.interfaces.cli", "run", "--help"],
        capture_output=True,
        text=True,
    ).stderr
    assert not any(f" {name}\n" in loaded for name in ("jax", "numpy", "matplotlib", "xarray", "diffrax", "rich"))


def test_an_interrupted_command_says_how_it_goes_on(capsys, monkeypatch):
    def interrupt(*words, **rest):
        raise KeyboardInterrupt

    monkeypatch.setattr(listing, "list_known", interrupt)
    assert execute(["list"]) == 130
    assert capsys.readouterr().err.startswith("attnflow: stopped")


def test_without_a_command_there_is_help(capsys):
    assert execute([]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 5


COUNT = """
import collections, json, sys
from attnflow.interfaces.cli import execute
from attnflow.interfaces.cli.engine import start_engine
start_engine()
import jax
seen = collections.Counter()
jax.monitoring.register_event_listener(lambda event, **rest: seen.update([event.rsplit("/", 1)[-1]]))
code = execute(["run", "tiny.toml", "-q", "--replace"])
print(json.dumps({"code": code, "asked": seen["compile_requests_use_cache"], "kept": seen["cache_hits"]}))
"""


def test_the_second_run_of_a_shape_compiles_nothing(place):
    def count():
        done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, cwd=place)
        assert done.stderr == ""  # also what XLA writes by itself about programs taken from the cache
        return json.loads(done.stdout)

    first = count()
    assert first["code"] == 0 and first["kept"] < first["asked"]
    (place / "tiny.toml").write_text(TINY.replace("seed = 1", "seed = 2").replace("beta = 2.0", "beta = 2.5"))
    second = count()
    assert second["code"] == 0 and second["kept"] == second["asked"] > 0


def test_a_claim_is_shown_with_all_that_is_known_of_it(ask, one_claim):
    one_claim(instead="tokens nearly meet")
    code, out, _ = ask("claim", "smith2027.theorem1")
    assert code == 0 and "As printed: tokens meet" in out and "tokens nearly meet" in out and "2701.00001" in out
    answer = json.loads(ask("claim", "smith2027.theorem1", "--json")[1])
    assert answer["provenance"] == "seen" and answer["decides"] == "end state" and answer["paper"] == "smith2027"
    code, _, err = ask("claim", "smith2027.theorem2")
    assert code == 2 and "did you mean smith2027.theorem1" in err
    assert "Tokens meet" in ask("list", "claims", "--long")[1]


def test_a_bug_is_not_bad_input(ask, monkeypatch):
    def broken(*words, **rest):
        raise ValueError("operands could not be broadcast")

    monkeypatch.setattr("attnflow.interfaces.cli.listing.describe", broken)
    code, _, err = ask("info")
    assert code == 70 and len(err.splitlines()) == 1 and "please report" in err
    report = Path(err.split()[-1])
    assert "operands could not be broadcast" in report.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [["run", "/dev/zero"], ["run", "tiny.toml", "--set", "tokens.kind=[1]"],
                                   ["run", "tiny.toml", "--set", "tokens.n=1000000000000"],
                                   ["run", "tiny.toml", "--set", "tokens.n=" + "9" * 5000],
                                   ["run", "\x1b[31m"], ["check", "nothing"], ["--load", "none.py", "info"]])  # fmt: skip
def test_bad_input_is_one_clean_line_and_writes_nothing(ask, place, words):
    before = sorted(os.listdir(place))
    code, _, err = ask(*words)
    assert code == 2 and len(err.splitlines()) == 1 and len(err) <= 220 and "\x1b" not in err
    assert sorted(os.listdir(place)) == before


def test_the_cost_of_a_run_is_told_without_running_it(ask, place):
    code, out, _ = ask("run", "tiny.toml", "--dry-run")
    assert code == 0 and "6 tokens in dimension 3" in out and not (place / "out").exists()
