"""``esoplay session init | protocols | list``: rules, packs and what there is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from esoplay.cli.main import main

Ask = Callable[..., Any]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Run one command; return its JSON, or its message when it should fail."""
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, fails: int = 0) -> Any:
        capsys.readouterr()
        assert main(["session", *arguments, *([] if fails else ["--json"])]) == fails
        out, told = capsys.readouterr()
        return told if fails else json.loads(out)

    return call


INIT = ("init", "--language", "brainfuck", "--workspace", "desk")


def test_rules_are_changed_by_options_and_reported(ask: Ask) -> None:
    started = ask(*INIT, "--set", "submissions=1", "--set", "feedback=per-test", "--debug")
    assert started["protocol"] == "primary+submissions=1+feedback=per-test+debug=true"
    assert started["rules"]["submissions"] == 1
    assert "one word for each test" in started["rules"]["text"]
    text = Path("desk", "AGENTS.md").read_text("utf-8")
    assert "The debugger may be used" in text
    assert "Submissions: 1 per problem" in text


def test_a_verdict_shows_each_test_in_a_word(ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    ask(*INIT, "--set", "feedback=per-test")
    here = ("--session", ask("list")["sessions"][0]["session"])
    ask("fetch", *here)
    Path("loop.bf").write_text("+[]")
    assert main(["session", "submit", "E01", "loop.bf", *here]) == 1
    out = capsys.readouterr().out
    assert out.count("step limit") == 6
    assert "0 of 6 tests passed" in out


def test_a_session_can_use_a_protocol_file_and_a_pack_in_a_folder(ask: Ask) -> None:
    Path("mine.toml").write_text('extends = "controlled"\nruns = 1\n')
    pack = Path("small")
    (pack / "E01-add").mkdir(parents=True)
    (pack / "pack.toml").write_text(
        'format = 1\nid = "small"\nversion = "3"\ntitle = "Small"\n'
        'tiers = ["easy"]\ncategories = ["arithmetic"]\n'
    )
    (pack / "E01-add" / "problem.toml").write_text(
        'id = "E01"\ntitle = "Add"\ntier = "easy"\ncategory = "arithmetic"\n'
        'hints = ["a", "b", "c"]\n[[examples]]\ninput = "1 2"\noutput = "3"\n'
    )
    (pack / "E01-add" / "statement.md").write_text("Add two digits.\n")
    (pack / "E01-add" / "tests.json").write_text('[{"input": "1 2", "output": "3"}]')
    started = ask(*INIT, "--protocol", "mine.toml", "--pack", "small")
    assert (started["protocol"], started["rules"]["runs"]) == ("mine", 1)
    assert started["problems"] == ["E01"]
    here = ("--session", started["session"])
    assert ask("fetch", *here)["title"] == "Add"
    Path("three.bf").write_text("+" * 51 + ".")
    assert ask("submit", "E01", "three.bf", *here)["solved"]
    status = ask("status", *here)
    assert (status["closed"], status["tiers"]["easy"]["solved"]) == (True, 1)
    (row,) = ask("list")["sessions"]
    assert (row["protocol"], row["pack"], row["solved"], row["total"]) == ("mine", "small", 1, 1)
    assert ask("list", "--open")["sessions"] == []


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--protocol", "none.toml"), "cannot read the protocol file none.toml"),
        (("--set", "submissions=0"), "primary: submissions: expected a positive integer"),
        (("--set", "colour=red"), "unknown field 'colour'"),
        (("--set", "feedback=explained"), "needs public_seed = true"),
        (("--set", "dialect=wild"), "unknown dialect 'wild'"),
        (("--pack", "nothing"), "neither a folder nor an installed pack"),
    ],
)
def test_a_session_that_cannot_start_is_reported_and_leaves_nothing(
    ask: Ask, options: tuple[str, ...], told: str
) -> None:
    said = ask(*INIT, *options, fails=2)
    assert told in said
    assert said.count("\n") == 1
    assert not Path("desk").exists()


def test_the_protocols_are_shown(ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["id"]: row for row in ask("protocols")["protocols"]}
    assert rows["budget-3"]["runs"] == 3
    (one,) = ask("protocols", "budget-77")["protocols"]
    assert one["runs"] == 77
    assert main(["session", "protocols"]) == 0
    assert "host-javascript" in capsys.readouterr().out
    assert main(["session", "protocols", "direct"]) == 0
    assert "generators   none" in capsys.readouterr().out


def test_the_status_of_many_problems_fits_a_screen(
    ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    here = ("--session", ask(*INIT, "--protocol", "relaxed")["session"])
    for move in (("fetch",), ("skip",), ("fetch",)):
        ask(*move, *here)
    assert main(["session", "status", *here]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 24
    assert all(len(line) <= 79 for line in lines)
    assert "  skipped  E01" in lines
    assert "  active   E02  runs: 0, submissions: 0, submissions left: 3" in lines
    assert main(["session", "status", "-v", *here]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 80
