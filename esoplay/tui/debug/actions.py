"""The actions of the debug pane, by action id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

from textual.actions import SkipAction

from esoplay.debugging.command_line import typed_bytes
from esoplay.debugging.debugger import Granularity, address_text
from esoplay.errors import UsageError
from esoplay.tui.debug.breakpoint_editor import BreakpointEditor
from esoplay.tui.debug.byte_glyphs import format_int
from esoplay.tui.debug.bytes_page import BytesPage
from esoplay.tui.debug.canvas import PanelFrame
from esoplay.tui.debug.heat import ExecutionHeat
from esoplay.tui.debug.moves import Move
from esoplay.tui.debug.notes import NoteEditor
from esoplay.tui.debug.run_analysis import RunAnalysis
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.time_travel import TimeTravel
from esoplay.tui.debug.value_queries import (
    list_output_origin,
    list_writes,
    move_to_origin_of_selection,
    move_to_write,
)
from esoplay.tui.debug.watches import WatchExpressions
from esoplay.tui.debug.widgets import DebugWidgets

# The user types a count before the key of an action, and the letter of a mark after the key.

MAX_DIGITS = 15


class KeyPrefix:
    """Keys typed before or after an action: a count, or the letter of a mark."""

    def __init__(self, time_travel: TimeTravel) -> None:
        self._time = time_travel
        self.count = ""
        self.pending_mark: Literal["set", "go"] | None = None
        """Whether the next key names a mark to set or to go to; None if no mark is expected."""

    def take_count(self, default: int = 1) -> int:
        """Return the count typed before the pressed key, and reset the count."""
        count, self.count = self.count, ""
        return int(count) if count else default

    def await_mark(self, purpose: Literal["set", "go"]) -> None:
        """Expect the letter of a mark as the next key."""
        self.pending_mark = purpose
        target = self._time.target
        marks = {} if target is None else target.marks
        known = ", ".join(f"{name} step {format_int(step)}" for name, step in sorted(marks.items()))
        self._time.show_notice(f"press the letter of a mark{f' ({known})' if known else ''}")

    def handle(self, character: str) -> bool:
        """Handle a digit of a count or the letter of a mark; return whether the key was handled."""
        if self.pending_mark is not None:
            pending_mark, self.pending_mark = self.pending_mark, None
            if character.isalpha():
                self._apply_mark(pending_mark, character)
            elif not character.isprintable() or not character:
                self._time.show_notice("")
            else:
                self._time.show_notice("expected a letter as the name of the mark")
            return True
        if character.isdecimal() and character.isascii() and (self.count or character != "0"):
            self.count = (self.count + character)[:MAX_DIGITS]
            self._time.show_notice("")
            return True
        return False

    def _apply_mark(self, purpose: Literal["set", "go"], name: str) -> None:
        travel, target = self._time, self._time.target
        if target is None:
            return
        if purpose == "set":
            target.marks[name] = target.snapshot.step
            travel.notice = f"mark {name} is step {format_int(target.snapshot.step)}"
            travel.refresh()
        elif name in target.marks:
            travel.seek(target.marks[name])
        else:
            travel.show_notice(f"mark {name} is not set")


NO_MAP = "no source map is open; generators can write one beside the program"


class DebugActions:
    """Runs an action in the focused box, or in the pane if the box does not have the action.

    steps_by_line: whether ``s``, ``n`` and play step by source line. run_command: runs a line typed
    after ``:``.
    """

    run_command: Callable[[str], None]

    def __init__(
        self,
        widgets: DebugWidgets,
        time_travel: TimeTravel,
        prefix: KeyPrefix,
        *,
        breakpoints: BreakpointEditor,
        heat: ExecutionHeat,
        analysis: RunAnalysis,
        notes: NoteEditor,
        watches: WatchExpressions,
    ) -> None:
        self.steps_by_line = False
        self._widgets = widgets
        self._time = time_travel
        self._prefix = prefix
        self._breakpoints = breakpoints
        self._heat = heat
        self._analysis = analysis
        self._notes = notes
        self._watches = watches
        self.chain_is_open = False
        """Whether the log was opened to show the origin of an output byte."""
        self._actions = self._action_table()
        self._box_actions: Mapping[PanelFrame, Mapping[str, Callable[[], None]]] = {
            widgets.variables: {
                "write-before": partial(self._seek_change, reverse=True),
                "write-after": partial(self._seek_change, reverse=False),
            }
        }

    def run(self, id: str) -> None:
        """Run the action with this id."""
        own = self._box_actions.get(self._widgets.focused_box, {})
        own.get(id, self._actions[id])()

    @property
    def _has_source_map(self) -> bool:
        """Whether the open program has a source map."""
        target = self._time.target
        return target is not None and target.source.source_map is not None

    def _action_table(self) -> Mapping[str, Callable[[], None]]:
        """Return the functions that run the actions, by action id."""
        time, widgets, prefix = self._time, self._widgets, self._prefix
        return {
            "step": partial(self._step, 1),
            "step-back": partial(self._step, -1),
            "step-s": partial(self._step_unit, 1),
            "step-back-s": partial(self._step_unit, -1),
            "over": partial(self._step_over, 1),
            "over-back": partial(self._step_over, -1),
            "finish": partial(self._step, 1, "finish"),
            "finish-back": partial(self._step, -1, "finish"),
            "continue": partial(self._resume, 1),
            "continue-back": partial(self._resume, -1),
            "to-cursor": partial(self._run_to_cursor, 1),
            "to-cursor-back": partial(self._run_to_cursor, -1),
            "play": self._play,
            "faster": partial(time.change_speed, 1),
            "slower": partial(time.change_speed, -1),
            "start": partial(self.seek, 0),
            "end": self._seek_end,
            "cursor-down": partial(self._move, 1, 0),
            "cursor-up": partial(self._move, -1, 0),
            "cursor-right": partial(self._move, 0, 1),
            "cursor-left": partial(self._move, 0, -1),
            "page-up": partial(self._move_by_pages, -1),
            "page-down": partial(self._move_by_pages, 1),
            "first": partial(self._move_to_end, last=False),
            "last": partial(self._move_to_end, last=True),
            "scroll-down": partial(self._scroll, 1, 0),
            "scroll-up": partial(self._scroll, -1, 0),
            "scroll-right": partial(self._scroll, 0, 1),
            "scroll-left": partial(self._scroll, 0, -1),
            "go-to-cell": partial(widgets.ask, "command", "cell "),
            "set-cell": self._set_cell,
            "undo": lambda: self.run_command("undo"),
            "partner": self._go_to_partner,
            "search": partial(widgets.ask, "search"),
            "search-next": partial(self._search_again, 1),
            "search-previous": partial(self._search_again, -1),
            "break": lambda: self._breakpoints.toggle(self._widgets.focused_box),
            "break-edit": self._edit_breakpoint,
            "write-before": partial(self._start_query, partial(move_to_write, reverse=True)),
            "write-after": partial(self._start_query, partial(move_to_write, reverse=False)),
            "writes": partial(self._start_query, list_writes, lambda: widgets.reveal_page("log")),
            "origin": self._show_origin,
            "printed": self._seek_selected_step,
            "read": self._seek_reading_step,
            "diagnose": self._diagnose,
            "compare": partial(widgets.ask, "command", "compare input "),
            "mark": partial(prefix.await_mark, "set"),
            "to-mark": partial(prefix.await_mark, "go"),
            "note": self._notes.prompt_for_text,
            "notes": partial(widgets.focus_list, widgets.side_notes, widgets.notes),
            "watch": self._watches.prompt_for_expression,
            "watches": partial(widgets.focus_list, widgets.side_watches, widgets.watches),
            "granularity": self._change_granularity,
            "source": self._cycle_text,
            "heat": self._cycle_heat,
            "base": self._cycle_base,
            "output": self._toggle_output_focus,
            "output-mode": self._cycle_output,
            "page-next": partial(widgets.cycle_page, 1),
            "page-previous": partial(widgets.cycle_page, -1),
            "pane-next": partial(self._zoom_next, 1),
            "pane-previous": partial(self._zoom_next, -1),
            "zoom": lambda: widgets.zoom(None if widgets.is_zoomed else self._widgets.focused_box),
            "command": partial(widgets.ask, "command"),
            "choose": self._choose_selection,
            "cancel": self._cancel,
        }

    def _is_applicable(self, id: str, box: PanelFrame) -> bool:
        """Return whether an action is available in a box at the moment."""
        target = self._time.target
        return target is not None and id in box.available_actions(target.snapshot)

    # Time

    def _step(self, direction: int, granularity: Granularity = "instruction") -> None:
        self._time.step(self._prefix.take_count(), reverse=direction < 0, granularity=granularity)

    def _step_unit(self, direction: int) -> None:
        """Step by source line or by instruction, as selected by the user."""
        steps_by_line = self.steps_by_line and self._has_source_map
        self._step(direction, "source" if steps_by_line else "instruction")

    def _step_over(self, direction: int) -> None:
        if self.steps_by_line and self._has_source_map:
            self._time.step_lines(self._prefix.take_count(), reverse=direction < 0)
        else:
            self._step(direction, "loop")

    def _resume(self, direction: int) -> None:
        self._prefix.take_count()
        self._time.resume(reverse=direction < 0)

    def _run_to_cursor(self, direction: int) -> None:
        location = self._breakpoints.find_location(self._widgets.focused_box)
        if location is not None:
            self._prefix.take_count()
            self._time.run_to(location, reverse=direction < 0)
        elif self._time.target is not None:
            self._time.show_notice("the cursor is on a comment; there is nothing to run to")

    def seek(self, step: int) -> None:
        """Move to a step."""
        self._prefix.take_count()
        self._time.seek(step)

    def _seek_end(self) -> None:
        if self._prefix.count:
            self._time.seek(self._prefix.take_count())
        else:
            self._time.seek_end()

    def _play(self) -> None:
        if not self._time.stop():
            self._time.when_idle(self._time.play)

    def _change_granularity(self) -> None:
        """Switch between stepping by instruction and by source line."""
        target = self._time.target
        if target is None or not self._has_source_map:
            self._time.show_notice(NO_MAP)
            return
        self.steps_by_line = target.source.steps_by_line = not self.steps_by_line
        self._widgets.show_text(source_first=self.steps_by_line)
        self._widgets.source.show_granularity(self.steps_by_line)
        message = (
            "s, n and Space step by source line"
            if self.steps_by_line
            else "s, n and Space step by instruction"
        )
        self._time.show_notice(message)

    # Queries

    def _start_query(
        self,
        query: Callable[[DebugTarget], Move],
        show: Callable[[], None] | None = None,
    ) -> None:
        """Start a query about the selection; ``show`` opens the page with the answer."""
        target = self._time.target
        if target is None:
            return
        try:
            move = query(target)
        except UsageError as error:
            self._time.show_notice(str(error))
            return
        self._time.start(move)
        if show is not None:
            show()

    def _seek_change(self, *, reverse: bool) -> None:
        """Move to the next or, if ``reverse``, the previous change of the selected variable."""
        from esoplay.tui.debug.source_queries import move_to_change

        target, entry = self._time.target, self._widgets.variables.selected_variable
        if entry is None:
            self._start_query(partial(move_to_write, reverse=reverse))
        elif target is not None:
            self._prefix.take_count()
            self._time.start(move_to_change(target, entry, reverse=reverse))

    def _show_origin(self) -> None:
        """Show the origin of the value at the cursor."""
        widgets, target = self._widgets, self._time.target
        if widgets.focused_box is widgets.input:
            self._time.show_notice(
                "an input byte has no origin in the program; i goes to the step that read it"
            )
        elif widgets.focused_box is not widgets.output:
            self._start_query(move_to_origin_of_selection, lambda: widgets.open_page("log"))
        elif widgets.output.active_index is None or target is None:
            self._time.show_notice("the program has not printed anything yet")
        else:
            index = widgets.output.active_index
            widgets.output.select(index)
            self._time.start(list_output_origin(target, index, partial(self._show_chain, target)))

    def _show_chain(self, target: DebugTarget, length: int) -> None:
        """Focus the log and show its last ``length`` entries: the origin of an output byte."""
        log = self._widgets.log_page
        log.show_log(tuple(target.log))
        self._widgets.reveal_page("log")
        log.show_from(len(target.log) - length)
        self.chain_is_open = True
        log.focus()

    def _toggle_output_focus(self) -> None:
        """Move the focus to the output, or back to the program."""
        widgets, self.chain_is_open = self._widgets, False
        if widgets.output.has_focus:
            widgets.text.focus()
        else:
            widgets.reveal_page("out")
            widgets.output.focus()

    def _diagnose(self) -> None:
        if self._time.target is not None:
            self._prefix.take_count()
            self._analysis.diagnose()

    def _seek_selected_step(self) -> None:
        """Move to the step of the selected finding, the first wrong byte or the selected byte."""
        widgets = self._widgets
        is_output_selected = widgets.output.has_focus or widgets.output.selected is not None
        pages_with_steps = (
            page for page in (widgets.diagnosis, widgets.compare) if page.display and page.steps
        )
        page_with_step = (
            None if widgets.diff.display or is_output_selected else next(pages_with_steps, None)
        )
        if page_with_step is not None:
            if page_with_step.has_focus:
                page_with_step.choose()
            else:
                self.seek(page_with_step.steps[0])
        elif widgets.diff.display and not is_output_selected:
            if not self._is_applicable("printed", widgets.diff):
                self._time.show_notice("no wrong byte of output to go to")
            widgets.diff.choose()
        else:
            if not self._is_applicable("printed", widgets.output):
                self._time.show_notice("no printed byte to go to")
            widgets.output.choose()

    def _seek_reading_step(self) -> None:
        if not self._is_applicable("read", self._widgets.input):
            self._time.show_notice("the input is empty: no step has read a byte")
        self._widgets.input.choose()

    # Cursor and selection

    def _move(self, rows: int, columns: int) -> None:
        count = self._prefix.take_count()
        self._widgets.focused_box.move(rows=rows * count, columns=columns * count)

    def _move_by_pages(self, pages: int) -> None:
        box, count = self._widgets.focused_box, self._prefix.take_count()
        if isinstance(box, BytesPage):
            box.move_by_pages(pages * count)

    def _move_to_end(self, *, last: bool) -> None:
        box = self._widgets.focused_box
        self._prefix.take_count()
        if isinstance(box, BytesPage):
            box.move_to_end(last=last)

    def _set_cell(self) -> None:
        """Prompt for a new value of the selected cell."""
        target = self._time.target
        cell = None if target is None else target.cell
        if cell is None:
            self._time.show_notice("select a cell first")
        else:
            self._widgets.ask("command", f"set {address_text(cell)} ")

    def _scroll(self, rows: int, columns: int) -> None:
        count = self._prefix.take_count()
        self._widgets.focused_box.scroll_pages(rows=rows * count, columns=columns * count)

    def _go_to_partner(self) -> None:
        if self._widgets.is_on_plane:
            self._time.show_notice(
                "brackets on a plane change the IP's direction; they have no match"
            )
        elif self._widgets.listing.is_open:
            if not self._widgets.listing.go_to_partner():
                self._time.show_notice("the cursor is not on a jump or a jump target")
        elif not self._widgets.program.go_to_partner():
            self._time.show_notice("the cursor is not on a bracket")

    def search(self, text: str) -> None:
        """Move the cursor to the next match of ``text``."""
        search_target = self._widgets.search_target
        if not search_target.find(typed_bytes(text)):
            where = "source" if search_target is self._widgets.source else "program"
            self._time.show_notice(f"{text!r} is not in the {where}")

    def _search_again(self, direction: int) -> None:
        if not self._widgets.search_target.find(backwards=direction < 0):
            self._time.show_notice("no search to repeat; / searches for text")

    def _edit_breakpoint(self) -> None:
        pages = (self._widgets.breakpoints, self._widgets.side_breakpoints)
        listed = next(
            (page.selected_breakpoint for page in pages if page is self._widgets.focused_box), None
        )
        self._breakpoints.edit(self._widgets.focused_box, listed)

    def _choose_selection(self) -> None:
        target, box = self._time.target, self._widgets.focused_box
        is_waiting = target is not None and target.snapshot.view.status == "needs_input"
        if is_waiting and box is not self._widgets.output:
            self._widgets.ask("input")
        elif "choose" in box.ACTIONS:
            box.choose()
        else:
            raise SkipAction

    def _cancel(self) -> None:
        """Stop the running move or, if there is none, leave or clear one thing on the screen.

        It is the first of these that is present: the typed count, the origin of an output byte in
        the log, a zoomed box, a page of bytes, a cursor that the user moved, a selected cell or
        value.
        """
        target, widgets = self._time.target, self._widgets
        if self._time.stop():
            return
        if self._prefix.count:
            self._prefix.take_count()
            self._time.show_notice("")
        elif widgets.log_page.has_focus and self.chain_is_open:
            self._toggle_output_focus()
        elif widgets.is_zoomed:
            widgets.zoom(None)
        elif isinstance(widgets.focused_box, BytesPage):
            widgets.focused_box.select(None)
            widgets.text.focus()
        elif widgets.source.is_open and widgets.source.has_own_cursor:
            widgets.source.set_cursor(None)
        elif widgets.program.has_own_cursor or widgets.output.selected is not None:
            widgets.program.set_cursor(None)
            widgets.output.select(None)
            widgets.input.select(None)
        elif target is not None and target.has_selection:
            target.select(None)
            self._time.refresh()
        else:
            raise SkipAction

    # Display settings

    def _cycle_text(self) -> None:
        """Switch to the next view of the text: source, disassembly or bytes.

        If that view is already visible, it only gets the focus.
        """
        if not self._has_source_map and not self._widgets.listing.is_open:
            self._time.show_notice(NO_MAP)
            return
        self._widgets.cycle_text_views()
        self._time.refresh()

    def _cycle_heat(self) -> None:
        if self._time.target is None or self._time.target.is_blank:
            raise SkipAction  # without instructions to count, the same key opens the editor
        self._heat.cycle_mode()

    def _cycle_base(self) -> None:
        focused_panel = next(
            (box for box in self._widgets.state.boxes if box is self._widgets.focused_box), None
        )
        if focused_panel is not None and focused_panel.CYCLES_OWN_BASE:
            focused_panel.cycle_base()
        else:
            self._widgets.state.cycle_base()
            self._watches.cycle_base()

    def _cycle_output(self) -> None:
        self._widgets.reveal_page("out")
        output = self._widgets.output
        output.cycle_mode()
        self._time.show_notice(f"output is shown as {output.mode.value}")

    def _zoom_next(self, offset: int) -> None:
        """Maximise the next or previous box if one is maximised; else let the app handle Tab."""
        if not self._widgets.is_zoomed:
            raise SkipAction
        self._widgets.zoom_next(offset)
