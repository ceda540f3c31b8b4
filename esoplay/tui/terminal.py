"""Input from the terminal: keys in order, byte-exact pastes, and termination signals."""

from __future__ import annotations

import os
import selectors
import signal
from asyncio import AbstractEventLoop
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event
from types import FrameType
from typing import IO, Any, cast

from textual import events
from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.dom import DOMNode
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message
from textual.timer import Timer

# Keys take effect one after the other, even if they arrive together. Textual sends a key to the
# widget that has the focus when the key is read. If several keys arrive at once (from a fast
# typist, a script, a busy terminal), keys after one that moves the focus (``:``, ``/``, ``e``,
# Enter) would reach the wrong widget. So the next key is sent when the previous one has been
# handled.

KEY_TIMEOUT = 2.0
"""Maximum seconds to wait until a key is handled before the next key is sent."""
CHECK_INTERVAL = 0.05
"""Seconds between two checks whether the widget that received a key was removed."""
ROUNDS = 2
"""Number of times that :class:`KeyHandled` is sent to the widget that received a key.

Each time, it takes the same path as the key, up to the application.  The second time, it arrives
after the messages that the widget has sent because of the key, such as the result of a dialog that
Enter closes.
"""


class KeyHandled(Message):
    """A message sent after a key, to find out when the key has been handled completely.

    It takes the same path as the key, from the focused widget to the application. target: the
    widget that received the key. rounds: how often the message has yet to arrive; see ``ROUNDS``.
    """

    def __init__(self, key_number: int, target: DOMNode, rounds: int) -> None:
        super().__init__()
        self.key_number = key_number
        self.target = target
        self.rounds = rounds


class OrderedKeysApp(App[int]):
    """An application that handles each key completely before the next key."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting_keys: deque[events.Key | events.Paste] = deque()
        self._key_number = 0
        self._is_sending = False
        self._watchdog_timer: Timer | None = None
        self._target: DOMNode | None = None
        self._watchdog_checks = 0

    @property
    def keys_sent(self) -> int:
        """The number of keys sent so far."""
        return self._key_number

    @property
    def has_unhandled_keys(self) -> bool:
        """Whether a key has not been handled yet."""
        return self._is_sending or bool(self._waiting_keys)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            if isinstance(event, events.Key) and event.key.startswith("alt+"):
                event.character = None  # a terminal sends ESC and a letter, which is not typed text
            self._waiting_keys.append(event)
            await self._send_next()
            self._start_watchdog()
        else:
            await super().on_event(event)

    async def _send_next(self) -> None:
        if self._is_sending or not self._waiting_keys:
            return
        self._is_sending = True
        self._key_number += 1
        self._target = target = self.focused or self.screen
        await super().on_event(self._waiting_keys.popleft())
        self._post_handled(KeyHandled(self._key_number, target, ROUNDS))

    def _post_handled(self, message: KeyHandled) -> None:
        if not message.target.post_message(message):
            self._finish_key(message.key_number)

    def on_key_handled(self, message: KeyHandled) -> None:
        """Send the next key after all effects of the previous one."""
        if message.rounds > 1:
            self._post_handled(KeyHandled(message.key_number, message.target, message.rounds - 1))
        else:
            self._finish_key(message.key_number)

    def _start_watchdog(self) -> None:
        """Start a timer that sends waiting keys even if the previous key is never handled."""
        if self._is_sending and self._waiting_keys and self._watchdog_timer is None:
            self._watchdog_checks = 0
            self._watchdog_timer = self.set_interval(CHECK_INTERVAL, self._watchdog)

    def _watchdog(self) -> None:
        """Send the next key if the widget of the previous key was removed or is too slow."""
        self._watchdog_checks += 1
        gone = self._target is not None and not self._target.is_attached
        if gone or self._watchdog_checks * CHECK_INTERVAL >= KEY_TIMEOUT:
            self._finish_key(self._key_number)

    def _finish_key(self, number: int) -> None:
        if number != self._key_number or not self._is_sending:
            return
        if self._watchdog_timer is not None:
            self._watchdog_timer.stop()
            self._watchdog_timer = None
        self.call_later(self._release, number)

    async def _release(self, number: int) -> None:
        if number == self._key_number and self._is_sending:
            self._is_sending = False
            await self._send_next()
            self._start_watchdog()


# Byte-exact pastes. Textual splits a paste into characters, drops NULs, and fails at bytes that are
# not UTF-8. Here terminal input is split into keys, which are handled as usual, and whole pastes.

PASTE_BEGIN, PASTE_END = b"\x1b[200~", b"\x1b[201~"
"""The markers that a terminal sends before and after a paste (xterm, "Bracketed Paste Mode")."""

MAX_READ_BYTES = 1 << 16
"""Maximum number of bytes read from the terminal at a time."""

BRACKET_TIMEOUT = 0.01
"""Maximum seconds to wait for the remaining bytes of a possible paste marker."""


class BytesPaste(events.Paste):
    """A paste with its exact bytes; ``text`` is their text without NULs, for ordinary widgets."""

    def __init__(self, data: bytes) -> None:
        text = data.decode("utf-8", "replace").replace("\0", "")
        super().__init__(text)
        self.data = data


BytesPaste.handler_name = events.Paste.handler_name


def pasted_bytes(data: bytes) -> bytes:
    """Return the bytes that were copied, from the bytes that the terminal sent.

    Most terminals send a line feed as a carriage return. If the bytes contain line feeds, the
    terminal did not convert them, and carriage returns are left unchanged.
    """
    return data if b"\n" in data else data.replace(b"\r", b"\n")


class InputSplitter:
    """Splits terminal input, in chunks of any size, into keys and pastes."""

    def __init__(self) -> None:
        self._pending = b""
        self._paste: bytearray | None = None

    @property
    def has_pending_bytes(self) -> bool:
        """Whether the last bytes are held back, as the possible start of a paste marker."""
        return bool(self._pending)

    def feed(self, data: bytes) -> Iterator[bytes | BytesPaste]:
        """Yield the parts that ``data`` completes: bytes of keys, and pastes."""
        data = self._pending + data
        self._pending = b""
        while data:
            if self._paste is None:
                begin = data.find(PASTE_BEGIN)
                if begin < 0:
                    kept = _partial_marker_length(data)
                    self._pending = data[len(data) - kept :]
                    data = data[: len(data) - kept]
                else:
                    self._paste = bytearray()
                keys, data = (data, b"") if begin < 0 else (data[:begin], data[begin + 6 :])
                if keys:
                    yield keys
            else:
                searched = max(0, len(self._paste) - len(PASTE_END) + 1)
                self._paste += data
                end = self._paste.find(PASTE_END, searched)
                if end < 0:
                    return
                paste, data = bytes(self._paste[:end]), bytes(self._paste[end + len(PASTE_END) :])
                self._paste = None
                yield BytesPaste(paste)

    def flush(self) -> bytes:
        """Return the bytes that were held back, such as an Escape that no other byte followed."""
        held, self._pending = self._pending, b""
        return held


def _partial_marker_length(data: bytes) -> int:
    """Return how many of the last bytes can be the start of a paste marker."""
    return next(
        (n for n in range(len(PASTE_BEGIN) - 1, 0, -1) if data.endswith(PASTE_BEGIN[:n])), 0
    )


INTRODUCERS = frozenset("\x1b[]NOPX^_\\")
"""Characters after ESC that start a control function, not an Alt key (ECMA-48, C1 set)."""


class KeyParser(XTermParser):
    """Textual's parser, extended to parse two Alt keys in a row.

    Without the Kitty protocol, a terminal sends Alt+H as ESC h. Textual waits 0.1 s for the rest of
    the sequence, and discards a second ESC in that time. Here a sequence ends with its second
    character, unless this character starts a longer sequence.
    """

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._after_escape = False

    def feed(self, data: str) -> Iterator[Message]:
        """Yield the keys and other messages that ``data`` completes; empty data ends the parser."""
        start = 0
        for at, character in enumerate(data):
            if self._after_escape and character not in INTRODUCERS:
                yield from super().feed(data[start : at + 1])
                start = at + 1
                yield from self._end_sequence()
            self._after_escape = character == "\x1b"
        if start < len(data) or not data:
            yield from super().feed(data[start:])

    def tick(self) -> Iterator[Message]:
        """Yield the keys that are complete because no more input arrived in time."""
        for message in super().tick():
            self._after_escape = False
            yield message

    def _end_sequence(self) -> Iterator[Message]:
        """End an incomplete escape sequence now, without waiting for more bytes."""
        if self._timeout_time is not None:
            self._timeout_time = 0.0
            yield from super().tick()


class _Output:
    """Output to a terminal; discarded after the terminal is closed.

    An error would end Textual's writing thread, and the application would wait forever for space in
    a queue that no thread empties.
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


