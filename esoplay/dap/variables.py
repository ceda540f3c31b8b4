"""The state as the protocol's scopes, variables and stack frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from esolangs.numbers import abbreviate
from esolangs.stops import Address, Slot
from esolangs.view import (
    Actor,
    CallStack,
    Drawing,
    Grid,
    Number,
    Panel,
    Stack,
    StackOfStacks,
    Stage,
    Table,
    Tape,
    Term,
    View,
    Window,
)
from esolangs.wording import format_count
from esoplay.dap.launch import ClientSources, TextPlaces
from esoplay.dap.protocol import RequestError
from esoplay.debugging.debugger import Debugger, address_text
from esoplay.debugging.descriptions import color_text
from esoplay.debugging.source_maps import current_span
from esoplay.debugging.source_maps import variables as named_variables

MAX_VARIABLES = 4096
"""The maximum number of variables in one response."""


class Variables:
    """The variables of the current state; references are valid until the state changes."""

    def __init__(self, debugger: Debugger, numbers: Iterator[int]):
        """Start without references; ``numbers`` yields unused reference numbers."""
        self._debugger = debugger
        self._numbers = numbers
        self._groups: dict[int, VariableItem] = {}
        self._returned: dict[int, dict[str, VariableItem]] = {}

    def forget(self) -> None:
        """Discard all references, because the state has changed."""
        self._groups.clear()
        self._returned.clear()

    def scopes(self) -> list[dict[str, Any]]:
        """Return the scopes: the source variables if a map is open, the panels, the registers."""
        return [
            {
                "name": item.name,
                "variablesReference": self._number(item),
                "expensive": False,
                **({"indexedVariables": item.child_count} if item.child_count else {}),
            }
            for item in self._scopes()
        ]

    def children(self, reference: int, start: int, count: int) -> list[dict[str, Any]]:
        """Return the children of a scope or a variable.

        Raises RequestError if the reference is not valid in the current state.
        """
        group = self._groups.get(reference)
        if group is None or group.read_children is None:
            raise RequestError(f"no variable with reference {reference} in this state")
        count = MAX_VARIABLES if count <= 0 else min(count, MAX_VARIABLES)
        items = group.read_children(max(0, start), count)
        self._returned.setdefault(reference, {}).update({item.name: item for item in items})
        return [self._as_json(item) for item in items]

    def find(self, reference: int, name: str) -> VariableItem | None:
        """Return a variable that ``children`` returned before, or None."""
        return self._returned.get(reference, {}).get(name)

    def _number(self, item: VariableItem) -> int:
        if item.read_children is None:
            return 0
        number = next(self._numbers)
        self._groups[number] = item
        return number

    def _as_json(self, item: VariableItem) -> dict[str, Any]:
        data: dict[str, Any] = {
            "name": item.name,
            "value": item.value,
            "variablesReference": self._number(item),
        }
        if item.kind:
            data["type"] = item.kind
        if item.child_count:
            data["indexedVariables"] = item.child_count
        if item.expression:
            data["evaluateName"] = item.expression
        if not item.is_changeable:
            data["presentationHint"] = {"attributes": ["readOnly"]}
        return data

    def _scopes(self) -> Iterator[VariableItem]:
        if self._debugger.source_map is not None:
            yield VariableItem("variables", "", read_children=self._source_variables)
        for panel in self._debugger.view().panels:
            if not isinstance(panel, CallStack):  # its frames are in the stack trace
                yield from panel_scopes(panel, self._debugger)
        yield VariableItem("registers", "", read_children=self._registers)

    def _source_variables(self, start: int, count: int) -> list[VariableItem]:
        found = named_variables(self._debugger)
        return [
            VariableItem(
                each.name,
                each.text,
                "" if each.value is None else "int",
                expression="" if each.value is None else each.name,
                place=None,
                source_name=each.name if each.cells else "",
            )
            for each in found[start : start + count]
        ]

    def _registers(self, start: int, count: int) -> list[VariableItem]:
        meanings = self._debugger.program.register_names()
        values = list(self._debugger.registers().items())[start : start + count]
        return [
            VariableItem(name, str(abbreviate(value)), meanings.get(name, ""), expression=name)
            for name, value in values
        ]


# The stack trace: the line of the generator, the next instruction, and the loops and calls.

_MAX_FRAMES = 1000
"""The maximum number of frames in a stack trace."""


class StackFrames:
    """The frames of the current state, innermost first; frame ids count from 1."""

    def __init__(self, debugger: Debugger, places: TextPlaces, sources: ClientSources):
        self._debugger = debugger
        self._places = places
        self._sources = sources

    def trace(self, start: int, levels: int) -> tuple[list[dict[str, Any]], int]:
        """Return ``levels`` frames (0: all) from index ``start``, and the number of all frames."""
        view = self._debugger.view(Window(depth=_MAX_FRAMES))
        frames = [
            *self._generator_frames(),
            self._instruction_frame(view),
            *self._enclosing_frames(view),
        ]
        for number, frame in enumerate(frames, 1):
            frame["id"] = number
        end = start + levels if levels > 0 else len(frames)
        return frames[start:end], len(frames)

    def _generator_frames(self) -> list[dict[str, Any]]:
        here = current_span(self._debugger)
        places = self._sources.generator_places
        if here is None or places is None:
            return []
        row = places.row(places.client_line(here.line))
        end = places.place(places.bounds(row)[1])[1] if row is not None else 1
        return [
            {
                "name": here.label or f"line {here.line}",
                "source": self._sources.generator,
                "line": places.client_line(here.line),
                "column": places.place(0)[1],
                "endLine": places.client_line(here.line),
                "endColumn": end,
            }
        ]

    def _instruction_frame(self, view: View) -> dict[str, Any]:
        at = view.location
        name = at.explanation
        if at.instruction:
            # Whitespace's instructions are invisible.
            spelled = (
                at.readable_instruction
                if at.readable_instruction.isprintable()
                else ascii(at.readable_instruction)
            )
            name = f"{spelled}  {at.explanation}"
        for panel in view.panels:
            if isinstance(panel, Stage):
                name = f"{panel.scene}: {at.explanation}" if panel.scene else name
        return {"name": name, **self._span(at.span)}

    def _enclosing_frames(self, view: View) -> list[dict[str, Any]]:
        return [
            {
                "name": f"{frame.label}, round {frame.times}" if frame.times else frame.label,
                "presentationHint": "subtle",
                **self._span(frame.span),
            }
            for panel in view.panels
            if isinstance(panel, CallStack)
            for frame in panel.frames
        ]

    def _span(self, span: tuple[int, int]) -> dict[str, Any]:
        source = self._debugger.program.source
        if span[0] == len(source) and source.endswith(b"\n"):  # editors do not show a line after it
            span = (span[0] - 1, span[0] - 1)
        line, column = self._places.place(span[0])
        end_line, end_column = self._places.place(span[1])
        return {
            "source": self._sources.program,
            "line": line,
            "column": column,
            "endLine": end_line,
            "endColumn": end_column,
        }


# Panels as trees of variables, which are read on demand.

_MAX_ROW_CELLS = 200  # columns of a plane in one row


@dataclass(frozen=True, slots=True)
class VariableItem:
    """A variable, or a group of variables such as a scope.

    read_children: returns children, given the first index and the count. child_count: the number of
    indexed children. expression: the watch expression of the variable. source_name: its name in the
    source map, used to set it.
    """

    name: str
    value: str
    kind: str = ""
    read_children: Callable[[int, int], list[VariableItem]] | None = None
    child_count: int = 0
    expression: str = ""
    place: Address | Slot | None = None
    source_name: str = ""

    @property
    def is_changeable(self) -> bool:
        """Whether the variable can be set; values on stacks cannot."""
        return bool(self.source_name) or not isinstance(self.place, Slot | None)


def panel_scopes(panel: Panel, debugger: Debugger) -> Iterator[VariableItem]:
    """Yield the protocol's scopes for a panel."""
    return _Panels(debugger).read(panel)


