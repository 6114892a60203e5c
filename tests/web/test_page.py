"""The page in a real browser."""

import re
import subprocess
from contextlib import suppress

import numpy as np
import pytest

from attnflow.experiments.scenario import from_dict

from .conftest import ROOT, Server
from .page import RUN, opened, ready, slide, state, wait


def test_the_page_shows_what_python_computed(tab, server, exact):
    opened(tab, server.address)
    count = next(words for words in exact[1] if words["say"] == "ended")["clusters"]["count"]
    assert tab.locator(".facts .final").inner_text() == str(count)
    tab.evaluate(f"{RUN}.seek(1)")
    tab.wait_for_function(f"() => {RUN}.renderRoot.querySelector('.facts .count').textContent === '{count}'")
    last = np.array(tab.evaluate(f"[...{RUN}.run.path.knots.at(-1).x]")).reshape(-1, 3)
    np.testing.assert_allclose(last, np.asarray(exact[0].played.run.x[-1]), atol=1e-6)  # 32-bit numbers
    # A title is text: nothing in it becomes an element.
    assert tab.locator("h1").inner_text() == "Small <b>run</b>"


def test_the_theory_panel_lists_what_predict_lists(tab, server, exact):
    opened(tab, server.address)
    predictions = next(words for words in exact[1] if words["say"] == "theory")["predictions"]
    shown = tab.locator(".theory > [data-claim]")
    assert [shown.nth(k).get_attribute("data-claim") for k in range(shown.count())] == [p["claim"] for p in predictions]
    assert shown.nth(0).locator("p").first.inner_text() == predictions[0]["words"]
    marks = tab.locator(".theory .mark.holds, .theory .mark.consistent, .theory .mark.undecided").count()
    assert marks == sum(len(words["checks"]) for words in exact[1] if words["say"] == "checks")


def test_a_slider_changes_the_link_and_the_link_brings_it_back(tab, server):
    opened(tab, server.address)
    before = state(tab, "run.id")
    slide(tab, "beta", 0.3)
    wait(tab, f"e.run.isDone && !e.run.isPreview && e.run.id > {before}")
    scenario = state(tab, "scenario")
    assert scenario["attention"]["beta"] != 6.0
    tab.wait_for_function("() => location.hash.startsWith('#s=')")
    link = tab.url
    tab.goto("about:blank")
    opened(tab, link)
    assert from_dict(state(tab, "scenario")) == from_dict(scenario)


def test_another_number_of_tokens_and_another_rule(tab, server):
    opened(tab, server.address)
    slide(tab, "n", 0.45)
    wait(tab, "e.run.isDone && !e.run.isPreview && e.run.path.n !== 48")
    assert state(tab, "run.path.n") == state(tab, "scenario.tokens.n")
    tab.get_by_label("Rule").select_option("hardmax")
    wait(tab, "e.run.isDone && e.run.scenario.attention.rule === 'hardmax'")
    assert "beta" not in state(tab, "scenario.attention")


def test_masks_and_fields_left_empty(tab, server):
    opened(tab, server.address)
    tab.get_by_label("beta, exactly").fill("")
    tab.get_by_label("beta, exactly").blur()
    assert tab.get_by_label("beta, exactly").input_value() == "6"
    tab.get_by_label("Mask").select_option("blocks")
    wait(tab, "e.run.isDone && e.run.scenario.attention.positions?.length === 48")
    assert tab.locator(".chips").inner_text().split("\n")[-1] == "4 blocks"
    tab.get_by_label("Mask").select_option("causal")
    wait(tab, "e.run.isDone && e.run.scenario.attention.causal && !e.run.scenario.attention.positions")


def test_links_that_cannot_be_read_are_one_line(tab, server):
    tab.goto(server.address + "#s=AAAA")
    tab.get_by_role("alert").get_by_text("This link cannot be read").wait_for()
    ready(tab)
    assert tab.get_by_role("alert").count() == 1 and state(tab, "scenario.attention.beta") == 6.0


