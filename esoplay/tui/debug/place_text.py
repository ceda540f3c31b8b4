"""Places and what happened to them in words."""

from __future__ import annotations

from esolangs.stops import Slot
from esoplay.service.debugging import address_text
from esoplay.service.puts import Place, Put
from esoplay.tui.debug.moment import Moment, stacks_of
from esoplay.tui.debug.visible import PICTURED_TEXT, grouped

LONGEST_NAME = 24
"""Characters of an instruction that are shown; a sentence of a play has many."""


def place_text(place: Place, beside: Slot | None = None) -> str:
    """``cell 3``, ``level 3``, or ``level 3 of stack 1`` when that is not the stack ``beside``.

    Without ``beside`` only the first stack, number 0, goes without its name.
    """
    if not isinstance(place, Slot):
        return f"cell {address_text(place)}"
    usual = 0 if beside is None else beside.stack
    level = f"level {grouped(place.level)}"
    return level if place.stack == usual else f"{level} of stack {place.stack}"


def instruction_text(put: Put) -> str:
    """The instruction that put a value somewhere, in one short line."""
    text = " ".join(put.instruction.split()) or put.instruction
    text = text.translate(PICTURED_TEXT)
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


def source_text(put: Put, beside: Slot | None = None) -> str:
    """``, from level 3`` after a copy, else nothing."""
    if put.source is None:
        return ""
    return f", from {place_text(put.source, beside)}"


def put_text(slot: Slot, moment: Moment, width: int) -> str:
    """What is known of a slot, in the longest words that fit."""
    level, known = f"level {grouped(slot.level)}", moment.last_put
    depth = next((each.depth for each in stacks_of(moment.view) if each.key == slot.stack), 0)
    if slot.level >= depth:
        level += " (empty)"
    if known is None or known.slot != slot:
        return level
    if known.put is None:
        return f"{level}: nothing pushed so far"
    put = known.put
    step, name = f"pushed @{grouped(put.step)}", instruction_text(put)
    words = [
        f"{level}: {step} by {name}{source_text(put, slot)}",
        f"{step} by {name}{source_text(put, slot)}",
        f"{step}{source_text(put, slot)}",
    ]
    return next((each for each in words if len(each) <= width), step)
