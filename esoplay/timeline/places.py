"""Where a breakpoint stands: offsets, points, named places and instructions, as addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from esolangs.language import Program
from esolangs.numbers import shown
from esolangs.stops import Address, Slot
from esoplay.errors import UsageError

if TYPE_CHECKING:
    from esoplay.timeline.breakpoints import BreakpointSpec
    from esoplay.timeline.source_lines import SourceLines

_MOST_NAMES = 12  # of places, in an error
_LONGEST = 60  # characters of a name that are quoted


def address_text(address: Address) -> str:
    """An address as people write it: ``12``, or ``3,-4`` on a plane."""
    parts = address if isinstance(address, tuple) else (address,)
    return ",".join(str(shown(part)) for part in parts)


def slot_text(slot: Slot) -> str:
    """A place on a stack: ``level 3``, or ``level 3 of stack 1`` where it is not the first."""
    return f"level {slot.level}" + (f" of stack {slot.stack}" if slot.stack else "")


def on_a_plane(program: Program) -> bool:
    """Whether the program's locations are points and not offsets."""
    return isinstance(program.address_of(0), tuple)


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


def instructions_of(program: Program) -> frozenset[Address]:
    """The locations of all instructions that the source has."""
    return frozenset(program.address_of(start) for start, _ in program.spans())


def find_place(program: Program, name: str) -> tuple[str, Address]:
    """The program's place of this name, whatever its case, and where it is.

    The last words of a name are enough where no other name ends so.  Raises UsageError with
    the names there are.
    """
    places = program.places()
    if name in places:
        return name, places[name]
    wanted = _folded(name)
    for known, address in places.items():
        if _folded(known) == wanted:
            return known, address
    ending = [known for known in places if _folded(known).endswith(f" {wanted}")]
    if len(ending) == 1:
        return ending[0], places[ending[0]]
    if not places:
        raise UsageError(f"this program has no named places, so none is called {_quoted(name)}")
    names = list(places)
    told = ", ".join(names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    rest = f" and {more} more" if more > 0 else ""
    raise UsageError(f"there is no place {_quoted(name)}; there are: {told}{rest}")


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")


def _folded(name: str) -> str:
    return " ".join(name.casefold().split()) or name


def _occurrences(program: Program, text: str) -> frozenset[Address]:
    found = frozenset(program.occurrences(text))
    if not found:
        raise UsageError(f"no instruction of the program reads {_quoted(text)}")
    return found
