"""Breakpoint specifications: their fields, text and JSON, and the locations they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from esolangs.language import Program
from esolangs.stops import Address, Slot
from esolangs.wording import plural
from esoplay.errors import UsageError
from esoplay.timeline.places import (
    address_text,
    bytes_text,
    find_place,
    is_on_plane,
    quote_name,
    slot_text,
)

if TYPE_CHECKING:
    from esoplay.timeline.source_lines import SourceLines

Effect = Literal["write", "output", "input"]
EFFECTS: tuple[Effect, ...] = ("write", "output", "input")

Direction = Literal["forwards", "backwards"]
DIRECTIONS: tuple[Direction, ...] = ("forwards", "backwards")

MAX_OUTPUT_BYTES = 200
"""The maximum number of bytes in the text of an output breakpoint."""


@dataclass(frozen=True, slots=True)
class BreakpointSpec:
    """Specification of a breakpoint; the breakpoint applies where all fields that are set match.

    ``FIELDS`` describes the fields. If only the condition is set, it is checked after each step
    that may have changed its value. ``{…}`` in a log text contains expressions of
    :mod:`esoplay.timeline.conditions`.
    """

    offset: int | None = None
    position: tuple[int, int] | None = None
    place: str | None = None
    instruction: str | None = None
    cell: Address | None = None
    output: int | str | bytes | None = None
    condition: str | None = None
    effect: Effect | None = None
    log: str | None = None
    enabled: bool = True
    step: int | None = None
    every: int | None = None
    new: bool = False
    direction: Direction | None = None
    read: Address | None = None
    slot: Slot | None = None
    source_line: int | None = None

    def __str__(self) -> str:
        """Return, as text, the fields that can stop a run; a stop shows this text as its reason."""
        reasons = [
            field.stop_text(value) for field, value in specified_fields(self) if field.stop_text
        ]
        return ", ".join(reason for reason in reasons if reason)


FieldKind = Literal["whole", "point", "text", "cell", "slot", "output", "choice", "flag"]
"""The type of a field's value, which determines how it is parsed and formatted."""

FieldText = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class BreakpointField:
    """A field of :class:`BreakpointSpec`: its name, the kind of its value, and its texts.

    ``description`` is for schemas, ``list_text`` for lists of breakpoints, and ``stop_text`` for
    stops; ``stop_text`` is None if the field cannot stop a run alone.  ``keyword`` is the word
    before the value on a command line, or "".  ``choices`` applies to the kind ``choice``, and
    ``minimum`` to the kind ``whole``.
    """

    name: str
    kind: FieldKind
    description: str
    list_text: FieldText
    stop_text: FieldText | None = None
    keyword: str = ""
    choices: tuple[str, ...] = ()
    minimum: int = 0


FIELDS: tuple[BreakpointField, ...] = (
    BreakpointField(
        "offset",
        "whole",
        "before the instruction at this byte of the program",
        lambda value: f"at offset {value}",
        lambda value: f"before offset {value}",
    ),
    BreakpointField(
        "position",
        "point",
        "before the instruction at this point [x, y]",
        lambda value: f"at {address_text(value)}",
        lambda value: f"before {address_text(value)}",
    ),
    BreakpointField(
        "place",
        "text",
        "before the named place: a label, an act, a scene",
        lambda value: f"at {value}",
        lambda value: f"before {value}",
    ),
    BreakpointField(
        "instruction",
        "text",
        "before every instruction with this text",
        lambda value: f"at any {bytes_text(value.encode('utf-8', 'surrogateescape'))}",
        lambda value: f"before any {value!r}",
    ),
    BreakpointField(
        "source_line",
        "whole",
        "when this line of the generator's source starts",
        lambda value: f"at line {value} of the source",
        lambda value: f"source line {value}",
        keyword="line",
        minimum=1,
    ),
    BreakpointField(
        "cell",
        "cell",
        "after a write to this cell, or to [x, y]",
        lambda value: f"when cell {address_text(value)} is written",
        lambda value: f"write to cell {address_text(value)}",
        keyword="write",
    ),
    BreakpointField(
        "read",
        "cell",
        "before a step that uses the value of this cell",
        lambda value: f"before cell {address_text(value)} is read",
        lambda value: f"read of cell {address_text(value)}",
        keyword="read",
    ),
    BreakpointField(
        "slot",
        "slot",
        "after a value is pushed to this slot of a stack",
        lambda value: f"when a value is pushed to {slot_text(value)}",
        lambda value: f"push to {slot_text(value)}",
        keyword="slot",
    ),
    BreakpointField(
        "output",
        "output",
        "after the output byte with this index, or once the output ends with this text",
        lambda value: f"when {_describe_output(value)} is printed",
        lambda value: f"output {_output_text(value)}",
        keyword="output",
    ),
    BreakpointField(
        "effect",
        "choice",
        "after any step with this effect",
        lambda value: "at any read of input" if value == "input" else f"at any {value}",
        lambda value: f"any {value}",
        keyword="on",
        choices=EFFECTS,
    ),
    BreakpointField(
        "step",
        "whole",
        "at this step",
        lambda value: f"at step {value}",
        lambda value: f"step {value}",
        keyword="step",
        minimum=1,
    ),
    BreakpointField(
        "every",
        "whole",
        "at each step that is a multiple of this number",
        lambda value: f"at every step that is a multiple of {value}",
        lambda value: f"every {value} steps",
        keyword="every",
        minimum=1,
    ),
    BreakpointField(
        "new",
        "flag",
        "before an instruction that is executed for the first time",
        lambda value: "at any instruction that was never executed before",
        lambda value: "never executed before",
        keyword="new",
    ),
    BreakpointField(
        "direction",
        "choice",
        "only when moving in this direction",
        lambda value: f"going {value}",
        choices=DIRECTIONS,
    ),
    BreakpointField(
        "condition",
        "text",
        "a condition, such as cell[3] == 10 and hits > 5",
        lambda value: f"if {value}",
        lambda value: f"if {value}" if value else "",
        keyword="if",
    ),
    BreakpointField(
        "log",
        "text",
        "log this text instead of stopping; {cell[3]} inserts a value",
        lambda value: f"log {value}",
        keyword="log",
    ),
    BreakpointField("enabled", "flag", "default: true", lambda value: ""),
)
"""The breakpoint fields, with all properties that front ends and file formats need."""

