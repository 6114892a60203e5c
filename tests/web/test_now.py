"""What stands beside the stage belongs to the state on it, or is marked as that of the run before."""

import re

from .page import RUN, download, opened, ready, slide, state, wait

PART = "[...e.renderRoot.querySelectorAll('af-plot, af-cosines, af-matrix')]"


def chips(tab) -> list[str]:
    return tab.locator(".chips").inner_text().split("\n")


def equation(tab) -> str:
    return tab.locator(".equation").text_content()


def ask(tab, change: dict, *, preview: bool = False) -> None:
    """The scenario on the page with other tables, as a control asks for it."""
    tab.evaluate(
        f"([change, isPreview]) => {RUN}.request({{...{RUN}.scenario, ...change}}, {{isPreview}})", [change, preview]
    )


def test_a_preview_greys_the_curves_and_the_matrix_of_the_run_before(tab, server):
    opened(tab, server.address)
    wait(tab, f"{PART}.length === 5 && {PART}.at(-1).weights && !{PART}.some(p => p.hasAttribute('old'))")
    before = state(tab, "run.id")
    ask(tab, {"attention": {"rule": "softmax", "beta": 2.0}}, preview=True)
    wait(tab, f"e.run.isPreview && e.run.ended && e.run.id > {before} && {PART}.every(p => p.hasAttribute('old'))")
    assert "β = 2" in chips(tab)
    shown = tab.evaluate(
        f"(() => {{ const e = {RUN}; return {PART}.map(p => p.y?.length ?? p.cells?.length ?? !!p.weights); }})()"
    )
    assert all(shown)
    assert tab.locator("af-plot").first.locator("figcaption output").is_hidden()
    assert "before the change" in tab.locator(".theory h2").inner_text().lower()
    ask(tab, {"attention": {"rule": "softmax", "beta": 2.0}})
    ready(tab)
    wait(tab, f"{PART}.at(-1).weights && !{PART}.some(p => p.hasAttribute('old'))")


def test_the_equation_on_the_stage_is_that_of_the_run_on_it(tab, server):
    opened(tab, server.address)
    softmax = equation(tab)
    for rule, flow in [("hardmax", {}), ("softmax", {"normalisation": "pre_ln"}), ("linear", {})]:
        before, shown = state(tab, "run.id"), equation(tab)
        # In the same moment, before any answer: the old equation over the old run, marked as such.
        same = tab.evaluate(
            f"async change => {{ const e = {RUN}; e.request({{...e.scenario, ...change}}); await e.updateComplete;"
            "const heading = e.renderRoot.querySelector('.heading');"
            "return [heading.querySelector('.equation').textContent, heading.hasAttribute('data-old')]; }",
            {"attention": {"rule": rule}, "flow": flow},
        )
        assert same == [shown, True]
        wait(tab, f"e.run.isDone && e.run.id > {before}")
        assert equation(tab) not in (softmax, shown)
        assert tab.locator(".heading[data-old]").count() == 0


def test_after_playing_to_the_end_the_matrix_is_that_of_the_end(tab, server):
    opened(tab, server.address)
    tab.evaluate(
        f"() => {{ const e = {RUN}; e.view = {{...e.view, speed: 16}}; e.playback.head.u = 0.9; e.playing = true; }}"
    )
    wait(tab, "!e.playing && e.time === 30")
    wait(tab, "e.attention.weights?.t === 30", seconds=60)


def test_what_is_refused_does_not_become_the_state(tab, server):
    opened(tab, server.address)
    shown, said, before = equation(tab), chips(tab), state(tab, "scenario")
    bad = 'title = "Bad"\n[tokens]\nkind = "sphere"\nn = 9\nd = 3\n[attention]\nrule = "sofmax"\n'
    tab.set_input_files("#file", files=[{"name": "bad.toml", "mimeType": "", "buffer": bad.encode()}])
    assert "sofmax" in tab.get_by_role("alert").inner_text()
    assert (equation(tab), chips(tab), state(tab, "scenario")) == (shown, said, before)
    field = tab.get_by_label("n, exactly")
    field.fill("0")
    field.blur()
    tab.get_by_role("alert").get_by_text("tokens").wait_for()
    assert field.input_value() == "48" and state(tab, "scenario") == before
    tab.wait_for_timeout(200)
    with open(download(tab, "Scenario"), encoding="utf-8") as file:
        assert "n = 48" in file.read()


def test_a_refused_preview_leaves_the_run_that_was_there(tab, server):
    opened(tab, server.address)
    before = state(tab, "scenario")
    ask(tab, {"attention": {"rule": "softmax", "beta": 2.0}}, preview=True)
    wait(tab, "e.run.isPreview && e.run.ended")
    ask(tab, {"attention": {"rule": "softmax", "beta": "warm"}}, preview=True)
    tab.get_by_role("alert").wait_for()
    wait(tab, "!e.run.isPreview && e.run.isDone && e.run.scenario.attention.beta === 6")
    assert state(tab, "scenario") == before


def test_an_edited_scenario_does_not_keep_its_title(tab, server):
    opened(tab, server.address)
    before = state(tab, "run.id")
    slide(tab, "beta", 0.3)
    wait(tab, f"e.run.isDone && !e.run.isPreview && e.run.id > {before}")
    assert re.fullmatch("Edited from “Small <b>run</b>”", tab.locator("h1").inner_text())


def test_negative_weights_are_not_shown_as_none(tab, server):
    opened(tab, server.address)
    ask(tab, {"attention": {"rule": "linear", "beta": 1.0}})
    wait(
        tab,
        "e.run.isDone && e.run.scenario.attention.rule === 'linear' && e.attention.weights?.values.some(w => w < 0)",
    )
    tab.locator("af-matrix .ramp.signed").wait_for()
    assert re.search("−[0-9.]+ to [0-9.]+", tab.locator("af-matrix .legend").inner_text())
