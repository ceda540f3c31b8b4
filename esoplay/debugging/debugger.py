"""The debugger: one recording and one position in time, shared by every front end.

A debugger must be used by one thread at a time. Long moves call a ticker with (done, total) between
slices; if it returns False, the move is cancelled and the position is restored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from esolangs.errors import EngineError, ParseError
from esolangs.language import Program
from esolangs.limits import Limits
from esolangs.numbers import abbreviate
from esolangs.registry import find_language
from esolangs.stops import Address
from esolangs.view import View, Window
from esolangs.wording import format_count
from esoplay.errors import ConditionError, UsageError
from esoplay.timeline import history, search, stepping
from esoplay.timeline.breakpoint_spec import DIRECTIONS, MAX_OUTPUT_BYTES, BreakpointSpec, Direction
from esoplay.timeline.breakpoints import Breakpoint
from esoplay.timeline.conditions import NAMES
from esoplay.timeline.history import Bucket, CellWrite
from esoplay.timeline.places import address_text, find_place, is_on_plane
from esoplay.timeline.states import has_stacks
from esoplay.timeline.stepping import Granularity
from esoplay.timeline.stops import Reason, Stop, stop_after_seek
from esoplay.timeline.timeline import (
    DEBUG_LIMITS,
    MoveCancelled,
    Recording,
    Ticker,
    TimeLimitReached,
    Timeline,
    with_time_limit,
)

if TYPE_CHECKING:
    from pathlib import Path

    from esoplay.codegen.source_map import SourceMap
    from esoplay.timeline.source_lines import SourceLines


__all__ = [
    "DIRECTIONS",
    "MAX_OUTPUT_BYTES",
    "NAMES",
    "Breakpoint",
    "BreakpointList",
    "BreakpointSpec",
    "Bucket",
    "CellWrite",
    "Debugger",
    "Direction",
    "Granularity",
    "MoveCancelled",
    "Reason",
    "Recording",
    "Stop",
    "Ticker",
    "address_text",
    "find_place",
    "is_on_plane",
]


_MIN_STRETCH, _MAX_STRETCH = 1 << 12, 1 << 22
"""The first and the maximum number of steps of ``find_ahead`` between two calls of ``find``."""


class BreakpointList:
    """The breakpoints of one recording."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._breakpoints: list[Breakpoint] = []
        self._next_id = 1
        self._lines: SourceLines | None = None

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        return tuple(self._breakpoints)

    def add_breakpoint(self, spec: BreakpointSpec) -> Breakpoint:
        """Add a breakpoint.

        Raises ConditionError for an invalid condition, and UsageError for a location, cell or slot
        that the program does not have.
        """
        breakpoint = self._make_breakpoint(self._next_id, spec)
        self._next_id += 1
        self._breakpoints.append(breakpoint)
        return breakpoint

    def change_breakpoint(self, id: int, spec: BreakpointSpec) -> Breakpoint:
        """Replace the specification of a breakpoint and keep its id.

        Resets the hit count to 0 unless only ``enabled`` changes. Raises the errors of
        ``add_breakpoint``, and UsageError for an unknown id.
        """
        at = next((at for at, each in enumerate(self._breakpoints) if each.id == id), None)
        if at is None:
            raise UsageError(f"there is no breakpoint {id}")
        old, changed = self._breakpoints[at], self._make_breakpoint(id, spec)
        if replace(spec, enabled=True) == replace(old.spec, enabled=True):
            changed.hits = old.hits
        self._breakpoints[at] = changed
        return changed

    def set_breakpoints(self, specs: Sequence[BreakpointSpec]) -> tuple[Breakpoint, ...]:
        """Replace all breakpoints; change nothing if a specification is invalid."""
        before = self._breakpoints
        self._breakpoints = []
        try:
            for spec in specs:
                self.add_breakpoint(spec)
        except Exception:
            self._breakpoints = before
            raise
        return self.breakpoints

    def remove_breakpoint(self, id: int) -> None:
        """Remove a breakpoint.  Raises UsageError for an unknown id."""
        kept = [each for each in self._breakpoints if each.id != id]
        if len(kept) == len(self._breakpoints):
            raise UsageError(f"there is no breakpoint {id}")
        self._breakpoints = kept

    # Source map

    @property
    def source_map(self) -> SourceMap | None:
        """The open source map; see :mod:`esoplay.debugging.source_maps`."""
        return None if self._lines is None else self._lines.source_map

    @property
    def source_lines(self) -> SourceLines | None:
        """The source lines of the open map, with their addresses in the program."""
        return self._lines

    def use_map(self, source_map: SourceMap | None) -> None:
        """Open a source map, or close the open one (None).

        Removes breakpoints on lines or variables that the new map does not have. Raises MapError,
        and changes nothing, if the map belongs to another program.
        """
        lines = None
        if source_map is not None:
            from esoplay.timeline.source_lines import SourceLines

            lines = SourceLines(self._timeline.program, source_map)
        self._lines = lines
        for each in self._breakpoints:
            if each.spec.source_line is not None or each.uses_variables:
                try:
                    self.change_breakpoint(each.id, each.spec)
                except (UsageError, ConditionError):
                    self.remove_breakpoint(each.id)

    def check_breakpoint(self, spec: BreakpointSpec) -> None:
        """Raise the errors of ``add_breakpoint`` without adding a breakpoint."""
        self._make_breakpoint(0, spec)

    def _make_breakpoint(self, id: int, spec: BreakpointSpec) -> Breakpoint:
        program, machine = self._timeline.program, self._timeline.machine
        breakpoint = Breakpoint(id, spec, program, self._lines)
        for cell in breakpoint.cells:
            try:
                machine.peek(cell)
            except ValueError as error:
                raise UsageError(str(error)) from None
        if spec.slot is not None and not has_stacks(machine):
            raise UsageError(f"{program.language.name} has no stacks")
        return breakpoint

    def _copy_to(self, target: BreakpointList) -> None:
        """Copy the source map and the breakpoints, without hit counts, to ``target``."""
        target._lines = self._lines
        target._breakpoints = [
            Breakpoint(each.id, each.spec, self._timeline.program, self._lines)
            for each in self._breakpoints
        ]
        target._next_id = self._next_id