FIELD_BY_NAME = {field.name: field for field in FIELDS}

_DEFAULTS = BreakpointSpec()


def specified_fields(spec: BreakpointSpec) -> Iterator[tuple[BreakpointField, Any]]:
    """Yield the fields that are set, with their values."""
    for field in FIELDS:
        value = getattr(spec, field.name)
        if value != getattr(_DEFAULTS, field.name):
            yield field, value


def describe_breakpoint(spec: BreakpointSpec) -> str:
    """Return a breakpoint as text, for a list of breakpoints."""
    return " ".join(
        words for field, value in specified_fields(spec) if (words := field.list_text(value))
    )


def spec_as_json(spec: BreakpointSpec, encode_output: Callable[[bytes], object]) -> dict[str, Any]:
    """Return the specified fields as JSON; ``encode_output`` converts the bytes of an output."""
    data: dict[str, Any] = {}
    for field, value in specified_fields(spec):
        if isinstance(value, Slot):
            value = {"stack": value.stack, "level": value.level}
        elif isinstance(value, bytes):
            value = encode_output(value)
        elif isinstance(value, tuple):
            value = list(cast("tuple[int, ...]", value))
        data[field.name] = value
    return data


def spec_from_json(
    data: dict[str, Any], decode_output: Callable[[object], int | str | bytes]
) -> BreakpointSpec:
    """Reverse ``spec_as_json``; raise KeyError, TypeError or ValueError if ``data`` is invalid."""
    values: dict[str, Any] = {
        name: _decode_field(FIELD_BY_NAME[name], value, decode_output)
        for name, value in data.items()
    }
    return BreakpointSpec(**values)


def _decode_field(
    field: BreakpointField, value: Any, decode_output: Callable[[object], int | str | bytes]
) -> object:
    match field.kind:
        case "whole":
            return _parse_whole_number(value)
        case "point" | "cell":
            if isinstance(value, list):
                return tuple(_parse_whole_number(each) for each in cast("list[object]", value))
            return _parse_whole_number(value)
        case "slot":
            return Slot(_parse_whole_number(value["stack"]), _parse_whole_number(value["level"]))
        case "output":
            return decode_output(value)
        case "flag":
            if isinstance(value, bool):
                return value
        case "text" | "choice":
            if isinstance(value, str):
                return value
    raise TypeError(field.name)


def _parse_whole_number(value: object) -> int:
    if type(value) is not int:
        raise TypeError("an integer")
    return value


def _describe_output(output: int | str | bytes) -> str:
    if isinstance(output, int):
        return f"output byte {output}"
    return bytes_text(output.encode() if isinstance(output, str) else output)


def _output_text(output: int | str | bytes) -> str:
    """Return an output field as text: the index of a byte, or quoted text."""
    if isinstance(output, bytes):
        output = output.decode("utf-8", "backslashreplace")
    return repr(output)


def encode_output_text(output: int | str | bytes | None) -> bytes | None:
    """Return the text in a breakpoint's field ``output`` as bytes.

    Returns None if the field is not set, or is the index of an output byte instead of a text.

    Raises UsageError if the text is empty or longer than ``MAX_OUTPUT_BYTES``.
    """
    if output is None or isinstance(output, int):
        return None
    data = output.encode("utf-8") if isinstance(output, str) else output
    if not 0 < len(data) <= MAX_OUTPUT_BYTES:
        raise UsageError(
            f"output must be the index of a byte, or a string of 1 to {MAX_OUTPUT_BYTES} bytes; "
            f"found {plural(len(data), 'byte')}"
        )
    return data


def breakpoint_addresses(
    spec: BreakpointSpec, program: Program, lines: SourceLines | None = None
) -> frozenset[Address] | None:
    """Return the addresses that match all location fields of ``spec``; None if none is set.

    Raises UsageError if the program does not have a location, or no address matches all fields.
    """
    sets: list[frozenset[Address]] = []
    if spec.offset is not None:
        span = program.instruction_at(spec.offset)
        if span is None:
            raise UsageError(f"there is no instruction at offset {spec.offset}")
        sets.append(frozenset({program.address_at(span[0])}))
    if spec.position is not None:
        if not is_on_plane(program):
            raise UsageError(
                f"programs in {program.language.name} are not on a plane; set `offset`, not "
                "`position`"
            )
        sets.append(frozenset({spec.position}))
    if spec.place is not None:
        sets.append(frozenset({find_place(program, spec.place)[1]}))
    if spec.instruction is not None:
        sets.append(_occurrences(program, spec.instruction))
    if spec.source_line is not None:
        if lines is None:
            raise UsageError("no source map is open, so there are no source lines")
        sets.append(lines.instructions(spec.source_line))
    if not sets:
        return None
    common = frozenset[Address].intersection(*sets)
    if not common:
        raise UsageError("no instruction matches all of these locations")
    return common


def _occurrences(program: Program, text: str) -> frozenset[Address]:
    found = frozenset(program.occurrences(text))
    if not found:
        raise UsageError(f"no instruction of the program has the text {quote_name(text)}")
    return found
