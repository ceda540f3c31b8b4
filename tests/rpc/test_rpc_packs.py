"""Installed packs over JSON-RPC: for the operator, by their id."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rpc_client import Ask
from rpc_shapes import HiddenGrade, HiddenTest, Problem, Problems

from esoplay.packs.exchange import import_pack

ITEM = {
    "id": "Q1",
    "difficulty": "hard",
    "title": "Echo",
    "description": "Print the line.",
    "test_cases": [{"input": "quite secret", "output": "quite secret"}],
}


class FixedTest(HiddenTest):
    """A test that is shown, and belongs to no edge class."""

    input: str
    expected: str
    got: str


class FixedGrade(HiddenGrade):
    fixed_tests: bool


class ShownFixedGrade(FixedGrade):
    tests: list[FixedTest]


@pytest.fixture
def echo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    (tmp_path / "echo.json").write_text(json.dumps([ITEM]))
    return import_pack(tmp_path / "echo.json").id


def test_an_installed_pack_is_listed_read_and_graded_by(ask: Ask, echo: str) -> None:
    listed = ask(Problems, "problem.list", pack=echo)
    assert (listed.pack.id, [row.id for row in listed.problems]) == ("echo", ["Q1"])
    assert ask(Problem, "problem.get", problem="q1", pack=echo).statement == "Print the line."
    mine = {"problem": "Q1", "pack": echo, "language": "brainfuck"}
    shown = ask(ShownFixedGrade, "grade", **mine, program=",[.,]")
    assert (shown.passed, shown.total, shown.fixed_tests) == (1, 1, True)
    hidden = ask(FixedGrade, "grade", **mine, program=".", seed="mine", compare="strip")
    assert (hidden.passed, hidden.fixed_tests) == (0, True)


def test_a_folder_is_refused_as_a_pack(ask: Ask, echo: str, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "packs" / echo
    for pack in (str(folder), f"../packs/{echo}", "nobody-has-this", ""):
        for method, params in {
            "problem.list": {},
            "problem.get": {"problem": "Q1"},
            "grade": {"problem": "Q1", "language": "brainfuck", "program": "."},
        }.items():
            told = ask.client.refuse(method, **params, pack=pack)
            assert "no installed pack" in told["message"]
            assert told["data"]["kind"] == "usage"
