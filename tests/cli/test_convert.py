"""``esoplay convert``: the three notations of Whitespace, as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from esolangs.registry import find_language
from esoplay.cli.main import main
from esoplay.errors import UsageError

WORDS = b"    push 65             ; a letter\n    printc\n"


def test_a_program_survives_all_notations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.wsa").write_bytes(WORDS)
    assert main(["convert", "a.wsa", "--from", "assembly", "-o", "a.ws"]) == 0
    program = Path("a.ws").read_bytes()
    assert program.translate(None, b"a letr;\xc2\xa0") == b"\t\t\n\t\n"
    assert main(["run", "a.ws"]) == 0
    assert capfdbinary.readouterr().out == b"A"
    assert main(["convert", "a.ws", "--to", "visible", "-o", "a.txt"]) == 0
    assert Path("a.txt").read_bytes().startswith(b"SSSTSSSSSTL")
    assert main(["convert", "a.txt", "--from", "visible", "--to", "assembly"]) == 0
    assert capfdbinary.readouterr().out == WORDS
    assert main(["convert", "a.txt", "--from", "visible"]) == 0
    assert capfdbinary.readouterr().out == program


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (b"push 1\n prinnt\n", ("--from", "assembly"), "a.wsa: line 2, column 2: 'prinnt' is not"),
        (b"push 1\nprintn", ("--to", "visible"), "a.wsa: try: the file is in assembly: add "),
        (b"SSX", ("--from", "visible"), "a.wsa: line 1, column 1: the program ends inside"),
    ],
)
def test_a_wrong_program_is_refused_with_its_place(
    text: bytes,
    options: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.wsa").write_bytes(text)
    assert main(["convert", "a.wsa", *options]) == 1
    shown = capsys.readouterr()
    assert not shown.out
    assert f"esoplay: {said}" in shown.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.ws",), "--from"),
        (("a.ws", "--to", "asm"), "--to asm: expected one of invisible, visible, assembly"),
        (("a.bf", "--to", "visible"), "Brainfuck has only one notation"),
        (("a.ws", "--to", "visible", "-o", "no/where"), "cannot write no/where"),
    ],
)
def test_a_mistake_in_the_command_line_is_named(
    arguments: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.ws").write_bytes(find_language("whitespace").sample())
    assert main(["convert", *arguments]) == UsageError.exit_code
    assert said in capsys.readouterr().err
