"""``esoplay debug SOURCE.py --lang L``: a source is made a program and debugged by its lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from esoplay.cli.main import main
from esoplay.codegen.source_map import MappedSpan, SourceMap, digest
from esoplay.programs.generation import back_end_ids

Debug = Callable[..., tuple[int, list[str], str]]

SOURCE = """\
def main():
    n = 0
    c = getc()
    while c != 0:
        n += 1
        c = getc()
    print_int(n)
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    path = tmp_path / "length.py"
    path.write_text(SOURCE)
    return path


@pytest.fixture
def debug(
    source: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Debug:
    """Exit status, what was said, and stderr."""

    def run(commands: str, *arguments: str) -> tuple[int, list[str], str]:
        script = source.with_name("commands")
        script.write_text(commands)
        with script.open() as stdin:
            monkeypatch.setattr("sys.stdin", stdin)
            status = main(["debug", str(source), "--repl", *arguments])
        said = capsys.readouterr()
        return status, said.out.splitlines(), said.err

    return run


@pytest.mark.parametrize("language", back_end_ids())
def test_a_source_is_debugged_in_one_command(debug: Debug, language: str) -> None:
    commands = "break line 5\nc\nc\nsource 5 1\ndelete 1\nend\n"
    status, said, error = debug(commands, "--lang", language, "--input", "abc")
    assert (status, error) == (0, "")
    assert said.count("breakpoint 1: source line 5") == 2
    assert ">*   5          n += 1" in said
    assert 'printed: "3"' in said


def test_a_breakpoint_on_a_line_may_ask_for_variables(debug: Debug) -> None:
    commands = "break line 5 if n > 0 and c == 'c'\nc\nvars n\nbreak line 5 if m > 0\n"
    status, said, _ = debug(commands, "--lang", "whitespace", "--input", "abcd")
    assert status == 0
    assert "n is 2" in said
    assert said[-1].endswith(", n, c (column 1)")
    assert said[-1].startswith("error: unknown name 'm'; expected cell")


def test_print_names_the_variables_that_info_lists(debug: Debug) -> None:
    commands = "break line 6\nc\nc\ninfo locals\nprint n\nprint n * 10 + c\ndisplay n\nc\n"
    status, said, _ = debug(commands, "--lang", "befunge-98", "--input", "abcd")
    assert status == 0
    assert "n is 2" in said
    assert said.count("n is 2") == 2
    assert f"n * 10 + c is {20 + ord('b')}" in said
    assert any(line.startswith("n: 2 → 3") or "n is 3" in line for line in said)


def test_no_files_are_left_beside_a_source_that_is_debugged(debug: Debug, source: Path) -> None:
    debug("end\n", "--lang", "befunge-98", "--input", "")
    assert {each.name for each in source.parent.iterdir()} <= {"length.py", "commands", "home"}


def test_a_source_without_its_map_is_a_program_as_any_other(debug: Debug) -> None:
    status, said, _ = debug("vars\nend\n", "--lang", "brainfuck", "--no-map", "--input", "abc")
    assert status == 0
    assert "error: no source map is open, so no variables are known" in said
    assert 'printed: "3"' in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "is a write-once source (see `esoplay generate --help`): choose the target language"),
        (("--lang", "cobol"), "'cobol' is not installed"),
        (
            ("--lang", "brainfuck", "--map", "x"),
            "--map cannot be combined with a write-once source",
        ),
    ],
)
def test_invalid_options_for_a_source_are_reported(
    debug: Debug, arguments: tuple[str, ...], words: str
) -> None:
    status, said, error = debug("end\n", *arguments)
    assert (status, said) == (2, [])
    assert words in error


def test_errors_in_a_source_are_reported_with_their_position(debug: Debug, source: Path) -> None:
    source.write_text(SOURCE.replace("n += 1", "m += 1"))
    status, said, error = debug("end\n", "--lang", "brainfuck")
    assert (status, said) == (1, [])
    assert error == "esoplay: length.py: line 5, column 9: m has no value yet\n"
    status, said, _ = debug("end\n", "--lang", "brainfuck", "--json")
    (answer,) = map(json.loads, said)
    assert status == 1
    assert (answer["command"], answer["ok"]) == ("open", False)
    assert answer["error"] == {
        "kind": "source_error",
        "message": "m has no value yet",
        "line": 5,
        "column": 9,
    }
    source.write_text("def main():\n    write_int(a)\n    write_int(b)\n")
    _, said, error = debug("end\n", "--lang", "brainfuck", "--json")
    assert len(error.splitlines()) == 4
    (answer,) = map(json.loads, said)
    places = [(one["line"], one["column"]) for one in answer["error"]["errors"]]
    assert places == [(2, 5), (2, 15), (3, 5), (3, 15)]
    source.write_bytes(b"def main():\n    puts('\xff')\n")
    status, said, error = debug("end\n", "--lang", "brainfuck")
    assert (status, said) == (2, [])
    assert "length.py: line 2: expected UTF-8 text" in error


@pytest.mark.parametrize(
    ("arguments", "opened"),
    [
        (["length.py", "--lang", "Befunge-98"], ("befunge-98", None)),
        (["length.py", "--lang", "brainfuck", "--no-map"], ("brainfuck", False)),
        (["plus.bf", "--map", "plus.json"], ("brainfuck", "x.py")),
    ],
)
def test_the_screen_opens_the_map_that_was_named(
    arguments: list[str],
    opened: tuple[str, object],
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(source.parent)
    launched = _on_a_terminal(monkeypatch)
    Path("plus.bf").write_text("+")
    source_map = SourceMap(digest(b"+"), "x.py", "+\n", [MappedSpan(0, 1, 1)])
    Path("plus.json").write_text(json.dumps(source_map.as_json()))
    assert main(["debug", *arguments]) == 0
    ((language, source_map),) = launched
    assert (language, getattr(source_map, "name", source_map)) == opened


def test_a_map_of_another_program_is_refused_before_the_screen_comes(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(source.parent)
    launched = _on_a_terminal(monkeypatch)
    Path("plus.bf").write_text("+")
    source_map = SourceMap(digest(b"-"), "x.py", "+\n", [MappedSpan(0, 1, 1)])
    Path("plus.json").write_text(json.dumps(source_map.as_json()))
    assert main(["debug", "plus.bf", "--map", "plus.json"]) == 2
    assert "the map of x.py belongs to another version" in capsys.readouterr().err
    assert not launched


def _on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, object]]:
    """What a screen would have been opened with: language and map."""
    launched: list[tuple[str, object]] = []

    def launch(_file: Path, *, language: str, source_map: object, **_: object) -> int:
        launched.append((language, source_map))
        return 0

    monkeypatch.setattr("esoplay.tui.launch", launch)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("ESOPLAY_PLAIN", raising=False)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
    return launched
