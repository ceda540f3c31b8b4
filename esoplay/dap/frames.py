"""The stack trace: the line of the generator, the next instruction, and what encloses it."""

from __future__ import annotations

from typing import Any

from esolangs.view import CallStack, Stage, View, Window
from esoplay.dap.launching import Launch
from esoplay.dap.sources import Sources
from esoplay.service.source_maps import line_here

_DEEPEST = 1000
"""Frames that are told."""


class Frames:
    """Makes the frames of the present state, the innermost first, numbered from 1."""

    def __init__(self, launched: Launch, sources: Sources):
        self._debugger = launched.debugger
        self._places = launched.places
        self._sources = sources

    def trace(self, start: int, levels: int) -> tuple[list[dict[str, Any]], int]:
        """Some of the frames, and how many there are."""
        view = self._debugger.view(Window(depth=_DEEPEST))
        frames = [*self._of_generator(), self._of_instruction(view), *self._around(view)]
        for number, frame in enumerate(frames, 1):
            frame["id"] = number
        end = start + levels if levels > 0 else len(frames)
        return frames[start:end], len(frames)

    def _of_generator(self) -> list[dict[str, Any]]:
        here = line_here(self._debugger)
        places = self._sources.generator_places
        if here is None or places is None:
            return []
        row = places.row(places.line(here.line))
        end = places.place(places.bounds(row)[1])[1] if row is not None else 1
        return [
            {
                "name": here.label or f"line {here.line}",
                "source": self._sources.generator,
                "line": places.line(here.line),
                "column": places.place(0)[1],
                "endLine": places.line(here.line),
                "endColumn": end,
            }
        ]

    def _of_instruction(self, view: View) -> dict[str, Any]:
        at = view.location
        name = at.explanation
        if at.instruction:
            # Whitespace's instructions cannot be seen as they are.
            spelled = at.instruction if at.instruction.isprintable() else ascii(at.instruction)
            name = f"{spelled}  {at.explanation}"
        for panel in view.panels:
            if isinstance(panel, Stage):
                name = f"{panel.scene}: {at.explanation}" if panel.scene else name
        return {"name": name, **self._span(at.span)}

    def _around(self, view: View) -> list[dict[str, Any]]:
        return [
            {
                "name": f"{frame.label}, round {frame.times}" if frame.times else frame.label,
                "presentationHint": "subtle",
                **self._span(frame.span),
            }
            for panel in view.panels
            if isinstance(panel, CallStack)
            for frame in panel.frames
        ]

    def _span(self, span: tuple[int, int]) -> dict[str, Any]:
        source = self._debugger.program.source
        if span[0] == len(source) and source.endswith(b"\n"):  # editors have no line after that
            span = (span[0] - 1, span[0] - 1)
        line, column = self._places.place(span[0])
        end_line, end_column = self._places.place(span[1])
        return {
            "source": self._sources.program,
            "line": line,
            "column": column,
            "endLine": end_line,
            "endColumn": end_column,
        }
