"""What a breakpoint asks for, in words and as locations of a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from esolangs.language import Program
from esolangs.stops import Address, Slot
from esoplay.errors import UsageError
from esoplay.timeline.places import address_text, find_place, on_a_plane, quoted, slot_text

if TYPE_CHECKING:
    from esoplay.timeline.source_lines import SourceLines

Effect = Literal["write", "output", "input"]
EFFECTS: tuple[Effect, ...] = ("write", "output", "input")

Direction = Literal["forwards", "backwards"]
DIRECTIONS: tuple[Direction, ...] = ("forwards", "backwards")

LONGEST_MATCH = 200
"""Bytes of a text that output is compared with at every byte."""


@dataclass(frozen=True, slots=True)
class BreakpointSpec:
    """What to stop for; several parts must all apply.

    offset: before the instruction at this source offset.  position: before the one at this
    point, in languages whose code lies on a plane.  place: before what the program calls so
    (``Program.places``).  instruction: before every instruction written like this.
    cell: after a write to it.  slot: after a value was put into this place on a stack.
    output: after the byte of this index was printed, or once the output ends with this text.
    effect: after any step that writes, prints or reads.
    condition: an expression of ``esoplay.timeline.conditions``; alone, it is looked at
    whenever a cell it names was written or a count it names has changed.
    log: a line to note instead of stopping; ``{…}`` holds expressions.
    step: at this step.  every: at each step that is a multiple of this.
    new: before an instruction of the source that was never executed so far.
    direction: only when travelling so.
    read: before a step that uses the value of this cell, in languages whose programs tell.
    source_line: when this line of the generator's source is begun, where a source map is open;
    see :mod:`esoplay.timeline.source_lines`.
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
        parts = [
            f"before offset {self.offset}" if self.offset is not None else "",
            f"before {address_text(self.position)}" if self.position is not None else "",
            f"before {self.place}" if self.place is not None else "",
            f"before any {self.instruction!r}" if self.instruction is not None else "",
            f"source line {self.source_line}" if self.source_line is not None else "",
            f"write to cell {address_text(self.cell)}" if self.cell is not None else "",
            f"push to {slot_text(self.slot)}" if self.slot is not None else "",
            f"read of cell {address_text(self.read)}" if self.read is not None else "",
            f"output {_printed_text(self.output)}" if self.output is not None else "",
            f"any {self.effect}" if self.effect is not None else "",
            f"step {self.step}" if self.step is not None else "",
            f"every {self.every} steps" if self.every is not None else "",
            "never executed before" if self.new else "",
            f"if {self.condition}" if self.condition else "",
        ]
        return ", ".join(part for part in parts if part)


def _printed_text(output: int | str | bytes) -> str:
    """The number of a byte, or a text in quotes."""
    if isinstance(output, bytes):
        output = output.decode("utf-8", "backslashreplace")
    return repr(output)


def output_text(output: int | str | bytes | None) -> bytes | None:
    """The bytes that output is to end with; None where none are asked for.

    Raises UsageError for a text that is empty or too long.
    """
    if output is None or isinstance(output, int):
        return None
    data = output.encode("utf-8") if isinstance(output, str) else output
    if not 0 < len(data) <= LONGEST_MATCH:
        raise UsageError(
            f"output is the index of a byte, or a text of 1 to {LONGEST_MATCH} bytes, "
            f"not one of {len(data)}"
        )
    return data


def locations_of(
    spec: BreakpointSpec, program: Program, lines: SourceLines | None = None
) -> frozenset[Address] | None:
    """The addresses that the spec's places have in common, None where it names no place.

    Raises UsageError for a place that the program does not have.
    """
    sets: list[frozenset[Address]] = []
    if spec.offset is not None:
        span = program.instruction_at(spec.offset)
        if span is None:
            raise UsageError(f"there is no instruction at offset {spec.offset}")
        sets.append(frozenset({program.address_of(span[0])}))
    if spec.position is not None:
        if not on_a_plane(program):
            raise UsageError(f"{program.language.name} has no plane: give an offset instead")
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
        raise UsageError("no instruction is at all of these places at once")
    return common


def _occurrences(program: Program, text: str) -> frozenset[Address]:
    found = frozenset(program.occurrences(text))
    if not found:
        raise UsageError(f"no instruction of the program reads {quoted(text)}")
    return found
