"""What a program is made of, before anything has a place: code, boxes, loops and choices.

A sequence may carry a mark, a number of the caller's own; the layout hands it back with every
character of the sequence that is in no other marked one inside.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Code:
    """Characters that stay beside each other; executed from the west to the east."""

    text: str


@dataclass(frozen=True, slots=True)
class Box:
    """Rows that stay as they are: entered at the west of the first row, left at its east.

    Blanks in it belong to it: its paths may lead over them.
    """

    rows: tuple[str, ...]


@dataclass(slots=True)
class Sequence:
    """One piece after the other."""

    parts: list[Piece] = field(default_factory=list["Piece"])
    mark: int | None = None


@dataclass(slots=True)
class Loop:
    """``test`` leaves a number; unless it is 0 ``body`` is executed, and then all again."""

    test: Sequence
    body: Sequence


@dataclass(slots=True)
class Choice:
    """``test`` leaves a number; ``then`` is executed unless it is 0, else ``otherwise``."""

    test: Sequence
    then: Sequence
    otherwise: Sequence


Piece = Code | Box | Sequence | Loop | Choice
