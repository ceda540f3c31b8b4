"""Steps by source line, and breakpoints on source lines.

:mod:`esoplay.timeline.source_lines` defines when a line is started.
"""

from __future__ import annotations

import time
from weakref import WeakKeyDictionary

from esolangs.machine import FINAL, Machine
from esolangs.stops import Address, StopSet
from esoplay.codegen.source_map import MappedSpan
from esoplay.timeline.first_occurrences import unwritten_cells
from esoplay.timeline.source_lines import SourceLines
from esoplay.timeline.source_variables import SourceVariable
from esoplay.timeline.stops import Stop, last_stop, stop_after_move
from esoplay.timeline.timeline import FAR, CellEdit, MoveCancelled, Ticker, Timeline, tick

_RECENT_STEPS = 4096  # states before the current one that are searched first
_MAX_STOPS = 64  # stops in one statement, after which its instructions are no longer watched
_MAX_ASSEMBLY_STEPS = 5_000_000  # maximum number of steps in which a program constructs itself
_TICK_SECONDS = 0.01  # seconds between two calls of a ticker


def step(
    timeline: Timeline,
    lines: SourceLines,
    reverse: bool,
    ticker: Ticker | None,
    budget: int | None = None,
) -> Stop:
    """Move to the next or previous start of a line, but by at most ``budget`` steps.

    Raises MoveCancelled, after restoring the position, if ``ticker`` returns False. Raises
    TimeLimitReached when the ticker's time limit expires; a forward step then stays at the step
    reached, and a backward step does not move.
    """
    start_step = timeline.step
    if not reverse:
        found = _step_forward(timeline, lines, ticker, budget)
    else:
        floor = 0 if budget is None else max(0, start_step - budget)
        last = last_line_start(timeline, lines, floor, start_step - 1, ticker)
        found = last is not None
        timeline.seek(floor if last is None else last)
    return stop_after_move(timeline, found, reverse, start_step)


def last_line_start(
    timeline: Timeline, lines: SourceLines, low: int, high: int, ticker: Ticker | None = None
) -> int | None:
    """Return the last step from ``low`` to ``high`` at which a source line starts, or None."""
    begins = first_line_step(timeline, lines)
    last = _last_execution(timeline, lines.statement_stops, max(low, begins), high, ticker)
    while last is not None:
        statement = lines.statement_at(timeline.machine_at(last).location)
        assert statement is not None
        earlier = _last_execution(timeline, lines.other_stops(statement), begins, last - 1, ticker)
        machine = timeline.machine_at(begins if earlier is None else earlier)
        before = None if earlier is None else lines.statement_at(machine.location)
        if earlier is not None or lines.statement_at(machine.location) is None:
            _run_to_stop(timeline, machine, lines.statement_stops, last)
        entry_step = machine.steps
        first = lines.starts_line(before, statement) or _is_restart(machine, lines, statement)
        started = _last_restart(timeline, lines, statement, machine, last, ticker)
        if started == entry_step and not first:
            last = earlier  # only the end of the statement remains
            continue
        return started if started >= low else None
    return None


def _last_restart(
    timeline: Timeline,
    lines: SourceLines,
    statement: int,
    machine: Machine,
    last_step: int,
    ticker: Ticker | None,
) -> int:
    """Return the last step, up to ``last_step``, at which ``statement`` was entered or restarted.

    ``machine`` is at the step at which the run entered the statement.
    """
    started = machine.steps
    head = StopSet(locations=lines.first_instruction(statement))
    if (
        not head.locations
        or _last_execution(timeline, lines.unmapped_stops, started, last_step, ticker) is None
    ):
        return started
    while _run_to_stop(timeline, machine, head, last_step):
        if _is_restart(machine, lines, statement):
            started = machine.steps
    return started


def _is_restart(machine: Machine, lines: SourceLines, statement: int) -> bool:
    """Return whether a statement's first instruction was reached from outside all statements."""
    if not lines.restarts(statement, machine.location):
        return False
    step = machine.last_step
    return step is not None and lines.statement_at(step.location) is None


