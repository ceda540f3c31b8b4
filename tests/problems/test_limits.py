"""Whoever reads a statement also reads the limits of the tests, as the grader has them."""

from __future__ import annotations

import json

import pytest

from esolangs.limits import MEBIBYTE, Limits
from esoplay.cli.main import main
from esoplay.grading import limits
from esoplay.grading.limits import limits_text, statement_with_limits
from esoplay.packs.catalogue import get_problem
from esoplay.running.run import GRADING_LIMITS

LIMITS = "10,000,000 steps, 1 MiB of output and 256 MiB of memory for each test"


def test_limits_match_the_grader(monkeypatch: pytest.MonkeyPatch) -> None:
    assert GRADING_LIMITS.steps == 10_000_000
    assert limits_text() == LIMITS
    changed = Limits(steps=5, output=2 * MEBIBYTE, memory=3 * MEBIBYTE)
    monkeypatch.setattr(limits, "GRADING_LIMITS", changed)
    assert limits_text() == "5 steps, 2 MiB of output and 3 MiB of memory for each test"


def test_a_host_lane_has_a_limit_of_time() -> None:
    assert limits_text("python").startswith("60 seconds, 1 MiB of output")


def test_limits_are_added_after_the_unchanged_statement() -> None:
    problem = get_problem("E04")
    assert statement_with_limits(problem) == f"{problem.statement}\n\n**Limits.** {LIMITS}."
    assert "Limits" not in problem.statement


@pytest.mark.parametrize(
    "arguments", [["problems", "show", "E04"], ["learn", "brainfuck", "12"]], ids=" ".join
)
def test_commands_show_limits(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    assert f"Limits. {LIMITS}." in " ".join(capsys.readouterr().out.split())


def test_json_has_limits_as_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", "show", "E04", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["limits"]
    assert found == {"steps": 10_000_000, "output": MEBIBYTE, "memory": 256 * MEBIBYTE}


def test_a_problem_for_host_lanes_has_no_limit_of_steps(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for show in (["problems", "show", "B14"], ["problems", "show", "B14", "--lang", "go"]):
        assert main([*show, "--pack", "basics"]) == 0
        told = capsys.readouterr().out
        assert "Limits. 10 seconds, 1 MiB of output" in told
        assert "steps" not in told
    assert main(["problems", "show", "B02", "--pack", "basics", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["limits"]
    assert found["seconds"] == 60
