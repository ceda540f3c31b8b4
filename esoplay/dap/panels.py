"""The panels of a state as trees of variables, of which only what is asked for is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from esolangs.stops import Address, Slot
from esolangs.view import (
    Actor,
    Grid,
    Number,
    Panel,
    Stack,
    StackOfStacks,
    Stage,
    Table,
    Tape,
    Term,
    Window,
)
from esoplay.service.debugging import Debugger, address_text

_SIDE = 200  # columns of a plane in one row


@dataclass(frozen=True, slots=True)
class Item:
    """One variable.

    inner: what is inside of it, asked for with the first one wanted and how many.
    indexed: how many there are inside, where they are numbered.  place: what can be watched.
    name_of_map: what a source map calls it, and can be set by.
    """

    name: str
    value: str
    kind: str = ""
    inner: Callable[[int, int], list[Item]] | None = None
    indexed: int = 0
    expression: str = ""
    place: Address | Slot | None = None
    name_of_map: str = ""

    @property
    def changeable(self) -> bool:
        """Whether it can be given another value: places on stacks cannot."""
        return bool(self.name_of_map) or not isinstance(self.place, Slot | None)


def items_of(panel: Panel, debugger: Debugger) -> Iterator[Item]:
    """The scopes that a panel comes to."""
    return _Panels(debugger).of(panel)


class _Panels:
    """Reads further parts of the panels of one state."""

    def __init__(self, debugger: Debugger):
        self._debugger = debugger

    def of(self, panel: Panel) -> Iterator[Item]:
        if isinstance(panel, Tape):
            low, size = panel.low, panel.high - panel.low + 1
            yield Item(
                panel.name,
                "",
                inner=lambda start, count: self._tape(low, start, count),
                indexed=size,
            )
        elif isinstance(panel, Grid):
            yield Item(panel.name, "", inner=self._rows, indexed=panel.high[1] - panel.low[1] + 1)
        elif isinstance(panel, Stack):
            yield self._stack(panel)
        elif isinstance(panel, StackOfStacks):
            stacks = [self._stack(stack) for stack in panel.stacks]
            yield Item(panel.name, "", inner=lambda start, count: stacks[start : start + count])
        elif isinstance(panel, Table):
            yield Item(
                panel.name,
                "",
                inner=lambda start, count: self._table(panel.name, start, count),
                indexed=panel.size,
            )
        elif isinstance(panel, Term):
            term = Item("term", panel.text)
            yield Item(panel.name, "", inner=lambda start, count: [term][start : start + count])
        elif isinstance(panel, Stage):
            actors = [self._actor(actor) for actor in panel.actors]
            yield Item(panel.name, "", inner=lambda start, count: actors[start : start + count])

    def _tape(self, low: int, start: int, count: int) -> list[Item]:
        view = self._debugger.view(Window(cells=count, first=low + start))
        tape = next(panel for panel in view.panels if isinstance(panel, Tape))
        return [
            self._cell(at, value)
            for at, value in enumerate(tape.cells, tape.first)
            if low + start <= at <= tape.high
        ]

    def _cell(self, address: Address, value: Number) -> Item:
        name = f"cell[{address_text(address)}]"
        return Item(name, spoken(value), "cell", expression=name, place=address)

    def _rows(self, start: int, count: int) -> list[Item]:
        """The rows of a plane in use, each as its text."""
        first = next(p for p in self._debugger.view().panels if isinstance(p, Grid))
        (left, top), (right, bottom) = first.low, first.high
        window = Window(
            width=min(right - left + 1, _SIDE),
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

    def _row(self, left: int, y: int, row: tuple[Number, ...]) -> Item:
        cells = [self._cell((left + at, y), value) for at, value in enumerate(row)]
        text = "".join(_character(value) for value in row).rstrip()
        return Item(
            f"row {y}",
            text,
            inner=lambda start, count: cells[start : start + count],
            indexed=len(cells),
        )

    def _stack(self, stack: Stack) -> Item:
        def values(start: int, count: int) -> list[Item]:
            """The top comes first."""
            found = self._deeper(stack, start + count).values[start : start + count]
            return [
                Item(
                    f"[{stack.depth - 1 - at}]",
                    spoken(value),
                    "top" if at == 0 else "",
                    place=Slot(stack.key, stack.depth - 1 - at),
                )
                for at, value in enumerate(found, start)
            ]

        top = f"{stack.depth} values" if stack.values else "empty"
        if stack.values:
            top += f", {spoken(stack.values[0])} on top"
        return Item(stack.name, top, "stack", inner=values, indexed=stack.depth)

    def _deeper(self, stack: Stack, depth: int) -> Stack:
        if depth <= len(stack.values):
            return stack
        view = self._debugger.view(Window(depth=min(depth, stack.depth)))
        for panel in view.panels:
            for found in _stacks(panel):
                if found.key == stack.key:
                    return found
        return stack

    def _table(self, name: str, start: int, count: int) -> list[Item]:
        view = self._debugger.view(Window(depth=start + count))
        table = next(p for p in view.panels if isinstance(p, Table) and p.name == name)
        return [self._entry(table, row) for row in table.rows[start : start + count]]

    def _entry(self, table: Table, row: tuple[Number, ...]) -> Item:
        values = ", ".join(map(str, row[1:]))
        if isinstance(row[0], int) and table.columns == ("address", "value"):
            return self._cell(row[0], row[1])
        return Item(str(row[0]), values, ", ".join(table.columns[1:]))

    def _actor(self, actor: Actor) -> Item:
        told = ", ".join(
            part for part in (actor.role, "" if actor.on_stage else "off stage") if part
        )
        stack = self._stack(actor.stack)
        return Item(
            actor.name,
            spoken(actor.value),
            told,
            inner=lambda start, count: [stack][start : start + count],
            expression=f"cell[{actor.stack.key}]",
            place=actor.stack.key,  # characters are numbered alike as cells and as stacks
        )


def spoken(value: Number) -> str:
    """A number, and the character of this code where it can be seen."""
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
