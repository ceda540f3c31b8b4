"""The driver of a page of ``esoplay web``: byte-exact pastes, and an exit when the page closes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, cast

from textual.drivers._byte_stream import ByteStream
from textual.drivers.web_driver import WebDriver

from esoplay.tui.terminal import BytesPaste, ExactInput, InputSplitter


class ExactWebDriver(ExactInput, WebDriver):
    """A driver that reads packets from the server: typed or pasted input, and the size of the page.

    When the page or the server is closed, the application exits, as when a terminal is closed.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)  # pyright: ignore[reportUnknownMemberType]
        self._write = cast("Any", self._write_all)

    def _write_all(self, data: bytes) -> None:
        """Write all of ``data``; discard it if the server is closed."""
        with suppress(OSError):
            while data:
                data = data[os.write(self.fileno, data) :]

    def run_input_thread(self) -> None:
        """Read packets until the application ends."""
        self._packets = ByteStream()
        super().run_input_thread()

    @property
    def _input_fd(self) -> int:
        return cast("Any", sys.__stdin__).fileno()

    def _read_keys(self, splitter: InputSplitter, data: bytes) -> Iterator[bytes | BytesPaste]:
        """Yield the keys and pastes that ``data`` completes, and handle other packets."""
        for kind, payload in self._packets.feed(data):
            if kind == "D":
                yield from splitter.feed(payload)
            else:
                self._on_meta(kind, payload)
