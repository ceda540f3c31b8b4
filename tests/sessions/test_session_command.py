"""``esoplay session`` from end to end: real pack, real grader, real processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from esoplay.cli.main import main
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import load_pack
from esoplay.grading.seeds import commitment_holds, write_seed_file

SEED = bytes(range(32))
PACK = load_pack()


def program(problem: str) -> bytes:
    reference = PACK.problem(problem).reference("brainfuck")
    assert reference is not None
    return reference


class Shell:
    """Commands in one folder, and what they print."""

    def __init__(self, capture: pytest.CaptureFixture[str]):
        self._capture = capture
        self.everything = ""

    def __call__(self, *arguments: str, code: int = 0) -> str:
        self._capture.readouterr()
        assert main(["session", *arguments]) == code
        self.printed, self.told = self._capture.readouterr()
        self.everything += self.printed + self.told
        return self.printed

    def json(self, *arguments: str, code: int = 0) -> dict[str, Any]:
        return json.loads(self(*arguments, "--json", code=code))


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    write_seed_file(tmp_path / "seed", SEED)
    return Shell(capsys)


@pytest.mark.slow
def test_a_session_under_primary_is_played_from_init_to_reveal(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    init = ("init", "--language", "brainfuck", "--seed-file", "seed", "--workspace", "bench")
    session = shell(*init).strip()
    monkeypatch.chdir("bench")
    Path("wrong.bf").write_bytes(b"+.")
    Path("right.bf").write_bytes(program("E01"))

    assert shell("fetch").startswith("E01 Print Hello World easy\n")
    assert shell("run", "right.bf") == "Hello World!"
    assert shell.json("run", "wrong.bf", "--input", "x")["stdout"] == "\x01"
    assert shell.json("submit", "E01", "wrong.bf", code=1)["submissions_left"] == 2
    answer = shell.json("submit", "E01", "right.bf", "--request-id", "r")
    head = answer.pop("head")
    assert answer == {
        "passed": 6,
        "total": 6,
        "solved": True,
        "submissions_left": 1,
        "status": "solved",
        "dialect": "benchmark",
    }
    assert shell.json("status")["head"] == head
    shell("submit", "E01", "right.bf", code=1)
    assert "never revisited" in shell.told
    assert shell.json("submit", "E01", "right.bf", "--request-id", "r")["head"] == head

    assert shell.json("fetch")["problem"] == "E02"
    shell("skip", code=1)
    assert "cannot be skipped while submissions are left (3 of 3)" in shell.told
    for left in ("2; problem active", "1; problem active", "0; problem failed"):
        assert f"submissions left: {left}" in shell("submit", "E02", "wrong.bf", code=1)
    shell("fetch", "E02", code=1)
    assert "E02 is failed" in shell.told
    assert f"{len(PACK.problems) - 2} pending, 1 solved, 1 failed" in shell("status")

    shell("export", "-o", "log.json")
    shell.everything += Path("log.json").read_text()
    shell("reveal", code=1)
    for problem in ("E01", "E02"):
        for test in hidden_tests(PACK.problem(problem), SEED):
            if len(test.input) > 3:
                assert test.input.decode() not in shell.everything
    assert SEED.hex() not in shell.everything
    assert shell.json("reveal", "--close")["seed"] == SEED.hex()
    log = json.loads(Path("log.json").read_text())
    assert log["session"] == session
    assert commitment_holds(log["seed_commitment"], SEED, PACK)
    shell("fetch", code=1)


def test_practice_explains_failures_and_allows_any_problem(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell("init", "--language", "brainfuck", "--protocol", "practice", "--workspace", "desk")
    monkeypatch.chdir("desk")
    Path("echo.bf").write_bytes(b",[.,]")
    assert "example: " in shell("fetch", "e08")
    assert "not solved" in shell("submit", "e08", "echo.bf", code=1)
    assert "expected" in shell.printed
    assert shell("skip") == "E08: skipped\n"
    shell("fetch", "E02")
    answer = shell.json("submit", "E02", "echo.bf")
    assert [test["verdict"] for test in answer["tests"]] == ["pass"] * 6


def test_run_reports_limits_and_faults_by_exit_code(shell: Shell) -> None:
    session = shell("init", "--language", "brainfuck").strip()
    assert Path(f"session-{session}", "AGENTS.md").is_file()
    Path("forever.bf").write_bytes(b".+[]")
    Path("left.bf").write_bytes(b".<")
    here = ("--session", session)
    outcome = shell.json("run", "forever.bf", *here, code=3)
    assert (outcome["status"], outcome["steps"]) == ("step_limit", 10_000_000)
    assert shell("run", "left.bf", *here, code=1) == "\0"
    assert "left.bf" in shell.told


def test_a_session_is_found_in_the_store_it_was_started_in(shell: Shell) -> None:
    session = shell("init", "--language", "brainfuck", "--store", "other.sqlite").strip()
    assert shell.json("status", "--session", session)["session"] == session
    assert Path("other.sqlite").is_file()
    assert not Path("home", "sessions.sqlite").exists()
    Path("other.sqlite").rename("moved.sqlite")
    shell("status", "--session", session, code=2)
    assert "there is no session store" in shell.told
    assert not Path("other.sqlite").exists()
    assert shell.json("status", "--session", session, "--store", "moved.sqlite")


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["status"], 2, "is not in a workspace"),
        (["status", "--session", "../../etc"], 2, "is not a session id"),
        (["status", "--session", "0123456789ab"], 2, "there is no session store"),
        (["init", "--language", "klingon"], 2, "not installed"),
        (["init", "--language", "brainfuck", "--protocol", "free"], 2, "primary, controlled"),
        (
            ["init", "--language", "brainfuck", "--protocol", "practice", "--seed-file", "seed"],
            2,
            "--seed-file cannot be used",
        ),
        (["init", "--language", "brainfuck", "--seed-file", "none"], 2, "seed file"),
        (["init", "--language", "brainfuck", "--workspace", "."], 2, "is in the workspace"),
        (["init", "--language", "brainfuck", "--store", "seed"], 4, "is damaged"),
    ],
)
def test_errors_are_reported_in_one_line(
    shell: Shell, arguments: list[str], code: int, reason: str
) -> None:
    assert shell(*arguments, code=code) == ""
    assert reason in shell.told
    assert shell.told.count("\n") == 1


def test_a_pilot_has_only_the_selected_problems(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    init = ("init", "--language", "brainfuck", "--seed-file", "seed", "--workspace", "bench")
    shell(*init, "--problems", "E03,e01-E02")
    assert "3 problems in brainfuck" in shell.told
    assert "Solve 3 programming problems" in Path("bench", "AGENTS.md").read_text("utf-8")
    monkeypatch.chdir("bench")
    for problem in ("E01", "E02", "E03"):
        assert shell.json("fetch")["problem"] == problem
        Path("right.bf").write_bytes(program(problem))
        shell("submit", problem, "right.bf")
    assert "3 solved" in shell("status")
    shell("export", "-o", "../log.json")
    shell("verify", "../log.json", "--seed-file", "../seed")
    assert "verified" in shell.printed
