"""Gives pieces a place: a sequence becomes lines of at most so many columns, a loop a ring.

Every block is entered going east at the west end of its first row and left going east at the
east end of its exit row, which is free of other characters from the last one that is executed.
Paths may cross where both are blank.  Arrows that only lead on have no mark, so that who follows
marks goes from a statement to the next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

# What a program is made of, before anything has a place: code, boxes, loops and choices.
#
# A sequence may carry a mark, a number of the caller's own; the layout hands it back with every
# character of the sequence that is in no other marked one inside.


@dataclass(frozen=True, slots=True)
class Code:
    """Characters that stay beside each other; executed from the west to the east."""

    text: str


@dataclass(frozen=True, slots=True)
class Box:
    """Rows that stay as they are: entered at the west of the first row, left at its east.

    Spaces in it belong to it: its paths may lead over them.
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


WIDTH = 100
"""Columns that a program keeps to where that is possible."""

_NARROWEST = 24
_LOW = 3
"""Rows of a loop or a choice that still stands in a line with other code."""

_TEST = "#v_"
"""Goes on to the east for 0; else down from its middle."""


class PlacedText(NamedTuple):
    """Characters in a row, from a column on, and the mark of the piece that they belong to."""

    y: int
    x: int
    text: str
    mark: int | None


@dataclass(slots=True)
class TextBlock:
    """A rectangle; exit: the row of its right edge where it is left."""

    width: int = 0
    height: int = 1
    exit: int = 0
    placed: list[PlacedText] = field(default_factory=list[PlacedText])

    def put(self, x: int, y: int, text: str, mark: int | None) -> None:
        """Write characters; the block grows to hold them."""
        self.placed.append(PlacedText(y, x, text, mark))
        self.width = max(self.width, x + len(text))
        self.height = max(self.height, y + 1)

    def paste(self, x: int, y: int, block: TextBlock) -> None:
        """Write another block with its upper left corner there."""
        self.placed += [
            PlacedText(one.y + y, one.x + x, one.text, one.mark) for one in block.placed
        ]
        self.width = max(self.width, x + block.width)
        self.height = max(self.height, y + block.height)

    def rows(self) -> list[str]:
        """Return the text, without spaces at the ends of rows."""
        rows: list[list[str]] = [[] for _ in range(self.height)]
        for y, x, text, _ in sorted(self.placed, key=lambda one: (one.y, one.x)):
            row = rows[y]
            row.extend(" " * (x - len(row)))
            row.extend(text)
        return ["".join(row).rstrip() for row in rows]


def lay_out(sequence: Sequence, width: int = WIDTH) -> TextBlock:
    """A sequence as lines; the first one begins with an arrow as well."""
    return _stack(_lines(_blocks(sequence, None, width - 2), width - 2))


def _block(piece: Piece, mark: int | None, width: int) -> TextBlock:
    match piece:
        case Code(text):
            block = TextBlock()
            block.put(0, 0, text, mark)
            return block
        case Box(rows):
            block = TextBlock()
            for y, row in enumerate(rows):
                block.put(0, y, row, mark)
            return block
        case Loop():
            return _loop(piece, mark, width)
        case Choice():
            return _choice(piece, mark, width)
        case Sequence():
            return _sequence(piece, mark, width)


def _sequence(sequence: Sequence, mark: int | None, width: int) -> TextBlock:
    width = max(width, _NARROWEST)
    blocks = _blocks(sequence, mark, width - 2)
    lines = _lines(blocks, width)
    if len(lines) == 1:
        return lines[0]
    return _stack(_lines(blocks, width - 2))


# Lines


def _blocks(sequence: Sequence, mark: int | None, width: int) -> list[tuple[TextBlock, int]]:
    """A block for each piece, and the columns that should stay together from there on."""
    return [
        (_block(piece, own, width), together) for piece, own, together in _flattened(sequence, mark)
    ]


def _lines(blocks: list[tuple[TextBlock, int]], width: int) -> list[TextBlock]:
    """As much in a line as goes in; what is high stands alone, statements stay in one piece."""
    lines = [TextBlock()]
    closed = False
    for block, together in blocks:
        high = block.height > _LOW
        needed = max(block.width, together if together <= width else 0)
        if lines[-1].width and (closed or high or lines[-1].width + needed > width):
            lines.append(TextBlock())
        line = lines[-1]
        line.paste(line.width, 0, block)
        line.exit = block.exit
        closed = high or block.exit > 0
    return lines


