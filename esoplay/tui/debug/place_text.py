"""Text about cells and stack slots, the writes to them, and the origin of terms."""

from __future__ import annotations

from esolangs.stops import Slot
from esolangs.view import View
from esoplay.debugging.debugger import address_text
from esoplay.debugging.provenance import (
    Place,
    TermOrigin,
    ValueWrite,
    character_names,
    shown_stacks,
)
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES, format_int
from esoplay.tui.debug.debug_snapshot import DebugSnapshot

MAX_TERM_LENGTH = 60
"""Maximum length of a term in the log and the status."""
MAX_INSTRUCTION_LENGTH = 24
"""Maximum length of an instruction in characters; longer ones, such as sentences, are shortened."""


def place_text(place: Place, view: View, previous_slot: Slot | None = None) -> str:
    """Return a place as text: ``cell 3``, ``level 3``, or ``level 3 of stack 1``.

    previous_slot: a slot named just before; its stack is not named again. With None, the first
    stack is not named. Cells and stacks of a play have the names of their characters.
    """
    names = character_names(view)
    if not isinstance(place, Slot):
        owner = names.get(place) if isinstance(place, int) else None
        return owner or f"cell {address_text(place)}"
    level = f"level {format_int(place.level)}"
    if previous_slot is not None and place.stack == previous_slot.stack:
        return level
    if place.stack in names:
        return f"{level} of {names[place.stack]}'s stack"
    return level if previous_slot is None and not place.stack else f"{level} of stack {place.stack}"


def instruction_text(write: ValueWrite) -> str:
    """Return the instruction that wrote a value, shortened to one line."""
    text = " ".join(write.readable_instruction.split()) or write.readable_instruction
    text = text.translate(CONTROL_PICTURES)
    return text if len(text) <= MAX_INSTRUCTION_LENGTH else text[: MAX_INSTRUCTION_LENGTH - 1] + "…"


def copied_from_text(write: ValueWrite, view: View) -> str:
    """Return a text such as ``, from level 3`` on where a written value was copied from.

    Return an empty string if the value was not copied.
    """
    if write.copied_from is None:
        return ""
    previous_slot = write.place if isinstance(write.place, Slot) else None
    return f", from {place_text(write.copied_from, view, previous_slot)}"


def last_write_text(slot: Slot, snapshot: DebugSnapshot, width: int) -> str:
    """Describe the last write to a slot in the longest text that fits ``width`` columns."""
    level, known = f"level {format_int(slot.level)}", snapshot.last_value_write
    depth = next((each.depth for each in shown_stacks(snapshot.view) if each.key == slot.stack), 0)
    if slot.level >= depth:
        level += " (empty)"
    if known is None or known.slot != slot:
        return level
    if known.write is None:
        return f"{level}: nothing pushed so far"
    put = known.write
    source = copied_from_text(put, snapshot.view)
    step, name = f"pushed @{format_int(put.step)}", instruction_text(put)
    candidates = [
        f"{level}: {step} by {name}{source}",
        f"{step} by {name}{source}",
        f"{step}{source}",
        f"@{format_int(put.step)} by {name}{source}",
    ]
    return next((each for each in candidates if len(each) <= width), step)


def origin_text(origin: TermOrigin) -> str:
    """Describe what made a term, as ``made @1,204 by s``, or its position in the program."""
    if origin.links:
        link = origin.links[0]
        return f"made @{format_int(link.step)} by {shorten_term(link.instruction)}"
    return f"in the program at {origin.line}:{origin.column}"


def term_end_text(origin: TermOrigin) -> str:
    """Return a text about what precedes the shown applications of a term's origin.

    It says where the oldest term is written in the program, or that earlier applications are not
    shown.
    """
    if origin.end == "more":
        return (
            f"earlier applications, before step {format_int(origin.links[-1].step)}, are not shown"
        )
    position = f"at {origin.line}:{origin.column}"
    if origin.links:
        return f"{shorten_term(origin.links[-1].application)} is written in the program, {position}"
    return f"{shorten_term(origin.text)} is written in the program, {position}"


def shorten_term(text: str) -> str:
    """Return a term cut to ``MAX_TERM_LENGTH`` characters, with whitespace as visible glyphs."""
    text = text.translate(CONTROL_PICTURES)
    return text if len(text) <= MAX_TERM_LENGTH else text[: MAX_TERM_LENGTH - 1] + "…"
