"""What a person does with the page."""

import re

RUN = "document.querySelector('af-explorer')"
PATIENCE = 400.0
"""Seconds after which a page is given up; a busy machine needs many."""


def state(tab, what: str):
    return tab.evaluate(f"{RUN}.{what}")


def wait(tab, what: str, *, seconds: float = PATIENCE) -> None:
    tab.wait_for_function(f"() => {{ const e = {RUN}; return e && ({what}); }}", timeout=1000 * seconds)


def ready(tab) -> None:
    """Until the whole run is there and theory has been asked."""
    wait(tab, "e.run?.isDone && !e.run.isPreview")


def opened(tab, address: str):
    tab.goto(address)
    ready(tab)
    return tab


def slide(tab, name: str, value: float) -> None:
    tab.evaluate(
        "([id, v]) => { const s = document.querySelector('af-explorer').renderRoot.getElementById(id);"
        "s.value = v; s.dispatchEvent(new Event('input', {bubbles: true}));"
        "s.dispatchEvent(new Event('change', {bubbles: true})); }",
        [name, value],
    )


def download(tab, item: str) -> str:
    tab.get_by_role("button", name="Export").click()
    with tab.expect_download() as waiting:
        tab.get_by_role("menuitem", name=re.compile(f"^{item}")).click()
    return str(waiting.value.path())
