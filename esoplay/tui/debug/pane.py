"""The debug pane: handles keys and clicks, and shows the state after each move.

The pane contains boxes that draw, :class:`TimeTravel` that moves, and a helper for each other task.
Boxes and helpers do not depend on the pane or on each other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.timer import Timer

from esolangs.errors import ParseError
from esolangs.registry import find_language
from esoplay.debugging.command_line import CommandLine, parse_whole_number, typed_bytes, unescape
from esoplay.debugging.debugger import Stop
from esoplay.debugging.handlers.history import check_comparison
from esoplay.errors import EsoplayError
from esoplay.tui.debug.actions import DebugActions, KeyPrefix
from esoplay.tui.debug.breakpoint_editor import BreakpointEditor, BreakpointsPage
from esoplay.tui.debug.bytes_page import BytesPage
from esoplay.tui.debug.canvas import PanelFrame
from esoplay.tui.debug.command_runner import CommandRunner, PaneCommand, ScreenHost
from esoplay.tui.debug.diff_page import DiffPage
from esoplay.tui.debug.heat import ExecutionHeat
from esoplay.tui.debug.keys import (
    ACTIONS,
    HINTS,
    HINTS_BUSY,
    HINTS_BY_LINE,
    HINTS_CHAIN,
    HINTS_INPUT,
    HINTS_MARK,
    HINTS_OUTPUT,
    HINTS_PLAYING,
    HINTS_TO_MARK,
    HINTS_WAITING,
    HINTS_WITH_MAP,
    Hints,
    hints_after_count,
    to_footer_keys,
)
from esoplay.tui.debug.list_page import ListPage
from esoplay.tui.debug.messages import DebuggerCrashed, DebuggerMoved, DebuggerParseFailed
from esoplay.tui.debug.notes import NoteEditor, NotesPage
from esoplay.tui.debug.program_loader import (
    LARGE_BYTES,
    OPENING,
    OpenedProgram,
    OpenRequest,
    move_breakpoints,
    open_program,
)
from esoplay.tui.debug.program_view import ProgramView
from esoplay.tui.debug.prompt import Prompt, PromptKind
from esoplay.tui.debug.run_analysis import RunAnalysis
from esoplay.tui.debug.source_view import SourceView, VariablesList
from esoplay.tui.debug.state.calls_panel import CallsPanel
from esoplay.tui.debug.state.panel_box import PanelBox
from esoplay.tui.debug.state.plane import GridPanel
from esoplay.tui.debug.state.term_panel import TermPanel
from esoplay.tui.debug.status_rows import StateBadge, TimelineStrip, step_text
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.time_travel import TimeTravel
from esoplay.tui.debug.watches import DebugStateSaver, WatchExpressions, WatchPage
from esoplay.tui.debug.widgets import DebugWidgets
from esoplay.tui.debug.wrong_output import wrong_byte_move
from esoplay.tui.keys import FooterKeys, KeyProvider, bindings
from esoplay.tui.terminal_diff import repaint_all

if TYPE_CHECKING:
    from esolangs.view import Point
    from esoplay.codegen.source_map import SourceMap


NOTHING_OPEN = StateBadge("EMPTY"), "no program is open"
STALE, CRASHED = StateBadge("STALE", "bad"), StateBadge("CRASHED", "bad")
IDLE_SECONDS = 0.15
"""Seconds without a move before a slow search for the last write starts."""


class DebugPane(Container, KeyProvider):
    """A debugger that steps through one program, forwards and backwards."""

    DEFAULT_CSS = """
    DebugPane { width: 1fr; height: 1fr; layout: vertical; }
    """
    app: App[None]
    apply_cells: Callable[[Mapping[Point, int]], None]
    """A function, set by the owner of the program's text, that writes cell values into the text."""
    notes_folder: Path | None = None
    """The folder for notes, breakpoints and watches; None if they are not saved."""
    BINDINGS: ClassVar[list[BindingType]] = bindings("debug", *ACTIONS)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.widgets = widgets = DebugWidgets()
        self.time = time = TimeTravel(
            self, self.show_snapshot, self._report_crash, self._run_attached_commands
        )
        self.prefix = KeyPrefix(time)
        self.breakpoints = BreakpointEditor(time, widgets, widgets.ask)
        self.heat = ExecutionHeat(time, self.set_timer, widgets.show_heat)
        self.analysis = RunAnalysis(
            time,
            (widgets.diagnosis, widgets.compare),
            widgets.open_page,
            widgets.reveal_page,
            self._replace_target,
        )
        self.notes = NoteEditor(
            time,
            (widgets.notes, widgets.side_notes),
            lambda: self.notes_folder,
            widgets.ask,
            widgets.open_page,
        )
        pages = widgets.watches, widgets.side_watches
        self.watches = WatchExpressions(time, pages, widgets.ask, widgets.open_page)
        self.state_saver = DebugStateSaver(time, lambda: self.notes_folder)
        self.actions = DebugActions(
            widgets,
            time,
            self.prefix,
            breakpoints=self.breakpoints,
            heat=self.heat,
            analysis=self.analysis,
            notes=self.notes,
            watches=self.watches,
        )
        self.action_do = self.actions.run  # Called by Textual
        widgets.output.run_pane_action = widgets.input.run_pane_action = self.actions.run
        host = ScreenHost(
            lambda: self.breakpoints.find_location_or_next(widgets.text),
            self.analysis.discard_comparison,
            lambda: self.notes_folder,
            widgets.show_page,
            self._pane_commands(),
            self._set_input,
        )
        self.commands = CommandRunner(time, host)
        self.actions.run_command = self.commands.run
        widgets.prompt.completions = self.commands.complete
        widgets.prompt.show_message = time.show_notice
        self._opened_language_id = ""
        self._pending_request: OpenRequest | None = None
        self._last_request: OpenRequest | None = None
        self._user_input: bytes | None = None
        self._pending_start = (0, False)
        self._posted_status: tuple[int, str] | None = None
        self._posted_edits: tuple[object, ...] = ()
        self._look_up_timer: Timer | None = None
        self._closed_state: tuple[StateBadge, str] = NOTHING_OPEN
        self._parse_error: ParseError | None = None
        self._hints = HINTS

    def compose(self) -> ComposeResult:
        yield self.widgets

    def on_mount(self) -> None:
        self.show_snapshot()

    def on_unmount(self) -> None:
        self.time.close()

    # Public methods

    def open(
        self,
        language_id: str,
        source: bytes,
        stdin: bytes,
        expected: bytes | None,
        dialect: str,
        *,
        is_other_program: bool = False,
        source_map: SourceMap | None = None,
        in_thread: bool = False,
        options: Mapping[str, str | int] | None = None,
    ) -> None:
        """Show a program at step 0.

        expected: the output to compare with. Without ``expected`` and ``stdin`` the input stays
        open, and the user types it when the program reads. is_other_program: whether the program is
        not a new version of the program shown; a new version gets the breakpoints of the previous
        one. source_map: maps the program to its source. A map for another version is reported and
        not used. in_thread: open a large program without a map in a thread. options: changes of the
        dialect. If the program cannot be parsed, posts DebuggerParseFailed; the previous
        program remains, marked as stale, unless ``is_other_program`` is set.
        """
        if is_other_program:
            self.forget_supplied_input()
        request = OpenRequest(
            language_id,
            source,
            stdin,
            expected,
            dialect,
            is_other_program,
            source_map,
            self._user_input,
            options,
        )
        self._pending_request = self._last_request = request
        if not in_thread or source_map is not None or len(source) < LARGE_BYTES:
            self._finish_opening(request, open_program(request))
            return
        if is_other_program:
            self.close()
        self._pending_request = request
        self._closed_state = OPENING
        self.show_snapshot()
        self.run_worker(self._open_in_thread(request), group="opening")

    def close(self) -> None:
        """Close the program."""
        self._pending_request = None
        self.time.close()
        self._opened_language_id = ""
        self._closed_state = NOTHING_OPEN
        self._parse_error = None
        self.analysis.forget_parse_error()
        self.widgets.open_plane(None)
        self.widgets.program.open(b"", "")
        self.widgets.listing.open(None)
        self.widgets.source.open(None)
        self.widgets.update_layout()
        self.show_snapshot()

    @property
    def has_program(self) -> bool:
        """Whether a program is open."""
        return self.time.target is not None

    @property
    def has_source_map(self) -> bool:
        """Whether the open program has a source map."""
        target = self.time.target
        return target is not None and target.source.source_map is not None

    @property
    def step(self) -> int:
        """The current step; 0 without a program."""
        target = self.time.target
        return 0 if target is None else target.snapshot.step

    def handle_enter(self) -> bool:
        """Show a notice that Enter has no effect, if the focus is on the pane of an open program.

        Returns whether the notice is shown; the caller then ignores Enter. A user who types input
        may press Enter after the program has finished, and does not expect another effect.
        """
        target, focused = self.time.target, self.screen.focused
        if target is None or target.is_blank or focused is None or self not in focused.ancestors:
            return False
        self.time.show_notice("nothing is selected; F2 opens the editor")
        return True

    @property
    def has_supplied_input(self) -> bool:
        """Whether the user replaced the program's input.

        New versions of the program read the same input; another program does not.
        """
        return self._user_input is not None

    def forget_supplied_input(self) -> None:
        """Forget the input that the user set in place of the program's own input.

        The current run keeps it; when a program is opened next, it reads its own input.
        """
        self._set_input(None)

    def drop_supplied_input(self) -> None:
        """Discard the input that the user set, and open the program again with its own input."""
        request = self._last_request
        if self._user_input is None or request is None:
            self.time.show_notice("no input was set; :input TEXT sets one")
            return
        self.forget_supplied_input()
        self._last_request = request = request._replace(is_other_program=False, supplied_input=None)
        self._finish_opening(request, open_program(request))
        self.time.show_notice("the program was opened again with its original input")

    def _set_input(self, data: bytes | None) -> None:
        self._user_input = data
        self.widgets.input.is_supplied = data is not None
        if data is not None and self.time.target is not None:
            self.time.target.expected = None  # the expected output belongs to another input

    def show_notice(self, message: str) -> None:
        """Show a notice until the next move."""
        self.time.show_notice(message)

    def stop_running(self) -> bool:
        """Stop a long move or playback; return False if neither is running."""
        return self.time.stop()

    def focus(self, scroll_visible: bool = True) -> DebugPane:
        """Focus the program view."""
        self.widgets.text.focus(scroll_visible)
        return self

    # Opening

    def start_at(self, step: int, play: bool) -> None:
        """Set the step at which the next program opens; ``play``: whether to play it from there."""
        self._pending_start = step, play

    def _apply_pending_start(self) -> None:
        (step, play), self._pending_start = self._pending_start, (0, False)
        if step:
            self.time.seek(step)
        if play:
            self.run_worker(self._play_on_arrival(), group="opening")

    async def _play_on_arrival(self) -> None:
        while self.time.is_busy:
            await asyncio.sleep(0.02)
        self.time.play()

    async def _open_in_thread(self, request: OpenRequest) -> None:
        """Open a program in a thread; ignore the result if another is requested in the meantime."""
        opened = await asyncio.to_thread(open_program, request)
        if self._pending_request is request and self.is_mounted:
            self._finish_opening(request, opened)

    def _finish_opening(self, request: OpenRequest, opened: OpenedProgram | Exception) -> None:
        """Show the opened program, or report why it cannot be opened."""
        language_id, source, _, expected, _, is_other_program, *_ = request
        self._pending_request = None
        if isinstance(opened, ParseError):
            if is_other_program:
                self.close()
            self._show_parse_error(opened, language_id, source)
            return
        if isinstance(opened, EsoplayError):
            self.close()
            self._closed_state = StateBadge("ERROR", "bad"), str(opened)
            self.show_snapshot()
            return
        if isinstance(opened, Exception):
            self._report_crash(opened)
            return
        target, map_error = opened
        previous, widgets = self.time.target, self.widgets
        is_new_version = (
            previous is not None
            and self._opened_language_id == language_id
            and not is_other_program
        )
        previous_version = (
            previous
            if is_new_version and previous is not None and move_breakpoints(previous, target)
            else None
        )
        self.state_saver.restore(target, previous_version)
        self._opened_language_id = language_id
        self._parse_error = None
        self.analysis.forget_parse_error()
        self._posted_status = None
        self._replace_target(target)
        if map_error:
            target.log_line(map_error)
            self.time.notice = map_error
        if expected is None and widgets.diff.display:
            widgets.open_page("out")
        elif expected is not None:
            widgets.open_page("diff")
        self.time.refresh()
        if widgets.requested_zoom is not None:
            widgets.apply_requested_zoom()
        self._apply_pending_start()

    def _replace_target(self, target: DebugTarget) -> None:
        """Show another program in the debugger."""
        widgets, program = self.widgets, target.debugger.program
        widgets.open_plane(program if target.is_on_plane else None)
        widgets.program.open(program.source, program.language.id, program)
        listing, source_map = program.listing(), target.source.source_map
        widgets.listing.open(listing, program.source, program, source_map)
        widgets.output.select(None)
        widgets.input.select(None)
        target.viewport.capacity = widgets.state.capacity
        target.timeline_columns = widgets.timeline.columns
        target.source.steps_by_line = self.actions.steps_by_line and source_map is not None
        target.refresh()
        widgets.source.open(source_map)
        widgets.source.show_granularity(target.source.steps_by_line)
        widgets.update_layout()
        self.time.open(target)

    def _show_parse_error(self, error: ParseError, language_id: str, source: bytes) -> None:
        widgets = self.widgets
        stale = self.time.target is not None
        if not stale:
            widgets.open_plane(None)
            widgets.program.open(source, language_id)
            widgets.program.show_error(error)
            listing = find_language(language_id).listing(source)
            widgets.listing.open(listing, source)
            widgets.listing.show_error(error)
            widgets.update_layout()
            text = f"{error.line}:{error.column}  {error.message}"
            self._closed_state = StateBadge("PARSE ERROR", "bad"), text
            self.show_snapshot()
        else:
            self.time.stop()
            self.time.notice = ""
            self._parse_error = error
            widgets.program.mark_stale(True)
            widgets.plane.mark_stale(True)
            widgets.listing.mark_stale(True)
        self.analysis.show_parse_error(language_id, source, error)
        if stale and not self.time.is_running:
            self.show_snapshot()
        self.post_message(DebuggerParseFailed(error, stale=stale))

    def _report_crash(self, error: Exception) -> None:
        """Report that an engine failed, which is a defect of esoplay, and close the program."""
        self.close()
        description = f"{type(error).__name__}: {error}".rstrip(": ")
        self._closed_state = (
            CRASHED,
            f"the interpreter failed ({description}); your program is unchanged, F2 edits it",
        )
        self.show_snapshot()
        self.post_message(DebuggerCrashed())

    # Showing

    def show_snapshot(self) -> None:
        """Update all boxes to the current snapshot."""
        target, widgets, time = self.time.target, self.widgets, self.time
        if not self.is_mounted:
            return
        if target is None:
            widgets.status.show_state(*self._closed_state, "")
            self._set_hints(HINTS)
            widgets.explanation.show(None)
            widgets.timeline.show(None)
            return
        snapshot = target.snapshot
        with self.app.batch_update():
            count = f"{self.prefix.count}…  " if self.prefix.count else ""
            widgets.status.show_state(*self._state_badge(), count + step_text(snapshot))
            if time.is_running:
                self._set_hints(HINTS_BUSY)
                return
            if not widgets.is_on_plane:
                widgets.program.show(snapshot)
            widgets.listing.show(snapshot)
            if snapshot.source_position is not None:
                widgets.source.show(snapshot)
                widgets.variables.show(snapshot)
            panels_changed = widgets.state.update_boxes(snapshot)
            for box, panel in widgets.state.boxes_with_panels(snapshot):
                box.show(snapshot, panel)
            if panels_changed:
                widgets.update_panel_layout()
            self.heat.show()
            widgets.explanation.show(snapshot)
            widgets.timeline.show(snapshot, self.notes.steps())
            widgets.output.find_step = target.debugger.find_print_step
            widgets.input.find_step = target.debugger.find_read_step
            widgets.output.show(snapshot)
            widgets.input.show(snapshot)
            widgets.diff.show(snapshot)
            for watches in (widgets.watches, widgets.side_watches):
                watches.show(snapshot)
            for breaks in (widgets.breakpoints, widgets.side_breakpoints):
                breaks.show(snapshot, target.debugger.program.source)
            widgets.update_list_layout()
            widgets.log_page.show_log(tuple(target.log))
            self.notes.show()
            self.analysis.show()
            is_waiting = snapshot.view.status == "needs_input"
            if not is_waiting:
                widgets.close_input()
            if is_waiting and self._posted_status != (snapshot.step, "needs_input"):
                widgets.open_input(has_expected_output=target.expected is not None)
            elif snapshot.view.status == "faulted" and self._posted_status != (
                snapshot.step,
                "faulted",
            ):
                self.analysis.show_fault()
            self._show_hints(target)
        self.state_saver.save()
        self._post_moved(target)
        self._schedule_look_up(target)

    def _state_badge(self) -> tuple[StateBadge, str]:
        """Return a badge and a sentence: the state, or a parse error in the newest text."""
        time, error = self.time, self._parse_error
        if error is None or time.is_running or time.is_playing:
            return time.badge(), time.status_text()
        place = f"{error.line}:{error.column}  {error.message}"
        return STALE, time.notice or f"the last version that parsed; error at {place}"

    def _show_hints(self, target: DebugTarget) -> None:
        """Show the useful keys, and the part of the status that does not fit into its row."""
        widgets, time = self.widgets, self.time
        if widgets.status.hidden_text and (time.notice or self._parse_error is not None):
            widgets.explanation.show_overflow(widgets.status.hidden_text)
        is_waiting = target.snapshot.view.status == "needs_input" and not widgets.output.has_focus
        if self.prefix.pending_mark is not None:
            self._set_hints(HINTS_MARK if self.prefix.pending_mark == "set" else HINTS_TO_MARK)
        elif self.prefix.count:
            self._set_hints(hints_after_count(self.prefix.count))
        elif is_waiting:
            self._set_hints(HINTS_WAITING)
        else:
            self._set_hints(HINTS_PLAYING if time.is_playing else self._hints_of_focus())

    def _set_hints(self, hints: Hints) -> None:
        if hints != self._hints:
            self._hints = hints
            self.screen.refresh_bindings()

    def footer_keys(self) -> FooterKeys:
        return to_footer_keys(self._hints)

    def on_descendant_focus(self) -> None:
        target = self.time.target
        if target is not None and not self.time.is_running:
            self._show_hints(target)

    def _hints_of_focus(self) -> Hints:
        """Return the useful keys for this program and the current focus."""
        if self.widgets.output.has_focus:
            return HINTS_OUTPUT
        if self.widgets.input.has_focus:
            return HINTS_INPUT
        if self.widgets.log_page.has_focus and self.actions.chain_is_open:
            return HINTS_CHAIN
        if not self.has_source_map:
            return HINTS
        other_text = "program" if self.widgets.shows_source_first else "source"
        hints = HINTS_BY_LINE if self.actions.steps_by_line else HINTS_WITH_MAP
        return tuple(
            each._replace(label=other_text) if each.label in ("program", "source") else each
            for each in hints
        )

    def _post_moved(self, target: DebugTarget) -> None:
        """Post DebuggerMoved if the step, the status or the cells set by the user changed."""
        status = target.snapshot.view.status
        now = target.snapshot.step, "paused" if status in ("running", "stopped") else status
        edits = target.debugger.recording.edits
        if now != self._posted_status or edits != self._posted_edits:
            self._posted_status, self._posted_edits = now, edits
            self.post_message(DebuggerMoved(*now))

    def _schedule_look_up(self, target: DebugTarget) -> None:
        """Schedule a search for the last write to the selection, if it is unknown.

        Does nothing if the search would be slow.
        """
        if self._look_up_timer is not None:
            self._look_up_timer.stop()
            self._look_up_timer = None
        if target.is_history_long:
            return
        snapshot = target.snapshot
        selected, known = snapshot.selected_cell, snapshot.last_write
        if target.slot is not None:
            selected, known = target.slot, snapshot.last_value_write
        if selected is not None and known is None:
            self._look_up_timer = self.set_timer(IDLE_SECONDS, self.look_up_last_write)

    def look_up_last_write(self) -> None:
        """Find and show the last write to the selected cell or stack slot."""
        time, target = self.time, self.time.target
        if target is not None and not time.is_busy and not time.is_playing:
            self.widgets.show_state(target.look_up_last_write())

    @on(TimeTravel.Progress)
    def _handle_progress(self, event: TimeTravel.Progress) -> None:
        self.time.show_progress(event)

    @on(TimeTravel.Finished)
    def _handle_finished(self, event: TimeTravel.Finished) -> None:
        self.time.finish(event)

    # Keys

    def on_key(self, event: events.Key) -> None:
        if not self.widgets.prompt.is_open and self.prefix.handle(event.character or ""):
            event.stop()
            event.prevent_default()

    # Requests from boxes

    def on_paste(self, event: events.Paste) -> None:
        """Reject a paste with a notice."""
        event.stop()
        self.time.show_notice("the debugger does not accept pastes; F2 opens the editor")

    @on(PanelFrame.TabClicked)
    def _tab_clicked(self, event: PanelFrame.TabClicked) -> None:
        self.widgets.open_page(event.name)
        self.widgets.pages[event.name].focus()

    @on(BytesPage.ByteChosen)
    def _byte_chosen(self, event: BytesPage.ByteChosen) -> None:
        """Move to the state before the step that printed or read the byte."""
        step = event.page.find_step(event.index)
        if step is None:
            self.time.show_notice(
                f"byte {event.index} has not been {event.page.PARTICIPLE} in the known history"
            )
        else:
            self.actions.seek(step - 1)

    @on(DiffPage.JumpRequested)
    def _jump_requested(self) -> None:
        self.go_to_wrong_byte()

    def go_to_wrong_byte(self) -> None:
        """Move to the state before the first wrong byte, if the expected output is known."""
        target = self.time.target
        if target is not None and target.expected is not None:
            self.widgets.open_page("diff")
            self.time.start(wrong_byte_move(target, target.expected))

    @on(TimelineStrip.Clicked)
    @on(ListPage.StepChosen)
    def _step_chosen(self, event: TimelineStrip.Clicked | ListPage.StepChosen) -> None:
        self.actions.seek(event.step)

    @on(CallsPanel.FrameChosen)
    def _frame_chosen(self, event: CallsPanel.FrameChosen) -> None:
        self.widgets.program.set_cursor(event.offset)

    @on(ProgramView.GutterClicked)
    def _gutter_clicked(self, event: ProgramView.GutterClicked) -> None:
        self.breakpoints.toggle_in_range(event.start, event.end)

    @on(GridPanel.BreakpointRequested)
    def _cell_breakpoint_requested(self, event: GridPanel.BreakpointRequested) -> None:
        self.breakpoints.toggle_at(event.point)

    @on(SourceView.GutterClicked)
    def _source_gutter_clicked(self, event: SourceView.GutterClicked) -> None:
        self.breakpoints.toggle_on_line(event.line)

    @on(BreakpointsPage.Requested)
    def _breakpoint_requested(self, event: BreakpointsPage.Requested) -> None:
        self.breakpoints.handle_request(event.breakpoint, event.action)

    @on(NotesPage.Requested)
    def _note_requested(self, event: NotesPage.Requested) -> None:
        if event.action == "show":
            self.prefix.take_count()
        self.notes.handle_request(event.note, event.action)

    @on(WatchPage.Requested)
    def _watch_requested(self, event: WatchPage.Requested) -> None:
        self.watches.handle_request(event.watch, event.action)

    @on(PanelBox.Selected)
    def _cell_selected(self, event: PanelBox.Selected) -> None:
        self._change_and_show(lambda target: target.select(event.address))

    @on(PanelBox.SlotSelected)
    def _slot_selected(self, event: PanelBox.SlotSelected) -> None:
        self._change_and_show(lambda target: target.select_slot(event.slot))

    @on(TermPanel.PartSelected)
    def _part_selected(self, event: TermPanel.PartSelected) -> None:
        if not self.time.is_busy:
            self._change_and_show(
                lambda target: target.part_selection.select(event.part, target.viewport.window)
            )

    @on(VariablesList.Selected)
    def _variable_selected(self, event: VariablesList.Selected) -> None:
        target, variable = self.time.target, event.variable
        if target is None or not variable.cells or variable.is_array:
            return
        try:
            target.select(variable.cells[0])
        except EsoplayError:
            return
        self.time.refresh()

    @on(GridPanel.Scrolled)
    def _plane_scrolled(self, event: GridPanel.Scrolled) -> None:
        self._change_and_show(lambda target: target.viewport.scroll(event.columns, event.rows))

    @on(PanelBox.CapacityChanged)
    def _capacity_changed(self) -> None:
        target, capacity = self.time.target, self.widgets.state.capacity
        if target is not None and target.viewport.capacity != capacity:
            target.viewport.capacity = capacity
            self.time.refresh()

    @on(TimelineStrip.Resized)
    def _strip_resized(self, event: TimelineStrip.Resized) -> None:
        if self.time.target is not None:
            self.time.target.timeline_columns = event.columns
            self.time.refresh()

    def _change_and_show(self, change: Callable[[DebugTarget], None]) -> None:
        """Change the selection or the viewport of the open program, and update the screen."""
        if self.time.target is not None:
            change(self.time.target)
            self.time.refresh()

    # The prompt

    def _pane_commands(self) -> Mapping[str, PaneCommand]:
        """Return the commands that the pane itself runs, by name."""
        time = self.time

        def explain_end(line: CommandLine) -> None:
            bound = (
                parse_whole_number(line.rest, "a number of steps", 1) if line.arguments else None
            )
            self.prefix.take_count()
            self.analysis.diagnose(bound)

        def compare(line: CommandLine) -> None:
            what, _, rest = line.rest.strip().partition(" ")
            check_comparison(what, rest.strip())
            self.analysis.compare_with(what, rest.strip(), self.commands.record_reply)

        return {
            "apply": lambda line: self._apply_changes(),
            "compare": compare,
            "drop-input": lambda line: self.drop_supplied_input(),
            "eof": lambda line: time.end_input(),
            "feed": lambda line: time.feed(unescape(line.rest)),
            "quit": lambda line: self._quit(),
            "redraw": lambda line: repaint_all(self.app),
            "speed": lambda line: time.set_speed(parse_whole_number(line.rest, "the speed", 1)),
            "why": explain_end,
        }

    def _apply_changes(self) -> None:
        """Write the plane cells that the user set up to this step into the program's text."""
        target = self.time.target
        edits = () if target is None else target.debugger.recording.edits
        here = 0 if target is None else target.debugger.step
        cells: dict[Point, int] = {}
        later: set[int] = set()
        for each in edits:
            if not isinstance(each.address, tuple):
                continue
            if each.step <= here:
                cells[each.address[0], each.address[1]] = each.value
            else:
                later.add(each.step)
        if cells:
            self.apply_cells(cells)
        elif later:
            self.time.show_notice(
                f"no cell was set by hand up to this step; the first was set at step {min(later)}"
            )
        else:
            self.time.show_notice(
                "no cell of the program was set by hand; E sets the selected cell"
            )

    def _quit(self) -> None:
        self.call_later(self.run_action, "app.quit")

    def _run_attached_commands(self, target: DebugTarget, stop: Stop) -> None:
        """Run the commands attached to the breakpoints of a stop, and log their replies."""
        for line in self.commands.run_attached_commands(target, stop):
            target.log_line(line)

    @on(Prompt.Submitted)
    def _prompt_submitted(self, event: Prompt.Submitted) -> None:
        handlers: dict[PromptKind, Callable[[str], None]] = {
            "command": self.commands.run,
            "search": self.actions.search,
            "note": self.notes.submit,
            "watch": self.watches.submit,
            "input": lambda text: self.time.feed(typed_bytes(text) + b"\n"),
        }
        handlers[event.kind](event.text)

    @on(Prompt.InputEnded)
    def _input_ended(self) -> None:
        self.time.end_input()

    @on(Prompt.Closed)
    def _prompt_closed(self) -> None:
        self.widgets.timeline.display = True
