"""Hints that a pack has for its problems in one language: where they are read, and their errors."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from esoplay.cli.main import main
from esoplay.errors import PackError
from esoplay.grading.packs import load_pack
from esoplay.packs.hints import MAX_AFTER_WRITTEN, all_hints, language_hints, read_written_hints
from esoplay.paths import problems_folder

TEXT = "Read up to the space, then the second number."


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack of two problems with hints on Brainfuck."""
    folder = tmp_path / "pack"
    folder.mkdir()
    shutil.copy(problems_folder() / "pack.toml", folder)
    for name in ("E02-echo-line", "E04-sum-two-integers"):
        shutil.copytree(problems_folder() / name, folder / name)
    write(folder, f'E04 = "{TEXT}"\n')
    return folder


def write(pack: Path, text: str, language: str = "brainfuck") -> None:
    (pack / "hints").mkdir(exist_ok=True)
    (pack / "hints" / f"{language}.toml").write_text(text)


def test_a_written_hint_follows_those_of_the_problem(pack: Path) -> None:
    problem = load_pack(pack).problem("E04")
    shown = all_hints(problem, "brainfuck")
    assert shown[:4] == (*problem.hints, TEXT)
    assert len(shown) == 4 + MAX_AFTER_WRITTEN
    assert set(shown[4:]) <= {each.text for each in language_hints("brainfuck")}
    assert TEXT not in all_hints(problem, "whitespace")
    assert TEXT not in all_hints(load_pack(pack).problem("E02"), "brainfuck")


def test_a_file_that_changes_is_read_again(pack: Path) -> None:
    assert read_written_hints(pack, "brainfuck") == {"E04": TEXT}
    file = pack / "hints" / "brainfuck.toml"
    before = file.stat().st_mtime_ns
    write(pack, 'E02 = "Print at once."\n')
    assert file.stat().st_mtime_ns != before
    assert read_written_hints(pack, "brainfuck") == {"E02": "Print at once."}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('E40 = "x"', "brainfuck.toml: E40: unknown problem"),
        ('e04 = "x"', "brainfuck.toml: e04: unknown problem"),
        ("E04 = 4", "brainfuck.toml: E04: expected a string that is not empty, found 4"),
        ('E04 = " "', "brainfuck.toml: E04: expected a string that is not empty, found ' '"),
        ('E04 = "', "brainfuck.toml: "),
    ],
)
def test_an_error_names_file_and_key(pack: Path, text: str, words: str) -> None:
    write(pack, text)
    with pytest.raises(PackError) as raised:
        all_hints(load_pack(pack).problem("E04"), "brainfuck")
    assert words in str(raised.value)


def test_problems_show_prints_a_written_hint_as_the_fourth(
    pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    show = ["problems", "show", "E04", "--pack", str(pack), "--lang", "brainfuck"]
    assert main([*show, "--hints", "4"]) == 0
    text = capsys.readouterr().out
    assert "Hint 4" in text
    assert TEXT in text
    assert "2 more" in text
    assert main([*show, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hints"][3] == TEXT
