"""Every figure of a report is recomputed with pandas, scipy and statsmodels (``recompute.py``)."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from made_evaluations import results
from report_sessions import PROBLEMS, evaluation, play, write_pack
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
    *(
        "wilcoxon_corrected",
        "difference",
        "interval",
        "tax",
        "tax_each",
        "by_cost",
        "by_tokens",
        "external",
    ),
}
OF_SESSIONS = {
    *("series_rate", "series_tiers", "series_categories", "series_sessions", "series_across"),
    *("effort_graded", "effort_runs", "effort_submissions", "effort_failures", "effort_by_runs"),
    *("effort_submissions_at_solve", "effort_runs_at_solve", "effort_within_runs", "ablations"),
    *("effort_run_endings", "effort_by_tokens", "effort_by_input_tokens", "effort_cost"),
    *("generators_seen", "generators_with", "generators_solved", "generators_languages"),
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
    recompute(tmp_path, ROOT / "problems", files, ["--by", by], capsys)


@pytest.mark.parametrize("baseline", ["agent session", "wren"])
def test_every_figure_of_evaluations_and_sessions_together_is_recomputed(
    baseline: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = write_pack(tmp_path / "six")
    files: list[Path] = []
    for model in ("heron", "otter", "wren"):
        files.append(tmp_path / f"{model}.json")
        data = evaluation(model, languages=["brainfuck", "unlambda", "python", "rust"])
        files[-1].write_text(json.dumps(data), "utf-8")
    rng = random.Random(7)
    lines: list[str] = []
    (tmp_path / "played").mkdir()
    for number, (solver, language, protocol) in enumerate(
        [
            *(
                ("heron", language, "primary")
                for language in ("brainfuck", "unlambda", "python", "rust")
            ),
            *(("wren", language, "primary") for language in ("brainfuck", "brainfuck", "python")),
            *((solver, "brainfuck", "direct") for solver in ("heron", "wren")),
        ],
        1,
    ):
        ways = ["S", "wS", "cxS", "wwl", "xxc", "llw"]
        runs = ["", "r", "f", "pr"] if protocol == "primary" else [""]
        helpers = {"E2": {"gen.py": b"g" * 40}, "H1": {"gen.py": None}}
        text = play(
            tmp_path / "played",
            {problem: rng.choice(runs) + rng.choice(ways) for problem in PROBLEMS},
            files=helpers if protocol == "primary" else None,
            solver=solver,
            language=language,
            protocol=protocol,
            day=number,
            number=number,
        )
        files.append(tmp_path / f"session-{number}.json")
        files[-1].write_bytes(text)
        told = json.loads(text)
        lines += [
            json.dumps(
                {
                    "session": told["session"],
                    "time_ms": event["time_ms"],
                    "input_tokens": rng.randint(100, 900),
                    "output_tokens": rng.randint(10, 90),
                    "reasoning_tokens": rng.randint(1, 9),
                    "cost": rng.randint(1, 9) / 1000,
                }
            )
            for event in told["events"]
        ]
    usage = tmp_path / "tokens.jsonl"
    usage.write_text("\n".join(lines), "utf-8")
    options = ["--baseline", baseline, "--pack", str(pack), "--usage", str(usage)]
    counts = recompute(tmp_path, pack, files, options, capsys, [usage])
    assert counts.keys() >= OF_SESSIONS


def recompute(
    folder: Path,
    problems: Path,
    files: list[Path],
    options: list[str],
    capsys: pytest.CaptureFixture[str],
    further: Sequence[Path] = (),
) -> dict[str, int]:
    """Make a report, recompute it, and recompute it with wrong figures.

    Return the number of comparisons by figure.
    """
    for package in ("pandas", "scipy", "statsmodels"):
        pytest.importorskip(package, reason=f"{package} is not installed: esoplay[statistics]")
    external = folder / "external.toml"
    external.write_text(EXTERNAL, "utf-8")
    capsys.readouterr()
    words = [*map(str, files), *options, "--external", str(external), "--json"]
    assert main(["report", *words]) == 0
    report = folder / "report.json"
    report.write_text(capsys.readouterr().out, "utf-8")
    command = [sys.executable, ROOT / "tests" / "reporting" / "recompute.py"]
    given = [report, problems, external, *files, *further]
    done = subprocess.run([*command, *given], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    counts = json.loads(done.stdout.splitlines()[-1])
    assert counts.keys() >= MEMBERS
    # It notices a figure that is wrong.
    data = json.loads(report.read_text("utf-8"))
    data["conditions"][0]["share"] += 0.001
    data["conditions"][0]["bootstrap"]["low"] -= 0.2
    report.write_text(json.dumps(data), "utf-8")
    done = subprocess.run([*command, *given], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "share heron" in done.stdout
    assert "bootstrap heron" in done.stdout
    return counts
