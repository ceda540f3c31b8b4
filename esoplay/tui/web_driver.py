"""The driver for a page of ``esoplay web``: pastes are exact, and it ends with its page."""

from __future__ import annotations

import os
import selectors
import signal
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, cast

from textual._xterm_parser import XTermParser
from textual.drivers._byte_stream import ByteStream
from textual.drivers.web_driver import WebDriver

from esoplay.tui.terminal import CHUNK, MORE_WITHIN, BytesPaste, InputParts


class ExactWebDriver(WebDriver):
    """Reads packets of the server: what was typed or pasted, and the size of the page.

    When the page or the server goes away the application ends, as it does without its terminal.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)  # pyright: ignore[reportUnknownMemberType]
        self._write = cast("Any", self._write_all)

    def _write_all(self, data: bytes) -> None:
        """Write all of ``data``; what is written to a server that is gone is lost."""
        with suppress(OSError):
            while data:
                data = data[os.write(self.fileno, data) :]

    def run_input_thread(self) -> None:
        """Read packets until the application ends."""
        parser = XTermParser(self._debug)
        parts = InputParts()
        decode = getincrementaldecoder("utf-8")("replace").decode
        packets = ByteStream()
        with selectors.DefaultSelector() as selector:
            stdin = cast("Any", sys.__stdin__).fileno()
            selector.register(stdin, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                ready = selector.select(MORE_WITHIN if parts.holds else 0.1)
                data = self._read(stdin) if ready else b""
                for part in self._typed(packets, parts, data) if data else [parts.flush()]:
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

    def _typed(
        self, packets: ByteStream, parts: InputParts, data: bytes
    ) -> Iterator[bytes | BytesPaste]:
        """The keys and pastes that ``data`` completes; other packets are obeyed."""
        for kind, payload in packets.feed(data):
            if kind == "D":
                yield from parts.feed(payload)
            else:
                self._on_meta(kind, payload)

    @staticmethod
    def _read(stdin: int) -> bytes:
        """Bytes from the server; nothing when it is gone."""
        try:
            return os.read(stdin, CHUNK)
        except OSError:
            return b""
