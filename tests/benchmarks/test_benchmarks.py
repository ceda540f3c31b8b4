"""The benchmarks work: that their figures are good is for ``make bench`` to say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from selection import slow_except

from esolangs.registry import find_language, language_ids

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "benchmarks"


def bench(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(FOLDER / "run.py"), "--quick", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "speed",
            ["mandelbrot 16×7", "collatz 100", "factor", "hanoi", "+[]", "plain engine", "beef"],
        ),
        pytest.param("startup", ["esoplay run hello.bf", "+[] up to"], marks=pytest.mark.slow),
        ("languages", ["parse 100 kB: Brainfuck", "seek in", "steps back and forth: Brainfuck"]),
        ("history", ["seek in", "history of", "with history", "reverse-continue"]),
        pytest.param(
            "screen",
            [
                "first frame",
                "help opens in the debugger",
                "a step at 80×24",
                "seek in",
                "reverse-continue",
                "20×20 cells",
            ],
            marks=pytest.mark.slow,
        ),
        pytest.param("grading", ["grading E01", "references", "in bulk"], marks=pytest.mark.slow),
    ],
)
def test_every_benchmark_prints_its_rows(name: str, expected: list[str]) -> None:
    shown = bench("--only", name)
    for part in expected:
        assert part in shown


OWN = [id.replace("-", "_") for id in language_ids()]
OWN = [folder for folder in OWN if (FOLDER / f"{folder}.py").is_file()]


@pytest.mark.parametrize("folder", slow_except(OWN, "whitespace"))
def test_a_language_has_rows_of_its_own(folder: str) -> None:
    rows = bench("--only", folder).strip().splitlines()[2:]  # after the machine's line
    assert rows
    assert any("/s" in row for row in rows)


@pytest.mark.slow
def test_json_has_the_machine_and_figures() -> None:
    report = json.loads(bench("--json", "--only", "grading"))
    assert "engine" in report["machine"]
    assert all(row["figures"]["gradings_per_second"] > 0 for row in report["rows"])


@pytest.mark.slow
def test_charts_show_every_language(tmp_path: Path) -> None:
    command = [sys.executable, str(FOLDER / "charts.py"), str(tmp_path), "--quick"]
    subprocess.run(command, check=True)
    for name in ("speed", "seeks"):
        picture = (tmp_path / f"{name}.svg").read_text("utf-8")
        for language in language_ids():
            assert find_language(language).name in picture


@pytest.mark.parametrize("name", ["mandelbrot", "collatz"])
def test_the_programs_are_what_their_generators_write(name: str) -> None:
    written = subprocess.run(
        [sys.executable, str(FOLDER / f"{name}.py")], capture_output=True, check=True
    )
    assert written.stdout == (FOLDER / "programs" / f"{name}.bf").read_bytes()


@pytest.mark.slow
def test_the_load_benchmark_plays_its_sessions_to_the_end() -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / "load.py"), "--sessions", "6", "--connections", "3"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "6 sessions over 3 connections, 48 calls" in done.stdout
    for part in (
        "session.submit   p50",
        "sessions per second of a core",
        "memory per open session",
    ):
        assert part in done.stdout
