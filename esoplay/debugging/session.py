"""The session in which debugger commands run, the type of a command, and its reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeVar

from esolangs.stops import Address
from esolangs.view import Grid, Tape
from esoplay.debugging.autosave import SavedDebugState, load_state, save_state
from esoplay.debugging.command_line import CommandLine
from esoplay.debugging.debugger import BreakpointSpec, Debugger, MoveCancelled, Stop, Ticker
from esoplay.debugging.descriptions import (
    SHOWN_IN_VIEW,
    change_line,
    position_text,
    stop_as_json,
    stop_lines,
    view_as_json,
)
from esoplay.debugging.notebook import Notebook, shared_notebook
from esoplay.debugging.provenance import Place
from esoplay.debugging.watches import WatchedExpression, Watches, shared_watches, watch_as_json
from esoplay.errors import UsageError
from esoplay.paths import state_folder
from esoplay.programs.execution import advice_on
from esoplay.running.run import bytes_as_json, last_bytes, truncation_fields
from esoplay.timeline.places import SHOWN_BYTES, bytes_text

Answer = TypeVar("Answer")

BUDGET = 100_000_000
"""The default maximum number of steps of a move, which ends moves in endless loops."""

ALL_OUTPUT = "try: output all"
"""The line printed after shortened output."""


class Reply(NamedTuple):
    """The reply to a command: lines for people, data for programs.

    stop: the stop after a move; None for other commands.
    """

    lines: list[str]
    data: dict[str, Any]
    stop: Stop | None = None


class DebugSession:
    """An open program on which commands act.

    A front end may set ``cursor``, ``selection``, ``select`` and ``save_previous_run``.
    A move ends early if any thread or signal handler calls ``interrupt``, or if the ``ticker`` that
    the front end passes to ``begin_command`` returns False.
    """

    def __init__(
        self, debugger: Debugger, *, saves_notes: bool = False, saves_watches: bool = False
    ):
        """Start a session.

        saves_notes, saves_watches: whether notes or watches are saved in the state folder.
        """
        self.debugger = debugger
        self.notes_folder = state_folder() if saves_notes else None
        self.saves_watches = saves_watches
        if saves_watches:
            kept = load_state(debugger.program, state_folder())
            shared_watches(debugger).restore(kept.watches)
        self._other: Debugger | None = None
        self.interrupted_swap: Debugger | None = None
        """The run that ``swap_runs`` was moving to the current step when it was interrupted."""
        self._interrupted = False  # not an Event: a signal handler could deadlock on its lock
        self.ticker: Ticker | None = None
        self.checkpoints: dict[int, int] = {}
        self.temporary: set[int] = set()
        self.attached: dict[int, tuple[str, ...]] = {}
        self._selected: Place | None = None
        self.cursor: Callable[[], BreakpointSpec | None] | None = None
        self.selection: Callable[[], Place | None] | None = None
        self.select: Callable[[Place], None] = self._select
        self.save_previous_run: Callable[[Debugger], None] | None = None

    # The other run: the run to compare with, or the run before a change

    @property
    def other_run(self) -> Debugger | None:
        """The run that ``compare other`` switches to."""
        return self._other

    @other_run.setter
    def other_run(self, run: Debugger | None) -> None:
        self._other = run
        if run is not None and self.save_previous_run is not None:
            self.save_previous_run(run)

    # Interruption

    def begin_command(self, ticker: Ticker | None) -> None:
        """Start a command, which ``ticker`` can end.

        Must be called once per command, before parsing it; later interrupts end this command.
        """
        self.ticker, self._interrupted = ticker, False

    def interrupt(self) -> None:
        """End the current move at its next tick."""
        self._interrupted = True

    @property
    def interrupted(self) -> bool:
        """Whether the last move was ended by ``interrupt`` or by the ticker."""
        return self._interrupted

    def tick(self, done: int, total: int) -> bool:
        """Report progress of a move or long query; return whether to continue."""
        if self.ticker is not None and not self.ticker(done, total):
            self._interrupted = True
        return not self._interrupted

    def ticker_within(self, budget: int) -> Ticker:
        """Return a ticker that calls ``tick``, but cancels the move after ``budget`` steps."""
        return lambda done, total: done < budget and self.tick(done, total)

    # Notes and watches

    @property
    def notebook(self) -> Notebook:
        """The notes on the program."""
        return shared_notebook(self.debugger, self.notes_folder)

    @property
    def watches(self) -> Watches:
        """The watch expressions of the program."""
        return shared_watches(self.debugger)

    def watch_values(
        self, previous_values: Mapping[str, int | None] | None = None
    ) -> tuple[WatchedExpression, ...]:
        """Return the watches with their current and their previous values.

        previous_values: by the text of the expression.
        """
        return self.watches.values(self.debugger, previous_values)

    def evaluate(self, text: str) -> WatchedExpression:
        """Return an expression with its value; do not add it to the watches.

        Raises ConditionError if the expression is invalid.
        """
        once = Watches(self.debugger)
        once.add(text)
        return once.values(self.debugger)[0]

    def save_watches(self) -> None:
        """Save the watches if ``saves_watches`` is set. Raises StoreError if writing fails."""
        if self.saves_watches:
            folder, program = state_folder(), self.debugger.program
            breakpoints = load_state(program, folder).breakpoints
            save_state(program, folder, SavedDebugState(breakpoints, self.watches.texts))

    # Moves and questions

    def move(self, action: Callable[[], Stop]) -> Reply:
        """Call ``action``, which moves the debugger; reply with the stop and the new output."""
        before = self.debugger.view()
        values = {each.text: each.value for each in self.watch_values()}
        stop = action()
        view = self.debugger.view()
        lines = stop_lines(stop)
        if any(reason.kind == "cancelled" for reason in stop.reasons):
            within = "interrupted" if self.interrupted else f"not finished within {BUDGET} steps"
            lines = [f"{within}; still at the same step"]
        data = stop_as_json(self.debugger, stop)
        printed = self.debugger.output[before.output_length : view.output_length]
        if printed:
            lines.append(f"printed: {bytes_text(printed)}")
            lines += [ALL_OUTPUT] if len(printed) > SHOWN_BYTES else []
            data |= bytes_as_json("printed", last_bytes(printed, SHOWN_IN_VIEW))
            if len(printed) > SHOWN_IN_VIEW:
                data |= truncation_fields(len(printed))
        self.extend_reply(lines, data)
        lines += [position_text(view), *self._source_position_lines()]
        watched = self.watch_values(values)
        if watched:
            lines += [change_line(each) for each in watched if each.changed]
            data["watches"] = [watch_as_json(each) for each in watched]
        if view.fault is not None:
            advice = advice_on(self.debugger.program.language.id, view.fault.kind)
            if advice:
                lines.append(f"try: {advice}")
                data["advice"] = advice
        self.delete_temporary_breakpoints(stop)
        return Reply(lines, data, stop)

    def extend_reply(self, lines: list[str], data: dict[str, Any]) -> None:
        """Extend the reply to a move; front ends override this to add checks after each move."""

    def delete_temporary_breakpoints(self, stop: Stop) -> None:
        """Delete the temporary breakpoints that caused a stop."""
        for reason in stop.reasons:
            if reason.breakpoint in self.temporary:
                self.temporary.discard(reason.breakpoint)
                if any(each.id == reason.breakpoint for each in self.debugger.breakpoints):
                    self.debugger.remove_breakpoint(reason.breakpoint)

    def run_query(self, query: Callable[[Ticker], Answer]) -> Answer:
        """Return the answer to a long query. Raises UsageError if the query was interrupted."""
        try:
            return query(self.tick)
        except MoveCancelled:
            raise UsageError("interrupted") from None

    # Current position

    def describe_position(self) -> Reply:
        """Return the current position without moving."""
        view = self.debugger.view()
        told = {"step": view.step, "view": view_as_json(self.debugger, view)}
        return Reply([position_text(view), *self._source_position_lines()], told)

    def _source_position_lines(self) -> list[str]:
        """Return the line of the generator's source that is executed next, if it is known."""
        if self.debugger.source_lines is None:
            return []
        source = view_as_json(self.debugger, self.debugger.view(), ["source"])["source"]
        if source["line"] is None:
            return [f"{source['name']}: code without a source line"]
        label = f": {source['label']}" if source["label"] else ""
        return [f"{source['name']} line {source['line']}{label}"]

    def default_location(self) -> BreakpointSpec:
        """Return the default location for commands: at the cursor, or at the next instruction."""
        if self.cursor is not None:
            spec = self.cursor()
            if spec is None:
                raise UsageError("there is no instruction here to stop at")
            return spec
        at = self.debugger.view().location
        if isinstance(at.address, tuple):
            x, y = at.address
            return BreakpointSpec(position=(x, y))
        return BreakpointSpec(offset=at.offset)

    def _select(self, place: Place) -> None:
        self._selected = place

    def focused_place(self) -> Place:
        """Return the default place for queries: the selected place, or the cell at the pointer."""
        place = self._selected if self.selection is None else self.selection()
        return self.cell_at_pointer() if place is None else place

    def cell_at_pointer(self) -> Address:
        """Return the cell at the pointer. Raises UsageError if the state has no pointer."""
        for panel in self.debugger.view().panels:
            if isinstance(panel, Tape):
                return panel.pointer
            if isinstance(panel, Grid):
                return next(each.position for each in panel.pointers if each.active)
        raise UsageError("expected an argument, such as a cell; this language has no pointer")


Handler = Callable[[DebugSession, CommandLine], Reply]

CommandKind = Literal["move", "look", "change"]
"""The effect of a command.

move: travels in time, and can be cancelled and repeated.  look: a query that changes nothing.
change: changes breakpoints, notes, the input or the state, and runs only once.
"""


class DebugCommand(NamedTuple):
    """A command of the debugger.

    names: the full name, then short forms. usage: the arguments; literal words are in lower case.
    help: what the command does. aliases: names in gdb, earlier versions or editors.
    """

    names: tuple[str, ...]
    usage: str
    help: str
    handler: Handler
    examples: tuple[str, ...] = ()
    kind: CommandKind = "look"
    aliases: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The full name of the command."""
        return self.names[0]

    @property
    def signature(self) -> str:
        """The names and arguments on one line."""
        return " ".join([", ".join(self.names), *self.usage.split("\n")]).rstrip()
