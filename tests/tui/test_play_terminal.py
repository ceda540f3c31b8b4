"""The real application in a real pseudo-terminal."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest
from make_targets import INSTALLED
from terminal import (
    CTRL_C,
    CTRL_G,
    CTRL_HOME,
    CTRL_L,
    CTRL_P,
    CTRL_Q,
    CTRL_T,
    ENTER,
    ESCAPE,
    F2,
    F5,
    F7,
    F12,
    LEFT,
    Start,
    Terminal,
)

from esoplay.grading.packs import load_pack

pytestmark = pytest.mark.terminal

CRASHING = """
import sys
from textual.binding import Binding
from esoplay.tui.app import EsoplayApp

class Crashing(EsoplayApp):
    BINDINGS = [Binding("f12", "crash", priority=True)]

    def action_crash(self):
        raise RuntimeError("on purpose")

if __name__ == "__main__":
    sys.exit(Crashing().run_until_exit())
"""


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_play_opens_the_screen(start: Start) -> None:
    command = ("make", *INSTALLED, "play")
    with start("-c", f"import os; os.execvp('make', {command})") as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0


@pytest.mark.slow
def test_a_problem_is_solved_while_the_window_changes(start: Start, home: Path) -> None:
    with start() as terminal:
        terminal.wait_for("Start lesson 1")

        terminal.send(CTRL_P)
        terminal.wait_for("Search")
        terminal.send("E08")
        terminal.wait_for("E08 Reverse String")
        terminal.send(ENTER)
        terminal.wait_for("Print a line backwards")
        terminal.wait_for("E08.bf")

        terminal.resize((80, 24))
        terminal.wait_for(lambda text: "E08.bf" in text and "problems" not in text, "narrow")
        terminal.send(F7)
        terminal.paste(">,[>,]")
        terminal.send("<[.<]")
        terminal.wait_for("1  >,[>,]<[.<]")
        terminal.wait_for("11 bytes")
        terminal.send(F5)
        terminal.wait_for("4 of 4 passed")

        terminal.send(F2)
        terminal.wait_for("step 0/27")
        terminal.send("G")
        terminal.wait_for("step 27/27")
        terminal.resize((200, 60))
        terminal.wait_for("Print a line backwards")
        terminal.send("gg")
        terminal.wait_for("step 0/27")
        terminal.send(":")
        terminal.wait_for("cell[3]==10")
        terminal.send("o 2")
        terminal.wait_for(" :o 2")
        terminal.send(ENTER)
        terminal.wait_for("step 25/27")

        terminal.resize((120, 40))
        terminal.wait_for(lambda text: "backwards" not in text, "mid")
        terminal.wait_for("step 25/27")
        terminal.send("h")
        terminal.wait_for("step 24/27")

        terminal.send(CTRL_T)
        terminal.wait_for("solved 6/6")
        terminal.wait_for(f"1 of {len(load_pack().problems)} solved")

        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0
        assert_restored(terminal)
    assert [path.read_bytes() for path in home.glob("programs/*/*/E08.bf")] == [b">,[>,]<[.<]"]


@pytest.mark.slow
def test_endless_program_does_not_block_the_screen(start: Start, tmp_path: Path) -> None:
    program = tmp_path / "endless.bf"
    program.write_bytes(b"+[]")
    with start("-m", "esoplay", "play", str(program)) as terminal:
        terminal.wait_for("endless.bf")
        terminal.send(F2)
        terminal.wait_for("PAUSED")
        terminal.send("G")
        terminal.wait_for("Esc stop")
        terminal.resize((80, 24))
        terminal.wait_for(lambda text: "problems" not in text and "Esc stop" in text, "narrow")
        terminal.send(ESCAPE)
        terminal.wait_for(lambda text: "PAUSED" in text and "Esc stop" not in text, "stopped")
        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0
        assert_restored(terminal)


@pytest.mark.slow
def test_keys_that_arrive_together_act_in_their_order(start: Start) -> None:
    with start() as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.send(F2)
        terminal.wait_for("E01.bf")
        terminal.send(F7 + "ab\x7fc" + LEFT + "d" + ENTER + "e\x1az")
        terminal.wait_for("1  ad")
        terminal.wait_for("2  zc")


@pytest.mark.slow
def test_a_key_after_the_one_that_closes_a_dialog_reaches_the_editor(
    start: Start, tmp_path: Path
) -> None:
    program = tmp_path / "letters.bf"
    program.write_bytes(b"+" * 20)
    with start("-m", "esoplay", "play", str(program)) as terminal:
        terminal.wait_for("20 bytes")
        terminal.wait_for("^q Quit")
        terminal.send(CTRL_G + "@12" + ENTER + "'!")
        terminal.wait_for("1  ++++++++++++'!++++++++")


@pytest.mark.slow
def test_a_click_changes_the_view(start: Start) -> None:
    with start() as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.wait_for(lambda text: "brainfuck" in text.splitlines()[0])  # it moves the tabs
        column = terminal.lines[0].index("edit") + 2
        terminal.click(column, 1)
        terminal.wait_for("E01.bf")
        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0


@pytest.mark.slow
def test_crash_restores_the_terminal_and_saves_the_program(
    start: Start, home: Path, tmp_path: Path
) -> None:
    script = tmp_path / "crashing.py"
    script.write_text(CRASHING)
    with start(str(script)) as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.send(F2)
        terminal.wait_for("E01.bf")
        terminal.send(CTRL_HOME + "+++")
        terminal.wait_for("1  +++")
        terminal.send(F12)
        assert terminal.wait_for_end() == 4
        assert b"on purpose" in terminal.raw
        assert_restored(terminal)
    kept = [path.read_bytes() for path in home.glob("programs/*/*/E01.bf")]
    assert [source[:3] for source in kept] == [b"+++"]


def test_sigterm_restores_the_terminal(start: Start) -> None:
    with start() as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.wait_for("^q Quit")
        terminal.kill(signal.SIGTERM)
        assert terminal.wait_for_end() == 128 + signal.SIGTERM
        assert_restored(terminal)


@pytest.mark.slow
def test_second_signal_during_exit_is_ignored(start: Start) -> None:
    with start() as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.wait_for("^q Quit")
        terminal.kill(signal.SIGTERM)
        code = terminal.wait_for_end(meanwhile=lambda: terminal.kill(signal.SIGHUP))
        assert code in (128 + signal.SIGTERM, 128 + signal.SIGHUP)  # both may come at once
        assert_restored(terminal)


@pytest.mark.slow
def test_the_program_is_saved_if_the_terminal_closes(start: Start, home: Path) -> None:
    with start() as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.send(F2)
        terminal.wait_for("E01.bf")
        terminal.send(F7 + "+++")
        terminal.wait_for("1  +++")
        terminal.kill(signal.SIGHUP)
        assert terminal.wait_for_end() == 128 + signal.SIGHUP
    assert [path.read_bytes() for path in home.glob("programs/*/*/E01.bf")] == [b"+++"]


@pytest.mark.parametrize("running", [False, True], ids=["paused", "running"])
def test_closing_the_window_ends_the_application(
    start: Start, tmp_path: Path, running: bool
) -> None:
    program = tmp_path / "endless.bf"
    program.write_bytes(b"+[]")
    with start("-m", "esoplay", "debug", str(program)) as terminal:
        terminal.wait_for("PAUSED")
        terminal.send("l")
        terminal.wait_for("step 1/")
        if running:
            terminal.send("G")
            terminal.wait_for("Esc stop")
        assert terminal.hang_up() == 128 + signal.SIGHUP


@pytest.mark.slow
def test_each_size_has_a_layout_or_a_message(start: Start) -> None:
    with start() as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.send(F2)
        terminal.wait_for("E01.bf")
        terminal.send(F2)
        terminal.wait_for("press l to step")
        terminal.send("3l")
        terminal.wait_for("step 3/")
        for size in ((80, 24), (60, 16), (200, 60), (59, 16), (120, 40), (60, 15), (250, 80)):
            terminal.resize(size)
            if size[0] < 60 or size[1] < 16:
                terminal.wait_for(f"this terminal is {size[0]} × {size[1]}")
                assert "step 3/" not in terminal.text
            else:
                beside = size[0] >= 180
                terminal.wait_for(lambda text, beside=beside: laid_out(text, beside), f"{size}")
            assert all(len(line) <= size[0] for line in terminal.lines)
        terminal.send("h")
        terminal.wait_for("step 2/")
        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0
        assert_restored(terminal)


def laid_out(text: str, beside: bool) -> bool:
    """The debugger is there, with other panes beside it or without any."""
    others = [f"─ {name} " in text for name in ("problems", "score")]
    return "step 3/" in text and "needs 60 × 16" not in text and set(others) == {beside}


@pytest.mark.slow
def test_ctrl_c_does_not_end_the_application(start: Start, tmp_path: Path) -> None:
    program = tmp_path / "endless.bf"
    program.write_bytes(b"+[]")
    with start("-m", "esoplay", "debug", str(program)) as terminal:
        terminal.wait_for("PAUSED")
        terminal.send("G")
        terminal.wait_for("Esc stop")
        terminal.send(CTRL_C)
        terminal.send(ESCAPE)
        terminal.wait_for(lambda text: "PAUSED" in text and "Esc stop" not in text, "stopped")
        terminal.send(F2)
        terminal.wait_for("1  +[]")
        terminal.send(CTRL_C + "-")
        terminal.wait_for("1  -+[]")
        terminal.send(CTRL_Q)
        terminal.wait_for("unsaved changes")
        terminal.send("d")
        assert terminal.wait_for_end() == 0
    assert program.read_bytes() == b"+[]"


@pytest.mark.slow
def test_wheel_scrolls_the_widget_under_the_mouse(start: Start, tmp_path: Path) -> None:
    program = tmp_path / "long.bf"
    program.write_bytes(b"+>\n" * 100)
    with start("-m", "esoplay", "debug", str(program)) as terminal:
        terminal.wait_for("step 0/200")
        terminal.send("l")
        terminal.wait_for("step 1/200")
        row = next(y for y, line in enumerate(terminal.lines) if "1 +>" in line)
        column = terminal.lines[row].index("+>")
        terminal.scroll(column + 1, row + 1)
        terminal.wait_for(lambda text: "  1 +>" not in text, "scrolled down")
        assert "step 1/200" in terminal.text
        terminal.scroll(column + 1, row + 1, up=True)
        terminal.wait_for("  1 +>")
        terminal.click(column - 5, row + 4)  # the gutter, three lines below
        terminal.wait_for("●")
        terminal.send("c")
        terminal.wait_for("step 6/200")
        terminal.wait_for("breakpoint 1")


def test_file_that_cannot_be_opened_is_reported(start: Start, tmp_path: Path) -> None:
    with start("-m", "esoplay", "play", str(tmp_path)) as terminal:
        assert terminal.wait_for_end() == 2
        assert "no programs found in" in terminal.text.replace("\n", "")


def assert_restored(terminal: Terminal) -> None:
    """No alternate screen, the cursor, no mouse reports, the line discipline as before."""
    for on, off in ((b"?1049h", b"?1049l"), (b"?25l", b"?25h"), (b"?1000h", b"?1000l")):
        assert terminal.raw.rfind(on) < terminal.raw.rfind(off), off
    assert b"?2004l" in terminal.raw
    assert terminal.modes == terminal.cooked


def test_missing_file_is_not_debugged(start: Start) -> None:
    with start("-m", "esoplay", "debug", "typo.bf") as terminal:
        assert terminal.wait_for_end() == 2
        assert "cannot read typo.bf" in terminal.text


@pytest.mark.slow
def test_lessons_can_be_completed_in_order(start: Start) -> None:
    with start(size=(80, 24)) as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.send(CTRL_L)
        terminal.wait_for("Brainfuck has no variables")
        terminal.send(ENTER)
        terminal.wait_for("step 0/7")
        terminal.send("5l")
        terminal.wait_for("step 5/7")
        assert "Enter: next" not in terminal.text
        terminal.send("l")
        terminal.wait_for("Enter: next")
        terminal.send(ENTER)
        terminal.wait_for("lesson 2 of ")

        terminal.resize((120, 40))
        terminal.send(ENTER)
        terminal.wait_for("step 0/17")
        terminal.send("14l")
        terminal.wait_for("Enter opens the next lesson")
        terminal.send(ENTER)
        terminal.wait_for("Make the program print ABBA")
        terminal.send(F7)
        terminal.paste("+" * 65 + ".+..-.")
        terminal.wait_for("1 of 1 passed")
        terminal.wait_for("Esc Enter opens the next lesson")
        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0
    with start() as terminal:
        terminal.wait_for("3 Letters are numbers")
        terminal.send(CTRL_L)
        terminal.wait_for("3 of 20 done")
