"""Every figure of a report is recomputed with pandas, scipy and statsmodels (``recompute.py``)."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
SESSIONS = [
    ("heron", "brainfuck", "primary"),
    ("heron", "brainfuck", "primary"),
    ("heron", "unlambda", "primary"),
    ("heron", "unlambda", "primary"),
    ("heron", "python", "primary"),
    ("heron", "rust", "primary"),
    ("heron", "brainfuck", "direct"),
    ("heron", "brainfuck", "direct"),
    ("heron", "unlambda", "direct"),
    ("heron", "unlambda", "direct"),
    ("heron", "brainfuck", "budget-3"),
    ("heron", "brainfuck", "budget-15"),
    ("wren", "brainfuck", "primary"),
    ("wren", "brainfuck", "primary"),
    ("wren", "python", "primary"),
    ("wren", "brainfuck", "direct"),
    ("wren", "brainfuck", "budget-5"),
]
PARTIAL = [("heron", "brainfuck", "primary"), ("wren", "unlambda", "primary")]
"""Sessions with problems left: one beside complete ones, and one alone."""


@pytest.fixture(scope="module")
def evaluations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a report on evaluations of the built-in pack."""
    folder = tmp_path_factory.mktemp("evaluations")
    for name in ("heron", "otter", "wren"):
        data = results(name, seed=1, pack=get_pack(None).id, problems=10)
        (folder / f"{name}.json").write_text(json.dumps(data), "utf-8")
    (folder / "external.toml").write_text(EXTERNAL, "utf-8")
    return folder