class _Panels:
    """A converter of the state's panels to variables, which reads their children on request."""

    def __init__(self, debugger: Debugger):
        self._debugger = debugger

    def read(self, panel: Panel) -> Iterator[VariableItem]:
        if isinstance(panel, Tape):
            low, size = panel.low, panel.high - panel.low + 1
            yield VariableItem(
                panel.name,
                "",
                read_children=lambda start, count: self._tape(low, start, count),
                child_count=size,
            )
        elif isinstance(panel, Grid):
            yield VariableItem(
                panel.name,
                "",
                read_children=self._rows,
                child_count=panel.high[1] - panel.low[1] + 1,
            )
        elif isinstance(panel, Stack):
            yield self._stack(panel)
        elif isinstance(panel, StackOfStacks):
            stacks = [self._stack(stack) for stack in panel.stacks]
            yield VariableItem(
                panel.name, "", read_children=lambda start, count: stacks[start : start + count]
            )
        elif isinstance(panel, Table):
            yield VariableItem(
                panel.name,
                "",
                read_children=lambda start, count: self._table(panel.name, start, count),
                child_count=panel.size,
            )
        elif isinstance(panel, Term):
            term = VariableItem("term", panel.text)
            yield VariableItem(
                panel.name, "", read_children=lambda start, count: [term][start : start + count]
            )
        elif isinstance(panel, Stage):
            actors = [self._actor(actor) for actor in panel.actors]
            yield VariableItem(
                panel.name, "", read_children=lambda start, count: actors[start : start + count]
            )
        elif isinstance(panel, Drawing):
            parts = self._drawing(panel)
            yield VariableItem(
                panel.name, "", read_children=lambda start, count: parts[start : start + count]
            )

    def _tape(self, low: int, start: int, count: int) -> list[VariableItem]:
        view = self._debugger.view(Window(cells=count, first=low + start))
        tape = next(panel for panel in view.panels if isinstance(panel, Tape))
        return [
            self._cell(at, value)
            for at, value in enumerate(tape.cells, tape.first)
            if low + start <= at <= tape.high
        ]

    def _cell(self, address: Address, value: Number) -> VariableItem:
        name = f"cell[{address_text(address)}]"
        return VariableItem(name, value_text(value), "cell", expression=name, place=address)

    def _rows(self, start: int, count: int) -> list[VariableItem]:
        """Return the used rows of a plane, each as text."""
        first = next(p for p in self._debugger.view().panels if isinstance(p, Grid))
        (left, top), (right, bottom) = first.low, first.high
        window = Window(
            width=min(right - left + 1, _MAX_ROW_CELLS),
            height=min(count, bottom - top + 1),
            corner=(left, top + start),
        )
        view = self._debugger.view(window)
        grid = next(panel for panel in view.panels if isinstance(panel, Grid))
        return [
            self._row(grid.left, grid.top + at, row)
            for at, row in enumerate(grid.rows)
            if top + start <= grid.top + at <= bottom
        ]

    def _row(self, left: int, y: int, row: tuple[Number, ...]) -> VariableItem:
        cells = [self._cell((left + at, y), value) for at, value in enumerate(row)]
        text = "".join(_character(value) for value in row).rstrip()
        return VariableItem(
            f"row {y}",
            text,
            read_children=lambda start, count: cells[start : start + count],
            child_count=len(cells),
        )

    def _stack(self, stack: Stack) -> VariableItem:
        def values(start: int, count: int) -> list[VariableItem]:
            """Return ``count`` values from the top of the stack down, after the first ``start``."""
            found = self._with_depth(stack, start + count).values[start : start + count]
            return [
                VariableItem(
                    f"[{stack.depth - 1 - at}]",
                    value_text(value),
                    "top" if at == 0 else "",
                    place=Slot(stack.key, stack.depth - 1 - at),
                )
                for at, value in enumerate(found, start)
            ]

        top = format_count(stack.depth, "value") if stack.values else "empty"
        if stack.values:
            top += f", {value_text(stack.values[0])} on top"
        return VariableItem(stack.name, top, "stack", read_children=values, child_count=stack.depth)

    def _with_depth(self, stack: Stack, depth: int) -> Stack:
        """Return a stack with at least its top ``depth`` values, or with all if it has fewer."""
        if depth <= len(stack.values):
            return stack
        view = self._debugger.view(Window(depth=min(depth, stack.depth)))
        for panel in view.panels:
            for found in _stacks(panel):
                if found.key == stack.key:
                    return found
        return stack

    def _table(self, name: str, start: int, count: int) -> list[VariableItem]:
        view = self._debugger.view(Window(depth=start + count))
        table = next(p for p in view.panels if isinstance(p, Table) and p.name == name)
        return [self._entry(table, row) for row in table.rows[start : start + count]]

    def _entry(self, table: Table, row: tuple[Number, ...]) -> VariableItem:
        values = ", ".join(map(str, row[1:]))
        if isinstance(row[0], int) and table.columns == ("address", "value"):
            return self._cell(row[0], row[1])
        return VariableItem(str(row[0]), values, ", ".join(table.columns[1:]))

    def _drawing(self, drawing: Drawing) -> list[VariableItem]:
        """Return the variables of the turtle, then the lines in the order of drawing."""
        return [
            VariableItem("position", address_text(drawing.position)),
            VariableItem("heading", str(drawing.heading), "degrees"),
            VariableItem("pen", "down" if drawing.pen else "up"),
            VariableItem("color", color_text(drawing.color)),
            VariableItem("paper", color_text(drawing.paper)),
            VariableItem(
                "lines",
                str(drawing.size),
                read_children=lambda start, count: self._lines(drawing.name, start, count),
                child_count=drawing.size,
            ),
        ]

    def _lines(self, name: str, start: int, count: int) -> list[VariableItem]:
        size = next(p for p in self._debugger.view().panels if isinstance(p, Drawing)).size
        view = self._debugger.view(Window(lines=min(MAX_VARIABLES, size - start)))
        drawing = next(p for p in view.panels if isinstance(p, Drawing) and p.name == name)
        first = size - len(drawing.lines)
        return [
            VariableItem(
                f"[{number}]",
                f"{address_text(line.start)} to {address_text(line.end)}",
                color_text(line.color),
            )
            for number, line in enumerate(drawing.lines, first)
            if start <= number < start + count
        ]

    def _actor(self, actor: Actor) -> VariableItem:
        details = ", ".join(
            part for part in (actor.role, "" if actor.on_stage else "off stage") if part
        )
        stack = self._stack(actor.stack)
        return VariableItem(
            actor.name,
            value_text(actor.value),
            details,
            read_children=lambda start, count: [stack][start : start + count],
            expression=f"cell[{actor.stack.key}]",
            place=actor.stack.key,  # a character's cell and stack have the same number
        )


def value_text(value: Number) -> str:
    """Return a number, followed by the printable character with this code, if any."""
    if isinstance(value, int) and 0x20 < value < 0x7F:
        return f"{value} {chr(value)!r}"
    return str(value)


def _character(value: Number) -> str:
    return chr(value) if isinstance(value, int) and 0x20 <= value < 0x7F else "·"


def _stacks(panel: Panel) -> tuple[Stack, ...]:
    if isinstance(panel, Stack):
        return (panel,)
    if isinstance(panel, StackOfStacks):
        return panel.stacks
    if isinstance(panel, Stage):
        return tuple(actor.stack for actor in panel.actors)
    return ()
