"""The commands problems, grade and verify as a user meets them."""

from __future__ import annotations

import base64
import io
import json
import os
import sys
from pathlib import Path

import pytest
from shell import esoplay

from esoplay.cli.main import main
from esoplay.grading.packs import load_pack
from esoplay.grading.seeds import random_seed, write_seed_file
from esoplay.packs.grading import grade_source
from esoplay.programs.generation import generate

PACK = load_pack()
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def echo(tmp_path: Path) -> str:
    file = tmp_path / "echo.bf"
    file.write_bytes(b",[.,]")
    return str(file)


def test_the_list_shows_all_problems_in_order(capsys: Capture) -> None:
    assert main(["problems"]) == 0
    lines = capsys.readouterr().out.splitlines()
    ids = [line.split()[0] for line in lines if line.startswith("  ")]
    assert ids[:20] == [f"E{number:02}" for number in range(1, 21)]
    assert any("Reverse String" in line and "strings" in line for line in lines)


def test_the_list_of_problems_is_available_as_json(capsys: Capture) -> None:
    assert main(["problems", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["pack"] == {
        "id": "esoplay-80",
        "version": "1",
        "title": "The esoplay problems",
    }
    assert listed["problems"][7] == {
        "id": "E08",
        "title": "Reverse String",
        "tier": "easy",
        "category": "strings",
    }


def test_show_gives_statement_and_examples_but_hints_only_when_asked(capsys: Capture) -> None:
    assert main(["problems", "show", "e08"]) == 0
    text = capsys.readouterr().out
    assert "Print a line backwards." in text
    assert '"dlroW olleH"' in text
    assert "Hint" not in text
    assert main(["problems", "show", "E08", "--hints", "2"]) == 0
    text = capsys.readouterr().out
    assert "Hint 2" in text
    assert "Hint 3" not in text


def test_show_as_json_has_three_hints_and_no_program(capsys: Capture) -> None:
    assert main(["problems", "show", "E08", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert len(shown["hints"]) == 3
    assert shown["examples"][0] == {"input": "abc", "output": "cba"}
    assert set(shown) == {
        "id",
        "title",
        "tier",
        "category",
        "statement",
        "examples",
        "ranges",
        "limits",
        "hints",
    }


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["problems", "show"], "expected a problem"),
        (["problems", "list", "E08"], "problems show E08"),
        (["problems", "E08"], "problems show E08"),
        (["problems", "show", "E99"], "problem 'E99' is not in pack"),
        (["problems", "--pack", "/nowhere"], "/nowhere is neither a folder nor an installed pack"),
        (["grade", "missing.bf", "--problem", "E02"], "missing.bf"),
        (["grade", "ECHO", "--problem", "E99"], "problem 'E99' is not in pack"),
        (["grade", "ECHO", "--problem", "E02", "--lang", "cobol"], "cobol"),
        (["grade", "ECHO", "--problem", "E02", "--dialect", "odd"], "unknown dialect 'odd'"),
        (["grade", "ECHO", "--problem", "E02", "--set", "eof=7"], "option eof: expected"),
        (["grade", "ECHO", "--problem", "E02", "--seed", ""], "seed cannot be empty"),
        (["grade", "ECHO", "--problem", "E02", "--seed-file", "/nowhere"], "/nowhere"),
        (["grade", "ECHO", "--problem", "E02", "--seed", "1", "--seed-file", "f"], "not allowed"),
        (["verify", "--lang", "cobol"], "cobol"),
        (["verify", "--problem", "E99"], "problem 'E99' is not in pack"),
        (["verify", "--jobs", "0"], "--jobs"),
    ],
)
def test_usage_errors_are_reported_without_a_traceback(
    arguments: list[str], complaint: str, echo: str, capsys: Capture
) -> None:
    assert main([echo if argument == "ECHO" else argument for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


@pytest.mark.slow
def test_the_packs_solution_is_shown_only_with_a_solution_of_your_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.bf"
    file.write_bytes(b",[.,]")
    done = esoplay("problems", "show", "E08", "--solution", file)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"pass all tests to see the solution of the pack" in done.stderr
    file.write_bytes(b">,[>,]<[.<]")
    done = esoplay("problems", "show", "E08", "--solution", file)
    assert done.returncode == 0
    own = tmp_path / "theirs.bf"
    own.write_bytes(done.stdout)
    assert esoplay("grade", own, "--problem", "E08").returncode == 0
    done = esoplay("problems", "show", "E08", "--solution", file, "--lang", "whitespace")
    assert (done.returncode, done.stdout) == (1, b"")
    done = esoplay("problems", "show", "E08", "--solution", file, "--source")
    source = tmp_path / "E08.py"
    source.write_bytes(done.stdout)
    done = esoplay("generate", source, "--run", "--input", "!dlrow")
    assert (done.returncode, done.stdout) == (0, b"world!")


def test_a_generated_solution_is_shown_where_the_pack_has_none(
    tmp_path: Path, capsys: Capture
) -> None:
    mine = tmp_path / "mine.unl"
    mine.write_bytes(generate(PACK.problem("X09").solution_source() or "", "unlambda").source)
    arguments = ["problems", "show", "X09", "--solution", str(mine), "--json"]
    assert main(arguments) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["language"] == "unlambda"
    assert not shown["by_hand"]
    assert shown["source"] == PACK.problem("X09").solution_source()
    program = base64.b64decode(shown["program_base64"])
    assert grade_source("X09", "unlambda", program).solved


def test_grade_shows_the_verdict_and_the_exit_status(echo: str, capsys: Capture) -> None:
    assert main(["grade", echo, "--problem", "E02"]) == 0
    assert "6 of 6 tests passed: solved" in capsys.readouterr().out
    assert main(["grade", echo, "--problem", "E08"]) == 1
    text = capsys.readouterr().out
    assert "not solved" in text
    assert "wrong answer" in text
    assert "expected" in text


def test_grade_reads_the_program_from_stdin(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b",[.,]")))
    assert main(["grade", "-", "--lang", "brainfuck", "--problem", "E02", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["solved"] is True


def test_exit_status_is_3_if_all_tests_reach_a_limit(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "loop.bf").write_text("+[]")
    assert main(["grade", str(tmp_path / "loop.bf"), "--problem", "E02", "--json"]) == 3
    tests = json.loads(capsys.readouterr().out)["tests"]
    assert {(test["verdict"], test["steps"]) for test in tests} == {("step_limit", 10_000_000)}


def test_a_seed_file_and_its_seed_give_the_same_report(
    echo: str, tmp_path: Path, capsys: Capture
) -> None:
    seed = random_seed()
    write_seed_file(tmp_path / "seed", seed)
    arguments = ["grade", echo, "--problem", "E02", "--json"]
    main([*arguments, "--seed-file", str(tmp_path / "seed")])
    by_file = capsys.readouterr().out
    main([*arguments, "--seed", seed.hex()])
    assert capsys.readouterr().out == by_file


def test_escape_codes_of_a_program_never_reach_the_terminal(
    tmp_path: Path, capsys: Capture
) -> None:
    """27 is the escape character, 155 its eight-bit sister."""
    (tmp_path / "evil.bf").write_text("+" * 27 + "." + "+" * 128 + ".")
    main(["grade", str(tmp_path / "evil.bf"), "--problem", "E02"])
    text = capsys.readouterr().out
    assert "\\x1b" in text
    assert "\x1b" not in text
    assert "\x9b" not in text


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_no_color_disables_colours(
    no_color: str, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    main(["problems"])
    assert ("\x1b[" in terminal.getvalue()) == coloured


def test_a_terminal_without_unicode_gets_ascii_symbols(
    echo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", plain)
    assert main(["grade", echo, "--problem", "E02"]) == 0
    plain.seek(0)
    assert "+ 1  pass" in plain.read()


def test_a_statement_can_be_read_in_any_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", plain)
    assert main(["problems", "show", "E10"]) == 0
    plain.seek(0)
    assert "1 + 2 + \\u2026 + N" in plain.read()


def test_verify_proves_a_problem_in_both_dialects(capsys: Capture) -> None:
    assert main(["verify", "--lang", "brainfuck", "--problem", "E16", "--json"]) == 0
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert (report["solved"], report["total"]) == (1, 1)
    for kind in ("cells", "by_hand"):
        assert [cell["dialect"] for cell in report[kind]] == ["standard", "benchmark"]
        assert {cell["by_hand"] for cell in report[kind]} == {kind == "by_hand"}
    assert captured.err == ""  # no narration where stderr is not a terminal


def tiny_cell(tiny: Path, reference: bytes, starter: bytes) -> None:
    for kind, program in [("references", reference), ("starters", starter)]:
        (tiny / "T1-copy" / kind).mkdir()
        (tiny / "T1-copy" / kind / "brainfuck.bf").write_bytes(program)


@pytest.mark.parametrize(
    ("reference", "starter", "complaint"),
    [
        (b",.", b"", "the reference fails (examples): test 1, wrong_answer"),
        (b",[.,]", b"++,[.,]", "the starter solves the problem"),
        (b",[.,]", b"]", "the starter is not a valid program"),
    ],
)
def test_verify_fails_if_a_reference_or_a_starter_is_wrong(
    reference: bytes, starter: bytes, complaint: str, tiny: Path, capsys: Capture
) -> None:
    tiny_cell(tiny, reference, starter)
    assert main(["verify", "--pack", str(tiny), "--lang", "brainfuck"]) == 1
    text = capsys.readouterr().out
    assert complaint in text
    assert "0/1 proved" in text


def test_verify_accepts_more_jobs_than_cells(tiny: Path) -> None:
    assert main(["verify", "--pack", str(tiny), "--lang", "BRAINFUCK", "--jobs", "9" * 12]) == 1


def test_verify_fails_if_there_is_nothing_to_prove(tiny: Path, capsys: Capture) -> None:
    assert main(["verify", "--pack", str(tiny), "--lang", "brainfuck"]) == 1
    text = capsys.readouterr().out
    assert "no reference" in text
    assert "0/0 proved" in text


def test_commands_import_nothing_heavy() -> None:
    import subprocess

    code = (
        "import sys; from esoplay.cli.main import main; main(['problems']);"
        "heavy = {'textual', 'rich', 'asyncio', 'pygments', 'multiprocessing'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    environment = {**os.environ, "PYTHONPATH": ":".join(filter(None, sys.path))}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment)
    assert ran.stderr == b"[]\n"
