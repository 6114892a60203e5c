"""The explorer without a browser: knots that stay close to the run, a session that answers, a server that refuses."""

import io
import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import attnflow as af
from attnflow.errors import BadInput
from attnflow.experiments.scenario import dumps, from_dict, load, loads, to_dict
from attnflow.experiments.scenario.ready_made import ready_made
from attnflow.interfaces.explore import bounds, export, padding, presets
from attnflow.interfaces.explore.curves import hermite
from attnflow.interfaces.explore.frames import HEAD, IS_SPHERE, Knot, pack_knot, unpack_knot
from attnflow.interfaces.explore.patience import within
from attnflow.interfaces.explore.playing import compute, stage_of
from attnflow.interfaces.explore.seeing import block_means, by_cluster, effective_rank, histogram
from attnflow.interfaces.explore.session import Session, Stopped
from attnflow.interfaces.explore.uploads import read_upload

SMALL = {
    "seed": 3, "tokens": {"kind": "sphere", "n": 24, "d": 3}, "attention": {"rule": "softmax", "beta": 4.0},
    "time": {"until": 12.0, "save": 13},
}  # fmt: skip


def told(message, session=None, data=b""):
    """All that a session says to one message."""
    out = []
    (session or Session()).handle(message, lambda words, buffer: out.append((words, buffer)), data)
    return out


def said(out, what):
    return [words for words, _ in out if words["say"] == what]


@pytest.fixture(scope="module")
def finished():
    session = Session()
    return session, told({"do": "run", "id": 1, "scenario": SMALL}, session)


# ---- knots ------------------------------------------------------------------------------------------------------------


def test_a_knot_is_read_as_it_was_written_and_as_the_page_reads_it():
    knot = Knot(2.5, np.array([[1, 0, 0], [0, 1, 0.0]]), np.array([[0, 0.5, 0], [-0.25, 0, 0]]), IS_SPHERE, 3)
    data = pack_knot(knot, run=7, sequence=9)
    assert HEAD.size == 32 and data == (Path(__file__).parents[2] / "web/test/knot.bin").read_bytes()
    back, run, sequence = unpack_knot(data)
    assert (back.t, back.flags, back.d, run, sequence) == (2.5, IS_SPHERE, 3, 7, 9)
    np.testing.assert_array_equal(back.x, knot.x)
    np.testing.assert_array_equal(back.v, knot.v)
    with pytest.raises(BadInput):
        unpack_knot(data[:-4])


SPACE = pytest.param({"flow": {"space": "euclidean", "V": -1.0}}, id="space", marks=pytest.mark.slow)


@pytest.mark.parametrize("changes", [pytest.param({}, id="sphere"), SPACE])
@pytest.mark.slow
def test_the_drawn_path_stays_within_a_thousandth_of_the_run(changes):
    scenario = from_dict(SMALL | changes)
    stage, knots = stage_of(scenario), []
    run = compute(stage, knots.append, lambda done, total: None)
    knots = knots[1:]  # the start comes twice, first without velocities
    times = np.linspace(0, 12, 97)
    exact = np.asarray(af.evolve(stage.flow, stage.mu, until=12.0, save=times, tol=1e-10).x)
    worst = 0.0
    for t, x in zip(times, exact):
        k = min(int(np.searchsorted([knot.t for knot in knots], t, side="right")) - 1, len(knots) - 2)
        a, b = knots[k], knots[k + 1]
        worst = max(worst, np.abs(hermite(a, b, (t - a.t) / (b.t - a.t)) - x).max())
    assert worst < 1e-3
    np.testing.assert_array_equal(np.asarray(run.ts), np.linspace(0, 12, 13))


@pytest.mark.slow
def test_a_run_has_the_digits_of_the_command_line():
    from attnflow.engine.evolution.chunks import evolve_in_chunks

    scenario = from_dict(SMALL)
    stage = stage_of(scenario)
    whole = evolve_in_chunks(stage.flow, stage.mu, **stage.options)  # pyright: ignore
    run = compute(stage, lambda knot: None, lambda done, total: None)
    # Padding changes the order of sums, so the last digits.
    np.testing.assert_allclose(np.asarray(run.x), np.asarray(whole.x), rtol=0, atol=1e-9)


