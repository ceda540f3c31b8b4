"""The state for display by front ends: frozen, bounded, the same types for every language.

A language returns panels from the closed set below and never draws; a front end draws panels and
does not depend on a language. :func:`as_json` is the only encoder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, NamedTuple, cast

from esolangs.errors import Fault
from esolangs.source import Span
from esolangs.stops import Address

Status = Literal["running", "stopped", "halted", "needs_input", "faulted", "limited"]
"""running: the budget is used up, and more steps are possible.  stopped: the run reached a place to
stop, such as a breakpoint; see :mod:`esolangs.stops`.  halted: the program ended.
needs_input: the next step reads, and open input has no byte left.  faulted: see ``fault``.
limited: see ``limit``.
"""

LimitKind = Literal["steps", "output", "memory", "work"]

Point = tuple[int, int]
"""Column and row on a plane, ``(x, y)``."""

Number = int | str
"""An integer, or a short string if it is very large; see :func:`esolangs.numbers.abbreviate`."""


class Window(NamedTuple):
    """Which part of the state a view shows: the first cell or corner, and the maximum size.

    cells: number of cells of a tape.  first: first cell of the tape; None follows the pointer.
    depth: number of entries of a stack or rows of a table.
    width, height: size of a grid.  corner: left and upper edge of the grid; None follows the
    pointer.  lines: number of lines of a drawing.  used_only: leave out cells of a heap that are 0.
    """

    cells: int = 64
    first: int | None = None
    depth: int = 32
    width: int = 80
    height: int = 25
    corner: Point | None = None
    lines: int = 64
    used_only: bool = False


class Location(NamedTuple):
    """The next instruction; line and column count from 1.

    After the last instruction, ``instruction`` is empty and the span has length 0.  The span also
    has length 0 at a cell that the program wrote and that has no source byte.
    explanation: the effect of the instruction in this state, in one line. address: the
    instruction, as in ``StopSet.locations``. words: the instruction in readable form, if
    ``instruction`` is not readable.
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
    def readable_instruction(self) -> str:
        """Return the instruction in readable form."""
        return self.words or self.instruction


class Tape(NamedTuple):
    """Cells of a tape, from cell ``first``; cells ``low`` to ``high`` inclusive were visited."""

    name: str
    first: int
    cells: tuple[int, ...]
    pointer: int
    low: int
    high: int
    bits: int


class Frame(NamedTuple):
    """A construct on a call stack: its start, and how often its body was entered."""

    label: str
    span: Span
    line: int
    column: int
    times: int


class CallStack(NamedTuple):
    """The constructs, such as loops or calls, around the current instruction, innermost first.

    name: what the frames are, such as ``"loops"``.  depth: number of all frames;
    ``frames`` may contain fewer.
    """

    name: str
    frames: tuple[Frame, ...]
    depth: int


class Pointer(NamedTuple):
    """An instruction pointer of a grid.  active: whether it executes the next step."""

    id: int
    position: Point
    delta: Point
    offset: Point
    active: bool


class Grid(NamedTuple):
    """A window of a plane: ``rows[y][x]`` is the cell at (``left + x``, ``top + y``).

    low, high: corners of the part in use, inclusive.  pointers: the pointers in the window, and
    always the active one. trail: points executed last, the latest first.
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
    """The topmost ``values`` of a stack, top first; ``depth`` is its full size.

    key: identifies this stack in a :class:`~esolangs.stops.Slot`.
    """

    name: str
    values: tuple[Number, ...]
    depth: int
    key: int = 0


class StackOfStacks(NamedTuple):
    """Stacks of values, the innermost first; ``depth`` is the number of all stacks."""

    name: str
    stacks: tuple[Stack, ...]
    depth: int


class Table(NamedTuple):
    """Rows under named columns; ``size`` is the number of all rows, shown or not.

    current: index into ``rows`` of the current row, or None.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Number, ...], ...]
    size: int
    current: int | None = None


class Term(NamedTuple):
    """An expression as text; deep inner parts are elided.

    redex: characters ``(start, end)`` of ``text`` that the next step reduces, or None.
    parts: the character ranges of the terms in ``text``, outer terms before inner ones.  An elided
    term is one part.
    """

    name: str
    text: str
    redex: tuple[int, int] | None
    parts: tuple[tuple[int, int], ...] = ()


class PartOrigin(NamedTuple):
    """The origin of a term: the step that made it, or the source at ``span`` if ``step`` is 0."""

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
    """The stage of a play.  condition: the last question's answer, or None before the first."""

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
    """The drawing of a turtle: x grows to the right, y downwards.

    lines: the last lines, oldest first; ``size`` is the number of all lines. low, high: corners of
    the bounding box, inclusive; without lines, the position of the turtle. heading: direction of
    the turtle in degrees clockwise from the right. pen: whether the pen is down. color: color of
    the next line.  paper: color of the paper.
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
    """Convert a view, or a value in it, to plain JSON data.

    The member ``panel`` is added to the object of a panel: its kind, such as ``"tape"``.
    """
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
    """A value that is a function: an atom with the operands supplied so far.

    Parts are computed on demand, so read the value before its machine runs again.  Values may be
    large and share their parts.  head: the atom as in source, in lower case.  parts: its operands
    in order: one in `` `kx`` and `` `sx``, two in ``` ``sxy``; empty for an opaque value such as a
    promise. identity: equal for the same value, and for equal values that share their parts.
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
