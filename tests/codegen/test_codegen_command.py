"""``esoplay generate``, and the page about sources."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from esolangs.registry import find_language
from esoplay.cli.main import main
from esoplay.codegen.__main__ import main as hand_out
from esoplay.codegen.back_ends import back_end_ids
from esoplay.codegen.cpython import run_source
from esoplay.codegen.source_map import parse_map, read_map
from esoplay.running.run import run_source as run_program

PAGE = Path(__file__).resolve().parents[2] / "docs" / "codegen" / "sources.md"
SOURCE = "def main():\n    c = getc()\n    putc(c)\n    puts('!')\n"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    return path


def test_the_source_on_the_page_runs() -> None:
    block = PAGE.read_text("utf-8").split("```python\n")[1].split("```")[0]
    assert [len(line.rstrip(b".")) for line in run_source(block, b"307").split()] == [6, 0, 14]


@pytest.mark.parametrize("language", back_end_ids())
def test_a_program_and_its_map_are_written(language: str, source: Path) -> None:
    target = source.with_name(f"made{find_language(language).extensions[0]}")
    assert main(["generate", str(source), "--lang", language, "-o", str(target)]) == 0
    program = target.read_bytes()
    assert run_program(language, program, stdin=b"x").stdout == b"x!"
    made = read_map(target.with_name(target.name + ".map.json"))
    made.check(program)
    assert made.text == SOURCE
    assert set(made.lines) >= {2, 3, 4}


@pytest.mark.parametrize("language", back_end_ids())
@pytest.mark.parametrize("text", [SOURCE, "def main():\n    é = int(getc())\n    print_int(é)\n"])
def test_json_of_a_generated_program_opens_a_debugger(
    text: str, language: str, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write_text(text, "utf-8")
    assert main(["generate", str(source), "--lang", language, "--comments", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    program = base64.b64decode(made.get("program_base64", "")) or made["program"].encode()
    assert made["size"] == len(program)
    assert made["source_map"]["source"]["text"] == text
    parse_map(made["source_map"]).check(program)


def test_the_source_itself_runs(source: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["generate", str(source), "--run", "--input", "y"]) == 0
    assert capfdbinary.readouterr().out == b"y!"


def test_a_run_shows_the_first_part_of_a_long_output(
    source: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("esoplay.running.run.SHOWN_OUTPUT", 70_000)
    source.write_text(
        "def main():\n    i = 0\n    while i < 25000:\n        i += 1\n        puts('abcd')\n"
    )
    assert main(["generate", str(source), "--run"]) == 0
    out, err = capfdbinary.readouterr()
    assert out == b"abcd" * 17_500
    assert b"the first 70,000 of 100,000 bytes of output are shown; try: --full-output" in err
    assert main(["generate", str(source), "--run", "--full-output"]) == 0
    assert capfdbinary.readouterr() == (b"abcd" * 25_000, b"")
    assert main(["generate", str(source), "--run", "--json"]) == 0
    told = json.loads(capfdbinary.readouterr().out)
    assert (len(told["stdout"]), told["output_bytes"]) == (70_000, 100_000)


GROWING = "def main():\n    n = 1\n    while n > 0:\n        n += n\n        print_int(n)\n"
WIDEST = {"brainfuck": "33,554,432", "befunge-98": "17,179,869,184"}


@pytest.mark.parametrize("language", WIDEST)
def test_a_run_for_a_language_stops_where_its_ints_overflow(
    language: str, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write_text(GROWING)
    assert main(["generate", str(source), "--run", "--lang", language.upper()]) == 1
    twice = f"{2 * int(WIDEST[language].replace(',', '')):,}"
    told = f"mine.py: line 4: {twice} is not an int in {language}; expected -"
    assert told in capsys.readouterr().err
    assert hand_out(["run", str(source), "--lang", language, "--input", ""]) == 1
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("language", ["shakespeare", "unlambda", "whitespace"])
def test_run_for_a_language_with_unbounded_ints_has_no_limits(
    language: str, source: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    source.write_text(GROWING.replace("n > 0", "0 < n < 99999999999"))
    for lang in ([], ["--lang", language]):
        assert main(["generate", str(source), "--run", *lang]) == 0
        assert hand_out(["run", str(source), *lang, "--input", ""]) == 0
    printed = capfdbinary.readouterr().out
    assert printed == run_source(source.read_text()) * 4
    assert printed.endswith(b"%d" % 2**37)


def test_a_run_for_a_language_refuses_constants_out_of_range(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write_text("def main():\n    n = 60000000\n    print_int(n)\n")
    assert main(["generate", str(source), "--run"]) == 0
    assert main(["generate", str(source), "--run", "--lang", "brainfuck"]) == 1
    assert "mine.py: line 2, column 5: 60,000,000 is not an int in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([], 2, "expected --lang L"),
        (["--lang", "cobol", "--run"], 2, "cobol"),
        (["--lang", "brainfuck", "--run", "-o", "x"], 2, "does not write a program"),
        (["--lang", "cobol"], 2, "cobol"),
        (["--lang", "brainfuck", "--input", "x"], 2, "require --run"),
        (["--run", "-o", "x"], 2, "does not write a program"),
        (["--lang", "brainfuck", "-o", "no/such/folder/x.bf"], 2, "cannot write"),
    ],
)
def test_invalid_arguments_are_reported(
    arguments: list[str],
    code: int,
    words: str,
    source: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["generate", str(source), *arguments]) == code
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "mine.py"], "mine.py is the source; choose another file for the program"),
        (["-o", "./link"], "link is the source"),
        (
            ["-o", "a.bf", "--map", "mine.py"],
            "mine.py is the source; choose another file for the map",
        ),
        (["-o", "a.bf", "--map", "./a.bf"], "a.bf is the program; choose another file for the map"),
    ],
)
def test_nothing_is_written_over_the_source_or_the_program(
    arguments: list[str], words: str, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source.with_name("link").symlink_to(source)
    assert main(["generate", str(source), "--lang", "brainfuck", *arguments]) == 2
    assert words in capsys.readouterr().err
    if "--map" not in arguments:  # what sessions hand out knows no --map
        assert hand_out(["generate", str(source), "--lang", "brainfuck", *arguments]) == 2
        assert words in capsys.readouterr().err
    assert source.read_text() == SOURCE
    assert not source.with_name("a.bf").exists()


def test_invalid_source_overwrites_nothing(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = source.with_name("made.bf")
    target.write_text("precious")
    source.write_text("def main():\n    x = y\n")
    assert main(["generate", str(source), "--lang", "brainfuck", "-o", str(target)]) == 1
    assert "mine.py: line 2, column 9: y is not defined" in capsys.readouterr().err
    assert target.read_text() == "precious"
    source.write_bytes(b"\xff")
    assert main(["generate", str(source), "--lang", "brainfuck", "-o", str(target)]) == 2
    assert target.read_text() == "precious"


def test_byte_order_mark_is_skipped(
    source: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    source.write_bytes(b"\xef\xbb\xbf" + SOURCE.encode())
    assert main(["generate", str(source), "--run", "--input", "y"]) == 0
    assert capfdbinary.readouterr().out == b"y!"
    target = source.with_name("made.bf")
    assert main(["generate", str(source), "--lang", "brainfuck", "-o", str(target)]) == 0
    assert run_program("brainfuck", target.read_bytes(), stdin=b"x").stdout == b"x!"


def test_workspace_command_escapes_control_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "a\x1b[2J.py"
    assert hand_out(["generate", "--lang", "brainfuck", name]) == 2
    Path(name).write_text("def main():\n    return 1\n")
    assert hand_out(["generate", "--lang", "brainfuck", name]) == 1
    with pytest.raises(SystemExit):
        hand_out(["run", "mine.py", name])
    found = capsys.readouterr().err
    assert "\x1b" not in found
    assert found.count(r"a\x1b[2J.py") == 3