@pytest.mark.parametrize("rule", padding.RULES)
@pytest.mark.broad(2)
def test_padding_with_tokens_of_no_mass_changes_nothing(rule):
    scenario = from_dict(
        SMALL | {"attention": {"rule": rule, "beta": 2.0}, "tokens": {"kind": "sphere", "n": 17, "d": 3}}
    )
    assert padding.may_pad(scenario)
    flow, mu, _ = af.build(scenario)
    wide = padding.padded(mu)
    assert wide.n == 24 and np.all(np.asarray(wide.mass)[17:] == 0)
    v, w = np.asarray(af.velocity(flow, mu)), np.asarray(af.velocity(flow, wide))
    np.testing.assert_allclose(w[:17], v, atol=1e-13)
    np.testing.assert_allclose(w[17:], np.broadcast_to(v[0], (7, 3)), atol=1e-13)


@pytest.mark.parametrize(
    "changes",
    [
        {"attention": {"rule": "hardmax"}}, {"attention": {"rule": "sigmoid", "bias": "-log n"}},
        {"attention": {"causal": True}}, {"attention": {"rule": "unnormalised", "scale": "sum"}},
        {"attention": {"rule": "sinkhorn"}}, {"flow": {"noise": 0.1}}, {"time": {"merge": 1e-3}},
    ],
)  # fmt: skip
def test_what_knows_of_n_is_not_padded(changes):
    assert not padding.may_pad(from_dict(SMALL | changes))


# ---- plots ------------------------------------------------------------------------------------------------------------


def test_effective_rank_counts_equal_directions():
    assert effective_rank(np.diag([2.0, 2.0, 0.0])) == pytest.approx(2.0)


def test_histogram_of_cosines_leaves_out_a_token_with_itself():
    cells = histogram(np.eye(2), np.array([0.5, 0.5]))
    assert cells is not None and cells[32] == 1 and sum(cells) == 1
    assert histogram(np.zeros((2, 2)), np.array([0.5, 0.5])) is None


def test_the_mean_cosine_beside_the_histogram_is_that_of_all_pairs(finished):
    session, out = finished
    observed = next(words for words in said(out, "observed") if "cosines" in words)
    run = session.played.run
    exact = [af.cosines(run.at(k)).mean for k in range(len(run.ts))]
    np.testing.assert_allclose(observed["cosines_mean"], exact, atol=1e-12)


def test_a_folder_that_is_not_here_is_one_clear_line():
    with pytest.raises(BadInput, match="no result folder 'nowhere' in out/"):
        presets.find("run/nowhere", {})


def test_the_first_prompt_is_there_before_anything_is_compiled():
    """Also of runs whose knots come at their end: noise, layers, laws."""
    law = {"tokens": {"kind": "law", "d": 2}, "flow": {"space": "euclidean"}}
    noisy = {"tokens": {"kind": "sphere", "n": 8, "d": 3}, "flow": {"noise": 0.1}, "time": {"until": 1.0, "step": 0.1}}

    class Shown(Exception):
        pass

    def show(knot):
        raise Shown(knot)

    for table in (law, noisy):
        stage = stage_of(from_dict(table))
        with pytest.raises(Shown) as found:
            compute(stage, show, lambda done, total: pytest.fail("computed first"))
        (knot,) = found.value.args
        assert knot.t == 0 and len(knot.x) == stage.shown


def test_blocks_of_a_matrix_keep_its_mean():
    weights = np.random.default_rng(0).random((37, 37))
    small = block_means(weights, 5)
    counts = np.diff(np.append(np.linspace(0, 37, 6).astype(int)[:-1], 37))
    assert np.sum(small * np.outer(counts, counts)) == pytest.approx(weights.sum())


# ---- a session --------------------------------------------------------------------------------------------------------


def test_a_run_tells_everything(finished):
    _, out = finished
    order = [words["say"] for words, _ in out]
    assert order[:2] == ["compiling", "start"] and order[-1] == "done"
    knots = [unpack_knot(buffer)[0] for words, buffer in out if words["say"] == "knot"]
    assert knots[0].t == knots[1].t == 0 and knots[-1].t == 12.0
    observed = {key: value for words in said(out, "observed") for key, value in words.items()}
    assert len(observed["energy"]) == len(observed["clusters"]) == len(observed["rank"]) == 13
    json.dumps([words for words, _ in out], allow_nan=False)