class ExactInput(Driver):
    """Driver input that extracts pasted text before the remaining bytes are parsed as keys.

    When the input is closed, the application exits normally.
    """

    exit_event: Event
    """Set when the driver stops; created by Textual's driver, with which this class is combined."""

    @property
    def _input_fd(self) -> int:
        """The file descriptor to read from."""
        raise NotImplementedError

    def _read_keys(self, splitter: InputSplitter, data: bytes) -> Iterator[bytes | BytesPaste]:
        """Yield the keys and pastes that ``data`` completes."""
        return splitter.feed(data)

    def run_input_thread(self) -> None:
        """Read input until the application ends."""
        parser = KeyParser(self._debug)
        splitter = InputSplitter()
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self._input_fd, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                ready = selector.select(BRACKET_TIMEOUT if splitter.has_pending_bytes else 0.1)
                data = self._read() if ready else b""
                for part in self._read_keys(splitter, data) if data else [splitter.flush()]:
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
        """Return input; b"" if the other side has closed it."""
        try:
            return os.read(self._input_fd, MAX_READ_BYTES)
        except OSError:  # Linux's error when the other side has been closed
            return b""


class ExactDriver(ExactInput, LinuxDriver):
    """The driver of Unix terminals, with byte-exact pastes."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)  # pyright: ignore[reportUnknownMemberType]
        self._file = cast("Any", _Output(self._file))

    @property
    def _input_fd(self) -> int:
        return self.fileno


def exact_driver(driver: type[Driver]) -> type[Driver]:
    """Return the driver to use instead of ``driver``; only the Unix driver is replaced."""
    return ExactDriver if driver is LinuxDriver else driver


# Signals that end the application: SIGTERM, or a closed window. They are handled by Python's
# handlers instead of the event loop's. The loop resets a signal's handler when it ends, so a signal
# during shutdown would kill the application with its terminal half restored.

_TERMINATING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


def end_on_signals(loop: AbstractEventLoop, exit_with_code: Callable[[int], object]) -> None:
    """Let ``loop`` call ``exit_with_code`` with an exit code at the first terminating signal."""

    def handle(number: int, _: FrameType | None) -> None:
        ignore_terminating_signals()
        with suppress(RuntimeError):  # the loop has already ended, and the application exits
            loop.call_soon_threadsafe(exit_with_code, 128 + number)

    for number in _TERMINATING_SIGNALS:
        signal.signal(number, handle)


def ignore_terminating_signals() -> None:
    """Ignore terminating signals, because the application is already exiting."""
    for number in _TERMINATING_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
