"""The report on a model: every finding with its control, every figure drawn, every number kept."""

import json

import pytest

import attnflow as af
from attnflow.interfaces.cli.answer import plain
from attnflow.interfaces.report.model import findings, write_model_report
from attnflow.models.study import study

# Ten seconds, nearly all of them compilation: with the long tests of models, which CI runs too.
pytestmark = pytest.mark.weights


def test_report_of_a_tiny_model(tmp_path):
    found = study(af.models.random_albert(), [3, 1, 4, 1, 5, 9], iterate=4, control=1)
    lines = findings(found)
    assert "n = 6" in lines[0] and 'frame "sphere"' in lines[0] and 'in the frame "raw"' in lines[0]
    assert all("shuffled" in line or "as control" in line for line in lines)
    files = write_model_report(found, tmp_path, plain=plain)
    assert all('Frame: "sphere"' in files[f"{name}.png"] for name in ("1-cosine", "2-staircase", "3-parts"))
    assert "zero ablation" in files["3-parts.png"]
    assert len([name for name in files if name.endswith(".png")]) == 8
    assert all((tmp_path / name).stat().st_size > 1000 for name in files)
    data = json.loads((tmp_path / "report.json").read_text())
    signed = data["attention_alone"]["signed_states"]
    # Two heads have four sign vectors.
    assert (signed["tried"], signed["of"]) == (4, 4) and data["attention_alone_shuffled"]["signed_states"]["of"] == 4
    assert all(law["holds"] for law in data["checks"])
    # The study's own thread computes in the precision of its caller.
    assert data["regimes"][0]["n_eff"] == float(af.regimes(found.model, found.run).n_eff[0, 0])
