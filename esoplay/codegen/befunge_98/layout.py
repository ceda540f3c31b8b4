"""The layout of code: sequences become lines of limited width, loops become closed paths.

The path enters every block at the west end of its first row and exits it at the east end of its
exit row, eastward in both places.  No other characters follow the last executed one in the exit
row.  Paths may cross in blank cells.  Arrows that only connect pieces have no mark, so a debugger
that uses the marks steps directly from one statement to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

# The parts of a program before layout: code, boxes, loops and choices.
#
# A sequence may have a mark, a number chosen by the caller.  In the layout, each character has the
# mark of the innermost marked sequence.


@dataclass(frozen=True, slots=True)
class Code:
    """Characters in one line, executed from west to east."""

    text: str


@dataclass(frozen=True, slots=True)
class Box:
    """Rows that are never split; control enters the first row in the west, leaves it in the east.

    Spaces belong to the box, because control may cross them.
    """

    rows: tuple[str, ...]


@dataclass(slots=True)
class Sequence:
    """Pieces that are executed one after the other."""

    parts: list[Piece] = field(default_factory=list["Piece"])
    mark: int | None = None


@dataclass(slots=True)
class Loop:
    """A loop that runs ``body`` while ``test`` pushes a number other than 0."""

    test: Sequence
    body: Sequence


@dataclass(slots=True)
class Choice:
    """A branch: ``then`` runs if ``test`` pushes a number other than 0, else ``otherwise``."""

    test: Sequence
    then: Sequence
    otherwise: Sequence


Piece = Code | Box | Sequence | Loop | Choice


WIDTH = 100
"""The preferred maximum width of a program, in columns."""

_MIN_WIDTH = 24
_MAX_INLINE_ROWS = 3
"""A block with more rows does not share a line with other code."""

_TEST = "#v_"
"""The code of a test: it pops a number and continues east if it is 0, else down at the ``v``."""


class PlacedText(NamedTuple):
    """Characters in row ``y``, starting at column ``x``.

    mark: the number of the innermost marked sequence that contains them, or None.
    """

    y: int
    x: int
    text: str
    mark: int | None


@dataclass(slots=True)
class TextBlock:
    """A rectangle of characters; ``exit_row`` is the row in which the path exits at the right."""

    width: int = 0
    height: int = 1
    exit_row: int = 0
    texts: list[PlacedText] = field(default_factory=list[PlacedText])

    def put(self, x: int, y: int, text: str, mark: int | None) -> None:
        """Write characters; the block grows to contain them."""
        self.texts.append(PlacedText(y, x, text, mark))
        self.width = max(self.width, x + len(text))
        self.height = max(self.height, y + 1)

    def paste(self, x: int, y: int, block: TextBlock) -> None:
        """Insert another block with its upper left corner at ``x``, ``y``."""
        self.texts += [PlacedText(one.y + y, one.x + x, one.text, one.mark) for one in block.texts]
        self.width = max(self.width, x + block.width)
        self.height = max(self.height, y + block.height)

    def rows(self) -> list[str]:
        """Return the text, without trailing spaces."""
        rows: list[list[str]] = [[] for _ in range(self.height)]
        for y, x, text, _ in sorted(self.texts, key=lambda one: (one.y, one.x)):
            row = rows[y]
            row.extend(" " * (x - len(row)))
            row.extend(text)
        return ["".join(row).rstrip() for row in rows]


def lay_out(sequence: Sequence, width: int = WIDTH) -> TextBlock:
    """Lay out a sequence in lines; each line, including the first, begins with an arrow."""
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
            return _lay_out_choice(piece, mark, width)
        case Sequence():
            return _sequence(piece, mark, width)


def _sequence(sequence: Sequence, mark: int | None, width: int) -> TextBlock:
    width = max(width, _MIN_WIDTH)
    blocks = _blocks(sequence, mark, width - 2)
    lines = _lines(blocks, width)
    if len(lines) == 1:
        return lines[0]
    return _stack(_lines(blocks, width - 2))


# Lines


def _blocks(sequence: Sequence, mark: int | None, width: int) -> list[tuple[TextBlock, int]]:
    """Return the text block of each piece in a sequence, and the width to reserve for it.

    For the mark and the width to reserve see ``_flatten``.
    """
    return [
        (_block(piece, own, width), reserved_width)
        for piece, own, reserved_width in _flatten(sequence, mark)
    ]


def _lines(blocks: list[tuple[TextBlock, int]], width: int) -> list[TextBlock]:
    """Fill lines with blocks; a tall block is alone on a line.

    A statement without loops and choices is not split if its reserved width fits into a line.
    """
    lines = [TextBlock()]
    closed = False
    for block, reserved_width in blocks:
        is_tall = block.height > _MAX_INLINE_ROWS
        needed = max(block.width, reserved_width if reserved_width <= width else 0)
        if lines[-1].width and (closed or is_tall or lines[-1].width + needed > width):
            lines.append(TextBlock())
        line = lines[-1]
        line.paste(line.width, 0, block)
        line.exit_row = block.exit_row
        closed = is_tall or block.exit_row > 0
    return lines


def _flatten(sequence: Sequence, mark: int | None) -> Iterator[tuple[Piece, int | None, int]]:
    """Yield the pieces of a nested sequence, each with its mark and a width to reserve.

    mark: the mark of pieces that are in no marked sequence.

    The width is 0, except at the first piece of a marked sequence without loops and choices: there
    it is the width of the sequence.
    """
    own = mark if sequence.mark is None else sequence.mark
    reserved_width = _straight_width(sequence) if sequence.mark is not None else 0
    for part in sequence.parts:
        if isinstance(part, Sequence):
            yield from _flatten(part, own)
        elif isinstance(part, Loop | Choice):
            yield part, own, 0
        else:
            yield part, own, reserved_width
            reserved_width = 0


def _straight_width(sequence: Sequence) -> int:
    """Return the width of a sequence, or 0 if it contains loops or choices."""
    columns = 0
    for part in sequence.parts:
        match part:
            case Code(text):
                columns += len(text)
            case Box(rows):
                columns += max(map(len, rows))
            case Sequence():
                inner = _straight_width(part)
                if part.parts and not inner:
                    return 0
                columns += inner
            case _:
                return 0
    return columns


def _stack(lines: list[TextBlock]) -> TextBlock:
    """Put lines of code one below the other, with a path from the end of each to the next."""
    block = TextBlock()
    y = 0
    for line in lines:
        if block.texts:
            block.put(0, y - 1, "v", None)
        block.put(0, y, ">", None)
        block.paste(1, y, line)
        block.exit_row = y + line.exit_row
        if line is not lines[-1]:
            block.put(1 + line.width, block.exit_row, "v", None)
            y += line.height
            block.put(1 + line.width, y, "<", None)
            y += 1
    return block


# Loops and choices


def _loop(loop: Loop, mark: int | None, width: int) -> TextBlock:
    """Lay out a loop: the test at the top, the body below, the path back at the left."""
    test = _sequence(loop.test, mark, width - 4)
    body = _sequence(loop.body, mark, width - 3)
    block = TextBlock(exit_row=test.exit_row)
    block.put(0, 0, ">", mark)
    block.paste(1, 0, test)
    block.put(1 + test.width, test.exit_row, _TEST, mark)
    y, right = _place_below(block, test, body, 1, width - 1)
    bottom = block.height
    block.put(right, y + body.exit_row, "v", None)
    block.put(0, bottom, "^", None)
    block.put(right, bottom, "<", None)
    return block


def _lay_out_choice(choice: Choice, mark: int | None, width: int) -> TextBlock:
    """Lay out a choice: ``then`` below the test, ``otherwise`` next to ``then`` or below it."""
    test = _sequence(choice.test, mark, width - 6)
    then = _sequence(choice.then, mark, width - 3)
    otherwise = _sequence(choice.otherwise, mark, width - 3)
    block = TextBlock(exit_row=test.exit_row)
    block.paste(0, 0, test)
    block.put(test.width, test.exit_row, _TEST, mark)
    if block.width + otherwise.width < width and otherwise.height <= _MAX_INLINE_ROWS:
        return _place_beside(block, test, then, otherwise, width)
    y, right = _place_below(block, test, then, 0, width - 2)
    away = max(right, block.width)
    block.put(away, test.exit_row, "v", None)
    bottom = block.height
    block.put(0, bottom, "v", None)
    block.put(away, bottom, "<", None)
    block.put(0, bottom + 1, ">", None)
    block.paste(1, bottom + 1, otherwise)
    block.exit_row = bottom + 1 + otherwise.exit_row
    meeting = block.width
    block.put(meeting, y + then.exit_row, "v", None)
    block.put(meeting, block.exit_row, ">", None)
    return block


def _place_beside(
    block: TextBlock, test: TextBlock, then: TextBlock, otherwise: TextBlock, width: int
) -> TextBlock:
    """Lay out a choice with ``otherwise`` in the row of the test."""
    block.paste(block.width, test.exit_row, otherwise)
    block.exit_row = test.exit_row + otherwise.exit_row
    y, _ = _place_below(block, test, then, 0, width - 1)
    meeting = block.width
    block.put(meeting, y + then.exit_row, "^", None)
    block.put(meeting, block.exit_row, ">", None)
    return block


def _place_below(
    block: TextBlock, test: TextBlock, branch: TextBlock, left: int, width: int
) -> tuple[int, int]:
    """Put a branch of a choice, or the body of a loop, below the block.

    It begins under the exit of the test or, if it would then exceed ``width``, at column ``left``.
    Returns the first row of the branch and the first column to its right.
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