@pytest.fixture(scope="module")
def combined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a report on evaluations and sessions, with usage and a pack with references."""
    folder = tmp_path_factory.mktemp("combined")
    for model in ("heron", "otter", "wren"):
        data = evaluation(model, languages=["brainfuck", "unlambda", "python", "rust"])
        (folder / f"{model}.json").write_text(json.dumps(data), "utf-8")
    (folder / "external.toml").write_text(EXTERNAL, "utf-8")
    rng = random.Random(7)
    _write_references(write_pack(folder / "six"), rng)
    (folder / "played").mkdir()
    lines: list[str] = []
    for number, names in enumerate([*SESSIONS, *PARTIAL], 1):
        text = _play(folder / "played", rng, number, names, partial=number > len(SESSIONS))
        (folder / f"session-{number:02}.json").write_bytes(text)
        lines += map(json.dumps, _answers(json.loads(text), rng))
    (folder / "tokens.jsonl").write_text("\n".join(lines), "utf-8")
    return folder


def _program(rng: random.Random, language: str) -> bytes:
    commands = {"brainfuck": "+-<>.,", "unlambda": "`ski.*"}.get(language, "ab (")
    return "".join(rng.choices(commands, k=rng.randint(8, 30))).encode()


def _write_references(pack: Path, rng: random.Random) -> None:
    for problem in PROBLEMS:
        (pack / problem / "references").mkdir()
        for language, suffix in (("brainfuck", "bf"), ("unlambda", "unl")):
            path = pack / problem / "references" / f"{language}.{suffix}"
            path.write_bytes(_program(rng, language))


def _play(
    folder: Path, rng: random.Random, number: int, names: tuple[str, str, str], *, partial: bool
) -> bytes:
    solver, language, protocol = names
    budget = "r" if protocol.startswith("budget") else ""
    runs = ["", "r", "f", "pr", f"rf{budget}"] if protocol != "direct" else [""]
    ways = ["S", "wS", "cxS", "wwl", "xxc", "llw"]
    problems = list(PROBLEMS)[:4] if partial else list(PROBLEMS)
    programs = {problem: _program(rng, language) for problem in PROBLEMS}
    solution = b"S" + b"H2" + programs["H2"]
    files: dict[str, dict[str, bytes | None]] = {
        "E1": {"first.py": b"f" * rng.randint(5, 50)},
        "E2": {"gen.py": b"g" * 40, "build.js": b"j" * rng.randint(5, 50)},
        "H1": {"gen.py": None, "other.py": b"o" * rng.randint(5, 50)},
        "H2": {"answer.txt": solution.ljust(10), "answer.txt.map.json": b"{}"},
    }
    moves = {problem: rng.choice(runs) + rng.choice(ways) for problem in problems}
    if protocol == "direct":  # a file that breaks a rule of the protocol
        files = {"H3": {"notes.txt": b"n"}}
        moves["H3"] = "SSS"
    return play(
        folder,
        moves,
        files=files if protocol in ("primary", "direct") else None,
        solver=solver,
        language=language,
        protocol=protocol,
        day=number,
        number=number,
        programs=programs,
        close=partial and solver == "heron",
    )


def _answers(session: Mapping[str, Any], rng: random.Random) -> list[dict[str, Any]]:
    """Return a line of usage for each event of a session."""
    return [
        {
            "session": session["session"],
            "time_ms": event["time_ms"],
            "input_tokens": rng.randint(100, 900),
            "output_tokens": rng.randint(10, 90),
            "reasoning_tokens": rng.randint(1, 9),
            "cost": rng.randint(1, 9) / 1000,
        }
        for event in session["events"]
    ]


@pytest.mark.parametrize("by", ["regime", "model"])
def test_every_figure_is_recomputed(by: str, evaluations: Path, tmp_path: Path) -> None:
    write_report(evaluations, tmp_path / "report", "--by", by)
    recompute(tmp_path / "report", ROOT / "problems", evaluations)


@pytest.mark.parametrize("baseline", ["agent session", "wren"])
def test_every_figure_of_evaluations_and_sessions_together_is_recomputed(
    baseline: str, combined: Path, tmp_path: Path
) -> None:
    options = ["--pack", combined / "six", "--usage", combined / "tokens.jsonl", "--overlap", "2"]
    write_report(combined, tmp_path / "report", "--baseline", baseline, *options)
    told = json.loads((tmp_path / "report" / "report.json").read_text("utf-8"))
    assert {one["runs"] for one in told["budgets"]} == {3, 5, 15, None}
    assert sum(one["interval"] is not None for one in told["ablations"]) == 3
    assert all(0 < one["greatest"] < 1 for one in told["overlap"] if one["programs"])
    assert sum(len(one["ratios"]) > 1 for one in told["metaprogramming"]) > 2
    assert {one["partial"] for one in told["series"]} == {None, "not closed"}
    assert any((one["failures"] or {}).get("rule") for one in told["effort"])
    recompute(tmp_path / "report", combined / "six", combined)


def test_every_figure_of_sessions_alone_is_recomputed(combined: Path, tmp_path: Path) -> None:
    _need_statistics()
    options = ["--pack", combined / "six", "--usage", combined / "tokens.jsonl", "--overlap", "2"]
    report = tmp_path / "report"
    write_report(combined, report, *options, pattern="session-*.json")
    told = json.loads((report / "report.json").read_text("utf-8"))
    assert {one["of"] for one in told["pooled"]} == {"solver", "language"}
    assert {one["language"] for one in told["language_tax"]} == {"brainfuck", "unlambda", None}
    done = _recompute(report, combined / "six", combined, "session-*.json")
    assert done.returncode == 0, done.stdout + done.stderr
    table = report / "tables" / "problems-solved.csv"
    table.write_text(table.read_text("utf-8").replace("heron", "wren", 1), "utf-8")
    (report / "pictures" / "solved.svg").rename(report / "pictures" / "new-picture.svg")
    assert _differences(_recompute(report, combined / "six", combined, "session-*.json")) == {
        "tables.problems-solved[1][0]": "the report has 'wren', recomputed 'heron'",
        "pictures.solved": "is missing in the report",
        "pictures.new-picture": "nothing recomputes it",
    }
    told["pooled"][0]["summary"]["mean"] += 0.001
    told["language_tax"][0]["new_figure"] = 1
    (report / "report.json").write_text(json.dumps(told), "utf-8")
    found = _differences(_recompute(report, combined / "six", combined, "session-*.json"))
    assert set(found) == {"report.pooled[0].summary.mean", "report.language_tax[0].new_figure"}


def write_report(folder: Path, report: Path, *options: object, pattern: str = "*.json") -> None:
    words = [
        *_files(folder, pattern),
        *options,
        "--external",
        folder / "external.toml",
        "-o",
        report,
    ]
    assert main(["report", *map(str, words)]) == 0


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern))


def _need_statistics() -> None:
    for package in ("pandas", "scipy", "statsmodels"):
        pytest.importorskip(package, reason=f"{package} is not installed: esoplay[statistics]")


def recompute(report: Path, pack: Path, folder: Path) -> None:
    """Recompute a report, and recompute it with wrong figures."""
    _need_statistics()
    done = _recompute(report, pack, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    # It notices tables and pictures that are wrong, or that nothing recomputes.
    picture = report / "pictures" / "eval-errors.svg"
    text = picture.read_text("utf-8")
    picture.with_name("new-picture.svg").write_text(text, "utf-8")
    shown = re.search("<title>(heron, brainfuck, [a-z-]+, [a-z ]+: )([0-9]+)</title>", text)
    assert shown is not None
    picture.write_text(text.replace(shown[0], f"<title>{shown[1]}99</title>"), "utf-8")
    picture = report / "pictures" / "eval-solved.svg"
    text = picture.read_text("utf-8")
    moved = re.sub(r"translate\(([0-9]+)(\S*) (\S+)\)\"><title>", _move, text, count=1)
    picture.write_text(moved, "utf-8")
    table = report / "tables" / "attempts.csv"
    table.with_name("new-table.csv").write_text("model\nheron\n", "utf-8")
    table.write_text(table.read_text("utf-8").replace("heron,brainfuck", "heron,other", 1), "utf-8")
    found = _differences(_recompute(report, pack, folder))
    assert found.pop("pictures.eval-solved").startswith("a place on the horizontal axis is off by")
    right, wrong = f"{shown[1]}{shown[2]}", f"{shown[1]}99"
    assert found == {
        "pictures.new-picture": "nothing recomputes it",
        "pictures.eval-errors[0]": f"the report has '{wrong}', recomputed '{right}'",
        "tables.new-table": "nothing recomputes it",
        "tables.attempts[1][1]": "the report has 'other', recomputed 'brainfuck'",
    }
    # It notices figures that are wrong, and figures that nothing recomputes.
    path = report / "report.json"
    data = json.loads(path.read_text("utf-8"))
    data["conditions"][0]["share"] += 0.001
    data["conditions"][0]["bootstrap"]["low"] -= 0.2
    data["conditions"][0]["new_figure"] = 1
    data["new_figures"] = []
    path.write_text(json.dumps(data), "utf-8")
    found = _differences(_recompute(report, pack, folder))
    assert {name for name, why in found.items() if why == "nothing recomputes it"} == {
        "report.conditions[0].new_figure",
        "report.new_figures",
    }
    assert {name for name, why in found.items() if why.startswith("the report has")} == {
        "report.conditions[0].share",
        "report.conditions[0].bootstrap.low",
    }


def _move(found: re.Match[str]) -> str:
    """Move a mark by five pixels."""
    return f'translate({int(found[1]) + 5}{found[2]} {found[3]})"><title>'


def _differences(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    assert done.returncode == 1, done.stderr
    return dict(line.split(": ", 1) for line in done.stdout.splitlines()[:-1])


def _recompute(
    report: Path, pack: Path, folder: Path, pattern: str = "*.json"
) -> subprocess.CompletedProcess[str]:
    script = ROOT / "tests" / "reporting" / "recompute.py"
    given = [
        report,
        pack,
        folder / "external.toml",
        *_files(folder, pattern),
        *folder.glob("*.jsonl"),
    ]
    command = [sys.executable, script, *given]
    return subprocess.run(command, capture_output=True, text=True, check=False)