def test_clusters_are_those_of_a_report(finished):
    from attnflow.interfaces.report.facts import gather

    session, out = finished
    ended = said(out, "ended")[0]
    facts = gather(session.played.scenario, session.played.run, seconds=0.0)
    assert ended["clusters"]["count"] == facts.groups.last.count
    observed = next(words for words in said(out, "observed") if "clusters" in words)
    np.testing.assert_array_equal(observed["clusters"], facts.groups.counts)


@pytest.mark.slow
def test_theory_is_that_of_predict_and_check(finished, tmp_path):
    from attnflow.experiments.scenario.plain import plain
    from attnflow.interfaces.cli.theory import predict_scenario

    session, out = finished
    (tmp_path / "s.toml").write_text(dumps(from_dict(SMALL)), encoding="utf-8")
    data = plain(predict_scenario(str(tmp_path / "s.toml"), []).data)
    theory = said(out, "theory")[0]
    assert [{k: v for k, v in p.items() if k != "about"} for p in theory["predictions"]] == data["predictions"]
    assert theory["hypotheses_not_met"] == data["hypotheses_not_met"]
    checks = {c["claim"]: c["outcome"] for words in said(out, "checks") for c in words["checks"]}
    assert checks == {c.claim: c.outcome for c in af.check(session.played.run)}


@pytest.mark.parametrize(
    "changes",
    [
        {"attention": {"rule": "softmax", "beta": 5.0}, "tokens": {"kind": "sphere", "n": 23, "d": 3}}, {"seed": 8},
        {"flow": {"V": -0.5}}, {"attention": {"rule": "softmax", "beta": 4.0, "B": 0.5}},
    ],
)  # fmt: skip
def test_another_beta_seed_value_or_score_matrix_compiles_nothing(finished, changes):
    session, _ = finished
    assert not said(told({"do": "run", "id": 2, "scenario": SMALL | changes, "preview": True}, session), "compiling")


def test_the_attention_matrix_is_sorted_by_cluster(finished):
    session, _ = finished
    (words, buffer), *_ = told({"do": "matrix", "id": 1, "t": 12.0}, session)
    weights = np.frombuffer(buffer, "<f4", offset=HEAD.size).reshape(24, 24)
    order = session.played.order
    exact = np.asarray(af.attention_matrix(session.played.run.flow, session.played.run.last))[np.ix_(order, order)]
    np.testing.assert_allclose(weights, exact, rtol=1e-6)  # 32-bit numbers
    assert words["t"] == 12.0


def test_tokens_that_meet_late_stand_side_by_side_in_the_matrix():
    first, then = np.tile(np.eye(3)[:2], (4, 1)), np.tile(np.eye(3)[2], (8, 1))
    order = by_cluster(af.observed(np.stack([first, first, then])))
    assert sorted(order) == list(range(8)) and len(set(order[:4] % 2)) == 1


def test_what_goes_out_comes_in_again(finished):
    session, _ = finished
    toml = told({"do": "toml", "scenario": SMALL}, session)[0][0]["text"]
    assert loads(toml) == from_dict(SMALL)
    script = told({"do": "python", "scenario": SMALL | {"title": 'a "quoted" \\ title'}}, session)[0][0]["text"]
    compile(script, "script", "exec")
    assert "af.evolve" in script


def test_a_newer_request_stops_the_work():
    count = 0

    def send(words, buffer):
        nonlocal count
        count += 1
        if count == 4:
            raise Stopped

    with pytest.raises(Stopped):
        Session().handle({"do": "run", "id": 1, "scenario": SMALL}, send)
    assert count == 4


