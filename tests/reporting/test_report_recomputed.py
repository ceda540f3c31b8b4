"""Every figure of a report is recomputed with pandas, scipy and statsmodels (``recompute.py``)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from made_evaluations import results
from shell import ROOT

from esoplay.cli.main import main
from esoplay.packs.catalogue import get_pack

pytestmark = pytest.mark.slow
EXTERNAL = """\
[scores.Invented]
heron = 81.5
otter = 70
wren = 64

[corpora.Invented]
brainfuck = 6000
unlambda = 100
python = 17000000
"""
MEMBERS = {
    *("share", "wilson", "bootstrap", "runs", "tiers", "categories", "errors", "at_attempt"),
    *("first_attempt", "attempts", "attempts_by_tier", "attempts_by_problem", "median_seconds"),
    *("seconds", "tokens", "cost", "pass_at", "mcnemar", "wilcoxon", "mcnemar_corrected"),
    *("wilcoxon_corrected", "difference", "interval", "tax", "by_cost", "by_tokens", "external"),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("recomputed")
    paths = [folder / f"{name}.json" for name in ("heron", "otter", "wren")]
    for path in paths:
        data = results(path.stem, seed=1, pack=get_pack(None).id, problems=10)
        path.write_text(json.dumps(data), "utf-8")
    return paths


@pytest.mark.parametrize("by", ["regime", "model"])
def test_every_figure_is_recomputed(
    by: str, files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for package in ("pandas", "scipy", "statsmodels"):
        pytest.importorskip(package, reason=f"{package} is not installed: esoplay[statistics]")
    external = tmp_path / "external.toml"
    external.write_text(EXTERNAL, "utf-8")
    words = [*map(str, files), "--by", by, "--external", str(external), "--json"]
    capsys.readouterr()
    assert main(["report", *words]) == 0
    report = tmp_path / "report.json"
    report.write_text(capsys.readouterr().out, "utf-8")
    command = [sys.executable, ROOT / "tests" / "reporting" / "recompute.py"]
    given = [report, ROOT / "problems", external, *files]
    done = subprocess.run([*command, *given], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    counts = json.loads(done.stdout.splitlines()[-1])
    assert counts.keys() >= MEMBERS
    # It notices a figure that is wrong.
    data = json.loads(report.read_text("utf-8"))
    data["conditions"][0]["share"] += 0.001
    report.write_text(json.dumps(data), "utf-8")
    done = subprocess.run([*command, *given], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "share heron" in done.stdout
