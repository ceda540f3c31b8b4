"""The editor in a real pseudo-terminal: pastes of any bytes, and a crash without notice."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import pytest
from selection import slow_except
from terminal import CTRL_Q, ESCAPE, F7, PATIENCE, Start, Terminal

pytestmark = pytest.mark.terminal

CTRL_S = "\x13"
BEGIN, END = b"\x1b[200~", b"\x1b[201~"


def paste(terminal: Terminal, data: bytes) -> None:
    terminal.send(BEGIN + data + END)


def wait_for_draft(home: Path, source: bytes) -> None:
    """Poll a file, because a write to it sends no notice."""
    deadline = time.monotonic() + PATIENCE
    while not any(each.read_bytes() == source for each in home.glob("drafts/*")):
        assert time.monotonic() < deadline, "the draft was never written"
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("extension", slow_except(["bf", "ws", "spl"], "ws"))
def test_a_paste_of_all_bytes_is_saved_as_it_was(
    start: Start, tmp_path: Path, extension: str
) -> None:
    path = tmp_path / f"own.{extension}"
    path.write_bytes(b"x")
    data = bytes(range(256)) + "é日\u2028\r\n\t\r\0".encode() + b"\xff\xfe\x80\n"
    with start("-m", "esoplay", "play", str(path)) as terminal:
        terminal.wait_for("1 byte ")
        terminal.send(F7 if extension != "ws" else F7 + "\x1b[2~")
        paste(terminal, data)
        terminal.wait_for(f"{len(data):,} bytes")
        terminal.send(CTRL_S)
        terminal.wait_for("Saved")
        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0
    assert path.read_bytes() == data


@pytest.mark.slow
def test_a_megabyte_is_pasted_exactly(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "own.ws"
    path.write_bytes(b"")
    some = random.Random(4)
    data = bytes(some.choices(b" \t\n", k=1 << 20))
    with start("-m", "esoplay", "play", str(path)) as terminal:
        terminal.wait_for("own.ws")
        terminal.send(F7)
        paste(terminal, data)
        terminal.wait_for("1,048,576 bytes")
        terminal.send(CTRL_S)
        terminal.wait_for("Saved")
        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0
    assert path.read_bytes() == data


@pytest.mark.slow
def test_typed_text_survives_a_kill(start: Start, tmp_path: Path, home: Path) -> None:
    path = tmp_path / "own.b98"
    path.write_bytes(b"12\n")
    with start("-m", "esoplay", "play", str(path)) as terminal:
        terminal.wait_for("types east →")
        terminal.send("34")
        terminal.wait_for("1  34")
        wait_for_draft(home, b"34\n")
        terminal.kill(signal.SIGKILL)
        assert terminal.wait_for_end() == -signal.SIGKILL
    assert path.read_bytes() == b"12\n"
    with start("-m", "esoplay", "play", str(path)) as terminal:
        terminal.wait_for("Restored unsaved changes to own.b98")
        terminal.wait_for("1  34")
        terminal.send(ESCAPE)
        terminal.send(CTRL_S)
        terminal.wait_for("Saved")
        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0
    assert path.read_bytes() == b"34\n"


@pytest.mark.slow
def test_editor_keys_reach_the_editor(start: Start, tmp_path: Path) -> None:
    """Alt with an arrow turns, Insert changes the mode, ^Space completes, ^] goes."""
    path = tmp_path / "own.b98"
    path.write_bytes(b"\n\n\n")
    with start("-m", "esoplay", "play", str(path)) as terminal:
        terminal.wait_for("types east →")
        terminal.send("\x1b[1;3B")
        terminal.wait_for("types south ↓")
        terminal.send("12")
        terminal.wait_for("2  2")
        terminal.send("\x1b[2~")
        terminal.wait_for(lambda text: "grid" not in text, "plain typing")
    path = tmp_path / "own.spl"
    path.write_bytes(b"Romeo, a man. Act I: x. Scene I: y. Romeo: ")
    with start("-m", "esoplay", "play", str(path)) as terminal:
        terminal.wait_for("1  Romeo, a man.")
        terminal.send("\x1b[F")
        terminal.send("\x00")
        terminal.wait_for("Speak your mind!")


@pytest.mark.slow
def test_two_alt_keys_at_once_are_two_hints(start: Start) -> None:
    """A terminal without the Kitty protocol sends ESC and a letter for each of them."""
    with start("-m", "esoplay", "play", "--problem", "E01", size=(80, 24)) as terminal:
        terminal.wait_for("534 bytes")
        terminal.send("\x1bh\x1bh")
        terminal.wait_for("(2 of 6 shown)")
        assert "534 bytes" in terminal.text
        terminal.send("\x1bh" + ESCAPE)
        terminal.wait_for("(3 of 6 shown)")
        terminal.wait_for("Enter Debug test")
        assert "534 bytes" in terminal.text
