"""The explorer: how soon a moved slider is seen, how fast knots come, how large they are, frames per second."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numpy as np

from .table import markdown

SIZES = (512, 10_000)
FLAGS = ["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-background-networking", "--disable-component-update"]
"""As chromium draws by itself where there is no graphics card: WebGL by SwiftShader, the page around it by the processor."""


def report() -> str:
    import jax

    jax.config.update("jax_enable_x64", True)
    rows = [_slider(n) for n in SIZES]
    head = ["n", "first frame", "first moving frame", "whole run", "knots per second", "bytes per knot"]
    table = markdown("Explorer: from slider release to the picture (sphere, β = 9, t = 20, compiled)", head, rows)
    return table + "\n" + markdown("Explorer: frames per second in headless chromium, software rendering, 1440 × 900",
                                   ["tokens", "frames per second"], [[f"{n:,}", _frames(n)] for n in (1000, 10_000)])  # fmt: skip


def _scenario(n: int, beta: float) -> dict:
    return {
        "tokens": {"kind": "sphere", "n": n, "d": 3}, "attention": {"rule": "softmax", "beta": beta},
        "time": {"until": 20.0, "save": 41, "spacing": 2.0, "tol": 1e-6, "method": "tsit5"},
    }  # fmt: skip


def _slider(n: int) -> list[str]:
    from attnflow.interfaces.explore.session import Session, Stopped

    session = Session()
    for beta in (8.0, 9.0):  # the first run compiles
        started, times, sizes = time.perf_counter(), [], []

        def hear(words, data, started=started, times=times, sizes=sizes):
            if words["say"] == "knot":
                times.append(time.perf_counter() - started)
                sizes.append(len(data))
            if words["say"] == "ended":
                raise Stopped

        with suppress(Stopped):
            session.handle({"do": "run", "id": 1, "scenario": _scenario(n, beta)}, hear)
    speed = (len(times) - 1) / times[-1]
    moving = next(t for t in times[2:])
    return [f"{n:,}", f"{times[0]:.3f} s", f"{moving:.2f} s", f"{times[-1]:.2f} s", f"{speed:.0f}", f"{sizes[-1]:,}"]


def _frames(n: int, seconds: float = 4.0) -> str:
    """Frames drawn while a recorded run plays."""
    browser = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        browser = None
    if browser is None:
        return "no browser here"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "run.html"
        page_file.write_text(_recorded(n), encoding="utf-8")
        started = playwright.chromium.launch(executable_path=browser, args=FLAGS)
        page = started.new_page(viewport={"width": 1440, "height": 900})
        page.goto(page_file.as_uri())
        page.wait_for_function("() => document.querySelector('af-explorer').run?.isDone")
        count = page.evaluate(
            """async ms => { const e = document.querySelector('af-explorer'); e.seek(0); e.playing = true; let n = 0, on = true;
            const tick = () => { n++; if (on) requestAnimationFrame(tick); }; requestAnimationFrame(tick);
            await new Promise(done => setTimeout(done, ms)); on = false; return n; }""",
            1000 * seconds,
        )
        started.close()
    return f"{count / seconds:.0f} (load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores)"


def _recorded(n: int) -> str:
    """A page of tokens that turn about an axis, each at its own speed."""
    from attnflow.interfaces.explore.export import as_html
    from attnflow.interfaces.explore.frames import IS_SPHERE, Knot, pack_knot

    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 3))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    speed, angle = rng.uniform(0, 0.5, n), np.arctan2(x[:, 1], x[:, 0])
    flat, said = np.hypot(x[:, 0], x[:, 1]), []
    start = {
        "say": "start",
        "id": 1,
        "n": n,
        "d": 3,
        "space": "sphere",
        "drawn": "sphere",
        "title": "",
        "scenario": None,
        "until": 10.0,
    }
    said.append((start | {"scenario": None}, None))
    for k, t in enumerate(np.linspace(0, 10, 21)):
        c, s = flat * np.cos(angle + speed * t), flat * np.sin(angle + speed * t)
        knot = Knot(t, np.stack([c, s, x[:, 2]], 1), np.stack([-speed * s, speed * c, 0 * c], 1), IS_SPHERE)
        said.append(({"say": "knot", "id": 1}, pack_knot(knot, run=1, sequence=k)))
    ended = {"say": "ended", "id": 1, "status": "DONE", "t": 10.0, "words": "", "notes": [], "clusters": None}
    return as_html([*said, (ended, None), ({"say": "done", "id": 1}, None)])