def first_line_step(timeline: Timeline, lines: SourceLines) -> int:
    """Return the first step at which a source line can start; ``FAR`` if it was not found.

    Before this step, the program constructs itself; see ``SourceMap.begins``.
    """
    location = lines.source_map.begins
    if location is None:
        return 0
    cached = _FIRST_LINE_STEPS.get(timeline)
    edits = timeline.recording.edits
    if cached is not None and cached[0] == edits:
        return cached[1]
    machine = timeline.resume(0)
    stops = StopSet(locations=frozenset({location}))
    found = machine.steps if machine.location == location else None
    if found is None and _run_to_stop(timeline, machine, stops, _MAX_ASSEMBLY_STEPS):
        found = machine.steps
    if found is None and machine.status == "needs_input":
        return FAR  # a line may still start later
    _FIRST_LINE_STEPS[timeline] = edits, FAR if found is None else found
    return FAR if found is None else found


_FIRST_LINE_STEPS: WeakKeyDictionary[Timeline, tuple[tuple[CellEdit, ...], int]] = (
    WeakKeyDictionary()
)


def next_instruction_span(timeline: Timeline, lines: SourceLines) -> MappedSpan | None:
    """Return the innermost span of the map around the next instruction.

    Returns None outside all spans, and while the program constructs itself, because instructions of
    all lines are then executed in an order unrelated to the source.
    """
    if timeline.step < first_line_step(timeline, lines):
        return None
    return lines.span_at(timeline.machine.location)


def current_variables(timeline: Timeline, lines: SourceLines) -> tuple[SourceVariable, ...]:
    """Return the variables of the source with their current values.

    If the whole state is one value, variables have their values from the last start of a line, or
    from the end of the program, because the state is incomplete in between.
    """
    values = lines.values
    whole = _state_with_parts(timeline, lines) if values.has_parts else None
    unwritten = (
        unwritten_cells(timeline, values.unset_cells) if values.unset_cells else set[Address]()
    )
    return values.read(timeline.machine, whole, unwritten)


def _state_with_parts(timeline: Timeline, lines: SourceLines) -> Machine | None:
    if timeline.machine.status == "halted":
        return timeline.machine
    entered = last_state_in_statement(timeline, lines, timeline.step)
    return None if entered is None else timeline.machine_at(entered)


def last_state_in_statement(
    timeline: Timeline, lines: SourceLines, step: int, ticker: Ticker | None = None
) -> int | None:
    """Return the last state up to ``step`` whose next instruction belongs to a source statement.

    Returns None if there is none.
    """
    begins = first_line_step(timeline, lines)
    if step < begins:
        return None
    machine = timeline.machine
    if machine.steps == step and not machine.skips_instruction:
        if lines.statement_at(machine.location) is not None:
            return step
    return _last_execution(timeline, lines.statement_stops, begins, step, ticker)


def last_statement(
    timeline: Timeline, lines: SourceLines, step: int, ticker: Ticker | None = None
) -> int | None:
    """Return the source statement of the state that ``last_state_in_statement`` finds, or None.

    The statement contains the next instruction of that state.
    """
    last = last_state_in_statement(timeline, lines, step, ticker)
    if last is None:
        return None
    machine = timeline.machine if last == timeline.step else timeline.machine_at(last)
    return lines.statement_at(machine.location)


class MachineFollower:
    """Reports, each time a running machine stops, whether its next step starts a source line.

    ``first_line_step`` is the first step at which a line can start.
    """

    def __init__(self, timeline: Timeline, lines: SourceLines, step: int) -> None:
        """Prepare to follow a machine that is at ``step`` of the timeline."""
        self.first_line_step = first_line_step(timeline, lines)
        self._lines = lines
        self._statement = last_statement(timeline, lines, step)
        self._known = step >= self.first_line_step
        self._inner_stops = 0

    @property
    def stops(self) -> StopSet:
        """The stops that the engine has to watch for next."""
        if not self._known:
            return _NO_STOPS
        if self._statement is None:
            return self._initial_stops
        if self._inner_stops > _MAX_STOPS:
            return self._lines.outside_stops(self._statement)
        return self._lines.other_or_restart_stops(self._statement)

    def is_line_start(self, machine: Machine) -> bool:
        """Return whether the machine's next step starts a line of the source.

        Must be called once at each stop, because it also records the statement of the next step.
        """
        if machine.steps < self.first_line_step:
            return False
        self._known = True
        if machine.skips_instruction:
            return False
        found = self._lines.statement_at(machine.location)
        if found is None:
            self._inner_stops = 0
            return False
        restarted = _is_restart(machine, self._lines, found)
        if found == self._statement:
            self._inner_stops = 0 if restarted else self._inner_stops + 1
            return restarted and self._is_relevant(found)
        previous, self._inner_stops = self._statement, 0
        return self._enter(previous, found, restarted)

    def next_checked_step(self, step: int) -> int:
        """Return the next step at which to call ``is_line_start`` even without a stop, or FAR."""
        return self.first_line_step if step < self.first_line_step else FAR

    # Overridden by ``LineFollower``.

    def _is_relevant(self, statement: int) -> bool:
        return True

    @property
    def _initial_stops(self) -> StopSet:
        return self._lines.statement_stops

    def _enter(self, previous: int | None, statement: int, restarted: bool) -> bool:
        self._statement = statement
        return restarted or self._lines.starts_line(previous, statement)


