"""What once stopped newcomers, in a pseudo-terminal with an empty profile.

Details have faster tests of their own; each of these checks a whole session, from
the keys that a terminal sends to the cells that it shows.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from terminal import CTRL_P, CTRL_Q, CTRL_T, ENTER, ESCAPE, F1, F2, F5, F7, LEFT, Start, Terminal

from esolangs.registry import find_language
from esoplay.learning.lessons import get_course

pytestmark = [pytest.mark.terminal, pytest.mark.slow]

NARROW, MID = (80, 24), (120, 40)
ALT_G, ALT_H, ALT_N = "\x1bg", "\x1bh", "\x1bn"
FOLDER = Path(__file__).parents[1] / "walks"


def leave(terminal: Terminal) -> None:
    terminal.send(CTRL_Q)
    assert terminal.wait_for_end() == 0


def pressed(terminal: Terminal, keys: str, wanted: str) -> None:
    """Send keys and wait for a text, also if it is broken between words."""
    terminal.send(keys)
    terminal.wait_for(lambda text: wanted in flowing(text), wanted)


def flowing(text: str) -> str:
    """Return the text of a screen without frames and line breaks."""
    return " ".join(re.sub("[\u2500-\u259f]", " ", text).split())


def escape(terminal: Terminal, wanted: str) -> None:
    """Press Esc; the next key follows when its effect is there, so it is not taken for Alt."""
    pressed(terminal, ESCAPE, wanted)


def test_first_lesson_shows_all_keys_it_needs(start: Start) -> None:
    with start(size=NARROW) as terminal:
        terminal.wait_for("Start lesson 1")
        pressed(terminal, ENTER, "lesson 1 of 20")
        terminal.wait_for("Enter Go to the task")
        # words are whole
        words = set(re.findall(r"[A-Za-z]{2,}", get_course("brainfuck").lesson(1).text))
        pane = "\n".join(line.rpartition("││")[2] for line in terminal.lines[2:15])
        assert set(re.findall(r"[A-Za-z]{2,}", pane)) <= words
        # keys without a meaning here open nothing, and say so
        pressed(terminal, "p", "p does nothing here")
        pressed(terminal, "n", "n does nothing here")
        assert "1 What is this cell" in terminal.lines[0]
        pressed(terminal, ENTER, "f2 leave ? help")
        pressed(terminal, "16", "16… then: l/h steps")
        escape(terminal, "f2 leave ? help")
        pressed(terminal, "[", "[ does nothing here")
        terminal.paste("+++")
        terminal.wait_for(lambda text: "does not accept pastes" in flowing(text), "the notice")
        pressed(terminal, "H", "hint 1 The cell rises")
        pressed(terminal, "6l", "Enter: next lesson")
        leave(terminal)


def test_first_problem_opens_with_statement_and_editor(start: Start) -> None:
    with start(size=NARROW) as terminal:
        terminal.wait_for("Start lesson 1")
        pressed(terminal, "\x1b[B" + ENTER, "Print this greeting:")
        terminal.wait_for("++++++++    eight rounds")  # the starter's code is in view
        terminal.wait_for("Esc Leave ")
        pressed(terminal, ALT_H, "(1 of 6 shown)")
        assert "hint 1 " in flowing(terminal.text)
        pressed(terminal, CTRL_P + "hide", "alt+s")
        assert "Sidebar" in terminal.text
        assert "Hamming" not in terminal.text
        escape(terminal, "Esc Leave ")
        pressed(terminal, F1, "keys here")
        terminal.send(ESCAPE)
        terminal.wait_for(lambda text: "keys here" not in text, "the editor")
        pressed(terminal, CTRL_T, "0 of 6 passed")
        assert "stops after the first character" in flowing(terminal.text)
        terminal.send(F7)
        terminal.paste((FOLDER / "E01.bf").read_text())
        terminal.wait_for("edited")
        pressed(terminal, CTRL_T, "next problem: E02 Echo Line (alt+n)")
        assert "par" in terminal.text
        pressed(terminal, ALT_N, "E02.bf")
        pressed(terminal, ALT_G + "p", "✓ E01 ★")
        assert "1 of 80 solved" in terminal.text
        # statement and title are of the problem under the cursor
        pressed(terminal, "j", "Greet somebody by name.")
        terminal.wait_for(lambda text: text.startswith(" E03 Hello Name"), "the title")
        assert "─ E03 Hello Name ─" in terminal.text
        pressed(terminal, "gc", "E02 not submitted yet")
        assert "steps of 1" not in terminal.text  # no chart of one value
        leave(terminal)


def test_a_befunge_file_has_one_plane_and_the_whole_screen(start: Start, tmp_path: Path) -> None:
    program = tmp_path / "own.b98"
    wide = '"iH",,@' + " " * 130 + "the end of a long row"
    program.write_text(f"v\n>{wide}\n")
    with start("-m", "esoplay", "play", str(program), size=MID) as terminal:
        terminal.wait_for("types east →")
        assert not re.search("─ (problems|score|statement)", terminal.text)
        row = next(at for at, line in enumerate(terminal.lines) if '>"iH",,@' in line)
        assert "v" in terminal.lines[row - 1]
        assert "the end" not in terminal.text  # scrolled, and not folded
        pressed(terminal, F2, "fungespace")
        assert not re.search("─ (problems|score|statement|program)", terminal.text)
        terminal.wait_for(lambda text: text.count('>"iH",,@') == 1, "one plane")
        pressed(terminal, "G", "ENDED")
        pressed(terminal, "P" + LEFT, "byte 0: 0x48 'H', printed by step 7")
        pressed(terminal, "p", "@6 step 7 printed it")
        escape(terminal, "step that printed it")
        pressed(terminal, ENTER, "next , print")
        pressed(terminal, ":", "Enter run the command")
        pressed(terminal, "brek" + ENTER, "did you mean")
        leave(terminal)


def test_a_whitespace_file_is_read_as_a_disassembly(start: Start, tmp_path: Path) -> None:
    program = tmp_path / "own.ws"
    program.write_bytes(find_language("whitespace").sample())
    with start("-m", "esoplay", "debug", str(program), size=NARROW) as terminal:
        terminal.wait_for("─ disassembly ─")
        listed = [line for line in terminal.lines if re.match(r"│ [▶ ] *[0-9]+ +[a-z]+", line)]
        assert len(listed) >= 9  # of 24 rows
        assert any(re.search("push +[0-9]+", line) for line in listed)
        assert not re.search("(push|call|jump) +[STL]{2}", terminal.text)
        leave(terminal)


def test_breakpoint_on_a_comment_moves_to_the_next_instruction(
    start: Start, tmp_path: Path
) -> None:
    program = tmp_path / "own.bf"
    program.write_text("a comment\n+\n")
    with start("-m", "esoplay", "debug", str(program), size=NARROW) as terminal:
        terminal.wait_for("PAUSED")
        pressed(terminal, "kb", "set at 2:1, the next instruction after the comment")
        leave(terminal)


@pytest.mark.parametrize("size", [NARROW, MID], ids=str)
def test_a_failed_test_names_the_space_after_the_number(
    start: Start, tmp_path: Path, size: tuple[int, int]
) -> None:
    program = tmp_path / "own.b98"
    program.write_text("&&+.@")
    with start("-m", "esoplay", "play", str(program), "--problem", "E04", size=size) as terminal:
        terminal.wait_for("E04 Sum Two Integers")
        pressed(terminal, F5, "one extra space at the end: in Befunge `.` prints a space after")
        leave(terminal)


def test_a_language_and_a_problem_open_without_a_file(start: Start) -> None:
    for options, wanted in (
        (("--lang", "befunge-98"), "types east →"),
        (("--problem", "E08"), "Print a line backwards"),
    ):
        with start("-m", "esoplay", "play", *options, size=NARROW) as terminal:
            terminal.wait_for(wanted)
            leave(terminal)


@pytest.mark.parametrize(
    ("environment", "sent", "never"),
    [
        ({"TERM": "xterm", "COLORTERM": ""}, rb"\x1b\[[0-9;]*9[0-7]m", rb"[34]8;[25];"),
        ({"TERM": "xterm-256color", "COLORTERM": ""}, rb"[34]8;5;", rb"[34]8;2;"),
    ],
    ids=["16", "256"],
)
def test_only_colours_of_the_terminal_are_sent(
    start: Start, environment: dict[str, str], sent: bytes, never: bytes
) -> None:
    with start(size=NARROW, environment=environment) as terminal:
        terminal.wait_for("Start lesson 1")
        leave(terminal)
        assert re.search(sent, bytes(terminal.raw))
        assert not re.search(never, bytes(terminal.raw))
