"""The built site, as a browser opens it: nothing is asked of any other machine, no formula is left as text."""

import re
import shutil
from pathlib import Path

import pytest

import attnflow as af

SITE = Path(__file__).parents[2] / "site"
PAGES = ("index", "start/index", "papers/index", "papers/geshkovski2023", "papers/errata", "figures/index",
         "reference/index", "reference/what-moves", "how/architecture", "tutorials/index", "search")  # fmt: skip

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="no site is built (make docs)"),
]


def test_pages_name_nothing_to_fetch_from_elsewhere():
    fetched = re.compile(r"""<(?:script|img|link|iframe|source)\b[^>]*(?:src|href)=["'](https?:)?//[^"']+""")
    outside = [page.name for page in SITE.rglob("*.html") if fetched.search(page.read_text("utf-8"))]
    assert not outside


def test_formulas_are_set():
    text = (SITE / "papers" / "geshkovski2023.html").read_text("utf-8")
    stated = sum(bool(claim.latex) for claim in af.claims("geshkovski2023"))
    assert text.count('class="katex"') >= stated > 0 and "katex-error" not in text


def test_no_formula_is_left_as_text():
    unread = re.compile(r"<(script|style|pre|code|annotation|title)\b[\s\S]*?</\1>|<[^>]*>")
    left = {
        page.name: re.findall(r"\$[^$]+\$", unread.sub("", page.read_text("utf-8"))) for page in SITE.rglob("*.html")
    }
    assert {name: found for name, found in left.items() if found} == {}


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium") or pytest.skip("no chromium on this machine")
    with api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_without_a_network(browser, name):
    page, asked, said = browser.new_page(viewport={"width": 390, "height": 800}), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.goto((SITE / f"{name}.html").as_uri(), timeout=300_000)  # a busy machine is slow, not wrong
    assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]
    assert not said
    assert page.evaluate("document.documentElement.scrollWidth") <= 400, "the page is wider than a telephone"
    page.close()
