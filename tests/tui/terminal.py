"""A program in a pseudo-terminal whose screen pyte draws; tests wait for text, not for time."""

from __future__ import annotations

import ctypes
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType

import pyte

ESCAPE, ENTER, DELETE, LEFT = "\x1b", "\r", "\x1b[3~", "\x1b[D"
F1, F2, F5, F7, F12 = "\x1bOP", "\x1bOQ", "\x1b[15~", "\x1b[18~", "\x1b[24~"
CTRL_C, CTRL_G, CTRL_L, CTRL_P = "\x03", "\x07", "\x0c", "\x10"
CTRL_Q, CTRL_S, CTRL_T, CTRL_Z = "\x11", "\x13", "\x14", "\x1a"
CTRL_HOME = "\x1b[1;5H"

PATIENCE = 300.0
"""Maximum seconds to wait for an event."""

_UPDATE_BEGINS, _UPDATE_ENDS = b"\x1b[?2026h", b"\x1b[?2026l"
_SYNCHRONIZED_OUTPUT_QUERY = b"\x1b[?2026$p"
_SYNCHRONIZED_OUTPUT_ANSWER = b"\x1b[?2026;2$y"

_UNKNOWN_TO_PYTE = re.compile(
    rb"\x1b\[[<>=?][0-9;]*[a-zA-Z]|\x1b\[[?]?[0-9;]*\$[a-z]|\x1bP.*?\x1b\\"
)
"""Sequences to remove before pyte, which would print some of them; none changes the drawing."""

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1
"""Operation of prctl(2) on Linux that sets the signal sent to a process when its parent dies."""

_UNFINISHED = re.compile(rb"\x1b(\[[<>=?]?[0-9;]*\$?|P[^\x1b]*)?$")


class Terminal:
    """Runs a command in a terminal of ``size`` (columns, rows)."""

    def __init__(
        self, command: Sequence[str], *, env: Mapping[str, str], size: tuple[int, int] = (120, 40)
    ) -> None:
        self.raw = bytearray()
        self.exit_code: int | None = None
        self._hung_up = False
        self._rest = b""
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._pid, self._master = pty.fork()
        if self._pid == 0:
            if sys.platform == "linux":  # no process remains if the test run is killed
                _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            _set_size(0, size)  # before the program can ask for it
            os.execvpe(command[0], list(command), dict(env))
        self.cooked = termios.tcgetattr(self._master)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        if self.exit_code is None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        if not self._hung_up:
            os.close(self._master)

    # Input

    def send(self, keys: str | bytes) -> None:
        """Type keys or bytes."""
        os.write(self._master, keys.encode() if isinstance(keys, str) else keys)

    def paste(self, text: str) -> None:
        """Paste text in bracketed paste mode."""
        self.send(f"\x1b[200~{text}\x1b[201~")

    def click(self, column: int, row: int) -> None:
        """Click with the left button; column and row count from 1."""
        self.send(f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m")

    def scroll(self, column: int, row: int, *, up: bool = False) -> None:
        """Turn the mouse wheel by one notch; column and row count from 1."""
        self.send(f"\x1b[<{64 if up else 65};{column};{row}M")

    def resize(self, size: tuple[int, int]) -> None:
        """Resize and clear the window; the program gets SIGWINCH and must draw everything again."""
        self._screen.resize(size[1], size[0])
        self._screen.erase_in_display(2)
        _set_size(self._master, size)

    def kill(self, number: signal.Signals) -> None:
        """Send a signal to the program."""
        os.kill(self._pid, number)

    def hang_up(self) -> int:
        """Close the terminal, wait until the program ends, and return its exit code."""
        os.close(self._master)
        self._hung_up = True
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                self.exit_code = os.waitstatus_to_exitcode(status)
                return self.exit_code
            time.sleep(0.02)
        raise AssertionError("it outlived its terminal")

    @property
    def pid(self) -> int:
        return self._pid

    # Screen

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def first_frame_with(self, text: str) -> list[str]:
        """Return the lines after the first update that printed ``text``, in one style."""
        raw = bytes(self.raw)
        end = raw.index(_UPDATE_ENDS, raw.index(text.encode()))
        screen = pyte.Screen(self._screen.columns, self._screen.lines)
        pyte.ByteStream(screen).feed(_UNKNOWN_TO_PYTE.sub(b"", bytes(self.raw[:end])))
        return [line.rstrip() for line in screen.display]

    @property
    def modes(self) -> list[object]:
        """The current settings of the line discipline."""
        return termios.tcgetattr(self._master)

    def wait_for(self, wanted: str | Callable[[str], bool], what: str = "") -> None:
        """Read until the screen shows ``wanted``. what: the name of ``wanted`` in an error."""

        def seen(text: str) -> bool:
            return wanted(text) if callable(wanted) else wanted in text

        deadline = time.monotonic() + PATIENCE
        while not seen(self.text):
            if not self._read(deadline):
                name = what or wanted
                raise AssertionError(f"{name!r} never came; the screen shows:\n{self.text}")

    def wait_for_end(self, meanwhile: Callable[[], object] | None = None) -> int:
        """Read until the program ends; call ``meanwhile`` repeatedly; return the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self.exit_code is None:
            alive = self._read(
                min(deadline, time.monotonic() + (0.1 if meanwhile is None else 0.002))
            )
            if meanwhile is not None:
                meanwhile()
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                self.exit_code = os.waitstatus_to_exitcode(status)
            elif not alive and time.monotonic() > deadline:
                raise AssertionError(f"it never ended; the screen shows:\n{self.text}")
        while self._read(time.monotonic()):
            pass
        return self.exit_code

    def _read(self, deadline: float) -> bool:
        """Read and draw output, waiting until ``deadline``; return False without output."""
        data = self.receive(deadline)
        self.draw(data)
        return bool(data)

    def receive(self, deadline: float) -> bytes:
        """Return the next output, without drawing it, or b"" if none arrives until ``deadline``."""
        ready, _, _ = select.select([self._master], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return b""
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:  # raised on Linux after the last writer has closed the terminal
            return b""
        for _ in range(data.count(_SYNCHRONIZED_OUTPUT_QUERY)):
            self.send(_SYNCHRONIZED_OUTPUT_ANSWER)
        return data

    def garble(self, text: str) -> None:
        """Write text into the upper left corner, as output of another program would."""
        self._stream.feed(b"\x1b7\x1b[1;1H" + text.encode() + b"\x1b8")

    def draw(self, data: bytes) -> None:
        """Draw output; an incomplete update or sequence waits for the rest."""
        self.raw += data
        data = self._rest + data
        unfinished = _UNFINISHED.search(data)
        end = unfinished.start() if unfinished else len(data)
        begun = data.rfind(_UPDATE_BEGINS)
        if begun > data.rfind(_UPDATE_ENDS):
            end = min(end, begun)
        self._rest = data[end:]
        self._stream.feed(_UNKNOWN_TO_PYTE.sub(b"", data[:end]))


def _set_size(terminal: int, size: tuple[int, int]) -> None:
    columns, rows = size
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


Start = Callable[..., Terminal]
"""Starts esoplay, or Python with other arguments, in a new terminal; see ``conftest``."""
