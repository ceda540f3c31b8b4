"""The shapes that docs/json-rpc.md promises of debugging."""

from __future__ import annotations

from typing import Literal

from rpc_shapes import Fault, Shape

Span = tuple[int, int]


class Location(Shape):
    offset: int
    line: int
    column: int
    span: Span
    instruction: str
    explanation: str
    address: int | tuple[int, int]


class Tape(Shape, tag_field="panel", tag="tape"):
    name: str
    first: int
    cells: list[int]
    pointer: int
    low: int
    high: int
    bits: int


class Frame(Shape):
    label: str
    span: Span
    line: int
    column: int
    times: int


class CallStack(Shape, tag_field="panel", tag="call_stack"):
    name: str
    frames: list[Frame]
    depth: int


class View(Shape):
    step: int
    status: Literal["running", "halted", "needs_input", "faulted", "limited"]
    location: Location
    panels: list[Tape | CallStack]
    output_length: int
    input_position: int
    memory: int
    fault: Fault | None
    limit: Literal["steps", "output", "memory"] | None
    source: Source | None = None


class Source(Shape):
    name: str
    line: int | None
    label: str


class Opened(Shape):
    debug: str
    view: View


class Reason(Shape):
    kind: Literal[
        "step",
        "breakpoint",
        "start",
        "end",
        "fault",
        "limit",
        "needs_input",
        "budget",
        "cancelled",
    ]
    text: str
    breakpoint: int | None = None
    until: int | None = None


class Moved(Shape):
    step: int
    view: View
    stopped: list[Reason]
    logs: list[str] | None = None


class Breakpoint(Shape):
    id: int
    hits: int
    enabled: bool
    offset: int | None = None
    position: tuple[int, int] | None = None
    place: str | None = None
    instruction: str | None = None
    cell: int | tuple[int, int] | None = None
    output: int | str | None = None
    condition: str | None = None
    effect: Literal["write", "output", "input"] | None = None
    log: str | None = None
    step: int | None = None
    every: int | None = None
    new: bool = False
    direction: Literal["forwards", "backwards"] | None = None
    source_line: int | None = None
    read: int | tuple[int, int] | None = None
    moved_from: int | None = None


class Breakpoints(Shape):
    breakpoints: list[Breakpoint]


class CellWrite(Shape):
    step: int
    old: int | str
    new: int | str
    span: Span
    position: tuple[int, int] | None = None


class Writes(Shape):
    writes: list[CellWrite]


class Printed(Shape):
    step: int | None


class Changed(Shape):
    step: int
    view: View


class Closed(Shape):
    closed: Literal[True]
