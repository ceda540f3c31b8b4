r"""A Befunge page under construction: named variables, loops and branches without coordinates.

>>> from esoplay.codegen.befunge_98 import Page
>>> page = Page()
>>> page.variable("n", "int")
>>> page.push(3)
>>> page.store("n")
>>> with page.loop() as loop:
...     page.fetch("n")
...     loop.test()
...     page.fetch("n")
...     page.print_number()
...     page.subtract_one("n")
>>> program = page.text()

``program`` prints 321, in both dialects.  The stack must have the same values at the beginning and
the end of a loop or branch.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Literal

from esoplay.codegen.befunge_98 import macros
from esoplay.codegen.befunge_98.layout import (
    WIDTH,
    Box,
    Choice,
    Code,
    Loop,
    Sequence,
    TextBlock,
    lay_out,
)
from esoplay.codegen.befunge_98.memory import FIRST_COLUMN, MIDDLE, CellRange, RowAllocator, spell
from esoplay.codegen.errors import LayerError


class Page:
    """A page of Befunge code, to which methods such as ``push`` append code.

    The docstring of such a method describes what the appended code does when it is executed.

    Raises LayerError for an unknown name, and for a variable or an array of the wrong type.
    """

    def __init__(self) -> None:
        self._memory = RowAllocator()
        self._body = Sequence()
        self._here = self._body

    # Memory

    def variable(self, name: str, type: Literal["byte", "int"], label: str = "") -> None:
        """Add a variable without a value; ``label`` is written next to its cells."""
        self._memory.variable(name, type, label)

    def array(self, name: str, type: Literal["byte", "int"], length: int, label: str = "") -> None:
        """Add an array of at most 256 elements; ``clear`` sets them to 0."""
        self._memory.array(name, type, length, label)

    def cells(self, name: str) -> CellRange:
        """Return the cells of a variable or an array."""
        return self._memory.find(name)

    # The stack

    def code(self, text: str) -> None:
        """Append code unchanged: it is executed from west to east and never split into lines."""
        if text:
            self._here.parts.append(Code(text))

    def push(self, number: int) -> None:
        """Push a number."""
        self.code(spell(number))

    def fetch(self, name: str) -> None:
        """Push the value of a variable."""
        self._fetch(self._memory.find_variable(name), 0)

    def store(self, name: str) -> None:
        """Pop a value into a variable."""
        self._store(self._memory.find_variable(name), 0)

    def set(self, name: str, number: int) -> None:
        """Set a variable to a constant."""
        cells = self._memory.find_variable(name)
        if cells.type == "int":
            self._add(macros.set_int(cells.position_codes(), number))
        else:
            self.push(number)
            self._store(cells, 0)

    def store_byte(self, name: str, maximum: int = 255) -> None:
        """Pop a byte and store it in an int; the code is shorter than that of ``store``.

        maximum: the maximum value of the byte.
        """
        self._add(macros.set_int_to_byte(self._memory.find_int(name).position_codes(), maximum))

    def add_one(self, name: str) -> None:
        """Add 1 to an int in place."""
        self._here.parts.append(macros.add_one(self._memory.find_int(name).rows[0]))

    def subtract_one(self, name: str) -> None:
        """Subtract 1 from an int in place."""
        self._here.parts.append(macros.subtract_one(self._memory.find_int(name).rows[0]))

    # Arrays

    def fetch_at(self, name: str, index: int) -> None:
        """Push the element at a constant index."""
        self._fetch(self._memory.find_array(name), index)

    def store_at(self, name: str, index: int) -> None:
        """Pop a value into the element at a constant index."""
        self._store(self._memory.find_array(name), index)

    def column(self, shift: int = 0) -> None:
        """Pop an index and push the column of the array element ``index + shift``."""
        shift += FIRST_COLUMN
        if shift:
            self.code(f"{spell(abs(shift))}{'+' if shift > 0 else '-'}")

    def fetch_element(self, name: str) -> None:
        """Pop a column (see :meth:`column`) and push the array's element in this column."""
        cells = self._memory.find_array(name)
        if cells.type == "int":
            self._add(macros.fetch_element(cells.rows))
        else:
            self.code(f"{cells.rows[0]}g")

    def store_element(self, name: str) -> None:
        """Pop a column, then a value, and store the value in the array's element in that column."""
        cells = self._memory.find_array(name)
        if cells.type == "byte":
            self.code(f"{cells.rows[0]}p")
            return
        self._memory.uses_scratch = True
        put, store_column = macros.column_storage(cells.length or 0)
        self.code(put)
        self._add(macros.store_element(cells.rows, store_column))

    def clear(self, name: str) -> None:
        """Set all elements of an array to 0."""
        cells = self._memory.find_array(name)
        values = [0] * len(cells.y)
        if cells.type == "int":
            values[-1] = MIDDLE
        self._here.parts.append(macros.fill_rows(cells.rows, cells.length or 0, values))

    # Input and output

    def read(self) -> None:
        """Push a byte of the input, or 0 at its end."""
        self._here.parts.append(macros.READ)

    def write(self) -> None:
        """Pop a byte and print it."""
        self.code(",")

    def print_text(self, text: str) -> None:
        """Print ASCII text."""
        self._add(macros.print_text(text))

    def print_number(self, *, signed: bool = True) -> None:
        """Pop a number and print it in decimal; ``signed``: whether it may be negative."""
        self._add(macros.print_number(signed=signed))

    # Control flow

    @contextmanager
    def loop(self) -> Generator[LoopParts]:
        """Write a loop; the code in the ``with`` block is its condition and its body.

        ``LoopParts.test`` must be called between them; LayerError is raised if it was not.  The
        loop ends when the condition is 0.
        """
        loop = Loop(Sequence(), Sequence())
        enclosing = self._here
        enclosing.parts.append(loop)
        self._here = loop.test
        yield LoopParts(self, loop)
        self._close(loop.test, enclosing)

    @contextmanager
    def choice(self) -> Generator[ChoiceParts]:
        """Write a branch in a ``with`` block, whose parts are separated by two calls.

        Code before ``test()`` pushes a number.  Code after ``test()`` runs if the number is not 0.
        Code after ``otherwise()``, which is optional, runs if it is 0.  Raises LayerError if
        ``test`` was not called.
        """
        enclosing = self._here
        choice = Choice(Sequence(), Sequence(), Sequence())
        enclosing.parts.append(choice)
        self._here = choice.test
        yield ChoiceParts(self, choice)
        self._close(choice.test, enclosing)

    @contextmanager
    def marked(self, mark: int) -> Generator[None]:
        """Give the number ``mark`` to the code that is written in the ``with`` block."""
        enclosing = self._here
        self._here = Sequence(mark=mark)
        enclosing.parts.append(self._here)
        yield
        self._here = enclosing

    def append_to(self, sequence: Sequence) -> None:
        """Append all code to ``sequence`` from now on."""
        self._here = sequence

    # The text

    def block(self, width: int = WIDTH) -> TextBlock:
        """Return the laid-out page, with the rows of variables at the top."""
        code = lay_out(Sequence([self._body, Code("@")]), width)
        block = TextBlock()
        for y, row in enumerate(self._memory.rows()):
            block.put(0, y, row, None)
        block.paste(0, self._memory.height, code)
        return block

    def text(self, width: int = WIDTH) -> str:
        """Return the program, in lines of at most ``width`` columns where possible."""
        return "".join(f"{row}\n" for row in self.block(width).rows())

    def _add(self, parts: Iterable[str | Box]) -> None:
        self._here.parts += [Code(part) if isinstance(part, str) else part for part in parts]

    def _close(self, test: Sequence, enclosing: Sequence) -> None:
        if self._here is test:
            raise LayerError(
                "a loop or a choice ended without test(); expected test() after its condition"
            )
        self._here = enclosing

    def _fetch(self, cells: CellRange, index: int) -> None:
        at = cells.position_codes(index)
        self._add(macros.fetch_int(at) if cells.type == "int" else [f"{at[0]}g"])

    def _store(self, cells: CellRange, index: int) -> None:
        at = cells.position_codes(index)
        self._add(macros.store_int(at) if cells.type == "int" else [f"{at[0]}p"])


class LoopParts:
    """A loop that is being added to a page: its test, then, after ``test()``, its body."""

    def __init__(self, page: Page, loop: Loop):
        self._page = page
        self._loop = loop

    def test(self) -> None:
        """Pop a number; the body that follows runs only if it is not 0."""
        self._page.append_to(self._loop.body)


class ChoiceParts:
    """A choice that is being added to a page: its test and the two branches.

    ``test()`` begins the branch for true, ``otherwise()`` the branch for false.
    """

    def __init__(self, page: Page, choice: Choice):
        self._page = page
        self._choice = choice

    def test(self) -> None:
        """Pop a number; the code that follows runs unless it is 0."""
        self._page.append_to(self._choice.then)

    def otherwise(self) -> None:
        """Begin the code that runs if the number is 0."""
        self._page.append_to(self._choice.otherwise)
