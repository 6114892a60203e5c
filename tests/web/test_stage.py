"""The stage and its time in a real browser: picking, turning, projections, marks, clocks, loops, previews."""

import numpy as np
import pytest

from .page import RUN, opened, ready, slide, state, wait

PICTURE = f"""() => {{ const c = {RUN}.playback.stage.snapshot(); const o = document.createElement('canvas');
    o.width = 120; o.height = 120; const p = o.getContext('2d'); p.drawImage(c, 0, 0, 120, 120);
    return p.getImageData(0, 0, 120, 120).data.join(); }}"""
LONG = """title = "Long"
[tokens]
kind = "sphere"
n = 12
d = 2
[attention]
rule = "softmax"
beta = 12.0
[time]
until = 1e7
save = 141
spacing = 8.0
merge = 1e-4
"""
HIGH = """title = "High"
[tokens]
kind = "sphere"
n = 20
d = 7
[time]
until = 4.0
save = 9
"""


def drop(tab, folder, words: str) -> None:
    (folder / "dropped.toml").write_text(words, encoding="utf-8")
    before = state(tab, "run.id")
    tab.set_input_files("#file", str(folder / "dropped.toml"))
    wait(tab, f"e.run.isDone && e.run.id > {before}")


def test_a_click_picks_a_token_and_a_drag_turns(tab, server):
    opened(tab, server.address)
    tab.evaluate(f"{RUN}.seek(0)")
    box = tab.locator(".stage canvas").bounding_box()
    x, y = box["width"] / 2, box["height"] / 2
    token = tab.evaluate(f"([x, y]) => {RUN}.playback.stage.pick(x, y, 0)", [x, y])
    while token < 0:
        x += 12
        token = tab.evaluate(f"([x, y]) => {RUN}.playback.stage.pick(x, y, 0)", [x, y])
    place = (box["x"] + x, box["y"] + y)
    tab.mouse.click(*place)
    labels = state(tab, "run.labels")
    said = tab.locator(".facts").inner_text()
    assert f"token {token + 1}" in said
    assert ("in no cluster" if labels[token] < 0 else f"cluster {labels[token] + 1}") in said
    before = tab.evaluate(PICTURE)
    tab.mouse.move(*place)
    tab.mouse.down()
    tab.mouse.move(place[0] + 150, place[1] + 40, steps=5)
    tab.mouse.up()
    tab.wait_for_timeout(200)
    assert tab.evaluate(PICTURE) != before
    assert f"token {token + 1}" in tab.locator(".facts").inner_text()
    turned = tab.evaluate(PICTURE)
    tab.locator(".stage canvas").focus()
    for key in ("ArrowLeft", "+"):
        tab.keyboard.press(key)
    tab.wait_for_timeout(200)
    assert tab.evaluate(PICTURE) != turned


def test_more_dimensions_are_projected_and_can_be_turned(tab, server, tmp_path):
    opened(tab, server.address)
    drop(tab, tmp_path, HIGH)
    assert state(tab, "run.start.drawn") == "projection" and tab.get_by_label("Projection").input_value() == "pca"
    first = np.array(tab.evaluate(f"[...{RUN}.run.path.knots[0].x]")).reshape(-1, 3)
    # Principal axes hold the most of unit vectors that three axes can.
    tab.get_by_label("Projection").select_option("first")
    wait(tab, "e.run.isDone && e.view.projection === 'first' && !e.talk.next")
    other = np.array(tab.evaluate(f"[...{RUN}.run.path.knots[0].x]")).reshape(-1, 3)
    assert np.abs(first - other).max() > 1e-3 and np.linalg.norm(other, axis=1).max() <= 1 + 1e-6
    before = tab.evaluate(PICTURE)
    tab.locator(".stage canvas").focus()
    for _ in range(5):
        tab.keyboard.press("ArrowRight")
    tab.wait_for_timeout(200)
    assert tab.evaluate(PICTURE) != before


def test_a_long_run_has_a_logarithmic_clock_and_marks_of_mergings(tab, server, tmp_path):
    opened(tab, server.address)
    drop(tab, tmp_path, LONG)
    assert state(tab, "run.clock.kind") == "log" and state(tab, "run.until") == 1e7
    counts = np.array(state(tab, "run.observed.clusters"))
    fell = np.flatnonzero((np.diff(counts) < 0) & (counts[1:] > 0)) + 1
    assert len(fell) > 0 and tab.locator(".marks i").count() == len(fell)
    times = np.array(state(tab, "run.observed.t"))[fell]
    places = tab.evaluate(
        f"[...{RUN}.renderRoot.querySelectorAll('.marks i')].map(m => parseFloat(m.style.left) / 100)"
    )
    shares = tab.evaluate(f"ts => ts.map(t => {RUN}.run.clock.share(t))", times.tolist())
    np.testing.assert_allclose(places, shares, atol=1e-4)  # as CSS writes percentages
    tab.get_by_label("Clock").select_option("linear")
    assert state(tab, "run.clock.kind") == "linear"
    tab.evaluate(f"{RUN}.seek(0.5)")
    assert state(tab, "time") == pytest.approx(5e6)


def test_a_loop_begins_again_and_speed_is_kept(tab, server):
    opened(tab, server.address)
    tab.get_by_label("Loop").click()
    tab.get_by_label("Speed").select_option("4")
    tab.evaluate(f"{RUN}.seek(0.95)")
    tab.get_by_role("button", name="Play").click()
    wait(tab, "e.playback.head.u < 0.5 && e.playing")
    assert state(tab, "view") == {"loop": True, "speed": 4}


def test_while_a_slider_moves_few_tokens_are_computed(tab, server):
    opened(tab, server.address)
    field = tab.get_by_label("n, exactly")
    field.fill("400")
    field.blur()
    wait(tab, "e.run.isDone && e.run.path.n === 400")
    tab.evaluate(
        f"""() => {{ const s = {RUN}.renderRoot.getElementById('beta'); s.value = 0.4;
        s.dispatchEvent(new Event('input', {{bubbles: true}})); }}"""
    )
    wait(tab, "e.run.isPreview && e.run.path.n === 256 && e.run.ended")
    assert "preview with 256 tokens" in tab.locator(".facts").inner_text()
    slide(tab, "beta", 0.45)
    wait(tab, "!e.run.isPreview && e.run.isDone && e.run.path.n === 400")
    assert "preview" not in tab.locator(".facts").inner_text()


def test_the_newest_of_many_requests_is_shown(tab, server):
    opened(tab, server.address)
    for value in (0.1, 0.5, 0.2, 0.6, 0.3):
        slide(tab, "beta", value)
    last = state(tab, "scenario.attention.beta")
    wait(tab, f"e.run.isDone && !e.talk.next && e.run.scenario.attention.beta === {last}")
    tab.wait_for_timeout(1500)
    assert state(tab, "run.scenario.attention.beta") == last and state(tab, "note") is None


def test_a_crowd_is_saved_at_fewer_times(tab, server):
    ready(opened(tab, server.address))
    field = tab.get_by_label("n, exactly")
    saved = tab.evaluate(
        f"""() => {{ const e = {RUN}; const asked = []; e.request = s => asked.push(s);
        const f = [...e.renderRoot.querySelectorAll('input')].find(i => i.ariaLabel === 'n, exactly');
        f.value = 200000; f.dispatchEvent(new Event('change')); return asked[0].time.save; }}"""
    )
    assert field.count() == 1 and saved == 2**27 // 24 // 200_000