class LineFollower(MachineFollower):
    """Reports the starts of one line only.

    While the current statement does not relate to this line, the engine watches only for
    statements that do.
    """

    def __init__(self, timeline: Timeline, lines: SourceLines, step: int, line: int) -> None:
        super().__init__(timeline, lines, step)
        self._line = line
        if self._statement is not None and not lines.relates_to(self._statement, line):
            self._statement = None

    @property
    def _initial_stops(self) -> StopSet:
        return self._lines.line_stops(self._line)

    def _is_relevant(self, statement: int) -> bool:
        return self._lines.statement_line(statement) == self._line

    def _enter(self, previous: int | None, statement: int, restarted: bool) -> bool:
        lines = self._lines
        self._statement = statement if lines.relates_to(statement, self._line) else None
        return self._is_relevant(statement) and (
            restarted or lines.starts_line(previous, statement)
        )


_NO_STOPS = StopSet()


def _step_forward(
    timeline: Timeline, lines: SourceLines, ticker: Ticker | None, budget: int | None
) -> bool:
    start_step = timeline.step
    target = FAR if budget is None else start_step + budget
    ticked = time.monotonic()
    try:
        follower = MachineFollower(timeline, lines, start_step)
        while timeline.step < target:
            checked_step = follower.next_checked_step(timeline.step)
            status = timeline.advance(min(target, checked_step), follower.stops)
            if status == "stopped" or timeline.step == checked_step:
                if follower.is_line_start(timeline.machine):
                    return True
            if status in FINAL or status == "needs_input":
                return False
            if time.monotonic() - ticked > _TICK_SECONDS:
                ticked = time.monotonic()
                tick(ticker, timeline.step - start_step, FAR)
    except MoveCancelled:
        timeline.seek(start_step)
        raise
    return False


def _last_execution(
    timeline: Timeline, stops: StopSet, low: int, high: int, ticker: Ticker | None
) -> int | None:
    """Return the last state in ``low`` ≤ step ≤ ``high`` that is at a stop location, or None.

    States whose next step only skips its instruction do not count.
    """
    last = _last_stop_state(timeline, stops, low, high, ticker)
    if timeline.program.has_conditional_instructions:
        while last is not None and timeline.machine_at(last).skips_instruction:
            tick(ticker, high - last, max(1, high - low))
            last = _last_stop_state(timeline, stops, low, last - 1, ticker)
    return last


def _last_stop_state(
    timeline: Timeline, stops: StopSet, low: int, high: int, ticker: Ticker | None
) -> int | None:
    """Return the last state from ``low`` to ``high`` at a stop location, or None."""
    if high < low or not stops.locations:
        return None
    top, recent = high, max(low, high - _RECENT_STEPS)
    marks = timeline.checkpoints.steps_between(low, recent)
    for mark in [recent, *reversed(marks), low]:
        last = last_stop(timeline, stops, mark, top) if mark < top else None
        if last is not None:
            return last
        top = min(top, mark)
        tick(ticker, high - top, max(1, high - low))
    return low if timeline.machine_at(low).location in stops.locations else None


def _run_to_stop(timeline: Timeline, machine: Machine, stops: StopSet, high: int) -> bool:
    """Run ``machine`` to the next stop, at most to ``high``; return whether a stop was reached."""
    for segment_end in timeline.segment_ends(machine.steps, high):
        while machine.steps < segment_end:
            status = machine.run(segment_end - machine.steps, stops)
            if machine.steps == segment_end:
                timeline.apply_edits(machine)
            if status == "stopped" and not machine.skips_instruction:
                return True
            if status in FINAL or status == "needs_input":
                return False
    return False
