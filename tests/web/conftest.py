"""A server and a browser for the tests of the page; all are left out, by name, where one of them is missing."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .page import PATIENCE

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "src/attnflow/interfaces/explore/static/explorer.js"
FLAGS = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--enable-unsafe-swiftshader",
]  # fmt: skip
SCENARIO = """title = "Small <b>run</b>"
seed = 5

[tokens]
kind = "sphere"
n = 48
d = 3

[attention]
rule = "softmax"
beta = 6.0

[time]
until = 30.0
save = 41
spacing = 2.0
"""


def chromium() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def missing() -> str | None:
    if not BUILT.is_file():
        return "the page is not built (`make web`)"
    if chromium() is None:
        return "no chromium on this machine"
    try:
        import playwright  # noqa: F401
        import starlette  # noqa: F401
    except ImportError:
        return "the extra `web` is not installed"
    return None


def pytest_collection_modifyitems(items):
    why = missing()
    for item in items:
        if why is not None and "tests/web" in str(item.path).replace("\\", "/"):
            item.add_marker(pytest.mark.skip(reason=why))


class Server:
    """`attnflow explore` in a process of its own."""

    def __init__(self, *words: str, folder: Path):
        env = os.environ | {"PYTHONPATH": str(ROOT / "src"), "ATTNFLOW_CACHE": str(folder / "cache")}
        if "ATTNFLOW_CACHE" in os.environ:
            env["ATTNFLOW_CACHE"] = os.environ["ATTNFLOW_CACHE"]
        command = [sys.executable, "-m", "attnflow.interfaces.cli", "explore", *words, "--no-browser", "--json"]
        self.process = subprocess.Popen(command, env=env, cwd=folder, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server did not start"
        self.address = json.loads(line)["address"]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("explorer")
    (place / "small.toml").write_text(SCENARIO, encoding="utf-8")
    return place


@pytest.fixture(scope="session")
def server(folder):
    running = Server("small.toml", folder=folder)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def exact():
    """The run of the scenario in Python: its session, and all it said."""
    from attnflow.experiments.scenario import loads, to_dict
    from attnflow.interfaces.explore.session import Session

    session, out = Session(), []
    message = {"do": "run", "id": 1, "scenario": json.loads(json.dumps(to_dict(loads(SCENARIO))))}
    session.handle(message, lambda words, data: out.append(words))
    return session, out


@pytest.fixture
def tab(browser):
    """A page that fails the test when it asks any other machine, or when its console shows an error."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    wrong: list[str] = []

    def guard(route):
        address = route.request.url
        if address.startswith(("http://127.0.0.1:", "file://", "data:", "blob:")):
            route.continue_()
        else:
            wrong.append(address)
            route.abort()

    context.route("**/*", guard)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.wrong = wrong  # pyright: ignore
    yield page
    context.close()
    assert not wrong
