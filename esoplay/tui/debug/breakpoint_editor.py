"""Setting, editing and listing the breakpoints of the open program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal, Protocol

from textual.binding import BindingType
from textual.message import Message

from esolangs.view import Point
from esolangs.wording import plural
from esoplay.debugging.debugger import Breakpoint, BreakpointSpec
from esoplay.debugging.locations import breakpoint_text
from esoplay.tui.debug.breakpoints import OrphanBreakpoint
from esoplay.tui.debug.canvas import PanelFrame, StyledText
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.list_page import LIST_ACTIONS, ListPage
from esoplay.tui.debug.program_view import DISABLED, ENABLED, ORPHAN, ProgramView
from esoplay.tui.debug.prompt import PromptOpener
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.time_travel import TimeTravel
from esoplay.tui.keys import Action, bindings


class CodeView(Protocol):
    """The boxes that show the program's code, as text or on a plane."""

    program: ProgramView
    is_on_plane: bool

    @property
    def main_code(self) -> PanelFrame: ...


class BreakpointEditor:
    """Sets, edits and deletes breakpoints of the open program."""

    def __init__(self, time_travel: TimeTravel, code: CodeView, ask: PromptOpener) -> None:
        """Edit the breakpoints of the open program.

        time_travel: the run of the program. code: the boxes with the program, whose cursor is used
        if the focused box does not have a location. ask: opens a prompt.
        """
        self._time = time_travel
        self._code = code
        self._ask = ask

    def find_location(self, box: PanelFrame) -> BreakpointSpec | None:
        """Return the location at the cursor of ``box`` or else of the program.

        Returns None on a comment, or if no program is open.
        """
        target = self._time.target
        if target is None:
            return None
        snapshot, code = target.snapshot, self._code
        location = box.breakpoint_location(snapshot) or code.main_code.breakpoint_location(snapshot)
        if location is None and not code.is_on_plane:
            location = target.breakpoints.spec_at(code.program.cursor)
        return location

    def find_location_or_next(self, box: PanelFrame) -> BreakpointSpec | None:
        """Return the location at the cursor, else the location of the next instruction, or None."""
        location, target, code = self.find_location(box), self._time.target, self._code
        if location is None and target is not None and not code.is_on_plane:
            location = target.breakpoints.spec_at_or_after(code.program.cursor)
        return location

    def toggle(self, box: PanelFrame) -> None:
        """Set a breakpoint at the cursor, or remove the existing one."""
        code, cursor = self._code, self._code.program.cursor

        def toggle(target: DebugTarget) -> str:
            location, span = box.breakpoint_location(target.snapshot), None
            if location is None:
                span = box.selected_code(target.snapshot)
            if location is None and span is None:
                location = code.main_code.breakpoint_location(target.snapshot)
            if location is not None:
                return target.breakpoints.toggle(location)
            return target.breakpoints.toggle_in_range(*(span or (cursor, cursor + 1)))

        self._time.apply_edit(toggle)

    def toggle_at(self, point: Point) -> None:
        """Set or remove a breakpoint on a cell of the program's plane."""
        spec = BreakpointSpec(position=point)
        self._time.apply_edit(lambda target: target.breakpoints.toggle(spec))

    def toggle_in_range(self, start: int, end: int) -> None:
        """Set or remove a breakpoint on the first instruction in a byte range."""
        self._time.apply_edit(lambda target: target.breakpoints.toggle_in_range(start, end))

    def toggle_on_line(self, line: int) -> None:
        """Set or remove a breakpoint on a source line."""
        spec = BreakpointSpec(source_line=line)
        self._time.apply_edit(lambda target: target.breakpoints.toggle(spec))

    def edit(self, box: PanelFrame, listed: Breakpoint | None) -> None:
        """Open a prompt to change a breakpoint or to set a new one.

        box: the panel whose cursor is used if ``listed`` is None. listed: the breakpoint that is
        selected in the list of breakpoints.
        """
        target = self._time.target
        if target is None:
            return
        source = target.debugger.program.source
        location = self.find_location(box)
        edited = listed or target.breakpoints.breakpoint_at(location)
        if edited is not None:
            self._ask("command", f"change {edited.id} {breakpoint_text(edited.spec, source)}")
        else:
            location = location or BreakpointSpec(offset=self._code.program.cursor)
            self._ask("command", f"b {breakpoint_text(location, source)} if ")

    def handle_request(
        self, breakpoint: Breakpoint | OrphanBreakpoint, action: Literal["show", "switch", "delete"]
    ) -> None:
        """Handle a request from the list of breakpoints."""
        target = self._time.target
        if target is None:
            return

        def answer() -> None:
            if isinstance(breakpoint, OrphanBreakpoint):
                if action == "delete":
                    target.orphans.remove(breakpoint)
                else:
                    self._code.program.set_cursor(breakpoint.nearest_offset)
            elif action == "delete":
                target.debugger.remove_breakpoint(breakpoint.id)
            elif action == "switch":
                target.breakpoints.enable(breakpoint, not breakpoint.spec.enabled)
            else:
                self._show(target, breakpoint)
            self._time.refresh()

        self._time.when_idle(answer)

    def _show(self, target: DebugTarget, breakpoint: Breakpoint) -> None:
        """Move the cursor to the first location of a breakpoint, or select its cell or slot."""
        if breakpoint.spec.slot is not None:
            target.select_slot(breakpoint.spec.slot)
        location = min(breakpoint.locations or (), default=None)
        if isinstance(location, int):
            self._code.program.set_cursor(location)
        elif location is not None:
            target.select(location)


