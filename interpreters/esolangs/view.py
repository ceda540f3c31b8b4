"""What a front end may show: frozen, bounded, the same for every language.

A language assembles panels from the closed set below and never draws; a front end
draws panels and knows no language.  :func:`as_json` is the one encoder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from esolangs.errors import Fault
from esolangs.source import Span

if TYPE_CHECKING:
    from esolangs.machine import LimitKind, Status


class Window(NamedTuple):
    """How much a view may hold.

    cells: cells of a tape.  first: its first cell; None follows the pointer.
    depth: entries of a stack or rows of a table.
    """

    cells: int = 64
    first: int | None = None
    depth: int = 32


class Location(NamedTuple):
    """The instruction about to be executed; line and column count from 1.

    After the last instruction, ``instruction`` is empty and the span has no length.
    explanation: one line of plain English on what executing it will do *now*.
    """

    offset: int
    line: int
    column: int
    span: Span
    instruction: str
    explanation: str


class Tape(NamedTuple):
    """Cells ``first``, ``first + 1``, … of a tape whose visited part is ``low``…``high``."""

    name: str
    first: int
    cells: tuple[int, ...]
    pointer: int
    low: int
    high: int
    bits: int


class Frame(NamedTuple):
    """One entry of a call stack: where it began, and how often its body was entered."""

    label: str
    span: Span
    line: int
    column: int
    times: int


class CallStack(NamedTuple):
    """What encloses the current instruction, innermost first; ``depth`` counts all of it."""

    name: str
    frames: tuple[Frame, ...]
    depth: int


Panel = Tape | CallStack


class View(NamedTuple):
    """The state after ``step`` steps."""

    step: int
    status: Status
    location: Location
    panels: tuple[Panel, ...]
    output_length: int
    input_position: int
    memory: int
    fault: Fault | None = None
    limit: LimitKind | None = None


_TAGS: dict[type, str] = {Tape: "tape", CallStack: "call_stack"}


def as_json(value: object) -> Any:
    """Plain JSON data; each panel carries its kind as ``"panel"``."""
    if isinstance(value, Fault):
        return {
            "kind": value.kind,
            "message": value.message,
            "line": value.line,
            "column": value.column,
            "offset": value.span[0],
            "step": value.step,
        }
    fields = getattr(value, "_fields", None)
    if fields is not None:
        data = {name: as_json(getattr(value, name)) for name in fields}
        tag = _TAGS.get(type(value))
        return {"panel": tag, **data} if tag else data
    if isinstance(value, tuple):
        return [as_json(item) for item in cast(tuple[object, ...], value)]
    return value