def test_work_that_nobody_waits_for_is_halted():
    ticks = [0]

    def work():
        while True:
            ticks[0] += 1

    assert within(0.3, work, ask=lambda: None) is None
    time.sleep(0.5)
    seen = ticks[0]
    time.sleep(0.3)
    assert ticks[0] == seen > 0
    assert within(5.0, lambda: 7, ask=lambda: None) == 7


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (None, "unknown request"), ({"do": "dance"}, "unknown request"), ({"do": "run"}, "no scenario"),
        ({"do": "run", "scenario": {"tokens": {"kind": "sphere", "n": 0, "d": 3}}}, "tokens.n"),
        ({"do": "run", "scenario": {"tokens": {"kind": "file", "file": "/etc/passwd"}}}, "names a file"),
        ({"do": "run", "scenario": SMALL | {"flow": {"V": {"file": "v.npy"}}}}, "names a file"),
        ({"do": "run", "scenario": {"tokens": {"kind": "sphere", "n": 10**7, "d": 3}}}, "at most"),
        ({"do": "run", "scenario": SMALL | {"time": {"until": 10.0, "save": 5000}}}, "at most"),
        ({"do": "run", "scenario": {"tokens": {"kind": "sphere", "n": 100_000, "d": 3}, "time": {"save": 2001}}}, "time.save"),
        ({"do": "open", "name": "../../etc"}, "no preset"), ({"do": "matrix", "t": 1.0}, "no finished run"),
        ({"do": "html"}, "no finished run"),
    ],
)  # fmt: skip
def test_every_refusal_is_one_clear_line(message, words):
    out = told(message)
    error = said(out, "error")[0]["words"]
    assert words in error and "\n" not in error and len(error) <= 240


# ---- own data ---------------------------------------------------------------------------------------------------------


def saved(array) -> bytes:
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def test_tokens_may_be_dropped():
    x = np.random.default_rng(0).normal(size=(24, 3))
    np.testing.assert_array_equal(read_upload("x.npy", saved(x)), x)
    archive = io.BytesIO()
    np.savez_compressed(archive, scalar=np.float64(1), x=x)
    np.testing.assert_array_equal(read_upload("x.npz", archive.getvalue()), x)
    rows = "a,b\n" + "\n".join(f"{p},{q}" for p, q in x[:, :2])
    np.testing.assert_allclose(read_upload("x.csv", rows.encode()), x[:, :2])
    given = SMALL | {"title": "Other tokens"}
    out = told({"do": "upload", "id": 4, "name": "x.npy", "scenario": given}, data=saved(x))
    assert said(out, "start")[0]["n"] == 24 and said(out, "done")
    assert said(out, "start")[0]["title"] == "x.npy"


def test_projections_are_asked_for_by_name():
    x, out = np.random.default_rng(0).normal(size=(3, 5, 6)), []
    Session().play(af.observed(x), None, 1, lambda words, data: out.append((words, data)), axes="first")
    knots = [unpack_knot(data)[0] for words, data in out if words["say"] == "knot"]
    np.testing.assert_allclose(knots[1].x, x[1, :, :3], rtol=1e-6)  # 32-bit numbers


def test_states_of_layers_are_played_without_a_flow():
    x = np.random.default_rng(0).normal(size=(5, 7, 6))
    out = told({"do": "upload", "id": 4, "name": "h.npy"}, data=saved(x))
    start = said(out, "start")[0]
    assert (start["n"], start["d"], start["drawn"], start["scenario"]) == (7, 6, "projection", None)
    assert sum(words["say"] == "knot" for words, _ in out) == 5
    assert said(out, "done") and not said(out, "error")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.npy", b"no array"), ("x.npz", b"no archive"), ("x.csv", b"a,b\n1,two"), ("x.pkl", b""), ("x.csv", b""),
        ("x.npy", saved(np.array(["text"]))), ("x.npy", saved(np.full((2, 2), np.nan))), ("x.npy", saved(np.zeros(3))),
        ("x.npy", saved(np.array([{}], dtype=object))),
    ],
)  # fmt: skip
def test_files_that_make_no_sense_are_refused(name, data):
    with pytest.raises(BadInput) as found:
        read_upload(name, data)
    assert "\n" not in str(found.value)


# ---- presets, pages ---------------------------------------------------------------------------------------------------


def test_every_preset_can_be_read_and_is_a_figure_of_its_paper():
    from attnflow.interfaces.explore.published import PUBLISHED
    from attnflow.papers.figure import find

    for key, made in PUBLISHED.items():
        paper, figure = key.split("/")
        assert find(paper, figure.split(" ")[0])
        scenario = from_dict(made())
        bounds.check_bounds(scenario)
        assert from_dict(to_dict(scenario)) == scenario
    names = [item["name"] for item in presets.catalogue({})]
    assert {"default", "metastable", "geshkovski2024/4"} <= set(names)


def test_a_preview_has_few_tokens():
    crowd = from_dict(SMALL | {"tokens": {"kind": "sphere", "n": 5000, "d": 3}})
    assert bounds.preview_of(crowd).tokens.parameters["n"] == 256
    array = from_dict({"tokens": {"kind": "array", "x": [[1.0, 0.0], [0.0, 1.0]]}})
    assert bounds.preview_of(array).tokens == array.tokens