def _flattened(sequence: Sequence, mark: int | None) -> Iterator[tuple[Piece, int | None, int]]:
    """Yield the single pieces with their marks and the columns that should stay together."""
    own = mark if sequence.mark is None else sequence.mark
    together = _straight(sequence) if sequence.mark is not None else 0
    for part in sequence.parts:
        if isinstance(part, Sequence):
            yield from _flattened(part, own)
        elif isinstance(part, Loop | Choice):
            yield part, own, 0
        else:
            yield part, own, together
            together = 0


def _straight(sequence: Sequence) -> int:
    """The columns of a sequence without turns; 0 if it has some."""
    columns = 0
    for part in sequence.parts:
        match part:
            case Code(text):
                columns += len(text)
            case Box(rows):
                columns += max(map(len, rows))
            case Sequence():
                inner = _straight(part)
                if part.parts and not inner:
                    return 0
                columns += inner
            case _:
                return 0
    return columns


def _stack(lines: list[TextBlock]) -> TextBlock:
    """Lines below each other; from the end of one a path leads to the beginning of the next."""
    block = TextBlock()
    y = 0
    for line in lines:
        if block.placed:
            block.put(0, y - 1, "v", None)
        block.put(0, y, ">", None)
        block.paste(1, y, line)
        block.exit = y + line.exit
        if line is not lines[-1]:
            block.put(1 + line.width, block.exit, "v", None)
            y += line.height
            block.put(1 + line.width, y, "<", None)
            y += 1
    return block


# Turns


def _loop(loop: Loop, mark: int | None, width: int) -> TextBlock:
    """The test in the first row, the body below it, and a way back along the west."""
    test = _sequence(loop.test, mark, width - 4)
    body = _sequence(loop.body, mark, width - 3)
    block = TextBlock(exit=test.exit)
    block.put(0, 0, ">", mark)
    block.paste(1, 0, test)
    block.put(1 + test.width, test.exit, _TEST, mark)
    y, right = _below(block, test, body, 1, width - 1)
    bottom = block.height
    block.put(right, y + body.exit, "v", None)
    block.put(0, bottom, "^", None)
    block.put(right, bottom, "<", None)
    return block


def _choice(choice: Choice, mark: int | None, width: int) -> TextBlock:
    """The test in the first row, the first branch below it, the second beside or below that."""
    test = _sequence(choice.test, mark, width - 6)
    then = _sequence(choice.then, mark, width - 3)
    otherwise = _sequence(choice.otherwise, mark, width - 3)
    block = TextBlock(exit=test.exit)
    block.paste(0, 0, test)
    block.put(test.width, test.exit, _TEST, mark)
    if block.width + otherwise.width < width and otherwise.height <= _LOW:
        return _beside(block, test, then, otherwise, width)
    y, right = _below(block, test, then, 0, width - 2)
    away = max(right, block.width)
    block.put(away, test.exit, "v", None)
    bottom = block.height
    block.put(0, bottom, "v", None)
    block.put(away, bottom, "<", None)
    block.put(0, bottom + 1, ">", None)
    block.paste(1, bottom + 1, otherwise)
    block.exit = bottom + 1 + otherwise.exit
    meeting = block.width
    block.put(meeting, y + then.exit, "v", None)
    block.put(meeting, block.exit, ">", None)
    return block


def _beside(
    block: TextBlock, test: TextBlock, then: TextBlock, otherwise: TextBlock, width: int
) -> TextBlock:
    """The second branch goes on in the row of the test."""
    block.paste(block.width, test.exit, otherwise)
    block.exit = test.exit + otherwise.exit
    y, _ = _below(block, test, then, 0, width - 1)
    meeting = block.width
    block.put(meeting, y + then.exit, "^", None)
    block.put(meeting, block.exit, ">", None)
    return block


def _below(
    block: TextBlock, test: TextBlock, branch: TextBlock, left: int, width: int
) -> tuple[int, int]:
    """Put a branch below all there is: where the test goes down, or at the left if it is wide.

    The row where it begins and the first column to its right.
    """
    down = left + test.width + 1
    y = block.height
    if down + 1 + branch.width <= width:
        block.put(down, y, ">", None)
        block.paste(down + 1, y, branch)
        return y, down + 1 + branch.width
    block.put(left, y, "v", None)
    block.put(down, y, "<", None)
    block.put(left, y + 1, ">", None)
    block.paste(left + 1, y + 1, branch)
    return y + 1, left + 1 + branch.width
