"""What cannot be done is one clear line in the page: links, files, titles."""

import base64
import json
import zlib

import numpy as np
import pytest

from .page import RUN, opened, ready, state, wait

HOSTILE = '<img src=x onerror="window.hit = 1"><script>window.hit = 1</script>'


def linked(tab, address: str, scenario: dict) -> None:
    """Open a link that holds a scenario."""
    packed = zlib.compressobj(wbits=-15)
    data = packed.compress(json.dumps({"s": scenario, "v": {}}).encode()) + packed.flush()
    tab.goto("about:blank")
    tab.goto(f"{address}#s={base64.urlsafe_b64encode(data).decode().rstrip('=')}")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"tokens": {"kind": "sphere", "n": 10**9, "d": 3}},
            "1,000,000,000 tokens: the explorer takes at most 200,000",
        ),
        ({"tokens": {"kind": "file", "file": "/etc/passwd"}}, "names a file"),
        ({"tokens": {"kind": "sphere", "n": 8, "d": 3}, "nonsense": 1}, "nonsense"),
    ],
)
def test_a_link_that_asks_too_much_is_one_line(tab, server, change, words):
    opened(tab, server.address)
    linked(tab, server.address, change)
    tab.get_by_role("alert").get_by_text(words).wait_for()
    # What the user opened is still at hand.
    tab.get_by_role("button", name="Presets").click()
    tab.locator("[data-preset=small]").click()
    ready(tab)
    assert tab.get_by_role("alert").count() == 0


def test_titles_and_file_names_are_text(tab, server, tmp_path):
    opened(tab, server.address)
    linked(tab, server.address, {"title": HOSTILE, "tokens": {"kind": "sphere", "n": 12, "d": 3}})
    ready(tab)
    assert tab.locator("h1").inner_text() == HOSTILE
    np.save(tmp_path / "h.npy", np.random.default_rng(0).normal(size=(3, 4, 5)))
    name = "<b onmouseover=hit>x.npy"
    file = {"name": name, "mimeType": "", "buffer": (tmp_path / "h.npy").read_bytes()}
    tab.set_input_files("#file", files=[file])
    wait(tab, "e.run.path.n === 4 && e.run.isDone")
    assert tab.locator("h1").inner_text() == name
    tab.set_input_files("#file", files=[{"name": "<i>.toml", "mimeType": "", "buffer": b"]["}])
    assert "<i>.toml is not TOML" in tab.get_by_role("alert").inner_text()
    assert tab.evaluate("window.hit") is None
    assert tab.evaluate(f"{RUN}.renderRoot.querySelectorAll('.stage b:not([class]), .stage img, .say i').length") == 0


GOOD = np.random.default_rng(0).normal(size=(9, 3))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("x.csv", "not a table"), ("x.npz", "not a readable .npz"), ("x.npy", "not a readable .npy"),
        ("x.toml", "is not TOML"), ("x.exe", "drop a .npy"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_clear_line_and_a_good_one_follows(tab, server, tmp_path, name, words):
    opened(tab, server.address)
    tab.set_input_files("#file", files=[{"name": name, "mimeType": "", "buffer": b"= [ not, anything\nnor, this\n"}])
    alert = tab.get_by_role("alert")
    alert.wait_for()
    assert words in alert.inner_text() and "\n" not in alert.inner_text().strip()
    (tmp_path / "good.csv").write_text("\n".join(",".join(map(str, row)) for row in GOOD), encoding="utf-8")
    tab.set_input_files("#file", str(tmp_path / "good.csv"))
    wait(tab, "e.run.path.n === 9 && e.run.isDone")
    assert tab.get_by_role("alert").count() == 0
    assert state(tab, "scenario.tokens.x.length") == 9