class Debugger(BreakpointList):
    """A program in the debugger: steps, moves and queries, in both directions."""

    def __init__(self, program: Program, recording: Recording, file: Path | None = None):
        """Start at step 0; ``file`` is the file of the program."""
        super().__init__(Timeline(program, recording))
        self.file = file

    @classmethod
    def open(
        cls,
        language_id: str,
        source: bytes,
        *,
        stdin: bytes = b"",
        closed: bool = True,
        dialect: str = "standard",
        options: Mapping[str, str | int] | None = None,
        seed: int = 0,
        limits: Limits | None = None,
        started: int = 0,
        file: Path | None = None,
    ) -> Debugger:
        """Return a debugger at step 0.

        ``started``: the time that the program reads, in seconds since 1970. ``file``: the file of
        the program, which front ends show. Raises ParseError if ``source`` is not a program, and
        UsageError for an unknown language or dialect or an invalid option.
        """
        try:
            language = find_language(language_id)
            chosen = language.configure(dialect, options)
            program = language.parse(source, chosen)
        except ParseError:
            raise
        except EngineError as error:
            raise UsageError(str(error)) from None
        limits = limits or DEBUG_LIMITS
        recording = Recording(
            language.id,
            dialect,
            chosen,
            source,
            stdin,
            closed,
            seed,
            limits,
            started=started,
        )
        return cls(program, recording, file)

    # Position and state

    @property
    def program(self) -> Program:
        return self._timeline.program

    @property
    def recording(self) -> Recording:
        return self._timeline.recording

    @property
    def timeline(self) -> Timeline:
        """The timeline of the run; ``set_stdin`` and ``undo_set_cell`` replace it."""
        return self._timeline

    @property
    def step(self) -> int:
        """The number of steps executed at the current position."""
        return self._timeline.step

    @property
    def known_steps(self) -> int:
        """The last step executed so far."""
        return self._timeline.known_steps

    @property
    def end(self) -> int | None:
        """The last step of the run, or None if it is unknown."""
        return self._timeline.end

    @property
    def output(self) -> bytes:
        """All bytes printed in known history, including output after the current position."""
        return bytes(self._timeline.output)

    @property
    def input(self) -> bytes:
        """All recorded input."""
        return self.recording.stdin

    @property
    def is_input_closed(self) -> bool:
        """Whether no more input can be added."""
        return self.recording.closed

    def view(self, window: Window | None = None) -> View:
        """Return the state at the current position."""
        view = self._timeline.machine.view(window)
        return view._replace(status=self._timeline.status)

    def registers(self) -> dict[str, int]:
        """Return the registers of the current state by name, as conditions use them."""
        return self._timeline.machine.registers()

    # Moves.  With ``seconds``, a move ends after about that time for the reason "budget"; the next
    # move continues from there.

    def seek(
        self,
        step: int,
        ticker: Ticker | None = None,
        *,
        budget: int | None = None,
        seconds: float = inf,
    ) -> Stop:
        """Move to ``step``, or as close as the run and ``budget`` steps allow."""
        start_step = self.step
        if budget is None or abs(step - start_step) <= budget:
            return self._move_to(step, ticker, seconds)
        wanted = start_step + (budget if step > start_step else -budget)
        stop = self._move_to(wanted, ticker, seconds)
        return self._budget_stop(start_step) if stop.reasons[0].kind == "step" else stop

    def step_by(
        self,
        count: int = 1,
        *,
        reverse: bool = False,
        granularity: Granularity = "instruction",
        budget: int | None = None,
        ticker: Ticker | None = None,
        seconds: float = inf,
    ) -> Stop:
        """Take ``count`` steps of a granularity.

        ``budget`` is the maximum number of instructions; moves by ``instruction`` ignore it.
        ``loop`` steps over the loop or call that starts at the next instruction, ``finish`` out of
        the loop or call around it, ``line`` to an instruction on another line, and ``source`` to
        the start of a source line, as in :mod:`esoplay.timeline.source_lines`. Raises UsageError
        for ``source`` if no map is open.
        """
        if granularity == "instruction":
            return self._move_to(self.step + (-count if reverse else count), ticker, seconds)
        start_step, stop = self.step, Stop(self.step, ())
        ticker = with_time_limit(seconds, ticker)
        for _ in range(count):
            before = self.step
            try:
                left = None if budget is None else budget - abs(before - start_step)
                stop = self._step(granularity, reverse, ticker, left)
                travelled = abs(self.step - start_step)
                if count > 1 and ticker is not None and not ticker(travelled, travelled):
                    raise MoveCancelled
            except MoveCancelled:
                self._timeline.seek(start_step)
                return self._cancelled_stop()
            except TimeLimitReached:
                return self._budget_stop(start_step)
            if self.step == before or (budget is not None and travelled >= budget):
                break
        return stop

    def resume(
        self,
        *,
        reverse: bool = False,
        until: Sequence[BreakpointSpec] = (),
        budget: int | None = None,
        ticker: Ticker | None = None,
        seconds: float = inf,
    ) -> Stop:
        """Continue to the next breakpoint or the end; in reverse, to the previous one or the start.

        until: further breakpoints, for this move only. Raises the errors of ``add_breakpoint`` for
        an invalid ``until``.
        """
        extra = [self._make_breakpoint(-1 - at, spec) for at, spec in enumerate(until)]
        ticker = with_time_limit(seconds, ticker)
        return self._search([*self._breakpoints, *extra], reverse, budget, ticker)

    def run_to(
        self, spec: BreakpointSpec, *, reverse: bool = False, ticker: Ticker | None = None
    ) -> Stop:
        """Continue until ``spec`` applies, ignoring other breakpoints.

        Raises the errors of ``add_breakpoint``.
        """
        return self._search([self._make_breakpoint(0, spec)], reverse, None, ticker)

    # Questions about history

    def find_print_step(self, byte_index: int) -> int | None:
        """Return the step that printed output byte ``byte_index`` (from 0), or None if unknown."""
        return self._timeline.step_that_printed(byte_index)

    def find_read_step(self, byte_index: int) -> int | None:
        """Return the step that read input byte ``byte_index`` (from 0), or None if unknown."""
        return self._timeline.step_that_read(byte_index)

    def find_ahead(
        self,
        find: Callable[[], int | None],
        budget: int,
        ticker: Ticker | None = None,
        seconds: float = inf,
    ) -> tuple[int | None, Stop | None]:
        """Execute new steps until ``find`` returns a step, then go back to the current step.

        Returns the step that was found and None, or None and the stop with the reason why no step
        was found.  Execution starts at the end of the known history.

        find: searches the known history; called before and after each stretch of new steps.
        budget, seconds: maximum number of new steps and maximum time.
        """
        current, start, size = self.step, self.known_steps, _MIN_STRETCH
        deadline = time.monotonic() + seconds
        stop = None
        try:
            while (found := find()) is None:
                end = start + budget
                left = deadline - time.monotonic()
                stop = self.seek(min(self.known_steps + size, end), ticker, seconds=left)
                size = min(2 * size, _MAX_STRETCH)
                if stop.reasons[0].kind != "step":
                    found = find()
                    break
                if self.step >= end:
                    found, stop = find(), self._budget_stop(start)
                    break
        finally:
            self._timeline.seek(current)
        return (found, None) if found is not None else (None, stop)

    def writes(
        self,
        cell: Address,
        *,
        before: int | None = None,
        limit: int = 1,
        ticker: Ticker | None = None,
    ) -> list[CellWrite]:
        """Return the last writes to a cell up to step ``before``, newest first.

        The default of ``before`` is the current step. Raises MoveCancelled if ``ticker`` returns
        False.
        """
        upto = self.step if before is None else before
        return history.last_writes(self._timeline, cell, upto, limit, ticker)

    def overview(self, columns: int) -> list[Bucket]:
        """Divide known history into at most ``columns`` buckets, for the overview on the screen."""
        return history.overview(self._timeline, columns)

    # Changes of the recording

    def feed(self, data: bytes) -> None:
        """Append typed input to the recording. Raises UsageError if the input is closed."""
        try:
            self._timeline.feed(data)
        except ValueError as error:
            raise UsageError(str(error)) from None

    def close_input(self) -> None:
        """Close the input, so that no input can be added."""
        self._timeline.close_input()

    def set_cell(self, cell: Address, value: int) -> Stop:
        """Set a cell at the current step and discard later history.

        Raises UsageError if the cell does not exist or cannot hold the value.
        """
        try:
            self._timeline.edit(cell, value)
        except ValueError as error:
            raise UsageError(str(error)) from None
        text = f"cell {address_text(cell)} is now {abbreviate(value)}"
        return Stop(self.step, (Reason("step", text),))

    def set_stdin(self, data: bytes, *, closed: bool = True, ticker: Ticker | None = None) -> Stop:
        """Run again with another input, to the same step or as close as possible."""
        try:
            self._timeline = self._timeline.with_input(data, closed, ticker)
        except MoveCancelled:
            return self._cancelled_stop()
        return stop_after_seek(self._timeline, self.step)

    def undo_set_cell(self, *, ticker: Ticker | None = None) -> Stop:
        """Undo the last ``set_cell``.

        If the last calls together set a variable of the source, all of these calls are undone.

        The step remains the same, or is as close as possible. Raises UsageError if no cell was set.
        """
        try:
            self._timeline = self._timeline.without_last_edits(self._count_last_edits(), ticker)
        except ValueError as error:
            raise UsageError(str(error)) from None
        except MoveCancelled:
            return self._cancelled_stop()
        return stop_after_seek(self._timeline, self.step)

    def _count_last_edits(self) -> int:
        """Return how many of the last edits set one variable together; 1 if none do."""
        if self._lines is None:
            return 1
        from esoplay.timeline.source_variables import place_addresses

        edits = self.recording.edits
        for place in self._lines.source_map.variables.values():
            try:
                cells = place_addresses(place)
            except UsageError:  # the variable is not stored in cells
                continue
            last = edits[-len(cells) :]
            if [each.address for each in last] == cells and len({each.step for each in last}) == 1:
                return len(cells)
        return 1

    def fork(self, ticker: Ticker | None = None) -> Debugger:
        """Return another debugger with the same recording, position and breakpoints.

        Raises MoveCancelled if ``ticker`` returns False.
        """
        return self._copy(self._timeline.fork(ticker))

    def fork_at_start(self) -> Debugger:
        """Return a debugger at step 0 with the same recording, to save a run before a change."""
        return self._copy(self._timeline.copy_at_start())

    def _copy(self, timeline: Timeline) -> Debugger:
        twin = Debugger.__new__(Debugger)
        BreakpointList.__init__(twin, timeline)
        twin.file = self.file
        self._copy_to(twin)
        return twin

    # Implementation of moves

    def _step(
        self, granularity: Granularity, reverse: bool, ticker: Ticker | None, budget: int | None
    ) -> Stop:
        if granularity != "source":
            return stepping.step(self._timeline, granularity, reverse, ticker, budget)
        if self._lines is None:
            raise UsageError("no source map is open, so there are no source lines")
        from esoplay.timeline import source_steps

        return source_steps.step(self._timeline, self._lines, reverse, ticker, budget)

    def _move_to(self, step: int, ticker: Ticker | None, seconds: float) -> Stop:
        start_step = self.step
        if step > self.known_steps:  # replaying known history is fast: no time limit
            ticker = with_time_limit(seconds, ticker)
        try:
            self._timeline.seek(step, ticker)
        except MoveCancelled:
            return self._cancelled_stop()
        except TimeLimitReached:
            return self._budget_stop(start_step)
        return stop_after_seek(self._timeline, step)

    def _cancelled_stop(self) -> Stop:
        return Stop(self.step, (Reason("cancelled", "cancelled"),))

    def _budget_stop(self, start: int) -> Stop:
        taken = "executed" if self.step >= start else "undone"
        words = f"{format_count(abs(self.step - start), 'step')} {taken}"
        return Stop(self.step, (Reason("budget", words),))

    def _search(
        self,
        breakpoints: list[Breakpoint],
        reverse: bool,
        budget: int | None,
        ticker: Ticker | None,
    ) -> Stop:
        start_step = self.step
        try:
            if reverse:
                return search.run_backward(self._timeline, breakpoints, budget, ticker)
            return search.run_forward(self._timeline, breakpoints, budget, ticker)
        except MoveCancelled:
            return self._cancelled_stop()
        except TimeLimitReached:
            return self._budget_stop(start_step)