def test_a_copied_link_brings_the_playhead(tab, server):
    opened(tab, server.address)
    tab.evaluate(f"{RUN}.seek(0.5)")
    shown = state(tab, "time")
    tab.evaluate(
        "() => { window.kept = ''; Object.defineProperty(navigator, 'clipboard',"
        "{value: {writeText: async words => { window.kept = words; }}}); }"
    )
    tab.get_by_role("button", name="Export").click()
    tab.get_by_role("menuitem", name="Copy link").click()
    tab.get_by_text("The link is in the clipboard.").wait_for()
    link = tab.evaluate("window.kept")
    tab.goto("about:blank")
    opened(tab, link)
    assert state(tab, "time") == pytest.approx(shown) and not state(tab, "playing")


def test_the_stage_is_not_blank(tab, server):
    opened(tab, server.address)
    tab.evaluate(f"{RUN}.seek(0.5)")
    tab.wait_for_timeout(400)
    colours = tab.evaluate(
        f"""() => {{ const c = {RUN}.playback.stage.snapshot(); const o = document.createElement('canvas');
        o.width = 200; o.height = 200; const p = o.getContext('2d'); p.drawImage(c, 0, 0, 200, 200);
        return new Set(new Uint32Array(p.getImageData(0, 0, 200, 200).data.buffer)).size; }}"""
    )
    assert colours > 100


def test_dropped_tokens_become_the_prompt(tab, server, tmp_path):
    opened(tab, server.address)
    np.save(tmp_path / "x.npy", np.random.default_rng(0).normal(size=(21, 3)))
    data = list((tmp_path / "x.npy").read_bytes())
    tab.evaluate(
        f"""bytes => {{ const files = new DataTransfer();
        files.items.add(new File([new Uint8Array(bytes)], 'x.npy'));
        const place = {RUN}.renderRoot.querySelector('.app');
        place.dispatchEvent(new DragEvent('drop', {{dataTransfer: files, bubbles: true}})); }}""",
        data,
    )
    wait(tab, "e.run?.path.n === 21 && e.run.isDone")
    assert state(tab, "scenario.tokens.kind") == "array"
    np.save(tmp_path / "h.npy", np.random.default_rng(0).normal(size=(6, 11, 8)))
    tab.set_input_files("#file", str(tmp_path / "h.npy"))
    wait(tab, "e.run?.path.n === 11 && e.run.isDone")
    assert state(tab, "run.path.knots.length") == 6
    (tmp_path / "bad.npy").write_bytes(b"nothing")
    tab.set_input_files("#file", str(tmp_path / "bad.npy"))
    tab.get_by_role("alert").wait_for()
    assert "not a readable" in tab.get_by_role("alert").inner_text()


def test_every_control_has_a_name_and_is_reached_by_keyboard(tab, server):
    opened(tab, server.address)
    tab.evaluate(f"{RUN}.seek(0.5)")
    controls = (
        "[...document.querySelector('af-explorer').renderRoot.querySelectorAll("
        "'button, input, select, canvas[tabindex], summary')].filter(e => e.checkVisibility() && e.tabIndex >= 0 && !e.disabled)"
    )
    nameless = tab.evaluate(
        f"""() => {controls}.filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)"""
    )
    assert nameless == []
    tab.evaluate(f"() => {controls}.forEach((e, k) => e.dataset.seen = 'no')")
    tab.locator("header button").first.focus()
    for _ in range(400):
        tab.evaluate(f"() => {{ const f = {RUN}.renderRoot.activeElement; if (f) f.dataset.seen = 'yes'; }}")
        tab.keyboard.press("Tab")
        if tab.evaluate(f"() => {RUN}.renderRoot.activeElement === null"):
            break
    missed = tab.evaluate(f"() => {controls}.filter(e => e.dataset.seen === 'no').map(e => e.outerHTML)")
    assert missed == []
    tab.locator("#time").focus()
    before = state(tab, "time")
    tab.keyboard.press("ArrowRight")
    assert state(tab, "time") > before


