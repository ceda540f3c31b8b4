"""A writer of Brainfuck that addresses cells by number and moves the pointer itself."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager

Target = int | tuple[int, int]
"""A target of an addition: a cell, or a cell and a factor."""

_WIDTH = 100
"""Maximum number of characters in a line."""

_MAX_INDENT = _WIDTH // 2
"""The deepest indentation of a line, in spaces."""

_SPOKEN = {
    "+": " plus ",
    "-": " minus ",
    "<": " below ",
    ">": " above ",
    "[": " at ",
    "]": " ",
    ".": " ",
    ",": " and ",
}


class Writer:
    """A program under construction.  Cells are numbered from 0; sums wrap at 256.

    ``position`` is the cell of the pointer after the pending moves.  Moves and sums are written
    only when needed, so that opposite ones cancel out.
    """

    def __init__(self) -> None:
        self.position = 0
        self.length = 0
        self.indent = ""
        """The spaces at the beginning of each line."""
        self._column: int = 0
        self._parts: list[str] = []
        self._at = 0
        self._sum = 0

    @property
    def text(self) -> str:
        """The program so far."""
        self.flush()
        return "".join(self._parts)

    def flush(self) -> None:
        """Write the commands for the pending addition to a cell, if any."""
        amount = (self._sum + 128) % 256 - 128
        self._sum = 0
        if amount:
            self._move()
            self._put("+" * amount if amount > 0 else "-" * -amount)

    def start_line(self) -> None:
        """Begin a new line, unless the current line is empty."""
        self.flush()
        indent = self.indent[:_MAX_INDENT]
        if self._column > len(indent) or self.length == 0:
            self._parts.append("\n" * (self.length > 0) + indent)
            self.length += len(self._parts[-1])
        self._column = len(indent)

    def comment(self, text: str) -> None:
        """Write a line of comment; characters that are commands are replaced by words."""
        spoken = "".join(_SPOKEN.get(character, character) for character in text)
        self.start_line()
        self._put(" ".join(spoken.split()))
        self.start_line()

    def go(self, cell: int) -> None:
        """Move to a cell."""
        if cell != self.position:
            self.flush()
            self.position = cell

    def set_position(self, cell: int) -> None:
        """Give the number ``cell`` to the cell at the pointer, and renumber all others accordingly.

        Call this after a loop that ends at another cell than the one where it starts.
        """
        self.flush()
        self._move()
        self.position = self._at = cell

    def add(self, cell: int, amount: int) -> None:
        """Add a constant to a cell."""
        self.go(cell)
        self._sum += amount

    def clear(self, cell: int) -> None:
        """Set a cell to 0."""
        self.go(cell)
        self._sum = 0
        self._command("[-]")

    def move(self, source: int, *targets: Target) -> None:
        """Add a cell to each target, multiplied by the target's factor; the cell becomes 0."""
        pairs = sorted((one, 1) if isinstance(one, int) else one for one in targets)
        with self.loop(source):
            self.add(source, -1)
            for cell, factor in pairs:
                self.add(cell, factor)

    def copy(self, source: int, targets: Iterable[Target], spare: int) -> None:
        """Add a cell to the targets without changing the cell; ``spare`` is 0 before and after."""
        self.move(source, *targets, spare)
        self.move(spare, source)

    def read(self, cell: int) -> None:
        """Read a character into a cell."""
        self.go(cell)
        self._command(",")

    def write(self, cell: int) -> None:
        """Print a cell as a character."""
        self.go(cell)
        self._command(".")

    @contextmanager
    def loop(self, cell: int) -> Generator[None]:
        """Repeat the code written in the ``with`` block while the cell is not 0."""
        self.go(cell)
        self._command("[")
        yield
        self.go(cell)
        self._command("]")

    @contextmanager
    def once(self, cell: int) -> Generator[None]:
        """Run the code written in the ``with`` block if a cell is 1; set the cell to 0 first."""
        with self.loop(cell):
            self.add(cell, -1)
            yield

    @contextmanager
    def walk(self, cell: int, distance: int) -> Generator[None]:
        """Write a loop that moves by ``distance`` cells each time until it finds a cell that is 0.

        The code written in the ``with`` block is executed at each cell before the move.  Afterwards
        the number ``cell`` stands for the cell at which the loop ended.
        """
        self.go(cell)
        self._command("[")
        yield
        self.go(cell + distance)
        self._command("]")
        self.set_position(cell)

    def nest(self, cell: int, depth: int) -> _Nest:
        """Return ``depth`` nested loops, which each subtract 1 from a cell; see :class:`_Nest`."""
        return _Nest(self, cell, depth)

    def open(self, cell: int) -> None:
        """Write ``[`` at a cell."""
        self.go(cell)
        self._command("[")

    def close(self, cell: int) -> None:
        """Write ``]`` at a cell."""
        self.go(cell)
        self._command("]")

    def _command(self, text: str) -> None:
        self.flush()
        self._move()
        self._put(text)

    def _move(self) -> None:
        distance = self.position - self._at
        if distance:
            self._put(">" * distance if distance > 0 else "<" * -distance)
            self._at = self.position

    def _put(self, text: str) -> None:
        while text:
            room = max(_WIDTH - self._column, 0)
            part, text = text[:room], text[room:]
            if part:
                self._parts.append(part)
                self.length += len(part)
                self._column += len(part)
            if text:
                self.start_line()


class _Nest:
    """Nested loops that test a cell: level n is reached if the cell holds n or more.

    Each level begins by subtracting 1 from the cell.

    ``for level in writer.nest(cell, 10): …`` adds code to each level.  The cell must be 0 at the
    end of the last level, so that all loops end.
    """

    def __init__(self, writer: Writer, cell: int, depth: int):
        self._writer, self._cell, self._depth = writer, cell, depth

    def __iter__(self) -> Generator[int]:
        for level in range(1, self._depth + 1):
            self._writer.open(self._cell)
            self._writer.add(self._cell, -1)
            yield level
        for _ in range(self._depth):
            self._writer.close(self._cell)
