"""`explore`: the page in the browser, or one exported file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...engine.files.whole import check_ordinary, text_in
from ...errors import BadInput
from .answer import Answer

INSTALL = "the explorer needs its server: pip install 'attnflow[explore]'"


def opened_by(what: str | None, settings: list[str]) -> dict[str, Any]:
    """What the user named, by name: a scenario, or a stored run."""
    from ...experiments.scenario.cost import check_affordable
    from ...experiments.store import find_result, load_run
    from .engine import start_engine
    from .finding import find_scenario

    what = "default" if what is None else what
    path = Path(what)
    if not what or not path.is_dir():
        stem, scenario = find_scenario(what, settings)
        check_affordable(scenario)
        start_engine()
        from ...experiments.scenario import build

        build(scenario)  # what cannot be run is refused here, not in the page
        return {stem: scenario}
    if settings:
        raise BadInput("--set changes a scenario; a stored run is what it is")
    find_result(path)
    start_engine()
    return {path.resolve().name: load_run(path)}


def serve_page(
    what: str | None, settings: list[str], *, port: int, opens_browser: bool, as_json: bool = False
) -> Answer:
    """Serve until Ctrl-C."""
    opened = opened_by(what, settings)
    try:
        from ..explore.server import serve
    except ImportError:
        raise BadInput(INSTALL) from None

    def ready(address: str) -> None:
        line = json.dumps({"address": address}) if as_json else f"Explorer at {address}   (Ctrl-C stops it)"
        print(line, flush=True)
        if opens_browser:
            import webbrowser

            webbrowser.open(address)

    serve(opened, port=port, token=_token() if port else None, on_ready=ready)
    return Answer({})


def _token() -> str:
    """A random secret of this user: with a port of one's own, open tabs find the explorer again when it is restarted."""
    import os
    import secrets

    from ...engine.programs import cache_folder

    place = cache_folder() / "explorer-token"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(24))
    except FileExistsError:
        pass
    except OSError:
        return secrets.token_urlsafe(24)
    found = place.read_text(encoding="ascii").strip()
    return (
        found if len(found) >= 22 and found.replace("-", "").replace("_", "").isalnum() else secrets.token_urlsafe(24)
    )


def export_page(what: str | None, settings: list[str], *, out: Path, replace: bool) -> Answer:
    """One file that plays a run without Python or network."""
    out = check_ordinary(out)
    if out.exists() and not replace:
        raise BadInput(f"{out} exists already; choose another place or ask to --replace it")
    if not out.parent.is_dir():
        raise BadInput(f"{out.parent}: no such folder")
    opened = opened_by(what, settings)
    from ..explore.session import Session

    session = Session(opened)
    errors: list[str] = []

    def hear(words: dict[str, Any], data: bytes | None) -> None:
        if words["say"] == "error":
            errors.append(words["words"])
        elif words["say"] == "text":
            text_in(out.parent, out.name, words["text"])

    session.handle({"do": "open", "name": next(iter(opened)), "id": 1}, hear)
    if not errors:
        session.handle({"do": "html", "id": 1}, hear)
    if errors:
        raise BadInput(errors[0])
    size = out.stat().st_size
    return Answer({"file": str(out), "bytes": size}, [f"{out}: {size / 1e6:.1f} MB; open it in any browser"])