def test_reduced_motion_stops_autoplay(browser, server):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    opened(page, server.address)
    assert state(page, "playing") is False and state(page, "time") == 0
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_small_window_needs_no_sideways_scrolling(browser, server, scheme):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    opened(page, server.address)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for name in ("Plots", "Theory", "Controls"):
        page.get_by_role("tab", name=name).click()
        wide = page.evaluate(
            f"Math.max(...[...{RUN}.renderRoot.querySelectorAll('aside')].map(a => a.scrollWidth - a.clientWidth))"
        )
        assert wide <= 0, name
    assert page.evaluate(f"{RUN}.dark") is (scheme == "dark")
    context.close()


def test_a_dead_server_is_waited_for(tab, folder):
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    first = Server("small.toml", "--port", port, folder=folder)
    opened(tab, first.address)
    first.stop()
    tab.get_by_text("reconnecting").wait_for()
    second = Server("small.toml", "--port", port, folder=folder)
    assert second.address == first.address
    try:
        wait(tab, "e.status === 'open' && e.run.isDone && e.run.id > 1")
    finally:
        second.stop()
    tab.wrong[:] = [line for line in tab.wrong if "WebSocket" not in line and "ERR_CONNECTION" not in line]


def test_the_widget_draws_in_a_blank_page(tab, server, exact):
    """The module as a notebook loads it, with a channel that answers as the kernel would."""
    import base64

    said = [
        words | ({} if data is None else {"data": base64.b64encode(data).decode()})
        for words, data in exact[0].played.said
    ]
    tab.goto(server.address)
    tab.evaluate("document.body.replaceChildren()")
    tab.evaluate(
        """async said => { const {default: widget} = await import('./explorer.js'); let hear;
        const model = { get: () => 500, on: (_, f) => hear = f, off() {}, send(message) {
          if (message.do === 'hello') hear({say: 'hello', presets: [{name: 'notebook', title: '', group: ''}]}, []);
          const bytes = data => new DataView(Uint8Array.from(atob(data), c => c.charCodeAt(0)).buffer);
          if (message.do === 'open') for (const {data, ...words} of said)
            hear({...words, id: message.id}, data ? [bytes(data)] : []);
        } };
        const el = document.createElement('div'); document.body.append(el); widget.render({model, el}); }""",
        said,
    )
    ready(tab)
    assert tab.locator("af-explorer").bounding_box()["height"] == 500
    assert not tab.url.endswith("#")


@pytest.mark.slow
def test_every_preset_loads_and_plays(tab, server):
    opened(tab, server.address)
    names = [p["name"] for p in state(tab, "presets") if not p["name"].startswith("run/")]
    assert len(names) > 35
    for name in names:
        before = state(tab, "run.id")
        tab.evaluate(f"name => {RUN}.open(name)", name)
        wait(tab, f"(e.run.id > {before} && e.run.ended) || e.note?.kind === 'error'")
        assert state(tab, "note?.kind") != "error", (name, state(tab, "note?.words"))
        assert state(tab, "run.path.knots.length") > 2, name
        tab.evaluate(f"{RUN}.seek(0.9)")
        tab.get_by_role("button", name="Play").click()
        wait(tab, "!e.playing && e.time === e.run.until")


def test_the_page_is_small():
    import gzip

    data = (ROOT / "src/attnflow/interfaces/explore/static/explorer.js").read_bytes()
    assert len(data) <= 1_000_000 and len(gzip.compress(data)) <= 300_000
    # Addresses of name spaces and licences stand in the module; none is ever asked for (the other tests see to that).
    assert not re.search(rb"(src|href)=.https?://", data)


def test_ctrl_c_ends_the_server(folder):
    import signal

    running = Server("small.toml", folder=folder)
    # The engine may be about to be imported when the first one comes, and then it is lost: people press again.
    for _ in range(10):
        running.process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            running.process.wait(6)
            break
    assert running.process.poll() is not None
