"""The runs of a launch; the client sees one of them at a time.

A launch opens one run; ``:compare`` and changes of the state add a second one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from esoplay.dap.breakpoints import Breakpoints
from esoplay.dap.launch import ClientSources, LineNumbering, TextPlaces
from esoplay.dap.variables import StackFrames, Variables
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.provenance import location_of_step
from esoplay.running.run import trim_incomplete_character
from esoplay.timeline.places import bytes_text

Send = Callable[[str, dict[str, Any]], None]
"""A function that sends an event, given its name and body."""

_MAX_INPUT_LENGTH = 40  # characters


class ShownRun:
    """A run with the objects that show it to the client, all of which use its debugger."""

    def __init__(
        self,
        debugger: Debugger,
        numbering: LineNumbering,
        send: Send,
        breakpoint_ids: Iterator[int],
        references: Iterator[int],
    ):
        """Prepare a run; ``breakpoint_ids`` and ``references`` yield unused ids for the client."""
        assert debugger.file is not None
        self.debugger = debugger
        self.path: Path = debugger.file
        places = numbering.places(debugger.program.source)
        self.sources = ClientSources(self.path, debugger.source_map, numbering)
        self.breakpoints = Breakpoints(debugger, places, self.sources, breakpoint_ids)
        self.frames = StackFrames(debugger, places, self.sources)
        self.variables = Variables(debugger, references)
        self.output = OutputEvents(debugger, places, self.sources, send)

    @property
    def description(self) -> str:
        """A description of this run: the file, the dialect, changed options and the input."""
        recording = self.debugger.recording
        language = self.debugger.program.language
        defaults = language.configure(recording.dialect, None)
        options = [
            f"{name}={value}"
            for name, value in recording.options.items()
            if value != defaults[name]
        ]
        text = bytes_text(recording.stdin)
        if len(text) > _MAX_INPUT_LENGTH:
            text = f'{text[: _MAX_INPUT_LENGTH - 2]}…"'
        changed = ["cells changed by hand"] if recording.edits else []
        parts = [self.path.name, recording.dialect, *options, f"input {text}", *changed]
        return ", ".join(parts)


# Output events: printed text with the location of the instruction that printed it.

_MAX_PLACED_LINES = 50
"""How many lines ``catch_up`` sends with positions; it sends all later lines as one event."""


class OutputEvents:
    """A sender of output, which sends each byte once even if the run prints it again."""

    def __init__(self, debugger: Debugger, places: TextPlaces, sources: ClientSources, send: Send):
        self._debugger = debugger
        self._places = places
        self._sources = sources
        self._send = send
        self._sent = 0

    def catch_up(self) -> None:
        """Send new output; a character is sent when all its bytes are printed."""
        printed = self._debugger.view().output_length
        if self._debugger.step != self._debugger.end:
            tail = self._debugger.output[max(0, printed - 4) : printed]
            printed -= len(tail) - len(trim_incomplete_character(tail))
        if printed <= self._sent:
            return
        for start, end, placed in self._pieces(self._sent, printed):
            text = self._debugger.output[start:end].decode("utf-8", "backslashreplace")
            place = self._place(start) if placed else {}
            self._send("output", {"category": "stdout", "output": text, **place})
        self._sent = printed

    def report_failure(self, text: str) -> None:
        """Show an error message for a run that a fault or a limit ended."""
        line, column = self._places.place(self._debugger.view().location.span[0])
        place = {"source": self._sources.program, "line": line, "column": column}
        self._send("output", {"category": "stderr", "output": f"{text}\n", **place})

    def handle_change(self) -> None:
        """Handle a change of the state: later output may differ, so it is sent again."""
        self._sent = min(self._sent, self._debugger.view().output_length)

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        """Yield the start and end of each output line, and whether to send its source position.

        After ``_MAX_PLACED_LINES`` lines, one range without a position contains all other lines.
        """
        output = self._debugger.output
        for _ in range(_MAX_PLACED_LINES):
            if start == end:
                return
            newline = output.find(b"\n", start, end)
            stop = end if newline < 0 else newline + 1
            yield start, stop, True
            start = stop
        if start < end:
            yield start, end, False

    def _place(self, byte: int) -> dict[str, Any]:
        step = self._debugger.find_print_step(byte)
        if step is None:
            return {}
        line, column = self._places.place(location_of_step(self._debugger, step).span[0])
        details = {"step": step, "byte": byte}
        return {"source": self._sources.program, "line": line, "column": column, "data": details}
