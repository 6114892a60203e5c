"""Out again: scenario, script, picture, film and a page that plays by itself."""

import numpy as np
import pytest

from attnflow.experiments.scenario import loads

from .conftest import SCENARIO
from .page import RUN, download, opened, ready, state, wait

FRAMES = """async ([bytes, type]) => {
    const video = document.createElement('video');
    video.muted = true;
    video.src = URL.createObjectURL(new Blob([new Uint8Array(bytes)], {type}));
    const paint = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const at = async seconds => {
        video.currentTime = seconds;
        await new Promise(done => video.onseeked = done);
        paint.canvas.width = 160; paint.canvas.height = 120;
        paint.drawImage(video, 0, 0, 160, 120);
        return paint.getImageData(0, 0, 160, 120).data.join();
    };
    await new Promise((done, fail) => { video.onloadeddata = done; video.onerror = () => fail(video.error.message); });
    // A recorder writes no length; a browser finds it when it looks for the end.
    await at(1e6);
    const seconds = video.currentTime;
    return {seconds, differs: await at(0.1) !== await at(seconds / 2)};
}"""
"""Whether a film can be played, and shows different pictures at different times."""


def test_the_scenario_goes_out_and_comes_in(tab, server, tmp_path):
    opened(tab, server.address)
    with open(download(tab, "Scenario"), encoding="utf-8") as file:
        words = file.read()
    assert loads(words) == loads(SCENARIO)
    changed = tmp_path / "other.toml"
    changed.write_text(words.replace("beta = 6.0", "beta = 2.5"), encoding="utf-8")
    tab.set_input_files("#file", str(changed))
    wait(tab, "e.run.isDone && e.run.scenario.attention.beta === 2.5")
    with open(download(tab, "Python"), encoding="utf-8") as file:
        compile(file.read(), "script", "exec")
    with open(download(tab, "Picture"), "rb") as file:
        assert file.read(4) == b"\x89PNG"


def test_an_exported_page_plays_from_a_file(tab, server, tmp_path):
    opened(tab, server.address)
    knots = state(tab, "run.path.knots.length")
    page = tmp_path / "run.html"
    with open(download(tab, "Page that plays by itself"), "rb") as file:
        page.write_bytes(file.read())
    tab.goto(page.as_uri())
    ready(tab)
    assert state(tab, "run.path.knots.length") == knots and state(tab, "status") == "recorded"
    tab.get_by_role("button", name="Pause").or_(tab.get_by_role("button", name="Play")).first.wait_for()
    tab.evaluate(f"{RUN}.seek(0.2)")
    tab.get_by_role("button", name="Play").click()
    before = state(tab, "time")
    tab.wait_for_timeout(800)
    assert state(tab, "time") > before
    assert tab.locator(".theory > [data-claim]").count() > 0


def test_a_picture_holds_the_stage_and_its_title(tab, server):
    from PIL import Image

    opened(tab, server.address)
    tab.evaluate(f"{RUN}.seek(0.5)")
    tab.wait_for_timeout(300)
    with Image.open(download(tab, "Picture")) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    stage, strip = np.split(pixels, [int(len(pixels) / 1.085)])
    assert len(np.unique(stage.reshape(-1, 3), axis=0)) > 500
    assert len(np.unique(strip.reshape(-1, 3), axis=0)) > 20


@pytest.mark.parametrize(("kind", "magic"), [("WebM", (0, b"\x1aE\xdf\xa3")), ("MP4", (4, b"ftyp"))])
def test_a_film_is_one_pass_through_the_run(tab, server, kind, magic):
    opened(tab, server.address)
    type_ = f"video/{kind.lower()}"
    if not tab.evaluate("type => MediaRecorder.isTypeSupported(type)", type_):
        tab.get_by_role("button", name="Export").click()
        assert tab.get_by_role("menuitem", name=f"Film, {kind}").count() == 0
        pytest.skip(f"this browser makes no {kind}")
    tab.evaluate(f"{RUN}.view = {{...{RUN}.view, speed: 4}}")
    with open(download(tab, f"Film, {kind}"), "rb") as file:
        film = file.read()
    place, mark = magic
    assert film[place : place + 4] == mark
    assert state(tab, "filming") is None and state(tab, "time") == pytest.approx(30.0)
    seen = tab.evaluate(FRAMES, [list(film), type_])
    assert 3.0 < seen["seconds"] < 60.0 and seen["differs"]  # a pass takes 3.5 s, more on a busy machine