def test_a_page_holds_words_as_text(monkeypatch):
    monkeypatch.setattr(export, "script", lambda: "let a = '</script>';")
    page = export.as_html([({"say": "start", "title": "</script><b>bold"}, None), ({"say": "knot"}, b"\x00\x01")])
    assert page.count("</script>") == 2 and "<b>" not in page
    assert "AAE=" in page


def test_an_unbuilt_page_is_one_clear_line(monkeypatch, tmp_path):
    monkeypatch.setattr(export, "STATIC", tmp_path)
    with pytest.raises(BadInput, match="make web"):
        export.script()


def test_explore_names_what_it_can_show(finished):
    from attnflow.interfaces.explore.widget import what_to_show

    with pytest.raises(BadInput, match="a run, a scenario"):
        what_to_show(3, None)
    run = finished[0].played.run
    assert what_to_show(run, None) is run
    assert what_to_show(None, None) == load(ready_made()["default"])
    assert callable(af.explore)


# ---- the server -------------------------------------------------------------------------------------------------------


@pytest.fixture
def client(monkeypatch):
    pytest.importorskip("starlette", reason="the extra `explore` is not installed")
    testclient = pytest.importorskip("starlette.testclient", reason="httpx is not installed")
    from attnflow.interfaces.explore import server

    monkeypatch.setattr(server, "script", lambda: "export default {};")
    app = server.application("token", {"small": from_dict(SMALL)})
    return testclient.TestClient(app, base_url="http://127.0.0.1:8000")


OWN = {"origin": "http://127.0.0.1:8000", "host": "127.0.0.1:8000"}


def test_the_page_needs_its_token_and_this_machine(client):
    assert client.get("/token/").status_code == 200
    assert "default-src 'none'" in client.get("/token/").headers["content-security-policy"]
    assert client.get("/token/explorer.js").headers["content-type"].startswith("text/javascript")
    for place in ("/", "/other/", "/token/../secret", "/other/explorer.js"):
        assert client.get(place).status_code == 404
    assert client.get("/token/", headers={"host": "evil.example"}).status_code == 421


@pytest.mark.parametrize(
    "origin", [None, "http://evil.example", "http://127.0.0.1:9000", "null", "https://127.0.0.1:8000"]
)
def test_a_socket_opens_for_the_own_page_only(client, origin):
    from starlette.websockets import WebSocketDisconnect

    headers = {"host": OWN["host"]} | ({} if origin is None else {"origin": origin})
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/token/session", headers=headers):
        pass


def test_a_session_over_the_socket(client):
    from attnflow.interfaces.explore.server import framed, unframed

    with client.websocket_connect("/token/session", headers=OWN) as tab:
        tab.send_text(json.dumps({"do": "hello"}))
        hello = json.loads(tab.receive_text())
        assert hello["presets"][0]["name"] == "small"
        tab.send_text("no json")
        assert "not one of ours" in json.loads(tab.receive_text())["words"]
        tab.send_bytes(framed({"do": "upload", "id": 2, "name": "x.npy"}, b"nothing"))
        assert "not a readable" in json.loads(tab.receive_text())["words"]
    words, data = unframed(framed({"say": "é"}, b"abc"))
    assert (words, data) == ({"say": "é"}, b"abc")


def test_there_are_only_so_many_tabs(client, monkeypatch):
    from attnflow.interfaces.explore import server

    monkeypatch.setattr(server, "MOST_SESSIONS", 1)
    with client.websocket_connect("/token/session", headers=OWN) as first:
        first.send_text(json.dumps({"do": "hello"}))
        first.receive_text()
        with client.websocket_connect("/token/session", headers=OWN) as second:
            assert "tabs are open" in json.loads(second.receive_text())["words"]


def test_scenarios_keep_their_shape():
    """What the page's consistency rules rely on: keys of rules are those the engine reads."""
    from attnflow.experiments.scenario.data import RULE_KEYS

    source = (Path(__file__).parents[2] / "web/src/state.ts").read_text(encoding="utf-8")
    for rule, keys in RULE_KEYS.items():
        assert f"{rule}: [{', '.join(json.dumps(key) for key in keys)}]" in source
    assert replace(from_dict(SMALL), seed=4).seed == 4
