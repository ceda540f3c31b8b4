"""What is pasted, byte for byte.

Textual takes a paste apart character by character, leaves its NULs out and ends at bytes that
are no UTF-8.  Here terminal input is parted into keys, which go on as ever, and whole pastes.
"""

from __future__ import annotations

import os
import selectors
import signal
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any, cast

from textual import events
from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver

BEGIN, END = b"\x1b[200~", b"\x1b[201~"
"""Brackets around a paste (xterm, "Bracketed Paste Mode")."""

CHUNK = 1 << 16
"""Bytes read from the terminal at a time."""

MORE_WITHIN = 0.01
"""Seconds in which the rest of a bracket must follow what may be its beginning."""


class BytesPaste(events.Paste):
    """A paste that knows its bytes; ``text`` is what of it any widget can show."""

    def __init__(self, data: bytes) -> None:
        text = data.decode("utf-8", "replace").replace("\0", "")
        super().__init__(text)
        self.data = data


BytesPaste.handler_name = events.Paste.handler_name


def pasted_bytes(data: bytes) -> bytes:
    """What was copied: most terminals send a line feed as a carriage return.

    Where there are line feeds the terminal left them alone, and carriage returns are meant.
    """
    return data if b"\n" in data else data.replace(b"\r", b"\n")


class InputParts:
    """Parts terminal input, whatever chunks it comes in, into keys and pastes."""

    def __init__(self) -> None:
        self._held = b""
        self._paste: bytearray | None = None

    @property
    def holds(self) -> bool:
        """The last bytes may be the beginning of a bracket and were not given out."""
        return bool(self._held)

    def feed(self, data: bytes) -> Iterator[bytes | BytesPaste]:
        """The parts that ``data`` completes: bytes that are keys, and pastes."""
        data = self._held + data
        self._held = b""
        while data:
            if self._paste is None:
                begin = data.find(BEGIN)
                if begin < 0:
                    kept = _beginning_at_end(data)
                    self._held = data[len(data) - kept :]
                    data = data[: len(data) - kept]
                else:
                    self._paste = bytearray()
                keys, data = (data, b"") if begin < 0 else (data[:begin], data[begin + 6 :])
                if keys:
                    yield keys
            else:
                searched = max(0, len(self._paste) - len(END) + 1)
                self._paste += data
                end = self._paste.find(END, searched)
                if end < 0:
                    return
                paste, data = bytes(self._paste[:end]), bytes(self._paste[end + len(END) :])
                self._paste = None
                yield BytesPaste(paste)

    def flush(self) -> bytes:
        """What was held back, as nothing followed: an Escape key, most likely."""
        held, self._held = self._held, b""
        return held


def _beginning_at_end(data: bytes) -> int:
    """How many of the last bytes may be the beginning of a bracket."""
    return next((n for n in range(len(BEGIN) - 1, 0, -1) if data.endswith(BEGIN[:n])), 0)


class _Output:
    """A terminal to write to that may go away; what is written then is lost.

    Textual's writing thread would end with an error, and the application would wait for ever
    for room in a queue that nobody empties.
    """

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()


class ExactDriver(LinuxDriver):
    """The driver of Unix terminals, with pastes taken out before keys are made.

    Without its terminal the application ends in good order.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)  # pyright: ignore[reportUnknownMemberType]
        self._file = cast("Any", _Output(self._file))

    def run_input_thread(self) -> None:
        """Read input until the application ends."""
        parser = XTermParser(self._debug)
        parts = InputParts()
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                ready = selector.select(MORE_WITHIN if parts.holds else 0.1)
                data = self._read() if ready else b""
                for part in parts.feed(data) if data else [parts.flush()]:
                    if isinstance(part, BytesPaste):
                        self.process_message(part)
                    elif text := decode(part):
                        for event in parser.feed(text):
                            self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
                if ready and not data:
                    self._app.call_later(self._app.exit, 128 + signal.SIGHUP)
                    break
        try:
            for _ in parser.feed(""):
                pass
        except (EOFError, ParseError):
            pass

    def _read(self) -> bytes:
        """What was typed; nothing when the terminal is gone."""
        try:
            return os.read(self.fileno, CHUNK)
        except OSError:  # Linux says so when the other side has been closed
            return b""


def exact(driver: type[Driver]) -> type[Driver]:
    """The driver to use in place of ``driver``; others than that of Unix stay as they are."""
    return ExactDriver if driver is LinuxDriver else driver
