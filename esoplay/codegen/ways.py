"""How places are spelled that are no cells: on stacks, and in a state that is one value."""

from __future__ import annotations

import re
from typing import NamedTuple

_SLOT = re.compile(r"stack\[\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\]")
_WAY = re.compile(r"state(?:\.([KF]{1,256}))?(?:\[([0-9]{1,9})\])?")


class Way(NamedTuple):
    """Where a variable is in a tree of pairs, and which element, if an array is there.

    choices: ``K`` for the first half of a pair and ``F`` for the second.
    """

    choices: str
    element: int | None = None

    def __str__(self) -> str:
        choices = f".{self.choices}" if self.choices else ""
        return f"state{choices}" + ("" if self.element is None else f"[{self.element}]")


def way_of(text: str) -> Way:
    """The way that a text such as ``state.KF[3]`` spells; ValueError where it spells none."""
    match = _WAY.fullmatch(text)
    if match is None:
        raise ValueError(f"a way is such as state.KFK or state.KF[3], not {text!r}")
    choices, element = match.groups()
    return Way(choices or "", None if element is None else int(element))


def slot_text(stack: int, level: int) -> str:
    """A place on a stack: its key, and the height from the bottom, which is 0."""
    return f"stack[{stack}, {level}]"


def slot_of(text: str) -> tuple[int, int]:
    """The stack and the level that such a text names; ValueError where it names none."""
    match = _SLOT.fullmatch(text)
    if match is None:
        raise ValueError(f"a place on a stack is such as stack[3, 7], not {text!r}")
    return int(match.group(1)), int(match.group(2))
