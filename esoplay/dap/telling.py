"""Output events: what the program prints, with the place of the instruction that printed it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from esoplay.dap.launching import Launch
from esoplay.dap.sources import Sources
from esoplay.service.printing import location_of_step

_PLACED = 50
"""Lines of one move whose places are looked up; of more, the others come as one."""


class Telling:
    """Sends what was printed, once: going back and on again prints nothing anew."""

    def __init__(
        self, launched: Launch, sources: Sources, send: Callable[[str, dict[str, Any]], None]
    ):
        self._debugger = launched.debugger
        self._places = launched.places
        self._sources = sources
        self._send = send
        self._told = 0

    def catch_up(self) -> None:
        """Tell what is out by now and was not told; a character once it is whole."""
        printed = self._debugger.view().output_length
        if self._debugger.step != self._debugger.end:
            printed = _whole(self._debugger.output, printed)
        if printed <= self._told:
            return
        for start, end, placed in self._pieces(self._told, printed):
            text = self._debugger.output[start:end].decode("utf-8", "backslashreplace")
            place = self._place(start) if placed else {}
            self._send("output", {"category": "stdout", "output": text, **place})
        self._told = printed

    def went_wrong(self, text: str) -> None:
        """Tell of a fault or a limit that nobody stays to look at."""
        line, column = self._places.place(self._debugger.view().location.span[0])
        place = {"source": self._sources.program, "line": line, "column": column}
        self._send("output", {"category": "stderr", "output": f"{text}\n", **place})

    def changed(self) -> None:
        """The state was changed by hand: what comes from here on may be other output."""
        self._told = min(self._told, self._debugger.view().output_length)

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        """The lines, each with its break; the last piece holds all that are too many."""
        output = self._debugger.output
        for _ in range(_PLACED):
            if start == end:
                return
            newline = output.find(b"\n", start, end)
            stop = end if newline < 0 else newline + 1
            yield start, stop, True
            start = stop
        if start < end:
            yield start, end, False

    def _place(self, byte: int) -> dict[str, Any]:
        step = self._debugger.printed(byte)
        if step is None:
            return {}
        line, column = self._places.place(location_of_step(self._debugger, step).span[0])
        told = {"step": step, "byte": byte}
        return {"source": self._sources.program, "line": line, "column": column, "data": told}


def _whole(output: bytes, end: int) -> int:
    """Where the last character begins that is not whole at ``end``, else ``end`` (RFC 3629, 3)."""
    for first in range(end - 1, max(end - 4, -1), -1):
        byte = output[first]
        if byte & 0xC0 != 0x80:
            size = 1 + (byte >= 0xC2) + (byte >= 0xE0) + (byte >= 0xF0)
            return first if byte < 0xF5 and first + size > end else end
    return end
