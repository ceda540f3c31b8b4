"""The source lines of a generated program, and the rule for when a line is started.

A source map assigns spans of the program to lines.  Spans form *statements*: spans with the same
number in the map are one statement.  A span without a number belongs to the statement of the span
around it if that has the same line; on a plane, all spans of a line are one statement, as they may
lie in several rows.  An instruction belongs to the statement of the innermost span around it, or to
none.  In a language whose programs consist of values that are called (see
``Program.entry_address``), only the instruction where a span is entered belongs to its statement.

Let P be the statement of the next instruction, and Q the statement of the last executed instruction
that belonged to one.  The line of P is started in such a state if

- there is no Q, or Q is not P; except if Q is inside a span of P that the map marks as ``once``,
such as an ``if``: then only the end of P remains; or
- Q is P or is inside P in that way, but the next instruction is the first of P, and the last
executed instruction is not in a span: then P is executed again.

A step by source line moves to the next state, in either direction, in which a line is started.  It
does not depend on where the step begins, so both directions visit the same states.

Code without a statement, such as a subroutine that several lines call, is skipped.  Before a
program has constructed itself (see ``SourceMap.begins``), no line is started, and a step that only
skips its instruction (see ``Machine.skips_instruction``) belongs to no statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from esolangs.language import Program
from esolangs.stops import Address, StopSet
from esoplay.codegen.source_map import MapError, MappedSpan, SourceMap
from esoplay.errors import UsageError
from esoplay.timeline.places import is_on_plane
from esoplay.timeline.source_variables import SourceValues

_MAX_LINES = 12  # maximum number of lines in an error
_MAX_NESTED = 2_000_000  # maximum pairs of a span and a ``once`` statement around it
_MAX_CACHED = 8  # maximum sets of stops, each about as large as the program


class _OpenSpan(NamedTuple):
    """A span around the current instruction while ``SourceLines`` reads a map.

    ``is_called``: whether the span is a value that is called. ``once_statements``: the ``once``
    statements around the contents of the span.
    """

    span: MappedSpan
    statement: int
    is_called: bool
    once_statements: frozenset[int]


class SourceLines:
    """The source lines and statements of a program's instructions, according to a source map.

    ``lines`` are the lines that generated an instruction, ascending.
    """

    def __init__(self, program: Program, source_map: SourceMap) -> None:
        """Read the map; raise MapError if it is of another program or its spans nest too deeply."""
        source_map.check(program.source)
        self.source_map = source_map
        self._program = program
        self._line_of: list[int] = []  # line of each statement
        self._instructions: list[dict[Address, None]] = []  # in program order
        self._enclosing: list[set[int]] = []  # enclosing ``once`` statements
        self._value_statements: set[int] = set()  # statements that are values
        self._statement: dict[Address, int] = {}
        self._line: dict[Address, int] = {}
        self._offset: dict[Address, int] = {}  # only on a plane
        self._stops: dict[tuple[str, int], StopSet] = {}
        self._is_on_plane = is_on_plane(program)
        self._nested = 0
        self._read_spans()
        starts = (program.address_at(start) for start, _ in program.spans())
        self._mapped = frozenset(self._statement)
        self._unmapped = frozenset(starts) - self._line.keys()
        self.lines = sorted({self._line_of[statement] for statement in self._statement.values()})

    def _read_spans(self) -> None:
        program, spans, at = self._program, self.source_map.spans, 0
        numbers: dict[tuple[str, int], int] = {}
        around: list[_OpenSpan] = []
        for offset, _ in sorted(program.spans()):
            while at < len(spans) and spans[at].start <= offset:
                while around and around[-1].span.end <= spans[at].start:
                    around.pop()
                parent = around[-1] if around else None
                around.append(self._open(spans[at], parent, numbers, at))
                at += 1
            while around and around[-1].span.end <= offset:
                around.pop()
            if around:
                span, statement, is_called, _once = around[-1]
                address = program.address_at(offset)
                self._line[address] = span.line
                if not is_called:
                    self._enter(address, statement)
                if self._is_on_plane:
                    self._offset[address] = offset

    def _open(
        self,
        span: MappedSpan,
        parent: _OpenSpan | None,
        numbers: dict[tuple[str, int], int],
        span_index: int,
    ) -> _OpenSpan:
        if span.statement:
            key = "number", span.statement
        elif self._is_on_plane:
            key = "line", span.line
        elif parent is not None and parent.span.line == span.line:
            key = "inside", parent.statement
            numbers[key] = parent.statement
        else:
            key = "span", span_index
        statement = numbers.setdefault(key, len(self._line_of))
        if statement == len(self._line_of):
            self._line_of.append(span.line)
            self._instructions.append({})
            self._enclosing.append(set())
        around = frozenset[int]() if parent is None else parent.once_statements
        self._enclosing[statement] |= around - {statement}
        entry = self._program.entry_address((span.start, span.end))
        if entry is not None:
            self._value_statements.add(statement)
            self._enter(entry, statement)
        inner = around | {statement} if span.once else around - {statement}
        self._nested += len(inner)
        if self._nested > _MAX_NESTED:
            raise MapError(f"the map of {self.source_map.name} nests spans too deeply")
        return _OpenSpan(span, statement, entry is not None, inner)

    def _enter(self, address: Address, statement: int) -> None:
        before = self._statement.get(address)
        if before is not None:  # if two values are entered at one place, the inner value counts
            del self._instructions[before][address]
        self._statement[address] = statement
        self._instructions[statement][address] = None

    @cached_property
    def values(self) -> SourceValues:
        """The variables of the map, read on first use."""
        registers = tuple(self._program.register_names())
        return SourceValues(self.source_map.variables, registers, self.statement_at)

    def statement_at(self, location: Address) -> int | None:
        """Return the statement of the instruction at ``location``, or None."""
        return self._statement.get(location)

    def span_at(self, location: Address) -> MappedSpan | None:
        """Return the innermost span around the instruction at ``location``, or None."""
        if isinstance(location, tuple):
            offset = self._offset.get(location)
            return None if offset is None else self.source_map.span_at(offset)
        return self.source_map.span_at(location)

    def statement_line(self, statement: int) -> int:
        """Return the source line of a statement."""
        return self._line_of[statement]

    def starts_line(self, previous_statement: int | None, statement: int) -> bool:
        """Return whether moving to a statement starts a line; True without a previous one."""
        if previous_statement is None:
            return True
        enclosing = self._enclosing[previous_statement]
        return previous_statement != statement and statement not in enclosing

    def restarts(self, statement: int, location: Address) -> bool:
        """Return whether a statement restarts when execution reaches ``location``.

        The caller must check that the previous instruction is outside all spans of the source map.
        """
        first = next(iter(self._instructions[statement]), None)
        return location == first and statement not in self._value_statements

    def first_instruction(self, statement: int) -> frozenset[Address]:
        """Return the instruction at which the statement can begin again, as a set; empty if none.

        It is the statement's first, and the statement begins again when it is reached from outside
        all spans.
        """
        again = (
            self._unmapped
            and self._instructions[statement]
            and statement not in self._value_statements
        )
        return frozenset([next(iter(self._instructions[statement]))] if again else ())

    def instructions(self, line: int) -> frozenset[Address]:
        """Return the instructions of a line; raise UsageError if it generated none."""
        found = frozenset(
            address
            for statement in self._statements(line)
            for address in self._instructions[statement]
        )
        if not found:
            name = self.source_map.name
            raise UsageError(
                f"line {line} of {name} generated no instruction{self._known_lines_text(line)}"
            )
        return found

    def _statements(self, line: int) -> list[int]:
        return [number for number, each in enumerate(self._line_of) if each == line]

    def _instructions_within(self, statement: int) -> frozenset[Address]:
        """Return a statement's instructions; for an ``if``, also the instructions inside it.

        The same applies to every statement that the map marks as ``once``.
        """
        return frozenset(self._instructions[statement]).union(
            *(
                self._instructions[at]
                for at, quiet in enumerate(self._enclosing)
                if statement in quiet
            )
        )

    def relates_to(self, statement: int, line: int) -> bool:
        """Return whether a statement, or a ``once`` statement around it, belongs to ``line``.

        The map marks a statement such as an ``if`` as ``once``.
        """
        if self._line_of[statement] == line:
            return True
        return any(self._line_of[at] == line for at in self._enclosing[statement])

    def _known_lines_text(self, line: int) -> str:
        """Describe the lines that generated instructions; of many, only the nearest to ``line``."""
        near = sorted(sorted(self.lines, key=lambda each: abs(each - line))[:_MAX_LINES])
        if not near:
            return "; no other line generated one"
        more = len(self.lines) - len(near)
        return f"; {'the nearest ' if more else ''}lines with instructions: {_ranges(near)}"

    def instruction_lines(self) -> Iterator[tuple[Address, int]]:
        """Yield each instruction that the map covers, with its source line."""
        yield from self._line.items()

    # Sets of stops for engines.

    @property
    def statement_stops(self) -> StopSet:
        """The stops before instructions of any statement."""
        return self._cached_stops("lined", 0, lambda: self._mapped)

    @property
    def unmapped_stops(self) -> StopSet:
        """The stops before instructions that are not in any span of the map."""
        return self._cached_stops("unlined", 0, lambda: self._unmapped)

    def other_stops(self, statement: int) -> StopSet:
        """Return the stops before instructions of all statements except ``statement``."""
        return self._cached_stops(
            "others", statement, lambda: self._mapped.difference(self._instructions[statement])
        )

    def other_or_restart_stops(self, statement: int) -> StopSet:
        """Return the stops before all other statements, and before the start of ``statement``.

        If the statement cannot be restarted (see ``first_instruction``), its start is left out.
        """
        return self._cached_stops(
            "beyond",
            statement,
            lambda: self.other_stops(statement).locations | self.first_instruction(statement),
        )

    def outside_stops(self, statement: int) -> StopSet:
        """Return the stops before all instructions that do not belong to ``statement``.

        Unlike in ``other_stops``, these include the instructions outside all spans of the map.
        """
        every = self._mapped | self._unmapped
        return self._cached_stops(
            "outside", statement, lambda: every.difference(self._instructions[statement])
        )

    def line_stops(self, line: int) -> StopSet:
        """Return the stops in the statements of a line.

        If the source map marks one of them as ``once``, such as an ``if``, the stops in the
        statements inside it are included.
        """
        return self._cached_stops(
            "into",
            line,
            lambda: frozenset[Address]().union(
                *map(self._instructions_within, self._statements(line))
            ),
        )

    def _cached_stops(
        self, kind: str, key: int, locations: Callable[[], frozenset[Address]]
    ) -> StopSet:
        """Return the cached stops for ``kind`` and ``key``; create them from ``locations`` if new.

        Engines analyse each new set of stops, so the same object is returned again.
        """
        stops = self._stops.pop((kind, key), None) or StopSet(locations=locations())
        while len(self._stops) >= _MAX_CACHED:
            del self._stops[next(iter(self._stops))]
        self._stops[kind, key] = stops
        return stops


def _ranges(lines: list[int]) -> str:
    """Return ascending numbers as text, such as ``2-4, 7``."""
    parts: list[list[int]] = []
    for line in lines:
        if parts and parts[-1][-1] == line - 1:
            parts[-1].append(line)
        else:
            parts.append([line])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)
