"""Out again: the Python behind a scenario, and one HTML file that plays a run without Python or network."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from ...errors import BadInput
from ...experiments.scenario import Scenario, dumps

STATIC = Path(__file__).parent / "static"
MOST_BYTES = 2**26
"""Of the knots in an exported page."""


def script() -> str:
    """The built page, one JavaScript module."""
    try:
        return (STATIC / "explorer.js").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInput("the page is not built yet: run `make web` (it needs Node, or gets it from PyPI)") from None


def as_python(scenario: Scenario) -> str:
    """The same run in ten lines of Python."""
    words = dumps(scenario).rstrip().replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'''import jax

jax.config.update("jax_enable_x64", True)
import attnflow as af

scenario = af.scenario.loads("""
{words}
""")
flow, mu, options = af.build(scenario)
run = af.evolve(flow, mu, **options)
print(run.status, af.clusters(run.last, tol=1e-2).count if hasattr(run.last, "x") else "")
for check in af.check(run):
    print(check.outcome, check.claim, check.words)
'''


def as_html(said: list[tuple[dict[str, Any], bytes | None]]) -> str:
    """A page that plays what a session said of one run."""
    size = sum(len(data or b"") for _, data in said)
    if size > MOST_BYTES:
        raise BadInput(
            f"the run has {size / 2**20:.0f} MB of states; a page holds {MOST_BYTES / 2**20:.0f} MB: save fewer"
        )
    told = [words | ({} if data is None else {"data": base64.b64encode(data).decode()}) for words, data in said]
    # Neither a title nor the script may close the element it stands in.
    recorded = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")
    code = script().replace("</script", "<\\/script")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<title>attnflow</title>\n<style>html,body{margin:0;height:100%}</style>\n</head>\n<body>\n"
        f'<af-explorer></af-explorer>\n<script type="application/json" id="attnflow-run">{recorded}</script>\n'
        f'<script type="module">{code}</script>\n</body>\n</html>\n'
    )
