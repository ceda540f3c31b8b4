"""Sets, edits and lists breakpoints by what has the keyboard."""

from __future__ import annotations

from typing import Literal

from esoplay.debugging.debugger import Breakpoint, BreakpointSpec
from esoplay.debugging.locations import breakpoint_text
from esoplay.tui.debug.anchors import Orphan
from esoplay.tui.debug.box import Box
from esoplay.tui.debug.program_view import ProgramView
from esoplay.tui.debug.prompt import Ask
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.time_travel import TimeTravel


class BreakpointEditor:
    """Changes the breakpoints of the program that is open."""

    def __init__(self, time: TimeTravel, program: ProgramView, ask: Ask) -> None:
        """``program``: whose cursor counts where the box with the keyboard names no place."""
        self._time = time
        self._program = program
        self._ask = ask

    def place(self, here: Box) -> BreakpointSpec | None:
        """Where the cursor of a box is, or else the program's; None on a comment."""
        target = self._time.target
        if target is None:
            return None
        return here.place(target.moment) or target.breakpoints.spec_at(self._program.cursor)

    def toggle(self, here: Box) -> None:
        """Set a breakpoint where the cursor is, or take it away there."""
        cursor = self._program.cursor

        def toggle(target: DebugTarget) -> str:
            place = here.place(target.moment)
            if place is not None:
                return target.breakpoints.toggle(place)
            code = here.code(target.moment)
            return target.breakpoints.toggle_at(*(code or (cursor, cursor + 1)))

        self._time.change(toggle)

    def toggle_in_row(self, start: int, end: int) -> None:
        """The same on the first instruction in a range of bytes."""
        self._time.change(lambda target: target.breakpoints.toggle_at(start, end))

    def toggle_on_line(self, line: int) -> None:
        """The same on a line of the source."""
        spec = BreakpointSpec(source_line=line)
        self._time.change(lambda target: target.breakpoints.toggle(spec))

    def edit(self, here: Box, listed: Breakpoint | None) -> None:
        """Let a breakpoint be typed: the one in the list, the one at the cursor, or a new one."""
        target = self._time.target
        if target is None:
            return
        source = target.debugger.program.source
        place = self.place(here)
        edited = listed or target.breakpoints.standing_at(place)
        if edited is not None:
            self._ask("command", f"change {edited.id} {breakpoint_text(edited.spec, source)}")
        else:
            place = place or BreakpointSpec(offset=self._program.cursor)
            self._ask("command", f"b {breakpoint_text(place, source)} if ")

    def asked(
        self, breakpoint: Breakpoint | Orphan, what: Literal["show", "switch", "delete"]
    ) -> None:
        """Do what was asked for in the list."""
        target = self._time.target
        if target is None:
            return

        def answer() -> None:
            if isinstance(breakpoint, Orphan):
                if what == "delete":
                    target.orphans.remove(breakpoint)
                else:
                    self._program.set_cursor(breakpoint.near)
            elif what == "delete":
                target.debugger.remove_breakpoint(breakpoint.id)
            elif what == "switch":
                target.breakpoints.enable(breakpoint, not breakpoint.spec.enabled)
            else:
                self._show(target, breakpoint)
            self._time.refresh()

        self._time.when_free(answer)

    def _show(self, target: DebugTarget, breakpoint: Breakpoint) -> None:
        """Bring the place of a breakpoint into view, the first one if it has several."""
        if breakpoint.spec.slot is not None:
            target.select_slot(breakpoint.spec.slot)
        place = min(breakpoint.locations or (), default=None)
        if isinstance(place, int):
            self._program.set_cursor(place)
        elif place is not None:
            target.select(place)
            self._program.show_address(place)
