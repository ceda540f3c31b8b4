"""The source line and the variables at the current step, from a source map."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from esoplay.debugging.debugger import Debugger

if TYPE_CHECKING:
    from esolangs.stops import Address
    from esoplay.codegen.source_map import MappedSpan, SourceMap
    from esoplay.debugging.source_maps import SourceVariable

_CELL = re.compile(r"cell\[\s*(-?\d+)\s*(?:,\s*(-?\d+)\s*)?\]")
_LOCAL_SEPARATOR = " of "
"""The separator between a local variable and its function."""
_MAX_ELEMENTS = 40
"""Maximum number of array elements in one row."""


class VariableRow(NamedTuple):
    """A row in the list of variables: a variable, an array, or an element of an expanded array.

    cells: the addresses of the variable, if it is stored in cells. members: the names of the
    array's elements. previous_text: the text in the previous snapshot, if it was different.
    """

    name: str
    text: str
    cells: tuple[Address, ...]
    members: frozenset[str]
    previous_text: str | None = None
    is_array: bool = False
    is_element: bool = False


class SourcePosition(NamedTuple):
    """The source span of the next instruction, and the variables at this step.

    span: None if the map has no span for the instruction. previous_variables: the variables
    in the previous snapshot.
    """

    source_map: SourceMap
    span: MappedSpan | None
    variables: tuple[SourceVariable, ...]
    previous_variables: tuple[SourceVariable, ...]

    @property
    def line(self) -> int | None:
        return None if self.span is None else self.span.line


class SourceTracker:
    """Finds the source position of a debugger, and saves values to mark later changes."""

    def __init__(self, debugger: Debugger) -> None:
        self._debugger = debugger
        self._previous_variables: tuple[SourceVariable, ...] = ()
        self.steps_by_line = False

    @property
    def source_map(self) -> SourceMap | None:
        return self._debugger.source_map

    def current(self) -> SourcePosition | None:
        """Return the current position in the source, or None without a map."""
        if self.source_map is None:
            return None
        # Imported only if there is a map, because it takes 10 ms.
        from esoplay.debugging import source_maps

        span = source_maps.current_span(self._debugger)
        variables = source_maps.variables(self._debugger)
        return SourcePosition(self.source_map, span, variables, self._previous_variables)

    def store_values(self, position: SourcePosition | None) -> None:
        """Save the values of ``position``, so that later changes can be marked."""
        self._previous_variables = () if position is None else position.variables


def use_map(debugger: Debugger, source_map: SourceMap) -> str:
    """Open a map in the debugger; return "" or the reason why the map cannot be used."""
    from esoplay.codegen.source_map import MapError

    try:
        debugger.use_map(source_map)
    except MapError as error:
        return f"{error}; the map is not used"
    return ""


def variable_rows(position: SourcePosition, expanded: Collection[str]) -> list[VariableRow]:
    """Return the rows of the list of variables; the local variables of functions are last."""
    previous_texts = {each.name: each.text for each in position.previous_variables}
    rows: list[VariableRow] = []
    local_rows: list[VariableRow] = []
    for name, group in groupby(position.variables, key=lambda each: each.name.partition("[")[0]):
        members = list(group)
        is_array = len(members) > 1 or "[" in members[0].name
        member_rows = [_variable_row(each, previous_texts, is_element=is_array) for each in members]
        shown = [_array_row(name, member_rows, previous_texts)] if is_array else member_rows
        if is_array and name in expanded:
            shown += member_rows
        (local_rows if _LOCAL_SEPARATOR in name else rows).extend(shown)
    return rows + local_rows


def cell_addresses(cells: Sequence[str]) -> tuple[Address, ...]:
    """Return the addresses in texts such as ``cell[12]`` and ``cell[3, 4]``; skip other texts."""
    return tuple(_cell_addresses(cells))


def _cell_addresses(cells: Sequence[str]) -> Iterator[Address]:
    for cell in cells:
        match = _CELL.fullmatch(cell)
        if match is not None:
            x, y = match.groups()
            yield int(x) if y is None else (int(x), int(y))


def _variable_row(
    variable: SourceVariable, previous_texts: dict[str, str], *, is_element: bool
) -> VariableRow:
    previous = previous_texts.get(variable.name, variable.text)
    changed = previous if previous != variable.text else None
    cells = cell_addresses(variable.cells)
    name = variable.name
    return VariableRow(
        name, variable.text, cells, frozenset({name}), changed, is_element=is_element
    )


def _array_row(
    name: str, members: Sequence[VariableRow], previous_texts: dict[str, str]
) -> VariableRow:
    """Return one row that shows a whole array; characters are shown as text.

    members: the rows of the elements.  previous_texts: the previous text of each variable, by name.
    """
    now = [each.text for each in members]
    text = _array_text(now)
    previous = _array_text([previous_texts.get(each.name, each.text) for each in members])
    cells = tuple(cell for each in members for cell in each.cells)
    changed = previous if any(each.previous_text is not None for each in members) else None
    names = frozenset(each.name for each in members)
    return VariableRow(f"{name}[{len(members)}]", text, cells, names, changed, is_array=True)


def _array_text(texts: Sequence[str]) -> str:
    """Return elements as ``3 1 2`` or ``"abc" 0 …``; equal elements at the end are shown once."""
    numbers = [each.partition(" ")[0] for each in texts]
    last = len(numbers)
    while last > 1 and numbers[last - 2] == numbers[-1]:
        last -= 1
    letters = ""
    for number in numbers[:last]:
        if not number.isdecimal() or not 32 <= int(number) < 127:
            break
        letters += chr(int(number))
    rest = numbers[len(letters) : last] if len(letters) > 1 else numbers[:last]
    parts = [f'"{letters}"'] if len(letters) > 1 else []
    parts += rest[:_MAX_ELEMENTS]
    more = last < len(numbers) or len(rest) > _MAX_ELEMENTS
    return " ".join(parts) + (" …" if more else "")
