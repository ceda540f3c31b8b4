"""``esoplay debug --repl`` by the lines of a program's generator, and which map it opens."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from shell import PATHS

from esoplay.cli.main import main
from esoplay.codegen.source_map import MappedSpan, SourceMap, digest
from esoplay.programs.generation import generate

SOURCE = """\
def main():
    total = 0
    weight = 1
    c = getc()
    while c != 0:
        if c > ord("0"):
            total += weight * (int(c) - 48)
        weight += 12345
        c = getc()
    print_int(total)
    print_int(total * weight % 1000 + weight // 3)
"""
SOURCE += "".join(f"    print_int(total * {n} // 7 % 1000 + weight % {n})\n" for n in range(3, 10))

GENERATOR = """\
from esoplay.codegen.emitter import Emitter

out = Emitter()


def letter(character):
    with out.on_behalf():
        out.emit("[-]")
        out.emit("+" * ord(character))
        out.emit(".", f"print {character}")


for character in "Hi":
    letter(character)
out.emit(">+++[<.>-]", "three times more")
out.write("hi.bf")
"""


def converse(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    arguments: list[str],
    commands: list[str],
) -> tuple[int, list[str], str]:
    """Exit status, output after the greeting, and stderr."""
    script = folder / "commands"
    script.write_text("\n".join(commands) + "\n")
    monkeypatch.setenv("ESOPLAY_HOME", str(folder / "home"))
    with script.open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        status = main(["debug", *arguments, "--repl"])
    said = capsys.readouterr()
    return status, said.out.splitlines(), said.err


@pytest.fixture
def weigh(tmp_path: Path) -> Path:
    """A Brainfuck program with its map."""
    made = generate(SOURCE, "brainfuck", name="weigh.py")
    assert len(made.source) > 25_000
    program = tmp_path / "weigh.bf"
    program.write_bytes(made.source)
    beside = tmp_path / "weigh.bf.map.json"
    beside.write_text(json.dumps(made.source_map.as_json()))
    return program


def test_a_generated_program_is_debugged_by_line(
    weigh: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    commands = ["b line 7", "c", "c", "vars weight", "vars c", "source 7 2", "SL", "2 SL", "5 sl"]
    commands += [
        "set total = -5",
        "vars total",
        "C",
        "d 1",
        "to line 10",
        "coverage source",
        "list",
    ]
    status, said, error = converse(
        capsys, monkeypatch, tmp_path, [str(weigh), "--input", "102"], commands
    )
    assert (status, error) == (0, "")
    told = [re.sub(r"step \d+;", "step …;", line) for line in said if line[:5] != "step "]
    assert told[1:] == [
        "weigh.py: code without a source line",
        "breakpoint 1: at line 7 of the source, never hit",
        *["breakpoint 1: source line 7", "weigh.py line 7: total = (total + (weight * (c - 48)))"]
        * 2,
        "weight is 24691",
        "c is 50 '2'",
        "weigh.py, at line 7:",
        '     6          if c > ord("0"):',
        ">*   7              total += weight * (int(c) - 48)",
        "weigh.py line 6: if 48 < c",
        "weigh.py line 9: read c",
        "weigh.py line 9: read c",
        "total is now -5",
        "weigh.py line 9: read c",
        "total is -5",
        "breakpoint 1: source line 7",
        "weigh.py line 7: total = (total + (weight * (c - 48)))",
        "one breakpoint deleted",
        "weigh.py line 10: print the number total",
        "8 of 17 lines executed (47 %) up to step …; never: 10 11 12 13 14 15 16 17 18",
        "no breakpoints",
    ]


def test_the_named_map_or_the_one_beside_the_program_is_used(
    weigh: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    beside = Path(f"{weigh}.map.json")
    other = tmp_path / "other.json"
    asked = [str(weigh), "--input", ""]

    def first(*arguments: str) -> tuple[int, str, str]:
        status, said, error = converse(
            capsys, monkeypatch, tmp_path, [*asked, *arguments], ["vars total"]
        )
        return status, said[-1] if said else "", error

    assert first() == (0, "total is 0", "")
    none = "error: no source map is open, so no variables are known"
    assert first("--no-map") == (0, none, "")
    other.write_bytes(beside.read_bytes())
    beside.write_text("{}")
    status, said, error = first()
    assert (status, said) == (0, none)
    assert "weigh.bf.map.json is not used: " in error
    assert first("--map", str(other)) == (0, "total is 0", "")
    weigh.write_bytes(weigh.read_bytes() + b"+")
    status, said, error = first("--map", str(other))
    assert (status, said) == (2, "")
    assert "the map of weigh.py belongs to another version of the program" in error
    assert first("--map", str(tmp_path / "none"))[0] == 2


def test_a_program_of_a_users_generator_is_debugged_by_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hi.py").write_text(GENERATOR)
    subprocess.run(
        [sys.executable, "hi.py"], cwd=tmp_path, env={"PYTHONPATH": PATHS}, check=True, timeout=300
    )
    commands = [
        "b line 15",
        "c",
        "source",
        "SL",
        "SL",
        "2 SL",
        "2 sl",
        "vars",
        "end",
        "heat source",
    ]
    status, said, error = converse(
        capsys, monkeypatch, tmp_path, [str(tmp_path / "hi.bf"), "--input", ""], commands
    )
    assert (status, error) == (0, "")
    wanted = ("hi.py line", ">", "printed", "the source")
    told = [line for line in said if line.startswith(wanted)]
    assert told == [
        "hi.py line 14",
        'printed: "Hi"',
        "hi.py line 15: three times more",
        '>*  15  out.emit(">+++[<.>-]", "three times more")',
        "hi.py line 14: print i",
        "hi.py line 14",
        "hi.py line 14: print H",
        'printed: "H"',
        "hi.py line 14",
        "the source map has no variables",
        'printed: "iiii"',
    ]
    assert [line.split(":")[0] for line in said[-2:]] == ["  9  line 14", "  5  line 15"]


def test_a_source_cannot_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "plus.bf"
    program.write_text("+")
    source_map = SourceMap(digest(b"+"), "x.py", "a\t=\x1b[2J 1\n", [MappedSpan(0, 1, 1)])
    (tmp_path / "plus.bf.map.json").write_text(json.dumps(source_map.as_json()))
    _, told, _ = converse(capsys, monkeypatch, tmp_path, [str(program)], ["source"])
    assert r">    1  a       =\x1b[2J 1" in told
