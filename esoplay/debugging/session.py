"""What the debugger's commands act on, and what they answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeVar

from esolangs.stops import Address
from esolangs.view import Grid, Tape
from esoplay.debugging.autosave import SavedDebugState, read_kept, write_kept
from esoplay.debugging.command_line import CommandLine
from esoplay.debugging.debugger import BreakpointSpec, Debugger, MoveCancelled, Stop, Ticker
from esoplay.debugging.descriptions import (
    SHOWN_OUTPUT,
    change_line,
    stop_as_json,
    stop_lines,
    view_as_json,
    where,
)
from esoplay.debugging.notebook import Notebook, notebook_of
from esoplay.debugging.provenance import Place
from esoplay.debugging.watches import WatchedExpression, Watches, watch_as_json, watches_of
from esoplay.errors import UsageError
from esoplay.paths import state_folder
from esoplay.programs.execution import advice_on
from esoplay.running.run import bytes_as_json, tail_of, truncation
from esoplay.timeline.places import SHOWN_BYTES, bytes_text

Answer = TypeVar("Answer")

BUDGET = 100_000_000
"""Steps of a move whose end is not known, unless a number is given: an endless loop comes back."""

ALL_OUTPUT = "try: output all"
"""The line that follows output of which not all is shown."""


class Reply(NamedTuple):
    """The answer to a command: lines for people, data for programs.

    stop: where a move ended and why; None where nothing moved.
    """

    lines: list[str]
    data: dict[str, Any]
    stop: Stop | None = None


class DebugSession:
    """An open program as commands see it.

    A front end may set what it knows besides: ``cursor``, ``selection``, ``select`` and
    ``keep_former``.  ``interrupt`` (any thread, a signal) ends the move under way, and so does
    ``ticker``, which the front end sets for one command.
    """

    def __init__(
        self, debugger: Debugger, *, keeps_notes: bool = False, keeps_watches: bool = False
    ):
        """``keeps_notes``, ``keeps_watches``: in the state folder, for the next time."""
        self.debugger = debugger
        self.notes_folder = state_folder() if keeps_notes else None
        self.keeps_watches = keeps_watches
        if keeps_watches:
            kept = read_kept(debugger.program, state_folder())
            watches_of(debugger).take_over(kept.watches)
        self._other: Debugger | None = None
        self.unreached: Debugger | None = None
        """The other run, if bringing it to the step of this one was interrupted."""
        self._interrupted = False  # no Event: a signal could come while it is locked
        self.ticker: Ticker | None = None
        self.checkpoints: dict[int, int] = {}
        self.temporary: set[int] = set()
        self.attached: dict[int, tuple[str, ...]] = {}
        self._selected: Place | None = None
        self.cursor: Callable[[], BreakpointSpec | None] | None = None
        self.selection: Callable[[], Place | None] | None = None
        self.select: Callable[[Place], None] = self._select
        self.keep_former: Callable[[Debugger], None] | None = None

    # The other run: the one compared with, or the one before a change.

    @property
    def other(self) -> Debugger | None:
        """The run that ``compare other`` goes to."""
        return self._other

    @other.setter
    def other(self, run: Debugger | None) -> None:
        self._other = run
        if run is not None and self.keep_former is not None:
            self.keep_former(run)

    # Interruption

    def begin(self, ticker: Ticker | None) -> None:
        """A command begins, which ``ticker`` can end; the one before may have been ended.

        To be called once per command, before it is read: an interrupt from then on ends it.
        """
        self.ticker, self._interrupted = ticker, False

    def interrupt(self) -> None:
        """End the current move the next time it looks."""
        self._interrupted = True

    @property
    def interrupted(self) -> bool:
        """Whether the last move was ended by ``interrupt`` or by the ticker."""
        return self._interrupted

    def tick(self, done: int, total: int) -> bool:
        """The ticker of every move and every long question."""
        if self.ticker is not None and not self.ticker(done, total):
            self._interrupted = True
        return not self._interrupted

    def tick_within(self, budget: int) -> Ticker:
        """A ticker that also gives up after ``budget`` steps."""
        return lambda done, total: done < budget and self.tick(done, total)

    # What belongs to the program

    @property
    def notebook(self) -> Notebook:
        """The notes on the program."""
        return notebook_of(self.debugger, self.notes_folder)

    @property
    def watches(self) -> Watches:
        """The watch expressions of the program."""
        return watches_of(self.debugger)

    def watched(
        self, before: Mapping[str, int | None] | None = None
    ) -> tuple[WatchedExpression, ...]:
        """Their values now, compared with those from before."""
        return self.watches.values(self.debugger, before)

    def value_of(self, text: str) -> WatchedExpression:
        """The value of an expression that is not watched.  Raises ConditionError."""
        once = Watches(self.debugger)
        once.add(text)
        return once.values(self.debugger)[0]

    def keep_watches(self) -> None:
        """Save them for the next time, if that is wanted; raises StoreError."""
        if self.keeps_watches:
            folder, program = state_folder(), self.debugger.program
            breakpoints = read_kept(program, folder).breakpoints
            write_kept(program, folder, SavedDebugState(breakpoints, self.watches.texts))

    # Moves and questions

    def move(self, make: Callable[[], Stop]) -> Reply:
        """Make a move and say where it led, and what was printed on the way."""
        before = self.debugger.view()
        values = {each.text: each.value for each in self.watched()}
        stop = make()
        view = self.debugger.view()
        lines = stop_lines(stop)
        if any(reason.kind == "cancelled" for reason in stop.reasons):
            within = "interrupted" if self.interrupted else f"not done within {BUDGET} steps"
            lines = [f"{within}: we are where we were"]
        data = stop_as_json(self.debugger, stop)
        printed = self.debugger.output[before.output_length : view.output_length]
        if printed:
            lines.append(f"printed: {bytes_text(printed)}")
            lines += [ALL_OUTPUT] if len(printed) > SHOWN_BYTES else []
            data |= bytes_as_json("printed", tail_of(printed, SHOWN_OUTPUT))
            if len(printed) > SHOWN_OUTPUT:
                data |= truncation(len(printed))
        self.moved(lines, data)
        lines += [where(view), *self._line()]
        watched = self.watched(values)
        if watched:
            lines += [change_line(each) for each in watched if each.changed]
            data["watches"] = [watch_as_json(each) for each in watched]
        if view.fault is not None:
            advice = advice_on(self.debugger.program.language.id, view.fault.kind)
            if advice:
                lines.append(f"try: {advice}")
                data["advice"] = advice
        self.arrived(stop)
        return Reply(lines, data, stop)

    def moved(self, lines: list[str], data: dict[str, Any]) -> None:
        """Add to the answer of a move; for what a front end checks after each one."""

    def arrived(self, stop: Stop) -> None:
        """Delete the temporary breakpoints among the reasons of a stop."""
        for reason in stop.reasons:
            if reason.breakpoint in self.temporary:
                self.temporary.discard(reason.breakpoint)
                if any(each.id == reason.breakpoint for each in self.debugger.breakpoints):
                    self.debugger.remove_breakpoint(reason.breakpoint)

    def ask(self, question: Callable[[Ticker], Answer]) -> Answer:
        """The answer to a question that may take long; UsageError if it was interrupted."""
        try:
            return question(self.tick)
        except MoveCancelled:
            raise UsageError("interrupted") from None

    # Where we are

    def here(self) -> Reply:
        """Where we are, without moving."""
        view = self.debugger.view()
        told = {"step": view.step, "view": view_as_json(self.debugger, view)}
        return Reply([where(view), *self._line()], told)

    def _line(self) -> list[str]:
        """The line of the generator's source that is executed next, if that is known."""
        if self.debugger.source_lines is None:
            return []
        source = view_as_json(self.debugger, self.debugger.view(), ["source"])["source"]
        if source["line"] is None:
            return [f"{source['name']}: in code of no line"]
        label = f": {source['label']}" if source["label"] else ""
        return [f"{source['name']} line {source['line']}{label}"]

    def location(self) -> BreakpointSpec:
        """The place that commands are about when none is named: the cursor's, else ours."""
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

    def place_in_focus(self) -> Place:
        """The place that commands are about when none is named: the selected one, else a cell."""
        place = self._selected if self.selection is None else self.selection()
        return self.cell_in_focus() if place is None else place

    def cell_in_focus(self) -> Address:
        """The cell at which a pointer stands.  Raises UsageError."""
        for panel in self.debugger.view().panels:
            if isinstance(panel, Tape):
                return panel.pointer
            if isinstance(panel, Grid):
                return next(each.position for each in panel.pointers if each.active)
        raise UsageError("say which cell: nothing points at one here")


Handler = Callable[[DebugSession, CommandLine], Reply]

CommandKind = Literal["move", "look", "change"]
"""move: travels in time, and can be called off and made again.  look: asks, and changes nothing.
change: changes breakpoints, notes, the input or the state, and is made once."""


class DebugCommand(NamedTuple):
    """One row of the command table.

    names: the word, then its short forms.  usage: its arguments, words to type in lower case.
    help: what it does.  aliases: the names that gdb, older screens or editors have for it.
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
        """The word that it goes by."""
        return self.names[0]

    @property
    def signature(self) -> str:
        """Its names and arguments on one line."""
        return " ".join([", ".join(self.names), *self.usage.split("\n")]).rstrip()
