"""Where the lines of a generator's source are in a program, and when a line is begun.

A source map puts spans of the program down to lines.  The *statements* of a line are its spans,
where a span inside of another one of the same line belongs to that one; where code lies on a
plane, all spans of a line are one statement, as it may lie in several rows.  An instruction
belongs to the innermost span around it, and so to a statement, or to none.

A line is begun in a state whose next instruction belongs to a statement of it, if

- the last instruction before it that belonged to a statement belonged to another one, or
- there was none, or
- it is the first instruction of its statement, and the instruction executed just before belongs
  to no statement: the statement is executed anew.

A step by source line goes to the next state in which a line is begun, whichever way.  So it does
not depend on where the step begins, and what is met backwards is what was met forwards, reversed.
Code that belongs to no statement, such as subroutines that several lines call, is passed over.
What a program puts together before it runs (see ``SourceMap.begins``) begins no line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from esolangs.language import Program
from esolangs.stops import Address, StopSet
from esoplay.errors import UsageError
from esoplay.timeline.places import on_a_plane

if TYPE_CHECKING:
    from esoplay.codegen.source_map import Mapped, SourceMap

_MOST_LINES = 12  # that an error names
_KEPT = 8  # sets of stops, each about as large as the program


class SourceLines:
    """A program and its map.

    lines: those that have made an instruction, ascending.
    """

    def __init__(self, program: Program, source_map: SourceMap) -> None:
        """Raises MapError when the map is about another program."""
        source_map.check(program.source)
        self.source_map = source_map
        self._program = program
        self._line_of: list[int] = []  # by statement
        self._members: list[list[Address]] = []
        self._statement: dict[Address, int] = {}
        self._offset: dict[Address, int] = {}
        self._stops: dict[tuple[str, int], StopSet] = {}
        self._find_statements(on_a_plane(program))
        starts = (program.address_of(start) for start, _ in program.spans())
        self._lined = frozenset(self._statement)
        self._unlined = frozenset(starts) - self._lined
        self.lines = sorted({self._line_of[statement] for statement in self._statement.values()})

    def _find_statements(self, plane: bool) -> None:
        spans, at = self.source_map.spans, 0
        around: list[tuple[int, int, int]] = []  # end, line and statement of open spans
        by_line: dict[int, int] = {}
        for offset, _ in sorted(self._program.spans()):
            while at < len(spans) and spans[at].start <= offset:
                start, end, line, _label = spans[at]
                at += 1
                while around and around[-1][0] <= start:
                    around.pop()
                if plane:
                    statement = by_line.setdefault(line, len(by_line))
                elif around and around[-1][1] == line:
                    statement = around[-1][2]
                else:
                    statement = len(self._line_of)
                if statement == len(self._line_of):
                    self._line_of.append(line)
                    self._members.append([])
                around.append((end, line, statement))
            while around and around[-1][0] <= offset:
                around.pop()
            if around:
                address = self._program.address_of(offset)
                self._statement[address] = around[-1][2]
                self._members[around[-1][2]].append(address)
                if plane:
                    self._offset[address] = offset

    def statement_at(self, location: Address) -> int | None:
        """The statement that the instruction there belongs to."""
        return self._statement.get(location)

    def line_at(self, location: Address) -> int | None:
        """The line of that statement."""
        statement = self._statement.get(location)
        return None if statement is None else self._line_of[statement]

    def span_at(self, location: Address) -> Mapped | None:
        """The innermost span of the map around the instruction there."""
        if isinstance(location, tuple):
            offset = self._offset.get(location)
            return None if offset is None else self.source_map.span_at(offset)
        return self.source_map.span_at(location)

    def line_of(self, statement: int) -> int:
        """The line that made a statement."""
        return self._line_of[statement]

    def head(self, statement: int) -> Address:
        """The first instruction of a statement that has one."""
        return self._members[statement][0]

    def instructions(self, line: int) -> frozenset[Address]:
        """The instructions of a line; UsageError names the lines that have some."""
        found = [
            address
            for statement, members in enumerate(self._members)
            if self._line_of[statement] == line
            for address in members
        ]
        if not found:
            raise UsageError(
                f"line {line} of {self.source_map.name} made no instruction{self._told(line)}"
            )
        return frozenset(found)

    def _told(self, line: int) -> str:
        """The lines there are, those around ``line`` if they are many."""
        near = sorted(sorted(self.lines, key=lambda each: abs(each - line))[:_MOST_LINES])
        if not near:
            return "; no line did"
        more = len(self.lines) - len(near)
        return f"; {'the nearest of the ' if more else ''}lines that did: {_ranges(near)}"

    def by_instruction(self) -> Iterator[tuple[Address, int]]:
        """Each instruction that belongs to a line, with that line."""
        for address, statement in self._statement.items():
            yield address, self._line_of[statement]

    # What engines watch for.

    @property
    def lined(self) -> StopSet:
        """Before an instruction that belongs to a statement."""
        return self._kept("lined", 0, self._lined)

    @property
    def unlined(self) -> StopSet:
        """Before an instruction of the source that belongs to none."""
        return self._kept("unlined", 0, self._unlined)

    def others(self, statement: int) -> StopSet:
        """Before an instruction of another statement."""
        return self._kept("others", statement, self._lined, statement)

    def beyond(self, statement: int) -> StopSet:
        """Before one of another statement, or the first of this one, which may be begun anew."""
        again = frozenset({self.head(statement)} if self._unlined else ())
        return self._kept("beyond", statement, self._lined, statement, again)

    def outside(self, statement: int) -> StopSet:
        """Before an instruction of the source that does not belong to this statement."""
        return self._kept("outside", statement, self._lined | self._unlined, statement)

    def _kept(
        self,
        kind: str,
        key: int,
        locations: frozenset[Address],
        without: int | None = None,
        with_: frozenset[Address] = frozenset(),
    ) -> StopSet:
        """The same object again, which an engine then need not look through a second time."""
        stops = self._stops.pop((kind, key), None)
        if stops is None:
            if without is not None:
                locations = locations.difference(self._members[without]) | with_
            stops = StopSet(locations=locations)
        while len(self._stops) >= _KEPT:
            del self._stops[next(iter(self._stops))]
        self._stops[kind, key] = stops
        return stops


def _ranges(lines: list[int]) -> str:
    """Ascending numbers in words: ``2-4, 7``."""
    parts: list[list[int]] = []
    for line in lines:
        if parts and parts[-1][-1] == line - 1:
            parts[-1].append(line)
        else:
            parts.append([line])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)
