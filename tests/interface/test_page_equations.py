"""The page writes equations of its own: here are those of Python, which its tests compare with word for word.

After a change of `engine/flow/formula.py`, or a new rule: `python tests/interface/test_page_equations.py` writes them anew.
"""

import json
from itertools import product
from pathlib import Path

from attnflow.errors import BadInput
from attnflow.experiments.scenario import from_dict, load, to_dict
from attnflow.experiments.scenario.building import build_flow
from attnflow.experiments.scenario.data import OWN_RULES, RULE_KEYS, SCHEMES
from attnflow.experiments.scenario.ready_made import ready_made
from attnflow.interfaces.explore.published import PUBLISHED

FILE = Path(__file__).parents[2] / "web/test/equations.json"
MASKS = (
    {}, {"causal": True}, {"positions": [0.0, 0.5, 0.5]}, {"slope": 0.2}, {"causal": True, "slope": 0.2},
    {"positions": [0.0, 0.5, 1.0], "slope": 0.2}, {"causal": True, "average": "all"},
    {"table": [[True, False], [True, True]]}, {"table": [[0.0, -1.0], [0.5, 0.0]]},
)  # fmt: skip
CONSTANTS = [("unnormalised", {"scale": scale}) for scale in ("mean", "sum", "shifted", 2.0)]
SETTINGS = (
    *[{"normalisation": name} | ({"tau": 2.0} if "tau" in keys else {}) for name, keys in SCHEMES.items()],
    {"noise": 0.1}, {"noise": 0.0}, {"space": "euclidean"}, {"space": "euclidean", "V": -1.0, "noise": 0.1},
    {"space": "euclidean", "rescaled": True}, {"feed_forward": {}}, {"normalisation": "pre_ln", "feed_forward": {}},
)  # fmt: skip
SHOWN = {"tokens": ("kind", "model", "keep"), "attention": None, "flow": None}
"""What an equation depends on; matrices and times are left out of the file."""


def scenarios():
    """Every rule under every mask, constants, schemes of layer normalisation, heads, models, and all presets."""
    for rule in [name for name in RULE_KEYS if name not in OWN_RULES]:
        yield from ({"attention": {"rule": rule, **mask}} for mask in MASKS)
    others = [*CONSTANTS, ("sigmoid", {"total": True}), ("sigmoid", {"bias": "-log n"}), ("linear", {"beta": 3.0})]
    yield from ({"attention": {"rule": rule, **more, **mask}} for (rule, more), mask in product(others, MASKS[:3]))
    yield from ({"flow": flow, "attention": {"rule": "hardmax"}} for flow in SETTINGS)
    yield from ({"flow": flow} for flow in SETTINGS)
    yield {"attention": {"heads": [{"rule": "softmax"}, {"rule": "hardmax", "V": -1.0}]}}
    yield from (
        {"tokens": {"kind": "model", "model": "random", "text": "a", **keep}} for keep in ({}, {"keep": "attention"})
    )
    yield from (to_dict(load(path)) for path in ready_made().values())
    yield from (to_dict(from_dict(made())) for made in PUBLISHED.values())


def equations() -> list[list]:
    found = {}
    for given in scenarios():
        try:
            flow = build_flow(from_dict(given), 3)
        except BadInput:
            continue
        shown = {part: _short(part, given[part]) for part in SHOWN if part in given}
        found[json.dumps(shown, sort_keys=True)] = flow.equation()
    return [[json.loads(shown), equation] for shown, equation in sorted(found.items())]


def _short(part: str, table: dict) -> dict:
    """A table of a scenario without what is long and stands in no equation."""
    kept = {key: table[key] for key in SHOWN[part] or table if key in table}
    return {key: value for key, value in kept.items() if not (key in "BQKV" and isinstance(value, list | dict))}


def as_text(found: list) -> str:
    return "[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in found) + "\n]\n"


def test_the_page_is_tested_with_the_equations_of_python():
    found = equations()
    assert {given.get("attention", {}).get("rule") for given, _ in found} >= RULE_KEYS.keys() - OWN_RULES.keys()
    assert FILE.read_text(encoding="utf-8") == as_text(found), f"write it anew: python {Path(__file__).name}"


if __name__ == "__main__":
    FILE.write_text(as_text(equations()), encoding="utf-8")
