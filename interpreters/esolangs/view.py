"""What a front end may show: frozen, bounded, the same for every language.

A language assembles panels from the closed set below and never draws; a front end
draws panels and knows no language.  :func:`as_json` is the one encoder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, NamedTuple, cast

from esolangs.errors import Fault
from esolangs.source import Span
from esolangs.stops import Address

Status = Literal["running", "stopped", "halted", "needs_input", "faulted", "limited"]
"""running: the budget is used up, more steps are possible.
stopped: a stop of the given set applies here.  halted: the program ended.
needs_input: the next step reads, and open input has no byte left.
faulted: see ``fault``.  limited: see ``limit``."""

LimitKind = Literal["steps", "output", "memory", "work"]

Point = tuple[int, int]
"""Column and row on a plane, ``(x, y)``."""

Number = int | str
"""A whole number; one of very many digits as text, see :func:`esolangs.numbers.shown`."""


class Window(NamedTuple):
    """How much a view may hold.

    cells: cells of a tape.  first: its first cell; None follows the pointer.
    depth: entries of a stack or rows of a table.
    width, height: of a grid; corner: its left and upper edge, None follows the pointer.
    lines: of a drawing.
    """

    cells: int = 64
    first: int | None = None
    depth: int = 32
    width: int = 80
    height: int = 25
    corner: Point | None = None
    lines: int = 64


class Location(NamedTuple):
    """The instruction about to be executed; line and column count from 1.

    After the last instruction, ``instruction`` is empty and the span has no length.  So is
    the span where the source has no byte for a cell that the program wrote by itself.
    explanation: one line of plain English on what executing it will do *now*.
    address: what a location stop would name, the offset or a point of fungespace.
    words: the instruction as people read it, in a language whose ``instruction`` they cannot.
    """

    offset: int
    line: int
    column: int
    span: Span
    instruction: str
    explanation: str
    address: Address
    words: str = ""

    @property
    def readable(self) -> str:
        """The instruction for people."""
        return self.words or self.instruction


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


class Pointer(NamedTuple):
    """An instruction pointer of a grid.  active: it executes the next step."""

    id: int
    position: Point
    delta: Point
    offset: Point
    active: bool


class Grid(NamedTuple):
    """A window of a plane: ``rows[y][x]`` is the cell at (``left + x``, ``top + y``).

    low, high: corners of the part in use, inclusive.  pointers: those in the window, the
    active one always.  trail: points executed last, the latest first.
    written: points of the window that the program has changed.
    """

    name: str
    left: int
    top: int
    rows: tuple[tuple[Number, ...], ...]
    low: Point
    high: Point
    pointers: tuple[Pointer, ...]
    trail: tuple[Point, ...]
    written: tuple[Point, ...]


class Stack(NamedTuple):
    """The uppermost ``values`` of a stack, the top first; ``depth`` counts all of it.

    key: what a :class:`~esolangs.stops.Slot` calls this stack.
    """

    name: str
    values: tuple[Number, ...]
    depth: int
    key: int = 0


class StackOfStacks(NamedTuple):
    """Stacks of values, the innermost first; ``depth`` counts all of them."""

    name: str
    stacks: tuple[Stack, ...]
    depth: int


class Table(NamedTuple):
    """Rows under named columns; ``size`` counts all rows there are.

    current: index into ``rows`` of the one that matters now, or None.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Number, ...], ...]
    size: int
    current: int | None = None


class Term(NamedTuple):
    """An expression as text, inner parts elided where it is deep.

    redex: characters ``(start, end)`` of ``text`` that the next step reduces, or None.
    parts: the terms in ``text`` as such ranges, an outer one ahead of those inside it, so that
    each begins after the one before.  What is elided is one part.
    """

    name: str
    text: str
    redex: tuple[int, int] | None
    parts: tuple[tuple[int, int], ...] = ()


class Made(NamedTuple):
    """What made a term: step number ``step``; or 0, it stands in the source, at ``span``."""

    step: int
    span: Span | None = None


class Actor(NamedTuple):
    """A character of a play.  role: ``"speaker"``, ``"addressee"`` or empty."""

    name: str
    value: Number
    stack: Stack
    on_stage: bool
    role: str


class Stage(NamedTuple):
    """The play at this moment.  condition: what the last question was answered, or None."""

    name: str
    act: str
    scene: str
    actors: tuple[Actor, ...]
    condition: bool | None


class Line(NamedTuple):
    """A straight line; ``color`` is red, green and blue, 8 bits each."""

    start: Point
    end: Point
    color: int


class Drawing(NamedTuple):
    """What a turtle has drawn: x grows to the right, y downwards.

    lines: those drawn last, in the order in which they were drawn; ``size`` counts all.
    low, high: corners of all lines, inclusive; where the turtle is when there are none.
    heading: where the turtle faces, in degrees clockwise from the right.  pen: it is down.
    color: of the next line.  paper: the color of the paper.
    """

    name: str
    lines: tuple[Line, ...]
    size: int
    low: Point
    high: Point
    position: Point
    heading: int
    pen: bool
    color: int
    paper: int


Panel = Tape | CallStack | Grid | Stack | StackOfStacks | Table | Term | Stage | Drawing


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


_TAGS: dict[type, str] = {
    Tape: "tape",
    CallStack: "call_stack",
    Grid: "grid",
    Stack: "stack",
    StackOfStacks: "stack_of_stacks",
    Table: "table",
    Term: "term",
    Stage: "stage",
    Drawing: "drawing",
}


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
        if isinstance(value, Location) and not value.words:
            del data["words"]
        tag = _TAGS.get(type(value))
        return {"panel": tag, **data} if tag else data
    if isinstance(value, tuple):
        return [as_json(item) for item in cast(tuple[object, ...], value)]
    return value


class Value(ABC):
    """A value that is a function: an atom with the operands that it has so far.

    Opened only as far as somebody asks.

    It is to be read before its machine goes on.  Values may be large and share their parts.
    head: the atom as in source, in lower case.
    parts: the operands it keeps, first one first: one in `` `kx`` and `` `sx``, two in ``` ``sxy``;
    none of what cannot be opened, such as a promise.
    identity: equal for the same value, and for equal ones that share their parts.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def head(self) -> str: ...

    @property
    @abstractmethod
    def parts(self) -> tuple[Value, ...]: ...

    @property
    @abstractmethod
    def identity(self) -> int: ...