# The list of breakpoints, with their conditions and hit counts.

SWITCH_COLUMNS = 4
"""Number of columns at the start of a row where a click enables or disables the breakpoint."""


class BreakpointsPage(ListPage):
    """The list of breakpoints: Enter shows one, ``O`` enables or disables it, Delete removes it."""

    NAME = "breaks"
    LABEL = "the breakpoints"
    ACTIONS = (*LIST_ACTIONS, "break-edit")
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "breaks",
        Action("breaks.switch", "ask('switch')", "Enable / disable the breakpoint"),
        Action("breaks.delete", "ask('delete')", "Delete the breakpoint"),
    )

    class Requested(Message):
        """A request to ``show``, ``switch`` or ``delete`` a breakpoint."""

        def __init__(
            self,
            breakpoint: Breakpoint | OrphanBreakpoint,
            action: Literal["show", "switch", "delete"],
        ) -> None:
            super().__init__()
            self.breakpoint = breakpoint
            self.action: Literal["show", "switch", "delete"] = action

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._source = b""
        self._breakpoints: tuple[Breakpoint, ...] = ()
        self._orphans: tuple[OrphanBreakpoint, ...] = ()

    def show(self, snapshot: DebugSnapshot, source: bytes) -> None:
        """Show the breakpoints of a snapshot."""
        self._source = source
        self._breakpoints = snapshot.breakpoints
        self._orphans = snapshot.orphans
        self.selected = max(0, min(self.selected, self.item_count() - 1))
        self.repaint()

    @property
    def selected_breakpoint(self) -> Breakpoint | None:
        """The selected breakpoint; None if ``selected_orphan`` is selected instead."""
        at = self.selected
        return self._breakpoints[at] if at < len(self._breakpoints) else None

    @property
    def selected_orphan(self) -> OrphanBreakpoint | None:
        """The selected orphan, whose location is no longer in the source, or None."""
        at = self.selected - len(self._breakpoints)
        return self._orphans[at] if 0 <= at < len(self._orphans) else None

    def item_count(self) -> int:
        return len(self._breakpoints) + len(self._orphans)

    def item(self, index: int) -> Sequence[StyledText]:
        if index >= len(self._breakpoints):
            return self._orphan_row(self._orphans[index - len(self._breakpoints)])
        each = self._breakpoints[index]
        palette = self.palette
        style = palette.base if each.spec.enabled else palette.faint
        return [
            StyledText(f"{ENABLED if each.spec.enabled else DISABLED} ", palette.breakpoint),
            StyledText(f"{each.id}  ", palette.faint),
            StyledText(breakpoint_text(each.spec, self._source), style),
            StyledText(f"  {plural(each.hits, 'hit')}" if each.hits else "", palette.faint),
            StyledText("" if each.spec.enabled else "  off", palette.faint),
        ]

    def _orphan_row(self, orphan: OrphanBreakpoint) -> list[StyledText]:
        palette = self.palette
        return [
            StyledText(f"{ORPHAN} ", palette.breakpoint),
            StyledText(orphan.text, palette.faint),
            StyledText("  deleted with its text; undo restores both", palette.faint),
        ]

    def empty_text(self) -> str:
        return "no breakpoints: b sets one at the cursor, :b cell[3]==10 one with a condition"

    def choose(self) -> None:
        self.action_ask("show")

    def handle_click(self, column: int, row: int) -> None:
        if row < self.item_count():
            self.select(row)
            self.action_ask("switch" if column < SWITCH_COLUMNS else "show")

    def action_ask(self, action: Literal["show", "switch", "delete"]) -> None:
        """Request an action for the selected breakpoint."""
        asked = self.selected_breakpoint or self.selected_orphan
        if asked is not None:
            self.post_message(self.Requested(asked, action))
