"""Tabs: each has its own session, a closed one stops its work, folders may be dropped on it, and crowds are shown."""

import threading
from contextlib import contextmanager

import pytest

from attnflow.engine.evolution import waiting
from attnflow.experiments.scenario import loads
from attnflow.interfaces.explore.lanes import NAME

from .conftest import SCENARIO
from .page import PATIENCE, RUN, opened, ready, slide, state, wait

ENDLESS = {"tokens": {"kind": "sphere", "n": 6000, "d": 3}, "time": {"until": 1e9, "save": 3}}


@contextmanager
def serving():
    """The server in this process, where its threads can be seen."""
    import uvicorn

    from attnflow.interfaces.explore.server import application, listening

    place = listening(0)
    place.listen()
    app = application("token", {"small": loads(SCENARIO)})
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="websockets-sansio", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [place]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{place.getsockname()[1]}/token/"
    server.should_exit = True
    thread.join(30)
    place.close()


def lanes() -> int:
    return sum(thread.name == NAME for thread in threading.enumerate())


def until(what, seconds: float = PATIENCE) -> bool:
    pause = threading.Event()
    for _ in range(int(20 * seconds)):
        if what():
            return True
        pause.wait(0.05)
    return False


def test_a_closed_tab_ends_even_a_compiled_run(browser, monkeypatch):
    begun, plain = threading.Event(), waiting.Waiting.is_over

    def is_over(one):
        begun.set()
        return plain(one)

    monkeypatch.setattr(waiting.Waiting, "is_over", is_over)
    before = lanes()
    with serving() as address:
        page = browser.new_page()
        opened(page, address)
        assert lanes() == before + 2
        page.evaluate(f"scenario => {RUN}.request(scenario)", ENDLESS)
        # While the page is looked at, its messages are answered: playwright hears them only inside its own calls.
        assert until(lambda: page.evaluate("1") and begun.is_set())
        page.close()
        assert until(lambda: lanes() == before)


def test_two_tabs_have_two_sessions(browser, server):
    context = browser.new_context()
    pages = [context.new_page() for _ in range(2)]
    for page in pages:
        opened(page, server.address)
    slide(pages[0], "beta", 0.2)
    wait(pages[0], "e.run.isDone && !e.run.isPreview && e.scenario.attention.beta !== 6")
    assert state(pages[1], "scenario.attention.beta") == 6.0
    context.close()


@pytest.fixture
def stored(folder, exact):
    """A run that was stored after the explorer had started."""
    from attnflow.experiments.store.dataset import to_xarray, write

    played = exact[0].played
    (folder / "out").mkdir(exist_ok=True)
    write(to_xarray(played.run, scenario=played.scenario), folder / "out/mine/result.zarr", replace=True)
    return folder / "out/mine"


def drop(tab, folder) -> None:
    """Drop a real folder, as a file manager does."""
    browser = tab.context.new_cdp_session(tab)
    data = {"items": [], "files": [str(folder)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.send("Input.dispatchDragEvent", {"type": kind, "x": 700, "y": 400, "data": data})


def test_a_result_folder_is_opened_by_its_name(tab, server, stored, tmp_path):
    opened(tab, server.address)
    slide(tab, "n", 0.3)
    wait(tab, "e.run.isDone && !e.run.isPreview && e.run.path.n !== 48")
    drop(tab, stored)
    wait(tab, "e.run.isDone && e.run.path.n === 48")
    assert tab.locator("h1").inner_text() == "Small <b>run</b>"
    (tmp_path / "elsewhere").mkdir()
    drop(tab, tmp_path / "elsewhere")
    assert "no result folder 'elsewhere' in out/" in tab.get_by_role("alert").inner_text()
    before = state(tab, "run.id")
    tab.get_by_role("button", name="Presets").click()
    tab.get_by_label("Search presets").fill("mine")
    tab.locator("[data-preset='run/mine']").click()
    wait(tab, f"e.run.isDone && e.run.id > {before}")
    ready(tab)


def test_of_a_crowd_a_sample_is_drawn_while_the_picture_moves(tab, server):
    """And all of it as soon as it rests; a picture is of all tokens too."""
    opened(tab, server.address)
    drawn = tab.evaluate(
        f"""() => {{ const {{stage}} = {RUN}.playback; const path = {RUN}.run.path; const drawn = [];
        for (const tokens of [10, Infinity]) {{ stage.setGrain({{pixels: 0.5, tokens}}); drawn.push(stage.drawn); }}
        stage.setGrain({{pixels: 0.5, tokens: 10}}); stage.snapshot(); return [...drawn, stage.drawn]; }}"""
    )
    assert drawn == [10, 48, 48]
    tab.evaluate(f"() => {{ const e = {RUN}; e.seek(0.5); e.playback.stage.isHeld = true; }}")
    tab.evaluate(f"() => {{ {RUN}.playback.stage.isHeld = false; }}")
    assert tab.locator(".facts .sample").inner_text() == ""


def test_pressed_buttons_look_pressed(tab, server):
    opened(tab, server.address)
    colour = "e => getComputedStyle(e).backgroundColor"
    trails, loop = tab.get_by_label("Trails"), tab.get_by_label("Loop")
    assert trails.evaluate(colour) != loop.evaluate(colour)
    loop.click()
    assert trails.evaluate(colour) == loop.evaluate(colour)
